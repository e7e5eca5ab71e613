"""Results of the last analysis, as read-only arrays without copies."""
from __future__ import annotations

import hashlib
from typing import Dict, Tuple

import numpy as np

from . import errors
from ._native import check, copied, ffi, lib, slot_detach
from .solving import Info, numbers_of

# Of ew_fields: numbers a slot, whether by tet.
_FIELDS: Dict[str, Tuple[Tuple[int, ...], bool]] = {
    "reaction": ((3,), False), "vertex_stress": ((6,), False), "vertex_von_mises": ((), False),
    "strain": ((6,), True), "stress": ((6,), True), "von_mises": ((), True), "principal": ((3,), True),
    "energy": ((), True), "thermal_strain": ((), True),
}
# Without the rest of a recovery.
_ALONE = ("stress", "von_mises")


class Results:
    """Results of a model."""

    def _need_answer(self) -> None:
        if not self._answered:
            raise errors.Stale("there is no answer: solve first, and again after edits and other loads, "
                               "supports or materials")

    def _made(self, found, recover):
        """`found` of the model, computed by `recover` where there is none."""
        fields = found(self._model)
        if fields == ffi.NULL:
            out = ffi.new("const ew_fields **")
            self._change("recovered")
            recover(out)
            fields = out[0]
        return fields

    def _recovered(self):
        """ew_fields of the last analysis, computed when they are first asked for."""
        self._need_answer()
        return self._made(lib.ew_model_recovered,
                          lambda out: check(lib.ew_model_recover(self._model, out, ffi.NULL)))

    def _stressed(self):
        """ew_fields with the stress of tets, and with the rest where it was asked for before."""
        self._need_answer()
        return self._made(lib.ew_model_recovered_stress,
                          lambda out: check(lib.ew_model_recover_stress(self._model, out)))

    def _result(self, name: str) -> np.ndarray:
        tail, of_tets = _FIELDS[name]
        with self._lock:
            fields = self._stressed() if name in _ALONE else self._recovered()
            n, capacity = ((fields.n_tet, fields.tet_capacity) if of_tets
                           else (fields.n_vertex, fields.vertex_capacity))
            size = 8 * max(n, capacity) * int(np.prod(tail, dtype=np.int64))
            return self._leases.array(("fields", name), getattr(fields, name), (n, *tail), np.float64,
                                      "recovered", slot_detach(ffi.addressof(fields, name), size))

    @property
    def displacement(self) -> np.ndarray:
        """(n_vertex_slots, 3), length: last solved for, and carried along by edits since."""
        with self._lock:
            return self._leases.array(("field", 0), lib.ew_model_displacement(self._model),
                                      (len(self.points), 3), np.float64, "state", self._give_field(0))

    @property
    def reactions(self) -> np.ndarray:
        """Forces of the supports, (n_vertex_slots, 3)."""
        return self._result("reaction")

    @property
    def stress(self) -> np.ndarray:
        """By tet (of quadratic ones at the centroid), (n_tet_slots, 6), xx yy zz xy yz xz, force /
        length^2."""
        return self._result("stress")

    @property
    def strain(self) -> np.ndarray:
        """By tet, (n_tet_slots, 6), engineering shear."""
        return self._result("strain")

    @property
    def von_mises(self) -> np.ndarray:
        """By tet, (n_tet_slots,), force / length^2."""
        return self._result("von_mises")

    @property
    def principal(self) -> np.ndarray:
        """Principal stresses by tet, the largest first, (n_tet_slots, 3)."""
        return self._result("principal")

    @property
    def strain_energy(self) -> np.ndarray:
        """By tet, (n_tet_slots,), force x length."""
        return self._result("energy")

    @property
    def thermal_strain(self) -> np.ndarray:
        """Equal in all directions, by tet, (n_tet_slots,)."""
        return self._result("thermal_strain")

    @property
    def vertex_stress(self) -> np.ndarray:
        """Stress averaged at vertices, (n_vertex_slots, 6)."""
        return self._result("vertex_stress")

    @property
    def vertex_von_mises(self) -> np.ndarray:
        """Von Mises stress of `vertex_stress`, (n_vertex_slots,)."""
        return self._result("vertex_von_mises")

    @property
    def sums(self) -> Info:
        """Resultants, energies and extremes of the last analysis: applied_force, reaction_force,
        equilibrium, strain_energy, volume, mass, max_displacement, max_von_mises, ..."""
        with self._lock:
            self._recovered()
            return Info(**numbers_of(lib.ew_model_recovered_sums(self._model)))

    def estimate(self) -> Info:
        """The estimated error of the last analysis: share of the energy norm, norms, error by tet
        (n_tet_slots,), stress at its peak; and whether linear tets and a linear theory fit it."""
        estimate, adequacy = ffi.new("const ew_estimate **"), ffi.new("const ew_adequacy **")
        with self._lock:
            self._recovered()
            check(lib.ew_model_estimate(self._model, estimate, adequacy))
            found = estimate[0]
            numbers = numbers_of(found, ("revision", "n_tet", "tet_capacity"))
            numbers["error"] = copied(found.error, (found.n_tet,), np.float64)
            numbers["adequacy"] = Info(**numbers_of(adequacy[0]))
            return Info(**numbers)

    @property
    def volumetric_stress(self) -> np.ndarray:
        """Of mixed tets, (n_vertex_slots,); a copy."""
        with self._lock:
            array = lib.ew_model_volumetric_stress(self._model)
            if array == ffi.NULL:
                raise errors.Unsupported("volumetric_stress: tets are not mixed; set model.mixed = True")
            return copied(array, (len(self.points),), np.float64)

    @property
    def law_state(self) -> np.ndarray:
        """State of plastic and creeping laws by tet, (n_tet_slots, n_state): plastic strain (6),
        equivalent plastic strain, dissipated energy per volume; a copy."""
        with self._lock:
            n = ffi.new("int32_t *")
            state = lib.ew_model_law_state(self._model, n)
            return copied(state, (len(self.tets), n[0] if state else 0), np.float64)

    def digest(self) -> str:
        """A checksum of all bits of the mesh and of the displacement: two models with the same digest
        are the same."""
        with self._lock:
            found = hashlib.sha256()
            for array in (self.points, self.tets, self.vertex_ids, self.tet_ids, self.displacement):
                found.update(np.ascontiguousarray(array).tobytes())
            return found.hexdigest()


