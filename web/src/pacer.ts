// SPDX-License-Identifier: MIT
//
// pacer.ts: how many steps to take now, so that simulated time goes by as real time does, times a factor, or as fast as the machine can.

const TURN = 0.012; // seconds that a turn of steps may take: the page's messages wait no longer
const DEBT = 0.1; // seconds of real time that are made up for at most, after a pause of the page or a slow turn
const MEMORY = 0.5; // seconds over which speeds are averaged

export class Pacer {
    pace = 1;
    factor = NaN;
    most = NaN;
    private last = NaN;
    private debt = 0; // simulated seconds
    private cost = NaN; // seconds a step
    private span = { real: 0, busy: 0, simulated: 0 };

    constructor(private readonly clock: () => number) {}

    // Forget what was owed.
    restart(): void {
        this.last = NaN;
        this.debt = 0;
        this.span = { real: 0, busy: 0, simulated: 0 };
        this.factor = NaN;
    }

    // Milliseconds until there is a step to be taken.
    wait(): number {
        return this.debt < 0 && this.pace > 0 ? Math.min((-this.debt / this.pace) * 1000, 16) : 0;
    }

    // Take the steps that are due, at most so many, and no longer than a turn lasts. step: false when it failed.
    advance(length: number, most: number, step: (count: number) => boolean): void {
        const begun = this.clock();
        const passed = Number.isNaN(this.last) ? 0 : begun - this.last;
        this.last = begun;
        this.debt = Math.min(this.debt + passed * this.pace, DEBT * this.pace);
        let left = Math.min(most, Math.floor(this.debt / length));
        let taken = 0;
        let now = begun;
        // steps that are longer than a turn's share are taken one by one, ahead of their time
        if (left < 1 && this.debt > 0) {
            left = 1;
        }
        while (left >= 1 && now - begun < TURN) {
            const room = Number.isNaN(this.cost) ? 1 : Math.max(1, Math.floor((0.5 * (TURN - (now - begun))) / this.cost));
            const count = Math.min(left, room);
            if (!step(count)) {
                return;
            }
            const after = this.clock();
            const cost = (after - now) / count;
            this.cost = Number.isNaN(this.cost) ? cost : 0.7 * this.cost + 0.3 * cost;
            now = after;
            left -= count;
            taken += count;
        }
        this.debt -= taken * length;
        this.count(passed, now - begun, taken * length);
    }

    private count(real: number, busy: number, simulated: number): void {
        const span = this.span;
        span.real += real;
        span.busy += busy;
        span.simulated += simulated;
        if (span.real > MEMORY) {
            this.factor = span.simulated / span.real;
            this.most = span.busy > 0 ? span.simulated / span.busy : NaN;
            this.span = { real: 0, busy: 0, simulated: 0 };
        }
    }
}
