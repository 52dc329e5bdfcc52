"""What the Python side adds: arrays of any kind, broadcasting, poses, sentences, pickles, threads."""
import array
import concurrent.futures
import copy
import fractions
import gc
import multiprocessing
import pickle
import threading
import weakref

import numpy as np
import pytest

import apart

def bits(result):
    """The fields of a result or of results as bytes, without what lies between them."""
    records = result.records if isinstance(result, apart.Results) else np.frombuffer(result, apart._types.RESULT)
    leaves = [records[name] for name in records.dtype.names if name not in "ab"]
    leaves += [records[side][name] for side in "ab" for name in records[side].dtype.names]
    return b"".join(leaf.tobytes() for leaf in leaves)


BOX = apart.box((1, 1, 1))
BALL = apart.sphere(1)
AT3 = apart.pose((3, 0, 0))


def tetrahedron():
    return apart.mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])


def one_of_each():
    return [BOX, BALL, apart.capsule(1, 0.5), apart.cylinder(1, 0.5), apart.cone(1, 0.5), apart.ellipsoid((1, 2, 3)),
            apart.points([(0, 0, 0), (1, 0, 0), (0, 1, 0)], 0.1), apart.box((1, 2, 3), 0.25), tetrahedron(),
            apart.mesh(np.eye(3), [(0, 1, 2)], 0.2, True, 0.05), apart.halfspace((0, 0, 2), -20),
            apart.union([BOX, (BALL, AT3)]), apart.union([apart.union([BALL]), (tetrahedron(), AT3)])]


# ------------------------------------------------------------------------------------------------------- arrays ----

def test_poses_of_any_kind():
    want = apart.distance(BOX, BALL, None, AT3).distance
    fortran = np.asfortranarray(AT3)
    wide = np.zeros((8, 8))
    wide[::2, ::2] = AT3
    flipped = np.ascontiguousarray(AT3[::-1, ::-1])[::-1, ::-1]
    unaligned = np.frombuffer(b"x" + AT3.tobytes(), dtype="f8", offset=1).reshape(4, 4)
    for same in (AT3.tolist(), tuple(map(tuple, AT3)), AT3.astype("f4"), AT3.astype("i8"), AT3.astype(">f8"),
                 AT3.astype("f2"), AT3.astype(np.longdouble), fortran, wide[::2, ::2], flipped, unaligned,
                 memoryview(AT3), AT3.view(np.matrix), np.ma.array(AT3)):
        assert apart.distance(BOX, BALL, None, same).distance == want


def test_buffers_without_numpy():
    flat = array.array("d", [0, 0, 3])
    assert apart.distance(BOX, apart.points(flat_rows := memoryview(flat).cast("B").cast("d", (1, 3)))).distance == 2
    assert apart.box(flat).describe().bounds[1].tolist() == [0, 0, 3] and flat_rows.shape == (1, 3)


@pytest.mark.parametrize("bad", [np.zeros(4), np.eye(4)[:3], np.eye(3), np.zeros((4, 4, 4))[:, :, :3], np.zeros(()), [],
                                 np.zeros((2, 7))])
def test_wrong_shapes(bad):
    with pytest.raises(ValueError, match=r"pose_b has shape .*, but must have shape \(\.\.\., 4, 4\)"):
        apart.distance(BOX, BALL, None, bad)


def test_bare_quaternion_is_refused_with_a_reason():
    with pytest.raises(ValueError, match="w, x, y, z or x, y, z, w"):
        apart.distance(BOX, BALL, (1, 0, 0, 0))


@pytest.mark.parametrize("bad", ["pose", object(), [["a"] * 4] * 4, np.eye(4) * 1j, np.array([[None] * 4] * 4), 1 + 2j,
                                 [[fractions.Fraction(1, 2)] * 4] * 4, np.eye(4, dtype=bool)])
def test_wrong_types(bad):
    with pytest.raises((TypeError, ValueError)):
        apart.distance(BOX, BALL, bad)


@pytest.mark.parametrize("place,value,sentence", [
    ((0, 0), np.nan, "NaN or infinite"), ((0, 3), np.inf, "NaN or infinite"), ((0, 0), -1, "not a rotation"),
    ((0, 0), 1.001, "not a rotation"), ((3, 0), 1e-9, "not a rotation"), ((3, 3), 2, "not a rotation"),
    ((1, 3), 1e301, "larger than 1e300"), ((3, 3), np.nan, "not a rotation")])
def test_wrong_numbers(place, value, sentence):
    bad = np.eye(4)
    bad[place] = value
    with pytest.raises(ValueError, match="pose_b: .*" + sentence):
        apart.distance(BOX, BALL, None, bad)
    many = np.tile(np.eye(4), (5000, 1, 1))
    many[4321] = bad
    for threads in (1, 2):
        with pytest.raises(ValueError, match=r"pose_b for the result at index \(4321,\): .*" + sentence):
            apart.distance(BOX, BALL, None, many, threads=threads)
    for call in (lambda: apart.Scene().add(BOX, bad), lambda: apart.union([(BOX, bad)]),
                 lambda: apart.first_contact(BOX, BALL, bad), lambda: apart.distance_points(BOX, [(0, 0, 0)], bad),
                 lambda: apart.distance_batch([BOX], BALL, None, bad), lambda: apart.gradient(BOX, BALL, bad)):
        with pytest.raises(ValueError):
            call()


def test_lowest_index_of_two_kinds_of_mistakes():
    many = np.tile(np.eye(4), (300, 1, 1))
    many[100, 3, 0] = 1
    many[50, 0, 0] = 7
    with pytest.raises(ValueError, match=r"index \(50,\)"):
        apart.distance(BOX, BALL, many)


@pytest.mark.parametrize("call", [
    lambda: apart.box((1, 1)), lambda: apart.box((1, 1, -1)), lambda: apart.sphere(-1), lambda: apart.sphere(np.nan),
    lambda: apart.points(np.zeros((0, 3))), lambda: apart.points([(0, 0)]), lambda: apart.points([(0, 0, np.inf)]),
    lambda: apart.mesh(np.eye(3), np.zeros((0, 3), int)), lambda: apart.mesh(np.eye(3), [(0, 1, 3)]),
    lambda: apart.mesh(np.eye(3), [(0, 1, -1)]), lambda: apart.mesh(np.eye(3), [(0, 1, 2**32)]),
    lambda: apart.mesh(np.eye(3), [(0, 1)]), lambda: apart.union([]), lambda: apart.halfspace((0, 0, 0)),
    lambda: apart.distance(BOX, BALL, relative_error=2), lambda: apart.distance(BOX, BALL, cutoff=np.nan),
    lambda: apart.distance(BOX, BALL, depth="deep"), lambda: apart.distance(BOX, BALL, method="epa"),
    lambda: apart.distance(BOX, BALL, [AT3], threads=-1), lambda: apart.distance(BOX, BALL, [AT3], relative_error=-1),
    lambda: apart.distance(BOX, BALL, [AT3] * 2, [AT3] * 3), lambda: apart.distance(BOX, BALL, [AT3], cache=apart.Cache()),
    lambda: apart.distance(BOX, BALL, [AT3], trace=print), lambda: apart.distance(BOX, BALL, method="spheres"),
    lambda: apart.distance_points(BOX, [(0, 0)]), lambda: apart.distance_points(BOX, [(0, 0, np.nan)]),
    lambda: apart.gradient(BOX, BALL, None, AT3, apart.distance(BOX, BALL, [AT3] * 2)),
    lambda: apart.gradient(BOX, BALL, None, None, apart.distance(BOX, BALL)),
    lambda: apart.Motion.keys([0, 1], [AT3] * 3), lambda: apart.Motion.keys([0, 2], [AT3] * 2),
    lambda: apart.Motion.still().pose(2), lambda: apart.Motion.still().pose(np.nan),
    lambda: apart.Motion.function(lambda t: np.eye(3), 1, 1), lambda: apart.pose((1, 2)), lambda: apart.pose(rpy=(1, np.nan, 0)),
    lambda: apart.pose(quat_wxyz=(0, 0, 0, 0)), lambda: apart.pose(quat_wxyz=(1, 0, 0)), lambda: apart.pose(matrix=np.eye(3) * 2),
    lambda: apart.pose((0, 0, 0), matrix=np.eye(4)), lambda: apart.pose(rpy=(0, 0, 0), quat_wxyz=(1, 0, 0, 0)),
    lambda: apart.Scene().get(0), lambda: apart.Scene().move(7, None), lambda: apart.Scene().nearest(2**40),
    lambda: apart.Scene().add(BOX, margin=-1), lambda: apart.segment_segment((0, 0), (1, 0), (0, np.nan), (1, 1)),
    lambda: apart.distance_nd(np.zeros((3, 9)), np.zeros((3, 9))), lambda: apart.distance_nd([(0, 0)], [(0, 0, 0)]),
    lambda: apart.load("data/die.off", scale=(1, 2)), lambda: apart.sphere(10**400),
    lambda: apart.Motion.function(lambda t: np.eye(4), 10**400, 0),
])
def test_value_errors(call):
    with pytest.raises(ValueError) as caught:
        call()
    assert str(caught.value)


@pytest.mark.parametrize("call", [
    lambda: apart.distance(BOX), lambda: apart.distance(BOX, BALL, None, None, None), lambda: apart.distance(BOX, 3),
    lambda: apart.distance(BOX, BALL, a=BOX), lambda: apart.distance(BOX, BALL, deep="exact"), lambda: apart.box("abc"),
    lambda: apart.sphere("1"), lambda: apart.sphere(1j), lambda: apart.mesh(np.eye(3), [(0.0, 1.0, 2.0)]),
    lambda: apart.distance(BOX, BALL, depth=1), lambda: apart.distance(BOX, BALL, cache=3), lambda: apart.union(3),
    lambda: apart.union([3]), lambda: apart.support(3), lambda: apart.Motion.function(3, 1, 1), lambda: apart.Shape(),
    lambda: apart.Scene(1), lambda: apart.Scene().add(3), lambda: apart.Scene().get("a"), lambda: apart.Scene().contacts([]),
    lambda: apart.Result(), lambda: apart.Cache(3), lambda: apart.distance_batch([BOX, 3], BALL), lambda: apart.load(3),
    lambda: apart.distance_batch(BOX, BALL, caches=[3]),
])
def test_type_errors(call):
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value)


def test_files_that_are_not_there(tmp_path):
    for load in (apart.load, apart.read, apart.Scene.load):
        with pytest.raises(OSError, match="nothing.stl"):
            load(tmp_path / "nothing.stl")


def test_memory_error():
    """A broadcast of more results than there is memory."""
    with pytest.raises(MemoryError):
        apart.distance(BOX, BALL, np.broadcast_to(np.eye(4), (2**21, 1, 4, 4)), np.broadcast_to(np.eye(4), (2**21, 4, 4)))


# --------------------------------------------------------------------------------------------------- broadcasting ----

def test_broadcast_is_that_of_numpy(random):
    for lead_a, lead_b in [((), (7,)), ((5,), ()), ((3, 1), (1, 4)), ((2, 3, 4), (3, 1)), ((1,), (6,)), ((0,), (1,)),
                           ((1, 1), (1,)), ((0, 3), (1, 3))]:
        poses = [apart.pose(random.normal(size=lead + (3,)) * 3, quat_wxyz=random.normal(size=lead + (4,)))
                 for lead in (lead_a, lead_b)]
        got = apart.distance(BOX, tetrahedron(), *poses, depth="exact")
        shape = np.broadcast_shapes(lead_a, lead_b)
        assert got.shape == got.distance.shape == shape and got.points.shape == shape + (2, 3)
        full = [np.broadcast_to(p, shape + (4, 4)) for p in poses]
        for index in np.ndindex(shape):
            one = apart.distance(BOX, tetrahedron(), full[0][index], full[1][index], depth="exact")
            assert one.lower_bound <= got.upper_bound[index] and got.lower_bound[index] <= one.upper_bound
        assert np.array_equal(apart.distance(BOX, tetrahedron(), *full, depth="exact").records, got.records)


def test_no_poses_at_all():
    none = np.zeros((0, 4, 4))
    assert apart.distance(BOX, BALL, none).shape == apart.distance_batch(BOX, BALL, none).shape == (0,)
    assert apart.gradient(BOX, BALL, none).a.linear.shape == (0, 3)
    assert apart.distance_points(BOX, np.zeros((2, 0, 3))).shape == (2, 0) and apart.distance_batch([], BALL).shape == (0,)


def test_the_same_pose_everywhere():
    still = np.broadcast_to(AT3, (100, 4, 4))
    got = apart.distance(BOX, BALL, None, still)
    assert got.distance.tolist() == [1.0] * 100


def test_out_is_written_again():
    poses = apart.pose([(x, 0, 0) for x in range(3, 9)])
    first = apart.distance(BOX, BALL, None, poses)
    again = apart.distance(BOX, BALL, poses, out=first)
    assert again.records.base is not None and np.shares_memory(first.records, again.records)
    for bad in (apart.distance(BOX, BALL, poses[:3]), 3, np.zeros(6)):
        with pytest.raises(ValueError, match="out must be"):
            apart.distance(BOX, BALL, poses, out=bad)


def test_results_are_sequences():
    results = apart.distance(BOX, BALL, None, apart.pose([[(3, 0, 0), (4, 0, 0)], [(5, 0, 0), (0, 0, 0)]]))
    assert len(results) == 2 and results[0].shape == (2,) and results[1, 0].distance == 3
    assert [r.distance for r in results[0]] == [1, 2] and results[..., 1].overlap.tolist() == [False, True]
    assert "1 overlap" in repr(results) and results[0, 0].points.tolist() == results.points[0, 0].tolist()
    assert results[0, 1].witness_a.vertices == tuple(results.witness_a[0, 1]["vertex"][:results.witness_a[0, 1]["count"]])


def test_result_arrays_are_views_that_keep_the_result():
    normal = apart.distance(BOX, BALL, None, AT3).normal
    gc.collect()
    assert normal.tolist() == [1, 0, 0] and not normal.flags.writeable


# ------------------------------------------------------------------------------------------------------------ poses ----

def test_pose_rotations(random):
    for _ in range(50):
        q = random.normal(size=4)
        p = apart.pose((1, 2, 3), quat_wxyz=q)
        assert np.array_equal(p, apart.pose((1, 2, 3), quat_xyzw=np.roll(q, -1)))
        back = apart.pose_to_quaternion(p)
        unit = q / np.linalg.norm(q)
        assert np.allclose(back, unit * np.sign(unit[0]), atol=1e-15)
        assert np.array_equal(apart.pose((1, 2, 3), matrix=p[:3, :3]), p) and np.array_equal(apart.pose(matrix=p), p)
        roll, pitch, yaw = random.uniform(-1.5, 1.5, 3)
        turn = [apart.pose(rpy=angles)[:3, :3] for angles in ((roll, 0, 0), (0, pitch, 0), (0, 0, yaw))]
        assert np.allclose(apart.pose(rpy=(roll, pitch, yaw))[:3, :3], turn[2] @ turn[1] @ turn[0], atol=1e-15)


# ------------------------------------------------------------------------------------------------- pickles, copies ----

@pytest.mark.parametrize("shape", one_of_each(), ids=lambda s: s.kind)
def test_shapes_pickle(shape):
    other, at = apart.capsule(0.5, 0.25), apart.pose((4, 3, 2), rpy=(1, 2, 3) if shape.kind != "halfspace" else None)
    want = bits(apart.distance(shape, other, None, at, depth="exact"))
    for twin in (pickle.loads(pickle.dumps(shape)), copy.copy(shape), copy.deepcopy(shape)):
        assert bits(apart.distance(twin, other, None, at, depth="exact")) == want
        assert repr(twin) == repr(shape) and twin.kind == shape.kind


def test_later_changes_do_not_reach_a_shape():
    points, faces = np.eye(3), np.array([[0, 1, 2]])
    shapes = apart.points(points), apart.mesh(points, faces)
    points += 10
    faces[:] = 0
    for shape in shapes:
        assert pickle.loads(pickle.dumps(shape)).describe().bounds[1].tolist() == [1, 1, 1]


def test_motions_and_answers_pickle():
    turned = apart.pose((1, 2, 3), rpy=(0, 0, 1))
    motions = [apart.Motion.still(turned), apart.Motion.slerp(None, turned, (1, 0, 0)), apart.Motion.nlerp(turned, AT3),
               apart.Motion.velocity(turned, (1, 2, 3), (0, 0, 9), (0, 1, 0)),
               apart.Motion.keys([0, 0.25, 1], [np.eye(4), turned, AT3], (0, 0, 1)), apart.Motion.function(moving, 3, 0)]
    for motion in motions:
        twin = pickle.loads(pickle.dumps(motion))
        times = np.linspace(0, 1, 7)
        assert np.array_equal(motion.pose(times), twin.pose(times)) and repr(motion) == repr(twin)
        contact = apart.first_contact(BALL, BALL, twin, apart.pose((4, 0, 0)))
        same = pickle.loads(pickle.dumps(contact))
        assert same[:5] == contact[:5] and bits(same.result) == bits(contact.result)
    results = apart.distance(BOX, BALL, [AT3] * 3)
    assert np.array_equal(pickle.loads(pickle.dumps(results)).records, results.records)


def moving(time):
    return apart.pose((3 * time, 0, 0))


def measure(shapes, pose):
    return apart.distance(*shapes, None, pose)


def test_other_processes():
    poses = apart.pose([(x, 0, 0) for x in (3, 4, 5)])
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        got = list(pool.map(measure, [(BOX, tetrahedron())] * 3, poses))
    assert [bits(r) for r in got] == [bits(measure((BOX, tetrahedron()), p)) for p in poses]


# ---------------------------------------------------------------------------------------------------------- threads ----

def test_shapes_between_threads(random):
    poses = apart.pose(random.normal(size=(2000, 3)) * 3)
    mesh = tetrahedron()
    want = bits(apart.distance(BOX, mesh, None, poses, threads=1))
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert all(bits(r) == want
                   for r in pool.map(lambda _: apart.distance(BOX, mesh, None, poses, threads=2), range(32)))
        single = list(pool.map(lambda p: apart.distance(BOX, mesh, None, p).distance, poses))
    assert single == [apart.distance(BOX, mesh, None, p).distance for p in poses]


def test_one_cache_from_many_threads():
    cache, mesh = apart.Cache(), tetrahedron()
    want = apart.distance(mesh, BALL, None, AT3)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for r in pool.map(lambda _: apart.distance(mesh, BALL, None, AT3, cache=cache), range(500)):
            assert r.lower_bound <= want.upper_bound and want.lower_bound <= r.upper_bound


def test_scene_is_changed_and_asked_at_once(random):
    scene = apart.Scene()
    for x in range(60):
        scene.add(BALL, apart.pose((3 * x, 0, 0)))
    stop = threading.Event()
    failures = []

    def change():
        try:
            while not stop.is_set():
                body = scene.add(BALL, apart.pose(random.normal(size=3) * 50 + (0, 0, 1000)))
                scene.move(body, apart.pose((0, 0, 2000)))
                scene.remove(body)
        except Exception as error:
            failures.append(error)

    writers = [threading.Thread(target=change) for _ in range(2)]
    for writer in writers:
        writer.start()
    try:
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            asked = list(pool.map(lambda _: (scene.closest().result.distance, len(scene.within(1.5)) >= 59), range(200)))
    finally:
        stop.set()
        for writer in writers:
            writer.join()
    assert not failures and len(scene) == 60
    assert all(many for _, many in asked)
    assert scene.closest().result.distance == 1


def test_gil_is_released_in_batches(random):
    """Another thread counts while a batch runs that takes a while: on one core it must at least get its turns."""
    points = random.normal(size=(3000, 3))
    mesh = apart.mesh(points, random.integers(0, 3000, (6000, 3)))
    poses = apart.pose(random.normal(size=(400, 3)) * 3)
    turns, done = 0, threading.Event()
    worker = threading.Thread(target=lambda: (apart.distance(mesh, mesh, None, poses, threads=1), done.set()))
    worker.start()
    while not done.wait(0.001):
        turns += 1
    worker.join()
    assert turns >= 5


# -------------------------------------------------------------------------------------------------- Python functions ----

def test_support_functions():
    ball = apart.support(lambda d: d, 0.5)
    twin = apart.sphere(1.5)
    for shape in (ball, apart.union([(ball, apart.pose((0, 0, 0)))])):
        got, want = apart.distance(shape, BOX, AT3), apart.distance(twin, BOX, AT3)
        assert got.lower_bound <= want.upper_bound and want.lower_bound <= got.upper_bound
        assert apart.distance(shape, BOX, [AT3] * 3000).distance.shape == (3000,)
    calls = []

    def torn(direction):
        calls.append(direction)
        if len(calls) > 8:
            raise KeyError("torn")
        return direction

    broken = apart.support(torn)
    scene = apart.Scene()
    scene.add(BOX)
    for ask in (lambda: apart.distance(broken, BOX, AT3), lambda: apart.distance(broken, BOX, [AT3] * 3),
                lambda: apart.distance(apart.union([broken]), BOX, [AT3] * 3), lambda: scene.nearest_to(broken, AT3),
                lambda: apart.distance_points(broken, [(3, 4, 5)]), lambda: apart.distance_batch([broken, BOX], BALL, AT3),
                lambda: apart.first_contact(broken, BOX, apart.Motion.slerp(AT3, apart.pose((9, 0, 0))))):
        calls.extend([None] * 8)
        with pytest.raises(KeyError, match="torn"):
            ask()
    for wrong in (lambda d: None, lambda d: (1, 2), lambda d: "x", lambda d: (np.nan, 0, 0)):
        with pytest.raises((TypeError, ValueError)):
            apart.support(wrong)


def test_a_query_cannot_change_its_scene():
    scene = apart.Scene()

    def meddle(direction):
        if len(scene):
            scene.remove(0)
        return direction

    scene.add(apart.support(meddle))
    scene.add(BALL, AT3)
    with pytest.raises(RuntimeError, match="cannot be changed"):
        scene.closest()


def test_motion_functions():
    want = apart.first_contact(BALL, BALL, apart.Motion.velocity(None, (3, 0, 0)), apart.pose((4, 0, 0)))
    got = apart.first_contact(BALL, BALL, apart.Motion.function(moving, 3, 0), apart.pose((4, 0, 0)))
    assert got.kind == want.kind == "contact" and abs(got.time - want.time) < 1e-9
    broken = apart.Motion.function(lambda t: moving(t) if t == 0 else 1 / 0, 3, 0)
    scene = apart.Scene()
    scene.add(BALL)
    scene.add(BALL, apart.pose((4, 0, 0)))
    for ask in (lambda: apart.first_contact(BALL, BALL, broken, apart.pose((4, 0, 0))), lambda: broken.pose(0.5),
                lambda: apart.closest_approach(BALL, BALL, broken, apart.pose((4, 0, 0))),
                lambda: apart.contact_spans(BALL, BALL, broken, apart.pose((4, 0, 0))),
                lambda: scene.contacts({0: broken}), lambda: scene.first_contact({0: broken}, threads=2)):
        with pytest.raises(ZeroDivisionError):
            ask()


def test_trace_and_progress():
    steps = []
    result = apart.distance(BOX, apart.cone(1, 1), None, apart.pose((3, 1, 0.5), rpy=(1, 2, 3)), trace=steps.append)
    assert steps and [s.iteration for s in steps] == list(range(1, len(steps) + 1))
    assert steps[-1].upper >= result.lower_bound and len(steps[-1].a) == len(steps[-1].weights_a)
    with pytest.raises(ZeroDivisionError):
        apart.distance(BOX, apart.cone(1, 1), None, AT3, trace=lambda step: 1 / 0)
    grid = np.stack(np.meshgrid(range(300), range(300), [0]), -1).reshape(-1, 3)
    faces = np.array([(i, i + 1, i + 300) for i in range(len(grid) - 300)])
    told = []
    apart.mesh(grid, faces, progress=told.append)
    assert told == sorted(told) and told and 0 <= told[0] and told[-1] <= 1
    with pytest.raises(ValueError, match="cancelled"):
        apart.mesh(grid, faces, progress=lambda done: False)
    with pytest.raises(ZeroDivisionError):
        apart.mesh(grid, faces, progress=lambda done: 1 / 0)


def test_cycles_are_collected():
    class Holder:
        def __call__(self, direction):
            return direction

    holder = Holder()
    holder.shape = apart.support(holder)
    holder.scene = apart.Scene()
    holder.scene.add(holder.shape)
    gone = weakref.ref(holder)
    del holder
    gc.collect()
    assert gone() is None


# ----------------------------------------------------------------------------------------------------- scenes, files ----

def test_scene_file():
    scene = apart.Scene.load("python/examples/cell.json")
    assert [scene.get(i).name for i in scene.ids()] == ["table", "arm", "part"] and list(scene.motions) == [1]
    first = scene.first_contact(scene.motions)
    assert (first.a, first.b, first.contact.kind) == (1, 2, "contact")
    extra = scene.add(BALL, apart.pose((0, 0, 9)), name="new")
    assert scene.nearest(extra).b == 1 and scene.get(extra).name == "new"
    assert repr(scene.get(0).shape) == "<apart.Shape: box of a scene file>"
    with pytest.raises(TypeError, match="scene file"):
        pickle.dumps(scene.get(0).shape)


def test_scene_answers_brute_force(random):
    scene, bodies = apart.Scene(), []
    for _ in range(40):
        shape, pose = one_of_each()[random.integers(10)], apart.pose(random.normal(size=3) * 6, quat_wxyz=random.normal(size=4))
        bodies.append((scene.add(shape, pose, margin=0.1), shape, pose))
    near = {(a, b): apart.distance(s, t, p, q) for a, s, p in bodies for b, t, q in bodies if a < b}
    clearance = float(np.median([r.distance for r in near.values()]))
    assert {(p.a, p.b) for p in scene.within(clearance)} == {k for k, r in near.items() if r.lower_bound <= clearance + 0.2}
    pair = scene.closest()
    assert pair.result.distance == min(r.distance for r in near.values())


def test_load_is_the_mesh_of_the_file():
    found = apart.read("data/gear.ply")
    loaded, made = apart.load("data/gear.ply"), apart.mesh(found.vertices, found.faces)
    at = apart.pose((0.3, 0.1, 50), rpy=(0.1, 0.2, 0.3))
    assert bits(apart.distance(loaded, BOX, None, at)) == bits(apart.distance(made, BOX, None, at))
    hull = apart.load("data/gear.ply", hull=True, scale=2)
    assert hull.kind == "points" and np.allclose(hull.describe().bounds, 2 * made.describe().bounds)


def test_closed_forms_broadcast(random):
    p, triangles = random.normal(size=(20, 1, 3)), random.normal(size=(1, 30, 3, 3))
    got = apart.point_triangle(p, triangles)
    assert got.squared_distance.shape == (20, 30) and got.weights.shape == (20, 30, 3)
    nearest = (got.weights[..., None] * triangles).sum(-2)
    assert np.allclose(((nearest - p) ** 2).sum(-1), got.squared_distance)
    a, b = random.normal(size=(7, 5, 4)), random.normal(size=(6, 4)) + 5
    hulls = apart.distance_nd(a, b)
    assert hulls.distance.shape == (7,) and np.allclose(np.linalg.norm(hulls.point_b - hulls.point_a, axis=-1), hulls.distance)
    assert apart.segment_segment(np.zeros((0, 3)), (1, 0, 0), (0, 1, 0), (1, 1, 0)).t.shape == (0,)
