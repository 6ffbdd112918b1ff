// SPDX-License-Identifier: MIT
//
// framing.ts: where the camera stands: all of a box is seen, and while bodies move out of what is seen it goes back, until somebody takes it.

import * as THREE from 'three';
import type { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { Figure } from './figure';

const ROOM = 1.3; // around bodies
const EDGE = 0.97; // of the view, beyond which bodies are leaving it
const FARTHEST = 5; // over the box at first: what flies away for good is not followed
const SOON = 0.25; // s

export class Framing {
    taken = false; // by somebody who turned, moved or zoomed
    private start = new THREE.Box3();
    private box = new THREE.Box3(); // that is seen
    private direction = new THREE.Vector3();
    private readonly place = new THREE.Vector3(); // where the camera goes
    private readonly middle = new THREE.Vector3(); // and what it looks at
    private there = true;
    private last = 0;

    constructor(
        private readonly camera: THREE.PerspectiveCamera,
        private readonly controls: OrbitControls,
        private readonly widest: number,
        private readonly still: boolean,
    ) {
        controls.addEventListener('start', () => (this.taken = true));
    }

    // Look at all corners of a box from a direction, from now on.
    begin(box: THREE.Box3, direction: THREE.Vector3): void {
        this.taken = false;
        this.start = box;
        this.direction = direction.clone().normalize();
        this.restart();
    }

    restart(): void {
        if (!this.taken) {
            this.box = this.start.clone();
            this.find();
            this.approach(1);
        }
    }

    // The view has another shape: as much of it is seen as before, by a factor of the distance where somebody has taken the camera.
    widen(factor: number): void {
        if (this.taken || this.box.isEmpty()) {
            const { target } = this.controls;
            this.camera.position.sub(target).multiplyScalar(factor).add(target);
        } else {
            this.find();
            this.approach(1);
        }
    }

    // With every picture. True: the camera has moved.
    follow(figures: readonly (Figure | null)[]): boolean {
        const now = performance.now() / 1000;
        const passed = Math.min(now - this.last, 0.1);
        this.last = now;
        if (this.taken || !this.controls.enabled || this.box.isEmpty()) {
            return false;
        }
        for (const figure of figures) {
            this.include(figure?.bounds() ?? new THREE.Box3());
        }
        if (this.there) {
            return false;
        }
        this.approach(this.still ? 1 : 1 - Math.exp(-passed / SOON));
        return true;
    }

    private include(bodies: THREE.Box3): void {
        const box = this.box.clone().union(bodies);
        const size = (b: THREE.Box3) => b.getSize(new THREE.Vector3()).length();
        if (!bodies.isEmpty() && !box.equals(this.box) && size(box) < FARTHEST * size(this.start) && this.leaves(bodies)) {
            this.box = box;
            this.find();
        }
    }

    private leaves(box: THREE.Box3): boolean {
        this.camera.updateMatrixWorld();
        const corner = new THREE.Vector3();
        return [0, 1, 2, 3, 4, 5, 6, 7].some((i) => {
            const [x, y, z] = (['x', 'y', 'z'] as const).map((axis, bit) => (i & (1 << bit) ? box.max : box.min)[axis]);
            corner.set(x, y, z).project(this.camera);
            return Math.max(Math.abs(corner.x), Math.abs(corner.y)) > EDGE;
        });
    }

    // All corners of the box, with room for it to move.
    private find(): void {
        const half = this.box.getSize(new THREE.Vector3()).multiplyScalar(0.5);
        const ahead = this.direction;
        const right = new THREE.Vector3().crossVectors(this.camera.up, ahead).normalize();
        const up = new THREE.Vector3().crossVectors(ahead, right);
        const tall = Math.tan((0.5 * this.camera.fov * Math.PI) / 180);
        const wide = tall * Math.min(this.camera.aspect, this.widest);
        const reach = (axis: THREE.Vector3) => half.x * Math.abs(axis.x) + half.y * Math.abs(axis.y) + half.z * Math.abs(axis.z);
        const distance = Math.max(1e-9, 0.7 * reach(ahead) + ROOM * Math.max(reach(up) / tall, reach(right) / wide));
        this.box.getCenter(this.middle);
        this.place.copy(this.middle).addScaledVector(ahead, distance);
        this.there = false;
    }

    private approach(part: number): void {
        const { camera, controls } = this;
        const distance = this.place.distanceTo(this.middle);
        this.there = part === 1 || camera.position.distanceTo(this.place) < 1e-3 * distance;
        camera.position.lerp(this.place, part);
        controls.target.lerp(this.middle, part);
        camera.near = 0.01 * distance;
        camera.far = 100 * distance;
        camera.updateProjectionMatrix();
        controls.update();
    }
}
