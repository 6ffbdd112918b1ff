// SPDX-License-Identifier: MIT
//
// pictures.test.ts: `make pictures`: the pictures of the gallery, those that tests compare with, and those of the README, by the page itself.

import { mkdirSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, test } from 'vitest';
import gallery from '../gallery.json' with { type: 'json' };
import { openStudio, stopServing } from '../test/e2e/browser';
import { colourGrid, GRID_STEPS } from '../test/e2e/picture';

const grids: Record<string, string[]> = {};

afterAll(async () => {
    await stopServing();
    writeFileSync(new URL('../test/e2e/pictures.json', import.meta.url), `${JSON.stringify(grids, null, 4)}\n`);
});

const cards = new URL('../gallery/', import.meta.url);
const docs = new URL('../../docs/studio/', import.meta.url);
mkdirSync(cards, { recursive: true });
mkdirSync(docs, { recursive: true });

// Simulate until a time, without a pause for drawing.
async function runTo(page: Page, time: number): Promise<void> {
    await page.evaluate(async (t) => {
        const app = window.studio;
        if (app === undefined) {
            return;
        }
        await Promise.all(
            app.panes.map(async (pane) => {
                const left = t - pane.number('time');
                await pane.simulation.run(Math.max(1, Math.round(left / pane.number('step'))));
                pane.simulation.want();
            }),
        );
        await new Promise((resolve) => setTimeout(resolve, 500));
    }, time);
}

async function openExhibit(page: Page, file: string): Promise<void> {
    await page.evaluate((name) => (location.hash = `gallery=${name}`), file);
    await page.waitForFunction(() => (window.studio?.pane.figure?.frame ?? null) !== null && document.getElementById('busy')?.hidden === true);
    await page.waitForTimeout(700);
}

const AT: Record<string, number> = { 'dropped_rabbit.yaml': 0.12, 'dressed.yaml': 0.6, 'sliding.yaml': 0.3, 'elbows.yaml': 0.75, 'poke.yaml': 0.45, 'ellipsoids.yaml': 0.35 };

for (const { file, until } of gallery) {
    test(
        file,
        async () => {
            const studio = await openStudio(`#gallery=${file}`, { width: 970, height: 480, still: true, scale: 1 });
            const { page } = studio;
            await page.waitForFunction(() => (window.studio?.pane.figure?.frame ?? null) !== null);
            grids[file] = await colourGrid(page, GRID_STEPS);
            await runTo(page, (AT[file] ?? 0.3) * until);
            const bytes = await page.evaluate(async () => {
                const figure = window.studio?.pane.figure;
                if (figure !== null && figure !== undefined) {
                    window.studio?.view.fit(figure);
                }
                const picture = (await window.studio?.view.picture()) as Blob;
                const bitmap = await createImageBitmap(picture);
                const canvas = new OffscreenCanvas(480, 300);
                const scale = Math.max(480 / bitmap.width, 300 / bitmap.height);
                canvas.getContext('2d')?.drawImage(bitmap, 0.5 * (480 - scale * bitmap.width), 0.5 * (300 - scale * bitmap.height), scale * bitmap.width, scale * bitmap.height);
                const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.82 });
                return Array.from(new Uint8Array(await blob.arrayBuffer()));
            });
            writeFileSync(new URL(file.replace(/\.yaml$/, '.webp'), cards), Uint8Array.from(bytes));
            await studio.close();
        },
        90000,
    );
}

test(
    'the README',
    async () => {
        const studio = await openStudio('#gallery=dropped_rabbit.yaml', { width: 1280, height: 800, still: true, scale: 1 });
        const { page } = studio;
        await page.waitForFunction(() => (window.studio?.pane.figure?.frame ?? null) !== null);
        await page.evaluate(() => window.studio?.play(true));
        await page.click('[data-tab="read"]');
        await page.waitForTimeout(4000);
        const ear = await page.evaluate(() => {
            const app = window.studio;
            const figure = app?.pane.figure;
            if (app === undefined || figure === null || figure === undefined || figure.frame === null) {
                return { x: 0, y: 0 };
            }
            const v = new Float32Array(figure.frame.buffer, 4 * figure.layout.vertices, 3 * figure.opened.vertexCount);
            let top = 0;
            for (let i = 0; i < v.length; i += 3) {
                top = v[i + 2] > v[top + 2] ? i : top;
            }
            const at = app.view.onScreen(0, [v[top], v[top + 1], v[top + 2]]);
            const box = (document.getElementById('canvas') as HTMLElement).getBoundingClientRect();
            return { x: box.left + at.x, y: box.top + at.y + 6 };
        });
        await page.mouse.move(ear.x, ear.y);
        await page.mouse.down();
        await page.mouse.move(ear.x + 90, ear.y - 60, { steps: 8 });
        await page.waitForTimeout(1500);
        await page.screenshot({ path: new URL('pull.png', docs).pathname });
        await page.mouse.up();
        await openExhibit(page, 'four_blocks.yaml');
        await runTo(page, 0.5);
        await page.click('[data-tab="change"]');
        await page.screenshot({ path: new URL('blocks.png', docs).pathname });
        await studio.close();
    },
    90000,
);
