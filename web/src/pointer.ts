// SPDX-License-Identifier: MIT
//
// pointer.ts: what the mouse or a finger does: pull a body, pin it, push it with a ball; beside bodies it turns the view.

import type * as THREE from 'three';
import type { Pane } from './pane';
import type { Vector } from './protocol';
import type { View } from './view';

export const POINTERS = ['pull', 'pin', 'push', 'turn'] as const;
export type PointerMode = (typeof POINTERS)[number];

interface Drag {
    pointer: number;
    hand: number; // -1: the tool
    pane: Pane;
    through: THREE.Vector3;
}

export class Pointer {
    mode: PointerMode = 'pull';
    onPick: (pane: Pane) => void = () => {};
    private drag: Drag | null = null;
    private nextHand = 1;
    private readonly pins = new Map<number, { pane: Pane; point: THREE.Vector3 }>();

    constructor(
        private readonly canvas: HTMLCanvasElement,
        private readonly view: View,
        private readonly panes: () => Pane[],
    ) {
        // before OrbitControls, which listens on the canvas
        const options = { capture: true };
        canvas.parentElement?.addEventListener('pointerdown', (event) => this.down(event), options);
        window.addEventListener('pointermove', (event) => this.move(event));
        window.addEventListener('pointerup', (event) => this.up(event));
        window.addEventListener('pointercancel', (event) => this.up(event));
    }

    private down(event: PointerEvent): void {
        if (event.target !== this.canvas || event.button !== 0 || this.drag !== null || this.mode === 'turn') {
            return;
        }
        const hit = this.view.pick(event.clientX, event.clientY);
        const pane = hit === null ? undefined : this.panes()[hit.pane];
        if (pane === undefined || hit === null || (hit.normal === null && this.mode !== 'push')) {
            return;
        }
        event.stopPropagation();
        event.preventDefault();
        this.canvas.focus();
        this.onPick(pane);
        if (this.mode === 'pin') {
            this.togglePin(pane, hit.point);
            return;
        }
        this.view.controls.enabled = false;
        if (this.mode === 'push') {
            this.startPush(event.pointerId, pane, hit.point, hit.normal);
        } else {
            this.drag = { pointer: event.pointerId, hand: this.nextHand++, pane, through: hit.point };
            pane.grab(this.drag.hand, hit.point.toArray() as Vector);
        }
        pane.simulation.want();
    }

    // A pin is a hand that stays. A click near one takes it away.
    private togglePin(pane: Pane, point: THREE.Vector3): void {
        for (const [hand, pin] of this.pins) {
            if (pin.pane === pane && pin.point.distanceTo(point) < 1.2 * pane.gripRadius) {
                pane.simulation.release(hand);
                this.pins.delete(hand);
                return;
            }
        }
        const hand = this.nextHand++;
        this.pins.set(hand, { pane, point: point.clone() });
        pane.grab(hand, point.toArray() as Vector);
    }

    // Pins of a scene that is shown anew are gone.
    forget(pane: Pane): void {
        for (const [hand, pin] of this.pins) {
            if (pin.pane === pane) {
                this.pins.delete(hand);
            }
        }
    }

    // A ball that begins beside a surface and presses into it; beside bodies it is where it can be pushed into them.
    private startPush(pointer: number, pane: Pane, point: THREE.Vector3, normal: THREE.Vector3 | null): void {
        const radius = this.ballRadius(pane);
        this.drag = { pointer, hand: -1, pane, through: point };
        if (normal !== null) {
            this.push(point.clone().addScaledVector(normal, radius));
        }
        this.push(point);
    }

    private ballRadius(pane: Pane): number {
        return 1.4 * pane.gripRadius;
    }

    private push(to: THREE.Vector3): void {
        if (this.drag !== null) {
            const { pane } = this.drag;
            const radius = this.ballRadius(pane);
            const point = to.toArray() as Vector;
            pane.simulation.push(point, point, radius);
            pane.figure?.showTool(to, radius);
        }
    }

    private move(event: PointerEvent): void {
        if (this.drag === null || event.pointerId !== this.drag.pointer) {
            return;
        }
        const { pane, hand, through } = this.drag;
        const to = this.view.follow(event.clientX, event.clientY, through);
        if (hand >= 0) {
            pane.simulation.pull(hand, to.toArray() as Vector);
        } else {
            this.push(to);
        }
        pane.simulation.want();
        this.view.touch();
    }

    private up(event: PointerEvent): void {
        if (this.drag === null || event.pointerId !== this.drag.pointer) {
            return;
        }
        const { pane, hand } = this.drag;
        if (hand >= 0) {
            pane.simulation.release(hand);
        } else {
            pane.simulation.putAway();
            pane.figure?.showTool(null, 0);
        }
        pane.simulation.want();
        this.drag = null;
        this.view.controls.enabled = true;
    }
}
