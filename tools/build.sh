#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Configures a preset where needed and builds it, or the named targets of it: tools/build.sh PRESET [TARGET...]
set -euo pipefail
cd "$( dirname "${BASH_SOURCE[0]}" )/.."

preset=$1
shift
log=build/$preset.configure.log
mkdir -p build
# Configured each time: it is quick, and finds libraries that were installed since.
if ! cmake --preset "$preset" > "$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
targets=()
[ $# -gt 0 ] && targets=( --target "$@" )
exec cmake --build "build/$preset" --parallel "${JOBS:-$( nproc )}" "${targets[@]}" -- --no-print-directory
