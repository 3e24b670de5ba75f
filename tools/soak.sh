#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The oracles' random scenes again and again, each time with a fresh seed, under each instruction set in turn, for SOAK_MINUTES
# (10). Stops at the first failure and says how to see it again.
#   tools/soak.sh           the broad phase and queries, after the tests of which make test runs a part
#   tools/soak.sh shapes    once, a fresh seed: 300,000 distances and depths of convex shapes against the references, and 100,000
#                           casts of each pair of kinds, in 3D and 2D; prints the worst errors (some twenty minutes)
#   tools/soak.sh scenes    once: the scenes whole, with what must happen in them, and their hashes under every number of threads,
#                           instruction set, kind of broad phase, compiler, with and without asserts
set -euo pipefail
cd "$( dirname "${BASH_SOURCE[0]}" )/.."

if [ "${1-}" = shapes ]; then
    tools/build.sh release
    seed=$( date +%s )
    for test in test_convex test_casts test_convex_2d test_chain_pairs; do
        if ! JOSTLE_SOAK=1 build/release/bin/$test "$seed" > build/soak.log 2>&1; then
            cat build/soak.log
            echo "soak: failed; again with: JOSTLE_SOAK=1 build/release/bin/$test $seed"
            exit 1
        fi
        echo "soak: $test passed with seed $seed"
        grep -E ' off|casts meet' build/soak.log || true
    done
    exit 0
fi

if [ "${1-}" = scenes ]; then
    mkdir -p build
    for preset in release clang-release debug clang-debug; do
        tools/build.sh $preset > build/soak.log 2>&1 || { cat build/soak.log; exit 1; }
    done
    JOSTLE_SOAK=1 build/release/bin/test_scenes
    JOSTLE_SOAK=1 build/release/bin/test_scenes_slide
    tools/check_scenes.sh full build/{release,clang-release,debug,clang-debug}/bin/jostle
    exit 0
fi

minutes=${SOAK_MINUTES:-10}
random_tests=( build/release/bin/test_broad_phase_oracle build/release/bin/test_query_oracle )
tools/build.sh release
for test in test_allocations test_broad_phase_memory test_auto_life; do
    build/release/bin/$test > build/soak.log 2>&1 || { cat build/soak.log; exit 1; }
    echo "soak: $test passed"
done
rounds=0
seed=$( date +%s )
while [ $SECONDS -lt $(( minutes * 60 )) ]; do
    for isa in scalar sse2 avx2 avx512; do
        code=0
        JOSTLE_ISA=$isa build/release/bin/hash_results --probe > /dev/null 2>&1 || code=$?
        [ $code -eq 3 ] && continue
        # A failure prints the scene, which JOSTLE_SCENE runs alone.
        for test in "${random_tests[@]}"; do
            if ! JOSTLE_ISA=$isa JOSTLE_SEED=$seed "$test" > build/soak.log 2>&1; then
                cat build/soak.log
                echo "soak: failed; again with: JOSTLE_ISA=$isa JOSTLE_SEED=$seed $test"
                exit 1
            fi
        done
        rounds=$(( rounds + 1 ))
        seed=$(( seed + 1 ))
    done
    echo "soak: $rounds rounds passed, $(( SECONDS / 60 )) min"
done
