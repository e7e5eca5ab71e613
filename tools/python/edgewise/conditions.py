"""Loads, supports and equations of a model, also as NumPy fields."""
from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import errors
from ._native import check, copied, ffi, lib, real_array
from .loads import (Amplitude, Contact, Coupling, Equation, Load, Reference, Support, Tie, fill_constraint,
                    fill_contact, fill_coupling, fill_equation, fill_load, fill_spring, fill_tie)

# Of loads and supports given as values by vertex: numbers a vertex, rule of new vertices.
_VALUES = {"FORCES": (3, "zero"), "TEMPERATURE": (1, "mean"), "PRESSURES": (1, "mean"),
           "TRACTIONS": (3, "mean"), "DISPLACEMENTS": (3, "mean"), "STIFFNESS": (3, "mean")}


_KIND_OF_VALUES = {"FORCES": "FIELD", "PRESSURES": "PRESSURE", "TRACTIONS": "TRACTION"}


class _Values:
    """Values of a load or a support, which the library reads as a field of the model."""

    def __init__(self, kind: str, set_: Any, values: Any):
        self.kind, self.set, self.source = kind, set_, values
        self.function = values if callable(values) else None
        self.width, self.rule = _VALUES[kind]
        self.field = 0  # that the library reads
        self.revision = -1


class Conditions:
    """Loads, supports and equations."""

    def _start_conditions(self) -> None:
        self._materials: Dict[Optional[int], Any] = {}
        self._order = "linear"
        self._loads: Tuple[Load, ...] = ()
        self._supports: Tuple[Support, ...] = ()
        self._equations: Tuple[Equation, ...] = ()
        self._couplings: Tuple[Coupling, ...] = ()
        self._ties: Tuple[Tie, ...] = ()
        self._contacts: Tuple[Contact, ...] = ()
        self._values: Dict[str, List[_Values]] = {"loads": [], "supports": []}
        self._amplitudes: List[Amplitude] = []
        self._kept_loads: List[Any] = []
        self._spare_fields: Dict[Tuple[int, str], List[int]] = {}
        self._constraint_rows: Any = None

    @property
    def loads(self) -> Tuple[Load, ...]:
        """The loads; set a list of them in place of those before. See edgewise.loads."""
        return self._loads

    @loads.setter
    def loads(self, loads: Union[Load, Sequence[Load]]) -> None:
        self._set_conditions(_listed(loads, Load, "loads"), self._supports)

    @property
    def supports(self) -> Tuple[Support, ...]:
        """The supports; set a list of them in place of those before. See edgewise.loads."""
        return self._supports

    @supports.setter
    def supports(self, supports: Union[Support, Sequence[Support]]) -> None:
        self._set_conditions(self._loads, _listed(supports, Support, "supports"))

    def _put(self, name: str, every: Tuple[Any, ...], fill: Callable[..., Any]) -> None:
        """A list of this name in place of those before, filled row by row; `kept` owns what rows point to."""
        with self._lock:
            rows = ffi.new(f"ew_model_{'tie' if name == 'ties' else name[:-1]}[]", len(every))
            kept = [fill(one, row, self._set_number) for one, row in zip(every, rows)]
            check(getattr(lib, f"ew_model_set_{name}")(self._model, len(rows), rows))
            del kept
            setattr(self, f"_{name}", every)
            self._note(name, **{name: every})
            self._forget_answer()

    @property
    def equations(self) -> Tuple[Equation, ...]:
        """Linear equations between displacements; set a list of them in place of those before. Those
        that contradict one another or supports are refused by the next analysis."""
        return self._equations

    @equations.setter
    def equations(self, equations: Union[Equation, Sequence[Equation]]) -> None:
        self._put("equations", _listed(equations, Equation, "equations"), fill_equation)

    @property
    def equation_forces(self) -> np.ndarray:
        """Forces by which equations act on vertices, (n_vertex_slots, 3), of the last analysis; a copy."""
        with self._lock:
            self._recovered()
            force = lib.ew_model_view_equations(self._model).force
            shape = (len(self.points), 3)
            return np.zeros(shape) if force == ffi.NULL else copied(force, shape, np.float64)

    @property
    def couplings(self) -> Tuple[Coupling, ...]:
        """Sets that move with a reference point; set a list of them in place of those before."""
        return self._couplings

    @couplings.setter
    def couplings(self, couplings: Union[Coupling, Sequence[Coupling]]) -> None:
        self._put("couplings", _listed(couplings, Coupling, "couplings"), fill_coupling)

    @property
    def references(self) -> List[Reference]:
        """How the references of the couplings moved in the last analysis."""
        with self._lock:
            self._recovered()
            made = []
            for place in range(len(self._couplings)):
                report = ffi.new("ew_model_coupling_report *")
                check(lib.ew_model_view_coupling(self._model, place, report))
                motion, reaction = np.array(list(report.motion)), np.array(list(report.reaction))
                made.append(Reference(motion[:3], motion[3:], reaction[:3], reaction[3:]))
            return made

    @property
    def ties(self) -> Tuple[Tie, ...]:
        """Faces that move with others as one body; set a list of them in place of those before."""
        return self._ties

    @ties.setter
    def ties(self, ties: Union[Tie, Sequence[Tie]]) -> None:
        self._put("ties", _listed(ties, Tie, "ties"), fill_tie)

    def tie_results(self, tie: int = 0) -> Dict[str, Any]:
        """Of a tie by its place, of the last analysis: n_point (slave vertices that are tied), n_free (that meet
        no master), covered, whole (areas of the slave), min_gap, max_gap, force (of the masters on the
        slaves), normal (of the slave), shortening (by which the sides moved over one another along it)."""
        report = ffi.new("ew_model_tie_report *")
        with self._lock:
            self._recovered()
            check(lib.ew_model_view_tie(self._model, tie, report))
        names = ("n_point", "n_free", "covered", "whole", "min_gap", "max_gap", "shortening")
        return {"force": np.array(list(report.force)), "normal": np.array(list(report.normal)), **{name: getattr(report, name) for name in names}}

    @property
    def contacts(self) -> Tuple[Contact, ...]:
        """What may touch what in `solve`; set a list of them in place of those before."""
        return self._contacts

    @contacts.setter
    def contacts(self, contacts: Union[Contact, Sequence[Contact]]) -> None:
        self._put("contacts", _listed(contacts, Contact, "contacts"), fill_contact)

    def contact_results(self, contact: int = 0) -> Dict[str, Any]:
        """Of a contact by its place, of the last analysis: n_point, n_closed, area, covered, force (of the
        masters on the slaves), moment (of a rigid body, about the origin), normal_force, max_pressure, min_gap, overlap, wide_overlap (of faces too wide beside the
        curvature of the other side), wide_size, n_round, n_change (rounds of the solve, changes of the point that took turns most often); with friction n_slip, friction_force,
        max_slip."""
        report = ffi.new("ew_model_contact_report *")
        with self._lock:
            self._recovered()
            check(lib.ew_model_view_contact(self._model, contact, report))
        names = ("n_point", "n_closed", "area", "covered", "normal_force", "max_pressure", "min_gap", "overlap",
                 "wide_overlap", "wide_size", "n_round", "n_change", "n_slip", "friction_force", "max_slip")
        return {"force": np.array(list(report.force)), "moment": np.array(list(report.moment)), **{name: getattr(report, name) for name in names}}

    def _contact_field(self, field: int, *width: int) -> np.ndarray:
        with self._lock:
            self._recovered()
            found, shape = lib.ew_model_contact_field(self._model, field), (len(self.points), *width)
            return np.zeros(shape) if found == ffi.NULL else copied(found, shape, np.float64)

    @property
    def contact_pressure(self) -> np.ndarray:
        """Pressure of contact on vertices of slaves, 0 elsewhere, (n_vertex_slots,), of the last analysis; a
        copy."""
        return self._contact_field(lib.EW_CONTACT_PRESSURE)

    @property
    def contact_status(self) -> np.ndarray:
        """0: no slave, 1: open, 2: closed, 3: closed, and slides, (n_vertex_slots,); a copy."""
        return self._contact_field(lib.EW_CONTACT_STATUS)

    @property
    def contact_traction(self) -> np.ndarray:
        """Tangential traction of masters on slaves, (n_vertex_slots, 3); a copy."""
        return self._contact_field(lib.EW_CONTACT_TRACTION, 3)

    @property
    def contact_slip(self) -> np.ndarray:
        """How far slaves slid over masters in the last solve, (n_vertex_slots, 3); a copy."""
        return self._contact_field(lib.EW_CONTACT_SLIP, 3)

    def add_load(self, *loads: Load) -> None:
        """More loads."""
        self.loads = (*self._loads, *loads)

    def add_support(self, *supports: Support) -> None:
        """More supports."""
        self.supports = (*self._supports, *supports)

    def resultant(self, load: Union[int, Load]) -> Tuple[np.ndarray, np.ndarray]:
        """(force, moment about the origin) of a load, by its place in `loads` or as it is."""
        place = load if isinstance(load, int) else self._loads.index(load)
        force, moment = ffi.new("double[3]"), ffi.new("double[3]")
        with self._lock:
            self._refresh_values()
            check(lib.ew_model_update_loads(self._model, ffi.new("int32_t *")))
            check(lib.ew_model_load_resultant(self._model, place, force, moment))
        return np.array(list(force)), np.array(list(moment))

    # ---- into the library

    def _set_conditions(self, loads: Tuple[Load, ...], supports: Tuple[Support, ...]) -> None:
        with self._lock:
            amplitudes: List[Amplitude] = []
            for one in (*loads, *supports):
                if one.amplitude is not None and one.amplitude not in amplitudes:
                    amplitudes.append(one.amplitude)
            if loads != self._loads or amplitudes != self._amplitudes:
                load_rows = self._load_rows(loads, amplitudes)
            else:
                load_rows = None
            if supports != self._supports or amplitudes != self._amplitudes:
                support_rows = self._support_rows(supports, amplitudes)
            else:
                support_rows = None
            if amplitudes != self._amplitudes:
                self._put_amplitudes(amplitudes)
            if load_rows is not None:
                rows, kept, values = load_rows
                check(lib.ew_model_set_loads(self._model, len(rows), rows))
                self._keep_values("loads", values)
                self._loads, self._kept_loads = loads, kept
                self._note("loads", loads=loads)
            if support_rows is not None:
                constraints, springs, values = support_rows
                check(lib.ew_model_set_constraints(self._model, len(constraints), constraints))
                check(lib.ew_model_set_springs(self._model, len(springs), springs))
                self._constraint_rows = constraints
                self._keep_values("supports", values)
                self._supports = supports
                self._note("supports", supports=supports)
            self._forget_answer()

    def _put_amplitudes(self, amplitudes: List[Amplitude]) -> None:
        rows = ffi.new("ew_amplitude[]", max(len(amplitudes), 1))
        kept = [one._fill(row) for one, row in zip(amplitudes, rows)]
        # Those in place are named by the loads and constraints before, which go first.
        check(lib.ew_model_set_loads(self._model, 0, ffi.NULL))
        check(lib.ew_model_set_constraints(self._model, 0, ffi.NULL))
        check(lib.ew_model_set_amplitudes(self._model, len(amplitudes), rows))
        del kept
        self._amplitudes = amplitudes

    def _load_rows(self, loads: Tuple[Load, ...], amplitudes: List[Amplitude]):
        rows = ffi.new("ew_model_load[]", len(loads))
        kept: List[Any] = [rows]
        every: List[_Values] = []
        for load, row in zip(loads, rows):
            field = 0
            kind = load.kind
            if load.values is not None:
                made = self._values_of("loads", kind, load)
                every.append(made)
                field = made.field
                if kind in _KIND_OF_VALUES:
                    load = Load(_KIND_OF_VALUES[kind], load.set, amplitude=load.amplitude)
            kept += fill_load(load, row, self._set_number, field,
                              0 if load.amplitude is None else 1 + amplitudes.index(load.amplitude))
        return rows, kept, every

    def _support_rows(self, supports: Tuple[Support, ...], amplitudes: List[Amplitude]):
        plain = [one for one in supports if one.spring is None]
        springs = [one for one in supports if one.spring is not None]
        rows = ffi.new("ew_model_constraint[]", len(plain))
        every: List[_Values] = []
        for support, row in zip(plain, rows):
            fill_constraint(support, row, self._set_number, 0 if support.amplitude is None
                            else 1 + amplitudes.index(support.amplitude))
            if support.values is not None:
                made = self._values_of("supports", "DISPLACEMENTS", support)
                every.append(made)
                row.field = made.field
        spring_rows = ffi.new("ew_model_spring[]", len(springs))
        for support, row in zip(springs, spring_rows):
            fill_spring(support, row, self._set_number)
            if support.values is not None:
                made = self._values_of("supports", "STIFFNESS", support)
                every.append(made)
                row.field = made.field
        return rows, spring_rows, every

    # ---- values by vertex

    def _values_of(self, owner: str, kind: str, one: Union[Load, Support]) -> _Values:
        """Those that are in place already, which have followed the mesh since, or new ones."""
        for old in self._values[owner]:
            if old.source is one.values and old.kind == kind and old.set == one.set:
                return old
        made = _Values(kind, one.set, one.values)
        self._take_fields(made)
        return made

    def _take_fields(self, made: _Values) -> None:
        """A field of the model for the values: a spare one, or a new one."""
        made.field = self._spare_field(made.width, made.rule)
        if not made.function:
            shape = (len(self.points),) if made.width == 1 else (len(self.points), 3)
            self._write_field(made.field, real_array(made.source, shape, made.kind.lower()))

    def _spare_field(self, width: int, rule: str) -> int:
        spare = self._spare_fields.setdefault((width, rule), [])
        if spare:
            return spare.pop()
        self._n_value_field = getattr(self, "_n_value_field", 0) + 1
        return self._add_field(f"python {self._n_value_field}", False, width, rule)

    def _keep_values(self, owner: str, values: List[_Values]) -> None:
        """The values in place; fields of those before are spare."""
        for one in self._values[owner]:
            if one not in values:
                self._spare_fields[(one.width, one.rule)].append(one.field)
        self._values[owner] = values

    def _refresh_values(self) -> None:
        """Before an analysis: functions are asked again where the mesh is another than when that was
        done last."""
        revision = self.revision
        for owner, every in self._values.items():
            for place, one in enumerate(every):
                if one.function is not None and one.revision != revision:
                    shape = (len(self.points),) if one.width == 1 else (len(self.points), 3)
                    self._put_values(owner, place, real_array(one.function(self.points), shape,
                                                              f"the function of {one.kind.lower()}"))

    def _put_values(self, owner: str, place: int, array: np.ndarray) -> None:
        """What a function gave for the mesh as it is; a replay puts it without asking the function."""
        one = self._values[owner][place]
        self._write_field(one.field, array)
        if owner == "supports":
            rows = self._constraint_rows
            check(lib.ew_model_set_constraints(self._model, len(rows), rows))
        one.revision = self.revision
        self._note("values", owner=owner, place=place, values=array)

    # ---- fields

    def _write_field(self, number: int, array: np.ndarray) -> None:
        self._change("state")
        ffi.memmove(lib.ew_model_field(self._model, number), ffi.from_buffer(array), array.nbytes)
        lib.ew_model_touch_loads(self._model)
        self._forget_answer()

    def _field_array(self, number: int, width: int, on_tets: bool) -> np.ndarray:
        """What a field holds, without a copy."""
        with self._lock:
            array = lib.ew_model_view_field(self._model, number)
            n = len(self.tets) if on_tets else len(self.points)
            shape = (n,) if width == 1 else (n, width)
            return self._leases.array(("field", number), array, shape, np.float64, "state",
                                      self._give_field(number))

    def _give_field(self, number: int):
        def give():
            check(lib.ew_model_give_field(self._model, lib.ew_model_view_field(self._model, number)))
        return give

    @property
    def forces(self) -> np.ndarray:
        """Nodal forces of the last analysis, (n_vertex_slots, 3); a copy."""
        with self._lock:
            return copied(lib.ew_model_force(self._model), (len(self.points), 3), np.float64)


def _listed(given: Any, kind: type, what: str) -> Tuple[Any, ...]:
    every = (given,) if isinstance(given, kind) else tuple(given)
    for one in every:
        if not isinstance(one, kind):
            raise errors.BadArgument(f"{what}: {one!r} is none; see edgewise.loads")
    return every


