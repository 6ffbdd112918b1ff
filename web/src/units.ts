// SPDX-License-Identifier: MIT
//
// units.ts: numbers with units, as a person reads them, and back.

const PREFIXES: readonly [number, string][] = [
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
    [1, ''],
    [1e-3, 'm'],
    [1e-6, 'µ'],
    [1e-9, 'n'],
    [1e-12, 'p'],
];

// As many digits as matter, without a row of zeros.
export function digits(value: number, count = 3): string {
    if (!Number.isFinite(value)) {
        return '–';
    }
    return value === 0 ? '0' : String(Number(value.toPrecision(count)));
}

// 12300, 'Pa' is 12.3 kPa.
export function withUnit(value: number, unit: string, count = 3): string {
    if (!Number.isFinite(value)) {
        return '–';
    }
    if (unit === '' || unit === 'kg/m³' || unit === '°' || unit === '%') {
        return unit === '' ? digits(value, count) : `${digits(value, count)} ${unit}`;
    }
    const rounded = Math.abs(Number(value.toPrecision(count)));
    const found = PREFIXES.find(([size]) => rounded >= size) ?? PREFIXES[PREFIXES.length - 1];
    const [size, prefix] = rounded === 0 ? [1, ''] : found;
    return `${digits(value / size, count)} ${prefix}${unit}`;
}

// A number as it is typed: 2e5, 200k, 0.2 MPa, 3,5. NaN: none.
export function parseNumber(text: string, unit: string): number {
    const match = /^\s*([-+]?(?:\d+[.,]?\d*|[.,]\d+)(?:[eE][-+]?\d+)?)\s*(\S*)\s*$/.exec(text);
    if (match === null) {
        return NaN;
    }
    const number = Number(match[1].replace(',', '.'));
    let rest = match[2];
    if (unit !== '' && rest.endsWith(unit)) {
        rest = rest.slice(0, rest.length - unit.length);
    }
    if (rest === '') {
        return number;
    }
    const prefix = PREFIXES.find(([, name]) => name !== '' && (name === rest || (name === 'µ' && rest === 'u')));
    return prefix === undefined ? NaN : number * prefix[0];
}

// Places of a slider from 0 to 1 over decades from low to high.
export function toSlider(value: number, low: number, high: number): number {
    return Math.log(value / low) / Math.log(high / low);
}

export function fromSlider(place: number, low: number, high: number): number {
    return Number((low * (high / low) ** place).toPrecision(2));
}
