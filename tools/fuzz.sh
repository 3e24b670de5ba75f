#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the fuzzers (test/fuzz/) and runs them, each from its corpus in test/fuzz/corpus/NAME; prints what they ran and
# which lines they reached, and fails if one of them finds something.
#   tools/fuzz.sh [SECONDS]             so long in all (600)
#   tools/fuzz.sh SECONDS NAME...       only these fuzzers
# What is found is kept in build/fuzz/findings/, new inputs in build/fuzz/new/. FUZZ_SEED: the same run again;
# FUZZ_RUNS: so many executions of each instead of seconds, so that with a seed it is the same run on any machine; 0:
# only the corpora and the new inputs.
# FUZZ_KEEP=1: adds to the corpora what reaches something new, in as few and small files as do.
set -euo pipefail
cd "$( dirname "${BASH_SOURCE[0]}" )/.."

seconds=${1:-600}
shift || true
tree=build/fuzz
covered=( src/narrow_phase cli )
longest_input=4096
longest_kept=512

tools/build.sh fuzz > "build/fuzz.build.log" 2>&1 || { cat build/fuzz.build.log >&2; exit 1; }
names=( "$@" )
if [ ${#names[@]} -eq 0 ]; then
    for source in test/fuzz/fuzz_*.c; do
        grep -q LLVMFuzzerTestOneInput "$source" && names+=( "$( basename "$source" .c )" )
    done
fi
each=$(( seconds / ${#names[@]} ))
[ "$each" -gt 0 ] || each=1
limit=( -max_total_time="$each" )
[ -n "${FUZZ_RUNS:-}" ] && limit=( -runs="$FUZZ_RUNS" )

# Of the compiler that built them, since their formats belong together.
llvm_tool() # name
{
    local version
    version=$( clang --version | sed -n 's/.*clang version \([0-9]*\)\..*/\1/p' )
    command -v "$1-$version" || command -v "$1"
}

# Made anew of the fewest inputs that reach what all of them reach, the smallest first.
merge_corpus() # name
{
    local merged=$tree/merged/$1
    rm -rf "$merged"
    mkdir -p "$merged"
    "$tree/bin/$1" -set_cover_merge=1 -use_counters=0 -max_len=$longest_kept "$merged" "test/fuzz/corpus/$1" "$tree/new/$1" \
        > "$tree/$1.merge.log" 2>&1
    rm -rf "test/fuzz/corpus/$1"
    cp -r "$merged" "test/fuzz/corpus/$1"
}

rm -rf "$tree/profiles"
mkdir -p "$tree/profiles" "$tree/findings"
failed=0
executions=0
objects=()
for name in "${names[@]}"; do
    corpus=test/fuzz/corpus/$name
    mkdir -p "$corpus" "$tree/new/$name"
    log=$tree/$name.log
    words=()
    [ -f "test/fuzz/$name.dict" ] && words=( -dict="test/fuzz/$name.dict" )
    code=0
    UBSAN_OPTIONS=print_stacktrace=1 LLVM_PROFILE_FILE="$tree/profiles/$name.profraw" \
        "$tree/bin/$name" "${limit[@]}" ${words[@]+"${words[@]}"} -max_len=$longest_input -timeout=10 -print_final_stats=1 \
        -seed="${FUZZ_SEED:-0}" -artifact_prefix="$tree/findings/$name-" "$tree/new/$name" "$corpus" \
        > "$log" 2>&1 || code=$?
    ran=$( sed -n 's/^stat::number_of_executed_units: *//p' "$log" )
    echo "$name: ${ran:-?} executions"
    executions=$(( executions + ${ran:-0} ))
    objects+=( -object "$tree/bin/$name" )
    if [ $code -ne 0 ]; then
        failed=$(( failed + 1 ))
        grep -vE '^#[0-9]+[[:space:]]+(NEW|REDUCE|pulse|RELOAD)' "$log" | tail -n 60
        echo "$name: a finding; again with: $tree/bin/$name FILE"
    elif [ "${FUZZ_KEEP:-}" = 1 ]; then
        merge_corpus "$name"
    fi
done

# A fuzzer that was stopped by a finding leaves no counts.
if ls "$tree"/profiles/*.profraw > /dev/null 2>&1; then
    "$( llvm_tool llvm-profdata )" merge -o "$tree/all.profdata" "$tree"/profiles/*.profraw
    "$( llvm_tool llvm-cov )" report "${objects[@]:1}" -instr-profile="$tree/all.profdata" "${covered[@]}" \
        > "$tree/coverage.txt"
    # Columns: file, regions, functions, lines, each with missed and a share.
    awk -v folder="${covered[*]}" '
        $1 ~ /\.(c|h|inl)$/ { printf "  %-28s %5d lines, %s\n", $1, $8, $10 }
        $1 == "TOTAL" { printf "lines of %s reached: %d of %d, %s\n", folder, $8 - $9, $8, $10 }' "$tree/coverage.txt"
fi
echo "fuzzers: ${#names[@]}, $executions executions, $failed findings"
[ $failed -eq 0 ]
