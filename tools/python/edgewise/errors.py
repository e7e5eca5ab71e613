"""Exceptions, one for each status of the library.

``EdgewiseError`` is the base of all. Each also is the exception of Python's own that fits, so that
``except ValueError`` catches what an argument causes and ``except MemoryError`` what memory does."""
from __future__ import annotations

import re
from typing import Optional, Tuple


class EdgewiseError(Exception):
    """A call of the library that failed.

    Attributes
    ----------
    status : int
        The library's status, an ``ew_status``.
    text : str
        One line: what is wrong, where, and the remedy.
    line : int
        Line of the file or text that was read, from 1; 0 where there is none.
    ids : tuple of int
        What the rule is about: places, vertices or tets, as `text` says. Empty where it names none.
    """

    status: int = 0

    def __init__(self, text: str, line: int = 0, ids: Tuple[int, ...] = ()):
        super().__init__(f"line {line}: {text}" if line else text)
        self.text = text
        self.line = line
        self.ids = ids


class MissingPackage(EdgewiseError, ImportError):
    """What was asked for needs a package that is not installed; the text names it."""

    def __init__(self, text: str, name: Optional[str] = None):
        EdgewiseError.__init__(self, text)
        self.name = name


# The exceptions of Python that statuses also are; those of the mesh's rules are ValueErrors.
_ALSO = {
    "NO_MEMORY": MemoryError,
    "BAD_ARGUMENT": ValueError,
    "BAD_INPUT": ValueError,
    "UNSUPPORTED": NotImplementedError,
    "IO": OSError,
    "LIMIT": OverflowError,
    "BAD_EDIT": ValueError,
    "NOT_CONVERGED": ArithmeticError,
    "INDEFINITE": ArithmeticError,
    "NOT_FINITE": ArithmeticError,
}
_NAMES = {"IO": "FileError", "DEVICE": "DeviceError", "LIMIT": "LimitError", "NO_MEMORY": "NoMemory"}
_BY_STATUS: dict = {}


def _class_name(status_name: str) -> str:
    return _NAMES.get(status_name) or "".join(word.capitalize() for word in status_name.split("_"))


def _define(lib, ffi) -> None:
    """A class for each enumerator of ew_status, with the library's text as its docstring."""
    names = ffi.typeof("ew_status").relements
    mesh = type("MeshError", (EdgewiseError, ValueError),
                {"__doc__": "A mesh breaks one of the rules of meshes.", "__module__": "edgewise"})
    globals()["MeshError"] = mesh
    for full, number in names.items():
        name = re.sub("^EW_", "", full)
        if name in ("OK", "STATUS_COUNT"):
            continue
        if name.startswith(("MESH_", "TABLE_", "MATRIX_")):
            bases = (mesh,) if name.startswith("MESH_") else (EdgewiseError,)
        else:
            bases = (EdgewiseError, _ALSO[name]) if name in _ALSO else (EdgewiseError,)
        text = ffi.string(lib.ew_status_text(number)).decode()
        made = type(_class_name(name), bases, {"__doc__": text[:1].upper() + text[1:] + ".",
                                               "__module__": "edgewise", "status": number})
        _BY_STATUS[number] = made
        globals()[made.__name__] = made
    globals()["__all__"] = public()


def public() -> list:
    """Names of all exception classes."""
    return sorted(name for name, value in globals().items()
                  if isinstance(value, type) and issubclass(value, EdgewiseError))
