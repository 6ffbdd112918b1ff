// SPDX-License-Identifier: MIT
//
// gallery.ts: the scenes to start from.

import list from '../gallery.json';
import { element } from './panel';
import type { Field, Vector } from './protocol';

export interface Exhibit {
    file: string;
    title: string;
    look: string;
    paper: string;
    view: Vector;
    field: Field;
    until: number;
}

export const EXHIBITS = list as Exhibit[];

const texts = import.meta.glob<string>('../../scenes/*.yaml', { query: '?raw', import: 'default' });
const pictures = import.meta.glob<string>('../gallery/*.webp', { query: '?url', import: 'default', eager: true });

export function exhibitOf(file: string): Exhibit | undefined {
    return EXHIBITS.find((e) => e.file === file);
}

// Throws where there is no such scene.
export async function exhibitText(file: string): Promise<string> {
    const load = texts[`../../scenes/${file}`];
    if (load === undefined) {
        throw new Error(`there is no scene ${file} in the gallery`);
    }
    return load();
}

function picture(exhibit: Exhibit): HTMLElement {
    const url = pictures[`../gallery/${exhibit.file.replace(/\.yaml$/, '.webp')}`];
    return url === undefined ? element('span', { className: 'no-picture' }) : element('img', { src: url, alt: '', width: 320, height: 200, loading: 'lazy' });
}

// Cards into a dialog; choose is called with the one that was taken.
export function fillGallery(parent: HTMLElement, choose: (exhibit: Exhibit) => void): void {
    const cards = EXHIBITS.map((exhibit) => {
        const paper = element('small', { textContent: exhibit.paper });
        const card = element(
            'button',
            { type: 'button', className: 'card' },
            picture(exhibit),
            element('strong', { textContent: exhibit.title }),
            element('span', { textContent: exhibit.look }),
            paper,
        );
        card.dataset['scene'] = exhibit.file;
        card.addEventListener('click', () => choose(exhibit));
        return card;
    });
    parent.replaceChildren(...cards);
}
