#!/usr/bin/env python3
"""Writes a scene file of many bodies: chess pieces and primitives, turned at random, in a box that grows with their
number, so that each has a few neighbours.

    python3 make_clutter.py N [SEED] >clutter.json
"""
import json
import os
import random
import sys

PIECES = ("bishop", "king", "knight", "pawn", "queen", "rook")


def primitive(r):
    """One of six kinds, about as large as a chess piece: 100 units high."""
    half, wide = r.uniform(20, 60), r.uniform(10, 40)
    return r.choice((
        {"box": {"half_extents": [half, wide, r.uniform(5, 40)]}},
        {"sphere": {"radius": wide}},
        {"capsule": {"half_height": half, "radius": wide / 2}},
        {"cylinder": {"half_height": half, "radius": wide}},
        {"cone": {"half_height": half, "radius": wide}},
        {"ellipsoid": {"semi_axes": [half, wide, r.uniform(10, 40)]}}))


def clutter(count, seed, folder):
    r = random.Random(seed)
    side = 160 * count ** (1 / 3)
    bodies = []
    for i in range(count):
        piece = r.random() < 0.5
        name = r.choice(PIECES) if piece else ""
        shape = name if piece else primitive(r)
        kind = name if piece else next(iter(shape))
        bodies.append({"name": "%s %d" % (kind, i), "shape": shape,
                       "pose": {"position": [r.uniform(0, side) for _ in range(3)],
                                "quat_wxyz": [r.gauss(0, 1) for _ in range(4)]}})
    shapes = {name: {"file": os.path.join(folder, name + ".ply")} for name in PIECES}
    return {"description": "chess pieces and primitives", "shapes": shapes, "bodies": bodies}


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "chess")
    json.dump(clutter(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1, folder), sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
