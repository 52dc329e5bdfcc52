#!/usr/bin/env python3
"""Checks what 'apart path' says about the path example against single distances of 'apart distance'.

    path_check.py APART SCENE SCRATCH

The poses along the motion are computed here: position and quaternion linear, normalised. The distance of a union is
the least over its parts, each of which is a list of points in a file.
"""
import csv
import io
import json
import math
import os
import subprocess
import sys
import xml.etree.ElementTree as tree

apart, scene_file, scratch = sys.argv[1:]
checks = 0


def check(good, text):
    global checks
    checks += 1
    if not good:
        sys.exit("path_check: " + text)


def run(*arguments):
    return subprocess.run([apart, *arguments], check=True, capture_output=True, text=True).stdout


with open(scene_file) as file:
    scene = json.load(file)
for name, shape in scene["shapes"].items():
    with open(os.path.join(scratch, name + ".xyz"), "w") as file:
        for p in shape["points"]["vertices"]:
            file.write("%r %r %r\n" % tuple(p))
moving = scene["bodies"][0]
start, end = moving["pose"]["position"], moving["motion"]["nlerp"]["end"]
parts = [part["shape"] for part in moving["shape"]["union"]]
obstacles = {b["name"]: b["pose"]["position"] for b in scene["bodies"][1:]}


def pose(time):
    place = [(1 - time) * a + time * b for a, b in zip(start, end["position"])]
    w, x, y, z = [(1 - time) * a + time * b for a, b in zip((1, 0, 0, 0), end["quat_wxyz"])]
    return ",".join(repr(v) for v in place + [x, y, z, w])


def distance(name, time, depth="exact"):
    """The least over the parts."""
    place = ",".join(repr(v) for v in obstacles[name])
    answers = [json.loads(run("distance", os.path.join(scratch, part + ".xyz"), os.path.join(scratch, name + ".xyz"),
                              "--pose-a", pose(time), "--pose-b", place, "--depth", depth, "--json"))
               for part in parts]
    return min(a["distance"] for a in answers)


# The distances of the CSV, apart and overlapping, at the poses computed here.
rows = list(csv.DictReader(io.StringIO(run("path", scene_file, "--csv", "--steps", "8", "--depth", "exact"))))
check(len(rows) == 9 * len(obstacles), "%d rows" % len(rows))
deep = 0
for row in rows:
    d = distance(row["b"], float(row["time"]))
    low, high = float(row["lower_bound"]), float(row["upper_bound"])
    check(row["a"] == moving["name"], "first body " + row["a"])
    check(abs(float(row["distance"]) - d) <= 1e-12, "%s at %s: %s is not %r" % (row["b"], row["time"], row["distance"], d))
    check(low <= d + 1e-12 and d <= high + 1e-12, "%s at %s: bounds %r %r" % (row["b"], row["time"], low, high))
    deep += d < 0
check(deep >= 3, "only %d of the distances are depths" % deep)

# JSON: the same numbers; contacts, spans and closest approaches against distances right beside them.
answer = json.loads(run("path", scene_file, "--json", "--steps", "400"))
check(len(answer["time"]) == 401 and answer["steps"] == 400, "times")
check([p["b"] for p in answer["pairs"]] == list(obstacles), "pairs in the order of the scene")
kinds = set()
for p in answer["pairs"]:
    first, nearest, spans = p["first_contact"], p["closest_approach"], p["spans"]
    kinds.add(first["kind"])
    inside = lambda t: any(s["begin"] <= t <= s["end"] for s in spans)
    for t, d, low, high in zip(answer["time"], p["distance"], p["lower_bound"], p["upper_bound"]):
        check(low <= d <= high, "%s at %r: %r is not between %r and %r" % (p["b"], t, d, low, high))
        check(inside(t) == (high <= 0), "%s at %r: in a span or apart, not both" % (p["b"], t))
        check(high >= nearest["lower_bound"], "%s at %r: nearer than the closest approach" % (p["b"], t))
    check(nearest["lower_bound"] <= nearest["distance"] <= nearest["upper_bound"], p["b"] + ": closest approach")
    check(abs(distance(p["b"], nearest["time"], "none") - nearest["distance"]) <= 1e-9, p["b"] + ": closest approach")
    if first["kind"] == "free":
        check(spans == [] and first["time_upper"] is None and nearest["lower_bound"] > 0, p["b"] + ": free")
        continue
    check(first["time"] == spans[0]["begin"] and first["time_upper"] - first["time"] <= 1e-11, p["b"] + ": first contact")
    for s in spans:
        check(s["kind"] == "contact", p["b"] + ": a span of " + s["kind"])
        for t, out in ((s["begin"], -1), (s["end"], 1)):
            check(distance(p["b"], t + out * 1e-8, "none") > 0, "%s: in contact before or after %r" % (p["b"], t))
            check(distance(p["b"], t - out * 1e-8, "none") == 0, "%s: apart inside of %r" % (p["b"], t))
check(kinds == {"free", "contact"}, "kinds %r" % kinds)

# Margins and a clearance: the contact is where the distance is what they add up to.
scene["bodies"][3]["margin"], scene["bodies"][0]["margin"] = 0.25, 0.125
with open(os.path.join(scratch, "margin.json"), "w") as file:
    json.dump(scene, file)
answer = json.loads(run("path", os.path.join(scratch, "margin.json"), "--json", "--clearance", "0.5", "--only", "K3"))
check(len(answer["pairs"]) == 1 and answer["pairs"][0]["clearance"] == 0.875, "the clearance and both margins")
t = answer["pairs"][0]["first_contact"]["time"]
check(math.isclose(distance("K3", t, "none"), 0.875, abs_tol=1e-9), "the distance at the first contact")


# The picture's bands hold the distances at all of 2000 instants between the few that they were drawn from, to the tenth
# of a pixel that coordinates are rounded to.
SVG = "{http://www.w3.org/2000/svg}"


def between(edge, x):
    """The height of a chain of points at x."""
    for (x0, y0), (x1, y1) in zip(edge, edge[1:]):
        if x0 <= x <= x1:
            return y0 if x0 == x1 else y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    sys.exit("path_check: a band ends before %r" % x)


def bands(file, depth, steps):
    """How wide the widest of the bands is, in pixels; and all hold what they should."""
    picture = os.path.join(scratch, "band.svg")
    run("path", file, "--depth", depth, "--steps", str(steps), "--plot", picture)
    root = tree.parse(picture).getroot()
    texts = list(root.iter(SVG + "text"))
    heights = {t.text: float(t.get("y")) - 4 for t in texts if t.get("text-anchor") == "end" and t.text[-1].isdigit()
               and float(t.get("x")) == 57}
    times = {t.text: float(t.get("x")) for t in texts if t.get("text-anchor") == "middle" and t.text in ("0", "1")}
    (v0, y0), *_, (v1, y1) = sorted((float(k), v) for k, v in heights.items())
    chains = {}
    for polygon in root.iter(SVG + "polygon"):
        points = [tuple(float(v) for v in p.split(",")) for p in polygon.get("points").split()]
        turn = max(range(len(points)), key=lambda i: (points[i][0], i == 0))
        chains[polygon.find(SVG + "title").text] = points[:turn + 1], points[:turn:-1]
    widest = 0
    for row in csv.DictReader(io.StringIO(run("path", file, "--depth", depth, "--steps", "2000", "--csv"))):
        name = row["b"] if row["b"] in chains else row["a"] + " \u2013 " + row["b"]
        x = times["0"] + float(row["time"]) * (times["1"] - times["0"])
        y = y0 + (float(row["distance"]) - v0) / (v1 - v0) * (y1 - y0)
        upper, lower = chains[name]
        near = [min(max(x + dx, times["0"]), times["1"]) for dx in (-0.06, 0, 0.06)]
        high, low = min(between(upper, v) for v in near), max(between(lower, v) for v in near)
        check(high <= y + 0.06 and y - 0.06 <= low,
              "%s, %s at %s leaves its band: %r, %r, %r" % (file, name, row["time"], high, y, low))
        widest = max(widest, low - high)
    return widest


spinning = {"bodies": [
    {"name": "wall", "shape": {"box": {"half_extents": [0.1, 4, 4]}}, "pose": {"position": [3, 0, 0]}},
    {"name": "rod", "shape": {"capsule": {"half_height": 2, "radius": 0.1}}, "pose": {"position": [0.3, 0, 0]},
     "motion": {"velocity": {"linear": [1.5, 0, 0], "angular": [0, 25, 0], "pivot": [0, 0, 1]}}},
    {"name": "lid", "shape": {"box": {"half_extents": [1, 1, 0.1]}}, "pose": {"position": [-3, 0, 1]},
     "motion": {"slerp": {"end": {"position": [-2, 1, 1], "rpy": [2.5, 0, 0]}, "pivot": [0, 1, 0]}}}]}
with open(os.path.join(scratch, "spinning.json"), "w") as file:
    json.dump(spinning, file)
cell = os.path.join(os.path.dirname(scene_file), "cell.json")
for file, depth in ((scene_file, "exact"), (scene_file, "none"), (cell, "none"),
                    (os.path.join(scratch, "spinning.json"), "exact")):
    widest = bands(file, depth, 16)
    check(widest > 5, "the bands of %s are only %r wide" % (file, widest))
print("path_check: %d checks" % checks)
