// SPDX-License-Identifier: MIT
//
// gallery.test.ts: every scene of the gallery in a real browser: it loads, it moves, nothing complains, and the picture shows bodies where
// they are, in their colours, and is like the one that was recorded.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import gallery from '../../gallery.json' with { type: 'json' };
import { laidOut } from './block';
import { openStudio, stopServing, type Studio, untilTime } from './browser';
import { colourGrid, GRID_STEPS, gridDifference, samplePicture } from './picture';
import pictures from './pictures.json' with { type: 'json' };

let studio: Studio;

beforeAll(async () => {
    studio = await openStudio('', { width: 560, height: 600, still: true, scale: 1 });
    await studio.page.waitForFunction(() => (window.studio?.pane.figure ?? null) !== null, undefined, { timeout: 60000 });
}, 90000);

afterAll(async () => {
    await studio.close();
    await stopServing();
});

// Simulated seconds that are waited for, as long as it takes less than some seconds of ours.
const ENOUGH = 0.05;

for (const exhibit of gallery) {
    test(
        `${exhibit.file}: ${exhibit.title}`,
        async () => {
            const { page, complaints } = studio;
            complaints.length = 0;
            await page.mouse.up(); // what a try before has left
            await page.evaluate(() => {
                window.studio?.play(false);
                document.getElementById('stage')?.removeAttribute('style');
            });
            const before = await page.evaluateHandle(() => window.studio?.pane.figure);
            await page.click('#open-gallery');
            await page.click(`[data-scene="${exhibit.file}"]`);
            await page.waitForFunction(
                ({ title, old }) => {
                    const figure = window.studio?.pane.figure ?? null;
                    return figure !== null && figure !== old && figure.opened.title === title && figure.frame !== null;
                },
                { title: await titleOf(exhibit.file), old: before },
                { timeout: 60000 },
            );
            expect(await page.textContent('#messages')).toBe('');

            const seen = await samplePicture(page);
            expect(seen.bodies, 'points of bodies that have a colour of bodies').toBeGreaterThan(0.8);
            expect(seen.sky, 'points beside them that have none').toBeGreaterThan(0.9);

            const grid = await colourGrid(page, GRID_STEPS);
            const { mean, far } = gridDifference(grid, (pictures as Record<string, string[]>)[exhibit.file] ?? []);
            expect(mean, `unlike its picture in pictures.json, which \`make pictures\` records:\n${grid.join('\n')}`).toBeLessThan(0.25);
            expect(far, 'colours that are far from those of its picture').toBeLessThan(0.01);

            const start = await page.evaluate(() => window.studio?.pane.number('time') ?? NaN);
            await page.evaluate(() => window.studio?.play(true));
            await untilTime(page, start + ENOUGH);
            await page.evaluate(() => window.studio?.play(false));
            await laidOut(page);
            await laidOut(page);
            const moved = await page.evaluate(() => {
                const figure = window.studio?.pane.figure;
                if (figure === null || figure === undefined || figure.frame === null) {
                    return NaN;
                }
                const now = new Float32Array(figure.frame.buffer, 4 * figure.layout.vertices, figure.opened.rest.length);
                return now.reduce((most, x, i) => Math.max(most, Math.abs(x - figure.opened.rest[i])), 0) / figure.size;
            });
            expect(moved).toBeGreaterThan(1e-5);
            expect(moved).toBeLessThan(3);
            expect((await samplePicture(page)).bodies, 'the same where bodies are now').toBeGreaterThan(0.8);
            await drag(page);
            expect(await page.textContent('#messages')).toBe('');
            expect(complaints).toEqual([]);
        },
        90000,
    );
}

// Where a body can be taken.
async function grip(page: Page): Promise<{ x: number; y: number }> {
    await laidOut(page);
    return page.evaluate(() => {
        const { pane, view } = window.studio as NonNullable<typeof window.studio>;
        const figure = pane.figure as NonNullable<typeof pane.figure>;
        const { vertexCount, nodeCount } = figure.opened;
        const points = new Float32Array(figure.frame?.buffer ?? new ArrayBuffer(0), 4 * (vertexCount > 0 ? figure.layout.vertices : figure.layout.nodes));
        const box = (document.getElementById('canvas') as HTMLElement).getBoundingClientRect();
        // where it has moved most: nothing holds it there
        const { rest } = figure.opened;
        const moved = (i: number) => (vertexCount > 0 ? Math.hypot(...[0, 1, 2].map((a) => points[3 * i + a] - rest[3 * i + a])) : 0);
        const order = Array.from({ length: Math.ceil((vertexCount || nodeCount) / 7) }, (_, k) => 7 * k).sort((i, j) => moved(j) - moved(i));
        for (const i of order) {
            const { x, y } = view.onScreen(0, [points[3 * i], points[3 * i + 1], points[3 * i + 2]]);
            const at = { x: Math.round(box.left + x), y: Math.round(box.top + y) };
            const within = [-3, 3].every((by) => (view.pick(at.x + by, at.y)?.normal ?? null) !== null && (view.pick(at.x, at.y + by)?.normal ?? null) !== null);
            if (within && document.elementFromPoint(at.x, at.y)?.id === 'canvas') {
                return at;
            }
        }
        return { x: NaN, y: NaN };
    });
}

// The camera may have gone elsewhere meanwhile: then the view is turned, and it is tried again.
async function grab(page: Page): Promise<{ x: number; y: number }> {
    for (let again = 3; ; --again) {
        const from = await grip(page);
        await page.mouse.move(from.x, from.y);
        await page.mouse.down();
        await page.evaluate(() => window.studio?.play(true));
        try {
            await page.waitForFunction(() => window.studio?.pane.figure?.frame?.hands.length === 1, undefined, { timeout: 5000 });
            return from;
        } catch (error) {
            await page.mouse.up();
            await page.evaluate(() => window.studio?.play(false));
            if (again === 0) {
                throw error;
            }
        }
    }
}

// A point of a body follows the pointer, with a force towards it, until it is let go.
async function drag(page: Page): Promise<void> {
    const from = await grab(page);
    const before = await page.evaluate(() => window.studio?.pane.figure?.frame?.hands[0]?.place ?? []);
    await page.mouse.move(from.x, from.y - 60, { steps: 2 });
    await page.waitForFunction((old) => {
        const { hands = [] } = window.studio?.pane.figure?.frame ?? {};
        const moved = Math.hypot(...(hands[0]?.place ?? []).map((x, i) => x - old[i]));
        return moved > 1e-3 * (window.studio?.pane.figure?.size ?? NaN) && Math.hypot(...(hands[0]?.force ?? [])) > 0;
    }, before);
    await page.mouse.up();
    await page.waitForFunction(() => window.studio?.pane.figure?.frame?.hands.length === 0);
    await page.evaluate(() => window.studio?.play(false));
}

async function titleOf(file: string): Promise<string> {
    const { readFile } = await import('node:fs/promises');
    const { parse } = await import('yaml');
    const text = await readFile(new URL(`../../../scenes/${file}`, import.meta.url), 'utf8');
    return String((parse(text, { schema: 'failsafe' }) as { title: string }).title);
}
