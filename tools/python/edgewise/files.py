"""Files of meshes and surfaces, named groups in them, and who releases what was read."""
from __future__ import annotations

import os
from typing import List, Optional, Union

from . import errors
from ._native import NULL, chars, check, failure, ffi, lib, text_of, word_place

PathLike = Union[str, "os.PathLike[str]"]
_GROUP_KINDS = ("vertices", "faces", "tets")


# ---- memory of structs ---------------------------------------------------------------------------

class Owner:
    """A struct that is released with the last array on its memory."""

    def __init__(self, struct, free):
        self.struct = struct
        self._free = free

    def __del__(self):
        if self._free is not None:
            self._free(self.struct)

    def give_up(self):
        self._free = None


# ---- groups --------------------------------------------------------------------------------------

class Groups:
    """Parts of a mesh that have names in its file: ``mesh.groups["bore"]`` selects one."""

    def __init__(self):
        self.owner = Owner(ffi.new("ew_groups *"), lib.ew_groups_free)

    @property
    def struct(self):
        return self.owner.struct

    def find(self, name: str, kind: Optional[str] = None):
        """(ew_group, kind) or None. Faces come before tets and vertices where a name has several."""
        for of in ([kind] if kind else ["faces", "tets", "vertices"]):
            found = lib.ew_groups_find(self.struct, word_place(" ".join(_GROUP_KINDS), of, "kind"),
                                       chars(name))
            if found:
                return found, of
        return None

    def names(self, kind: Optional[str] = None) -> List[str]:
        """Names of all groups, or of those of a kind: "vertices", "faces", "tets"."""
        every = [self.struct.group[k] for k in range(self.struct.n)]
        return [text_of(one.name) for one in every
                if kind is None or _GROUP_KINDS[one.kind] == kind]

    def name_label(self, kind: str, label: int, name: str) -> None:
        """Gives the faces or the tets with this label a name."""
        check(lib.ew_groups_name_label(self.struct, _GROUP_KINDS.index(kind), label, chars(name)))

    def __iter__(self):
        return iter(self.names())

    def __len__(self) -> int:
        return self.struct.n

    def __contains__(self, name) -> bool:
        return self.find(name) is not None

    def __repr__(self) -> str:
        parts = [f"{kind}: {', '.join(self.names(kind))}" for kind in _GROUP_KINDS if self.names(kind)]
        return f"<Groups {'; '.join(parts) or 'none'}>"


# ---- reading -------------------------------------------------------------------------------------

def read_bytes(path: PathLike) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise errors.FileError(f"{os.fspath(path)}: cannot be read: {error.strerror}") from None


def named_failure(status: int, path: PathLike) -> errors.EdgewiseError:
    """The last failure with the file's name in front."""
    lib.ew_fail_in_file(status, path_chars(path))
    return failure(status)


def path_chars(path: PathLike):
    """A path as a C string; the caller keeps it alive as long as it is used."""
    raw = os.fsencode(path)
    if b"\0" in raw:
        raise errors.BadArgument(f"a path holds a zero byte: {path!r}")
    return ffi.new("char[]", raw)


def fill_text(text, data: bytes) -> int:
    """An ew_text that the library releases."""
    room = ffi.new("void **")
    status = lib.ew_new(room, len(data) + 1, 1)
    if status:
        return status
    ffi.memmove(room[0], data, len(data))
    text.data = ffi.cast("char *", room[0])
    text.size = len(data)
    return lib.EW_OK


def format_of(path: PathLike):
    name = os.fspath(path)
    form = lib.ew_format_of_name(chars(name))
    if form == NULL:
        check(lib.ew_format_refuse(chars(name), lib.EW_FORMAT_MESH_OUTPUT, chars("")))
    return form


def write_mesh(struct, groups: Groups, path: PathLike) -> None:
    form = format_of(path)
    texts = ffi.new("ew_text[]", form.n_file)
    try:
        status = lib.ew_format_write_mesh(form, struct, groups.struct, True, texts)
        if status:
            raise named_failure(status, path)
        stem, endings = os.path.splitext(os.fspath(path))[0], text_of(form.endings).split()
        for place in range(form.n_file):
            name = os.fspath(path) if form.n_file == 1 else stem + endings[place]
            part = f"{name}.part"
            try:
                with open(part, "wb") as file:
                    file.write(ffi.buffer(texts[place].data, texts[place].size))
                os.replace(part, name)
            except OSError as error:
                raise errors.FileError(f"{name}: cannot be written: {error.strerror}") from None
    finally:
        for place in range(form.n_file):
            lib.ew_text_free(ffi.addressof(texts, place))
