// SPDX-License-Identifier: MIT
//
// looks.ts: the controls of what is drawn.

import type { Look } from './figure';
import { element } from './panel';
import { FIELDS } from './protocol';
import { byId, FIELD_LABELS } from './readout';

// change: the look has changed.
export function fillLooks(look: Look, change: () => void): void {
    const fields = element('select', {}, ...FIELDS.map((f) => element('option', { value: f, textContent: FIELD_LABELS[f].label })));
    fields.dataset['look'] = 'field';
    fields.addEventListener('change', () => {
        look.field = fields.value as Look['field'];
        change();
    });
    const box = (key: 'surface' | 'springs' | 'nodes' | 'rest', label: string) => {
        const input = element('input', { type: 'checkbox' });
        input.dataset['look'] = key;
        input.addEventListener('change', () => {
            look[key] = input.checked;
            change();
        });
        return element('label', { className: 'control' }, element('span', { textContent: label }), input);
    };
    byId('looks').append(
        element('label', { className: 'control' }, element('span', { textContent: 'colour by' }), fields),
        box('surface', 'surface'),
        box('springs', 'springs'),
        box('nodes', 'nodes'),
        box('rest', 'shape at rest'),
    );
}

export function showLooks(look: Look): void {
    for (const input of byId('looks').querySelectorAll<HTMLInputElement | HTMLSelectElement>('[data-look]')) {
        const key = input.dataset['look'] as keyof Look;
        if (input instanceof HTMLInputElement) {
            input.checked = look[key] as boolean;
        } else {
            input.value = look[key] as string;
        }
    }
}
