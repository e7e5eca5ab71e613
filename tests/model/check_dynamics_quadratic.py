#!/usr/bin/python3
"""check_dynamics_quadratic.py PROGRAM SOURCE_DIR BUILD_DIR

Every scheme with quadratic tets against the same written out with the dense matrices of nodal functions
(quadratic_reference.py), where the program has hierarchical ones: displacement, velocity and acceleration of vertices
and of the middles of edges, energies. And a run that is stopped and goes on has the same bits."""
import os
import sys
import tempfile

import dynamics_reference as reference
import quadratic_reference
import support
from support import expect, numpy

program = sys.argv[1]
YOUNG, POISSON, DENSITY = 1e6, 0.3, 1000.0
STEPS, EVERY, TRACTION = 24, 6, numpy.array([300.0, 50.0, -200.0])
DAMPING = (2.0, 1e-4)
SCHEMES = (("newmark", 2e-3), ("hht", 2e-3), ("generalized-alpha", 2e-3), ("implicit-euler", 2e-3),
           ("central-difference", 5e-5), ("explicit-euler", 2e-5))
AGREE = 1e-7  # of the largest value


def case_of(scheme, dt, mass, damping):
    return f"""mesh: part.mesh
elements: quadratic
material: {{young: {YOUNG!r}, poisson: {POISSON!r}, density: {DENSITY!r}}}
sets:
  wall: {{plane: {{point: [0, 0, 0], normal: x}}, of: faces}}
  tip: {{plane: {{point: [1, 0, 0], normal: x}}, of: faces}}
amplitudes: {{wave: {{table: [[0, 0.2], [{8 * dt!r}, 1], [{16 * dt!r}, -0.5]]}}}}
constraints: [{{set: wall, displacement: [0, 0, 0]}}]
loads: [{{set: tip, traction: {list(map(float, TRACTION))}, amplitude: wave}}, {{gravity: [0, 0, -0.5]}}]
steps:
  - dynamic: {{step: {dt!r}, steps: {STEPS}, scheme: {scheme}, mass: {mass}, tolerance: 1e-12, output: {{every: {EVERY}}},
      damping: {{mass: {damping[0]}, stiffness: {damping[1]}}}}}
"""


def forces_of(points, tets):
    """Nodal forces of the traction: a third of a face on each middle; and of gravity, by its constant field: M g."""
    force, middles = numpy.zeros_like(points), quadratic_reference.MIDDLES
    on_tip = abs(points[:, 0] - 1) < 1e-9
    for tet in tets:
        for side in support.FACES:
            if on_tip[tet[side]].all():
                a, b, c = points[tet[side]]
                area = numpy.linalg.norm(numpy.cross(b - a, c - a)) / 2
                for k, ends in enumerate(middles):
                    if set(ends) <= set(side):
                        force[tet[4 + k]] += area / 3 * TRACTION
    return force.ravel()


def integrate(points, tets, scheme, dt, mass, damping):
    k, m = quadratic_reference.matrices(points, tets, YOUNG, POISSON, DENSITY, "lumped" if mass == "lumped" else "exact")
    pull, weight = forces_of(points, tets), m @ numpy.tile([0, 0, -0.5], len(points))  # all fall alike

    def force(t):
        return numpy.interp(t, [0, 8 * dt, 16 * dt], [0.2, 1, -0.5]) * pull + weight
    free = numpy.flatnonzero(numpy.repeat(abs(points[:, 0]) > 1e-9, 3))
    rest = numpy.zeros(points.size)
    motion = reference.Motion(m, damping[0] * m + damping[1] * k, k, force, free, rest, rest)
    states = []
    for n in range(STEPS + 1):
        states.append([x.reshape(-1, 3).copy() for x in (motion.u, motion.v, motion.a)])
        if n < STEPS:
            motion.step(dt, scheme, {})
    return states, m, k


def check(folder, scheme, dt, mass, damping):
    name = f"{scheme} {mass} {'damped' if damping[0] else 'undamped'}"
    path = os.path.join(folder, "run")
    support.write(folder, "run.yaml", case_of(scheme, dt, mass, damping))
    if support.run(program, "run", path + ".yaml", "-o", path, "--device", "host", "--quiet", "--verify-rebuild") is None:
        return
    frames = support.read_frames(path + ".vtkhdf")
    states, m, k = integrate(frames[0]["Points"], frames[0]["Tets"], scheme, dt, mass, damping)
    expect(len(frames) == STEPS // EVERY + 1, f"{name}: {len(frames)} frames")
    largest = [max(abs(state[i]).max() for state in states) for i in range(3)]
    worst = 0.0
    for i, frame in enumerate(frames):
        for field, wanted, scale in zip(("displacement", "velocity", "acceleration"), states[i * EVERY], largest):
            error = abs(frame["PointData/" + field] - wanted).max() / scale
            worst = max(worst, error)
            expect(error < AGREE, f"{name}: {field} of output {i} is off by {error:.1e}")
        u, v = (x.ravel() for x in states[i * EVERY][:2])
        for key, wanted in (("kinetic_energy", v @ m @ v / 2), ("strain_energy", u @ k @ u / 2)):
            expect(abs(frame["numbers"][key] - wanted) <= 1e-6 * abs(wanted) + 1e-12, f"{name}: {key} of output {i}")
    energy = max(frame["numbers"]["kinetic_energy"] for frame in frames)
    balance = abs(frames[-1]["numbers"]["energy_balance"]) / energy
    if scheme == "newmark":
        expect(balance < 1e-9, f"{name}: balance {balance}")
    print(f"{name}: off by at most {worst:.1e}, balance {balance:.1e} of the energy")


with tempfile.TemporaryDirectory(prefix="edgewise-dynamics-") as where:
    support.run(program, "shape", "box", "--size", "1,0.3,0.4", "--cells", "3,1,1", "-o", os.path.join(where, "part.mesh"))
    for scheme_, dt_ in SCHEMES:
        for mass_ in ("lumped", "consistent"):
            for damping_ in ((0.0, 0.0), DAMPING):
                if scheme_ != "explicit-euler" or damping_[0]:  # stable at no step without
                    check(where, scheme_, dt_, mass_, damping_)
sys.exit(support.finish("dynamics of quadratic tets"))
