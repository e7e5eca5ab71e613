"""Named sets of a model, which follow its edits, and what a selection means."""
from __future__ import annotations

from typing import Any, Dict, Optional, Tuple

import numpy as np

from . import errors
from ._native import PartOfModel, chars, check, ffi, id_list, int_array, lib, list_array, log, text_of
from .selectors import Combination, Selector, Where

KINDS = ("vertices", "faces", "tets")
FACE_VERTEX = np.array([[lib.ew_face_vertex[f][k] for k in range(3)] for f in range(4)])


def face_corners(tets: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """(n, 3) vertex slots of face codes, as they look outwards."""
    return tets[codes >> 2][np.arange(len(codes))[:, None], FACE_VERTEX[codes & 3]]


# ---- what a selection means ----------------------------------------------------------------------

def members(model, where: Any, kind: str) -> np.ndarray:
    """Vertex slots, face codes or tet slots, ascending: see Model.add_set."""
    if isinstance(where, Combination):
        first, second = (members(model, one, kind) for one in (where.first, where.second))
        join = {"&": np.intersect1d, "|": np.union1d, "-": np.setdiff1d}[where.operator]
        return join(first, second).astype(np.int32)
    if isinstance(where, Selector):
        return _selected(model, where, kind)
    if isinstance(where, Set):
        return where.members_as(kind)
    if isinstance(where, str):
        if where in model.sets:
            return model.sets[where].members_as(kind)
        return group_members(model, where, kind)
    if callable(where):
        return _of_mask(model, where(_places(model, kind)), kind, "the function of a set")
    array = np.asarray(where)
    if array.dtype == bool:
        return _of_mask(model, array, kind, "the mask of a set")
    return _of_numbers(model, array, kind)


def _selected(model, selector: Selector, kind: str) -> np.ndarray:
    made, kept = selector._struct()
    with id_list() as found:
        if kind == "faces":
            check(lib.ew_boundary_select(model._boundary(), model._struct(), made,
                                         selector._facing_struct(), found))
        elif selector.normal is not None:
            raise errors.BadArgument("facing: picks boundary faces alone: of='faces'")
        elif kind == "tets":
            check(lib.ew_mesh_select_tets(model._struct(), made, found))
        else:
            check(lib.ew_mesh_select(model._struct(), made, found))
        del kept
        return list_array(found)


def group_members(model, name: str, kind: Optional[str] = None) -> np.ndarray:
    found = model.groups.find(name, kind) or model.groups.find(name)
    if found is None:
        known = list(model.sets) + model.groups.names()
        raise errors.BadInput(f"{name!r} is neither a set nor a group of the mesh; known are "
                              f"{', '.join(known) or 'none'}")
    group, of = found
    selector = ffi.new("ew_selector *", lib.ew_group_selector(group))
    with id_list() as picked:
        if (kind or of) == "faces":
            check(lib.ew_boundary_select(model._boundary(), model._struct(), selector, ffi.NULL, picked))
        elif (kind or of) == "tets":
            check(lib.ew_mesh_select_tets(model._struct(), selector, picked))
        else:
            check(lib.ew_mesh_select(model._struct(), selector, picked))
        return list_array(picked)


def _places(model, kind: str) -> np.ndarray:
    points = model.points
    return points[np.maximum(model.tets, 0)].mean(axis=1) if kind == "tets" else points


def _of_mask(model, mask, kind: str, what: str) -> np.ndarray:
    mask = np.asarray(mask)
    n = len(model.tets) if kind == "tets" else len(model.points)
    if mask.shape != (n,) or mask.dtype != bool:
        raise errors.BadArgument(f"{what}: {n} truth values are expected, one for each "
                                 f"{'tet' if kind == 'tets' else 'vertex'} slot, and not an array "
                                 f"{mask.shape} of {mask.dtype}")
    if kind == "tets":
        return np.flatnonzero(mask & (model.tets[:, 0] >= 0)).astype(np.int32)
    if kind == "vertices":
        return np.flatnonzero(mask & (model.valence > 0)).astype(np.int32)
    codes = model.boundary_codes
    return codes[mask[face_corners(model.tets, codes)].all(axis=1)]


def _of_numbers(model, array: np.ndarray, kind: str) -> np.ndarray:
    if kind == "faces" and array.ndim == 2:
        return _of_triples(model, int_array(array, (None, 3), "faces of a set"))
    slots = np.unique(int_array(array, (None,), "members of a set"))
    n = {"vertices": len(model.points), "tets": len(model.tets), "faces": 4 * len(model.tets)}[kind]
    if len(slots) and (slots[0] < 0 or slots[-1] >= n):
        raise errors.BadArgument(f"members of a set: {kind} are from 0 to {n - 1}")
    return slots.astype(np.int32)


def _of_triples(model, triples: np.ndarray) -> np.ndarray:
    codes = model.boundary_codes
    key = np.sort(face_corners(model.tets, codes), axis=1)
    place = {tuple(row): code for row, code in zip(key.tolist(), codes.tolist())}
    found = [place.get(tuple(row)) for row in np.sort(triples, axis=1).tolist()]
    if None in found:
        row = found.index(None)
        raise errors.BadArgument(f"faces of a set: row {row}, {triples[row].tolist()}, is no face of "
                                 "the boundary")
    return np.unique(np.array(found, dtype=np.int32))


# ---- sets ----------------------------------------------------------------------------------------

class Set(Where, PartOfModel):
    """A named set of a model. Members follow edits: parts and images of members are members."""

    def __init__(self, model, number: int, name: str, kind: str):
        PartOfModel.__init__(self, model, name)
        self.number, self.kind = number, kind

    def _view(self):
        return lib.ew_model_view_set(self._model._model, self.number)

    @property
    def members(self) -> np.ndarray:
        """Vertex slots, face codes (4 tet + face) or tet slots, ascending, (n,); a copy."""
        return self.members_as(self.kind)

    def members_as(self, kind: str) -> np.ndarray:
        """What the set means as "vertices", "faces" or "tets": vertices of faces, boundary faces with
        all vertices in it, tets behind faces."""
        call = {"vertices": lib.ew_model_list_vertices, "faces": lib.ew_model_list_faces,
                "tets": lib.ew_model_list_tets}[kind]
        with self._model._lock, id_list() as found:
            check(call(self._model._model, self.number, found))
            return list_array(found)

    @property
    def vertices(self) -> np.ndarray:
        """Slots of its vertices, (n,)."""
        return self.members_as("vertices")

    @property
    def triangles(self) -> np.ndarray:
        """Corners of its faces, vertex slots, looking outwards, (n, 3)."""
        return face_corners(self._model.tets, self.members_as("faces"))

    @property
    def tets(self) -> np.ndarray:
        """Slots of its tets, (n,)."""
        return self.members_as("tets")

    def measure(self) -> Dict[str, Any]:
        """Members, area (length^2), volume (length^3), centroid and bounding box. O(members)."""
        made = ffi.new("ew_set_measure *")
        with self._model._lock:
            check(lib.ew_model_measure_set(self._model._model, self.number, made))
        return {"n": made.n_member, "n_vertices": made.n_vertex, "n_faces": made.n_face,
                "area": made.area, "volume": made.volume, "centroid": np.array(list(made.centroid)),
                "low": np.array(list(made.low)), "high": np.array(list(made.high))}

    @property
    def area(self) -> float:
        """Of its faces, length^2."""
        return self.measure()["area"]

    @property
    def volume(self) -> float:
        """Of its tets, length^3."""
        return self.measure()["volume"]

    @property
    def centroid(self) -> np.ndarray:
        """Of area, of volume, or the mean of the vertices, (3,)."""
        return self.measure()["centroid"]

    def results(self, about: Optional[Tuple[float, float, float]] = None,
                components: str = "xyz", springs: bool = True) -> Dict[str, Any]:
        """Displacement, von Mises stress and reactions of the set after a solve: `reaction_force` by
        the components of the supports named, of springs if wanted; `reaction_moment` about the point
        (default: the centroid)."""
        made = ffi.new("ew_set_results *")
        point = ffi.new("double[3]", [float(x) for x in (self.centroid if about is None else about)])
        bits = sum(1 << "xyz".index(one) for one in components)
        bits |= lib.EW_SPRING_FORCES if springs else 0
        with self._model._lock:
            self._model._recovered()
            check(lib.ew_model_recover_set(self._model._model, self.number, bits, point, made))
        return {"mean_displacement": np.array(list(made.mean_displacement)),
                "max_displacement": made.max_displacement,
                "max_displacement_vertex": made.max_displacement_vertex,
                "mean_von_mises": made.mean_von_mises, "max_von_mises": made.max_von_mises,
                "reaction_force": np.array(list(made.reaction_force)),
                "reaction_moment": np.array(list(made.reaction_moment))}

    def redefine(self, where: Any) -> None:
        """Other members."""
        self._model._redefine(self, where)

    def release_boundary(self) -> None:
        """Operations need not keep the ends of the set from now on."""
        with self._model._lock:
            lib.ew_model_release_set_boundary(self._model._model, self.number)
            self._model._note("release", number=self.number)

    def __len__(self) -> int:
        with self._model._lock:
            return self._view().n_active

    def __repr__(self) -> str:
        try:
            return f"<Set '{self.name}' of {len(self):,} {self.kind}>"
        except errors.Stale:
            return f"<Set '{self.name}' of a closed model>"

    def _repr_html_(self) -> str:
        from . import show
        return show.set_html(self)


class Sets(Dict[str, Set]):
    """The sets of a model by name."""

    def __missing__(self, name: str) -> Set:
        raise errors.BadInput(f"there is no set {name!r}; there are {', '.join(self) or 'none'}")


def add(model, name: Optional[str], slots: np.ndarray, kind: str, allow_empty: bool) -> Set:
    made = ffi.new("ew_model_set_def *")
    label = ffi.NULL if name is None else chars(name)
    made.name, made.kind, made.allow_empty = label, KINDS.index(kind), allow_empty
    number = ffi.new("int32_t *")
    with id_list(slots) as listed:
        check(lib.ew_model_add_set(model._model, made, listed, number))
    found = Set(model, number[0], name if name is not None else f"set {number[0]}", kind)
    log.debug("set %s: %d %s", found.name, len(slots), kind)
    return found


def name_of(view) -> str:
    return text_of(view.name)
