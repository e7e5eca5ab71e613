"""The numbers of the C examples and of the program, digit for digit and bit for bit."""
import subprocess
import unittest

import numpy as np
from common import PROGRAM, dataset, example, same

import edgewise as ew


def lines_of(name):
    return subprocess.run([example(name)], capture_output=True, text=True, check=True).stdout.splitlines()


class Bits(unittest.TestCase):
    maxDiff = None

    def test_cut(self):
        expected = lines_of("cut")
        model = ew.Model.box((1.0, 0.1, 0.1), cells=(40, 4, 4), reorder=True)
        model.material = ew.Material(young=210e9, poisson=0.3, density=7850.0)
        wall = model.add_set("wall", ew.Plane((0, 0, 0), "x", 1e-9))
        tip = model.add_set("tip", ew.Plane((1, 0, 0), "x", 1e-9))
        model.supports = ew.Fixed(wall)
        model.loads = ew.TotalForce(tip, (0.0, 0.0, -1000.0))
        found = expected[:1]
        for cut in range(49):
            model.clear_report()
            if cut:
                y, z = 0.1 * (cut % 8 + 0.5) / 8, 0.1 - 0.05 * cut / 48
                model.remove(tets=ew.Nearest((0.5125, y, z)))
            answer = model.solve()
            if cut % 6 == 0:
                found.append(f"{cut:4d}  {model.n_tets:6d}  {model.report()['touched_blocks']:17d}  "
                             f"{answer.iterations:10d}  "
                             f"{-1e3 * answer.displacement[tip.members[0], 2]:15.5f}")
        self.assertEqual(found, expected)
        self.assertEqual(model.verify()["different"], 0)

    def test_parameter_study(self):
        expected = lines_of("parameter_study")
        with open(dataset("../tools/examples/parameter_study.c")) as file:
            text = file.read()
        value = {word: float(text.split(f"#define {word}")[1].split()[0])
                 for word in ("LENGTH", "WIDTH", "FORCE", "YOUNG")}
        length, width, force, young = (value[w] for w in ("LENGTH", "WIDTH", "FORCE", "YOUNG"))
        height = 0.10
        model = ew.Model.box((length, width, height), (60, 6, 8), reorder=True)
        model.material = ew.Material(young=young, poisson=0.33, density=2700.0)
        wall = model.add_set("wall", ew.Plane((0, 0, 0), "x", 1e-9))
        tip = model.add_set("tip", ew.Plane((length, 0, 0), "x", 1e-9))
        model.supports, model.loads = ew.Fixed(wall), ew.TotalForce(tip, (0.0, 0.0, -force))
        found = expected[:1]
        for i in range(9):
            following = 0.10 - 0.005 * i
            model.scale(factor=(1.0, 1.0, following / height), about=(0.0, 0.0, 0.0))
            height = following
            answer = model.solve()
            sag = 0.0
            for v in tip.members:
                sag -= model.displacement[v, 2]
            sag /= len(tip)
            theory = 4.0 * force * length ** 3 / (young * width * height ** 3)
            found.append(f"{1e3 * height:10.1f} {model.sums.mass:10.2f} {answer.iterations:12d} "
                         f"{1e3 * sag:9.4f} {100 * sag / theory:15.1f}% "
                         f"{1e-6 * model.sums.max_von_mises:24.2f}")
        self.assertEqual(found, expected[:-1])

    def test_own_load(self):
        expected = lines_of("own_load")
        height, width, top = 40.0, 4.0, 1500.0
        model = ew.Model.box((width, width, height), (6, 6, 60), reorder=True)
        model.material = ew.Material(young=30e9, poisson=0.2, density=2400.0)
        model.add_set("base", ew.Plane((0, 0, 0), "z", 1e-9))
        model.supports = ew.Fixed("base")

        def wind(points):
            faces = model.boundary
            x = points[faces]
            area = np.cross(x[:, 1] - x[:, 0], x[:, 2] - x[:, 0]) / 2
            share = -top * x[:, :, 2].mean(axis=1) / height * area[:, 0] / 3
            force = np.zeros_like(points)
            np.add.at(force[:, 0], faces.ravel(), np.repeat(np.where(area[:, 0] < 0, share, 0.0), 3))
            return force

        model.loads = ew.Forces(wind)
        found, before = expected[:1], 1.0
        for i in range(6):
            now = 1.0 - 0.1 * i
            with model.edit() as e:
                x = model.points
                z = x[:, 2] / height
                factor = (1 - z + z * now) / (1 - z + z * before)
                to = np.stack([width / 2 + factor * (x[:, 0] - width / 2),
                               width / 2 + factor * (x[:, 1] - width / 2), x[:, 2]], axis=1)
                e.move_vertices(np.arange(len(x)), to=to)
            before = now
            model.solve()
            sums = model.sums
            found.append(f"{now * width:12.1f} {1e-3 * sums.mass:9.0f} {1e-3 * sums.applied_force[0]:10.1f} "
                         f"{1e3 * sums.max_displacement:18.3f} {1e-6 * sums.max_von_mises:24.3f}")
        self.assertEqual(found, expected[:-1])

    def test_a_case_built_by_hand(self):
        """The program's file of plate.yaml against a model of the same statements."""
        if not PROGRAM:
            self.skipTest("no program")
        try:
            from edgewise import study
        except ew.MissingPackage as missing:
            self.skipTest(str(missing))
        import tempfile
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([PROGRAM, "run", dataset("beam.yaml"), "-o", f"{folder}/beam", "--device", "host",
                            "--quiet"], check=True)
            frame = study.read_result(f"{folder}/beam.vtkhdf").frames[0]
            with study.Case(dataset("beam.yaml")).start() as running:
                running.step()
                order = running.model.active_vertices
                at_vertex = frame.point_fields["vertex_id"] >= 0  # no middles of sides
                self.assertTrue(same(frame.point_fields["displacement"][at_vertex],
                                     running.model.displacement[order]))


if __name__ == "__main__":
    unittest.main()
