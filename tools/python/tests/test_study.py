"""Case files: the program's results bit for bit, steps one by one, sweeps."""
import os
import subprocess
import tempfile
import unittest

import numpy as np
from common import PROGRAM, dataset, same

import edgewise as ew

try:
    from edgewise import study
except ew.MissingPackage as missing:
    raise unittest.SkipTest(str(missing)) from None

# Every kind of step, and short; check_python.py --all runs all shipped cases.
CASES = ["beam", "plate", "le1", "bracket", "beam-sweep", "torus-660", "sphere", "plate-adaptive"]


class Cases(unittest.TestCase):
    def test_results_are_the_program_s(self):
        if not PROGRAM:
            self.skipTest("no program")
        names = os.environ.get("EDGEWISE_CASES", "").split() or CASES
        with tempfile.TemporaryDirectory() as folder:
            for name in names:
                with self.subTest(case=name):
                    path = dataset(name + ".yaml")
                    subprocess.run([PROGRAM, "run", path, "-o", f"{folder}/c", "--device", "host", "--quiet"],
                                   check=True)
                    try:
                        found = study.Case(path).run(f"{folder}/python")
                    except ew.MissingPackage as needed:
                        self.skipTest(str(needed))
                    self.assertIsNone(found.same_bits(study.read_result(f"{folder}/c.vtkhdf")))
                    self.assertTrue(found.complete)

    def test_faces_by_geometry(self):
        with tempfile.TemporaryDirectory() as folder:
            ew.Mesh.box((4, 2, 1), (4, 2, 1)).write(f"{folder}/box.mesh")
            text = ("mesh: box.mesh\nmaterial: {young: 1000, poisson: 0.3}\n"
                    "sets: {end: {surface: {kind: plane, near: [5, 1, 0.5], direction: x}}}\n"
                    "constraints: [{set: {surface: 1}, displacement: [0, 0, 0]}]\n"
                    "loads: [{set: end, traction: [0, 0, 1]}]\n")
            case = study.Case(f"{folder}/case.yaml", text=text)
            with case.start() as running:
                for step in running:
                    self.assertGreater(step.sums.max_displacement, 0)
            self.assertEqual(case.notes, ["line 3: surface is kept as face 2: moved by 1 to (4, 1, 0.5)"])
            with self.assertRaisesRegex(ew.BadInput, "line 3|case.yaml:3"):
                study.Case(f"{folder}/case.yaml", text=text.replace("kind: plane", "kind: sphere"))

    def test_fatigue(self):
        """A life in the step, in the result, of a set and at vertices is the same."""
        with tempfile.TemporaryDirectory() as folder:
            ew.Mesh.box((10, 2, 2), (8, 2, 2)).write(f"{folder}/box.mesh")
            text = ("mesh: box.mesh\nelements: linear\nunits: {length: mm, force: N}\nmaterial: S355\n"
                    "sets: {wall: {surface: 1}, tip: {surface: 2}}\n"
                    "constraints: [{set: wall, displacement: [0, 0, 0]}]\n"
                    "loads: [{set: tip, total_force: [1200, 0, 0]}]\nsteps: [{name: pull, static: {}}]\n"
                    "fatigue: {method: strain_life, history: [{steps: pull, ratio: 0}]}\n")
            case = study.Case(f"{folder}/case.yaml", text=text)
            with case.start() as running:
                steps = list(running)
            self.assertIsNone(steps[0].fatigue)
            damage = steps[1].fatigue.damage
            self.assertGreater(damage, 0)
            result = case.run(f"{folder}/life")
            numbers = result.steps[-1].numbers
            self.assertEqual(numbers["fatigue_life"], 1 / damage)
            self.assertEqual(result.steps[-1].sets["wall"].fatigue_damage, damage)
            self.assertAlmostEqual(result.frames[-1].point_fields["fatigue_log_life"].min(), -np.log10(damage), places=5)

    def test_step_by_step(self):
        case = study.Case(dataset("bracket-study.yaml"))
        self.assertEqual(case.steps[:2], ["as drawn", "lighter"])
        self.assertIn("wall", case.sets)
        with case.start() as running:
            kept = []
            for step in running:
                kept.append((step, running.model.displacement, running.model.displacement.copy()))
                self.assertEqual(step.sums.max_tet_von_mises, running.model.von_mises.max())
                self.assertGreaterEqual(step.sums.max_von_mises, step.sums.max_tet_von_mises)
                if len(kept) == 3:
                    break
            self.assertEqual(kept[1][0].edits[0].kind, "remove")
            self.assertTrue(kept[0][0].warnings)
        for _, u, copy in kept:
            self.assertTrue(same(u, copy))
        with self.assertRaises(ew.Stale):
            running.model.points

    def test_sweeps_and_parameters(self):
        case = study.Case(dataset("beam-sweep.yaml"))
        self.assertTrue(case.is_sweep)
        self.assertEqual(list(case.parameters)[-1], "force")
        seen = []
        result = case.run(on_step=lambda step: seen.append(step.parameters))
        self.assertEqual(len(result.steps), len(seen))
        self.assertEqual(len(result.frames), len(seen))
        with self.assertRaises(ew.Unsupported):
            case.start()
        one = study.Case(dataset("beam-sweep.yaml"), parameters={"force": 50.0})
        self.assertFalse(one.is_sweep)
        half = one.run().frames[0].point_fields["displacement"]
        whole = study.Case(dataset("beam-sweep.yaml"), parameters={"force": 100.0}).run()
        np.testing.assert_allclose(2 * half, whole.frames[0].fields["displacement"], atol=1e-9)
        with self.assertRaisesRegex(ew.BadInput, "is none of"):
            study.Case(dataset("beam-sweep.yaml"), parameters={"weight": 1})

    def test_mistakes(self):
        with self.assertRaises(ew.BadInput) as caught:
            study.Case(text="mesh: beam.mesh\nmaterail: {}\n")
        self.assertEqual(caught.exception.line, 2)
        with self.assertRaisesRegex(ew.FileError, "nothing.mesh"):
            study.Case(text="mesh: nothing.mesh\nmaterial: {young: 1, poisson: 0}\n"
                            "steps:\n  - {name: a, static: {}}\n").run()
        with self.assertRaises(ZeroDivisionError):
            study.Case(dataset("bracket-study.yaml")).run(on_step=lambda step: 1 / 0)
        with self.assertRaises(ew.Canceled):
            study.Case(dataset("bracket-study.yaml")).run(progress=lambda stage, done: False)


if __name__ == "__main__":
    unittest.main()
