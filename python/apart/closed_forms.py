"""Closed forms and GJK in n dimensions, on arrays of any shape that broadcast."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import _apart
from ._arrays import as_real
from ._types import Array


class Segments(NamedTuple):
    """Nearest points: a + t (b - a) and c + u (d - c)."""

    squared_distance: Array
    t: Array
    u: Array


class PointSegment(NamedTuple):
    """Nearest point: a + t (b - a)."""

    squared_distance: Array
    t: Array


class PointTriangle(NamedTuple):
    """Nearest point: the sum of weights times the corners."""

    squared_distance: Array
    weights: Array


class SegmentTriangle(NamedTuple):
    """Nearest points: p + t (q - p), and the sum of weights times the corners."""

    squared_distance: Array
    t: Array
    weights: Array


class Triangles(NamedTuple):
    """Nearest points: the sums of weights times the corners."""

    squared_distance: Array
    weights_a: Array
    weights_b: Array


class Hulls(NamedTuple):
    """Distance and nearest points of two convex hulls."""

    distance: Array
    point_a: Array
    point_b: Array


def _run(form: str, dim: int, inputs: dict[str, tuple[Any, tuple[int, ...]]], outputs: list[tuple[int, ...]]) -> list[Any]:
    """Broadcasts the inputs, each of a shape that ends as told, and runs over their rows; one row gives numbers."""
    arrays, lead = [], []
    for name, (values, ends) in inputs.items():
        array = as_real(values, name)
        if array.ndim < len(ends) or array.shape[array.ndim - len(ends):] != ends:
            wanted = ", ".join(map(str, ends))
            raise ValueError(f"{name} has shape {array.shape}, but must have shape (..., {wanted})")
        arrays.append(array)
        lead.append(array.shape[:array.ndim - len(ends)])
    shape = np.broadcast_shapes(*lead)
    count = int(np.prod(shape, dtype=np.int64))
    rows = tuple(np.ascontiguousarray(np.broadcast_to(array, shape + ends)).reshape((count,) + ends)
                 for array, (_, ends) in zip(arrays, inputs.values()))
    made = [np.empty((count,) + ends) for ends in outputs]
    _apart.rows(form, dim, rows, tuple(made))
    shaped = [array.reshape(shape + ends) for array, ends in zip(made, outputs)]
    return [array if array.ndim else array.item() for array in shaped]


def _dimension(values: Any, name: str) -> int:
    array = np.asarray(values)
    if array.ndim == 0 or array.shape[-1] == 0:
        raise ValueError(f"{name} has shape {array.shape}, but must have shape (..., dim)")
    return int(array.shape[-1])


def segment_segment(a: ArrayLike, b: ArrayLike, c: ArrayLike, d: ArrayLike) -> Segments:
    """Squared distance of segments ab and cd in any dimension (Lumelsky 1985).

    >>> apart.segment_segment((0, 0), (2, 0), (1, 1), (1, 3)).squared_distance
    1.0
    """
    dim = _dimension(a, "a")
    return Segments(*_run("segment_segment", dim, {"a": (a, (dim,)), "b": (b, (dim,)), "c": (c, (dim,)), "d": (d, (dim,))},
                          [(), (), ()]))


def point_segment(p: ArrayLike, a: ArrayLike, b: ArrayLike) -> PointSegment:
    """Squared distance of point p from segment ab in any dimension.

    >>> apart.point_segment([(0, 2), (5, 0)], (0, 0), (2, 0)).squared_distance.tolist()
    [4.0, 9.0]
    """
    dim = _dimension(p, "p")
    return PointSegment(*_run("point_segment", dim, {"p": (p, (dim,)), "a": (a, (dim,)), "b": (b, (dim,))}, [(), ()]))


def point_triangle(p: ArrayLike, triangle: ArrayLike) -> PointTriangle:
    """Squared distance of point p from a triangle (..., 3, 3).

    >>> apart.point_triangle((0.25, 0.25, 2), [(0, 0, 0), (1, 0, 0), (0, 1, 0)]).squared_distance
    4.0
    """
    return PointTriangle(*_run("point_triangle", 3, {"p": (p, (3,)), "triangle": (triangle, (3, 3))}, [(), (3,)]))


def segment_triangle(p: ArrayLike, q: ArrayLike, triangle: ArrayLike) -> SegmentTriangle:
    """Squared distance of segment pq from a triangle; 0 if they meet.

    >>> apart.segment_triangle((0, 0, 3), (0, 0, 1), [(0, 0, 0), (1, 0, 0), (0, 1, 0)]).t
    1.0
    """
    return SegmentTriangle(*_run("segment_triangle", 3, {"p": (p, (3,)), "q": (q, (3,)), "triangle": (triangle, (3, 3))},
                                 [(), (), (3,)]))


def triangle_triangle(a: ArrayLike, b: ArrayLike) -> Triangles:
    """Squared distance of two triangles (..., 3, 3); 0 if they meet.

    >>> low = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)])
    >>> apart.triangle_triangle(low, low + (0, 0, 3)).squared_distance
    9.0
    """
    return Triangles(*_run("triangle_triangle", 3, {"a": (a, (3, 3)), "b": (b, (3, 3))}, [(), (3,), (3,)]))


def distance_nd(a: ArrayLike, b: ArrayLike) -> Hulls:
    """Distance of the convex hulls of points a (..., m, dim) and b (..., n, dim), 1 <= dim <= 8 (GJK in R^dim).

    >>> apart.distance_nd([(0, 0, 0, 0), (1, 0, 0, 0)], [(0, 0, 0, 2)]).distance
    2.0
    """
    sizes: dict[str, tuple[Any, tuple[int, ...]]] = {}
    for name, values in {"a": a, "b": b}.items():
        shape = np.shape(values)
        if len(shape) < 2 or shape[-2] == 0 or not 1 <= shape[-1] <= 8:
            raise ValueError(f"{name} has shape {shape}, but must have shape (..., points, dim) with 1 to 8 dimensions")
        sizes[name] = (values, (int(shape[-2]), int(shape[-1])))
    dim = sizes["a"][1][1]
    if sizes["b"][1][1] != dim:
        raise ValueError(f"a has {dim} dimensions, and b {sizes['b'][1][1]}")
    return Hulls(*_run("distance_nd", dim, sizes, [(), (dim,), (dim,)]))
