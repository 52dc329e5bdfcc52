"""Closed surfaces out of functions: contouring, and thinning to a number of triangles.

A solid is a function that is negative inside and roughly a distance. contour() puts one corner into each cell of a
grid that the surface passes through and joins them (surface nets: Gibson 1998); thin() then takes out the edges whose
loss moves the surface least (quadric error: Garland, Heckbert 1997). Plain arithmetic and square roots only, so that
every machine makes the same surface.
"""
import heapq
import math


# ------------------------------------------------------------------------------------------------------------ vectors

def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


# -------------------------------------------------------------------------------------------------------- 2D outlines

def through(corners, steps):
    """A closed curve through corners (Catmull-Rom), steps pieces between two of them. A corner with a third entry is
    kept sharp."""
    n, out = len(corners), []
    for i in range(n):
        before, a, b, after = (corners[(i + k) % n] for k in (-1, 0, 1, 2))
        if len(a) > 2:
            before = a
        if len(b) > 2:
            after = b
        for s in range(steps):
            t = s / steps
            w = (-t * t * t + 2 * t * t - t, 3 * t * t * t - 5 * t * t + 2, -3 * t * t * t + 4 * t * t + t,
                 t * t * t - t * t)
            out.append(tuple((w[0] * before[k] + w[1] * a[k] + w[2] * b[k] + w[3] * after[k]) / 2 for k in (0, 1)))
    return out


def outline_distance(outline, x, y):
    """Signed distance of a point from a closed polygon, negative inside."""
    best, inside = math.inf, False
    px, py = outline[-1]
    for qx, qy in outline:
        dx, dy, ex, ey = qx - px, qy - py, x - px, y - py
        t = (ex * dx + ey * dy) / (dx * dx + dy * dy)
        t = 0.0 if t < 0 else 1.0 if t > 1 else t
        ex, ey = ex - t * dx, ey - t * dy
        best = min(best, ex * ex + ey * ey)
        if (py > y) != (qy > y) and x < px + (y - py) / (qy - py) * dx:
            inside = not inside
        px, py = qx, qy
    return -math.sqrt(best) if inside else math.sqrt(best)


def tabulate(function, low, high, step):
    """The function of two numbers as a table with straight lines in between: as good, and fast."""
    nx, ny = (int((high[k] - low[k]) / step) + 2 for k in (0, 1))
    table = [[function(low[0] + i * step, low[1] + j * step) for j in range(ny)] for i in range(nx)]

    def look_up(x, y):
        u = min(max((x - low[0]) / step, 0.0), nx - 1.001)
        v = min(max((y - low[1]) / step, 0.0), ny - 1.001)
        i, j = int(u), int(v)
        u, v = u - i, v - j
        a, b = table[i], table[i + 1]
        return (1 - u) * ((1 - v) * a[j] + v * a[j + 1]) + u * ((1 - v) * b[j] + v * b[j + 1])
    return look_up


def blend(a, b, width):
    """The union of two solids with the seam filled over a width."""
    h = width - abs(a - b)
    return min(a, b) - (h * h / (4 * width) if h > 0 else 0.0)


# --------------------------------------------------------------------------------------------------------- contouring

BLOCK = 4   # cells; a block that is far from the surface is filled with the value in its middle


def sample(solid, low, cells, step):
    """Values at the (cells + 1)^3 corners of the grid."""
    nx, ny, nz = (n + 1 for n in cells)
    value = [[[0.0] * nz for _ in range(ny)] for _ in range(nx)]
    reach = 1.2 * math.sqrt(3) * BLOCK * step / 2
    for i0 in range(0, nx, BLOCK):
        for j0 in range(0, ny, BLOCK):
            for k0 in range(0, nz, BLOCK):
                middle = solid(*(low[d] + (o + (BLOCK - 1) / 2) * step for d, o in enumerate((i0, j0, k0))))
                far = abs(middle) > reach
                for i in range(i0, min(i0 + BLOCK, nx)):
                    for j in range(j0, min(j0 + BLOCK, ny)):
                        for k in range(k0, min(k0 + BLOCK, nz)):
                            value[i][j][k] = middle if far else solid(low[0] + i * step, low[1] + j * step,
                                                                      low[2] + k * step)
    return value


CUBE = [(s & 1, s >> 1 & 1, s >> 2) for s in range(8)]
SIDES = [[s for s in range(8) if (s >> d & 1) == e] for d in range(3) for e in (0, 1)]


def connected(corners):
    """Whether corners of a cube, as numbers 0 to 7, hang together by its edges."""
    todo = corners[:1]
    left = set(corners[1:])
    while todo:
        beside = [s for s in left if bin(s ^ todo[-1]).count("1") == 1]
        todo.pop()
        todo += beside
        left -= set(beside)
    return not left


def clear(inside):
    """Whether the surface crosses a cell in one piece and each of its sides in one line at most."""
    groups = [[s for s in range(8) if inside[s] == value] for value in (False, True)]
    if not (connected(groups[0]) and connected(groups[1])):
        return False
    return all(inside[a] != inside[d] or inside[b] != inside[c] or inside[a] == inside[b] for a, b, c, d in SIDES)


def untangle(value, cells):
    """Turns the sign of single values until every cell is clear: the surface then has two triangles at every edge."""
    todo = [(i, j, k) for i in range(cells[0]) for j in range(cells[1]) for k in range(cells[2])]
    while todo:
        cell = todo.pop()
        at = [tuple(c + o for c, o in zip(cell, offset)) for offset in CUBE]
        inside = [value[i][j][k] < 0 for i, j, k in at]
        if all(inside) or not any(inside) or clear(inside):
            continue
        i, j, k = min(at, key=lambda p: abs(value[p[0]][p[1]][p[2]]))
        # Half as much again each time, so that no value is turned to and fro for ever.
        value[i][j][k] = -1.5 * (value[i][j][k] or 1e-9)
        todo += [(i - a, j - b, k - c) for a, b, c in CUBE]


def onto(solid, p, step):
    """Moves a point onto the surface, by at most a cell."""
    h = step * 0.05
    x, y, z = p
    for _ in range(3):
        f = solid(x, y, z)
        g = ((solid(x + h, y, z) - f) / h, (solid(x, y + h, z) - f) / h, (solid(x, y, z + h) - f) / h)
        s = f / max(dot(g, g), 0.25)
        x, y, z = x - s * g[0], y - s * g[1], z - s * g[2]
    moved = sub((x, y, z), p)
    return (x, y, z) if dot(moved, moved) < step * step else p


def contour(solid, low, high, step):
    """The surface of a solid within a box that it does not touch: points, and triangles facing outwards."""
    cells = [int((high[d] - low[d]) / step) + 1 for d in range(3)]
    value = sample(solid, low, cells, step)
    untangle(value, cells)
    corner = {}   # cell -> index of its point
    points, faces = [], []

    def point_of(i, j, k):
        if (i, j, k) not in corner:
            total, count = [0.0, 0.0, 0.0], 0
            for d in range(3):
                e, f = (d + 1) % 3, (d + 2) % 3
                for s in range(4):
                    a = [i, j, k]
                    a[e] += s & 1
                    a[f] += s >> 1
                    b = list(a)
                    b[d] += 1
                    va, vb = value[a[0]][a[1]][a[2]], value[b[0]][b[1]][b[2]]
                    if (va < 0) != (vb < 0):
                        a[d] += va / (va - vb)
                        total = [t + c for t, c in zip(total, a)]
                        count += 1
            corner[i, j, k] = len(points)
            points.append(onto(solid, tuple(low[d] + total[d] / count * step for d in range(3)), step))
        return corner[i, j, k]

    for i in range(1, cells[0]):
        for j in range(1, cells[1]):
            for k in range(1, cells[2]):
                v = value[i][j][k]
                for d, w in enumerate((value[i + 1][j][k], value[i][j + 1][k], value[i][j][k + 1])):
                    if (v < 0) == (w < 0):
                        continue
                    quad = []
                    for s, t in ((-1, -1), (0, -1), (0, 0), (-1, 0)):
                        c = [i, j, k]
                        c[(d + 1) % 3] += s
                        c[(d + 2) % 3] += t
                        quad.append(point_of(*c))
                    faces.append(quad if v < 0 else quad[::-1])
    return points, [t for q in faces for t in split(points, q)]


def split(points, q):
    """A quad as two triangles along its shorter diagonal."""
    u, v = sub(points[q[0]], points[q[2]]), sub(points[q[1]], points[q[3]])
    if dot(u, u) <= dot(v, v):
        return [(q[0], q[1], q[2]), (q[0], q[2], q[3])]
    return [(q[1], q[2], q[3]), (q[1], q[3], q[0])]


# ----------------------------------------------------------------------------------------------------------- thinning

def plane_quadric(n, d, weight):
    """Ten numbers of the squared distance from the plane n . p + d = 0."""
    a, b, c = n
    return [weight * x for x in (a * a, a * b, a * c, a * d, b * b, b * c, b * d, c * c, c * d, d * d)]


def error_at(q, p):
    x, y, z = p
    return (q[0] * x * x + 2 * q[1] * x * y + 2 * q[2] * x * z + 2 * q[3] * x + q[4] * y * y + 2 * q[5] * y * z
            + 2 * q[6] * y + q[7] * z * z + 2 * q[8] * z + q[9])


def best_place(q, p, r):
    """Where the error of q is least; if that is not clear, the best of p, r and their middle."""
    m = ((q[0], q[1], q[2]), (q[1], q[4], q[5]), (q[2], q[5], q[7]))
    c0, c1, c2 = cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])
    det = dot(m[0], c0)
    size = q[0] + q[4] + q[7]
    if det > 1e-6 * size * size * size:
        b = (-q[3] / det, -q[6] / det, -q[8] / det)
        place = tuple(b[0] * c0[k] + b[1] * c1[k] + b[2] * c2[k] for k in range(3))
        d, e = sub(place, p), sub(r, p)
        if dot(d, d) <= 4 * dot(e, e):
            return place
    middle = tuple((s + t) / 2 for s, t in zip(p, r))
    return min((middle, p, r), key=lambda s: error_at(q, s))


class Thinner:
    """Collapses edges, the cheapest first."""

    def __init__(self, points, faces):
        self.points = list(points)
        self.faces = [list(f) for f in faces]
        self.around = [set() for _ in points]   # faces at a point
        self.quadric = [[0.0] * 10 for _ in points]
        self.alive = len(faces)
        self.version = [0] * len(points)
        self.heap = []
        for t, f in enumerate(self.faces):
            self.add_plane(f)
            for v in f:
                self.around[v].add(t)
        for a, b in sorted({(min(e), max(e)) for f in faces for e in zip(f, f[1:] + f[:1])}):
            self.push(a, b)

    def add_plane(self, f):
        a, b, c = (self.points[v] for v in f)
        n = cross(sub(b, a), sub(c, a))
        area = math.sqrt(dot(n, n))
        if area == 0:
            return
        n = tuple(x / area for x in n)
        # A trace of three planes across the face keeps its corners from sliding far within flat regions.
        for normal, weight in ((n, area), ((1.0, 0.0, 0.0), 0.0004 * area), ((0.0, 1.0, 0.0), 0.0004 * area),
                               ((0.0, 0.0, 1.0), 0.0004 * area)):
            for v in f:
                q = plane_quadric(normal, -dot(normal, a if normal is n else self.points[v]), weight)
                self.quadric[v] = [s + t for s, t in zip(self.quadric[v], q)]

    def push(self, a, b):
        q = [s + t for s, t in zip(self.quadric[a], self.quadric[b])]
        place = best_place(q, self.points[a], self.points[b])
        heapq.heappush(self.heap, (error_at(q, place), a, b, self.version[a], self.version[b], place))

    def neighbours(self, v):
        return {u for t in self.around[v] for u in self.faces[t]} - {v}

    def keeps_form(self, moved, gone, place):
        """Whether the faces at a moved point stay non-flat and do not turn far."""
        for t in self.around[moved] - gone:
            old = [self.points[v] for v in self.faces[t]]
            new = [place if v == moved else self.points[v] for v in self.faces[t]]
            m = cross(sub(old[1], old[0]), sub(old[2], old[0]))
            n = cross(sub(new[1], new[0]), sub(new[2], new[0]))
            longest = max(dot(e, e) for e in (sub(new[1], new[0]), sub(new[2], new[1]), sub(new[0], new[2])))
            if dot(n, n) < 0.004 * longest * longest or dot(m, n) < 0.4 * math.sqrt(dot(m, m) * dot(n, n)):
                return False
        return True

    def collapse(self, a, b, place):
        gone = self.around[a] & self.around[b]
        if len(gone) != 2 or len(self.neighbours(a) & self.neighbours(b)) != 2:
            return
        if not (self.keeps_form(a, gone, place) and self.keeps_form(b, gone, place)):
            return
        for t in gone:
            for v in self.faces[t]:
                self.around[v].discard(t)
            self.faces[t] = None
        for t in self.around[b]:
            self.faces[t][self.faces[t].index(b)] = a
        self.around[a] |= self.around[b]
        self.around[b] = set()
        self.points[a] = place
        self.quadric[a] = [s + t for s, t in zip(self.quadric[a], self.quadric[b])]
        self.alive -= 2
        self.version[a] += 1
        self.version[b] += 1
        for v in sorted(self.neighbours(a)):
            self.push(min(a, v), max(a, v))

    def result(self):
        used = sorted({v for f in self.faces if f for v in f})
        number = {v: i for i, v in enumerate(used)}
        return [self.points[v] for v in used], [tuple(number[v] for v in f) for f in self.faces if f]


def thin(points, faces, count):
    """The surface with about count triangles: edges go, the cheapest first."""
    work = Thinner(points, faces)
    while work.alive > count and work.heap:
        _, a, b, version_a, version_b, place = heapq.heappop(work.heap)
        if version_a == work.version[a] and version_b == work.version[b]:
            work.collapse(a, b, place)
    return work.result()
