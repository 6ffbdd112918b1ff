// SPDX-License-Identifier: MIT
//
// colours.ts: colours of bodies and of fields. Lightness rises along the map of a field, so that it reads the same to every eye, and in grey.

export type Rgb = [number, number, number]; // in [0, 1], sRGB

// From OKLab (B. Ottosson 2020): lightness, and two axes of colour.
export function fromOklab(lightness: number, a: number, b: number): Rgb {
    const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
    const linear = [
        4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
        -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
        -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
    ];
    return linear.map((x) => {
        const bounded = Math.min(Math.max(x, 0), 1);
        return bounded <= 0.0031308 ? 12.92 * bounded : 1.055 * bounded ** (1 / 2.4) - 0.055;
    }) as Rgb;
}

// From deep blue over purple and orange to light yellow, t in [0, 1].
export function mapColour(t: number): Rgb {
    const x = Math.min(Math.max(t, 0), 1);
    const lightness = 0.36 + 0.56 * x;
    const chroma = 0.07 + 0.12 * Math.sin(Math.PI * Math.min(1, 0.15 + 0.8 * x));
    const hue = (270 + 190 * x) * (Math.PI / 180);
    return fromOklab(lightness, chroma * Math.cos(hue), chroma * Math.sin(hue));
}

// The map as bytes, red green blue alpha.
export function mapTexels(count: number): Uint8Array {
    const texels = new Uint8Array(4 * count);
    for (let i = 0; i < count; ++i) {
        const colour = mapColour(i / (count - 1));
        texels.set([...colour.map((c) => Math.round(255 * c)), 255], 4 * i);
    }
    return texels;
}

export function css(colour: Rgb): string {
    return `rgb(${colour.map((c) => Math.round(255 * c)).join(' ')})`;
}

export function mapGradient(): string {
    const stops = Array.from({ length: 9 }, (_, i) => `${css(mapColour(i / 8))} ${(100 * i) / 8}%`);
    return `linear-gradient(to right, ${stops.join(', ')})`;
}

// Of bodies, in turn: apart in lightness as well as in hue.
export const BODY_COLOURS: readonly Rgb[] = [
    fromOklab(0.72, 0.04, 0.09),
    fromOklab(0.62, -0.05, -0.1),
    fromOklab(0.66, -0.1, 0.05),
    fromOklab(0.6, 0.14, -0.02),
    fromOklab(0.82, -0.01, 0.13),
    fromOklab(0.5, 0.06, -0.12),
    fromOklab(0.78, -0.09, -0.03),
    fromOklab(0.55, 0.1, 0.08),
];
