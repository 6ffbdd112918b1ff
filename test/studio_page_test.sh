#!/bin/bash
# SPDX-License-Identifier: MIT
#
# studio_page_test.sh: the page of the studio: its types, its own logic, the core beside the native library, and all of it in a browser.

. "$RSL_ROOT/test/tap.sh"

web=$RSL_ROOT/web
page_size()
{
    # what is loaded before the first frame
    node -e '
        const fs = require("fs"), zlib = require("zlib"), folder = process.argv[1] + "/assets/";
        const first = /^(index|worker|studio)-.*\.(js|css|wasm)$/;
        const sizes = fs.readdirSync(folder).filter((f) => first.test(f)).map((f) => zlib.brotliCompressSync(fs.readFileSync(folder + f)).length);
        const sum = sizes.reduce((a, b) => a + b, 0);
        console.log("# prove: page, compressed (brotli) | " + sum + " B | 1000000 | " + (sum < 1e6 && sizes.length >= 4 ? "pass" : "FAIL"));
    ' "$RSL_ROOT/build/web"
}

if ! command -v emcmake >/dev/null || ! command -v node >/dev/null; then
    skip "the studio" "no emscripten or no node here"
elif ! node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 20 ? 1 : 0)'; then
    skip "the studio" "node is older than 20"
elif [ ! -d "$web/node_modules/vite" ]; then
    skip "the studio" "npm could not install what it is made with"
else
    cd "$web" || exit
    check "the core" env TARGETS=studio "$RSL_ROOT/scripts/build_wasm.sh" "$RSL_ROOT/build/wasm" -DRSL_WERROR=ON --preset wasm
    check "the page" npm run --silent build
    page_size >"$RSL_SCRATCH/size"
    cat "$RSL_SCRATCH/size"
    check "the page is small" grep -q 'pass$' "$RSL_SCRATCH/size"
    tests=test/unit
    if [ -x "${RSL_CHROMIUM:-/usr/bin/chromium}" ]; then
        tests=
    else
        skip "in a browser" "no chromium here"
    fi
    npx vitest run --reporter=tap-flat $tests || [ $? = 1 ]  # its lines are counted
fi
finish
