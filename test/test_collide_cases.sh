#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs `jostle collide` on each case of a folder. Beside NAME.json stands NAME.expected: each of its lines must be a line
# of what is printed; a line "exit N" is the exit code, else 0.
#   test/test_collide_cases.sh PROGRAM FOLDER
set -u
program=$1
case $program in /*) ;; *) program=$PWD/$program ;; esac
output=$( mktemp ) || exit 1
trap 'rm -f "$output"' EXIT
trap 'exit 1' INT TERM
cd "$2" || exit 1

cases=0
failures=0
for file in *.json; do
    [ -f "$file" ] || continue
    name=${file%.json}
    cases=$(( cases + 1 ))
    if [ ! -s "$name.expected" ]; then
        echo "FAIL: $name has no file $name.expected"
        failures=$(( failures + 1 ))
        continue
    fi
    wanted=$( sed -n 's/^exit \([0-9]*\)$/\1/p' "$name.expected" )
    "$program" collide "$file" --explain > "$output" 2>&1
    code=$?
    if [ $code -ne "${wanted:-0}" ]; then
        echo "FAIL: $name: exit code $code, not ${wanted:-0}"
        failures=$(( failures + 1 ))
    fi
    missing=$( grep -v '^exit [0-9]*$' "$name.expected" | grep -vxFf "$output" )
    if [ -n "$missing" ]; then
        echo "FAIL: $name: not printed:"
        echo "$missing"
        cat "$output"
        failures=$(( failures + 1 ))
    fi
done
echo "$cases cases, $failures failures"
[ $cases -gt 0 ] && [ $failures -eq 0 ]
