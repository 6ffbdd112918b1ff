// SPDX-License-Identifier: MIT
//
// hosts.test.ts: the page from hosts of static files: one that sends no headers of its own, where there is one thread, which it says, after that
// more, and no need of a network; and one where threads never come.

import { createReadStream, existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { openStudio, stopServing, untilTime } from './browser';

const root = fileURLToPath(new URL('../../../build/web', import.meta.url));
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.svg': 'image/svg+xml' };
const ISOLATED = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp', 'Cache-Control': 'no-store' };
const servers: Server[] = [];

// never: what gets no answer at all.
async function host(headers: Record<string, string> = {}, never: (path: string, request: IncomingMessage) => boolean = () => false): Promise<{ server: Server; address: string }> {
    const server = createServer((request, response) => {
        const path = new URL(request.url ?? '/', 'http://host').pathname;
        if (never(path, request)) {
            return;
        }
        const file = join(root, path === '/' ? 'index.html' : path);
        response.writeHead(existsSync(file) ? 200 : 404, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream', ...headers });
        if (existsSync(file)) {
            createReadStream(file).pipe(response);
        } else {
            response.end();
        }
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

afterAll(async () => {
    await stopServing();
    servers.forEach((server) => {
        server.closeAllConnections();
        server.close();
    });
});

// most of it is waiting
test.concurrent('threads that never come are not waited for', async () => {
    const { address } = await host(ISOLATED, (path, { headers }) => path === '/offline.js' || (/studio_threads\.worker/.test(path) && headers['sec-fetch-dest'] === 'worker'));
    const { page, close } = await openStudio('#gallery=beam.yaml', { width: 600, height: 400, at: address });
    await untilTime(page, 0.01);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    await page.click('[data-tab="read"]');
    await page.waitForFunction(() => /1: the browser could start no others: none within/.test(document.getElementById('facts')?.textContent ?? ''));
    await close();
}, 60000);

test.concurrent('a host without headers, and none at all', async () => {
    const { server, address } = await host();
    const studio = await openStudio('#gallery=beam.yaml', { width: 600, height: 400, at: address });
    const { page } = studio;
    await untilTime(page, 0.01);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
    await page.click('[data-tab="read"]');
    await page.waitForFunction(() => /1: its host does not isolate the page/.test(document.getElementById('facts')?.textContent ?? ''));

    // what was loaded is kept, and isolated from then on
    await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state);
    await page.waitForFunction(async () => (await caches.keys()).length === 1 && navigator.serviceWorker.controller?.state === 'activated');
    server.closeAllConnections();
    server.close();
    await page.context().setOffline(true);
    await page.reload();
    await untilTime(page, 0.01);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    await page.click('#open-gallery');
    await page.click('[data-scene="dropped_rabbit.yaml"]');
    await page.waitForFunction(() => window.studio?.pane.figure?.opened.title === 'A soft rabbit in real time');
    await page.fill('[data-control="spacing"]', '8 mm');
    await page.press('[data-control="spacing"]', 'Enter');
    await page.waitForFunction(() => (window.studio?.pane.simulation.threads ?? 0) >= Math.min(navigator.hardwareConcurrency, 2));
    await untilTime(page, 0.05);
    expect(studio.complaints).toEqual([]);
    await studio.close();
}, 90000);
