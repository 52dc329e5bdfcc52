#!/usr/bin/env python3
"""Makes the scene in this folder: the path example of Gilbert, Johnson and Keerthi 1988, section VIII.

    python3 make_scenes.py           write the file next to this script
    python3 make_scenes.py --check   exit with status 1 if it differs from what would be written

The paper shows the scene in Fig. 5 and does not give its coordinates. This one is like it: an object of two pieces,
K6 and K7, moves past five obstacles and meets the third and the fifth. Position and quaternion are linear in time.
Only the standard library is used.
"""
import math
import os
import sys


def number(x):
    """Twelve digits: the same text on every machine."""
    text = "%.12g" % x
    return "0" if text == "-0" or abs(x) < 1e-12 else text


def row(values):
    return "[" + ", ".join(number(x) for x in values) + "]"


def block(x0, x1, y0, y1, z0, z1):
    """The corners of a box."""
    return [(x1 if i & 1 else x0, y1 if i & 2 else y0, z1 if i & 4 else z0) for i in range(8)]


def prism(count, radius, height):
    """An upright prism with so many sides."""
    turns = [2 * math.pi * i / count for i in range(count)]
    return [(radius * math.cos(t), radius * math.sin(t), z) for z in (-height, height) for t in turns]


SHAPES = [
    ("K1", prism(6, 1, 1)),
    ("K2", block(-1, 1, -0.8, 0.8, -1, 1)),
    ("K3", prism(4, 0.8, 1.5)),
    ("K4", prism(8, 1, 1.2)),
    ("K5", block(-0.5, 0.5, -0.5, 0.5, -1.5, 1.5)),
    ("K6", block(-1.5, 1.5, -0.3, 0.3, -0.3, 0.3)),
    ("K7", block(0.9, 1.5, 0.3, 1.2, -0.3, 0.3)),
]
PLACES = [("K1", (2, 3.2, 0)), ("K2", (4, -3, 0.5)), ("K3", (5.2, 1.3, 0)), ("K4", (8, 3.5, 0)), ("K5", (9.2, -0.9, 0))]
START, END = (-2, 0, 0), (13, 0, 0)
TURN = (0.1, 0.3, 0.2, 0.92)   # w, x, y, z of the quaternion at the end; its length does not matter


def points(name, corners):
    lines = ",\n      ".join(", ".join(row(p) for p in corners[i:i + 4]) for i in range(0, len(corners), 4))
    return '    "%s": {"points": {"vertices": [\n      %s]}}' % (name, lines)


def body(name, place):
    return '    {"name": "%s", "shape": "%s", "pose": {"position": %s}}' % (name, name, row(place))


def scene():
    length = math.sqrt(sum(x * x for x in TURN))
    end = '{"position": %s, "quat_wxyz": %s}' % (row(END), row(x / length for x in TURN))
    moving = ('    {"name": "KA", "shape": {"union": [{"shape": "K6"}, {"shape": "K7"}]},\n'
              '     "pose": {"position": %s}, "motion": {"nlerp": {"end": %s}}}' % (row(START), end))
    return ('{\n  "description": "The path example of Gilbert, Johnson and Keerthi 1988, section VIII: an object of two '
            'pieces and five obstacles",\n'
            '  "shapes": {\n%s\n  },\n  "bodies": [\n%s\n  ]\n}\n'
            % (",\n".join(points(*s) for s in SHAPES), ",\n".join([moving] + [body(*p) for p in PLACES])))


def main():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "gjk-path.json")
    if sys.argv[1:] == ["--check"]:
        with open(path, encoding="ascii") as file:
            if file.read() == scene():
                return 0
        print("gjk-path.json: not what make_scenes.py writes")
        return 1
    if sys.argv[1:]:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    with open(path, "w", encoding="ascii") as file:
        file.write(scene())
    return 0


if __name__ == "__main__":
    sys.exit(main())
