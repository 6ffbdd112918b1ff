// SPDX-License-Identifier: MIT
//
// home.ts: the menu of what a person takes home.

import { type Pane, problemOf } from './pane';
import { byId } from './readout';
import { copy, download, fileName, linkOf } from './takeHome';
import type { View } from './view';

async function take(what: string, pane: Pane, view: View): Promise<void> {
    const title = pane.figure?.opened.title ?? '';
    const text = pane.scene?.text ?? '';
    switch (what) {
        case 'yaml':
            download(fileName(title, 'yaml'), text, 'text/yaml');
            break;
        case 'csv':
            download(fileName(title, 'csv'), pane.history.csv(), 'text/csv');
            break;
        case 'glb': {
            const { bytes, problems } = await pane.simulation.glb();
            if (bytes !== null) {
                download(fileName(title, 'glb'), bytes as BlobPart, 'model/gltf-binary');
            } else {
                pane.say(problems);
            }
            break;
        }
        case 'png': {
            const picture = await view.picture();
            if (picture !== null) {
                download(fileName(title, 'png'), picture, 'image/png');
            }
            break;
        }
        case 'link': {
            const link = await linkOf(text);
            history.replaceState(null, '', link);
            const copied = await copy(link);
            byId('hint').textContent = `The address of this page holds the scene now${copied ? '; it is copied.' : ': copy it from there.'}`;
            break;
        }
    }
}

// pane: of which things are taken when a button is pressed.
export function wireHome(pane: () => Pane, view: View): void {
    const menu = byId<HTMLDetailsElement>('home');
    for (const button of menu.querySelectorAll<HTMLElement>('[data-take]')) {
        button.addEventListener('click', () => {
            const from = pane();
            void take(button.dataset['take'] ?? '', from, view)
                .catch((error: unknown) => from.say([problemOf(error)]))
                .finally(() => (menu.open = false));
        });
    }
    // it closes as menus do
    window.addEventListener('pointerdown', (event) => {
        if (!menu.contains(event.target as Node)) {
            menu.open = false;
        }
    });
    menu.addEventListener('keydown', (event) => {
        if (event.key === 'Escape') {
            menu.open = false;
            menu.querySelector('summary')?.focus();
        }
    });
}
