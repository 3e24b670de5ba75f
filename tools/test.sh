#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every check; goes on after a failure, and ends with the line "N passed, N failed".
#   tools/test.sh             all
#   tools/test.sh STEP...     only these (see the list at the end)
# Each test of a ctest run counts as one, and so does each other check.
set -uo pipefail
cd "$( dirname "${BASH_SOURCE[0]}" )/.." || exit 1

logs=build/test-logs
mkdir -p "$logs"
passed=0
failed=0
failures=()
ctest_prefix=()

count_one() # name result-code
{
    if [ "$2" -eq 0 ]; then
        passed=$(( passed + 1 ))
    else
        failed=$(( failed + 1 ))
        failures+=( "$1" )
    fi
}

log_of() # name
{
    echo "$logs/${1//[^a-zA-Z0-9]/_}.log"
}

# Runs a check, and keeps its result code and its seconds beside its log.
run_check() # name command...
{
    local log started=$SECONDS code=0
    log=$( log_of "$1" )
    shift
    "$@" > "$log" 2>&1 || code=$?
    echo "$code $(( SECONDS - started ))" > "$log.end"
}

# Shows the last line of a check that has ended, or all of it where it failed.
tell_check() # name
{
    local log code seconds
    log=$( log_of "$1" )
    read -r code seconds < "$log.end"
    if [ "$code" -eq 0 ]; then
        echo "ok    $1 ($seconds s)  $( tail -n 1 "$log" | cut -c 1-100 )"
    else
        cat "$log"
        echo "FAIL  $1 ($seconds s)"
    fi
    count_one "$1" "$code"
    return "$code"
}

check() # name command...
{
    run_check "$@"
    tell_check "$1"
}

# Starts a check that leaves a core idle most of its time: it runs beside what comes after it, and is told of at the end.
begun=()
begin_check() # name command...
{
    run_check "$@" &
    begun+=( "$1" )
}

end_checks()
{
    local name
    wait
    for name in "${begun[@]+"${begun[@]}"}"; do
        tell_check "$name"
    done
}

# Runs the tests of a build tree and adds them up from ctest's own closing lines.
run_ctest() # name tree [ctest arguments...]
{
    local name=$1 tree=$2 log=$logs/ctest_${1//[^a-zA-Z0-9]/_}.log code=0 summary bad total
    shift 2
    echo "----  ctest: $name"
    "${ctest_prefix[@]+"${ctest_prefix[@]}"}" ctest --test-dir "$tree" --parallel "${JOBS:-$( nproc )}" \
        --output-on-failure --no-tests=error "$@" > "$log" 2>&1 || code=$?
    if [ $code -eq 0 ]; then
        grep -E 'Test +#|tests passed|Total Test time' "$log"
    else
        cat "$log"
    fi
    summary=$( grep -E 'tests passed, [0-9]+ tests failed out of [0-9]+' "$log" | tail -n 1 )
    bad=$( sed -n 's/.*, \([0-9]*\) tests failed.*/\1/p' <<< "$summary" )
    total=$( sed -n 's/.*out of \([0-9]*\).*/\1/p' <<< "$summary" )
    if [ -z "$total" ]; then
        bad=1
        total=1
    fi
    [ $code -ne 0 ] && [ "$bad" -eq 0 ] && bad=1
    passed=$(( passed + total - bad ))
    failed=$(( failed + bad ))
    [ "$bad" -gt 0 ] && failures+=( "ctest: $name" )
    return $code
}

# --- the steps ---

step_layers()
{
    begin_check "layer check finds planted violations" tools/check_layers.sh --self-test
    begin_check "layers" tools/check_layers.sh
}

step_format()
{
    begin_check "format" tools/format.sh --check
}

step_mutants()
{
    begin_check "planted faults (make mutants) still fit the sources" tools/mutants.sh --check
}

step_headers()
{
    begin_check "public headers alone, as C17 and C++17" tools/check_headers.sh
}

step_build()
{
    check "gcc release build without a warning" tools/build.sh release
    # Tests and examples are run as gcc builds them, so clang only has to accept them.
    check "clang release build without a warning" tools/build.sh clang-release jostle_program hash_results
    check "clang takes tests and examples without a warning" tools/check_syntax.sh clang-release test examples
    # Intrinsics of gcc are macros where nothing is optimised.
    check "gcc takes the sources without a warning where nothing is optimised" tools/check_syntax.sh debug src cli
}

# Which instruction sets this machine runs, from the program that is used to compare them.
machine_isas()
{
    local isa code
    for isa in scalar sse2 avx2 avx512; do
        code=0
        JOSTLE_ISA=$isa build/release/bin/hash_results --probe > /dev/null 2>&1 || code=$?
        case $code in
            0) echo $isa ;;
            3) ;; # the machine lacks it
            *) echo "hash_results --probe under JOSTLE_ISA=$isa: exit $code" >&2 ;;
        esac
    done
}

# The best instruction set gets all there is (of the oracles' scenes a share: make soak has them all), the others fewer
# random scenes, and not what runs the same whatever the kernels (the program, the bench, files, memory, errors, worlds, whose
# hashes step_bits compares): what differs between them is the kernels, which test_kernels compares in full under each.
step_release()
{
    local isa isas best long='allocations|broad_phase_memory|auto_life' # in full: make soak
    isas=$( machine_isas )
    best=$( tail -n 1 <<< "$isas" )
    for isa in $isas; do
        if [ "$isa" = "$best" ]; then
            JOSTLE_SCENES=300 JOSTLE_ISA=$isa run_ctest "release, JOSTLE_ISA=$isa" build/release --exclude-regex "$long"
            JOSTLE_QUICK=1 JOSTLE_ISA=$isa run_ctest "release, a part of what is long, JOSTLE_ISA=$isa" build/release --tests-regex "$long"
        else
            JOSTLE_QUICK=1 JOSTLE_ISA=$isa run_ctest "release, fewer scenes, JOSTLE_ISA=$isa" build/release \
                --exclude-regex 'bench|cli|tune|workload|box_file|box_writer|pair_check|query_check|containers|jobs|math|allocations|memory|auto|errors|world|scene'
        fi
    done
    echo "----  instruction sets that ran: $( tr '\n' ' ' <<< "$isas" )"
}

step_bits()
{
    begin_check "the same bits from every compiler, flag and instruction set" tools/check_bits.sh
}

step_examples()
{
    begin_check "examples run" tools/check_examples.sh
    # Awaited: the check of the bits runs what README.md has built.
    check "documents: programs compile and run, commands run" tools/check_documents.sh
}

# Without the test that counts allocations: it looks at nothing that others do not, and is long here.
step_asan()
{
    check "address and undefined-behaviour sanitizer build" tools/build.sh asan &&
        LSAN_OPTIONS=suppressions=$PWD/tools/leaks.supp:print_suppressions=0 UBSAN_OPTIONS=print_stacktrace=1 run_ctest "address and undefined-behaviour sanitizers" build/asan --exclude-regex test_allocations
}

# The thread sanitizers of gcc 12 and clang 14 cannot place their shadow memory where the kernel randomises addresses
# by more than 28 bits (Ubuntu 24.04 does): run without randomisation, where that is allowed. Which tests are run
# is said in test/CMakeLists.txt.
step_tsan()
{
    check "thread sanitizer build" tools/build.sh tsan jostle_tests || return
    setarch -R true 2> /dev/null && ctest_prefix=( setarch -R )
    TSAN_OPTIONS=halt_on_error=1 run_ctest "thread sanitizer" build/tsan --label-regex threads
    ctest_prefix=()
}

# Long enough to run the corpora and to see that the fuzzers work, always with the same inputs; make fuzz is what finds
# things.
step_fuzz()
{
    begin_check "fuzzers, for a few seconds" env FUZZ_SEED=1 FUZZ_RUNS=1000 tools/fuzz.sh
}

all_steps=( layers format mutants headers build examples bits release fuzz asan tsan )
steps=( "$@" )
[ $# -eq 0 ] && steps=( "${all_steps[@]}" )
for step in "${steps[@]}"; do
    if ! declare -F "step_$step" > /dev/null; then
        echo "test: no step '$step'; there are: ${all_steps[*]}" >&2
        exit 2
    fi
done
for step in "${steps[@]}"; do
    "step_$step"
done
end_checks

echo
for name in "${failures[@]+"${failures[@]}"}"; do
    echo "failed: $name"
done
echo "time: $SECONDS s"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
