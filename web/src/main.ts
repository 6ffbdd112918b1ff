// SPDX-License-Identifier: MIT

import { App } from './app';
import { byId } from './readout';

declare global {
    interface Window {
        studio?: App; // for a look from the console, and for tests
    }
}

const app = new App();
window.studio = app;
app.start().catch((error: unknown) => {
    byId('messages').textContent = `The studio could not be started: ${error instanceof Error ? error.message : String(error)}`;
});

if ('serviceWorker' in navigator && import.meta.env.PROD) {
    // works without a network from the second visit on
    void navigator.serviceWorker.register('./offline.js').catch(() => {});
}
