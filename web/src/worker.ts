// SPDX-License-Identifier: MIT
//
// worker.ts: a pane's simulation. It steps while it plays, at the pace that was asked for or as fast as it can, and hands out a frame
// when one is wanted. Nothing here waits for the page, and the page never waits for this.

import { type Core, Failed } from './core';
import { loadCore } from './modules';
import { Pacer } from './pacer';
import { ALONE, type Answer, type Field, frameLayout, type Frame, type Opened, type Request, type SceneFiles } from './protocol';
import type { Problem, TreeNode } from './tree';

let core: Core;
let opened: Opened | null = null;
let playing = false;
let stopped = false; // by a failure, until a reset
let field: Field = 'none';
let wanted: { buffer: ArrayBuffer | null } | null = null;
let changed = true; // since the last frame
const pacer = new Pacer(() => performance.now() / 1000);
const hands = new Map<number, number>(); // the page's numbers and the core's
let tool = false;
let settled = true; // a scene at rest has answered to what hands do

function answer(message: Answer, transfer: Transferable[] = []): void {
    (self as unknown as Worker).postMessage(message, transfer);
}

function problemsOf(error: unknown): Problem[] {
    if (error instanceof Failed) {
        return error.problems;
    }
    const text = error instanceof Error ? error.message : String(error);
    return [{ severity: 'error', line: 0, column: 0, text }];
}

// ---- scenes ---------------------------------------------------------------------------------------------------------

function giveFiles(files: SceneFiles): void {
    const missing = (file: string, line: number): never => {
        throw new Failed(1, [{ severity: 'error', line, column: 0, text: `the scene names the file '${file}': drop it together with the scene` }]);
    };
    for (let mesh = core.meshFile(); mesh !== null; mesh = core.meshFile()) {
        const triangles = files[mesh.file];
        if (triangles === undefined || typeof triangles === 'string') {
            return missing(mesh.file, mesh.line);
        }
        core.giveMesh(triangles);
    }
    for (let file = core.tetrahedraFile(); file !== null; file = core.tetrahedraFile()) {
        const text = files[file];
        if (typeof text !== 'string') {
            return missing(file, 0);
        }
        core.giveTetrahedra(text);
    }
}

function open(id: number, tree: TreeNode[], files: SceneFiles, keep: boolean): void {
    try {
        core.read(tree);
        giveFiles(files);
        const problems = core.build(keep);
        opened = core.opened();
        const dropped = [...hands].filter(([, own]) => opened?.kept !== true || !core.holds(own)).map(([hand]) => hand);
        dropped.forEach((hand) => hands.delete(hand));
        tool &&= opened.kept && !opened.atRest;
        settled = hands.size === 0;
        stopped = false;
        changed = true;
        pacer.restart();
        answer({ type: 'opened', id, opened, problems, dropped });
        void arrange();
    } catch (error) {
        answer({ type: 'opened', id, opened: null, problems: problemsOf(error), dropped: [] });
    }
}

// ---- steps ----------------------------------------------------------------------------------------------------------

function attempt(act: () => void): boolean {
    try {
        act();
        changed = true;
        return true;
    } catch (error) {
        stopped = true;
        changed = true;
        answer({ type: 'stopped', problems: problemsOf(error) });
        return false;
    }
}

const step = (count: number): boolean => attempt(() => core.step(count));

function advance(): void {
    if (!playing || stopped || opened === null) {
        return;
    }
    if (opened.atRest && !settled) {
        attempt(() => (settled = core.settle() || hands.size === 0));
        return;
    }
    if (opened.atRest && core.time > opened.duration - 0.5 * core.stepLength) {
        return;
    }
    pacer.advance(core.stepLength, opened.atRest ? 1 : Infinity, step);
    settled = hands.size === 0;
}

function publish(): void {
    if (wanted === null || opened === null || !changed) {
        return;
    }
    const layout = frameLayout(opened.vertexCount, opened.nodeCount, opened.solids.length);
    const size = 4 * layout.end;
    const buffer = wanted.buffer !== null && wanted.buffer.byteLength === size ? wanted.buffer : new ArrayBuffer(size);
    wanted = null;
    changed = false;
    core.frame(field, new Float32Array(buffer));
    const { numbers, probes } = core.numbers();
    const forces = [...hands].map(([hand, own]) => ({ hand, ...core.force(own) }));
    if (tool) {
        forces.push({ hand: -1, ...core.force(-1) });
    }
    const frame: Frame = { buffer, field, numbers, probes, hands: forces, factor: playing && !stopped ? pacer.factor : NaN, most: pacer.most };
    answer({ type: 'frame', frame }, [buffer]);
}

// Turns of the loop are messages to itself, between which those of the page come in.
const turns = new MessageChannel();
let turning = false;

function turn(): void {
    turning = false;
    advance();
    publish();
    if (playing && !stopped && opened !== null) {
        schedule();
    }
}

function schedule(): void {
    if (!turning) {
        turning = true;
        const wait = pacer.wait();
        if (wait > 1) {
            setTimeout(() => turns.port2.postMessage(null), wait);
        } else {
            turns.port2.postMessage(null);
        }
    }
}

turns.port1.onmessage = turn;

// ---- requests -------------------------------------------------------------------------------------------------------

function run(id: number, steps: number): void {
    const begun = performance.now();
    const from = core.time;
    let problems: Problem[] = [];
    try {
        core.step(steps);
    } catch (error) {
        problems = problemsOf(error);
    }
    changed = true;
    answer({ type: 'ran', id, hash: core.hash, seconds: (performance.now() - begun) / 1000, simulated: core.time - from, problems });
}

function glb(id: number): void {
    try {
        const bytes = core.glb();
        answer({ type: 'glb', id, bytes, problems: [] });
    } catch (error) {
        answer({ type: 'glb', id, bytes: null, problems: problemsOf(error) });
    }
}

function measure(id: number, body: number): void {
    try {
        const list = core.measure(body);
        answer({ type: 'measured', id, list, problems: core.problems() });
    } catch (error) {
        answer({ type: 'measured', id, list: [], problems: problemsOf(error) });
    }
}

function take(request: Request): void {
    switch (request.type) {
        case 'open':
            open(request.id, request.tree, request.files, request.keep);
            break;
        case 'play':
            playing = request.playing;
            pacer.restart();
            changed = true;
            break;
        case 'pace':
            pacer.pace = request.factor;
            pacer.restart();
            break;
        case 'share':
            panes = request.panes;
            void arrange();
            break;
        case 'field':
            field = request.field;
            changed = true;
            break;
        case 'want':
            wanted = { buffer: request.buffer };
            break;
        default:
            if (opened !== null) {
                takeOnStage(request);
            }
    }
}

// What needs a scene.
function takeOnStage(request: Request): void {
    switch (request.type) {
        case 'step':
            if (!stopped) {
                step(1);
            }
            break;
        case 'reset':
            core.reset();
            hands.forEach((own) => core.release(own));
            hands.clear();
            settled = true;
            stopped = false;
            changed = true;
            pacer.restart();
            break;
        case 'grab': {
            const own = core.grab(request.point, request.radius);
            if (own >= 0) {
                hands.set(request.hand, own);
            }
            break;
        }
        case 'pull':
        case 'release': {
            const own = hands.get(request.hand);
            settled = false;
            if (own !== undefined && request.type === 'pull') {
                core.pull(own, request.point);
            } else if (own !== undefined) {
                core.release(own);
                hands.delete(request.hand);
                changed = true;
            }
            break;
        }
        case 'push':
            core.push(...request.ends, request.radius);
            tool = opened?.atRest !== true;
            break;
        case 'putAway':
            core.putAway();
            tool = false;
            changed = true;
            break;
        case 'write':
            answer({ type: 'written', id: request.id, text: core.write() });
            break;
        case 'glb':
            glb(request.id);
            break;
        case 'measure':
            measure(request.id, request.body);
            break;
        case 'run':
            run(request.id, request.steps);
            break;
    }
}

// ---- threads --------------------------------------------------------------------------------------------------------

const PATIENCE = 100; // turns of 10 ms that threads which were given up may take until they can be had again

let most = 1; // threads that there may be
let alone = ''; // why there is one only
let panes = 1;
let threads = 1;
let arranging = false;

// As many threads as are of use, where panes share the cores of the machine. What changes meanwhile is arranged as well.
async function arrange(): Promise<void> {
    if (arranging) {
        return;
    }
    arranging = true;
    const wanted = () => Math.max(1, Math.min(Math.floor(most / panes), opened === null ? 1 : core.mostThreads));
    for (let i = 0; i < PATIENCE && threads !== wanted(); ++i) {
        threads = core.setThreads(threads > 1 ? 1 : wanted());
        if (threads !== wanted()) {
            await new Promise((resolve) => setTimeout(resolve, 10));
        }
    }
    arranging = false;
    const others = Math.floor(most / panes) > 1 ? 'the scene is small' : 'the other pane has the rest';
    const reason = alone || (wanted() > 1 ? 'the browser has not started more' : others);
    answer({ type: 'threads', count: threads, alone: threads > 1 ? '' : reason });
}

async function start(): Promise<void> {
    ({ core, most, alone } = await loadCore(self.name === ALONE));
    answer({ type: 'ready', version: core.version, materials: core.materials(), most });
}

const early: Request[] = [];
let ready = false;
self.onmessage = (event: MessageEvent<Request>) => {
    if (!ready) {
        early.push(event.data);
        return;
    }
    take(event.data);
    schedule();
};
start().then(
    () => {
        ready = true;
        early.forEach(take);
        schedule();
    },
    (error: unknown) => answer({ type: 'broken', text: String(error) }),
);
