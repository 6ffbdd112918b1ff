#!/bin/bash
# SPDX-License-Identifier: MIT
#
# setup.sh build|test|wasm|page|bench|fuzz|format: install what is missing for it, from Debian.
#
# Looks for the thing itself, not for the package, so a compiler or node from elsewhere counts. Says what it installs.
# What cannot be installed is named; the build goes on without it where it is optional. RSL_SETUP=no installs nothing.

set -u
cd "$(dirname "$0")/.." || exit

required=()
optional=()

# need|want PACKAGE PROBE...: note the package when the probe fails
need() { "${@:2}" >/dev/null 2>&1 || required+=("$1"); }
want() { "${@:2}" >/dev/null 2>&1 || optional+=("$1"); }
has() { command -v "$1"; }
has_ninja_or_make() { command -v ninja || command -v make; }
has_libc() { [ -e /usr/include/stdio.h ] || echo '#include <stdio.h>' | cc -E -xc -; }

has_cholmod() { ls /usr/include/suitesparse/cholmod.h /usr/include/cholmod.h /usr/local/include/suitesparse/cholmod.h | grep .; }

has_chromium() { [ -x "${RSL_CHROMIUM:-/usr/bin/chromium}" ]; }

has_openblas() { ls /usr/lib/*/openblas-*/libblas.so.3 /usr/lib/libopenblas* /usr/local/lib/libopenblas* | grep .; }

look_for()
{
    required=()
    optional=()
    if [ "$1" = format ]; then
        need clang-format has clang-format
        return
    fi
    need gcc has cc
    need libc6-dev has_libc
    need cmake has cmake
    need ninja-build has_ninja_or_make
    want pkg-config has pkg-config
    want libyaml-dev pkg-config --exists yaml-0.1
    want libassimp-dev pkg-config --exists assimp
    want libpng-dev pkg-config --exists libpng
    case $1 in
        test)
            need pkg-config has pkg-config
            need libcmocka-dev pkg-config --exists cmocka
            need python3 has python3
            want gcc has gcc
            want clang has clang
            want nodejs has node
            want npm has npm
            want emscripten has emcmake
            want libsuitesparse-dev has_cholmod
            want calculix-ccx has ccx
            want chromium has_chromium
            ;;
        page)
            need emscripten has emcmake
            need nodejs has node
            need npm has npm
            ;;
        wasm)
            need emscripten has emcmake
            ;;
        bench)
            want pkg-config has pkg-config
            want lammps has lmp
            want openmpi-bin has mpirun
            want g++ has g++
            want libbullet-dev pkg-config --exists bullet
            want petsc-dev pkg-config --exists PETSc
            want libsuitesparse-dev has_cholmod
            want libopenblas-dev has_openblas
            ;;
        fuzz)
            need clang has clang
            need pkg-config has pkg-config
            need libcmocka-dev pkg-config --exists cmocka
            need libclang-rt-14-dev links_fuzzer
            want libfuzzer-14-dev links_fuzzer
            ;;
    esac
}

links_fuzzer()
{
    echo 'int LLVMFuzzerTestOneInput(const unsigned char* d, unsigned long n) { return d && n > 9 ? -1 : 0; }' |
        clang -fsanitize=fuzzer,address,undefined -xc -o /dev/null -
}

as_root()
{
    if [ "$(id -u)" = 0 ]; then
        env DEBIAN_FRONTEND=noninteractive "$@"
    elif command -v sudo >/dev/null; then
        sudo env DEBIAN_FRONTEND=noninteractive "$@"
    else
        return 1
    fi
}

log=build/setup.log
apt() { as_root apt-get -q -y -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@" >>$log 2>&1; }

install_packages()
{
    if [ "${RSL_SETUP:-yes}" = no ]; then
        return
    fi
    if ! command -v apt-get >/dev/null; then
        echo "setup: this machine has no apt-get" >&2
        return
    fi
    if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
        echo "setup: installing needs root or sudo" >&2
        return
    fi
    echo "setup: installing with apt-get: $* (output in $log)"
    mkdir -p build
    # the lists may be missing or too old; and one package that fails shall not keep the others away
    if ! apt-cache show "$@" >/dev/null 2>&1 || ! apt install --no-install-recommends "$@"; then
        apt update
        apt install --no-install-recommends "$@" && return
        for package in "$@"; do
            apt install --no-install-recommends "$package"
        done
    fi
}

# install_node_modules FOLDER WHAT: what FOLDER/package-lock.json names, unless it is there as the lock says.
install_node_modules()
{
    command -v npm >/dev/null || return
    cmp -s "$1/package-lock.json" "$1/node_modules/.installed" && return
    echo "setup: installing with npm into $1/node_modules: $2"
    if npm ci --prefix "$1" --no-audit --no-fund --loglevel=error; then
        cp "$1/package-lock.json" "$1/node_modules/.installed"
    else
        echo "setup: could not install $2" >&2
        return 1
    fi
}

level=${1:?usage: setup.sh build|test|wasm|page|bench|fuzz|format}
look_for "$level"
if [ $((${#required[@]} + ${#optional[@]})) -gt 0 ]; then
    rm -f $log
    mapfile -t packages < <(printf '%s\n' "${required[@]}" "${optional[@]}" | grep . | sort -u)
    install_packages "${packages[@]}"
    look_for "$level"
    if [ $((${#required[@]} + ${#optional[@]})) -gt 0 ] && [ -e $log ]; then
        grep '^E:' $log | sort -u | head -n 5 >&2
    fi
    if [ ${#optional[@]} -gt 0 ]; then
        echo "setup: going on without: ${optional[*]}" >&2
    fi
    if [ ${#required[@]} -gt 0 ]; then
        echo "setup: could not install, and cannot go on without: ${required[*]}" >&2
        exit 1
    fi
fi
case $level in
    test)  # tests that lack it are skipped
        install_node_modules test gltf-validator
        install_node_modules web "what the studio is made with"
        ;;
    page)
        if ! node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 20 ? 1 : 0)'; then
            echo "setup: the page needs node 20 or newer, found $(node --version)" >&2
            exit 1
        fi
        install_node_modules web "what the studio is made with" || exit 1
        ;;
esac
exit 0
