// SPDX-License-Identifier: MIT
//
// history.ts: numbers over time, as plots and CSV take them: at most so many rows, of which every second one is left out when they are full.

export class History {
    readonly columns: string[];
    readonly rows: Float64Array[] = [];
    private every = 1; // rows that are offered for one that is kept
    private offered = 0;

    constructor(
        columns: readonly string[],
        private readonly most = 4000,
    ) {
        this.columns = [...columns];
    }

    add(row: Float64Array): void {
        const last = this.rows[this.rows.length - 1];
        if (last !== undefined && row[0] < last[0]) {
            this.clear();
        } else if (last !== undefined && row[0] === last[0]) {
            this.rows[this.rows.length - 1] = row;
            return;
        }
        if (this.offered++ % this.every === 0) {
            this.rows.push(row);
        }
        if (this.rows.length >= this.most) {
            this.rows.splice(0, this.rows.length, ...this.rows.filter((_, i) => i % 2 === 0));
            this.every *= 2;
        }
    }

    clear(): void {
        this.rows.length = 0;
        this.every = 1;
        this.offered = 0;
    }

    column(name: string): Float64Array {
        const index = this.columns.indexOf(name);
        return Float64Array.from(this.rows, (row) => row[index]);
    }

    csv(): string {
        const quote = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
        const lines = this.rows.map((row) => Array.from(row, (x) => (Number.isFinite(x) ? String(x) : '')).join(','));
        return `${[this.columns.map(quote).join(','), ...lines].join('\n')}\n`;
    }
}
