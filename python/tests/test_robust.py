"""Arguments of any kind raise an exception of three kinds or give an answer; nothing leaks, also not on failure."""
import gc
import inspect
import sys
import tracemalloc

import numpy as np
import pytest

import apart
import apart._apart as module

BOX, BALL = apart.box((1, 1, 1)), apart.sphere(1)
MESH = apart.mesh(np.eye(3), [(0, 1, 2)])
POSE = apart.pose((3, 0, 0), rpy=(1, 2, 3))


def candidates(random):
    """Things that someone might hand in; a third of them shapes and poses, so that calls get somewhere."""
    scene = apart.Scene()
    scene.add(BOX)
    scene.add(BALL, POSE)
    good = [BOX, BALL, MESH, apart.union([BOX, (MESH, POSE)]), POSE, np.stack([POSE] * 5), None, apart.Cache(),
            apart.Motion.slerp(None, POSE), apart.distance(BOX, BALL), apart.distance(BOX, BALL, [POSE] * 5), 0, 1, 0.5, (1, 2, 3),
            "exact", "auto", {0: POSE}, [BOX, BALL]]
    odd = ["", b"", "bound", -1, 2**31, 2**63, 2**100, -0.0, 1e-320, 1e308, np.nan, np.inf, 1j, True, object(), print, [], {},
           (), set(), range(3), np.zeros(0), np.zeros((0, 4, 4)), np.zeros((4, 4)), np.full((4, 4), np.nan), np.eye(4)[::-1],
           np.eye(4, dtype="f4"), np.eye(4, dtype=object), np.eye(4, dtype=complex), np.zeros((2, 3, 4, 4)), np.zeros((1,) * 30),
           np.array("x"), np.datetime64(1, "D"), np.ma.masked, memoryview(b"abcdefgh"), bytearray(24), slice(1), lambda *a: None,
           lambda *a: 1 / 0, lambda *a: (1, 2, 3), random.normal(size=(7, 3)), random.integers(-3, 9, (7, 3)), scene, "\0", "x" * 999,
           np.broadcast_to(np.eye(4), (3, 1, 4, 4)), [[1, 2], [3]], apart, BOX.describe, np.float32(2), np.int8(-3)]
    return good, odd


def functions():
    scene = apart.Scene()
    for shape in (BOX, BALL, MESH):
        scene.add(shape, POSE)
    for name in apart.__all__:
        if callable(getattr(apart, name)) and name not in ("Scene", "Results"):
            yield getattr(apart, name)
    for owner in (scene, BOX, apart.Motion, apart.Motion.slerp(None, POSE), module):
        for name in dir(owner):
            member = getattr(owner, name)
            if not name.startswith("__") and (inspect.ismethod(member) or inspect.isbuiltin(member)):
                yield member


def parameters(function):
    try:
        return [p for p in inspect.signature(function).parameters.values() if p.kind != p.VAR_POSITIONAL]
    except ValueError:
        return []


def right_kind(name, good, random):
    """Something that fits a parameter of this name, as often as not."""
    fitting = {"a": good[:4], "b": good[:4], "shape": good[:4], "pose": good[4:7], "pose_a": good[4:7], "pose_b": good[4:7],
               "id": [0, 1], "radius": [0.5], "motions": [{0: POSE}], "time": [0.5, np.array([0.1, 0.9])], "cache": [None, apart.Cache()],
               "depth": ["exact", "bound"], "half_extents": [(1, 2, 3)], "points": [np.eye(3)], "vertices": [np.eye(3)],
               "faces": [[(0, 1, 2)]], "clearance": [1.0], "p": [(1, 2, 3)], "triangle": [np.eye(3)], "path": ["data/die.off"]}
    pool = fitting.get(name, good)
    return pool[random.integers(len(pool))]


@pytest.mark.filterwarnings("ignore")
def test_arguments_of_any_kind(random):
    good, odd = candidates(random)
    answered = refused = 0
    for function in functions():
        for _ in range(150):
            args, keywords, rate = [], {"nonsense": 3} if random.random() < 0.02 else {}, random.random() ** 2
            for p in parameters(function):
                value = odd[random.integers(len(odd))] if random.random() < rate else right_kind(p.name, good, random)
                if p.default is p.empty and not keywords and random.random() < 0.95:
                    args.append(value)
                elif random.random() < 0.3 and p.kind != p.POSITIONAL_ONLY:
                    keywords[p.name] = value
            try:
                function(*args, **keywords)
                answered += 1
            except (TypeError, ValueError, OSError, MemoryError, ZeroDivisionError, RuntimeError) as error:
                assert str(error)
                refused += 1
    assert answered > 1000 and refused > 1000, (answered, refused)


def resident():
    with open("/proc/self/statm", encoding="ascii") as statm:
        return int(statm.read().split()[1]) * 4096


def chores():
    """Everything once, right and wrong."""
    poses = np.stack([POSE] * 20)
    vertices, faces = np.random.default_rng(1).normal(size=(100, 3)), np.arange(99).reshape(-1, 3)
    shapes = [apart.points(vertices), apart.mesh(vertices, faces), apart.union([(BOX, POSE), BALL]), apart.support(lambda d: d)]
    scene = apart.Scene()
    for shape in shapes:
        scene.add(shape, POSE, name="x")
        repr(shape), shape.describe(), apart.distance(shape, BOX, POSE, depth="exact").witness_a, repr(scene)
        apart.distance(shape, BOX, poses), apart.distance_points(shape, vertices), apart.distance(shape, BOX, poses)[3]
        apart.gradient(shape, BOX, poses), apart.gradient(shape, BOX, POSE)
        apart.first_contact(shape, BOX, apart.Motion.velocity(None, (3, 0, 0), (0, 0, 9)), POSE)
        for wrong in (lambda: apart.distance(shape, BOX, np.zeros((4, 4))), lambda: apart.distance(shape, BOX, poses * 2),
                      lambda: apart.points(vertices[:, :2]), lambda: apart.mesh(vertices, faces * 99), lambda: scene.get(99),
                      lambda: apart.union([(shape, 3)]), lambda: apart.distance_batch(shapes, shapes[:2]),
                      lambda: apart.support(lambda d: 1 / 0), lambda: apart.Motion.keys([0, 3], poses[:2]),
                      lambda: apart.distance(shape, BOX, poses, out=3), lambda: apart.distance_points(shape, vertices * np.nan),
                      lambda: scene.contacts({0: 3}), lambda: apart.load("nothing"), lambda: apart.gradient(shape, BOX, poses * 2)):
            with pytest.raises((TypeError, ValueError, OSError, ZeroDivisionError)):
                wrong()
    shapes[0].vertices(), scene.within(9), scene.closest(), scene.nearest(0), scene.nearest_to(BOX, POSE), scene.get(0)
    apart.distance_batch(shapes, BOX, POSE, caches=[apart.Cache() for _ in shapes])
    motion = apart.Motion.keys([0, 1], poses[:2])
    scene.contacts({0: motion, 1: apart.Motion.function(lambda t: POSE, 1, 1)}), motion.__reduce__(), motion.pose([0, 1])
    apart.contact_spans(BOX, BALL, motion), apart.closest_approach(BOX, BALL, motion), apart.load("data/die.off")
    apart.Scene.load("python/examples/cell.json").motions, apart.distance(BOX, apart.cone(1, 1), POSE, trace=lambda s: None)
    apart.segment_segment(vertices, vertices + 1, vertices, vertices - 1), apart.distance_nd(vertices, vertices + 9)


def test_no_leaks_of_python_objects():
    """A loop, by the number of blocks that Python has, and by tracemalloc: less than one for each round."""
    for _ in range(60):
        chores()
    gc.collect()
    tracemalloc.start()
    before, blocks = tracemalloc.take_snapshot(), sys.getallocatedblocks()
    for _ in range(60):
        chores()
    gc.collect()
    grown, after = sys.getallocatedblocks() - blocks, tracemalloc.take_snapshot()
    tracemalloc.stop()
    mine = [tracemalloc.Filter(True, __file__), tracemalloc.Filter(True, "*/apart/*")]
    lines = after.filter_traces(mine).compare_to(before.filter_traces(mine), "lineno")
    assert grown < 60 + len(before.traces), grown
    assert sum(line.count_diff for line in lines) < 60, "\n".join(map(str, lines[:10]))


def test_no_leaks_of_memory():
    for _ in range(30):
        chores()
    before = resident()
    for _ in range(150):
        chores()
    assert resident() - before < 4_000_000


def test_reference_counts():
    """Numbers of references to what is handed in again and again stay as they are."""
    held = [BOX, BALL, POSE, None, apart.Shape, apart.Result]
    chores()
    counts = [sys.getrefcount(o) for o in held]
    for _ in range(50):
        chores()
    gc.collect()
    assert all(abs(sys.getrefcount(o) - n) < 10 or o is None for o, n in zip(held, counts))


@pytest.mark.parametrize("make", [
    lambda: apart.box(None), lambda: apart.ellipsoid(None), lambda: apart.halfspace(None), lambda: apart.sphere(None),
    lambda: apart.capsule(None, 1), lambda: apart.cylinder(1, None), lambda: apart.Scene().within(None)])
def test_none_is_no_size(make):
    with pytest.raises(TypeError, match="which is None"):
        make()


def test_masked_numbers_are_refused():
    masked = np.ma.array(np.eye(4), mask=np.eye(4) > 0)
    for ask in (lambda: apart.distance(apart.sphere(1), apart.sphere(1), masked),
                lambda: apart.distance_points(apart.sphere(1), masked[:, :3]), lambda: apart.pose(masked[0, :3]),
                lambda: apart.points(masked[:, :3]),
                lambda: apart.mesh(np.eye(3), np.ma.array([[0, 1, 2]], mask=[[0, 0, 1]]))):
        with pytest.raises(ValueError, match="masked"):
            ask()
    assert apart.distance(apart.sphere(1), apart.sphere(1), np.ma.array(np.eye(4))).overlap


def test_ids_of_numpy_and_names_of_fields():
    scene = apart.Scene()
    scene.add(apart.sphere(1), margin=0.5)
    assert scene.get(np.int64(0)).margin == 0.5 and scene.nearest(np.uint8(0)) is None
    with pytest.raises(TypeError):
        scene.get(0.0)
    results = apart.distance(apart.sphere(1), apart.sphere(1), None, np.broadcast_to(np.eye(4), (3, 4, 4)))
    with pytest.raises(TypeError, match="results.distance"):
        results["distance"]


@pytest.mark.parametrize("shape", [apart.box((1, 2, 3)), apart.capsule(1, 0.5)])
def test_poses_of_every_layout(random, shape):
    """Rows of poses that are shorter and longer than eight, on either side, are those of one call after the other."""
    poses = apart.pose(random.normal(size=(5, 19, 3)) * 6, quat_wxyz=random.normal(size=(5, 19, 4)))
    layouts = [poses, poses[:, :3], poses[:, ::-1], poses[::2, 1:], np.asfortranarray(poses), poses[:, :1],
               poses.reshape(95, 4, 4)]
    for layout in layouts:
        for a, b in ((None, layout), (layout, None), (layout, layout[..., ::-1, :, :]), (layout[..., :1, :, :], layout)):
            both = np.broadcast_shapes(*(p.shape for p in (a, b) if p is not None))
            whole = apart.distance(shape, shape, a, b, threads=1)
            rows = [np.broadcast_to(np.eye(4) if p is None else p, both).reshape(-1, 4, 4) for p in (a, b)]
            one = [apart.distance(shape, shape, p, q) for p, q in zip(*rows)]
            assert all(abs(r.distance - d) <= 1e-12 for r, d in zip(one, whole.distance.ravel()))
            flat = apart.distance(shape, shape, *rows)
            for field in ("distance", "lower_bound", "upper_bound", "points", "normal", "iterations"):
                assert flat.records[field].tobytes() == whole.records[field].tobytes()


@pytest.mark.parametrize("bad", [0, 1, 7, 8, 511, 512, 2047, 2999])
@pytest.mark.parametrize("entry", [(3, 0), (0, 0)])
def test_the_first_bad_pose_is_named(bad, entry):
    poses = np.broadcast_to(np.eye(4), (3000, 4, 4)).copy()
    poses[(bad, *entry)] = poses[(2999, *entry)] = 0.5
    for threads in (1, 3):
        with pytest.raises(ValueError, match=rf"pose_b for the result at index \({bad},\)"):
            apart.distance(apart.box((1, 1, 1)), apart.sphere(1), None, poses, threads=threads)
