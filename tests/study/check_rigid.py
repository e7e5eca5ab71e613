#!/usr/bin/python3
"""check_rigid.py PROGRAM SOURCE_DIR BUILD_DIR

Contact with rigid bodies in cases: a plane and the same as files of triangles; steps that move it, in statics, with large rotations and in time; results
of sets; a belt round a drum beside Eytelwein's formula; faces that are wide beside a pin; points that take turns; another unit of length; a run that goes on from a checkpoint; replay; bad files.
"""
import math
import os
import sys
import tempfile

import numpy

from block_case import BLOCK, PLATE, make_block, make_plate, solve_case
from support import content, expect, finish, read_frames, read_medit, rows, run, write, write_medit

program = sys.argv[1]

CASE = BLOCK + """  x: {plane: {point: [0, 0, 0], normal: x}}
  y: {plane: {point: [0, 0, 0], normal: y}}
constraints:
  - {set: x, displacement: [0, ~, ~]}
  - {set: y, displacement: [~, 0, ~]}
"""
PLANE = "{plane: {point: [0, 0, 0], normal: z}}"
OFF = "OFF\n4 2 0\n-3 -3 0\n4 -3 0\n4 4 0\n-3 4 0\n3 0 1 2\n3 0 2 3\n"
OBJ = "v -3 -3 0\nv 4 -3 0\nv 4 4 0\nv -3 4 0\nf 1 2 3\nf 1 3 4\n"
STL = "solid s\n" + "".join("facet normal 0 0 1\nouter loop\n" + "".join("vertex %g %g 0\n" % p for p in three) + "endloop\nendfacet\n" for three in (
    ((-3, -3), (4, -3), (4, 4)), ((-3, -3), (4, 4), (-3, 4)))) + "endsolid s\n"


BELT = """mesh: belt.mesh
elements: linear
material: {young: 1e5, poisson: 0, density: 1}
sets:
  drum: {cylinder: {from: [0, 0, -1], to: [0, 0, 2], radius: 10.0001}, of: faces}
  inner: {intersect: [drum, {side: {point: [0, 0.01, 0], normal: y}, of: faces}]}
  tight: {box: [[0, -1e-6, -1], [10.0001, 1e-6, 9]]}
  slack: {box: [[-10.0001, -1e-6, -1], [0, 1e-6, 9]]}
  side: {plane: {point: [0, 0, 0], normal: z}}
constraints:
  - {set: side, displacement: [~, ~, 0]}
  - {set: tight, displacement: [~, -0.01, ~]}
loads: [{set: slack, force: [0, -0.5, 0]}]
contact: [{slave: inner, rigid: {cylinder: {from: [0, 0, 0], to: [0, 0, 1], radius: 10}}, interference: 0, friction: 0.3}]
"""


def solve(folder, name, text, status=0, *options):
    done = solve_case(program, folder, name, text, *options, status=status)
    return done.stdout + done.stderr


def foot(folder, name, of="foot"):
    return [row for row in rows(os.path.join(folder, name + ".sets.csv")) if row["set"] == of]


def check_shapes(folder):
    """The answer on a plane, on triangles, and in another place: the same."""
    load = "loads: [{set: top, pressure: 2}]\n"
    answers = []
    for name, text in (("plane.off", OFF), ("plane.obj", OBJ), ("plane.stl", STL)):
        write(folder, name, text)
    for name, rigid in (("plane", PLANE), ("off", "{surface: plane.off}"), ("obj", "{surface: plane.obj}"), ("stl", "{surface: plane.stl}"),
                        ("moved", "{plane: {point: [0, 0, -5], normal: z}, displacement: [0, 0, 5]}"),
                        ("turned", "{plane: {point: [0, 0, 0], normal: x}, rotation: [0, -1.5707963267948966, 0]}")):
        text = solve(folder, name, CASE + load + "contact: [{slave: foot, rigid: %s}]\n" % rigid)
        expect("16 points closed" in text and "overlap" not in text, text)
        row = foot(folder, name)[-1]
        for key, value in (("force_z", 2), ("moment_x", 1), ("moment_y", -1), ("moment_z", 0), ("area", 1), ("pressure", 2)):
            expect(abs(float(row["contact_" + key]) - value) < 1e-6, f"{name}: {key} {row['contact_' + key]}")
        answers.append(read_frames(os.path.join(folder, name + ".vtkhdf"))[-1]["PointData/displacement"])
        expect(numpy.abs(answers[-1] - answers[0]).max() < 1e-9, f"{name}: {numpy.abs(answers[-1] - answers[0]).max()}")


def check_units(folder):
    """In millimeters and in meters: the same."""
    found = []
    for unit, factor in (("mm", 1.0), ("m", 1e-3)):
        mesh = read_medit(os.path.join(folder, "block.mesh"))
        mesh.points = mesh.points * factor
        write_medit(os.path.join(folder, "unit.mesh"), mesh)
        text = CASE.replace("block.mesh", "unit.mesh").replace("young: 200,", "young: 200 MPa,").replace("density: 1}", "density: 1000 kg/m^3}")
        text = text.replace("[0, 0, 1]", "[0, 0, 1 mm]") + f"units: {{length: {unit}, force: N, time: s}}\n"
        text += ("loads: [{set: top, pressure: 2 MPa}]\n"
                 "contact: [{slave: foot, rigid: {sphere: {center: [0 mm, 0 mm, -20 mm], radius: 20 mm}}}]\n")
        solve(folder, "unit", text)
        row = foot(folder, "unit")[-1]
        found.append((float(row["contact_force_z"]), float(row["contact_area"]) / factor**2, float(row["max_displacement"]) / factor))
    expect(numpy.allclose(found[0], found[1], rtol=1e-6), f"{found}")


def check_sweep(folder):
    """Combinations of a sweep, with a file and without."""
    write(folder, "plane.off", OFF)
    for rigid in ("{surface: plane.off}", "{plane: {point: [0, 0, d], normal: z}}"):
        solve(folder, "sweep", CASE + "parameters: {d: 0, p: 1}\nloads: [{set: top, pressure: p}]\nsweep: {list: [{p: 2}, {p: 4}, {p: 1}]}\n"
              "contact: [{slave: foot, rigid: %s}]\n" % rigid)
        found = [float(row["contact_force_z"]) for row in foot(folder, "sweep")]
        expect(numpy.allclose(found, (2, 4, 1), atol=1e-6), f"{rigid}: {found}")


def check_steps(folder):
    """A plane comes up against a block that is fixed above: E u / L, by steps, Newton's method and slowly in time; back again nothing presses."""
    fixed = CASE.replace("constraints:\n", "constraints:\n  - {set: top, displacement: [~, ~, 0]}\n")
    contact = "contact: [{slave: foot, rigid: {name: die, plane: {point: [0, 0, -1], normal: z}}}]\n"
    steps = "".join("  - {name: s%d, static: {}, rigid: {die: {displacement: [0, 0, %g]}}}\n" % (k, up) for k, up in enumerate((1.01, 1.02, 1.005)))
    for extra, tolerance in (("", 1e-6), ("kinematics: corotational\n", 2e-4)):
        text = solve(folder, "steps", fixed + contact + extra + "steps:\n" + steps + "  - {name: away, static: {}}\n")
        found = [float(row["contact_force_z"]) for row in foot(folder, "steps")]
        expect(numpy.allclose(found, (2, 4, 1, 0), atol=4 * tolerance), f"{found}: {text}")
        before = read_frames(os.path.join(folder, "steps.vtkhdf"))
        write(folder, "plane.off", OFF)
        run(program, "replay", "steps.vtkhdf", folder=folder)
        expect(len(before) == 4, f"{len(before)}")
    text = solve(folder, "time", fixed + contact.replace("normal: z}", "normal: z}, displacement: [0, 0, 1.02], amplitude: up") +
                 "amplitudes: {up: {table: [[0, 0], [1, 1]]}}\nsteps:\n"
                 "  - dynamic: {step: 0.02, end: 1, output: {every: 1}}\n")
    force = [frame["numbers"].get("contact_force", 0.0) for frame in read_frames(os.path.join(folder, "time.vtkhdf"))]
    expect(max(force[:49]) == 0.0 and force[-1] > 1.0, f"{force}")  # it touches at 1 / 1.02


def check_checkpoint(folder):
    """Steps that were solved are taken from a checkpoint with the friction of where the plane was, and the next one goes on from there."""
    contact = "contact: [{slave: foot, friction: 0.4, rigid: {name: die, plane: {point: [0, 0, 0], normal: z}}}]\n"
    case = (CASE[:CASE.index("constraints")] + "constraints: [{set: foot, total_spring: [5, 5, 0]}]\nloads: [{set: top, pressure: 2}]\n" + contact + "steps:\n" +
            "".join("  - {name: s%d, static: {%s}, rigid: {die: {displacement: [%g, 0, 0]}}}\n" % (k, how, x)
                    for k, (x, how) in enumerate(((0, ""), (0.05, ""), (0.1, ""), (0.3, "max_iterations: 1")))))
    solve(folder, "stopped", case, 1)
    force = [float(row["contact_force_x"]) for row in rows(os.path.join(folder, "stopped.partial.sets.csv")) if row["set"] == "foot"]
    expect(numpy.allclose(force, (0, 0.25, 0.5), atol=0.02), f"{force}")
    first = content(os.path.join(folder, "stopped.partial.vtkhdf"))
    text = solve(folder, "stopped", case, 1, "--resume")
    again = content(os.path.join(folder, "stopped.partial.vtkhdf"))
    expect("resumed: 3 of 4 steps" in text, text)
    for name in first:
        if name.endswith(("/displacement", "/contact_pressure", "/contact_slip")):
            expect(first[name] == again[name], f"other bits: {name}")


def check_belt(folder):
    """A belt over half a drum: T2 / T1 = exp(mu pi R / (R + t / 2)), as friction acts at R and tension at R + t / 2 (Eytelwein 1808); at its ends
    both act on the inner edge."""
    radius, thick, n = 10.0, 0.2, 40
    run(program, "shape", "box", "--size", "1,1,1", "--cells", f"1,{n},1", "-o", "strip.mesh", folder=folder)
    mesh = read_medit(os.path.join(folder, "strip.mesh"))
    r, angle = radius + thick * mesh.points[:, 0], math.pi * mesh.points[:, 1]
    mesh.points = numpy.stack((r * numpy.cos(angle), r * numpy.sin(angle), 0.5 * mesh.points[:, 2]), 1)
    write_medit(os.path.join(folder, "belt.mesh"), mesh)
    for way, friction, tolerance in ((0.01, 0.3, 1e-3), (0.02, 0.3, 1e-3), (0.03, 0.3, 1e-3), (0.05, 0.3, 1e-3), (0.03, 1, 0.03), (0.05, 1, 0.03), (0.01, 1, None)):
        solve(folder, "belt", BELT.replace("-0.01", f"-{way}").replace("friction: 0.3", f"friction: {friction}"))
        pull = float(foot(folder, "belt", "tight")[-1]["reaction_force_y"])
        wanted = math.exp(friction * math.pi * radius / (radius + 0.5 * thick))
        print(f"belt drawn by {way}: T2 / T1 {-pull:.4f}, {wanted:.4f} by Eytelwein")
        expect(abs(-pull / wanted - 1) < tolerance if tolerance else 1 < -pull < wanted, f"a belt: {pull}, not {wanted}")  # the last one slides in part


def check_stop(folder):
    """Friction that is far from known while points are let go: a floor that stops a cantilever before it is down by d takes N of F,
    N (1 + 3 mu h / (4 L)) = F (1 - gap / d), as the friction bends it, too."""
    run(program, "new", "contact", "stop", folder=folder)
    with open(os.path.join(folder, "stop.yaml")) as file:
        case = file.read()
    for gap, friction in ((0.05, 0.05), (0.35, 0.3), (0.05, 1)):
        solve(folder, "stop", case.replace("-0.2 mm", f"-{gap} mm").replace("friction: 0.1", f"friction: {friction}"))
        force, wanted = float(foot(folder, "stop", "bottom")[0]["contact_force_z"]), 500 * (1 - gap / 0.48) / (1 + 0.075 * friction)
        expect(abs(force / wanted - 1) < 0.04, f"a floor {gap} mm below with friction {friction}: {force}, not {wanted}")
    forces = []
    for solver in ("cg", "cholesky"):
        text = solve(folder, "stop", case.replace("    friction: 0.1\n", "").replace("static: {}", "static: {solver: %s}" % solver), None)
        if "this build has no" in text:
            continue
        expect("results:" in text, text)
        forces.append([float(row["contact_force_z"]) for row in foot(folder, "stop", "bottom")])
    expect(numpy.allclose(forces[0], forces[-1], rtol=1e-4), f"a factor: {forces}")
    text = solve(folder, "stop", case.replace("static: {}", "static: {max_iterations: 24}").replace("friction: 0.1", "friction: 1"), 1)
    expect("contact: in round" in text and "max_iterations 24" in text, text)


BAR = """mesh: bar.mesh
elements: linear
material: {young: 200, poisson: 0.3, density: 1}
sets:
  foot: {plane: {point: [0, 0, 0], normal: z}, of: faces}
  top: {plane: {point: [0, 0, 10], normal: z}, of: faces}
constraints: [{set: top, displacement: [0, 0, BY]}]
contact: [{slave: foot, rigid: {cylinder: {from: [10, 0, RAISED], to: [10, 1, RAISED], radius: 10}}}]
"""


def check_wide_faces(folder):
    """A bar on a pin of radius R, which it touches in a line. Faces of size h have a mean gap of -h^2 / 12 R there (the next term of the circle is smaller
    by h^2 / 4 R^2), told apart from a pin that is inside by more than that, and no matter once the load closes much larger gaps."""
    def press(cells, depth, by):
        run(program, "shape", "box", "--size", "20,5,10", "--cells", f"{cells},{cells // 4},2", "-o", "bar.mesh", folder=folder)
        return solve(folder, "bar", BAR.replace("RAISED", repr(depth - 10.0)).replace("BY", repr(-by)))

    for cells in (4, 8, 16):
        h, text = 20.0 / cells, press(cells, 0.0, 0.1)
        if expect(f"faces of {h:.3g} at (10, " in text and "overlap by up to" not in text, text):
            overlap, form = float(text.split("is an overlap of ")[1].split(",")[0]), h * h / 120.0
            print(f"faces of {h} on a pin overlap by {overlap}, not {form}")
            expect(abs(overlap / form - 1.0) < 0.25 * h * h / 100.0 + 0.005, f"{overlap}, not {form}")
    text = press(16, 0.1, 0.1)
    expect("overlap by up to 0.113" in text and "too wide" not in text, text)
    text = press(16, 0.0, 2.0)
    expect("overlap by up to" not in text and "too wide" not in text, text)


def check_rough(folder):
    """A round that is solved to 1e-3 before those of the tolerance: its failure names both, and where iterations are too few for it."""
    run(program, "shape", "box", "--size", "20,5,10", "--cells", "16,4,8", "-o", "bar.mesh", folder=folder)
    case = BAR.replace("RAISED", "-10").replace("BY", "-1")
    text = solve(folder, "bar", case + "steps: [{static: {tolerance: 1e-7, max_iterations: 2}}]\n", status=1)
    expect("solved to 0.001 before those of the tolerance 1e-07" in text and "max_iterations 2 reached" in text, text)


def check_flat_faces(folder):
    """Displacements that leave faces of the slave without area: nothing is known of its depth then, and the step has its answer."""
    run(program, "shape", "box", "--size", "20,5,10", "--cells", "1,4,4", "-o", "bar.mesh", folder=folder)
    case = BAR.replace("cylinder: {from: [10, 0, RAISED], to: [10, 1, RAISED], radius: 10}", "plane: {point: [0, 0, 0], normal: z}").replace(
        "constraints: [{set: top, displacement: [0, 0, BY]}]", "constraints: [{set: top, displacement: [~, 0, -0.1]}, {set: left, displacement: [0, ~, ~]}, "
        "{set: right, displacement: [-20, ~, ~]}]").replace("sets:\n", "sets:\n  left: {plane: {point: [0, 0, 0], normal: x}}\n"
                                                            "  right: {plane: {point: [20, 0, 0], normal: x}}\n")
    text = solve(folder, "flat", case)
    expect("points closed" in text and "are inside what they meet" not in text, text)


FLAT = """mesh: plate.mesh
elements: linear
kinematics: corotational
material: {young: 200, poisson: 0.3}
sets:
  foot: {plane: {point: [0, 0, 0], normal: z}, of: faces}
  top: {plane: {point: [0, 0, 1], normal: z}, of: faces}
  low: {plane: {point: [0, 0, 0], normal: x}, of: faces}
constraints: [{set: low, displacement: [0, 0, 0.1]}]
loads: [{set: top, pressure: 0.01}]
contact: [{slave: foot, rigid: {plane: {point: [0, 0, -0.1], normal: [0, 0, 1]}}}]
steps: [{static: {nonlinear: {steps: 30}}}]
"""


def check_chatter(folder):
    """A thin plate that a load hardly lifts off a slope: its points take turns, which is told with the pair, the place and how often. Pressed on, they do not;
    nor where points open and close in 30 load steps, in each of which few do."""
    make_plate(program, folder)
    for more in ("", ", plastic: {yield_stress: 1e6}"):  # by Newton's method
        text = solve(folder, "plate", PLATE.replace("0.45", "0.45" + more))
        if expect("points of 'foot' on the rigid body took turns: that at (" in text, text):
            times, rounds = text.split("closed and opened ")[1].split(" rounds")[0].split(" times in ")
            expect(int(times) >= 4 and int(rounds) > 12, text)
    text = solve(folder, "plate", PLATE.replace("-9.27950311322747e-05", "0.01"))
    expect("took turns" not in text, text)
    text = solve(folder, "plate", FLAT)
    expect("20 points closed" in text and "took turns" not in text, text)


def check_bad(folder):
    """One line that names the file and the line of the case, the rule and the remedy."""
    files = {"twice": OFF.replace("3 0 2 3", "3 0 1 3"), "flat": "OFF\n3 1 0\n0 0 0\n1 0 0\n2 0 0\n3 0 1 2\n", "none": "OFF\n0 0 0\n", "broken": "OFF\n4 2 0\n0 0\n"}
    load = "loads: [{set: top, pressure: 2}]\n"
    for name, text in files.items():
        write(folder, name + ".off", text)
    for rigid, status, words in (
            ("{surface: twice.off}", 2, ("direction",)), ("{surface: flat.off}", 2, ("no area",)), ("{surface: none.off}", 2, ("none.off",)),
            ("{surface: broken.off}", 2, ("broken.off",)), ("{surface: missing.stl}", 2, ("missing.stl",)), ("{surface: block.mesh}", 2, ("block.mesh",)),
            ("{plane: {point: [0, 0, 3], normal: z}}", 2, ("inside the rigid body", "normal")),
            ("{sphere: {center: [0.5, 0.5, 0.5], radius: 9}}", 2, ("inside the rigid body",)),
            ("{sphere: {center: [50, 0.5, 0.5], radius: 9}, inside: true}", 2, ("inside the rigid body", "'inside'"))):
        text = solve(folder, "bad", CASE + load + "contact: [{slave: foot, rigid: %s}]\n" % rigid, status)
        expect("bad.yaml:" in text and all(word in text for word in words), f"{rigid}: {text}")
    text = solve(folder, "far", CASE + "loads: [{gravity: [0, 0, -1]}]\ncontact: [{slave: foot, distance: 0.1, rigid: {plane: {point: [0, 0, -1], normal: z}}}]\n", 1)
    expect("under-constrained" in text or "rigid-body" in text or "constrain it" in text, text)
    text = solve(folder, "far", CASE.replace("constraints:\n", "constraints:\n  - {set: top, displacement: [~, ~, 0]}\n") +
                 "contact: [{slave: foot, distance: 0.1, rigid: {plane: {point: [0, 0, -1], normal: z}}}]\n")
    expect("no face of the slave looks at the rigid body" in text, text)


def main():
    with tempfile.TemporaryDirectory(prefix="edgewise-") as folder:
        make_block(program, folder)
        check_shapes(folder)
        check_units(folder)
        check_sweep(folder)
        check_steps(folder)
        check_checkpoint(folder)
        check_belt(folder)
        check_stop(folder)
        check_wide_faces(folder)
        check_rough(folder)
        check_flat_faces(folder)
        check_chatter(folder)
        check_bad(folder)


main()
sys.exit(finish("check_rigid"))
