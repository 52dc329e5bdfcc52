#!/usr/bin/env python3
"""Makes the chess set in chess/: six closed surfaces of about 2,000 triangles, each 100 units high.

    python3 make_chess.py           write the files
    python3 make_chess.py --check   exit with status 1 if a file differs from what would be written

A piece stands on z = 0 about the z axis. Five of them are turned: rings of points from the bottom to the top, some
of them bent into battlements, a coronet, a mitre or a cross. The knight is carved: the outline of a horse, made thick
and rounded, on a turned foot. Every surface is checked: closed, facing outwards, of the right height and size.
"""
import math
import sys

sys.dont_write_bytecode = True   # leave no __pycache__ between the models
from contour import blend, contour, cross, dot, outline_distance, sub, tabulate, thin, through   # noqa: E402
from make_models import ply_binary, rounded, write_or_check   # noqa: E402


# -------------------------------------------------------------------------------------------------------------- rings

def turn(degrees):
    """Cosine and sine, rounded far below what is written, so that every machine has the same."""
    a = math.radians(degrees)
    return round(math.cos(a), 12), round(math.sin(a), 12)


class Loft:
    """A surface of rings with the same number of places each, from the bottom to the top, counter-clockwise. Places may
    share a point, within a ring or with the ring below: the triangles that this leaves without area are dropped."""

    def __init__(self, columns):
        self.columns = columns   # angles in degrees; an angle that repeats is a second place at the same point
        self.points, self.faces, self.last = [], [], None

    def new(self, point):
        self.points.append(point)
        return len(self.points) - 1

    def add(self, ring):
        """The next ring: a list of indices."""
        if self.last is not None:
            n = len(ring)
            for i in range(n):
                j = (i + 1) % n
                a, b, c, d = self.last[i], self.last[j], ring[j], ring[i]
                u, v = sub(self.points[a], self.points[c]), sub(self.points[b], self.points[d])
                along_ac = dot(u, u) < 1.01 * dot(v, v)   # the shorter diagonal, and the same one if they are equal
                for t in ((a, b, c), (a, c, d)) if along_ac else ((b, c, d), (b, d, a)):
                    if len(set(t)) == 3:
                        self.faces.append(t)
        self.last = ring
        return ring

    def add_points(self, points):
        """The next ring out of points; equal neighbours are one."""
        known = {}
        return self.add([known[p] if p in known else known.setdefault(p, self.new(p)) for p in points])

    def turned(self, profile):
        """Rings about the axis: profile is (radius, z) from the bottom up."""
        for radius, z in profile:
            self.add_points([(radius * c, radius * s, z) for c, s in map(turn, self.columns)])

    def surface(self):
        return self.points, self.faces


def curve(a, b, c, steps):
    """Points on the way from a to c that heads for b first: a parabola, without its two ends."""
    out = []
    for i in range(1, steps):
        t = i / steps
        u = 1 - t
        out.append(tuple(u * u * p + 2 * u * t * q + t * t * r for p, q, r in zip(a, b, c)))
    return out


def ball(centre, radius, first, steps):
    """A turned ball, from a latitude in degrees to the top."""
    angles = [first + (90 - first) * i / steps for i in range(steps + 1)]
    return [(radius * c, centre + radius * s) for c, s in map(turn, angles)]


def even(count):
    return [360 * i / count for i in range(count)]


def foot(radius):
    """What all the turned pieces stand on, up to the start of the stem."""
    r = radius
    return ([(0, 0), (r - 1, 0), (r, 1), (r, 5)] + curve((r, 5), (r, 9), (r - 4, 9), 3)
            + [(r - 4, 9), (r - 4.5, 11)] + curve((r - 4.5, 11), (r - 5, 16), (r - 9.5, 18), 3) + [(r - 9.5, 18)])


# ------------------------------------------------------------------------------------------------------------- pieces

def pawn():
    piece = Loft(even(32))
    piece.turned(foot(30) + [(18.5, 20)] + curve((18.5, 20), (11.5, 32), (9.5, 56), 6)
                 + [(9.5, 56), (15, 58), (17, 60), (17, 61.5), (15, 63.5), (10, 65)] + ball(82, 18, -58, 11))
    return piece.surface()


def rook():
    """Six battlements: the rim of the wall has two heights, with a step at the repeated angles."""
    columns, high = [], []
    for merlon in range(6):
        for angle, up in ((-18, 1), (-6, 1), (6, 1), (18, 1), (18, 0), (30, 0), (42, 0)):
            columns.append((60 * merlon + angle) % 360)
            high.append(up)
    piece = Loft(columns)
    outer, inner, low, top = 23.5, 16.5, 90, 100
    piece.turned(foot(31) + [(20.5, 20), (20, 22)] + curve((20, 22), (16, 36), (15.5, 64), 8)
                 + [(15.5, 64), (19, 66), (20, 68), (20, 69.5), (18, 71.5), (17.5, 73)]
                 + curve((17.5, 73), (18.5, 77), (outer, 79), 3) + [(outer, 79), (outer, low)])
    directions = [turn(a) for a in columns]
    rim = piece.last

    def raised(radius, others):
        """Points at the top for the high places; others elsewhere."""
        return [piece.new((radius * c, radius * s, top)) if up else other
                for (c, s), up, other in zip(directions, high, others)]

    piece.add(raised(outer, rim))
    known = {}   # the inner wall at the height of the gaps
    sill = [known[d] if d in known else known.setdefault(d, piece.new((inner * d[0], inner * d[1], low)))
            for d in directions]
    piece.add(raised(inner, sill))
    piece.add(sill)
    piece.turned([(inner - 1, 85), (0, 85)])
    return piece.surface()


def bishop():
    """The mitre has a slanted cut: its rings lean over towards the cut and straighten up again above it."""
    piece = Loft(even(26))
    piece.turned(foot(25) + [(14, 20)] + curve((14, 20), (8.5, 32), (7, 56), 5)
                 + [(7, 56), (12.5, 58), (14, 59.5), (14, 60.5), (12.5, 62), (8, 63.2), (8, 64)])

    # The mitre's outline, and rings that lean: z = height + slope * x in front, where the cut is, less behind.
    mitre = [(8, 64), (10.6, 66), (12.2, 69), (12.8, 72), (12.4, 76), (11, 80.5), (8.8, 85), (6, 89), (2.6, 92.8)]

    def radius_at(z):
        for (r0, z0), (r1, z1) in zip(mitre, mitre[1:]):
            if z <= z1:
                return r0 + (r1 - r0) * max(z - z0, 0) / (z1 - z0)
        return mitre[-1][0]

    def leaning(height, slope):
        out = []
        for c, s in map(turn, piece.columns):
            z, lean = height, slope * c if c > 0 else 0.25 * slope * c
            for _ in range(60):   # the place on the outline at this angle, by going back and forth
                z += 0.5 * (height + lean * radius_at(z) - z)
            out.append((radius_at(z) * c, radius_at(z) * s, z))
        return out

    for height, slope in ((66, 0), (69, 0.16), (72, 0.38), (75, 0.64)):
        piece.add_points(leaning(height, slope))
    lower, upper = leaning(77.2, 0.85), leaning(81.6, 0.85)
    depth = 1.5
    low = piece.add_points(lower)
    high = [piece.new(p) for p in upper]

    def floor(ring, outer, height):
        """The bottom of the cut: the places in front of it go straight back, the others stay."""
        out = []
        for p, index in zip(ring, outer):
            out.append(piece.new((depth, p[1], height + 0.85 * depth)) if p[0] > depth + 1 else index)
        return out

    piece.add(floor(lower, low, 77.2))
    piece.add(floor(upper, high, 81.6))
    piece.add(high)
    for height, slope in ((83.6, 0.64), (86, 0.4), (88.6, 0.2), (91, 0.05)):
        piece.add_points(leaning(height, slope))
    piece.turned([(2.6, 92.8)] + ball(96.2, 3.8, -50, 4))
    return piece.surface()


def queen():
    """A coronet of eight points around a dome with a ball."""
    points, per = 8, 4
    piece = Loft(even(points * per))
    piece.turned(foot(23) + [(12.5, 20)] + curve((12.5, 20), (7.5, 34), (6.8, 62), 5)
                 + [(6.8, 62), (12, 64.5), (12.5, 66), (11, 68), (8.5, 70)]
                 + curve((8.5, 70), (9, 77), (13, 83), 3) + [(13, 83)])
    directions = [turn(a) for a in piece.columns]
    wave = [(1.0, 0.45, 0.0, 0.45)[i % per] for i in range(points * per)]
    for radius, z, rise in ((15.2, 86.5, 4.5), (12.2, 86.0, 4.0)):
        piece.add_points([((radius + w) * c, (radius + w) * s, z + rise * w) for (c, s), w in zip(directions, wave)])
    piece.turned([(9.5, 86)] + [(8.3, 89), (3, 92)] + ball(95.6, 4.4, -50, 5))
    return piece.surface()


def king():
    """A crown with a cross on it: the rings become rectangles, wide at the arms."""
    piece = Loft(even(32))
    piece.turned(foot(22) + [(12, 20)] + curve((12, 20), (7.5, 33), (6.8, 58), 5)
                 + [(6.8, 58), (12, 60.5), (12.5, 62), (11, 64), (8, 66)]
                 + curve((8, 66), (8.5, 72), (12.5, 78), 3)
                 + [(12.5, 78), (12.5, 80)] + curve((12.5, 80), (10, 82.6), (4.4, 83.6), 3))

    def rectangle(half_x, half_y, z, rise):
        """32 places around a rectangle, eight on a side, in the middle higher than at its ends by rise."""
        side = [k / 4 - 1 for k in range(8)]
        ring = ([(half_x, half_y * t) for t in side] + [(-half_x * t, half_y) for t in side]
                + [(-half_x, -half_y * t) for t in side] + [(half_x * t, -half_y) for t in side])
        return [(x, y, z + rise * (1 - x * x / (half_x * half_x))) for x, y in ring[4:] + ring[:4]]

    piece.add_points(rectangle(4.4, 2.8, 83.5, 0))
    for half_x, z, rise in ((3.6, 84, 0), (1.9, 89.4, 0), (6.8, 88.7, 1.9), (6.4, 91.8, 0), (6.8, 94.9, -1.9),
                            (1.9, 94.2, 0), (3.6, 100, 0)):
        piece.add_points(rectangle(half_x, 2, z, rise))
    piece.add([piece.new((0, 0, 100))] * 32)
    return piece.surface()


# ------------------------------------------------------------------------------------------------------------- knight

# The horse from its side, looking towards +x: (x, z), from the chest up and back down the mane. A third entry marks a
# sharp corner.
HORSE = [
    (10, 8, 1), (13, 20), (15.6, 27), (16.8, 34), (15.2, 41), (11.5, 47), (7.5, 52.5), (5.2, 57.5),     # chest, throat
    (7.5, 59.4), (12, 58), (16, 56), (18.6, 53), (21.5, 51.2), (24.6, 52), (27.6, 55.5), (28.2, 61),    # jaw, muzzle
    (25, 67), (20.8, 73), (17.2, 80), (14, 86), (12, 89.6), (10.2, 91.5),                               # nose, brow
    (10, 96), (8.6, 100, 1), (5, 96), (2.2, 91.4, 1),                                                   # ear
    (-1, 92), (-4, 90.5), (-5.5, 87.6, 1), (-8, 88), (-10.6, 85.4), (-11.4, 82, 1), (-14, 81.6), (-16, 78.2),
    (-16.2, 74.6, 1), (-18.6, 73.2), (-20, 69.2), (-19.6, 65.6, 1), (-21.6, 63.4), (-22.4, 59), (-21.4, 55.4, 1),
    (-23, 52.4), (-23, 47.6), (-21.6, 44.4, 1), (-22.4, 41), (-21.4, 36.4), (-18.8, 33, 1),             # mane
    (-17, 27), (-15, 20), (-12, 8, 1)]
MANE = [p[:2] for p in HORSE[25:46]] + [(-12, 35), (-12.4, 44), (-12, 53), (-10.6, 62), (-7.6, 71), (-3.4, 79),
                                         (1, 86)]

# Half the thickness at places of the outline: (x, z, half thickness).
THICKNESS = [(0, 20, 13), (0, 30, 13.5), (0, 40, 12.5), (-8, 55, 10.5), (-8, 70, 8.5), (2, 84, 7), (8, 70, 8.2),
             (4, 62, 8.6), (14, 66, 6.6), (22, 60, 5.2), (26, 56, 4.6), (-22, 55, 5), (-18, 75, 4.5), (-22, 40, 6.5),
             (-8, 90, 4.5), (8, 95, 5.5), (14, 84, 5)]


def thickness(x, z):
    """The thicknesses around, each with the weight of its nearness."""
    total = weights = 0.0
    for px, pz, t in THICKNESS:
        d = (x - px) * (x - px) + (z - pz) * (z - pz) + 4.0
        w = 1 / (d * d)
        total += w * t
        weights += w
    return total / weights


def bump(x, z, centre_x, centre_z, radius):
    """1 in the middle of a disc, smoothly down to 0 at its edge."""
    d = ((x - centre_x) * (x - centre_x) + (z - centre_z) * (z - centre_z)) / (radius * radius)
    return (1 - d) * (1 - d) if d < 1 else 0.0


def groove(x, z, ends, width):
    """1 on the segment between two ends, down to 0 at a distance of width."""
    (px, pz), (qx, qz) = ends
    dx, dz = qx - px, qz - pz
    t = min(max(((x - px) * dx + (z - pz) * dz) / (dx * dx + dz * dz), 0.0), 1.0)
    ex, ez = x - px - t * dx, z - pz - t * dz
    return max(0.0, 1 - math.sqrt(ex * ex + ez * ez) / width)


def carving(x, z):
    """What is added to half the thickness: mane and its locks, cheek, eye, muzzle, nostril, mouth."""
    out = 1.5 * min(max(-outline_distance(MANE, x, z) / 1.5, 0.0), 1.0)
    for px, pz in [p[:2] for p in HORSE[28:46] if len(p) > 2]:
        out -= 2.2 * groove(x, z, ((px, pz), (px + 8.5, pz + 3.5)), 2.0)
    out += 1.8 * bump(x, z, 6.5, 66, 8) + 1.0 * bump(x, z, 24.5, 57.5, 5)
    out += 2.6 * bump(x, z, 10.6, 79.4, 2.8) - 2.0 * bump(x, z, 11.2, 79, 5.4)
    out -= 2.2 * bump(x, z, 25.2, 60.2, 2.4)
    return out - 2.0 * groove(x, z, ((17, 59), (23.2, 54.2)), 1.8)


def knight():
    outline = through(HORSE, 4)
    low, high = (-30, 10), (35, 105)
    inside = tabulate(lambda x, z: -outline_distance(outline, x, z), low, high, 0.5)
    half = tabulate(lambda x, z: thickness(x, z) + carving(x, z), low, high, 0.5)
    base_profile = foot(27)[1:] + [(17.5, 20), (16, 21)]
    base_profile += [(-r, z) for r, z in reversed(base_profile)]
    base = tabulate(lambda r, z: outline_distance(base_profile, r, z), (-1, -6), (45, 110), 0.5)

    def solid(x, y, z):
        stand = base(math.sqrt(x * x + y * y), z)
        t = half(x, z)
        edge = min(6.5, t)   # how far the edges are rounded
        q = max(0.0, 1 - inside(x, z) / edge)
        body = (math.sqrt(y * y / (t * t) + q * q) - 1) * edge
        # Two ears: a wedge of nothing between them.
        body = max(body, 0.9 * (0.35 * (z - 92) - abs(y)))
        body = max(body, 18 - z)
        return blend(stand, body, 3)

    points, faces = contour(solid, (-29.3, -29.2, -3.1), (32, 29.5, 103), 0.9)
    points, faces = thin(points, faces, 2000)
    lowest = min(p[2] for p in points)
    highest = max(p[2] for p in points)
    return [(x, y, 100 * (z - lowest) / (highest - lowest)) for x, y, z in points], faces


# ------------------------------------------------------------------------------------------------------------ writing

def volume(points, faces):
    return sum(dot(points[a], cross(points[b], points[c])) for a, b, c in faces) / 6


def examine(name, points, faces):
    """Stops if the surface is not what the header of this file says."""
    edges = {}
    for f in faces:
        for edge in zip(f, f[1:] + f[:1]):
            edges[edge] = edges.get(edge, 0) + 1
    assert all(n == 1 and edges.get((b, a)) == 1 for (a, b), n in edges.items()), name + ": not closed, or not oriented"
    reached, todo = {0}, [0]
    beside = {}
    for a, b in edges:
        beside.setdefault(a, []).append(b)
    while todo:
        for b in beside[todo.pop()]:
            if b not in reached:
                reached.add(b)
                todo.append(b)
    assert len(reached) == len(points), name + ": not of one piece, or with unused points"
    assert len(points) - len(edges) // 2 + len(faces) == 2, name + ": not a sphere in topology"
    assert len(set(points)) == len(points), name + ": repeated points"
    for f in faces:
        a, b, c = (points[v] for v in f)
        n = cross(sub(b, a), sub(c, a))
        assert dot(n, n) > 1e-6, name + ": a triangle without area"
    assert volume(points, faces) > 0, name + ": inside out"
    heights = [p[2] for p in points]
    assert (min(heights), max(heights)) == (0, 100), name + ": not 100 high"
    assert 1900 <= len(faces) <= 2200, name + ": %d triangles" % len(faces)


def pieces():
    for make in (pawn, rook, knight, bishop, queen, king):
        points, faces = make()
        points = rounded(points)
        examine(make.__name__, points, faces)
        content = ply_binary(make.__name__ + ": a chess piece, 100 high", points, faces, "<")
        yield "chess/%s.ply" % make.__name__, content


if __name__ == "__main__":
    write_or_check(pieces(), __doc__)
