#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How well jo_auto chooses: its cost to that of the best that `jostle tune` finds, on every workload and on the boxes of
# files, measured on this machine.
#   tools/regret.sh [--seed S] [--n N,N,...] [--limit R] [FILE...]
# Exits 1 if a regret by median is above the limit (1.3). Needs a quiet machine: a process that runs beside shows.
set -euo pipefail
cd "$( dirname "${BASH_SOURCE[0]}" )/.."

jostle=${JOSTLE:-build/release/bin/jostle}
seed=1
sizes=1000,10000,100000
limit=1.3
files=()
while [ $# -gt 0 ]; do
    case $1 in
        --seed) seed=$2; shift ;;
        --n) sizes=$2; shift ;;
        --limit) limit=$2; shift ;;
        -*) echo "regret: unknown option $1; the options are --seed, --n, --limit" >&2; exit 2 ;;
        *) files+=( "$1" ) ;;
    esac
    shift
done
command -v python3 > /dev/null || { echo "regret: needs python3" >&2; exit 2; }

over=0
measure() # label arguments...
{
    local label=$1 json
    shift
    json=$( ${PREFIX:-} "$jostle" tune "$@" --json )
    python3 - "$label" "$limit" "$json" << 'PYTHON' || over=$(( over + 1 ))
import json, sys

label, limit, tune = sys.argv[1], float(sys.argv[2]), json.loads(sys.argv[3])
chosen = tune["auto"]
times = {c["name"]: c["milliseconds"]["median"] for c in tune["candidates"] if "milliseconds" in c}
print(f'{label:28s} {chosen["regret"]:6.2f} {chosen["meanRegret"]:6.2f}   {chosen["kind"]:10s} {times["auto"]:9.4g}   '
      f'{tune["best"]:26s} {times[tune["best"]]:9.4g}', flush=True)
sys.exit(chosen["regret"] > limit)
PYTHON
}

printf '%-28s %6s %6s   %-10s %9s   %-26s %9s\n' "" regret mean auto ms best ms
for size in ${sizes//,/ }; do
    for workload in a b c clumps long still pile change; do
        measure "pairs-$workload $size" "pairs-$workload" --n "$size" --seed "$seed"
    done
done
for file in ${files[@]+"${files[@]}"}; do
    measure "$( basename "$file" )" "$file"
done
[ $over -eq 0 ] || { echo "regret: $over above $limit"; exit 1; }
