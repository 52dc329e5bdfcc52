"""What the queries answer with. Records of the library's structs are NumPy arrays over the memory that C has filled."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, NamedTuple, Union

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ._apart import Result, Shape

Array = NDArray[np.float64]

#: apart_witness, apart_result and apart_slope, field by field.
WITNESS = np.dtype([("part", "u4"), ("triangle", "u4"), ("count", "u4"), ("vertex", "u4", 4), ("weight", "f8", 4)],
                   align=True)
RESULT = np.dtype([("distance", "f8"), ("lower_bound", "f8"), ("upper_bound", "f8"), ("points", "f8", (2, 3)),
                   ("normal", "f8", 3), ("a", WITNESS), ("b", WITNESS), ("iterations", "i4"), ("supports", "i4"),
                   ("visits", "i4")], align=True)
SLOPE = np.dtype([("a", [("linear", "f8", 3), ("angular", "f8", 3)]), ("b", [("linear", "f8", 3), ("angular", "f8", 3)]),
                  ("unique", "?")], align=True)


class Witness(NamedTuple):
    """Which vertices carry a nearest point: the sum of weights[i] times vertex vertices[i], plus the radius."""

    part: int
    triangle: int
    vertices: tuple[int, ...]
    weights: tuple[float, ...]


class Results:
    """The answers of a batch. Its fields are those of Result, as arrays: views of one array, `records`.

    >>> ball = apart.sphere(1)
    >>> results = apart.distance(ball, ball, None, apart.pose([(3, 0, 0), (1, 0, 0)]))
    >>> results.distance.tolist(), results.overlap.tolist()
    ([1.0, 0.0], [False, True])
    >>> results[0]
    <apart.Result: distance 1.0 in [0.9999999999999645, 1.0000000000000089]>
    """

    def __init__(self, memory: bytearray, shape: tuple[int, ...]) -> None:
        self._memory = memory
        self.records: NDArray[np.void] = np.frombuffer(memory, RESULT).reshape(shape)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.records.shape

    @property
    def distance(self) -> Array:
        return self.records["distance"]

    @property
    def lower_bound(self) -> Array:
        return self.records["lower_bound"]

    @property
    def upper_bound(self) -> Array:
        return self.records["upper_bound"]

    @property
    def overlap(self) -> NDArray[np.bool_]:
        return self.records["upper_bound"] <= 0

    @property
    def points(self) -> Array:
        return self.records["points"]

    @property
    def point_a(self) -> Array:
        return self.records["points"][..., 0, :]

    @property
    def point_b(self) -> Array:
        return self.records["points"][..., 1, :]

    @property
    def normal(self) -> Array:
        return self.records["normal"]

    @property
    def witness_a(self) -> NDArray[np.void]:
        return self.records["a"]

    @property
    def witness_b(self) -> NDArray[np.void]:
        return self.records["b"]

    @property
    def iterations(self) -> NDArray[np.int32]:
        return self.records["iterations"]

    @property
    def supports(self) -> NDArray[np.int32]:
        return self.records["supports"]

    @property
    def visits(self) -> NDArray[np.int32]:
        return self.records["visits"]

    def __len__(self) -> int:
        return len(self.records)

    def __getitem__(self, index: Any) -> Union[Result, Results]:
        from ._apart import Result

        if isinstance(index, str):
            raise TypeError(f"results are indexed by number; their fields are attributes: results.{index}")
        chosen = self.records[index]
        if isinstance(chosen, np.ndarray):
            return Results(bytearray(chosen.tobytes()), chosen.shape)
        return Result(bytes(chosen))

    def __iter__(self) -> Iterator[Union[Result, Results]]:
        return (self[i] for i in range(len(self)))

    def __reduce__(self) -> tuple[Any, ...]:
        return Results, (self._memory, self.shape)

    def __repr__(self) -> str:
        if self.records.size == 0:
            return f"<apart.Results: shape {self.shape}>"
        least, most, met = self.lower_bound.min(), self.upper_bound.max(), int(self.overlap.sum())
        return f"<apart.Results: shape {self.shape}, distances in [{least:.17g}, {most:.17g}], {met} overlap>"


class Twist(NamedTuple):
    """What multiplies a velocity: linear that of a body's origin, angular its turn; world axes."""

    linear: Array
    angular: Array


class Slope(NamedTuple):
    """How a distance changes with the two poses. unique: the features found have one nearest pair."""

    a: Twist
    b: Twist
    unique: Union[bool, NDArray[np.bool_]]
    result: Union[Result, Results]


def slope_of(memory: bytearray, shape: tuple[int, ...], result: Union[Result, Results]) -> Slope:
    records = np.frombuffer(memory, SLOPE).reshape(shape)
    a, b = (Twist(records[side]["linear"], records[side]["angular"]) for side in "ab")
    return Slope(a, b, records["unique"] if shape else bool(records["unique"]), result)


class Step(NamedTuple):
    """One step of an algorithm: the vertices in use on either side, their weights, the bracket so far."""

    iteration: int
    a: tuple[tuple[float, float, float], ...]
    b: tuple[tuple[float, float, float], ...]
    weights_a: tuple[float, ...]
    weights_b: tuple[float, ...]
    point_a: tuple[float, float, float]
    point_b: tuple[float, float, float]
    lower: float
    upper: float


class ShapeInfo(NamedTuple):
    """What a shape is made of (see apart_shape_info). bounds: the box around it, (2, 3)."""

    dimension: int
    vertices: int
    edges: int
    faces: int
    radius: float
    bounds: Array
    triangles: int
    degenerate: int
    components: int
    solids: int
    open_edges: int
    crowded_edges: int
    holes: int
    parts: int
    tree_nodes: int
    tree_depth: int
    spheres: int
    bytes: int
    idle: int
    almost_solids: int
    hole_bounds: Array


def info_of(*fields: Any) -> ShapeInfo:
    info = ShapeInfo(*fields)
    return info._replace(bounds=np.array(info.bounds), hole_bounds=np.array(info.hole_bounds))


class Contact(NamedTuple):
    """When two bodies first come within the clearance; kind is 'free', 'contact', 'near' or 'undecided'.

    Farther apart than the clearance on [0, time) is certain; of a 'contact', so is a meeting in [time, time_upper].
    """

    kind: str
    time: float
    time_upper: float
    clearance: float
    rate: float
    result: Result
    steps: int


class Approach(NamedTuple):
    """How near two bodies come, and when: lower_bound <= least distance <= upper_bound."""

    distance: float
    lower_bound: float
    upper_bound: float
    time: float
    result: Result
    steps: int


class Span(NamedTuple):
    """A time during which two bodies are within the clearance ('contact'), or hardly farther apart ('near')."""

    begin: float
    end: float
    kind: str


class Body(NamedTuple):
    """A body of a scene."""

    shape: Shape
    pose: Array
    name: Any
    margin: float
    group: int
    mask: int


class ScenePair(NamedTuple):
    """Two bodies of a scene and how far apart they are. a is None if it is not in the scene."""

    a: int | None
    b: int
    result: Result


class SceneContact(NamedTuple):
    """Two bodies of a scene and when they meet."""

    a: int
    b: int
    contact: Contact
