// SPDX-License-Identifier: MIT
//
// plots.ts: live plots of a pane's history.

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { BODY_COLOURS, css } from './colours';
import type { History } from './history';
import { withUnit } from './units';

interface Curve {
    label: string;
    column: string;
    factor?: number;
}

interface PlotDef {
    title: string;
    unit: string;
    curves: Curve[];
}

const PLOTS: readonly PlotDef[] = [
    {
        title: 'Energy',
        unit: 'J',
        curves: [
            { label: 'kinetic', column: 'kinetic' },
            { label: 'elastic', column: 'elastic' },
            { label: 'lost', column: 'lost' },
        ],
    },
    { title: 'Change of volume', unit: '%', curves: [{ label: 'volume', column: 'volumeError', factor: 100 }] },
    { title: 'Contact force', unit: 'N', curves: [{ label: 'contact', column: 'contactForce' }] },
    { title: 'Smallest element, of its size at rest', unit: '', curves: [{ label: 'smallest', column: 'smallestElement' }] },
];

const HEIGHT = 112;

// As wide as the longest number beside an axis.
function room(_: uPlot, values: string[] | null): number {
    return 14 + 6.5 * Math.max(3, ...(values ?? []).map((v) => v.length));
}

function lastOf(plot: uPlot, series: number): number {
    const values = plot.data[series];
    return values[values.length - 1] ?? NaN;
}

const widthIn = (parent: HTMLElement) => Math.max(120, parent.clientWidth - 4);

export class Plots {
    private plots: { def: PlotDef; plot: uPlot }[] = [];
    private probes: readonly string[] = [];

    constructor(private readonly parent: HTMLElement) {
        new ResizeObserver(() => this.resize()).observe(parent);
    }

    // For another scene: with a plot of each quantity that its probes read.
    restart(probes: readonly string[]): void {
        this.probes = probes;
        this.remake();
    }

    // Anew, for other colours of the page.
    remake(): void {
        this.parent.replaceChildren();
        this.plots.forEach(({ plot }) => plot.destroy());
        const defs = [...PLOTS, ...this.probeDefs()];
        this.plots = defs.map((def) => ({ def, plot: this.make(def) }));
    }

    // Columns "name fx [N]" of one probe and one unit share a plot.
    private probeDefs(): PlotDef[] {
        const groups = new Map<string, PlotDef>();
        for (const column of this.probes) {
            const match = /^(.*?) ?(\S*) \[(.*)\]$/.exec(column);
            const [title, label, unit] = match === null ? [column, column, ''] : [match[1], match[2], match[3]];
            const key = `${title} [${unit}]`;
            const group = groups.get(key) ?? { title: `Probe ${title}`, unit, curves: [] };
            group.curves.push({ label, column });
            groups.set(key, group);
        }
        return [...groups.values()];
    }

    private make(def: PlotDef): uPlot {
        const style = getComputedStyle(document.documentElement);
        const ink = style.getPropertyValue('--ink-soft');
        const rule = style.getPropertyValue('--rule');
        const axis = { stroke: ink, grid: { stroke: rule, width: 1 }, ticks: { stroke: rule, width: 1 }, font: '11px system-ui' };
        const figure = document.createElement('figure');
        figure.className = 'plot';
        const caption = document.createElement('figcaption');
        caption.textContent = def.title;
        figure.append(caption);
        this.parent.append(figure);
        const options: uPlot.Options = {
            width: widthIn(figure),
            height: HEIGHT,
            padding: [6, 10, 0, 0],
            cursor: { y: false, sync: { key: 'plots' } },
            scales: { x: { time: false } },
            axes: [
                { ...axis, size: 26, values: (_, ticks) => ticks.map((t) => withUnit(t, 's')) },
                { ...axis, space: 24, size: room, values: (_, ticks) => ticks.map((t) => withUnit(t, def.unit, 4)) },
            ],
            series: [
                { label: 't', value: (plot, value) => withUnit(value ?? lastOf(plot, 0), 's', 4) },
                ...def.curves.map((curve, i) => ({
                    label: curve.label,
                    stroke: css(BODY_COLOURS[(i + 1) % BODY_COLOURS.length]),
                    width: 1.5,
                    // under the cursor, else the present one
                    value: (plot: uPlot, value: number | null) => withUnit(value ?? lastOf(plot, i + 1), def.unit),
                })),
            ],
        };
        return new uPlot(options, [[0], ...def.curves.map(() => [0])], figure);
    }

    private resize(): void {
        for (const { plot } of this.plots) {
            plot.setSize({ width: widthIn(plot.root.parentElement ?? this.parent), height: HEIGHT });
        }
    }

    update(history: History): void {
        if (this.parent.offsetParent === null || history.rows.length === 0) {
            return;
        }
        const time = history.column('time');
        for (const { def, plot } of this.plots) {
            const curves = def.curves.map(({ column, factor }) => {
                const values = history.column(column);
                return factor === undefined ? values : values.map((x) => x * factor);
            });
            plot.setData([time, ...curves]);
        }
    }
}
