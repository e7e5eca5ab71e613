"""The notebooks run, cell by cell, and what they assert holds."""
import json
import os
import shutil
import sys
import tempfile
import unittest

from common import SOURCE, dataset, needs

import edgewise as ew
from edgewise import plugins

NEEDS = {"cutting_in_motion": ["matplotlib"], "beside_scikit_fem": ["skfem"]}


class Notebooks(unittest.TestCase):
    def run_notebook(self, name):
        for module in NEEDS.get(name, []):
            needs(module)
        if name == "step_part":
            try:
                plugins.gmsh_program(name)
            except ew.MissingPackage as missing:
                self.skipTest(str(missing))
        path = os.path.join(SOURCE, "tools", "python", "notebooks", name + ".ipynb")
        with open(path, encoding="utf-8") as file:
            cells = json.load(file)["cells"]
        space, before = {"__name__": "__main__"}, os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(dataset("bracket.step"), folder)
            os.chdir(folder)
            try:
                for number, cell in enumerate(cells):
                    if cell["cell_type"] == "code":
                        self.assertEqual(cell["outputs"], [])
                        exec(compile("".join(cell["source"]), f"{name} cell {number}", "exec"), space)
            finally:
                os.chdir(before)


folder = os.path.join(SOURCE, "tools", "python", "notebooks")
for entry in sorted(os.listdir(folder)):
    if entry.endswith(".ipynb"):
        setattr(Notebooks, "test_" + entry[:-6],
                lambda self, name=entry[:-6]: self.run_notebook(name))

if __name__ == "__main__":
    sys.exit(unittest.main())
