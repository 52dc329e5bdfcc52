"""What comes in as an array: real numbers become float64, indices uint32. Called by the C module, too."""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

FLOAT64 = np.dtype(np.float64)


def _unmasked(values: Any, name: str) -> NDArray[Any]:
    if isinstance(values, np.ndarray) and np.any(getattr(values, "mask", False)):
        raise ValueError(f"{name} has masked elements, which are no numbers")
    return np.asarray(values)


def as_real(values: Any, name: str, copy: bool = False) -> NDArray[np.float64]:
    """A float64 array without gaps; a copy of its own if asked for."""
    array = _unmasked(values, name)
    if array.dtype.kind not in "iuf":
        if array.size > 0:
            raise TypeError(f"{name} must be an array of real numbers, not of {array.dtype}")
        array = np.zeros(array.shape)
    # order="C" keeps dimensions, which ascontiguousarray does not.
    made = np.array(array, dtype=np.float64, order="C", copy=True) if copy else np.asarray(array, np.float64, "C")
    if copy:
        made.setflags(write=False)
    return made


def as_indices(values: Any, name: str) -> NDArray[np.uint32]:
    """A read-only uint32 array of shape (n, 3), of any integers that fit."""
    array = _unmasked(values, name)
    if array.size == 0 and array.dtype.kind == "f":
        array = np.zeros(array.shape, np.uint32)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} must be an array of integers, not of {array.dtype}")
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError(f"{name} has shape {array.shape}, but must have shape (n, 3)")
    if array.size and (int(array.min()) < 0 or int(array.max()) > 0xFFFFFFFF):
        bad = int(np.argmax((array < 0).any(axis=1) | (array > 0xFFFFFFFF).any(axis=1)))
        raise ValueError(f"{name}: triangle {bad} has an index below 0 or above 4294967295")
    made = np.array(array, dtype=np.uint32, order="C", copy=True)
    made.setflags(write=False)
    return made
