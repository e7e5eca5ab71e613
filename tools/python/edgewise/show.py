"""Pictures, and what notebooks show."""
from __future__ import annotations

import base64
import html
import struct
import zlib
from typing import Any, Dict, Optional, Tuple

import numpy as np

from . import exchange
from .exchange import _need

_VERTEX_RESULTS = {"displacement": "displacement", "reaction": "reactions",
                   "vertex_stress": "vertex_stress", "vertex_von_mises": "vertex_von_mises"}
_TET_RESULTS = {"von_mises": "von_mises", "stress": "stress", "principal": "principal",
                "strain_energy": "strain_energy"}


class Shown:
    """Export and pictures of a model."""

    def _results(self, results: bool) -> Tuple[Dict[str, np.ndarray], Dict[str, np.ndarray]]:
        points: Dict[str, np.ndarray] = {}
        cells: Dict[str, np.ndarray] = {}
        if results and self._answered:
            points = {name: getattr(self, what) for name, what in _VERTEX_RESULTS.items()}
            cells = {name: getattr(self, what) for name, what in _TET_RESULTS.items()}
        for name, one in self.fields.items():
            (points if one.on == "vertices" else cells)[name] = one.values
        return points, cells

    def to_pyvista(self, results: bool = True):
        """A pyvista.UnstructuredGrid of the body as it is, with regions, ids, fields and, where there is
        an answer, displacement, reaction, stresses and strain energy."""
        with self._lock:
            return exchange.to_pyvista(self, *self._results(results))

    def to_meshio(self, results: bool = True):
        """The same as a meshio.Mesh."""
        with self._lock:
            return exchange.to_meshio(self, self.groups, *self._results(results))

    def write(self, path: str, results: bool = True) -> None:
        """Body and results to a file that meshio writes: .vtu, .xdmf, ..."""
        self.to_meshio(results).write(path)

    def plot(self, show: Optional[str] = None, *, scale: Optional[float] = None,
             screenshot: Optional[str] = None, window_size: Tuple[int, int] = (1024, 768),
             edges: bool = False, **options: Any):
        """A picture by PyVista of the deformed body, in color by `show`: "displacement", "von_mises",
        "vertex_von_mises", "strain_energy", "region", or a field; default: the von Mises stress at
        vertices where there is an answer, else the regions.

        scale: factor of the displacement, default: the largest one shows as a fifteenth of the body.
        screenshot: path of a picture, made without a window. **options: of pyvista's add_mesh. Returns
        what Plotter.show returns."""
        pyvista = _need("pyvista", "plot")
        grid = self.to_pyvista()
        name = show or ("vertex_von_mises" if self._answered else "region")
        if self._answered:
            u = grid.point_data["displacement"]
            largest = float(np.linalg.norm(u, axis=1).max(initial=0.0))
            factor = scale if scale is not None else (grid.length / 15 / largest if largest else 1.0)
            grid.points = grid.points + factor * u
        plotter = pyvista.Plotter(off_screen=bool(screenshot), window_size=list(window_size))
        if name == "region":
            options.setdefault("categories", True)
        plotter.add_mesh(grid, scalars=name, show_edges=edges, **options)
        plotter.camera_position = "iso"
        return plotter.show(screenshot=screenshot, auto_close=True) if screenshot else plotter.show()

    def _repr_html_(self) -> str:
        if self.closed:
            return "<i>Model, closed</i>"
        with self._lock:
            rows = [("tets", f"{self.n_tets:,}"), ("vertices", f"{self.n_vertices:,}"),
                    ("sets", ", ".join(self.sets) or "none"), ("revision", str(self.revision))]
            value, caption = None, ""
            if self._answered:
                value, caption = self.vertex_von_mises, "von Mises stress"
                sums = self.sums
                rows += [("largest displacement", f"{sums.max_displacement:.4g}"),
                         ("largest von Mises stress", f"{sums.max_von_mises:.4g}")]
            return _page("Model", rows, picture(self.points, self.boundary, value), caption)


def set_html(one) -> str:
    """A set in its body."""
    model = one._model
    measure = one.measure()
    rows = [("kind", one.kind), ("members", f"{measure['n']:,}"), ("area", f"{measure['area']:.4g}"),
            ("centroid", ", ".join(f"{x:.4g}" for x in measure["centroid"]))]
    value = np.zeros(len(model.points))
    value[one.vertices] = 1.0
    return _page(f"Set '{html.escape(one.name)}'", rows, picture(model.points, model.boundary, value), "")


def _page(title: str, rows, png: bytes, caption: str) -> str:
    table = "".join(f"<tr><td>{html.escape(name)}</td><td>{html.escape(text)}</td></tr>"
                    for name, text in rows)
    image = base64.b64encode(png).decode()
    return (f"<div style='display:flex;gap:1em;align-items:center'><div><b>{title}</b>"
            f"<table>{table}</table></div><figure style='margin:0'>"
            f"<img src='data:image/png;base64,{image}'/><figcaption>{caption}</figcaption></figure></div>")


# ---- a small picture without any other package ---------------------------------------------------

_COLORS = np.array([[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]], float)


def picture(points: np.ndarray, triangles: np.ndarray, value: Optional[np.ndarray] = None,
            width: int = 240, height: int = 180) -> bytes:
    """A PNG of triangles seen from (1, -1, 1), in color by vertex values. Each triangle is drawn as
    points that lie closer than pixels, the nearest of which a pixel shows."""
    pixel = np.full((height, width, 3), 255, np.uint8)
    if len(triangles):
        x = points[triangles]
        right, up = np.array([1, 1, 0]) / np.sqrt(2), np.array([-1, 1, 2]) / np.sqrt(6)
        toward = np.array([1, -1, 1]) / np.sqrt(3)
        flat = np.stack([x @ right, -(x @ up)], axis=2)
        low, high = flat.min(axis=(0, 1)), flat.max(axis=(0, 1))
        factor = 0.92 * min(width / max(high[0] - low[0], 1e-300), height / max(high[1] - low[1], 1e-300))
        flat = (flat - (low + high) / 2) * factor + np.array([width, height]) / 2
        normal = np.cross(x[:, 1] - x[:, 0], x[:, 2] - x[:, 0])
        size = np.linalg.norm(normal, axis=1)
        light = 0.45 + 0.55 * np.clip((normal @ toward) / np.where(size > 0, size, 1), 0, 1)
        color = _colors(value, triangles) if value is not None else np.full((*triangles.shape, 3), 170.0)
        seen = np.flatnonzero(normal @ toward > 0)
        _draw(pixel, flat[seen], (x @ toward)[seen], color[seen] * light[seen, None, None])
    return _png(pixel)


def _colors(value: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    at = value[triangles]
    span = at.max() - at.min()
    share = (at - at.min()) / span if span > 0 else np.zeros_like(at)
    place = share * (len(_COLORS) - 1)
    below = np.minimum(place.astype(int), len(_COLORS) - 2)
    part = (place - below)[..., None]
    return (1 - part) * _COLORS[below] + part * _COLORS[below + 1]


def _draw(pixel: np.ndarray, flat: np.ndarray, depth: np.ndarray, color: np.ndarray) -> None:
    height, width = pixel.shape[:2]
    extent = (flat.max(axis=1) - flat.min(axis=1)).max(axis=1)
    levels = np.clip(np.ceil(np.log2(np.maximum(extent * 1.5, 1))), 0, 9).astype(int)
    nearest = np.full(width * height, -np.inf)
    image = pixel.reshape(-1, 3)
    for level in np.unique(levels):
        part = np.flatnonzero(levels == level)
        n = 2 ** level
        i, j = (one.ravel() for one in np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij"))
        inside = i + j <= n
        weight = np.stack([n - i - j, i, j], axis=1)[inside] / n
        for begin in range(0, len(part), max(1, 400_000 // len(weight))):
            some = part[begin:begin + max(1, 400_000 // len(weight))]
            place = np.einsum("wk,tkc->twc", weight, flat[some]).reshape(-1, 2).astype(int)
            z = np.einsum("wk,tk->tw", weight, depth[some]).ravel()
            rgb = np.einsum("wk,tkc->twc", weight, color[some]).reshape(-1, 3)
            at = np.clip(place[:, 1], 0, height - 1) * width + np.clip(place[:, 0], 0, width - 1)
            order = np.argsort(z, kind="stable")  # the last one written is the nearest
            front = order[z[order] > nearest[at[order]]]
            nearest[at[front]] = z[front]
            image[at[front]] = rgb[front].astype(np.uint8)


def _png(pixel: np.ndarray) -> bytes:
    height, width = pixel.shape[:2]
    rows = np.concatenate([np.zeros((height, 1), np.uint8), pixel.reshape(height, -1)], axis=1)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (struct.pack(">I", len(data)) + kind + data
                + struct.pack(">I", zlib.crc32(kind + data) & 0xFFFFFFFF))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
            + chunk(b"IDAT", zlib.compress(rows.tobytes(), 6)) + chunk(b"IEND", b""))
