"""Tetrahedra in surfaces for edgewise, by TetGen (AGPL): found by the package edgewise, nothing to call
here."""
import ctypes
import os

from ._version import LIBRARY, VERSION


def plugin():
    """Addresses for edgewise.plugins; the core library must be loaded."""
    import edgewise._ew  # noqa: F401  the library that this one uses

    library = ctypes.CDLL(os.path.join(os.path.dirname(__file__), LIBRARY))
    address = {name: ctypes.cast(getattr(library, function), ctypes.c_void_p).value
               for name, function in (("mesh", "ew_tetgen_mesh"), ("fill", "ew_tetgen_fill"))}
    return {"version": VERSION, "license": "AGPL-3.0-or-later", "library": library, **address}
