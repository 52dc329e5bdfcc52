"""apart: how far apart are two things?

Distance, nearest points and direction between two bodies, depth where they overlap, the moment they meet when they
move: each answer with a certified bracket.

>>> box, ball = apart.box((1, 1, 1)), apart.sphere(0.5)
>>> apart.distance(box, ball, None, apart.pose((3, 0, 0)))
<apart.Result: distance 1.5 in [1.499999999999963, 1.5000000000000093]>
"""
from __future__ import annotations

import os
import warnings
from typing import Any, NamedTuple, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _apart, trimesh
from ._apart import (Cache, Result, Scene, Shape, box, capsule, closest_approach, cone, contact_spans, cylinder,
                     distance, distance_batch, distance_points, ellipsoid, first_contact, gradient, halfspace, mesh,
                     points, sphere, support, union)
from ._arrays import as_real
from ._types import (Approach, Array, Body, Contact, Results, SceneContact, ScenePair, ShapeInfo, Slope, Span, Step,
                     Twist, Witness)
from .closed_forms import (distance_nd, point_segment, point_triangle, segment_segment, segment_triangle,
                           triangle_triangle)
from .motion import Motion

__version__ = _apart.__version__

__all__ = [
    "Approach", "Body", "Cache", "Contact", "Mesh", "Motion", "Result", "Results", "Scene", "SceneContact", "ScenePair",
    "Shape", "ShapeInfo", "Slope", "Span", "Step", "Twist", "Witness", "box", "capsule", "closest_approach", "cone",
    "contact_spans", "cylinder", "distance", "distance_batch", "distance_nd", "distance_points", "ellipsoid",
    "first_contact", "gradient", "halfspace", "load", "mesh", "point_segment", "point_triangle", "points", "pose",
    "pose_to_quaternion", "read", "segment_segment", "segment_triangle", "sphere", "support", "triangle_triangle",
    "trimesh", "union",
]


def _matrices(form: str, inputs: Sequence[Array], ends: tuple[int, ...]) -> Array:
    """Runs a form of the C module over the rows of arrays that are broadcast already."""
    drop = 2 if form == "to_quaternion" else 1
    shape = inputs[0].shape[:inputs[0].ndim - drop]
    count = int(np.prod(shape, dtype=np.int64))
    made = np.empty((count,) + ends)
    _apart.rows(form, 1, tuple(a.reshape((count,) + a.shape[a.ndim - drop:]) for a in inputs), (made,))
    return made.reshape(shape + ends)


def _euler(rpy: ArrayLike) -> Array:
    """The rotation matrices (..., 3, 3) of roll about x, then pitch about y, then yaw about z, all fixed axes."""
    angles = as_real(rpy, "rpy")
    if angles.ndim < 1 or angles.shape[-1] != 3:
        raise ValueError(f"rpy has shape {angles.shape}, but must have shape (..., 3)")
    if not np.isfinite(angles).all():
        raise ValueError("rpy: a number is NaN or infinite")
    cr, cp, cy = np.moveaxis(np.cos(angles), -1, 0)
    sr, sp, sy = np.moveaxis(np.sin(angles), -1, 0)
    rows = [[cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr]]
    return np.stack([np.stack(row, -1) for row in rows], -2)


def pose(position: ArrayLike | None = None, *, quat_wxyz: ArrayLike | None = None, quat_xyzw: ArrayLike | None = None,
         rpy: ArrayLike | None = None, matrix: ArrayLike | None = None) -> Array:
    """The (4, 4) matrix of a position and a rotation; of arrays of them, (..., 4, 4).

    The rotation is one of: a quaternion, whose order the name tells; rpy, roll, pitch and yaw in radians about fixed
    axes, as in URDF; matrix, a rotation (3, 3), or a pose (4, 4), which takes no position.

    >>> apart.pose((1, 2, 3), rpy=(0, 0, np.pi / 2))[:3, 3].tolist()
    [1.0, 2.0, 3.0]
    >>> apart.pose(np.zeros((100, 3))).shape
    (100, 4, 4)
    """
    given = [name for name, value in (("quat_wxyz", quat_wxyz), ("quat_xyzw", quat_xyzw), ("rpy", rpy),
                                      ("matrix", matrix)) if value is not None]
    if len(given) > 1:
        raise ValueError(f"a pose has one rotation, but {' and '.join(given)} were given")
    place = as_real((0, 0, 0) if position is None else position, "position")
    if place.ndim < 1 or place.shape[-1] != 3:
        raise ValueError(f"position has shape {place.shape}, but must have shape (..., 3)")
    if rpy is not None or matrix is not None:
        return _from_matrix(place, _euler(rpy) if rpy is not None else as_real(matrix, "matrix"), position is not None)
    name = given[0] if given else "quat_wxyz"
    quaternion = as_real((1, 0, 0, 0) if not given else quat_wxyz if quat_wxyz is not None else quat_xyzw, name)
    if quaternion.ndim < 1 or quaternion.shape[-1] != 4:
        raise ValueError(f"{name} has shape {quaternion.shape}, but must have shape (..., 4)")
    if name == "quat_xyzw":
        quaternion = np.roll(quaternion, 1, axis=-1)
    lead = np.broadcast_shapes(place.shape[:-1], quaternion.shape[:-1])
    inputs = [np.ascontiguousarray(np.broadcast_to(quaternion, lead + (4,))),
              np.ascontiguousarray(np.broadcast_to(place, lead + (3,)))]
    return _matrices("from_quaternion", inputs, (4, 4))


def _from_matrix(place: Array, matrix: Array, has_place: bool) -> Array:
    if matrix.shape[-2:] == (4, 4) and not has_place:
        made = matrix.copy()
    elif matrix.shape[-2:] == (3, 3):
        made = np.zeros(np.broadcast_shapes(place.shape[:-1], matrix.shape[:-2]) + (4, 4))
        made[..., :3, :3], made[..., :3, 3], made[..., 3, 3] = matrix, place, 1
    else:
        raise ValueError(f"matrix has shape {matrix.shape}; it must be (..., 3, 3), or (..., 4, 4) without a position")
    _apart.rows("check_matrix", 1, (made.reshape(-1, 16),), ())
    return made


def pose_to_quaternion(pose: ArrayLike) -> Array:
    """The unit quaternions w, x, y, z of poses (..., 4, 4), with w >= 0.

    >>> apart.pose_to_quaternion(apart.pose(quat_xyzw=(0, 0, 0, 1))).tolist()
    [1.0, 0.0, 0.0, 0.0]
    """
    matrix = as_real(pose, "pose")
    if matrix.shape[-2:] != (4, 4):
        raise ValueError(f"pose has shape {matrix.shape}, but must have shape (..., 4, 4)")
    return _matrices("to_quaternion", [matrix], (4,))


class Mesh(NamedTuple):
    """What is in a file: vertices (n, 3), faces (m, 3) (none for a list of points), and the format."""

    vertices: Array
    faces: NDArray[np.uint32]
    format: str


def read(path: Union[str, os.PathLike[str]], *, points: bool = False, strict: bool = False,
         scale: Union[float, Sequence[float]] = 1.0) -> Mesh:
    """Reads a mesh or a list of points: STL, OBJ, PLY, OFF, or text. What is odd in the file is a warning, unless strict.

    >>> found = apart.read("data/die.off")
    >>> found.vertices.shape, found.faces.shape
    ((12, 3), (20, 3))
    """
    factors = np.broadcast_to(as_real(scale, "scale"), (3,))
    vertices, faces, kind, odd = _apart.read(path, points, strict, tuple(map(float, factors)))
    if odd:
        warnings.warn(odd, stacklevel=2)
    return Mesh(np.frombuffer(vertices).reshape(-1, 3), np.frombuffer(faces, np.uint32).reshape(-1, 3), kind)


def load(path: Union[str, os.PathLike[str]], *, hull: bool = False, hollow: bool = False, radius: float = 0.0,
         sphere_radius: float = 0.0, points: bool = False, strict: bool = False,
         scale: Union[float, Sequence[float]] = 1.0, progress: Any = None) -> Shape:
    """The body in a file: its triangles as a surface, or with hull their convex hull; a list of points is its hull.

    >>> apart.load("data/die.off")
    apart.mesh(<array (12, 3)>, <array (20, 3)>, 0.0, False, 0.0)
    """
    found = read(path, points=points, strict=strict, scale=scale)
    if len(found.faces) == 0:
        return _apart.points(found.vertices, radius)
    if hull:
        return _apart.points(found.vertices[np.unique(found.faces)], radius)
    return mesh(found.vertices, found.faces, radius, hollow, sphere_radius, progress=progress)
