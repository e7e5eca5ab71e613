"""Ready-made edits as methods of a model, one for each operation that the library has.

Names, options, presets, ranges and help come from the library's descriptors: a new operation is a
method without a line here. ``help(Model.refine)`` shows them, ``edgewise.operations.table()`` lists all."""
from __future__ import annotations

import inspect
import os
from typing import Any, Dict, List, Optional

import numpy as np

from . import errors, plugins
from ._native import NULL, chars, check, ffi, lib, log, text_of
from .selectors import Selector


class _Parameter:
    """A parameter of an operation, from its descriptor."""

    def __init__(self, struct):
        self.key = text_of(struct.key)
        self.kind = struct.kind
        self.need = struct.need
        self.preset = text_of(struct.preset) if struct.preset else None
        self.words = text_of(struct.words).split() if struct.words else []
        self.help = text_of(struct.help)
        self.when = text_of(struct.when) if struct.when else None
        read_with = getattr(struct, "with")
        self.read_with = text_of(read_with) if read_with else None

    def takes(self) -> str:
        """What may be given, in words."""
        kind = _KINDS.get(self.kind, "text")
        if self.words and self.kind in (lib.EW_PARAMETER_CHOICE, lib.EW_PARAMETER_PLACE):
            return " | ".join(repr(word) for word in self.words) + (
                "" if self.kind == lib.EW_PARAMETER_CHOICE else " | (3,)")
        if self.words and self.kind == lib.EW_PARAMETER_NUMBERS:
            return "dict with " + ", ".join(self.words) + ", or a selector of this shape"
        return kind


_KINDS = {
    lib.EW_PARAMETER_NUMBER: "float", lib.EW_PARAMETER_LENGTH: "float, length",
    lib.EW_PARAMETER_VECTOR: "(3,)", lib.EW_PARAMETER_FACTOR: "float or (3,)",
    lib.EW_PARAMETER_AXIS: "'x', 'y', 'z' or (3,)", lib.EW_PARAMETER_COUNT: "int",
    lib.EW_PARAMETER_SEED: "int", lib.EW_PARAMETER_REGION: "int, a label",
    lib.EW_PARAMETER_FLAG: "bool", lib.EW_PARAMETER_VERTICES: "set of vertices",
    lib.EW_PARAMETER_PROTECTED: "set or sets of tets", lib.EW_PARAMETER_TETS: "selector of tets",
    lib.EW_PARAMETER_MESH: "Mesh", lib.EW_PARAMETER_TABLE: "rows (n, 4) of vertex id and three numbers, or a path",
    lib.EW_PARAMETER_SURFACE: "Surface or path", lib.EW_PARAMETER_NAME: "str",
    lib.EW_PARAMETER_PARTS: "list of dicts",
}


def _descriptors() -> List[Any]:
    found: List[Any] = []
    while True:
        one = lib.ew_operation_at(len(found))
        if one == NULL:
            return found
        found.append(one)


def _parameters(operation) -> List[_Parameter]:
    return [_Parameter(operation.parameter[k]) for k in range(operation.n_parameter)]


def table() -> Dict[str, Dict[str, str]]:
    """Operation -> {parameter: help}."""
    return {text_of(one.name): {p.key: f"{p.takes()}: {p.help}" for p in _parameters(one)}
            for one in _descriptors()}


def _numbers_of(selector: Selector) -> Dict[str, Any]:
    """A selector by the words of the operations that take the same body."""
    if selector.kind == lib.EW_SELECT_SPHERE:
        return {"center": selector.a, "radius": selector.radius}
    if selector.kind == lib.EW_SELECT_CYLINDER:
        return {"from": selector.a, "to": selector.b, "radius": selector.radius}
    if selector.kind in (lib.EW_SELECT_SIDE, lib.EW_SELECT_PLANE):
        return {"point": selector.a, "normal": selector.b}
    return {}


# ---- values --------------------------------------------------------------------------------------

def _text(value: Any) -> str:
    """As the library reads it; numbers keep all digits."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if np.ndim(value):
        return ",".join(_text(one) for one in value)
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    return repr(float(value))


class _Filler:
    """Values of an operation from keyword arguments."""

    def __init__(self, model, operation):
        self.model, self.operation = model, operation
        self.values = ffi.new("ew_operation_values *", lib.ew_operation_presets(operation))
        self.other: Any = NULL
        self.kept: List[Any] = []

    def put(self, key: str, value: Any) -> None:
        place = lib.ew_operation_parameter(self.operation, chars(key))
        if place < 0:
            text = chars(_text(value) if not isinstance(value, (dict, list)) else "")
            check(lib.ew_operation_set(self.operation, self.values, chars(key), text, lib.EW_AS_KEYS))
            return
        self.put_kind(place, self.operation.parameter[place], value)

    def put_kind(self, place: int, parameter, value: Any) -> None:
        slot, kind = self.values.of[place], parameter.kind
        if kind == lib.EW_PARAMETER_VERTICES:
            slot.given, slot.whole = True, self.model._set_number(value)
        elif kind == lib.EW_PARAMETER_PROTECTED:
            every = [value] if isinstance(value, str) or not isinstance(value, (list, tuple)) else value
            numbers = ffi.new("int32_t[]", [self.model._set_number(one) for one in every])
            self.kept.append(numbers)
            slot.given, slot.n_set, slot.set = True, len(every), numbers
        elif kind == lib.EW_PARAMETER_TETS:
            slot.given = True
            self.kept.append(self.selector(value)._fill(slot.selector))
        elif kind == lib.EW_PARAMETER_MESH:
            from .mesh import Mesh
            mesh = value if isinstance(value, Mesh) else Mesh.read(value)
            self.kept.append(mesh)
            slot.given, slot.text, self.other = True, self.keep(chars("mesh")), mesh._mesh
        elif kind == lib.EW_PARAMETER_SURFACE:
            from .surface import Surface
            surface = value if isinstance(value, Surface) else Surface.read(value)
            self.kept.append(surface)
            slot.given, slot.text, slot.surface = True, self.keep(chars("surface")), surface.struct
        elif kind == lib.EW_PARAMETER_TABLE:
            self.put_table(slot, value)
        elif kind == lib.EW_PARAMETER_PARTS:
            self.put_parts(slot, value)
        elif kind == lib.EW_PARAMETER_NUMBERS:
            self.set_text(parameter, self.numbers(parameter, value))
        else:
            self.set_text(parameter, _text(value))

    def keep(self, one):
        self.kept.append(one)
        return one

    def set_text(self, parameter, text: str) -> None:
        check(lib.ew_operation_set(self.operation, self.values, parameter.key, self.keep(chars(text)),
                                   lib.EW_AS_KEYS))

    @staticmethod
    def numbers(parameter, value: Any) -> str:
        words = text_of(parameter.words).split()
        value = _numbers_of(value) if isinstance(value, Selector) else value
        if not isinstance(value, dict) or sorted(value) != sorted(words):
            raise errors.BadInput(f"{text_of(parameter.key)}: a dict with {', '.join(words)} is expected, or a "
                                  "selector of this shape (ew.Sphere, ew.Cylinder, ew.Side)")
        from ._native import vector
        parts = []
        for word in words:
            one = value[word]
            parts.append(_text(vector(one, word) if isinstance(one, str) else one))
        return ",".join(parts)

    def selector(self, value: Any) -> Selector:
        """Any choice of tets; what is no single selector goes by ids."""
        if isinstance(value, Selector) and value.kind != lib.EW_SELECT_IDS:
            return value
        from .sets import members
        slots = members(self.model, value, "tets")
        return Selector(lib.EW_SELECT_IDS, ids=tuple(int(one) for one in self.model.tet_ids[slots]))

    def put_table(self, slot, value: Any) -> None:
        if isinstance(value, (str, os.PathLike)):
            from .files import read_bytes
            data = read_bytes(value)
        else:
            rows = np.asarray(value, dtype=float)
            data = "\n".join(",".join(repr(float(x)) for x in row) for row in np.atleast_2d(rows)).encode()
        content = self.keep(ffi.new("char[]", data))
        slot.given, slot.text = True, self.keep(chars("table"))
        slot.content, slot.content_size = content, len(data)

    def put_parts(self, slot, value: Any) -> None:
        rows = ffi.new("ew_operation_values[]", len(value))
        form = ffi.addressof(lib, "ew_part_form")
        for row, part in zip(rows, value):
            filler = _Filler(self.model, form)
            for key, one in part.items():
                filler.put(key, one)
            row.of = filler.values.of
            self.kept.append(filler)
        self.kept.append(rows)
        slot.given, slot.n_part, slot.part = True, len(value), rows


# ---- methods -------------------------------------------------------------------------------------

def _method(operation):
    name = text_of(operation.name)
    parameters = _parameters(operation)

    def apply(self, **options: Any) -> Optional[str]:
        with self._lock:
            if name == "remesh":
                lib.ew_model_set_fill(self._model, plugins.filler(name))
            filler = _Filler(self, operation)
            for key, value in options.items():
                if value is not None:
                    filler.put(key, value)
            named = self._label_of_name(operation, filler)
            at = ffi.new("int32_t *")
            check(lib.ew_operation_check(operation, filler.values, lib.EW_AS_KEYS, at))
            lib.ew_model_begin(self._model)
            check(lib.ew_model_queue_operation(self._model, operation, filler.values, filler.other))
            remark = text_of(lib.ew_model_remark(self._model))
            self._commit()
            if named is not None:
                self.groups.name_label("faces", *named)
        if remark:
            log.warning("%s", remark)
        return remark or None

    empty = inspect.Parameter.empty
    order = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    order += [inspect.Parameter(p.key, inspect.Parameter.KEYWORD_ONLY,
                                default=empty if p.need == lib.EW_REQUIRED and not p.when else p.preset)
              for p in parameters]
    needs = {lib.EW_ONE_OF: "; exactly one of these is given", lib.EW_SOME_OF: "; at least one of these"}
    lines = [f"{text_of(operation.summary)[:1].upper()}{text_of(operation.summary)[1:]}.", ""]
    if operation.text:
        lines += [text_of(operation.text).strip(), ""]
    lines += ["Returns a remark that the user should know, or None.", "", "Parameters", "----------"]
    for p in parameters:
        lines += [f"{p.key} : {p.takes()}",
                  f"    {p.help}{needs.get(p.need, '')}"
                  f"{f'; preset {p.preset}' if p.preset else ''}"]
    apply.__name__, apply.__qualname__ = name, f"Model.{name}"
    apply.__doc__ = "\n".join(lines)
    apply.__signature__ = inspect.Signature(order, return_annotation=Optional[str])  # type: ignore
    apply.__module__ = "edgewise"
    return apply


class Operations:
    """A method for each operation of the library."""

    def _label_of_name(self, operation, filler: _Filler):
        """(label, name) of faces that an operation makes and names, which are a group of the mesh from
        then on; None: they have no name, or have it already."""
        at = lib.ew_operation_parameter_of(operation, lib.EW_PARAMETER_NAME)
        if at < 0 or not filler.values.of[at].given:
            return None
        name = text_of(filler.values.of[at].text)
        found = self.groups.find(name, "faces")
        label_at = lib.ew_operation_parameter(operation, chars("label"))
        if not filler.values.of[label_at].given:
            label = found[0].label if found else lib.ew_groups_free_label(
                self.groups.struct, self._struct(), lib.EW_GROUP_FACES)
            filler.put("label", label)
        return None if found else (int(filler.values.of[label_at].whole), name)


for _one in _descriptors():
    setattr(Operations, text_of(_one.name), _method(_one))



