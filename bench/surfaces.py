"""Closed surfaces that no setting of Edgewise was chosen by, as OFF files, for precondition.sh: a
trefoil knot's tube, a coil spring, a ball with spikes, a twisted ring of square section.
usage: surfaces.py FOLDER"""
import math
import os
import sys


def norm(v):
    size = math.sqrt(sum(c * c for c in v))
    return [c / size for c in v]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def tube(curve, section, n, m, closed):
    """A section (angle, station -> two coordinates) along a curve (0..1 -> point); ends are capped."""
    points, faces = [], []
    for i in range(n if closed else n + 1):
        at, step = i / n, 1e-5
        middle = curve(at)
        along = norm([b - a for a, b in zip(curve(at - step), curve(at + step))])
        side = norm(cross(along, [0.0, 0.1, 1.0]))
        up = cross(side, along)
        for k in range(m):
            x, y = section(2 * math.pi * k / m, at)
            points.append([c + x * a + y * b for c, a, b in zip(middle, side, up)])
    for i in range(n):
        for k in range(m):
            a, b = i * m + k, i * m + (k + 1) % m
            c, d = (a + m) % len(points), (b + m) % len(points)
            faces += [(a, b, d), (a, d, c)]
    if not closed:
        points += [curve(0.0), curve(1.0)]
        first, last = len(points) - 2, len(points) - 1
        for k in range(m):
            faces += [(first, (k + 1) % m, k), (last, n * m + k, n * m + (k + 1) % m)]
    return points, faces


def trefoil(at):
    t = 2 * math.pi * at
    return [math.sin(t) + 2 * math.sin(2 * t), math.cos(t) - 2 * math.cos(2 * t), -math.sin(3 * t)]


def coil(at):
    t = 2 * math.pi * 5 * at
    return [math.cos(t), 2.5 * at, math.sin(t)]


def ring(at):
    t = 2 * math.pi * at
    return [2 * math.cos(t), 2 * math.sin(t), 0.0]


def round_section(radius):
    return lambda angle, at: (radius * math.cos(angle), radius * math.sin(angle))


def square_section(angle, at):
    turn, size = 2 * math.pi * at, 0.6 / max(abs(math.cos(angle)), abs(math.sin(angle)))
    return size * math.cos(angle + turn), size * math.sin(angle + turn)


def spiked_ball(n, m):
    """Rings between two poles; the radius has twenty-odd spikes."""
    points, faces = [[0.0, 1.0, 0.0], [0.0, -1.0, 0.0]], []
    for i in range(1, n):
        polar = math.pi * i / n
        for k in range(m):
            angle = 2 * math.pi * k / m
            spike = abs(math.sin(3 * polar) * math.cos(4 * angle)) ** 12 * math.sin(polar)
            radius = 1 + 0.9 * spike
            points.append([radius * math.sin(polar) * math.cos(angle), radius * math.cos(polar),
                           radius * math.sin(polar) * math.sin(angle)])
    for k in range(m):
        near, far = 2 + k, 2 + (k + 1) % m
        faces.append((0, far, near))
        faces.append((1, near + (n - 2) * m, far + (n - 2) * m))
        for i in range(n - 2):
            a, b = near + i * m, far + i * m
            faces += [(a, b, b + m), (a, b + m, a + m)]
    return points, faces


def write(path, surface):
    points, faces = surface
    with open(path, "w", encoding="ascii") as file:
        file.write(f"OFF\n{len(points)} {len(faces)} 0\n")
        file.writelines(" ".join(f"{c:.9g}" for c in point) + "\n" for point in points)
        file.writelines("3 " + " ".join(map(str, face)) + "\n" for face in faces)


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    write(os.path.join(folder, "knot.off"), tube(trefoil, round_section(0.35), 280, 22, True))
    write(os.path.join(folder, "coil.off"), tube(coil, round_section(0.12), 500, 12, False))
    write(os.path.join(folder, "spikes.off"), spiked_ball(48, 72))
    write(os.path.join(folder, "ring.off"), tube(ring, square_section, 100, 24, True))


main()
