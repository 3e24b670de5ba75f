#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sources of a configured build tree, from the named folders, compile without a warning, by the tree's own commands; nothing
# is generated.
#   tools/check_syntax.sh TREE FOLDER...
set -euo pipefail
cd "$( dirname "${BASH_SOURCE[0]}" )/.."

tree=$1
shift
folders=$( IFS='|'; echo "$*" )
mapfile -t commands < <( sed -nE 's/^ *"command": "(.*)",$/\1/p' "build/$tree/compile_commands.json" |
    grep -E " -c $PWD/($folders)/" | sed -E 's/ -o [^ ]+ -c / -fsyntax-only /' )
[ ${#commands[@]} -gt 0 ] || { echo "syntax: nothing of $* in build/$tree" >&2; exit 1; }
printf '%s\0' "${commands[@]}" | xargs -0 -P "${JOBS:-$( nproc )}" -I{} bash -c '{}'
echo "syntax: ${#commands[@]} sources of $*"
