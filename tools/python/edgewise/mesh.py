"""Meshes: from arrays, from files, from other packages, from CAD."""
from __future__ import annotations

import os
from typing import Any, Dict, Optional, Sequence, Tuple

import numpy as np

from . import errors, plugins
from ._native import (NULL, Leases, chars, check, copied, ffi, int_array, lib, log, pointer,
                      real_array, slot_detach, text_of, word_place)
from .files import Groups, Owner, PathLike, named_failure, path_chars, write_mesh

# Edges of VTK's, Gmsh's (as meshio gives it) and Abaqus' ten-node tet, behind its corners.
_TEN_NODE_EDGES = ((0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3))


class MeshArrays:
    """Read-only arrays on an ew_mesh: see Mesh."""

    def __init__(self, leases: Leases):
        self._leases = leases

    def _struct(self):
        raise NotImplementedError

    def _mesh_array(self, field: str, tail: Tuple[int, ...], dtype, of_tets: bool) -> np.ndarray:
        mesh = self._struct()
        n, capacity = ((mesh.n_tet, mesh.tet_capacity) if of_tets
                       else (mesh.n_vertex, mesh.vertex_capacity))
        size = capacity * int(np.prod(tail, dtype=np.int64)) * np.dtype(dtype).itemsize
        return self._leases.array(field, getattr(mesh, field), (n, *tail), dtype, "mesh",
                                  slot_detach(ffi.addressof(mesh, field), size))

    @property
    def points(self) -> np.ndarray:
        """Positions, (n_vertex_slots, 3), length. Rows of freed slots have no meaning."""
        return self._mesh_array("xyz", (3,), np.float64, False)

    @property
    def tets(self) -> np.ndarray:
        """Corners, (n_tet_slots, 4), rows of `points`. A row of a freed slot begins with -1."""
        return self._mesh_array("tet", (4,), np.int32, True)

    @property
    def vertex_ids(self) -> np.ndarray:
        """Names that neither edits nor renumbering change, (n_vertex_slots,): the row of the input."""
        return self._mesh_array("vertex_id", (), np.int64, False)

    @property
    def tet_ids(self) -> np.ndarray:
        """As `vertex_ids`, of tets, (n_tet_slots,)."""
        return self._mesh_array("tet_id", (), np.int64, True)

    @property
    def valence(self) -> np.ndarray:
        """Tets at each vertex, (n_vertex_slots,); 0 without a tet, -1 in a freed slot."""
        return self._mesh_array("valence", (), np.int32, False)

    @property
    def born(self) -> np.ndarray:
        """The frame in which each tet was added, (n_tet_slots,)."""
        return self._mesh_array("born", (), np.int32, True)

    @property
    def regions(self) -> np.ndarray:
        """Region labels by tet, (n_tet_slots,); a copy."""
        mesh = self._struct()
        labels = copied(mesh.region_label, (mesh.n_region,), np.int32)
        of_tet = copied(mesh.region, (mesh.n_tet,), np.int32)
        return labels[np.clip(of_tet, 0, max(len(labels) - 1, 0))] if len(labels) else of_tet

    @property
    def region_labels(self) -> np.ndarray:
        """Each label once, (n_region,); a copy."""
        mesh = self._struct()
        return copied(mesh.region_label, (mesh.n_region,), np.int32)

    @property
    def live_tets(self) -> np.ndarray:
        """Slots of the tets that there are, ascending, (n_tets,)."""
        return np.flatnonzero(self.tets[:, 0] >= 0).astype(np.int32)

    @property
    def active_vertices(self) -> np.ndarray:
        """Slots of the vertices with at least one tet, ascending, (n_vertices,)."""
        return np.flatnonzero(self.valence > 0).astype(np.int32)

    @property
    def n_tets(self) -> int:
        """Tets that there are."""
        return self._struct().n_live_tet

    @property
    def n_vertices(self) -> int:
        """Vertices with at least one tet."""
        return self._struct().n_active_vertex

    def measure(self) -> Dict[str, Any]:
        """Bounds, volume, shape quality (mean ratio, 0 to 1) and edge lengths of the mesh. O(n)."""
        made = ffi.new("ew_mesh_measure *")
        lib.ew_mesh_take_measure(self._struct(), made)
        return {"low": np.array(list(made.low)), "high": np.array(list(made.high)),
                "volume": made.volume, "min_volume": made.min_volume,
                "min_quality": made.min_quality, "mean_quality": made.mean_quality,
                "histogram": np.array(list(made.histogram)),
                "worst": [one for one in made.worst if one >= 0],
                "shortest_edge": made.shortest_edge, "longest_edge": made.longest_edge}

    def compact_arrays(self) -> Tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """(points, tets, vertex slots, tet slots) of what there is, without free slots."""
        vertex, tet = self.active_vertices, self.live_tets
        row = np.full(len(self.points), -1, np.int32)
        row[vertex] = np.arange(len(vertex), dtype=np.int32)
        return self.points[vertex], row[self.tets[tet]], vertex, tet


# ---- meshes --------------------------------------------------------------------------------------

class Mesh(MeshArrays):
    """Tetrahedra in space, before they become a model.

    Parameters
    ----------
    points : (n, 3) array
        Positions, in the user's length unit.
    tets : (m, 4) or (m, 10) array of int
        Corners, rows of `points`; of ten-node tets the middles of their sides behind the corners, in
        the order of VTK. A left-handed tet is turned.
    regions : (m,) array of int, optional
        Labels of regions, which materials go by; default 0.
    faces, face_labels : (k, 3) and (k,) arrays of int, optional
        Labeled triangles, for selection by `Surface`.
    """

    def __init__(self, points, tets, regions=None, faces=None, face_labels=None):
        self._start(ffi.new("ew_mesh *"))
        cells = int_array(tets, (None, None), "tets")
        if cells.shape[1] not in (4, 10):
            raise errors.BadArgument(f"tets: four or ten nodes, and not {cells.shape[1]}")
        xyz = real_array(points, (None, 3), "points")
        rows = np.arange(len(xyz))
        middles = None
        if cells.shape[1] == 10:
            xyz, cells, middles, rows = _corners_alone(xyz, cells)
        made = ffi.new("ew_mesh_def *")
        made.n_vertex, made.n_tet = len(xyz), len(cells)
        made.xyz, made.tet = pointer(xyz, "double *"), pointer(cells, "int32_t *")
        kept = [xyz, cells]
        if regions is not None:
            kept.append(int_array(regions, (len(cells),), "regions"))
            made.region = pointer(kept[-1], "int32_t *")
        if faces is not None:
            triangles = int_array(faces, (None, 3), "faces")
            if middles is not None:
                row_of = np.full(int(rows.max(initial=-1)) + 1, -1, np.int32)
                row_of[rows] = np.arange(len(rows), dtype=np.int32)
                triangles = np.ascontiguousarray(row_of[triangles])
            kept.append(triangles)
            made.n_face, made.face = len(triangles), pointer(triangles, "int32_t *")
            if face_labels is not None:
                kept.append(int_array(face_labels, (len(triangles),), "face_labels"))
                made.face_label = pointer(kept[-1], "int32_t *")
        repair = ffi.new("ew_mesh_repair *")
        check(lib.ew_mesh_init(self._mesh, made, repair))
        self.n_reoriented, self.n_unused = repair.n_reoriented, repair.n_unused
        if middles is not None:
            self._set_middles(*middles)

    def _start(self, struct, groups: Optional[Groups] = None) -> None:
        self._owner: Optional[Owner] = Owner(struct, lib.ew_mesh_free)
        self.groups = groups or Groups()
        self.n_reoriented = self.n_unused = 0
        MeshArrays.__init__(self, Leases(self._owner))

    @classmethod
    def _of(cls, struct, groups: Optional[Groups] = None) -> "Mesh":
        made = cls.__new__(cls)
        made._start(struct, groups)
        return made

    @property
    def _mesh(self):
        if self._owner is None:
            raise errors.Stale("the mesh belongs to a model by now: ask the model, or copy the mesh first")
        return self._owner.struct

    def _struct(self):
        return self._mesh

    def _set_middles(self, ends: np.ndarray, nodes: np.ndarray, of_tet: np.ndarray, xyz) -> None:
        n = len(nodes)
        rows = ffi.new("ew_side_middle[]", n)
        view = np.frombuffer(ffi.buffer(rows), dtype=np.int32).reshape(n, 4)
        view[:, :2], view[:, 2], view[:, 3] = ends, nodes, of_tet
        check(lib.ew_mesh_set_middles(self._mesh, n, rows, pointer(xyz, "double *")))
        self._mesh.has_middles = True

    # ---- where meshes come from

    @classmethod
    def read(cls, path: PathLike, **cad) -> "Mesh":
        """Of a file, by its ending, with the names of its parts as `groups`. CAD files (STEP, IGES,
        BREP) take the options of `from_cad`."""
        if lib.ew_cad_reads(chars(os.fspath(path))):
            return cls.from_cad(path, **cad)
        if cad:
            raise errors.BadArgument(f"{os.fspath(path)}: {', '.join(cad)}: options of CAD files alone")
        struct, repair, groups = ffi.new("ew_mesh *"), ffi.new("ew_mesh_repair *"), Groups()
        check(lib.ew_mesh_read(path_chars(path), NULL, struct, repair, groups.struct))
        made = cls._of(struct, groups)
        made.n_reoriented, made.n_unused = repair.n_reoriented, repair.n_unused
        log.info("%s: %d tets, %d vertices", path, made.n_tets, made.n_vertices)
        return made

    @classmethod
    def from_cad(cls, path: PathLike, *, unit: Optional[str] = None, size: float = 0.0,
                 min_size: float = 0.0, curvature: float = 0.0,
                 sizes: Optional[Dict[str, float]] = None, growth: Optional[float] = None,
                 algorithm: str = "hxt", quality: Optional[float] = None, order: int = 1,
                 sew: float = 0.0, solids: str = "joined", max_seconds: Optional[float] = None,
                 max_memory: Optional[float] = None) -> "Mesh":
        """A STEP, IGES or BREP file filled with tets by the program edgewise-gmsh.

        unit: of coordinates, "mm" (default), "cm", "m", "km", "um", "in", "ft". size: length of
        edges; 0: a fifteenth of the diagonal. curvature: edges around a full circle; 0: of size alone.
        sizes: length of edges on faces, by their names or numbers. order: 2 gives tets of ten nodes
        with curved sides. solids: "apart" leaves those that touch faces of their own, for contact and
        ties. max_seconds, max_memory (GiB): limits of edgewise-gmsh."""
        made = ffi.new("ew_cad_def *", lib.ew_default_cad_def())
        kept = [chars(plugins.gmsh_program(os.fspath(path)))]
        made.program = kept[0]
        if unit is not None:
            kept.append(chars(unit))
            made.unit = kept[-1]
        made.size, made.min_size, made.curvature, made.sew = size, min_size, curvature, sew
        made.algorithm = word_place(text_of(lib.EW_CAD_ALGORITHMS), algorithm, "algorithm")
        made.solids = word_place(text_of(lib.EW_CAD_SOLIDS), solids, "solids")
        made.order = order
        for name, value in (("growth", growth), ("quality", quality), ("max_seconds", max_seconds),
                            ("max_memory", max_memory)):
            if value is not None:
                setattr(made, name, value)
        if sizes:
            rows = ffi.new("ew_cad_size[]", len(sizes))
            for row, (face, length) in zip(rows, sizes.items()):
                kept.append(chars(str(face)))
                row.face, row.size = kept[-1], length
            kept.append(rows)
            made.n_size, made.sizes = len(sizes), rows
        struct, groups, report = ffi.new("ew_mesh *"), Groups(), ffi.new("ew_cad_report *")
        status = lib.ew_cad_read(struct, groups.struct, chars(os.fspath(path)), made, NULL, report)
        if status:
            raise named_failure(status, path)
        log.info("%s: %d solids, %d faces, %d of them named, %.2f s", path, report.n_solid,
                 report.n_face, report.n_named, report.seconds)
        if report.n_unsure:
            log.warning("%s: whether solids %d and %d lie in one another is not known, since OpenCASCADE did not find "
                        "what they share (pairs: %d)", path, report.unsure[0], report.unsure[1], report.n_unsure)
        return cls._of(struct, groups)

    @classmethod
    def from_meshio(cls, other) -> "Mesh":
        """Of a meshio.Mesh: tets of four or ten nodes; regions of cell data ("gmsh:physical",
        "medit:ref", "region", or the first of integers), triangles likewise; cell sets and point sets
        as groups, and names of physical groups of Gmsh."""
        from . import exchange
        return exchange.of_meshio(cls, other)

    @classmethod
    def from_pyvista(cls, grid) -> "Mesh":
        """Of a pyvista or VTK unstructured grid: its tets; regions of the cell data "region"."""
        from . import exchange
        return exchange.of_pyvista(cls, grid)

    @classmethod
    def from_gmsh(cls) -> "Mesh":
        """Of the current model of the Python package gmsh, which must be meshed: physical groups of
        volumes are regions and groups, those of surfaces labeled faces and groups."""
        from . import exchange
        return exchange.of_gmsh(cls)

    @classmethod
    def box(cls, size: Sequence[float], cells: Sequence[int]) -> "Mesh":
        """[0, size] in cells of six tets. Face labels 1 to 6: x min, x max, y min, ..., z max."""
        return cls._shaped("ew_shape_box", _doubles(size, "size"), _ints(cells, 3, "cells"))

    @classmethod
    def plate_hole(cls, half_side: float, radius: float, thickness: float,
                   cells: Sequence[int]) -> "Mesh":
        """A quarter of a square plate with a hole at the origin. Cells: along the arc (even), radially,
        through the thickness. Face labels: 1 x = 0, 2 y = 0, 3 x = half_side, 4 y = half_side, 5 hole,
        6 z = 0, 7 z = thickness."""
        return cls._shaped("ew_shape_plate_hole", half_side, radius, thickness,
                           _ints(cells, 3, "cells"))

    @classmethod
    def bracket(cls, length: float, width: float, thickness: float, hole_radius: float,
                cells: int) -> "Mesh":
        """An L-bracket with two bolt holes through each flange; `cells` through the thickness. Face
        labels: 1 wall, 2 shelf, 3 holes of the wall, 4 holes of the shelf, 5 all else."""
        return cls._shaped("ew_shape_bracket", length, width, thickness, hole_radius, int(cells))

    @classmethod
    def torus(cls, ring_radius: float, tube_radius: float, cells: Sequence[int]) -> "Mesh":
        """A torus around z; cells around the ring and across the tube. One face label, 1."""
        return cls._shaped("ew_shape_torus", ring_radius, tube_radius, _ints(cells, 2, "cells"))

    @classmethod
    def _shaped(cls, function: str, *arguments) -> "Mesh":
        struct = ffi.new("ew_mesh *")
        check(getattr(lib, function)(struct, *arguments))
        return cls._of(struct)

    # ---- what can be done with them

    def copy(self) -> "Mesh":
        """The same mesh in memory of its own."""
        struct, groups = ffi.new("ew_mesh *"), Groups()
        check(lib.ew_mesh_copy(struct, self._mesh))
        check(lib.ew_groups_copy(groups.struct, self.groups.struct))
        return type(self)._of(struct, groups)

    def check(self) -> None:
        """MeshError with the first rule of meshes that is broken."""
        check(lib.ew_mesh_check(self._mesh))

    def write(self, path: PathLike) -> None:
        """To a file, in the format of its ending, in the order of ids."""
        write_mesh(self._mesh, self.groups, path)

    def to_meshio(self):
        """A meshio.Mesh with regions, groups and ids."""
        from . import exchange
        return exchange.to_meshio(self, self.groups)

    def to_pyvista(self):
        """A pyvista.UnstructuredGrid with regions and ids."""
        from . import exchange
        return exchange.to_pyvista(self)

    def _take(self):
        """The struct, for a model that takes it over; arrays keep what they show."""
        struct = self._mesh
        self._leases.detach()
        assert self._owner is not None
        self._owner.give_up()
        self._owner = None
        return struct

    def _take_back(self, struct):
        """After a model refused it."""
        self._start(struct, self.groups)

    def __repr__(self) -> str:
        if self._owner is None:
            return "<Mesh, taken over by a model>"
        groups = f", groups {', '.join(self.groups.names())}" if len(self.groups) else ""
        return f"<Mesh of {self.n_tets:,} tets, {self.n_vertices:,} vertices{groups}>"


def _doubles(values, what: str):
    return ffi.new("double[3]", list(real_array(values, (3,), what)))


def _ints(values, n: int, what: str):
    return ffi.new("int32_t[]", [int(one) for one in int_array(values, (n,), what)])


def _corners_alone(xyz: np.ndarray, cells: np.ndarray):
    """Of ten-node tets: points and corners without middles; (ends, node, tet) of each side; rows of
    the points that are kept."""
    corners = np.unique(cells[:, :4])
    row = np.full(len(xyz), -1, np.int32)
    if len(corners) and (corners[0] < 0 or cells.max() >= len(xyz)):
        raise errors.MeshRange(f"tets: nodes are rows of points, 0 to {len(xyz) - 1}")
    row[corners] = np.arange(len(corners), dtype=np.int32)
    tets = np.ascontiguousarray(row[cells[:, :4]])
    ends = np.concatenate([tets[:, edge] for edge in _TEN_NODE_EDGES]).astype(np.int32)
    nodes = np.concatenate([cells[:, 4 + k] for k in range(6)]).astype(np.int32)
    of_tet = np.tile(np.arange(len(cells), dtype=np.int32), 6)
    return np.ascontiguousarray(xyz[corners]), tets, (ends, nodes, of_tet, xyz), corners
