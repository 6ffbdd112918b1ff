#!/bin/bash
# SPDX-License-Identifier: MIT
#
# build_wasm.sh FOLDER [OPTIONS of cmake...]: build a tree as WebAssembly, one at a time where several want the same. TARGETS: what is built.

set -e
cd "$(dirname "$0")/.."
folder=$1
export NODE_PATH=${NODE_PATH:-/usr/share/nodejs}  # where Debian has what its emcc needs
mkdir -p "$folder"
exec 9>"$folder.lock"
flock 9
emcmake cmake -S . -B "$folder" "${@:2}" >"$folder.log" 2>&1 || { cat "$folder.log"; exit 1; }
cmake --build "$folder" --parallel "${JOBS:-2}" --target ${TARGETS:-all}
