// SPDX-License-Identifier: MIT
//
// simulation.ts: the page's side of a pane's worker.

import { ALONE, type Answer, type Field, type Frame, type Material, type Measured, type Opened, type Request, type SceneFiles, type Vector } from './protocol';
import type { Problem, TreeNode } from './tree';

export interface OpenResult {
    opened: Opened | null;
    problems: Problem[];
    dropped: number[]; // hands
}

export interface RunResult {
    hash: string;
    seconds: number;
    simulated: number;
    problems: Problem[];
}

interface Waiting {
    resolve: (answer: Answer) => void;
    reject: (reason: Error) => void;
}

export class Simulation {
    readonly ready: Promise<{ version: string; materials: Material[] }>;
    onStopped: (problems: Problem[]) => void = () => {};
    onFrame: (frame: Frame) => void = () => {};
    threads = 1;
    alone = ''; // why there is one thread only
    private readonly worker: Worker;
    private readonly waiting = new Map<number, Waiting>();
    private next = 1;
    private spare: ArrayBuffer | null = null;
    private asked = false;

    // alone: with one thread, whatever there is.
    constructor(alone = false) {
        this.worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: alone ? ALONE : 'pane' });
        let resolve: (value: { version: string; materials: Material[] }) => void;
        let reject: (reason: Error) => void;
        this.ready = new Promise((good, bad) => {
            resolve = good;
            reject = bad;
        });
        this.worker.onmessage = (event: MessageEvent<Answer>) => {
            const message = event.data;
            if (message.type === 'ready') {
                resolve(message);
            } else if (message.type === 'broken') {
                reject(new Error(message.text));
            } else {
                this.take(message);
            }
        };
        this.worker.onerror = (event) => reject(new Error(event.message || 'the worker could not be started'));
    }

    private take(message: Answer): void {
        if (message.type === 'frame') {
            this.asked = false;
            this.onFrame(message.frame);
        } else if (message.type === 'threads') {
            this.threads = message.count;
            this.alone = message.alone;
        } else if (message.type === 'stopped') {
            this.onStopped(message.problems);
        } else if ('id' in message) {
            this.waiting.get(message.id)?.resolve(message);
            this.waiting.delete(message.id);
        }
    }

    private send(request: Request, transfer: Transferable[] = []): void {
        this.worker.postMessage(request, transfer);
    }

    private ask<T extends Answer['type']>(request: (id: number) => Request): Promise<Extract<Answer, { type: T }>> {
        const id = this.next++;
        return new Promise((resolve, reject) => {
            this.waiting.set(id, { resolve: (answer) => resolve(answer as Extract<Answer, { type: T }>), reject });
            this.send(request(id));
        });
    }

    // Whatever it is busy with. What is still waited for fails.
    close(): void {
        this.worker.terminate();
        this.waiting.forEach(({ reject }) => reject(new Error('it was given up')));
        this.waiting.clear();
    }

    open(tree: TreeNode[], files: SceneFiles, keep: boolean): Promise<OpenResult> {
        return this.ask<'opened'>((id) => ({ type: 'open', id, tree, files, keep }));
    }

    // Ask for the next frame, once; the buffer of one that is not drawn any more may be given back.
    want(): void {
        if (!this.asked) {
            this.asked = true;
            const buffer = this.spare;
            this.spare = null;
            this.send({ type: 'want', buffer }, buffer === null ? [] : [buffer]);
        }
    }

    giveBack(buffer: ArrayBuffer): void {
        this.spare = buffer;
    }

    play(playing: boolean): void {
        this.send({ type: 'play', playing });
    }

    pace(factor: number): void {
        this.send({ type: 'pace', factor });
    }

    // Threads for one of so many panes.
    share(panes: number): void {
        this.send({ type: 'share', panes });
    }

    step(): void {
        this.send({ type: 'step' });
    }

    reset(): void {
        this.send({ type: 'reset' });
    }

    look(field: Field): void {
        this.send({ type: 'field', field });
    }

    grab(hand: number, point: Vector, radius: number): void {
        this.send({ type: 'grab', hand, point, radius });
    }

    pull(hand: number, point: Vector): void {
        this.send({ type: 'pull', hand, point });
    }

    release(hand: number): void {
        this.send({ type: 'release', hand });
    }

    push(a: Vector, b: Vector, radius: number): void {
        this.send({ type: 'push', ends: [a, b], radius });
    }

    putAway(): void {
        this.send({ type: 'putAway' });
    }

    async write(): Promise<string> {
        return (await this.ask<'written'>((id) => ({ type: 'write', id }))).text;
    }

    glb(): Promise<{ bytes: Uint8Array | null; problems: Problem[] }> {
        return this.ask<'glb'>((id) => ({ type: 'glb', id }));
    }

    measure(body: number): Promise<{ list: Measured[]; problems: Problem[] }> {
        return this.ask<'measured'>((id) => ({ type: 'measure', id, body }));
    }

    run(steps: number): Promise<RunResult> {
        return this.ask<'ran'>((id) => ({ type: 'run', id, steps }));
    }
}
