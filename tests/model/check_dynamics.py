#!/usr/bin/python3
"""check_dynamics.py PROGRAM SOURCE_DIR BUILD_DIR

Dynamic steps of the program against an integration of its own in NumPy (dynamics_reference.py): the
same mesh, matrices assembled and schemes written there, direct solves. Every scheme, lumped and consistent mass,
with damping and without, 50 tets removed in the middle of the run; displacement, velocity, acceleration and
reaction of every output, the account of energy and momentum, and the probes."""
import csv
import os
import sys
import tempfile

import dynamics_reference as reference
import support
from support import expect, h5py, numpy

program, source = sys.argv[1], sys.argv[2]
YOUNG, POISSON, DENSITY = 1e6, 0.3, 1000.0
DAMPING = (2.0, 1e-5)
STEPS, EVERY, CUT = 24, 6, 9  # the cut comes before time step CUT, between two outputs
# What a solver leaves at its tolerance of 1e-12 adds up over the steps; measured below 2e-9.
AGREE = 1e-8

SCHEMES = [  # name, parameters, time step; the explicit ones below their stable step
    ("newmark", {}, 2e-3),
    ("newmark", {"beta": 0.3025, "gamma": 0.6}, 2e-3),
    ("hht", {"alpha": -0.1}, 2e-3),
    ("generalized-alpha", {"spectral_radius": 0.6}, 2e-3),
    ("implicit-euler", {}, 2e-3),
    ("central-difference", {}, 2e-4),
    ("explicit-euler", {}, 2e-6),
]


def mesh_of(folder):
    path = os.path.join(folder, "part.mesh")
    support.run(program, "shape", "box", "--size", "1,0.2,0.3", "--cells", "10,2,3", "-o", path)
    return support.read_medit(path)


def case_of(scheme, parameters, dt, mass, damping, removed):
    keys = "".join(f", {key}: {value}" for key, value in parameters.items())
    return f"""mesh: part.mesh
elements: linear
material: {{young: {YOUNG}, poisson: {POISSON}, density: {DENSITY}}}
sets:
  wall: {{plane: {{point: [0, 0, 0], normal: x}}}}
  tip: {{plane: {{point: [1, 0, 0], normal: x}}}}
amplitudes:
  pulse: {{table: [[0, 0.2], [{8 * dt!r}, 1], [{16 * dt!r}, -0.5]]}}
constraints:
  - {{set: wall, displacement: [0, 0, 0]}}
loads:
  - {{set: tip, force: [0.1, 0.05, -0.2], amplitude: pulse}}
  - {{set: tip, force: [0, 0.1, 0]}}
steps:
  - name: swing
    dynamic: {{step: {dt!r}, steps: {STEPS}, scheme: {scheme}{keys}, mass: {mass}, tolerance: 1e-12,
      damping: {{mass: {damping[0]}, stiffness: {damping[1]}}}, output: {{every: {EVERY}}}, probes: [tip, wall],
      initial: {{velocity: {{set: tip, value: [0, 0, 0.3]}}, displacement: {{set: tip, value: [1e-4, 0, 0]}}}},
      edits: [{{at: {CUT * dt!r}, remove: {{ids: [{", ".join(map(str, removed))}]}}}}]}}
"""


def force_of(mesh, dt, t):
    force = numpy.zeros_like(mesh.points)
    factor = numpy.interp(t, [0, 8 * dt, 16 * dt], [0.2, 1, -0.5])
    force[mesh.points[:, 0] == 1] = factor * numpy.array([0.1, 0.05, -0.2]) + [0, 0.1, 0]
    return force.ravel()


def integrate(mesh, removed, scheme, parameters, dt, mass, damping):
    """States at the outputs: (t, u, v, a, reaction, M, K), and those of every step."""
    kept = numpy.delete(numpy.arange(len(mesh.tets)), removed)
    matrices = []
    for tets in (mesh.tets, mesh.tets[kept]):
        m = reference.mass(mesh.points, tets, DENSITY, mass)
        k = reference.stiffness(mesh.points, tets, YOUNG, POISSON)
        matrices.append((m, damping[0] * m + damping[1] * k, k))
    free = numpy.flatnonzero(numpy.repeat(mesh.points[:, 0] != 0, 3))
    tip = mesh.points[:, 0] == 1
    u, v = numpy.zeros_like(mesh.points), numpy.zeros_like(mesh.points)
    u[tip], v[tip] = [1e-4, 0, 0], [0, 0, 0.3]
    motion = reference.Motion(*matrices[0], lambda t: force_of(mesh, dt, t), free, u.ravel(), v.ravel())
    states = []
    for n in range(STEPS + 1):
        m, c, k = motion.m, motion.c, motion.k
        reaction = k @ motion.u + c @ motion.v + m @ motion.a - motion.force(motion.t)
        reaction[free] = 0
        states.append([motion.t] + [x.reshape(-1, 3) for x in (motion.u.copy(), motion.v.copy(), motion.a.copy(),
                                                               reaction)] + [m, k])
        if n == CUT:
            motion.take(*matrices[1])
        if n < STEPS:
            motion.step(dt, scheme, parameters)
    return states


def off(found, wanted, scale=None):
    return abs(found - wanted).max() / (abs(wanted).max() if scale is None else scale)


def check_frames(name, mesh, frames, states):
    expect(len(frames) == STEPS // EVERY + 1, f"{name}: {len(frames)} frames")
    largest = [max(abs(state[k]).max() for state in states) for k in range(1, 5)]
    worst = 0.0
    for i, frame in enumerate(frames):
        t, *fields, m, k = states[i * EVERY]
        expect(abs(frame["numbers"]["time"] - t) <= 1e-12 * states[-1][0], f"{name}: time of frame {i}")
        for field, wanted, scale in zip(("displacement", "velocity", "acceleration", "reaction"), fields, largest):
            error = off(support.by_id(frame, field, len(mesh.points)), wanted, scale)
            worst = max(worst, error)
            expect(error < AGREE, f"{name}: {field} of output {i} is off by {error:.1e}")
        check_account(name, mesh, frame["numbers"], fields, m, k)
    return worst


def check_account(name, mesh, numbers, fields, m, k):
    u, v = fields[0].ravel(), fields[1].ravel()
    momentum = (m @ v).reshape(-1, 3)
    for key, wanted in (("kinetic_energy", v @ (m @ v) / 2), ("strain_energy", u @ (k @ u) / 2)):
        expect(abs(numbers[key] - wanted) <= 1e-7 * max(abs(wanted), 1e-12), f"{name}: {key} {numbers[key]}, {wanted}")
    for key, wanted in (("linear_momentum", momentum.sum(axis=0)),
                        ("angular_momentum", numpy.cross(mesh.points, momentum).sum(axis=0))):
        expect(abs(numbers[key] - wanted).max() <= 1e-7 * abs(momentum).sum(), f"{name}: {key}")


def check_probes(name, mesh, path, states):
    """Every time step, in the file and in the table."""
    tip, wall = (numpy.flatnonzero(mesh.points[:, 0] == x) for x in (1, 0))
    largest = [max(abs(state[k]).max() for state in states) for k in range(1, 5)]
    with h5py.File(path + ".vtkhdf", "r") as file:
        probes = {p.attrs["name"].decode(): {key: p[key][()] for key in p} for p in file["Edgewise/Probes"].values()}
    with open(path + ".probes.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    expect(sorted(probes) == ["tip", "wall"] and len(rows) == 2 * (STEPS + 1), f"{name}: probes {sorted(probes)}")
    for probe, vertices in (("tip", tip), ("wall", wall)):
        found, own = probes[probe], [row for row in rows if row["probe"] == probe]
        expect(len(found["time"]) == STEPS + 1, f"{name}: {len(found['time'])} samples")
        for n, state in enumerate(states):
            wanted = [state[k][vertices].mean(axis=0) for k in (1, 2, 3)] + [state[4][vertices].sum(axis=0)]
            for key, value, scale in zip(("displacement", "velocity", "acceleration", "reaction"), wanted, largest):
                error = off(found[key][n], value, scale)
                expect(error < AGREE * 10, f"{name}: {key} of probe {probe} in step {n} is off by {error:.1e}")
                same = [float(own[n][f"{key}_{c}"]) for c in "xyz"] == list(found[key][n])
                expect(same, f"{name}: row of {probe} in step {n}")


def check(folder, mesh, removed, scheme, parameters, dt, mass, damping):
    name = f"{scheme} {parameters or ''} {mass} {'damped' if damping[0] else 'undamped'}"
    path = os.path.join(folder, "run")
    with open(path + ".yaml", "w", encoding="utf-8") as file:
        file.write(case_of(scheme, parameters, dt, mass, damping, removed))
    if support.run(program, "run", path + ".yaml", "-o", path, "--device", "host", "--quiet", "--verify-rebuild") is None:
        return
    states = integrate(mesh, removed, scheme, parameters, dt, mass, damping)
    frames = support.read_frames(path + ".vtkhdf")
    worst = check_frames(name, mesh, frames, states)
    check_probes(name, mesh, path, states)
    expect(len(frames[-1]["Tets"]) == len(mesh.tets) - 50, f"{name}: {len(frames[-1]['Tets'])} tets at the end")
    numbers = frames[-1]["numbers"]
    scale = max(frame["numbers"]["kinetic_energy"] for frame in frames)
    if scheme == "newmark" and not parameters and not damping[0]:
        expect(abs(numbers["energy_balance"]) < 1e-9 * scale, f"{name}: balance {numbers['energy_balance']}")
    expect(numbers["edit_work"] < 0, f"{name}: edit work {numbers['edit_work']}")
    print(f"{name}: off by at most {worst:.1e}, balance {numbers['energy_balance'] / scale:.1e} of the energy")


def main():
    with tempfile.TemporaryDirectory(prefix="edgewise-dynamics-") as folder:
        mesh = mesh_of(folder)
        centers = mesh.points[mesh.tets].mean(axis=1)
        # 50 tets inside of the far half, so that no vertex is left without any.
        removed = sorted(numpy.flatnonzero((centers[:, 0] > 0.5) & (centers[:, 0] < 0.95))[::3][:50])
        left = numpy.delete(mesh.tets, removed, axis=0)
        expect(len(removed) == 50 and len(numpy.unique(left)) == len(mesh.points), "the tets to remove")
        for scheme, parameters, dt in SCHEMES:
            for mass in ("lumped", "consistent"):
                for damping in ((0.0, 0.0), DAMPING):
                    if scheme == "explicit-euler" and not damping[0]:
                        continue  # stable at no step
                    check(folder, mesh, removed, scheme, parameters, dt, mass, damping)
    return support.finish("dynamics")


sys.exit(main())
