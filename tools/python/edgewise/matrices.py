"""Matrices of a model for SciPy."""
from __future__ import annotations

from typing import Tuple

import numpy as np

from . import errors
from ._native import check, copied, failure, ffi, lib, word_place


_MASSES = ("lumped", "consistent")


class Matrix:
    """A symmetric matrix by vertices and edges: a block on the diagonal for each vertex slot, one for
    each edge. Copied when it is asked for."""

    def __init__(self, diagonal: np.ndarray, pairs: np.ndarray, rows: np.ndarray):
        self.diagonal, self.pairs, self.rows = diagonal, pairs, rows

    @property
    def shape(self) -> Tuple[int, int]:
        """Rows and columns: three for each vertex slot."""
        n = 3 * len(self.diagonal)
        return n, n

    def to_scipy(self):
        """scipy.sparse.bsr_array with 3x3 blocks, rows 3 v + c of vertex slot v; of a freed slot or a
        vertex without tets the identity."""
        from scipy import sparse
        n = len(self.diagonal)
        diagonal, pairs = self.diagonal, self.pairs
        if diagonal.shape[1:] == (1, 1):  # a scalar stands for itself times the identity
            diagonal, pairs = diagonal * np.eye(3), pairs * np.eye(3)
        a, b = self.rows[:, 0], self.rows[:, 1]
        row = np.concatenate([np.arange(n), a, b])
        column = np.concatenate([np.arange(n), b, a])
        blocks = np.concatenate([diagonal, pairs, pairs.transpose(0, 2, 1)])
        order = np.lexsort((column, row))
        begin = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=n))])
        kind = getattr(sparse, "bsr_array", sparse.bsr_matrix)
        return kind((blocks[order], column[order].astype(np.int32), begin.astype(np.int32)),
                    shape=self.shape)

    def __repr__(self) -> str:
        return f"<Matrix {self.shape[0]:,} x {self.shape[1]:,}, {len(self.rows):,} edges>"


class Matrices:
    """Matrices of a model."""

    @property
    def stiffness(self) -> Matrix:
        """The stiffness as it is now, with springs to the ground; of nonlinear bodies the tangent."""
        with self._lock:
            self._linear_alone("stiffness")
            out = ffi.new("const ew_matrix **")
            check(lib.ew_model_matrix(self._model, out))
            if out[0] == ffi.NULL:
                raise errors.Unsupported("stiffness: the blocks are on the device; make the model on the "
                                         "host")
            if out[0].diagonal_only:
                raise errors.Unsupported("stiffness: products are made from tets; "
                                         "model.set_operator('stored')")
            return self._matrix(out[0])

    def mass(self, kind: str = "consistent") -> Matrix:
        """The mass, "consistent" or "lumped"."""
        with self._lock:
            self._linear_alone("mass")
            materials = lib.ew_model_materials(self._model)
            if materials == ffi.NULL:
                raise failure(lib.EW_BAD_INPUT)
            source = ffi.new("ew_mass *", lib.ew_mass_of(
                self._struct(), lib.ew_model_topology(self._model), materials,
                word_place(" ".join(_MASSES), kind, "mass")))
            made = ffi.new("ew_matrix *")
            try:
                check(lib.ew_matrix_build(made, ffi.addressof(source, "source")))
                return self._matrix(made)
            finally:
                lib.ew_matrix_free(made)

    def _linear_alone(self, what: str) -> None:
        if self._order != "linear":
            raise errors.Unsupported(f"{what}: of quadratic tets the blocks of edges are not stored with "
                                     "those of vertices; of linear ones alone")

    def _matrix(self, matrix) -> Matrix:
        pattern = ffi.addressof(lib.ew_model_topology(self._model), "pattern")
        b = matrix.block
        diagonal = copied(matrix.diagonal, (matrix.n_row, b, b), np.float64)
        rows = copied(pattern.pair_row, (pattern.n_pair, 2), np.int32)
        live = rows[:, 0] >= 0
        if matrix.diagonal_only or matrix.pair == ffi.NULL:
            return Matrix(diagonal, np.zeros((0, b, b)), np.zeros((0, 2), np.int32))
        pairs = copied(matrix.pair, (pattern.n_pair, b, b), np.float64)
        return Matrix(diagonal, pairs[live], rows[live])

