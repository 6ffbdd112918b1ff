// SPDX-License-Identifier: MIT
//
// figure.ts: the three.js objects of one pane: bodies, what they bump into, the floor, forces of hands. Arrays of a frame go to the
// graphics card as they came from the worker.

import * as THREE from 'three';
import { edges, fieldUniforms, paint, placeOf, rule } from './paint';
import { type Field, type Frame, frameLayout, type FrameLayout, type HandForce, type Opened, type Vector } from './protocol';

export interface Look {
    surface: boolean;
    springs: boolean;
    nodes: boolean;
    rest: boolean;
    field: Field;
}

const PIN_COLOUR = 0x2f6fe0; // as in style.css
function attribute(array: Float32Array, size: number): THREE.BufferAttribute {
    const made = new THREE.BufferAttribute(array, size);
    made.setUsage(THREE.DynamicDrawUsage);
    return made;
}

export class Figure {
    readonly scene = new THREE.Scene();
    readonly opened: Opened;
    readonly layout: FrameLayout;
    readonly surface: THREE.Mesh; // for picking
    range: [number, number] = [0, 0];
    private mapped = false; // a field to colours
    frame: Frame | null = null;
    private readonly springs: THREE.LineSegments;
    private readonly nodes: THREE.Points;
    private readonly rest: THREE.LineSegments | null;
    private readonly solids: THREE.Mesh | null;
    private readonly arrows = new Map<number, THREE.ArrowHelper>();
    private readonly pins = new Map<number, THREE.Mesh<THREE.BufferGeometry, THREE.Material>>();
    private readonly toolShape = new THREE.Mesh(new THREE.BufferGeometry(), new THREE.MeshStandardMaterial({ color: 0x8899aa, metalness: 0.4, roughness: 0.4 }));
    private readonly uniforms = fieldUniforms();
    readonly size: number; // of the scene [m]
    private readonly box = new THREE.Box3(); // around what is drawn of the bodies now
    private readonly sun = new THREE.DirectionalLight(0xffffff, 1.3);
    private floor: THREE.Mesh | null = null;

    constructor(opened: Opened, dark: boolean) {
        this.opened = opened;
        this.layout = frameLayout(opened.vertexCount, opened.nodeCount, opened.solids.length);
        this.size = Math.max(1e-6, Math.hypot(...opened.upper.map((u, i) => u - opened.lower[i])));
        this.surface = this.makeSurface();
        const nodes = this.nodeGeometry();
        this.nodes = this.makeNodes(nodes);
        this.springs = this.makeSprings(nodes);
        this.rest = opened.triangles.length > 0 ? this.makeRest(dark) : null;
        this.solids = opened.solids.length > 0 ? this.makeSolids() : null;
        this.toolShape.visible = false;
        this.toolShape.castShadow = true;
        this.scene.add(this.toolShape);
        this.addFloor(dark);
        this.addLights();
    }

    private nodeBodies(): Float32Array {
        const { bodyNodes, nodeCount } = this.opened;
        const places = new Float32Array(nodeCount);
        bodyNodes.forEach((first, body) => places.fill(placeOf(body), first, bodyNodes[body + 1] ?? nodeCount));
        return places;
    }

    private makeSurface(): THREE.Mesh {
        const { opened } = this;
        const geometry = new THREE.BufferGeometry();
        geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(opened.triangles.buffer, opened.triangles.byteOffset, opened.triangles.length), 1));
        geometry.setAttribute('position', attribute(opened.rest.slice(), 3));
        geometry.setAttribute('normal', attribute(new Float32Array(3 * opened.vertexCount), 3));
        geometry.setAttribute('fieldValue', attribute(new Float32Array(opened.vertexCount), 1));
        const places = Float32Array.from(opened.vertexBody, placeOf);
        geometry.setAttribute('bodyPlace', new THREE.BufferAttribute(places, 1));
        geometry.setAttribute('edge', new THREE.BufferAttribute(edges(opened.rest, opened.triangles), 1));
        const material = new THREE.MeshStandardMaterial({ roughness: 0.55, metalness: 0, side: THREE.DoubleSide });
        paint(material, this.uniforms);
        const mesh = new THREE.Mesh(geometry, material);
        mesh.frustumCulled = false;
        mesh.castShadow = true;
        mesh.receiveShadow = true;
        this.scene.add(mesh);
        return mesh;
    }

    // Places, values and bodies of the nodes.
    private nodeGeometry(): THREE.BufferGeometry {
        const { nodeCount } = this.opened;
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute('position', attribute(new Float32Array(3 * nodeCount), 3));
        geometry.setAttribute('fieldValue', attribute(new Float32Array(nodeCount), 1));
        geometry.setAttribute('bodyPlace', attribute(this.nodeBodies(), 1));
        return geometry;
    }

    private makeSprings(nodes: THREE.BufferGeometry): THREE.LineSegments {
        const { springs } = this.opened;
        const geometry = new THREE.BufferGeometry();
        geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(springs.buffer, springs.byteOffset, springs.length), 1));
        Object.assign(geometry.attributes, nodes.attributes); // shared: what nodes take, springs have
        const material = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.7 });
        paint(material, this.uniforms);
        const lines = new THREE.LineSegments(geometry, material);
        lines.frustumCulled = false;
        this.scene.add(lines);
        return lines;
    }

    private makeNodes(geometry: THREE.BufferGeometry): THREE.Points {
        const material = new THREE.PointsMaterial({ size: 4, sizeAttenuation: false });
        paint(material, this.uniforms);
        const points = new THREE.Points(geometry, material);
        points.frustumCulled = false;
        this.scene.add(points);
        return points;
    }

    private makeRest(dark: boolean): THREE.LineSegments {
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute('position', new THREE.BufferAttribute(this.opened.rest, 3));
        geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from(this.opened.triangles), 1));
        const wire = new THREE.WireframeGeometry(geometry);
        const lines = new THREE.LineSegments(wire, new THREE.LineBasicMaterial({ color: dark ? 0xc8d0d8 : 0x38424c, transparent: true, opacity: 0.22 }));
        geometry.dispose();
        this.scene.add(lines);
        return lines;
    }

    private makeSolids(): THREE.Mesh {
        const { opened } = this;
        const geometry = new THREE.BufferGeometry();
        geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from(opened.solidTriangles), 1));
        geometry.setAttribute('position', attribute(opened.solids.slice(), 3));
        const material = new THREE.MeshStandardMaterial({ color: 0x9aa4ad, roughness: 0.8, flatShading: true, side: THREE.DoubleSide });
        const mesh = new THREE.Mesh(geometry, material);
        mesh.frustumCulled = false;
        mesh.castShadow = true;
        mesh.receiveShadow = true;
        this.scene.add(mesh);
        return mesh;
    }

    // Between two lines of the floor [m].
    private get cell(): number {
        return 10 ** Math.round(Math.log10(this.size / 8));
    }

    private addFloor(dark: boolean): void {
        const { floor, origin } = this.opened;
        if (floor === null) {
            return;
        }
        const extent = 8 * this.size;
        const material = new THREE.MeshStandardMaterial({ color: dark ? 0x2b3137 : 0xe9ebed, roughness: 1, transparent: true });
        rule(material, this.cell, 0.5 * extent, dark);
        const plane = new THREE.Mesh(new THREE.PlaneGeometry(extent, extent), material);
        plane.receiveShadow = true;
        plane.position.z = -1e-3 * this.size;
        const group = new THREE.Group();
        group.add(plane);
        this.floor = plane;
        const normal = new THREE.Vector3(...floor.normal);
        group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal);
        // under the middle of the scene
        const toPlane = floor.point.map((p, i) => p - origin[i]);
        const height = normal.x * toPlane[0] + normal.y * toPlane[1] + normal.z * toPlane[2];
        group.position.copy(normal.multiplyScalar(height));
        this.scene.add(group);
    }

    private addLights(): void {
        this.scene.add(new THREE.HemisphereLight(0xffffff, 0xaab0b6, 2.1));
        const { sun } = this;
        sun.position.set(-0.6 * this.size, -0.8 * this.size, 1.7 * this.size);
        sun.castShadow = true;
        sun.shadow.mapSize.set(1024, 1024);
        const reach = 0.9 * this.size;
        Object.assign(sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.01 * this.size, far: 5 * this.size });
        sun.shadow.normalBias = 0.004 * this.size;
        sun.shadow.bias = -1e-3;
        // sides that face away from the sun keep their colours
        const fill = new THREE.DirectionalLight(0xffffff, 0.6);
        fill.position.set(0.7 * this.size, -this.size, 0.1 * this.size);
        this.scene.add(sun, sun.target, fill);
    }

    // Shadows and the floor go along with bodies that move far, the floor by whole cells.
    private goAlong(): void {
        const middle = this.box.getCenter(new THREE.Vector3());
        const way = middle.clone().sub(this.sun.target.position);
        if (this.box.isEmpty() || way.length() < 0.2 * this.size) {
            return;
        }
        this.sun.position.add(way);
        this.sun.target.position.add(way);
        if (this.floor?.parent) {
            const whole = (x: number) => 10 * this.cell * Math.round(x / (10 * this.cell));
            const along = middle.applyQuaternion(this.floor.parent.quaternion.clone().invert());
            this.floor.position.setX(whole(along.x)).setY(whole(along.y));
        }
    }

    show(look: Look): void {
        const bare = this.opened.triangles.length === 0;
        this.surface.visible = look.surface && !bare;
        this.springs.visible = look.springs || bare;
        this.nodes.visible = look.nodes || bare;
        if (this.rest !== null) {
            this.rest.visible = look.rest;
        }
        this.mapped = look.field !== 'none';
        this.setRange(...this.range);
    }

    private put(geometry: THREE.BufferGeometry, name: string, array: Float32Array): void {
        const target = geometry.getAttribute(name) as THREE.BufferAttribute;
        target.array = array;
        target.needsUpdate = true;
    }

    // Draw this frame from now on. Returns the one before, whose buffer is free.
    take(frame: Frame): Frame | null {
        const before = this.frame;
        const { buffer } = frame;
        const { layout: at, opened } = this;
        const part = (from: number, count: number) => new Float32Array(buffer, 4 * from, count);
        this.put(this.surface.geometry, 'position', part(at.vertices, 3 * opened.vertexCount));
        this.put(this.surface.geometry, 'normal', part(at.normals, 3 * opened.vertexCount));
        this.put(this.surface.geometry, 'fieldValue', part(at.values, opened.vertexCount));
        this.put(this.nodes.geometry, 'position', part(at.nodes, 3 * opened.nodeCount));
        this.put(this.nodes.geometry, 'fieldValue', part(at.nodeValues, opened.nodeCount));
        if (this.solids !== null) {
            this.put(this.solids.geometry, 'position', part(at.solids, opened.solids.length));
        }
        this.surface.geometry.boundingSphere = null;
        this.frame = frame;
        this.box.setFromArray(opened.vertexCount > 0 ? part(at.vertices, 3 * opened.vertexCount) : part(at.nodes, 3 * opened.nodeCount));
        this.goAlong();
        this.showHands(frame.hands);
        return before;
    }

    // A box around what is drawn of the bodies now; empty before there is a frame.
    bounds(): THREE.Box3 {
        return this.box.clone();
    }

    // Where a field is zero everywhere, bodies keep their own colours.
    setRange(low: number, high: number): void {
        this.range = [low, high];
        this.uniforms.fieldRange.value.set(low, high);
        this.uniforms.fieldOn.value = this.mapped && high > low ? 1 : 0;
    }

    // ---- hands

    private showHands(hands: HandForce[]): void {
        const present = new Set(hands.map((h) => h.hand));
        for (const [hand, arrow] of this.arrows) {
            if (!present.has(hand)) {
                this.scene.remove(arrow);
                arrow.dispose();
                this.arrows.delete(hand);
            }
        }
        const strongest = Math.max(1e-12, ...hands.map((h) => Math.hypot(...h.force)));
        for (const { hand, place, force } of hands) {
            const size = Math.hypot(...force);
            let arrow = this.arrows.get(hand);
            if (arrow === undefined) {
                arrow = new THREE.ArrowHelper(new THREE.Vector3(0, 0, 1), new THREE.Vector3(), 1, this.pins.has(hand) ? PIN_COLOUR : 0xd03030);
                this.arrows.set(hand, arrow);
                this.scene.add(arrow);
            }
            const length = 0.25 * this.size * (0.25 + (0.75 * size) / strongest);
            arrow.position.set(...place);
            arrow.visible = size > 0;
            if (size > 0) {
                arrow.setDirection(new THREE.Vector3(...force).multiplyScalar(1 / size));
                arrow.setLength(length, 0.2 * length, 0.1 * length);
            }
        }
    }

    // Points of pins, by their hands.
    showPins(points: ReadonlyMap<number, Vector>): void {
        for (const [hand, ball] of this.pins) {
            if (!points.has(hand)) {
                this.scene.remove(ball);
                ball.geometry.dispose();
                ball.material.dispose();
                this.pins.delete(hand);
            }
        }
        for (const [hand, point] of points) {
            if (!this.pins.has(hand)) {
                // seen through the body, too
                const ball = new THREE.Mesh(new THREE.SphereGeometry(0.012 * this.size, 16, 12), new THREE.MeshBasicMaterial({ color: PIN_COLOUR, depthTest: false }));
                ball.position.set(...point);
                ball.renderOrder = 1;
                this.pins.set(hand, ball);
                this.scene.add(ball);
            }
        }
    }

    // A tool with this radius, from one end to the other; null: it is put away.
    showTool(ends: readonly [THREE.Vector3, THREE.Vector3] | null, radius: number): void {
        this.toolShape.visible = ends !== null;
        if (ends !== null) {
            const along = ends[1].clone().sub(ends[0]);
            const shape = `${radius} ${along.length().toPrecision(4)}`;
            if (this.toolShape.name !== shape) {
                this.toolShape.name = shape;
                this.toolShape.geometry.dispose();
                this.toolShape.geometry = new THREE.CapsuleGeometry(radius, along.length(), 12, 32);
            }
            this.toolShape.position.copy(ends[0]).addScaledVector(along, 0.5);
            if (along.length() > 0) {
                this.toolShape.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.normalize());
            }
        }
    }

    dispose(): void {
        this.scene.traverse((object) => {
            if (object instanceof THREE.Mesh || object instanceof THREE.LineSegments || object instanceof THREE.Points) {
                object.geometry.dispose();
                for (const material of [object.material].flat()) {
                    (material as THREE.Material).dispose();
                }
            }
        });
    }
}
