// SPDX-License-Identifier: MIT
//
// readout.ts: facts, legend, forces and messages as text over and beside the picture.

import { mapGradient } from './colours';
import type { Pane } from './pane';
import { element } from './panel';
import type { Field, Measured } from './protocol';
import type { Problem } from './tree';
import { digits, withUnit } from './units';
import type { View } from './view';

export const FIELD_LABELS: Record<Field, { label: string; unit: string }> = {
    none: { label: 'none', unit: '' },
    speed: { label: 'speed', unit: 'm/s' },
    displacement: { label: 'displacement', unit: 'm' },
    vonMises: { label: 'von Mises stress', unit: 'Pa' },
    strain: { label: 'strain', unit: '' },
    contact: { label: 'contact force', unit: 'N' },
};

function byId<T extends HTMLElement>(id: string): T {
    const found = document.getElementById(id);
    if (found === null) {
        throw new Error(`the page has no #${id}`);
    }
    return found as T;
}

export { byId };

export function showLegend(pane: Pane, field: Field): void {
    const legend = byId('legend');
    legend.hidden = field === 'none';
    if (field === 'none' || pane.figure === null) {
        return;
    }
    const { label, unit } = FIELD_LABELS[field];
    const [low, high] = pane.figure.range;
    byId('legend-title').textContent = high > low ? label : `${label}: none`;
    // its place stays, so that the picture keeps its size
    byId('legend-bar').style.visibility = byId('legend-ends').style.visibility = high > low ? '' : 'hidden';
    byId('legend-bar').style.background = mapGradient();
    byId('legend-low').textContent = withUnit(low, unit);
    byId('legend-high').textContent = withUnit(high, unit);
}

// Forces of hands beside their arrows.
export function showForces(panes: readonly Pane[], view: View): void {
    const labels = panes.flatMap((pane, i) =>
        (pane.figure?.frame?.hands ?? []).map(({ hand, place, force }) => {
            const { x, y } = view.onScreen(i, place);
            const label = element('span', { className: pane.pins.has(hand) ? 'force pin' : 'force', textContent: withUnit(Math.hypot(...force), 'N') });
            label.style.transform = `translate(${Math.round(x + 10)}px, ${Math.round(y - 10)}px)`;
            return label;
        }),
    );
    byId('labels').replaceChildren(...labels);
}

export function showFacts(pane: Pane): void {
    const n = (name: string) => pane.number(name);
    const opened = pane.figure?.opened;
    const { threads, alone } = pane.simulation;
    const factor = pane.figure?.frame?.factor ?? NaN;
    const most = pane.figure?.frame?.most ?? NaN;
    const facts: [string, string][] = [
        ['nodes', digits(n('nodes'), 12)],
        ['springs', digits(n('springs'), 12)],
        ['elements', digits(n('elements'), 12)],
        ['steps', digits(n('steps'), 12)],
        ['step', withUnit(n('step'), 's')],
        ['stable step', n('stableStep') > 0 ? withUnit(n('stableStep'), 's') : 'any'],
        ['real time', Number.isFinite(factor) ? `${digits(factor, 2)} × (could be ${digits(most, 2)} ×)` : 'paused'],
        ['vectors', opened?.vectors ?? ''],
        ['threads', alone === '' ? String(threads) : `${threads}: ${alone}`],
        ['kinetic', withUnit(n('kinetic'), 'J')],
        ['elastic', withUnit(n('elastic'), 'J')],
        ['lost', withUnit(n('lost'), 'J')],
        ['change of volume', `${digits(100 * n('volumeError'), 2)} %`],
        ['contact', withUnit(n('contactForce'), 'N')],
        ['smallest element', digits(n('smallestElement'), 2)],
    ];
    byId('facts').replaceChildren(...facts.map(([term, value]) => element('div', {}, element('dt', { textContent: term }), element('dd', { textContent: value }))));
}

export function showClock(pane: Pane): void {
    const time = pane.number('time');
    const factor = pane.figure?.frame?.factor ?? NaN;
    const clock = byId('clock');
    clock.textContent = Number.isFinite(time) ? `${time.toFixed(3)} s` : '';
    if (Number.isFinite(factor)) {
        // what seems to stand still goes on in steps that are too small to be seen
        const still = factor < 0.001 ? ` · steps of ${withUnit(pane.number('step'), 's')}` : '';
        clock.append(` · ${digits(factor, 2)} ×`, element('span', { className: 'wide', textContent: ' real time' }), still);
    }
}

export function showProblems(problems: readonly Problem[], goTo: (line: number) => void): void {
    const order = { error: 0, warning: 1, note: 2 };
    const sorted = [...problems].filter((p) => p.severity !== 'note').sort((a, b) => order[a.severity] - order[b.severity]);
    const lines = sorted.slice(0, 8).map((problem) => {
        const place = problem.line > 0 ? `line ${problem.line}${problem.column > 0 ? `:${problem.column}` : ''}: ` : '';
        const line = element('button', { type: 'button', className: problem.severity, textContent: `${place}${problem.text}` });
        line.addEventListener('click', () => goTo(problem.line));
        return line;
    });
    const messages = byId('messages');
    if (lines.length > 0) {
        const close = element('button', { type: 'button', className: 'close', textContent: 'dismiss' });
        close.addEventListener('click', () => messages.replaceChildren());
        lines.push(close);
    }
    messages.replaceChildren(...lines);
}

// body: whose they are, where there are several.
export function showMeasured(list: readonly Measured[], body: string): void {
    const rows = list
        .filter(({ ours }) => Number.isFinite(ours))
        .map(({ quantity, unit, target, ours }) => {
            const shown = (x: number) => (unit === '-' ? digits(x, 4) : withUnit(x, unit, 4));
            const cells = [quantity.replace(/^nu/, 'ν'), shown(ours), Number.isFinite(target) ? shown(target) : '–'];
            return element('tr', {}, ...cells.map((text) => element('td', { textContent: text })));
        });
    const head = element('tr', {}, ...[body, 'measured', 'asked for'].map((text) => element('th', { textContent: text })));
    byId('measured').replaceChildren(element('table', {}, head, ...rows));
}
