#!/usr/bin/env python3
"""Nothing calls upwards: each folder of src may use the symbols of those before it in LAYERS, and its own. And every file
of src says in its first line what it is for.

usage: layers.py BUILD_DIR        exit status 1 if an object asks for a symbol of a higher folder, or a file says nothing
"""
import json
import pathlib
import subprocess
import sys

LAYERS = ["base", "body", "convex", "papers", "depth", "mesh", "query.c", "motion", "batch", "scene"]
build = pathlib.Path(sys.argv[1])
folder = pathlib.Path("src/CMakeFiles/apart_objects.dir")
commands = [c["command"].split() for c in json.loads((build / "compile_commands.json").read_text())]
outputs = [pathlib.Path(words[words.index("-o") + 1]) for words in commands]
defined, wanted = {}, []
for path in sorted(build / output for output in outputs if folder in output.parents):
    name = path.relative_to(build / folder)
    layer = name.parts[0].removesuffix(".o")
    for line in subprocess.run(["nm", path], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines():
        kind, symbol = line.split()[-2:]
        if kind in "TDRBV":
            defined[symbol] = layer
        elif kind == "U":
            wanted.append((layer, name, symbol))
upwards = [w for w in wanted if w[2] in defined and LAYERS.index(defined[w[2]]) > LAYERS.index(w[0])]
for layer, name, symbol in upwards:
    print(f"{name} calls {symbol} of {defined[symbol]}, which is above {layer}")
source = pathlib.Path(__file__).parent.parent / "src"
silent = [f for f in sorted(source.rglob("*.[chi]*")) if not f.read_text(encoding="utf-8").startswith("// ")]
for file in silent:
    print(f"{file.relative_to(source)} does not say in its first line what it is for")
print(f"{len(defined)} symbols in {len(set(defined.values()))} layers, {len(upwards)} calls upwards")
sys.exit(bool(upwards or silent) or len(set(defined.values())) < len(LAYERS))
