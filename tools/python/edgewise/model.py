"""The model: a mesh and all that must follow its edits."""
from __future__ import annotations

import os
from typing import Any, Dict, Optional, Sequence, Union

import numpy as np

from . import errors, sets as sets_module
from ._native import (NULL, Leases, Lock, check, copied, failure, ffi, id_list, lib, log, pointer,
                      real_array, text_of, word_place)
from .conditions import Conditions
from .devices import open_device
from .edits import Edits
from .fields import Field
from .files import Groups, Owner, PathLike, write_mesh
from .goals import Goals
from .materials import AnyMaterial
from .matrices import Matrices
from .mesh import Mesh, MeshArrays
from .motion import Motions
from .results import Results
from .sets import Set, Sets
from .show import Shown
from .solving import Solving

_PRECISIONS = ("double", "mixed", "single", "auto")
_RULES = ("mean", "copy", "zero")


class Model(MeshArrays, Conditions, Edits, Solving, Motions, Results, Goals, Matrices, Shown):
    """A body of tetrahedra, with materials, sets, supports and loads, that can be edited and solved.

    Parameters
    ----------
    mesh : Mesh, (n, 3) array, path, meshio.Mesh or pyvista grid
        The body; a Mesh is taken over. With an array of points give `tets`.
    tets : (m, 4) or (m, 10) array of int, optional
        Rows of the points.
    regions : (m,) array of int, optional
        Labels that materials go by.
    reorder : bool
        Renumber vertices and tets for locality, which makes large bodies whose input is in no order
        faster; `vertex_ids` then says which row of the input a slot has. Default: rows of the input
        are the slots.
    device : str, optional
        "opencl" (a GPU if there is one) or "opencl:P.D"; default: the host.
    precision : str
        Of the blocks on a device: "auto", "double", "mixed", "single".
    journal : bool
        Keep a journal of what is done, for `undo`, `redo` and replays.

    A model may be used from several threads: each call waits for the one before. Several models run
    side by side, for the interpreter's lock is released in every call of the library. Arrays that a
    model gives are read-only and never change: each shows the model at the time when it was asked for.
    """

    def __init__(self, mesh: Any, tets: Any = None, *, regions: Any = None, reorder: bool = False,
                 device: Optional[str] = None, precision: str = "auto", journal: bool = False):
        body = _mesh_of(mesh, tets, regions)
        self._lock = Lock()
        self._device = open_device(device)
        made = ffi.new("ew_model_def *", lib.ew_default_model_def())
        made.reorder = reorder
        made.device = self._device.struct if self._device else NULL
        made.precision = word_place(" ".join(_PRECISIONS), precision, "precision")
        self._def = made
        self.groups = body.groups
        quadratic = bool(body._mesh.has_middles)
        self._journal = None
        start = body.copy() if journal else None
        self._adopt(self._create(body, made))
        self._start_conditions()
        self.sets: Sets = Sets()
        self._fields: Dict[str, Field] = {}
        self._frame = 0
        if start is not None:
            from .journal import Journal
            self._journal = Journal(start, reorder)
        if quadratic:
            self.quadratic = True
        log.info("model: %d tets, %d vertices", self.n_tets, self.n_vertices)

    @staticmethod
    def _create(body: Mesh, definition):
        out = ffi.new("ew_model **")
        struct = body._take()
        status = lib.ew_model_create(out, struct, definition)
        if status:
            found = failure(status)
            body._take_back(struct)
            raise found
        return out[0]

    def _adopt(self, pointer_) -> None:
        device = self._device

        def free(model):
            lib.ew_model_free(model)
            del device_kept[:]

        device_kept = [device]  # outlives the model
        self._owner: Optional[Owner] = Owner(pointer_, free)
        MeshArrays.__init__(self, Leases(self._owner))

    # ---- where models come from

    @classmethod
    def box(cls, size: Sequence[float], cells: Sequence[int], **options) -> "Model":
        """A box [0, size] (length) in cells of six tets: see Mesh.box."""
        return cls(Mesh.box(size, cells), **options)

    @classmethod
    def read(cls, path: PathLike, **options) -> "Model":
        """Of a mesh or CAD file; options of the model and, of CAD files, of Mesh.from_cad."""
        own = {key: options.pop(key) for key in ("reorder", "device", "precision", "journal")
               if key in options}
        return cls(Mesh.read(path, **options), **own)

    # ---- life

    @property
    def _model(self):
        owner = self._owner
        if owner is None:
            raise errors.Stale("the model is closed")
        return owner.struct

    def _struct(self):
        return lib.ew_model_mesh(self._model)

    def close(self) -> None:
        """Releases the memory of the model. Arrays that it gave stay as they are."""
        with self._lock:
            if self._owner is not None:
                self._leases.detach()
                self._owner = None
                self._leases = Leases(None)

    @property
    def closed(self) -> bool:
        """Whether it is closed."""
        return self._owner is None

    def __enter__(self) -> "Model":
        return self

    def __exit__(self, *exception) -> None:
        self.close()

    def __del__(self):
        if getattr(self, "_owner", None) is not None:
            self.close()

    @property
    def revision(self) -> int:
        """A number that each edit adds to."""
        return self._struct().revision

    # ---- materials

    @property
    def material(self) -> Optional[AnyMaterial]:
        """The material of all regions that have none of their own; set one, or a dictionary from
        region labels or names of groups to materials."""
        return self._materials.get(None)

    @material.setter
    def material(self, material: Union[AnyMaterial, Dict[Union[int, str], AnyMaterial]]) -> None:
        for region, one in (material.items() if isinstance(material, dict) else [(None, material)]):
            self.set_material(one, region)

    @property
    def materials(self) -> Dict[Optional[int], AnyMaterial]:
        """Materials by region label; None: of all other regions."""
        return dict(self._materials)

    def set_material(self, material: AnyMaterial, region: Union[int, str, None] = None) -> None:
        """The material of a region, by its label or its name in the mesh, or of all others."""
        label = None if region is None else self._region_label(region)
        with self._lock:
            self._change("recovered")
            check(lib.ew_model_set_material(
                self._model, lib.EW_ALL_REGIONS if label is None else label, material._struct()))
            self._materials[label] = material
            self._note("material", material=material, region=label)

    def _region_label(self, region: Union[int, str]) -> int:
        if not isinstance(region, str):
            return int(region)
        found = self.groups.find(region, "tets")
        if found is None or not found[0].is_label:
            known = self.groups.names("tets")
            raise errors.BadInput(f"region {region!r}: the mesh has no region of this name; it has "
                                  f"{', '.join(known) or 'none'}")
        return found[0].label

    def set_material_axes(self, axes: Any) -> None:
        """Local axes 1 and 2 of each tet, (n_tet_slots, 6), for materials with MaterialAxes.by_tet."""
        array = real_array(axes, (len(self.tets), 6), "material axes")
        with self._lock:
            self._change("recovered")
            check(lib.ew_model_set_material_axes(self._model, pointer(array, "double *")))
            self._note("material_axes", axes=array)

    # ---- formulation

    @property
    def quadratic(self) -> bool:
        """Whether all tets are quadratic; set it to change them."""
        return self._order == "quadratic"

    @quadratic.setter
    def quadratic(self, yes: bool) -> None:
        with self._lock:
            self._change("state", "recovered")
            check(lib.ew_model_set_order(self._model, bool(yes)))
            self._order = "quadratic" if yes else "linear"
            self._note("order", quadratic=bool(yes))

    def enrich(self, where: Any, quadratic: bool = True) -> None:
        """Makes some tets quadratic, or linear again: a set, or what add_set takes."""
        slots = sets_module.members(self, where, "tets")
        with self._lock, id_list(slots) as listed:
            self._change("state", "recovered")
            check(lib.ew_model_enrich(self._model, listed, quadratic))
            self._order = "some"
            self._note("enrich", slots=slots, quadratic=quadratic)

    @property
    def mixed(self) -> bool:
        """Whether tets are mixed, for nearly incompressible materials; set it to change them."""
        return bool(lib.ew_model_is_mixed(self._model))

    @mixed.setter
    def mixed(self, yes: bool) -> None:
        with self._lock:
            self._change("state", "recovered")
            check(lib.ew_model_set_mixed(self._model, bool(yes)))
            self._note("mixed", mixed=bool(yes))

    @property
    def kinematics(self) -> str:
        """"small" or "corotational" (rotations of any size, small strains)."""
        return text_of(lib.EW_KINEMATICS_NAMES).split()[lib.ew_model_kinematics(self._model)]

    @kinematics.setter
    def kinematics(self, name: str) -> None:
        with self._lock:
            self._change("state", "recovered")
            place = word_place(text_of(lib.EW_KINEMATICS_NAMES), name, "kinematics")
            check(lib.ew_model_set_kinematics(self._model, place))
            self._note("kinematics", name=name)

    def set_operator(self, name: str) -> None:
        """How products are made: "stored" (from blocks) or "matrix-free" (from tets)."""
        with self._lock:
            place = word_place(text_of(lib.EW_OPERATOR_NAMES), name, "operator")
            check(lib.ew_model_set_operator(self._model, place))
            self._note("operator", name=name)

    # ---- sets

    def add_set(self, name: Optional[str], where: Any, of: Optional[str] = None,
                allow_empty: bool = False) -> Set:
        """A named set that follows the edits of the mesh.

        where: a selector or a combination of selectors; a function of points (n, 3) that gives n truth
        values (of vertices; of tets at their centroids; faces are those with all three vertices); such
        an array; slots; of faces rows of three vertices, or codes 4 tet + face; the name of a group of
        the mesh; another set. of: "vertices", "faces" or "tets"; default: as the group or set has it,
        else vertices. allow_empty: loads and supports do without it while it has no members."""
        kind = of or self._kind_of(where)
        if kind not in sets_module.KINDS:
            raise errors.BadArgument(f"of: {kind!r} is none of {', '.join(sets_module.KINDS)}")
        with self._lock:
            slots = sets_module.members(self, where, kind)
            made = sets_module.add(self, name, slots, kind, allow_empty)
            self.sets[made.name] = made
            self._note("set", name=name, slots=slots, kind=kind, allow_empty=allow_empty)
        return made

    def _kind_of(self, where: Any) -> str:
        if isinstance(where, Set):
            return where.kind
        if isinstance(where, str) and where not in self.sets:
            found = self.groups.find(where)
            return found[1] if found else "vertices"
        return self.sets[where].kind if isinstance(where, str) else "vertices"

    def _redefine(self, one: Set, where: Any) -> None:
        with self._lock:
            slots = sets_module.members(self, where, one.kind)
            with id_list(slots) as listed:
                check(lib.ew_model_redefine_set(self._model, one.number, listed))
            self._change("recovered")
            self._note("redefine", number=one.number, slots=slots)

    def __getitem__(self, name: str) -> Set:
        """The set of this name; of a group of the mesh a set is made when it is first asked for."""
        if name not in self.sets and name in self.groups:
            return self.add_set(name, name)
        return self.sets[name]

    def _set_number(self, one: Union[str, Set]) -> int:
        found = one if isinstance(one, Set) else self[one]
        if found._ref() is not self:
            raise errors.BadArgument(f"set {found.name!r} is of another model")
        return found.number

    # ---- boundary

    def _boundary(self):
        out = ffi.new("const ew_boundary **")
        check(lib.ew_model_boundary(self._model, out))
        return out[0]

    @property
    def boundary_codes(self) -> np.ndarray:
        """Face codes (4 tet + face) of the boundary, ascending, (n,); a copy."""
        with self._lock:
            boundary = self._boundary()
            codes = copied(boundary.code, (boundary.n_slot,), np.int32)
            return np.sort(codes[codes >= 0])

    @property
    def boundary(self) -> np.ndarray:
        """Corners of the boundary's faces, vertex slots, looking outwards, (n, 3); a copy."""
        with self._lock:
            return sets_module.face_corners(self.tets, self.boundary_codes)

    # ---- fields

    def add_field(self, name: str, values: Any = None, *, on: str = "vertices", width: int = 1,
                  rule: str = "mean") -> Field:
        """Numbers by vertex or tet slot that follow the edits. rule: of new ones, "mean" (between their
        parents), "copy" (of the parent) or "zero"."""
        if on not in ("vertices", "tets"):
            raise errors.BadArgument(f"on: {on!r} is none of vertices, tets")
        n = len(self.tets) if on == "tets" else len(self.points)
        array = None
        if values is not None:
            array = np.asarray(values, dtype=float)
            width = 1 if array.ndim == 1 else array.shape[-1]
            array = real_array(array.reshape(len(array), -1), (n, width), f"field {name!r}")
        with self._lock:
            number = self._add_field(name, on == "tets", width, rule)
            self._note("field", name=name, on_tets=on == "tets", width=width, rule=rule)
            made = Field(self, number, name, on, width)
            self._fields[name] = made
            if array is not None:
                made.set(array)
        return made

    def _add_field(self, name: str, on_tets: bool, width: int, rule: str) -> int:
        made, number = ffi.new("ew_field_def *"), ffi.new("int32_t *")
        label = ffi.new("char[]", name.encode())
        made.name, made.on_tets, made.width = label, on_tets, width
        made.rule = word_place(" ".join(_RULES), rule, "rule")
        check(lib.ew_model_add_field(self._model, made, number))
        return number[0]

    @property
    def fields(self) -> Dict[str, Field]:
        """Fields by name."""
        return dict(self._fields)

    # ---- files and copies

    def to_mesh(self) -> Mesh:
        """A copy of the mesh as it is, without free slots."""
        with self._lock:
            struct = ffi.new("ew_mesh *")
            check(lib.ew_mesh_compact_copy(struct, self._struct(), NULL, False, NULL, NULL))
            groups = Groups()
            check(lib.ew_groups_copy(groups.struct, self.groups.struct))
            return Mesh._of(struct, groups)

    def write_mesh(self, path: PathLike) -> None:
        """The mesh as it is to a file, in the format of its ending."""
        with self._lock:
            write_mesh(self._struct(), self.groups, path)

    def verify(self) -> Dict[str, Any]:
        """Tables and blocks against a rebuild from the mesh alone: how many blocks differ in a bit (0),
        and the largest difference."""
        made = ffi.new("ew_model_verification *")
        with self._lock:
            check(lib.ew_model_verify(self._model, made))
        return {"different": made.n_different, "largest": made.largest,
                "seconds": made.seconds_tables + made.seconds_matrix}

    def report(self) -> Dict[str, Any]:
        """Times (s) and counts of what was done since `clear_report`."""
        view = lib.ew_model_view_report(self._model)
        return {name: (list(value) if isinstance(value := getattr(view, name), ffi.CData) else value)
                for name, _ in ffi.typeof("ew_model_report").fields}

    def clear_report(self) -> None:
        """Begins the sums of `report` again."""
        lib.ew_model_clear_report(self._model)

    # ---- private

    def _change(self, *groups: str) -> None:
        """Before a call changes memory of these groups."""
        self._model
        self._leases.detach(*groups)

    def _note(self, call: str, /, **what: Any) -> None:
        if self._journal is not None:
            self._journal._note(call, **what)

    def __repr__(self) -> str:
        if self._owner is None:
            return "<Model, closed>"
        sets = f", sets {', '.join(self.sets)}" if self.sets else ""
        return f"<Model of {self.n_tets:,} tets, {self.n_vertices:,} vertices{sets}>"


# ---- helpers -------------------------------------------------------------------------------------

def _mesh_of(mesh: Any, tets: Any, regions: Any) -> Mesh:
    if tets is not None:
        return Mesh(mesh, tets, regions)
    if regions is not None:
        raise errors.BadArgument("regions: goes with points and tets")
    if isinstance(mesh, Mesh):
        return mesh
    if isinstance(mesh, (str, os.PathLike)):
        return Mesh.read(mesh)
    module = type(mesh).__module__.split(".")[0]
    if module == "meshio":
        return Mesh.from_meshio(mesh)
    if module in ("pyvista", "vtkmodules"):
        return Mesh.from_pyvista(mesh)
    raise errors.BadArgument(f"Model: takes a Mesh, points and tets, a path, a meshio.Mesh or a pyvista "
                             f"grid, and not a {type(mesh).__name__}")
