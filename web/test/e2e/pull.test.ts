// SPDX-License-Identifier: MIT
//
// pull.test.ts: what a person does: pull a body and let it go, change a material, compare, drop files, take a scene home; on a phone, too.

import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, expect, test } from 'vitest';
import { BLOCK, laidOut, onPage, openText, stopSharing } from './block';
import { type Options, stopServing, type Studio, untilTime } from './browser';

let studio: Studio;

afterEach(({ task }) => (task.result?.state === 'fail' ? stopSharing() : undefined));

afterAll(stopServing);

async function start(text: string, options: Options = {}): Promise<Page> {
    studio = await openText(text, options);
    return studio.page;
}

// The lowest and the highest x or z of the nodes, in the world.
function extent(page: Page, axis: number): Promise<[number, number]> {
    return page.evaluate((a) => {
        const figure = window.studio?.pane.figure;
        if (figure === null || figure === undefined || figure.frame === null) {
            return [NaN, NaN];
        }
        const nodes = new Float32Array(figure.frame.buffer, 4 * figure.layout.nodes, 3 * figure.opened.nodeCount);
        const values = Array.from(nodes).filter((_, i) => i % 3 === a);
        return [Math.min(...values) + figure.opened.origin[a], Math.max(...values) + figure.opened.origin[a]];
    }, axis);
}

// Simulated seconds, as fast as they can be had.
async function pass(page: Page, seconds: number): Promise<void> {
    await page.waitForFunction(() => Number.isFinite(window.studio?.pane.number('time')) && window.studio?.pane.busy === false);
    const now = await page.evaluate(() => window.studio?.pane.number('time') ?? 0);
    await page.evaluate(async (time) => {
        const { pane } = window.studio as NonNullable<typeof window.studio>;
        await pane.simulation.run(Math.ceil(time / pane.number('step')));
    }, seconds);
    await untilTime(page, now + 0.99 * seconds);
}

test('a drag pulls, with a force, and when it is let go the body comes back', async () => {
    const page = await start(BLOCK.replace('density: 1000', 'density: 1000, mass_damping: 8'));
    await page.evaluate(() => window.studio?.play(true));
    const end = await onPage(page, [0.19, -0.05, 0]);
    await page.mouse.move(end.x, end.y);
    await page.mouse.down();
    await page.mouse.move(end.x, end.y - 60, { steps: 5 });
    await pass(page, 0.6);
    const [, top] = await extent(page, 2);
    expect(top).toBeGreaterThan(0.08);
    expect(await page.textContent('.force')).toMatch(/^[\d.]+ m?N$/);
    await page.mouse.up();
    await pass(page, 1.5);
    const [, after] = await extent(page, 2);
    expect(after).toBeGreaterThan(0.045);
    expect(after).toBeLessThan(0.06);
    expect(await page.$('.force')).toBeNull();
    expect(studio.complaints).toEqual([]);
}, 90000);

test('a body at rest is pulled, and comes back', async () => {
    const page = await start(BLOCK.replace('duration: 10', 'duration: 1, integrator: static').replace('gravity: [0, 0, 0]', 'gravity: [0, 0, -1]'));
    await page.evaluate(() => window.studio?.play(true));
    await untilTime(page, 1);
    const before = await extent(page, 2);
    const end = await onPage(page, [0.19, -0.05, before[0] + 0.05]);
    await page.mouse.move(end.x, end.y);
    await page.mouse.down();
    await page.mouse.move(end.x, end.y - 40, { steps: 3 });
    await page.waitForFunction(() => Math.hypot(...(window.studio?.pane.figure?.frame?.hands[0]?.force ?? [0])) > 0.01);
    while ((await extent(page, 2))[0] < before[0] + 0.02) {
        await page.waitForTimeout(50);
    }
    expect(await page.textContent('.force')).toMatch(/^[\d.]+ m?N$/);
    await page.mouse.up();
    while (Math.abs((await extent(page, 2))[0] - before[0]) > 1e-4) {
        await page.waitForTimeout(50);
    }
    expect(await page.evaluate(() => window.studio?.pane.number('time'))).toBe(1);
    expect(studio.complaints).toEqual([]);
}, 60000);

test('a pull goes on while the model is built anew', async () => {
    const page = await start(BLOCK);
    await page.evaluate(() => window.studio?.play(true));
    const end = await onPage(page, [0.19, -0.05, 0]);
    await page.mouse.move(end.x, end.y);
    await page.mouse.down();
    await page.mouse.move(end.x, end.y - 60, { steps: 3 });
    await page.waitForFunction(() => window.studio?.pane.figure?.frame?.hands.length === 1);
    const old = await page.evaluateHandle(() => window.studio?.pane.figure);
    await page.fill('[data-control="spacing"]', '20 mm');
    await page.press('[data-control="spacing"]', 'Enter');
    await page.waitForFunction((before) => window.studio?.pane.figure !== before && window.studio?.pane.figure?.frame?.hands.length === 1, old);
    await page.mouse.move(end.x, end.y + 80, { steps: 3 }); // and follows
    await page.waitForFunction(() => (window.studio?.pane.figure?.frame?.hands[0]?.force[2] ?? 0) < -0.01);
    await page.mouse.up();
    await page.waitForFunction(() => window.studio?.pane.figure?.frame?.hands.length === 0);
    expect(studio.complaints).toEqual([]);
}, 60000);

test('a pin stays until it is clicked again', async () => {
    const page = await start(BLOCK.replace('gravity: [0, 0, 0]', 'gravity: [0, 0, -2]'));
    await page.selectOption('#pointer', 'pin');
    const end = await onPage(page, [0.19, -0.05, 0]);
    await page.mouse.click(end.x, end.y);
    await pass(page, 0.6);
    const [held] = await extent(page, 2);
    expect(held).toBeGreaterThan(-0.07);
    await page.mouse.click(end.x, end.y);
    // it swings: the lowest of a while
    let free = held;
    for (let i = 0; i < 8; ++i) {
        await pass(page, 0.1);
        free = Math.min(free, (await extent(page, 2))[0]);
    }
    expect(free).toBeLessThan(held - 0.01);
}, 90000);

test('a ball pushes', async () => {
    const page = await start(BLOCK);
    await page.evaluate(() => window.studio?.play(true));
    await page.selectOption('#pointer', 'ball');
    const end = await onPage(page, [0.17, 0, 0.12]);
    await page.mouse.move(end.x, end.y);
    await page.mouse.down();
    const into = await onPage(page, [0.17, 0, 0.03]);
    await page.mouse.move(into.x, into.y, { steps: 5 });
    await pass(page, 0.4);
    const [bottom] = await extent(page, 2);
    expect(bottom).toBeLessThan(-0.06);
    expect(await page.textContent('.force')).toMatch(/N$/);
    await page.mouse.up();
    await pass(page, 0.1);
    expect(await page.$('.force')).toBeNull();
}, 90000);

test('what is at rest is not pushed, which the choice of pointers says', async () => {
    const page = await start(BLOCK);
    await page.evaluate(() => window.studio?.play(true));
    await page.selectOption('#pointer', 'ball');
    const above = await onPage(page, [0.17, 0, 0.05]);
    await page.mouse.move(above.x, above.y);
    await page.mouse.down();
    await page.waitForSelector('.force');
    // it comes to rest while the ball pushes
    await page.selectOption('[data-control="integrator"]', 'static');
    await page.waitForFunction(() => window.studio?.pane.figure?.opened.atRest === true);
    await page.waitForSelector('.force', { state: 'detached' });
    expect(await page.inputValue('#pointer')).toBe('pull');
    expect(await page.textContent('#pointer [value="ball"]')).toMatch(/at rest/);
    expect(await page.isEnabled('#pointer [value="rod"]')).toBe(false);
    await page.mouse.up();
    await page.selectOption('[data-control="integrator"]', 'auto');
    await page.waitForFunction(() => document.querySelector<HTMLOptionElement>('#pointer [value="rod"]')?.disabled === false);
    expect(studio.complaints).toEqual([]);
}, 60000);

test('a pin that cannot hold on says so', async () => {
    const page = await start(BLOCK);
    await page.selectOption('#pointer', 'pin');
    const at = await onPage(page, [0, -0.05, 0]);
    await page.mouse.click(at.x, at.y);
    expect(await page.evaluate(() => window.studio?.pane.pins.size)).toBe(1);
    // the motion cannot be carried over
    await page.selectOption('[data-control="precision"]', 'single');
    await page.waitForFunction(() => /a hand or a pin had to let go/.test(document.getElementById('messages')?.textContent ?? ''));
    expect(await page.evaluate(() => window.studio?.pane.pins.size)).toBe(0);
}, 60000);

// Sag of the tip under its weight, at rest.
async function sag(page: Page): Promise<number> {
    await pass(page, 2);
    const [bottom] = await extent(page, 2);
    return -0.05 - bottom;
}

test('half of E is twice the deflection', async () => {
    const page = await start(BLOCK.replace('gravity: [0, 0, 0]', 'gravity: [0, 0, -0.5]').replace('density: 1000', 'density: 1000, mass_damping: 8'));
    const soft = await sag(page);
    await page.fill('[data-control="E"]', '50 kPa');
    await page.press('[data-control="E"]', 'Enter');
    await page.waitForFunction(() => window.studio?.pane.scene?.text.includes('young: 50000'));
    const softer = await sag(page);
    expect(soft).toBeGreaterThan(0.001);
    expect(softer / soft).toBeGreaterThan(1.85);
    expect(softer / soft).toBeLessThan(2.1);
    expect(await page.inputValue('#text')).toContain('young: 50000');
}, 120000);

test('two panes are changed apart', async () => {
    const page = await start(BLOCK.replace('gravity: [0, 0, 0]', 'gravity: [0, 0, -2]'));
    await page.click('#compare');
    await page.waitForFunction(() => (window.studio?.panes.length ?? 0) === 2 && (window.studio?.panes[1]?.figure ?? null) !== null);
    await page.fill('[data-control="E"]', '1 MPa');
    await page.press('[data-control="E"]', 'Enter');
    await page.waitForFunction(() => window.studio?.panes[1]?.scene?.text.includes('young: 1000000'));
    await page.evaluate(() => {
        window.studio?.panes.forEach((pane) => pane.simulation.pace(1e6));
        window.studio?.play(true);
    });
    await page.waitForFunction(() => window.studio?.panes.every((p) => p.number('time') > 0.5), undefined, { timeout: 60000 });
    // they swing: the most of it so far
    const elastic = await page.evaluate(() => window.studio?.panes.map((p) => Math.max(...p.history.column('elastic'))) ?? []);
    expect(elastic[0]).toBeGreaterThan(4 * elastic[1]);
    expect(await page.evaluate(() => window.studio?.panes[0]?.scene?.text.includes('young: 1e5'))).toBe(true);
    await page.click('#compare');
    expect(await page.evaluate(() => window.studio?.panes.length)).toBe(1);
}, 90000);

const CUBE = ['v 0 0 0', 'v 1 0 0', 'v 1 1 0', 'v 0 1 0', 'v 0 0 1', 'v 1 0 1', 'v 1 1 1', 'v 0 1 1', 'f 1 4 3 2', 'f 5 6 7 8', 'f 1 2 6 5', 'f 2 3 7 6', 'f 3 4 8 7', 'f 4 1 5 8'].join('\n');

async function choose(page: Page, name: string, content: string): Promise<void> {
    await page.setInputFiles('#file', { name, mimeType: 'text/plain', buffer: Buffer.from(content) });
}

const CORNERS = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]];
const FACES = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
const STL = `solid a\n${FACES.map((f) => `facet normal 0 0 0\nouter loop\n${f.map((i) => `vertex ${CORNERS[i].join(' ')}`).join('\n')}\nendloop\nendfacet`).join('\n')}\nendsolid a\n`;
const PLY = `ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n${[...CORNERS, ...FACES.map((f) => [3, ...f])].map((row) => row.join(' ')).join('\n')}\n`;

test('a mesh is dropped', async () => {
    const page = await start(BLOCK);
    for (const [name, content] of [['first.stl', STL], ['second.ply', PLY]] as const) {
        await page.evaluate(
            ([file, text]) => {
                const dataTransfer = new DataTransfer();
                dataTransfer.items.add(new File([text], file));
                document.getElementById('canvas')?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
            },
            [name, content],
        );
        await page.waitForFunction((title) => window.studio?.pane.figure?.opened.title === title, name.slice(0, -4));
        expect(await page.textContent('#messages')).toBe('');
        expect(await page.evaluate(() => window.studio?.pane.number('nodes') ?? 0)).toBeGreaterThan(50);
    }
    expect(studio.complaints).toEqual([]);
}, 90000);

test('a mesh becomes a scene, a bad one says why', async () => {
    const page = await start(BLOCK);
    await choose(page, 'cube.obj', CUBE);
    await page.waitForFunction(() => window.studio?.pane.figure?.opened.title === 'cube');
    expect(await page.textContent('#messages')).toBe('');
    expect(await page.evaluate(() => window.studio?.pane.number('nodes') ?? 0)).toBeGreaterThan(100);

    await choose(page, 'empty.stl', '');
    await page.waitForFunction(() => document.getElementById('messages')?.textContent?.includes('empty.stl is empty'));
    await choose(page, 'points.obj', 'v 0 0 0\nv 1 0 0\n');
    await page.waitForFunction(() => document.getElementById('messages')?.textContent?.includes('holds no triangles'));
    await choose(page, 'note.txt', 'hello');
    await page.waitForFunction(() => document.getElementById('messages')?.textContent?.includes('note.txt: expected a scene'));
    // what was there goes on
    expect(await page.evaluate(() => window.studio?.pane.figure?.opened.title)).toBe('cube');
}, 90000);

test('a bad scene says where, and what was there goes on', async () => {
    const page = await start(BLOCK);
    await choose(page, 'bad.yaml', BLOCK.replace('young', 'yuong'));
    await page.waitForFunction(() => /line 9:\d+: .*yuong/.test(document.getElementById('messages')?.textContent ?? ''));
    expect(await page.inputValue('#text')).toContain('yuong'); // to be mended
    await choose(page, 'worse.yaml', 'bodies: [1, 2\n');
    await page.waitForFunction(() => /line \d+:\d+: not YAML/.test(document.getElementById('messages')?.textContent ?? ''));
    expect(await page.evaluate(() => window.studio?.pane.scene?.text)).toContain('young: 1e5');
    await pass(page, 0.02);
}, 90000);

test('a scene is taken home and comes back the same', async () => {
    const page = await start(BLOCK);
    await page.click('#home summary');
    const [yaml] = await Promise.all([page.waitForEvent('download'), page.click('[data-take="yaml"]')]);
    expect(yaml.suggestedFilename()).toBe('a_block.yaml');
    const text = readFileSync(await yaml.path(), 'utf8');
    const first = await page.evaluate(() => window.studio?.pane.simulation.run(200));
    const old = await page.evaluateHandle(() => window.studio?.pane.figure);
    await choose(page, 'again.yaml', text);
    await page.waitForFunction((before) => window.studio?.pane.figure !== before && window.studio?.pane.number('time') === 0, old);
    const second = await page.evaluate(() => window.studio?.pane.simulation.run(200));
    expect(second?.hash).toBe(first?.hash);

    await page.click('#home summary');
    await page.click('[data-take="link"]');
    await page.waitForFunction(() => location.hash.startsWith('#scene='));
    const link = page.url();
    await page.goto('about:blank');
    await page.goto(link);
    await page.waitForFunction(() => window.studio?.pane.figure?.opened.title === 'a block', undefined, { timeout: 60000 });
    const third = await page.evaluate(() => window.studio?.pane.simulation.run(200));
    expect(third?.hash).toBe(first?.hash);

    for (const [what, start] of [['glb', 'glTF'], ['png', '\x89PNG'], ['csv', 'time,']] as const) {
        await page.evaluate(() => document.getElementById('home')?.setAttribute('open', ''));
        const [file] = await Promise.all([page.waitForEvent('download'), page.click(`[data-take="${what}"]`)]);
        expect(readFileSync(await file.path(), 'latin1').slice(0, start.length), what).toBe(start);
    }
}, 120000);

test('the testing machine measures what was asked for', async () => {
    const page = await start(BLOCK);
    // in a worker of its own, which is to have one thread
    await page.evaluate(() => {
        const Plain = Worker;
        window.Worker = class extends Plain {
            constructor(...of: ConstructorParameters<typeof Plain>) {
                super(...of);
                this.addEventListener('message', ({ data }) => data.type === 'ready' && (document.body.dataset['most'] = data.most));
                window.Worker = Plain;
            }
        };
    });
    await page.click('[data-tab="read"]');
    await page.click('#measure');
    await page.waitForSelector('#measured table', { timeout: 60000 });
    const rows = await page.$$eval('#measured tr', (list) => list.map((row) => Array.from(row.children, (cell) => cell.textContent ?? '')));
    const young = rows.find(([name]) => name === 'E_x');
    expect(young?.[1]).toBe('100 kPa');
    expect(young?.[2]).toBe('100 kPa');
    expect(await page.getAttribute('body', 'data-most')).toBe('1');
}, 90000);

test('a phone', async () => {
    const page = await start(BLOCK, { width: 390, height: 780, touch: true });
    const sizes = await page.evaluate(() => ({
        wide: document.documentElement.scrollWidth,
        inner: window.innerWidth,
        stage: document.getElementById('stage')?.getBoundingClientRect().height ?? 0,
        play: document.getElementById('play')?.getBoundingClientRect().bottom ?? Infinity,
        height: window.innerHeight,
    }));
    expect(sizes.wide).toBeLessThanOrEqual(sizes.inner);
    expect(sizes.stage).toBeGreaterThan(250);
    expect(sizes.play).toBeLessThanOrEqual(sizes.height);
    const end = await onPage(page, [0, -0.05, 0]);
    await page.touchscreen.tap(end.x, end.y);
    await page.evaluate(() => window.studio?.play(true));
    await pass(page, 0.05);

    // two panes stand one above another, each with its own point under a finger
    await page.click('#compare');
    await page.waitForFunction(() => (window.studio?.panes[1]?.figure?.frame ?? null) !== null && document.getElementById('stage')?.classList.contains('stacked'));
    await laidOut(page);
    const [upper, lower] = await page.evaluate(() => [0, 1].map((pane) => window.studio?.view.onScreen(pane, [0, 0, 0]) ?? { x: NaN, y: NaN }));
    const box = (await page.locator('#canvas').boundingBox()) ?? { x: NaN, y: NaN, width: NaN, height: NaN };
    expect(lower.x).toBeCloseTo(upper.x, 6);
    expect(lower.y - upper.y).toBeCloseTo(0.5 * box.height, 6);
    const picked = await page.evaluate(([x, y]) => window.studio?.view.pick(x, y)?.pane, [box.x + lower.x, box.y + lower.y]);
    expect(picked).toBe(1);
    expect(studio.complaints).toEqual([]);
}, 90000);
