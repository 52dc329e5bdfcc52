"""How bodies move: one function for each kind of motion."""
from __future__ import annotations

from typing import Any, Callable

import numpy as np
from numpy.typing import ArrayLike

from . import _apart
from ._arrays import as_real
from ._types import Array

_NONE: tuple[Any, ...] = (None, None, None, None, None, None, None, None, 0.0, 0.0)


def _fields(**given: Any) -> tuple[Any, ...]:
    names = ("start", "end", "pivot", "linear", "angular", "times", "poses", "function", "speed", "spin")
    return tuple(given.get(name, default) for name, default in zip(names, _NONE))


class Motion(_apart.Motion):
    """How a body moves, time from 0 to 1. The pivot is the point that goes straight, by default the body's origin.

    >>> apart.Motion.slerp(None, apart.pose((4, 0, 0)))
    <apart.Motion: slerp>
    """

    __slots__ = ()

    @classmethod
    def still(cls, pose: ArrayLike | None = None) -> Motion:
        """A body that stays.

        >>> apart.Motion.still(apart.pose((1, 2, 3))).pose(0.5)[:3, 3].tolist()
        [1.0, 2.0, 3.0]
        """
        return cls("still", *_fields(start=pose))

    @classmethod
    def slerp(cls, start: ArrayLike | None, end: ArrayLike | None, pivot: ArrayLike | None = None) -> Motion:
        """The pivot goes straight, the turn is constant, the short way.

        >>> apart.Motion.slerp(None, apart.pose((4, 0, 0))).pose(0.5)[:3, 3].tolist()
        [2.0, 0.0, 0.0]
        """
        return cls("slerp", *_fields(start=start, end=end, pivot=pivot))

    @classmethod
    def nlerp(cls, start: ArrayLike | None, end: ArrayLike | None, pivot: ArrayLike | None = None) -> Motion:
        """Position and quaternion linear, normalised: the example of Gilbert, Johnson and Keerthi 1988.

        >>> apart.Motion.nlerp(None, apart.pose((4, 0, 0))).pose(0.25)[:3, 3].tolist()
        [1.0, 0.0, 0.0]
        """
        return cls("nlerp", *_fields(start=start, end=end, pivot=pivot))

    @classmethod
    def velocity(cls, start: ArrayLike | None, linear: ArrayLike | None = None, angular: ArrayLike | None = None,
                 pivot: ArrayLike | None = None) -> Motion:
        """Constant linear velocity of the pivot and angular velocity, world axes: any number of turns.

        >>> apart.Motion.velocity(None, (2, 0, 0), (0, 0, 6.28)).pose(0.5)[:3, 3].tolist()
        [1.0, 0.0, 0.0]
        """
        return cls("velocity", *_fields(start=start, linear=linear, angular=angular, pivot=pivot))

    @classmethod
    def keys(cls, times: ArrayLike, poses: ArrayLike, pivot: ArrayLike | None = None) -> Motion:
        """Timed poses, slerp between them. Times increase, the first is 0, the last 1.

        >>> apart.Motion.keys([0, 0.5, 1], apart.pose([(0, 0, 0), (1, 0, 0), (1, 2, 0)])).pose(0.75)[:3, 3].tolist()
        [1.0, 1.0, 0.0]
        """
        return cls("keys", *_fields(times=times, poses=poses, pivot=pivot))

    @classmethod
    def function(cls, function: Callable[[float], ArrayLike], speed: float, spin: float,
                 pivot: ArrayLike | None = None) -> Motion:
        """Any motion: function(time) is the pose. Per unit of time the pivot goes at most as far as speed, and the body
        turns by at most spin radians.

        >>> apart.Motion.function(lambda t: apart.pose((t * t, 0, 0)), 2, 0).pose(0.5)[:3, 3].tolist()
        [0.25, 0.0, 0.0]
        """
        return cls("function", *_fields(function=function, speed=speed, spin=spin, pivot=pivot))

    def pose(self, time: ArrayLike) -> Array:
        """The pose at a time from 0 to 1; of an array of times an array of poses.

        >>> apart.Motion.still().pose([0, 0.5, 1]).shape
        (3, 4, 4)
        """
        times = as_real(time, "time")
        return np.frombuffer(self._poses(times.reshape(-1, 1))).reshape(times.shape + (4, 4))
