"""A knot and a blob at any resolution: closed surfaces of rings, written ring by ring, so that millions of triangles
need little memory and a few seconds.

A surface knows how many rings it has, the points of each (flat: x, y, z, x, y, z...), and the strip of triangles
between a ring and the next, as numbers into the two rings one after the other.
"""
import math
import struct


class Knot:
    """A trefoil: a tube around the curve that runs twice around a torus one way and three times the other."""
    around, across, thickness = 0.62, 0.24, 0.13   # radii of the torus and of the tube: within the unit ball
    closed = True                                  # the last ring is followed by the first

    def __init__(self, triangles):
        self.places = max(3, round(math.sqrt(triangles / 2 / 11)))   # the tube is 11 times as long as around
        self.rings = max(12, round(triangles / 2 / self.places))
        self.circle = [(math.cos(a), math.sin(a))
                       for a in (2 * math.pi * i / self.places for i in range(self.places))]
        n = self.places
        self.belt = [t for i in range(n) for j in ((i + 1) % n,) for t in ((i, j, n + j), (i, n + j, n + i))]

    def size(self, ring):
        return self.places

    def ring(self, ring):
        a = 2 * math.pi * ring / self.rings
        c2, s2, c3, s3 = math.cos(2 * a), math.sin(2 * a), math.cos(3 * a), math.sin(3 * a)
        r = self.around + self.across * c3
        x, y, z = r * c2, r * s2, self.across * s3
        # Along the curve, across it in the direction away from the torus, and across both.
        q = -3 * self.across * s3
        t = unit((q * c2 - 2 * r * s2, q * s2 + 2 * r * c2, 3 * self.across * c3))
        n = (c3 * c2, c3 * s2, s3)
        b = unit((t[1] * n[2] - t[2] * n[1], t[2] * n[0] - t[0] * n[2], t[0] * n[1] - t[1] * n[0]))
        nx, ny, nz, bx, by, bz = (self.thickness * e for e in n + b)
        return [e for c, s in self.circle for e in (x + c * nx + s * bx, y + c * ny + s * by, z + c * nz + s * bz)]

    def strip(self, ring):
        return self.belt


class Blob:
    """A sphere with smooth bumps: an icosahedron, each side divided into equal parts, blown up."""
    closed = False

    def __init__(self, triangles):
        self.parts = max(3, round(math.sqrt(triangles / 20)))
        self.rings = 3 * self.parts + 1
        h, w = 1 / math.sqrt(5), 2 / math.sqrt(5)
        fifths = [2 * math.pi * i / 5 for i in range(6)]
        self.upper = [(w * math.cos(a), w * math.sin(a), h) for a in fifths]
        self.lower = [(w * math.cos(a + math.pi / 5), w * math.sin(a + math.pi / 5), -h) for a in fifths]
        self.upper[5], self.lower[5] = self.upper[0], self.lower[0]

    def size(self, ring):
        return max(1, 5 * min(ring, self.parts, self.rings - 1 - ring))

    def ring(self, ring):
        """From the north pole down: five sectors of the cap, the belt, the other cap."""
        f = self.parts
        if ring in (0, 3 * f):
            return blown([(0.0, 0.0, 1.0 if ring == 0 else -1.0)])
        points = []
        for k in range(5):
            u, v, p, q = self.upper[k], self.upper[k + 1], self.lower[k], self.lower[k + 1]
            if ring <= f:
                top = (0.0, 0.0, 1.0)
                points += between(mix(top, u, ring / f), mix(top, v, ring / f), ring)
            elif ring <= 2 * f:
                s = ring - f
                turn = mix(v, p, s / f)
                points += between(mix(u, p, s / f), turn, f - s) + between(turn, mix(v, q, s / f), s)
            else:
                s, bottom = 3 * f - ring, (0.0, 0.0, -1.0)
                points += between(mix(bottom, p, s / f), mix(bottom, q, s / f), s)
        return blown(points)

    def strip(self, ring):
        f, n, m = self.parts, self.size(ring), self.size(ring + 1)
        out = []
        for k in range(5):
            if ring < f:      # the next ring has one place more in each sector
                for j in range(ring + 1):
                    a, b, c = k * ring + j, k * (ring + 1) + j, k * (ring + 1) + j + 1
                    out.append((a % n, n + b, n + c % m))
                    if j < ring:
                        out.append((a, n + c % m, (a + 1) % n))
            elif ring < 2 * f:
                for j in range(k * f, k * f + f):
                    b = (j + 1) % n
                    out += [(j, n + j, b), (b, n + j, n + b)]
            else:             # one place less
                s = 3 * f - ring
                for j in range(s):
                    a, b = k * s + j, k * (s - 1) + j
                    out.append((a, n + b % m, (a + 1) % n))
                    if j < s - 1:
                        out.append(((a + 1) % n, n + b, n + (b + 1) % m))
        return out


def unit(v):
    length = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    return (v[0] / length, v[1] / length, v[2] / length)


def mix(a, b, t):
    return tuple(p + t * (q - p) for p, q in zip(a, b))


def between(a, b, parts):
    """Points from a towards b in equal steps, b itself left out."""
    (x, y, z), (dx, dy, dz) = a, ((q - p) / max(parts, 1) for p, q in zip(a, b))
    return [(x + i * dx, y + i * dy, z + i * dz) for i in range(parts)]


def blown(points):
    """Onto the sphere, then out and in: at most 0.95 from the middle, at least 0.45."""
    out, sin, sqrt = [], math.sin, math.sqrt
    for x, y, z in points:
        s = 1 / sqrt(x * x + y * y + z * z)
        x, y, z = s * x, s * y, s * z
        r = 0.7 + 0.15 * sin(5 * x + 1) * sin(5 * y + 2) + 0.1 * sin(6 * z + 3 * x)
        out += (r * x, r * y, r * z)
    return out


# ------------------------------------------------------------------------------------------------------------ writing

def strips(surface):
    """For each strip: the number of its first point, and its triangles."""
    first = 0
    for ring in range(surface.rings if surface.closed else surface.rings - 1):
        yield ring, first, surface.strip(ring)
        first += surface.size(ring)


def write_ply(file, name, surface):
    points = sum(map(surface.size, range(surface.rings)))
    triangles = sum(len(strip) for _, _, strip in strips(surface))
    file.write(("ply\nformat binary_little_endian 1.0\ncomment %s\nelement vertex %d\nproperty float x\n"
                "property float y\nproperty float z\nelement face %d\nproperty list uchar int vertex_indices\n"
                "end_header\n" % (name, points, triangles)).encode())
    for ring in range(surface.rings):
        flat = surface.ring(ring)
        file.write(struct.pack("<%df" % len(flat), *flat))
    for ring, first, strip in strips(surface):
        if ring == surface.rings - 1:   # on to the first ring
            flat = [e for t in strip for e in (3, *((first + v) % points for v in t))]
        else:
            flat = [e for a, b, c in strip for e in (3, first + a, first + b, first + c)]
        file.write(struct.pack("<" + "B3i" * len(strip), *flat))
    return triangles


def write_stl(file, name, surface):
    """Normals are zero, which leaves them to the reader."""
    triangles = sum(len(strip) for _, _, strip in strips(surface))
    file.write(name.encode().ljust(80) + struct.pack("<I", triangles))
    flat = surface.ring(0)
    low = start = list(zip(flat[0::3], flat[1::3], flat[2::3]))
    for ring, _, strip in strips(surface):
        if ring + 1 < surface.rings:
            flat = surface.ring(ring + 1)
            high = list(zip(flat[0::3], flat[1::3], flat[2::3]))
        else:
            high = start
        p = low + high
        flat = [e for a, b, c in strip for e in (0, 0, 0, *p[a], *p[b], *p[c], 0)]
        file.write(struct.pack("<" + "12fH" * len(strip), *flat))
        low = high
    return triangles


def write(kind, triangles, path):
    """A knot or a blob of about that many triangles; the ending of the path says the format. Returns how many."""
    surface = {"knot": Knot, "blob": Blob}[kind](triangles)
    writer = {".ply": write_ply, ".stl": write_stl}[path[-4:].lower()]
    with open(path, "wb") as file:
        return writer(file, kind, surface)
