"""What the tests share. EDGEWISE_PROGRAM, EDGEWISE_SOURCE and EDGEWISE_BUILD name the program, the
repository and its build folder; what needs one that is not there is skipped."""
import gc
import os
import unittest

import numpy as np

import edgewise as ew
from edgewise._native import _Lease

PROGRAM = os.environ.get("EDGEWISE_PROGRAM", "")
SOURCE = os.environ.get("EDGEWISE_SOURCE", "")
BUILD = os.environ.get("EDGEWISE_BUILD", "")
IS_SANITIZED = bool(os.environ.get("EDGEWISE_SANITIZED"))
STEEL = ew.Material(young=210e9, poisson=0.3, density=7850.0, expansion=1.2e-5)


class Pinned(unittest.TestCase):
    """Tests after which no memory of the library is pinned by an array any more: all was given back."""

    def tearDown(self):
        gc.collect()
        self.assertEqual([one.group for one in gc.get_objects() if isinstance(one, _Lease)], [])


def dataset(name):
    path = os.path.join(SOURCE, "datasets", name)
    if not os.path.exists(path):
        raise unittest.SkipTest(f"{name} is not there")
    return path


def example(name):
    path = os.path.join(BUILD, "tools", "examples", name)
    if not os.path.exists(path):
        raise unittest.SkipTest(f"example {name} is not built")
    return path


def needs(module):
    try:
        return __import__(module)
    except ImportError:
        raise unittest.SkipTest(f"{module} is not installed") from None


def has_plugin(name):
    from edgewise import plugins
    return plugins.find(name) is not None


def beam(cells=(20, 3, 3), **options):
    """A cantilever, 1 x 0.1 x 0.1 m, pulled down at its tip by 1000 N."""
    model = ew.Model.box((1.0, 0.1, 0.1), cells, **options)
    model.material = STEEL
    wall = model.add_set("wall", lambda x: x[:, 0] < 1e-9)
    tip = model.add_set("tip", lambda x: x[:, 0] > 1.0 - 1e-9, of="faces")
    model.supports = ew.Fixed(wall)
    model.loads = ew.TotalForce(tip, (0.0, 0.0, -1000.0))
    return model


def bar(cells=(4, 2, 2)):
    """A unit cube that slides on three of its planes, so that a uniform strain is exact."""
    model = ew.Model.box((1.0, 1.0, 1.0), cells)
    model.material = STEEL
    for axis, name in enumerate("xyz"):
        model.add_set(name, lambda x, axis=axis: x[:, axis] < 1e-9)
    model.add_set("end", lambda x: x[:, 0] > 1.0 - 1e-9, of="faces")
    model.supports = [ew.Fixed(name, name) for name in "xyz"]
    return model


def same(a, b):
    """Whether two arrays are the same bit for bit."""
    a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
    return a.shape == b.shape and a.tobytes() == b.tobytes()
