"""Triangle surfaces, which tets fill and cuts follow."""
from __future__ import annotations

from typing import Optional

import numpy as np

from . import errors, plugins
from ._native import NULL, check, copied, ffi, int_array, lib, pointer, real_array
from .files import Groups, PathLike, path_chars
from .mesh import Mesh


class Surface:
    """Triangles in space that enclose a body: input of `fill` and of cuts.

    points: (n, 3), length; triangles: (m, 3), looking outwards; labels: (m,), optional."""

    def __init__(self, points, triangles, labels=None):
        self.points = real_array(points, (None, 3), "points")
        self.triangles = int_array(triangles, (None, 3), "triangles")
        self.labels = (np.zeros(len(self.triangles), np.int32) if labels is None
                       else int_array(labels, (len(self.triangles),), "labels"))
        if len(self.triangles) and not 0 <= self.triangles.min() <= self.triangles.max() < len(self.points):
            raise errors.BadArgument(f"triangles: corners are rows of points, 0 to {len(self.points) - 1}")
        self.groups = Groups()
        self.struct = ffi.new("ew_surface *")
        self.struct.n_vertex, self.struct.n_triangle = len(self.points), len(self.triangles)
        self.struct.xyz = pointer(self.points, "double *")
        self.struct.triangle = pointer(self.triangles, "int32_t *")
        self.struct.label = pointer(self.labels, "int32_t *")

    @classmethod
    def read(cls, path: PathLike) -> "Surface":
        """Of an STL, OBJ, OFF, ... file."""
        struct, groups = ffi.new("ew_surface *"), Groups()
        check(lib.ew_surface_read(path_chars(path), struct, NULL, groups.struct))
        try:
            made = cls(copied(struct.xyz, (struct.n_vertex, 3), np.float64),
                       copied(struct.triangle, (struct.n_triangle, 3), np.int32),
                       copied(struct.label, (struct.n_triangle,), np.int32))
        finally:
            lib.ew_surface_free(struct)
        made.groups = groups
        return made

    def check(self) -> None:
        """BadInput where it is not closed and manifold."""
        check(lib.ew_surface_check(self.struct))

    def fill(self, *, max_volume: float = 0.0, quality: float = 0.0, keep_surface: bool = False,
             max_seconds: Optional[float] = None, max_memory: Optional[float] = None) -> Mesh:
        """Tets within, by TetGen: needs the package edgewise-tetgen (AGPL). max_volume: of a tet,
        length^3, 0 for no bound; quality: largest radius-edge ratio, 0 for 2."""
        call = plugins.tetgen_mesh("fill")
        made = ffi.new("ew_tetgen_def *", lib.ew_default_tetgen_def())
        made.max_volume, made.quality, made.keep_surface = max_volume, quality, keep_surface
        if max_seconds is not None:
            made.max_seconds = max_seconds
        if max_memory is not None:
            made.max_memory = max_memory
        struct = ffi.new("ew_mesh *")
        check(call(struct, self.struct, made, NULL))
        return Mesh._of(struct, self.groups)

    def __repr__(self) -> str:
        return f"<Surface of {len(self.triangles):,} triangles, {len(self.points):,} points>"
