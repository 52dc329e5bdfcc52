#!/usr/bin/env python3
"""Which targets are met? The table of targets is bench/targets.csv.

usage: bench/targets.py FOLDER

FOLDER has convex.csv, depth.csv, mesh.csv, motion.csv, batch.csv, points.csv and scene.csv, which the benchmarks write
with --save.
A target is a ratio within one row: how many times as fast as the others `ours` should be. Others are names with |
between them, of which the fastest counts, or `right`: the fastest of all that were right in 99 of 100 answers there, or a
number in the unit of the row (distance queries, where it counts these). Between goal and floor it counts as `floor`.

Where the ratios come from: of convex bodies two times the fastest library in double precision. Once as a ratio to
Bullet's pair detector, from a machine on which openGJK was measured as well; Bullet looks at all vertices in order, so
that a machine with slower caches, which all that climb feel, changes this ratio. And once beside the fastest library
that is measured here. On meshes the larger of 6 times FCL and 4 times PQP, as a ratio to FCL. A motion of two meshes in
the time of 5 distance queries. In a batch 2.5 times (boxes: 8) the rate of apart 0.1, as a ratio to Bullet, and never
slower than one at a time.

Exit status 1 if an answer of apart was wrong; missed targets are printed, and are no failure.
"""
import csv
import os
import sys

import results

PROGRAMS = "convex", "depth", "mesh", "motion", "batch", "points", "scene"


def load(folder):
    return {name: results.read_file(os.path.join(folder, name + ".csv")) for name in PROGRAMS}


def judge(measured):
    """For each target (target, other, ratio, verdict); no other and no ratio where the row was not measured."""
    with open(os.path.join(os.path.dirname(__file__), "targets.csv"), encoding="utf-8") as lines:
        for t in csv.DictReader(lines):
            row = measured[t["program"]].get((t["workload"], t["bodies"]), {})
            if t["ours"] in row and t["others"].isdigit():
                row = {**row, t["others"]: results.Result(float(t["others"]), 0, 0, 0, False, True)}
            names = [results.fastest_right(row)] if t["others"] == "right" else t["others"].split("|")
            names = [name for name in names if name in row]
            if t["ours"] not in row or not names:
                yield t, None, None, "not measured"
                continue
            other = min(names, key=lambda name: row[name].ns)
            ratio = row[other].ns / row[t["ours"]].ns
            # What is printed as the goal has reached it.
            reached = [round(ratio, 2) >= float(t[key]) for key in ("goal", "floor")]
            yield t, other, ratio, "met" if reached[0] else "floor" if reached[1] else "missed"


def wrong_answers(measured):
    """Wrong answers of apart, and how many it gave."""
    ours = [r for rows in measured.values() for row in rows.values() for r in row.values() if r.ours]
    return sum(r.wrong for r in ours), sum(r.queries for r in ours)


def print_targets(measured, out=sys.stdout):
    form = "{:<8} {:<17} {:<22} {:<9} {:>12} {:>6} {:>6} {:>6}  {}"
    print(form.format("program", "workload", "bodies", "ours", "beside", "ratio", "goal", "floor", ""), file=out)
    count = {}
    for t, other, ratio, verdict in judge(measured):
        count[verdict] = count.get(verdict, 0) + 1
        if ratio is None:
            continue
        print(form.format(t["program"], t["workload"], t["bodies"], t["ours"], other,
                          f"{ratio:.2f}", t["goal"], t["floor"], verdict), file=out)
    print(", ".join(f"{n} {verdict}" for verdict, n in sorted(count.items())), file=out)
    wrong, asked = wrong_answers(measured)
    print(f"wrong answers of apart: {wrong} of {asked}", file=out)
    return wrong


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__, file=sys.stdout if "--help" in sys.argv else sys.stderr)
        return 0 if "--help" in sys.argv else 2
    return 1 if print_targets(load(sys.argv[1])) else 0


if __name__ == "__main__":
    sys.exit(main())
