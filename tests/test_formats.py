#!/usr/bin/env python3
"""Scene files against their schema, and the reports of 'apart check' as other programs read them.

    test_formats.py APART SOURCE_DIR      exit status 77: python3-jsonschema or python3-junitparser is missing

Scenes in data/ and docs/ must pass the schema and the tool; of hundreds of changed ones, the tool must refuse all that
the schema refuses. JUnit files are read by junitparser, CSV by Python's csv, and both must tell what the JSON tells.
"""
import copy
import csv
import glob
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile

try:
    import jsonschema
    import junitparser
except ImportError as missing:
    print("skipped: %s" % missing)
    sys.exit(77)


def run(*arguments, stdin=None):
    done = subprocess.run([APART, *arguments], input=stdin, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


# ------------------------------------------------------------------------------------------------------------- schema

def scenes():
    """Every scene of the repository: name, text, folder of its files."""
    for path in sorted(glob.glob(os.path.join(SOURCE, "data", "*.json"))):
        yield path, open(path, encoding="utf-8").read()
    page = open(os.path.join(SOURCE, "docs", "scene-file.md"), encoding="utf-8").read()
    for number, block in enumerate(re.findall(r"```json\n(.*?)```", page, re.S)):
        yield "docs/scene-file.md, block %d" % number, block


def places(value, way=()):
    """Every value in a JSON value, as the way to it."""
    yield way
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inside:
        yield from places(item, way + (key,))


def changed(scene, r):
    """A copy with one value replaced, removed or added."""
    out = copy.deepcopy(scene)
    way = r.choice([w for w in places(out) if w])
    at = out
    for key in way[:-1]:
        at = at[key]
    kind = r.randrange(3)
    if kind == 0:
        at[way[-1]] = r.choice([None, True, -1, 0, 0.5, 1e301, "", "x", [], {}, [1, 2, 3], [[0, 0, 0]], {"radius": 1}])
    elif kind == 1:
        del at[way[-1]]
    elif isinstance(at, dict):
        at[r.choice(["radius", "rpy", "colour", "matrix", "name"])] = r.choice([1, [0, 0, 1], "x"])
    return out


def check_schema():
    with open(os.path.join(SOURCE, "docs", "scene.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    count, refused = 0, [0, 0]
    r = random.Random(1)
    for name, text in scenes():
        scene = json.loads(text)
        errors = [e.message for e in validator.iter_errors(scene)]
        assert not errors, (name, errors)
        path = os.path.join(SOURCE, "data", ".test_formats_%d.json" % os.getpid())
        try:
            for i in range(60):
                one = changed(scene, r) if i else scene
                with open(path, "w", encoding="utf-8") as file:
                    json.dump(one, file)
                status, out, err = run("scene", path)
                valid = validator.is_valid(one)
                assert status in (0, 2) and (status == 2 or out), (name, one, err)
                assert i or status == 0, (name, err)
                assert valid or status == 2, ("the tool takes what the schema refuses", one)
                assert status == 0 or re.match(r"apart: .*\.json:\d+:\d+: \S", err), err
                refused[0] += not valid
                refused[1] += status == 2
        finally:
            os.remove(path)
        count += 1
    assert count >= 3 and refused[0] > 30, (count, refused)
    print("schema: %d scenes; of those changed it refuses %d, the tool %d" % (count, refused[0], refused[1]))


# ------------------------------------------------------------------------------------------------------------ reports

ODD = ['a<b>&"c"', "d,e", 'quote"d', "é \u2603", "new\nline", "]]>"]


def odd_scene():
    box = {"box": {"half_extents": [1, 1, 1]}}
    bodies = [{"name": name, "shape": box, "pose": {"position": [1.5 * i, 0, 0]}} for i, name in enumerate(ODD)]
    bodies.append({"name": "mover", "shape": {"sphere": {"radius": 1}}, "pose": {"position": [0, 9, 0]},
                   "motion": {"velocity": {"linear": [0, -7.5, 0]}}})
    return json.dumps({"bodies": bodies})


def check_reports():
    with tempfile.TemporaryDirectory() as folder:
        scene, report, base = (os.path.join(folder, n) for n in ("s.json", "r.xml", "base.json"))
        with open(scene, "w", encoding="utf-8") as file:
            file.write(odd_scene())
        status, out, err = run("check", scene, "--clearance", "1.2", "--json", "--junit", report)
        assert status == 1 and not err, err
        found = json.loads(out)["found"]
        assert len(found) >= 8 and {f["class"] for f in found} == {"overlap", "near"}, found
        compare_junit(report, found, 0)
        compare_csv(run("check", scene, "--clearance", "1.2", "--csv")[1], found)
        # Half of them are known.
        with open(base, "w", encoding="utf-8") as file:
            json.dump({"found": found[::2]}, file)
        status, out, err = run("check", scene, "--clearance", "1.2", "--json", "--junit", report, "--baseline", base)
        assert status == 1 and not err, err
        compare_junit(report, json.loads(out)["found"], len(found[::2]))
        assert sorted(os.listdir(folder)) == ["base.json", "r.xml", "s.json"]
        print("reports: %d pairs in JSON, CSV and JUnit" % len(found))


def compare_junit(path, found, known):
    suites = list(junitparser.JUnitXml.fromfile(path))
    assert len(suites) == 1
    suite = suites[0]
    assert (suite.tests, suite.failures, suite.errors, suite.skipped) == \
        (len(found) + 1, len(found) - known, 0, known)
    cases = list(suite)
    assert len(cases) == len(found) + 1 and not cases[0].result
    for case, one in zip(cases[1:], found):
        name = "%s, %s" % (one["a"], one["b"])
        assert case.name == name.replace("\n", "?"), (case.name, name)
        result = case.result[0]
        wanted = junitparser.Skipped if one.get("state") == "known" else junitparser.Failure
        assert isinstance(result, wanted) and result.type == one["class"] and result.message, (result, one)


def compare_csv(text, found):
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == len(found)
    for row, one in zip(rows, found):
        for key in ("a", "b", "class"):
            assert row[key] == one[key], (row, one)
        for key in ("distance", "lower_bound", "upper_bound", "limit"):
            assert float(row[key]) == one[key], (row, one)
        assert [float(row[k]) for k in ("ax", "ay", "az")] == one["point_a"]
        assert (row["time"] != "") == ("time" in one)


if len(sys.argv) != 3:
    sys.exit(__doc__)
APART, SOURCE = sys.argv[1:]
check_schema()
check_reports()
