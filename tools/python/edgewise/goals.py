"""Goals: numbers that an answer is wanted for, how far off they are, and how they depend on the body."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, List, Optional, Sequence, Union

import numpy as np

from . import errors
from ._native import check, copied, ffi, lib
from .sets import Set
from .solving import Info, fill_solver, numbers_of

KINDS = ("displacement", "reaction", "compliance", "energy", "stress", "von_mises")
COMPONENTS = ("xx", "yy", "zz", "xy", "yz", "xz")


@dataclass(frozen=True)
class Goal:
    """A number of an answer.

    kind: "displacement" (the mean over a set, or of a vertex), "reaction" (what constraints exert on a
    set), "compliance" (loads times displacement), "energy" (strain energy), "stress" (a component),
    "von_mises" (both the mean over a set, of a tet, or averaged at a vertex). on: a set or its name.
    vertex, tet: a slot, in place of a set. direction: of a displacement or reaction, the part along it
    times its length; None: the magnitude. component: of a stress, "xx", "yy", "zz", "xy", "yz", "xz".
    springs: the forces of springs are part of a reaction."""

    kind: str
    on: Union[Set, str, None] = None
    vertex: Optional[int] = None
    tet: Optional[int] = None
    direction: Optional[Sequence[float]] = None
    component: str = "xx"
    springs: bool = False


class Goals:
    """Goals of a model. Linear bodies with linear or quadratic tets."""

    def _put_goals(self, goals: Sequence[Goal]) -> None:
        listed = ffi.new("ew_goal[]", max(len(goals), 1))
        for place, goal in enumerate(goals):
            if goal.kind not in KINDS or goal.component not in COMPONENTS:
                raise errors.BadArgument(f"a goal has a kind of {', '.join(KINDS)} and a component of "
                                         f"{', '.join(COMPONENTS)}, not {goal.kind!r}, {goal.component!r}")
            made = ffi.new("ew_goal *", lib.ew_default_goal())
            made.kind = KINDS.index(goal.kind)
            made.component = COMPONENTS.index(goal.component)
            made.components = 15 if goal.springs else 7
            if goal.on is not None:
                made.set = (self.sets[goal.on] if isinstance(goal.on, str) else goal.on).number
            made.vertex = -1 if goal.vertex is None else goal.vertex
            made.tet = -1 if goal.tet is None else goal.tet
            made.direction = [0.0] * 3 if goal.direction is None else [float(part) for part in goal.direction]
            listed[place] = made[0]
        check(lib.ew_model_set_goals(self._model, len(goals), listed))

    def evaluate(self, goals: Sequence[Goal], *, tolerance: Optional[float] = None,
                 energy_tolerance: Optional[float] = None) -> List[Info]:
        """Of each goal after a solve: `value`; `corrected`, with what the adjoint adds; `bound`, the
        estimated error of that where both solves had an energy_tolerance, else 0; `adjoint`, (rows, 3);
        and how it was solved for, as `solve` tells. After small edits adjoints are corrected around them."""
        made = ffi.new("ew_pcg_def *", lib.ew_default_pcg_def())
        fill_solver(made, tolerance=tolerance, energy_tolerance=energy_tolerance, max_iterations=None,
                    preconditioner=None, solver=None, precision=None)
        out, found = ffi.new("ew_goal_answer *"), []
        with self._lock:
            self._need_answer()
            self._put_goals(goals)
            for number in range(len(goals)):
                check(lib.ew_model_evaluate_goal(self._model, number, made, out))
                edges = lib.ew_model_edge_rows(self._model)
                rows = len(self.points) + (0 if edges == ffi.NULL else edges.pattern.n_row)
                found.append(Info(value=out.value, corrected=out.corrected, bound=out.bound,
                                  adjoint=copied(out.adjoint, (rows, 3), np.float64),
                                  slope=copied(out.slope, (out.n_slope,), np.float64),
                                  solve=Info(**numbers_of(out.info, ("status", "fallback", "preconditioner")))))
        return found

    def differentiate(self, goals: Sequence[Goal], put: Callable[["Goals", float], None], value: float,
                      step: float, *, tolerance: float = 1e-10) -> np.ndarray:
        """Derivatives of goals by a parameter, (len(goals),), from one solve more for each goal and none
        for the parameter. put(model, value) gives the model this value of it: materials, loads, supports,
        moved vertices, but no other tets. step: by which it is changed both ways. Afterwards the model has
        the value again; solve again for results."""
        answers = self.evaluate(goals, tolerance=tolerance)
        slopes = [ffi.from_buffer("double[]", np.ascontiguousarray(one.slope)) for one in answers]
        adjoints = [ffi.from_buffer("double[]", np.ascontiguousarray(one.adjoint)) for one in answers]
        found = np.zeros(len(goals))
        high, low = value + step, value - step
        try:
            for at, sign in ((high, 1.0), (low, -1.0)):
                put(self, at)
                with self._lock:
                    self._refresh_values()
                    self._change("state")
                    for number, one in enumerate(answers):
                        of, out = ffi.new("ew_goal_answer *"), ffi.new("double *")
                        of.adjoint, of.slope, of.n_slope = adjoints[number], slopes[number], len(one.slope)
                        check(lib.ew_model_goal_lagrangian(self._model, number, of, out))
                        found[number] += sign * out[0] / (high - low)
        finally:
            put(self, value)
        return found
