// SPDX-License-Identifier: MIT
//
// keys.ts: what keys do, and the list of them.

import { element } from './panel';
import { byId } from './readout';

export interface Key {
    keys: readonly string[]; // as KeyboardEvent.key
    shown: string;
    label: string;
    act(): void;
}

const TURN = 0.12;
const NEARER = 0.9;

// Keys of the picture, when it has the focus.
export function viewKeys(turn: (right: number, up: number, by?: number) => void): Key[] {
    return [
        { keys: ['ArrowLeft'], shown: '←', label: 'turn the picture', act: () => turn(-TURN, 0) },
        { keys: ['ArrowRight'], shown: '→', label: 'turn the picture', act: () => turn(TURN, 0) },
        { keys: ['ArrowUp'], shown: '↑', label: 'turn the picture', act: () => turn(0, TURN) },
        { keys: ['ArrowDown'], shown: '↓', label: 'turn the picture', act: () => turn(0, -TURN) },
        { keys: ['+', '='], shown: '+', label: 'nearer, farther', act: () => turn(0, 0, NEARER) },
        { keys: ['-'], shown: '−', label: 'nearer, farther', act: () => turn(0, 0, 1 / NEARER) },
    ];
}

// Whether a key that is typed there is for the control that has the focus.
function taken(target: HTMLElement, key: string): boolean {
    if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) {
        return true;
    }
    if (target instanceof HTMLInputElement) {
        return target.type === 'text' || key === ' ' || key.startsWith('Arrow');
    }
    return key === ' ' && /^(BUTTON|SUMMARY)$/.test(target.tagName);
}

export function wireKeys(everywhere: readonly Key[], inPicture: readonly Key[]): void {
    window.addEventListener('keydown', (event) => {
        const target = event.target as HTMLElement;
        const plain = !event.ctrlKey && !event.altKey && !event.metaKey;
        if (!plain || document.querySelector('dialog[open]') !== null || taken(target, event.key)) {
            return;
        }
        const keys = target.id === 'canvas' ? [...inPicture, ...everywhere] : everywhere;
        const found = keys.find((k) => k.keys.includes(event.key));
        if (found !== undefined) {
            event.preventDefault();
            found.act();
        }
    });
}

// The list, one row for what several keys do.
export function fillKeys(keys: readonly Key[]): void {
    const rows = new Map<string, string[]>();
    keys.forEach(({ shown, label }) => rows.set(label, [...(rows.get(label) ?? []), shown]));
    const list = [...rows].flatMap(([label, names]) => [
        element('dt', {}, ...names.map((name) => element('kbd', { textContent: name }))),
        element('dd', { textContent: label }),
    ]);
    byId('key-list').replaceChildren(...list);
}
