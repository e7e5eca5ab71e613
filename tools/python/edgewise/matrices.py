"""Matrices of a model for SciPy."""
from __future__ import annotations

from typing import Tuple

import numpy as np

from ._native import check, copied, ffi, lib, word_place


_MASSES = ("lumped", "consistent")


class Matrix:
    """A symmetric matrix by nodes: a block on the diagonal for each, one for each pair. Nodes are vertex
    slots, and of quadratic tets behind them the middles of their sides. Copied when it is asked for."""

    def __init__(self, diagonal: np.ndarray, pairs: np.ndarray, rows: np.ndarray, nodes: np.ndarray):
        self.diagonal, self.pairs, self.rows = diagonal, pairs, rows
        #: (n, 2) vertex slots that a node lies between: of a vertex it twice; -1 where no tet has it.
        self.nodes = nodes

    @property
    def shape(self) -> Tuple[int, int]:
        """Rows and columns: three for each node."""
        n = 3 * len(self.diagonal)
        return n, n

    def to_scipy(self):
        """scipy.sparse.bsr_array with 3x3 blocks, rows 3 n + c of node n: of a middle its displacement,
        as in other programs. Of a freed slot or a vertex without tets the identity. Without supports."""
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
        made = sparse.bsr_matrix((blocks[order], column[order].astype(np.int32), begin.astype(np.int32)),
                                 shape=self.shape)
        middles = np.flatnonzero(self.nodes[:, 0] != self.nodes[:, 1])
        if len(middles):  # the library's rows are of what a middle has beyond the mean of its ends
            half = sparse.coo_matrix((np.full(2 * len(middles), -0.5), (
                np.repeat(middles, 2), self.nodes[middles].ravel())), shape=(n, n))
            beyond = sparse.kron(sparse.identity(n) + half, sparse.identity(3), format="csr")
            made = (beyond.T @ made.tocsr() @ beyond).tobsr((3, 3))
        return sparse.bsr_array(made) if hasattr(sparse, "bsr_array") else made

    def __repr__(self) -> str:
        return f"<Matrix {self.shape[0]:,} x {self.shape[1]:,}, {len(self.rows):,} pairs>"


class Matrices:
    """Matrices of a model."""

    @property
    def stiffness(self) -> Matrix:
        """The stiffness as it is now, with springs to the ground; of nonlinear bodies the tangent."""
        with self._lock:
            out, pattern = ffi.new("const ew_matrix **"), ffi.new("const ew_pattern **")
            check(lib.ew_model_assemble_stiffness(self._model, out, pattern))
            return self._matrix(out[0], pattern[0])

    def mass(self, kind: str = "consistent") -> Matrix:
        """The mass, "consistent" or "lumped"."""
        with self._lock:
            made, pattern = ffi.new("ew_matrix *"), ffi.new("const ew_pattern **")
            try:
                check(lib.ew_model_assemble_mass(
                    self._model, word_place(" ".join(_MASSES), kind, "mass"), made, pattern))
                return self._matrix(made, pattern[0])
            finally:
                lib.ew_matrix_free(made)

    def _matrix(self, matrix, pattern) -> Matrix:
        b = matrix.block
        diagonal = copied(matrix.diagonal, (matrix.n_row, b, b), np.float64)
        nodes = self._matrix_nodes(len(diagonal))
        if matrix.diagonal_only or matrix.pair == ffi.NULL:
            return Matrix(diagonal, np.zeros((0, b, b)), np.zeros((0, 2), np.int32), nodes)
        rows = copied(pattern.pair_row, (pattern.n_pair, 2), np.int32)
        live = rows[:, 0] >= 0
        pairs = copied(matrix.pair, (pattern.n_pair, b, b), np.float64)
        return Matrix(diagonal, pairs[live], rows[live], nodes)

    @property
    def node_displacement(self) -> np.ndarray:
        """The displacement of all nodes, (n, 3) in the rows of `stiffness.nodes`: of vertices, and with
        quadratic tets of the middles of their sides; of freed ones 0. A copy."""
        with self._lock:
            u, edges = self.displacement, lib.ew_model_edge_rows(self._model)
            if edges == ffi.NULL:
                return np.array(u)
            n = edges.pattern.n_row
            beyond = copied(lib.ew_model_edge_displacement(self._model), (n, 3), np.float64)
            ends = self._matrix_nodes(len(u) + n)[len(u):]
            middle = np.where(ends[:, :1] >= 0, u[ends].mean(axis=1) + beyond, 0.0)
            return np.concatenate([u, middle])

    def _matrix_nodes(self, n: int) -> np.ndarray:
        n_vertex = len(self.points)
        nodes = np.full((n, 2), -1, np.int32)
        active = self.active_vertices
        nodes[active] = active[:, None]
        if n > n_vertex:
            edges = lib.ew_model_edge_rows(self._model)
            ends = lib.ew_model_topology(self._model).pattern
            edge = copied(edges.edge, (n - n_vertex,), np.int32)
            ends = copied(ends.pair_row, (ends.n_pair, 2), np.int32)
            nodes[n_vertex:] = np.where(edge[:, None] >= 0, ends[edge], -1)
        return nodes
