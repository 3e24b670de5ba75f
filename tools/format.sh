#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Formats the sources; with --check says which are not formatted, and fails if there are any.
set -euo pipefail
cd "$( dirname "${BASH_SOURCE[0]}" )/.."

formatter=$( command -v clang-format-14 || command -v clang-format )
major=$( "$formatter" --version | sed -n 's/.*version \([0-9]*\)\..*/\1/p' )
mapfile -t files < <( find include src cli bench test examples tools \
    \( -name '*.c' -o -name '*.h' -o -name '*.inl' -o -name '*.cpp' \) -print | LC_ALL=C sort )

if [ "${1-}" != --check ]; then
    "$formatter" -i "${files[@]}"
    exit 0
fi
# Versions of clang-format disagree in small things: only the one the project uses decides.
if [ "$major" != 14 ]; then
    echo "format: this is clang-format $major, the project uses 14: not checked" >&2
    exit 0
fi
"$formatter" --dry-run -Werror "${files[@]}"
echo "format: ${#files[@]} files"
