// SPDX-License-Identifier: MIT
//
// pointer.ts: what the mouse or a finger does: pull a body, pin it, push it with a ball or a rod; beside bodies it turns
// the view. Two fingers always belong to the view.

import type * as THREE from 'three';
import type { Pane } from './pane';
import type { Vector } from './protocol';
import type { View } from './view';

export const POINTERS = ['pull', 'pin', 'ball', 'rod', 'turn'] as const;
export type PointerMode = (typeof POINTERS)[number];

interface Drag {
    pointer: number;
    event: PointerEvent; // that began it
    hand: number; // -1: the tool
    pane: Pane;
    through: THREE.Vector3;
}

const atRest = (pane: Pane) => pane.figure?.opened.atRest === true;

export class Pointer {
    mode: PointerMode = 'pull';
    onPick: (pane: Pane) => void = () => {};
    private drag: Drag | null = null;
    private nextHand = 1;
    private readonly fingers = new Set<number>(); // on the canvas
    private handing = false; // a finger over to the view

    constructor(
        private readonly canvas: HTMLCanvasElement,
        private readonly view: View,
        private readonly panes: () => Pane[],
    ) {
        // before OrbitControls, which listens on the canvas
        const options = { capture: true };
        canvas.parentElement?.addEventListener('pointerdown', (event) => this.down(event), options);
        window.addEventListener('pointermove', (event) => this.move(event));
        for (const end of ['pointerup', 'pointercancel'] as const) {
            window.addEventListener(end, (event) => {
                this.fingers.delete(event.pointerId);
                this.up(event.pointerId);
            });
        }
    }

    // A second finger: the first one lets go, and both zoom.
    private handOver(first: PointerEvent): void {
        this.up(first.pointerId);
        this.handing = true;
        this.canvas.dispatchEvent(new PointerEvent('pointerdown', first));
        this.handing = false;
    }

    private down(event: PointerEvent): void {
        if (event.target !== this.canvas || event.button !== 0 || this.handing) {
            return;
        }
        if (event.pointerType === 'touch') {
            this.fingers.add(event.pointerId);
            if (this.fingers.size > 1) {
                if (this.drag !== null) {
                    this.handOver(this.drag.event);
                }
                return;
            }
        }
        if (this.drag !== null || this.mode === 'turn') {
            return;
        }
        const pushes = this.mode === 'ball' || this.mode === 'rod';
        const hit = this.view.pick(event.clientX, event.clientY);
        const pane = hit === null ? undefined : this.panes()[hit.pane];
        if (pane === undefined || hit === null || (hit.normal === null && !pushes)) {
            return;
        }
        event.stopPropagation();
        event.preventDefault();
        this.canvas.focus();
        this.onPick(pane);
        if (pushes && atRest(pane)) {
            return; // the choice of pointers says why
        }
        if (this.mode === 'pin') {
            this.togglePin(pane, hit.point);
            return;
        }
        this.view.controls.enabled = false;
        if (pushes) {
            this.startPush(event, pane, hit.point, hit.normal);
        } else {
            this.drag = { pointer: event.pointerId, event, hand: this.nextHand++, pane, through: hit.point };
            pane.grab(this.drag.hand, hit.point.toArray() as Vector);
        }
        pane.simulation.want();
    }

    // A scene that is at rest from now on bears no tool.
    putAway(): void {
        if (this.drag !== null && this.drag.hand < 0 && atRest(this.drag.pane)) {
            this.up(this.drag.pointer);
        }
    }

    // A pin is a hand that stays. A click near one takes it away.
    private togglePin(pane: Pane, point: THREE.Vector3): void {
        for (const [hand, pin] of pane.pins) {
            if (point.distanceTo({ x: pin[0], y: pin[1], z: pin[2] }) < 1.2 * pane.gripRadius) {
                pane.unpin(hand);
                this.view.touch();
                return;
            }
        }
        pane.pin(this.nextHand++, point.toArray() as Vector);
        this.view.touch();
    }

    // A tool that begins beside a surface and presses into it; beside bodies it is where it can be pushed into them.
    private startPush(event: PointerEvent, pane: Pane, point: THREE.Vector3, normal: THREE.Vector3 | null): void {
        const radius = this.toolRadius(pane);
        this.drag = { pointer: event.pointerId, event, hand: -1, pane, through: point };
        if (normal !== null) {
            this.push(point.clone().addScaledVector(normal, radius));
        }
        this.push(point);
    }

    private toolRadius(pane: Pane): number {
        return (this.mode === 'rod' ? 0.8 : 1.4) * pane.gripRadius;
    }

    // A rod lies across the view.
    private push(to: THREE.Vector3): void {
        if (this.drag !== null) {
            const { pane } = this.drag;
            const radius = this.toolRadius(pane);
            const half = this.view.across().multiplyScalar(this.mode === 'rod' ? 6 * pane.gripRadius : 0);
            const ends = [to.clone().sub(half), to.clone().add(half)] as const;
            pane.simulation.push(ends[0].toArray() as Vector, ends[1].toArray() as Vector, radius);
            pane.figure?.showTool(ends, radius);
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

    private up(pointer: number): void {
        if (this.drag === null || pointer !== this.drag.pointer) {
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
