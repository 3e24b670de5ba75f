#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Same input, same bits: builds the library in several ways, plain `cc -O2` over the sources among them, runs
# tools/hash_results.c of each under every instruction set the machine has, and compares what they print; then small variants of
# the scenes.
set -euo pipefail
cd "$( dirname "${BASH_SOURCE[0]}" )/.."

jobs=${JOBS:-$( nproc )}
work=build/bits
mkdir -p "$work"
mapfile -t sources < <( find src -name '*.c' | LC_ALL=C sort; echo tools/hash_results.c )

# Compiles the sources one by one and links them: nothing of the project's build system takes part.
build() # name compiler flag...
{
    local name=$1 folder=$work/$1
    shift
    mkdir -p "$folder"
    # shellcheck disable=SC2016
    printf '%s\n' "${sources[@]}" | folder=$folder command="$* -Iinclude -Isrc" xargs -P "$jobs" -I{} bash -c '
        source={}
        object=$folder/${source//\//__}.o
        $command -c "$source" -o "$object"'
    # shellcheck disable=SC2086
    "$1" "$folder"/*.o -o "$work/$name.run" ${program_libraries:-} -lm -pthread
}

runs=0
compare() # name program isa
{
    local output=$work/$1-$3.txt code=0
    JOSTLE_ISA=$3 "$2" > "$output" 2> "$output.errors" || code=$?
    [ $code -eq 3 ] && return # this build or machine lacks the instruction set
    if [ $code -ne 0 ]; then
        cat "$output.errors" >&2
        exit 1
    fi
    if [ $runs -eq 0 ]; then
        cp "$output" "$work/expected.txt"
    elif ! diff "$work/expected.txt" "$output" >&2; then
        echo "bits: $1 with JOSTLE_ISA=$3 computes other bits than $first" >&2
        exit 1
    fi
    [ $runs -eq 0 ] && first="$1 with JOSTLE_ISA=$3"
    runs=$(( runs + 1 ))
    ran+=" $3"
}

compare_all() # name program
{
    local isa
    ran=
    for isa in scalar sse2 avx2 avx512; do
        compare "$1" "$2" $isa
    done
    echo "$1:$ran"
}

# Objects of all sources, none of them older than a source: as tools/check_documents.sh leaves them, which builds the
# library as README.md says, with plain `cc -O2`.
plain=build/plain
plain_is_fresh()
{
    local objects=( "$plain"/*.o ) oldest
    [ ${#objects[@]} -eq $(( ${#sources[@]} - 1 )) ] || return 1
    # shellcheck disable=SC2012
    oldest=$( ls -t "${objects[@]}" | tail -n 1 )
    [ -z "$( find src include -newer "$oldest" -name '*.[chi]*' -print -quit )" ]
}

build_plain()
{
    if ! plain_is_fresh; then
        rm -rf "$plain"
        mkdir -p "$plain"
        ( cd "$plain"; find ../../src -name '*.c' | xargs -P "$jobs" -n 4 cc -O2 -I../../include -I../../src -c )
    fi
    cc -O2 -Iinclude -Isrc tools/hash_results.c "$plain"/*.o -o "$work/cc-O2.run" -lm -pthread
}

rm -rf "$work"
mkdir -p "$work"
build_plain
# The processor's own flags make FMA instructions available to the compiler: it must not use them.
build gcc-O3-native gcc -O3 -march=native
# With asserts, as a debug build.
build scalar-only gcc -O1 -DJOSTLE_SCALAR_ONLY -DJO_DEBUG

compare_all release build/release/bin/hash_results
compare_all clang-release build/clang-release/bin/hash_results
for name in cc-O2 gcc-O3-native scalar-only; do
    compare_all "$name" "$work/$name.run"
done
[ "$( JOSTLE_ISA=sse2 "$work/scalar-only.run" --probe > /dev/null 2>&1; echo $? )" = 3 ] ||
    { echo "bits: the scalar-only build accepts JOSTLE_ISA=sse2" >&2; exit 1; }
cat "$work/expected.txt"

# The program by the objects of the scalar-only build, of two that draw the one that needs no cairo.
rm "$work/scalar-only/tools__hash_results.c.o"
mapfile -t sources < <( find cli -name '*.c' ! -name '*_plot.c' | LC_ALL=C sort )
program_libraries="-ljansson -lz"
build scalar-only gcc -O1 -Icli -D_POSIX_C_SOURCE=200809L
tools/check_scenes.sh small build/release/bin/jostle build/clang-release/bin/jostle "$work/scalar-only.run"
echo "bits: $runs runs of 5 builds, $( wc -l < "$work/expected.txt" ) hashes each, all the same"
