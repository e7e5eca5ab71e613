"""Result files (.vtkhdf) of the program and of Case.run."""
from __future__ import annotations

import os
from typing import Any, Dict, Optional

import numpy as np

from ._native import NULL, check, chars, copied, errors, ffi, text_of
from .files import PathLike, named_failure
from .solving import Info

try:
    from ._study import ffi as study_ffi, lib as study
except ImportError as _missing:  # built without
    raise errors.MissingPackage(
        "case files and result files: this package was built without HDF5 or libyaml; install the Debian packages "
        "libhdf5-dev and libyaml-dev (or what your system calls them) and build it again: "
        f"pip install --force-reinstall --no-cache-dir tools/python ({_missing})") from None


class Frame:
    """A frame of a result file: points (n, 3), tets (m, 4), fields by name (of vertices or tets)."""

    def __init__(self, result: "Result", number: int, name: str):
        self._result, self.number, self.name = result, number, name
        self._read: Optional[Dict[str, Any]] = None

    def _get(self) -> Dict[str, Any]:
        if self._read is None:
            view = study_ffi.new("ew_view_frame *")
            check(study.ew_result_read_frame(chars(self._result.path), self.number, NULL, view))
            try:
                fields, on_tets = {}, {}
                for k in range(view.n_field):
                    one = view.field[k]
                    tets = one.place == study.EW_ON_TETS
                    n, width = view.n_tet if tets else view.n_point, one.n_component
                    shape = (n,) if width == 1 else (n, width)
                    (on_tets if tets else fields)[text_of(one.name)] = copied(one.data, shape, np.float64)
                self._read = {"points": copied(view.xyz, (view.n_point, 3), np.float64),
                              "tets": copied(view.tet, (view.n_tet, 4), np.int32),
                              "vertices": fields, "on_tets": on_tets}
            finally:
                study.ew_view_frame_free(view)
        return self._read

    @property
    def points(self) -> np.ndarray:
        """(n, 3), length."""
        return self._get()["points"]

    @property
    def tets(self) -> np.ndarray:
        """(m, 4), rows of points."""
        return self._get()["tets"]

    @property
    def point_fields(self) -> Dict[str, np.ndarray]:
        """Fields on vertices."""
        return dict(self._get()["vertices"])

    @property
    def tet_fields(self) -> Dict[str, np.ndarray]:
        """Fields on tets."""
        return dict(self._get()["on_tets"])

    @property
    def fields(self) -> Dict[str, np.ndarray]:
        """All fields; where vertices and tets have one of the same name that of the tets."""
        return {**self.point_fields, **self.tet_fields}

    def __repr__(self) -> str:
        return f"<Frame {self.number} '{self.name}'>"


class Result:
    """A result file: steps with their numbers, frames with their fields."""

    def __init__(self, path: str):
        self.path = path
        view = study_ffi.new("ew_result_view *")
        status = study.ew_result_read_view(chars(path), view)
        if status:
            raise named_failure(status, path)
        try:
            self.complete = bool(view.complete)
            self.units = {name: text_of(getattr(view, f"{name}_unit"))
                          for name in ("length", "force", "time")}
            self.steps = [_view_step(view.step[k]) for k in range(view.n_step)]
        finally:
            study.ew_result_view_free(view)
        names = {step.frame: step.name for step in self.steps if step.frame >= 0}
        self.frames = [Frame(self, k, names.get(k, "")) for k in range(len(names))]

    def same_bits(self, other: "Result") -> Optional[str]:
        """None where all data of both files are the same, bit for bit; else what differs first."""
        room = ffi.new("char[256]")
        check(study.ew_result_compare(chars(self.path), chars(other.path), room, 256))
        return text_of(room) or None

    def __repr__(self) -> str:
        return f"<Result {os.path.basename(self.path)}, {len(self.steps)} steps, {len(self.frames)} frames>"


def _numbers(n: int, rows) -> Dict[str, Any]:
    return {text_of(rows[k].name): (rows[k].value[0] if rows[k].n == 1 else
                                    np.array([rows[k].value[i] for i in range(rows[k].n)]))
            for k in range(n)}


def _view_step(step) -> Info:
    sets = {text_of(step.set[k].name): Info(**_numbers(step.set[k].n_number, step.set[k].number))
            for k in range(step.n_set)}
    return Info(name=text_of(step.name), kind=text_of(step.kind), frame=step.frame, sets=sets,
                warnings=text_of(step.warnings).splitlines(),
                numbers=_numbers(step.n_number, step.number))


def read_result(path: PathLike) -> Result:
    """A result file (.vtkhdf) of the program or of Case.run."""
    return Result(os.fspath(path))
