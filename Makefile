# Thin front of CMake. demo, test, papers, wheel, soak, bench, fuzz, platforms and check install what they need first, if it
# is missing (Debian packages, as root or by sudo); install does not.
.PHONY: help all install uninstall demo test papers wheel bench bench-quick bench-build soak fuzz platforms check clean packages-%
.DEFAULT_GOAL := help
PREFIX ?= /usr/local
JOBS := $(shell nproc 2>/dev/null || echo 1)
MAKEFLAGS += --no-print-directory

help:
	@echo "make demo       build, measure two chess pieces, check a scene, draw both"
	@echo "make install    build and install to PREFIX=/usr/local, below DESTDIR if it is set; make all only builds"
	@echo "make uninstall  remove what make install has written"
	@echo "make test       build and run all tests: gcc, gcc with sanitizers; some with clang under valgrind"
	@echo "make papers     every figure of the five papers again, ours beside theirs, drawn to build/papers: two minutes"
	@echo "make wheel      the Python package as a wheel with all that it needs, in build/wheel"
	@echo "make bench      the papers' experiments, and other libraries side by side"
	@echo "make bench-quick   under two minutes: what is faster or slower than in the last run"
	@echo "make soak       a million random pairs against the oracle, 100,000 of surfaces and unions, scenes"
	@echo "make fuzz       libFuzzer on the readers and the query, a minute each"
	@echo "make platforms  builds and tests with other options, for 32-bit x86 and for 64-bit ARM"
	@echo "make check      clang-format and clang-tidy"
	@echo "make clean      remove build/"

all:
	cmake -S . -B build/install -DCMAKE_INSTALL_PREFIX="$(PREFIX)"
	cmake --build build/install --parallel $(JOBS)

install: all
	DESTDIR="$(DESTDIR)" cmake --install build/install

uninstall:
	DESTDIR="$(DESTDIR)" cmake -P cmake/uninstall.cmake build/install

packages-%:
	@cmake/install-packages $*

build/%/build.ninja: packages-test
	@cmake --preset $* --log-level=WARNING

demo: packages-demo
	@cmake -S . -B build/demo -DAPART_CLI=ON -DAPART_EXAMPLES=ON >/dev/null
	@cmake --build build/demo --parallel $(JOBS) --target apart_cli --target example_draw_chess
	@cmake/demo build/demo build/demo

test: build/pattern/build.ninja build/sanitize/build.ninja build/clang/build.ninja
	cmake --build --preset pattern
	cmake --build --preset clang
	cmake --build --preset sanitize
	ctest --preset sanitize
	ctest --preset pattern
	cmake/memcheck build/clang

# The table comes last; status 1 if an answer is wrong or a count is not what it was.
papers: packages-papers build/release/build.ninja
	cmake --build --preset release --target papers
	@mkdir -p build/papers
	@status=0; build/release/papers/papers --out build/papers --golden bench/papers/golden.csv \
		>build/papers/table.txt || status=1; \
	bench/papers/plot build/papers || status=1; cat build/papers/table.txt; exit $$status

wheel: packages-wheel
	python/make-wheel build/wheel

bench-build: packages-bench
	@bench/install-peers
	@cmake --preset bench --log-level=WARNING
	cmake --build --preset bench

bench: bench-build
	bench/all build/bench

bench-quick: bench-build
	bench/quick build/bench

soak: build/release/build.ninja
	cmake --build --preset release --target soak --target soak_mesh --target soak_scene
	build/release/tests/soak 1000000
	build/release/tests/soak_mesh 100000
	build/release/tests/soak_scene 2000

fuzz: packages-check
	@cmake --preset fuzz --log-level=WARNING
	cmake --build --preset fuzz
	cmake/fuzz build/fuzz/tests/fuzz

platforms: packages-platforms
	cmake/platforms

check: packages-check build/clang/build.ninja
	git ls-files '*.c' '*.h' '*.inc' '*.cpp' | xargs clang-format --dry-run -Werror
	git ls-files 'src/*.c' 'io/*.c' 'cli/*.c' | xargs -n 1 clang-tidy --quiet -p build/clang

clean:
	rm -rf build
