# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: the resilin authors
#
# A thin front over the CMake presets. Each target installs what it lacks by itself.

PREFIX ?= /usr/local
SECONDS ?= 60
JOBS ?= $(shell nproc)
# what results of `make record` are called: the processor and its number of cores
MACHINE ?= $(shell sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1 | tr 'A-Z' 'a-z' | tr -cs 'a-z0-9\n' '-')-$(shell nproc)
MAKEFLAGS += --no-print-directory

# ninja when there is one; a build tree that exists keeps its own generator
export CMAKE_GENERATOR ?= $(if $(shell command -v ninja),Ninja,Unix Makefiles)

# $(call build,PRESET,OPTIONS,TARGETS)
define build
@cmake --preset $(1) $(2) >build/$(1).log 2>&1 || { cat build/$(1).log; exit 1; }
@sed -n '/^-- resilin/,/^$$/p' build/$(1).log
@cmake --build build/$(1) --parallel $(JOBS) --target $(3)
endef

.PHONY: all release debug run test prove reproduce golden fuzz bench record pieces wasm page page-speed studio pictures install format clean help
all: release

release: setup-build  ## build the library and build/release/resilin (the default)
	$(call build,release,,all)

debug: setup-build  ## build build/debug/resilin, for a debugger
	$(call build,debug,,all)

run: release  ## build and run the headline scene
	build/release/resilin run scenes/rabbit.yaml -o out/rabbit

test: test-build  ## build and run every test, quick forms
	@scripts/run_tests.sh build/release build/asan

prove: test-build  ## the full form of every bar, into build/prove.md: up to an hour
	@cmake --build build/asan --parallel $(JOBS) --target proved
	@scripts/run_tests.sh --prove build/release build/asan

reproduce: release  ## the papers' experiments in full, into build/reproduce/report.html: up to an hour
	build/release/resilin reproduce all -o build/reproduce --progress

golden: setup-test  ## record the hashes of the determinism test anew, after a change of the arithmetic that is meant
	$(call build,release,-DRSL_TESTS=ON,determinism)
	@test/determinism_test.sh --record "$(CURDIR)/build/release/test/determinism"

fuzz: setup-fuzz  ## fuzz the readers, SECONDS=60 each
	$(call build,fuzz,-DRSL_TESTS=ON,fuzzers)
	@scripts/run_fuzz.sh build/fuzz $(SECONDS)

bench: bench-build  ## time a table of scenes beside ceilings, LAMMPS, Bullet, PETSc and CHOLMOD, into build/bench: a quarter of an hour
	build/release/resilin bench --against lammps,bullet,petsc,cholmod -o build/bench --progress

record: bench-build  ## the same in full, into bench/results/MACHINE.csv and .md: up to an hour
	build/release/resilin bench --full --against lammps,bullet,petsc,cholmod -o bench/results --name $(MACHINE) --progress

pieces: setup-build  ## build and run the benchmarks of single parts
	$(call build,release,,benches)
	@for program in build/release/bench/bench_*; do [ ! -f $$program ] || { echo "== $$program"; $$program || exit 1; }; done

wasm: setup-wasm  ## build build/wasm: the library and the core of the studio as WebAssembly with SIMD128, by emscripten
	@scripts/build_wasm.sh build/wasm --preset wasm

page: setup-page wasm  ## build build/web: the studio as static files, for any host
	@cd web && npm run --silent build

studio: release page  ## build the studio and serve it on this machine
	build/release/resilin studio

pictures: setup-test page  ## the pictures of the gallery and of docs/studio.md anew, by the studio itself
	@cd web && npm run --silent pictures && npm run --silent build

page-speed: setup-test page  ## time the studio in a browser beside the native library with vectors of the same width
	@cmake -S . -B build/sse2 -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS=-DRSL_NO_CLONES >build/sse2.log 2>&1 || { cat build/sse2.log; exit 1; }
	@cmake --build build/sse2 --parallel $(JOBS) --target scene_hash >build/sse2.log 2>&1 || { cat build/sse2.log; exit 1; }
	@cd web && RSL_SCENE_HASH=$(CURDIR)/build/sse2/test/scene_hash npm run --silent speed

install: release  ## install to PREFIX=/usr/local
	cmake --install build/release --prefix $(PREFIX)

format: setup-format  ## clang-format every C file that git knows
	git ls-files '*.c' '*.h' | xargs clang-format -i

clean:  ## remove everything built
	rm -rf build

help:  ## this list
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 11

.PHONY: test-build bench-build setup-%
bench-build: setup-bench
	$(call build,release,,all peers)

test-build: setup-test
	$(call build,release,-DRSL_TESTS=ON,all tests)
	$(call build,asan,-DRSL_TESTS=ON,tests)

setup-%:
	@mkdir -p build
	@scripts/setup.sh $*
