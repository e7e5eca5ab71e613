"""Journals: what was done to a model, to be undone, saved and replayed.

A journal holds the mesh at the start, and each call that changed the model with the numbers that the
library was given. A replay makes the same calls; where an analysis was made it compares the bits of mesh
and displacement with those of then."""
from __future__ import annotations

import dataclasses
import io
import json
import zipfile
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from . import errors, loads, materials
from ._native import check, copied, ffi, lib, log, pointer
from .files import PathLike
from .mesh import Mesh

# Arrays of an ew_edit: name -> (count, numbers a row, type, capacity).
EDIT_ARRAYS: Dict[str, Tuple[str, int, str, str]] = {
    "add_vertex": ("n_add_vertex", 3, "double", "add_vertex_capacity"),
    "add_parent": ("n_add_vertex", 2, "int32_t", "parent_capacity"),
    "add_fraction": ("n_fraction", 1, "double", "fraction_capacity"),
    "inside": ("n_inside", 1, "ew_inside", "inside_capacity"),
    "add_tet": ("n_add_tet", 4, "int32_t", "add_tet_capacity"),
    "add_tet_region": ("n_add_tet", 1, "int32_t", "add_region_capacity"),
    "add_tet_from": ("n_add_tet", 1, "int32_t", "add_from_capacity"),
    "merge": ("n_merge", 2, "int32_t", "merge_capacity"),
    "add_face": ("n_add_face", 3, "int32_t", "add_face_capacity"),
    "add_face_label": ("n_add_face", 1, "int32_t", "add_label_capacity"),
    "face_origin": ("n_face_origin", 6, "int32_t", "origin_capacity"),
    "curve_end": ("n_curve", 2, "int32_t", "curve_end_capacity"),
    "curve": ("n_curve", 3, "double", "curve_capacity"),
    "move_to": ("move_vertex.n", 3, "double", "move_capacity"),
}
EDIT_LISTS = ("remove_tet", "remove_vertex", "move_vertex")
_DTYPES = {"double": np.float64, "int32_t": np.int32, "ew_inside": np.uint8}
ANALYSES = ("solve", "nonlinear", "start_motion", "advance", "topology")
UNDO_LEVELS = 16
EDITS = ("edit", "topology")  # what undo takes back


class Entry:
    """A call: its kind, its numbers, its arrays."""

    def __init__(self, kind: str, what: Dict[str, Any]):
        self.kind, self.what = kind, what
        self.displacement: Optional[np.ndarray] = None  # before an edit
        self.answered = False

    def __repr__(self) -> str:
        return f"<{self.kind} {', '.join(self.what)}>"


class Journal:
    """What was done to a model."""

    def __init__(self, start: Mesh, reorder: bool):
        self.start, self.reorder = start, reorder
        self.entries: List[Entry] = []
        self.undone: List[List[Entry]] = []
        self.is_replaying = False

    # ---- taking notes

    def _note(self, call: str, /, **what: Any) -> None:
        if not self.is_replaying:
            self.entries.append(Entry(call, what))
            if call != "values":  # what a function gives for a mesh takes no edit's place
                self.undone.clear()

    def _copy_edit(self, edit) -> Optional[Dict[str, np.ndarray]]:
        return None if self.is_replaying else edit_arrays(edit)

    def _before_edit(self, model) -> Optional[Tuple[np.ndarray, bool]]:
        return None if self.is_replaying else (model.displacement, model._answered)

    def _note_edit(self, kind: str, what: Optional[Dict[str, Any]], before) -> None:
        if what is None or before is None:
            return
        self._note(kind, **what)
        last = self.entries[-1]
        last.displacement, last.answered = before
        edits = [one for one in self.entries if one.kind in EDITS]
        if len(edits) > UNDO_LEVELS:
            edits[-UNDO_LEVELS - 1].displacement = None

    def __len__(self) -> int:
        return len(self.entries)

    def __repr__(self) -> str:
        return (f"<Journal of {len(self.entries)} calls, "
                f"{sum(one.kind in EDITS for one in self.entries)} of them edits>")

    # ---- files

    def save(self, path: PathLike) -> None:
        """To one file (.npz): a zip of arrays and one JSON text. Of a load or a support that is a function
        the file has the values that it gave, not the function: a replay is the same bit for bit, and who
        edits further gives the function again."""
        _check_replayable(self.entries)
        functions: List[Any] = []
        arrays: Dict[str, np.ndarray] = {f"start/{name}": value
                                         for name, value in _mesh_arrays(self.start).items()}
        calls = []
        for place, entry in enumerate(self.entries):
            arrays_of = {}
            numbers = {}
            for name, value in entry.what.items():
                if isinstance(value, np.ndarray):
                    arrays[f"{place}/{name}"] = value
                    arrays_of[name] = str(value.dtype)
                else:
                    numbers[name] = _encoded(value, f"{place}/{name}", arrays, functions)
            calls.append({"kind": entry.kind, "numbers": numbers, "arrays": arrays_of})
        text = json.dumps({"edgewise": 1, "reorder": self.reorder, "calls": calls,
                           "groups": _group_labels(self.start)})
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr("journal.json", text)
            for name, value in arrays.items():
                data = io.BytesIO()
                np.lib.format.write_array(data, np.ascontiguousarray(value), allow_pickle=False)
                file.writestr(name + ".npy", data.getvalue())

    @classmethod
    def load(cls, path: PathLike) -> "Journal":
        """Of a file that `save` wrote."""
        try:
            with zipfile.ZipFile(path) as file:
                head = json.loads(file.read("journal.json"))
                arrays = {name[:-4]: np.lib.format.read_array(io.BytesIO(file.read(name)),
                                                              allow_pickle=False)
                          for name in file.namelist() if name.endswith(".npy")}
            if head.get("edgewise") != 1:
                raise KeyError("edgewise")
            made = cls(_mesh_of_arrays(arrays, head["groups"]), bool(head["reorder"]))
            functions: Dict[int, SavedFunction] = {}
            for place, call in enumerate(head["calls"]):
                what = {name: _decoded(value, arrays, functions) for name, value in call["numbers"].items()}
                what.update({name: arrays[f"{place}/{name}"] for name in call["arrays"]})
                made.entries.append(Entry(call["kind"], what))
            return made
        except OSError as error:
            raise errors.FileError(f"{path}: cannot be read: {error}") from None
        except (KeyError, ValueError, zipfile.BadZipFile, TypeError) as error:
            raise errors.BadInput(f"{path}: is no journal of edgewise ({error})") from None


# ---- edits as arrays -----------------------------------------------------------------------------

def edit_arrays(edit) -> Dict[str, np.ndarray]:
    """What is queued, copied."""
    found: Dict[str, np.ndarray] = {}
    for name, (count, width, kind, _) in EDIT_ARRAYS.items():
        n = edit.move_vertex.n if count == "move_vertex.n" else getattr(edit, count)
        start = getattr(edit, name)
        if n and start != ffi.NULL:
            size = ffi.sizeof(kind) // np.dtype(_DTYPES[kind]).itemsize
            found[name] = copied(start, (n, width * size), _DTYPES[kind])
    for name in EDIT_LISTS:
        one = getattr(edit, name)
        if one.n:
            found[name] = copied(one.id, (one.n,), np.int32)
    return found


def queue_arrays(edit, arrays: Dict[str, np.ndarray]) -> None:
    """Into an empty queue, as it was."""
    for name in EDIT_LISTS:
        if name in arrays:
            _grow(getattr(edit, name), "id", "capacity", arrays[name], len(arrays[name]), 4)
            getattr(edit, name).n = len(arrays[name])
    for name, (count, width, kind, capacity) in EDIT_ARRAYS.items():
        if name in arrays:
            array = np.ascontiguousarray(arrays[name], _DTYPES[kind])
            _grow(edit, name, capacity, array, len(array), width * ffi.sizeof(kind))
            if count != "move_vertex.n":
                setattr(edit, count, len(array))


def _grow(struct, name: str, capacity: str, array: np.ndarray, n: int, size: int) -> None:
    check(lib.ew_grow_copy(ffi.addressof(struct, name), ffi.addressof(struct, capacity),
                           pointer(array, "void *"), n, size))


# ---- values as JSON ------------------------------------------------------------------------------

_CLASSES = {one.__name__: one for one in (
    loads.Load, loads.Support, loads.Equation, loads.Term, loads.Contact, loads.Rigid, loads.Coupling, loads.Tie, loads.Axes, loads.Table,
    loads.Sine, loads.Step,
    materials.Material, materials.Orthotropic, materials.Anisotropic, materials.MaterialAxes, materials.Law)}


def _encoded(value: Any, where: str, arrays: Dict[str, np.ndarray], functions: List[Any]) -> Any:
    """Arrays and functions that are the same object are written once: they are values in place."""
    from .sets import Set
    if isinstance(value, Set):
        return {"set": value.number}
    if callable(value) and not isinstance(value, type):
        if not any(one is value for one in functions):
            functions.append(value)
        return {"function": next(k for k, one in enumerate(functions) if one is value)}
    if dataclasses.is_dataclass(value):
        fields = {f.name: _encoded(getattr(value, f.name), f"{where}/{f.name}", arrays, functions)
                  for f in dataclasses.fields(value)}
        return {"class": type(value).__name__, "fields": fields}
    if isinstance(value, np.ndarray):
        known = next((key for key, one in arrays.items() if one is value), where)
        arrays[known] = value
        return {"array": known}
    if isinstance(value, (list, tuple)):
        return [_encoded(one, f"{where}/{k}", arrays, functions) for k, one in enumerate(value)]
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return {"float": repr(value)}
    return value


def _decoded(value: Any, arrays: Dict[str, np.ndarray], functions: Dict[int, SavedFunction]) -> Any:
    if isinstance(value, list):
        return tuple(_decoded(one, arrays, functions) for one in value)
    if not isinstance(value, dict):
        return value
    if "set" in value:
        return SetNumber(value["set"])
    if "array" in value:
        return arrays[value["array"]]
    if "function" in value:
        return functions.setdefault(value["function"], SavedFunction())
    if "float" in value:
        return float(value["float"])
    kind = _CLASSES[value["class"]]
    made = object.__new__(kind)
    for name, one in value["fields"].items():
        object.__setattr__(made, name, _decoded(one, arrays, functions))
    return made


class SavedFunction:
    """In place of a function in a journal that was read: the journal has the values that it gave."""

    def __call__(self, points: np.ndarray) -> np.ndarray:
        raise errors.Unsupported("journal: a load or a support was a function, of which the file has the "
                                 "values for the meshes of then alone; set loads and supports again")


@dataclasses.dataclass(frozen=True)
class SetNumber:
    """A set by its number, in a journal that was read."""

    number: int


# ---- the mesh at the start -----------------------------------------------------------------------

def _mesh_arrays(mesh: Mesh) -> Dict[str, np.ndarray]:
    struct = mesh._mesh
    if struct.n_curve or struct.vertex_hole.n or struct.tet_hole.n:
        raise errors.Unsupported("journal: a mesh with curved sides or freed slots is kept in memory alone")
    return {"points": mesh.points, "tets": mesh.tets, "regions": mesh.regions,
            "faces": copied(struct.face, (struct.n_face, 3), np.int32),
            "face_labels": copied(struct.face_label, (struct.n_face,), np.int32)}


def _group_labels(mesh: Mesh) -> List[List[Any]]:
    found = []
    for kind in ("faces", "tets"):
        for name in mesh.groups.names(kind):
            group = mesh.groups.find(name, kind)
            if group and group[0].is_label:
                found.append([kind, group[0].label, name])
    return found


def _mesh_of_arrays(arrays: Dict[str, np.ndarray], groups) -> Mesh:
    made = Mesh(*(arrays[f"start/{name}"] for name in ("points", "tets", "regions", "faces",
                                                       "face_labels")))
    for kind, label, name in groups:
        made.groups.name_label(kind, int(label), name)
    return made


# ---- replays -------------------------------------------------------------------------------------

def _apply(model, entry: Entry, compare: bool, solve: bool) -> None:
    what = entry.what
    kind = entry.kind
    if kind == "edit":
        lib.ew_model_begin(model._model)
        queue_arrays(lib.ew_model_edit(model._model), what)
        model._commit()
    elif kind == "set":
        from . import sets
        made = sets.add(model, what["name"], what["slots"], what["kind"], what["allow_empty"])
        model.sets[made.name] = made
    elif kind in ("loads", "supports", "couplings"):
        setattr(model, kind, tuple(_with_set(model, one) for one in what[kind]))
    elif kind == "equations":
        model.equations = [loads.Equation(*(_with_set(model, term, "at") for term in one.terms),
                                          value=one.value) for one in what[kind]]
    elif kind in ("ties", "contacts"):
        setattr(model, kind, [_with_set(model, _with_set(model, one, "slave"), "master") for one in what[kind]])
    elif kind in ANALYSES:
        if solve or kind == "topology":
            _solve_again(model, entry, compare)
    else:
        _CALLS[kind](model, what)


def _with_set(model, one, name: str = "set"):
    """The load, the support or the term with the Set of this model."""
    from .sets import Set
    given = getattr(one, name)
    if not isinstance(given, (Set, SetNumber)):
        return one
    of_number = {s.number: s for s in model.sets.values()}
    return dataclasses.replace(one, **{name: of_number[given.number]})


def _solve_again(model, entry: Entry, compare: bool) -> None:
    what = entry.what
    options = {name: value for name, value in what.items() if name != "digest"}
    if entry.kind == "nonlinear":
        model.solve_nonlinear(**options)
    elif entry.kind == "start_motion":
        model.start_motion(**options)
    elif entry.kind == "advance":
        model.motion.advance(what["dt"])
    elif entry.kind == "topology":
        model.optimize_topology(**options)
    else:
        made = ffi.new("ew_pcg_def *", lib.ew_default_pcg_def())
        for name in ("tolerance", "energy_tolerance", "max_iterations", "preconditioner", "precision"):
            setattr(made, name, what.get(name, 0.0) if name == "energy_tolerance" else what[name])
        if what["preconditioner"] == lib.EW_CHOLESKY:
            from . import plugins
            made.direct = plugins.direct_solver("solver='cholesky'")[0]
        model._refresh_values()
        model._change("state", "recovered")
        check(lib.ew_model_solve(model._model, made, ffi.new("const ew_pcg_info **")))
        model._has_answer()
    if compare and what.get("digest") and model.digest() != what["digest"]:
        raise errors.MatrixDiffers(f"journal: {entry.kind} gives other bits than then")


_CALLS = {
    "material": lambda model, what: model.set_material(what["material"], what["region"]),
    "material_axes": lambda model, what: model.set_material_axes(what["axes"]),
    "order": lambda model, what: setattr(model, "quadratic", what["quadratic"]),
    "enrich": lambda model, what: model.enrich(what["slots"], what["quadratic"]),
    "mixed": lambda model, what: setattr(model, "mixed", what["mixed"]),
    "kinematics": lambda model, what: setattr(model, "kinematics", what["name"]),
    "operator": lambda model, what: model.set_operator(what["name"]),
    "release": lambda model, what: lib.ew_model_release_set_boundary(model._model, what["number"]),
    "redefine": lambda model, what: _redefined(model, what),
    "field": lambda model, what: model._add_field(what["name"], what["on_tets"], what["width"],
                                                  what["rule"]),
    "values": lambda model, what: model._put_values(what["owner"], what["place"], what["values"]),
    "frame": lambda model, what: setattr(model, "frame", what["number"]),
    "compact": lambda model, what: model.compact(),
    "state": lambda model, what: (model.set_displacement(what["values"])
                                  if what["what"] == "displacement"
                                  else setattr(model, "velocity", what["values"])),
}


def _redefined(model, what) -> None:
    for one in model.sets.values():
        if one.number == what["number"]:
            one.redefine(what["slots"])


def rebuild(model, entries: List[Entry], *, solve: bool = False, compare: bool = False) -> None:
    """The model becomes what these calls make of its start."""
    _check_replayable(entries)
    solve = solve or _has_history(entries)
    journal, kept = model._journal, model._journal.is_replaying
    body = journal.start.copy()
    model._leases.detach()
    model._adopt(model._create(body, model._def))
    model.sets = type(model.sets)()
    model._start_conditions()
    model._watch_of_motion = None
    model._forget_answer()
    journal.is_replaying = True
    try:
        for place, entry in enumerate(entries):
            if entry.kind != "undone":
                _apply(model, entry, compare, solve)
            elif solve and not _has_history(entries[:place]):  # as then: what solvers keep from solve to solve was gone
                displacement = model.displacement
                rebuild(model, entries[:place])
                _put_displacement(model, displacement)
    finally:
        journal.is_replaying = kept


def _check_replayable(entries: List[Entry]) -> None:
    if any(one.kind == "stopped topology" for one in entries):
        raise errors.Unsupported("journal: an optimize_topology was stopped between its rounds, which is "
                                 "not replayed; end it by max_rounds")


def _has_history(entries: List[Entry]) -> bool:
    """Whether the state is more than a displacement that undo has kept: then analyses are made again."""
    return any(one.kind in ("start_motion", "topology") for one in entries)


def _put_displacement(model, displacement: np.ndarray) -> None:
    array = np.ascontiguousarray(displacement)
    model._change("state")
    ffi.memmove(lib.ew_model_field(model._model, 0), ffi.from_buffer(array), array.nbytes)


def undo(model) -> None:
    journal = model._journal
    if journal is None:
        raise errors.Unsupported("undo: make the model with journal=True")
    last = max((k for k, one in enumerate(journal.entries) if one.kind in EDITS), default=None)
    if last is None:
        raise errors.BadArgument("undo: there is no edit to undo")
    _check_replayable(journal.entries)
    edit, before = journal.entries[last], journal.entries[:last]
    taken, undone = journal.entries[last:], journal.undone
    rebuild(model, before)
    if edit.displacement is not None and len(edit.displacement) == len(model.points):
        _put_displacement(model, edit.displacement)
        model._answered = edit.answered
    journal.entries, journal.undone = before + [Entry("undone", {})], undone + [taken]
    log.info("undo: revision %d", model.revision)


def redo(model) -> None:
    journal = model._journal
    if journal is None or not journal.undone:
        raise errors.BadArgument("redo: there is nothing to redo")
    taken, rest = journal.undone[-1], journal.undone[:-1]
    edit = taken[0]
    journal.is_replaying = True
    try:
        _apply(model, edit, False, False)
    finally:
        journal.is_replaying = False
    journal.entries.append(edit)
    journal.undone = rest
