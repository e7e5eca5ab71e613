"""The system of a box under its weight by PETSc: block rows (MPIBAIJ) and conjugate gradients with smoothed aggregation
(GAMG) that is told the rigid motions, beside edgewise-mpi on the same mesh (PROCESSES.md). In: a Medit mesh. Out: a line.
Debian packages: python3-petsc4py-real.
Usage: mpirun -n N python3 bench/processes_petsc.py MESH [PETSC OPTION...]."""
import os
import re
import resource
import sys
import tempfile
import time

import petsc4py

petsc4py.init([sys.argv[0], *sys.argv[2:]])
import numpy
from petsc4py import PETSc

YOUNG, POISSON, DENSITY, WEIGHT = 210e9, 0.3, 7850.0, 9.81
STRETCH = 50000  # tets whose blocks are added up at once
world = PETSc.COMM_WORLD
rank, n_rank = world.getRank(), world.getSize()


def read(path):
    """Points and corners, from 0, of the sections that Edgewise writes."""
    text = open(path, encoding="ascii").read()
    found = {}
    for name, wide in (("Vertices", 4), ("Tetrahedra", 5)):
        head = re.search(name + r"\s+(\d+)\s+", text)
        n = int(head[1])
        found[name] = numpy.fromstring(text[head.end():], sep=" ", count=n * wide).reshape(n, wide)
    return found["Vertices"][:, :3], found["Tetrahedra"][:, :4].astype(numpy.int64) - 1


def blocks_of(points, tets):
    """K_ab = V (lambda g_a g_b' + mu g_b g_a' + mu (g_a . g_b) I), [tets][4][4][3][3], and volumes."""
    corner = points[tets]
    edge = corner[:, 1:] - corner[:, :1]
    volume = numpy.linalg.det(edge) / 6.0
    slope = numpy.linalg.inv(edge).transpose(0, 2, 1)
    g = numpy.concatenate([-slope.sum(1, keepdims=True), slope], 1)
    lame = YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON)), YOUNG / (2 * (1 + POISSON))
    outer = numpy.einsum("tai,tbj->tabij", g, g)
    k = lame[0] * outer + lame[1] * outer.transpose(0, 1, 2, 4, 3)
    k += lame[1] * numpy.trace(outer, axis1=3, axis2=4)[..., None, None] * numpy.eye(3)
    return k * volume[:, None, None, None, None], volume


def add_up(key, value):
    order = numpy.argsort(key, kind="stable")
    key = key[order]
    first = numpy.flatnonzero(numpy.concatenate([[True], key[1:] != key[:-1]]))
    return key[first], numpy.add.reduceat(value[order], first, axis=0)


def rows_of(points, tets, begin, end):
    """Block rows begin to end with supports eliminated, and the weight."""
    n = len(points)
    fixed = points[:, 2] < 1e-6
    own = ((tets >= begin) & (tets < end)).any(1)
    tets = tets[own]
    force = numpy.zeros(n)
    keys, values = [numpy.arange(begin, end) * (n + 1)], [numpy.zeros((end - begin, 9))]
    for at in range(0, len(tets), STRETCH):
        some = tets[at:at + STRETCH]
        k, volume = blocks_of(points, some)
        for a in range(4):
            force += numpy.bincount(some[:, a], volume * (DENSITY * WEIGHT / 4), n)
        row, column = numpy.repeat(some, 4, 1).ravel(), numpy.tile(some, (1, 4)).ravel()
        keep = (row >= begin) & (row < end) & ~fixed[row] & ~fixed[column]
        key, value = add_up((row * n + column)[keep], k.reshape(-1, 9)[keep])
        keys.append(key)
        values.append(value)
    key, value = add_up(numpy.concatenate(keys), numpy.concatenate(values))
    row, column = key // n, key % n
    value[(row == column) & fixed[row]] = numpy.eye(3).ravel() * YOUNG
    index = numpy.searchsorted(row, numpy.arange(begin, end + 1))
    load = numpy.zeros((end - begin, 3))
    load[:, 0] = numpy.where(fixed, 0.0, force)[begin:end]
    return index.astype(PETSc.IntType), column.astype(PETSc.IntType), value, load


def largest(number):
    return world.tompi4py().allreduce(number, op=max) if n_rank > 1 else number


def logged(path):
    """Of the log of PETSc: messages and bytes that a process has sent at most, and the same of the solve alone."""
    text = open(path, encoding="utf-8").read()
    solve = re.search(r"^KSPSolve +\d+ \S+ \S+ \S+ \S+ \S+ (\S+) (\S+) (\S+)", text, re.M)
    return float(solve[1]), float(solve[2]), float(solve[3])


def solve(index, column, value, load, points):
    n_row, n = 3 * len(load), 3 * len(points)
    matrix = PETSc.Mat().createBAIJ(((n_row, n), (n_row, n)), 3, csr=(index, column, value.reshape(-1, 3, 3)))
    right = matrix.createVecLeft()
    left = matrix.createVecRight()
    place = matrix.createVecLeft()
    right.setArray(load.ravel())
    first = right.getOwnershipRange()[0] // 3
    place.setBlockSize(3)
    place.setArray(points[first:first + len(load)].ravel())
    scalar = matrix.convert(PETSc.Mat.Type.AIJ, PETSc.Mat())  # GAMG reads no blocks
    scalar.setBlockSize(3)
    scalar.setNearNullSpace(PETSc.NullSpace().createRigidBody(place))
    solver = PETSc.KSP().create(world)
    solver.setOperators(matrix, scalar)
    solver.setType("cg")
    solver.setNormType(PETSc.KSP.NormType.UNPRECONDITIONED)
    solver.setTolerances(rtol=1e-8, max_it=2000)
    solver.getPC().setType("gamg")
    solver.setFromOptions()
    times = [time.process_time()]
    solver.setUp()
    times.append(time.process_time())
    solver.solve(right, left)
    times.append(time.process_time())
    return solver.getIterationNumber(), times[1] - times[0], times[2] - times[1], left.norm(PETSc.NormType.NORM_INFINITY)


def main():
    PETSc.Log.begin()
    points, tets = read(sys.argv[1])
    n = len(points)
    system = rows_of(points, tets, n * rank // n_rank, n * (rank + 1) // n_rank)
    del tets
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    iterations, setup, seconds, moved = solve(*system, points)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(world.tompi4py().bcast(folder) if n_rank > 1 else folder, "log")
        viewer = PETSc.Viewer().createASCII(path, comm=world)
        PETSc.Log.view(viewer)
        viewer.destroy()
        numbers = largest(memory), largest(before), largest(setup), largest(seconds)
        if rank == 0:
            messages, length, sums = logged(path)
            print(f"{n_rank} processes: {iterations} iterations, {numbers[2]:.1f} s set-up, {numbers[3]:.1f} s solve, "
                  f"{messages / n_rank / iterations:.0f} messages of {length:.0f} bytes and {sums / iterations:.1f} sums an "
                  f"iteration, {numbers[0]:.0f} MB ({numbers[1]:.0f} before), largest displacement {moved:.8g}")


main()
