"""Loads and supports, also as NumPy fields: resultants, equality with the library's own, edits."""
import itertools
import os
import tempfile
import unittest

import numpy as np
from common import STEEL, bar, beam

import edgewise as ew


class Conditions(unittest.TestCase):
    def test_resultants(self):
        model = beam()
        top = model.add_set("top", lambda x: x[:, 2] > 0.1 - 1e-9, of="faces")
        tip = model.sets["tip"]
        weight = 0.01 * 7850.0
        for load, force in ((ew.Gravity((0, 0, -10)), (0, 0, -10 * weight)),
                            (ew.TotalForce(tip, (1, 2, 3)), (1, 2, 3)),
                            (ew.Force("wall", (1, 0, 0)), (len(model.sets["wall"]), 0, 0)),
                            (ew.Pressure(top, 5.0), (0, 0, -0.5)),
                            (ew.Pressure(top, 0.0, gradient="x"), (0, 0, -0.05)),
                            (ew.Traction(top, (0, 3, 0)), (0, 0.3, 0)),
                            (ew.Moment(tip, (7, 0, 0)), (0, 0, 0)),
                            (ew.RemoteForce(tip, (0, 0, -4), (2, 0.05, 0.05)), (0, 0, -4)),
                            (ew.Centrifugal("z"), (weight * 0.5, weight * 0.05, 0)),
                            (ew.Temperature(10.0), (0, 0, 0)),
                            (ew.Pressures(top, lambda x: x[:, 0]), (0, 0, -0.05)),
                            (ew.Tractions(top, lambda x: x * [0, 0, 1] + [2, 0, 0]), (0.2, 0, 0.01)),
                            (ew.Forces(lambda x: np.ones_like(x)), 3 * (len(model.points),))):
            model.loads = load
            found, _ = model.resultant(0)
            np.testing.assert_allclose(found, force, atol=1e-9 * max(1, np.abs(force).max()),
                                       err_msg=repr(load))
        model.loads = ew.Moment(tip, (7, 0, 0))
        np.testing.assert_allclose(model.resultant(0)[1], (7, 0, 0), atol=1e-12)

    def test_fields_equal_the_library_s_own_loads(self):
        pairs = (
            (lambda m, t: ew.Pressure(t, 3.0, gradient=(1.0, 0.0, 2.0)),
             lambda m, t: ew.Pressures(t, 3.0 + m.points[:, 0] + 2.0 * m.points[:, 2])),
            (lambda m, t: ew.Traction(t, (1.0, 2.0, 3.0)),
             lambda m, t: ew.Tractions(t, np.tile((1.0, 2.0, 3.0), (len(m.points), 1)))),
            (lambda m, t: ew.Temperature(40.0), lambda m, t: ew.Temperature(np.full(len(m.points), 40.0))),
            (lambda m, t: ew.Temperature("20*x + 3"), lambda m, t: ew.Temperature(lambda x: 20 * x[:, 0] + 3)),
        )
        for (own, field), quadratic in itertools.product(pairs, (False, True)):
            answers = []
            for make in (own, field):
                model = beam((10, 2, 2) if quadratic else (20, 3, 3))
                model.quadratic = quadratic
                top = model.add_set("top", lambda x: x[:, 2] > 0.1 - 1e-9, of="faces")
                model.loads = make(model, top)
                model.solve(tolerance=1e-11)
                model.refine(longer_than=0.09)
                model.solve(tolerance=1e-11)
                answers.append(model.displacement)
            scale = np.abs(answers[0]).max()
            np.testing.assert_allclose(answers[1], answers[0], atol=1e-8 * scale)

    def test_springs_by_vertex(self):
        """A spring's force balances the load, also where an edit brings vertices; on a uniform array
        they are those of one number."""
        model = ew.Model.box((1, 1, 1), (3, 3, 3))
        model.material = STEEL
        model.add_set("under", lambda x: x[:, 2] < 1e-9)
        model.add_set("top", lambda x: x[:, 2] > 1 - 1e-9, of="faces")
        model.loads = ew.TotalForce("top", (0, 0, -1.0))

        def stiffness(x):
            return 1e3 + x * (500, 0, 0) + x[:, :1] * (0, 0, 200)

        for as_array in (False, True):
            model.supports = ew.Spring("under", stiffness(model.points) if as_array else stiffness)
            for _ in range(2):
                model.solve(tolerance=1e-11)
                under = model.points[:, 2] < 1e-9
                force = stiffness(model.points[under]) * model.displacement[under]
                np.testing.assert_allclose(force.sum(0), (0, 0, -1), atol=1e-8)
                model.refine(longer_than=0.4)
        model.supports = ew.Spring("under", 1e3)
        model.solve(tolerance=1e-11)
        before = model.displacement
        model.supports = ew.Spring("under", np.full((len(model.points), 3), 1e3))
        model.solve(tolerance=1e-11)
        np.testing.assert_allclose(model.displacement, before, atol=1e-7 * np.abs(before).max())
        with self.assertRaisesRegex(ew.BadInput, "at least 0"):
            model.supports = ew.Spring("under", np.full((len(model.points), 3), -1.0))
            model.solve()
        with self.assertRaisesRegex(ew.BadArgument, "each"):
            ew.Spring("under", stiffness, kind="total")

    def test_values_must_be_finite(self):
        model = beam((4, 2, 2))
        model.add_set("top", lambda x: x[:, 2] > 0.1 - 1e-9, of="faces")
        for make in (ew.Pressures, ew.Tractions):
            model.loads = make("top", lambda x: np.where(x > 0.3, np.inf, 1.0)[
                :, slice(None) if make is ew.Tractions else 0])
            with self.assertRaises(ew.EdgewiseError):
                model.solve()

    def test_prescribed_fields(self):
        gradient = 1e-3 * np.array([[1.0, 0.2, 0.0], [0.0, -0.5, 0.3], [0.4, 0.0, 0.8]])
        for given in (lambda x: x @ gradient.T, "array"):
            model = ew.Model.box((1, 1, 1), (3, 3, 3))
            model.material = STEEL
            skin = model.add_set("skin", ew.All(), of="faces")
            model.supports = ew.Displacements(
                skin, model.points @ gradient.T if given == "array" else given)
            for _ in range(2):
                model.solve(tolerance=1e-12)
                np.testing.assert_allclose(model.displacement, model.points @ gradient.T, atol=1e-13)
                model.refine(longer_than=0.4)
        with self.assertRaisesRegex(ew.BadInput, "also"):
            model.supports = [*model.supports, ew.Fixed(skin, "x")]
            model.solve()

    def test_closed_forms(self):
        model = bar()
        model.loads = ew.Traction("end", (2.1e6, 0, 0))
        model.solve(tolerance=1e-12)
        x = model.points
        np.testing.assert_allclose(model.displacement, x * [1e-5, -3e-6, -3e-6], atol=1e-15)
        np.testing.assert_allclose(model.stress, np.tile([2.1e6, 0, 0, 0, 0, 0], (len(model.tets), 1)),
                                   atol=1e-3)
        self.assertAlmostEqual(model.sums.strain_energy, 0.5 * 2.1e6 * 1e-5, places=9)
        model.loads = ew.Temperature(50.0)
        model.solve(tolerance=1e-12)
        np.testing.assert_allclose(model.displacement, x * 50 * 1.2e-5, atol=1e-12)
        model.loads = ew.Traction("end", (2.1e6, 0, 0))
        back = model.add_set("back", lambda p: p[:, 0] < 1e-9, of="faces")
        model.supports = [ew.Spring(back, (2.1e10, 0.0), kind="foundation"), ew.Fixed("y", "y"),
                          ew.Fixed("z", "z")]
        model.solve(tolerance=1e-12)
        self.assertAlmostEqual(model.displacement[model.sets["back"].vertices, 0].mean(), 1e-4, places=10)
        self.assertAlmostEqual(model.sets["back"].results()["reaction_force"][0], -2.1e6, places=3)

    def test_equations(self):
        """The end of a pulled and bent beam moves along x as one vertex of it, which is prescribed to move
        twice as far as another: after edits, in a journal that was read, and without them no longer."""
        model = ew.Model.box((1, 0.1, 0.1), (10, 2, 2), journal=True)
        model.material = STEEL
        model.add_set("wall", lambda x: x[:, 0] < 1e-9)
        tip = model.add_set("tip", lambda x: x[:, 0] > 1 - 1e-9)
        corner = model.add_set("corner", ew.Nearest((1, 0, 0)))
        side = model.vertex_ids[np.argmin(np.abs(model.points - (0.5, 0, 0)).sum(1))]
        model.supports = ew.Fixed("wall")
        model.loads = ew.TotalForce(tip, (1e3, 0, -500))
        model.equations = [ew.Equation(ew.Term(tip, "x"), ew.Term("corner", (-1, 0, 0))),
                           ew.Equation(ew.Term(corner, "x"), ew.Term(side, (-2, 0, 0)), value=1e-6)]
        for _ in range(2):
            model.solve(tolerance=1e-11)
            u = model.displacement
            end = np.flatnonzero(model.points[:, 0] > 1 - 1e-9)
            np.testing.assert_allclose(u[end, 0], 2 * u[model.find_vertices([side])[0], 0] + 1e-6, rtol=1e-9)
            force = model.equation_forces
            self.assertGreater(np.abs(force[end, 0]).max(), 100)
            np.testing.assert_allclose(force[:, 1:], 0, atol=1e-6)
            np.testing.assert_allclose(model.reactions.sum(0) + force.sum(0), (-1e3, 0, 500), atol=1e-4)
            model.refine(longer_than=0.09)
        with tempfile.TemporaryDirectory() as folder:
            model.journal.save(os.path.join(folder, "made.npz"))
            again = ew.replay(os.path.join(folder, "made.npz"))
        self.assertEqual(len(again.equations), 2)
        model.equations = []
        model.solve(tolerance=1e-11)
        self.assertGreater(np.ptp(model.displacement[model.points[:, 0] > 1 - 1e-9, 0]), 1e-6)
        np.testing.assert_allclose(model.equation_forces, 0)
        model.equations = ew.Equation(ew.Term("wall", "y"), value=1.0)
        with self.assertRaisesRegex(ew.BadInput, "contradicts"):
            model.solve()
        for wrong in (lambda: ew.Equation(), lambda: ew.Equation(("tip", (1, 0, 0))),
                      lambda: ew.Term("tip", (1, 0)),
                      lambda: setattr(model, "equations", ew.Equation(ew.Term((1, 2, 3), "x")))):
            with self.assertRaises(ew.BadArgument):
                wrong()

    def test_couplings(self):
        """A rigid end that is turned, and a mean of faces: the reactions do the work of the strain energy."""
        for rigid in (True, False):
            model = ew.Model.box((1, 0.1, 0.1), (10, 2, 2), journal=True)
            model.material = STEEL
            wall = model.add_set("wall", lambda x: x[:, 0] < 1e-9)
            tip = model.add_set("tip", lambda x: x[:, 0] > 1 - 1e-9)
            model.supports = ew.Fixed(wall)
            model.couplings = ew.Coupling(tip, (1.2, 0, 0), rigid, (None, 1e-4, None), rotation=(0.01, None, 0))
            model.solve(tolerance=1e-11)
            reference, = model.references
            np.testing.assert_allclose(reference.displacement[1], 1e-4)
            np.testing.assert_allclose(reference.rotation[[0, 2]], (0.01, 0), atol=1e-14)
            work = reference.force @ reference.displacement + reference.moment @ reference.rotation
            np.testing.assert_allclose(work, 2 * model.strain_energy.sum(), rtol=1e-7)
            with tempfile.TemporaryDirectory() as folder:
                model.journal.save(os.path.join(folder, "made.npz"))
                again = ew.replay(os.path.join(folder, "made.npz"))
            self.assertEqual(again.couplings[0].rotation, (0.01, None, 0))
        with self.assertRaises(ew.BadArgument):
            ew.Coupling("tip", (0, 0, 0), rotation=(1, 2))

    def stack(self):
        """A block that stands on another one, of unlike meshes, and the sets of faces that meet."""
        lower, upper = ew.Mesh.box((1, 1, 0.5), (3, 3, 2)), ew.Mesh.box((1, 1, 0.5), (4, 4, 2))
        points = np.vstack([lower.points, upper.points + (0, 0, 0.5)])
        tets = np.vstack([lower.tets, upper.tets + len(lower.points)])
        model = ew.Model(ew.Mesh(points, tets), journal=True)
        model.material = ew.Material(young=200.0, poisson=0.3)
        model.supports = [ew.Fixed(model.add_set(axis, lambda x, c=c: x[:, c] < 1e-9), axis)
                          for c, axis in enumerate("xyz")]
        top = model.add_set("top", lambda x: x[:, 2] > 1 - 1e-9, of="faces")
        middle = np.abs(points[:, 2] - 0.5) < 1e-9
        low = model.add_set("low", np.flatnonzero(middle & (np.arange(len(points)) < len(lower.points))))
        up = model.add_set("up", np.flatnonzero(middle & (np.arange(len(points)) >= len(lower.points))))
        model.loads = ew.Pressure(top, 2.0)
        return model, low, up, top

    def test_ties(self):
        """Tied blocks that are pulled apart; a journal."""
        model, low, up, top = self.stack()
        model.loads = ew.Pressure(top, -2.0)
        for side, tie in ((-1, ew.Tie(up, low)), (1, ew.Tie(low, "up"))):
            model.ties = tie
            model.solve(tolerance=1e-11)
            found = model.tie_results()
            np.testing.assert_allclose(found["force"], (0, 0, 2.0 * side), atol=1e-5)
            self.assertEqual((found["n_point"], found["n_free"]), (25 if side < 0 else 16, 0))
            self.assertAlmostEqual(found["max_gap"], 0.0, places=12)
            np.testing.assert_allclose(model.stress[:, 2], 2.0, rtol=1e-7)
        with tempfile.TemporaryDirectory() as folder:
            model.journal.save(os.path.join(folder, "made.npz"))
            again = ew.replay(os.path.join(folder, "made.npz"))
        self.assertEqual(again.ties[0].slave.name, "low")
        self.assertEqual(again.tie_results()["n_point"], 16)
        model.supports = [*model.supports, ew.Fixed(top, "z")]
        model.loads = []
        model.ties = ew.Tie(up, low, shortening=0.01)
        model.solve(tolerance=1e-11)
        force = model.tie_results()["force"][2]
        model.ties = ew.Tie(up, low, shortening="free")
        model.loads = ew.Pressure(model.add_set("sides", lambda x: x[:, 2] == 0.5, of="faces"), force)
        model.solve(tolerance=1e-11)
        self.assertAlmostEqual(model.tie_results()["shortening"], 0.01, places=6)
        with self.assertRaises(ew.BadArgument):
            model.ties = ew.Tie(up, low, distance=-1.0)

    def test_cell(self):
        """A cell without lateral contraction under a mean strain; a journal; what is no rotation."""
        model = ew.Model(ew.Mesh.box((1, 1, 1), (2, 2, 2)))
        model.material = ew.Material(1000.0, 0.0)
        one = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
        sides = [[model.add_set("xyz"[c] + str(end), lambda x, c=c, end=end: x[:, c] == end, of="faces") for end in (0, 1)] for c in range(3)]
        model.supports = ew.Fixed(model.add_set("pin", lambda x: (x == 0).all(axis=1)))
        model.ties = [ew.Tie(high, low, turn=one, shift=one[c], jump=(0.01, 0, 0) if c == 0 else (0, 0, 0)) for c, (low, high) in enumerate(sides)]
        model.solve(tolerance=1e-11)
        np.testing.assert_allclose(model.tie_results(0)["force"], (10.0, 0, 0), atol=1e-7)
        np.testing.assert_allclose(model.stress[:, 0], 10.0, rtol=1e-8)
        with self.assertRaises(ew.BadArgument):
            model.ties = ew.Tie(sides[0][1], sides[0][0], turn=((2.0, 0, 0), *one[1:]))
            model.solve()

    def test_contacts(self):
        """All parts, sets, a press fit between them, a journal."""
        model, low, up, top = self.stack()
        top_vertex = int(np.argmax(model.points[:, 2]))
        with self.assertRaises(ew.UnderConstrained):
            model.solve()
        for contact, side in ((ew.Contact(), None), (ew.Contact(up, low), 1), (ew.Contact(low, "up"), -1)):
            model.contacts = contact
            model.solve(tolerance=1e-11)
            found = model.contact_results()
            self.assertAlmostEqual(found["normal_force"], 2.0, places=8)
            self.assertAlmostEqual(found["area"], 1.0, places=10)
            if side:
                np.testing.assert_allclose(found["force"], (0, 0, 2.0 * side), atol=1e-8)
            pressure = model.contact_pressure
            np.testing.assert_allclose(pressure[pressure > 0], 2.0, rtol=1e-7)
            np.testing.assert_allclose(model.stress[:, 2], -2.0, rtol=1e-7)
        with tempfile.TemporaryDirectory() as folder:
            model.journal.save(os.path.join(folder, "made.npz"))
            again = ew.replay(os.path.join(folder, "made.npz"))
        self.assertEqual(again.contact_results()["n_closed"], model.contact_results()["n_closed"])
        model.contacts = ew.Contact(up, low, interference=-0.125)  # apart: the upper block comes down first
        model.solve(tolerance=1e-11)
        np.testing.assert_allclose(model.displacement[top_vertex][2], -0.125 - 2.0 / 200.0, rtol=1e-7)
        drawn = ew.Displacement(top, (0.1, None, None))
        model.contacts, model.supports = ew.Contact(up, low, friction=0.3), [ew.Fixed("z"), drawn]
        model.loads = ew.Pressure(top, 2.0)
        model.solve(tolerance=1e-9)
        found = model.contact_results()
        self.assertAlmostEqual(found["friction_force"], 0.6, places=5)
        self.assertEqual(found["n_slip"], np.count_nonzero(model.contact_status == 3))
        np.testing.assert_allclose(np.linalg.norm(model.contact_traction, axis=1), 0.3 * model.contact_pressure, atol=1e-4)
        self.assertLess(np.abs(model.contact_slip).max(), 0.12)
        model.contacts, model.supports = ew.Contact(up, low), [ew.Fixed(axis, axis) for axis in "xyz"]
        model.loads = ew.Pressure(top, -2.0)
        with self.assertRaises(ew.UnderConstrained):
            model.solve()
        with self.assertRaises(ew.BadArgument):
            ew.Contact(up)

    def test_rigid_bodies(self):
        """A plane, the same of triangles, another place, a bore around a block; a journal."""
        model, low, up, top = self.stack()
        bottom = model.add_set("bottom", lambda x: x[:, 2] == 0.0, of="faces")
        model.supports = [ew.Fixed(axis, axis) for axis in "xy"]
        plane = ew.Rigid.plane((0, 0, 0), (0, 0, 1))
        flat = ew.Rigid.surface([(-3, -3, 0), (4, -3, 0), (0.5, 9, 0)], [(0, 1, 2)])
        for lift, rigid in ((0.0, plane), (0.0, flat), (0.5, plane.moved((0, 0, 0.5)))):
            model.contacts = [ew.Contact(up, low), ew.Contact(bottom, rigid=rigid)]
            model.solve(tolerance=1e-11)
            found = model.contact_results(1)
            np.testing.assert_allclose(found["force"], (0, 0, 2.0), atol=1e-8)
            np.testing.assert_allclose(found["moment"], (1.0, -1.0, 0.0), atol=1e-7)
            self.assertAlmostEqual(model.displacement[:, 2].min(), lift - 2.0 / 200.0, places=8)
        with tempfile.TemporaryDirectory() as folder:
            model.journal.save(os.path.join(folder, "made.npz"))
            again = ew.replay(os.path.join(folder, "made.npz"))
        self.assertEqual(again.contacts[1].rigid, model.contacts[1].rigid)
        with self.assertRaises(ew.BadArgument):
            model.contacts = ew.Contact(bottom, rigid=ew.Rigid.sphere((0, 0, 0), -1.0))
        with self.assertRaises(ew.BadArgument):
            ew.Contact(rigid=plane)

    def test_axes_and_amplitudes(self):
        model = bar()
        model.supports = [ew.Displacement("x", (1e-3, None, None), axes=ew.Axes.along("x", "y")),
                          ew.Fixed("y", "y"), ew.Fixed("z", "z")]
        model.loads = []
        model.solve()
        np.testing.assert_allclose(model.displacement[:, 0], 1e-3, atol=1e-12)
        # The velocity is the integral of the acceleration.
        for amplitude, factor, accuracy in ((ew.Table([0, 1], [0, 2]), 1.0, 1e-7), (ew.Step(3.0), 3.0, 1e-7),
                                            (ew.Sine(0.25), 2 / np.pi, 1e-4)):
            free = ew.Model.box((1, 1, 1), (2, 2, 2))
            free.material = STEEL
            free.loads = ew.Gravity((0, 0, -10.0), amplitude=amplitude)
            free.start_motion().advance(0.01, 100)
            np.testing.assert_allclose(free.velocity[:, 2], -10.0 * factor, rtol=accuracy)

    def test_sets(self):
        model = beam()
        whole = ew.Box((-1, -1, -1), (2, 2, 2))
        half = model.add_set("half", whole & ew.Side((0.5, 0, 0), "x"), of="tets")
        rest = model.add_set("rest", whole - ew.Side((0.5, 0, 0), "x"), of="tets")
        self.assertEqual(len(half) + len(rest), model.n_tets)
        self.assertAlmostEqual(half.volume + rest.volume, 0.01)
        np.testing.assert_allclose(half.centroid, (0.75, 0.05, 0.05), atol=1e-3)
        top = model.add_set("top", ew.All().facing("z", 10), of="faces")
        self.assertAlmostEqual(top.area, 0.1)
        again = model.add_set(None, top.triangles, of="faces")
        self.assertTrue((again.members == top.members).all())
        mask = np.zeros(len(model.points), bool)
        mask[model.sets["wall"].vertices] = True
        self.assertEqual(len(model.add_set("masked", mask)), len(model.sets["wall"]))
        self.assertEqual(len(model.add_set("both", model.sets["wall"] | model.sets["tip"])), 32)
        ids = model.vertex_ids[:5]
        self.assertEqual(len(model.add_set("ids", ew.Ids(ids))), 5)
        for one in (model, half, top):
            self.assertIn("<img", one._repr_html_())
            self.assertIn(type(one).__name__, repr(one))

    def test_fields_follow(self):
        model = beam()
        field = model.add_field("height", model.points[:, 2])
        model.refine(longer_than=0.05)
        np.testing.assert_allclose(field.values, model.points[:, 2], atol=1e-15)
        old = field.values
        field.set(2 * old)
        np.testing.assert_allclose(field.values, 2 * old)
        number = model.add_field("region", np.arange(len(model.tets), dtype=float), on="tets", rule="copy")
        model.remove(tets=ew.Nearest((0.5, 0, 0)))
        self.assertEqual(len(number.values), len(model.tets))


if __name__ == "__main__":
    unittest.main()
