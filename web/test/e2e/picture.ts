// SPDX-License-Identifier: MIT
//
// picture.ts: what the pixels of the canvas show.

import type { Page } from 'playwright-core';
import { laidOut } from './block';

export const GRID_STEPS = 300;

export interface Sampled {
    bodies: number; // the part of visible vertices whose pixel has a strong colour
    sky: number; // the part of pixels along the upper edge that is the backdrop
}

// Pixels at vertices that face the camera and have nothing of their own body before them are seen; those of the backdrop are known.
export function samplePicture(page: Page): Promise<Sampled> {
    return page.evaluate(async () => {
        const app = window.studio;
        const figure = app?.pane.figure;
        if (app === undefined || figure === null || figure === undefined || figure.frame === null) {
            return { bodies: NaN, sky: NaN };
        }
        const count = figure.opened.vertexCount > 0 ? figure.opened.vertexCount : figure.opened.nodeCount;
        const from = figure.opened.vertexCount > 0 ? figure.layout.vertices : figure.layout.nodes;
        const points = new Float32Array(figure.frame.buffer, 4 * from, 3 * count).slice(); // that are drawn now; more may come meanwhile
        const picture = await app.view.picture();
        const bitmap = await createImageBitmap(picture as Blob);
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
        const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
        context.drawImage(bitmap, 0, 0);
        const pixels = context.getImageData(0, 0, bitmap.width, bitmap.height).data;
        const box = (document.getElementById('canvas') as HTMLCanvasElement).getBoundingClientRect();
        const at = (x: number, y: number) => {
            const i = 4 * (Math.floor((y / box.height) * bitmap.height) * bitmap.width + Math.floor((x / box.width) * bitmap.width));
            return [pixels[i], pixels[i + 1], pixels[i + 2]];
        };
        const spread = ([r, g, b]: number[]) => Math.max(r, g, b) - Math.min(r, g, b);

        let seen = 0;
        let coloured = 0;
        for (let i = 0; i < count; i += Math.max(1, Math.floor(count / 300))) {
            const { x, y } = app.view.onScreen(0, [points[3 * i], points[3 * i + 1], points[3 * i + 2]]);
            if (x >= 1 && y >= 1 && x < box.width - 1 && y < box.height - 1) {
                seen += 1;
                coloured += spread(at(x, y)) > 24 ? 1 : 0;
            }
        }
        const backdrop = at(1, 1);
        let sky = 0;
        for (let k = 0; k < 50; ++k) {
            const pixel = at((k / 50) * (box.width - 2) + 1, 2);
            sky += pixel.every((c, i) => Math.abs(c - backdrop[i]) < 12) ? 1 : 0;
        }
        return { bodies: seen > 0 ? coloured / seen : 0, sky: sky / 50 };
    });
}

// What a scene looks like after so many steps, as 20 rows of 32 colours of three hexadecimal digits; the picture has the same size wherever
// it is drawn, and with whatever fonts.
export async function colourGrid(page: Page, steps: number): Promise<string[]> {
    await page.evaluate(async (count) => {
        const { pane } = window.studio as NonNullable<typeof window.studio>;
        (document.getElementById('stage') as HTMLElement).style.cssText = 'position: fixed; left: 0; top: 0; width: 480px; height: 300px';
        await pane.simulation.run(count);
        pane.legendTop = 0; // what was seen before
    }, steps);
    await page.waitForFunction((count) => window.studio?.pane.number('steps') === count && document.getElementById('canvas')?.clientWidth === 480, steps);
    await laidOut(page);
    const rows = await page.evaluate(async () => {
        const picture = await window.studio?.view.picture();
        const bitmap = await createImageBitmap(picture as Blob);
        const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D;
        context.drawImage(bitmap, 0, 0);
        const [across, down] = [bitmap.width / 32, bitmap.height / 20];
        const colour = (column: number, row: number) => {
            const { data } = context.getImageData(column * across, row * down, across, down);
            const mean = (channel: number) => data.reduce((sum, x, i) => sum + (i % 4 === channel ? x : 0), 0) / (data.length / 4);
            return [0, 1, 2].map((channel) => Math.round((15 * mean(channel)) / 255).toString(16)).join('');
        };
        return Array.from({ length: 20 }, (_, row) => Array.from({ length: 32 }, (__, column) => colour(column, row)).join(''));
    });
    await page.evaluate(() => (document.getElementById('stage') as HTMLElement).removeAttribute('style'));
    await laidOut(page);
    return rows;
}

// The mean difference of two such, of 15 at most, and how many of its numbers are far apart.
export function gridDifference(a: readonly string[], b: readonly string[]): { mean: number; far: number } {
    const digits = (rows: readonly string[]) => Array.from(rows.join(''), (digit) => parseInt(digit, 16));
    const other = digits(b);
    const apart = digits(a).map((x, i) => Math.abs(x - other[i]));
    return { mean: apart.reduce((sum, x) => sum + x, 0) / apart.length, far: apart.filter((x) => x > 3).length / apart.length };
}
