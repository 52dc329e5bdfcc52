#!/bin/sh
# A compiler that is told to compute otherwise than written is refused, in a sentence, in every file of the core.
#
#     tests/test_arithmetic.sh COMPILER SOURCE_DIR PROCESSOR
set -eu
[ $# -eq 3 ] || { echo "usage: $0 COMPILER SOURCE_DIR PROCESSOR" >&2; exit 2; }
compiler=$1
processor=$3
cd "$2"

fail() { echo "arithmetic: $*" >&2; exit 1; }

# Whether the compiler, with these arguments, says what apart needs.
refuses() { "$compiler" -std=c17 -Iinclude -Isrc -fsyntax-only "$@" 2>&1 | grep -q '#error "apart needs'; }

files=0
for file in $(find src -name '*.c'); do
    refuses -ffast-math "$file" || fail "$file compiles with -ffast-math"
    files=$((files + 1))
done
[ "$files" -gt 0 ] || fail "no files found"

header=src/base/arithmetic.h
for option in -Ofast -ffinite-math-only; do
    refuses "$option" -x c "$header" || fail "$option is not refused"
done
case $processor in
x86_64 | AMD64 | i?86)
    refuses -m32 -mno-sse -x c "$header" || fail "the x87 unit is not refused"
    ! refuses -m32 -msse2 -mfpmath=sse -x c "$header" || fail "SSE2 on 32 bits is refused"
    ;;
*) ! refuses -x c "$header" || fail "the arithmetic of the compiler's defaults is refused" ;;
esac
echo "arithmetic: -ffast-math is refused in all of $files files"
