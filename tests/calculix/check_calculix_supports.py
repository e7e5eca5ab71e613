#!/usr/bin/python3
"""check_calculix_supports.py PROGRAM SOURCE_DIR BUILD_DIR

Supports along local axes, planes of symmetry, springs and foundations against CalculiX, as in
check_calculix.py: *TRANSFORM with *BOUNDARY there, SPRING1 elements for each vertex and direction.
Exit status 77 without ccx."""
import os
import shutil
import sys
import tempfile

import check_calculix as calculix
import support
from support import numpy

program = sys.argv[1]


class Local:
    """Vertices with components along x and y of a frame, or about the axis of a cylinder."""

    def __init__(self, box, value, first, second, cylinder=False):
        self.box, self.value, self.first, self.second = box, value, first, second
        self.cylinder = cylinder

    def transform(self):
        numbers = (*self.first, *self.second)
        return f"TYPE={'C' if self.cylinder else 'R'}\n" + ", ".join(f"{c:.13e}" for c in numbers)

    def axes(self):
        if not self.cylinder:
            return f"{{x: {list(self.first)}, y: {list(self.second)}}}"
        axis = [b - a for a, b in zip(self.first, self.second)]
        return f"{{cylinder: {{point: {list(self.first)}, axis: {axis}}}}}"

    def text(self):
        value = ", ".join("~" if c is None else repr(float(c)) for c in self.value)
        return f"displacement: [{value}], axes: {self.axes()}"


class Symmetry(Local):
    def __init__(self, box, normal, other):
        super().__init__(box, (0.0, None, None), normal, other)

    def text(self):
        return f"symmetry: {list(self.first)}"


class Springs:
    """The same for each vertex, a total, or per area of the faces, all across one axis."""

    def __init__(self, box, key, value, axis=None):
        self.box, self.key, self.value, self.axis = box, key, value, axis

    def text(self):
        if self.key != "foundation":
            return f"{self.key}: {[float(k) for k in self.value]}"
        return f"foundation: {{normal: {float(self.value[0])}, tangential: {float(self.value[1])}}}"

    def stiffness(self, case, mesh):
        """[n][3] per vertex of the mesh."""
        chosen, out = case.select(mesh, self.box), numpy.zeros_like(mesh.points)
        if self.key == "foundation":
            _, _, ids, area = calculix.faces_of(mesh, chosen)
            across = [self.value[0 if c == self.axis else 1] for c in range(3)]
            for k in range(3):
                numpy.add.at(out, ids[:, k], numpy.outer(numpy.abs(area[:, self.axis]), across) / 3)
        else:
            out[chosen] = numpy.array(self.value) / (len(chosen) if "total" in self.key else 1)
        return out


class Case(calculix.Case):
    def __init__(self, name, path, materials, constraints, loads, supports, variants=((),)):
        super().__init__(name, path, materials, constraints, loads, variants)
        self.local = [s for s in supports if isinstance(s, Local)]
        self.springs = [s for s in supports if isinstance(s, Springs)]

    def stiffness(self, mesh):
        return sum((s.stiffness(self, mesh) for s in self.springs), numpy.zeros_like(mesh.points))


# ---- CalculiX ----------------------------------------------------------------

def deck(case, mesh):
    for line in plain_deck(case, mesh):
        if line.startswith("*STEP"):
            yield from definitions(case, mesh)
            yield line
            yield from boundary(case, mesh)
        else:
            yield line.replace("*NODE PRINT, NSET=ALL", "*NODE PRINT, NSET=ALL, GLOBAL=YES")


def definitions(case, mesh):
    for number, at in enumerate(case.local):
        yield f"*NSET, NSET=LOCAL{number}"
        yield from (f"{v + 1}," for v in case.select(mesh, at.box))
        yield f"*TRANSFORM, NSET=LOCAL{number}, " + at.transform()
    stiffness, element = case.stiffness(mesh), len(mesh.tets)
    for c in range(3):
        for k in numpy.unique(stiffness[:, c][stiffness[:, c] > 0]):
            name = f"SPRING{element}"
            yield f"*ELEMENT, TYPE=SPRING1, ELSET={name}"
            for v in numpy.flatnonzero(stiffness[:, c] == k):
                element += 1
                yield f"{element}, {v + 1}"
            yield f"*SPRING, ELSET={name}\n{c + 1}\n{k:.13e}"


def boundary(case, mesh):
    for at in case.local:
        for v in case.select(mesh, at.box):
            for c in range(3):
                if at.value[c] is not None:
                    yield f"{v + 1}, {c + 1}, {c + 1}, {at.value[c]:.13e}"


# ---- ours ---------------------------------------------------------------------

def yaml_of(case):
    for line in plain_yaml(case):
        yield line
        if line == "constraints:":
            for at in case.local + case.springs:
                low, high = ([float(c) for c in corner] for corner in at.box)
                yield f"  - {{set: {{box: [{low}, {high}]}}, {at.text()}}}"


def solve_here(case, mesh, options, folder):
    """To CalculiX the force of a spring is one inside."""
    done = plain_solve(case, mesh, options, folder)
    return done and (done[0], done[1] + case.stiffness(mesh) * done[0])


plain_deck, plain_yaml = calculix.deck, calculix.yaml_of
plain_solve = calculix.solve_here
calculix.deck, calculix.yaml_of, calculix.solve_here = deck, yaml_of, solve_here


# ---- the cases ------------------------------------------------------------------

def cases(folder):
    path = os.path.join(folder, "beam.mesh")
    support.run(program, "shape", "box", "--size", "1,0.2,0.3", "--cells", "12,3,3", "-o", path)
    steel, slab = {1: calculix.STEEL}, calculix.slab
    mesh = support.read_medit(path)
    mesh.region[:] = 1
    support.write_medit(path, mesh)
    wall, tip = slab(0, -1, 1e-9), slab(0, 1 - 1e-9, 2)
    low, top, side = slab(2, -1, 1e-9), slab(2, 0.3 - 1e-9, 1), slab(1, -1, 1e-9)
    weight = [("gravity", None, (1.5, -9.81, 3.0))]
    # On springs the body moves far as a whole, which costs digits of the residual: no mixed there.
    variants, soft = [()], [()]
    if support.has_opencl(program):
        variants += [("--device", "opencl"), ("--device", "opencl", "--precision", "mixed")]
        soft += [("--device", "opencl")]
    yield Case("oblique rollers", path, steel, [(tip, (0.0, 0.0, 0.0))],
               weight + [("pressure", top, 2e5)],
               [Local(wall, (1e-4, None, None), (1.0, 0.5, 0.2), (0.0, 1.0, 0.0))], variants)
    yield Case("oblique slide", path, steel, [(tip, (0.0, None, 0.0))], weight,
               [Local(wall, (0.0, None, 2e-5), (1.0, -2.0, 0.2), (0.3, 1.0, 0.0))], variants)
    yield Case("symmetry across a vector", path, steel, [(tip, (0.0, 0.0, 0.0))], weight,
               [Symmetry(wall, (1.0, 1.0, 0.0), (0.0, 1.0, 0.0))], variants)
    yield Case("cylinder", path, steel, [(tip, (0.0, 0.0, 0.0))], [("pressure", top, 2e5)],
               [Local(wall, (3e-5, None, None), (0.1, -0.7, 0.4), (0.1, 0.1, 0.9), True)], variants)
    yield Case("springs", path, steel, [(wall, (0.0, None, None))],
               weight + [("traction", top, (1e5, 2e4, 3e4))],
               [Springs(tip, "spring", (3e5, 1e5, 0)), Springs(side, "total_spring", (0, 7e6, 2e6))],
               soft)
    yield Case("foundation", path, steel, [], weight + [("total_force", tip, (1e3, 0, -4e3))],
               [Springs(low, "foundation", (3e8, 4e7), 2)], soft)
    yield from irregular(folder, variants)


def irregular(folder, variants):
    surface, path = os.path.join(folder, "tube.off"), os.path.join(folder, "tube.mesh")
    support.write_off(surface, *support.bent_tube())
    if support.fill(program, surface, path, "-q", "1.4", "-a", "2e-3"):
        slab = calculix.slab
        mesh = support.read_medit(path)
        mesh.region[:] = 4
        support.write_medit(path, mesh)
        yield Case("bent tube", path, {4: calculix.RUBBER}, [(slab(0, 0.9, 9), (None, 0.02, -0.01))],
                   [("gravity", None, (2, 0, -9.81)), ("pressure", slab(1, 0.3, 9), 5e4)],
                   [Local(slab(2, -9, -0.3), (0.0, None, 0.01), (0.1, 0.2, 0.0), (0.4, 0.3, 1.0), True),
                    Springs([[-9, -9, -0.29], [9, -0.3, 9]], "spring", (1e3, 2e3, 3e3))], variants)


def main():
    if not shutil.which("ccx"):
        print("skipped: ccx is not installed (Debian package calculix-ccx)")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        for case in cases(folder):
            calculix.check(case)
    return support.finish("check_calculix_supports")


if __name__ == "__main__":
    sys.exit(main())
