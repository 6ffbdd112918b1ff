// SPDX-License-Identifier: MIT
//
// settings.ts: what a person may change of a scene, as a list: each says how it is read from and written to the text of the scene.

import type { SceneText } from './sceneText';

export interface Choice {
    value: string;
    label: string;
}

interface Common {
    label: string;
    help: string;
    perBody: boolean;
}

export interface NumberSetting extends Common {
    kind: 'number';
    unit: string;
    low: number;
    high: number;
    logarithmic: boolean;
    read(scene: SceneText, body: number): number | undefined;
    write(scene: SceneText, body: number, value: number): void;
}

export interface ChoiceSetting extends Common {
    kind: 'choice';
    choices: readonly Choice[];
    read(scene: SceneText, body: number): string;
    write(scene: SceneText, body: number, value: string): void;
}

export type Setting = NumberSetting | ChoiceSetting;

const bodyPath = (body: number, ...path: (string | number)[]) => ['bodies', body, ...path];

// ---- materials

export interface NamedMaterial {
    name: string;
    young: number;
    poisson: number;
    density: number;
}

function modulus(label: string, help: string, key: 'young' | 'poisson' | 'density', unit: string, low: number, high: number, named: readonly NamedMaterial[]): NumberSetting {
    return {
        kind: 'number',
        label,
        help,
        perBody: true,
        unit,
        low,
        high,
        logarithmic: key !== 'poisson',
        read: (scene, body) => {
            const own = scene.number(bodyPath(body, 'material', key));
            const name = scene.word(bodyPath(body, 'material'), 'name');
            return own ?? named.find((m) => m.name === name)?.[key];
        },
        write: (scene, body, value) => scene.set(bodyPath(body, 'material', key), value),
    };
}

function material(named: readonly NamedMaterial[]): ChoiceSetting {
    const choices = [{ value: '', label: 'by numbers' }, ...named.map(({ name }) => ({ value: name, label: name }))];
    return {
        kind: 'choice',
        label: 'material',
        help: 'a named material, or the numbers below',
        perBody: true,
        choices,
        read: (scene, body) => {
            const given = ['young', 'poisson', 'density'].some((key) => scene.number(bodyPath(body, 'material', key)) !== undefined);
            return given ? '' : (scene.word(bodyPath(body, 'material'), 'name') ?? '');
        },
        write: (scene, body, value) => {
            if (value !== '') {
                scene.set(bodyPath(body, 'material'), undefined);
                scene.set(bodyPath(body, 'material'), value);
            }
        },
    };
}

// ---- models: a network and what gives it its stiffness

interface ModelKind extends Choice {
    network: 'lattice' | 'random' | 'tetrahedra' | 'sheet';
    model: string;
}

const MODELS: readonly ModelKind[] = [
    { value: 'lattice springs', label: 'lattice of springs', network: 'lattice', model: 'springs' },
    { value: 'lattice dispersion', label: 'lattice, any Poisson’s ratio', network: 'lattice', model: 'dispersion' },
    { value: 'lattice brick', label: 'bricks', network: 'lattice', model: 'brick' },
    { value: 'lattice fem', label: 'finite elements', network: 'lattice', model: 'fem' },
    { value: 'random springs', label: 'random network', network: 'random', model: 'springs' },
    { value: 'tetrahedra springs', label: 'springs on tetrahedra', network: 'tetrahedra', model: 'springs' },
    { value: 'tetrahedra fem', label: 'finite tetrahedra', network: 'tetrahedra', model: 'fem' },
    { value: 'sheet springs', label: 'surface, as a sheet', network: 'sheet', model: 'springs' },
    { value: 'lattice auto', label: 'as fits best', network: 'lattice', model: 'auto' },
];

// Spacing of a lattice with as many nodes.
const RANDOM_LENGTH = 0.87;

function spacingOf(scene: SceneText, body: number): number | undefined {
    const spacing = scene.number(bodyPath(body, 'network', 'spacing'));
    const length = scene.number(bodyPath(body, 'network', 'min_length'));
    return spacing ?? (length === undefined ? undefined : length / RANDOM_LENGTH);
}

function writeSpacing(scene: SceneText, body: number, spacing: number): void {
    const short = (x: number) => Number(x.toPrecision(4));
    if (scene.get(bodyPath(body, 'network', 'type')) === 'random') {
        scene.set(bodyPath(body, 'network', 'min_length'), short(RANDOM_LENGTH * spacing));
        scene.set(bodyPath(body, 'network', 'max_length'), short(2 * RANDOM_LENGTH * spacing));
    } else {
        scene.set(bodyPath(body, 'network', 'cells'), undefined);
        scene.set(bodyPath(body, 'network', 'spacing'), short(spacing));
    }
}

function writeModel(scene: SceneText, body: number, value: string): void {
    const kind = MODELS.find((m) => m.value === value);
    if (kind === undefined) {
        return;
    }
    const before = scene.get(bodyPath(body, 'network', 'type')) ?? 'lattice';
    if (before !== kind.network) {
        const spacing = spacingOf(scene, body) ?? 0.02;
        // keys of one kind of network are no keys of another
        scene.set(bodyPath(body, 'network'), undefined);
        scene.set(bodyPath(body, 'network', 'type'), kind.network);
        writeSpacing(scene, body, spacing);
        if (kind.network === 'sheet') {
            scene.set(bodyPath(body, 'network', 'thickness'), Number((0.1 * spacing).toPrecision(2)));
        }
    }
    scene.set(bodyPath(body, 'model'), undefined);
    scene.set(bodyPath(body, 'model'), kind.model);
}

function readModel(scene: SceneText, body: number): string {
    const network = scene.get(bodyPath(body, 'network', 'type')) ?? 'lattice';
    const model = scene.word(bodyPath(body, 'model'), 'type') ?? 'auto';
    const value = `${network} ${model}`;
    return MODELS.some((m) => m.value === value) ? value : (MODELS.find((m) => m.network === network)?.value ?? '');
}

// ---- words at a path

function choice(label: string, help: string, perBody: boolean, path: (body: number) => (string | number)[], key: string, fallback: string, choices: readonly Choice[]): ChoiceSetting {
    return {
        kind: 'choice',
        label,
        help,
        perBody,
        choices,
        read: (scene, body) => scene.word(path(body), key) ?? fallback,
        write: (scene, body, value) => scene.set(path(body), value),
    };
}

function words(...list: string[]): Choice[] {
    return list.map((value) => ({ value, label: value.replaceAll('_', ' ') }));
}

function volume(named: readonly NamedMaterial[]): ChoiceSetting {
    const path = (body: number) => bodyPath(body, 'volume');
    return {
        ...choice('volume', 'how the volume inside of its surface is kept', true, path, 'method', 'none', words('none', 'pressure', 'hard', 'implicit', 'explicit')),
        write: (scene, body, method) => {
            const before = scene.number([...path(body), 'stiffness']);
            scene.set(path(body), undefined);
            if (method === 'none') {
                return;
            }
            scene.set([...path(body), 'method'], method);
            if (method !== 'hard') {
                // of a pressure that of the material, of support springs that of its wall
                const name = scene.word(bodyPath(body, 'material'), 'name');
                const young = scene.number(bodyPath(body, 'material', 'young')) ?? named.find((m) => m.name === name)?.young ?? 1e5;
                const wall = scene.number(bodyPath(body, 'network', 'thickness')) ?? 0.1 * (spacingOf(scene, body) ?? 0.01);
                scene.set([...path(body), 'stiffness'], before ?? Number((method === 'pressure' ? young : young * wall).toPrecision(2)));
            }
        },
    };
}

function gravityAxis(scene: SceneText): number {
    return scene.get(['plane']) === 'xy' ? 1 : 2;
}

// All of them, in the order of the panel.
export function makeSettings(named: readonly NamedMaterial[]): Setting[] {
    return [
        material(named),
        modulus('E', 'Young’s modulus: stiffness', 'young', 'Pa', 1e2, 1e10, named),
        modulus('ν', 'Poisson’s ratio: how much it shrinks across when it is pulled', 'poisson', '', -0.99, 0.49, named),
        modulus('ρ', 'density', 'density', 'kg/m³', 10, 20000, named),
        {
            kind: 'number',
            label: 'damping',
            help: 'stiffness damping: a damper beside every spring, as a time',
            perBody: true,
            unit: 's',
            low: 1e-6,
            high: 1e-1,
            logarithmic: true,
            read: (scene, body) => scene.number(bodyPath(body, 'material', 'stiffness_damping')),
            write: (scene, body, value) => scene.set(bodyPath(body, 'material', 'stiffness_damping'), value),
        },
        {
            kind: 'number',
            label: 'spacing',
            help: 'resolution: the edge of a cell',
            perBody: true,
            unit: 'm',
            low: 1e-3,
            high: 1,
            logarithmic: true,
            read: spacingOf,
            write: writeSpacing,
        },
        { kind: 'choice', label: 'model', help: 'how the body is made', perBody: true, choices: MODELS, read: readModel, write: writeModel },
        choice('spring law', 'tension over elongation', true, (b) => bodyPath(b, 'network', 'law'), 'law', 'linear', words('linear', 'carrier', 'cooper')),
        choice('repulsion', 'what keeps elements from collapsing', true, (b) => bodyPath(b, 'repulsion'), 'type', 'auto', words('auto', 'none', 'clamped', 'cooper', 'stiff', 'centroid')),
        volume(named),
        choice('integrator', 'how steps are taken', false, () => ['time', 'integrator'], 'integrator', 'position_verlet', words('auto', 'position_verlet', 'velocity_verlet', 'symplectic_euler', 'implicit_euler', 'theta', 'tr_bdf2', 'static')),
        choice('precision', 'of displacements and forces', false, () => ['time', 'precision'], 'precision', 'double', words('double', 'single')),
        {
            kind: 'number',
            label: 'gravity',
            help: 'on the moon it is 1.62, on Jupiter 24.8',
            perBody: false,
            unit: 'm/s²',
            low: 0,
            high: 30,
            logarithmic: false,
            read: (scene) => -(scene.numbers(['gravity'])?.[gravityAxis(scene)] ?? -9.81),
            write: (scene, _, value) => scene.set(['gravity'], gravityAxis(scene) === 1 ? [0, -value, 0] : [0, 0, -value]),
        },
        {
            kind: 'number',
            label: 'friction',
            help: 'of the ground',
            perBody: false,
            unit: '',
            low: 0,
            high: 2,
            logarithmic: false,
            read: (scene) => scene.number(['ground', 'friction']) ?? 0,
            write: (scene, _, value) => scene.set(['ground', 'friction'], value),
        },
    ];
}
