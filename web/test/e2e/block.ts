// SPDX-License-Identifier: MIT
//
// block.ts: a block held at one end, without gravity: small and quick, for tests of what a person does with it; on a page that they share.

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

let standing: { studio: Studio; kind: string } | null = null;

// What a person may have left: menus, choices, panels.
function tidy(page: Page): Promise<void> {
    return page.evaluate(() => {
        document.querySelectorAll('dialog').forEach((dialog) => dialog.close());
        document.getElementById('home')?.removeAttribute('open');
        document.querySelector<HTMLElement>('[data-tab="change"]')?.click();
        for (const [id, value] of [['pointer', 'pull'], ['pace', '1']]) {
            const select = document.getElementById(id) as HTMLSelectElement;
            select.value = value;
            select.dispatchEvent(new Event('change'));
        }
    });
}

// What has changed on the page has found its place, and the picture its size.
export function laidOut(page: Page): Promise<void> {
    return page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
}

// The page that the tests of a file share, as long as they want one of a kind; with nothing of the test before.
export async function share({ width = 900, height = 600, ...rest }: Options = {}): Promise<Studio> {
    const kind = JSON.stringify(rest);
    if (standing?.kind !== kind) {
        await stopSharing();
        standing = { kind, studio: await openStudio('#gallery=beam.yaml', { width, height, still: true, ...rest }) };
        await standing.studio.page.waitForFunction(() => document.getElementById('hint')?.textContent?.includes('theory'), undefined, { timeout: 60000 });
    }
    const { studio } = standing;
    await studio.page.setViewportSize({ width, height });
    await tidy(studio.page);
    studio.complaints.length = 0;
    return studio;
}

// After a test that failed, too: the next one has a page of its own.
export async function stopSharing(): Promise<void> {
    await standing?.studio.close();
    standing = null;
}

// The studio with a scene that stands still at its start, seen from the front.
export async function openText(text: string, options: Options = {}): Promise<Studio> {
    const studio = await share(options);
    expect(await studio.page.evaluate((t) => window.studio?.open(t, {}, [0, -1, 0.2]), text)).toBe(true);
    await studio.page.waitForFunction(() => (window.studio?.pane.figure?.frame ?? null) !== null);
    await laidOut(studio.page);
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
