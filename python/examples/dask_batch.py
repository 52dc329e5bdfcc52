"""Poses by the million on many machines: Dask cuts the array, each worker measures its chunks. Shapes pickle, so that
they go wherever the work goes."""
import sys

import numpy as np

import apart

try:
    import dask.array
except ImportError:
    print("dask is not installed (Debian: python3-dask)", file=sys.stderr)
    sys.exit(77)


def distances(poses, a, b):
    return apart.distance(a, b, None, poses, threads=1).distance


if __name__ == "__main__":
    gear, box = apart.load("data/gear.ply"), apart.box((5, 5, 5))
    places = np.random.default_rng(1).normal(size=(20_000, 3)) * 60
    poses = dask.array.from_array(apart.pose(places), chunks=(2_000, 4, 4))
    measured = poses.map_blocks(distances, gear, box, drop_axis=(1, 2), dtype=float)
    nearest = float(measured.min().compute(scheduler="processes"))
    print(f"{len(places):,} poses in {poses.numblocks[0]} chunks: the nearest is {nearest:.6f} away")
