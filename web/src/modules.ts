// SPDX-License-Identifier: MIT
//
// modules.ts: which module of the core is loaded: the one with threads where the browser lets a page share memory among them, else the other.

import threadsCode from '@core/studio_threads.mjs?url&no-inline';
import threadsWasm from '@core/studio_threads.wasm?url&no-inline';
import threadsWorker from '@core/studio_threads.worker.js?url&no-inline';
import aloneCode from '@core/studio.mjs?url&no-inline';
import aloneWasm from '@core/studio.wasm?url&no-inline';
import { Core, type ModuleFactory } from './core';

const PATIENCE = 8000; // ms that threads may take to start, once their files are here
const MOST = 8; // threads of a pane: bodies that are moved while one watches are too small for more

export interface Loaded {
    core: Core;
    most: number; // threads
    alone: string; // why there is one only; empty: there may be more
}

function load(code: string, options: Record<string, unknown>): Promise<Core> {
    return import(/* @vite-ignore */ code).then((module: { default: ModuleFactory }) => Core.load(module.default, options));
}

// Files are here before threads start: how long they take is a matter of the browser alone.
async function fetchAll(files: readonly string[]): Promise<void> {
    await Promise.all(files.map((file) => fetch(file).then((response) => (response.ok ? response.arrayBuffer() : Promise.reject(new Error(`${file}: ${response.status}`))))));
}

// The browser says nothing of threads that it does not start. Those that it did start are taken back.
async function loadThreads(most: number): Promise<Core> {
    const files: Record<string, string> = { 'studio_threads.wasm': threadsWasm, 'studio_threads.worker.js': threadsWorker };
    await fetchAll([threadsCode, threadsWasm, threadsWorker]);
    const options = {
        threads: most,
        mainScriptUrlOrBlob: new URL(threadsCode, self.location.href).href,
        locateFile: (name: string) => files[name] ?? name,
    };
    const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error(`none within ${PATIENCE / 1000} s`)), PATIENCE));
    try {
        return await Promise.race([load(threadsCode, options), late]);
    } catch (error) {
        (options as { PThread?: { terminateAllThreads(): void } }).PThread?.terminateAllThreads();
        throw error;
    }
}

// single: one thread is enough. The module with threads starts with two at least.
export async function loadCore(single: boolean): Promise<Loaded> {
    const most = Math.min(navigator.hardwareConcurrency || 1, MOST);
    let alone = most > 1 ? 'its host does not isolate the page; loaded again it may be' : 'the machine has no more';
    if (self.crossOriginIsolated && most > 1 && !single) {
        try {
            return { core: await loadThreads(most), most, alone: '' };
        } catch (error) {
            alone = `the browser could start no others: ${error instanceof Error ? error.message : String(error)}`;
        }
    }
    return { core: await load(aloneCode, { locateFile: () => aloneWasm }), most: 1, alone };
}
