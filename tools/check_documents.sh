#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the documents show is true: C programs in README.md and docs/ compile without a warning, link with the release
# library and run; commands in ```sh blocks run, except in blocks after a line "<!-- not run by the tests: WHY -->"; the
# programs in README.md are examples/hello.c and examples/world_events.c to the letter, of at most 40 lines; relative links lead to files.
set -euo pipefail
cd "$( dirname "${BASH_SOURCE[0]}" )/.."

root=$PWD
scratch=$( mktemp -d )
trap 'rm -rf "$scratch"' EXIT
# Commands stand as typed in the project's folder; what they write goes here.
mkdir "$scratch/run"
for entry in *; do
    ln -s "$root/$entry" "$scratch/run/$entry"
done

# Writes each fenced block of a language to FOLDER/N.LANGUAGE.
extract() # document language folder
{
    mkdir -p "$3"
    awk -v language="$2" -v folder="$3" '
        /^<!-- not run by the tests: / { skip = 1; next }
        /^```/ {
            if ( inside ) { inside = 0; skip = 0; if ( file ) close( file ); file = ""; next }
            inside = 1
            if ( $0 == "```" language && !skip ) file = sprintf( "%s/%02d.%s", folder, ++count, language )
            next
        }
        inside && file { print > file }
        !inside && NF { skip = 0 }
    ' "$1"
}

fail()
{
    echo "documents: $*" >&2
    exit 1
}

programs=0
commands=0
for document in README.md ARCHITECTURE.md docs/*.md; do
    folder=$scratch/$( basename "$document" .md )
    extract "$document" c "$folder"
    extract "$document" sh "$folder"
    for block in "$folder"/*.c; do
        [ -f "$block" ] || continue
        # What is no whole program is a fragment: it is prose.
        grep -q 'int main' "$block" || continue
        gcc -std=c17 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -Iinclude "$block" \
            build/release/libjostle.a -lm -pthread -o "$block.run" || fail "$document: a program does not compile"
        ( cd "$scratch/run" && timeout 60 "$block.run" ) || fail "$document: a program fails"
        programs=$(( programs + 1 ))
    done
    for block in "$folder"/*.sh; do
        [ -f "$block" ] || continue
        echo "--- $document"
        cat "$block"
        ( cd "$scratch/run" && timeout 300 bash -euo pipefail "$block" ) || fail "$document: a command fails"
        commands=$(( commands + $( grep -vcE '^(#|$)' "$block" ) ))
    done
    while read -r link; do
        [ -e "$( dirname "$document" )/${link%%#*}" ] || fail "$document: the link to $link leads nowhere"
    done < <( grep -oE '\]\([^)#:]+(#[^)]*)?\)' "$document" | sed 's/^](\(.*\))$/\1/' )
done
number=0
for name in hello world_events; do
    number=$(( number + 1 ))
    cmp "$scratch/README/0$number.c" examples/$name.c || fail "program $number of README.md is not examples/$name.c"
    [ "$( wc -l < examples/$name.c )" -le 40 ] || fail "examples/$name.c has more than 40 lines"
done
[ $programs -gt 0 ] && [ $commands -gt 0 ] || fail "nothing found to run"
echo "documents: $programs programs and $commands lines of commands ran"
