#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The oracle's random scenes again and again, each time with a fresh seed, under each instruction set in turn, for SOAK_MINUTES
# (10). Stops at the first failure and says how to see it again.
set -euo pipefail
cd "$( dirname "${BASH_SOURCE[0]}" )/.."

minutes=${SOAK_MINUTES:-10}
random_tests=build/release/bin/test_broad_phase_oracle
tools/build.sh release
rounds=0
seed=$( date +%s )
while [ $SECONDS -lt $(( minutes * 60 )) ]; do
    for isa in scalar sse2 avx2 avx512; do
        code=0
        JOSTLE_ISA=$isa build/release/bin/hash_results --probe > /dev/null 2>&1 || code=$?
        [ $code -eq 3 ] && continue
        # A failure prints the scene, which JOSTLE_SCENE runs alone.
        if ! JOSTLE_ISA=$isa JOSTLE_SEED=$seed "$random_tests" > build/soak.log 2>&1; then
            cat build/soak.log
            echo "soak: failed; again with: JOSTLE_ISA=$isa JOSTLE_SEED=$seed $random_tests"
            exit 1
        fi
        rounds=$(( rounds + 1 ))
        seed=$(( seed + 1 ))
    done
    echo "soak: $rounds rounds passed, $(( SECONDS / 60 )) min"
done
