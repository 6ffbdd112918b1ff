// SPDX-License-Identifier: MIT
//
// dropped.ts: files that a person drops or chooses.

import { MESH_FILES, readMesh, sceneOfMesh } from './meshFiles';
import type { SceneFiles } from './protocol';

// A scene with the meshes that it names, or a mesh alone. Throws an Error that says what is wrong.
export async function readFiles(list: readonly File[]): Promise<{ text: string; files: SceneFiles }> {
    const files: SceneFiles = {};
    let scene: string | null = null;
    let lone: string | null = null;
    for (const file of list) {
        if (/\.ya?ml$/i.test(file.name)) {
            scene = await file.text();
        } else if (MESH_FILES.test(file.name)) {
            const mesh = await readMesh(file.name, await file.arrayBuffer());
            files[file.name] = mesh;
            lone ??= sceneOfMesh(file.name, mesh);
        } else if (/\.(msh|vtk)$/i.test(file.name)) {
            files[file.name] = await file.text();
        } else {
            throw new Error(`${file.name}: expected a scene (.yaml) or a mesh (.obj, .stl, .ply, .glb)`);
        }
    }
    const text = scene ?? lone;
    if (text === null) {
        throw new Error('expected a scene (.yaml), alone or with the files that it names');
    }
    return { text, files };
}
