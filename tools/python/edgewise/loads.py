"""Loads, supports and their factors of time. Each is plain data; a model takes a list of them.

Sets are given by name or as the Set itself. Vectors are along x, y, z or along `axes`.

Longer than 500 lines because each kind of load and support is a class of plain data with its documentation."""
from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Callable, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import errors
from ._native import chars, check, ffi, lib, pointer, put, real_array, text_of, vector

Vector = Union[str, Sequence[float], np.ndarray]
Values = Union[Callable[[np.ndarray], Any], Sequence[Any], np.ndarray]
SetLike = Any  # the name of a set, or the Set
_ZERO = (0.0, 0.0, 0.0)


# ---- axes ----------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Axes:
    """What the components of a load or a support are along."""

    how: str
    first: Tuple[float, ...]
    second: Tuple[float, ...] = _ZERO

    @classmethod
    def along(cls, x: Vector, y: Vector) -> "Axes":
        """x' along x, y' in the plane of x and y on y's side, z' square to both."""
        return cls("xy", tuple(vector(x, "x")), tuple(vector(y, "y")))

    @classmethod
    def normal(cls, direction: Vector) -> "Axes":
        """x' along the direction; y' and z' across it."""
        return cls("normal", tuple(vector(direction, "direction")))

    @classmethod
    def cylinder(cls, point: Vector, direction: Vector) -> "Axes":
        """Radial, tangential, axial about the line through `point`."""
        return cls("cylinder", tuple(vector(point, "point")), tuple(vector(direction, "direction")))

    def _fill(self, axes) -> None:
        made = ffi.addressof(axes)
        first, second = (ffi.new("double[3]", list(one)) for one in (self.first, self.second))
        if self.how == "xy":
            check(lib.ew_axes_from_xy(first, second, made))
        elif self.how == "normal":
            check(lib.ew_axes_from_normal(first, made))
        else:
            check(lib.ew_axes_of_cylinder(first, second, made))


# ---- factors of time -----------------------------------------------------------------------------

@dataclass(frozen=True)
class Table:
    """A factor that is linear between times (ascending), and constant before and after."""

    times: Sequence[float]
    values: Sequence[float]

    def _fill(self, amplitude) -> Any:
        times = real_array(self.times, (None,), "Table: times")
        values = real_array(self.values, (len(times),), "Table: values")
        amplitude.kind, amplitude.n = lib.EW_AMPLITUDE_TABLE, len(times)
        amplitude.time, amplitude.value = pointer(times, "double *"), pointer(values, "double *")
        return times, values


@dataclass(frozen=True)
class Sine:
    """offset + size sin(2 pi frequency (t - start) + phase) from start to end; 0 before and after."""

    frequency: float
    size: float = 1.0
    offset: float = 0.0
    phase: float = 0.0
    start: float = 0.0
    end: float = np.inf

    def _fill(self, amplitude) -> Any:
        amplitude.kind = lib.EW_AMPLITUDE_SINE
        for name in ("frequency", "size", "offset", "phase", "start", "end"):
            setattr(amplitude, name, getattr(self, name))


@dataclass(frozen=True)
class Step:
    """`size` from `start` on and before `end`; 0 before and after."""

    size: float = 1.0
    start: float = 0.0
    end: float = np.inf

    def _fill(self, amplitude) -> Any:
        amplitude.kind = lib.EW_AMPLITUDE_STEP
        amplitude.size, amplitude.start, amplitude.end = self.size, self.start, self.end


Amplitude = Union[Table, Sine, Step]


# ---- loads ---------------------------------------------------------------------------------------

class _Comparable:
    """Equal where all is equal; values by vertex are compared as objects, for they may be arrays."""

    def _key(self) -> Tuple[Any, ...]:
        return tuple(id(value) if one == "values" else value for one, value in vars(self).items())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())


@dataclass(frozen=True, eq=False, repr=False)
class Load(_Comparable):
    """A load; made by the functions of this module."""

    kind: str
    set: Any = None
    vector: Tuple[float, ...] = _ZERO
    pressure: float = 0.0
    change: float = 0.0
    gradient: Tuple[float, ...] = _ZERO
    point: Tuple[float, ...] = _ZERO
    axis: Tuple[float, ...] = _ZERO
    only_positive: bool = False
    follower: bool = False
    axes: Optional[Axes] = None
    values: Any = None
    expression: Optional[str] = None
    amplitude: Optional[Amplitude] = None

    def __repr__(self) -> str:
        parts = [] if self.set is None else [repr(getattr(self.set, "name", self.set))]
        for name, default in (("vector", _ZERO), ("pressure", 0.0), ("change", 0.0)):
            value = getattr(self, name)
            if value != default:
                parts.append(f"{name}={value}")
        if self.values is not None:
            parts.append("values")
        return f"<{self.kind.replace('_', ' ').lower()} {', '.join(parts)}>".replace(" >", ">")


def _v(values: Vector, what: str) -> Tuple[float, ...]:
    return tuple(float(one) for one in vector(values, what))


def Gravity(acceleration: Vector, amplitude: Optional[Amplitude] = None) -> Load:
    """Weight: an acceleration (length / time^2) on all mass."""
    return Load("GRAVITY", vector=_v(acceleration, "Gravity"), amplitude=amplitude)


def TotalForce(set: SetLike, force: Vector, axes: Optional[Axes] = None,
               amplitude: Optional[Amplitude] = None) -> Load:
    """A force (total) spread as a uniform traction over the faces of a set; on a set of vertices
    shared equally."""
    return Load("TOTAL_FORCE", set, _v(force, "TotalForce"), axes=axes, amplitude=amplitude)


def Force(set: SetLike, force: Vector, axes: Optional[Axes] = None,
          amplitude: Optional[Amplitude] = None) -> Load:
    """A force on each vertex of a set."""
    return Load("FORCE", set, _v(force, "Force"), axes=axes, amplitude=amplitude)


def Pressure(set: SetLike, pressure: float = 0.0, gradient: Vector = _ZERO, point: Vector = _ZERO,
             only_positive: bool = False, amplitude: Optional[Amplitude] = None,
             follower: bool = False) -> Load:
    """Pushes into the body on the faces of a set: pressure + gradient . (x - point), force / area;
    with only_positive none where it would pull. With follower and corotational kinematics it turns
    and grows with the faces as they move."""
    return Load("PRESSURE", set, pressure=float(pressure), gradient=_v(gradient, "Pressure: gradient"),
                point=_v(point, "Pressure: point"), only_positive=only_positive, amplitude=amplitude,
                follower=follower)


def Traction(set: SetLike, traction: Vector, axes: Optional[Axes] = None,
             amplitude: Optional[Amplitude] = None) -> Load:
    """Force per area on the faces of a set."""
    return Load("TRACTION", set, _v(traction, "Traction"), axes=axes, amplitude=amplitude)


def Moment(set: SetLike, moment: Vector, amplitude: Optional[Amplitude] = None) -> Load:
    """A moment about the centroid of the faces of a set."""
    return Load("MOMENT", set, _v(moment, "Moment"), amplitude=amplitude)


def RemoteForce(set: SetLike, force: Vector, point: Vector, amplitude: Optional[Amplitude] = None) -> Load:
    """A force that acts at `point`, carried by the faces of a set."""
    return Load("REMOTE_FORCE", set, _v(force, "RemoteForce"), point=_v(point, "RemoteForce: point"),
                amplitude=amplitude)


def Bearing(set: SetLike, force: Vector, axis: Vector = _ZERO, amplitude: Optional[Amplitude] = None) -> Load:
    """A force square to the axis of a cylinder, by a pressure that falls off as a cosine."""
    return Load("BEARING", set, _v(force, "Bearing"), axis=_v(axis, "Bearing: axis"),
                amplitude=amplitude)


def Centrifugal(velocity: Vector, point: Vector = _ZERO, amplitude: Optional[Amplitude] = None) -> Load:
    """On all mass that turns with the angular velocity (rad / time) about the axis through `point`."""
    return Load("CENTRIFUGAL", vector=_v(velocity, "Centrifugal"), point=_v(point, "Centrifugal: point"),
                amplitude=amplitude)


def Temperature(change: Union[float, str, Values] = 0.0, set: Optional[SetLike] = None,
                gradient: Vector = _ZERO, point: Vector = _ZERO,
                amplitude: Optional[Amplitude] = None) -> Load:
    """A change of temperature (K): a number, an expression of x, y, z ("20*x + 3"), an array by vertex
    slot (n_vertex_slots,), or a function of points (n, 3) that gives one number each."""
    if isinstance(change, str):
        return Load("TEMPERATURE", set, change=1.0, expression=change, amplitude=amplitude)
    if callable(change) or np.ndim(change):
        return Load("TEMPERATURE", set, change=1.0, values=change, amplitude=amplitude)
    return Load("TEMPERATURE", set, change=float(change), gradient=_v(gradient, "Temperature: gradient"),
                point=_v(point, "Temperature: point"), amplitude=amplitude)


def Forces(values: Values, amplitude: Optional[Amplitude] = None) -> Load:
    """Forces by vertex: an array (n_vertex_slots, 3), which follows the mesh (a new vertex has none),
    or a function of points (n, 3) that gives (n, 3), which is asked again after each edit. A load of
    one's own."""
    return Load("FORCES", values=values, amplitude=amplitude)


def Pressures(set: SetLike, values: Values, amplitude: Optional[Amplitude] = None) -> Load:
    """A pressure by vertex on the boundary faces of a set, linear over each face, force / area: an
    array (n_vertex_slots,), or a function of points (n, 3). Positive pushes into the body."""
    return Load("PRESSURES", set, values=values, amplitude=amplitude)


def Tractions(set: SetLike, values: Values, amplitude: Optional[Amplitude] = None) -> Load:
    """A traction by vertex on the boundary faces of a set, linear over each face, force / area: an
    array (n_vertex_slots, 3), or a function of points (n, 3) that gives (n, 3)."""
    return Load("TRACTIONS", set, values=values, amplitude=amplitude)


# ---- supports ------------------------------------------------------------------------------------

@dataclass(frozen=True, eq=False, repr=False)
class Support(_Comparable):
    """A support; made by the functions of this module."""

    set: Any
    fixed: int = 0
    value: Tuple[float, ...] = _ZERO
    axes: Optional[Axes] = None
    amplitude: Optional[Amplitude] = None
    is_velocity: bool = False
    spring: Optional[str] = None
    stiffness: Tuple[float, ...] = _ZERO
    values: Any = None

    def __repr__(self) -> str:
        name = repr(getattr(self.set, "name", self.set))
        if self.spring:
            return f"<spring {name}, stiffness={self.stiffness}>"
        which = "".join("xyz"[c] for c in range(3) if self.fixed >> c & 1)
        return f"<{'velocity' if self.is_velocity else 'displacement'} {name}, {which} = {self.value}>"


def Fixed(set: SetLike, components: str = "xyz", axes: Optional[Axes] = None) -> Support:
    """No displacement of these components."""
    bits = _component_bits(components)
    return Support(set, bits, axes=axes)


def Displacement(set: SetLike, values: Sequence[Optional[float]], axes: Optional[Axes] = None,
                 amplitude: Optional[Amplitude] = None) -> Support:
    """Prescribed components (length); None leaves one free: Displacement("tip", (0, None, 0.1))."""
    bits, numbers = _prescribed(values, "Displacement")
    return Support(set, bits, numbers, axes, amplitude)


def Velocity(set: SetLike, values: Sequence[Optional[float]], axes: Optional[Axes] = None,
             amplitude: Optional[Amplitude] = None) -> Support:
    """Prescribed components of the velocity (length / time), in motion."""
    bits, numbers = _prescribed(values, "Velocity")
    return Support(set, bits, numbers, axes, amplitude, is_velocity=True)


def Displacements(set: SetLike, values: Values, components: str = "xyz") -> Support:
    """Prescribed displacements by vertex of a set: an array (n_vertex_slots, 3), or a function of
    points (n, 3) that gives (n, 3). A new vertex takes the mean of its neighbors."""
    return Support(set, _component_bits(components), values=values)


def Spring(set: SetLike, stiffness: Union[float, Sequence[float], Values], kind: str = "each",
           axes: Optional[Axes] = None) -> Support:
    """Springs to the ground. kind "each": at each vertex, force / length, also an array
    (n_vertex_slots, 3) or a function of points (n, 3) that gives (n, 3); "total": shared by the set;
    "foundation": per area of its faces, stiffness (along the normal, across it)."""
    if callable(stiffness) or np.ndim(stiffness) == 2:
        if kind != "each":
            raise errors.BadArgument(f"Spring: values by vertex are of kind 'each', not {kind!r}")
        return Support(set, axes=axes, spring=kind, values=stiffness)
    numbers = [float(stiffness)] * 3 if np.ndim(stiffness) == 0 else [float(one) for one in stiffness]
    if len(numbers) not in (2, 3):
        raise errors.BadArgument("Spring: stiffness is a number, or three (of a foundation two)")
    if kind not in ("each", "total", "foundation"):
        raise errors.BadArgument(f"Spring: kind {kind!r} is none of each, total, foundation")
    return Support(set, axes=axes, spring=kind, stiffness=tuple((numbers + [0.0])[:3]))


# ---- equations -----------------------------------------------------------------------------------

@dataclass(frozen=True)
class Term:
    """Factors times the displacement of a point along x, y, z: of the one vertex of a set, in the first
    term of an equation of each vertex of it; of a vertex by its number in `vertex_ids`; of the middle of
    a side by those (a, b) of its two ends."""

    at: Any
    factor: Vector

    def __post_init__(self) -> None:
        object.__setattr__(self, "factor", _v(self.factor, "Term: factor"))


@dataclass(frozen=True)
class Equation:
    """Linear between displacements: the terms add up to the value (length times the unit of the
    factors). Equation(Term("end", "x"), Term(12, (-1, 0, 0))): the end moves along x as vertex 12."""

    terms: Tuple[Term, ...]
    value: float = 0.0

    def __init__(self, *terms: Term, value: float = 0.0):
        if not terms or not all(isinstance(one, Term) for one in terms):
            raise errors.BadArgument("Equation: its terms are Term objects, at least one")
        object.__setattr__(self, "terms", terms)
        object.__setattr__(self, "value", float(value))


@dataclass(frozen=True)
class Coupling:
    """A set that moves with the reference point `at`: as a rigid body, or where it is not `rigid` so
    that the reference moves as the mean of the set. `displacement` (length) and `rotation` (rad) of the
    reference are prescribed; None: free. A set of vertices, or of faces where it is not rigid."""

    set: SetLike
    at: Vector
    rigid: bool = True
    displacement: Sequence[Optional[float]] = (None, None, None)
    rotation: Sequence[Optional[float]] = (None, None, None)

    def __post_init__(self) -> None:
        object.__setattr__(self, "at", _v(self.at, "Coupling: at"))
        for name in ("displacement", "rotation"):
            _prescribed(getattr(self, name), f"Coupling: {name}")
            object.__setattr__(self, name, tuple(getattr(self, name)))


@dataclass(frozen=True)
class Reference:
    """How the reference of a coupling moved, and with which force and moment about it (of what is
    prescribed there, else 0)."""

    displacement: np.ndarray
    rotation: np.ndarray
    force: np.ndarray
    moment: np.ndarray


@dataclass(frozen=True)
class Tie:
    """Faces of a slave that move with those of a master as one body; their meshes need not match. Sets of
    faces or vertices. `distance`: how far apart tied faces may be, unless given the size of a slave face. Of a
    bolt that is cut through `shortening`: by how much its sides move over one another along their normal, or
    "free": as far as loads that pull them out of the parts, Pressure(sides, -10.0), take. Of a sector or a cell
    the slave is the image of the master, `turn` x + `shift`, a rotation by rows and a vector, and moves as the
    turned displacement of the master and `jump`, of a cell with a mean strain the strain times the shift."""

    slave: SetLike
    master: SetLike
    distance: float = 0.0
    shortening: Union[float, str, None] = None
    turn: Optional[Sequence[Sequence[float]]] = None
    shift: Sequence[float] = _ZERO
    jump: Sequence[float] = _ZERO


@dataclass(frozen=True)
class Rigid:
    """The surface of a rigid body that faces touch, of `plane`, `sphere`, `cylinder` or `surface`. It is turned by a
    `rotation` (a vector along the axis whose length is the angle, rad) about a point, then moved by a
    `displacement`, from where it is defined. A model whose `contacts` are set again with another motion alone goes
    on from where it was: by solves, and in motion by steps."""

    kind: str
    point: Vector = _ZERO
    direction: Vector = _ZERO
    radius: float = 0.0
    inside: bool = False
    points: Optional[np.ndarray] = None
    triangles: Optional[np.ndarray] = None
    displacement: Vector = _ZERO
    rotation: Vector = _ZERO
    about: Vector = _ZERO

    @staticmethod
    def plane(point: Vector, normal: Vector) -> "Rigid":
        """A half-space behind a plane; the normal points to the slave."""
        return Rigid("PLANE", _v(point, "Rigid.plane: point"), _v(normal, "Rigid.plane: normal"))

    @staticmethod
    def sphere(center: Vector, radius: float, inside: bool = False) -> "Rigid":
        """A ball; `inside`: a cup, in which the slave is."""
        return Rigid("SPHERE", _v(center, "Rigid.sphere: center"), radius=radius, inside=inside)

    @staticmethod
    def cylinder(point: Vector, axis: Vector, radius: float, inside: bool = False) -> "Rigid":
        """A cylinder without ends; `inside`: a bore, in which the slave is."""
        return Rigid("CYLINDER", _v(point, "Rigid.cylinder: point"), _v(axis, "Rigid.cylinder: axis"), radius, inside)

    @staticmethod
    def surface(points: Any, triangles: Any, inside: bool = False) -> "Rigid":
        """Triangles that look out of the body: (n, 3) places and (m, 3) rows of them. `inside`: the slave is in it."""
        return Rigid("SURFACE", inside=inside, points=np.ascontiguousarray(points, np.float64).reshape(-1, 3),
                     triangles=np.ascontiguousarray(triangles, np.int32).reshape(-1, 3))

    def moved(self, displacement: Vector = _ZERO, rotation: Vector = _ZERO, about: Vector = _ZERO) -> "Rigid":
        """The same body elsewhere, counted from where it is defined."""
        return replace(self, displacement=_v(displacement, "Rigid: displacement"), rotation=_v(rotation, "Rigid: rotation"),
                       about=_v(about, "Rigid: about"))


@dataclass(frozen=True)
class Contact:
    """Faces of a slave that may touch those of a master: sets of faces or vertices, one set twice for its faces that meet
    one another, as the flanks of a cut, or neither, for every part with every other and with itself; or a slave and
    a rigid body. `distance`: how far apart faces that meet may be, unless given the size of a slave face.
    `interference`: by how much the parts overlap, in place of what is between the meshes. `friction`: Coulomb's
    coefficient; each solve is a step then, in which friction acts against what slides since the solve before."""

    slave: Any = None
    master: Any = None
    distance: float = 0.0
    interference: Optional[float] = None
    friction: float = 0.0
    rigid: Optional[Rigid] = None

    def __post_init__(self) -> None:
        if (self.slave is None) != (self.master is None and self.rigid is None):
            raise errors.BadArgument("Contact: it has two sides, a slave and a master or a rigid body, or none for all parts")


def _component_bits(components: str) -> int:
    if not components or any(one not in "xyz" for one in components):
        raise errors.BadArgument(f"components: {components!r} is not made of x, y and z")
    return sum(1 << "xyz".index(one) for one in sorted(set(components)))


def _prescribed(values: Sequence[Optional[float]], what: str) -> Tuple[int, Tuple[float, ...]]:
    if len(values) != 3:
        raise errors.BadArgument(f"{what}: three components, None for one that is free")
    bits = sum(1 << c for c in range(3) if values[c] is not None)
    return bits, tuple(0.0 if one is None else float(one) for one in values)


# ---- into structs --------------------------------------------------------------------------------

def fill_load(load: Load, struct, set_number: Callable[[Any], int], field: int,
              amplitude: int) -> List[Any]:
    """Into an ew_model_load; what is returned must outlive it."""
    kept: List[Any] = []
    struct.kind = getattr(lib, "EW_LOAD_" + load.kind)
    struct.set = -1 if load.set is None else set_number(load.set)
    for name in ("vector", "gradient", "point", "axis"):
        put(getattr(struct, name), getattr(load, name))
    struct.pressure, struct.change = load.pressure, load.change
    struct.only_positive, struct.follower = load.only_positive, load.follower
    struct.field, struct.amplitude = field, amplitude
    if load.axes is not None:
        load.axes._fill(struct.axes)
    if load.expression is not None:
        made = ffi.new("ew_expression *")
        check(lib.ew_expression_read(made, chars(load.expression), chars("x y z")))
        struct.expression = made
        kept.append(made)
    return kept


def fill_constraint(support: Support, struct, set_number: Callable[[Any], int], amplitude: int) -> None:
    struct.set = set_number(support.set)
    struct.fixed, struct.is_velocity = support.fixed, support.is_velocity
    put(struct.value, support.value)
    struct.amplitude = amplitude
    if support.axes is not None:
        support.axes._fill(struct.axes)


def fill_spring(support: Support, struct, set_number: Callable[[Any], int]) -> None:
    struct.set = set_number(support.set)
    struct.kind = {"each": lib.EW_SPRING_EACH, "total": lib.EW_SPRING_TOTAL,
                   "foundation": lib.EW_SPRING_FOUNDATION}[support.spring]
    put(struct.stiffness, support.stiffness)
    if support.axes is not None:
        support.axes._fill(struct.axes)


def fill_coupling(coupling: Coupling, struct, set_number: Callable[[Any], int]) -> None:
    moved, displacement = _prescribed(coupling.displacement, "Coupling: displacement")
    turned, rotation = _prescribed(coupling.rotation, "Coupling: rotation")
    struct.is_rigid, struct.prescribed = coupling.rigid, moved | turned << 3
    struct.set = set_number(coupling.set)
    put(struct.point, coupling.at)
    put(struct.value, displacement + rotation)


def fill_tie(tie: Tie, struct, set_number: Callable[[Any], int]) -> None:
    """Into an ew_model_tie."""
    struct.slave, struct.master, struct.distance = set_number(tie.slave), set_number(tie.master), tie.distance
    if tie.shortening is not None:
        struct.kind = lib.EW_TIE_SLIDING if tie.shortening == "free" else lib.EW_TIE_SHORTENED
        struct.shortening = 0.0 if tie.shortening == "free" else tie.shortening
    if tie.turn is not None:
        struct.kind = lib.EW_TIE_CYCLIC
        put(struct.turn, np.ravel(tie.turn))
        put(struct.shift, tie.shift)
        put(struct.jump, tie.jump)


def _fill_rigid(rigid: Rigid, struct) -> Any:
    """Into an ew_rigid_def; what is returned must outlive it."""
    struct.kind, struct.is_hollow, struct.radius = getattr(lib, f"EW_RIGID_{rigid.kind}"), rigid.inside, rigid.radius
    struct.point, struct.direction = rigid.point, rigid.direction
    for name in ("displacement", "rotation", "about"):
        setattr(struct.motion, name, getattr(rigid, name))
    if rigid.points is None or rigid.triangles is None:
        return None
    surface = ffi.new("ew_surface *")
    surface.n_vertex, surface.n_triangle = len(rigid.points), len(rigid.triangles)
    surface.xyz, surface.triangle = pointer(rigid.points, "double *"), pointer(rigid.triangles, "int32_t *")
    struct.surface = surface
    return surface


def fill_contact(contact: Contact, struct, set_number: Callable[[Any], int]) -> Any:
    """Into an ew_model_contact; what is returned must outlive it."""
    struct.slave, struct.master = (-1 if one is None else set_number(one) for one in (contact.slave, contact.master))
    struct.distance = contact.distance
    struct.has_interference = contact.interference is not None
    struct.interference = contact.interference or 0.0
    struct.friction = contact.friction
    return None if contact.rigid is None else _fill_rigid(contact.rigid, struct.rigid)


def fill_equation(equation: Equation, struct, set_number: Callable[[Any], int]) -> Any:
    """Into an ew_model_equation; what is returned must outlive it."""
    rows = ffi.new("ew_model_term[]", len(equation.terms))
    for term, row in zip(equation.terms, rows):
        is_set = isinstance(term.at, str) or hasattr(term.at, "number")
        row.set = set_number(term.at) if is_set else -1
        ends = (-1,) if is_set else tuple(np.ravel(term.at))
        if len(ends) not in (1, 2):
            raise errors.BadArgument(f"Term: {term.at!r} is no set, no vertex and no two ends of a side")
        row.end[0], row.end[1] = int(ends[0]), int(ends[-1])
        put(row.factor, term.factor)
    struct.n_term, struct.term, struct.value = len(rows), rows, equation.value
    return rows


def load_kinds() -> List[str]:
    """Names of the kinds of loads of the library, in words."""
    return [text_of(lib.ew_load_traits_of(kind).name) for kind in range(lib.EW_LOAD_COUNT)]
