// SPDX-License-Identifier: MIT
//
// panel.ts: the controls of settings.ts.

import type { SceneText } from './sceneText';
import type { ChoiceSetting, NumberSetting, Setting } from './settings';
import { digits, fromSlider, parseNumber, toSlider, withUnit } from './units';

function element<K extends keyof HTMLElementTagNameMap>(tag: K, properties: Partial<HTMLElementTagNameMap[K]> = {}, ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
}

export { element };

const VARIOUS = 'various'; // bodies have different values

export class Panel {
    private scene: SceneText | null = null;
    private body = -1; // -1: all of them
    private readonly updates: (() => void)[] = [];
    private readonly bodies = element('select', { title: 'which body the controls are about' });

    // change: the text has changed; final: not in the middle of a drag.
    constructor(
        parent: HTMLElement,
        settings: readonly Setting[],
        private readonly change: (final: boolean) => void,
    ) {
        this.bodies.dataset['control'] = 'body';
        this.bodies.addEventListener('change', () => {
            this.body = Number(this.bodies.value);
            this.update();
        });
        const body = element('label', { className: 'control' }, element('span', { textContent: 'body' }), this.bodies);
        parent.replaceChildren(body, ...settings.map((s) => (s.kind === 'number' ? this.numberControl(s) : this.choiceControl(s))));
    }

    // The body that the controls are about; the first of all of them.
    get chosen(): number {
        return Math.max(0, this.body);
    }

    // anew: another scene, so the controls are about all of its bodies.
    show(scene: SceneText, anew: boolean): void {
        this.scene = scene;
        const names = scene.bodies;
        if (anew || this.body >= names.length) {
            this.body = -1;
        }
        const options = names.map((name, i) => element('option', { value: String(i), textContent: name }));
        this.bodies.replaceChildren(...(names.length > 1 ? [element('option', { value: '-1', textContent: `all ${names.length} bodies` })] : []), ...options);
        if (names.length === 1) {
            this.body = 0;
        }
        this.bodies.value = String(this.body);
        this.update();
    }

    private update(): void {
        this.updates.forEach((update) => update());
    }

    // Bodies that a setting is written to, and read from the first of.
    private targets(setting: Setting): number[] {
        if (this.scene === null || !setting.perBody) {
            return [0];
        }
        return this.body >= 0 ? [this.body] : this.scene.bodies.map((_, i) => i);
    }

    // Of the first of its bodies, and whether others differ.
    private read<T>(setting: { read(scene: SceneText, body: number): T } & Setting): { value: T | undefined; various: boolean } {
        const { scene } = this;
        if (scene === null) {
            return { value: undefined, various: false };
        }
        const values = this.targets(setting).map((body) => setting.read(scene, body));
        return { value: values[0], various: values.some((v) => v !== values[0]) };
    }

    private write<T>(setting: { write(scene: SceneText, body: number, value: T): void } & Setting, value: T, final: boolean): void {
        const { scene } = this;
        if (scene !== null) {
            this.targets(setting).forEach((body) => setting.write(scene, body, value));
            this.change(final);
        }
    }

    private numberControl(setting: NumberSetting): HTMLElement {
        const { low, high, unit, logarithmic } = setting;
        const slider = element('input', { type: 'range', min: '0', max: '1', step: 'any' });
        const field = element('input', { type: 'text', size: 9, inputMode: 'decimal', spellcheck: false });
        slider.setAttribute('aria-label', `${setting.label}: ${setting.help}`);
        field.setAttribute('aria-label', `${setting.label} as a number`);
        field.dataset['control'] = setting.label;
        const place = (value: number) => (logarithmic ? toSlider(Math.max(value, low * 1e-9), low, high) : (value - low) / (high - low));
        const valueAt = (at: number) => (logarithmic ? fromSlider(at, low, high) : Number((low + at * (high - low)).toFixed(2)));
        const text = (value: number) => (unit === '' ? digits(value) : withUnit(value, unit));
        const take = (value: number, final: boolean) => {
            field.value = text(value);
            field.classList.remove('bad');
            slider.setAttribute('aria-valuetext', field.value);
            this.write(setting, value, final);
        };
        slider.addEventListener('input', () => take(valueAt(Number(slider.value)), false));
        slider.addEventListener('change', () => take(valueAt(Number(slider.value)), true));
        const typed = () => {
            const value = parseNumber(field.value, unit);
            field.classList.toggle('bad', Number.isNaN(value));
            if (!Number.isNaN(value)) {
                slider.value = String(place(value));
                take(value, true);
            }
        };
        field.addEventListener('change', typed);
        this.updates.push(() => {
            const { value, various } = this.read(setting);
            field.classList.remove('bad');
            field.value = value === undefined || various ? '' : text(value);
            field.placeholder = various ? VARIOUS : 'default';
            slider.value = value === undefined ? '0' : String(place(value));
            slider.setAttribute('aria-valuetext', field.value === '' ? field.placeholder : field.value);
        });
        return element('div', { className: 'control', title: setting.help }, element('span', { textContent: setting.label }), slider, field);
    }

    private choiceControl(setting: ChoiceSetting): HTMLElement {
        const select = element('select', {}, ...setting.choices.map(({ value, label }) => element('option', { value, textContent: label })));
        const mixed = element('option', { value: VARIOUS, textContent: VARIOUS, hidden: true });
        select.append(mixed);
        select.dataset['control'] = setting.label;
        select.addEventListener('change', () => {
            this.write(setting, select.value, true);
            this.update();
        });
        this.updates.push(() => {
            const { value, various } = this.read(setting);
            select.value = various ? VARIOUS : (value ?? '');
        });
        return element('label', { className: 'control', title: setting.help }, element('span', { textContent: setting.label }), select);
    }
}
