#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the jostle program on good and bad input: exit codes, messages, what is left behind.
#   test/test_cli.sh PROGRAM [FOLDER WITH REAL BOXES]
set -u
program=$1
data=${2-}
# A relative path would not survive the change of folder.
case $program in /*) ;; *) program=$PWD/$program ;; esac
case $data in "" | /*) ;; *) data=$PWD/$data ;; esac

folder=$( mktemp -d ) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM
cd "$folder" || exit 1

failures=0
checks=0

fail() # what
{
    echo "FAIL: $1"
    failures=$(( failures + 1 ))
}

# run CODE ARGUMENTS...: runs the program; its output goes to the files out and err, its exit code must be CODE.
run()
{
    wanted=$1
    shift
    command="jostle $*"
    checks=$(( checks + 1 ))
    "$program" "$@" > out 2> err
    code=$?
    [ $code -eq "$wanted" ] || { fail "$command: exit code $code, not $wanted"; cat err; }
}

out_is() # text
{
    checks=$(( checks + 1 ))
    printf '%s\n' "$1" > wanted
    cmp -s wanted out || { fail "$command: prints"; cat out; echo "  instead of"; cat wanted; }
}

has() # file text
{
    checks=$(( checks + 1 ))
    grep -qF -- "$2" "$1" || { fail "$command: no \"$2\" in:"; head -n 20 "$1"; }
}

lacks() # file text
{
    checks=$(( checks + 1 ))
    ! grep -qF -- "$2" "$1" || fail "$command: \"$2\" in $1"
}

is_empty() # file
{
    checks=$(( checks + 1 ))
    [ ! -s "$1" ] || { fail "$command: there is something in $1:"; head -n 5 "$1"; }
}

last_is() # text
{
    checks=$(( checks + 1 ))
    [ "$( tail -n 1 out )" = "$1" ] || fail "$command: the last line is \"$( tail -n 1 out )\""
}

absent() # file
{
    checks=$(( checks + 1 ))
    [ ! -e "$1" ] || fail "$command: $1 is there"
}

same() # file file
{
    checks=$(( checks + 1 ))
    cmp -s "$1" "$2" || fail "$command: $1 and $2 differ"
}

good='verify: missed 0, extra 0, doubled 0'

# The structures of this build, from the message about an unknown one.
: > boxes.txt
kinds=$( "$program" pairs boxes.txt --kind '?' 2>&1 | sed -n 's/.*the kinds are //p' | tr -d , )
[ -n "$kinds" ] || fail "no kinds"

# --- help and version
run 0 --help
for word in pairs query gen info tune --version; do has out "$word"; done
run 0 -h
run 0 --version
has out "jostle "
for verb in pairs query gen info run tune; do
    run 0 $verb --help
    has out "usage: jostle $verb"
    is_empty err
    run 0 $verb -h
done
for option in --kind --threads --frames --count --json --verify; do
    "$program" pairs --help | grep -q -- "$option" || fail "pairs --help lacks $option"
done

for option in --ray --sweep --box --circle --nearest --queries --closest --all --any --frame --kind --count --json --verify; do
    "$program" query --help | grep -q -- "$option" || fail "query --help lacks $option"
done

# --- wrong command lines
run 2
has err "usage: jostle"
run 2 fly
has err "unknown verb fly; the verbs are pairs, query, gen, info, collide, run and tune"
run 2 --fly
has err "unknown option --fly"
printf '0 0 1 1\n' > boxes.txt
run 2 pairs
has err "no file given"
run 2 pairs boxes.txt boxes.txt
has err "more than one file"
run 2 pairs boxes.txt --fast
has err "unknown option --fast; the options are --kind, --threads, --frames, --count, --json, --verify"
run 2 pairs boxes.txt -x
has err "unknown option -x"
run 2 pairs boxes.txt --kind
has err "option --kind needs a value"
run 2 pairs boxes.txt --count=3
has err "option --count takes no value"
run 2 pairs boxes.txt --kind cloud
has err "unknown kind cloud; the kinds are bruteforce"
for number in 0 65 -1 1x '' 99999999999999999999 ' 2' 1.5; do
    run 2 pairs boxes.txt --threads "$number"
    has err "not a number from 1 to 64"
done
for number in 0 -1 x; do
    run 2 pairs boxes.txt --frames $number
    has err "--frames $number"
    run 2 gen a --frames $number -o absent.bin
    run 2 gen a --n $number -o absent.bin
done
run 2 gen a --n 2147483648 -o absent.bin
run 2 gen a --seed -1 -o absent.bin
has err "--seed -1"
run 2 gen
has err "no workload given"
run 2 gen a b -o absent.bin
run 2 gen crowd -o absent.bin
has err "unknown workload crowd; the workloads are pairs-a, pairs-b, pairs-c, pairs-clumps, pairs-long, pairs-still, pairs-pile, pairs-change"
run 2 gen a
has err "no file given; say -o FILE"
run 2 info
run 2 info boxes.txt --fast
has err "unknown option --fast; the options are --json"
absent absent.bin

# --- pairs of texts
cat > boxes.txt <<'END'
# touching, nested, of no size, far
x0 y0 z0 x1 y1 z1
0 0 0  2 2 2
2,2,2, 3,3,3
1 1 1  1 1 1
-inf -inf -inf  -5 inf inf
0.5 0.5 0.5 0.75 0.75 0.75
-6 0 0 -5 1 1
END
expected='0 1
0 2
0 4
3 5'
for kind in $kinds; do
    for threads in 1 2; do
        run 0 pairs boxes.txt --kind "$kind" --threads $threads
        out_is "$expected"
        is_empty err
    done
    run 0 pairs boxes.txt --kind "$kind" --verify
    out_is "$expected
$good"
    run 0 pairs boxes.txt --kind "$kind" --count
    out_is 4
    run 0 pairs boxes.txt --kind "$kind" --count --verify
    out_is "4
$good"
done
kind=${kinds%% *}
run 0 pairs --kind $kind --json boxes.txt
for text in '"file": "boxes.txt"' '"dimension": 3' '"boxes": 6' "\"kind\": \"$kind\"" '"threads": 1' \
    '"count": 4' '"pairs": [[0,1],[0,2],[0,4],[3,5]]'; do
    has out "$text"
done
run 0 pairs boxes.txt --json --count --verify --kind $kind
lacks out '"pairs"'
has out '"missed": 0, "extra": 0, "doubled": 0'
lacks out verify:
has err "$good"
if command -v python3 > tool 2> tool.err; then
    "$program" pairs boxes.txt --json --kind $kind | python3 -m json.tool > json 2> err || fail "pairs --json is no JSON"
    "$program" info boxes.txt --json | python3 -m json.tool > json 2> err || fail "info --json is no JSON"
fi
# 2D: the third and fourth number are x and y of the upper corner.
printf '0 0 2 1\n1 1 3 3\n2.5,0,3,0.5\n' > flat.txt
run 0 pairs flat.txt --kind $kind
out_is '0 1'
gzip -c boxes.txt > boxes.txt.gz
run 0 pairs boxes.txt.gz --kind $kind
out_is "$expected"
printf '0 0 1 1\n' > one.txt
run 0 pairs one.txt --kind $kind --verify
out_is "$good"
cp boxes.txt 'a "b".txt'
run 0 pairs 'a "b".txt' --json --kind $kind
has out '"a \"b\".txt"'

# --- queries
found='verify: missed 0, extra 0, wrong 0'
for kind in $kinds; do
    run 0 query boxes.txt --kind "$kind" --ray -10,1,1,1,0,0 --all --verify
    out_is "3 0
5 4
0 10
2 11
$found"
    run 0 query boxes.txt --kind "$kind" --ray -10,1,1,1,0,0,3
    out_is '3 0'
    run 0 query boxes.txt --kind "$kind" --ray 5,1,1,-1,0,0,3 --any
    out_is yes
    run 0 query boxes.txt --kind "$kind" --ray 5,1,1,-1,0,0,2.5 --any
    out_is no
    run 0 query boxes.txt --kind "$kind" --ray 5,1,1,-1,0,0,2.5
    out_is none
    run 0 query boxes.txt --kind "$kind" --sweep '10 0 0 11 1 1 -1 0 0'
    out_is '0 8'
    run 0 query boxes.txt --kind "$kind" --box 0,0,0,1,1,1
    out_is '0
2
4'
    run 0 query boxes.txt --kind "$kind" --circle 4,4,3,1.4142136 --count
    out_is 1
    run 0 query boxes.txt --kind "$kind" --nearest 10,10,10
    out_is '1 12.1243553'
    run 0 query boxes.txt --kind "$kind" --nearest 1,1,1,9,0.25 --verify
    out_is "0 0
2 0
$found"
    is_empty err
done
kind=${kinds%% *}
# Several questions, from both places, in their order.
printf '# questions\nray -10 1 1 1 0 0 3 # one\n\nbox 0,0,0, 1,1,1\r\nnearest, 0, 0, 0, 0\n' > questions.txt
run 0 query --circle 9,9,9,0 boxes.txt --queries questions.txt --nearest 10,10,10,2 --verify
out_is "# circle 9,9,9,0: 0 found
none
# ray -10,1,1,1,0,0,3: 1 found
3 0
# box 0,0,0,1,1,1: 3 found
0
2
4
# nearest 0,0,0,0,inf: 0 found
none
# nearest 10,10,10,2,inf: 2 found
1 12.1243553
0 13.8564062
$found"
run 0 query boxes.txt --queries questions.txt --count
out_is '0 1
1 3
2 0'
gzip -c questions.txt > questions.txt.gz
run 0 query boxes.txt --queries questions.txt.gz --count
out_is '0 1
1 3
2 0'
run 0 query boxes.txt --queries questions.txt --json --verify
for text in '"boxes": 6' '"frame": 0' '"kind": "bvh"' '"mode": "closest"' \
    '{ "question": "ray -10,1,1,1,0,0,3", "count": 1, "hits": [[3,0]] }' \
    '{ "question": "box 0,0,0,1,1,1", "count": 3, "keys": [0,2,4] }' '"missed": 0, "extra": 0, "wrong": 0'; do
    has out "$text"
done
lacks out verify:
has err "$found"
cp out json.in
run 0 query boxes.txt --ray 0,0,0,1,0,0 --any --json
has out '{ "question": "ray 0,0,0,1,0,0,inf", "count": 1 }'
if command -v python3 > tool 2> tool.err; then
    python3 -m json.tool json.in > json 2> err || fail "query --json is no JSON"
fi
printf '0 0 2 1\n1 1 3 3\n' > flat.txt
run 0 query flat.txt --ray -1,2,2,0 --circle 3,0,1 --nearest 0,4,2 --box 2,1,2,1 --verify
out_is "# ray -1,2,2,0,inf: 1 found
1 2
# circle 3,0,1: 2 found
0
1
# nearest 0,4,2,inf: 2 found
1 1.41421354
0 3
# box 2,1,2,1: 2 found
0
1
$found"

# Beyond floats all distances are one, but what is passed by there is not met.
printf '1e-40 -3e38 -3e38 1e20 -3e38 inf\n' > far.txt
run 0 query far.txt --ray 3e38,-1e-40,3e38,-2,-3,3e38 --verify
out_is "none
$found"

# Wrong questions: nothing is printed.
bad_question() # option numbers text
{
    run 2 query boxes.txt --box 0,0,0,1,1,1 "$1" "$2"
    has err "jostle query: $1 $2: $3"
    is_empty out
}
bad_question --ray 0,0,0,1,0 '5 numbers, but a ray in 3D has 6, or one more'
bad_question --ray 0,0,0,1,0,0,1,1 '8 numbers'
bad_question --ray 0,0,0,1,,0 'number 5: "" is not a number'
bad_question --ray 0,0,0,1,0,0, 'number 7: "" is not a number'
bad_question --ray '' '0 numbers'
bad_question --ray 0,nan,0,1,0,0 'number 2: "nan" is not a number (NaN)'
bad_question --ray 0,0,0,1,0,1e39 'number 6: "1e39" is beyond'
bad_question --ray 0,0,0,0,0,0 'A ray'
bad_question --ray inf,0,0,1,0,0 'A ray'
bad_question --ray 0,0,0,1,0,0,-1 'A ray'
bad_question --sweep 0,0,0,1,1,1 '6 numbers, but a sweep in 3D has 9'
bad_question --sweep 1,1,1,0,0,0,1,0,0 'A box is inside out'
bad_question --box 1,1,1,0,0,0 'A box is inside out'
bad_question --circle 0,0,0,-1 'A radius is negative'
bad_question --nearest 0,0,0,1.5 'how many: "1.5" is not a whole number'
bad_question --nearest 0,0,0,4294967296 'how many: "4294967296"'
bad_question --nearest 0,0,0, 'how many: ""'
bad_question --nearest 0,0,0,1,-1 'A radius is negative'
bad_line() # line text
{
    run 1 query boxes.txt --box 0,0,0,1,1,1 --queries bad.txt
    has err "jostle query: bad.txt:$1: $2"
    is_empty out
}
printf 'box 0 0 0 1 1 1\n# c\nboxes 0 0 0 1 1 1\n' > bad.txt
bad_line 3 'unknown question "boxes"; the questions are ray, sweep, box, circle and nearest'
printf 'box 0 0 0 1 1 1\nray 0 0 0 1 0 x\n' > bad.txt
bad_line 2 'number 6: "x" is not a number'
printf 'ray 1 0 0 1 0 0\n\nray 0 0 0 0 0 0\n' > bad.txt
bad_line 3 'A ray'
printf 'box,,0,0,1,1,1\n' > bad.txt
bad_line 1 'number 1: "" is not a number'
run 2 query boxes.txt
has err "no question given"
run 2 query --box 0,0,0,1,1,1
has err "no file given"
run 2 query boxes.txt boxes.txt --box 0,0,0,1,1,1
has err "more than one file"
run 2 query boxes.txt --ray
has err "option --ray needs a value"
run 2 query boxes.txt --rays 1
has err "unknown option --rays; the options are --ray, --sweep"
run 2 query boxes.txt --box 0,0,0,1,1,1 --kind cloud
has err "unknown kind cloud; the kinds are bruteforce"
run 2 query boxes.txt --box 0,0,0,1,1,1 --frame -1
has err "--frame -1: not a number"
run 1 query boxes.txt --box 0,0,0,1,1,1 --frame 1
has err "boxes.txt: has 1 frames; there is none of number 1"
run 1 query boxes.txt --queries absent.txt
has err "absent.txt: cannot be opened"
run 1 query absent.txt --box 0,0,0,1,1,1
has err "absent.txt: cannot be opened"

# --- bad texts: the line is named, nothing is printed
bad() # line text
{
    for verb in pairs info; do
        run 1 $verb bad.txt
        has err "jostle $verb: bad.txt:$1: $2"
        is_empty out
    done
}
printf '0 0 0 1 1 1\n# c\n0 0 nan 1 1 1\n' > bad.txt
bad 3 'column 3: "nan" is not a number (NaN)'
printf '0 0 1 1\n0 5 1 4\n' > bad.txt
bad 2 'lower y 5 is above upper y 4 (box 1)'
printf '0 0 1 1\n0 0 0 1 1 1\n' > bad.txt
bad 2 '6 columns, but the boxes of this file have 4, as in line 1'
printf '1 2 3\n' > bad.txt
bad 1 '3 columns'
printf '1 2 3 4\n1 2 three 4\n' > bad.txt
bad 2 'column 3: "three" is not a number'
printf '# nothing\n' > bad.txt
bad 2 'the file ends without a box'
: > bad.txt
run 1 pairs bad.txt
has err "jostle pairs: bad.txt: is empty"
run 1 pairs absent.txt
has err "absent.txt: cannot be opened: No such file or directory"
run 1 info .
has err "is a directory"
run 1 pairs boxes.txt --frames 2 --kind $kind
has err "has 1 frames, not 2"
gzip -c boxes.txt | head -c 60 > bad.txt
run 1 pairs bad.txt
has err "the gzip data are truncated"

# --- workloads: round trip, every kind
for workload in a b c clumps long still pile change; do
    run 0 gen pairs-$workload --n 400 --frames 3 --seed 5 -o $workload.bin
    is_empty out
    is_empty err
    # 272 bytes of header, the world, and four frames: the last one stands twice.
    [ "$( wc -c < $workload.bin )" -eq $(( 304 + 400 * 32 * 4 )) ] || fail "$workload.bin has a wrong size"
    tail -c $(( 400 * 32 )) $workload.bin > last
    tail -c $(( 400 * 64 )) $workload.bin | head -c $(( 400 * 32 )) > before
    same last before
    run 0 gen $workload --n 400 --frames 3 --seed 5 --output again.bin
    same $workload.bin again.bin
    run 0 info $workload.bin
    has out 'format     recording'
    has out 'boxes      400'
    has out 'frames     3'
    run 0 info $workload.bin --json
    has out '"boxes": 400'
    has out '"frames": 3'
    for kind in $kinds; do
        run 0 pairs $workload.bin --kind "$kind" --verify --threads 2
        last_is "$good"
        cp out all
        [ -f $workload.pairs ] || cp all $workload.pairs
        same all $workload.pairs
        [ "$( grep -c '^# frame [0-2]: [0-9]* pairs$' all )" -eq 3 ] || fail "$workload: not three frames"
    done
    # Questions to the second frame, in the box that is there.
    case $workload in c | still | change) place=10,10 toward=1,0.5 ;; *) place=5,5,5 toward=1,0.5,-2 ;; esac
    for kind in $kinds; do
        run 0 query $workload.bin --frame 1 --kind "$kind" --ray $place,$toward --sweep $place,$place,$toward,9 \
            --box $place,$place --circle $place,3 --nearest $place,5 --all --verify
        last_is "$found"
        [ -f $workload.found ] || cp out $workload.found
        same out $workload.found
    done
    # The first frame of a recording, of a text and of both compressed are the same boxes.
    run 0 pairs $workload.bin --frames 1 --kind $kind
    cp out first
    for name in $workload.txt $workload.txt.gz $workload.bin.gz; do
        run 0 gen $workload --n 400 --seed 5 -o $name
        run 0 pairs $name --kind $kind
        same out first
    done
    # Both lengths of a recording are read, and give the same.
    head -c $(( 304 + 400 * 32 * 3 )) $workload.bin > shorter.bin
    run 0 pairs shorter.bin --verify --kind $kind
    same out $workload.pairs
done
run 0 gen a --n 400 --seed 6 -o again.bin
run 0 gen a --n 400 --seed 5 -o other.bin
cmp -s again.bin other.bin && fail "two seeds give the same boxes"
for workload in c still change; do
    run 0 info $workload.bin
    has out 'dimension  2'
done
run 0 info a.bin
has out 'dimension  3'
has out 'name       jostle pairs-a n 400 seed 5'
has out 'motion     100 % of the boxes change a frame; 0 never do'
run 0 info still.bin
has out 'motion     10 % of the boxes change a frame; 360 never do'
run 0 pairs still.bin --count --kind $kind
[ "$( cut -d ' ' -f 1 out | tr '\n' ' ' )" = '0 1 2 ' ] || fail "--count of several frames"
run 0 pairs a.bin --count --frames 2 --kind $kind
[ "$( wc -l < out )" -eq 2 ] || fail "--frames 2 prints $( wc -l < out ) lines"
run 0 pairs a.bin --json --kind $kind
[ "$( grep -c '"frame":' out )" -eq 3 ] || fail "--json of several frames"
run 0 gen a -o default.broadmark
run 0 info default.broadmark
has out 'boxes      10000'
has out 'format     recording'
run 0 gen c --n 3 -o -
[ "$( grep -c '^[-0-9]' out )" -eq 3 ] || fail "gen -o - does not print three boxes"
run 0 gen a --n 1 --frames 2 -o tiny.txt
run 0 info tiny.txt
has out 'format     recording'

# --- bad recordings: the byte is named
cp a.bin good.bin
size=$( wc -c < good.bin )
poke() # offset octal-bytes: a copy of good.bin with these bytes there, in bad.bin
{
    head -c "$1" good.bin > bad.bin
    printf "$2" > patch
    cat patch >> bad.bin
    tail -c +$(( $1 + $( wc -c < patch ) + 1 )) good.bin >> bad.bin
}
bad_recording() # byte text
{
    for verb in pairs info; do
        run 1 $verb bad.bin
        has err "jostle $verb: bad.bin: byte $1: "
        has err "$2"
        is_empty out
    done
    gzip -c bad.bin > bad.bin.gz
    run 1 pairs bad.bin.gz
    has err "bad.bin.gz: byte $1: "
    has err "$2"
}
poke 0 ''
same bad.bin good.bin
for length in 300 304 20000 $(( 304 + 400 * 32 * 3 - 1 )); do
    head -c $length good.bin > bad.bin
    bad_recording $length 'truncated'
done
head -c 200 good.bin > bad.bin
bad_recording 200 'too short for a recording'
cat good.bin one.txt > bad.bin
bad_recording "$size" 'oversized'
head -c $(( size - 4 )) good.bin > bad.bin
bad_recording $(( 304 + 400 * 32 * 3 )) 'oversized or its extra frame is truncated'
poke 256 '\377\377\377\177'
bad_recording "$size" 'truncated, it ends here: the header says 2147483647 boxes and 3 frames'
poke 256 '\377\377\377\177\377\377\377\177'
bad_recording "$size" 'the header says 2147483647 boxes and 2147483647 frames'
poke 256 '\001\000\000\000'
bad_recording $(( 304 + 4 * 32 )) 'oversized'
poke 256 '\000\000\000\000'
bad_recording 256 'the header says 0 boxes'
poke 260 '\377\377\377\377'
bad_recording 260 'the header says -1 frames'
poke 268 '\001'
bad_recording 268 'neither text'
poke $(( 304 + 32 * 1000 + 4 )) '\000\000\300\177'
bad_recording $(( 304 + 32 * 1000 + 4 )) 'box 200 of frame 2: lower y is not a number (NaN)'
poke $(( 304 + 32 * 7 )) '\000\000\200\107'
bad_recording $(( 304 + 32 * 7 )) 'box 7 of frame 0: lower x 65536 is above upper x'

# --- writing: on an error all is as before
mkdir place
printf 'old\n' > place/a.bin
run 1 gen a --n 100 -o place
has err "jostle gen: place: cannot be written: Is a directory"
run 1 gen a --n 100 -o absent/a.bin
has err "absent/a.bin: cannot be written: No such file or directory"
( ulimit -f 8; exec "$program" gen a --n 100000 --frames 2 -o place/a.bin ) > out 2> err
code=$?
[ $code -eq 1 ] || fail "gen beyond the limit of file sizes exits with $code"
grep -q 'place/a.bin: cannot be written: File too large' err || fail "gen beyond the limit of file sizes: $( cat err )"
[ "$( ls place )" = a.bin ] || fail "gen has left $( ls place )"
[ "$( cat place/a.bin )" = old ] || fail "gen has changed a file that it could not write"
if [ -c /dev/full ]; then
    run 1 gen a --n 1000 -o /dev/full
    has err "/dev/full: cannot be written: No space left on device"
    [ -c /dev/full ] || fail "gen has replaced a device"
    for arguments in "pairs a.bin --kind $kind" "info a.bin" "pairs --help" --help "gen a --n 1000 -o -"; do
        checks=$(( checks + 1 ))
        # shellcheck disable=SC2086 # the arguments are several words
        "$program" $arguments > /dev/full 2> err && fail "jostle $arguments to a full disk succeeds"
        grep -q 'cannot be written: No space left' err || { fail "jostle $arguments to a full disk says"; cat err; }
    done
fi
# A gen that is stopped takes its temporary file away.
"$program" gen a --n 20000 --frames 2147483647 -o place/a.bin 2> err &
gen=$!
tries=0
while [ "$( ls place | wc -l )" -lt 2 ] && [ $tries -lt 200 ]; do
    sleep 0.05
    tries=$(( tries + 1 ))
done
kill -TERM $gen
wait $gen
code=$?
command='jostle gen, stopped'
[ $code -eq 143 ] || fail "a stopped gen exits with $code"
has err "stopped; nothing was written"
rm -f place/core*
[ "$( ls place )" = a.bin ] && [ "$( cat place/a.bin )" = old ] || fail "a stopped gen leaves $( ls place )"

# --- tune: little to measure, much to say
run 0 tune c --n 300 --frames 4
for text in '300 boxes in 2D, 0 of them still' 'kind ' 'dropped in round' 'recommended: ' \
    'joBroadPhaseDef def = joDefaultBroadPhaseDef();' 'def.dimension = 2;' 'def.kind = jo_' 'auto chose ' 'its regret is '; do
    has out "$text"
done
is_empty err
for kind in $kinds; do
    grep -q "^$kind " out || fail "tune has no row of $kind"
done
run 0 tune boxes.txt --queries 2 --threads 2
has out '6 boxes in 3D, 0 of them still, 4 pairs a frame; 100 frames'
lacks out 'def.dimension'
run 0 tune still.bin --frames 3
has out '360 of them still'
run 0 tune still.bin --moving
has out '0 of them still'
has out '; 3 frames, '
run 0 tune pairs-still --n 100 --frames 2
has out '90 of them still'
run 0 tune b --n 200 --frames 3 --seed 4 --json --plot plot.svg
has out '"input": "b"'
has plot.svg '<svg'
has plot.svg '</svg>'
if command -v python3 > tool 2> tool.err; then
    python3 - out plot.svg << 'PYTHON' || fail "tune --json or --plot"
import json, sys, xml.dom.minidom

tune = json.load(open(sys.argv[1]))
names = [candidate["name"] for candidate in tune["candidates"]]
ended = [candidate for candidate in tune["candidates"] if "milliseconds" in candidate]
assert len(set(names)) == len(names) and {"auto", "grid", "bvh", "sweep", "tree", "bruteforce"} <= set(names)
assert {candidate["kind"] for candidate in ended} >= {"auto", "grid", "bvh"}
assert all(len(candidate["milliseconds"]["frames"]) == 3 for candidate in ended)
assert all(("droppedInStage" in candidate) != ("milliseconds" in candidate) for candidate in tune["candidates"])
best = min(c["milliseconds"]["median"] for c in ended if c["kind"] != "auto")
times = {c["name"]: c["milliseconds"]["median"] for c in ended}
assert times[tune["best"]] == best and times[tune["recommended"]] <= 1.03 * best
assert abs(tune["auto"]["regret"] - times["auto"] / best) < 1e-6 and tune["auto"]["reason"].endswith(".")
assert tune["def"].startswith("joBroadPhaseDef def") and tune["frames"] == 3
xml.dom.minidom.parse(sys.argv[2])
PYTHON
fi
run 2 tune
has err "no file or workload given"
run 2 tune a b
has err "more than one file or workload given"
run 2 tune a --fast
has err "unknown option --fast; the options are --n, --frames, --seed, --queries, --threads, --moving, --json, --plot, --help"
for option in '--n 0' '--frames 1' '--frames x' '--seed -1' '--queries -1' '--threads 65'; do
    # shellcheck disable=SC2086
    run 2 tune a $option
    has err "$option: not a number from"
done
run 2 tune boxes.txt --n 5
has err "--n is for workloads, and boxes.txt is none"
run 1 tune absent.txt
has err "jostle tune: absent.txt: cannot be opened"
run 1 tune a.bin --frames 4
has err "a.bin: has 3 frames, not 4"
cp boxes.txt a
run 0 tune ./a --frames 2
has out '6 boxes in 3D'
rm a
mkdir -p place
run 1 tune a --n 50 --frames 2 --plot absent/plot.svg
has err "jostle tune: absent/plot.svg: cannot be written: No such file or directory"
run 1 tune a --n 50 --frames 2 --plot place
has err "place: cannot be written"
absent place.tmp
command='jostle tune, stopped'
"$program" tune a --n 20000 --frames 1000 > out 2> err &
tune=$!
sleep 1
kill -TERM $tune
wait $tune
code=$?
[ $code -eq 143 ] || fail "a stopped tune exits with $code"
has err "jostle tune: stopped"
is_empty out

# --- collide: what is wrong is said with its place
scene() # text: the file scene.json
{
    printf '%s\n' "$1" > scene.json
}

refuses() # place and message
{
    run 1 collide scene.json
    has err "jostle collide: scene.json:$1"
    is_empty out
}

ball='{ "kind": "sphere", "radius": 1 }'
scene "{ \"dimension\": 3, \"a\": $ball, \"b\": $ball }"
run 0 collide scene.json
has out "overlap    yes"
has out "depth      2"
run 0 collide scene.json --explain
has out "<- least overlap"
run 0 collide scene.json --json
has out '"overlap": true'
lacks out '"axes"'
run 0 collide scene.json --json --explain
has out '"best": true'
scene "{ \"dimension\": 3,
  \"a\": $ball, \"b\": { \"kind\": \"sphere\", \"radius\": 1, \"pose\": { \"position\": [5, 0, 0] } },
  \"motion\": [-6, 0, 0] }"
run 0 collide scene.json --explain
has out "overlap    no"
has out "<- widest gap"
has out "distance   3, from 1 0 0 to 4 0 0"
has out "impact     at 0.5 of the motion"
lacks out "gjk  "
corner='{ "kind": "hull", "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]'
scene "{ \"dimension\": 3, \"a\": $corner }, \"b\": $corner, \"pose\": { \"position\": [2, 0, 0] } } }"
run 0 collide scene.json
lacks out "gjk  "
run 0 collide scene.json --explain
has out "distance 1: the distance is known well enough"
lacks out "epa  "
run 0 collide scene.json --json --explain
has out '"end": "the distance is known well enough"'
has out '"contactFrom": "none"'
scene "{ \"dimension\": 3, \"a\": $ball }"
refuses '1:1: has no "b"'
scene "{ \"dimension\": 4, \"a\": $ball, \"b\": $ball }"
refuses '1:16: dimension: not 2 or 3'
scene "{ \"dimension\": 2, \"a\": $ball, \"b\": $ball }"
refuses '1:34: a.kind: not a kind in 2D; the kinds are circle, capsule, polygon, box, segment, chain'
scene "{ \"dimension\": 3, \"a\": $ball,
  \"b\": { \"kind\": \"box\", \"halfExtents\": [1, \"x\", 1] } }"
refuses '2:44: b.halfExtents[1]: not a number'
scene "{ \"dimension\": 3, \"a\": $ball,
  \"b\": { \"kind\": \"box\", \"halfExtents\": [1, 1] } }"
refuses '2:40: b.halfExtents: not an array of 3 numbers'
scene "{ \"dimension\": 3, \"a\": $ball,
  \"b\": { \"kind\": \"sphere\", \"radius\": -1 } }"
refuses '2:8: b: '
scene "{ \"dimension\": 3, \"a\": $ball,
  \"b\": { \"kind\": \"sphere\", \"radius\": 1e60 } }"
refuses '2:38: b.radius: above what a float can be'
scene "{ \"dimension\": 3, \"a\": $ball,
  \"b\": { \"kind\": \"sphere\", \"radios\": 1 } }"
refuses '2:38: b.radios: unknown; what may stand here is kind, pose, center, radius'
scene "{ \"dimension\": 3, \"a\": $ball,
  \"b\": { \"kind\": \"sphere\", \"radius\": 1, \"pose\": { \"rotation\": [0, 0, 0, 0] } } }"
refuses '2:49: b.pose: '
scene "{ \"dimension\": 3, \"a\": $ball, \"b\": $ball, \"margin\": -1 }"
refuses '1:109: margin: '
scene "{ \"dimension\": 3, \"a\": $ball, \"a\": $ball }"
refuses '1:'
scene '{ "dimension": 3,'
refuses '2:'

# meshes and chains
flat='{ "kind": "circle", "radius": 1 }'
chain() # members after the kind: as B of a scene in 2D
{
    scene "{ \"dimension\": 2, \"a\": $flat,
  \"b\": { \"kind\": \"chain\", $1 } }"
}
mesh() # members after the kind: as B of a scene in 3D
{
    scene "{ \"dimension\": 3, \"a\": $ball,
  \"b\": { \"kind\": \"mesh\", $1 } }"
}
corners='"points": [[0, 0, 0], [1, 0, 0], [0, 0, 1], [2, 0, 0]]'
chain '"points": [[-2, 0], [0, 0], [2, 0]]'
run 0 collide scene.json --explain
has out "of segment 0 of B"
has out "depth      1"
run 0 collide scene.json --json --explain
has out '"part": 0'
run 0 collide scene.json --svg picture.svg
has picture.svg "<svg"
mesh "$corners, \"triangles\": [[0, 1, 2]]"
run 0 collide scene.json --explain
has out "of triangle 0 of B"
run 0 collide scene.json --svg picture.svg
has picture.svg "<svg"
scene '{ "dimension": 2, "a": { "kind": "chain", "points": [[0, 0], [1, 0]] },
  "b": { "kind": "chain", "points": [[0, 0], [1, 0]] } }'
run 0 collide scene.json --explain
has out "no answer for this pair of kinds"
has out "check      none for this pair"
chain '"points": [[0, 0]]'
refuses '2:37: b.points: '
chain '"points": [[0, 0], [1, 0], [1, 0]]'
refuses '2:54: b.points[2]: A point of a chain is at the place of the one beside it.'
chain '"points": [[0, 0], [1, 0], [0, 0]], "loop": true'
refuses '2:54: b.points[2]: '
chain '"points": [[0, 0], [1, 0], [1e20, 0]]'
refuses '2:54: b.points[2]: '
chain '"points": [[0, 0], [1, 0, 0]]'
refuses '2:46: b.points[1]: not an array of 2 numbers'
chain '"points": [[0, 0], [1, 0]], "loop": 1'
refuses '2:63: b.loop: not true or false'
chain '"points": [[0, 0], [1, 0]], "radius": 1'
refuses '2:65: b.radius: unknown; what may stand here is kind, pose, points, loop'
chain '"loop": true'
refuses '2:8: b: has no "points"'
mesh "$corners"
refuses '2:8: b: has no "triangles"'
mesh "$corners, \"triangles\": [[0, 1, 2], [0, 1, 4]]"
refuses '2:107: b.triangles[1]: A triangle of a mesh names a vertex that is not there.'
mesh "$corners, \"triangles\": [[0, 1, 2], [0, 1, 3]]"
refuses '2:107: b.triangles[1]: A triangle of a mesh has no area, or hardly any for its length.'
mesh "$corners, \"triangles\": [[0, 1]]"
refuses '2:96: b.triangles[0]: not an array of 3 indices'
mesh "$corners, \"triangles\": [[0, 1, -2]]"
refuses '2:103: b.triangles[0][2]: not the index of a point'
mesh "$corners, \"triangles\": [[0, 1, 1.5]]"
refuses '2:103: b.triangles[0][2]: not the index of a point'
mesh "$corners, \"triangles\": []"
refuses '2:95: b.triangles: not an array of 1 to 4096 triangles'
mesh "$corners, \"triangles\": {}"
refuses '2:95: b.triangles: not an array of 1 to 4096 triangles'
mesh '"points": [[0, 0, 0], [1, 0, 1e13], [0, 0, 1]], "triangles": [[0, 1, 2]]'
refuses '2:48: b.points[1]: '
run 1 collide nowhere.json
has err "jostle collide: nowhere.json: No such file or directory"
head -c 2000000 /dev/zero | tr '\0' ' ' > scene.json
run 1 collide scene.json
has err "larger than 1048576 bytes"
run 2 collide
has err "no file given"
scene "{ \"dimension\": 3, \"a\": $ball, \"b\": $ball }"
run 1 collide scene.json --svg nowhere/picture.svg
has err "nowhere/picture.svg"
run 0 collide scene.json --svg picture.svg
has picture.svg "<svg"

# --- an instruction set that cannot be had
command='jostle pairs under JOSTLE_ISA=none'
JOSTLE_ISA=none "$program" pairs boxes.txt --kind $kind > out 2> err
[ $? -eq 1 ] || fail "JOSTLE_ISA=none is accepted"
has err "JOSTLE_ISA"

# --- real boxes, if they are there
if [ -n "$data" ] && [ -d "$data" ]; then
    for file in "$data"/*.txt; do
        [ -f "$file" ] || continue
        for kind in $kinds; do
            run 0 pairs "$file" --kind "$kind" --verify
            last_is "$good"
        done
    done
fi

# --- run: scenes
for option in --steps --threads --kind --scale --events --png --frames --json; do
    "$program" run --help | grep -q -- "$option" || fail "run --help lacks $option"
done
cat > scene.json <<'END'
{ "dimension": 2, "steps": 20, "layers": { "a": ["a"] },
  "bodies": [ { "name": "gate", "type": "static",
    "colliders": [ { "shape": { "kind": "box", "halfExtents": [1, 1] }, "trigger": true } ] } ],
  "emitters": [ { "count": 40, "area": { "lower": [-4, -4], "upper": [4, 4] }, "speed": [1, 2],
    "colliders": [ { "shape": { "kind": "circle", "radius": 0.5 } } ],
    "behaviour": { "kind": "bounce", "area": { "lower": [-4, -4], "upper": [4, 4] } } } ] }
END
run 0 run scene.json
has out "scene.json: 2D, 20 steps of 0.0166667 s, grid, 1 thread"
has out "bodies      41, 40 awake, with 41 colliders"
for word in "contacts  " "triggers  " "motion  " "pairs  " "events  " "behaviours  "; do has out "$word"; done
is_empty err
hash_of() { tail -n 1 out; }
hash=$( hash_of )
run 0 run scene.json --threads 3 --kind sweep
checks=$(( checks + 1 ))
[ "$( hash_of )" = "$hash" ] || fail "$command: another hash than $hash"
run 0 run scene.json --scale 0.5 --steps 3
has out "bodies      11, 10 awake"
run 0 run scene.json --steps 7 --json
for word in '"steps": 7' '"hash": "' '"eventHash": "' '"millisecondsAStep": {' '"triggers": {' '"kind": "grid"'; do has out "$word"; done
run 0 run scene.json --events events.jsonl --png scene.png --frames frames
has events.jsonl '{"step":1,"event":"enter","trigger":true,'
has events.jsonl '"nameA":"gate"'
checks=$(( checks + 1 ))
[ "$( grep -c '"enter","trigger":false' events.jsonl )" = "$( sed -n 's/^contacts *\([0-9]*\) enter.*/\1/p' out )" ] ||
    fail "$command: as many lines as contacts that entered"
for picture in scene.png frames/00000.png frames/00020.png; do
    checks=$(( checks + 1 ))
    [ "$( head -c 4 $picture | tail -c 3 )" = PNG ] || fail "$command: $picture is no picture"
done
run 0 run scene.json --events - --steps 1
has out '{"step":1,"event":"enter"'
run 2 run
has err "no scene given"
run 2 run scene.json --steps 0
has err "--steps 0: not a number from 1 to"
run 2 run scene.json --scale x
has err "--scale x: not a number from 0.001 to 1000"
run 2 run scene.json --kind cloud
has err "unknown kind cloud"
run 1 run nowhere.json
has err "jostle run: nowhere.json: No such file or directory"
run 1 run scene.json --png nowhere/scene.png
has err "nowhere/scene.png: cannot be written"
run 1 run scene.json --events nowhere/events
has err "nowhere/events: No such file or directory"
sed -i 's/"radius"/"radios"/' scene.json
run 1 run scene.json
has err 'jostle run: scene.json:5:61: emitters[0].colliders[0].shape.radios: unknown; what may stand here is kind, pose, center, radius'

echo "$checks checks, $failures failures"
[ $failures -eq 0 ]
