#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks that each folder includes only itself and the layers before it (ARCHITECTURE.md), that public headers include
# only public headers, and that the library needs nothing but the C library and threads.
#   tools/check_layers.sh [ROOT]        check a tree
#   tools/check_layers.sh --self-test   plant one violation of each sort and see it caught
set -euo pipefail
here=$( cd "$( dirname "${BASH_SOURCE[0]}" )" && pwd )

layers=( include/jostle src/base src/math src/jobs src/simd src/broad_phase src/narrow_phase src/query src/world
    cli bench test examples )

# What the core may include of the system: C17, POSIX threads, intrinsics.
system_pattern='^(assert|ctype|errno|fenv|float|inttypes|limits|math|setjmp|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|string|time|pthread|sched|signal|unistd|(imm|xmm|emm|x86|smm|tmm|pmm|avx[0-9a-z]*)intrin|cpuid|arm_neon|wasm_simd128)\.h$'

layer_of() # path -> index of its layer, or nothing
{
    local i
    for i in "${!layers[@]}"; do
        case $1 in
            "${layers[$i]}"/*) echo "$i"; return ;;
        esac
    done
}

complain()
{
    echo "$1:$2: $3" >&2
    violations=$(( violations + 1 ))
}

# A quoted include, from the includer's folder first, then from the roots that the build puts on the include path.
resolve() # file name
{
    local candidate
    for candidate in "$( dirname "$1" )/$2" "include/$2" "src/$2" "cli/$2" "test/$2" "bench/$2"; do
        if [ -f "$candidate" ]; then
            echo "$candidate"
            return
        fi
    done
}

check_quoted() # file line name
{
    local file=$1 line=$2 name=$3 own target target_layer
    case $name in
        *..*) complain "$file" "$line" "\"$name\" climbs out of its folder"; return ;;
    esac
    target=$( resolve "$file" "$name" )
    if [ -z "$target" ]; then
        complain "$file" "$line" "\"$name\" is not a file of this project"
        return
    fi
    own=$( layer_of "$file" )
    target_layer=$( layer_of "$target" )
    if [ "$target_layer" -gt "$own" ]; then
        complain "$file" "$line" "${layers[$own]} includes $target, a later layer"
    elif [ "${layers[$own]}" = examples ] && [ "$target_layer" -ne "$own" ] && [ "$target_layer" -ne 0 ]; then
        complain "$file" "$line" "an example includes $target: examples use the public headers only"
    fi
}

check_system() # file line name
{
    case $1:$3 in
        src/base/memory.c:sys/mman.h) ;; # large pages, on Linux only: a hint that nothing depends on
        include/* | src/*) [[ $3 =~ $system_pattern ]] ||
            complain "$1" "$2" "<$3>: the library includes only C17, threads and intrinsics" ;;
    esac
}

check_tree() # root
{
    local file line text files=0
    violations=0
    cd "$1"
    local pattern='#[[:space:]]*include[[:space:]]*([<"])([^>"]*)[>"]'
    while IFS=: read -r file line text; do
        [[ $text =~ $pattern ]] || { complain "$file" "$line" "an include this check cannot read: $text"; continue; }
        if [ "${BASH_REMATCH[1]}" = '"' ]; then
            check_quoted "$file" "$line" "${BASH_REMATCH[2]}"
        else
            check_system "$file" "$line" "${BASH_REMATCH[2]}"
        fi
    done < <( grep -rnE '^[[:space:]]*#[[:space:]]*include' include src cli bench test examples \
        --include='*.c' --include='*.h' --include='*.inl' --include='*.cpp' || true )
    files=$( find include src cli bench test examples -name '*.[ch]' -o -name '*.inl' -o -name '*.cpp' | wc -l )
    # A folder without a place in the list would never be looked at.
    while read -r file; do
        [ -n "$( layer_of "$file" )" ] || complain "$file" 1 "this folder is no layer: give it a place in $0"
    done < <( find include src cli bench test examples -name '*.[ch]' -o -name '*.inl' -o -name '*.cpp' )
    echo "layers: $files files, $violations violations"
    [ "$violations" -eq 0 ]
}

plant() # name file include-line
{
    local file=$2 root=$scratch/$1
    mkdir -p "$root"/{include/jostle,src/base,src/world,src/broad_phase,cli,bench,test,examples}
    touch "$root"/{include/jostle/base.h,src/base/array.h,src/world/diff.h,src/broad_phase/tree.h,cli/box_file.h}
    mkdir -p "$root/$( dirname "$file" )"
    printf '%s\n' "$3" >> "$root/$file"
}

expect_caught() # name file include-line
{
    plant "$@"
    if ( check_tree "$scratch/$1" ) > "$scratch/$1.log" 2>&1; then
        echo "layers self-test: not caught: $2 with $3" >&2
        exit 1
    fi
    grep -q "^$2:1:" "$scratch/$1.log" || { echo "layers self-test: $1: no line names $2" >&2; exit 1; }
}

expect_clean()
{
    plant "$@"
    ( check_tree "$scratch/$1" ) > "$scratch/$1.log" 2>&1 || { cat "$scratch/$1.log" >&2; exit 1; }
}

self_test()
{
    scratch=$( mktemp -d )
    trap 'rm -rf "$scratch"' EXIT
    expect_clean  clean1    src/world/a.c '#include "broad_phase/tree.h"'
    expect_clean  clean2    bench/a.c '#include "box_file.h"'
    expect_clean  clean3    examples/a.c '#include <cairo/cairo.h>'
    expect_clean  clean4    src/base/a.c '#  include <pthread.h>'
    expect_clean  clean5    src/base/memory.c '#include <sys/mman.h>'
    expect_caught mapping   src/world/memory.c '#include <sys/mman.h>'
    expect_caught later     src/base/a.c '#include "world/diff.h"'
    expect_caught sibling   src/broad_phase/a.c '#include "world/diff.h"'
    expect_caught private   include/jostle/a.h '#include "base/array.h"'
    expect_caught climbing  src/broad_phase/a.c '#include "../base/array.h"'
    expect_caught program   src/world/a.c '#include "box_file.h"'
    expect_caught system    src/base/a.c '#include <cairo/cairo.h>'
    expect_caught inl       src/broad_phase/a.inl '# include "world/diff.h"'
    expect_caught example   examples/a.c '#include "base/array.h"'
    expect_caught absent    src/base/a.c '#include "nowhere.h"'
    expect_caught macro     src/base/a.c '#include HEADER'
    expect_caught stranger  src/other/a.c '// a folder that is no layer'
    echo "layers self-test: 5 clean trees passed, 12 planted violations caught"
}

if [ "${1-}" = --self-test ]; then
    self_test
else
    check_tree "${1:-$here/..}"
fi
