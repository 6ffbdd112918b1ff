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
    simulation = this.makeSimulation();
    scene: SceneText | null = null;
    files: SceneFiles = {};
    figure: Figure | null = null;
    history = new History([]);
    problems: Problem[] = [];
    onFigure: () => void = () => {};
    onFrame: () => void = () => {};
    onProblems: () => void = () => {};
    onBusy: () => void = () => {};
    onStopped: () => void = () => {};
    stopped = false; // by a failure, until a reset
    readonly pins = new Map<number, Vector>(); // points that hands hold
    private built: { text: string; files: SceneFiles } | null = null; // that is shown
    private playing = false;
    private pace = 1;
    private panes = 1;
    private building = 0;
    private opening: Promise<void> = Promise.resolve();
    private waiting = false; // for the build on its way, to build once more
    legendTop = 0;

    constructor(
        private look: Look,
        private dark: boolean,
    ) {}

    private makeSimulation(): Simulation {
        const simulation = new Simulation();
        simulation.onFrame = (frame) => this.take(frame);
        simulation.onStopped = (problems) => {
            this.stopped = true;
            this.say(problems);
            this.onStopped();
        };
        return simulation;
    }

    get busy(): boolean {
        return this.building > 0;
    }

    // Give up what is being built, and show again what was there before.
    async cancel(): Promise<void> {
        this.simulation.close();
        this.simulation = this.makeSimulation();
        this.waiting = false;
        this.simulation.look(this.look.field);
        this.setPace(this.pace);
        this.share(this.panes);
        this.play(this.playing);
        const { built } = this;
        if (built !== null) {
            this.scene = new SceneText(built.text);
            this.files = built.files;
            await this.build(built.text, false);
        }
    }

    play(playing: boolean): void {
        this.playing = playing;
        if (playing && this.stopped) {
            this.reset();
        }
        this.simulation.play(playing);
    }

    setPace(pace: number): void {
        this.pace = pace;
        this.simulation.pace(pace);
    }

    // It is one of so many.
    share(panes: number): void {
        this.panes = panes;
        this.simulation.share(panes);
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
    rebuild(): Promise<void> {
        if (!this.waiting) {
            this.waiting = true;
            this.opening = this.opening.then(async () => {
                const { waiting, scene } = this;
                this.waiting = false;
                if (waiting && scene !== null) {
                    await this.build(scene.text, true);
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
        this.building += 1;
        this.onBusy();
        const { files } = this;
        const { opened, problems, dropped } = await this.simulation.open(tree, files, keep).catch((error: unknown) => ({ opened: null, problems: [problemOf(error)], dropped: [] }));
        this.building -= 1;
        this.onBusy();
        this.say(keep && dropped.length > 0 ? [...problems, letGo(dropped.length)] : problems);
        if (opened === null) {
            return false;
        }
        this.built = { text, files };
        this.stopped = false;
        const same = this.figure !== null && this.figure.opened.vertexCount === opened.vertexCount && this.figure.opened.nodeCount === opened.nodeCount;
        const before = this.figure;
        before?.dispose();
        this.figure = new Figure(opened, this.dark);
        this.figure.show(this.look);
        // until there is a frame of the new one
        if (opened.kept && same && before?.frame?.buffer.byteLength === 4 * this.figure.layout.end) {
            this.figure.take(before.frame);
        }
        const columns = [...opened.numbers, ...opened.probes];
        if (!opened.kept || !same || this.history.columns.join() !== columns.join()) {
            this.history = new History(columns);
        }
        this.legendTop = opened.kept ? this.legendTop : 0;
        this.showRange(this.legendTop);
        dropped.forEach((hand) => this.pins.delete(hand));
        this.figure.showPins(this.pins);
        this.onFigure();
        this.simulation.want();
        return true;
    }

    pin(hand: number, point: Vector): void {
        this.pins.set(hand, point);
        this.figure?.showPins(this.pins);
        this.grab(hand, point);
    }

    unpin(hand: number): void {
        this.pins.delete(hand);
        this.figure?.showPins(this.pins);
        this.simulation.release(hand);
    }

    setDark(dark: boolean): void {
        this.dark = dark;
        if (this.figure !== null) {
            const { frame, opened } = this.figure;
            this.figure.dispose();
            this.figure = new Figure(opened, dark);
            this.figure.show(this.look);
            this.figure.showPins(this.pins);
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
        this.stopped = false;
        this.pins.clear();
        this.figure?.showPins(this.pins);
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
        if (frame.field === this.look.field && Number.isFinite(high)) {
            this.legendTop = Math.max(high, 0.98 * this.legendTop);
        }
        this.showRange(this.legendTop);
    }

    showRange(top: number): void {
        this.figure?.setRange(0, top);
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

function letGo(count: number): Problem {
    const what = count === 1 ? 'a hand or a pin' : `${count} hands and pins`;
    return { severity: 'warning', line: 0, column: 0, text: `${what} had to let go: what was held could not be found again in the body as it is now` };
}

export function problemOf(error: unknown): Problem {
    if (error instanceof BadText) {
        return error.problem;
    }
    return { severity: 'error', line: 0, column: 0, text: error instanceof Error ? error.message : String(error) };
}
