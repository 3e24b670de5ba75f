#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Plants small named faults in the sources, one at a time, and runs the tests that cover them: each must fail. A fault
# that no test notices, or that can no longer be planted, is an error.
#   tools/mutants.sh            all
#   tools/mutants.sh NAME...    those whose name or list contains one of these words
#   tools/mutants.sh --check    only says whether all can still be planted
#
# The faults stand in tools/mutants/*.list, as blocks separated by blank lines:
#   name: grid-drops-last-row
#   file: src/broad_phase/grid.c
#   sed: s/row <= lastRow/row < lastRow/       (a sed -E script; several such lines add up)
#   lines: 1                                   (how many lines it must change; default 1)
#   isa: sse2                                  (JOSTLE_ISA for the tests; default: none)
#   tests: test_broad_phase test_oracle        (run in this order until one fails)
set -euo pipefail
cd "$( dirname "${BASH_SOURCE[0]}" )/.."

jobs=${JOBS:-$( nproc )}
work=build/mutants
# A fault may make a loop endless: then the quick run, which takes a few seconds, is stopped, and the fault is caught.
quick_limit=${MUTANT_SECONDS:-100}
# The whole run may be slow on a busy machine: stopping it proves nothing.
full_limit=600
# As the library is built by plain `cc`, but faster to compile.
flags=( -std=c17 -O1 -UNDEBUG -D_POSIX_C_SOURCE=200809L -ffp-contract=off -pthread )
libraries=( -lcmocka -ljansson -lz -lm )
include_folders=( include src test cli )

die()
{
    echo "mutants: $*" >&2
    exit 1
}

# --- the faults ---

names=()
declare -A file_of sed_of lines_of isa_of tests_of list_of

read_list() # list file
{
    local list=$1 line key value name=
    while IFS= read -r line || [ -n "$line" ]; do
        case $line in
            "#"*) continue ;;
            "") name=; continue ;;
        esac
        key=${line%%: *}
        value=${line#*: }
        if [ "$key" = name ]; then
            name=$value
            [ -z "${file_of[$name]+x}" ] || die "$list: two faults named $name"
            names+=( "$name" )
            list_of[$name]=$( basename "$list" .list )
            file_of[$name]="" sed_of[$name]="" lines_of[$name]=1 isa_of[$name]="" tests_of[$name]=""
            continue
        fi
        [ -n "$name" ] || die "$list: '$line' belongs to no fault"
        case $key in
            file) file_of[$name]=$value ;;
            sed) sed_of[$name]+=$value$'\n' ;;
            lines) lines_of[$name]=$value ;;
            isa) isa_of[$name]=$value ;;
            tests) tests_of[$name]=$value ;;
            *) die "$list: unknown field '$key'" ;;
        esac
    done < "$list"
}

wanted() # name word...
{
    local name=$1 word
    shift
    [ $# -eq 0 ] && return 0
    for word in "$@"; do
        [[ $name == *"$word"* || ${list_of[$name]} == *"$word"* ]] && return 0
    done
    return 1
}

# --- building ---

object_of() # source -> object name
{
    echo "${1//\//__}.o"
}

# Compiles one source of a tree that is laid out like the project; the dependency file says which headers it took.
compile() # tree source object
{
    local folder includes=()
    for folder in "${include_folders[@]}"; do
        includes+=( "-I$1/$folder" )
    done
    gcc "${flags[@]}" "${includes[@]}" -MMD -c "$1/$2" -o "$3"
}
export -f compile object_of

# The objects that a test executable consists of, but its own; of two that draw, the one that needs no cairo.
common_sources()
{
    find src cli test -name '*.c' ! -path 'test/fuzz/*' ! -name 'main.c' ! -name '*_plot.c' ! -name 'test_*.c' |
        LC_ALL=C sort
}

build_baseline()
{
    local source test
    rm -rf "$work"
    mkdir -p "$work/objects" "$work/bin"
    { common_sources; for test in "${all_tests[@]}"; do echo "test/$test.c"; done; } > "$work/sources"
    # shellcheck disable=SC2016
    export flags_text="${flags[*]}" folders_text="${include_folders[*]}"
    xargs -P "$jobs" -I{} bash -c 'set -e; read -ra flags <<< "$flags_text"
        read -ra include_folders <<< "$folders_text"; compile . {} '"$work"'/objects/$( object_of {} )' \
        < "$work/sources" || die "the sources do not compile"
    for test in "${all_tests[@]}"; do
        link "$work/objects" "$work/bin/$test" "$test"
    done
}

# Objects of the mutant's own folder go before those of the baseline.
link() # object-folder program test
{
    local source object objects=()
    for source in $( common_sources ) "test/$3.c"; do
        object=$( object_of "$source" )
        [ -f "$1/$object" ] && objects+=( "$1/$object" ) || objects+=( "$work/objects/$object" )
    done
    gcc -pthread "${objects[@]}" -o "$2" "${libraries[@]}"
}

# 0: passed. The tests abort at the first failed assertion, so that a caught fault ends soon.
run_test() # program isa log quick|full
{
    local environment=( CMOCKA_TEST_ABORT=1 ) limit=$full_limit
    [ -n "$2" ] && environment+=( "JOSTLE_ISA=$2" )
    [ "$4" = quick ] && environment+=( JOSTLE_QUICK=1 ) && limit=$quick_limit
    # The shell's word that a child was aborted is of no interest.
    { env "${environment[@]}" timeout "$limit" "$1" > "$3" 2>&1; } 2> /dev/null
}

# --- one fault ---

# Prints why it cannot be planted.
mutate() # name
{
    local file=${file_of[$1]} changed
    [ -f "$file" ] || { echo "no file $file"; return 1; }
    changed=$( { sed -E "${sed_of[$1]}" "$file" | diff "$file" - || true; } | grep -c '^>' || true )
    [ "$changed" = "${lines_of[$1]}" ] || { echo "changes $changed lines of $file, not ${lines_of[$1]}"; return 1; }
}

plant() # name tree
{
    local file=${file_of[$1]}
    mutate "$1" || return 1
    mkdir -p "$2"
    cp -r include src "$2/"
    mkdir -p "$2/test" "$2/cli"
    cp -r test/. "$2/test/"
    cp -r cli/. "$2/cli/"
    sed -E "${sed_of[$1]}" "$file" > "$2/$file"
    { diff -U0 "$file" "$2/$file" || true; } | grep '^[-+][^-+]' > "$2/change" || true
}

# Everything that took the changed file, by the dependency files of the baseline.
compile_changed() # name tree
{
    local dependencies source file=${file_of[$1]}
    while read -r source; do
        dependencies=$work/objects/$( object_of "$source" )
        if [ "$source" = "$file" ] || grep -qE "(^|[ /])$file( |\$)" "${dependencies%.o}.d"; then
            compile "$2" "$source" "$2/objects/$( object_of "$source" )" || return 1
        fi
    done < "$work/sources"
}

# The tests with few random scenes first: what they miss gets the whole of them.
run_tests() # name tree
{
    local test length code
    for test in ${tests_of[$1]}; do
        if ! link "$2/objects" "$2/$test" "$test" > "$2/link.log" 2>&1; then
            echo "error does not link, see $2/link.log"
            return
        fi
    done
    for length in quick full; do
        for test in ${tests_of[$1]}; do
            code=0
            run_test "$2/$test" "${isa_of[$1]}" "$2/$test.log" $length || code=$?
            if [ $code -eq 124 ] && [ $length = full ]; then
                echo "error $test took more than $full_limit s"
                return
            elif [ $code -eq 124 ]; then
                echo "caught by $test, which did not end"
                return
            elif [ $code -ne 0 ]; then
                echo "caught by $test"
                return
            fi
        done
    done
    echo "survived ${tests_of[$1]}"
}

# Writes what became of it to $work/results/NAME: caught, survived or error, and why.
try() # name
{
    local name=$1 tree=$work/trees/$1 result=$work/results/$1 test message started=$SECONDS
    if ! message=$( plant "$name" "$tree" ); then
        echo "error $message" > "$result"
        return
    fi
    mkdir -p "$tree/objects"
    if ! compile_changed "$name" "$tree" > "$tree/compile.log" 2>&1; then
        echo "error does not compile, see $tree/compile.log" > "$result"
        return
    fi
    run_tests "$name" "$tree" > "$result"
    read -r message < "$result"
    printf '%-9s %-34s %s (%d s)\n' "${message%% *}" "$name" "${message#* }" $(( SECONDS - started ))
    # What survived is kept to be looked at.
    [ "${message%% *}" = caught ] && rm -rf "$tree"
    return 0
}

# --- all of them ---

for list in tools/mutants/*.list; do
    read_list "$list"
done
if [ "${1-}" = --check ]; then
    bad=0
    for name in "${names[@]}"; do
        message=$( mutate "$name" ) || { echo "mutants: $name: $message" >&2; bad=$(( bad + 1 )); }
    done
    echo "mutants: $(( ${#names[@]} - bad )) faults can be planted, $bad can not"
    [ $bad -eq 0 ]
    exit
fi
selected=()
for name in "${names[@]}"; do
    if wanted "$name" "$@"; then
        [ -n "${tests_of[$name]}" ] && [ -n "${sed_of[$name]}" ] || die "$name: needs sed and tests"
        selected+=( "$name" )
    fi
done
[ ${#selected[@]} -gt 0 ] || die "no such fault"
mapfile -t all_tests < <( for name in "${selected[@]}"; do tr ' ' '\n' <<< "${tests_of[$name]}"; done | sort -u )
for test in "${all_tests[@]}"; do
    [ -f "test/$test.c" ] || die "no test/$test.c"
done

build_baseline
mkdir -p "$work/results" "$work/trees"
# A test that fails on the sources as they are proves nothing.
for test in "${all_tests[@]}"; do
    run_test "$work/bin/$test" "" "$work/$test.log" quick || { tail -n 30 "$work/$test.log" >&2; die "$test fails without any fault"; }
done

for name in "${selected[@]}"; do
    while [ "$( jobs -rp | wc -l )" -ge "$jobs" ]; do
        wait -n || true
    done
    try "$name" &
done
wait

caught=0
survived=0
errors=0
for name in "${selected[@]}"; do
    read -r message < "$work/results/$name"
    case $message in
        caught*) caught=$(( caught + 1 )) ;;
        survived*) survived=$(( survived + 1 )); echo "survived: $name" >&2; cat "$work/trees/$name/change" >&2 ;;
        *) errors=$(( errors + 1 )); echo "error: $name: ${message#* }" >&2 ;;
    esac
done
[ $errors -eq 0 ] || echo "$errors could not be planted"
echo "$caught caught, $survived survived"
[ $survived -eq 0 ] && [ $errors -eq 0 ]
