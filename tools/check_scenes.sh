#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Same scene, same bits: runs the scenes of scenes/ by several programs, under instruction sets, numbers of threads and kinds of
# broad phase, and compares the hashes of how they ended and of all events.
#   tools/check_scenes.sh small PROGRAM...   small variants, some steps, a choice of combinations in which every program,
#                                            instruction set, number of threads and kind meets many of the others
#   tools/check_scenes.sh full PROGRAM...    whole scenes, 600 steps: the first program as a base, then each other program,
#                                            instruction set, number of threads and kind, and the combinations as above
# A program that runs scalar kernels only has a name that ends in "scalar-only.run".
set -euo pipefail
cd "$( dirname "${BASH_SOURCE[0]}" )/.."

size=$1
shift
programs=( "$@" )
kinds=( grid bvh sweep tree bruteforce auto )
isas=()
for isa in scalar sse2 avx2 avx512; do
    code=0
    JOSTLE_ISA=$isa build/release/bin/hash_results --probe > /dev/null 2>&1 || code=$?
    [ $code -eq 3 ] || isas+=( $isa )
done

small_scale() # scene
{
    case $1 in
        strategy | survivors) echo 0.15 ;;
        crowd) echo 0.2 ;;
        stress_events) echo 0.3 ;;
        *) echo 0.5 ;;
    esac
}

scale_of() # scene
{
    if [ "$size" = full ]; then echo 1; else small_scale "$1"; fi
}

# What happens in those with few bodies takes its time, and costs nothing.
steps_of() # scene
{
    case $size,$1 in
        full,* | *,platformer | *,collision_event) echo 600 ;;
        *) echo 60 ;;
    esac
}

# The line of the text report with both hashes.
hash_of() # scene program isa threads kind
{
    local isa=$3
    case $2 in *scalar-only.run) isa=scalar ;; esac
    JOSTLE_ISA=$isa "$2" run "scenes/$1.json" --scale "$( scale_of "$1" )" --steps "$( steps_of "$1" )" --threads "$4" --kind "$5" | tail -n 1
}

# Brute force over tens of thousands of bodies takes minutes with the best kernels and hours with the others or without
# optimisation: at full size it runs once, by the first program under the best instruction set.
is_long() # kind
{
    [ "$size" = full ] && [ "$1" = bruteforce ]
}

runs=0
expect() # scene program isa threads kind: compares with $wanted
{
    local found
    found=$( hash_of "$@" ) || { echo "scenes: $*: failed" >&2; exit 1; }
    if [ "$found" != "$wanted" ]; then
        echo "scenes: $*: $found, not $wanted" >&2
        exit 1
    fi
    runs=$(( runs + 1 ))
}

number=0
for file in scenes/*.json; do
    scene=$( basename "$file" .json )
    wanted=$( hash_of "$scene" "${programs[0]}" "${isas[-1]}" 1 grid )
    case $wanted in hash*) ;; *) echo "scenes: $scene does not run" >&2; exit 1 ;; esac
    for (( i = 0; i < ${#kinds[@]}; ++i )); do
        is_long "${kinds[$i]}" && continue
        expect "$scene" "${programs[$(( ( i + number ) % ${#programs[@]} ))]}" "${isas[$(( ( i + number ) % ${#isas[@]} ))]}" \
            $(( 1 + ( i + 2 * number ) % 4 )) "${kinds[$i]}"
    done
    if [ "$size" = full ]; then
        for program in "${programs[@]}"; do expect "$scene" "$program" "${isas[-1]}" 1 grid; done
        for isa in "${isas[@]}"; do expect "$scene" "${programs[0]}" "$isa" 1 grid; done
        for threads in 2 3 4; do expect "$scene" "${programs[0]}" "${isas[-1]}" $threads grid; done
        for kind in "${kinds[@]}"; do expect "$scene" "${programs[0]}" "${isas[-1]}" 1 "$kind"; done
    fi
    echo "$scene: $wanted"
    number=$(( number + 1 ))
done
echo "scenes: $number scenes, $runs runs of ${#programs[@]} programs, all the same"
