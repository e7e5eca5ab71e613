"""Stiffness and mass of linear tets, and schemes in time, written here from the literature for the checks
of dynamic steps: nothing is taken from the program but the mesh. Matrices are dense: for small meshes."""
from support import numpy


def scatter(tets, n, block):
    """Matrix [3 n][3 n] of the blocks [m][4][3][4][3] of tets."""
    rows = (3 * tets[:, :, None] + numpy.arange(3)).reshape(len(tets), 12)
    matrix = numpy.zeros((3 * n, 3 * n))
    numpy.add.at(matrix, (rows[:, :, None], rows[:, None, :]), block.reshape(-1, 12, 12))
    return matrix


def gradients(points, tets):
    """Volumes [m] and gradients [m][4][3] of the four functions of each tet."""
    corner = points[tets]
    edges = corner[:, 1:] - corner[:, :1]
    inverse = numpy.linalg.inv(edges)
    gradient = numpy.empty((len(tets), 4, 3))
    gradient[:, 1:] = numpy.swapaxes(inverse, 1, 2)
    gradient[:, 0] = -gradient[:, 1:].sum(axis=1)
    return numpy.linalg.det(edges) / 6, gradient


def stiffness(points, tets, young, poisson):
    lame = young * poisson / ((1 + poisson) * (1 - 2 * poisson))
    shear = young / (2 * (1 + poisson))
    volume, g = gradients(points, tets)
    dot = numpy.einsum("tac,tbc->tab", g, g)
    block = (lame * numpy.einsum("tai,tbj->taibj", g, g) +
             shear * numpy.einsum("taj,tbi->taibj", g, g) +
             shear * numpy.einsum("tab,ij->taibj", dot, numpy.eye(3)))
    return scatter(tets, len(points), volume[:, None, None, None, None] * block)


def mass(points, tets, density, kind):
    """kind: lumped, consistent, or one-point, which is CalculiX's: all of it at the centroid."""
    volume, _ = gradients(points, tets)
    share = {"lumped": numpy.eye(4) / 4, "consistent": (numpy.ones((4, 4)) + numpy.eye(4)) / 20,
             "one-point": numpy.ones((4, 4)) / 16}[kind]
    block = numpy.einsum("ab,ij->aibj", share, numpy.eye(3))
    return scatter(tets, len(points), density * volume[:, None, None, None, None] * block)


class Motion:
    """State u, v, a [3 n] of M a + C v + K u = f(t) with the unknowns `free`, the others at rest."""

    def __init__(self, m, c, k, force, free, u, v, t=0.0):
        self.force, self.u, self.v, self.t = force, u.copy(), v.copy(), t
        self.free = free
        self.take(m, c, k)

    def take(self, m, c, k):
        """Other matrices, of a mesh that was edited: the acceleration is found again."""
        self.m, self.c, self.k = m, c, k
        self.solvers = {}
        rest = self.force(self.t) - c @ self.v - k @ self.u
        self.a = self.solve("mass", self.m, rest)

    def solve(self, name, matrix, rhs):
        if name not in self.solvers:
            self.solvers[name] = numpy.linalg.inv(matrix[numpy.ix_(self.free, self.free)])
        out = numpy.zeros_like(rhs)
        out[self.free] = self.solvers[name] @ rhs[self.free]
        return out

    def alpha_step(self, dt, alpha_m, alpha_f, beta, gamma):
        """Chung & Hulbert 1993; Newmark with 0, 0; Hilber, Hughes & Taylor with 0, -alpha."""
        m, c, k = self.m, self.c, self.k
        u = self.u + dt * self.v + dt * dt * (0.5 - beta) * self.a
        v = self.v + dt * (1 - gamma) * self.a
        f = (1 - alpha_f) * self.force(self.t + dt) + alpha_f * self.force(self.t)
        rest = (f - alpha_m * (m @ self.a) - c @ ((1 - alpha_f) * v + alpha_f * self.v) -
                k @ ((1 - alpha_f) * u + alpha_f * self.u))
        matrix = ((1 - alpha_m) * m + (1 - alpha_f) * (gamma * dt * c + beta * dt * dt * k))
        self.a = self.solve("step", matrix, rest)
        self.u = u + beta * dt * dt * self.a
        self.v = v + gamma * dt * self.a

    def step(self, dt, scheme, parameters):
        m, c, k = self.m, self.c, self.k
        if scheme == "newmark":
            self.alpha_step(dt, 0, 0, parameters.get("beta", 0.25), parameters.get("gamma", 0.5))
        elif scheme == "hht":
            alpha = parameters.get("alpha", -0.05)
            self.alpha_step(dt, 0, -alpha, (1 - alpha) ** 2 / 4, 0.5 - alpha)
        elif scheme == "generalized-alpha":
            r = parameters.get("spectral_radius", 0.8)
            alpha_m, alpha_f = (2 * r - 1) / (r + 1), r / (r + 1)
            self.alpha_step(dt, alpha_m, alpha_f, (1 - alpha_m + alpha_f) ** 2 / 4,
                            0.5 - alpha_m + alpha_f)
        elif scheme == "implicit-euler":
            rest = m @ self.v + dt * (self.force(self.t + dt) - k @ self.u)
            v = self.solve("step", m + dt * c + dt * dt * k, rest)
            self.a, self.v, self.u = (v - self.v) / dt, v, self.u + dt * v
        elif scheme == "explicit-euler":
            self.u, self.v = self.u + dt * self.v, self.v + dt * self.a
            rest = self.force(self.t + dt) - c @ self.v - k @ self.u
            self.a = self.solve("mass", m, rest)
        else:
            half = self.v + dt / 2 * self.a
            self.u = self.u + dt * half
            rest = self.force(self.t + dt) - c @ half - k @ self.u
            self.a = self.solve("mass", m, rest)
            self.v = half + dt / 2 * self.a
        self.t += dt
