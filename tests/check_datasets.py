#!/usr/bin/python3
"""check_datasets.py PROGRAM SOURCE_DIR BUILD_DIR

1. Every case of datasets/ runs. Of every frame, read with h5py and with those of VTK's readers that
   are installed: structure, counts and fields; strain, stress, energy and nodal forces worked out anew
   from the displacements; equilibrium of forces and moments.
2. Studies whose mesh changes in every step, on an irregular mesh: revalidated blocks equal rebuilt
   ones; each frame's mesh, written to a file and solved afresh, gives the same fields; the editing
   commands, file to file, give the same meshes as the edits of a case.
"""
import glob
import json
import os
import re
import sys
import tempfile

import check_results
import support
from support import expect, h5py, numpy

program, source = sys.argv[1], sys.argv[2]
FIELDS = {  # name: (components, type)
    "PointData": {"vertex_id": (0, "<i8"), "displacement": (3, "<f8"), "reaction": (3, "<f8"),
                  "stress": (6, "<f8"), "von_mises": (0, "<f8")},
    "CellData": {"tet_id": (0, "<i8"), "region": (0, "<i4"), "born": (0, "<i4"),
                 "stress": (6, "<f8"), "strain": (6, "<f8"), "von_mises": (0, "<f8"),
                 "principal": (3, "<f8"), "strain_energy": (0, "<f8")},
}


def close(a, b, tolerance, what):
    """Differences are relative to the largest entry."""
    scale = max(numpy.abs(b).max(initial=0), 1e-300)
    return expect(a.shape == b.shape and (numpy.abs(a - b) <= tolerance * scale).all(),
                  f"{what}: differs by {numpy.abs(a - b).max() / scale if a.shape == b.shape else a.shape}")


# ---- the mechanics of a frame, anew -------------------------------------------

def von_mises(s):
    xx, yy, zz, xy, yz, xz = s.T
    return numpy.sqrt(((xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2) / 2 +
                      3 * (xy ** 2 + yz ** 2 + xz ** 2))


def check_mechanics(frame, young, poisson, where):
    """Fields from the displacements; nodal forces from the stresses."""
    tets, points, u = frame["Tets"], frame["Points"], frame["PointData/displacement"]
    corner = points[tets]
    edges = corner[:, 1:] - corner[:, :1]
    volume = numpy.linalg.det(edges) / 6
    inverse = numpy.linalg.inv(edges)  # column k: gradient of corner k + 1
    gradient = numpy.concatenate((-inverse.sum(2)[:, :, None], inverse), axis=2)
    slope = numpy.einsum("tia,tac->tci", gradient, u[tets])
    strain = (slope + slope.transpose(0, 2, 1)) / 2
    lam, mu = young * poisson / ((1 + poisson) * (1 - 2 * poisson)), young / (2 * (1 + poisson))
    stress = lam * numpy.trace(strain, axis1=1, axis2=2)[:, None, None] * numpy.eye(3) + 2 * mu * strain

    def six(s):
        return numpy.stack([s[:, i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2))], 1)

    energy = volume * (stress * strain).sum((1, 2)) / 2
    mean, around = numpy.zeros((len(points), 6)), numpy.zeros(len(points))
    force = numpy.zeros_like(points)
    for k in range(4):
        numpy.add.at(mean, tets[:, k], six(stress) * volume[:, None])
        numpy.add.at(around, tets[:, k], volume)
        numpy.add.at(force, tets[:, k], volume[:, None] * numpy.einsum("tij,tj->ti", stress,
                                                                       gradient[:, :, k]))
    mean /= around[:, None]
    # Shear strains are the engineering ones, twice the tensor's.
    close(frame["CellData/strain"], six(strain) * (1, 1, 1, 2, 2, 2), 1e-9, f"{where}: strain")
    close(frame["CellData/stress"], six(stress), 1e-9, f"{where}: stress of tets")
    close(frame["CellData/von_mises"], von_mises(six(stress)), 1e-9, f"{where}: von Mises of tets")
    close(numpy.sort(frame["CellData/principal"], 1), numpy.linalg.eigvalsh(stress), 1e-9,
          f"{where}: principal stresses")
    close(frame["CellData/strain_energy"], energy, 1e-9, f"{where}: strain energy")
    close(frame["PointData/stress"], mean, 1e-9, f"{where}: averaged stress")
    close(frame["PointData/von_mises"], von_mises(mean), 1e-9, f"{where}: averaged von Mises")
    return force, energy


def check_balance(frame, force, energy, where):
    """`force`: what acts on each point so that it is in equilibrium, support and load together."""
    points, reaction, numbers = frame["Points"], frame["PointData/reaction"], frame["numbers"]
    size = max(numpy.linalg.norm(force, axis=1).sum(), 1e-300)
    reach = numpy.abs(points).max()
    applied = force - reaction
    for name, vectors in (("applied", applied), ("reaction", reaction)):
        off = numpy.abs(vectors.sum(0) - numbers[f"{name}_force"]).max()
        expect(off <= 1e-6 * size, f"{where}: {name}_force is off by {off / size:.1e}")
        off = numpy.abs(numpy.cross(points, vectors).sum(0) - numbers[f"{name}_moment"]).max()
        expect(off <= 1e-6 * size * reach, f"{where}: {name}_moment is off by {off / size:.1e}")
    for name in ("force", "moment"):
        off = numpy.abs(numbers[f"applied_{name}"] + numbers[f"reaction_{name}"]).max()
        expect(off <= 1e-6 * size * (reach if name == "moment" else 1),
               f"{where}: {name}s do not balance, by {off / size:.1e}")
    expect(numbers["equilibrium"] < 1e-6, f"{where}: equilibrium {numbers['equilibrium']:.1e}")
    total = energy.sum()
    expect(abs(numbers["strain_energy"] - total) <= 1e-9 * total, f"{where}: strain_energy")
    expect(abs(numbers["external_work"] - 2 * total) <= 1e-6 * total, f"{where}: external_work")
    largest = numpy.linalg.norm(frame["PointData/displacement"], axis=1).max()
    expect(abs(numbers["max_displacement"] - largest) <= 1e-12 * largest, f"{where}: max_displacement")


def check_file(stem, young, poisson):
    """Everything in one result; returns its frames."""
    frames = support.read_frames(stem + ".vtkhdf")
    times = [float(k) for k in range(len(frames))]
    with h5py.File(stem + ".vtkhdf") as file:
        check_results.check_series(file["VTKHDF"], FIELDS)
        check_results.check_steps(file["VTKHDF"], FIELDS, times)
        slices = [check_results.read_frame(file["VTKHDF"], k, FIELDS) for k in range(len(times))]
        for k, part in enumerate(slices):
            check_results.check_frame(part, file["Frames"][f"{k:06d}"], k, FIELDS)
        check_results.check_xdmf(stem + ".xdmf", file, FIELDS, times)
    check_results.check_vtk(stem, slices, FIELDS, times)
    for k, frame in enumerate(frames):
        where = f"{os.path.basename(stem)}, frame {k}"
        expect(frame["CellData/born"].max() <= k, f"{where}: born")
        numbers = frame["numbers"]
        expect(numbers["n_tet"] == len(frame["Tets"]), f"{where}: n_tet")
        expect(numbers["n_vertex"] == len(frame["Points"]), f"{where}: n_vertex")
        check_balance(frame, *check_mechanics(frame, young, poisson, where), where)
    return frames


def check_shipped(folder):
    for case in sorted(glob.glob(os.path.join(source, "datasets", "*.yaml"))):
        name = os.path.basename(case)[:-5]
        with open(case) as file:
            text = file.read()
        if "surface:" in text.split("units:")[0] and not has_tetgen(folder):
            continue
        output = support.run(program, "run", case, "-o", name, folder=folder)
        if output is None:
            continue
        young, poisson = (float(re.search(key + r": *([-+.0-9e]+)", text).group(1))
                          for key in ("young", "poisson"))
        frames = check_file(os.path.join(folder, name), young, poisson)
        expect(len(frames) == max(text.count("static:"), 1), f"{name}: {len(frames)} frames")
        print(f"{name}: {', '.join(str(len(f['Tets'])) for f in frames)} tets")


def has_tetgen(folder):
    surface = os.path.join(folder, "probe.off")
    support.write_off(surface, *support.bent_tube(12, 5))
    return support.fill(program, surface, os.path.join(folder, "probe.mesh"), "--keep-surface")


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_shipped(folder)
    return support.finish("check_datasets")


if __name__ == "__main__":
    sys.exit(main())
