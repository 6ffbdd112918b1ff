// SPDX-License-Identifier: MIT
//
// hash.test.ts: a scene that the worker of a real browser steps ends in the bits of the native library, with one thread and with more.

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { openStudio, stopServing } from './browser';

afterAll(stopServing);

const native = process.env['RSL_BUILD'];
const STEPS = 1000;
const scene = (file: string) => readFileSync(new URL(`../../../scenes/${file}`, import.meta.url), 'utf8');

// The last one is large enough for two threads.
const TEXTS = [scene('beam.yaml'), scene('dropped_rabbit.yaml'), scene('dropped_rabbit.yaml').replace('spacing: 0.015', 'spacing: 0.009')];

async function nativeHashes(): Promise<string[]> {
    const folder = mkdtempSync(join(tmpdir(), 'hash-'));
    const paths = TEXTS.map((_, i) => join(folder, `${i}.yaml`));
    paths.forEach((path, i) => writeFileSync(path, TEXTS[i]));
    const { stdout } = await promisify(execFile)(`${native}/test/scene_hash`, [String(STEPS), ...paths]);
    rmSync(folder, { recursive: true });
    return stdout.trim().split('\n').map((line) => line.split(' ')[1]);
}

test.skipIf(native === undefined)(
    `after ${STEPS} steps in the browser`,
    async () => {
        const expected = await nativeHashes();
        const studio = await openStudio('', { width: 600, height: 400, still: true });
        const { page } = studio;
        await page.waitForFunction(() => (window.studio?.pane.figure ?? null) !== null, undefined, { timeout: 60000 });
        const cores = await page.evaluate(() => navigator.hardwareConcurrency);
        for (const [i, text] of TEXTS.entries()) {
            await page.evaluate(async (t) => {
                window.studio?.play(false);
                await window.studio?.pane.open(t, {});
            }, text);
            for (const threads of i === 2 ? [Math.min(cores, 2), 1] : [1]) {
                await page.evaluate((panes) => window.studio?.pane.share(panes), threads > 1 ? 1 : Infinity);
                await page.waitForFunction((count) => window.studio?.pane.simulation.threads === count, threads);
                await page.evaluate(() => window.studio?.pane.reset());
                expect(await page.evaluate(async (n) => (await window.studio?.pane.simulation.run(n))?.hash, STEPS), `scene ${i}, ${threads} threads`).toBe(expected[i]);
            }
        }
        expect(studio.complaints).toEqual([]);
        await studio.close();
    },
    120000,
);
