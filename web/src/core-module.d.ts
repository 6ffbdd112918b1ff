// SPDX-License-Identifier: MIT
//
// what emscripten makes of web/core, found by the alias of vite.config.ts

declare module '@core/studio.mjs' {
    const factory: import('./core').ModuleFactory;
    export default factory;
}
