"""Meshes and results to and from files and other packages; pictures."""
import os
import struct
import tempfile
import unittest

import numpy as np
from common import STEEL, beam, dataset, has_plugin, needs, same

import edgewise as ew


class Exchange(unittest.TestCase):
    def test_files(self):
        mesh = ew.Mesh.read(dataset("bracket.mesh"))
        with tempfile.TemporaryDirectory() as folder:
            for ending in (".mesh", ".msh", ".vtk", ".inp", ".node"):
                path = os.path.join(folder, "part" + ending)
                mesh.write(path)
                again = ew.Mesh.read(path)
                self.assertEqual(again.n_tets, mesh.n_tets, ending)
                np.testing.assert_allclose(again.points, mesh.points, atol=1e-6, err_msg=ending)

    def test_meshio(self):
        meshio = needs("meshio")
        mesh = ew.Mesh.box((1, 1, 1), (2, 2, 2))
        region = np.where(mesh.points[mesh.tets].mean(axis=1)[:, 0] < 0.5, 3, 4)
        given = meshio.Mesh(mesh.points, [("tetra", mesh.tets), ("triangle", [[0, 1, 3]])],
                            cell_data={"gmsh:physical": [region, np.array([9])]},
                            field_data={"left": np.array([3, 3]), "corner": np.array([9, 2])},
                            point_sets={"some": [0, 5]}, cell_sets={"first": [np.array([0, 1]), None]})
        model = ew.Model(given)
        self.assertEqual(sorted(model.groups), ["corner", "first", "left", "some"])
        self.assertEqual(len(model["first"]), 2)
        self.assertEqual(list(model["some"].members), [0, 5])
        model.material = {"left": STEEL, None: ew.Material(1e9, 0.3)}
        self.assertEqual(sorted(model.materials, key=str), [3, None])
        self.assertTrue(same(model.points, mesh.points))
        back = model.to_meshio()
        again = ew.Mesh.from_meshio(back)
        self.assertTrue(same(again.tets, mesh.tets))
        self.assertTrue((again.regions == region).all())
        with self.assertRaisesRegex(ew.BadInput, "no tets"):
            ew.Mesh.from_meshio(meshio.Mesh(mesh.points, [("line", [[0, 1]])]))

    def test_ten_node_tets(self):
        corner = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
        edges = [(0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3)]
        middle = np.array([corner[list(edge)].mean(axis=0) for edge in edges])
        middle[0] += [0, -0.05, 0]
        mesh = ew.Mesh(np.concatenate([corner, middle]), [list(range(10))])
        self.assertEqual(len(mesh.points), 4)
        model = ew.Model(mesh)
        self.assertTrue(model.quadratic)
        self.assertGreater(model.measure()["volume"], 1 / 6 + 0.005)

    def test_pyvista(self):
        pyvista = needs("pyvista")
        model = beam()
        model.solve()
        grid = model.to_pyvista()
        self.assertIsInstance(grid, pyvista.UnstructuredGrid)
        self.assertEqual(grid.n_cells, model.n_tets)
        self.assertAlmostEqual(grid.volume, 0.01)
        self.assertTrue(same(np.asarray(grid["displacement"]), model.displacement))
        again = ew.Model(grid)
        self.assertEqual(again.n_tets, model.n_tets)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "beam.png")
            model.plot(screenshot=path)
            with open(path, "rb") as file:
                data = file.read()
            self.assertEqual(struct.unpack(">II", data[16:24]), (1024, 768))
            self.assertGreater(len(data), 5000)

    def test_small_pictures(self):
        import zlib
        model = beam()
        text = model._repr_html_()
        self.assertIn("1,080", text)
        model.solve()
        self.assertIn("von Mises", model._repr_html_())
        from edgewise.show import picture
        png = picture(model.points, model.boundary, model.vertex_von_mises)
        self.assertEqual(struct.unpack(">II", png[16:24]), (240, 180))
        raw = zlib.decompress(png[png.index(b"IDAT") + 4:-16])
        pixels = np.frombuffer(raw, np.uint8).reshape(180, -1)[:, 1:].reshape(180, 240, 3)
        self.assertGreater((pixels.sum(axis=2) < 765).mean(), 0.05)
        picture(np.zeros((0, 3)), np.zeros((0, 3), int))

    def test_step_with_names(self):
        try:
            from edgewise import plugins
            plugins.gmsh_program("test")
        except ew.MissingPackage as missing:
            self.skipTest(str(missing))
        model = ew.Model.read(dataset("bracket.step"), unit="m", size=0.01)
        self.assertTrue(model.groups.names("faces"))
        name = model.groups.names("faces")[0]
        self.assertGreater(model[name].area, 0)

    def test_gmsh_models(self):
        gmsh = needs("gmsh")
        with self.assertRaisesRegex(ew.BadInput, "not initialized"):
            ew.Mesh.from_gmsh()
        gmsh.initialize()
        self.addCleanup(gmsh.finalize)
        gmsh.option.setNumber("General.Terminal", 0)
        occ = gmsh.model.occ
        bodies = [(3, occ.addBox(x, 0, 0, 1, 0.5, 0.5)) for x in (0, 1)]
        occ.fragment(bodies[:1], bodies[1:])
        occ.synchronize()
        with self.assertRaisesRegex(ew.BadInput, "generate"):
            ew.Mesh.from_gmsh()
        gmsh.model.addPhysicalGroup(3, [1], 5, name="soft")
        gmsh.model.addPhysicalGroup(3, [2], 6, name="stiff")
        for x, name in ((0, "wall"), (1, "joint"), (2, "tip")):
            found = gmsh.model.getEntitiesInBoundingBox(x - 1e-6, -1, -1, x + 1e-6, 1, 1, dim=2)
            gmsh.model.addPhysicalGroup(2, [tag for _, tag in found], name=name)
        gmsh.option.setNumber("Mesh.MeshSizeMax", 0.25)
        gmsh.model.mesh.generate(3)
        model = ew.Model(ew.Mesh.from_gmsh())
        self.assertEqual(set(model.groups.names("tets")), {"soft", "stiff"})
        self.assertAlmostEqual(model.measure()["volume"], 0.5)
        model.material = {"soft": ew.Material(1e9, 0.0), "stiff": ew.Material(2e9, 0.0)}
        self.assertIn("joint", model.groups)
        model.supports = ew.Fixed("wall")
        model.loads = ew.TotalForce("tip", (1e6, 0, 0))
        model.solve(tolerance=1e-12)
        # Without lateral contraction: F L / E A of the two, in series.
        np.testing.assert_allclose(model.displacement[model["tip"].vertices, 0], 4e-3 + 2e-3, rtol=1e-8)

    def test_curved_gmsh_models(self):
        gmsh = needs("gmsh")
        gmsh.initialize()
        self.addCleanup(gmsh.finalize)
        gmsh.option.setNumber("General.Terminal", 0)
        gmsh.model.occ.addSphere(0, 0, 0, 1)
        gmsh.model.occ.synchronize()
        gmsh.option.setNumber("Mesh.MeshSizeMax", 0.5)
        gmsh.model.mesh.generate(3)
        gmsh.model.mesh.setOrder(2)
        model = ew.Model(ew.Mesh.from_gmsh())
        self.assertTrue(model.quadratic)
        model.material = ew.Material(1.0, 0.3, density=1.0)
        # A side of length h is off by h^4 / 384 R^3 of the radius where the middle is on the sphere.
        self.assertAlmostEqual(model.mass().to_scipy().sum() / 3, 4 * np.pi / 3, delta=0.01)

    def test_surfaces(self):
        surface = ew.Surface.read(dataset("bracket.off"))
        surface.check()
        self.assertGreater(len(surface.triangles), 10)
        if not has_plugin("tetgen"):
            self.skipTest("edgewise-tetgen is not installed")
        mesh = surface.fill(quality=1.5)
        self.assertGreater(mesh.n_tets, 100)
        model = ew.Model(mesh)
        model.material = STEEL
        model.remesh(tets=ew.All())
        self.assertEqual(model.verify()["different"], 0)


if __name__ == "__main__":
    unittest.main()
