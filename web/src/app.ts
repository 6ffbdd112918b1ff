// SPDX-License-Identifier: MIT
//
// app.ts: the page: panes, and the buttons around them.

import type { Look } from './figure';
import { type Exhibit, exhibitOf, EXHIBITS, exhibitText, fillGallery } from './gallery';
import { readFiles } from './dropped';
import { fetchScene } from './fetchScene';
import { wireHome } from './home';
import { fillKeys, type Key, viewKeys, wireKeys } from './keys';
import { fillLooks, showLooks } from './looks';
import { Pane, problemOf } from './pane';
import { element, Panel } from './panel';
import { Plots } from './plots';
import { Pointer, type PointerMode, POINTERS } from './pointer';
import type { SceneFiles, Vector } from './protocol';
import { byId, showClock, showFacts, showForces, showLegend, showMeasured, showProblems } from './readout';
import { makeSettings } from './settings';
import { Simulation } from './simulation';
import { unpackText } from './takeHome';
import { Tabs } from './tabs';
import { readTree } from './tree';
import { View } from './view';

const PACES: readonly [string, number][] = [
    ['real time', 1],
    ['1/2', 0.5],
    ['1/5', 0.2],
    ['1/20', 0.05],
    ['1/100', 0.01],
    ['2 ×', 2],
    ['as fast as it can', 1e6],
];

const POINTER_LABELS: Record<PointerMode, string> = { pull: 'pull', pin: 'pin, unpin', ball: 'push with a ball', rod: 'push with a rod', turn: 'turn the view' };

const darkQuery = matchMedia('(prefers-color-scheme: dark)');
const stillQuery = matchMedia('(prefers-reduced-motion: reduce)');

export class App {
    readonly panes: Pane[] = [];
    readonly view = new View(byId<HTMLCanvasElement>('canvas'), stillQuery.matches);
    playing = false;
    private active = 0;
    private readonly look: Look = { surface: true, springs: false, nodes: false, rest: false, field: 'none' };
    private readonly plots = new Plots(byId('plots'));
    private readonly pointer = new Pointer(byId<HTMLCanvasElement>('canvas'), this.view, () => this.panes);
    private readonly tabs = new Tabs((name) => name === 'read' && this.plots.restart(this.pane.figure?.opened.probes ?? []));
    private panel: Panel | null = null;
    private busyTimer = 0;
    private draft: SceneFiles = {}; // of a text that could not be built
    private pace = 1;
    private shared = 1; // panes that threads were shared out to
    private readAt = 0;

    async start(): Promise<void> {
        this.background();
        this.panes.push(this.makePane());
        const { materials } = await this.pane.simulation.ready;
        this.panel = new Panel(byId('settings'), makeSettings(materials), (final) => this.changed(final));
        this.wire();
        this.showAll();
        requestAnimationFrame(() => this.turn());
        await this.openFromAddress();
    }

    get pane(): Pane {
        return this.panes[this.active] ?? this.panes[0];
    }

    // ---- panes

    private makePane(): Pane {
        const pane = new Pane(this.look, darkQuery.matches);
        pane.onFigure = () => this.showAll();
        pane.onFrame = () => {
            this.shareRange();
            this.view.touch();
        };
        pane.onBusy = () => this.showBusy();
        pane.onStopped = () => this.panes.every((p) => p.stopped) && this.play(false);
        pane.onProblems = () => showProblems(pane.problems, (line) => this.goToLine(line));
        pane.simulation.look(this.look.field);
        return pane;
    }

    private showAll(): void {
        this.view.show(this.panes.map((p) => p.figure));
        const names = byId('panes');
        const count = this.panes.length > 1 ? this.panes.length : 0;
        if (names.childElementCount !== count) {
            names.replaceChildren(
                ...this.panes.slice(0, count).map((_, i) => {
                    const name = element('button', { type: 'button', textContent: i === 0 ? 'A' : 'B', ariaLabel: `change ${i === 0 ? 'A' : 'B'}` });
                    name.addEventListener('click', () => this.activate(i));
                    return name;
                }),
            );
        }
        [...names.children].forEach((name, i) => name.setAttribute('aria-pressed', String(i === this.active)));
        byId('stage').classList.toggle('two', count > 1);
        this.showPointers();
        if (this.shared !== this.panes.length) {
            this.shared = this.panes.length;
            this.panes.forEach((p) => p.share(this.shared));
        }
    }

    // Balls and rods push what moves, and nothing that goes from one rest to the next.
    private showPointers(): void {
        const atRest = this.pane.figure?.opened.atRest === true;
        const pointer = byId<HTMLSelectElement>('pointer');
        for (const option of pointer.options) {
            const label = POINTER_LABELS[option.value as PointerMode];
            option.disabled = atRest && (option.value === 'ball' || option.value === 'rod');
            option.textContent = option.disabled ? `${label}: only what moves, this is at rest` : label;
        }
        this.pointer.putAway();
        if (pointer.selectedOptions[0]?.disabled === true) {
            pointer.value = this.pointer.mode = 'pull';
        }
    }

    // Colours mean the same in all panes.
    private shareRange(): void {
        const top = Math.max(...this.panes.map((p) => p.legendTop));
        this.panes.forEach((p) => p.showRange(top));
    }

    private activate(index: number): void {
        if (index !== this.active || this.panes.length === 1) {
            this.active = index;
            this.showScene();
            this.plots.restart(this.pane.figure?.opened.probes ?? []);
        }
        this.showAll();
    }

    private showScene(anew = false): void {
        const { scene } = this.pane;
        if (scene !== null) {
            this.panel?.show(scene, anew);
            byId<HTMLTextAreaElement>('text').value = scene.text;
            this.draft = {};
            const title = this.pane.figure?.opened.title ?? '';
            byId('title').textContent = title;
            document.title = title === '' ? 'resilin studio' : `${title} – resilin studio`;
        }
    }

    private async compare(): Promise<void> {
        const button = byId('compare');
        if (this.panes.length > 1) {
            this.panes.pop()?.close();
            this.active = 0;
        } else if (this.pane.scene !== null) {
            const pane = this.makePane();
            this.panes.push(pane);
            await pane.simulation.ready;
            pane.setPace(this.pace);
            await pane.open(this.pane.scene.text, this.pane.files);
            this.pane.reset();
            this.active = 1;
        }
        button.setAttribute('aria-pressed', String(this.panes.length > 1));
        this.activate(this.active);
        this.showScene();
        this.play(this.playing);
    }

    // ---- scenes

    // Show a scene from its start; the camera looks from a direction.
    async open(text: string, files: SceneFiles, direction: Vector = [0.8, -1, 0.5]): Promise<boolean> {
        while (this.panes.length > 1) {
            this.panes.pop()?.close();
        }
        this.active = 0;
        byId('compare').setAttribute('aria-pressed', 'false');
        const opened = await this.pane.open(text, files);
        if (opened && this.pane.figure !== null) {
            this.showAll();
            this.view.frame(this.pane.figure, direction);
            this.hint('');
            this.plots.restart(this.pane.figure.opened.probes);
            byId('measured').replaceChildren();
            this.showScene(true);
            this.play(!stillQuery.matches);
        } else {
            // to be mended
            byId<HTMLTextAreaElement>('text').value = text;
            this.draft = files;
        }
        return opened;
    }

    async openExhibit(exhibit: Exhibit): Promise<void> {
        this.look.field = exhibit.field;
        this.setLook();
        try {
            await this.open(await exhibitText(exhibit.file), {}, exhibit.view);
            this.hint(exhibit.look);
            history.replaceState(null, '', `#gallery=${exhibit.file}`);
        } catch (error) {
            this.pane.say([problemOf(error)]);
        }
    }

    // #gallery=FILE, #scene=PACKED, #open=ADDRESS; else the first of the gallery.
    private async openFromAddress(): Promise<void> {
        const [kind, value] = location.hash.slice(1).split(/=(.*)/s);
        try {
            if (kind === 'scene' && value !== undefined) {
                await this.open(await unpackText(value), {});
                return;
            }
            if (kind === 'open' && value !== undefined) {
                const { text, files } = await fetchScene(value);
                await this.open(text, files);
                return;
            }
        } catch (error) {
            this.pane.say([problemOf(error)]);
        }
        const exhibit = kind === 'gallery' ? exhibitOf(value ?? '') : undefined;
        await this.openExhibit(exhibit ?? EXHIBITS[0]);
    }

    async openFiles(list: readonly File[]): Promise<void> {
        if (list.length === 0) {
            return; // a text was dropped
        }
        try {
            const { text, files } = await readFiles(list);
            await this.open(text, files);
        } catch (error) {
            this.pane.say([problemOf(error)]);
        }
    }

    private changed(final: boolean): void {
        void this.pane.rebuild().then(() => {
            byId<HTMLTextAreaElement>('text').value = this.pane.scene?.text ?? '';
            if (final) {
                this.plots.restart(this.pane.figure?.opened.probes ?? []);
            }
        });
    }

    private async applyText(): Promise<void> {
        const text = byId<HTMLTextAreaElement>('text').value;
        if (await this.pane.open(text, { ...this.pane.files, ...this.draft })) {
            this.plots.restart(this.pane.figure?.opened.probes ?? []);
            this.showScene();
        }
    }

    private goToLine(line: number): void {
        if (line > 0) {
            this.tabs.show('scene');
            const area = byId<HTMLTextAreaElement>('text');
            const lines = area.value.split('\n');
            const start = lines.slice(0, line - 1).reduce((sum, l) => sum + l.length + 1, 0);
            area.focus();
            area.setSelectionRange(start, start + (lines[line - 1] ?? '').length);
        }
    }

    // What takes long says so, and can be given up.
    private showBusy(): void {
        const busy = this.panes.some((p) => p.busy);
        clearTimeout(this.busyTimer);
        if (busy) {
            this.busyTimer = window.setTimeout(() => (byId('busy').hidden = false), 400);
        } else {
            byId('busy').hidden = true;
        }
    }

    private async cancel(): Promise<void> {
        await Promise.all(this.panes.filter((p) => p.busy).map((p) => p.cancel()));
        this.showScene();
    }

    // Beside the bodies. Who wants no motion is told how to start it.
    private hint(text: string): void {
        byId('hint').textContent = `${text}${stillQuery.matches ? ' Play, or the space bar, starts it.' : ''}`.trim();
    }

    // ---- motion

    play(playing: boolean): void {
        this.playing = playing;
        byId('play').textContent = playing ? 'Pause' : 'Play';
        this.panes.forEach((p) => p.play(playing && !document.hidden));
    }

    reset(): void {
        this.panes.forEach((p) => p.reset());
        this.view.restart();
    }

    fit(): void {
        if (this.pane.figure !== null) {
            this.view.fit(this.pane.figure);
        }
    }

    step(): void {
        this.play(false);
        this.panes.forEach((p) => {
            p.simulation.step();
            p.simulation.want();
        });
    }

    private turn(): void {
        this.panes.forEach((p) => p.simulation.want());
        this.view.draw();
        const now = performance.now();
        if (now - this.readAt > 150) {
            this.readAt = now;
            showClock(this.pane);
            if (byId('facts').offsetParent !== null) {
                showFacts(this.pane);
                this.plots.update(this.pane.history);
            }
            showLegend(this.pane, this.look.field);
        }
        requestAnimationFrame(() => this.turn());
    }

    private setLook(): void {
        this.panes.forEach((p) => p.setLook(this.look));
        showLooks(this.look);
        showLegend(this.pane, this.look.field);
        this.view.touch();
    }

    // ---- the testing machine

    private async measure(): Promise<void> {
        const button = byId<HTMLButtonElement>('measure');
        button.disabled = true;
        byId('measured').textContent = 'measuring…';
        // in a worker of its own: the simulation goes on, with the other threads
        const machine = new Simulation(true);
        try {
            await machine.ready;
            const { opened, problems } = await machine.open(readTree(this.pane.scene?.text ?? ''), this.pane.files, false);
            const body = this.panel?.chosen ?? 0;
            const result = opened === null ? { list: [], problems } : await machine.measure(body);
            showMeasured(result.list, (opened?.bodies.length ?? 0) > 1 ? (opened?.bodies[body] ?? '') : '');
            if (result.list.length === 0) {
                byId('measured').textContent = result.problems[0]?.text ?? 'nothing could be measured';
            }
        } finally {
            machine.close();
            button.disabled = false;
        }
    }

    // ---- the page

    private background(): void {
        this.view.background(getComputedStyle(document.documentElement).getPropertyValue('--backdrop').trim());
    }

    private wire(): void {
        const gallery = byId<HTMLDialogElement>('gallery');
        fillGallery(byId('cards'), (exhibit) => {
            gallery.close();
            void this.openExhibit(exhibit);
        });
        fillLooks(this.look, () => this.setLook());
        this.setLook();
        byId('open-gallery').addEventListener('click', () => gallery.showModal());
        byId('open-keys').addEventListener('click', () => byId<HTMLDialogElement>('keys').showModal());
        for (const dialog of document.querySelectorAll('dialog')) {
            dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
        }
        const file = byId<HTMLInputElement>('file');
        byId('open-file').addEventListener('click', () => file.click());
        file.addEventListener('change', () => {
            void this.openFiles([...(file.files ?? [])]);
            file.value = '';
        });
        window.addEventListener('dragover', (event) => event.preventDefault());
        window.addEventListener('drop', (event) => {
            event.preventDefault();
            void this.openFiles([...(event.dataTransfer?.files ?? [])]);
        });
        byId('compare').addEventListener('click', () => void this.compare());
        byId('play').addEventListener('click', () => this.play(!this.playing));
        byId('step').addEventListener('click', () => this.step());
        byId('reset').addEventListener('click', () => this.reset());
        byId('fit').addEventListener('click', () => this.fit());
        byId('cancel').addEventListener('click', () => void this.cancel());
        byId('apply').addEventListener('click', () => void this.applyText());
        byId('measure').addEventListener('click', () => void this.measure());
        byId('hint-close').addEventListener('click', () => (byId('hint').textContent = ''));
        wireHome(() => this.pane, this.view);
        this.pointer.onPick = (pane) => this.activate(this.panes.indexOf(pane));
        this.view.onDraw = () => showForces(this.panes, this.view);
        this.wireChoices();
        this.wireKeys();
        this.wireTab();
        darkQuery.addEventListener('change', () => {
            this.background();
            this.panes.forEach((p) => p.setDark(darkQuery.matches));
            this.plots.remake();
        });
        window.addEventListener('hashchange', () => void this.openFromAddress());
    }

    private wireChoices(): void {
        const pace = byId<HTMLSelectElement>('pace');
        pace.append(...PACES.map(([label, factor]) => element('option', { value: String(factor), textContent: label })));
        pace.addEventListener('change', () => {
            this.pace = Number(pace.value);
            this.panes.forEach((p) => p.setPace(this.pace));
        });
        const pointer = byId<HTMLSelectElement>('pointer');
        pointer.append(...POINTERS.map((mode) => element('option', { value: mode, textContent: POINTER_LABELS[mode] })));
        pointer.addEventListener('change', () => {
            this.pointer.mode = pointer.value as PointerMode;
        });
    }

    // Pause and Play go on meaning what they say while nobody sees the page: it stands still then.
    private wireTab(): void {
        document.addEventListener('visibilitychange', () => this.play(this.playing));
    }

    private wireKeys(): void {
        const keys: Key[] = [
            { keys: [' '], shown: 'space', label: 'play, pause', act: () => this.play(!this.playing) },
            { keys: ['.'], shown: '.', label: 'one step', act: () => this.step() },
            { keys: ['r'], shown: 'r', label: 'reset', act: () => this.reset() },
            { keys: ['f'], shown: 'f', label: 'fit the bodies into the picture', act: () => this.fit() },
            { keys: ['c'], shown: 'c', label: 'compare', act: () => void this.compare() },
            { keys: ['g'], shown: 'g', label: 'gallery', act: () => byId<HTMLDialogElement>('gallery').showModal() },
            { keys: ['?'], shown: '?', label: 'these keys', act: () => byId<HTMLDialogElement>('keys').showModal() },
        ];
        const inPicture = viewKeys((right, up, by) => this.view.turn(right, up, by));
        wireKeys(keys, inPicture);
        const build: Key = { keys: [], shown: 'Ctrl Enter', label: 'build the scene, in its text', act: () => void this.applyText() };
        fillKeys([...keys, ...inPicture, build]);
        byId('text').addEventListener('keydown', (event) => {
            if (event.key === 'Enter' && event.ctrlKey) {
                build.act();
            }
        });
    }
}
