"""Case files (YAML): steps run one by one or all together, sweeps and searches; and result files.

>>> case = Case("datasets/bracket.yaml", parameters={"load": 500.0})
>>> result = case.run("bracket")            # as the program: bracket.vtkhdf, bracket.xdmf
>>> result.frames[-1].fields["von_mises"]
>>> with case.start() as study:             # or step by step
...     for step in study:
...         print(step.name, study.model.sums.max_von_mises)

The library of case files is part of the package, so that steps share the process with NumPy and a model
can be looked at between them; it needs HDF5 and libyaml when the package is built."""
from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from typing import Any, Callable, Dict, Iterator, List, Optional

import numpy as np

from . import errors, plugins
from ._native import NULL, Leases, Lock, check, chars, copied, failure, ffi, lib, log, text_of, word_place
from .files import Groups, Owner, PathLike, fill_text, named_failure, path_chars, read_bytes
from .mesh import Mesh, MeshArrays
from .progress import shown
from .result_files import Result, read_result, study, study_ffi
from .results import Results
from .show import Shown
from .solving import _PRECISIONS, Info, Progress, numbers_of
from .surface import Surface


# ---- files that a case names ---------------------------------------------------------------------

class _Files:
    """What the library asks for while it reads and runs a case. Exceptions wait until the call ends."""

    def __init__(self, folder: str):
        self.folder = folder
        self.error: Optional[BaseException] = None
        self.groups: Optional[Groups] = None
        self.mesh: Optional[Mesh] = None
        self.on_step: Optional[Callable[[Any], Any]] = None
        self.progress: Optional[Callable[[str, float], Any]] = None
        self.handle = study_ffi.new_handle(self)

    def path(self, name) -> str:
        return os.path.join(self.folder, text_of(name))

    def guard(self, call: Callable[[], None]) -> int:
        try:
            call()
            return lib.EW_OK
        except errors.EdgewiseError as error:
            self.error = error
            lib.ew_fail_text(error.status or lib.EW_UNSUPPORTED, chars(str(error)))
            return error.status or lib.EW_UNSUPPORTED
        except BaseException as error:
            self.error = error
            lib.ew_fail_text(lib.EW_CANCELED, chars(f"{type(error).__name__}: {error}"))
            return lib.EW_CANCELED

    def load_mesh(self, case) -> Mesh:
        """The mesh that the case names, with its groups."""
        if self.mesh is None:
            name = case.mesh_file or case.surface_file
            path = self.path(name)
            if not case.mesh_file:
                self.mesh = _filled(path, case.tetgen)
            elif lib.ew_cad_reads(case.mesh_file):
                self.mesh = _of_cad(path, case.cad)
            else:
                self.mesh = Mesh.read(path)
            study.ew_case_convert_mesh(case, self.mesh._struct())
            self.groups = self.mesh.groups
            geometry = ffi.addressof(self.groups.struct[0], "geometry")
            if geometry.n == 0:  # a CAD file has its own
                check(lib.ew_geometry_measure(self.mesh._struct(), geometry))
        return self.mesh

    def check(self, status: int, path: Optional[str] = None) -> None:
        error, self.error = self.error, None
        if status:
            if error is not None:
                raise error
            raise named_failure(status, path) if path else failure(status)
        if error is not None:
            raise error


def _filled(path: str, definition) -> Mesh:
    surface, struct = Surface.read(path), ffi.new("ew_mesh *")
    made = ffi.new("ew_tetgen_def *", definition)
    status = plugins.tetgen_mesh(path)(struct, surface.struct, made, NULL)
    if status:
        raise named_failure(status, path)
    return Mesh._of(struct, surface.groups)


def _of_cad(path: str, definition) -> Mesh:
    made, program = ffi.new("ew_cad_def *", definition), chars(plugins.gmsh_program(path))
    made.program = program
    struct, groups = ffi.new("ew_mesh *"), Groups()
    status = lib.ew_cad_read(struct, groups.struct, chars(path), made, NULL, NULL)
    if status:
        raise named_failure(status, path)
    return Mesh._of(struct, groups)


@study_ffi.def_extern(name="edgewise_read_groups", error=lib.EW_CANCELED)
def _read_groups(user, case, out):
    files = study_ffi.from_handle(user)

    def call():
        if files.groups is None:
            if case.mesh_file:
                files.load_mesh(case)
            else:
                surface = Surface.read(files.path(case.surface_file))
                files.groups = surface.groups
                check(lib.ew_geometry_of_surface(surface.struct, case.mesh_factor / case.mesh_divisor,
                                                 ffi.addressof(files.groups.struct[0], "geometry")))
        out[0] = files.groups.struct
    return files.guard(call)


@study_ffi.def_extern(name="edgewise_read_mesh", error=lib.EW_CANCELED)
def _read_mesh(user, name, out):
    files = study_ffi.from_handle(user)

    def call():
        struct = Mesh.read(files.path(name))._take()
        ffi.memmove(out, struct, ffi.sizeof("ew_mesh"))
    return files.guard(call)


@study_ffi.def_extern(name="edgewise_read_surface", error=lib.EW_CANCELED)
def _read_surface(user, name, out):
    files = study_ffi.from_handle(user)

    def call():
        check(lib.ew_polygons_read(path_chars(files.path(name)), out))
    return files.guard(call)


@study_ffi.def_extern(name="edgewise_read_text", error=lib.EW_CANCELED)
def _read_text(user, name, out):
    files = study_ffi.from_handle(user)
    return files.guard(lambda: check(fill_text(out, read_bytes(files.path(name)))))


@study_ffi.def_extern(name="edgewise_read_frame", error=lib.EW_CANCELED)
def _read_frame(user, name, number, fields, out):
    files = study_ffi.from_handle(user)

    def call():
        path = files.path(name)
        n = len(read_result(path).frames)
        if number >= n:
            raise errors.BadInput(f"{path} has the frames 0 to {n - 1}, and no frame {number}")
        check(study.ew_result_read_frame(chars(path), n - 1 if number < 0 else number, fields, out))
    return files.guard(call)


@study_ffi.def_extern(name="edgewise_on_step")
def _on_step(user, report):
    files = study_ffi.from_handle(user)
    try:
        if files.on_step is not None:
            files.on_step(_step_of(report))
    except BaseException as error:
        files.error = files.error or error


@study_ffi.def_extern(name="edgewise_study_progress", error=False)
def _progress(user, stage, done):
    files = study_ffi.from_handle(user)
    if files.error is not None:
        return False
    try:
        return files.progress is None or files.progress(text_of(stage), done) is not False
    except BaseException as error:
        files.error = error
        return False


# ---- what a step came to -------------------------------------------------------------------------

def _step_of(report) -> Info:
    """Numbers of a step, copied: name, sums, solver, estimate, fatigue, edits, sets, loads, warnings."""
    skip = ("step", "n_set", "n_parameter", "n_edit", "n_warning", "n_load", "n_surface")
    numbers = numbers_of(report, skip)
    numbers["name"] = text_of(report.name)
    numbers["parameters"] = {text_of(report.parameter[k].name): report.parameter[k].value
                             for k in range(report.n_parameter)}
    numbers["failure"] = text_of(report.failure) if report.failure else None
    numbers["warnings"] = [text_of(report.warning[k].text) for k in range(report.n_warning)]
    for name in ("sums", "solver", "estimate", "adequacy", "nonlinear", "fatigue"):
        struct = getattr(report, name)
        numbers[name] = Info(**numbers_of(struct)) if struct != NULL else None
    numbers["edits"] = [Info(kind=text_of(report.edit[k].kind), **numbers_of(report.edit[k]))
                        for k in range(report.n_edit)]
    if report.motion != NULL:
        numbers["motion"] = Info(account=Info(**numbers_of(report.motion.account)),
                                 **numbers_of(report.motion))
    if report.modes != NULL:
        numbers["frequency"] = report.modes.frequency[report.mode]
    if report.buckling != NULL:
        numbers["factor"] = report.buckling.factor[report.mode]
    return Info(**numbers)


class StudyModel(MeshArrays, Results, Shown):
    """The model of a study between its steps, to be looked at: arrays, results, pictures."""

    def __init__(self, running: "Study"):
        self._running = running
        self._lock = running._lock
        self._answered = True
        self.fields: Dict[str, Any] = {}
        self.sets: Dict[str, Any] = {}
        MeshArrays.__init__(self, Leases(running._owner))

    @property
    def _model(self):
        if self._running._owner is None:
            raise errors.Stale("the study is closed")
        return study.ew_study_model(self._running._owner.struct)

    @property
    def closed(self) -> bool:
        """Whether the study is closed."""
        return self._running._owner is None

    @property
    def revision(self) -> int:
        """A number that each edit adds to."""
        return self._struct().revision

    def _struct(self):
        return lib.ew_model_mesh(self._model)

    def _change(self, *groups: str) -> None:
        self._leases.detach(*groups)

    def _give_field(self, number: int):
        def give():
            check(lib.ew_model_give_field(self._model, lib.ew_model_view_field(self._model, number)))
        return give

    @property
    def boundary(self) -> np.ndarray:
        """Corners of the boundary's faces, (n, 3)."""
        from .sets import face_corners
        with self._lock:
            out = ffi.new("const ew_boundary **")
            check(lib.ew_model_boundary(self._model, out))
            codes = copied(out[0].code, (out[0].n_slot,), np.int32)
            return face_corners(self.tets, np.sort(codes[codes >= 0]))

    def __repr__(self) -> str:
        return f"<StudyModel of {self.n_tets:,} tets, {self.n_vertices:,} vertices>"


# ---- cases ---------------------------------------------------------------------------------------

class Case:
    """A case file, read and checked.

    path: of the file; other files are relative to its folder. text: the case itself, in place of what
    the file holds. parameters: other values of numbers that the case names under `parameters:`."""

    def __init__(self, path: Optional[PathLike] = None, *, text: Optional[str] = None,
                 parameters: Optional[Dict[str, float]] = None):
        if path is None and text is None:
            raise errors.BadArgument("Case: give the path of a file, or a text")
        self.path = os.path.abspath(path) if path is not None else os.path.join(os.getcwd(), "case")
        self.text = text if text is not None else read_bytes(self.path).decode("utf-8", "replace")
        self._files = _Files(os.path.dirname(self.path))
        self._case = self._read(None)
        if parameters:
            names = list(self.parameters)
            unknown = [one for one in parameters if one not in names]
            if unknown:
                raise errors.BadInput(f"{self.path}: parameters: {unknown[0]!r} is none of "
                                      f"{', '.join(names) or 'none'}")
            self._case = self._read([parameters.get(name, np.nan) for name in names])
        self._files.check(study.ew_case_plan(self._case, study.edgewise_read_text, self._files.handle),
                          self.path)

    def _read(self, values: Optional[List[float]]):
        made, data = study_ffi.new("ew_case_def *"), self.text.encode()
        made.user, made.read_groups = self._files.handle, study.edgewise_read_groups
        if values is not None:
            kept = ffi.new("double[]", [float(one) for one in values])
            made.n_value, made.value = len(values), kept
        case = study_ffi.new("ew_case *")
        self._files.check(study.ew_case_read_with(data, len(data), made, case), self.path)
        return study_ffi.gc(case, study.ew_case_free)

    @property
    def steps(self) -> List[str]:
        """Names of its steps."""
        return [text_of(self._case.step[k].name) for k in range(self._case.n_step)]

    @property
    def sets(self) -> List[str]:
        """Names of its sets."""
        return [text_of(self._case.set[k].name) for k in range(self._case.n_set)
                if not self._case.set[k].is_unnamed]

    @property
    def notes(self) -> List[str]:
        """What reading it found worth telling: faces that have changed since their geometry was written."""
        return [text_of(self._case.note[k]) for k in range(self._case.n_note)]

    @property
    def parameters(self) -> Dict[str, float]:
        """Numbers that the case names."""
        return {text_of(self._case.parameter[k].name): self._case.parameter[k].value
                for k in range(self._case.n_parameter)}

    @property
    def units(self) -> Dict[str, str]:
        """Labels of length, force and time."""
        return {name: text_of(getattr(self._case, f"{name}_unit"))
                for name in ("length", "force", "time")}

    @property
    def is_sweep(self) -> bool:
        """Whether it has a sweep or a search."""
        return self._case.sweep != NULL

    # ---- running

    def run(self, output: Optional[str] = None, *, on_step: Optional[Callable[[Info], Any]] = None,
            progress: Progress = None, jobs: int = 1, verify_rebuild: bool = False,
            precision: str = "auto") -> "Result":
        """All steps, of a sweep or a search of all combinations. output: name of the results without
        ending, which become output.vtkhdf and output.xdmf as the program writes them; without it they
        are kept for this process. on_step: called after each step with its numbers; an exception stops
        the run. jobs: combinations of a sweep that are computed side by side."""
        files = self._fresh_files()
        folder = None if output else tempfile.mkdtemp(prefix="edgewise-")
        name = output or os.path.join(folder or "", "result")
        try:
            with shown(progress) as call:
                files.on_step, files.progress = on_step, call
                self._run(files, name, jobs, verify_rebuild, precision)
            log.info("%s: %d steps run", self.path, len(self.steps))
            found = read_result(name + ".vtkhdf")
        except BaseException:
            shutil.rmtree(folder or "", ignore_errors=True)
            raise
        if folder:
            weakref.finalize(found, shutil.rmtree, folder, ignore_errors=True)
        return found

    def _run(self, files: _Files, name: str, jobs: int, verify_rebuild: bool, precision: str) -> None:
        made = self._definition(files, verify_rebuild, precision)
        made.n_job = jobs
        struct = files.load_mesh(self._case)._take()
        result = NULL
        try:
            result = self._open_result(name, made, struct, precision)
            files.check(study.ew_study_run(self._case, struct, made, result, NULL), self.path)
            ended, result = result, NULL
            check(study.ew_result_finish(ended))
        finally:
            study.ew_result_discard(result)
            lib.ew_mesh_free(struct)

    def start(self, *, progress: Optional[Callable[[str, float], Any]] = None) -> "Study":
        """A study whose steps are run one by one. Of cases without sweeps."""
        if self.is_sweep:
            raise errors.Unsupported(f"{self.path}: has a sweep, whose combinations run together: `run`; or "
                                     "give the values as parameters")
        return Study(self, progress)

    def _fresh_files(self) -> _Files:
        files = _Files(self._files.folder)
        if self._files.mesh is not None:  # read for its names
            files.mesh = self._files.mesh.copy()
            files.groups = files.mesh.groups
        return files

    def _definition(self, files: _Files, verify: bool, precision: str):
        made = study_ffi.new("ew_study_def *", study.ew_default_study_def())
        made.precision = word_place(" ".join(_PRECISIONS), precision, "precision")
        made.verify_rebuild = verify
        if self._needs_direct() or plugins.find("cholmod"):
            made.direct, eigen = plugins.direct_solver(f"{self.path}: modes, buckling or cholesky")
            made.eigen = study_ffi.cast("ew_eigen_call *", ffi.cast("intptr_t", eigen))
        if self._needs_fill():
            fill = plugins.filler(f"{self.path}: remesh")
            made.fill = study_ffi.cast("ew_fill_function", ffi.cast("intptr_t", fill))
        made.user = made.progress.user = files.handle
        made.progress.call = study.edgewise_study_progress
        made.on_step = study.edgewise_on_step
        for name in ("read_mesh", "read_surface", "read_text", "read_frame"):
            setattr(made, name, getattr(study, "edgewise_" + name))
        return made

    def _steps(self):
        return [self._case.step[k] for k in range(self._case.n_step)]

    def _needs_direct(self) -> bool:
        return any(one.n_mode or one.preconditioner == lib.EW_CHOLESKY or (
            one.dynamic != NULL and getattr(one.dynamic, "def").solver.preconditioner == lib.EW_CHOLESKY)
            for one in self._steps())

    def _needs_fill(self) -> bool:
        return any(text_of(one.edit[e].operation.name) == "remesh"
                   for one in self._steps() for e in range(one.n_edit))

    def _open_result(self, name: str, definition, mesh, precision: str):
        made, out = study_ffi.new("ew_result_def *"), study_ffi.new("ew_result **")
        is_quadratic = study.ew_study_begins_quadratic(definition, self._case, mesh, NULL)
        elements = "quadratic" if is_quadratic else "mixed" if self._case.mixed else "linear"
        kept = [chars(one) for one in (name, self.path, "host", precision, elements)]
        made.name, made.case_path, made.device, made.precision, made.elements = kept
        made.case_text = self._case.text
        made.length_unit, made.force_unit, made.time_unit = (
            self._case.length_unit, self._case.force_unit, self._case.time_unit)
        made.single_fields = self._case.output.single
        check(study.ew_result_create(out, made))
        return out[0]

    def __repr__(self) -> str:
        return f"<Case {os.path.basename(self.path)}, steps {', '.join(self.steps)}>"


class Study:
    """A case whose steps are run one by one; iterate over it, or call `step`."""

    def __init__(self, case: Case, progress: Optional[Callable[[str, float], Any]]):
        self._lock = Lock()
        self._case = case
        self._files = case._fresh_files()
        self._files.progress = progress
        self._made = case._definition(self._files, False, "auto")
        self._last: List[Info] = []
        self._files.on_step = self._last.append
        struct = self._files.load_mesh(case._case)._take()
        out = study_ffi.new("ew_study **")
        status = study.ew_study_create(out, case._case, struct, self._made, NULL, NULL)
        if status:
            lib.ew_mesh_free(struct)
        self._files.check(status, case.path)
        self._owner: Optional[Owner] = Owner(out[0], study.ew_study_free)
        self.model = StudyModel(self)

    @property
    def n_done(self) -> int:
        """Steps that are done."""
        return study.ew_study_n_done(self._need())

    def _need(self):
        if self._owner is None:
            raise errors.Stale("the study is closed")
        return self._owner.struct

    def step(self) -> Info:
        """Runs the next step; its numbers."""
        with self._lock:
            if self.n_done >= len(self._case.steps):
                raise errors.BadArgument("study: all steps are done")
            self.model._leases.detach()
            del self._last[:]
            self._files.check(study.ew_study_next(self._need()), self._case.path)
            return self._last[-1]

    def __iter__(self) -> Iterator[Info]:
        while self.n_done < len(self._case.steps):
            yield self.step()

    def close(self) -> None:
        """Releases the memory; arrays stay as they are."""
        with self._lock:
            if self._owner is not None:
                self.model._leases.detach()
                self.model._leases = Leases(None)
                self._owner = None

    def __enter__(self) -> "Study":
        return self

    def __exit__(self, *exception) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Study of {os.path.basename(self._case.path)}>"
