#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# jostle-bench on small sizes: every workload and kind, and the peers that are there; the rows are JSON with all
# fields; all answers agree; planted faults are caught. No timings.
#   test/test_bench.sh JOSTLE-BENCH
set -euo pipefail
bench=$1
scratch=$( mktemp -d )
trap 'rm -rf "$scratch"' EXIT

fail()
{
    echo "test_bench: $*" >&2
    [ ! -s "$scratch/err" ] || tail -n 5 "$scratch/err" >&2
    exit 1
}

run() # expected-exit arguments...
{
    local expected=$1 got=0
    shift
    "$bench" "$@" > "$scratch/out" 2> "$scratch/err" || got=$?
    [ "$got" -eq "$expected" ] || fail "exit $got, not $expected: jostle-bench $*"
}

workloads=( pairs-a pairs-b pairs-c pairs-clumps pairs-long pairs-still pairs-pile crowd two-sets sleepers rays-boxes
    rays-spheres overlaps-boxes overlaps-spheres nearest-points nearest-boxes boxes-hits-apart boxes-hits-mixed
    boxes-hits-within boxes-hits-rest boxes-depth-apart boxes-depth-mixed boxes-depth-within boxes-depth-rest
    boxes-points-apart boxes-points-mixed boxes-points-within boxes-points-rest obb-all obb-world
    flat-circles flat-capsules flat-boxes flat-polygons round-spheres round-mixed round-capsules
    hulls-hits-8 hulls-hits-32 hulls-hits-128 hulls-distance-8 hulls-distance-32 hulls-distance-128
    hulls-depth-8 hulls-depth-32 hulls-depth-128 )
kinds=$( "$bench" --help | sed -n 's/^  --kind K\[,K...\] *\(.*\); or all.*/\1/p' | tr -d ' ' )
[ -n "$kinds" ] || fail "--help does not list the kinds"
peers=$( "$bench" pairs-a --n 10 --frames 1 --kind grid 2> "$scratch/err" | sed -n 's/.*; peers: //p' ) ||
    fail "the smallest run fails"

check_rows() # json file
{
    python3 - "$1" "$kinds" "$peers" "${workloads[@]}" << 'PYTHON'
import json, re, sys

rows = json.load(open(sys.argv[1]))
kinds = [kind.lower() for kind in sys.argv[2].split(",")]
peers = [] if sys.argv[3] == "none" else sys.argv[3].split(", ")
workloads = sys.argv[4:]
fields = {"workload": str, "n": int, "library": str, "version": str, "kind": str, "threads": int, "frames": int,
          "median_ns": int, "min_ns": int, "ns_per_item": float, "ratio": float, "hash": str, "compiler": str,
          "flags": str, "cpu": str, "commit": str}

def check(right, what):
    if not right:
        sys.exit("test_bench: " + what)

check(isinstance(rows, list) and rows, "no array of rows")
for row in rows:
    for field, kind in fields.items():
        check(isinstance(row.get(field), kind), f"{field} is missing or no {kind.__name__}: {row}")
    for field in ("isa", "allocations", "memory_bytes"):
        check(field in row, f"{field} is missing: {row}")
    check(re.fullmatch("[0-9a-f]{16}", row["hash"]), f"hash: {row}")
    check(0 < row["min_ns"] <= row["median_ns"], f"times: {row}")
    items = row["n"]
    if row["workload"].startswith(("rays", "overlaps", "nearest")):
        items = row["queries"]
        most = {"rays": 1, "overlaps": 40, "nearest": 8}[row["workload"].split("-")[0]]
        check(items == 500 and 0 < row["answers"] <= 500 * most and row["build_ns"] > 0, f"queries: {row}")
        check(row["close_calls"] == 0, f"close calls of so few queries: {row}")
    if row["workload"].startswith(("boxes", "obb", "flat", "round", "hulls")):
        items = row["items"]
        check(items == (300 * 299 // 2 if row["workload"] == "obb-all" else 300), f"items: {row}")
        touching = {"apart": row["hits"] == 0, "within": row["hits"] == 300}
        check(touching.get(row["workload"].split("-")[-1], row["hits"] > 0), f"hits: {row}")
        check(row["library"] != "jostle" or row["depth_error"] < 1e-5, f"depth_error: {row}")
    if row["workload"] == "sleepers":
        items = row["movers"]
        is_among = row["kind"].split()[1] in ("nearby", "among")
        check(items == 100 and (row["touching"] > 50) == is_among, f"movers and sleepers: {row}")
        check(sum(row[stage + "_ns"] for stage in ("motion", "pairs", "contacts", "events")) > 0, f"stages: {row}")
    check(abs(row["ns_per_item"] * items - row["median_ns"]) < 1.0, f"ns_per_item: {row}")
    check(row["frames"] == 3 and row["n"] == 300, f"frames or n: {row}")
    check(("deepest" in row) == (row["workload"] == "crowd"), f"deepest: {row}")

for workload in workloads:
    for threads in (1, 2):
        group = [row for row in rows if row["workload"] == workload and row["threads"] == threads]
        ours = [row for row in group if row["library"] == "jostle"]
        if workload.startswith("hulls"):
            kinds_there = {"single"} if "distance" in workload else {"single", "batch"}
            check({row["kind"] for row in ours} == (kinds_there if threads == 1 else kinds_there - {"single"}), f"rows of {workload}")
            if not ours:
                continue
        elif workload.startswith(("boxes", "flat", "round")) or workload == "obb-all":
            check(ours[0]["kind"] == "batch", f"rows of {workload}, {threads} threads")
        else:
            check({row["kind"].split()[0].lower() for row in ours} == set(kinds), f"kinds of {workload}, {threads} threads")
        best = min(row["median_ns"] for row in ours)
        for row in group:
            if workload == "sleepers":
                kind = row["kind"].split()[0]
                (best,) = (other["median_ns"] for other in ours if other["kind"] == kind + " alone")
            check(abs(row["ratio"] - row["median_ns"] / best) < 1e-6, f"ratio: {row}")
    group = [row for row in rows if row["workload"] == workload]
    if workload == "sleepers":
        layouts = {layout: {row["hash"] for row in group if row["kind"].endswith(layout)} for layout in ("alone", "apart", "nearby", "among")}
        check(layouts["alone"] == layouts["apart"] != layouts["nearby"] == layouts["among"], f"hashes differ in {workload}")
        check(all(len(hashes) == 1 for hashes in layouts.values()), f"hashes differ in {workload}")
        check(len(group) == 2 * 4 * len(kinds) and {row["library"] for row in group} == {"jostle"}, f"rows of {workload}")
        continue
    for library in ("jostle", "jostle world") if workload == "crowd" else (None,):
        same = [row for row in group if library in (None, row["library"])]
        check(len({row["hash"] for row in same}) == 1, f"hashes differ in {workload}")
    for row in group if workload == "crowd" else []:
        check(0.0 <= row["deepest"] < 0.5, f"deepest: {row}")
    # Chipmunk has two dimensions; Embree, CGAL and Bullet push nothing apart; nanoflann knows no pairs.
    flat = workload in ("pairs-c", "pairs-still", "crowd")
    expected = {peer for peer in peers if (flat if peer == "Chipmunk" else workload != "crowd")} - {"nanoflann", "ODE", "libccd", "FCL"}
    if workload == "crowd":
        expected.add("jostle world")
    if workload == "two-sets":
        expected = {"Embree", "CGAL"} & set(peers)
    if workload.startswith(("rays", "overlaps", "nearest")):
        expected = {"rays": {"Embree"}, "overlaps": {"Embree", "Bullet"}, "nearest": {"Embree"}}[workload.split("-")[0]]
        expected = (expected | ({"nanoflann", "CGAL"} if workload == "nearest-points" else set())) & set(peers)
    if workload.startswith(("boxes", "obb")):
        expected = {"ODE"} if workload == "obb-world" or "hits" in workload else {"ODE", "Bullet"}
        expected = expected & set(peers) | ({"plain"} if workload != "obb-world" and "points" not in workload else set())
    if workload.startswith(("flat", "round")):
        expected = {"Chipmunk" if workload.startswith("flat") else "ODE"} & set(peers)
    if workload.startswith("hulls"):
        expected = {"libccd", "FCL", "Bullet"} & set(peers)
    check({row["library"] for row in group} - {"jostle"} == expected, f"peers of {workload}")
print(f"test_bench: {len(rows)} rows, peers: {', '.join(peers) or 'none'}")
PYTHON
}

run 0 all --n 300 --frames 3 --queries 500 --threads 1,2 --kind "$kinds" --peers --json
check_rows "$scratch/out"

# The same seed gives the same answers, another one does not.
hashes() # arguments...
{
    run 0 pairs-a --n 500 --frames 2 --kind grid --json "$@"
    sed -n 's/.*"hash": //p' "$scratch/out"
}
[ "$( hashes )" = "$( hashes --seed 1 )" ] || fail "the same seed gives other hashes"
[ "$( hashes )" != "$( hashes --seed 2 )" ] || fail "seeds do not matter"

# The table for people: one head, and a row a kind.
run 0 pairs-pile --n 300 --frames 2
[ "$( grep -c '^jostle-bench: .*commit' "$scratch/out" )" -eq 1 ] || fail "no line names compiler and commit"
[ "$( grep -c '^pairs-pile ' "$scratch/out" )" -eq "$( tr ',' '\n' <<< "$kinds" | wc -l )" ] || fail "rows of the table"

# Brute force is left out where it is too slow, and this is said.
run 0 pairs-a --n 20001 --frames 1
grep -q 'bruteforce is left out at 20001' "$scratch/err" || fail "nothing says that brute force is left out"
! grep -q '^pairs-a .* bruteforce' "$scratch/out" || fail "brute force is not left out"

# Of queries, what is slow answers fewer, and all of a workload run by the part of the name that they share.
run 0 rays --n 20001 --frames 1 --kind bruteforce,bvh --json
python3 - "$scratch/out" << 'PYTHON' || fail "queries of brute force and of the hierarchy"
import json, sys

rows = json.load(open(sys.argv[1]))
queries = {(row["workload"], row["kind"]): row["queries"] for row in rows}
good = all(queries[workload, "bruteforce"] <= queries[workload, "bvh"] <= 1000000 for workload in ("rays-boxes", "rays-spheres"))
sys.exit(0 if good and len(queries) == 8 and len({row["hash"] for row in rows}) == 2 else 1)
PYTHON

# Faults in an answer are caught.
for fault in drop double swap; do
    run 1 pairs-a --n 300 --frames 2 --kind grid,bruteforce --plant "$fault"
done
run 1 pairs-still --n 300 --frames 2 --kind grid --plant drop
run 1 crowd --n 300 --frames 2 --kind grid,bruteforce --plant overlap
for fault in drop double swap; do
    run 1 two-sets --n 5000 --frames 2 --kind grid,bvh --plant "$fault"
done
run 1 sleepers --n 300 --frames 2 --kind grid,bvh --plant drop
for fault in drop swap; do
    for workload in rays-boxes overlaps-spheres nearest-points; do
        run 1 "$workload" --n 300 --frames 2 --queries 500 --kind bvh,bruteforce --plant "$fault"
    done
done
for fault in drop double; do
    for workload in boxes-hits-mixed boxes-points-within obb-all obb-world flat-boxes round-mixed \
        hulls-hits-8 hulls-distance-8 hulls-depth-32; do
        run 1 "$workload" --n 300 --frames 2 --kind grid,bvh --plant "$fault"
    done
done
if "$bench" pairs-a --n 10 --frames 1 --kind grid --check-allocations > "$scratch/out" 2> "$scratch/err"; then
    run 1 pairs-a --n 300 --frames 2 --kind grid --check-allocations --plant allocate
    run 1 sleepers --n 300 --frames 2 --kind grid --check-allocations --plant allocate
    run 0 all --n 300 --frames 5 --queries 500 --kind grid,auto --check-allocations
else
    grep -q 'does not count allocations' "$scratch/err" || fail "allocations at 10 boxes"
fi

# Bad usage.
for arguments in "" "pairs-z" "pairs-a --n" "pairs-a --n 0" "pairs-a --n 5x" "pairs-a --n 9999999999" "pairs-a --kind quad" \
    "pairs-a --threads 0" "pairs-a --threads 65" "pairs-a --frames 0" "pairs-a --seed -1" "pairs-a --nonsense" \
    "--table --n 5" "--table pairs-a" "pairs-a --n 1,,2" "rays --queries 0" "rays-" "ray" "pairs-a --kind grid, " "pairs-a --plant nothing"; do
    # shellcheck disable=SC2086
    run 2 $arguments
    [ -s "$scratch/err" ] || fail "no message for: $arguments"
    [ ! -s "$scratch/out" ] || fail "output for: $arguments"
done
run 0 --help
echo "test_bench: all as it should be"
