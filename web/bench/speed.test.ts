// SPDX-License-Identifier: MIT
//
// speed.test.ts: `make page-speed`: a rabbit of 3000 nodes with contact, in the worker of a browser beside the native library with the same
// width of vectors (SSE2), one thread each, by turns; the best of five.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openStudio, stopServing } from '../test/e2e/browser';

const STEPS = 180;
const TURNS = 5;

test('speed', async () => {
    const scene = new URL('rabbit.yaml', import.meta.url);
    const studio = await openStudio('', { width: 400, height: 300, still: true });
    const { page } = studio;
    await page.waitForFunction(() => (window.studio?.pane.figure ?? null) !== null);
    await page.evaluate(() => window.studio?.pane.share(Infinity)); // one thread
    const yaml = readFileSync(scene, 'utf8');
    let [web, native, simulated] = [Infinity, Infinity, 0];
    const hashes = new Set<string>();
    for (let turn = 0; turn < TURNS; ++turn) {
        const { stdout } = await promisify(execFile)(process.env['RSL_SCENE_HASH'] ?? '', [String(STEPS), scene.pathname]);
        const [, hash, seconds] = stdout.trim().split(' ');
        native = Math.min(native, Number(seconds));
        hashes.add(hash);
        const run = await page.evaluate(
            async ([text, steps]) => {
                window.studio?.play(false);
                await window.studio?.pane.open(text as string, {});
                return window.studio?.pane.simulation.run(steps as number);
            },
            [yaml, STEPS],
        );
        web = Math.min(web, run?.seconds ?? Infinity);
        simulated = run?.simulated ?? 0;
        hashes.add(run?.hash ?? '');
    }
    const nodes = await page.evaluate(() => window.studio?.pane.number('nodes'));
    await studio.close();
    await stopServing();
    console.log(
        [
            `${nodes} nodes, ${simulated.toFixed(2)} s in ${STEPS} implicit steps, one thread, best of ${TURNS}`,
            `browser, SIMD128   ${web.toFixed(3)} s   ${(simulated / web).toFixed(2)} x real time`,
            `native, SSE2       ${native.toFixed(3)} s   ${(simulated / native).toFixed(2)} x real time`,
            `browser over native ${(native / web).toFixed(2)}`,
        ].join('\n'),
    );
    expect(hashes.size).toBe(1);
}, 300000);
