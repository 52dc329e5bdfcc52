#!/usr/bin/env python3
"""Makes the models in this folder: one recognisable thing per file format.

    python3 make_models.py           write the files next to this script
    python3 make_models.py --check   exit with status 1 if a file differs from what would be written
    python3 make_models.py knot|blob TRIANGLES FILE.ply|FILE.stl
                                     write a knot or a blob of about so many triangles, 200 to 10 million

Only the standard library is used. Lengths are centimetres, as far as that matters.
"""
import math
import os
import struct
import sys

sys.dont_write_bytecode = True   # leave no __pycache__ between the models
import rings   # noqa: E402


# ---------------------------------------------------------------------------------------------------- building blocks

def ring(count, radius, z, turn=0.0):
    """Points on a circle about the z axis, counter-clockwise from above."""
    angles = [2 * math.pi * (i + turn) / count for i in range(count)]
    return [(radius * math.cos(a), radius * math.sin(a), z) for a in angles]


def lathe(profile, count):
    """A solid of revolution: profile is (radius, z) from bottom to top; radius 0 at an end is a single point."""
    points, rings, faces = [], [], []
    for radius, z in profile:
        first = len(points)
        points += ring(count, radius, z) if radius > 0 else [(0.0, 0.0, z)]
        rings.append(range(first, len(points)))
    for low, high in zip(rings, rings[1:]):
        for i in range(count):
            j = (i + 1) % count
            if len(low) == 1:
                faces.append((low[0], high[j], high[i]))
            elif len(high) == 1:
                faces.append((low[i], low[j], high[0]))
            else:
                faces.append((low[i], low[j], high[j], high[i]))
    if len(rings[0]) > 1:
        faces.append(tuple(reversed(rings[0])))
    if len(rings[-1]) > 1:
        faces.append(tuple(rings[-1]))
    return points, faces


def extrude(outline, low, high):
    """A prism over a counter-clockwise outline in the xy plane; its two ends are fans about their middle."""
    n = len(outline)
    points = [(x, y, low) for x, y in outline] + [(x, y, high) for x, y in outline]
    points += [(0.0, 0.0, low), (0.0, 0.0, high)]
    faces = []
    for i in range(n):
        j = (i + 1) % n
        faces += [(i, j, n + j, n + i), (2 * n, j, i), (2 * n + 1, n + i, n + j)]
    return points, faces


def triangles(faces):
    return [(f[0], f[i], f[i + 1]) for f in faces for i in range(1, len(f) - 1)]


def number(x):
    """Six decimals without trailing zeros; the same text on every machine."""
    text = ("%.6f" % x).rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def row(point):
    return " ".join(number(x) for x in point)


def rounded(points):
    return [tuple(float(number(x)) for x in p) for p in points]


# ------------------------------------------------------------------------------------------------------------ formats

def obj(name, points, faces):
    lines = ["# " + name, "o " + name.split(":")[0]]
    lines += ["v " + row(p) for p in points]
    lines += ["f " + " ".join(str(i + 1) for i in f) for f in faces]
    return ("\n".join(lines) + "\n").encode()


def off(name, points, faces):
    edges = sum(len(f) for f in faces) // 2
    lines = ["OFF", "# " + name, "%d %d %d" % (len(points), len(faces), edges)]
    lines += [row(p) for p in points]
    lines += ["%d %s" % (len(f), " ".join(map(str, f))) for f in faces]
    return ("\n".join(lines) + "\n").encode()


def xyz(name, points):
    return ("# " + name + "\n" + "".join(row(p) + "\n" for p in points)).encode()


def ply_header(name, encoding, points, faces, scalar):
    return ("ply\nformat %s 1.0\ncomment %s\nelement vertex %d\nproperty %s x\nproperty %s y\nproperty %s z\n"
            "element face %d\nproperty list uchar int vertex_indices\nend_header\n"
            % (encoding, name, len(points), scalar, scalar, scalar, len(faces))).encode()


def ply_ascii(name, points, faces):
    body = "".join(row(p) + "\n" for p in points)
    body += "".join("%d %s\n" % (len(f), " ".join(map(str, f))) for f in faces)
    return ply_header(name, "ascii", points, faces, "float") + body.encode()


def ply_binary(name, points, faces, order):
    encoding, scalar, code = {"<": ("binary_little_endian", "float", "f"), ">": ("binary_big_endian", "double", "d")}[order]
    body = b"".join(struct.pack(order + "3" + code, *p) for p in rounded(points))
    body += b"".join(struct.pack(order + "B%di" % len(f), len(f), *f) for f in faces)
    return ply_header(name, encoding, points, faces, scalar) + body


def normal(a, b, c):
    u = [q - p for p, q in zip(a, b)]
    v = [q - p for p, q in zip(a, c)]
    n = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    length = math.sqrt(sum(x * x for x in n)) or 1.0
    return tuple(x / length for x in n)


def corners(points, faces):
    points = rounded(points)
    return [tuple(points[i] for i in t) for t in triangles(faces)]


def stl_ascii(name, points, faces):
    lines = ["solid " + name]
    for t in corners(points, faces):
        lines += ["facet normal " + row(normal(*t)), "  outer loop"]
        lines += ["    vertex " + row(p) for p in t]
        lines += ["  endloop", "endfacet"]
    return ("\n".join(lines + ["endsolid " + name]) + "\n").encode()


def stl_binary(name, points, faces):
    solid = corners(points, faces)
    out = name.encode().ljust(80) + struct.pack("<I", len(solid))
    for t in solid:
        n = tuple(float(number(x)) for x in normal(*t))
        out += struct.pack("<12fH", *n, *t[0], *t[1], *t[2], 0)
    return out


# ------------------------------------------------------------------------------------------------------------- models

def die():
    """An icosahedron of edge 2, the die with twenty faces."""
    g = (1 + math.sqrt(5)) / 2
    points = [(-1, g, 0), (1, g, 0), (-1, -g, 0), (1, -g, 0), (0, -1, g), (0, 1, g),
              (0, -1, -g), (0, 1, -g), (g, 0, -1), (g, 0, 1), (-g, 0, -1), (-g, 0, 1)]
    faces = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6),
             (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10),
             (8, 6, 7), (9, 8, 1)]
    return points, faces


def gem():
    """A cut gem: table, crown, girdle, pavilion."""
    return lathe([(0, -0.86), (1.0, -0.06), (1.0, 0.06), (0.57, 0.38)], 16)


def gear():
    """A gear of 18 teeth."""
    outline = []
    for tooth in range(18):
        for share, radius in ((0.0, 1.7), (0.3, 1.7), (0.42, 2.0), (0.78, 2.0), (0.9, 1.7)):
            a = 2 * math.pi * (tooth + share) / 18
            outline.append((radius * math.cos(a), radius * math.sin(a)))
    return extrude(outline, -0.25, 0.25)


def asteroid():
    """A lumpy sphere: smooth waves, no random numbers."""
    rows, count = 15, 28
    points = []
    for i in range(1, rows):
        for j in range(count):
            v, u = math.pi * i / rows, 2 * math.pi * j / count
            r = 1.5 + 0.18 * math.sin(3 * u + 1) * math.sin(v) ** 3 + 0.12 * math.cos(4 * v + 0.5) \
                + 0.1 * math.sin(2 * u + 3 * v) * math.sin(v) ** 2
            points.append((1.25 * r * math.sin(v) * math.cos(u), r * math.sin(v) * math.sin(u), 0.9 * r * math.cos(v)))
    faces = []
    for i in range(rows - 2):
        for j in range(count):
            k = (j + 1) % count
            a, b = i * count + j, i * count + k
            faces += [(a, a + count, b + count), (a, b + count, b)]
    last = (rows - 2) * count
    top, bottom = len(points), len(points) + 1
    points += [(0, 0, 1.5), (0, 0, -1.5)]
    for j in range(count):
        k = (j + 1) % count
        faces += [(top, j, k), (bottom, last + k, last + j)]
    return points, faces


def bolt():
    """A bolt: hexagonal head on a shank with a tip. Two closed surfaces that touch under the head."""
    head, head_faces = lathe([(0.9, 0.0), (0.9, 0.6)], 6)
    shank, shank_faces = lathe([(0.35, -3.0), (0.5, -2.85), (0.5, 0.0)], 24)
    n = len(head)
    return head + shank, head_faces + [tuple(n + i for i in f) for f in shank_faces]


def rocket():
    """A rocket: a body with a pointed nose and a nozzle."""
    nose = [(0.6 * math.cos(math.pi / 2 * t / 8) ** 0.8 if t < 8 else 0.0, 2.0 + 1.6 * t / 8) for t in range(9)]
    return lathe([(0.45, -2.0), (0.3, -1.7), (0.6, -1.5)] + nose, 24)


def bracket():
    """An angle bracket: an L seen from the side, 0.2 thick and 1 wide."""
    outline = [(0, 0), (2, 0), (2, 0.2), (0.2, 0.2), (0.2, 1.5), (0, 1.5)]
    n = len(outline)
    points = [(x, -0.5, z) for x, z in outline] + [(x, 0.5, z) for x, z in outline]
    front = [(0, 1, 2, 3), (0, 3, 4, 5)]
    faces = [tuple(f) for f in front] + [tuple(n + i for i in reversed(f)) for f in front]
    faces += [(i, n + i, n + (i + 1) % n, (i + 1) % n) for i in range(n)]
    return points, faces


def dome():
    """Points of a dome, as a scanner sees it: a spiral of 400 on the upper half of a sphere of radius 2."""
    golden = math.pi * (3 - math.sqrt(5))
    points = []
    for i in range(400):
        z = (i + 0.5) / 400
        r = math.sqrt(1 - z * z)
        points.append((2 * r * math.cos(golden * i), 2 * r * math.sin(golden * i), 2 * z))
    return points


def models():
    return {
        "die.off": off("die: an icosahedron of edge 2", *die()),
        "gem.obj": obj("gem: a cut gem", *gem()),
        "gear.ply": ply_ascii("gear: 18 teeth", *gear()),
        "asteroid.ply": ply_binary("asteroid: a lumpy sphere", *asteroid(), "<"),
        "bolt.ply": ply_binary("bolt: a head and a shank", *bolt(), ">"),
        "rocket.stl": stl_binary("rocket: body, nose and nozzle", *rocket()),
        "bracket.stl": stl_ascii("bracket", *bracket()),
        "dome.xyz": xyz("dome: 400 points on half a sphere", dome()),
    }


def at_any_resolution(kind, triangles, path):
    if kind not in ("knot", "blob") or path[-4:].lower() not in (".ply", ".stl") or not triangles.isdigit() \
            or not 200 <= int(triangles) <= 10_000_000:
        sys.exit("usage: make_models.py knot|blob TRIANGLES FILE.ply|FILE.stl, with 200 to 10000000 triangles")
    print("%s: a %s of %d triangles" % (path, kind, rings.write(kind, int(triangles), path)))


def write_or_check(files, usage):
    """What the scripts here do with their files, pairs of a path below this folder and its bytes."""
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(usage)
    folder = os.path.dirname(os.path.abspath(__file__))
    differing = []
    for name, content in files:
        path = os.path.join(folder, name)
        if not sys.argv[1:]:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(content)
        elif not os.path.exists(path) or open(path, "rb").read() != content:
            differing.append(name)
    if differing:
        sys.exit("not as written: " + ", ".join(differing))


if __name__ == "__main__":
    if len(sys.argv) == 4:
        at_any_resolution(*sys.argv[1:])
    else:
        write_or_check(models().items(), __doc__)
