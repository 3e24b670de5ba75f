#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sources from the named folders compile without a warning, by the commands of a preset; nothing is generated.
#   tools/check_syntax.sh PRESET FOLDER...
set -euo pipefail
cd "$( dirname "${BASH_SOURCE[0]}" )/.."

preset=$1
shift
log=build/$preset.configure.log
mkdir -p build
cmake --preset "$preset" > "$log" 2>&1 || { cat "$log" >&2; exit 1; }
folders=$( IFS='|'; echo "$*" )
mapfile -t commands < <( sed -nE 's/^ *"command": "(.*)",$/\1/p' "build/$preset/compile_commands.json" |
    grep -E " -c $PWD/($folders)/" | sed -E 's/ -o [^ ]+ -c / -fsyntax-only /' )
[ ${#commands[@]} -gt 0 ] || { echo "syntax: nothing of $* in build/$preset" >&2; exit 1; }
printf '%s\0' "${commands[@]}" | xargs -0 -P "${JOBS:-$( nproc )}" -I{} bash -c '{}'
echo "syntax: ${#commands[@]} sources of $*"
