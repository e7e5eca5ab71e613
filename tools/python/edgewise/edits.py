"""Edits of a model: batches that are committed all or nothing, and ready-made operations."""
from __future__ import annotations

from typing import Any, Dict, Optional, Sequence, Tuple

import numpy as np

from . import errors
from ._native import check, ffi, int_array, lib, list_array, log, pointer, real_array
from .operations import Operations
from .sets import members


class Edit:
    """A batch of edits, open within ``with model.edit() as e:``. At the end of the block all of it is
    committed, or none of it where the library refuses it (BadEdit) or the block raises.

    Vertices that the batch adds are named by negative numbers, as the methods return them, until
    `added_vertices` says their slots."""

    def __init__(self, model):
        self._model = model
        self._open = False
        self._change: Optional[Dict[str, np.ndarray]] = None

    def _edit(self):
        if not self._open:
            raise errors.BadArgument("edit: open within `with model.edit() as e:` alone")
        return lib.ew_model_edit(self._model._model)

    # ---- queueing

    def remove_tets(self, where: Any) -> None:
        """Tets by slot, or a selector, mask or function as of Model.add_set."""
        slots = _slots(self._model, where, "tets")
        check(lib.ew_edit_remove_tets(self._edit(), len(slots), pointer(slots, "int32_t *")))

    def remove_vertices(self, where: Any) -> None:
        """Vertices that have no tets after the batch; their slots are free then."""
        slots = (int_array(where, (None,), "remove_vertices") if not callable(where)
                 and np.asarray(where).dtype != object else _slots(self._model, where, "vertices"))
        check(lib.ew_edit_remove_vertices(self._edit(), len(slots), pointer(slots, "int32_t *")))

    def move_vertices(self, where: Any, to: Any = None, by: Any = None) -> None:
        """Vertices to positions `to` (n, 3), or by vectors `by` (3,) or (n, 3); length."""
        slots = _slots(self._model, where, "vertices")
        if (to is None) == (by is None):
            raise errors.BadArgument("move_vertices: give either `to` or `by`")
        given = np.asarray(by if to is None else to, dtype=float)
        given = np.broadcast_to(given, (len(slots), 3)) if given.shape == (3,) else given
        target = real_array(given, (len(slots), 3), "move_vertices")
        if to is None:
            target = np.ascontiguousarray(self._model.points[slots] + target)
        check(lib.ew_edit_move_vertices(self._edit(), len(slots), pointer(slots, "int32_t *"),
                                        pointer(target, "double *")))

    def add_vertices(self, points: Any) -> np.ndarray:
        """Vertices at points (n, 3), length; their names, (n,)."""
        xyz, first = real_array(points, (None, 3), "add_vertices"), ffi.new("int32_t *")
        check(lib.ew_edit_add_vertices(self._edit(), len(xyz), pointer(xyz, "double *"), first))
        return first[0] - np.arange(len(xyz), dtype=np.int32)

    def add_vertex(self, point: Any, between: Optional[Tuple[int, int]] = None,
                   fraction: float = 0.5, image_of: Optional[int] = None) -> int:
        """A vertex. between: its two parents, `fraction` of the way from the first to the second;
        image_of: the one parent. Displacements and sets follow parents."""
        xyz, name = ffi.new("double[3]", [float(x) for x in point]), ffi.new("int32_t *")
        if between is not None:
            check(lib.ew_edit_add_vertex_between(self._edit(), xyz, between[0], between[1], fraction, name))
        elif image_of is not None:
            check(lib.ew_edit_add_vertex_from(self._edit(), xyz, image_of, image_of, name))
        else:
            check(lib.ew_edit_add_vertex(self._edit(), xyz, name))
        return name[0]

    def add_tets(self, tets: Any, region: Any = 0, part_of: Optional[int] = None) -> None:
        """Tets (n, 4) of vertex slots and names of vertices of the batch; region: a label, or (n,).
        part_of: the slot of the tet that they are parts or images of."""
        corners = int_array(tets, (None, 4), "add_tets")
        labels = np.ascontiguousarray(np.broadcast_to(np.asarray(region), (len(corners),)), np.int32)
        if part_of is None:
            check(lib.ew_edit_add_tets(self._edit(), len(corners), pointer(corners, "int32_t *"),
                                       pointer(labels, "int32_t *")))
            return
        for row, label in zip(corners, labels):
            check(lib.ew_edit_add_tet_from(self._edit(), pointer(row, "int32_t *"), int(label), part_of))

    def add_faces(self, faces: Any, label: int) -> None:
        """Labeled triangles (n, 3), for selections by Surface."""
        for row in int_array(faces, (None, 3), "add_faces"):
            check(lib.ew_edit_add_face(self._edit(), pointer(row, "int32_t *"), label))

    def clear(self) -> None:
        """Drops what is queued."""
        lib.ew_edit_clear(self._edit())

    # ---- after the commit

    @property
    def added_vertices(self) -> np.ndarray:
        """Slots of the added vertices, in the order of the batch, (n,)."""
        return self._done()["added_vertex"]

    @property
    def added_tets(self) -> np.ndarray:
        """Slots of the added tets, in the order of the batch, (n,)."""
        return self._done()["added_tet"]

    @property
    def removed_tets(self) -> np.ndarray:
        """Slots of the removed tets, (n,)."""
        return self._done()["removed_tet"]

    def _done(self) -> Dict[str, np.ndarray]:
        if self._change is None:
            raise errors.Stale("edit: known after the block")
        return self._change

    def __enter__(self) -> "Edit":
        self._model._lock.acquire()
        try:
            lib.ew_model_begin(self._model._model)
        except BaseException:
            self._model._lock.release()
            raise
        self._open = True
        return self

    def __exit__(self, kind, value, traceback) -> None:
        try:
            self._open = False
            if kind is not None:
                if not self._model.closed:
                    lib.ew_model_begin(self._model._model)
                return
            self._model._commit()
            self._change = change_arrays(self._model)
        finally:
            self._model._lock.release()


def change_arrays(model) -> Dict[str, np.ndarray]:
    change = lib.ew_model_change(model._model)
    return {name: list_array(getattr(change, name))
            for name in ("added_vertex", "added_tet", "removed_tet", "removed_vertex", "moved_vertex")}


def _slots(model, where: Any, kind: str) -> np.ndarray:
    """Slots as given, unsorted where they are numbers, so that positions go with them."""
    if not callable(where) and not isinstance(where, str):
        array = np.asarray(where)
        if array.dtype != bool and array.dtype != object:
            return int_array(np.atleast_1d(array), (None,), kind)
    return members(model, where, kind)


class Edits(Operations):
    """Edits of a model."""

    def edit(self) -> Edit:
        """A batch of edits: ``with model.edit() as e: e.remove_tets([4711])``."""
        return Edit(self)

    def _commit(self) -> None:
        """Commits the queue, and keeps it in the journal."""
        copy = self._journal._copy_edit(lib.ew_model_edit(self._model)) if self._journal else None
        before = self._journal._before_edit(self) if self._journal else None
        self._change()
        status = lib.ew_model_commit(self._model)
        if status:
            from ._native import failure
            found = failure(status)
            lib.ew_model_begin(self._model)
            raise found
        if copy is not None:
            self._journal._note_edit("edit", copy, before)
        lib.ew_model_begin(self._model)
        self._forget_answer()
        log.debug("edit: revision %d, %d tets", self.revision, self.n_tets)

    @property
    def journal(self):
        """The Journal of a model that was made with journal=True: `save` it, `edgewise.replay` it."""
        if self._journal is None:
            raise errors.Unsupported("journal: make the model with journal=True")
        return self._journal

    def undo(self) -> None:
        """Takes the last edit and what was defined after it back: sets, materials, supports, loads and
        the displacement are as they were. The calls before it are made again on the mesh of the start,
        without their analyses. Needs journal=True; the displacement comes back for the last 16 edits.
        A run of optimize_topology counts as one edit. After start_motion or optimize_topology the calls
        are made again with their analyses, which takes their time, so that velocities are as they were;
        `motion` and each Motion of the model go on from there. BadArgument where there is no edit,
        Unsupported where an optimize_topology was stopped between its rounds: nothing is changed then."""
        from . import journal
        with self._lock:
            journal.undo(self)

    def redo(self) -> None:
        """Makes the edit that was last undone again."""
        from . import journal
        with self._lock:
            journal.redo(self)

    @property
    def last_change(self) -> Dict[str, np.ndarray]:
        """Slots that the last edit added, removed and moved: added_vertex, added_tet, removed_tet,
        removed_vertex, moved_vertex."""
        with self._lock:
            return change_arrays(self)

    @property
    def frame(self) -> int:
        """The number that tets added from now on carry as `born`."""
        return self._frame

    @frame.setter
    def frame(self, number: int) -> None:
        with self._lock:
            lib.ew_model_set_frame(self._model, number)
            self._frame = number
            self._note("frame", number=number)

    def remove_under_constrained(self) -> int:
        """Removes components that are not fully constrained, until there is none; how many."""
        total, n = 0, ffi.new("int32_t *")
        with self._lock:
            while True:
                lib.ew_model_begin(self._model)
                check(lib.ew_model_queue_under_constrained(self._model, n))
                if not n[0]:
                    return total
                total += n[0]
                self._commit()

    def remove_unused_vertices(self) -> None:
        """Frees the slots of vertices without tets."""
        with self._lock:
            lib.ew_model_begin(self._model)
            check(lib.ew_model_queue_unused(self._model))
            self._commit()

    def compact(self) -> Tuple[np.ndarray, np.ndarray]:
        """Renumbers so that no slot is free. (vertex, tet): old slot -> new slot, -1 for free ones."""
        with self._lock:
            vertex = np.empty(len(self.points), np.int32)
            tet = np.empty(len(self.tets), np.int32)
            self._change()
            check(lib.ew_model_compact(self._model, pointer(vertex, "int32_t *"),
                                       pointer(tet, "int32_t *")))
            self._forget_answer()
            self._note("compact")
        return vertex, tet

    def find_vertices(self, ids: Sequence[int]) -> np.ndarray:
        """Slots of vertices by `vertex_ids`, -1 where there is none."""
        with self._lock:
            return np.array([lib.ew_model_find_vertex(self._model, int(one)) for one in ids], np.int32)

    def find_tets(self, ids: Sequence[int]) -> np.ndarray:
        """Slots of tets by `tet_ids`, -1 where there is none."""
        with self._lock:
            return np.array([lib.ew_model_find_tet(self._model, int(one)) for one in ids], np.int32)

