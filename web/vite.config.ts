// SPDX-License-Identifier: MIT

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { minifySync } from 'rolldown/utils';
import { defineConfig } from 'vitest/config';

// A service worker that keeps every file of the build, so that the page works without a network. Its version is a hash of their names,
// which hold hashes of what is in them.
function offline(): Plugin {
    return {
        name: 'offline',
        generateBundle(_, bundle) {
            const files = Object.keys(bundle).sort();
            const version = createHash('sha256').update(files.join('\n')).digest('hex').slice(0, 16);
            const list = JSON.stringify(['./', ...files, 'icon.svg', 'studio.webmanifest']);
            const source = readFileSync(at('src/offline.js'), 'utf8').replace('FILES', list).replace('VERSION', JSON.stringify(version));
            this.emitFile({ type: 'asset', fileName: 'offline.js', source });
        },
    };
}

// What emscripten wrote is loaded by its address, so that it passes by what else makes scripts small.
function small(): Plugin {
    return {
        name: 'small',
        generateBundle(_, bundle) {
            for (const file of Object.values(bundle)) {
                if (file.type === 'asset' && /^assets\/studio.*\.js$/.test(file.fileName)) {
                    file.source = minifySync(file.fileName, String(file.source), { module: /export default/.test(String(file.source)) }).code;
                }
            }
        },
    };
}

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
    base: './', // any folder of any host
    plugins: [small(), offline()],
    resolve: { alias: { '@core': at('../build/wasm/web/core'), '@scenes': at('../scenes') } },
    // .js also where it was .mjs, which not every host knows to be a script
    worker: { format: 'es', rolldownOptions: { output: { assetFileNames: ({ names }) => `assets/[name]-[hash]${names[0]?.endsWith('.mjs') ? '.js' : '[extname]'}` } } },
    server: {
        fs: { allow: [at('..')] },
        headers: { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' },
    },
    preview: { headers: { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' } },
    build: { outDir: '../build/web', emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 900 },
    // a browser without a graphics card on a busy machine: what fails is tried once more
    test: { include: [`${process.env['RSL_VITEST'] ?? 'test/**'}/*.test.ts`], environment: 'node', maxWorkers: 2, testTimeout: 60000, retry: 1 },
});
