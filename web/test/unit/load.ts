// SPDX-License-Identifier: MIT
//
// load.ts: the core in node.

import { readFileSync } from 'node:fs';
import { Core, type ModuleFactory } from '../../src/core';

const folder = new URL('../../../build/wasm/web/core/', import.meta.url);

export async function loadCore(): Promise<Core> {
    const { default: factory } = (await import(/* @vite-ignore */ new URL('studio.mjs', folder).href)) as { default: ModuleFactory };
    return Core.load(factory, { wasmBinary: readFileSync(new URL('studio.wasm', folder)) });
}
