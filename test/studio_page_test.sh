#!/bin/bash
# SPDX-License-Identifier: MIT
#
# studio_page_test.sh: the page of the studio: its types, its own logic, the core beside the native library, and all of it in a browser.

. "$RSL_ROOT/test/tap.sh"

web=$RSL_ROOT/web
page_size()
{
    # what is loaded before the first frame, with threads or without
    node -e '
        const fs = require("fs"), zlib = require("zlib"), folder = process.argv[1] + "/assets/";
        const packed = require("util").promisify(zlib.brotliCompress);
        const sum = async (first) => (await Promise.all(fs.readdirSync(folder).filter((f) => first.test(f)).map((f) => packed(fs.readFileSync(folder + f)))))
            .reduce((bytes, { length }) => bytes + length, 0);
        const parts = [/^(index|worker)-.*\.(js|css)$/, /^studio_threads(\.worker)?-.*\.(js|wasm)$/, /^studio-.*\.(js|wasm)$/];
        Promise.all(parts.map(sum)).then(([rest, ...own]) => ["threads", "one thread"].forEach((what, i) => {
            const small = rest > 1e5 && own[i] > 1e5 && rest + own[i] < 1e6;
            console.log("# prove: page, " + what + ", compressed (brotli) | " + (rest + own[i]) + " B | 1000000 | " + (small ? "pass" : "FAIL"));
        }));
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
    check "the core" env TARGETS="studio studio_threads" "$RSL_ROOT/scripts/build_wasm.sh" "$RSL_ROOT/build/wasm" -DRSL_WERROR=ON --preset wasm
    check "the page" npm run --silent build
    page_size >"$RSL_SCRATCH/size"
    cat "$RSL_SCRATCH/size"
    check "the page is small" test "$(grep -c 'pass$' "$RSL_SCRATCH/size")" = 2
    tests=test/unit
    if [ -x "${RSL_CHROMIUM:-/usr/bin/chromium}" ]; then
        tests=
    else
        skip "in a browser" "no chromium here"
    fi
    npx vitest run --reporter=tap-flat $tests || [ $? = 1 ]  # its lines are counted
fi
finish
