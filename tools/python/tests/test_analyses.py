"""Analyses against closed forms, and against SciPy on the same matrices."""
import unittest

import numpy as np
from common import STEEL, bar, beam, has_plugin, needs

import edgewise as ew
from edgewise import materials, motion


class Analyses(unittest.TestCase):
    def test_matrices_are_those_of_the_solve(self):
        needs("scipy")
        from scipy.sparse.linalg import spsolve
        model = beam()
        model.add_support(ew.Spring("tip", 1e5, kind="total"))
        model.solve(tolerance=1e-12)
        stiffness = model.stiffness.to_scipy().tocsr()
        fixed = np.zeros((len(model.points), 3), bool)
        fixed[model.sets["wall"].vertices] = True
        free = np.flatnonzero(~fixed.ravel())
        u = np.zeros(fixed.size)
        u[free] = spsolve(stiffness[free][:, free].tocsc(), model.forces.ravel()[free])
        np.testing.assert_allclose(model.displacement.ravel(), u, atol=1e-9 * abs(u).max())
        self.assertEqual(abs(stiffness - stiffness.T).max(), 0.0)
        motion_ = np.tile([1.0, 0.0, 0.0], len(model.points))
        for kind in ("consistent", "lumped"):
            mass = model.mass(kind).to_scipy()
            self.assertAlmostEqual(motion_ @ (mass @ motion_), 78.5, places=8)

    def test_beam_theory(self):
        model = beam((40, 4, 4))
        model.quadratic = True
        model.solve()
        theory = 1000 * 1.0 / (3 * 210e9 * 0.1 ** 4 / 12)
        self.assertAlmostEqual(-model.sets["tip"].results()["mean_displacement"][2] / theory, 1.0, delta=0.02)
        self.assertLess(model.estimate().share, 0.1)
        np.testing.assert_allclose(model.sets["wall"].results()["reaction_force"], (0, 0, 1000), atol=1e-3)
        np.testing.assert_allclose(model.sums.reaction_force, (0, 0, 1000), atol=1e-3)

    def test_cases(self):
        """The bits of solves from rest; a journal refuses."""
        cases = [ew.TotalForce("tip", (0, 0, -1000)), [ew.Gravity((0, 0, -9.81)), ew.TotalForce("tip", (0, 50, 0))],
                 ew.TotalForce("tip", (300, 0, 0))]
        model = beam()
        found = model.solve_cases(cases)
        self.assertEqual(len(found), 3)
        for loads, one in zip(cases, found):
            other = beam()
            other.loads = loads
            wanted = other.solve()
            self.assertEqual(one.iterations, wanted.iterations)
            np.testing.assert_array_equal(one.displacement, wanted.displacement)
        np.testing.assert_array_equal(model.displacement, found[2].displacement)
        self.assertEqual(model.solve_cases([]), [])
        with self.assertRaises(ew.errors.BadArgument):
            model.solve_cases(["force"])
        journaled = beam(journal=True)
        self.assertRaises(ew.errors.BadArgument, journaled.solve_cases, [])

    def test_goals(self):
        model = beam()
        model.quadratic = True
        goals = [ew.Goal("displacement", on="tip", direction=(0, 0, 1)), ew.Goal("compliance"),
                 ew.Goal("reaction", on="wall"), ew.Goal("von_mises", tet=7)]
        model.solve(tolerance=1e-12)
        found = model.evaluate(goals, tolerance=1e-12)
        self.assertAlmostEqual(found[0].value / model.sets["tip"].results()["mean_displacement"][2], 1.0, places=9)
        self.assertAlmostEqual(found[2].value / 1000, 1.0, places=7)
        self.assertAlmostEqual(found[3].value / model.von_mises[7], 1.0, places=9)

        def put(model, young):
            model.set_material(ew.Material(young=young, poisson=0.3, density=7850))

        by_young = model.differentiate(goals, put, 210e9, 1e6)
        for one, derivative in zip(found[:2], by_young):
            self.assertAlmostEqual(derivative / (-one.value / 210e9), 1.0, places=6)
        with self.assertRaises(ew.errors.BadArgument):
            model.evaluate([ew.Goal("speed")])

    def test_matrices_of_quadratic_tets(self):
        """By nodes as other programs have them: rigid motions have no force, and a weight from the mass
        bends the body as the library's own."""
        needs("scipy")
        from scipy.sparse.linalg import spsolve
        model = beam((6, 2, 2))
        model.quadratic = True
        model.loads = ew.Gravity((0, 3.0, -9.81))
        for _ in range(2):
            model.solve(tolerance=1e-12)
            matrix = model.stiffness
            live = matrix.nodes[:, 0] >= 0
            x = np.where(live[:, None], model.points[matrix.nodes].mean(axis=1), 0)
            stiffness = matrix.to_scipy().tocsr()
            turned = np.where(live[:, None], np.cross((0.1, 0.2, 0.3), x) + (1, 2, 3), 0).ravel()
            self.assertLess(abs(stiffness @ turned).max(), 1e-12 * abs(stiffness).max())
            weight = model.mass().to_scipy() @ np.where(live[:, None], (0, 3.0, -9.81), 0).ravel()
            free = np.flatnonzero(np.repeat(live & (x[:, 0] > 1e-9), 3))
            u = np.zeros(len(weight))
            u[free] = spsolve(stiffness[free][:, free].tocsc(), weight[free])
            np.testing.assert_allclose(model.node_displacement.ravel(), u, atol=1e-9 * abs(u).max())
            lumped = model.mass("lumped").to_scipy().tocsr()
            self.assertLess(abs(lumped - lumped.multiply(np.eye(lumped.shape[0]))).max(), 1e-15)
            model.remove(tets=ew.Box((0.4, 0.0, 0.06), (0.6, 0.1, 0.11)))

    def test_matrices_before_any_solve(self):
        """The tables of edges' supports are made from those of vertices, which no analysis has made yet."""
        needs("scipy")
        model = beam((6, 2, 2))
        model.supports = []
        model.quadratic = True
        self.assertAlmostEqual(model.mass().to_scipy().sum() / 3, 7850.0 * 0.01)
        model.supports = ew.Fixed("wall")
        before = model.stiffness.to_scipy()
        model.solve()
        self.assertEqual(abs(before - model.stiffness.to_scipy()).max(), 0)

    def test_large_rotation(self):
        """A beam whose clamped end is turned follows as a whole, without stress."""
        model = beam((10, 2, 2))
        model.kinematics = "corotational"
        model.loads = []

        def turned(points, angle):
            x, y = points[:, 0], points[:, 1]
            return np.stack([x * np.cos(angle) - y * np.sin(angle) - x,
                             x * np.sin(angle) + y * np.cos(angle) - y, 0 * x], axis=1)

        for angle in (0.4, 0.8, 1.2):
            model.supports = ew.Displacements("wall", lambda x, angle=angle: turned(x, angle))
            info = model.solve_nonlinear(tolerance=1e-8)
            self.assertEqual(info.load_factor, 1.0)
        np.testing.assert_allclose(model.displacement, turned(model.points, 1.2), atol=1e-6)
        self.assertLess(model.von_mises.max(), 1e-6 * 210e9)

    def test_plastic_bar(self):
        """Uniaxial: beyond the yield stress the tangent is E H / (E + H)."""
        model = bar()
        model.material = ew.Material(200e9, 0.3, law=ew.Law("plastic", yield_stress=250e6, hardening=10e9))
        model.supports = [*model.supports, ew.Displacement("end", (0.005, None, None))]
        model.solve_nonlinear(steps=10, tolerance=1e-10)
        expected = 250e6 + (0.005 - 250e6 / 200e9) * 200e9 * 10e9 / 210e9
        np.testing.assert_allclose(model.stress[:, 0], expected, rtol=1e-6)
        self.assertEqual(model.law_state.shape, (len(model.tets), 8))
        self.assertIn("creep", materials.laws())

    def test_mixed_tets(self):
        model = bar()
        model.material = ew.Material(1e6, 0.4999)
        model.mixed = True
        model.loads = ew.Traction("end", (1e3, 0, 0))
        model.solve(tolerance=1e-10)
        np.testing.assert_allclose(model.displacement[:, 0], 1e-3 * model.points[:, 0], atol=1e-9)
        # lambda times the trace of the strain, (1 - 2 nu) sigma / E.
        expected = 0.4999 / ((1 + 0.4999) * (1 - 2 * 0.4999)) * (1 - 2 * 0.4999) * 1e3
        np.testing.assert_allclose(model.volumetric_stress, expected, rtol=1e-5)

    def test_materials_by_region(self):
        mesh = ew.Mesh.box((2, 1, 1), (4, 2, 2))
        centroid = mesh.points[mesh.tets].mean(axis=1)
        model = ew.Model(mesh.points, mesh.tets, regions=np.where(centroid[:, 0] < 1, 1, 2))
        axes = ew.MaterialAxes.fixed("y", "x")
        model.material = {1: ew.Material(100.0, 0.0),
                          2: ew.Orthotropic((50.0, 200.0, 50.0), (0, 0, 0), (40, 40, 40), axes=axes)}
        model.supports = ew.Fixed(model.add_set("left", lambda x: x[:, 0] < 1e-9))
        model.loads = ew.Traction(model.add_set("right", lambda x: x[:, 0] > 2 - 1e-9, of="faces"), (1, 0, 0))
        model.solve(tolerance=1e-11)
        np.testing.assert_allclose(model.displacement[model.sets["right"].vertices, 0], 0.01 + 0.005,
                                   rtol=1e-7)
        same = ew.Anisotropic(np.diag([100.0, 100, 100, 50, 50, 50]))
        model.material = {1: same, 2: same}
        model.solve(tolerance=1e-11)
        np.testing.assert_allclose(model.displacement[model.sets["right"].vertices, 0], 0.02, rtol=1e-7)
        self.assertEqual(sorted(model.materials), [1, 2])

    def test_motion(self):
        self.assertIn("newmark", motion.scheme_names())
        for scheme in motion.scheme_names():
            model = beam((6, 2, 2))
            model.supports, model.loads = [], ew.Gravity((0, 0, -10.0))
            run = model.start_motion(scheme, account=True)
            dt = min(1e-3, 0.5 * run.stable_step()) if np.isfinite(run.stable_step()) else 1e-3
            if dt <= 0:
                continue
            info = run.advance(dt, 20)
            np.testing.assert_allclose(model.velocity[:, 2], -10 * info.time, rtol=1e-6)
            self.assertAlmostEqual(run.account().linear_momentum[2] / (-78.5 * 10 * info.time), 1, places=6)
        model = beam()
        model.solve()
        tip = model.sets["tip"].vertices[0]
        start = model.displacement[tip, 2]
        model.loads = []
        run = model.start_motion("newmark", account=True)
        seen = []
        for time in run.run(2e-4, 0.02):
            seen.append(model.displacement[tip, 2])
            if len(seen) == 20:
                model.remove(tets=ew.Nearest((0.5, 0.05, 0.1)))
        # The first bending frequency of a clamped beam, 3.516 / (2 pi L^2) sqrt(E I / rho A), which
        # linear tets raise as they lower the sag.
        period = 2 * np.pi / (3.516 * np.sqrt(210e9 * 0.1 ** 2 / 12 / 7850))
        turn = 2e-4 * (np.argmax(seen) + 1)
        sag = 1000 / (3 * 210e9 * 0.1 ** 4 / 12)
        self.assertAlmostEqual(turn / (period / 2), np.sqrt(abs(start) / sag), delta=0.05)
        self.assertLess(max(seen), 1.05 * abs(start))
        self.assertLess(abs(run.account().balance), 1e-6 * run.account().initial)
        with self.assertRaises(ew.BadArgument):
            model.start_motion("leapfrog")

    def test_modes_and_buckling(self):
        if not has_plugin("cholmod"):
            self.skipTest("edgewise-cholmod is not installed")
        model = beam((40, 3, 3))
        model.quadratic = True
        modes = model.modes(3)
        theory = 3.516 / (2 * np.pi) * np.sqrt(210e9 * 0.1 ** 2 / 12 / 7850)
        np.testing.assert_allclose(modes.frequencies[:2], theory, rtol=0.02)
        self.assertEqual(modes.shapes.shape, (3, len(model.points), 3))
        self.assertLess(modes.residuals.max(), 1e-6)
        model.loads = ew.TotalForce("tip", (-1000.0, 0, 0))
        model.solve(solver="cholesky")
        factor = model.buckling(1).factors[0]
        self.assertAlmostEqual(factor * 1000 / (np.pi ** 2 * 210e9 * 0.1 ** 4 / 12 / 4), 1.0, delta=0.02)

    def test_topology(self):
        model = beam((20, 6, 2))
        shares = []
        info = model.optimize_topology(0.93, max_rounds=12, keep="tip",
                                       on_round=lambda r: shares.append(r.share))
        self.assertLess(shares[-1], 0.94)
        self.assertNotEqual(info.end, "fell apart")
        self.assertGreater(len(shares), 3)
        self.assertGreater(info.compliance, 0)
        self.assertEqual(model.verify()["different"], 0)
        with self.assertRaises(ZeroDivisionError):
            beam((20, 6, 2)).optimize_topology(0.5, keep="tip", on_round=lambda r: 1 / 0)

    def test_devices(self):
        if not ew.devices():
            self.skipTest("no OpenCL device")
        host, device = beam(), beam(device=ew.devices()[0]["device"], precision="double")
        host.solve(tolerance=1e-10)
        device.solve(tolerance=1e-10)
        np.testing.assert_allclose(device.displacement, host.displacement, atol=1e-8 * 1.2e-4)

    def test_rubber_is_stretched_as_the_closed_form(self):
        """A cube pulled to twice its length: P1 = mu (a - 1/a) + lambda/2 (J^2 - 1) / a along it, and the
        same with the stretch b across, free of stress, J = a b^2."""
        young, poisson, a = 3.0, 0.3, 2.0
        mu, lam = young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))

        def pressure(stretch, j):
            return mu * (stretch - 1 / stretch) + lam / 2 * (j * j - 1) / stretch

        low, high = 0.1, 1.0
        for _ in range(60):
            b = (low + high) / 2
            low, high = (b, high) if pressure(b, a * b * b) < 0 else (low, b)
        model = bar()
        model.material = ew.Material(young, poisson, law=ew.Law("neo_hookean"))
        model.kinematics = "corotational"
        model.add_support(ew.Displacement("end", (a - 1, None, None)))
        with self.assertRaisesRegex(ew.BadArgument, "'tol' is none of the options; those of the solver are"):
            model.solve_nonlinear(tol=1e-9)
        model.solve_nonlinear(steps=4, tolerance=1e-10)
        force = model["end"].results()["reaction_force"]
        self.assertAlmostEqual(force[0], pressure(a, a * b * b), delta=1e-8)
        self.assertLess(abs(force[1:]).max(), 1e-8)
        side = abs(model.points[:, 1] - 1) < 1e-9
        self.assertLess(abs(model.displacement[side, 1] - (b - 1)).max(), 1e-8)

    def test_materials_of_the_library(self):
        from edgewise import materials
        steel, other = materials.named("S355"), materials.named("S355", length=1e-3)
        self.assertEqual((steel.young, steel.density), (210e9, 7850.0))
        self.assertAlmostEqual(other.young, 210e3, delta=1e-9)
        self.assertAlmostEqual(other.density, 7.85e-9, delta=1e-20)
        self.assertEqual(materials.library()["S355"]["yield_stress"], 355e6)
        self.assertIn("EN 10025", materials.library()["S355"]["source"])
        model = beam()
        for name in materials.library():  # each is one that a model takes
            model.material = materials.named(name, length=1e-3, force=1e3)
        soft = materials.named("rubber-soft")
        constants = dict(soft.law.constants)
        shear = soft.young / (2 * (1 + soft.poisson))
        self.assertAlmostEqual(2 * (constants["c10"] + constants["c01"]) / shear, 1.0, delta=1e-3)
        wood = materials.named("spruce", axes=ew.MaterialAxes.fixed("z", "x"))
        self.assertEqual(wood.axes, ew.MaterialAxes.fixed("z", "x"))
        with self.assertRaisesRegex(ew.BadInput, "'S356' is none of the library's, S235, S355"):
            materials.named("S356")


if __name__ == "__main__":
    unittest.main()
