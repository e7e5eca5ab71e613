"""Edits: all or nothing, undo, journals, operations by their descriptors."""
import os
import tempfile
import unittest

import numpy as np
from common import STEEL, Pinned, beam, same

import edgewise as ew
from edgewise import journal, operations
from edgewise.motion import scheme_names as names


class Edits(Pinned):
    def test_batches_are_all_or_nothing(self):
        model = beam()
        before = model.digest()
        for wrong in (lambda e: e.remove_tets([0, 0]), lambda e: 1 / 0, lambda e: e.add_tets([[0, 1, 2, 3]])):
            with self.assertRaises((ew.BadEdit, ZeroDivisionError)):
                with model.edit() as e:
                    e.remove_tets(np.arange(5, 9))
                    wrong(e)
            self.assertEqual(model.digest(), before)
            with self.assertRaises(ew.Stale):
                e.added_tets
        with model.edit() as e:
            e.remove_tets(np.arange(5, 9))
        self.assertEqual(list(e.removed_tets), [5, 6, 7, 8])
        self.assertEqual(model.n_tets, 1080 - 4)
        with self.assertRaisesRegex(ew.BadArgument, "with"):
            e.remove_tets([9])

    def test_added_tets(self):
        model = beam()
        face = model.sets["tip"].triangles[0]
        with model.edit() as e:
            apex = e.add_vertex(model.points[face].mean(axis=0) + [0.05, 0, 0])
            e.add_tets([[*face, apex]], region=7)
            e.remove_tets(ew.Nearest((0.5, 0, 0)))
        self.assertEqual(model.regions[e.added_tets[0]], 7)
        np.testing.assert_allclose(model.points[e.added_vertices[0], 0], 1.05)
        self.assertEqual(model.verify()["different"], 0)

    def test_every_operation_is_a_method(self):
        names = list(operations.table())
        self.assertGreater(len(names), 9)
        for name in names:
            method = getattr(ew.Model, name)
            for key, text in operations.table()[name].items():
                self.assertIn(key, method.__doc__)
                self.assertIn(key, method.__signature__.parameters)
                self.assertTrue(text)

    def test_operations(self):
        model = beam()
        volume = model.measure()["volume"]
        model.add_set("top", lambda x: x[:, 2] > 0.1 - 1e-9)
        model.scale(factor=2.0)
        self.assertAlmostEqual(model.measure()["volume"], 8 * volume)
        model.scale(factor=(0.5, 0.5, 0.5), about=(0, 0, 0))
        model.move(set="top", by=(0, 0, 0.05))
        self.assertAlmostEqual(model.measure()["high"][2], 0.15)
        model.move(sets=[{"set": "top", "by": (0, 0, -0.05)}, {"set": "wall"}])
        volume = model.measure()["volume"]
        model.mirror(normal="x", at="max")
        self.assertAlmostEqual(model.measure()["volume"], 2 * volume)
        model.decimate(fraction=0.1, order="random", seed=3, protect=[model.add_set(
            "kept", ew.Box((0, 0, 0), (0.2, 1, 1)), of="tets")])
        self.assertEqual(model.n_tets, 2160 - 216)
        model.smooth(sweeps=2)
        model.rotate(axis="z", angle=90)
        model.add(mesh=ew.Mesh.box((0.1, 0.1, 0.1), (1, 1, 1)), weld=0.0)
        model.remove(tets=lambda c: c[:, 1] > 1.5)
        self.assertEqual(model.verify()["different"], 0)

    def test_cuts_and_names(self):
        model = ew.Model.box((1, 1, 0.2), (12, 12, 3))
        model.material = STEEL
        model.cut(cylinder={"from": (0.5, 0.5, 0), "to": (0.5, 0.5, 1), "radius": 0.2}, name="hole")
        hole = model["hole"]
        self.assertEqual(hole.kind, "faces")
        self.assertAlmostEqual(hole.area, 2 * np.pi * 0.2 * 0.2, delta=0.004)
        self.assertAlmostEqual(model.measure()["volume"], 0.2 * (1 - np.pi * 0.04), delta=0.002)
        self.assertIn("hole", model.groups)
        np.testing.assert_allclose(np.hypot(*(model.points[hole.vertices, :2] - 0.5).T), 0.2, atol=1e-9)

    def test_undo_and_redo(self):
        model = beam(journal=True)
        model.solve()
        states = [model.digest()]
        for place in (0.2, 0.5, 0.8):
            model.remove(tets=ew.Nearest((place, 0.05, 0.1)))
            model.add_set(f"near {place}", ew.Sphere((place, 0, 0), 0.1))
            model.solve()
            states.append(model.digest())
        self.assertEqual(len(model.sets), 5)
        for state in reversed(states[:-1]):
            model.undo()
            self.assertEqual(model.digest(), state)
            self.assertEqual(model.stress.shape, (1080, 6))
        self.assertEqual(list(model.sets), ["wall", "tip"])
        with self.assertRaises(ew.BadArgument):
            model.undo()
        model.redo()
        model.redo()
        self.assertEqual(model.n_tets, 1078)
        model.solve()
        with self.assertRaisesRegex(ew.Unsupported, "journal=True"):
            beam().undo()

    def test_local_answers(self):
        """One tet less: no iteration, an energy error that is told, and the same bits when it is replayed."""
        model = beam((48, 10, 10), journal=True)
        self.assertFalse(model.solve(energy_tolerance=1e-3).is_local)
        for tet in (3000, 9001, 15002):
            with model.edit() as edit:
                edit.remove_tets([tet])
            found = model.solve(energy_tolerance=1e-3)
            self.assertTrue(found.is_local)
            self.assertEqual(found.iterations, 0)
            self.assertTrue(0 < found.energy_error <= 1e-3)
        u = model.displacement.copy()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "local.npz")
            model.journal.save(path)
            np.testing.assert_array_equal(ew.replay(path).displacement, u)
        exact = model.solve(tolerance=1e-12).displacement
        self.assertLess(np.abs(u - exact).max() / np.abs(exact).max(), 1e-3)

    def test_journals_replay_bit_for_bit(self):
        model = beam(journal=True, reorder=True)
        model.solve()
        model.refine(longer_than=0.06)
        model.undo()
        model.solve()
        with model.edit() as e:
            e.move_vertices(lambda x: x[:, 2] > 0.1 - 1e-9, by=(0, 0, 0.01))
        model.loads = [*model.loads, ew.Pressures("tip", np.linspace(0, 1e4, len(model.points)))]
        model.material = ew.Material(100e9, 0.2)
        model.cut(sphere=ew.Sphere((0.5, 0.05, 0.12), 0.05))
        model.solve(tolerance=1e-10)
        model.compact()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "work.npz")
            model.journal.save(path)
            again = ew.replay(path)
            self.assertEqual(again.digest(), model.digest())
            entry = next(one for one in again.journal.entries if one.kind == "solve")
            entry.what["digest"] = "0" * 64
            with self.assertRaises(ew.MatrixDiffers):
                ew.replay(again.journal)
            with open(path, "wb") as file:
                file.write(b"nothing")
            with self.assertRaisesRegex(ew.BadInput, "no journal"):
                ew.replay(path)

    def test_journals_hold_all_of_an_edit(self):
        """Every array of ew_edit is copied: one that is new is missing here."""
        known = {*journal.EDIT_ARRAYS, *journal.EDIT_LISTS}
        for name, field in ew.ffi.typeof("ew_edit").fields:
            if field.type.kind == "pointer" or field.type.cname == "ew_list":
                self.assertIn(name, known)

    def test_edits_follow_ids(self):
        model = beam()
        ids = model.tet_ids[:3]
        model.remove(tets=ew.Ids(ids[:1]))
        self.assertEqual(list(model.find_tets(ids)), [-1, 1, 2])
        vertex, tet = model.compact()
        self.assertEqual(tet[0], -1)
        self.assertEqual(model.find_tets(ids[1:2])[0], tet[1])

    def test_pieces(self):
        model = beam()
        model.remove(tets=lambda c: abs(c[:, 0] - 0.5) < 0.05)
        model.sets["tip"].release_boundary()
        with self.assertRaises(ew.UnderConstrained):
            model.solve()
        self.assertEqual(model.remove_under_constrained(), 1)
        model.remove_unused_vertices()
        model.loads = ew.Gravity((0, 0, -10))
        model.solve()


class Histories(Pinned):
    """Journals of what is more than edits and linear solves."""

    def replayed(self, model):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "work.npz")
            model.journal.save(path)
            again = ew.replay(path)
        self.assertEqual(again.digest(), model.digest())
        return again

    def test_functions_are_saved_by_their_values(self):
        model = beam(journal=True)
        asked = []

        def blow(points):
            asked.append(len(points))
            return np.outer(np.sin(3 * points[:, 0]), (0, 0, 1e3))

        model.loads = [ew.Forces(blow), ew.Temperature(lambda x: 10 * x[:, 0])]
        model.supports = ew.Displacements("wall", lambda x: 1e-5 * x)
        model.sets["wall"].release_boundary()
        model.solve()
        model.refine(longer_than=0.06)
        model.add_load(ew.Tractions("tip", np.ones((len(model.points), 3))))
        model.solve()
        model.remove(tets=ew.Nearest((0.5, 0, 0)))
        model.add_load(ew.Gravity((0, 0, -1)))  # the arrays and functions in place stay where they are
        model.solve()
        n = len(asked)
        again = self.replayed(model)
        ew.replay(model.journal)
        self.assertEqual(len(asked), n)
        again.remove(tets=ew.Nearest((0.6, 0, 0)))
        with self.assertRaisesRegex(ew.Unsupported, "set loads and supports again"):
            again.solve()
        again.loads, again.supports = model.loads, ew.Fixed("wall")
        again.solve()
        model.undo()
        model.solve()
        self.replayed(model)

    def test_motions_are_undone_and_replayed(self):
        model = beam((10, 2, 2), journal=True)
        model.velocity = np.tile((0, 0, 1.0), (len(model.points), 1)) * model.points[:, :1]
        motion = model.start_motion("generalized-alpha" if "generalized-alpha" in names() else names()[0],
                                    damping_mass=3.0, tolerance=1e-9)
        motion.advance(1e-4, steps=3)
        model.remove(tets=ew.Nearest((0.5, 0, 0)))
        motion.advance(1e-4, steps=2)
        state = model.digest(), model.velocity, model.acceleration, motion.time
        model.remove(tets=ew.Nearest((0.7, 0, 0)))
        motion.advance(1e-4)
        for _ in range(2):
            model.undo()
            self.assertEqual(model.digest(), state[0])
            self.assertTrue(same(model.velocity, state[1]) and same(model.acceleration, state[2]))
            self.assertEqual(motion.time, state[3])
            model.redo()
            motion.advance(1e-4)
        again = self.replayed(model)
        self.assertTrue(same(again.velocity, model.velocity))
        for one in (motion, again.motion):
            one.advance(1e-4)
        self.assertEqual(again.digest(), model.digest())
        with self.assertRaisesRegex(ew.Stale, "start_motion"):
            beam().motion

    def test_nonlinear_solves_keep_their_options(self):
        model = beam((10, 2, 2), journal=True)
        model.kinematics = "corotational"
        model.loads = ew.TotalForce("tip", (0, 0, -1e6))
        model.solve_nonlinear(steps=2, tolerance=1e-4, line_search=False, max_iterations=40,
                              preconditioner="jacobi")
        self.replayed(model)

    def test_topology_rounds_are_one_edit(self):
        model = beam(journal=True)
        model.solve()
        before = model.digest()
        model.optimize_topology(0.9, max_rounds=3, keep="tip")
        after, n = model.digest(), model.n_tets
        model.undo()
        self.assertEqual(model.digest(), before)
        model.redo()
        self.assertEqual((model.digest(), model.n_tets), (after, n))
        model.remove(tets=ew.Nearest((0.5, 0, 0)))
        model.undo()
        self.assertEqual(model.digest(), after)
        self.replayed(model)
        with self.assertRaises(ZeroDivisionError):
            model.optimize_topology(0.7, keep="tip", on_round=lambda info: info.round < 2 or 1 / 0)
        state = model.digest()
        for refused in (model.undo, lambda: model.journal.save("unused"), lambda: ew.replay(model.journal)):
            with self.assertRaisesRegex(ew.Unsupported, "stopped between its rounds"):
                refused()
            self.assertEqual(model.digest(), state)


class Same(unittest.TestCase):
    def test_bulk_edits_are_the_single_ones(self):
        bulk, single = beam(), beam()
        slots = np.arange(0, 900, 7)
        with bulk.edit() as e:
            e.remove_tets(slots)
        with single.edit() as e:
            for slot in slots:
                e.remove_tets([slot])
        for model in (bulk, single):
            model.remove_under_constrained()
        self.assertTrue(same(bulk.tets, single.tets))


if __name__ == "__main__":
    unittest.main()
