"""The direct solver of edgewise, by SuiteSparse CHOLMOD (GPL), and eigenpairs by ARPACK: found by the
package edgewise, nothing to call here."""
import ctypes
import os

from ._version import LIBRARY, VERSION


def plugin():
    """Addresses for edgewise.plugins; the core library must be loaded."""
    import edgewise._ew  # noqa: F401  the library that this one uses

    library = ctypes.CDLL(os.path.join(os.path.dirname(__file__), LIBRARY))
    library.ew_direct_solver.restype = ctypes.c_void_p
    return {"version": VERSION, "license": "GPL-2.0-or-later", "library": library,
            "direct": library.ew_direct_solver(),
            "eigen": ctypes.cast(library.ew_eigen_solve, ctypes.c_void_p).value}
