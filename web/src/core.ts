// SPDX-License-Identifier: MIT
//
// core.ts: the calls of web/core/studio.c, with types. One module is one stage.

import { type Field, FIELDS, type Material, type Measured, type Opened, type Triangles, type Vector } from './protocol';
import type { Problem, TreeNode } from './tree';

interface Module {
    HEAPU8: Uint8Array;
    wasmMemory?: WebAssembly.Memory; // that several threads share: any of them may make it grow
    UTF8ToString(address: number): string;
    FS: { readFile(path: string): Uint8Array; unlink(path: string): void };
    _malloc(size: number): number;
    _free(address: number): void;
    [call: `_studio_${string}`]: (...values: number[]) => number;
}

export type ModuleFactory = (options: Record<string, unknown>) => Promise<Module>;

// The order of webArrays in look.h, in words.
const ARRAYS = [
    'vertices', 'normals', 'values', 'triangles', 'vertexBody', 'nodes', 'nodeValues', 'springs', 'rest', 'solids',
    'solidTriangles', 'numbers', 'probes', 'vertexCount', 'triangleCount', 'nodeCount', 'springCount',
    'solidVertexCount', 'solidTriangleCount', 'probeCount', 'bodyCount', 'floor',
] as const;
type Arrays = Record<(typeof ARRAYS)[number], number>;

const SEVERITIES = ['note', 'warning', 'error'] as const;

// A call that failed; what it said is in problems.
export class Failed extends Error {
    constructor(
        readonly status: number,
        readonly problems: Problem[],
    ) {
        super(problems.find((p) => p.severity === 'error')?.text ?? `status ${status}`);
    }
}

export class Core {
    private arrays: Arrays | null = null;
    private names: string[] = [];

    private constructor(private readonly module: Module) {}

    static async load(factory: ModuleFactory, options: Record<string, unknown> = {}): Promise<Core> {
        return new Core(await factory(options));
    }

    // ---- memory

    private text(address: number): string {
        return address === 0 ? '' : this.module.UTF8ToString(address);
    }

    private get memory(): ArrayBufferLike {
        return this.module.wasmMemory?.buffer ?? this.module.HEAPU8.buffer;
    }

    private floats(address: number, count: number): Float32Array {
        return new Float32Array(this.memory, address, count);
    }

    private ints(address: number, count: number): Int32Array {
        return new Int32Array(this.memory, address, count);
    }

    private doubles(address: number, count: number): Float64Array {
        return new Float64Array(this.memory, address, count);
    }

    // Lend a copy of some bytes to a call.
    private lend<T>(bytes: Uint8Array, call: (address: number) => T): T {
        const address = this.module._malloc(bytes.length + 1);
        if (address === 0) {
            throw new Failed(2, [{ severity: 'error', line: 0, column: 0, text: 'out of memory' }]);
        }
        try {
            const room = new Uint8Array(this.memory, address, bytes.length + 1);
            room.set(bytes);
            room[bytes.length] = 0;
            return call(address);
        } finally {
            this.module._free(address);
        }
    }

    private lendText<T>(text: string, call: (address: number, length: number) => T): T {
        const bytes = new TextEncoder().encode(text);
        return this.lend(bytes, (address) => call(address, bytes.length));
    }

    // ---- messages

    problems(): Problem[] {
        const m = this.module;
        return Array.from({ length: m._studio_MessageCount() }, (_, i) => ({
            severity: SEVERITIES[m._studio_Severity(i)],
            line: m._studio_Line(i),
            column: m._studio_Column(i),
            text: this.text(m._studio_Message(i)),
        }));
    }

    private check(status: number): void {
        if (status !== 0) {
            throw new Failed(status, this.problems());
        }
    }

    get version(): string {
        return this.text(this.module._studio_Version());
    }

    materials(): Material[] {
        const list: Material[] = [];
        for (let i = 0; ; ++i) {
            const name = this.text(this.module._studio_MaterialName(i));
            if (name === '') {
                return list;
            }
            const [young, poisson, density] = [0, 1, 2].map((which) => this.module._studio_MaterialNumber(i, which));
            list.push({ name, young, poisson, density });
        }
    }

    // ---- scenes

    // Throws Failed.
    read(tree: readonly TreeNode[]): void {
        this.module._studio_Begin();
        for (const node of tree) {
            const added = this.lendText(node.text, (address, length) =>
                this.module._studio_Add(node.parent, node.kind, node.kind === 0 ? address : 0, length, node.quoted ? 1 : 0, node.line, node.column),
            );
            if (added < 0) {
                throw new Failed(2, [{ severity: 'error', line: node.line, column: node.column, text: 'out of memory' }]);
            }
        }
        this.check(this.module._studio_Read());
    }

    // The next mesh file that the scene names and has not been given; null: none.
    meshFile(): { file: string; line: number } | null {
        const file = this.text(this.module._studio_MeshFile());
        return file === '' ? null : { file, line: this.module._studio_MeshLine() };
    }

    giveMesh(mesh: Triangles): void {
        const bytes = (array: Float64Array | Int32Array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
        this.lend(bytes(mesh.vertices), (vertices) =>
            this.lend(bytes(mesh.triangles), (triangles) =>
                this.check(this.module._studio_GiveMesh(vertices, mesh.vertices.length / 3, triangles, mesh.triangles.length / 3)),
            ),
        );
    }

    tetrahedraFile(): string | null {
        const file = this.text(this.module._studio_TetrahedraFile());
        return file === '' ? null : file;
    }

    giveTetrahedra(text: string): void {
        this.lendText(text, (address, length) => this.check(this.module._studio_GiveTetrahedra(address, length)));
    }

    // Throws Failed; the stage before stays. Returns warnings and notes.
    build(keep: boolean): Problem[] {
        this.check(this.module._studio_Build(keep ? 1 : 0));
        this.arrays = null;
        this.names = [];
        for (let i = 0; this.text(this.module._studio_NumberName(i)) !== ''; ++i) {
            this.names.push(this.text(this.module._studio_NumberName(i)));
        }
        return this.problems();
    }

    opened(): Opened {
        const m = this.module;
        const a = this.take('none');
        const frame = this.doubles(m._studio_Frame(), 15);
        const vector = (i: number): Vector => [frame[3 * i], frame[3 * i + 1], frame[3 * i + 2]];
        const list = (count: number, name: (i: number) => number) => Array.from({ length: count }, (_, i) => this.text(name(i)));
        return {
            title: this.text(m._studio_Title()),
            triangles: this.ints(a.triangles, 3 * a.triangleCount).slice(),
            vertexBody: this.ints(a.vertexBody, a.vertexCount).slice(),
            springs: this.ints(a.springs, 2 * a.springCount).slice(),
            rest: this.floats(a.rest, 3 * a.vertexCount).slice(),
            solids: this.floats(a.solids, 3 * a.solidVertexCount).slice(),
            solidTriangles: this.ints(a.solidTriangles, 3 * a.solidTriangleCount).slice(),
            vertexCount: a.vertexCount,
            nodeCount: a.nodeCount,
            bodies: list(a.bodyCount, (i) => m._studio_BodyName(i)),
            bodyNodes: Array.from({ length: a.bodyCount }, (_, i) => m._studio_BodyNode(i)),
            probes: list(a.probeCount, (i) => m._studio_ProbeName(i)),
            numbers: this.names,
            origin: vector(0),
            lower: vector(1),
            upper: vector(2),
            floor: a.floor !== 0 ? { point: vector(3), normal: vector(4) } : null,
            duration: m._studio_Duration(),
            atRest: m._studio_IsStatic() !== 0,
            vectors: this.text(m._studio_Vectors()),
            kept: m._studio_Kept() !== 0,
        };
    }

    // ---- motion

    // Threads that the scene is large enough for.
    get mostThreads(): number {
        return this.module._studio_MostThreads();
    }

    // How many step from now on. Returns how many there are.
    setThreads(count: number): number {
        return this.module._studio_SetThreads(count);
    }

    reset(): void {
        this.check(this.module._studio_Reset());
    }

    // Throws Failed.
    step(count: number): void {
        this.check(this.module._studio_Step(count));
    }

    // Of a scene at rest: once more, with what hands do now. True: more of that would change nothing. Throws Failed.
    settle(): boolean {
        this.check(this.module._studio_Settle());
        return this.module._studio_Settled() !== 0;
    }

    get time(): number {
        return this.module._studio_Time();
    }

    get stepLength(): number {
        return this.module._studio_StepLength();
    }

    get hash(): string {
        const half = (high: number) => (this.module._studio_Hash(high) >>> 0).toString(16).padStart(8, '0');
        return half(1) + half(0);
    }

    // ---- looking

    private take(field: Field): Arrays {
        const address = this.module._studio_Look(FIELDS.indexOf(field));
        const words = this.ints(address, ARRAYS.length);
        this.arrays = Object.fromEntries(ARRAYS.map((name, i) => [name, words[i] >>> 0])) as Arrays;
        return this.arrays;
    }

    // The present shape, one after another as frameLayout says.
    frame(field: Field, into: Float32Array): void {
        const a = this.take(field);
        let at = 0;
        const put = (address: number, count: number) => {
            into.set(this.floats(address, count), at);
            at += count;
        };
        put(a.vertices, 3 * a.vertexCount);
        put(a.normals, 3 * a.vertexCount);
        put(a.values, a.vertexCount);
        put(a.nodes, 3 * a.nodeCount);
        put(a.nodeValues, a.nodeCount);
        put(a.solids, 3 * a.solidVertexCount);
    }

    numbers(): { numbers: Float64Array; probes: Float64Array } {
        this.module._studio_Count();
        const a = this.arrays ?? this.take('none');
        return { numbers: this.doubles(a.numbers, this.names.length).slice(), probes: this.doubles(a.probes, a.probeCount).slice() };
    }

    // ---- hands

    grab(point: Vector, radius: number): number {
        return this.module._studio_Grab(...point, radius);
    }

    pull(hand: number, point: Vector): void {
        this.module._studio_Pull(hand, ...point);
    }

    release(hand: number): void {
        this.module._studio_Release(hand);
    }

    // Whether a hand has hold of something.
    holds(hand: number): boolean {
        return this.module._studio_Holds(hand) !== 0;
    }

    push(a: Vector, b: Vector, radius: number): void {
        this.module._studio_Push(...a, ...b, radius);
    }

    putAway(): void {
        this.module._studio_PutAway();
    }

    // Of a hand, or of the tool with -1.
    force(hand: number): { place: Vector; force: Vector } {
        const n = this.doubles(this.module._studio_HandForce(hand), 6);
        return { place: [n[0], n[1], n[2]], force: [n[3], n[4], n[5]] };
    }

    // ---- taking home

    write(): string {
        return this.text(this.module._studio_Write());
    }

    glb(): Uint8Array {
        const path = '/surface.glb';
        this.lendText(path, (address) => this.check(this.module._studio_WriteGlb(address)));
        const bytes = this.module.FS.readFile(path);
        this.module.FS.unlink(path);
        return bytes;
    }

    measure(body: number): Measured[] {
        const m = this.module;
        this.check(m._studio_Measure(body));
        return Array.from({ length: m._studio_MeasurementCount() }, (_, i) => ({
            quantity: this.text(m._studio_Quantity(i)),
            unit: this.text(m._studio_Unit(i)),
            target: m._studio_Target(i),
            ours: m._studio_Ours(i),
        }));
    }
}
