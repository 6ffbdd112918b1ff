// SPDX-License-Identifier: MIT
//
// offline.js: the service worker; vite.config.ts puts in what stands in capitals. What was loaded once is served from here; a newer build
// takes over when the page is loaded the next time.

const name = `studio-${VERSION}`;

self.addEventListener('install', (event) => {
    event.waitUntil(
        caches
            .open(name)
            .then((cache) => cache.addAll(FILES))
            .then(() => self.skipWaiting()),
    );
});

self.addEventListener('activate', (event) => {
    const old = (names) => Promise.all(names.filter((n) => n.startsWith('studio-') && n !== name).map((n) => caches.delete(n)));
    event.waitUntil(
        caches
            .keys()
            .then(old)
            .then(() => self.clients.claim()),
    );
});

// Pages that are isolated from others may have threads. Many hosts of static files do not say so.
function isolated(response) {
    if (response.status === 0) {
        return response; // a redirection, which the browser follows by itself
    }
    const headers = new Headers(response.headers);
    headers.set('Cross-Origin-Opener-Policy', 'same-origin');
    headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
    return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

self.addEventListener('fetch', (event) => {
    const { request } = event;
    if (request.method === 'GET' && new URL(request.url).origin === self.location.origin) {
        event.respondWith(caches.match(request, { ignoreSearch: true }).then(async (kept) => isolated(kept ?? (await fetch(request)))));
    }
});
