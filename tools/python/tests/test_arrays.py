"""Arrays without copies: they are read-only, never change and never dangle."""
import gc
import resource
import unittest
import weakref

import numpy as np
from common import IS_SANITIZED, Pinned, beam, same

import edgewise as ew

# strain first: a whole recovery, after which stress and von_mises are no computation of their own
NAMES = ("points", "tets", "vertex_ids", "tet_ids", "displacement", "strain", "stress", "von_mises",
         "vertex_stress", "vertex_von_mises", "principal", "strain_energy", "reactions")


class Arrays(Pinned):
    def taken(self, model):
        arrays = {name: getattr(model, name) for name in NAMES}
        return arrays, {name: array.copy() for name, array in arrays.items()}

    def check(self, arrays, copies):
        for name, array in arrays.items():
            self.assertTrue(same(array, copies[name]), f"{name} changed")

    def test_arrays_show_the_library_s_memory(self):
        model = beam()
        model.solve()
        u = model.displacement
        self.assertIs(model.displacement, u)
        self.assertEqual(u.ctypes.data, int(ew.ffi.cast("uintptr_t",
                                                        ew.lib.ew_model_displacement(model._model))))
        for name in NAMES:
            array = getattr(model, name)
            self.assertFalse(array.flags.writeable, name)
            with self.assertRaises(ValueError):
                array.flat[0] = 0
            with self.assertRaises(ValueError):
                array.flags.writeable = True

    def test_old_arrays_stay_under_edits_and_solves(self):
        model = beam()
        model.solve()
        kept = []
        for round_ in range(4):
            kept.append(self.taken(model))
            with model.edit() as e:
                names = e.add_vertices(np.array([[2.0, 0.0, 0.0]]) + np.arange(3000)[:, None])
                self.assertEqual(len(np.unique(names)), 3000)
            model.remove(tets=ew.Nearest((0.5, 0.05, 0.1 - 0.01 * round_)))
            model.solve()
            model.refine(longer_than=0.06) if round_ == 2 else None
            model.solve()
            for arrays, copies in kept:
                self.check(arrays, copies)
        self.assertFalse(same(kept[0][0]["stress"], model.stress))
        model.compact()
        model.solve()
        views = [arrays["displacement"][:, 2] for arrays, _ in kept]
        sums = [view.sum() for view in views]
        closed = self.taken(model)
        model.close()
        for arrays, copies in (*kept, closed):
            self.check(arrays, copies)
        del kept, arrays, copies, closed
        gc.collect()
        self.assertEqual([view.sum() for view in views], sums)

    def test_nothing_is_copied_unless_an_array_is_alive(self):
        model = beam()
        model.solve()
        before = int(ew.ffi.cast("uintptr_t", ew.lib.ew_model_displacement(model._model)))
        model.displacement.sum()
        gc.collect()
        model.solve()
        self.assertEqual(int(ew.ffi.cast("uintptr_t", ew.lib.ew_model_displacement(model._model))), before)
        u = model.displacement
        model.solve()
        self.assertNotEqual(int(ew.ffi.cast("uintptr_t", ew.lib.ew_model_displacement(model._model))),
                            before)
        self.assertEqual(u.ctypes.data, before)
        self.assertIsNot(model.displacement, u)

    def test_models_that_are_dropped_leave_arrays(self):
        model = beam()
        model.solve()
        arrays, copies = self.taken(model)
        del model
        gc.collect()
        self.check(arrays, copies)

    def test_stress_alone_is_that_of_a_whole_recovery(self):
        model, whole = beam(), beam()
        model.solve()
        whole.solve()
        stress = model.stress
        mises = model.von_mises
        self.assertEqual(ew.lib.ew_model_recovered(model._model), ew.ffi.NULL)
        self.assertIs(model.stress, stress)
        principal = whole.principal
        self.assertTrue(same(whole.stress, stress) and same(whole.von_mises, mises))
        copies = stress.copy(), mises.copy()
        self.assertTrue(same(model.principal, principal))
        self.assertTrue(same(stress, copies[0]) and same(mises, copies[1]))
        self.assertTrue(same(model.stress, stress))

    def test_models_are_released_with_their_last_reference(self):
        gc.collect()
        gc.disable()
        try:
            model = beam()
            heat = model.add_field("heat", np.ones(len(model.points)))
            wall = model["wall"]
            model.solve()
            model.stress
            with model.edit() as edit:
                edit.remove_tets([3])
            model.start_motion().advance(1e-4)
            left = weakref.ref(model)
            del model, edit
            self.assertIsNone(left())
        finally:
            gc.enable()
        for call in (wall.measure, lambda: heat.values):
            with self.assertRaisesRegex(ew.Stale, "keep a reference to it"):
                call()

    def test_views_of_arrays_that_are_gone_stay(self):
        model = beam()
        model.solve()
        ids, u = model.tet_ids[:3], model.displacement[:, 2]
        sum_ = u.sum()
        for _ in range(3):
            model.tet_ids.sum(), model.displacement.sum()
            model.remove(tets=ew.Nearest((0.5, 0, 0)))
            model.solve()
            model.compact()
            model.solve()
        noise = [np.full(3000, 7.0) for _ in range(50)]
        self.assertEqual(list(ids), [0, 1, 2])
        self.assertEqual(u.sum(), sum_)
        del noise

    def test_leases_end_with_their_arrays(self):
        model = beam()
        model.solve()
        arrays, _ = self.taken(model)
        self.assertEqual(len(model._leases), len(NAMES))
        del arrays
        gc.collect()
        self.assertEqual(len(model._leases), 0)

    @unittest.skipIf(IS_SANITIZED, "the sanitizer keeps freed memory for a while")
    def test_memory_is_given_back(self):
        model = beam((30, 6, 6))

        def rounds(n):
            for _ in range(n):
                model.solve()
                arrays, _ = self.taken(model)
                model.move(set="tip", by=(0.0, 0.0, 1e-6))

        rounds(30)
        gc.collect()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        rounds(150)
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 20_000)  # KiB

    def test_meshes_that_are_taken_over_leave_arrays(self):
        mesh = ew.Mesh.box((1, 1, 1), (2, 2, 2))
        points, copy = mesh.points, mesh.points.copy()
        model = ew.Model(mesh)
        with self.assertRaises(ew.Stale):
            mesh.points
        with model.edit() as e:
            e.move_vertices([0], by=(-0.1, 0, 0))
        self.assertTrue(same(points, copy))
        self.assertEqual(model.points[0, 0], -0.1)

    def test_answers_that_are_stale_are_refused(self):
        model = beam()
        for name in ("stress", "reactions", "sums"):
            with self.assertRaises(ew.Stale):
                getattr(model, name)
        model.solve()
        model.stress
        model.loads = ew.Gravity((0, 0, -9.81))
        with self.assertRaisesRegex(ew.Stale, "solve"):
            model.stress
        model.solve()
        model.close()
        with self.assertRaisesRegex(ew.Stale, "closed"):
            model.points
        model.close()


if __name__ == "__main__":
    unittest.main()
