"""trimesh's CollisionManager, with apart instead of python-fcl: the same calls, the same answers where both are right.

Meshes are what they are in trimesh: objects with `vertices`, `faces` and, if they tell, `is_convex`. trimesh itself is
not needed. Distances of bodies that overlap are negative, minus the depth.
"""
from __future__ import annotations

from typing import Any, Hashable

import numpy as np
from numpy.typing import ArrayLike

from . import _apart
from ._types import Array, ScenePair

__all__ = ["CollisionManager", "ContactData", "DistanceData"]

#: The name of a mesh that is in no manager.
EXTERNAL = "__external"


class _PairData:
    """Two bodies by name, and what was measured between them."""

    def __init__(self, names: tuple[Hashable, Hashable], result: _apart.Result) -> None:
        self.names = set(names)
        self.result = result
        self._sides = {names[0]: (result.point_a, result.witness_a), names[1]: (result.point_b, result.witness_b)}

    def index(self, name: Hashable) -> int:
        """The face of a mesh that is nearest, or in contact; 0 for a convex one."""
        return self._sides[name][1].triangle


class DistanceData(_PairData):
    """How far apart two bodies are."""

    @property
    def distance(self) -> float:
        """The distance; negative: minus the depth."""
        return self.result.distance

    def point(self, name: Hashable) -> Array:
        """The nearest point of a body."""
        return self._sides[name][0]


class ContactData(_PairData):
    """Where two bodies overlap: one contact for a pair, its deepest."""

    @property
    def normal(self) -> Array:
        """The direction in which the second body must be moved."""
        return self.result.normal

    @property
    def point(self) -> Array:
        """The point between the deepest ones."""
        middle: Array = self.result.points.mean(axis=0)
        return middle

    @property
    def depth(self) -> float:
        """How far."""
        return -self.result.distance


class CollisionManager:
    """Many meshes by name: what collides, what is nearest.

    >>> from types import SimpleNamespace
    >>> tetrahedron = SimpleNamespace(vertices=np.vstack([np.zeros(3), np.eye(3)]), is_convex=True,
    ...                               faces=[(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    >>> manager = apart.trimesh.CollisionManager()
    >>> manager.add_object("here", tetrahedron)
    0
    >>> manager.min_distance_single(tetrahedron, apart.pose((3, 0, 0)))
    2.0
    """

    def __init__(self) -> None:
        self._scene = _apart.Scene()
        self._ids: dict[Hashable, int] = {}
        self._called: dict[int, Hashable] = {}

    def add_object(self, name: Hashable, mesh: Any, transform: ArrayLike | None = None) -> int:
        """Adds a mesh; one that has the name already is replaced. The id in the scene is returned.

        >>> apart.trimesh.CollisionManager().add_object("ball", apart.sphere(1))
        0
        """
        shape = _shape(mesh)
        added = self._scene.add(shape, transform, name=name)
        if name in self._ids:
            self.remove_object(name)
        self._ids[name] = added
        self._called[added] = name
        return added

    def remove_object(self, name: Hashable) -> None:
        """Takes a mesh out.

        >>> manager = apart.trimesh.CollisionManager()
        >>> _ = manager.add_object("ball", apart.sphere(1))
        >>> manager.remove_object("ball")
        """
        self._scene.remove(self._id(name))
        del self._called[self._ids.pop(name)]

    def set_transform(self, name: Hashable, transform: ArrayLike) -> None:
        """Puts a mesh elsewhere.

        >>> manager = apart.trimesh.CollisionManager()
        >>> _ = manager.add_object("ball", apart.sphere(1))
        >>> manager.set_transform("ball", apart.pose((5, 0, 0)))
        >>> manager.min_distance_single(apart.sphere(1))
        3.0
        """
        self._scene.move(self._id(name), transform)

    def in_collision_single(self, mesh: Any, transform: ArrayLike | None = None, return_names: bool = False,
                            return_data: bool = False) -> Any:
        """Whether a mesh that is not in the manager overlaps one that is; the names of those; a list of ContactData.

        >>> manager = apart.trimesh.CollisionManager()
        >>> _ = manager.add_object("ball", apart.sphere(1))
        >>> manager.in_collision_single(apart.sphere(1), apart.pose((1, 0, 0)), return_names=True)
        (True, {'ball'})
        """
        shape = _shape(mesh)
        pairs = [((name, EXTERNAL), result) for name, result in self._touching(shape, transform, return_data)]
        return _answer(bool(pairs), {names[0] for names, _ in pairs}, [ContactData(*p) for p in pairs], return_names,
                       return_data)

    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Any:
        """Whether any two meshes overlap; the pairs of names; a list of ContactData.

        >>> manager = apart.trimesh.CollisionManager()
        >>> for x in (0, 1, 9):
        ...     _ = manager.add_object(f"at {x}", apart.sphere(1), apart.pose((x, 0, 0)))
        >>> manager.in_collision_internal(return_names=True)
        (True, {('at 0', 'at 1')})
        """
        found = [p for p in self._scene.within(0.0, depth="exact" if return_data else "none") if p.result.overlap]
        pairs = [(self._names(p), p.result) for p in found]
        names = {tuple(sorted(names, key=str)) for names, _ in pairs}
        return _answer(bool(pairs), names, [ContactData(*p) for p in pairs], return_names, return_data)

    def in_collision_other(self, other_manager: CollisionManager, return_names: bool = False,
                           return_data: bool = False) -> Any:
        """Whether a mesh overlaps one of another manager; the pairs of names, this manager's first; ContactData.

        >>> here, there = apart.trimesh.CollisionManager(), apart.trimesh.CollisionManager()
        >>> _ = here.add_object("a", apart.sphere(1)), there.add_object("b", apart.sphere(1))
        >>> here.in_collision_other(there, return_names=True)
        (True, {('a', 'b')})
        """
        pairs = []
        for theirs, body in other_manager._bodies():
            for name, result in self._touching(body.shape, body.pose, return_data):
                pairs.append(((name, theirs), result))
        return _answer(bool(pairs), {names for names, _ in pairs}, [ContactData(*p) for p in pairs], return_names,
                       return_data)

    def min_distance_single(self, mesh: Any, transform: ArrayLike | None = None, return_name: bool = False,
                            return_data: bool = False) -> Any:
        """The distance from a mesh that is not in the manager to the nearest that is, its name, a DistanceData.

        >>> manager = apart.trimesh.CollisionManager()
        >>> _ = manager.add_object("ball", apart.sphere(1))
        >>> manager.min_distance_single(apart.sphere(1), apart.pose((4, 0, 0)), return_name=True)
        (2.0, 'ball')
        """
        pair = self._scene.nearest_to(_shape(mesh), transform, depth="exact")
        if pair is None:
            raise ValueError("the manager is empty")
        if not return_name and not return_data:
            return pair.result.distance
        name = self._called[pair.b]
        return _answer(pair.result.distance, name, DistanceData((EXTERNAL, name), pair.result), return_name, return_data)

    def min_distance_internal(self, name: Hashable | None = None, return_names: bool = False,
                              return_data: bool = False) -> Any:
        """The least distance between two meshes, or of the one called `name`; their names; a DistanceData.

        >>> manager = apart.trimesh.CollisionManager()
        >>> for x in (0, 4, 9):
        ...     _ = manager.add_object(f"at {x}", apart.sphere(1), apart.pose((x, 0, 0)))
        >>> manager.min_distance_internal(return_names=True)
        (2.0, ('at 0', 'at 4'))
        """
        pair = (self._scene.closest(depth="exact") if name is None
                else self._scene.nearest(self._id(name), depth="exact"))
        if pair is None:
            raise ValueError("there are no two objects in the manager")
        if not return_names and not return_data:
            return pair.result.distance
        names = self._names(pair)
        return _answer(pair.result.distance, tuple(sorted(names, key=str)), DistanceData(names, pair.result),
                       return_names, return_data)

    def min_distance_other(self, other_manager: CollisionManager, return_names: bool = False,
                           return_data: bool = False) -> Any:
        """The least distance to a mesh of another manager; the names, this manager's first; a DistanceData.

        >>> here, there = apart.trimesh.CollisionManager(), apart.trimesh.CollisionManager()
        >>> _ = here.add_object("a", apart.sphere(1)), there.add_object("b", apart.sphere(1), apart.pose((5, 0, 0)))
        >>> here.min_distance_other(there)
        3.0
        """
        best: tuple[tuple[Hashable, Hashable], _apart.Result] | None = None
        for theirs, body in other_manager._bodies():
            pair = self._scene.nearest_to(body.shape, body.pose, depth="exact")
            if pair is not None and (best is None or pair.result.distance < best[1].distance):
                best = (theirs, self._called[pair.b]), pair.result
        if best is None:
            raise ValueError("a manager is empty")
        (theirs, ours), result = best
        return _answer(result.distance, (ours, theirs), DistanceData((theirs, ours), result), return_names, return_data)

    def _id(self, name: Hashable) -> int:
        if name not in self._ids:
            raise ValueError(f"{name} not in collision manager!")
        return self._ids[name]

    def _names(self, pair: ScenePair) -> tuple[Hashable, Hashable]:
        assert pair.a is not None
        return self._called[pair.a], self._called[pair.b]

    def _bodies(self) -> list[tuple[Hashable, Any]]:
        return [(name, self._scene.get(number)) for name, number in self._ids.items()]

    def _touching(self, shape: _apart.Shape, transform: ArrayLike | None,
                  depth: bool) -> list[tuple[Hashable, _apart.Result]]:
        """Every mesh that overlaps a body which is not in the scene; those that are apart are left as soon as they are
        known to be."""
        bodies = self._bodies()
        if not bodies:
            return []
        results = _apart.distance_batch([body.shape for _, body in bodies], shape, [body.pose for _, body in bodies],
                                        transform, depth="exact" if depth else "none", cutoff=5e-324)
        return [(bodies[i][0], _apart.Result(bytes(results.records[i]))) for i in np.flatnonzero(results.overlap)]


def _shape(mesh: Any) -> _apart.Shape:
    """A shape of apart's as it is; of a mesh its hull, if it is convex, or its surface."""
    if isinstance(mesh, _apart.Shape):
        return mesh
    if getattr(mesh, "is_convex", False):
        return _apart.points(np.asarray(mesh.vertices)[np.unique(np.asarray(mesh.faces))])
    return _apart.mesh(mesh.vertices, mesh.faces)


def _answer(value: Any, names: Any, data: Any, return_names: bool, return_data: bool) -> Any:
    if not return_names and not return_data:
        return value
    return (value,) + ((names,) if return_names else ()) + ((data,) if return_data else ())
