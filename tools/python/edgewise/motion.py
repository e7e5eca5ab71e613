"""Motion in time."""
from __future__ import annotations

from typing import Any, Iterator, Optional

import numpy as np

from . import errors
from ._native import Watch, check, copied, ffi, lib, log, real_array, text_of, word_place
from .progress import shown
from .solving import _MASSES, Info, Progress, fill_solver, numbers_of


def scheme_names() -> list:
    """What `scheme` takes."""
    return [text_of(lib.ew_scheme_of(kind).name) for kind in range(lib.EW_SCHEME_COUNT)]


class Motion:
    """The motion of a model from a start on; edits, other loads and supports may come between steps."""

    def __init__(self, model: Any):
        self._model = model

    @property
    def time(self) -> float:
        """Time reached."""
        return lib.ew_model_time(self._model._model)

    def advance(self, dt: float, steps: int = 1, progress: Progress = None) -> Info:
        """Steps of length dt. Raises BadInput above the stable step of an explicit scheme; a step that
        fails leaves the state before it. The numbers are those of the last step."""
        model, out = self._model, ffi.new("const ew_advance_info **")
        with model._lock, shown(progress) as call:
            watch = model._watch_of_motion
            watch.progress, watch.error = call, None
            for step in range(steps):
                model._refresh_values()
                model._change("state", "recovered")
                model._forget_answer()
                watch.check(lib.ew_model_advance(model._model, dt, out))
                model._has_answer()
                model._note("advance", dt=dt, digest=model.digest() if model._journal else None)
                if call is not None and call("motion", (step + 1) / steps) is False:
                    raise errors.Canceled("stopped by the callback")
            info = out[0]
            numbers = numbers_of(info)
            if info.solver != ffi.NULL:
                numbers["iterations"] = info.solver.iterations
            return Info(time=self.time, **numbers)

    def run(self, dt: float, end: float) -> Iterator[float]:
        """Steps until `end`, one at a time: ``for t in motion.run(1e-4, 0.1): ...``."""
        while self.time < end - 1e-9 * dt:
            self.advance(min(dt, end - self.time))
            yield self.time

    def stable_step(self) -> float:
        """No step up to this one is unstable; inf: all are stable."""
        dt = ffi.new("double *")
        with self._model._lock:
            check(lib.ew_model_stable_step(self._model._model, dt))
        return dt[0]

    def account(self) -> Info:
        """Energies, work and momenta: kinetic, strain, external_work, damping_work, friction_work, edit_work, balance,
        linear_momentum, angular_momentum, ... Sums of work need start_motion(account=True)."""
        made = ffi.new("ew_energy_account *")
        with self._model._lock:
            check(lib.ew_model_account(self._model._model, made))
        return Info(**numbers_of(made))

    def reaction(self, set_: Any) -> np.ndarray:
        """What all supports of a set exert at this time, (3,)."""
        force = ffi.new("double[3]")
        model = self._model
        with model._lock:
            check(lib.ew_model_reaction_of(model._model, model._set_number(set_), force))
        return np.array(list(force))

    def stop(self) -> None:
        """Gives the memory of matrices and vectors back; the state stays."""
        with self._model._lock:
            lib.ew_model_stop_dynamics(self._model._model)

    def __repr__(self) -> str:
        return f"<Motion at time {self.time:g}>"


class Motions:
    """Motion of a model."""

    def start_motion(self, scheme: str = "newmark", *, time: float = 0.0, mass: str = "lumped",
                     damping_mass: float = 0.0, damping_stiffness: float = 0.0, account: bool = False,
                     newton_tolerance: Optional[float] = None, newton_iterations: Optional[int] = None,
                     newton_halvings: Optional[int] = None, beta: Optional[float] = None,
                     gamma: Optional[float] = None, alpha: Optional[float] = None,
                     spectral_radius: Optional[float] = None, **solver: Any) -> Motion:
        """From the displacement and the velocity in place: see `velocity`. scheme: one of
        edgewise.motion.scheme_names(); damping C = damping_mass M + damping_stiffness K; **solver: as
        of `solve`. Every region needs a density."""
        options = {name: value for name, value in locals().items() if name not in ("self", "solver")}
        options.update(solver)
        made = ffi.new("ew_dynamics_def *", lib.ew_default_dynamics_def())
        names = scheme_names()
        if scheme not in names:
            raise errors.BadArgument(f"scheme: {scheme!r} is none of {', '.join(names)}")
        made.scheme = names.index(scheme)
        made.mass = word_place(" ".join(_MASSES), mass, "mass")
        made.damping_mass, made.damping_stiffness, made.account = damping_mass, damping_stiffness, account
        for name, value in (("newton_tolerance", newton_tolerance),
                            ("newton_iterations", newton_iterations),
                            ("newton_halvings", newton_halvings)):
            if value is not None:
                setattr(made, name, value)
        for name, value in (("beta", beta), ("gamma", gamma), ("alpha", alpha),
                            ("spectral_radius", spectral_radius)):
            if value is not None:
                setattr(made.parameters, name, value)
        fill_solver(ffi.addressof(made, "solver"), **solver)
        watch = Watch(None)
        made.solver.progress = watch.struct()
        with self._lock:
            self._refresh_values()
            self._change("state", "recovered")
            check(lib.ew_model_start_dynamics(self._model, made, time))
            self._note("start_motion", **options)
        self._watch_of_motion = watch  # the library keeps the address
        log.info("motion: %s from time %g", scheme, time)
        return Motion(self)

    @property
    def motion(self) -> Motion:
        """The motion that was started last, also by a replay."""
        if getattr(self, "_watch_of_motion", None) is None:
            raise errors.Stale("motion: there is none; call start_motion")
        return Motion(self)

    def _state_array(self, call) -> np.ndarray:
        with self._lock:
            array = call(self._model)
            if array == ffi.NULL:
                raise errors.NoMemory("out of memory")
            return copied(array, (len(self.points), 3), np.float64)

    def _put_state(self, call, values: Any, what: str) -> None:
        array = real_array(values, (len(self.points), 3), what)
        with self._lock:
            self._change("state")
            ffi.memmove(call(self._model), ffi.from_buffer(array), array.nbytes)
            self._forget_answer()
            self._note("state", what=what, values=array)

    @property
    def velocity(self) -> np.ndarray:
        """(n_vertex_slots, 3), length / time; a copy. Set it before start_motion."""
        return self._state_array(lib.ew_model_velocity)

    @velocity.setter
    def velocity(self, values: Any) -> None:
        self._put_state(lib.ew_model_velocity, values, "velocity")

    @property
    def acceleration(self) -> np.ndarray:
        """(n_vertex_slots, 3), length / time^2; a copy."""
        return self._state_array(lib.ew_model_acceleration)

    def set_displacement(self, values: Any) -> None:
        """A displacement in place of the one there is, (n_vertex_slots, 3): where a solve or a motion
        starts from."""
        self._put_state(lambda model: lib.ew_model_field(model, 0), values, "displacement")
