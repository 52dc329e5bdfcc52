#!/bin/sh
# The command line, from outside: help, exit statuses, errors of one line, JSON, poses, surfaces and hulls.
#
#   test_cli.sh APART DATA     the tool, and the folder of models
set -u
apart=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
data=$(cd "$2" && pwd)
. "$(dirname "$0")/tool.sh"
cd "$scratch" || exit 1

# warns SENTENCE ARGUMENTS...: exit status 0, an answer, exactly this warning; with --strict, no answer.
warns() {
    sentence=$1
    shift
    run "$@"
    [ "$status" -eq 0 ] || fail "apart $*: status $status, $err"
    [ -n "$out" ] || fail "apart $*: no answer"
    [ "$err" = "apart: warning: $sentence" ] || fail "apart $*: said '$err' instead of 'apart: warning: $sentence'"
    refuses "$sentence; refused, since reading is strict" "$@" --strict
}

# field NAME: a number or word of the JSON in $out.
field() { printf '%s\n' "$out" | sed -n "s/.*\"$1\": \([^,}]*\).*/\1/p"; }

# near X Y TOLERANCE
near() { awk -v x="$1" -v y="$2" -v t="$3" 'BEGIN { d = x - y; exit !(d <= t && -d <= t) }'; }

# between LOW X HIGH, to rounding
between() { awk -v l="$1" -v x="$2" -v h="$3" 'BEGIN { exit !(l <= x + 1e-12 && x <= h + 1e-12 && l < h) }'; }

# ---- help and version
answers "Usage: apart COMMAND" --help
answers "Usage: apart COMMAND" -h
answers "Usage: apart distance" distance --help
answers "CONVEX HULL" distance -h
answers "Usage: apart info" info --help
answers "Usage: apart COMMAND" help
answers "Usage: apart distance" help distance
answers "Usage: apart info" help info
refuses "help takes the name of a command; see 'apart --help'" help me
refuses "help takes the name of a command; see 'apart --help'" help distance info
answers "apart 0." --version
answers "apart 0." -V

# ---- misuse
refuses "say what to do, such as 'apart distance A B'; see 'apart --help'"
refuses "unknown command 'frobnicate'; see 'apart --help'" frobnicate
refuses "unknown option '--frobnicate'; see 'apart --help'" --frobnicate
refuses "unknown or ambiguous option '--frob'; see 'apart distance --help'" distance a b --frob
refuses "unknown or ambiguous option '--pose'; see 'apart distance --help'" distance a b --pose 1
refuses "unknown option '-x'; see 'apart distance --help'" distance a b -x
refuses "option '--pose-b' needs a value; see 'apart distance --help'" distance a b --pose-b
refuses "option '--json=1' takes no value; see 'apart info --help'" info a --json=1
refuses "distance takes two bodies, not 1; see 'apart distance --help'" distance sphere:1
refuses "distance takes two bodies, not 3; see 'apart distance --help'" distance a b c
refuses "info takes files or folders; see 'apart info --help'" info
refuses "--method: 'fast' is not a method; use auto, gjk, enhanced, features or spheres" distance a b --method fast
refuses "--method spheres needs --sphere-radius R, about a hundredth of the size of the bodies" \
    distance a b --method spheres
refuses "--sphere-radius is for --method spheres; add that" distance a b --sphere-radius 1
refuses "--sphere-radius: '0' is not a number above 0" distance a b --sphere-radius 0
refuses "--sphere-radius: 'small' is not a number above 0" distance a b --sphere-radius small
refuses "--hull and --hollow exclude each other: a convex hull is filled" distance a b --hull --hollow
refuses "standard input can be one of the two bodies, not both; put one of them into a file" distance - -
refuses "standard input can be one of the two bodies, not both; put one of them into a file" distance points:- -
refuses "--relative-error: '2' is not a number from 0 to 1" distance a b --relative-error 2
refuses "--absolute-error: '-1' is not a number, 0 or more" distance a b --absolute-error -1
refuses "--cutoff: 'nan' is not a number" distance a b --cutoff nan
refuses "--depth: 'deep' is not a depth; use none, bound or exact" distance a b --depth deep
refuses "--depth: '' is not a depth; use none, bound or exact" distance a b --depth=
refuses "option '--depth' needs a value; see 'apart distance --help'" distance a b --depth

refuses "--scale: a factor of 0 would flatten the body" distance a b --scale 0
refuses "--scale-a: 'nan' is not a finite number" distance a b --scale-a nan
refuses "--scale-b: 2 numbers; it takes 1, or 3 for x, y and z" distance a b --scale-b 1,2
refuses "--scale: 'inf' is not a finite number" info a --scale 1,inf,1
refuses "--scale is for a file; write a shape in the size that it has" distance sphere:1 sphere:1 --scale 2
refuses "--scale-b is for a file; write a shape in the size that it has" distance sphere:1 sphere:1 --scale-b 2
forms="box:HX,HY,HZ[,R], sphere:R, capsule:H,R, cylinder:H,R, cone:H,R, ellipsoid:X,Y,Z, ground:Z, halfspace:NX,NY,NZ,D or points:FILE"
refuses "spher:1: neither a file nor a shape; write $forms" distance spher:1 sphere:1
refuses "cone: neither a file nor a shape; write $forms" info cone
refuses "box:1,2: 2 numbers; write box:HX,HY,HZ or box:HX,HY,HZ,RADIUS" info box:1,2

# ---- shapes on the line
answers "2.5   certain to within" distance box:1,1,1 sphere:0.5 --pose-b 4,0,0
answers "(1, 0, 0) from A to B" distance box:1,1,1 sphere:0.5 --pose-b 4,0,0
answers "0: the bodies touch or overlap" distance box:1,1,1 sphere:0.5
answers "touch" distance box:1,1,1 box:1,1,1 --pose-b 2,0,0
answers "touch" distance box:1,1,1 cylinder:1,1 --pose-a 0.1,0.2,0.3 --pose-b 2.1,0.2,0.3
answers "without corners" info cone:1,2
answers "rounded outwards by 0.5" info box:1,2,3,0.5
for shape in box:1,1,1 sphere:1 capsule:1,0.5 cylinder:1,1 cone:1,1 ellipsoid:1,1,1; do
    answers "distance   " distance "$shape" sphere:0.25 --pose-b 0,0,5 --depth none --hull
done
answers "2.5   certain to within" distance ground:0.5 box:1,1,1 --pose-b 100,0,4
answers "(0, 0, 1) from A to B" distance ground:0.5 box:1,1,1 --pose-b 100,0,4
answers "depth      1.5   certain" distance box:1,1,1 ground:0.5 --depth exact
answers "(0, 0, -1) takes B out of A" distance box:1,1,1 ground:0.5 --depth exact
refuses "no answer: a half-space may move, but not turn" distance ground:0 sphere:1 --motion-a velocity:0,0,1,1,0,0
answers "3   certain to within" distance halfspace:0,-2,0,4 sphere:1 --pose-b 0,-6,0
answers "unbounded: a half-space" info ground:0
answers "ground:0: ground, unbounded" info ground:0 sphere:1
answers '"lower": null, "upper": null, "hull": null' info halfspace:1,0,0,2 --json
answers '"unique": false' distance ground:0 box:1,1,1 --pose-b 0,0,3 --gradient --json
answers "of one nearest pair; there are others" distance ground:0 box:1,1,1 --pose-b 0,0,3 --gradient
refuses "A and B are both half-spaces; one of the two bodies must be bounded" distance ground:0 ground:1
refuses "halfspace:0,0,0,1: the normal is zero: it has no direction" info halfspace:0,0,0,1
refuses "ground:1,2: 2 numbers; write ground:Z" info ground:1,2
refuses "box:1,2: 2 numbers; write box:HX,HY,HZ or box:HX,HY,HZ,RADIUS" distance box:1,2 sphere:1
refuses "box:1,,2: a number is missing between two commas" distance sphere:1 box:1,,2
refuses "sphere:1e301: '1e301' is larger than 1e300; choose a larger unit" info sphere:1e301
refuses "sphere:x: 'x' is not a decimal number" info sphere:x
run info sphere:-1
same "$status" 2 "a negative radius"
refuses "no-such.stl: cannot be read: No such file or directory" distance no-such.stl sphere:1
refuses "$data: cannot be read: Is a directory" distance "$data" sphere:1

# ---- poses: three ways to say a quarter turn about z and a shift
for pose in 3,-1,0.5,0,0,1.5707963267948966 "3 -1 0.5  0 0 0.7071067811865476 0.7071067811865476" \
    "0,-1,0,3, 1,0,0,-1, 0,0,1,0.5, 0,0,0,1"; do
    answers '"overlap": false' distance box:0.5,1,0.2 box:1,0.5,0.5 --pose-b "$pose" --json
    near "$(field distance)" 2 1e-12 || fail "pose $pose of B: $(field distance)"
    answers '"overlap": false' distance --json box:0.5,1,0.2 --pose-a "$pose" box:1,0.5,0.5
    near "$(field distance)" 1 1e-12 || fail "pose $pose of A: $(field distance)"
done
# Roll, then pitch, then yaw about fixed axes: a rod along x ends up along y, and along z.
for pose in 0,3,0,0.3,0,1.5707963267948966 0,0,3,0,-1.5707963267948966,0.4 0,0,3,0.3,-1.5707963267948966,0; do
    answers '"distance"' distance sphere:0 box:2,0,0 --pose-b "$pose" --json
    near "$(field distance)" 1 1e-12 || fail "angles $pose: $(field distance)"
done
# Negative numbers are values, not options; so is everything after --.
answers "2.5   certain" distance box:1,1,1 sphere:0.5 --pose-b -4,0,0
answers "2.5   certain" distance box:1,1,1 sphere:0.5 --pose-b=-4,0,0
answers "2.5   certain" distance --pose-b -4,0,0 -- box:1,1,1 sphere:0.5
answers "2.5   certain" distance box:1,1,1 sphere:0.5 --pose-a "-4
0
0"
refuses "--pose-a: a pose of 4 numbers; it takes 3 (x,y,z), 6 (x,y,z,roll,pitch,yaw), 7 (x,y,z,qx,qy,qz,qw) or 16 (4x4)" \
    distance a b --pose-a 1,2,3,4
refuses "--pose-a: 'x' is not a decimal number" distance a b --pose-a 1,x,3
refuses "--pose-b: 'inf' is not a finite number" distance a b --pose-b 1,inf,3
refuses "--pose-b: the quaternion is zero; no rotation is 0,0,0,1 (x,y,z,w)" distance a b --pose-b 1,2,3,0,0,0,0
refuses "--pose-b: the last row of the 4x4 matrix must be 0 0 0 1; write it row by row" \
    distance a b --pose-b "1 0 0 0  0 1 0 0  0 0 1 0  5 0 0 1"
refuses "--pose-b: the 3x3 part is off a rotation by 3, at most 1e-6 is allowed; take out scale and shear" \
    distance a b --pose-b "2 0 0 0  0 1 0 0  0 0 1 0  0 0 0 1"
refuses "--pose-b: the 3x3 part is a mirror image, not a rotation" \
    distance a b --pose-b "-1 0 0 0  0 1 0 0  0 0 1 0  0 0 0 1"

# ---- methods agree; bounds are honoured; every step is shown
for method in auto gjk enhanced features; do
    answers "\"method\": \"$method\"" distance "$data/die.off" "$data/gem.obj" --pose-b 4,1,0,1,2,3 --method $method --json
    same "${reference:=$(printf %.9f "$(field distance)")}" "$(printf %.9f "$(field distance)")" "method $method"
done
answers "between" distance "$data/asteroid.ply" "$data/dome.xyz" --pose-b 5,1,0,1,2,3 --relative-error 0.5
answers "lower bound" distance "$data/die.off" "$data/gem.obj" --pose-b 4,1,0 --hull --trace
answers '"trace": [{"iteration": 1' distance "$data/die.off" "$data/gem.obj" --pose-b 4,1,0 --hull --trace --json
refuses "--trace shows the steps between convex bodies; add --hull, or leave it out" \
    distance "$data/dome.xyz" "$data/gem.obj" --trace

# ---- gradient: a ball beside a box; faces that are parallel; overlap without a depth; a cutoff
answers "(1, 0, 0) for moves of B, (0, 0, 0) for turns" distance box:1,1,1 sphere:0.5 --pose-b 4,0.5,0.25 --gradient
case $out in *"(-1, 0, 0) for moves of A, (0, -0.25, 0.5) for turns"*) ;; *) fail "the gradient of A: $out" ;; esac
case $out in *others*) fail "one nearest pair: $out" ;; *) ;; esac
answers '"unique": true' distance box:1,1,1 sphere:0.5 --pose-b 4,0.5,0.25 --gradient --json
case $out in *'"gradient_a": {"linear": [-1.0, '*'"angular": ['*'"gradient_b": {"linear": [1.0, '*) ;; *) fail "$out" ;; esac
answers '"unique": false' distance box:1,1,1 box:1,1,1 --pose-b 4,0.5,0.25 --gradient --json
answers "of one nearest pair; there are others" distance box:1,1,1 box:1,1,1 --pose-b 4,0.5,0.25 --gradient
answers "gradient   none without a depth" distance box:1,1,1 sphere:1 --pose-b 0,0,1.9 --gradient
answers '"gradient_a": null, "gradient_b": null, "unique": null' \
    distance box:1,1,1 sphere:1 --pose-b 0,0,1.9 --gradient --json
answers "(0, 0, 1) for moves of B" distance box:1,1,1 sphere:1 --pose-b 0,0,1.9 --gradient --depth exact
answers '"unique": null' distance "$data/gear.ply" "$data/gem.obj" --pose-b 0,0,9 --cutoff 1 --gradient --json

# ---- motion: a box flies through another; a miss; a clearance; words that are none
moves() {
    wanted=$1
    shift
    answers "$wanted" distance box:1,1,1 box:1,1,1 --pose-b 5,0.5,0 "$@"
}
moves "contact    at time 0.3, certain to within" --motion-b to:-5,0.5,0
case $out in *"in contact from 0.3 to 0.7
closest    0 at time "*) ;; *) fail "spans: $out" ;; esac
case $out in *"rate       -10 per unit of time"*) ;; *) fail "rate: $out" ;; esac
moves '"kind": "contact"' --motion-b velocity:-10,0,0 --json
near "$(field time)" 0.5 0.2 || fail "closest approach at $(field time)"
case $out in *'"spans": [{"kind": "contact", "begin": 0.'*', "end": 0.'*'}], "a": {"name": "box:1,1,1"'*) ;; *) fail "$out" ;; esac
moves "contact    never: apart at all times, certainly" --motion-b to:5,9,0
moves "closest    0.5 at time 0.5, certain to within" --motion-b "to:2.5,0.5,0;5,0.5,0"
moves "contact    never: farther apart than 0.25 at all times" --motion-b "to:2.5,0.5,0;5,0.5,0" --clearance 0.25
moves "contact    at time 0.25, certain to within" --motion-b to:-5,0.5,0 --clearance 0.5
moves "contact    at time 0.15, certain to within" --motion-b to:-5,0.5,0 --motion-a velocity:10,0,0
moves "contact    perhaps at time 0.222222222: so near" --pose-b 4,2,0 --motion-b nlerp:-5,2,0
moves "contact    at time 0 already" --motion-a to:1,0,0 --pose-b 1,0,0
# A rod turns about z towards a ball: by half a turn it sweeps over it, by less than a twelfth it does not.
answers "contact    at time 0.33333333" distance box:1,0,0 sphere:0.25 --pose-b 0,0.5,0 --motion-a velocity:0,0,0,0,0,3.1415926535
answers "contact    never" distance box:1,0,0 sphere:0.25 --pose-b 0,0.5,0 --motion-a velocity:0,0,0,0,0,1.04
refuses "--motion-b: 'left' is not a motion; write to:POSE, to:POSE;POSE..., nlerp:POSE or velocity:VX,VY,VZ[,WX,WY,WZ]" \
    distance sphere:1 sphere:1 --motion-b left
refuses "--motion-a: a velocity of 2 numbers; it takes 3 (VX,VY,VZ) or 6 (VX,VY,VZ,WX,WY,WZ, radians)" \
    distance sphere:1 sphere:1 --motion-a velocity:1,2
refuses "--motion-a: a pose of 0 numbers; it takes 3 (x,y,z), 6 (x,y,z,roll,pitch,yaw), 7 (x,y,z,qx,qy,qz,qw) or 16 (4x4)" \
    distance sphere:1 sphere:1 --motion-a "to:1,2,3;"
refuses "--motion-b: 'x' is not a decimal number" distance sphere:1 sphere:1 --motion-b nlerp:x,2,3
refuses "--clearance: '-1' is not a number, 0 or more" distance a b --clearance -1
refuses "--clearance is for bodies that move; add --motion-a or --motion-b, or see 'apart check'" distance a b --clearance 1
for option in --gradient --trace --depth=exact --method=gjk --cutoff=1 --relative-error=0.1 --absolute-error=1; do
    refuses "${option%=*} is for bodies that stay; leave it out, or the motion" distance a b --motion-a to:1,0,0 $option
done

# ---- depth: two cubes of edge 2, 1.9 apart along z; a box in a larger one; apart and touching as without it
cubes() {
    wanted=$1
    shift
    answers "$wanted" distance box:1,1,1 box:1,1,1 --pose-b 0,0,1.9 "$@"
}
for method in auto gjk enhanced features; do
    cubes '"overlap": true' --method $method --depth exact --json
    near "$(field distance)" -0.1 1e-15 || fail "depth by $method: $(field distance)"
    near "$(field lower_bound)" -0.1 1e-12 || fail "depth by $method, at most: $(field lower_bound)"
    cubes '"overlap": true' --method $method --depth bound --json
    between "$(field lower_bound)" -0.1 "$(field upper_bound)" || fail "bound by $method: $out"
done
cubes "depth      0.1   certain to within" --depth exact
case $out in *"of A in B"*"of B in A"*"(0, 0, 1) takes B out of A"*) ;; *) fail "no points or no way out: $out" ;; esac
cubes '"distance": 0.0, "lower_bound": 0.0, "upper_bound": 0.0, "overlap": true' --depth none --json
answers "bounded as asked" distance "$data/asteroid.ply" "$data/dome.xyz" --pose-b 1,0.3,0 --hull --depth bound
answers "depth      0.75   certain" distance box:1,1,1 sphere:0.25 --pose-b 0,0,-0.5 --depth exact
case $out in *"(0, 0, -1) takes B out of A"*) ;; *) fail "a sphere in a box: $out" ;; esac
# An open bracket is shown as one, with the reason; a point and a direction only with exact.
round="ellipsoid:1,1.001,1.002"
printf '%s\n' '0.001 0 0' '0 0.001 0' '0 0 0.001' '-0.001 -0.001 -0.001' >"$scratch/speck.xyz"
awk 'BEGIN {
    for (i = 0; i < 1500; i++) {
        z = (2 * i + 1) / 1500 - 1
        r = sqrt(1 - z * z)
        printf "%.9f %.9f %.9f\n", r * cos(2.4 * i), r * sin(2.4 * i), z
    }
}' >"$scratch/ball.xyz"
opens() {
    why=$1
    shift
    answers "depth      between 0." distance "$scratch/ball.xyz" "$scratch/speck.xyz" --hull "$@"
    case $out in *" and 0.99"*", $why"* | *" and 1.00"*", $why"*) ;; *) fail "apart distance $*: not '$why': $out" ;; esac
    case $out in *certain*) fail "apart distance $*: certain of an open bracket: $out" ;; esac
}
opens "as near as the search came" --depth exact
case $out in *"takes B out of A, roughly"*) ;; *) fail "no way out: $out" ;; esac
opens "as near as the search came" --depth exact --relative-error 1e-6
opens "stopped early as asked" --depth exact --relative-error 0.1
opens "stopped early as asked" --depth exact --absolute-error 0.2
opens "bounded as asked" --depth bound
case $out in *"takes B out of A"*) fail "a bound is no way out: $out" ;; esac
# With formulas for both bodies even directions that are almost tied are told apart.
answers "depth      2   certain to within" distance $round $round --depth exact
answers "depth      between 0.98" distance $round "$scratch/speck.xyz" --hull --depth exact
answers "certain to within" distance cylinder:1,1 cone:1,1 --pose-b 0.3,0.2,0.1,0.4,0.3,0.2 --depth exact
# Rounding alone does not open it.
answers "certain to within" distance box:1,1,1 cone:1,1 --pose-b 0,0,1.999999999999 --depth exact
# Moved by the depth along the normal, they touch; seen from the other body, the depth is the same.
answers '"overlap": true' distance "$data/die.off" "$data/gem.obj" --hull --pose-b 1,0.4,0.2 --depth exact --json
depth=$(field distance)
answers '"overlap": true' distance "$data/gem.obj" "$data/die.off" --hull --pose-a 1,0.4,0.2 --depth exact --json
near "$(field distance)" "$depth" 1e-12 || fail "swapped: $(field distance) is not $depth"
pose=$(printf '%s\n' "$out" | sed 's/.*"normal": \[\([^]]*\)\].*/\1/' |
    awk -F', ' -v d="$depth" '{ printf "%.17g,%.17g,%.17g", 1 + d * $1, 0.4 + d * $2, 0.2 + d * $3 }')
answers '"distance"' distance "$data/gem.obj" "$data/die.off" --hull --pose-a "$pose" --depth exact --json
near "$(field distance)" 0 1e-12 || fail "moved out: $(field distance)"
# Apart: the same words with and without.
answers "2.5   certain to within" distance box:1,1,1 sphere:0.5 --pose-b 4,0,0 --depth exact
with=$out
answers "2.5   certain to within" distance box:1,1,1 sphere:0.5 --pose-b 4,0,0
same "$with" "$out" "depth of bodies that are apart"

# ---- every model: read, described, measured against itself at a distance; JSON is JSON
for model in asteroid.ply bolt.ply bracket.stl die.off dome.xyz gear.ply gem.obj rocket.stl; do
    answers "hull " info "$data/$model"
    answers "convex hull" distance "$data/$model" "$data/$model" --pose-b 20,0,0 --hull
    case $model in *.xyz) kind=hull ;; *) kind=mesh ;; esac
    answers "\"kind\": \"$kind\"" distance "$data/$model" "$data/$model" --pose-b 20,0,0 --json
    surface=$(field distance)
    answers '"kind": "hull"' distance "$data/$model" "$data/$model" --pose-b 20,0,0 --json --hull
    # The nearest points of these bodies, far apart, lie on their hulls.
    near "$(field distance)" "$surface" 1e-9 || fail "$model: hull and surface: $(field distance) and $surface"
    case $model in *.xyz) closed=null ;; *) closed=true ;; esac
    answers "\"closed\": $closed" info "$data/$model" --json
    if command -v python3 >/dev/null 2>&1; then
        python3 -m json.tool <"$scratch/out" >/dev/null || fail "info $model: not JSON"
        answers '"triangles"' distance "$data/$model" capsule:1,1 --pose-b 9,0,0 --json
        python3 -m json.tool <"$scratch/out" >/dev/null || fail "distance $model: not JSON"
        answers '"trace"' distance "$data/$model" capsule:1,1 --pose-b 9,0,0 --json --trace --hull
        python3 -m json.tool <"$scratch/out" >/dev/null || fail "distance $model: not JSON with steps"
    fi
done
answers "PLY (binary, big-endian)" info - <"$data/bolt.ply"
answers "text points" info "points:$data/dome.xyz"
# Quotes, line ends and bytes that are not UTF-8 in a file name stay inside the JSON string, and errors stay one line.
odd=$(printf 'a"b\\\nc\351\303\251.xyz')
printf '1 2 3\n' >"$scratch/$odd"
answers "$(printf '"name": "a\\"b\\\\\\nc\357\277\275\303\251.xyz"')" info "$odd" --json
refuses "a?b: cannot be read: No such file or directory" info "$(printf 'a\nb')"

# ---- a damaged file is named with its place
printf 'v 1 2 3\nv 4 x 6\n' >bad.obj
refuses "bad.obj:2: expected the y coordinate, found 'x'" info bad.obj
refuses "bad.obj:2: expected the y coordinate, found 'x'" distance sphere:1 bad.obj
head -c 100 "$data/rocket.stl" >bad.stl
refuses "bad.stl: byte 100: a binary STL of 526 triangles has 26384 bytes, this file 100; write it again" info bad.stl
# Points that no triangle uses are not part of the body, and witnesses keep the file's numbers.
printf 'v 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 2 3 4\n' >stray.obj
answers "1 that no triangle uses" info stray.obj
answers '"witness": {"vertices": [2]' distance stray.obj sphere:1 --pose-b 5,0,0 --hull --json
answers '"witness": {"part": 0, "triangle": 0, "vertices": [2]' distance stray.obj sphere:1 --pose-b 5,0,0 --json

# ---- files as exporters write them: read with a warning, refused if strict
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2\n' >odd.obj
warns "odd.obj: 1 face of fewer than 3 corners left out" info odd.obj
warns "odd.obj: 1 face of fewer than 3 corners left out" distance odd.obj sphere:1
{ cat "$data/rocket.stl"; printf 'end'; } >odd.stl
warns "odd.stl: 3 bytes after the last triangle are not read" info odd.stl --json
printf 'x y z\n0 0 0\n1 2 3\n' >odd.xyz
warns "odd.xyz: line 1 names the columns and is not read" info odd.xyz
{ printf '\357\273\277\n  '; cat "$data/bracket.stl"; } >early.stl
answers "STL (ASCII)" info early.stl --strict
printf '1,5 2,5 3,5\n' >comma.csv
refuses "comma.csv:1: commas beside blanks or semicolons; if 1,5 is one number, write 1.5, if it is two, use one separator" \
    info comma.csv
printf 'ISO-10303-21;\n' >part.stp
refuses "part.stp: STEP is not read; convert it to STL with FreeCAD or gmsh" distance part.stp sphere:1
# Streams without end.
refuses "/dev/zero: not a format that is read here; use STL, OBJ, PLY, OFF or lines of x y z" info /dev/zero
refuses "/dev/zero: not a format that is read here; use STL, OBJ, PLY, OFF or lines of x y z" info points:/dev/zero

# ---- scale, also by axis and mirrored; each file its own
far() {
    wanted=$1
    shift
    answers '"overlap": false' distance "$data/bracket.stl" "$data/bracket.stl" --pose-b 20,0,0 --json "$@"
    near "$(field distance)" "$wanted" 1e-12 || fail "scaled $*: $(field distance) is not $wanted"
}
far 18
far 19 --scale 0.5
far 19 --scale 0.5,1,1
far 17 --scale-a 1.5
far 12 --scale-b -3,1,1
far 10 --scale-b -3 --scale-a 2
answers '"orientation": "outward"' info "$data/bracket.stl" --json --scale -2,1,1
near "$(field volume)" 1.32 1e-12 || fail "a mirrored bracket: $out"
answers "distance   " distance "$data/bracket.stl" sphere:1 --scale 0.001 --pose-b 5,0,0

# ---- a cutoff: no points where they are not the nearest
answers "stopped early as asked" distance "$data/gear.ply" "$data/bolt.ply" --pose-b 20,0,0 --cutoff 2
case $out in *nearest* | *direction*) fail "nearest points of a search that was cut off: $out" ;; esac
answers '"point_a": null, "point_b": null, "normal": null' \
    distance "$data/gear.ply" "$data/bolt.ply" --pose-b 20,0,0 --cutoff 2 --json
case $out in *'"witness": null}, "b": '*'"witness": null}}') ;; *) fail "witnesses of a search that was cut off: $out" ;; esac
answers "nearest    " distance "$data/gear.ply" "$data/bolt.ply" --pose-b 20,0,0 --cutoff 100
answers "nearest    " distance "$data/gear.ply" "$data/bolt.ply" --pose-b 20,0,0 --cutoff 0
answers "depth      between" distance ellipsoid:1,2,3 ellipsoid:1,2,3 --pose-b 1.2,0.3,0.2 --depth exact --relative-error 0.5
answers "stopped early as asked" distance ellipsoid:1,2,3 ellipsoid:1,2,3 --pose-b 1.2,0.3,0.2 --depth exact --cutoff -3
answers "nearest    " distance "$data/gear.ply" "$data/bolt.ply" --pose-b 20,0,0 --relative-error 0.5

# ---- surfaces: a ball between the legs of an angle bracket, inside of its hull
ball() {
    wanted=$1
    shift
    answers "$wanted" distance "$data/bracket.stl" sphere:0.25 --pose-b 0.8,0,0.6 "$@"
}
ball "distance   0.15   certain to within"
case $out in *"on A, triangle "*"bracket.stl: STL (ASCII), 12 points, 20 triangles; a solid"*) ;; *) fail "ball: $out" ;; esac
ball "distance   0: the bodies touch or overlap" --hull
for method in gjk enhanced features; do
    ball '"overlap": false' --method $method --json
    near "$(field distance)" 0.15 1e-12 || fail "ball by $method: $(field distance)"
done
# From either side; stopped early; far enough.
answers '"overlap": false' distance sphere:0.25 "$data/bracket.stl" --pose-a 0.8,0,0.6 --json
near "$(field distance)" 0.15 1e-12 || fail "a ball and a bracket: $(field distance)"
pieces() {
    wanted=$1
    shift
    answers "$wanted" distance "$data/chess/knight.ply" "$data/chess/king.ply" "$@"
}
falls=120,0,22,0,-1.36,0
pieces '"overlap": false' --pose-b $falls --json
exact=$(field distance)
pieces '"overlap": true' --pose-b $falls --hull --json
pieces '"overlap": false' --pose-b $falls --relative-error 0.2 --json
between "$(field lower_bound)" "$exact" "$(field upper_bound)" || fail "to 20 %: $exact is not in $out"
awk -v l="$(field lower_bound)" -v d="$(field upper_bound)" 'BEGIN { exit !(l >= 0.8 * d * (1 - 1e-12)) }' ||
    fail "more than 20 %: $out"
pieces '"overlap": false' --pose-b 300,0,0 --cutoff 10 --json
awk -v l="$(field lower_bound)" 'BEGIN { exit !(l >= 10) }' || fail "cutoff: $out"
# Quinlan's spheres give the same distance, on two surfaces only.
pieces '"method": "spheres"' --pose-b $falls --method spheres --sphere-radius 2 --json
near "$(field distance)" "$exact" 1e-9 || fail "spheres: $(field distance) is not $exact"
pieces "of spheres (spheres)" --pose-b $falls --method spheres --sphere-radius 2 --relative-error 0.2
convex="a convex body, but --method spheres takes surfaces of triangles only; leave the method out"
refuses "box:1,1,1: $convex" distance "$data/die.off" box:1,1,1 --method spheres --sphere-radius 0.1
refuses "stray.obj: $convex" distance stray.obj sphere:1 --method spheres --sphere-radius 0.1 --hull
# Pushed together, they meet on two triangles.
pieces "distance   0: the bodies touch or overlap" --pose-b 100,0,22,0,-1.36,0
case $out in *"meet at "*", on triangle "*" of A, on triangle "*" of B"*) ;; *) fail "no triangles: $out" ;; esac

# ---- inside: a closed surface is a solid, unless it is called hollow; an open one never is
die() {
    wanted=$1
    shift
    answers "$wanted" distance "$data/die.off" sphere:0.5 --pose-b 0.1,0,0 "$@"
}
die "inside A"
die '"overlap": true' --json
case $out in *'"triangle": null, "vertices": [], "weights": []'*) ;; *) fail "a triangle for a point inside: $out" ;; esac
# Out of it: at least to the nearest wall.
die "depth      between " --depth exact
die '"overlap": true' --depth exact --json
least=$(field distance)
die '"overlap": false' --json --hollow
awk -v d="$(field distance)" -v l="$least" 'BEGIN { exit !(l < 0 && -l <= d && -l > 0.9 * d) }' ||
    fail "a ball $(field distance) from the wall is $least deep at least"
inner=$(field distance)
die "a surface without inside" --hollow
sed '$d' "$data/die.off" | sed 's/^12 20 30/12 19 30/' >open.off
# A surface that looks meant as a solid: it is said that it is none, and why.
run distance open.off sphere:0.5 --pose-b 0.1,0,0 --json
case $out in *'"overlap": false'*'"solids": 0, "almost_solids": 1, "open_edges": 3, "largest_hole": {"lower": [1.0, 0.0, -1.0], '*) ;;
*) fail "without a face: $out" ;; esac
[ "$err" = "apart: warning: open.off: looks meant as a solid, but has no inside: 3 open edges, 1 hole, the largest \
0.618 x 1.62 x 2 about (1.30902, 0.809017, 0)" ] || fail "without a face: said '$err'"
awk -v d="$(field distance)" -v i="$inner" 'BEGIN { exit !(d >= i - 1e-12) }' || fail "without a face: $out"
answers "a surface without inside" distance open.off sphere:0.5 --pose-b 0.1,0,0 --hollow

# ---- info of surfaces
lines() {
    file=$1
    shift
    run info "$file"
    for line in "$@"; do
        case $out in *"
$line"*) ;; *) fail "info $file: no '$line' in: $out" ;; esac
    done
}
lines "$data/die.off" "triangles  20" "surface    closed" "components 1, solid" "tree       " "hull       12 vertices"
lines "$data/bolt.ply" "surface    closed" "components 2, solid"
lines "$data/bracket.stl" "normals    outward" "area       8.32" "volume     0.66"
# Turned inside out; one face against the others; a cavity; many files; a hull only if asked for.
printf 'v 0 0 0\nv 6 0 0\nv 0 6 0\nv 0 0 6\n' >points
{ cat points; printf 'f 3 1 2\nf 2 1 4\nf 3 2 4\nf 1 3 4\n'; } >inward.obj
lines inward.obj "normals    inward" "volume     36"
{ cat points; printf 'f 3 1 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n'; } >twisted.obj
lines twisted.obj "normals    inconsistent: neighbours turned against each other at 3 edges"
case $out in *volume*) fail "a volume of nothing: $out" ;; esac
answers '"orientation": "inconsistent", "twisted_edges": 3' info twisted.obj --json
answers '"volume": null' info twisted.obj --json
{
    cat points
    printf 'f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\nv 1 1 1\nv 2 1 1\nv 1 2 1\nv 1 1 2\n'
    printf 'f 7 5 6\nf 6 5 8\nf 7 6 8\nf 5 7 8\n'
} >cavity.obj
lines cavity.obj "normals    mixed: 1 component outward, 1 inward (cavities, or turned inside out)" "volume     35.8333333"
answers "open.off: OFF, 12 points, 19 triangles, open" info open.off "$data/die.off" cone:1,2
same "$(wc -l <"$scratch/out")" 3 "lines of three bodies"
answers '"name": "inward.obj"' info inward.obj cavity.obj --json
same "$(grep -c '^{.*}$' "$scratch/out")" 2 "objects of two files"
run info open.off bad.obj "$data/die.off"
same "$status $(wc -l <"$scratch/out") $err" "2 2 apart: bad.obj:2: expected the y coordinate, found 'x'" "one of three is bad"
refuses "standard input can be read once only; put what is there into a file" info - -
# Folders: models only, in order, with those of folders inside; a file of them that is bad does not stop the rest.
mkdir -p folder/b/deep folder/empty
cp open.off folder/z.OFF
cp "$data/die.off" folder/b/deep/die.off
cp "$data/bracket.stl" folder/a.stl
printf 'notes\n' >folder/notes.txt
printf 'v 1 x\n' >folder/c.obj
cp open.off folder/.hidden.off
ln -s .. folder/b/loop
run info folder folder/a.stl
same "$status $(cut -d: -f1 "$scratch/out" | tr '\n' ' ')" "2 folder/a.stl folder/b/deep/die.off folder/z.OFF folder/a.stl " "a folder"
same "$err" "apart: folder/c.obj:1: expected the y coordinate, found 'x'" "a bad file in a folder"
answers '"name": "folder/b/deep/die.off"' info folder/b/ --json
answers "folder/b/deep/die.off: OFF, 12 points" info folder/b/
refuses "folder/empty: a folder without .stl, .obj, .ply, .off, .xyz or .pts files" info folder/empty
awk 'BEGIN {
    for (i = 0; i <= 10000; i++) printf "v %d %d 0\n", i, i * i % 7
    print "f 1 2 3"
    for (i = 1; i < 9999; i++) printf "f %d %d %d\n", i, i + 1, i + 2
}' >large.obj
lines large.obj "hull       not computed, more than 10000 points (--hull)"
answers '"hull": null' info large.obj --json
answers '"hull": {' info large.obj --json --hull
lines open.off "triangles  19" "surface    open: 3 open edges, 1 hole" "components 1, not solid"
answers '"closed": false, "components": 1, "solids": 0, "almost_solids": 1, "edges": 30, "open_edges": 3, "crowded_edges": 0, "holes": 1, "largest_hole": {"lower": [1.0, 0.0, -1.0], "upper": [1.618034, 1.618034, 1.0]}' \
    info open.off --json
# Two triangles on one edge, a third beside them, and one that is a line; corners are repeated, not shared.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 -1 0\nv 0 0 0\nv 9 9 9\nv 9 8 9\nv 8 9 9\n' >fan.obj
printf 'f 1 2 3\nf 6 2 4\nf 1 2 5\nf 7 8 9\nf 1 2 2\n' >>fan.obj
lines fan.obj "points     9, 8 different" "triangles  5, 1 without area" "components 2, not solid" \
    "surface    open: 10 open edges, 3 holes, the largest 1 x 1 x 1 from (0, -1, 0), 1 edge of more than two triangles"
printf 'v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 2\n' >line.obj
lines line.obj "triangles  1, 1 without area" "surface    none: every triangle is a point or a line"
answers "distance   1   certain" distance line.obj sphere:1 --pose-b 0,2,0

# ---- an answer that cannot be written is an error
if [ -w /dev/full ]; then
    checks=$((checks + 1))
    "$apart" info sphere:1 >/dev/full 2>err
    same $? 2 "a full disk"
    same "$(cat err)" "apart: the answer could not be written: No space left on device" "a full disk"
fi
"$apart" info sphere:1 >&- 2>/dev/null
same $? 2 "no standard output"
# No colour in a pipe.
answers "distance   0" distance sphere:1 sphere:1

echo "test_cli: $checks checks, $failures failed"
[ "$failures" -eq 0 ] && [ "$checks" -gt 100 ]
