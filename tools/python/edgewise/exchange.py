"""Meshes to and from meshio, PyVista and Gmsh."""
from __future__ import annotations

import re
from typing import Any, Dict, List, Optional

import numpy as np

from . import errors
from ._native import check, chars, ffi, lib
from .files import Groups
from .mesh import Mesh

_REGION_NAMES = ("gmsh:physical", "medit:ref", "region", "cell_tags", "gmsh:geometrical")


def _need(name: str, what: str, package: Optional[str] = None):
    try:
        return __import__(name)
    except ImportError:
        raise errors.MissingPackage(f"{what}: needs the package {package or name}, which is not "
                                    f"installed: pip install {package or name}", package or name) from None


def _add_list(groups: Groups, kind: int, name: str, ids: np.ndarray) -> None:
    """A named list of vertices or tets."""
    out = ffi.new("ew_group **")
    check(lib.ew_groups_add_list(groups.struct, kind, chars(name), out))
    for one in np.unique(ids):
        check(lib.ew_group_push(out[0], int(one)))


# ---- meshio --------------------------------------------------------------------------------------

def of_meshio(kind, other) -> Mesh:
    tets: Dict[str, List[np.ndarray]] = {"tetra": [], "tetra10": []}
    triangles: List[np.ndarray] = []
    regions: List[np.ndarray] = []
    labels: List[np.ndarray] = []
    of_block: List[Any] = []  # (first tet, tets) or None
    region_key, n = _region_key(other), 0
    for place, block in enumerate(other.cells):
        data = np.asarray(block.data)
        label = (np.asarray(other.cell_data[region_key][place]).astype(np.int64)
                 if region_key else np.zeros(len(data), np.int64))
        if block.type in tets:
            tets[block.type].append(data)
            regions.append(label)
            of_block.append((n, len(data)))
            n += len(data)
            continue
        of_block.append(None)
        if block.type in ("triangle", "triangle6"):
            triangles.append(data[:, :3])
            labels.append(label)
    if tets["tetra"] and tets["tetra10"]:
        raise errors.Unsupported("meshio: the mesh mixes tets of four and of ten nodes; write it with one "
                                 "kind")
    cells = tets["tetra"] or tets["tetra10"]
    if not cells:
        found = sorted({block.type for block in other.cells})
        raise errors.BadInput(f"meshio: the mesh has no tets; it has {', '.join(found) or 'no cells'}")
    points = np.asarray(other.points, dtype=float)
    if points.shape[1] != 3:
        raise errors.BadInput(f"meshio: points in space are expected, and not of {points.shape[1]} numbers")
    faces = np.concatenate(triangles) if triangles else None
    made = kind(points, np.concatenate(cells), np.concatenate(regions), faces,
                np.concatenate(labels) if labels else None)
    _names_of_meshio(made, other, of_block, points)
    return made


def _region_key(other) -> Optional[str]:
    for name in _REGION_NAMES:
        if name in other.cell_data:
            return name
    for name, arrays in other.cell_data.items():
        if all(np.issubdtype(np.asarray(one).dtype, np.integer) and np.ndim(one) == 1 for one in arrays):
            return name
    return None


def _names_of_meshio(made: Mesh, other, of_block: List[Any], points: np.ndarray) -> None:
    groups = made.groups
    for name, row in (other.field_data or {}).items():
        tag, dimension = int(row[0]), int(row[1])
        if dimension in (2, 3):
            groups.name_label("tets" if dimension == 3 else "faces", tag, name)
    for name, lists in (other.cell_sets or {}).items():
        ids = [np.asarray(members, dtype=np.int64) + block[0]
               for members, block in zip(lists, of_block) if block and members is not None and len(members)]
        if ids and groups.find(name, "tets") is None and not name.startswith("gmsh:"):
            _add_list(groups, lib.EW_GROUP_TETS, name, np.concatenate(ids))
    rows = {int(row): place for place, row in enumerate(_rows_kept(made, points))}
    for name, members in (other.point_sets or {}).items():
        ids = [rows[int(one)] for one in members if int(one) in rows]
        if ids:
            _add_list(groups, lib.EW_GROUP_VERTICES, name, np.array(ids))
    check(lib.ew_groups_finish(groups.struct, made._mesh))


def _rows_kept(made: Mesh, points: np.ndarray) -> np.ndarray:
    """Row of the points of each vertex: all of them, or the corners alone of ten-node tets."""
    if len(made.points) == len(points):
        return np.arange(len(points))
    place = {tuple(row): k for k, row in enumerate(points.tolist())}
    return np.array([place[tuple(row)] for row in made.points.tolist()])


def to_meshio(mesh, groups: Groups, point_data: Optional[Dict[str, np.ndarray]] = None,
              cell_data: Optional[Dict[str, np.ndarray]] = None):
    meshio = _need("meshio", "to_meshio")
    points, tets, vertex, tet = mesh.compact_arrays()
    cells = {name: [np.asarray(one)[tet]] for name, one in (cell_data or {}).items()}
    cells.setdefault("region", [mesh.regions[tet]])
    cells.setdefault("tet_id", [mesh.tet_ids[tet]])
    at_points = {name: np.asarray(one)[vertex] for name, one in (point_data or {}).items()}
    at_points.setdefault("vertex_id", mesh.vertex_ids[vertex])
    names = {}
    for name in groups.names("tets"):
        found = groups.find(name, "tets")
        if found and found[0].is_label:
            names[name] = np.array([found[0].label, 3])
    return meshio.Mesh(points, [("tetra", tets)], point_data=at_points, cell_data=cells, field_data=names)


# ---- PyVista and VTK -----------------------------------------------------------------------------

_VTK_TETRA, _VTK_TRIANGLE, _VTK_QUADRATIC_TETRA = 10, 5, 24


def of_pyvista(kind, grid) -> Mesh:
    pyvista = _need("pyvista", "from_pyvista")
    grid = pyvista.wrap(grid)
    if not isinstance(grid, pyvista.UnstructuredGrid):
        raise errors.BadInput(f"from_pyvista: an unstructured grid of tets is expected, and not a "
                              f"{type(grid).__name__}; of a surface take Surface(...).fill()")
    types = np.asarray(grid.celltypes)
    found = [code for code in (_VTK_TETRA, _VTK_QUADRATIC_TETRA) if (types == code).any()]
    if len(found) != 1:
        raise errors.BadInput("from_pyvista: the grid has " + (
            "tets of four and of ten nodes" if found else "no tets"))
    cells = grid.cells_dict[found[0]]
    region = None
    if "region" in grid.cell_data:
        region = np.asarray(grid.cell_data["region"])[types == found[0]].astype(np.int64)
    triangles = grid.cells_dict.get(_VTK_TRIANGLE)
    return kind(np.asarray(grid.points, dtype=float), cells, region, triangles)


def to_pyvista(mesh, point_data: Optional[Dict[str, np.ndarray]] = None,
               cell_data: Optional[Dict[str, np.ndarray]] = None):
    pyvista = _need("pyvista", "to_pyvista")
    points, tets, vertex, tet = mesh.compact_arrays()
    cells = np.empty((len(tets), 5), np.int64)
    cells[:, 0], cells[:, 1:] = 4, tets
    grid = pyvista.UnstructuredGrid(cells.ravel(), np.full(len(tets), _VTK_TETRA, np.uint8), points)
    grid.cell_data["region"] = mesh.regions[tet]
    grid.cell_data["tet_id"] = mesh.tet_ids[tet]
    grid.point_data["vertex_id"] = mesh.vertex_ids[vertex]
    for name, one in (point_data or {}).items():
        grid.point_data[name] = np.asarray(one)[vertex]
    for name, one in (cell_data or {}).items():
        grid.cell_data[name] = np.asarray(one)[tet]
    return grid


# ---- Gmsh ----------------------------------------------------------------------------------------

def of_gmsh(kind) -> Mesh:
    gmsh = _need("gmsh", "from_gmsh")
    if not gmsh.isInitialized():
        raise errors.BadInput("from_gmsh: gmsh is not initialized; make a model and a mesh of it first")
    tags, coordinates, _ = gmsh.model.mesh.getNodes()
    order = np.argsort(tags)
    sorted_tags, points = tags[order], np.asarray(coordinates).reshape(-1, 3)[order]

    def rows(nodes):
        return np.searchsorted(sorted_tags, nodes).astype(np.int32)

    blocks: List[np.ndarray] = []
    regions: List[np.ndarray] = []
    faces: List[np.ndarray] = []
    labels: List[np.ndarray] = []
    for dimension, element, width, into, by in ((3, (4, 11), (4, 10), blocks, regions),
                                                (2, (2, 9), (3, 6), faces, labels)):
        for _, entity in gmsh.model.getEntities(dimension):
            groups = gmsh.model.getPhysicalGroupsForEntity(dimension, entity)
            label = int(groups[0]) if len(groups) else (int(entity) if dimension == 3 else 0)
            types, _, nodes = gmsh.model.mesh.getElements(dimension, entity)
            for code, of_type in zip(types, nodes):
                if code not in element:
                    if dimension == 3:
                        raise errors.Unsupported(f"from_gmsh: volume {entity} has elements of Gmsh's type "
                                                 f"{code}; tets of four or ten nodes alone are read")
                    continue
                cells = rows(of_type).reshape(-1, width[element.index(code)])
                if code == 11:  # Gmsh's last two middles are those of edges 2-3 and 1-3
                    cells = cells[:, [0, 1, 2, 3, 4, 5, 6, 7, 9, 8]]
                into.append(cells)
                by.append(np.full(len(cells), label, np.int64))
    if not blocks or len({one.shape[1] for one in blocks}) != 1:
        raise errors.BadInput("from_gmsh: the model has " + (
            "tets of four and of ten nodes" if blocks else "no tets: gmsh.model.mesh.generate(3) first"))
    made = kind(points, np.concatenate(blocks), np.concatenate(regions),
                np.concatenate([one[:, :3] for one in faces]) if faces else None,
                np.concatenate(labels) if labels else None)
    for dimension, of in ((3, "tets"), (2, "faces")):
        for _, tag in gmsh.model.getPhysicalGroups(dimension):
            name = re.sub(r"\s+", " ", gmsh.model.getPhysicalName(dimension, tag)).strip()
            if name:
                made.groups.name_label(of, int(tag), name)
    return made
