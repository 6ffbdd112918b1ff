// SPDX-License-Identifier: MIT

import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
    base: './', // any folder of any host
    resolve: { alias: { '@core': at('../build/wasm/web/core'), '@scenes': at('../scenes') } },
    worker: { format: 'es' },
    server: {
        fs: { allow: [at('..')] },
        headers: { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' },
    },
    preview: { headers: { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' } },
    build: { outDir: '../build/web', emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 900 },
    test: { include: ['test/**/*.test.ts'], environment: 'node' },
});
