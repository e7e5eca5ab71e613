"""What a call, an edit and an array cost in Python beside C, in turns on the same body of 12,000 tets.

    python tools/python/bench/calls.py BUILD        # the repository's build folder: its static library is linked"""
import os
import subprocess
import sys
import tempfile
import timeit

import numpy as np

import edgewise as ew

ROUNDS = 5


def of_c(build):
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "calls.c")
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "calls")
        subprocess.run(["cc", "-O2", "-std=c11", f"-I{build}/include", source, f"{build}/libedgewise.a", "-o",
                        program, "-fopenmp", "-lOpenCL", "-lmetis", "-lm"], check=True)
        environment = {**os.environ, "GOMP_SPINCOUNT": "2000"}
        return [[float(x) for x in subprocess.run([program], env=environment, capture_output=True, text=True,
                                                  check=True).stdout.split()] for _ in range(ROUNDS)]


def of_python():
    model = ew.Model.box((2.0, 1.0, 1.0), (20, 10, 10), reorder=True)
    model.material = ew.Material(210e9, 0.3)
    wall = model.add_set("wall", ew.Plane((0, 0, 0), "x", 1e-9))
    tip = model.add_set("tip", ew.Plane((2, 0, 0), "x", 1e-9))
    model.supports, model.loads = ew.Fixed(wall), ew.Force(tip, (0, 0, 1.0))
    model.solve()
    raw = model._model
    call = timeit.timeit(lambda: ew.lib.ew_model_n_set(raw), number=200000) / 200000
    edit = solve = array = 0.0
    for i in range(100):
        def remove(slot=3000 + 17 * i):
            with model.edit() as e:
                e.remove_tets([slot])
        edit += timeit.timeit(remove, number=1) / 100
        solve += timeit.timeit(model.solve, number=1) / 100
        array += timeit.timeit(lambda: model.displacement, number=1) / 100
    bulk = np.arange(4500, 6500)
    again = ew.Model.box((2.0, 1.0, 1.0), (20, 10, 10))
    again.material = ew.Material(210e9, 0.3)

    def remove_many():
        with again.edit() as e:
            e.remove_tets(bulk)
    return call, edit, solve, array, timeit.timeit(remove_many, number=1)


def main():
    build = sys.argv[1]
    c, python = [], []
    for _ in range(2):
        c += of_c(build)
        python += [of_python() for _ in range(ROUNDS)]
    c, python = np.median(c, axis=0), np.median(python, axis=0)
    print(f"{'':28s}{'C':>12s}{'Python':>12s}")
    for name, one, other in (("plain call, ns", 1e9 * c[0], 1e9 * python[0]),
                             ("remove a tet, us", 1e6 * c[1], 1e6 * python[1]),
                             ("solve, ms", 1e3 * c[2], 1e3 * python[2])):
        print(f"{name:28s}{one:12.1f}{other:12.1f}")
    print(f"{'array of a result, us':28s}{'':12s}{1e6 * python[3]:12.1f}")
    print(f"{'remove 2,000 tets, ms':28s}{'':12s}{1e3 * python[4]:12.2f}")


main()
