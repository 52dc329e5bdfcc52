#!/bin/sh
# apart path: against single distances; tables, CSV, JSON and pictures that programs read; every kind of contact; the
# same for any number of threads; errors of one line, and nothing half-written.
#
#   test_path.sh APART DATA     the tool, and the folder of models
set -u
apart=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
data=$(cd "$2" && pwd)
tests=$(cd "$(dirname "$0")" && pwd)
subcommand=path
. "$(dirname "$0")/tool.sh"
cd "$scratch" || exit 1

# reads FILE PROGRAM: a picture that is well-formed, of which the Python program (root: the parsed tree, texts: all
# texts) is true.
reads() {
    checks=$((checks + 1))
    python3 - "$1" "$2" <<'EOF' || fail "the picture $1: not $2"
import sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
space = "{http://www.w3.org/2000/svg}"
texts = ["".join(t.itertext()) for t in root.iter(space + "text")]
curves = [c for c in root.iter(space + "polyline") if c.find(space + "title") is not None]
count = lambda name: sum(1 for _ in root.iter(space + name))
sys.exit(not eval(sys.argv[2]))
EOF
}

# ---- the path example, golden and against single distances
scene=$data/gjk-path.json
cp "$scene" gjk-path.json
answers "gjk-path.json: 6 bodies, 1 moves; 5 pairs with KA

to    first contact       closest     at time   in contact
K3    0.367354535               0         0.5   0.36735 to 0.61796
K5    0.656307601               0    0.729499   0.65631 to 0.79378, 0.8342 to 0.87242
K1    never           0.441439328    0.276255
K2    never           0.644614759    0.469667
K4    never            1.00943706     0.66904
Certain at every instant: " gjk-path.json
same "$(sed -n '/^time/,$p' out | wc -l)" 12 "eleven times and their names"
answers "
time              K3          K5          K1          K2          K4
0            4.90102     9.20054     2.29904     3.98246     7.84474
0.5         -1.00734     2.81289     2.14136    0.735779     1.79379
1            5.68222     1.84623      9.0152     6.71372     3.64217" gjk-path.json --steps 2 --depth exact
checks=$((checks + 1))
python3 "$tests/path_check.py" "$apart" "$scene" "$scratch" || fail "path_check.py"
answers "5 pairs with KA" - <gjk-path.json

# ---- the same for any number of threads
for form in "" --csv --json "--plot -"; do
    # shellcheck disable=SC2086
    answers "" gjk-path.json $form --depth exact --threads 1
    one=$(cksum <out)
    for threads in 2 7; do
        # shellcheck disable=SC2086
        answers "" gjk-path.json $form --depth exact --threads $threads
        same "$(cksum <out)" "$one" "'$form' with $threads threads"
    done
done

# ---- pictures
answers "5 pairs" gjk-path.json --depth exact --plot fig.svg
reads fig.svg 'len(curves) == 5 and [c.find(space + "title").text for c in curves] == ["K5", "K4", "K3", "K2", "K1"]'
reads fig.svg '"0.367354535" in texts and "0.656307601" in texts and "0.4414" in texts and texts.count("K3") == 2'
reads fig.svg 'count("circle") == 5 and "Distances from KA along its path" in texts and "overlap" in texts'
reads fig.svg '"prefers-color-scheme:dark" in root.find(space + "style").text'
# A bracket that stays open is a band, and two ends in the table.
printf '{"bodies": [{"name": "a", "shape": {"ellipsoid": {"semi_axes": [1, 2, 3]}}}, {"name": "b", "shape": {"cone": {
  "half_height": 1, "radius": 1}}, "pose": {"position": [-5, 0, 0]}, "motion": {"velocity": {"linear": [9, 2, 1]}}}]}' >band.json
answers ".." band.json --depth bound --plot band.svg --title 'A <title> & "more"'
reads band.svg 'count("polygon") >= 1 and "A <title> & \"more\"" in texts'
answers "1 pair" gjk-path.json --only K2 --plot one.svg --steps 7
reads one.svg 'len(curves) == 1 and len(curves[0].get("points").split()) == 9'
# The curve of a pair that meets is at 0 where its dot is.
reads fig.svg 'all(any(abs(float(q.split(",")[1]) - float(d.get("cy"))) < 0.11 and abs(float(q.split(",")[0]) - float(d.get("cx"))) < 0.11 for c in curves for q in c.get("points").split()) for d in root.iter(space + "circle"))'
# Labels do not touch each other: those of the curves' ends, top to bottom.
reads fig.svg '(lambda y: all(b - a > 15 for a, b in zip(y, y[1:])))(sorted(float(t.get("y")) for t in root.iter(space + "text") if t.text in ("K1", "K2", "K3", "K4", "K5")))'
answers "<svg" gjk-path.json --plot -
same "$(tail -n 1 out)" "</svg>" "a picture on standard output"

# ---- kinds of contact: grazing, from the beginning, never; names that need care; excluded pairs and groups
cat >odd.json <<'EOF'
{"shapes": {"cube": {"box": {"half_extents": [1, 1, 1]}}},
 "bodies": [
  {"name": "slides, \"along\" <&>", "shape": "cube", "pose": {"position": [-5, 2, 0]},
   "motion": {"velocity": {"linear": [10, 0, 0]}}},
  {"name": "Würfel", "shape": "cube"},
  {"name": "inside", "shape": {"sphere": {"radius": 0.5}}, "pose": {"position": [0, 0.25, 0]},
   "motion": {"slerp": {"end": {"position": [0, -9, 0]}}}},
  {"name": "excluded", "shape": "cube"}],
 "exclude": [["excluded", "inside"], ["excluded", "slides, \"along\" <&>"]]}
EOF
answers "slides, \"along\" <&> – Würfel  0.3 ?  " odd.json --plot odd.svg
case $out in *"0.3 to 0.7 ?"*) ;; *) fail "no span that is in doubt: $out" ;; esac
case $out in *"Würfel – inside               0  "*) ;; *) fail "not in contact from the beginning: $out" ;; esac
case $out in *"?: so near that a contact can be neither shown nor excluded"*) ;; *) fail "no word on doubt: $out" ;; esac
case $out in *excluded*"excluded"*) fail "an excluded pair: $out" ;; *) ;; esac
cat >spins.json <<'EOF'
{"bodies": [{"name": "a", "shape": {"box": {"half_extents": [0.5, 0.5, 0.5]}}},
            {"name": "b", "shape": {"box": {"half_extents": [1, 0.1, 0.1]}}, "pose": {"position": [0, 0, 5]},
             "motion": {"velocity": {"linear": [0, 0, -4.4], "angular": [1e9, 0, 1e9]}}}]}
EOF
answers "?: not known from then on: the steps ran out; none before." spins.json
case $out in *"so near that"*) fail "far apart, and called near: $out" ;; esac
reads odd.svg 'len(curves) == 3 and any("Würfel" in t for t in texts) and "0.3 ?" in texts'
answers '"a": "slides, \"along\" <&>", "b": "W' odd.json --json
answers '
0.5,"slides, ""along"" <&>",Würfel,' odd.json --csv --steps 2
checks=$((checks + 1))
"$apart" path odd.json --csv --steps 2 | python3 -c '
import csv, sys
rows = list(csv.DictReader(sys.stdin))
sys.exit(not (len(rows) == 9 and {r["a"] for r in rows} == {"slides, \"along\" <&>", "Würfel"}))' || fail "CSV: $out"
answers "pairs with inside" odd.json --only inside
answers "3 pairs" odd.json --only inside --only Würfel

# ---- sizes: nothing but zero; very small and very large; many pairs
printf '{"bodies": [{"name": "a", "shape": {"sphere": {"radius": 1}}}, {"name": "b", "shape": {"sphere": {"radius": 1}},
  "motion": {"velocity": {"angular": [1, 0, 0]}}}]}' >zero.json
answers "a – b  0 " zero.json --plot zero.svg
reads zero.svg 'len(curves) == 1'
for size in 1e-12 1e12; do
    sed "s/\"radius\": 1/\"radius\": $size/g; s/\"angular\": \[1, 0, 0\]/\"linear\": [${size}0, 0, 0]/" zero.json >size.json
    answers "a – b" size.json --plot size.svg
    reads size.svg 'len(texts) < 40 and all(len(t) < 12 for t in texts if t.startswith("1e"))'
done
awk 'BEGIN {
    printf "{\"bodies\": [{\"name\": \"mover\", \"shape\": {\"sphere\": {\"radius\": 1}}, \"motion\": {\"velocity\": {\"linear\": [40, 0, 0]}}}"
    for (i = 0; i < 30; i++)
        printf ", {\"name\": \"post %d\", \"shape\": {\"cylinder\": {\"half_height\": 2, \"radius\": 0.2}}, \"pose\": {\"position\": [%g, %g, 0]}}", i, 2 + i, i % 5 - 1
    print "]}"
}' >many.json
answers "Distances of the first 24 pairs; --csv has all." many.json --plot many.svg
reads many.svg 'len(curves) == 30 and any("Grey: 18 more pairs, " in t for t in texts) and sum(t.startswith("post") for t in texts) == 24'
answers "1,mover,post 29,8.28683298050513" many.json --csv --steps 1 --only "post 29"

# ---- errors: one line, nothing left behind
refuses "path takes one scene file, not 0; see 'apart path --help'"
refuses "path takes one scene file, not 2; see 'apart path --help'" a.json b.json
refuses "--steps: '0' is not a whole number from 1 to 1000000" a.json --steps 0
refuses "--steps: '1.5' is not a whole number from 1 to 1000000" a.json --steps 1.5
refuses "--threads: 'many' is not a whole number from 0 to 4096" a.json --threads many
refuses "--clearance: '-1' is not a number, 0 or more" a.json --clearance -1
refuses "--depth: 'deep' is not a depth; use none, bound or exact" a.json --depth deep
refuses "--csv and --json exclude each other" a.json --csv --json
refuses "--title is for a picture; add --plot FILE.svg" a.json --title x
refuses "--plot - and --csv or --json cannot both go to standard output" a.json --plot - --csv
refuses "unknown or ambiguous option '--frob'; see 'apart path --help'" a.json --frob
refuses "no-such.json: cannot be read: No such file or directory" no-such.json
refuses "--only: there is no body 'K9' in gjk-path.json" gjk-path.json --only K9
refuses "odd.json: there is no pair to compare of which one moves" odd.json --only excluded
printf '{"bodies": [{"name": "a", "shape": {"sphere": {"radius": 1}}}]}' >still.json
refuses "still.json: no body has a motion; 'apart check' is for scenes that stay" still.json
awk 'BEGIN {
    printf "{\"bodies\": [{\"name\": \"mover\", \"shape\": {\"sphere\": {\"radius\": 1}}, \"motion\": {\"velocity\": {\"linear\": [1, 0, 0]}}}"
    for (i = 0; i < 60; i++) printf ", {\"name\": \"%d\", \"shape\": {\"sphere\": {\"radius\": 1}}}", i
    print "]}"
}' >more.json
refuses "more.json: 60000060 distances are too many; take fewer --steps, or bodies by --only" more.json --steps 1000000
run still.json --plot never.svg
[ ! -e never.svg ] || fail "a picture of nothing"
refuses "none/fig.svg: cannot be written: No such file or directory" gjk-path.json --plot none/fig.svg
printf 'old\n' >old.svg
cp old.svg kept.svg
mkdir old.svg.part
refuses "old.svg: cannot be written: Is a directory" gjk-path.json --plot old.svg
same "$(cat old.svg)" old "an older picture"
if [ -w /dev/full ]; then
    refuses "/dev/full: cannot be written: No space left on device" gjk-path.json --plot /dev/full
fi
same "$(ls | grep -c part)" 1 "parts of files that are left"
printf '{"bodies": [' >torn.json
run torn.json --plot never.svg
same "$status $(wc -l <err) $(ls never.svg 2>/dev/null)" "2 1 " "a torn scene"

echo "test_path: $checks checks, $failures failed"
[ "$failures" -eq 0 ] && [ "$checks" -gt 60 ]
