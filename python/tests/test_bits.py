"""Every function of the module against the same call of the shared library, by ctypes, bit for bit.

APART_LIBRARIES names the folders of libapart.so and libapart-io.so, which the build sets.
"""
import ctypes as c
import os
import pathlib

import numpy as np
import pytest

import apart
from apart._types import RESULT, SLOPE
from test_module import bits

FOLDERS = os.environ.get("APART_LIBRARIES", "").split(os.pathsep)
if not FOLDERS[0]:
    pytest.skip("APART_LIBRARIES is not set", allow_module_level=True)
CORE = c.CDLL(str(pathlib.Path(FOLDERS[0]) / "libapart.so"), mode=c.RTLD_GLOBAL)
IO = c.CDLL(str(pathlib.Path(FOLDERS[1]) / "libapart-io.so"))


class Vec(c.Structure):
    _fields_ = [("x", c.c_double), ("y", c.c_double), ("z", c.c_double)]


class Pose(c.Structure):
    _fields_ = [("rotation", c.c_double * 9), ("translation", Vec)]


class Query(c.Structure):
    _fields_ = [("relative_error", c.c_double), ("absolute_error", c.c_double), ("cutoff", c.c_double), ("depth", c.c_int),
                ("method", c.c_int), ("trace", c.c_void_p), ("context", c.c_void_p)]


class Part(c.Structure):
    _fields_ = [("shape", c.c_void_p), ("pose", Pose)]


class Pair(c.Structure):
    _fields_ = [("a", c.c_void_p), ("b", c.c_void_p), ("pose_a", Pose), ("pose_b", Pose)]


class MeshOptions(c.Structure):
    _fields_ = [("radius", c.c_double), ("hollow", c.c_bool), ("sphere_radius", c.c_double), ("progress", c.c_void_p),
                ("context", c.c_void_p)]


class Motion(c.Structure):
    _fields_ = [("kind", c.c_int), ("start", Pose), ("end", Pose), ("pivot", Vec), ("linear", Vec), ("angular", Vec),
                ("keys", c.c_void_p), ("key_count", c.c_size_t), ("function", c.c_void_p), ("context", c.c_void_p),
                ("speed", c.c_double), ("spin", c.c_double)]


class Key(c.Structure):
    _fields_ = [("time", c.c_double), ("pose", Pose)]


class MotionQuery(c.Structure):
    _fields_ = [("clearance", c.c_double), ("tolerance", c.c_double), ("time_tolerance", c.c_double), ("steps", c.c_int)]


class SceneBody(c.Structure):
    _fields_ = [("shape", c.c_void_p), ("pose", Pose), ("margin", c.c_double), ("group", c.c_uint32), ("mask", c.c_uint32),
                ("user", c.c_void_p)]


class SceneMotion(c.Structure):
    _fields_ = [("id", c.c_uint32), ("motion", Motion)]


CONTACT = np.dtype([("kind", "i4"), ("times", "f8", 4), ("result", RESULT), ("steps", "i4")], align=True)
APPROACH = np.dtype([("numbers", "f8", 4), ("result", RESULT), ("steps", "i4")], align=True)
SPAN = np.dtype([("begin", "f8"), ("end", "f8"), ("kind", "i4")], align=True)
SCENE_PAIR = np.dtype([("a", "u4"), ("b", "u4"), ("result", RESULT)], align=True)
SCENE_CONTACT = np.dtype([("a", "u4"), ("b", "u4"), ("contact", CONTACT)], align=True)
KINDS = ["free", "contact", "near", "undecided"]


def at(array):
    return array.ctypes.data_as(c.c_void_p)


def pose_of(matrix):
    matrix = np.asarray(matrix, float)
    return Pose((c.c_double * 9)(*matrix[:3, :3].ravel()), Vec(*matrix[:3, 3]))


def make(name, *args, library=CORE):
    function = getattr(library, name)
    function.restype = c.c_void_p
    shape = function(*args, None)
    assert shape
    return c.c_void_p(shape)


def good(status):
    assert status == 0, status


def doubles(*values):
    return [c.c_double(v) for v in values]


def pairs_of_shapes(random):
    """(Python's shape, the library's), one of each kind but support functions: ctypes cannot return a point."""
    points, faces = random.normal(size=(40, 3)), random.integers(0, 40, (30, 3)).astype("u4")
    hull = np.ascontiguousarray(points)
    options = MeshOptions(0.1, True, 0.2, None, None)
    yield apart.points(points, 0.125), make("apart_shape_points", at(hull), c.c_size_t(40), *doubles(0.125))
    yield apart.box((1, 2, 0.5), 0.25), make("apart_shape_box", Vec(1, 2, 0.5), *doubles(0.25))
    yield apart.sphere(0.7), make("apart_shape_sphere", *doubles(0.7))
    for kind in ("capsule", "cylinder", "cone"):
        yield getattr(apart, kind)(1.25, 0.5), make(f"apart_shape_{kind}", *doubles(1.25, 0.5))
    yield apart.ellipsoid((1, 2, 0.5)), make("apart_shape_ellipsoid", Vec(1, 2, 0.5))
    yield apart.mesh(points, faces, 0.1, True, 0.2), make("apart_shape_mesh", at(hull), c.c_size_t(40), at(faces),
                                                          c.c_size_t(30), c.byref(options))
    box, ball = make("apart_shape_box", Vec(1, 1, 1), *doubles(0)), make("apart_shape_sphere", *doubles(0.5))
    place = apart.pose((2, 0, 0), rpy=(1, 2, 3))
    parts = (Part * 2)(Part(box, pose_of(np.eye(4))), Part(ball, pose_of(place)))
    yield (apart.union([apart.box((1, 1, 1)), (apart.sphere(0.5), place)]),
           make("apart_shape_union", parts, c.c_size_t(2)))
    path = b"data/gear.ply"
    yield apart.load(path.decode(), scale=0.05), make_scaled(path)


def make_scaled(path):
    class Options(c.Structure):
        _fields_ = [("points", c.c_bool), ("strict", c.c_bool), ("scale", c.c_double * 3), ("limit", c.c_uint64),
                    ("rest", c.c_char * 128)]
    return make("apart_io_load", path, c.byref(Options(False, False, (0.05, 0.05, 0.05))), library=IO)


def ask(a, pose_a, b, pose_b, query, cache=None):
    out = np.zeros((), RESULT)
    status = CORE.apart_distance(a, c.byref(pose_of(pose_a)), b, c.byref(pose_of(pose_b)), c.byref(query), cache, at(out))
    return status, out


class Records:
    """The fields of records, as bits() of test_module tells them."""

    def __new__(cls, records):
        return apart.Results(bytearray(records.tobytes()), records.shape)


@pytest.fixture
def shapes(random):
    return list(pairs_of_shapes(random))


@pytest.fixture
def poses(random):
    return apart.pose(random.normal(size=(60, 3)) * 2.5, quat_wxyz=random.normal(size=(60, 4)))


DEPTHS, METHODS = ["none", "bound", "exact"], ["auto", "gjk", "enhanced", "features", "spheres"]


def test_sizes_of_structs():
    assert (RESULT.itemsize, SLOPE.itemsize) == (apart._apart.RESULT_SIZE, apart._apart.SLOPE_SIZE)


def test_distance(shapes, poses):
    regimes = {True: 0, False: 0, "refused": 0}
    for (mine, theirs), (other, others), pose in zip(shapes * 6, shapes[3:] + shapes * 5 + shapes[:3], poses):
        for depth in range(3):
            for method in range(5):
                status, want = ask(theirs, np.eye(4), others, pose, Query(0, 0, 0, depth, method))
                if status:
                    regimes["refused"] += 1
                    with pytest.raises(ValueError):
                        apart.distance(mine, other, None, pose, depth=DEPTHS[depth], method=METHODS[method])
                    continue
                got = apart.distance(mine, other, None, pose, depth=DEPTHS[depth], method=METHODS[method])
                assert bits(got) == bits(Records(want))
                regimes[got.overlap] += 1
    assert min(regimes.values()) > 50, regimes


def test_options_and_caches(shapes, poses):
    (mine, theirs), (other, others) = shapes[0], shapes[1]
    cache, words = apart.Cache(), (c.c_uint32 * 64)()
    for pose in poses:
        got = apart.distance(mine, other, None, pose, relative_error=0.25, absolute_error=0.01, cutoff=5.0, cache=cache)
        status, want = ask(theirs, np.eye(4), others, pose, Query(0.25, 0.01, 5.0, 0, 0), words)
        assert status == 0 and bits(got) == bits(Records(want))


def test_batches(shapes, poses):
    turned = (Pose * 60)(*map(pose_of, poses))
    one = pose_of(poses[0])
    for (mine, theirs), (other, others) in zip(shapes, shapes[1:] + shapes[:1]):
        want = np.zeros(60, RESULT)
        query = Query(0, 0, 0, 2, 0)
        good(CORE.apart_distance_poses(theirs, c.byref(one), c.c_size_t(1), others, turned, c.c_size_t(60),
                                       c.byref(query), at(want), None, 1))
        for threads in (0, 1):
            got = apart.distance(mine, other, poses[0], poses, depth="exact", threads=threads)
            assert bits(got) == bits(Records(want))
    want = np.zeros(len(shapes), RESULT)
    caches, words = [apart.Cache() for _ in shapes], (c.c_uint32 * (64 * len(shapes)))()
    pairs = (Pair * len(shapes))(*(Pair(s[1], shapes[0][1], pose_of(p), one) for s, p in zip(shapes, poses)))
    for _ in range(2):
        good(CORE.apart_distance_batch(pairs, c.c_size_t(len(shapes)), None, words, at(want), None, 0))
        got = apart.distance_batch([s[0] for s in shapes], shapes[0][0], poses[:len(shapes)], poses[0], caches=caches)
        assert bits(got) == bits(Records(want))


def test_points(shapes, random):
    points = np.ascontiguousarray(random.normal(size=(500, 3)) * 1.5)
    pose = apart.pose((0.5, 0, 0), rpy=(1, 2, 3))
    for mine, theirs in shapes:
        want = np.zeros(500, RESULT)
        good(CORE.apart_distance_points(theirs, c.byref(pose_of(pose)), at(points), c.c_size_t(500),
                                        c.byref(Query(0, 0, 0, 2, 0)), at(want), None, 1))
        assert bits(apart.distance_points(mine, points, pose, depth="exact")) == bits(Records(want))


def test_gradient(shapes, poses):
    found = 0
    for (mine, theirs), (other, others), pose in zip(shapes * 4, shapes[2:] + shapes * 4, poses):
        status, result = ask(theirs, np.eye(4), others, pose, Query(0, 0, 0, 2, 0))
        slope = np.zeros((), SLOPE)
        if status or CORE.apart_gradient(theirs, c.byref(pose_of(np.eye(4))), others, c.byref(pose_of(pose)), at(result),
                                         at(slope)):
            continue
        for got in (apart.gradient(mine, other, None, pose),
                    apart.gradient(mine, other, None, pose, apart.distance(mine, other, None, pose, depth="exact"))):
            assert all(np.array_equal(getattr(getattr(got, side), part), slope[side][part])
                       for side in "ab" for part in ("linear", "angular")) and got.unique == slope["unique"]
        found += 1
    many = apart.gradient(shapes[0][0], shapes[1][0], None, poses)
    assert np.array_equal(many.b.linear[7], apart.gradient(shapes[0][0], shapes[1][0], None, poses[7], many.result[7]).b.linear)
    assert found > 20


def test_shapes_are_described_alike(shapes):
    for mine, theirs in shapes:
        raw = (c.c_double * 64)()
        good(CORE.apart_shape_describe(theirs, raw))
        integers = np.frombuffer(raw, "u8")
        info = mine.describe()
        assert (info.vertices, info.edges, info.faces) == tuple(integers[1:4]) and info.radius == raw[4]
        assert info.bounds.ravel().tolist() == raw[5:11] and info.triangles == integers[11] and info.parts == integers[18]
        if mine.kind in ("points", "box"):
            points, index = mine.vertices()
            place, number = Vec(), c.c_uint32()
            good(CORE.apart_shape_vertex(theirs, c.c_size_t(3), c.byref(place), c.byref(number)))
            assert points[3].tolist() == [place.x, place.y, place.z] and index[3] == number.value


def motions(poses):
    keys = (Key * 3)(*(Key(t, pose_of(p)) for t, p in zip((0, 0.5, 1), poses[4:7])))
    yield apart.Motion.still(poses[0]), Motion(0, pose_of(poses[0]))
    yield apart.Motion.slerp(poses[0], poses[1], (1, 0, 0)), Motion(1, pose_of(poses[0]), pose_of(poses[1]), Vec(1, 0, 0))
    yield apart.Motion.nlerp(poses[2], poses[3]), Motion(2, pose_of(poses[2]), pose_of(poses[3]))
    yield (apart.Motion.velocity(poses[3], (1, 2, 3), (0, 0, 9), (0, 1, 0)),
           Motion(3, pose_of(poses[3]), Pose(), Vec(0, 1, 0), Vec(1, 2, 3), Vec(0, 0, 9)))
    yield (apart.Motion.keys([0, 0.5, 1], poses[4:7], (0, 0, 1)),
           Motion(4, Pose(), Pose(), Vec(0, 0, 1), Vec(), Vec(), c.cast(keys, c.c_void_p), 3))


def test_motion(shapes, poses):
    query, kinds = MotionQuery(0.1, 1e-6, 1e-9, 0), set()
    options = dict(clearance=0.1, tolerance=1e-6, time_tolerance=1e-9)
    for mine, theirs in motions(poses):
        place = Pose()
        good(CORE.apart_motion_pose(c.byref(theirs), *doubles(0.3), c.byref(place)))
        assert np.array_equal(pose_of(mine.pose(0.3)).rotation, place.rotation)
        for (a, raw_a), (b, raw_b), pose in zip(shapes, shapes[4:] + shapes[:4], poses[10:]):
            still = Motion(0, pose_of(pose))
            call = raw_a, c.byref(theirs), raw_b, c.byref(still), c.byref(query)
            contact, approach, spans = np.zeros((), CONTACT), np.zeros((), APPROACH), np.zeros(64, SPAN)
            count = c.c_size_t()
            good(CORE.apart_first_contact(*call, at(contact)))
            good(CORE.apart_closest_approach(*call, at(approach)))
            good(CORE.apart_contact_spans(*call, at(spans), c.c_size_t(64), c.byref(count)))
            got = apart.first_contact(a, b, mine, pose, **options)
            assert got.kind == KINDS[contact["kind"]] and got[1:5] == tuple(contact["times"]) and got.steps == contact["steps"]
            assert bits(got.result) == bits(Records(contact["result"]))
            got = apart.closest_approach(a, b, mine, pose, **options)
            assert got[:4] == tuple(approach["numbers"]) and bits(got.result) == bits(Records(approach["result"]))
            got = apart.contact_spans(a, b, mine, pose, **options)
            assert [tuple(s) for s in got] == [(s["begin"], s["end"], KINDS[s["kind"]]) for s in spans[:count.value]]
            kinds.add(KINDS[contact["kind"]])
    assert {"free", "contact"} <= kinds


def test_scene(shapes, poses):
    scene, raw = apart.Scene(), make("apart_scene_create")
    for i, pose in enumerate(poses[:30]):
        mine, theirs = shapes[i % len(shapes)]
        pose = pose.copy()
        pose[:3, 3] *= 2
        body = SceneBody(theirs, pose_of(pose), 0.05, 0, 0, None)
        assert scene.add(mine, pose, margin=0.05) == i
        good(CORE.apart_scene_add(raw, c.byref(body), None, None))
    for target, other in ((scene.exclude, CORE.apart_scene_exclude),):
        target(0, 1)
        good(other(raw, 0, 1))
    scene.move(2, poses[40])
    good(CORE.apart_scene_move(raw, 2, c.byref(pose_of(poses[40]))))
    scene.remove(3)
    good(CORE.apart_scene_remove(raw, 3))
    pair, query = np.zeros((), SCENE_PAIR), c.byref(Query(0, 0, 0, 2, 0))

    def same(got):
        return (got.a if got.a is not None else 2**32 - 1, got.b) == (pair["a"], pair["b"]) and \
            bits(got.result) == bits(Records(pair["result"]))

    good(CORE.apart_scene_closest(raw, query, at(pair)))
    assert same(scene.closest(depth="exact"))
    good(CORE.apart_scene_nearest(raw, 5, query, at(pair)))
    assert same(scene.nearest(5, depth="exact"))
    visitor = SceneBody(shapes[1][1], pose_of(poses[50]), 0, 0, 0, None)
    good(CORE.apart_scene_nearest_to(raw, c.byref(visitor), query, at(pair)))
    assert same(scene.nearest_to(shapes[1][0], poses[50], depth="exact"))
    found, calls = [], c.CFUNCTYPE(c.c_bool, c.c_void_p, c.c_void_p)

    @calls
    def note(item, context):
        found.append(np.frombuffer(c.string_at(item, SCENE_PAIR.itemsize), SCENE_PAIR)[0])
        return True

    good(CORE.apart_scene_within(raw, *doubles(1.0), query, 1, note, None))
    got = scene.within(1.0, depth="exact")
    assert len(got) == len(found) > 5
    assert all((p.a, p.b) == (f["a"], f["b"]) and bits(p.result) == bits(Records(f["result"])) for p, f in zip(got, found))

    (mine, theirs), contact = list(motions(poses))[3], np.zeros((), SCENE_CONTACT)
    moved = (SceneMotion * 1)(SceneMotion(7, theirs))
    good(CORE.apart_scene_first_contact(raw, moved, c.c_size_t(1), None, 1, at(contact)))
    first = scene.first_contact({7: mine})
    assert (first.a, first.b) == (contact["a"], contact["b"]) and first.contact.time == contact["contact"]["times"][0]
    found.clear()

    @calls
    def note_contact(item, context):
        found.append(np.frombuffer(c.string_at(item, SCENE_CONTACT.itemsize), SCENE_CONTACT)[0])
        return True

    good(CORE.apart_scene_contacts(raw, moved, c.c_size_t(1), None, 1, note_contact, None))
    got = scene.contacts({7: mine})
    assert len(got) == len(found) > 1
    assert all((k.a, k.b) == (f["a"], f["b"]) and bits(k.contact.result) == bits(Records(f["contact"]["result"]))
               for k, f in zip(got, found))


def test_closed_forms(random):
    x = random.normal(size=(50, 12, 3))
    out = np.zeros(8)
    for name in ("segment_segment", "point_segment", "point_triangle", "segment_triangle", "triangle_triangle"):
        getattr(CORE, f"apart_{name}").restype = c.c_double
    for row in x:
        a, b, p, q, tri, other = row[0], row[1], row[2], row[3], row[4:7].copy(), row[7:10].copy()
        place = [c.c_void_p(out.ctypes.data + 8 * k) for k in range(8)]
        vec = [Vec(*v) for v in (a, b, p, q)]
        want = CORE.apart_segment_segment(3, at(a), at(b), at(p), at(q), place[0], place[1])
        assert tuple(apart.segment_segment(a, b, p, q)) == (want, out[0], out[1])
        assert apart.point_segment(p, a, b) == (CORE.apart_point_segment(3, at(p), at(a), at(b), place[0]), out[0])
        got, want = apart.point_triangle(p, tri), CORE.apart_point_triangle(vec[2], at(tri), place[0])
        assert got[0] == want and got[1].tolist() == out[:3].tolist()
        got, want = apart.segment_triangle(p, q, tri), CORE.apart_segment_triangle(vec[2], vec[3], at(tri), place[3], place[0])
        assert got[:2] == (want, out[3]) and got[2].tolist() == out[:3].tolist()
        got, want = apart.triangle_triangle(tri, other), CORE.apart_triangle_triangle(at(tri), at(other), place[0], place[3])
        assert got[0] == want and got[1].tolist() + got[2].tolist() == out[:6].tolist()
        left, right = np.ascontiguousarray(row[:6].reshape(-1, 6)), np.ascontiguousarray(row[6:].reshape(-1, 6) + 2)
        points, distance = np.zeros((2, 6)), c.c_double()
        good(CORE.apart_distance_nd(6, at(left), c.c_size_t(3), at(right), c.c_size_t(3), at(points[0]), at(points[1]),
                                    c.byref(distance)))
        got = apart.distance_nd(left, right)
        assert got.distance == distance.value and np.array_equal(got.point_a, points[0])


def test_poses(random):
    CORE.apart_pose_from_quaternion.restype = Pose
    for q in random.normal(size=(50, 4)):
        raw = CORE.apart_pose_from_quaternion(*doubles(*q), Vec(1, 2, 3))
        mine = apart.pose((1, 2, 3), quat_wxyz=q)
        assert list(raw.rotation) == mine[:3, :3].ravel().tolist()
        back = np.zeros(4)
        CORE.apart_pose_to_quaternion(c.byref(raw), at(back))
        assert np.array_equal(back, apart.pose_to_quaternion(mine))
