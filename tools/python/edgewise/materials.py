"""Materials: elastic constants, density, thermal expansion, and laws of rubber, plastic or creeping flow."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Optional, Sequence, Tuple, Union

import numpy as np

from . import errors
from ._native import NULL, chars, check, ffi, lib, put, real_array, text_of, vector

Vector = Union[str, Sequence[float]]


# ---- laws ----------------------------------------------------------------------------------------

def laws() -> Dict[str, Dict[str, Any]]:
    """The laws that there are: name -> {constant: {"low", "above", "preset"}}, preset None where it
    must be given."""
    found: Dict[str, Dict[str, Any]] = {}
    while True:
        law = lib.ew_law_at(len(found))
        if law == NULL:
            return found
        values = [law.value[k] for k in range(law.n_value)]
        found[text_of(law.name)] = {
            text_of(one.name): {"low": one.low, "above": bool(one.above),
                                "preset": None if np.isnan(one.preset) else one.preset}
            for one in values}


@dataclass(frozen=True)
class Law:
    """A law by its name and constants: ``Law("plastic", yield_stress=250e6, hardening=1e9)``. ``Law("neo_hookean")`` and
    ``Law("mooney_rivlin", c10=4e5, c01=1.5e5)`` are rubber, for model.kinematics = "corotational". A law
    with a table takes points (equivalent plastic strain, yield stress) as `table` instead. A constant whose
    name is a word of Python is given with a `_` behind it.
    ``edgewise.materials.laws()`` lists names, constants and ranges."""

    name: str
    constants: Tuple[Tuple[str, float], ...] = ()
    table: Optional[Tuple[Tuple[float, float], ...]] = None

    def __init__(self, name: str, table: Optional[Sequence[Sequence[float]]] = None, **constants: float):
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "constants", tuple(sorted((key.rstrip("_"), value)
                                                           for key, value in constants.items())))
        object.__setattr__(self, "table", None if table is None else
                           tuple(tuple(float(x) for x in row) for row in table))

    def _fill(self, material) -> None:
        law = lib.ew_law_named(chars(self.name))
        if law == NULL:
            raise errors.BadInput(f"law: {self.name!r} is none of {', '.join(laws())}")
        lib.ew_material_put_law(ffi.addressof(material), law)
        names = [text_of(law.value[k].name) for k in range(law.n_value)]
        for name, value in self.constants:
            if name not in names:
                raise errors.BadInput(f"law {self.name}: {name!r} is none of its constants, "
                                      f"{', '.join(names) or 'of which there are none'}")
            material.law_value[names.index(name)] = float(value)
        if self.table is not None:
            rows = real_array(self.table, (None, 2), f"law {self.name}: table")
            if not law.has_table or len(rows) > lib.EW_MAX_HARDENING:
                raise errors.BadInput(f"law {self.name}: takes " + (
                    f"at most {lib.EW_MAX_HARDENING} points" if law.has_table else "no table"))
            for place, (strain, stress) in enumerate(rows):
                material.hardening[place][0], material.hardening[place][1] = stress, strain
            material.n_hardening = len(rows)


# ---- axes ----------------------------------------------------------------------------------------

@dataclass(frozen=True)
class MaterialAxes:
    """Local axes 1, 2, 3 of a material that is not isotropic."""

    kind: int
    first: Tuple[float, ...] = (0.0, 0.0, 0.0)
    second: Tuple[float, ...] = (0.0, 0.0, 0.0)
    point: Tuple[float, ...] = (0.0, 0.0, 0.0)
    third: Tuple[float, ...] = (0.0, 0.0, 0.0)

    @classmethod
    def fixed(cls, first: Vector, second: Vector) -> "MaterialAxes":
        """Axes 1 and 2 along these directions, at right angles."""
        return cls(lib.EW_MATERIAL_AXES_FIXED, tuple(vector(first, "first")),
                   tuple(vector(second, "second")))

    @classmethod
    def cylinder(cls, point: Vector, direction: Vector) -> "MaterialAxes":
        """1 radial, 2 tangential, 3 along the axis through `point`."""
        return cls(lib.EW_MATERIAL_AXES_CYLINDER, point=tuple(vector(point, "point")),
                   third=tuple(vector(direction, "direction")))

    @classmethod
    def by_tet(cls) -> "MaterialAxes":
        """Those of each tet, by Model.material_axes."""
        return cls(lib.EW_MATERIAL_AXES_FIELD)

    def _fill(self, axes) -> None:
        axes.kind = self.kind
        for name in ("first", "second", "point", "third"):
            put(getattr(axes, name), getattr(self, name))


# ---- materials -----------------------------------------------------------------------------------

@dataclass(frozen=True)
class Material:
    """An isotropic material.

    young: modulus, force / length^2; poisson: ratio, -1 to 0.5 (nearly incompressible ones need mixed
    tets); density: mass / length^3, 0 where none is given; expansion: linear, 1/K; law: rubber,
    plastic or creeping flow, for nonlinear analyses. `named` takes one of the library."""

    young: float
    poisson: float
    density: float = 0.0
    expansion: Optional[float] = None
    law: Optional[Law] = None

    def _struct(self):
        made = ffi.new("ew_material *")
        made.kind = lib.EW_ISOTROPIC
        made.young, made.poisson = self.young, self.poisson
        if self.expansion is not None:
            made.expansion, made.has_expansion = self.expansion, True
        return _common(made, self)


@dataclass(frozen=True)
class Orthotropic:
    """Engineering constants along local axes: young (E1, E2, E3), poisson (nu12, nu13, nu23), shear
    (G12, G13, G23); expansion (a1, a2, a3), 1/K."""

    young: Sequence[float]
    poisson: Sequence[float]
    shear: Sequence[float]
    density: float = 0.0
    expansion: Optional[Sequence[float]] = None
    axes: MaterialAxes = field(default_factory=lambda: MaterialAxes(lib.EW_MATERIAL_AXES_GLOBAL))
    law: Optional[Law] = None

    def _struct(self):
        made = ffi.new("ew_material *")
        made.kind = lib.EW_ORTHOTROPIC
        put(made.young_along, real_array(self.young, (3,), "young"))
        put(made.poisson_between, real_array(self.poisson, (3,), "poisson"))
        put(made.shear, real_array(self.shear, (3,), "shear"))
        if self.expansion is not None:
            put(made.expansions, real_array(self.expansion, (3,), "expansion"))
            made.has_expansion = True
        self.axes._fill(made.axes)
        return _common(made, self)


@dataclass(frozen=True)
class Anisotropic:
    """stiffness: the symmetric (6, 6) of stress = D strain, or its upper triangle by rows, (21,), in
    the order xx yy zz xy yz xz with engineering shear; expansion: (6,), 1/K."""

    stiffness: Sequence[Any]
    density: float = 0.0
    expansion: Optional[Sequence[float]] = None
    axes: MaterialAxes = field(default_factory=lambda: MaterialAxes(lib.EW_MATERIAL_AXES_GLOBAL))
    law: Optional[Law] = None

    def _struct(self):
        made = ffi.new("ew_material *")
        made.kind = lib.EW_ANISOTROPIC
        given = np.asarray(self.stiffness, dtype=float)
        if given.shape == (6, 6):
            if not np.allclose(given, given.T, rtol=1e-9, atol=1e-12 * np.abs(given).max()):
                raise errors.BadArgument("stiffness: the matrix is not symmetric")
            given = given[np.triu_indices(6)]
        put(made.stiffness, real_array(given, (21,), "stiffness"))
        if self.expansion is not None:
            put(made.expansions, real_array(self.expansion, (6,), "expansion"))
            made.has_expansion = True
        self.axes._fill(made.axes)
        return _common(made, self)


AnyMaterial = Union[Material, Orthotropic, Anisotropic]


# ---- the library ---------------------------------------------------------------------------------

def library() -> Dict[str, Dict[str, Any]]:
    """The materials of the library: name -> {"help", "source", "yield_stress"}, N/m^2 or None where none
    is known. Typical figures at room temperature."""
    found: Dict[str, Dict[str, Any]] = {}
    while True:
        one = lib.ew_library_material_at(len(found))
        if one == NULL:
            return found
        found[text_of(one.name)] = {"help": text_of(one.help), "source": text_of(one.source),
                                    "yield_stress": one.yield_stress or None}


def named(name: str, *, length: float = 1.0, force: float = 1.0, time: float = 1.0,
          axes: Optional[MaterialAxes] = None) -> Union[Material, Orthotropic]:
    """A material of `library` in the units of a model: of `length` m, `force` N and `time` s, so that
    ``named("S355", length=1e-3)`` is for mm, N and s. axes: of wood, along the grain, radial,
    tangential."""
    found = lib.ew_library_material_named(chars(name))
    if found == NULL:
        raise errors.BadInput(f"material: {name!r} is none of the library's, {', '.join(library())}")
    for what, unit in (("length", length), ("force", force), ("time", time)):
        if not 0.0 < unit < float("inf"):
            raise errors.BadArgument(f"named: {what} is the unit in SI, above 0, and not {unit!r}")
    one = lib.ew_material_in_units(ffi.addressof(found, "material"), length, force, time)
    law = _law_of(one)
    if one.kind == lib.EW_ISOTROPIC:
        if axes is not None:
            raise errors.BadArgument(f"named: {name} is isotropic and takes no axes")
        return Material(one.young, one.poisson, one.density, one.expansion or None, law)
    kept = {} if axes is None else {"axes": axes}
    return Orthotropic(tuple(one.young_along), tuple(one.poisson_between), tuple(one.shear), one.density,
                       tuple(one.expansions[k] for k in range(3)) if any(one.expansions) else None,
                       law=law, **kept)


def _law_of(material) -> Optional[Law]:
    if material.law == NULL:
        return None
    law = material.law
    return Law(text_of(law.name), table=[(material.hardening[k][1], material.hardening[k][0])
                                         for k in range(material.n_hardening)] or None,
               **{text_of(law.value[k].name): material.law_value[k] for k in range(law.n_value)})


def _common(made, material):
    made.density = material.density
    if material.law is not None:
        material.law._fill(made[0])
    check(lib.ew_material_check(made))
    return made
