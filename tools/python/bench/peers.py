"""A body from NumPy arrays to its stress: Edgewise beside scikit-fem with PyAMG and SfePy with PyAMG, in turns, in
processor time.

    python tools/python/bench/peers.py [CELLS [ROUNDS]]        # 26 cells an edge: 105,456 tets

All get the same arrays, solve to 1e-8 of the load, and give the stress of each tet. scikit-fem assembles in NumPy, SfePy
in C; both solve by conjugate gradients with PyAMG's smoothed aggregation, which has the rigid-body modes for scikit-fem
and not through SfePy's own solver class. Threads: whatever each uses by itself; processor time counts
them all. Then 100 edits, each a tet less, solved and with its stress."""
import sys
import time

import numpy as np
import pyamg
import skfem
from sfepy.base.base import output
from sfepy.discrete import Equation, Equations, FieldVariable, Integral, Material, Problem
from sfepy.discrete.conditions import Conditions, EssentialBC
from sfepy.discrete.fem import FEDomain, Field, Mesh
from sfepy.mechanics.matcoefs import stiffness_from_youngpoisson
from sfepy.solvers.ls import PyAMGSolver
from sfepy.solvers.nls import Newton
from sfepy.terms import Term
from skfem.helpers import ddot, eye, sym_grad, trace

import edgewise as ew

YOUNG, POISSON, FORCE = 210e9, 0.3, 1000.0
LAM, MU = YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON)), YOUNG / (2 * (1 + POISSON))


@skfem.BilinearForm
def stiffness(u, v, w):
    strain = sym_grad(u)
    return ddot(2 * MU * strain + LAM * eye(trace(strain), 3), sym_grad(v))


@skfem.LinearForm
def traction(v, w):
    return -FORCE * v[2]


def of_skfem(points, tets):
    basis = skfem.Basis(skfem.MeshTet(points.T.copy(), tets.T.copy()),
                        skfem.ElementVector(skfem.ElementTetP1()), intorder=1)
    matrix = stiffness.assemble(basis)
    end = basis.mesh.facets_satisfying(lambda x: x[0] > 1 - 1e-9, boundaries_only=True)
    force = traction.assemble(basis.boundary(end))
    fixed = basis.get_dofs(lambda x: x[0] < 1e-9)
    a, b, x, free = skfem.condense(matrix, force, D=fixed)
    modes = np.zeros((3 * len(points), 6))
    order = basis.nodal_dofs
    for c in range(3):
        modes[order[c], c] = 1.0
        i, j = (c + 1) % 3, (c + 2) % 3
        modes[order[i], 3 + c], modes[order[j], 3 + c] = -points[:, j], points[:, i]
    levels = pyamg.smoothed_aggregation_solver(a.tobsr((3, 3)), B=modes[free], strength=("symmetric", {}))
    solution = levels.solve(b, tol=1e-8, accel="cg")
    x[free] = solution
    gradient = basis.interpolate(x).grad[..., 0]
    strain = 0.5 * (gradient + gradient.transpose(1, 0, 2))
    stress = 2 * MU * strain + LAM * np.einsum("iit->t", strain) * np.eye(3)[:, :, None]
    return x[order].T, np.stack([stress[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2))], axis=1)


def of_sfepy(points, tets):
    mesh = Mesh.from_data("body", points, None, [tets], [np.zeros(len(tets), dtype=np.int32)], ["3_4"])
    domain = FEDomain("domain", mesh)
    omega = domain.create_region("Omega", "all")
    wall = domain.create_region("wall", "vertices in x < 1e-9", "vertex")
    end = domain.create_region("end", f"vertices in x > {1 - 1e-9:.12g}", "facet")
    field = Field.from_args("u", np.float64, "vector", omega, approx_order=1)
    u, v = FieldVariable("u", "unknown", field), FieldVariable("v", "test", field, primary_var_name="u")
    steel = Material("m", D=stiffness_from_youngpoisson(3, YOUNG, POISSON))
    push = Material("f", val=np.array([[0.0], [0.0], [-FORCE]]))
    rule = Integral("i", order=1)
    inside = Term.new("dw_lin_elastic(m.D, v, u)", rule, omega, m=steel, v=v, u=u)
    outside = Term.new("dw_surface_ltr(f.val, v)", rule, end, f=push, v=v)
    problem = Problem("elasticity", equations=Equations([Equation("balance", inside - outside)]))
    problem.set_bcs(ebcs=Conditions([EssentialBC("fixed", wall, {"u.all": 0.0})]))
    levels = PyAMGSolver({"i_max": 500, "eps_r": 1e-8, "method": "smoothed_aggregation_solver", "accel": "cg"})
    problem.set_solver(Newton({"i_max": 1, "eps_a": 1e-30}, lin_solver=levels))
    state = problem.solve(save_results=False, verbose=False)
    stress = problem.evaluate("ev_cauchy_stress.1.Omega(m.D, u)", mode="el_avg", copy_materials=False,
                              verbose=False, var_dict={"u": u}, m=steel)
    return state.get_state_parts()["u"].reshape(-1, 3), np.squeeze(stress)[:, [0, 1, 2, 3, 5, 4]]


def of_edgewise(points, tets):
    model = ew.Model(points, tets)
    model.material = ew.Material(YOUNG, POISSON)
    model.supports = ew.Fixed(model.add_set("wall", lambda x: x[:, 0] < 1e-9))
    model.loads = ew.Traction(model.add_set("end", lambda x: x[:, 0] > 1 - 1e-9, of="faces"), (0, 0, -FORCE))
    model.solve(tolerance=1e-8)
    return model, model.stress


def timed(call, *arguments):
    time.sleep(0.5)  # until the waiting threads of the one before (OpenBLAS spins) have gone to sleep
    begin, wall = time.process_time(), time.perf_counter()
    made = call(*arguments)
    return made, time.process_time() - begin, time.perf_counter() - wall


def main():
    cells, rounds = int((sys.argv + ["26"])[1]), int((sys.argv + ["26", "5"])[2])
    mesh = ew.Mesh.box((1.0, 1.0, 1.0), (cells,) * 3)
    points, tets = mesh.points.copy(), mesh.tets.copy()
    print(f"{len(tets):,} tets, {ew.threads()} threads; processor seconds (seconds)")
    peers = {"scikit-fem + PyAMG": of_skfem, "SfePy + PyAMG": of_sfepy}
    times = {name: [] for name in ("edgewise", *peers)}
    for k in range(rounds):
        (model, stress), used, wall = timed(of_edgewise, points, tets)
        times["edgewise"].append((used, wall))
        for name, peer in peers.items():
            (u, theirs), used, wall = timed(peer, points, tets)
            times[name].append((used, wall))
            if k == 0:
                print(f"{name}: displacements differ by {abs(model.displacement - u).max() / abs(u).max():.1e}, "
                      f"stresses by {abs(stress - theirs).max() / abs(theirs).max():.1e} of the largest")
    for name, rows in times.items():
        used, wall = np.median(rows, axis=0)
        print(f"{name:20s} {used:7.3f} ({wall:.3f})")
    rng, edits = np.random.default_rng(1), []
    for _ in range(100):
        begin = time.process_time(), time.perf_counter()
        with model.edit() as e:
            e.remove_tets([rng.choice(model.live_tets)])
        model.solve(tolerance=1e-8)
        model.von_mises
        edits.append((time.process_time() - begin[0], time.perf_counter() - begin[1]))
    print("each of 100 edits, solved, with its stress: %.3f (%.3f)" % tuple(np.median(edits, axis=0)))


output.set_output(quiet=True)
main()
