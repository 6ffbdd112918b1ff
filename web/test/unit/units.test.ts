// SPDX-License-Identifier: MIT

import { expect, test } from 'vitest';
import { fromSlider, parseNumber, toSlider, withUnit } from '../../src/units';

test('numbers with units', () => {
    expect(withUnit(12345, 'Pa')).toBe('12.3 kPa');
    expect(withUnit(0.00042, 'm')).toBe('420 µm');
    expect(withUnit(999.9, 'Pa')).toBe('1 kPa');
    expect(withUnit(-0.25, 'N')).toBe('-250 mN');
    expect(withUnit(0, 'J')).toBe('0 J');
    expect(withUnit(1050, 'kg/m³')).toBe('1050 kg/m³');
    expect(withUnit(NaN, 'N')).toBe('–');
});

test('numbers that are typed', () => {
    expect(parseNumber('2e5', 'Pa')).toBe(2e5);
    expect(parseNumber('200k', 'Pa')).toBe(2e5);
    expect(parseNumber(' 0.2 MPa ', 'Pa')).toBe(2e5);
    expect(parseNumber('3,5', 'm')).toBe(3.5);
    expect(parseNumber('5 mm', 'm')).toBe(0.005);
    expect(parseNumber('5 m', 'm')).toBe(5);
    expect(parseNumber('-.4', '')).toBe(-0.4);
    for (const bad of ['', 'x', '1 kPa', '1.2.3', '--1', 'NaN', 'Infinity']) {
        expect(parseNumber(bad, 'm'), bad).toBeNaN();
    }
});

test('sliders over decades', () => {
    expect(toSlider(1e3, 1e3, 1e9)).toBe(0);
    expect(toSlider(1e9, 1e3, 1e9)).toBeCloseTo(1, 12);
    expect(fromSlider(0.5, 1e3, 1e9)).toBe(1e6);
    for (const value of [1500, 2.2e5, 9.9e8]) {
        expect(fromSlider(toSlider(value, 1e3, 1e9), 1e3, 1e9)).toBe(value);
    }
});
