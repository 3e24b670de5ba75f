#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each public header compiles on its own, as C17 and as C++17, with gcc and with clang, without a warning.
set -euo pipefail
cd "$( dirname "${BASH_SOURCE[0]}" )/.."

warnings=( -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror )
count=0
for header in include/jostle/*.h; do
    name=${header#include/}
    for compiler in gcc clang; do
        echo "#include \"$name\"" | $compiler -x c -std=c17 "${warnings[@]}" -Wmissing-prototypes -Iinclude -fsyntax-only -
    done
    for compiler in g++ clang++; do
        echo "#include \"$name\"" | $compiler -x c++ -std=c++17 "${warnings[@]}" -Iinclude -fsyntax-only -
    done
    # Twice in one file: the guard is there.
    printf '#include "%s"\n#include "%s"\n' "$name" "$name" | gcc -x c -std=c17 -Iinclude -fsyntax-only -
    count=$(( count + 1 ))
done
echo "headers: $count, each as C17 and C++17, gcc and clang"
