#!/usr/bin/python3
"""check_cut_bunny.py PROGRAM SOURCE_DIR BUILD_DIR

A scanned body is cut by a scanned surface, smaller, turned and aside: both sides add up to the body. Exit status 77
without the study meshes.
"""
import os
import sys
import tempfile

from support import expect, finish, numpy, read_medit, run, study_mesh, write_off

program, source = sys.argv[1], sys.argv[2]
path, surface = study_mesh(source, "bunny.mesh"), study_mesh(source, "bunny-surface.off")
if not path or not surface:
    sys.exit(77)
with open(surface) as file:
    words = file.read().split()
n, m = int(words[1]), int(words[2])
points = numpy.array(words[4:4 + 3 * n], float).reshape(n, 3)
triangles = numpy.array(words[4 + 3 * n:], int).reshape(m, 4)[:, 1:]
points = (points - points.mean(axis=0)) * 0.5
whole = read_medit(path).volumes().sum()
with tempfile.TemporaryDirectory() as folder:
    for turn, aside in ((0.4, (0.1, 0.05, 0)), (1.9, (-0.1, 0, 0.1)), (3.0, (0, -0.15, 0))):
        rotation = numpy.array([[numpy.cos(turn), -numpy.sin(turn), 0], [numpy.sin(turn), numpy.cos(turn), 0], [0, 0, 1]])
        write_off(os.path.join(folder, "scan.off"), points @ rotation.T + aside, triangles)
        volume = []
        for keep in ("inside", "outside"):
            run(program, "cut", path, "--surface", "scan.off", "--keep", keep, "-o", "out.mesh", folder=folder)
            volume.append(read_medit(os.path.join(folder, "out.mesh")).volumes().sum())
        expect(abs(sum(volume) - whole) < 0.01 * whole and min(volume) > 0.003 * whole, f"scans: {volume} of {whole}")
sys.exit(finish("check_cut_bunny"))
