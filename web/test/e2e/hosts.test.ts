// SPDX-License-Identifier: MIT
//
// hosts.test.ts: the page from a host of static files that sends no headers of its own: one thread, which it says; after that with threads,
// and without a network.

import { createReadStream, existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStudio, stopServing, untilTime } from './browser';

const root = fileURLToPath(new URL('../../../build/web', import.meta.url));
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.svg': 'image/svg+xml' };
let server: Server;
let address = '';

beforeAll(async () => {
    server = createServer((request, response) => {
        const path = new URL(request.url ?? '/', 'http://host').pathname;
        const file = join(root, path === '/' ? 'index.html' : path);
        response.writeHead(existsSync(file) ? 200 : 404, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' });
        if (existsSync(file)) {
            createReadStream(file).pipe(response);
        } else {
            response.end();
        }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

afterAll(async () => {
    await stopServing();
    server.close();
});

test('a host without headers, and none at all', async () => {
    const studio = await openStudio('#gallery=beam.yaml', { at: address });
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
