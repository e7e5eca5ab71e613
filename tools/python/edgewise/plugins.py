"""Packages that add what the MIT core does not hold, found by the entry points of the group
``edgewise.plugins``: edgewise-cholmod (GPL), edgewise-tetgen (AGPL), edgewise-gmsh (GPL, a program).

A plugin's entry point is a function that returns a dictionary of addresses or paths:

- ``cholmod``: ``direct``, ``eigen`` (addresses: an ``ew_preconditioner_type``, ``ew_eigen_solve``);
- ``tetgen``: ``mesh``, ``fill`` (addresses of ``ew_tetgen_mesh``, ``ew_tetgen_fill``);
- ``gmsh``: ``program`` (path of ``edgewise-gmsh``).

Each also has ``version``, that of the library that it was compiled for, and ``license``."""
from __future__ import annotations

import importlib.metadata
import shutil
from typing import Any, Dict, Optional, Union

from . import errors
from ._native import ffi, lib, log, text_of

# What each offers; or why it cannot be used; None: it is not installed.
_found: Dict[str, Union[Dict[str, Any], errors.MissingPackage, None]] = {}


def find(name: str) -> Optional[Dict[str, Any]]:
    """What the plugin of this name offers, or None where it is not installed."""
    if name not in _found:
        try:
            _found[name] = _load(name)
        except errors.MissingPackage as missing:
            _found[name] = missing
            log.warning("%s", missing)
    offer = _found[name]
    if isinstance(offer, errors.MissingPackage):
        raise offer
    return offer


def _load(name: str) -> Optional[Dict[str, Any]]:
    entries = importlib.metadata.entry_points()
    group = (entries.select(group="edgewise.plugins", name=name) if hasattr(entries, "select")
             else [one for one in entries.get("edgewise.plugins", []) if one.name == name])
    for entry in group:
        try:
            offer = entry.load()()
        except (ImportError, OSError) as error:
            raise errors.MissingPackage(f"edgewise-{name} is installed and cannot be loaded: {error}; install "
                                        f"it again: pip install --force-reinstall edgewise-{name}",
                                        f"edgewise-{name}") from error
        version = text_of(lib.ew_version(ffi.NULL))
        if offer.get("version") != version:
            raise errors.MissingPackage(
                f"edgewise-{name} is of version {offer.get('version')} and edgewise of {version}; "
                f"install the two of one version: pip install -U edgewise edgewise-{name}",
                f"edgewise-{name}")
        return offer
    return None


def need(name: str, what: str) -> Dict[str, Any]:
    """As `find`; MissingPackage names the package where it is not installed."""
    offer = find(name)
    if offer is None:
        raise errors.MissingPackage(
            f"{what}: needs the package edgewise-{name}, which is not installed: "
            f"pip install edgewise-{name}", f"edgewise-{name}")
    return offer


def direct_solver(what: str):
    """(ew_preconditioner_type *, ew_eigen_call *) of edgewise-cholmod."""
    offer = need("cholmod", what)
    return (ffi.cast("const ew_preconditioner_type *", offer["direct"]),
            ffi.cast("ew_eigen_call *", offer["eigen"]))


def filler(what: str):
    """ew_fill_function of edgewise-tetgen."""
    return ffi.cast("ew_fill_function", need("tetgen", what)["fill"])


def tetgen_mesh(what: str):
    return ffi.cast("ew_status(*)(ew_mesh *, const ew_surface *, const ew_tetgen_def *, "
                    "ew_mesh_repair *)", need("tetgen", what)["mesh"])


def gmsh_program(what: str) -> str:
    """Path of the program edgewise-gmsh."""
    offer = find("gmsh")
    path = offer["program"] if offer else shutil.which("edgewise-gmsh")
    if not path:
        raise errors.MissingPackage(
            f"{what}: CAD files are meshed by the program edgewise-gmsh, which is not installed: "
            "install the Debian package edgewise-gmsh, or build the repository with Gmsh "
            "(Debian packages libgmsh-dev, libocct-data-exchange-dev) and put the program on the PATH",
            "edgewise-gmsh")
    return path
