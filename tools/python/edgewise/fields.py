"""Numbers by vertex or tet that follow the edits of a model."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._native import PartOfModel, real_array


class Field(PartOfModel):
    """Numbers by vertex or tet that follow the edits of a model."""

    def __init__(self, model, number: int, name: str, on: str, width: int):
        super().__init__(model, name)
        self.number, self.on, self.width = number, on, width

    @property
    def values(self) -> np.ndarray:
        """(slots, width), or (slots,) of width 1; read-only: see `set`."""
        return self._model._field_array(self.number, self.width, self.on == "tets")

    def set(self, values: Any) -> None:
        """Other numbers, by slot."""
        model = self._model
        n = len(model.tets) if self.on == "tets" else len(model.points)
        shape = (n,) if self.width == 1 and np.ndim(values) == 1 else (n, self.width)
        array = real_array(values, shape, f"field {self.name!r}")
        with model._lock:
            model._write_field(self.number, array)

    def __repr__(self) -> str:
        return f"<Field '{self.name}' on {self.on}, width {self.width}>"
