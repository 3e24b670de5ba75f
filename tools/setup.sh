#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what the build and the tests need, on Debian and Ubuntu. Does nothing when all is there.
#   tools/setup.sh          compilers, CMake, the libraries around the core
#   tools/setup.sh peers    also the libraries that jostle-bench compares with
set -euo pipefail

want_peers=no
case "${1-}" in
    "") ;;
    peers) want_peers=yes ;;
    *) echo "usage: tools/setup.sh [peers]" >&2; exit 2 ;;
esac

missing=()

need_command() # command package
{
    command -v "$1" > /dev/null 2>&1 || missing+=( "$2" )
}

# Headers are looked for where Debian puts them: pkg-config itself may be what is missing.
need_file() # package glob...
{
    local package=$1 found
    shift
    for found in "$@"; do
        [ -e "$found" ] && return
    done
    missing+=( "$package" )
}

need_command gcc gcc
need_command g++ g++
need_command clang clang
need_command clang++ clang
need_command cmake cmake
need_command pkg-config pkg-config
command -v clang-format-14 > /dev/null 2>&1 || need_command clang-format clang-format
need_file libc6-dev /usr/include/stdio.h
need_command llvm-cov llvm
need_file libclang-rt-dev /usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a
need_file libcmocka-dev /usr/include/cmocka.h
need_file libjansson-dev /usr/include/jansson.h
need_file libcairo2-dev /usr/include/cairo/cairo.h
need_file zlib1g-dev /usr/include/zlib.h

if [ $want_peers = yes ]; then
    need_file libembree-dev /usr/include/embree3/rtcore.h /usr/include/embree4/rtcore.h
    need_file libcgal-dev /usr/include/CGAL/box_intersection_d.h
    need_file libbullet-dev /usr/include/bullet/btBulletCollisionCommon.h
    need_file chipmunk-dev /usr/include/chipmunk/chipmunk.h
    need_file libode-dev /usr/include/ode/ode.h
    need_file libccd-dev /usr/include/ccd/ccd.h
    need_file libfcl-dev /usr/include/fcl/fcl.h
    need_file libnanoflann-dev /usr/include/nanoflann.hpp
fi

[ ${#missing[@]} -eq 0 ] && exit 0

# One package may be missing by two of its files.
mapfile -t missing < <( printf '%s\n' "${missing[@]}" | sort -u )

if ! command -v apt-get > /dev/null 2>&1; then
    echo "setup: missing: ${missing[*]} (names of Debian packages)." >&2
    echo "setup: this system has no apt-get: install what corresponds to them, and run this again." >&2
    exit 1
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo > /dev/null 2>&1; then
        echo "setup: not root, and no sudo. As root, run: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=( sudo )
fi

install_packages()
{
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
}

echo "setup: installing ${missing[*]}"
# The package lists of a fresh machine are empty or old: fetch them only if the first try fails.
if ! install_packages "${missing[@]}"; then
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update
    install_packages "${missing[@]}"
fi
