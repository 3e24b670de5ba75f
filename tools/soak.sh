#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Casts and contacts in 2D at their full size (JOSTLE_SOAK) once, which takes some minutes. Then the oracles' random scenes again
# and again, each time with a fresh seed, under each instruction set in turn, for SOAK_MINUTES (10). Stops at the first
# failure and says how to see it again.
set -euo pipefail
cd "$( dirname "${BASH_SOURCE[0]}" )/.."

minutes=${SOAK_MINUTES:-10}
random_tests=( build/release/bin/test_broad_phase_oracle build/release/bin/test_query_oracle )
full_tests=( build/release/bin/test_convex_2d build/release/bin/test_chain_pairs )
tools/build.sh release
rounds=0
seed=$( date +%s )
for test in "${full_tests[@]}"; do
    if ! JOSTLE_SOAK=1 JOSTLE_TEST_SEED=$seed "$test" > build/soak.log 2>&1; then
        cat build/soak.log
        echo "soak: failed; again with: JOSTLE_SOAK=1 JOSTLE_TEST_SEED=$seed $test"
        exit 1
    fi
    echo "soak: $test passed at full size, $(( SECONDS / 60 )) min"
done
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
