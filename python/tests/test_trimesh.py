"""apart.trimesh.CollisionManager beside trimesh's own, on python-fcl, where both are installed (PyPI)."""
import numpy as np
import pytest

import apart
from apart.trimesh import CollisionManager

trimesh = pytest.importorskip("trimesh", reason="trimesh is not installed: the managers cannot be compared")
pytest.importorskip("fcl", reason="python-fcl is not installed: the managers cannot be compared")


def managers(random, count, spread):
    """The same meshes, convex and not, in both."""
    ours, theirs = CollisionManager(), trimesh.collision.CollisionManager()
    kinds = [trimesh.creation.box((1, 2, 0.5)), trimesh.creation.icosphere(subdivisions=2), trimesh.creation.annulus(0.5, 1, 1),
             trimesh.creation.torus(1, 0.25)]
    for i in range(count):
        pose = apart.pose(random.normal(size=3) * spread, quat_wxyz=random.normal(size=4))
        for manager in (ours, theirs):
            manager.add_object(f"body {i}", kinds[i % len(kinds)], pose)
    return ours, theirs, kinds


def close(a, b):
    return abs(a - b) <= 1e-5 * max(1, abs(b))


def test_distances(random):
    compared = 0
    for _ in range(15):
        ours, theirs, kinds = managers(random, 6, 8)
        other = managers(random, 4, 8)[:2]
        pose = apart.pose(random.normal(size=3) * 8)
        mesh = kinds[random.integers(len(kinds))]
        for ask in (lambda m, o: m.min_distance_internal(return_names=True),
                    lambda m, o: m.min_distance_internal("body 2", return_names=True),
                    lambda m, o: m.min_distance_single(mesh, pose, return_name=True),
                    lambda m, o: m.min_distance_other(o, return_names=True)):
            (mine, names), (fcl, fcl_names) = ask(ours, other[0]), ask(theirs, other[1])
            if fcl < 1e-3 or mine < 1e-3:
                continue  # fcl has no depth of meshes
            assert close(mine, fcl), (mine, fcl)
            assert names == fcl_names
            compared += 1
    assert compared > 20


def test_data(random):
    for _ in range(10):
        ours, theirs, kinds = managers(random, 5, 10)
        distance, data = ours.min_distance_internal(return_data=True)
        other = theirs.min_distance_internal(return_data=True)[1]
        if distance < 1e-3:
            continue
        assert data.names == other.names and close(data.distance, other.distance)
        points = [data.point(name) for name in data.names]
        assert close(np.linalg.norm(points[0] - points[1]), distance)


def test_collisions(random):
    found = {True: 0, False: 0}
    for spread in (1, 2, 3, 4, 6, 12) * 6:
        ours, theirs, kinds = managers(random, 5, spread)
        other = managers(random, 3, spread)[:2]
        pose, mesh = apart.pose(random.normal(size=3) * spread), kinds[random.integers(len(kinds))]
        for ask in (lambda m, o: m.in_collision_internal(return_names=True),
                    lambda m, o: m.in_collision_single(mesh, pose, return_names=True),
                    lambda m, o: m.in_collision_other(o, return_names=True)):
            (mine, names), (fcl, fcl_names) = ask(ours, other[0]), ask(theirs, other[1])
            # A body inside a solid that touches no wall collides with it; fcl's meshes are hollow.
            assert names >= fcl_names
            assert mine == bool(names)
            if names == fcl_names:
                found[fcl] += 1
    assert min(found.values()) > 15, found


def test_contacts_and_names():
    ours, theirs = CollisionManager(), trimesh.collision.CollisionManager()
    box = trimesh.creation.box((2, 2, 2))
    for manager in (ours, theirs):
        manager.add_object("a", box)
        manager.add_object("b", box, apart.pose((1.5, 0, 0)))
    hit, contacts = ours.in_collision_internal(return_data=True)
    assert hit and len(contacts) == 1 and contacts[0].names == {"a", "b"}
    assert abs(contacts[0].depth - 0.5) < 1e-9 and abs(contacts[0].normal[0]) == 1
    other = theirs.in_collision_internal(return_data=True)[1]
    assert abs(max(k.depth for k in other) - 0.5) < 1e-6
    for manager in (ours, theirs):
        manager.set_transform("b", apart.pose((9, 0, 0)))
        assert manager.in_collision_internal() is False
        manager.add_object("b", box, apart.pose((4, 0, 0)))  # takes the place of the other
        manager.remove_object("a")
        for call in (lambda: manager.remove_object("a"), lambda: manager.set_transform("a", np.eye(4)),
                     lambda: manager.min_distance_internal("a")):
            with pytest.raises(ValueError, match="a not in collision manager"):
                call()
    assert abs(ours.min_distance_single(box) - 2) < 1e-12
    assert ours.in_collision_single(box, np.eye(4), return_names=True, return_data=True) == (False, set(), [])


def test_faces_of_meshes():
    ours = CollisionManager()
    ring = trimesh.creation.annulus(0.5, 1, 1)
    ours.add_object("ring", ring)
    distance, data = ours.min_distance_single(trimesh.creation.box((0.1, 0.1, 0.1)), return_data=True)
    corners = ring.vertices[ring.faces[data.index("ring")]]
    nearest = apart.point_triangle(data.point("ring"), corners)
    assert nearest.squared_distance < 1e-18 and 0 < distance < 0.5
