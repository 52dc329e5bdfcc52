#!/bin/sh
# apart check and apart scene, from outside: exit statuses, classes, rules, baselines, files and folders, errors of one
# line, the same output for any number of threads, nothing half-written.
#
#   test_check.sh APART DATA     the tool, and the folder of models
set -u
apart=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
data=$(cd "$2" && pwd)
. "$(dirname "$0")/tool.sh"
cd "$scratch" || exit 1

# lacks TEXT: the last output does not hold it.
lacks() { case $out in *"$1"*) fail "'$1' in: $out" ;; esac; }

# box FILE X Y Z HALF: a cube as an OBJ file.
box() {
    awk -v x="$2" -v y="$3" -v z="$4" -v h="$5" 'BEGIN {
        for (i = 0; i < 8; i++)
            printf "v %g %g %g\n", x + (i % 2 ? h : -h), y + (int(i / 2) % 2 ? h : -h), z + (i > 3 ? h : -h)
        print "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6"
    }' >"$1"
}

# ---- help and misuse
ends 0 "Usage: apart check" check --help
ends 0 "Usage: apart check" help check
ends 0 "Usage: apart scene" scene -h
ends 0 "check SCENE" --help
refuses "check takes a scene, or files; see 'apart check --help'" check
refuses "scene takes one file; see 'apart scene --help'" scene a b
refuses "--clearance: '-1' is not a number, 0 or more" check a.json --clearance -1
refuses "--touch: 'x' is not a number, 0 or more" check a.json --touch x
refuses "--threads: '1.5' is not a number from 0 to 4096" check a.json --threads 1.5
refuses "--json and --csv exclude each other" check a.json --json --csv
refuses "--hull and --hollow exclude each other: a convex hull is filled" check a.stl --hull --hollow
refuses "--objects, --scale, --hull and --hollow are for mesh files; a scene file says this of each shape" \
    check a.json --hull
refuses "--scale: a factor of 0 would flatten the body" check a.stl --scale 0
refuses "unknown or ambiguous option '--clear-ance'; see 'apart check --help'" check a.json --clear-ance
refuses "option '--clearance' needs a value; see 'apart check --help'" check a.json --clearance
refuses "no.json: cannot be read: No such file or directory" check no.json
refuses "no.stl: cannot be read: No such file or directory" check no.stl
refuses "a.json: a scene is checked alone, without other files" check a.json b.stl
mkdir empty
refuses "empty: no models in this folder" check empty

# ---- classes, of files
mkdir parts
box parts/a.obj 0 0 0 1
box parts/beside.obj 2 0 0 1
box parts/copy.obj 0 0 0 1
box parts/deep.obj 0.5 0.25 0.125 1
box parts/far.obj 9 0 0 1
box parts/inner.obj 0 0 0 0.5
ends 0 "2 bodies: every pair is at least 1 apart" check parts/a.obj parts/far.obj --clearance 1
ends 1 "duplicate  0               0           parts/a.obj  parts/copy.obj" check parts/a.obj parts/copy.obj
ends 1 "contained" check parts/a.obj parts/inner.obj
ends 1 "B is inside" check parts/a.obj parts/inner.obj
ends 1 "A is inside" check parts/inner.obj parts/a.obj
ends 1 "overlap" check parts/a.obj parts/deep.obj
ends 0 "2 bodies: no pair overlaps" check parts/a.obj parts/beside.obj
ends 1 "touch      0" check parts/a.obj parts/beside.obj --clearance 0.5
ends 0 "every pair is at least 0.5 apart; 1 permitted" check parts/a.obj parts/beside.obj --clearance 0.5 --touch 0.1
ends 1 "near       5" check parts/beside.obj parts/far.obj --clearance 6
ends 0 "every pair is at least 5 apart" check parts/beside.obj parts/far.obj --clearance 5
ends 1 "6 bodies: 9 pairs are closer than 0.1 (1 duplicate, 2 contained, 4 overlap, 2 touch)" \
    check parts --clearance 0.1
same "$(sed -n '2p' out | cut -c1-9)" "duplicate" "the worst comes first"
# The way in which a folder is written shows in the names only.
ends 1 "6 bodies: 9 pairs" check parts/ --clearance 0.1
ends 1 "3 pairs are closer than 0.1" check parts --clearance 0.1 --only parts/inner.obj
refuses "--only: there is no body called 'inner'" check parts --only inner
refuses "--group: no body is in group 'robot'" check parts --group robot
# Points at 0.8 and 0.9 are 0.1 apart but for rounding, which is not a finding; a gap that is really too small is.
cat >gap.json <<'END'
{"bodies": [{"name": "a", "shape": {"points": {"vertices": [[0.8, 0, 0]]}}},
            {"name": "b", "shape": {"points": {"vertices": [[0.9, 0, 0]]}}}]}
END
ends 0 "every pair is at least 0.1 apart" check gap.json --clearance 0.1
ends 1 "near       0.1" check gap.json --clearance 0.100000001
# A convex pair has a depth; overlaps up to a depth are permitted.
cat >pair.json <<'END'
{"bodies": [{"name": "a", "shape": {"box": {"half_extents": [1, 1, 1]}}},
            {"name": "b", "shape": {"sphere": {"radius": 1}}, "pose": {"position": [1.5, 0, 0]}}]}
END
ends 1 "overlap    -0.5" check pair.json --depth
ends 1 "overlap    0 " check pair.json
ends 0 "no pair overlaps; 1 permitted" check pair.json --permit 0.6
ends 1 "1 pair is too near (1 overlap)" check pair.json --permit 0.4
ends 0 "1 permitted" check pair.json --touch 0.5000001
# From standard input.
checks=$((checks + 1))
"$apart" check - --json <pair.json >out 2>err
same "$?" 1 "a scene on standard input"

refuses "the scene and the baseline cannot both be standard input" check - --baseline - </dev/null
refuses "standard input:1:2: '[' or '{' expected near 'no'" check pair.json --baseline - <<'END'
no
END

# ---- objects of an OBJ file
box right.obj 1.5 0 0 1
{
    echo "o left"
    cat parts/a.obj
    echo "o right"
    awk '/^v/ { print } /^f/ { printf "f"; for (i = 2; i <= NF; i++) printf " %d", $i + 8; print "" }' right.obj
} >car.obj
ends 0 "1 body: no pair overlaps" check car.obj
ends 1 "car.obj/left  car.obj/right" check car.obj --objects
ends 1 "2 bodies: 1 pair" check car.obj --objects --only car.obj
ends 0 "2 bodies: no pair overlaps" check car.obj --objects --scale 1,1,1 --only car.obj/left --permit 9

# A list of points has no objects: it is one body.
echo "9 9 9" >point.xyz
ends 1 "3 bodies: 1 pair" check car.obj point.xyz --objects

# ---- groups, names and motions of a scene
ends 0 "7 bodies, 2 of them moving" scene "$data/cell.json"
ends 0 '"name": "spare bolt", "kind": "file", "source": "bolt.ply"' scene "$data/cell.json" --json
ends 1 "overlap    0               0           0.951726  bracket  bolt" check "$data/cell.json"
ends 1 "5 pairs are closer than 0.25 and margins (1 overlap, 1 touch, 3 near), at all times from 0 to 1" \
    check "$data/cell.json" --clearance 0.25
ends 1 "3 pairs are closer than 0.25" check "$data/cell.json" --clearance 0.25 --group robot
ends 1 "3 pairs are closer than 0.25" check "$data/cell.json" --clearance 0.25 --group world,robot
ends 0 "at least 0.25 apart" check "$data/cell.json" --clearance 0.25 --group robot,robot
ends 1 "2 pairs are closer than 0.25" check "$data/cell.json" --clearance 0.25 --only gripper
lacks "table"
refuses "--group: no body is in group 'tool'" check "$data/cell.json" --group robot,tool
refuses "--group: 'world,robot,world' is more than two groups" check "$data/cell.json" --group world,robot,world

# A half-space may sink, but not tilt.
ground='{"shapes": {"floor": {"ground": {}}}, "bodies": [{"name": "ball", "shape": {"sphere": {"radius": 1}}, "pose": {"position": [0, 0, 2]}},
{"name": "floor", "shape": "floor", "motion": {"velocity": {"linear": [0, 0, -1]}}}]}'
echo "$ground" >sinks.json
echo "$ground" | sed 's/"linear": \[0, 0, -1\]/"angular": [1, 0, 0]/' >tilts.json
ends 0 "2 bodies: no pair overlaps" check sinks.json
refuses "tilts.json:2:47: a half-space may move, but not turn" check tilts.json

# ---- baseline: new, known, gone; worse is new
ends 1 '"clean": false' check "$data/cell.json" --clearance 0.2 --json
cp out base.json
ends 0 "5 pairs are closer than 0.2 and margins (1 overlap, 1 touch, 3 near), at all times from 0 to 1; 0 new, 5 known, 0 gone" \
    check "$data/cell.json" --clearance 0.2 --baseline base.json
ends 1 "1 new, 5 known, 0 gone" check "$data/cell.json" --clearance 0.45 --baseline base.json
ends 0 '"clean": true' check "$data/cell.json" --clearance 0.2 --baseline base.json --json
ends 0 "0 new, 4 known, 1 gone" check "$data/cell.json" --clearance 0.15 --baseline base.json
ends 0 "gone   near       bracket, gripper" check "$data/cell.json" --clearance 0.15 --baseline base.json
sed 's/"class": "overlap"/"class": "near"/' base.json >mild.json
ends 1 "1 new, 4 known, 0 gone" check "$data/cell.json" --clearance 0.2 --baseline mild.json
sed 's/"class": "overlap"/"class": "overlapp"/' base.json >odd.json
run check "$data/cell.json" --baseline odd.json
case "$status $err" in "2 apart: odd.json:1:"*": unknown class 'overlapp'; did you mean 'overlap'?") ;; *) fail "odd baseline: $status $err" ;; esac
echo '{}' >odd.json
refuses "odd.json:1:1: no 'found' here; a baseline is what 'apart check --json' wrote" check pair.json --baseline odd.json
refuses "no.json: cannot be read: No such file or directory" check pair.json --baseline no.json

# ---- files that are written whole or not at all
mkdir reports
ends 1 "too near" check pair.json --junit reports/r.xml
grep -q '<testsuite name="apart check" tests="2" failures="1" errors="0" skipped="0">' reports/r.xml || fail "no JUnit"
same "$(ls reports)" "r.xml" "nothing beside the report"
cp reports/r.xml before.xml
run check pair.json --junit reports/no/r.xml
same "$status" 2 "a folder that is not there"
run check no.json --junit reports/r.xml
same "$(cat reports/r.xml)" "$(cat before.xml)" "an error leaves the old report"
same "$(ls reports)" "r.xml" "an error leaves nothing"

# ---- files that are odd, and surfaces that are not closed
{ echo "8 6"; cat parts/a.obj; } >odd.obj
run check odd.obj parts/far.obj
same "$status $err" "0 apart: warning: odd.obj: line 1 holds numbers only, where a keyword should be; it is not read" "an odd file"
refuses "odd.obj: line 1 holds numbers only, where a keyword should be; it is not read; refused, since reading is strict" \
    check odd.obj parts/far.obj --strict
sed '$d' parts/a.obj >open.obj
run check open.obj parts/inner.obj
case "$status $err" in "0 apart: warning: open.obj: looks meant as a solid, but has no inside: 4 open edges"*) ;; *) fail "an open surface: $status $err" ;; esac
# Warned of once, however many bodies share the shape.
echo '{"shapes": {"s": {"file": "open.obj"}}, "bodies": [{"name": "a", "shape": "s"}, {"name": "b", "shape": "s", "pose": {"position": [9, 0, 0]}}]}' >open.json
run scene open.json
same "$(wc -l <err)" 1 "warnings of one shape"
cp pair.json pair.scene
ends 0 "2 bodies, 0 of them moving" scene pair.scene
refuses "parts/a.obj:1:1: '[' or '{' expected near 'v'" scene parts/a.obj

# ---- the same for any number of threads
if command -v python3 >/dev/null; then
    python3 "$data/make_clutter.py" 400 >clutter.json
    for form in --json --csv --depth; do
        "$apart" check clutter.json --clearance 5 $form --threads 1 >one 2>&1
        for threads in 2 3 7 0; do
            "$apart" check clutter.json --clearance 5 $form --threads $threads >many 2>&1
            checks=$((checks + 1))
            cmp -s one many || fail "$threads threads, $form: another output"
        done
    done
    [ "$(wc -l <one)" -gt 40 ] || fail "clutter: too little was found"
fi

# ---- no colour in a pipe, and an answer that cannot be written is an error
run check pair.json
case $out in *"$(printf '\033')"*) fail "colour in a pipe" ;; esac
if [ -w /dev/full ]; then
    "$apart" check pair.json --json >/dev/full 2>err
    same $? 2 "a full disk"
fi

echo "test_check: $checks checks, $failures failed"
[ "$failures" -eq 0 ] && [ "$checks" -gt 80 ]
