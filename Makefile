# Thin front of CMake. demo, test and bench install what is missing first (Debian packages, as root or by sudo).
.PHONY: help demo test bench soak fuzz check clean packages packages-bench packages-check
.DEFAULT_GOAL := help

help:
	@echo "make demo    build, measure two chess pieces and draw them"
	@echo "make test    build and run all tests: gcc, gcc with sanitizers; build with clang"
	@echo "make bench   the papers' experiments, and other libraries side by side"
	@echo "make soak    a million random pairs against the oracle, 100,000 of surfaces and unions"
	@echo "make fuzz    libFuzzer on the readers and the query, a minute each"
	@echo "make check   clang-format and clang-tidy"
	@echo "make clean   remove build/"

packages:
	@cmake/install-packages build

packages-bench: packages
	@cmake/install-packages bench

packages-check: packages
	@cmake/install-packages check

build/%/build.ninja: packages
	@cmake --preset $* --log-level=WARNING

demo: build/release/build.ninja
	@cmake --build --preset release --target apart_cli --target example_draw_chess
	@cmake/demo build/release build/demo/chess.svg

test: build/release/build.ninja build/sanitize/build.ninja build/clang/build.ninja
	cmake --build --preset release
	cmake --build --preset clang
	cmake --build --preset sanitize
	ctest --preset sanitize
	ctest --preset release

bench: packages-bench
	@cmake --preset bench --log-level=WARNING
	cmake --build --preset bench
	build/bench/bench/papers
	build/bench/bench/convex
	build/bench/bench/depth
	build/bench/bench/mesh

soak: build/release/build.ninja
	cmake --build --preset release --target soak --target soak_mesh
	build/release/tests/soak 1000000
	build/release/tests/soak_mesh 100000

fuzz: packages-check
	@cmake --preset fuzz --log-level=WARNING
	cmake --build --preset fuzz
	cmake/fuzz build/fuzz/tests/fuzz

check: packages-check build/clang/build.ninja
	git ls-files '*.c' '*.h' '*.inc' '*.cpp' | xargs clang-format --dry-run -Werror
	git ls-files 'src/*.c' 'io/*.c' 'cli/*.c' | xargs -n 1 clang-tidy --quiet -p build/clang

clean:
	rm -rf build
