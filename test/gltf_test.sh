#!/bin/bash
# SPDX-License-Identifier: MIT
#
# gltf_test.sh: Khronos' validator finds neither errors nor warnings in the .glb files, and they hold what they should.

. "$RSL_ROOT/test/tap.sh"

modules=$RSL_ROOT/test/node_modules
if ! command -v node >/dev/null; then
    skip "gltf-validator" "no node here"
    finish
fi
if [ ! -d "$modules/gltf-validator" ]; then
    modules=$RSL_BUILD/test/checkers/node_modules
    mkdir -p "${modules%/*}"
    cp "$RSL_ROOT/test/package.json" "$RSL_ROOT/test/package-lock.json" "${modules%/*}"
    npm ci --prefix "${modules%/*}" --no-audit --no-fund >"$RSL_SCRATCH/npm.log" 2>&1
fi
if [ ! -d "$modules/gltf-validator" ]; then
    skip "gltf-validator" "npm cannot install it"
    finish
fi

cat >"$RSL_SCRATCH/validate.cjs" <<'END'
const fs = require('fs');
const [modules, file, meshes, targets, duration] = process.argv.slice(2);
const validator = require(modules + '/gltf-validator');

// the JSON chunk and the animation's weights, read by hand
const bytes = fs.readFileSync(file);
const length = bytes.readUInt32LE(12);
const json = JSON.parse(bytes.toString('utf8', 20, 20 + length));
function floats(index)
{
    const accessor = json.accessors[index], view = json.bufferViews[accessor.bufferView];
    const start = 28 + length + (view.byteOffset || 0) + (accessor.byteOffset || 0);
    return Array.from({ length: accessor.count }, (_, i) => bytes.readFloatLE(start + 4 * i));
}
function assert(condition, text)
{
    if (!condition) throw new Error(text);
}

validator.validateBytes(new Uint8Array(bytes)).then(report => {
    const issues = report.issues;
    assert(issues.numErrors === 0 && issues.numWarnings === 0, JSON.stringify(issues.messages.slice(0, 5), null, 1));
    assert(json.meshes.length === Number(meshes), `${json.meshes.length} meshes`);
    const given = (json.meshes[0].primitives[0].targets || []).length;
    assert(given === Number(targets), `${given} morph targets`);
    if (given > 0)
    {
        const sampler = json.animations[0].samplers[0];
        const times = floats(sampler.input), weights = floats(sampler.output);
        assert(Math.abs(times[times.length - 1] - Number(duration)) < 1e-5, `ends at ${times[times.length - 1]} s`);
        times.forEach((_, f) => {
            const row = weights.slice(f * given, (f + 1) * given);
            assert(row.every((w, t) => w === (t === f - 1 ? 1 : 0)), `weights of frame ${f}`);
        });
    }
}).catch(error => {
    console.log(error.message || error);
    process.exit(1);
});
END

validate()
{
    check "$1: valid, $2 meshes, $3 morph targets" \
        node "$RSL_SCRATCH/validate.cjs" "$modules" "$RSL_SCRATCH/$1" "$2" "$3" "${4-0}"
}

if check "files are written" "$RSL_BUILD/test/export_data" "$RSL_SCRATCH"; then
    validate still.glb 3 0
    validate sheet.glb 1 0
    validate moving.glb 3 23 0.92
    # 601 frames are thinned out to 240 and still end at 24 s
    validate long.glb 3 239 24
    validate single.glb 3 0
    validate spoilt.glb 3 3 0.12
fi
finish
