// SPDX-License-Identifier: MIT
//
// what emscripten makes of web/core, found by the alias of vite.config.ts: addresses of files that are left as they are

declare module '@core/*' {
    const address: string;
    export default address;
}
