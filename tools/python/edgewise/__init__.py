"""Structural analysis of tetrahedral meshes that change.

>>> import edgewise as ew
>>> model = ew.Model.box((1.0, 0.1, 0.1), cells=(40, 4, 4))
>>> model.material = ew.Material(young=210e9, poisson=0.3, density=7850.0)
>>> wall = model.add_set("wall", lambda x: x[:, 0] < 1e-9)
>>> tip = model.add_set("tip", lambda x: x[:, 0] > 1.0 - 1e-9, of="faces")
>>> model.supports = ew.Fixed(wall)
>>> model.loads = ew.TotalForce(tip, (0.0, 0.0, -1000.0))
>>> answer = model.solve()
>>> model.plot(screenshot="beam.png")

``Model`` holds all; ``Mesh`` and ``Surface`` are where bodies come from; loads, supports, materials and
selectors are plain data. ``edgewise.lib`` and ``edgewise.ffi`` give every function of the C library."""
from __future__ import annotations

from typing import Union

from . import _native, errors
from ._native import ffi, lib, text_of
from .errors import *  # noqa: F403
from .journal import Journal
from .loads import (Axes, Bearing, Centrifugal, Contact, Coupling, Displacement, Displacements, Equation, Fixed, Force,
                    Forces, Gravity, Load, Moment, Pressure, Pressures, Reference, RemoteForce, Rigid, Sine, Spring, Step, Support,
                    Table, Temperature, Term, Tie, TotalForce, Traction, Tractions, Velocity)
from .materials import Anisotropic, Law, Material, MaterialAxes, Orthotropic
from .devices import devices
from .fields import Field
from .goals import Goal
from .mesh import Mesh
from .model import Model
from .motion import Motion
from .selectors import All, Box, Cylinder, Ids, Nearest, Plane, Region, Selector, Side, Sphere
from .selectors import Surface as SurfaceLabel
from .sets import Set
from .solving import Info, Statics
from .surface import Surface

__version__ = text_of(lib.ew_version(ffi.NULL))


def use_threads(n: int) -> None:
    """Threads that calls from this Python thread use; 0: those of the machine. Results never depend on
    it."""
    lib.ew_use_threads(n)


def threads() -> int:
    """Threads that calls from this Python thread use."""
    return lib.ew_threads()


def replay(journal: Union[Journal, str]) -> Model:
    """The model that a journal leads to, a Journal or the path of one; MatrixDiffers where an analysis
    gives other bits than when it was made."""
    from .journal import rebuild
    if not isinstance(journal, Journal):
        journal = Journal.load(journal)
    model = Model(journal.start.copy(), reorder=journal.reorder, journal=True)
    model._journal = journal
    rebuild(model, journal.entries, solve=True, compare=True)
    return model


__all__ = [
    "All", "Anisotropic", "Axes", "Bearing", "Box", "Centrifugal", "Contact", "Coupling", "Cylinder", "Displacement",
    "Displacements", "EdgewiseError", "Equation", "Field", "Fixed", "Force", "Forces", "Goal", "Gravity", "Ids",
    "Info", "Journal", "Law", "Load", "Material", "MaterialAxes", "Mesh", "MissingPackage", "Model", "Moment",
    "Motion", "Nearest", "Orthotropic", "Plane", "Pressure", "Pressures", "Reference", "Region", "RemoteForce", "Rigid",
    "Selector", "Set", "Side", "Sine", "Sphere", "Spring", "Statics", "Step", "Support", "Surface",
    "SurfaceLabel", "Table", "Temperature", "Term", "Tie", "TotalForce", "Traction", "Tractions", "Velocity",
    "devices", "errors", "ffi", "lib", "replay", "threads", "use_threads"]
__all__ += errors.public()  # whose names the star above brings
del _native
