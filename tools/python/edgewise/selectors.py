"""Selections in space, which pick vertices, boundary faces or tets of a mesh.

Selectors combine: ``Box(...) & Side(...)``, ``a | b``, ``a - b``."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Sequence, Tuple, Union

import numpy as np

from ._native import ffi, int_array, lib, pointer, put, vector

Vector = Union[str, Sequence[float]]


class Where:
    """What selectors and their combinations have in common."""

    def __and__(self, other) -> "Combination":
        return Combination("&", self, other)

    def __or__(self, other) -> "Combination":
        return Combination("|", self, other)

    def __sub__(self, other) -> "Combination":
        return Combination("-", self, other)


@dataclass(frozen=True)
class Combination(Where):
    """Members of both (&), of at least one (|), of the first and not of the second (-)."""

    operator: str
    first: object
    second: object


@dataclass(frozen=True)
class Selector(Where):
    """One selection of the library's. ``facing`` keeps boundary faces whose outward normal is within
    an angle of a direction: ``Box(...).facing("z", 30)``."""

    kind: int
    a: Tuple[float, ...] = (0.0, 0.0, 0.0)
    b: Tuple[float, ...] = (0.0, 0.0, 0.0)
    radius: float = 0.0
    label: int = 0
    ids: Optional[Tuple[int, ...]] = None
    normal: Optional[Tuple[float, ...]] = None
    angle: float = 0.0

    def facing(self, direction: Vector, angle: float = 45.0) -> "Selector":
        """Boundary faces alone whose outward normal is within `angle` (degrees) of `direction`."""
        return Selector(self.kind, self.a, self.b, self.radius, self.label, self.ids,
                        _tuple(direction, "facing: direction"), float(angle))

    def _fill(self, selector) -> object:
        """Into an ew_selector; what is returned must outlive it."""
        selector.kind = self.kind
        put(selector.a, self.a)
        put(selector.b, self.b)
        selector.radius = self.radius
        selector.label = self.label
        if self.ids is None:
            return None
        ids = np.array(self.ids, dtype=np.int64)
        selector.n_id = len(ids)
        selector.id = pointer(ids, "int64_t *")
        return ids

    def _struct(self):
        """(ew_selector *, what must outlive it)."""
        made = ffi.new("ew_selector *")
        return made, self._fill(made)

    def _facing_struct(self):
        if self.normal is None:
            return ffi.NULL
        made = ffi.new("ew_facing *")
        put(made.normal, self.normal)
        made.angle = self.angle
        return made


def _tuple(values: Vector, what: str) -> Tuple[float, ...]:
    return tuple(float(one) for one in vector(values, what))


def Box(low: Vector, high: Vector) -> Selector:
    """low <= x <= high, bounds included (length)."""
    return Selector(lib.EW_SELECT_BOX, _tuple(low, "Box: low"), _tuple(high, "Box: high"))


def Sphere(center: Vector, radius: float) -> Selector:
    """|x - center| <= radius (length)."""
    return Selector(lib.EW_SELECT_SPHERE, _tuple(center, "Sphere: center"), radius=float(radius))


def Cylinder(start: Vector, end: Vector, radius: float) -> Selector:
    """Within `radius` of the line from `start` to `end`, between its end planes (length)."""
    return Selector(lib.EW_SELECT_CYLINDER, _tuple(start, "Cylinder: start"),
                    _tuple(end, "Cylinder: end"), float(radius))


def Plane(point: Vector, normal: Vector, tolerance: float) -> Selector:
    """Within `tolerance` (length) of the plane through `point` square to `normal`."""
    return Selector(lib.EW_SELECT_PLANE, _tuple(point, "Plane: point"),
                    _tuple(normal, "Plane: normal"), float(tolerance))


def Side(point: Vector, normal: Vector) -> Selector:
    """The side of the plane through `point` to which `normal` looks, the plane included."""
    return Selector(lib.EW_SELECT_SIDE, _tuple(point, "Side: point"), _tuple(normal, "Side: normal"))


def Nearest(point: Vector) -> Selector:
    """The vertex, or the tet by its centroid, nearest to `point`."""
    return Selector(lib.EW_SELECT_NEAREST, _tuple(point, "Nearest: point"))


def Region(label: int) -> Selector:
    """The region with this label."""
    return Selector(lib.EW_SELECT_REGION, label=int(label))


def Surface(label: int) -> Selector:
    """The labeled triangles with this label."""
    return Selector(lib.EW_SELECT_SURFACE, label=int(label))


def Ids(ids: Sequence[int]) -> Selector:
    """Vertices by `vertex_ids`, tets by `tet_ids`, which edits and renumbering leave."""
    return Selector(lib.EW_SELECT_IDS,
                    ids=tuple(int(one) for one in int_array(ids, (None,), "Ids", np.int64)))


def All() -> Selector:
    """Everything."""
    return Selector(lib.EW_SELECT_ALL)
