# Made by tools/python/binding/stubs.py; not edited by hand.
from typing import Any, Dict, Literal, Optional, Sequence, Union

from .files import PathLike
from .loads import Vector
from .mesh import Mesh
from .selectors import Selector
from .sets import Set
from .surface import Surface

def table() -> Dict[str, Dict[str, str]]: ...

class Operations:
    def decimate(self, *, fraction: Optional[float] = ..., axis: Optional[Vector] = ...,
        order: Optional[Literal['axis', 'random', 'region', 'energy']] = ...,
        seed: Optional[int] = ..., region: Optional[int] = ...,
        protect: Optional[Union[str, Set, Sequence[Union[str, Set]]]] = ...) -> Optional[str]: ...
    def mirror(self, *, normal: Optional[Vector] = ...,
        at: Optional[Union[Literal['min', 'max'], Vector]] = ...,
        tolerance: Optional[float] = ...) -> Optional[str]: ...
    def scale(self, *, set: Optional[Union[str, Set]] = ...,
        factor: Union[float, Vector], about: Optional[Vector] = ...,
        radius: Optional[float] = ..., repair: Optional[bool] = ...) -> Optional[str]: ...
    def remove(self, *, tets: Optional[Any] = ...,
        pieces_smaller_than: Optional[int] = ...) -> Optional[str]: ...
    def add(self, *, mesh: Mesh, weld: Optional[float] = ...) -> Optional[str]: ...
    def move(self, *, set: Optional[Union[str, Set]] = ..., by: Optional[Vector] = ...,
        radially: Optional[float] = ..., along_normals: Optional[float] = ...,
        angle: Optional[float] = ..., axis: Optional[Vector] = ...,
        center: Optional[Vector] = ..., table: Optional[Any] = ...,
        sets: Optional[Sequence[Dict[str, Any]]] = ..., radius: Optional[float] = ...,
        blend: Optional[Literal['harmonic', 'distance']] = ...,
        repair: Optional[bool] = ...) -> Optional[str]: ...
    def refine(self, *, longer_than: Optional[float] = ...,
        set: Optional[Union[str, Set]] = ...,
        by: Optional[Literal['length', 'error']] = ..., until: Optional[float] = ...,
        max_rounds: Optional[int] = ..., max_tets: Optional[int] = ...) -> Optional[str]: ...
    def smooth(self, *, sweeps: Optional[int] = ...) -> Optional[str]: ...
    def rotate(self, *, set: Optional[Union[str, Set]] = ..., angle: float, axis: Vector,
        center: Optional[Vector] = ..., radius: Optional[float] = ...,
        repair: Optional[bool] = ...) -> Optional[str]: ...
    def cut(self, *, plane: Optional[Union[Dict[str, Any], Selector]] = ...,
        sphere: Optional[Union[Dict[str, Any], Selector]] = ...,
        cylinder: Optional[Union[Dict[str, Any], Selector]] = ...,
        cone: Optional[Union[Dict[str, Any], Selector]] = ...,
        surface: Optional[Union[Surface, PathLike]] = ..., angle: Optional[float] = ...,
        keep: Optional[Literal['inside', 'outside', 'both', 'open']] = ...,
        within: Optional[Union[Dict[str, Any], Selector]] = ...,
        region: Optional[int] = ..., label: Optional[int] = ...,
        name: Optional[str] = ..., floor: Optional[float] = ...) -> Optional[str]: ...
    def remesh(self, *, tets: Optional[Any] = ...,
        set: Optional[Union[str, Set, Sequence[Union[str, Set]]]] = ...,
        worse_than: Optional[float] = ..., longer_than: Optional[float] = ...,
        shorter_than: Optional[float] = ..., rings: Optional[int] = ...,
        size: Optional[float] = ..., ratio: Optional[float] = ...,
        max_seconds: Optional[float] = ..., max_memory: Optional[float] = ...) -> Optional[str]: ...
    def weld(self, *, tolerance: Optional[float] = ...,
        set: Optional[Union[str, Set]] = ...) -> Optional[str]: ...
    def split(self, *, plane: Union[Dict[str, Any], Selector],
        set: Optional[Union[str, Set]] = ..., label: Optional[int] = ...,
        name: Optional[str] = ...) -> Optional[str]: ...
