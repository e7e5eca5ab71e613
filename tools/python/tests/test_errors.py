"""Failures: an exception for each status, with the library's line, the ids and the file's line."""
import os
import tempfile
import unittest

import numpy as np
from common import beam, has_plugin

import edgewise as ew
from edgewise import errors


class Errors(unittest.TestCase):
    def test_each_status_has_its_exception(self):
        count = 0
        for name, number in ew.ffi.typeof("ew_status").relements.items():
            if name in ("EW_OK", "EW_STATUS_COUNT"):
                continue
            kind = errors._BY_STATUS[number]
            self.assertTrue(issubclass(kind, ew.EdgewiseError))
            self.assertIs(getattr(ew, kind.__name__), kind)
            self.assertIn(kind.__name__, ew.__all__)
            self.assertTrue(kind.__doc__)
            count += 1
        self.assertGreater(count, 30)
        self.assertTrue(issubclass(ew.BadInput, ValueError))
        self.assertTrue(issubclass(ew.NoMemory, MemoryError))
        self.assertTrue(issubclass(ew.FileError, OSError))
        self.assertTrue(issubclass(ew.MissingPackage, ImportError))

    def test_bad_edits_name_the_slot(self):
        model = beam()
        revision = model.revision
        with self.assertRaisesRegex(ew.BadEdit, "1000000") as caught:
            with model.edit() as e:
                e.remove_tets([3, 1000000])
        self.assertIn(1000000, caught.exception.ids)
        self.assertEqual(model.revision, revision)
        with self.assertRaises(ew.BadEdit):
            with model.edit() as e:
                e.move_vertices([0], to=[[np.nan, 0, 0]])

    def test_lines_of_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bad.mesh")
            with open(path, "w") as file:
                file.write("MeshVersionFormatted 2\nDimension 3\nVertices\n1\n0 0 zero 0\nEnd\n")
            with self.assertRaises(ew.BadInput) as caught:
                ew.Mesh.read(path)
            self.assertEqual(caught.exception.line, 5)
            self.assertTrue(str(caught.exception).startswith(f"{path}:5: "))
            with self.assertRaisesRegex(ew.FileError, "nothing.mesh"):
                ew.Mesh.read(os.path.join(folder, "nothing.mesh"))
            with self.assertRaisesRegex(ew.BadInput, "ending"):
                ew.Mesh.read(os.path.join(folder, "part.xyz"))

    def test_meshes_that_break_a_rule(self):
        points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
        for tets, kind in (([[0, 1, 2, 4]], ew.MeshRange), ([[0, 1, 2, 2]], ew.MeshRepeated),
                           ([[0, 1, 2, 3], [0, 1, 2, 3]], ew.MeshDuplicate)):
            with self.assertRaises(kind) as caught:
                ew.Mesh(points, tets)
            self.assertIsInstance(caught.exception, ew.MeshError)
        self.assertEqual(ew.Mesh(points, [[0, 2, 1, 3]]).n_reoriented, 1)

    def test_shapes_and_types_are_checked(self):
        with self.assertRaisesRegex(ew.BadArgument, r"\(n, 3\)"):
            ew.Mesh([[0, 0], [1, 1]], [[0, 1, 2, 3]])
        with self.assertRaisesRegex(ew.BadArgument, "whole numbers"):
            ew.Mesh(np.zeros((4, 3)), [[0.5, 1, 2, 3]])
        with self.assertRaisesRegex(ew.BadArgument, "numbers are from"):
            ew.Mesh(np.zeros((4, 3)), np.array([[2 ** 40, 1, 2, 3]]))
        model = beam()
        with self.assertRaisesRegex(ew.BadArgument, "truth values"):
            model.add_set("x", lambda x: x[:, 0])
        with self.assertRaisesRegex(ew.BadArgument, "members of a set"):
            model.add_set("x", [-1])
        with self.assertRaisesRegex(ew.BadInput, "'nothing'"):
            model.add_set("x", "nothing")
        with self.assertRaisesRegex(ew.BadInput, "there is no set 'tap'"):
            model.loads = ew.Force("tap", (1, 0, 0))
        with self.assertRaisesRegex(ew.BadArgument, "another model"):
            model.loads = ew.Force(beam().sets["wall"], (1, 0, 0))
        with self.assertRaises(ew.BadArgument):
            model.material = ew.Material(young=-1.0, poisson=0.3)
        with self.assertRaisesRegex(ew.BadInput, "plastc.*plastic"):
            ew.Law("plastc")._fill(ew.ffi.new("ew_material *")[0])

    def test_operations_say_what_is_wrong(self):
        model = beam()
        with self.assertRaisesRegex(ew.BadInput, "longer_than"):
            model.refine(longer_then=0.1)
        with self.assertRaises(ew.BadInput):
            model.cut()
        with self.assertRaisesRegex(ew.BadInput, "center, radius"):
            model.cut(sphere={"center": (0, 0, 0)})
        with self.assertRaises(ew.BadEdit):
            model.cut(sphere={"center": (9, 9, 9), "radius": 0.1})
        self.assertEqual(model.revision, 1)

    def test_analyses_that_fail(self):
        model = beam()
        model.supports = []
        with self.assertRaises(ew.UnderConstrained):
            model.solve()
        model.supports = ew.Fixed("wall")
        with self.assertRaises(ew.NotConverged) as caught:
            model.solve(max_iterations=1, tolerance=1e-12)
        self.assertIsInstance(caught.exception, ArithmeticError)
        with self.assertRaisesRegex(ew.BadArgument, "preconditioner"):
            model.solve(preconditioner="none")
        bare = ew.Model.box((1, 1, 1), (1, 1, 1))
        with self.assertRaises(ew.BadInput):
            bare.solve()

    def test_missing_packages_are_named(self):
        model = beam()
        if not has_plugin("cholmod"):
            with self.assertRaisesRegex(ew.MissingPackage, "pip install edgewise-cholmod"):
                model.modes()
            with self.assertRaisesRegex(ew.MissingPackage, "edgewise-cholmod"):
                model.solve(solver="cholesky")
        if not has_plugin("tetgen"):
            with self.assertRaisesRegex(ew.MissingPackage, "pip install edgewise-tetgen") as caught:
                ew.Surface([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]).fill()
            self.assertEqual(caught.exception.name, "edgewise-tetgen")

    def test_plugins_that_are_missing_or_broken(self):
        from unittest import mock

        from edgewise import plugins

        class Broken:
            name = "tetgen"

            def load(self):
                raise OSError("libtet.so: cannot open shared object file")

        for entries, text in (([], "which is not installed"), ([Broken()], "cannot be loaded: libtet.so")):
            listed = mock.Mock()
            listed.select.return_value = entries
            with mock.patch.dict(plugins._found, clear=True), \
                    mock.patch("importlib.metadata.entry_points", return_value=listed) as call:
                model = beam()
                for _ in range(2):
                    with self.assertRaisesRegex(ew.MissingPackage, text):
                        model.remesh(tets=ew.All())
                self.assertEqual(call.call_count, 1)  # by the first remesh, whatever was found


if __name__ == "__main__":
    unittest.main()
