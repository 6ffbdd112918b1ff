// SPDX-License-Identifier: MIT
//
// modules.ts: which module of the core is loaded: the one with threads where the browser lets a page share memory among them, else the other.

import threadsCode from '@core/studio_threads.mjs?url&no-inline';
import threadsWasm from '@core/studio_threads.wasm?url&no-inline';
import threadsWorker from '@core/studio_threads.worker.js?url&no-inline';
import aloneCode from '@core/studio.mjs?url&no-inline';
import aloneWasm from '@core/studio.wasm?url&no-inline';
import { Core, type ModuleFactory } from './core';

const MOST = 8; // threads of a pane: bodies that are moved while one watches are too small for more

export interface Loaded {
    core: Core;
    most: number; // threads
    alone: string; // why there is one only; empty: there may be more
}

function load(code: string, options: Record<string, unknown>): Promise<Core> {
    return import(/* @vite-ignore */ code).then((module: { default: ModuleFactory }) => Core.load(module.default, options));
}

function loadThreads(most: number): Promise<Core> {
    const files: Record<string, string> = { 'studio_threads.wasm': threadsWasm, 'studio_threads.worker.js': threadsWorker };
    return load(threadsCode, {
        threads: most,
        mainScriptUrlOrBlob: new URL(threadsCode, self.location.href).href,
        locateFile: (name: string) => files[name] ?? name,
    });
}

export async function loadCore(): Promise<Loaded> {
    const most = Math.min(navigator.hardwareConcurrency || 1, MOST);
    let alone = 'its host does not isolate the page; loaded again it may be';
    if (self.crossOriginIsolated) {
        try {
            return { core: await loadThreads(most), most, alone: most > 1 ? '' : 'the machine has no more' };
        } catch (error) {
            alone = `the browser could start no others: ${error instanceof Error ? error.message : String(error)}`;
        }
    }
    return { core: await load(aloneCode, { locateFile: () => aloneWasm }), most: 1, alone };
}
