"""The stubs edgewise/errors.pyi and edgewise/operations.pyi: what the library's lists of statuses and of
operations make, for type checkers and editors. After a change of those lists, with the package on the path:

    python3 tools/python/binding/stubs.py"""
import os

import edgewise as ew
from edgewise import operations
from edgewise._native import lib, text_of

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "edgewise")
NOTE = "# Made by tools/python/binding/stubs.py; not edited by hand.\n"
ERRORS = NOTE + '''from typing import Any, Dict, List, Optional, Tuple, Type

class EdgewiseError(Exception):
    status: int
    text: str
    line: int
    ids: Tuple[int, ...]
    def __init__(self, text: str, line: int = ..., ids: Tuple[int, ...] = ...) -> None: ...

class MissingPackage(EdgewiseError, ImportError):
    name: Optional[str]
    def __init__(self, text: str, name: Optional[str] = ...) -> None: ...

_BY_STATUS: Dict[int, Type[EdgewiseError]]

def _define(lib: Any, ffi: Any) -> None: ...
def public() -> List[str]: ...

'''
OPERATIONS = NOTE + '''from typing import Any, Dict, Literal, Optional, Sequence, Union

from .files import PathLike
from .loads import Vector
from .mesh import Mesh
from .selectors import Selector
from .sets import Set
from .surface import Surface

def table() -> Dict[str, Dict[str, str]]: ...

class Operations:
'''
SET = "Union[str, Set]"
KINDS = {
    lib.EW_PARAMETER_NUMBER: "float", lib.EW_PARAMETER_LENGTH: "float", lib.EW_PARAMETER_VECTOR: "Vector",
    lib.EW_PARAMETER_FACTOR: "Union[float, Vector]", lib.EW_PARAMETER_AXIS: "Vector",
    lib.EW_PARAMETER_COUNT: "int", lib.EW_PARAMETER_SEED: "int", lib.EW_PARAMETER_REGION: "int",
    lib.EW_PARAMETER_FLAG: "bool", lib.EW_PARAMETER_VERTICES: SET,
    lib.EW_PARAMETER_PROTECTED: f"Union[str, Set, Sequence[{SET}]]", lib.EW_PARAMETER_MESH: "Mesh",
    lib.EW_PARAMETER_SURFACE: "Union[Surface, PathLike]", lib.EW_PARAMETER_NAME: "str",
    lib.EW_PARAMETER_PARTS: "Sequence[Dict[str, Any]]", lib.EW_PARAMETER_NUMBERS: "Union[Dict[str, Any], Selector]",
}


def errors_text() -> str:
    """A class for each status."""
    found = []
    made = [getattr(ew.errors, name) for name in ew.errors.public() if name not in ("EdgewiseError",
                                                                                   "MissingPackage")]
    for one in sorted(made, key=lambda one: (one is not ew.errors.MeshError, one.__name__)):
        found.append(f"class {one.__name__}({', '.join(base.__name__ for base in one.__bases__)}): ...\n")
    return ERRORS + "".join(found)


def type_of(parameter: operations._Parameter) -> str:
    """What the parameter takes, in Python's types."""
    words = f"Literal[{', '.join(repr(word) for word in parameter.words)}]"
    if parameter.kind == lib.EW_PARAMETER_CHOICE:
        return words
    if parameter.kind == lib.EW_PARAMETER_PLACE:
        return f"Union[{words}, Vector]" if parameter.words else "Vector"
    return KINDS.get(parameter.kind, "Any")


def operations_text() -> str:
    """A method for each operation, with its parameters by keyword."""
    found = []
    for one in operations._descriptors():
        parameters = []
        for p in operations._parameters(one):
            needed = p.need == lib.EW_REQUIRED and not p.when
            kind = type_of(p)
            parameters.append(f", {p.key}: {kind}" if needed else f", {p.key}: Optional[{kind}] = ...")
        star = ", *" if parameters else ""
        lines, line = [], f"    def {text_of(one.name)}(self{star}"
        for text in parameters:
            if len(line) + len(text) > 88:
                lines.append(line + ",")
                line, text = " " * 8, text[2:]
            line += text
        found.append("\n".join([*lines, line + ") -> Optional[str]: ...\n"]))
    return OPERATIONS + "".join(found)


def texts() -> dict:
    """File name -> text."""
    return {"errors.pyi": errors_text(), "operations.pyi": operations_text()}


if __name__ == "__main__":
    for name, text in texts().items():
        with open(os.path.join(FOLDER, name), "w", encoding="utf-8") as file:
            file.write(text)
