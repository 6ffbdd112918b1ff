// SPDX-License-Identifier: MIT
//
// view.ts: one canvas for all panes, side by side or, where it is narrow, one above another, with one camera; and what is under the pointer.

import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { Figure } from './figure';
import { Framing } from './framing';
import type { Vector } from './protocol';

const WIDE = 1.5; // a view that is wider shows more beside the bodies, not larger ones
const NARROW = 1.2; // width over height, below which panes stand one above another

export class View {
    readonly camera = new THREE.PerspectiveCamera(35, 1, 0.01, 100);
    readonly controls: OrbitControls;
    onDraw: () => void = () => {};
    private readonly renderer: THREE.WebGLRenderer;
    private figures: (Figure | null)[] = [null];
    private readonly caster = new THREE.Raycaster();
    private drawn = false;
    private columns = 1; // of panes
    private rows = 1;
    private readonly framing: Framing;

    constructor(
        private readonly canvas: HTMLCanvasElement,
        still: boolean,
    ) {
        this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: false });
        this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = THREE.PCFShadowMap;
        this.camera.up.set(0, 0, 1);
        this.controls = new OrbitControls(this.camera, canvas);
        this.controls.enableDamping = !still;
        this.controls.mouseButtons = { LEFT: THREE.MOUSE.ROTATE, MIDDLE: THREE.MOUSE.DOLLY, RIGHT: THREE.MOUSE.PAN };
        this.controls.addEventListener('change', () => this.touch());
        this.framing = new Framing(this.camera, this.controls, WIDE, still);
        new ResizeObserver(() => this.resize()).observe(canvas.parentElement ?? canvas);
        this.resize();
    }

    // Something changed: draw with the next frame of the screen.
    touch(): void {
        this.drawn = false;
    }

    show(figures: (Figure | null)[]): void {
        const before = this.figures.length;
        this.figures = figures;
        if (figures.length !== before) {
            this.resize();
        }
        this.touch();
    }

    background(colour: string): void {
        this.renderer.setClearColor(new THREE.Color(colour));
        this.touch();
    }

    private resize(): void {
        const box = (this.canvas.parentElement ?? this.canvas).getBoundingClientRect();
        this.renderer.setSize(Math.max(1, box.width), Math.max(1, box.height), false);
        const before = Math.min(this.camera.aspect, WIDE);
        const stacked = this.figures.length > 1 && box.width < NARROW * box.height;
        [this.columns, this.rows] = stacked ? [1, this.figures.length] : [this.figures.length, 1];
        this.canvas.parentElement?.classList.toggle('stacked', stacked);
        this.camera.aspect = (Math.max(1, box.width) / Math.max(1, box.height)) * (this.rows / this.columns);
        this.camera.updateProjectionMatrix();
        // what was within the view stays within it
        this.framing.widen(before / Math.min(this.camera.aspect, WIDE));
        this.touch();
    }

    // Look at all of a figure from a direction, as it is at its start.
    frame(figure: Figure, direction: Vector): void {
        const { lower, upper, origin, floor } = figure.opened;
        const middle = new THREE.Vector3(...lower.map((l, i) => 0.5 * (l + upper[i]) - origin[i]));
        const half = new THREE.Vector3(...lower.map((l, i) => 0.5 * (upper[i] - l)));
        const box = new THREE.Box3(middle.clone().sub(half), middle.clone().add(half));
        // a body that is to fall is seen together with the floor below
        if (floor !== null) {
            const height = lower.reduce((sum, l, i) => sum + (l - floor.point[i]) * floor.normal[i], 0);
            const drop = new THREE.Vector3(...floor.normal).multiplyScalar(-Math.min(Math.max(height, 0), 4 * figure.size));
            box.union(box.clone().translate(drop));
        }
        this.framing.begin(box, new THREE.Vector3(...direction));
        this.touch();
    }

    // Look at bodies where they are now, from where the camera is.
    fit(figure: Figure): void {
        const box = figure.bounds();
        if (!box.isEmpty()) {
            this.framing.begin(box, this.camera.position.clone().sub(this.controls.target));
            this.touch();
        }
    }

    // The scene begins anew, and so does the camera where nobody has taken it.
    restart(): void {
        this.framing.restart();
        this.touch();
    }

    // ---- keys

    // By angles, and nearer or farther by a factor.
    turn(right: number, up: number, by = 1): void {
        this.framing.taken = true;
        const { target } = this.controls;
        const offset = this.camera.position.clone().sub(target);
        const side = this.across();
        const tilt = Math.PI / 2 - offset.angleTo(this.camera.up);
        const most = 0.49 * Math.PI;
        offset.applyAxisAngle(side, Math.min(Math.max(tilt + up, -most), most) * -1 + tilt);
        offset.applyAxisAngle(this.camera.up, right).multiplyScalar(by);
        this.camera.position.copy(target).add(offset);
        this.touch();
    }

    // To the right, as it is seen.
    across(): THREE.Vector3 {
        return new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
    }

    // ---- the pointer

    // Which pane, and the place within it from -1 to 1.
    private place(x: number, y: number): { pane: number; at: THREE.Vector2 } {
        const box = this.canvas.getBoundingClientRect();
        const part = (from: number, size: number, count: number) => {
            const along = (from / size) * count;
            const index = Math.min(Math.max(Math.floor(along), 0), count - 1);
            return { index, at: along - index };
        };
        const across = part(x - box.left, box.width, this.columns);
        const down = part(y - box.top, box.height, this.rows);
        const pane = across.index + down.index;
        const at = new THREE.Vector2(2 * across.at - 1, 1 - 2 * down.at);
        return { pane, at };
    }

    // The point of a body under the pointer, with the normal there; beside bodies one as far away as the middle of the view, without a normal.
    // Bodies without a surface are picked by their nodes.
    pick(x: number, y: number): { pane: number; point: THREE.Vector3; normal: THREE.Vector3 | null } | null {
        const { pane, at } = this.place(x, y);
        const figure = this.figures[pane];
        if (figure === null || figure === undefined || figure.frame === null) {
            return null;
        }
        this.caster.setFromCamera(at, this.camera);
        const towards = this.camera.getWorldDirection(new THREE.Vector3()).negate();
        if (figure.opened.triangles.length === 0) {
            const node = this.nearestNode(figure, at);
            return node === undefined ? this.pickBeside(pane, x, y) : { pane, point: node, normal: towards };
        }
        const hit = this.caster.intersectObject(figure.surface, false)[0];
        if (hit === undefined) {
            return this.pickBeside(pane, x, y);
        }
        const normal = hit.face?.normal.clone() ?? towards;
        return { pane, point: hit.point, normal: normal.dot(towards) < 0 ? normal.negate() : normal };
    }

    private pickBeside(pane: number, x: number, y: number): { pane: number; point: THREE.Vector3; normal: null } {
        return { pane, point: this.follow(x, y, this.controls.target), normal: null };
    }

    private nearestNode(figure: Figure, at: THREE.Vector2): THREE.Vector3 | undefined {
        const frame = figure.frame;
        if (frame === null) {
            return undefined;
        }
        const nodes = new Float32Array(frame.buffer, 4 * figure.layout.nodes, 3 * figure.opened.nodeCount);
        const point = new THREE.Vector3();
        let best: THREE.Vector3 | undefined;
        let least = 0.05;
        for (let i = 0; i < nodes.length; i += 3) {
            point.set(nodes[i], nodes[i + 1], nodes[i + 2]).project(this.camera);
            const distance = Math.hypot((point.x - at.x) * this.camera.aspect, point.y - at.y);
            if (distance < least) {
                least = distance;
                best = new THREE.Vector3(nodes[i], nodes[i + 1], nodes[i + 2]);
            }
        }
        return best;
    }

    // Where the pointer is on the plane through a point that faces the camera.
    follow(x: number, y: number, through: THREE.Vector3): THREE.Vector3 {
        const { at } = this.place(x, y);
        this.caster.setFromCamera(at, this.camera);
        const normal = this.camera.getWorldDirection(new THREE.Vector3());
        const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, through);
        return this.caster.ray.intersectPlane(plane, new THREE.Vector3()) ?? through.clone();
    }

    // Its column and its row.
    private placeOf(pane: number): [number, number] {
        return this.rows > 1 ? [0, pane] : [pane, 0];
    }

    // Pixels of a point of a pane within the canvas.
    onScreen(pane: number, point: Vector): { x: number; y: number } {
        const box = this.canvas.getBoundingClientRect();
        const p = new THREE.Vector3(...point).project(this.camera);
        const [column, row] = this.placeOf(pane);
        return { x: ((column + 0.5 + 0.5 * p.x) * box.width) / this.columns, y: ((row + 0.5 - 0.5 * p.y) * box.height) / this.rows };
    }

    // ---- drawing

    draw(): void {
        const followed = this.framing.follow(this.figures);
        const moved = this.controls.update();
        if (this.drawn && !moved && !followed) {
            return;
        }
        this.drawn = true;
        const size = this.renderer.getSize(new THREE.Vector2());
        const [width, height] = [size.x / this.columns, size.y / this.rows];
        this.renderer.setScissorTest(true);
        this.figures.forEach((figure, i) => {
            const [column, row] = this.placeOf(i);
            const part = [column * width, (this.rows - 1 - row) * height, width, height] as const;
            this.renderer.setViewport(...part);
            this.renderer.setScissor(...part);
            if (figure !== null) {
                this.renderer.render(figure.scene, this.camera);
            } else {
                this.renderer.clear();
            }
        });
        this.onDraw();
    }

    // A picture of what is seen, as PNG.
    picture(): Promise<Blob | null> {
        this.touch();
        this.draw();
        return new Promise((resolve) => this.canvas.toBlob(resolve, 'image/png'));
    }
}
