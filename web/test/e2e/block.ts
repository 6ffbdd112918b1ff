// SPDX-License-Identifier: MIT
//
// block.ts: a block held at one end, without gravity: small and quick, for tests of what a person does with it.

import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openStudio, type Options, type Studio } from './browser';

export const BLOCK = `title: a block
gravity: [0, 0, 0]
time: {duration: 10}
bodies:
  - name: block
    shape: {type: box, size: [0.4, 0.1, 0.1]}
    network: {spacing: 0.025}
    model: springs
    material: {young: 1e5, poisson: 0.25, density: 1000, stiffness_damping: 5e-3}
constraints:
  - {type: pin, nodes: {type: plane, point: [-0.2, 0, 0], normal: [-1, 0, 0]}}
`;

// The studio with a scene that stands still at its start, seen from the front.
export async function openText(text: string, options: Options = {}): Promise<Studio> {
    const studio = await openStudio('', { width: 900, height: 600, still: true, ...options });
    const { page } = studio;
    await page.waitForFunction(() => (window.studio?.pane.figure ?? null) !== null, undefined, { timeout: 60000 });
    expect(await page.evaluate((t) => window.studio?.open(t, {}, [0, -1, 0.2]), text)).toBe(true);
    await page.waitForFunction(() => (window.studio?.pane.figure?.frame ?? null) !== null);
    return studio;
}

// Where a point of the scene is on the page.
export function onPage(page: Page, point: [number, number, number]): Promise<{ x: number; y: number }> {
    return page.evaluate((p) => {
        const app = window.studio;
        const figure = app?.pane.figure;
        const box = (document.getElementById('canvas') as HTMLElement).getBoundingClientRect();
        if (app === undefined || figure === null || figure === undefined) {
            return { x: NaN, y: NaN };
        }
        const at = app.view.onScreen(0, p.map((x, i) => x - figure.opened.origin[i]) as [number, number, number]);
        return { x: box.left + at.x, y: box.top + at.y };
    }, point);
}
