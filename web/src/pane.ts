// SPDX-License-Identifier: MIT
//
// pane.ts: a scene of its own: its text, its simulation, what is drawn of it and what was read off.

import { Figure, type Look } from './figure';
import { History } from './history';
import type { Frame, SceneFiles, Vector } from './protocol';
import { SceneText } from './sceneText';
import { Simulation } from './simulation';
import { BadText, type Problem, readTree } from './tree';

export class Pane {
    readonly simulation = new Simulation();
    scene: SceneText | null = null;
    files: SceneFiles = {};
    figure: Figure | null = null;
    history = new History([]);
    problems: Problem[] = [];
    onFigure: () => void = () => {};
    onFrame: () => void = () => {};
    onProblems: () => void = () => {};
    private opening: Promise<void> = Promise.resolve();
    private waiting: { keep: boolean } | null = null;
    private legendTop = 0;

    constructor(
        private look: Look,
        private dark: boolean,
    ) {
        this.simulation.onFrame = (frame) => this.take(frame);
        this.simulation.onStopped = (problems) => this.say(problems);
    }

    close(): void {
        this.simulation.close();
        this.figure?.dispose();
    }

    say(problems: Problem[]): void {
        this.problems = problems;
        this.onProblems();
    }

    // Show a text from its start. False: it has errors, and what was there goes on.
    async open(text: string, files: SceneFiles): Promise<boolean> {
        try {
            readTree(text);
        } catch (error) {
            this.say([problemOf(error)]);
            return false;
        }
        const before = { scene: this.scene, files: this.files };
        this.scene = new SceneText(text);
        this.files = files;
        const opened = await this.build(text, false);
        if (!opened) {
            Object.assign(this, before);
        }
        return opened;
    }

    // Build the text as it is now, with the motion so far. Calls while one is on its way are taken together.
    rebuild(keep = true): Promise<void> {
        const busy = this.waiting !== null;
        this.waiting = { keep: keep && (this.waiting?.keep ?? true) };
        if (!busy) {
            this.opening = this.opening.then(async () => {
                const waiting = this.waiting;
                this.waiting = null;
                if (waiting !== null && this.scene !== null) {
                    await this.build(this.scene.text, waiting.keep);
                }
            });
        }
        return this.opening;
    }

    private async build(text: string, keep: boolean): Promise<boolean> {
        let tree;
        try {
            tree = readTree(text);
        } catch (error) {
            this.say([problemOf(error)]);
            return false;
        }
        const { opened, problems } = await this.simulation.open(tree, this.files, keep);
        this.say(problems);
        if (opened === null) {
            return false;
        }
        const same = this.figure !== null && this.figure.opened.vertexCount === opened.vertexCount && this.figure.opened.nodeCount === opened.nodeCount;
        this.figure?.dispose();
        this.figure = new Figure(opened, this.dark);
        this.figure.show(this.look);
        const columns = [...opened.numbers, ...opened.probes];
        if (!keep || !opened.kept || !same || this.history.columns.join() !== columns.join()) {
            this.history = new History(columns);
        }
        this.legendTop = 0;
        this.onFigure();
        this.simulation.want();
        return true;
    }

    setDark(dark: boolean): void {
        this.dark = dark;
        if (this.figure !== null) {
            const { frame, opened } = this.figure;
            this.figure.dispose();
            this.figure = new Figure(opened, dark);
            this.figure.show(this.look);
            if (frame !== null) {
                this.figure.take(frame);
                this.fitRange(frame);
            }
            this.onFigure();
        }
    }

    setLook(look: Look): void {
        if (look.field !== this.look.field) {
            this.legendTop = 0;
        }
        this.look = { ...look };
        this.figure?.show(look);
        this.simulation.look(look.field);
        this.simulation.want();
    }

    reset(): void {
        this.legendTop = 0;
        this.history.clear();
        this.say([]);
        this.simulation.reset();
        this.simulation.want();
    }

    number(name: string): number {
        const index = this.figure?.opened.numbers.indexOf(name) ?? -1;
        return this.figure?.frame?.numbers[index] ?? NaN;
    }

    // The legend grows at once and shrinks slowly, so that it can be read.
    private fitRange(frame: Frame): void {
        const names = this.figure?.opened.numbers ?? [];
        const high = frame.numbers[names.indexOf('fieldHigh')];
        if (Number.isFinite(high)) {
            this.legendTop = Math.max(high, 0.995 * this.legendTop);
        }
        this.figure?.setRange(0, this.legendTop);
    }

    private take(frame: Frame): void {
        const { figure } = this;
        if (figure === null || frame.buffer.byteLength !== 4 * figure.layout.end) {
            return; // of a scene that was there before
        }
        const before = figure.take(frame);
        if (before !== null) {
            this.simulation.giveBack(before.buffer);
        }
        this.fitRange(frame);
        this.history.add(Float64Array.from([...frame.numbers, ...frame.probes]));
        this.onFrame();
    }

    // Nodes within this radius go with a hand.
    get gripRadius(): number {
        return 0.05 * (this.figure?.size ?? 1);
    }

    grab(hand: number, point: Vector): void {
        this.simulation.grab(hand, point, this.gripRadius);
    }
}

export function problemOf(error: unknown): Problem {
    if (error instanceof BadText) {
        return error.problem;
    }
    return { severity: 'error', line: 0, column: 0, text: error instanceof Error ? error.message : String(error) };
}
