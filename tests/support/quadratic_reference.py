"""Stiffness and mass of tets with 4 or 10 nodes and straight sides in nodal functions, by integration at points: for the
checks of quadratic tets. Matrices are dense: for small meshes."""
import dynamics_reference as reference
from support import numpy

# Points of a tet and their weights: one; four, exact to degree 2; and 125 by Gauss and Jacobi's rule on a cube that is
# folded to a tet, exact to degree 7.
NEAR, FAR = (5 + 3 * 5 ** 0.5) / 20, (5 - 5 ** 0.5) / 20
MIDDLES = [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]  # of VTK and CalculiX


def exact_rule():
    x, w = numpy.polynomial.legendre.leggauss(5)
    x, w = (x + 1) / 2, w / 2
    for a, p in zip(x, w):
        for b, q in zip(x, w):
            for c, r in zip(x, w):
                l = (a, (1 - a) * b, (1 - a) * (1 - b) * c)
                yield 6 * p * q * r * (1 - a) ** 2 * (1 - b), (1 - sum(l), *l)


RULES = {1: [(1, (0.25,) * 4)], 4: [(0.25, tuple(NEAR if i == k else FAR for i in range(4))) for k in range(4)],
         "exact": list(exact_rule())}


def functions(l, n):
    """Values of the nodal functions of a tet with 4 or 10 nodes, and their derivatives [n][4] by l."""
    if n == 4:
        return numpy.array(l), numpy.eye(4)
    slope = numpy.zeros((10, 4))
    for i in range(4):
        slope[i, i] = 4 * l[i] - 1
    for k, (a, b) in enumerate(MIDDLES):
        slope[4 + k, a], slope[4 + k, b] = 4 * l[b], 4 * l[a]
    return numpy.array([x * (2 * x - 1) for x in l] + [4 * l[a] * l[b] for a, b in MIDDLES]), slope


def lumped(n):
    """Shares of a tet's mass by node: the diagonal of the consistent mass, scaled."""
    own = sum(weight * functions(l, n)[0] ** 2 for weight, l in RULES["exact"])
    return numpy.diag(own / own.sum())


def matrices(points, tets, young, poisson, density, rule):
    """K and M [3 n][3 n]; rule: that of the mass, one of RULES or "lumped"."""
    n = tets.shape[1]
    volume, gradient = reference.gradients(points, tets[:, :4])
    lame, shear = young * poisson / ((1 + poisson) * (1 - 2 * poisson)), young / (2 * (1 + poisson))
    k, m = numpy.zeros((len(tets), n, 3, n, 3)), numpy.zeros((n, n))
    for weight, l in RULES[4]:
        g = numpy.einsum("na,tac->tnc", functions(l, n)[1], gradient)
        k += weight * (lame * numpy.einsum("tai,tbj->taibj", g, g) + shear * numpy.einsum("taj,tbi->taibj", g, g) +
                       shear * numpy.einsum("tac,tbc,ij->taibj", g, g, numpy.eye(3)))
    for weight, l in RULES.get(rule, ()):
        m += weight * numpy.outer(functions(l, n)[0], functions(l, n)[0])
    if rule == "lumped":
        m = lumped(n)
    m = numpy.einsum("t,ab,ij->taibj", density * volume, m, numpy.eye(3))
    rows = (3 * tets[:, :, None] + numpy.arange(3)).reshape(len(tets), 3 * n)
    both = []
    for block in (volume[:, None, None, None, None] * k, m):
        matrix = numpy.zeros((len(points) * 3,) * 2)
        numpy.add.at(matrix, (rows[:, :, None], rows[:, None, :]), block.reshape(-1, 3 * n, 3 * n))
        both.append(matrix)
    return both
