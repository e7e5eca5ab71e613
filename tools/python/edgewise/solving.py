"""Analyses: statics, nonlinear statics, vibration modes, buckling, topology optimization."""
from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import errors, plugins
from ._native import (Watch, check, copied, ffi, lib, log, text_of, word_place)
from .loads import Load
from .progress import shown

Progress = Union[bool, Callable[[str, float], Any], None]

_MASSES = ("lumped", "consistent")
_PRECISIONS = ("double", "mixed", "single", "auto")


def preconditioner_names() -> List[str]:
    """What `preconditioner` takes."""
    return text_of(lib.EW_PRECONDITIONER_NAMES).split()


def fill_solver(made, *, tolerance: Optional[float] = None,
                energy_tolerance: Optional[float] = None, max_iterations: Optional[int] = None,
                preconditioner: Optional[str] = None, solver: Optional[str] = None,
                precision: Optional[str] = None, expected_solves: Optional[int] = None,
                **unknown: Any) -> None:
    """Options of all analyses into an ew_pcg_def."""
    if unknown:
        raise errors.BadArgument(f"{next(iter(unknown))!r} is none of the options; those of the solver are "
                                 "tolerance, max_iterations, preconditioner, solver, precision, "
                                 "expected_solves")
    if tolerance is not None:
        made.tolerance = tolerance
    if energy_tolerance is not None:
        made.energy_tolerance = energy_tolerance
    if max_iterations is not None:
        made.max_iterations = max_iterations
    if expected_solves is not None:
        made.expected_solves = expected_solves
    if preconditioner is not None:
        made.preconditioner = word_place(text_of(lib.EW_PRECONDITIONER_NAMES), preconditioner,
                                         "preconditioner")
    if solver is not None:
        if word_place(text_of(lib.EW_SOLVER_NAMES), solver, "solver"):
            made.preconditioner = lib.EW_CHOLESKY
            made.direct = plugins.direct_solver("solver='cholesky'")[0]
    if precision is not None:
        made.precision = word_place(" ".join(_PRECISIONS), precision, "precision")


class Info:
    """Numbers of a struct, as attributes and as a dictionary (`asdict`)."""

    def __init__(self, **numbers: Any):
        self.__dict__.update(numbers)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"{name}; there are {', '.join(self.__dict__)}")

    def asdict(self) -> Dict[str, Any]:
        """All of them."""
        return dict(self.__dict__)

    def __repr__(self) -> str:
        parts = (f"{name}={value:.6g}" if isinstance(value, float) else f"{name}={value!r}"
                 for name, value in self.__dict__.items()
                 if isinstance(value, (bool, int, float, str)) and not name.startswith("_"))
        return f"<{type(self).__name__} {', '.join(parts)}>"


def numbers_of(struct, skip: Tuple[str, ...] = ()) -> Dict[str, Any]:
    """Numbers and short arrays of a struct."""
    found: Dict[str, Any] = {}
    for name, field in ffi.typeof(struct).fields if ffi.typeof(struct).kind == "struct" else \
            ffi.typeof(struct).item.fields:
        kind, value = field.type.kind, getattr(struct, name)
        if name in skip or kind not in ("primitive", "enum", "array"):
            continue
        if kind == "array":
            if field.type.item.kind == "primitive":
                found[name] = np.array(list(value))
        else:
            found[name] = value
    return found


class Statics(Info):
    """What a solve came to: iterations, residual (of the loads), seconds, preconditioner, reason,
    limited_by_rounding, history; and `displacement`, (n_vertex_slots, 3), as it was then."""

    displacement: np.ndarray


class Solving:
    """Analyses of a model."""

    # ---- statics

    def solve(self, *, tolerance: Optional[float] = None, energy_tolerance: Optional[float] = None,
              max_iterations: Optional[int] = None, preconditioner: Optional[str] = None, solver: Optional[str] = None,
              precision: Optional[str] = None, progress: Progress = None) -> Statics:
        """Linear statics, from the last displacement on.

        tolerance: residual relative to the loads, default 1e-8. energy_tolerance: after an edit of few
        tets, linear or quadratic, the displacement is corrected around them alone, in well below a millisecond, where its
        estimated error in the energy norm is at most this share (1e-3, say); `is_local` of the result
        tells, `energy_error` is the estimate; of mixed tets all are corrected, to that. preconditioner: "auto", "rigid", "block-jacobi", "jacobi". solver: "cg" or "cholesky" (the package edgewise-cholmod). progress:
        True shows a bar; a function of (stage, share done) is called now and then, and stops the solve
        by returning False (Canceled) or by an exception, which comes out of this call.

        Raises UnderConstrained, NotConverged, BadInput (a set without members, a region without a
        material), ..."""
        made = ffi.new("ew_pcg_def *", lib.ew_default_pcg_def())
        fill_solver(made, tolerance=tolerance, energy_tolerance=energy_tolerance,
                    max_iterations=max_iterations, preconditioner=preconditioner, solver=solver,
                    precision=precision)
        out = ffi.new("const ew_pcg_info **")
        with self._lock, shown(progress) as call:
            self._refresh_values()
            watch = Watch(call)
            made.progress = watch.struct()
            self._change("state", "recovered")
            self._forget_answer()
            watch.check(lib.ew_model_solve(self._model, made, out))
            self._has_answer()
            found = self._statics(out[0])
            self._note("solve", tolerance=made.tolerance,
                       energy_tolerance=made.energy_tolerance, max_iterations=made.max_iterations,
                       preconditioner=made.preconditioner, precision=made.precision,
                       digest=self.digest() if self._journal else None)
        log.info("solve: %d iterations, residual %.3g, %.3g s", found.iterations, found.residual,
                 found.seconds)
        return found

    def solve_cases(self, cases: Sequence[Union[Load, Sequence[Load]]], *, tolerance: Optional[float] = None,
                    max_iterations: Optional[int] = None, preconditioner: Optional[str] = None,
                    solver: Optional[str] = None, precision: Optional[str] = None) -> List[Statics]:
        """Linear statics of one body under several loads, each from rest: a result for each of them, in
        their order, which has a displacement of its own.

        They are iterated side by side, which takes less time than one after the other, and have the bits
        of `solve` from a zero displacement. Options as there. Afterwards the model has the last of them.
        A journal has single solves alone: BadArgument where there is one."""
        if self._journal:
            raise errors.BadArgument("solve_cases: a journal has single solves alone; call `solve` for each of the "
                                     "loads, or end the journal")
        made = ffi.new("ew_pcg_def *", lib.ew_default_pcg_def())
        fill_solver(made, tolerance=tolerance, max_iterations=max_iterations, preconditioner=preconditioner,
                    solver=solver, precision=precision)
        out = ffi.new("const ew_pcg_info **")
        found: List[Statics] = []
        with self._lock:
            lib.ew_model_clear_cases(self._model)
            for loads in cases:
                self.loads = loads
                self._refresh_values()
                check(lib.ew_model_add_case(self._model, True))
            self._change("state", "recovered")
            self._forget_answer()
            check(lib.ew_model_solve_cases(self._model, made))
            for number, loads in enumerate(cases):
                self.loads = loads
                self._refresh_values()
                self._change("state", "recovered")
                self._forget_answer()
                check(lib.ew_model_take_case(self._model, number, made, out))
                self._has_answer()
                one = self._statics(out[0])
                one.displacement = np.array(one.displacement)
                found.append(one)
            lib.ew_model_clear_cases(self._model)
        return found

    def _statics(self, info) -> Statics:
        numbers = numbers_of(info, ("status", "fallback", "preconditioner"))
        numbers["preconditioner"] = text_of(lib.ew_preconditioner_name(info.preconditioner))
        numbers["reason"] = text_of(info.reason)
        numbers["history"] = copied(info.history, (info.n_history,), np.float64)
        return Statics(displacement=self.displacement, **numbers)

    def prepare(self) -> None:
        """What a solve does before its first iteration: for a program that edits while it waits."""
        with self._lock:
            self._refresh_values()
            check(lib.ew_model_prepare(self._model))

    # ---- nonlinear statics

    def solve_nonlinear(self, *, steps: int = 1, tolerance: Optional[float] = None,
                        max_iterations: Optional[int] = None, max_halvings: Optional[int] = None,
                        line_search: bool = True, bound: float = 0.0, duration: float = 0.0,
                        fresh: bool = False,
                        on_step: Optional[Callable[[Info], Any]] = None,
                        progress: Progress = None, **solver: Any) -> Info:
        """Equilibrium by Newton's method, from the displacement as it is, in load steps: of large
        rotations (kinematics = "corotational") and of laws that are not linear.

        tolerance: residual, default 1e-6. duration: time of all load steps, for laws that flow.
        on_step: called after each load step with its numbers (load_factor, n_iteration, residual, ...);
        it stops the solve by returning False or by an exception. **solver: as of `solve`."""
        options = dict(steps=steps, tolerance=tolerance, max_iterations=max_iterations,
                       max_halvings=max_halvings, line_search=line_search, bound=bound, duration=duration,
                       fresh=fresh, **solver)
        made = ffi.new("ew_nonlinear_def *", lib.ew_default_nonlinear_def())
        made.n_step, made.line_search, made.bound, made.duration = steps, line_search, bound, duration
        made.is_fresh = fresh
        for name, value in (("tolerance", tolerance), ("max_iterations", max_iterations),
                            ("max_halvings", max_halvings)):
            if value is not None:
                setattr(made, name, value)
        fill_solver(ffi.addressof(made, "solver"), **solver)
        out = ffi.new("const ew_nonlinear_info **")
        with self._lock, shown(progress) as call:
            self._refresh_values()
            watch = Watch(call)
            made.solver.progress = watch.struct()
            stepper = _Stepper(watch, on_step)
            if on_step is not None:
                made.on_step, made.user = lib.edgewise_python_step, stepper.handle
            self._change("state", "recovered")
            self._forget_answer()
            watch.check(lib.ew_model_solve_nonlinear(self._model, made, out))
            self._has_answer()
            found = Info(displacement=self.displacement, **numbers_of(out[0], ("status",)),
                         history=copied(out[0].history, (out[0].n_history,), np.float64))
            self._note("nonlinear", **options, digest=self.digest() if self._journal else None)
        log.info("nonlinear solve: load factor %.3g, %d iterations, residual %.3g", found.load_factor,
                 found.n_iteration, found.residual)
        return found

    # ---- modes and buckling

    def _modes_def(self, what: str, count: int, mass: str, progress):
        made = ffi.new("ew_modes_def *", lib.ew_default_modes_def())
        made.count = count
        made.mass = word_place(" ".join(_MASSES), mass, "mass")
        made.direct, made.eigen = plugins.direct_solver(what)
        watch = Watch(progress)
        made.progress = watch.struct()
        return made, watch

    def modes(self, count: int = 10, *, mass: str = "consistent", progress: Progress = None) -> Info:
        """Vibration modes, lowest first, with the supports in place: frequencies (n,), 1/time; shapes
        (n, n_vertex_slots, 3); participation, effective masses (n, 3); residuals. Needs the package
        edgewise-cholmod."""
        with self._lock, shown(progress) as call:
            made, watch = self._modes_def("modes", count, mass, call)
            out = ffi.new("const ew_modes **")
            watch.check(lib.ew_model_modes(self._model, made, out))
            modes = out[0]
            n, rows = modes.n, modes.n_row
            shapes = copied(modes.shape, (n, rows, 3), np.float64)
            return Info(n=n, n_rigid=modes.n_rigid, mass=modes.mass,
                        frequencies=copied(modes.frequency, (n,), np.float64),
                        eigenvalues=copied(modes.eigenvalue, (n,), np.float64),
                        shapes=shapes[:, :modes.n_vertex], edge_shapes=shapes[:, modes.n_vertex:],
                        participation=copied(modes.participation, (n, 3), np.float64),
                        effective=copied(modes.effective, (n, 3), np.float64),
                        residuals=copied(modes.residual, (n,), np.float64),
                        orthogonality=modes.orthogonality, seconds=modes.seconds)

    def buckling(self, count: int = 1, *, progress: Progress = None) -> Info:
        """Linear buckling by the stress of the last solve: factors (n,) by which the loads may grow,
        shapes (n, n_vertex_slots, 3), residuals. Needs the package edgewise-cholmod."""
        with self._lock, shown(progress) as call:
            made, watch = self._modes_def("buckling", count, "consistent", call)
            self._recovered()
            out = ffi.new("const ew_buckling **")
            watch.check(lib.ew_model_buckling(self._model, made, out))
            found = out[0]
            n, rows = found.n, found.n_row
            shapes = copied(found.shape, (n, rows, 3), np.float64)
            return Info(n=n, factors=copied(found.factor, (n,), np.float64),
                        shapes=shapes[:, :found.n_vertex], edge_shapes=shapes[:, found.n_vertex:],
                        residuals=copied(found.residual, (n,), np.float64), seconds=found.seconds)

    # ---- topology optimization

    def optimize_topology(self, volume: float, *, rate: Optional[float] = None,
                          radius: Optional[float] = None, until: Optional[float] = None,
                          max_rounds: Optional[int] = None, max_restored: Optional[float] = None,
                          keep: Any = None, on_round: Optional[Callable[[Info], Any]] = None,
                          progress: Progress = None, **solver: Any) -> Info:
        """Removes tets that carry little until a share `volume` of the body is left (BESO, Huang & Xie
        2007), each round an edit and a solve.

        rate: share of the volume that changes a round, default 0.02. radius: length over which
        sensitivities are averaged, 0: twice the mean edge. keep: tets that stay, a set or what add_set
        takes; those that loads act on belong there. on_round: called after each analysis with round,
        n_tet, share, compliance, change, ...; it ends the run by returning False or an exception."""
        options = dict(volume=volume, rate=rate, radius=radius, until=until, max_rounds=max_rounds,
                       max_restored=max_restored, **solver)
        made = ffi.new("ew_removal_def *", lib.ew_default_removal_def())
        made.volume = volume
        for name, value in (("rate", rate), ("radius", radius), ("until", until),
                            ("max_rounds", max_rounds), ("max_restored", max_restored)):
            if value is not None:
                setattr(made, name, value)
        fill_solver(ffi.addressof(made, "solver"), **solver)
        info, kept = ffi.new("ew_removal_info *"), ffi.new("ew_set *")
        try:
            with self._lock, shown(progress) as call:
                if keep is not None:
                    from .sets import members
                    options["keep"] = members(self, keep, "tets")
                    for slot in options["keep"]:
                        check(lib.ew_set_add(kept, int(slot)))
                    made.keep = kept
                before = self._journal._before_edit(self) if self._journal else None
                self._refresh_values()
                watch = Watch(call)
                made.progress = watch.struct()
                stepper = _Stepper(watch, on_round)
                if on_round is not None:
                    made.on_round, made.user = lib.edgewise_python_round, stepper.handle
                self._change()
                self._forget_answer()
                revision = self.revision
                try:
                    watch.check(lib.ew_removal_run(self._model, made, info))
                except BaseException:
                    if self.revision != revision:
                        self._note("stopped topology")
                    raise
                self._has_answer()
                if self._journal is not None:
                    self._journal._note_edit("topology", dict(options, digest=self.digest()), before)
        finally:
            lib.ew_set_free(kept)
        ends = ("settled", "max rounds", "fell apart")
        return Info(end=ends[info.end], radius=info.radius, **numbers_of(info.last))

    # ---- whether there is an answer

    def _forget_answer(self) -> None:
        self._answered = False

    def _has_answer(self) -> None:
        self._answered = True

    _answered = False


class _Stepper:
    """A callback between load steps or rounds; its exception comes out of the call."""

    def __init__(self, watch: Watch, function: Optional[Callable[[Info], Any]]):
        self.watch, self.function = watch, function
        self.handle = ffi.new_handle(self)

    def call(self, info) -> int:
        try:
            if self.function is not None and self.function(Info(**numbers_of(info, ("status",)))) is False:
                self.watch.stopped = True
                lib.ew_fail_text(lib.EW_CANCELED, ffi.new("char[]", b"stopped by the callback"))
                return lib.EW_CANCELED
            return lib.EW_OK
        except BaseException as error:
            self.watch.error = error
            lib.ew_fail_text(lib.EW_CANCELED, ffi.new("char[]", b"stopped by an exception"))
            return lib.EW_CANCELED


@ffi.def_extern(name="edgewise_python_step", error=lib.EW_CANCELED)
def _step(user, info):
    return ffi.from_handle(user).call(info)


@ffi.def_extern(name="edgewise_python_round", error=lib.EW_CANCELED)
def _round(user, info):
    return ffi.from_handle(user).call(info)
