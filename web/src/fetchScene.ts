// SPDX-License-Identifier: MIT
//
// fetchScene.ts: a scene by its address, as `resilin studio SCENE` serves it, with the files that it names.

import { MESH_FILES, readMesh } from './meshFiles';
import type { SceneFiles } from './protocol';
import { readTree } from './tree';

async function get(address: URL): Promise<Response> {
    const response = await fetch(address);
    if (!response.ok) {
        throw new Error(`${address.pathname}: ${response.status} ${response.statusText}`);
    }
    return response;
}

// Where the files of a scene are: `resilin studio` knows them by what the scene calls them.
const SERVED = 'scene/';

function addressOf(name: string, scene: URL | null): URL {
    const served = scene === null ? name.startsWith(SERVED) : scene.pathname.includes(`/${SERVED}`);
    if (served) {
        const text = scene === null ? name.slice(SERVED.length) : name;
        return new URL(SERVED + encodeURIComponent(text), location.href);
    }
    return new URL(name, scene ?? location.href);
}

// Only of this page's own host. Throws an Error that says what is wrong.
export async function fetchScene(value: string): Promise<{ text: string; files: SceneFiles }> {
    const address = addressOf(decodeURIComponent(value), null);
    if (address.origin !== location.origin) {
        throw new Error(`${value} is on another host; download it and drop it here`);
    }
    const text = await (await get(address)).text();
    const nodes = readTree(text);
    const files: SceneFiles = {};
    for (const [i, node] of nodes.entries()) {
        // file: NAME, a key and its value
        const value = nodes[i + 1];
        if (node.text !== 'file' || value === undefined || value.parent !== node.parent || value.text === '' || value.text in files) {
            continue;
        }
        const response = await get(addressOf(value.text, address));
        files[value.text] = MESH_FILES.test(value.text) ? await readMesh(value.text, await response.arrayBuffer()) : await response.text();
    }
    return { text, files };
}
