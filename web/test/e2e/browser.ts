// SPDX-License-Identifier: MIT
//
// browser.ts: the built page in a real browser.

import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { preview, type PreviewServer } from 'vite';

const CHROMIUM = process.env['RSL_CHROMIUM'] ?? '/usr/bin/chromium';

export interface Studio {
    page: Page;
    address: string;
    complaints: string[]; // errors and warnings of the console, failed requests
    close(): Promise<void>;
}

let server: PreviewServer | null = null;
let browser: Promise<Browser> | null = null; // one for all tests of a file; each has a context of its own

export async function serve(): Promise<string> {
    server ??= await preview({
        root: fileURLToPath(new URL('../..', import.meta.url)),
        preview: { port: 0, host: '127.0.0.1' },
        logLevel: 'error',
    });
    const address = server.httpServer.address();
    if (address === null || typeof address === 'string') {
        throw new Error('the server has no port');
    }
    return `http://127.0.0.1:${address.port}/`;
}

export async function stopServing(): Promise<void> {
    await (await browser)?.close();
    await server?.close();
    browser = null;
    server = null;
}

// SwiftShader says these of itself; they are not the page's.
const NOT_OURS = /GPU stall due to ReadPixels|swiftshader|software WebGL|GroupMarkerNotSet/i;

// Without a graphics card every picture is drawn by the processors that the bodies are moved by, so that there are fewer.
const FEWER_PICTURES = `{
    const soon = requestAnimationFrame;
    window.requestAnimationFrame = (draw) => setTimeout(() => soon(draw), 60);
}`;

export interface Options {
    width?: number;
    height?: number;
    dark?: boolean;
    touch?: boolean;
    scale?: number; // pixels of the screen for one of the page: half of them are drawn in a quarter of the time
    still?: boolean;
    init?: string; // a script that runs before those of the page
    at?: string; // another server's address
}

export async function openStudio(hash = '', { width = 1280, height = 800, dark = false, touch = false, still = false, scale = 0.5, init = '', at }: Options = {}): Promise<Studio> {
    const address = at ?? (await serve());
    browser ??= chromium.launch({
        executablePath: CHROMIUM,
        headless: true,
        args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--enable-unsafe-swiftshader'],
    });
    const context = await (await browser).newContext({
        viewport: { width, height },
        deviceScaleFactor: scale,
        colorScheme: dark ? 'dark' : 'light',
        reducedMotion: still ? 'reduce' : 'no-preference',
        hasTouch: touch,
        acceptDownloads: true,
    });
    await context.addInitScript(FEWER_PICTURES);
    await context.addInitScript(init);
    const page = await context.newPage();
    page.setDefaultTimeout(20000);
    const complaints: string[] = [];
    page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type()) && !NOT_OURS.test(message.text())) {
            complaints.push(message.text());
        }
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('requestfailed', (request) => complaints.push(`${request.url()}: ${request.failure()?.errorText ?? ''}`));
    await page.goto(address + hash);
    return {
        page,
        address,
        complaints,
        close: () => context.close(),
    };
}

// Until a scene is drawn whose simulated time has passed so much.
export async function untilTime(page: Page, time: number): Promise<void> {
    await page.waitForFunction((t) => (window.studio?.pane.number('time') ?? -1) >= t, time, { timeout: 60000, polling: 50 });
}
