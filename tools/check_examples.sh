#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs every example of the release build in a folder of its own; each must end with 0 and say something.
set -euo pipefail
cd "$( dirname "${BASH_SOURCE[0]}" )/.."

root=$PWD
scratch=$( mktemp -d )
trap 'rm -rf "$scratch"' EXIT
count=0
for source in examples/*.c; do
    name=$( basename "$source" .c )
    echo "--- $name"
    ( cd "$scratch" && timeout 300 "$root/build/release/bin/$name" ) | tee "$scratch/output"
    [ -s "$scratch/output" ] || { echo "example $name: no output" >&2; exit 1; }
    count=$(( count + 1 ))
done
[ $count -gt 0 ] || { echo "no examples" >&2; exit 1; }
echo "examples: $count ran"
