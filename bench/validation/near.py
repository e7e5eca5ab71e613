#!/usr/bin/python3
"""near.py BUILD_DIR [-o bench/validation/CONTACT.md] [--repeat 3]: pairs of faces and distances from surfaces beside ipctk, on surfaces that are random and
ill-posed: two plates of unlike meshes, crumpled until they cross each other; needles; a cloud of tets of all sizes that cross. The boundary faces of
region 1 are slaves, those of region 2 masters.

Pairs: those whose boxes are nearer than a distance, which ipctk's broad phase finds between boxes that are larger by half of it on each side; and all
vertices and faces, and edges and edges, that are nearer than the distance, between faces that must be pairs here. Distances: of random points from a
closed surface beside the least of ipctk's distances from its triangles. Milliseconds of a processor, the least of three; ipctk (pip install ipctk) on one thread,
lists of its pairs included, where it rounds boxes to float by more. near.c is compiled with the library of BUILD_DIR.
"""
import argparse
import os
import random
import subprocess
import tempfile
import time

import ipctk
import numpy

import contact

MOST = 50000  # candidates that are looked at of each kind, drawn by chance


def plate(n, m, at, height, needle):
    """n x m x 1 cells, each corner moved by up to 0.4 cells and heights by up to 3: sides cross each other."""
    part = contact.Part((n, m, 1), lambda x, y, z: (x / n, y / m * needle, at + height * z / n))
    draw = numpy.random.default_rng(n + m)
    points = part.points + draw.uniform(-1, 1, part.points.shape) * (0.4 / n, 0.4 / m * needle, 0.0)
    wave = numpy.sin(19 * points[:, 0]) * numpy.cos(23 * points[:, 1] / needle) * 3.0 / n
    points[:, 2] += wave
    return points, part.tets


def cloud(n, seed):
    """Tets that share nothing, their sizes from 1e-4 to 0.1."""
    draw = numpy.random.default_rng(seed)
    size = 10.0 ** draw.uniform(-4, -1, n)
    points = draw.uniform(0, 1, (n, 1, 3)) + draw.uniform(-1, 1, (n, 4, 3)) * size[:, None, None]
    return points.reshape(-1, 3), numpy.arange(4 * n).reshape(-1, 4)


def bodies(n_face):
    n = round((n_face / 9) ** 0.5)
    yield f"crumpled plates that cross, {n} and {round(1.3 * n)} cells", plate(n, n, 0.0, 1.0, 1.0), plate(round(1.3 * n), round(1.3 * n), 1.0 / n, 1.0, 1.0), 0.25 / n
    yield "the same as needles, 1 : 1,000", plate(n, n, 0.0, 1.0, 1e-3), plate(round(1.3 * n), round(1.3 * n), 1.0 / n, 1.0, 1e-3), 1e-4 / n
    yield "clouds of tets of all sizes", cloud(n_face // 8, 1), cloud(n_face // 8, 2), 1e-2


def write_mesh(path, points, tets, region):
    volume = numpy.linalg.det(points[tets[:, 1:]] - points[tets[:, :1]])
    tets[volume < 0] = tets[volume < 0][:, [0, 2, 1, 3]]
    with open(path, "w", encoding="ascii") as file:
        file.write("MeshVersionFormatted 2\nDimension 3\nVertices %d\n" % len(points))
        file.writelines("%.17g %.17g %.17g 0\n" % tuple(p) for p in points)
        file.write("Tetrahedra %d\n" % len(tets))
        file.writelines("%d %d %d %d %d\n" % (*t, r) for t, r in zip(tets + 1, region))
        file.write("End\n")


def boundary(tets, region):
    """Faces of one tet alone, with their regions."""
    faces = numpy.concatenate([tets[:, list(f)] for f in contact.FACES])
    of = numpy.tile(region, 4)
    _, first, count = numpy.unique(numpy.sort(faces, 1), axis=0, return_index=True, return_counts=True)
    keep = first[count == 1]
    return faces[keep], of[keep]


def spent(function):
    start = time.process_time()
    found = function()
    return found, 1e3 * (time.process_time() - start)


def least(function, repeat):
    found = [spent(function) for _ in range(repeat)]
    return found[0][0], min(ms for _, ms in found)


def key_of(corners):
    """Of pairs [n][2][3]: rows that can be compared."""
    rows = numpy.sort(corners.reshape(-1, 2, 3), 2).reshape(-1, 6)
    return numpy.unique(rows, axis=0)


def apart(points, corners):
    """The largest gap along an axis between the boxes of each pair."""
    low, high = points[corners].min(2), points[corners].max(2)
    return numpy.maximum(low[:, 0] - high[:, 1], low[:, 1] - high[:, 0]).max(1)


def compare_pairs(tool, folder, name, first, second, distance, repeat):
    points = numpy.concatenate((first[0], second[0]))
    tets = numpy.concatenate((first[1], second[1] + len(first[0])))
    region = numpy.repeat([1, 2], [len(first[1]), len(second[1])])
    write_mesh(os.path.join(folder, "two.mesh"), points, tets, region)
    out = os.path.join(folder, "pairs")
    done = subprocess.run([tool, "pairs", os.path.join(folder, "two.mesh"), repr(distance), str(repeat), out], check=True, capture_output=True, text=True)
    n_face, n_pair, ours = done.stdout.split()
    mine = key_of(numpy.fromfile(out, numpy.int32))
    faces, of = boundary(tets, region)
    edges = ipctk.edges(faces.astype(numpy.int32))
    both = ipctk.make_vertex_patches_filter(numpy.repeat([0, 1], [len(first[0]), len(second[0])]).astype(numpy.int32))

    def search():
        phase = ipctk.LBVH()
        phase.can_vertices_collide = both
        phase.build(numpy.asfortranarray(points), numpy.asfortranarray(edges), numpy.asfortranarray(faces.astype(numpy.int32)), 0.5 * distance)
        return phase.detect_face_face_candidates()
    found, theirs = least(search, repeat)
    pair = numpy.array([(c.face0_id, c.face1_id) for c in found]).reshape(-1, 2)
    pair = pair[of[pair[:, 0]] != of[pair[:, 1]]]
    pair = numpy.where((of[pair[:, 0]] == 1)[:, None], pair, pair[:, ::-1])
    other = key_of(faces[pair])
    joined = numpy.unique(numpy.concatenate((mine, other)), axis=0)
    alike = len(mine) + len(other) - len(joined)
    beyond = apart(points, numpy.array(sorted(set(map(tuple, other.tolist())) - set(map(tuple, mine.tolist()))), int).reshape(-1, 2, 3)) / distance - 1
    wide = f" (boxes {beyond.max():.0e} wider)" if len(beyond) else ""
    near, missed = count_missed(points, edges, faces, of, distance, both, {tuple(row) for row in mine.tolist()})
    return (f"| {name} | {int(n_face):,} | {int(n_pair):,} | {len(mine) - alike}, {len(other) - alike}{wide} | {near:,} | {missed} "
            f"| {float(ours):.1f} | {theirs:.1f} |")


def count_missed(points, edges, faces, of, distance, both, mine):
    """Vertices and faces, edges and edges nearer than the distance, and of them those of which not all faces round them are pairs."""
    mesh = ipctk.CollisionMesh(numpy.asfortranarray(points), numpy.asfortranarray(edges), numpy.asfortranarray(faces.astype(numpy.int32)))
    mesh.can_collide = both
    near = ipctk.Candidates()
    near.build(mesh, numpy.asfortranarray(points), 0.5 * distance)
    corner = [[] for _ in points]
    for k, face in enumerate(faces.tolist()):
        for v in face:
            corner[v].append(k)
    ends = edges.tolist()

    def are_pairs(one, other):
        every = [(a, b) if of[a] == 1 else (b, a) for a in one for b in other if of[a] != of[b]]
        return all((*sorted(faces[a].tolist()), *sorted(faces[b].tolist())) in mine for a, b in every)

    def round_edge(e):
        return [k for k in corner[ends[e][0]] if ends[e][1] in faces[k]]
    def some(candidates):
        return random.sample(list(candidates), min(MOST, len(candidates)))
    n = missed = 0
    for c in some(near.fv_candidates):
        if ipctk.point_triangle_distance(points[c.vertex_id], *points[faces[c.face_id]]) < distance ** 2:
            n += 1
            missed += not are_pairs([c.face_id], corner[c.vertex_id])
    for c in some(near.ee_candidates):
        if ipctk.edge_edge_distance(*points[edges[c.edge0_id]], *points[edges[c.edge1_id]]) < distance ** 2:
            n += 1
            missed += not are_pairs(round_edge(c.edge0_id), round_edge(c.edge1_id))
    return n, missed


def compare_distances(tool, folder, n, needle, repeat):
    """Of points in and around a ball whose corners are moved, squeezed by a factor."""
    part = contact.Part((n, n, n), lambda x, y, z: (x, y, z))
    unit = 2 * part.points / n - 1
    draw = numpy.random.default_rng(n)
    size = numpy.linalg.norm(unit, axis=1, keepdims=True)
    points = unit * numpy.abs(unit).max(1, keepdims=True) / numpy.maximum(size, 1e-9) * draw.uniform(0.8, 1.2, (len(unit), 1)) * (1, 1, needle)
    faces = numpy.concatenate([[part.tets[t][list(contact.FACES[f])] for t, f in part.faces[k]] for k in range(1, 7)])
    used, faces = numpy.unique(faces, return_inverse=True)
    points, faces = points[used], faces.reshape(-1, 3).astype(numpy.int32)
    at = draw.uniform(-1.5, 1.5, (200, 3)) * (1, 1, needle)
    for name, array in (("xyz", points), ("faces", faces), ("at", at)):
        numpy.ascontiguousarray(array).tofile(os.path.join(folder, name))
    path = [os.path.join(folder, name) for name in ("xyz", "faces", "at", "out")]
    done = subprocess.run([tool, "distances", path[0], path[1], str(repeat), path[2], path[3]], check=True, capture_output=True, text=True)
    mine = abs(numpy.fromfile(path[3]))

    def search():
        return numpy.array([min(ipctk.point_triangle_distance(x, *points[f]) for f in faces) for x in at]) ** 0.5
    other, _ = spent(search)
    off = abs(mine - other).max() / abs(points).max()
    return f"| a ball with random corners, squeezed {needle:g} | {len(faces):,} | {len(at)} | {off:.1e} | {float(done.stdout) / len(at) * 1e3:.1f} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build")
    parser.add_argument("-o", "--output")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--faces", default="1e4,1e5", help="how many, about")
    options = parser.parse_args()
    ipctk.set_num_threads(1)
    random.seed(1)
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    with tempfile.TemporaryDirectory(prefix="edgewise-") as folder:
        tool = os.path.join(folder, "near")
        subprocess.run(["cc", "-std=c11", "-O2", "-fopenmp", "-I", os.path.join(root, "lib"), "-I", os.path.join(root, "kernels"), "-I", options.build,
                        os.path.join(root, "bench/validation/near.c"), os.path.join(options.build, "libedgewise.a"), "-lm", "-o", tool], check=True)
        pages = [("| surfaces |", ["| surfaces | faces | pairs | pairs of one alone: ours, ipctk's | vertices and faces, edges and edges that are near | not among pairs | ms | ipctk, ms |",
                                   "| --- | --- | --- | --- | --- | --- | --- | --- |"]),
                 ("| closed surface |", ["| closed surface | triangles | points | largest difference, of the size | µs a point |", "| --- | --- | --- | --- | --- |"])]
        for n_face in map(float, options.faces.split(",")):
            for name, first, second, distance in bodies(int(n_face)):
                pages[0][1].append(compare_pairs(tool, folder, name, first, second, distance, options.repeat))
                print(pages[0][1][-1], flush=True)
        for n, needle in ((6, 1.0), (12, 1.0), (12, 1e-3)):
            pages[1][1].append(compare_distances(tool, folder, n, needle, options.repeat))
            print(pages[1][1][-1], flush=True)
    for head, page in pages if options.output else []:
        contact.put_table(options.output, head, page)


if __name__ == "__main__":
    main()
