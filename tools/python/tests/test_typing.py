"""Type checkers see what the library's descriptors make: the stubs are theirs, and mypy finds the package's
README script, its notebooks and a strict script of every kind of call without an error."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

from common import SOURCE, needs

import edgewise as ew

FOLDER = os.path.join(SOURCE, "tools", "python")
STRICT = '''
from typing import Any

import numpy as np
import edgewise as ew

def stretched(points: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
    return np.outer(points[:, 0], (1.0, 0.0, 0.0))

model = ew.Model.box((1.0, 0.1, 0.1), cells=(10, 2, 2), journal=True)
model.material = ew.Material(young=210e9, poisson=0.3, density=7850.0)
wall: ew.Set = model.add_set("wall", lambda x: x[:, 0] < 1e-9)
model.supports = [ew.Fixed(wall), ew.Displacements("wall", stretched)]
model.equations = ew.Equation(ew.Term("wall", "x"), ew.Term((3, 4), (0, 1.0, 0)), value=1e-6)
model.equations = []
model.couplings = ew.Coupling("wall", (0, 0, 0), rotation=(0.1, None, None))
model.ties = ew.Tie("wall", "tip", distance=0.1)
model.contacts = ew.Contact("wall", "tip", distance=0.1)
model.contacts = []
model.loads = ew.Gravity(np.array([0.0, 0.0, -9.81]))
with model.edit() as e:
    e.remove_tets([3, 4])
remark = model.remove(tets=ew.Nearest((0.5, 0.0, 0.0)))
assert remark is None or remark.upper()
model.decimate(fraction=0.1, order="random", seed=3, protect=["wall"])
model.undo()
model.journal.save("work.npz")
try:
    iterations: int = model.solve(progress=True).iterations
except (ew.BadEdit, ew.errors.UnderConstrained) as error:
    print(error.text, error.line, error.ids[0] + 1)
except ew.MeshError as error:
    print(error.status + 1)
largest: float = model.von_mises.max()
motion: ew.Motion = model.start_motion("newmark")
for time in motion.run(1e-4, 1e-3):
    print(f"{time + 1.0:g}", model.velocity.shape)
'''
WRONG = '''
import edgewise as ew
model = ew.Model.box((1.0, 0.1, 0.1), cells=(10, 2, 2))
model.decimate(fraction="much")
model.decimate(order="sideways")
model.refien(longer_than=0.1)
ew.BadEdits
'''


def checked(text, *options):
    """What `mypy` says of a script, line by line without its summary."""
    needs("mypy")
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "script.py"), "w", encoding="utf-8") as file:
            file.write(text)
        environment = dict(os.environ)
        environment.pop("MYPYPATH", None)
        done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir",
                               os.path.join(tempfile.gettempdir(), "edgewise-mypy"), *options, "script.py"],
                              cwd=folder, env=environment, capture_output=True, text=True)
    return [line for line in (done.stdout + done.stderr).splitlines() if ": note:" not in line]


class Typing(unittest.TestCase):
    def test_stubs_are_the_library_s(self):
        sys.path.insert(0, os.path.join(FOLDER, "binding"))
        try:
            import stubs
        finally:
            del sys.path[0]
        for name, text in stubs.texts().items():
            with open(os.path.join(FOLDER, "edgewise", name), encoding="utf-8") as file:
                self.assertEqual(file.read(), text, "statuses or operations changed: run "
                                                    "tools/python/binding/stubs.py")
        for name in ew.errors.public():
            self.assertIn(name, ew.__all__)
            self.assertIs(getattr(ew, name), getattr(ew.errors, name))

    def test_scripts_are_strict(self):
        self.assertEqual(checked(STRICT), [])
        with open(os.path.join(FOLDER, "README.md"), encoding="utf-8") as file:
            self.assertEqual(checked(file.read().split("```python\n")[1].split("```")[0]), [])

    def test_mistakes_are_found(self):
        found = "\n".join(checked(WRONG))
        for line, kind in ((4, "arg-type"), (5, "arg-type"), (6, "attr-defined"), (7, "attr-defined")):
            self.assertRegex(found, f"script.py:{line}: .*{kind}")

    def test_notebooks(self):
        folder = os.path.join(FOLDER, "notebooks")
        for name in sorted(os.listdir(folder)):
            if name.endswith(".ipynb"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    cells = json.load(file)["cells"]
                text = "\n".join("".join(one["source"]) for one in cells if one["cell_type"] == "code")
                with self.subTest(name):
                    self.assertEqual(checked(text, "--ignore-missing-imports", "--allow-untyped-defs",
                                             "--allow-untyped-calls"), [])


if __name__ == "__main__":
    unittest.main()
