#!/usr/bin/python3
"""check_plastic_cases.py PROGRAM SOURCE_DIR BUILD_DIR

The cases of datasets/ with laws: a ball of rubber is blown up, a bracket and a strip of clay stay bent. Stress is that of the elastic strain and within
the yield surface, and work is stored or dissipated. A killed run of plastic steps is resumed bit for bit."""
import csv
import os
import subprocess
import sys
import tempfile
import time

import support
from support import expect, numpy

program, source = sys.argv[1], sys.argv[2]
TABLE = numpy.array([[250e6, 0], [300e6, 0.01], [340e6, 0.05]])


def run(folder, name):
    shipped = support.run_shipped(program, source, folder, name)
    return shipped and support.read_frames(shipped + ".vtkhdf")


def largest(frame):
    return numpy.linalg.norm(frame["PointData/displacement"], axis=1).max()


def check_energy(frames, where, close):
    """By small strain the account is exact; where tets turn, as exact as load steps are short."""
    stored = dissipated = 0.0
    for k, frame in enumerate(frames):
        numbers = frame["numbers"]
        lost = frame["CellData/dissipated_energy"].sum()
        change = numbers["strain_energy"] - stored + lost - dissipated
        size = max(numbers["strain_energy"], lost)
        expect(abs(numbers["path_work"] - change) <= close * size,
               f"{where}, frame {k}: work {numbers['path_work']:.8g}, stored and dissipated {change:.8g}")
        expect(lost >= dissipated * (1 - 1e-12), f"{where}, frame {k}: dissipated {lost}")
        expect(abs(lost - numbers["dissipated_energy"]) <= 1e-9 * lost, f"{where}: dissipated_energy")
        stored, dissipated = numbers["strain_energy"], lost


def check_rubber(folder):
    """The hole of the ball grows by the closed form of incompressible matter in all directions alike; its volume stays."""
    frames = run(folder, "rubber")
    if not frames:
        return
    points, moved = frames[-1]["Points"], frames[-1]["PointData/displacement"]
    radius = numpy.linalg.norm(points, axis=1)
    stretch = (numpy.linalg.norm(points + moved, axis=1) / radius)[radius < 0.5 + 1e-6]
    expect(len(stretch) > 40 and numpy.abs(stretch - 1.29005).max() < 0.01, f"rubber: the hole grows by {stretch.min()} to {stretch.max()}")
    volume = [numpy.linalg.det(at[frames[-1]["Tets"][:, 1:]] - at[frames[-1]["Tets"][:, :1]]).sum() for at in (points, points + moved)]
    expect(abs(volume[1] / volume[0] - 1) < 1e-3, f"rubber: the volume changes from {volume[0]} to {volume[1]}")


def check_bracket(folder):
    frames = run(folder, "bracket-bent")
    if not frames:
        return
    lam, mu = 210e9 * 0.3 / (1.3 * 0.4), 210e9 / 2.6
    for k, frame in enumerate(frames):
        plastic = frame["CellData/plastic_strain"]
        elastic = frame["CellData/strain"] - plastic
        stress = mu * elastic * (2, 2, 2, 1, 1, 1)
        stress[:, :3] += lam * elastic[:, :3].sum(1)[:, None]
        off = numpy.abs(stress - frame["CellData/stress"]).max() / numpy.abs(stress).max()
        expect(off < 1e-9, f"bracket-bent, frame {k}: stress is not of the elastic strain, by {off:.1e}")
        expect(numpy.abs(plastic[:, :3].sum(1)).max() < 1e-12, f"bracket-bent, frame {k}: volume")
        flow = numpy.interp(frame["CellData/equivalent_plastic_strain"], TABLE[:, 1], TABLE[:, 0])
        over = (frame["CellData/von_mises"] / flow).max()
        expect(over < 1 + 1e-9, f"bracket-bent, frame {k}: {over} of the yield stress")
        expect(frame["CellData/equivalent_plastic_strain"].max() == frame["numbers"]["max_plastic_strain"],
               f"bracket-bent, frame {k}: max_plastic_strain")
    count = frames[1]["numbers"]["iterations"]  # 51,047 when a step that stalls is not given up
    expect(count < 2000, f"bracket-bent: letting go takes {count} iterations")
    expect(1e-3 < largest(frames[1]) < 0.6 * largest(frames[0]), "bracket-bent: it stays bent")
    check_energy(frames, "bracket-bent", 1e-4)


def check_clay(folder):
    frames = run(folder, "clay")
    if not frames:
        return
    expect(0.15 < largest(frames[1]) < 0.6 * largest(frames[0]), "clay: it stays bent")
    for k, frame in enumerate(frames):
        plastic = frame["CellData/plastic_strain"]
        expect(numpy.abs(plastic[:, :3].sum(1)).max() < 1e-12, f"clay, frame {k}: volume")
    check_energy(frames, "clay", 1e-2)


def check_swing(folder):
    """In motion: what flows stays when the weight is gone, and energy is taken but never made."""
    frames = run(folder, "clay-swing")
    if not frames:
        return
    lost = taken = 0.0
    for k, frame in enumerate(frames):
        numbers = frame["numbers"]
        size = max(abs(numbers["external_work"]), numbers["initial_energy"], 1.0)
        expect(-0.03 * size < numbers["energy_balance"] < 1e-3 * size, f"clay-swing, frame {k}: {numbers['energy_balance']}")
        expect(numbers["dissipated_energy"] >= lost * (1 - 1e-12), f"clay-swing, frame {k}: dissipated")
        expect(abs(frame["CellData/dissipated_energy"].sum() - numbers["dissipated_energy"]) < 1e-9 * size, "clay-swing: sum")
        lost, taken = numbers["dissipated_energy"], max(taken, largest(frame))
    expect(lost > 15 and taken > 1.2 and largest(frames[-1]) > 0.8 * taken, "clay-swing: it stays bent")
    with open(support.run_shipped(program, source, folder, "clay-swing") + ".energy.csv") as file:
        rows = list(csv.DictReader(file))
    expect(float(rows[-1]["dissipated_energy"]) == lost, "clay-swing: the column of dissipated energy")


STATIC, DYNAMIC = "static: {nonlinear: {steps: 3}}", "dynamic: {step: 5e-7, steps: 24, output: {every: 4}, nonlinear: {%s}}"


def check_resumed(folder, static, scheme):
    """Steps that go on from each other, across an edit; killed after two of them, and resumed."""
    support.run(program, "shape", "box", "--size", "6,1,1", "--cells", "12,4,4", "-o", "box.mesh", folder=folder)
    loads = ["[0, 0, 16]", "[0, 0, 0]", "[0, 9, -16]", "[300, 0, 0]", "[0, 0, 0]", "[60, 5, 0]"]
    steps = [f"  - {{name: s{k}, loads: [{{set: tip, total_force: {load}}}], {static}}}" for k, load in enumerate(loads)]
    steps = steps[:3] if static != STATIC else steps
    steps.insert(3, "  - {name: cut, edit: [{remove: {box: [[3, 0, 0], [3.5, 0.3, 2]]}}, {refine: {set: "
                    "{box: [[0, 0, 0], [0.6, 1, 1]]}}}], loads: [], " + static.replace("8e-9", "2e-9") + "}")
    support.write(folder, "box.yaml", """mesh: box.mesh
elements: linear
kinematics: corotational
material: {young: 200e3, poisson: 0.3, density: 1e-9, plastic: {yield_stress: 250, hardening: 4000}}
sets: {wall: {surface: 1}, tip: {surface: 2}}
constraints: [{set: wall, displacement: [0, 0, 0]}]
steps:
""" + "\n".join(steps) + "\n")
    words = [program, "run", "box.yaml", "--device", "host", "-o"]
    done = support.execute(*words, "whole", folder=folder)
    if not expect(done.returncode == 0, done.stderr):
        return
    path, sizes = os.path.join(folder, "cut.checkpoint"), set()
    process = subprocess.Popen(words + ["cut"], cwd=folder, env=support.ENVIRONMENT, stdout=subprocess.DEVNULL)
    while len(sizes) < 3 and process.poll() is None:
        sizes.add(os.path.getsize(path) if os.path.exists(path) else 0)
        time.sleep(0.002)
    process.kill()
    process.wait()
    done = support.execute(*words, "cut", "--resume", folder=folder)
    expect(done.returncode == 0 and "(from the checkpoint)" in done.stdout, f"resumed: {done.stdout[:300]} {done.stderr}")
    support.expect_same(folder, "whole", "cut", "resumed " + scheme, (".csv",), ("touched_blocks",))
    frames = support.read_frames(os.path.join(folder, "cut.vtkhdf"))
    expect(frames[-1]["numbers"]["max_plastic_strain"] > 0, scheme + ": nothing flowed")


def check_after_dynamics(folder):
    """The first step with states of laws comes after one that moves the body without: memory is that of the states."""
    support.run(program, "shape", "box", "--size", "1,0.2,0.2", "--cells", "8,2,2", "-o", "after.mesh", folder=folder)
    with open(os.path.join(folder, "after.yaml"), "w") as file:
        file.write("""mesh: after.mesh
elements: linear
kinematics: corotational
material: {young: 1e5, poisson: 0.3, density: 1000, creep: {yield: 0.005, creep: 5, maximum: 0.2}}
sets: {wall: {surface: 1}, tip: {surface: 2}}
constraints: [{set: wall, displacement: [0, 0, 0]}]
loads: [{set: tip, total_force: [0, 0, -30]}]
steps: [{dynamic: {step: 1e-2, steps: 5}}, {static: {nonlinear: {}}}]
""")
    done = support.execute(program, "run", "after.yaml", "-o", "after", "--device", "host", folder=folder)
    expect(done.returncode == 0, f"a law after dynamics: status {done.returncode}, {done.stderr}")


def check_drift(folder):
    """A loaded bar is turned and unloaded as it is; mirrored at a face that swayed it does not fit, which is told."""
    support.run(program, "shape", "box", "--size", "1,.1,.1", "--cells", "8,2,2", "-o", "sway.mesh", folder=folder)
    for edit, fits in (("rotate: {angle: 90, axis: x}", True), ("mirror: {normal: y, at: min}", False)):
        support.write(folder, "sway.yaml", """mesh: sway.mesh
elements: linear
material: {young: 2e9, poisson: 0.3, density: 1000, plastic: {yield_stress: 1e7, hardening: 1e8}}
sets: {wall: {plane: {point: [0, 0, 0], normal: x}, of: faces}, tip: {plane: {point: [1, 0, 0], normal: x}, of: faces}}
constraints: [{set: wall, displacement: [0, 0, 0]}]
steps:
  - {loads: [{set: tip, traction: [0, 0, 2e5]}], static: {nonlinear: {}}}
  - {edit: [{%s}], static: {nonlinear: {steps: 2}}}
""" % edit)
        printed = support.run(program, "run", "sway.yaml", "-o", "sway", "--device", "host", folder=folder)
        numbers = support.read_frames(os.path.join(folder, "sway.vtkhdf"))[-1]["numbers"]
        expect(("start with strain" in (printed or "")) != fits, f"{edit}: parts that do not fit are told")
        expect(not fits or numbers["dissipated_energy"] == 0, f"{edit}: {numbers['dissipated_energy']} flowed of nothing")


def check_failed(folder):
    """Of a step that asks for too much the last load factor that converged is saved and told, in one line; shapes of
    modes are one step."""
    support.run(program, "shape", "box", "--size", "4,1,1", "--cells", "6,2,2", "-o", "bar.mesh", folder=folder)
    case = """mesh: bar.mesh
elements: linear
material: {young: 1000, poisson: 0.3, density: 1, plastic: {yield_stress: 10}}
sets: {wall: {surface: 1}, tip: {surface: 2}}
constraints: [{set: wall, displacement: [0, 0, 0]}]
steps:
  - {modes: {count: 4}}
  - {loads: [{set: tip, total_force: [15, 0, 0]}], static: {nonlinear: {steps: 4, max_iterations: 8, halvings: 1}}}
  - {static: {nonlinear: {}}}
"""
    modes = "  - {modes: {count: 4}}\n"
    support.write(folder, "over.yaml", case)
    done = support.execute(program, "run", "over.yaml", "-o", "over", "--device", "host", folder=folder)
    if "no direct solver" in done.stderr:
        support.write(folder, "over.yaml", case.replace(modes, ""))
        done = support.execute(program, "run", "over.yaml", "-o", "over", "--device", "host", folder=folder)
        modes = ""
    lines = [line for line in done.stderr.splitlines() if "no equilibrium" in line]
    expect(done.returncode == 1 and len(lines) == 1, f"a load beyond the limit: {done.stderr}")
    expect(("1 of 3" if modes else "0 of 2") + " steps, and the last state that converged, are in over.partial.xdmf" in lines[0], lines[0])
    frames = support.read_frames(os.path.join(folder, "over.partial.vtkhdf"))
    expect(len(frames) == (5 if modes else 1) and frames[-1]["numbers"]["load_factor"] == 0.625, "the frame of the last load factor")
    expect(frames[-1]["CellData/error"].max() > 0, "its error is estimated")


BENT = """mesh: beam-{n}.mesh
elements: linear
material: {{young: 1000, poisson: 0.3, plastic: {{yield_stress: 1, hardening: 100}}}}
sets: {{wall: {{surface: 1}}, tip: {{surface: 2}}}}
constraints: [{{set: wall, displacement: [0, 0, 0]}}]
steps:
  - {{name: bent, loads: [{{set: tip, traction: [0, 0, -0.1]}}], static: {{nonlinear: {{steps: 4}}}}}}
  - {{name: let go, loads: [], static: {{nonlinear: {{}}}}}}
"""


def solve_beam(folder, n):
    """A cantilever of n layers of tets that yields: its frames, the warning that both steps have."""
    support.run(program, "shape", "box", "--size", "4,1,1", "--cells", f"{4 * n},{n},{n}", "-o", f"beam-{n}.mesh",
                folder=folder)
    support.write(folder, f"beam-{n}.yaml", BENT.format(n=n))
    out = support.run(program, "run", f"beam-{n}.yaml", "-o", f"beam-{n}", "--device", "host", folder=folder)
    warned = [line for line in out.splitlines() if line.startswith("warning: in 2 steps, last in 'let go': the "
                                                                        "estimated error is")]
    return support.read_frames(os.path.join(folder, f"beam-{n}.vtkhdf")), warned


def tet_at(frame, n, points):
    """Those of a box of n cells a unit length that the points are in."""
    corners = frame["Points"][frame["Tets"]]
    key = [numpy.floor(p * n).astype(int) @ (1, 1000, 1000000) for p in (corners.mean(axis=1), points)]
    order = numpy.argsort(key[0], kind="stable")
    first = numpy.searchsorted(key[0][order], key[1])
    found, best = numpy.zeros(len(points), int), numpy.full(len(points), -1.0)
    for k in range(6):
        x = corners[order[first + k]]
        share = numpy.linalg.solve(numpy.swapaxes(x[:, 1:] - x[:, :1], 1, 2), (points - x[:, 0])[..., None])[..., 0]
        inside = numpy.minimum(share.min(axis=1), 1 - share.sum(axis=1))
        found, best = numpy.where(inside > best, order[first + k], found), numpy.maximum(inside, best)
    expect(best.min() > -1e-9, "points of no tet")
    return found


def check_estimate(folder):
    """The estimated error of a plastic body beside the distance, in the energy norm of the stress, from the stress of a
    finer mesh; under load and of what stays. Coarse tets are warned of."""
    compliance = numpy.diag([1.0] * 3 + [2.6] * 3) / 1000
    compliance[:3, :3] -= 0.3 / 1000 * (1 - numpy.eye(3))
    fine = solve_beam(folder, 8)[0]
    x = fine[0]["Points"][fine[0]["Tets"]]
    volume = numpy.linalg.det(x[:, 1:] - x[:, :1]) / 6
    for n in (2, 4):
        frames, warned = solve_beam(folder, n)
        expect(len(warned) == 1 and all("before the first load" in line for line in warned), f"{n} layers: {warned}")
        for k in range(2):
            stress = fine[k]["CellData/stress"]
            off = stress - frames[k]["CellData/stress"][tet_at(frames[k], n, x.mean(axis=1))]
            true, all_of_it = (numpy.sqrt(volume @ numpy.einsum("ti,ij,tj->t", s, compliance, s)) for s in (off, stress))
            ratio = frames[k]["numbers"]["error_share"] * all_of_it / true
            expect(0.6 < ratio < 1.1, f"{n} layers, step {k}: the estimate is {ratio:.2f} of the error {true / all_of_it:.2f}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_rubber(folder)
        check_bracket(folder)
        check_clay(folder)
        check_swing(folder)
        check_resumed(folder, STATIC, "statics")
        check_resumed(folder, DYNAMIC % "tolerance: 1e-4", "implicit")
        check_resumed(folder, (DYNAMIC % "").replace("5e-7, steps: 24", "8e-9, steps: 800, scheme: central-difference"
                                                     ).replace("every: 4", "every: 200"), "explicit")
        check_after_dynamics(folder)
        check_drift(folder)
        check_failed(folder)
        check_estimate(folder)
    return support.finish("check_plastic_cases")


if __name__ == "__main__":
    sys.exit(main())
