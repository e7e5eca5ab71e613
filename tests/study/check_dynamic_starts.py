#!/usr/bin/python3
"""check_dynamic_starts.py PROGRAM SOURCE_DIR BUILD_DIR

Where dynamic steps start from, and supports that move: a run in one step equals the same in two, and one that goes on
from a frame of a result; a static step before gives its displacement; a base that is shaken against an integration of
its own (dynamics_reference.py), one that moves at a velocity; a body in free flight."""
import os
import sys
import tempfile

import dynamics_reference as reference
import support
from support import expect, numpy

program, source = sys.argv[1], sys.argv[2]
YOUNG, POISSON, DENSITY, DT = 1e6, 0.3, 1000.0, 2e-3
AGREE = 1e-8

HEAD = f"""mesh: part.mesh
elements: linear
material: {{young: {YOUNG}, poisson: {POISSON}, density: {DENSITY}}}
sets:
  wall: {{plane: {{point: [0, 0, 0], normal: x}}}}
  tip: {{plane: {{point: [1, 0, 0], normal: x}}}}
  body: {{all: true, of: vertices}}
"""
FIXED = "constraints: [{set: wall, displacement: [0, 0, 0]}]\n"
PULL = "loads: [{set: tip, force: [0.1, 0.05, -0.2]}]\n"
KEYS = f"step: {DT}, tolerance: 1e-12, damping: {{mass: 1, stiffness: 1e-4}}, mass: consistent"


def frames_of(folder, name, text):
    with open(os.path.join(folder, name + ".yaml"), "w", encoding="utf-8") as file:
        file.write(HEAD + text)
    if support.run(program, "run", name + ".yaml", "-o", name, "--device", "host", "--quiet", folder=folder) is None:
        return None
    return support.read_frames(os.path.join(folder, name + ".vtkhdf"))


def field(frame, name, mesh):
    return support.by_id(frame, name, len(mesh.points))


def same(one, two, mesh, what):
    for name in ("displacement", "velocity", "acceleration"):
        a, b = field(one, name, mesh), field(two, name, mesh)
        error = abs(a - b).max() / abs(b).max()
        expect(error < AGREE, f"{what}: {name} is off by {error:.1e}")


def check_starts(folder, mesh):
    kick = "initial: {velocity: [{set: body, value: [0, 0, 0.1]}, {set: tip, value: [0, 0, 0.3]}]}"
    whole = frames_of(folder, "whole", FIXED + PULL + f"steps: [{{dynamic: {{steps: 24, {KEYS}, {kick}, output: {{every: 12}}}}}}]\n")
    two = frames_of(folder, "two", FIXED + PULL + f"steps:\n  - dynamic: {{steps: 12, {KEYS}, {kick}}}\n"
                    f"  - dynamic: {{end: {24 * DT}, {KEYS}, output: {{every: 99}}}}\n")
    again = frames_of(folder, "again", FIXED + PULL + f"steps: [{{dynamic: {{steps: 12, {KEYS}, output: {{every: 12}}, "
                      "initial: {from: {result: whole.vtkhdf, frame: 1}}}}]\n")
    if whole and two and again:
        same(two[-1], whole[2], mesh, "in two steps")
        same(again[-1], whole[2], mesh, "from a frame of a result")
        expect(abs(two[-1]["numbers"]["time"] - 24 * DT) < 1e-12, "time goes on from step to step")
        times = [frame["numbers"]["time"] for frame in two]
        expect(12 * DT < times[13] < 12 * DT * (1 + 1e-6), f"two frames of one time: {times[12:14]}")
    bent = frames_of(folder, "bent", FIXED + PULL + "steps:\n  - static: {tolerance: 1e-12}\n"
                     f"  - dynamic: {{steps: 5, {KEYS}}}\n  - dynamic: {{steps: 2, {KEYS}, initial: rest}}\n"
                     f"  - dynamic: {{steps: 2, {KEYS}, initial: {{displacement: {{set: tip, value: [0, 0, 1e-3]}}}}}}\n")
    if bent:
        u = field(bent[0], "displacement", mesh)
        off = abs(field(bent[6], "displacement", mesh) - u).max() / abs(u).max()
        expect(off < 1e-7, f"a bent body under its load stays: off by {off:.1e}")
        expect(not field(bent[7], "displacement", mesh).any() and not field(bent[7], "velocity", mesh).any(), "rest")
        tip = mesh.points[:, 0] == 1
        here, before = (field(bent[k], "displacement", mesh) for k in (10, 9))
        expect((here[tip] == [0, 0, 1e-3]).all() and (here[~tip] == before[~tip]).all(), "a set on top of the step before")


def check_shaken(folder, mesh):
    """Newmark; where the base is prescribed, so are its velocity and acceleration, the latter such that its mean over a
    time step is the change of velocity, kinks or not."""
    size, frequency, steps = 0.01, 6.0, 20
    frames = frames_of(folder, "shaken", "amplitudes: {shake: {sine: {frequency: 6}}}\n"
                       f"constraints: [{{set: wall, displacement: [0, {size}, 0], amplitude: shake}}]\n"
                       f"steps: [{{dynamic: {{steps: {steps}, {KEYS}}}}}]\n")
    if not frames:
        return
    m = reference.mass(mesh.points, mesh.tets, DENSITY, "consistent")
    k = reference.stiffness(mesh.points, mesh.tets, YOUNG, POISSON)
    c, w = m + 1e-4 * k, 2 * numpy.pi * frequency
    wall = numpy.flatnonzero(mesh.points[:, 0] == 0)
    fixed = (3 * wall[:, None] + [0, 1, 2]).ravel()
    free = numpy.setdiff1d(numpy.arange(3 * len(mesh.points)), fixed)
    base = numpy.tile([0.0, size, 0.0], len(wall))
    inverse = numpy.linalg.inv((m + DT / 2 * c + DT * DT / 4 * k)[numpy.ix_(free, free)])
    u, v, a = (numpy.zeros(3 * len(mesh.points)) for _ in range(3))
    v[fixed] = base * w
    a[free] = numpy.linalg.solve(m[numpy.ix_(free, free)], -(c @ v + k @ u)[free])
    for n in range(steps + 1):
        if n:
            t = n * DT
            turn = [-w * w * numpy.sin(w * x) for x in (t - DT, t)]
            pull = turn[1] + w * (numpy.cos(w * t) - numpy.cos(w * (t - DT))) / DT - sum(turn) / 2
            u, v = u + DT * v + DT * DT / 4 * a, v + DT / 2 * a
            a = numpy.zeros_like(a)
            u[fixed], v[fixed], a[fixed] = (base * x for x in (numpy.sin(w * t), w * numpy.cos(w * t), pull))
            a[free] = inverse @ -(m @ a + c @ v + k @ u)[free]
            u[free] += DT * DT / 4 * a[free]
            v[free] += DT / 2 * a[free]
        for name, wanted in (("displacement", u), ("velocity", v), ("acceleration", a)):
            error = abs(field(frames[n], name, mesh).ravel() - wanted).max() / max(abs(wanted).max(), 1e-30)
            expect(error < AGREE or not wanted.any(), f"shaken: {name} of step {n} is off by {error:.1e}")
    expect(frames[-1]["numbers"]["external_work"] > 0, "the base works on the body")


def check_moved(folder, mesh):
    frames = frames_of(folder, "moved", "constraints: [{set: wall, velocity: [0.5, 0, 0]}]\n"
                       f"steps: [{{dynamic: {{steps: 10, {KEYS}}}}}, {{dynamic: {{steps: 10, {KEYS}}}}}]\n")
    if frames:
        wall = mesh.points[:, 0] == 0
        for frame in frames:
            t = frame["numbers"]["time_steps"] * DT + (10 * DT if frame["numbers"]["name"] == b"step 2" else 0)
            expect(abs(field(frame, "displacement", mesh)[wall] - [0.5 * t, 0, 0]).max() < 1e-12, f"moved at {t}")
            expect(abs(field(frame, "velocity", mesh)[wall] - [0.5, 0, 0]).max() < 1e-12, f"velocity at {t}")


def check_flight(folder, mesh):
    """Nothing is constrained: momentum stays, and under gravity grows as it should."""
    frames = frames_of(folder, "flight", "loads: [{gravity: [0, 0, -10]}]\n"
                       f"steps: [{{dynamic: {{step: {DT}, steps: 20, tolerance: 1e-12, "
                       "initial: {velocity: {set: body, value: [1, 0, 2]}}}}]\n")
    if frames:
        mass = frames[0]["numbers"]["mass"]
        for frame in frames:
            t = frame["numbers"]["time"]
            wanted = mass * numpy.array([1, 0, 2 - 10 * t])
            expect(abs(frame["numbers"]["linear_momentum"] - wanted).max() < 1e-8 * mass, f"momentum in flight at {t}")
            expect(abs(field(frame, "displacement", mesh) - [t, 0, 2 * t - 5 * t * t]).max() < 1e-8, f"flight at {t}")


def check_snaps(folder):
    """A support that takes hold of a displaced end is told of; one of where the end is, or at rest, is not."""
    still = f"  - dynamic: {{steps: 2, {KEYS}"
    clamped = "  - {static: {}, constraints: [{set: wall, displacement: [0, 0, 0]}, {set: tip, displacement: [0, 0, 0.01]}]}\n"
    both = ", constraints: [{set: wall, displacement: [0, 0, 0]}, {set: tip, displacement: [0, 0, %s]}]\n"
    for name, value, start, snaps in (("snap", 0, "", True), ("stay", 0.01, "", False), ("rest", 0, ", initial: rest", False)):
        support.write(folder, name + ".yaml", HEAD + FIXED + "steps:\n" + clamped
                      + still + start + "}\n" + "    " + (both % value)[2:])
        out = support.run(program, "run", name + ".yaml", "-o", name, "--device", "host", folder=folder)
        expect(out is None or ("supports move" in out) == snaps, f"{name}: {out}")


def main():
    with tempfile.TemporaryDirectory(prefix="edgewise-starts-") as folder:
        support.run(program, "shape", "box", "--size", "1,0.2,0.3", "--cells", "8,2,3", "-o", "part.mesh", folder=folder)
        mesh = support.read_medit(os.path.join(folder, "part.mesh"))
        for check in (check_starts, check_shaken, check_moved, check_flight):
            check(folder, mesh)
        check_snaps(folder)
    return support.finish("starts of dynamic steps")


sys.exit(main())
