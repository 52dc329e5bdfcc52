#!/bin/sh
# Installs a finished build into a temporary prefix and uses it from outside the tree: by CMake, by pkg-config, from
# C++; then removes it. Also checks what the shared library exports and needs, and builds apart as a part of another
# project.
#
#     tests/package/run.sh BUILD_DIR SOURCE_DIR
set -eu
[ $# -eq 2 ] || { echo "usage: $0 BUILD_DIR SOURCE_DIR" >&2; exit 2; }
build=$1
source=$2
here=$source/tests/package
model=$source/data/bracket.stl
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

# Runs a step that prints only if it fails.
quietly() {
    what=$1
    shift
    "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "$what"; }
}

# Configures and builds the project of this folder.
outside() {
    directory=$1
    shift
    quietly "does not configure: $*" cmake -S "$here" -B "$directory" -DCMAKE_C_COMPILER="$CC" "$@"
    quietly "does not build: $*" cmake --build "$directory" --parallel 2
}

# Install.
quietly "does not install" cmake --install "$build" --prefix "$prefix"
library=$(find "$prefix" -name 'libapart.so')
[ -n "$library" ] || fail "libapart.so was not installed"
libdir=$(dirname "$library")
lib=${libdir#"$prefix/"}
for file in include/apart/apart.h include/apart/io.h share/doc/apart/LICENSE "$lib/libapart.a" "$lib/libapart-io.a" \
    "$lib/libapart-io.so" "$lib/pkgconfig/apart.pc" "$lib/pkgconfig/apart-io.pc" "$lib/cmake/apart/apartConfig.cmake"; do
    [ -f "$prefix/$file" ] || fail "not installed: $file"
done
if [ -x "$build/cli/apart" ]; then
    [ "$("$prefix/bin/apart" --version)" = "apart $version" ] || fail "the installed tool does not run"
    for file in man/man1/apart.1 bash-completion/completions/apart zsh/site-functions/_apart \
        fish/vendor_completions.d/apart.fish; do
        [ -f "$prefix/share/$file" ] || fail "not installed: share/$file"
    done
fi
echo "ok: installed"

# CMake: find_package(apart), shared and static.
needs_apart() { readelf -d "$1" | grep -q 'NEEDED.*libapart'; }
outside "$work/outside" -DCMAKE_PREFIX_PATH="$prefix"
needs_apart "$work/outside/outside" || fail "apart::apart is not the shared library"
! needs_apart "$work/outside/outside_static" || fail "apart::static is not the static library"
check "find_package, apart::apart" "$work/outside/outside"
check "find_package, apart::static" "$work/outside/outside_static"
needs_apart "$work/outside/outside_io" || fail "apart::io is not the shared library"
! needs_apart "$work/outside/outside_io_static" || fail "apart::io_static is not the static library"
check "find_package, apart::io" "$work/outside/outside_io" "$model"
check "find_package, apart::io_static" "$work/outside/outside_io_static" "$model"

# pkg-config: shared; the static library alone, named by its file since both are called apart; a program that is static
# as a whole, if Qhull is there for that.
package() { PKG_CONFIG_PATH="$libdir/pkgconfig" pkg-config "$@" apart; }
package_io() { PKG_CONFIG_PATH="$libdir/pkgconfig" pkg-config "$@" apart-io; }
compile() { compile_file outside.c "$@"; }
compile_file() {
    file=$1
    output=$2
    shift 2
    # shellcheck disable=SC2046
    "$CC" -std=c17 -Wall -Wextra -Wpedantic -Werror $(package --cflags) "$here/$file" -o "$output" "$@"
}
[ "$(package --modversion)" = "$version" ] || fail "apart.pc has another version than the header"
# shellcheck disable=SC2046
compile "$work/shared" $(package --libs)
check "pkg-config, shared" env LD_LIBRARY_PATH="$libdir" "$work/shared"
# shellcheck disable=SC2046
compile "$work/static" $(package --static --libs | sed 's/-lapart/-l:libapart.a/')
check "pkg-config, static" "$work/static"
if pkg-config qhullstatic_r; then
    # shellcheck disable=SC2046
    compile "$work/static" -static $(package --static --libs)
    check "pkg-config, all static" "$work/static"
fi

[ "$(package_io --modversion)" = "$version" ] || fail "apart-io.pc has another version than the header"
# shellcheck disable=SC2046
compile_file outside_io.c "$work/shared" $(package_io --libs)
check "pkg-config apart-io, shared" env LD_LIBRARY_PATH="$libdir" "$work/shared" "$model"
# shellcheck disable=SC2046
compile_file outside_io.c "$work/static" $(package_io --static --libs | sed 's/-lapart\(-io\)*/-l:libapart\1.a/g')
check "pkg-config apart-io, static" "$work/static" "$model"

# The same source as C++, with each compiler that is there; one at least.
compilers=0
for cxx in g++ clang++; do
    command -v "$cxx" >/dev/null || continue
    # shellcheck disable=SC2046
    "$cxx" -std=c++17 -Wall -Wextra -Wpedantic -Werror $(package --cflags) -x c++ "$here/outside.c" -x none -o "$work/$cxx" $(package --libs)
    check "C++17, $cxx" env LD_LIBRARY_PATH="$libdir" "$work/$cxx"
    # shellcheck disable=SC2046
    "$cxx" -std=c++17 -Wall -Wextra -Wpedantic -Werror $(package_io --cflags) -x c++ "$here/outside_io.c" -x none -o "$work/$cxx" $(package_io --libs)
    check "C++17, apart-io, $cxx" env LD_LIBRARY_PATH="$libdir" "$work/$cxx" "$model"
    compilers=$((compilers + 1))
done
[ "$compilers" -gt 0 ] || fail "no C++ compiler found"

# The shared libraries export what their headers declare, and nothing else; the static one of io takes no other names.
exports() {
    file=$1
    header=$2
    nm -D --defined-only "$libdir/$file" | awk '{ print $NF }' | sort -u >"$work/exported"
    {
        grep '^APART_API' "$prefix/include/apart/$header" | grep -o 'apart_[a-z0-9_]*[(;]'
        grep '^APART_API extern const' "$prefix/include/apart/$header" | grep -o '[a-z0-9_]*;'
    } | tr -d '(;' | sort -u >"$work/declared"
    diff "$work/declared" "$work/exported" >"$work/symbols" || {
        cat "$work/symbols" >&2
        fail "$file: exported symbols (>) differ from the header's (<)"
    }
    echo "ok: $file exports exactly the $(wc -l <"$work/exported") names of $header"
}
exports libapart.so apart.h
exports libapart-io.so io.h
names=$(nm --defined-only --extern-only "$libdir/libapart-io.a" 2>/dev/null | awk 'NF == 3 { print $3 }' | grep -v '^apart_io_' || true)
[ -z "$names" ] || fail "libapart-io.a takes names: $names"

# They need Qhull, libm and libc, the readers Jansson if it was there, and nothing else but each other.
needs() {
    file=$1
    shift
    needed=$(readelf -d "$libdir/$file" | sed -n 's/.*(NEEDED).*\[\(lib[a-z_]*\).*/\1/p' | grep -vx "$@" -e libm -e libc || true)
    [ -z "$needed" ] || fail "$file needs more than $*: $needed"
}
needs libapart.so -e libqhull_r
needs libapart-io.so -e libapart -e libjansson
echo "ok: need Qhull, Jansson, libm and libc only"

# Uninstalled, nothing is left, also below DESTDIR; a component is installed alone.
quietly "does not uninstall" cmake -P "$source/cmake/uninstall.cmake" "$build"
left() { find "$1" ! -type d -o -name '*apart*'; }
[ -z "$(left "$prefix")" ] || fail "uninstall left: $(left "$prefix")"
export DESTDIR="$work/stage"
quietly "does not install to DESTDIR" cmake --install "$build" --prefix /usr --component runtime
installed=$(left "$work/stage")
echo "$installed" | grep -q 'libapart\.so\.' || fail "the component runtime lacks the shared library: $installed"
! echo "$installed" | grep -q -e '\.h$' -e '\.a$' -e /bin/ || fail "the component runtime has more: $installed"
quietly "does not uninstall from DESTDIR" cmake -P "$source/cmake/uninstall.cmake" "$build"
[ -z "$(left "$work/stage")" ] || fail "uninstall left: $(left "$work/stage")"
unset DESTDIR
echo "ok: uninstalled"

# A part of another project, which asks for static libraries: nothing is installed or tested unless it says so.
outside "$work/inside" -DAPART_SOURCE="$source" -DBUILD_SHARED_LIBS=OFF -DCMAKE_BUILD_TYPE=Debug
! needs_apart "$work/inside/outside" || fail "BUILD_SHARED_LIBS=OFF: apart::apart is shared"
check "add_subdirectory, apart::apart" "$work/inside/outside"
check "add_subdirectory, apart::io" "$work/inside/outside_io" "$model"
ctest --test-dir "$work/inside" -N | grep -q '^Total Tests: 0' || fail "add_subdirectory adds tests"
quietly "does not install" cmake --install "$work/inside" --prefix "$prefix"
[ -z "$(left "$prefix")" ] || fail "add_subdirectory installs: $(left "$prefix")"

# Such a static library, installed on request, is all that apart::apart and pkg-config need.
outside "$work/inside" -DAPART_INSTALL=ON
quietly "does not install" cmake --install "$work/inside" --prefix "$prefix"
[ -z "$(find "$prefix" -name 'libapart.so*')" ] || fail "BUILD_SHARED_LIBS=OFF installs a shared library"
outside "$work/static_only" -DCMAKE_PREFIX_PATH="$prefix"
check "static only, find_package, apart::apart" "$work/static_only/outside"
check "static only, find_package, apart::io" "$work/static_only/outside_io" "$model"
# shellcheck disable=SC2046
compile "$work/static_only/by_pkg_config" $(package --libs)
check "static only, pkg-config" "$work/static_only/by_pkg_config"
