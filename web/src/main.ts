// SPDX-License-Identifier: MIT

import { App } from './app';
import { byId } from './readout';

declare global {
    interface Window {
        studio?: App; // for a look from the console, and for tests
    }
}

async function start(): Promise<void> {
    const app = new App();
    window.studio = app;
    await app.start();
}

// Works without a network from the second visit on, where the browser allows it.
async function keep(): Promise<void> {
    await navigator.serviceWorker.register('./offline.js');
}

start().catch((error: unknown) => {
    byId('messages').textContent = `The studio could not be started: ${error instanceof Error ? error.message : String(error)}`;
});

if (import.meta.env.PROD) {
    keep().catch(() => {});
}
