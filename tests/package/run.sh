#!/bin/sh
# Installs a finished build into a temporary prefix and uses it from outside the tree: by CMake, by pkg-config, from
# C++. Also checks what the shared library exports and needs.
#
#     tests/package/run.sh BUILD_DIR SOURCE_DIR
set -eu
[ $# -eq 2 ] || { echo "usage: $0 BUILD_DIR SOURCE_DIR" >&2; exit 2; }
build=$1
source=$2
here=$source/tests/package
: "${CC:=cc}"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

fail() { echo "package: $*" >&2; exit 1; }

# Runs a program and compares its one line of output.
version=$(sed -n 's/^#define APART_VERSION_[A-Z]* //p' "$source/include/apart/apart.h" | paste -sd.)
check() {
    name=$1
    shift
    output=$("$@") || fail "$name: failed"
    [ "$output" = "apart $version: distance 1.500000" ] || fail "$name: unexpected output: $output"
    echo "ok: $name"
}

# Install.
cmake --install "$build" --prefix "$prefix" >"$work/install.log"
library=$(find "$prefix" -name 'libapart.so')
[ -n "$library" ] || fail "libapart.so was not installed"
libdir=$(dirname "$library")
for file in "$prefix/include/apart/apart.h" "$libdir/libapart.a" "$libdir/pkgconfig/apart.pc" \
    "$libdir/cmake/apart/apartConfig.cmake"; do
    [ -f "$file" ] || fail "not installed: $file"
done
if [ -x "$build/cli/apart" ]; then
    [ "$("$prefix/bin/apart" --version)" = "apart $version" ] || fail "the installed tool does not run"
    [ -f "$prefix/share/man/man1/apart.1" ] || fail "not installed: the man page"
fi
echo "ok: installed"

# CMake: find_package(apart), shared and static.
if ! { cmake -G Ninja -S "$here" -B "$work/outside" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" &&
    cmake --build "$work/outside"; } >"$work/cmake.log" 2>&1; then
    cat "$work/cmake.log" >&2
    fail "find_package(apart): does not build"
fi
check "find_package, apart::apart" "$work/outside/outside_shared"
check "find_package, apart::static" "$work/outside/outside_static"

# pkg-config, shared and static. Both libraries are called apart, so the static one has to be named by its file.
export PKG_CONFIG_PATH="$libdir/pkgconfig"
package() { pkg-config "$@" apart; }
[ "$(package --modversion)" = "$version" ] || fail "apart.pc has another version than the header"
warnings="-Wall -Wextra -Wpedantic -Werror"
# shellcheck disable=SC2046,SC2086
"$CC" -std=c17 $warnings $(package --cflags) "$here/outside.c" -o "$work/shared" $(package --libs)
check "pkg-config, shared" env LD_LIBRARY_PATH="$libdir" "$work/shared"
# shellcheck disable=SC2046,SC2086
"$CC" -std=c17 $warnings $(package --cflags) "$here/outside.c" -o "$work/static" \
    $(package --static --libs | sed 's/-lapart/-l:libapart.a/')
check "pkg-config, static" "$work/static"

# The same source as C++, with each compiler that is there; one at least.
compilers=0
for cxx in g++ clang++; do
    command -v "$cxx" >/dev/null || continue
    # shellcheck disable=SC2046,SC2086
    "$cxx" -std=c++17 $warnings $(package --cflags) -x c++ "$here/outside.c" -x none -o "$work/$cxx" $(package --libs)
    check "C++17, $cxx" env LD_LIBRARY_PATH="$libdir" "$work/$cxx"
    compilers=$((compilers + 1))
done
[ "$compilers" -gt 0 ] || fail "no C++ compiler found"

# The shared library exports what the header declares, and nothing else.
nm -D --defined-only "$library" | awk '{ print $NF }' | sort -u >"$work/exported"
grep '^APART_API' "$prefix/include/apart/apart.h" | grep -o 'apart_[a-z0-9_]*[(;]' | tr -d '(;' | sort -u >"$work/declared"
grep '^APART_API extern const' "$prefix/include/apart/apart.h" | grep -o '[a-z0-9_]*;' | tr -d ';' >>"$work/declared"
sort -u "$work/declared" -o "$work/declared"
diff "$work/declared" "$work/exported" >"$work/symbols" || {
    cat "$work/symbols" >&2
    fail "exported symbols (>) differ from the header's (<)"
}
echo "ok: exports exactly the $(wc -l <"$work/exported") names of the header"

# It needs Qhull, libm and libc, and nothing else.
needed=$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(lib[a-z_]*\).*/\1/p' | grep -vx -e libqhull_r -e libm -e libc || true)
[ -z "$needed" ] || fail "the shared library needs more than Qhull, libm and libc: $needed"
echo "ok: needs Qhull, libm and libc only"
