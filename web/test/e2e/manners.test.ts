// SPDX-License-Identifier: MIT
//
// manners.test.ts: keys, fingers, a page that nobody sees, browsers that allow little, and scenes that are too much or none at all.

import type { Page } from 'playwright-core';
import { afterAll, afterEach, expect, test } from 'vitest';
import { BLOCK, laidOut, onPage, openText, share, stopSharing } from './block';
import { type Options, stopServing, type Studio, untilTime } from './browser';

let studio: Studio;

afterEach(({ task }) => (task.result?.state === 'fail' ? stopSharing() : undefined));

afterAll(stopServing);

async function openBlock(options: Options = {}, text = BLOCK): Promise<Page> {
    studio = await openText(text, options);
    return studio.page;
}

const time = (page: Page) => page.evaluate(() => window.studio?.pane.number('time') ?? NaN);
const playing = (page: Page) => page.evaluate(() => window.studio?.playing);
const says = (page: Page, text: string) => page.waitForFunction((t) => document.getElementById('messages')?.textContent?.includes(t), text);

function distance(page: Page): Promise<number> {
    return page.evaluate(() => {
        const { camera, controls } = (window.studio as NonNullable<typeof window.studio>).view;
        return camera.position.distanceTo(controls.target);
    });
}

const middle = (page: Page) => onPage(page, [0, -0.05, 0]);

test('who wants no motion starts it', async () => {
    studio = await share();
    const { page } = studio;
    await page.waitForFunction(() => document.getElementById('hint')?.textContent !== '');
    expect(await page.textContent('#hint')).toMatch(/space bar/);
    expect(await page.textContent('#play')).toBe('Play');
    await page.waitForTimeout(300);
    expect(await time(page)).toBe(0);
    await page.keyboard.press(' ');
    await untilTime(page, 0.01);
}, 90000);

test('keys', async () => {
    const page = await openBlock();
    await page.keyboard.press('?');
    expect(await page.isVisible('#key-list')).toBe(true);
    // keys are the dialog's while it is open
    await page.keyboard.press('g');
    expect(await page.isVisible('#cards')).toBe(false);
    await page.keyboard.press('Escape');
    expect(await page.isVisible('#key-list')).toBe(false);
    await page.keyboard.press('g');
    expect(await page.isVisible('#cards')).toBe(true);
    await page.keyboard.press('Escape');
    expect(await page.isVisible('#cards')).toBe(false);

    await page.focus('#canvas');
    const before = await page.evaluate(() => window.studio?.view.camera.position.toArray() ?? []);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowUp');
    const after = await page.evaluate(() => window.studio?.view.camera.position.toArray() ?? []);
    expect(after[0]).toBeGreaterThan(before[0]);
    expect(after[2]).toBeGreaterThan(before[2]);
    const far = await distance(page);
    await page.keyboard.press('+');
    expect(await distance(page)).toBeLessThan(far);

    // letters work after a click on a button, too, where only space and Enter are the button's
    await page.click('#step');
    await untilTime(page, 1e-9);
    await page.keyboard.press('r');
    await page.waitForFunction(() => window.studio?.pane.number('time') === 0);

    await page.focus('[data-tab="change"]');
    await page.keyboard.press('ArrowRight');
    expect(await page.getAttribute('[data-tab="look"]', 'aria-selected')).toBe('true');
    expect(await page.isVisible('#looks')).toBe(true);

    await page.click('#home summary');
    await page.keyboard.press('Escape');
    expect(await page.isVisible('[data-take="yaml"]')).toBe(false);
    expect(studio.complaints).toEqual([]);
}, 90000);

test('a slider by keys and over decades while it moves', async () => {
    const page = await openBlock();
    await page.evaluate(() => window.studio?.play(true));
    const slider = page.locator('input[type=range]').first();
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => !/young: 1e5/.test(window.studio?.pane.scene?.text ?? ''));
    const box = (await slider.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(box.x + 0.4 * box.width, box.y + 0.5 * box.height);
    await page.mouse.down();
    for (let i = 0; i < 15; ++i) {
        await page.mouse.move(box.x + (0.4 + 0.3 * Math.sin(i)) * box.width, box.y + 0.5 * box.height);
    }
    await page.mouse.move(box.x + 0.3 * box.width, box.y + 0.5 * box.height); // soft, with long steps
    await page.mouse.up();
    await page.waitForFunction(() => window.studio?.pane.busy === false);
    const now = await time(page);
    await untilTime(page, now + 0.01);
    expect(await slider.getAttribute('aria-valuetext')).toBe(await page.inputValue('[data-control="E"]'));

    await page.fill('[data-control="E"]', 'soft');
    await page.press('[data-control="E"]', 'Enter');
    expect(await page.getAttribute('[data-control="E"]', 'class')).toContain('bad');
    await page.fill('[data-control="E"]', '1e12');
    await page.press('[data-control="E"]', 'Enter');
    await page.waitForFunction(() => (window.studio?.pane.number('stableStep') ?? 1) < 1e-5);
    expect(studio.complaints).toEqual([]);
}, 90000);

test('nothing moves while nobody sees the page', async () => {
    const page = await openBlock();
    await page.evaluate(() => window.studio?.play(true));
    await untilTime(page, 0.02);
    const hide = (hidden: boolean) =>
        page.evaluate((h) => {
            Object.defineProperty(document, 'hidden', { value: h, configurable: true });
            document.dispatchEvent(new Event('visibilitychange'));
        }, hidden);
    await hide(true);
    await page.waitForTimeout(300);
    const before = await time(page);
    await page.waitForTimeout(600);
    expect(await time(page)).toBe(before);
    expect(await playing(page)).toBe(true);
    await hide(false);
    await untilTime(page, before + 0.02);
}, 90000);

test('one finger pulls, two zoom', async () => {
    const page = await openBlock({ touch: true });
    const touch = await page.context().newCDPSession(page);
    const at = await middle(page);
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: number[][]) =>
        touch.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x: at.x + x, y: at.y + y, id })) });
    const hands = () => page.evaluate(() => window.studio?.pane.figure?.frame?.hands.length ?? 0);
    const far = await distance(page);
    await page.evaluate(() => window.studio?.play(true));
    await send('touchStart', [-20, 0]);
    await send('touchMove', [-20, -30]);
    await page.waitForFunction(() => window.studio?.pane.figure?.frame?.hands.length === 1);
    expect(await distance(page)).toBeCloseTo(far, 9);
    // the second finger is on the body as well: the pull ends
    await send('touchStart', [-20, -30], [20, 0]);
    for (let i = 1; i <= 5; ++i) {
        await send('touchMove', [-20 - 12 * i, -30], [20 + 12 * i, 0]);
    }
    await page.waitForFunction(() => window.studio?.pane.figure?.frame?.hands.length === 0);
    await page.waitForTimeout(100);
    expect(await distance(page)).toBeLessThan(0.8 * far);
    await send('touchEnd');
    await page.waitForTimeout(100);
    // and one pulls again
    await send('touchStart', [0, 0]);
    await send('touchMove', [0, -20]);
    await page.waitForFunction(() => window.studio?.pane.figure?.frame?.hands.length === 1);
    await send('touchEnd');
    await page.waitForFunction(() => window.studio?.pane.figure?.frame?.hands.length === 0);
    expect(await hands()).toBe(0);
    expect(studio.complaints).toEqual([]);
}, 90000);

test('a pin stays when the material changes, and goes with a reset', async () => {
    const page = await openBlock({}, BLOCK.replace('gravity: [0, 0, 0]', 'gravity: [0, 0, -2]'));
    const pins = () => page.evaluate(() => [window.studio?.pane.pins.size, window.studio?.pane.figure?.frame?.hands.length]);
    await page.selectOption('#pointer', 'pin');
    const at = await middle(page);
    await page.mouse.click(at.x, at.y);
    await page.evaluate(() => window.studio?.play(true));
    await untilTime(page, 0.05);
    expect(await page.textContent('.force.pin')).toMatch(/N$/);
    await page.fill('[data-control="E"]', '50 kPa');
    await page.press('[data-control="E"]', 'Enter');
    await page.waitForFunction(() => window.studio?.pane.scene?.text.includes('young: 50000') && !window.studio.pane.busy);
    const now = await time(page);
    await untilTime(page, now + 0.02);
    expect(await pins()).toEqual([1, 1]);
    await page.click('#reset');
    await page.waitForFunction(() => window.studio?.pane.figure?.frame?.hands.length === 0);
    expect(await pins()).toEqual([0, 0]);
}, 90000);

test('a rod pushes all along', async () => {
    const page = await openBlock();
    await page.evaluate(() => window.studio?.play(true));
    await page.selectOption('#pointer', 'rod');
    const at = await middle(page);
    await page.mouse.move(at.x, at.y - 80);
    await page.mouse.down();
    await page.mouse.move(at.x, at.y - 20, { steps: 6 });
    await page.waitForFunction(() => /[1-9].*N$/.test(document.querySelector('.force')?.textContent ?? ''), undefined, { timeout: 60000 });
    await page.mouse.up();
    await page.waitForFunction(() => document.querySelector('.force') === null);
    expect(studio.complaints).toEqual([]);
}, 90000);

test('springs have the colours of their bodies', async () => {
    studio = await share();
    const { page } = studio;
    await page.evaluate(() => (location.hash = 'gallery=four_blocks.yaml'));
    await page.waitForFunction(() => window.studio?.pane.figure?.opened.bodies.length === 4);
    const [count, first] = await page.evaluate(() => {
        const opened = window.studio?.pane.figure?.opened;
        return [opened?.nodeCount ?? 0, opened?.bodyNodes ?? []] as const;
    });
    expect(first).toEqual([0, 1, 2, 3].map((i) => (i * count) / 4));
}, 90000);

test('what takes too long is given up, and what was there is there', async () => {
    const page = await openBlock();
    await page.evaluate(() => window.studio?.play(true));
    await page.click('[data-tab="scene"]');
    await page.fill('#text', BLOCK.replace('spacing: 0.025', 'spacing: 0.0012'));
    await page.click('#apply');
    await page.waitForSelector('#cancel', { state: 'visible' });
    await page.click('#cancel');
    await page.waitForSelector('#busy', { state: 'hidden' });
    await page.waitForFunction(() => window.studio?.pane.number('nodes') === 17 * 5 * 5);
    expect(await page.inputValue('#text')).toContain('spacing: 0.025');
    expect(await page.textContent('#messages')).toBe('');
    await untilTime(page, 0.02);
}, 90000);

test('scenes of nothing', async () => {
    const page = await openBlock();
    await page.click('[data-tab="scene"]');
    for (const [text, message] of [['', 'empty'], ['# only words\n', 'no scene'], ['bodies: []\n', 'empty list']] as const) {
        await page.fill('#text', text);
        await page.click('#apply');
        await says(page, message);
        expect(await page.evaluate(() => window.studio?.pane.figure?.opened.title)).toBe('a block');
        await page.click('#messages .close');
    }
    // a mesh with a hole
    await page.setInputFiles('#file', { name: 'open.obj', mimeType: 'text/plain', buffer: Buffer.from('v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n') });
    await page.waitForFunction(() => window.studio?.pane.figure?.opened.title === 'open');
    expect(await page.evaluate(() => window.studio?.pane.number('nodes') ?? 0)).toBeGreaterThan(100);
}, 90000);

// As in a frame of another host: every one of these throws.
const NOTHING = `for (const [owner, name] of [[window, 'localStorage'], [Navigator.prototype, 'clipboard'], [Navigator.prototype, 'serviceWorker']]) {
    Object.defineProperty(owner, name, { get() { throw new DOMException('no', 'SecurityError'); }, configurable: true });
}`;

test('a browser that allows little', async () => {
    const page = await openBlock({ init: NOTHING });
    await page.click('#home summary');
    await page.click('[data-take="link"]');
    await page.waitForFunction(() => document.getElementById('hint')?.textContent?.includes('copy it from there'));
    expect(studio.complaints).toEqual([]);
}, 90000);

// The part of the vertices that is within the picture.
const seen = (page: Page) =>
    page.evaluate(() => {
        const { pane, view } = window.studio as NonNullable<typeof window.studio>;
        const { frame, layout, opened } = pane.figure as NonNullable<typeof pane.figure>;
        const box = (document.getElementById('canvas') as HTMLElement).getBoundingClientRect();
        const v = new Float32Array(frame?.buffer ?? new ArrayBuffer(0), 4 * layout.vertices, 3 * opened.vertexCount);
        let within = 0;
        for (let i = 0; i < v.length; i += 3) {
            const { x, y } = view.onScreen(0, [v[i], v[i + 1], v[i + 2]]);
            within += x >= 0 && y >= 0 && x <= box.width && y <= box.height ? 1 : 0;
        }
        return within / opened.vertexCount;
    });

test('the camera follows what swings out of the picture, until somebody takes it', async () => {
    studio = await share({ width: 1000, height: 600 });
    const { page } = studio;
    await page.evaluate(() => (location.hash = 'gallery=joined_bars.yaml'));
    await page.waitForFunction(() => window.studio?.pane.figure?.opened.bodies.length === 3 && window.studio.pane.figure.frame !== null);
    await laidOut(page);
    const near = await distance(page);
    for (let i = 0; i < 10; ++i) {
        await page.evaluate(async () => {
            const { pane } = window.studio as NonNullable<typeof window.studio>;
            await pane.simulation.run(Math.ceil(0.1 / pane.number('step')));
        });
        await page.waitForTimeout(150);
    }
    expect(await seen(page)).toBe(1);
    expect(await distance(page)).toBeGreaterThan(1.01 * near);
    await page.click('#reset');
    expect(await distance(page)).toBeCloseTo(near, 6);
    // now it is somebody's
    await page.focus('#canvas');
    await page.keyboard.press('+');
    const taken = await distance(page);
    await page.evaluate(() => window.studio?.pane.simulation.run(4000));
    await page.waitForTimeout(300);
    expect(await distance(page)).toBeCloseTo(taken, 6);
}, 60000);

test('words lie beside the picture, and are put away', async () => {
    for (const [width, height] of [[1280, 800], [820, 1100], [390, 780]]) {
        studio = await share({ width, height });
        const { page } = studio;
        await page.evaluate(() => (location.hash = 'gallery=core_and_shell.yaml'));
        await page.waitForFunction(() => document.getElementById('hint')?.textContent?.includes('heavy core'));
        const canvas = await page.locator('#canvas').boundingBox();
        const hint = await page.locator('#hint').boundingBox();
        expect((canvas?.y ?? NaN) + (canvas?.height ?? NaN)).toBeLessThanOrEqual(hint?.y ?? NaN);
        expect(await seen(page)).toBe(1);
        await page.click('#hint-close');
        expect(await page.isVisible('#hint')).toBe(false);
        await page.evaluate(() => (location.hash = ''));
        await page.waitForFunction(() => !location.hash.includes('core') && document.getElementById('hint')?.textContent !== '');
    }
}, 60000);

test('plots lie side by side where there is room', async () => {
    studio = await share({ width: 820, height: 1100 });
    const { page } = studio;
    await page.click('[data-tab="read"]');
    await page.waitForSelector('.plot canvas');
    const [first, second] = await page.$$eval('.plot', (figures) => figures.map((figure) => [figure, figure.querySelector('.uplot') ?? figure].map((e) => e.getBoundingClientRect()).map(({ left, right }) => [left, right])));
    expect(second[0][0]).toBeGreaterThan(first[0][0]);
    expect(first[1][1]).toBeLessThanOrEqual(second[0][0]);
}, 60000);

test('panes that get narrower show as much', async () => {
    const page = await openBlock({ width: 1100 });
    const ends = () =>
        page.evaluate(() => {
            const app = window.studio as NonNullable<typeof window.studio>;
            app.view.draw();
            const width = (document.getElementById('canvas') as HTMLElement).clientWidth / (document.getElementById('stage')?.classList.contains('stacked') ? 1 : app.panes.length);
            return [-0.2, 0.2].map((x) => app.view.onScreen(0, [x, 0, 0]).x / width);
        });
    for (const act of [() => page.click('#compare'), () => page.setViewportSize({ width: 700, height: 800 }), () => page.click('#compare')]) {
        await act();
        await page.waitForTimeout(600);
        const [left, right] = await ends();
        expect(left).toBeGreaterThan(0.03);
        expect(right).toBeLessThan(0.97);
        expect(right - left).toBeGreaterThan(0.3);
    }
}, 90000);
