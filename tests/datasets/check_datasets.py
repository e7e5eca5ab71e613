#!/usr/bin/python3
"""check_datasets.py PROGRAM SOURCE_DIR BUILD_DIR

1. Every case of datasets/ runs. Of every frame, read with h5py and with those of VTK's readers that
   are installed: structure, counts and fields; strain, stress, energy and nodal forces worked out again
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
                 "principal": (3, "<f8"), "strain_energy": (0, "<f8"), "error": (0, "<f8")},
}


def close(a, b, tolerance, what):
    """Differences are relative to the largest entry."""
    scale = max(numpy.abs(b).max(initial=0), 1e-300)
    return expect(a.shape == b.shape and (numpy.abs(a - b) <= tolerance * scale).all(),
                  f"{what}: differs by {numpy.abs(a - b).max() / scale if a.shape == b.shape else a.shape}")


# ---- the mechanics of a frame, again -------------------------------------------

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
    thermal = frame.get("CellData/thermal_strain", numpy.zeros(len(tets)))
    total, strain = strain, strain - thermal[:, None, None] * numpy.eye(3)
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
    close(frame["CellData/strain"], six(total) * (1, 1, 1, 2, 2, 2), 1e-9, f"{where}: strain")
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
    squares = numpy.sum(frame["CellData/error"][:] ** 2)
    close(numbers["error_norm"] ** 2, squares, 1e-9, f"{where}: error_norm")
    close(numbers["error_share"] ** 2, squares / (2 * total + squares), 1e-9,
          f"{where}: error_share")
    expect((numbers["error_share"] > .1) == (b"energy norm" in numbers["warnings"]),
           f"{where}: warnings {numbers['warnings']!r}")
    expect(abs(numbers["strain_energy"] - total) <= 1e-9 * total, f"{where}: strain_energy")
    # u . r: the residual is 1e-8 of forces that include those of prescribed displacements, which are larger
    expect(abs(numbers["external_work"] - 2 * total - numbers["thermal_work"]) <= 1e-5 * total,
           f"{where}: external_work")
    largest = numpy.linalg.norm(frame["PointData/displacement"], axis=1).max()
    expect(abs(numbers["max_displacement"] - largest) <= 1e-12 * largest, f"{where}: max_displacement")


def fields_of(file):
    """All fields: those of the analysis and the masks of the sets."""
    fields = {place: dict(FIELDS[place]) for place in FIELDS}
    if "velocity" in file["Frames/000000/PointData"]:
        fields["PointData"].update({"velocity": (3, "<f8"), "acceleration": (3, "<f8")})
    if "thermal_strain" in file["Frames/000000/CellData"]:
        fields["CellData"]["thermal_strain"] = (0, "<f8")
    for record in file["Edgewise/Steps/000000"].get("Sets", {}).values():
        place = "PointData" if record.attrs["kind"] == b"vertices" else "CellData"
        fields[place][record.attrs["mask"].decode()] = (0, "u1")
    return fields


def check_file(stem, young, poisson):
    """Everything in one result; returns its frames. Forces of outputs of dynamic steps do not balance."""
    frames = support.read_frames(stem + ".vtkhdf")
    times = [float(k) for k in range(len(frames))]
    if any(frame["numbers"]["kind"] == b"dynamic" for frame in frames):
        times = [frame["numbers"]["time"] for frame in frames]
    with h5py.File(stem + ".vtkhdf") as file:
        fields = fields_of(file)
        check_results.check_series(file["VTKHDF"], fields)
        check_results.check_steps(file["VTKHDF"], fields, times)
        slices = [check_results.read_frame(file["VTKHDF"], k, fields) for k in range(len(times))]
        for k, part in enumerate(slices):
            check_results.check_frame(part, file["Frames"][f"{k:06d}"], k, fields)
        check_results.check_xdmf(stem + ".xdmf", file, fields, times)
    check_results.check_vtk(stem, slices, fields, times)
    for k, frame in enumerate(frames):
        where = f"{os.path.basename(stem)}, frame {k}"
        expect(frame["CellData/born"].max() <= k, f"{where}: born")
        numbers = frame["numbers"]
        expect(numbers["n_tet"] == len(frame["Tets"]), f"{where}: n_tet")
        expect(numbers["n_vertex"] == (frame["PointData/vertex_id"] >= 0).sum(), f"{where}: n_vertex")
        if frame["Tets"].shape[1] == 10:  # see check_calculix_quadratic.py
            continue
        mechanics = check_mechanics(frame, young, poisson, where)
        if numbers["kind"] != b"dynamic":
            check_balance(frame, *mechanics, where)
    return frames


def elastic_constants(text):
    """Young's modulus in the units of the case, and Poisson's ratio; those of S355 where the material has its name."""
    if re.search("^material: S355", text, re.M):
        young, poisson = "210 GPa", 0.3
    else:
        young = re.search(r"young: *([-+.0-9e]+(?: GPa)?)", text).group(1)
        poisson = float(re.search(r"poisson: *([-+.0-9e]+)", text).group(1))
    number, _, unit = young.partition(" ")
    return float(number) * (1 if not unit else 1e3 if "length: mm" in text else 1e9), poisson


def check_shipped(folder):
    for case in sorted(glob.glob(os.path.join(source, "datasets", "*.yaml"))):
        name = os.path.basename(case)[:-5]
        with open(case) as file:
            text = file.read()
        if "surface:" in text.split("units:")[0] and not has_tetgen(folder):
            continue
        if ".step" in text.split("units:")[0] and not os.path.exists(os.path.join(os.path.dirname(program), "edgewise-gmsh")):
            print(f"  skipped: {name}, as the program was built without Gmsh")
            continue
        if any(key in text for key in ("dynamic:", "modes:", "buckling:", "nonlinear:", "optimise:", "fatigue:", "harmonic:")):
            continue  # check_dynamic_cases.py, check_mode_cases.py, check_plastic_cases.py,
                      # check_removal_cases.py, check_fatigue.py
        shipped = support.run_shipped(program, source, folder, name)
        if shipped is None:
            continue
        young, poisson = elastic_constants(text)
        frames = check_file(shipped, young, poisson)
        combinations = int(re.search(r"count: *([0-9]+)", text).group(1)) if "\nsweep:" in text else 1
        expect(len(frames) == combinations * max(len(re.findall(r"(?:static|converge):", text)), 1), f"{name}: {len(frames)} frames")
        print(f"{name}: {', '.join(str(len(f['Tets'])) for f in frames)} tets")


def has_tetgen(folder):
    surface = os.path.join(folder, "probe.off")
    support.write_off(surface, *support.bent_tube(12, 5))
    return support.fill(program, surface, os.path.join(folder, "probe.mesh"), "--keep-surface")


# ---- studies whose mesh changes --------------------------------------------------

# Tolerance of the solver, and how far two solutions of one problem may lie apart, relative to the
# largest value: the matrix' condition stands between the two.
TOLERANCE, APART = 1e-11, 1e-9
HEIGHT = 0.4
EPSILON = 1e-9
MATERIAL = "material: {young: 2e9, poisson: 0.35, density: 1200}"
LOADS = """loads:
  - {gravity: [1, -9.81, 2]}
  - {set: top, pressure: 2e4}
  - {set: top, traction: [1e4, 0, 3e3]}
  - {set: top, total_force: [0, 100, 250]}
constraints:
  - {set: floor, displacement: [0, 0, 0]}
"""
# name, edits of the case, the same as commands (None: no such comparison)
GROWTH = (
    ("as made", "", ()),
    ("cut", "{decimate: {fraction: 0.3, axis: [1, 0.31, 0.17]}}",
     (("decimate", "--fraction", "0.3", "--axis", "1,0.31,0.17"),)),
    ("mirrored", "{mirror: {normal: x, at: min}}", (("mirror", "--normal", "x", "--at", "min"),)),
    ("scaled", "{scale: {factor: [1.2, 0.9, 1.1]}}", (("scale", "--factor", "1.2,0.9,1.1"),)),
    ("holed", "{remove: {sphere: {center: [0.11, 0.2, 0.05], radius: 0.09}}}",
     (("remove", "--sphere", "0.11,0.2,0.05,0.09"),)),
    ("finer", "{refine: {longer_than: 0.13}}", (("refine", "--longer-than", "0.13"),)),
    ("pulled", "{move: {set: corner, by: [0.02, 0, 0.01], radius: 0.1}}",
     (("move", "--box", "-1e-6,0.359,0.329,1e-6,0.361,0.331", "--by", "0.02,0,0.01", "--radius",
       "0.1"),)),
    ("smooth", "{smooth: {sweeps: 3}}", None),  # goes through the vertices in their inner order
)
# A rib welded on; then so much is removed, at random first, that components come apart and that the slots
# are compacted.
LOSS = (
    ("as made", "", None),
    ("ribbed", "{add: {mesh: rib.mesh, weld: 1e-9}}", None),
    ("porous", "{decimate: {fraction: 0.5, order: random, seed: 3}}", None),
    ("stump", "{decimate: {fraction: 0.8, axis: [1, -0.2, 0.1]}}", None),
    ("longer", "{scale: {factor: [1, 1.3, 1]}}", None),
)


def irregular_box(folder):
    """Writes a box without two equal lengths, and a rib that meets it at x = 0.8; returns the box."""
    path = os.path.join(folder, "box.mesh")
    support.run(program, "shape", "box", "--size", f"0.8,{HEIGHT},0.3", "--cells", "9,5,4", "-o", path)
    mesh = support.read_medit(path)
    size = mesh.points.max(axis=0)
    shake = numpy.random.default_rng(5).uniform(-0.012, 0.012, mesh.points.shape)
    mesh.points += shake * ((mesh.points > EPSILON) & (mesh.points < size - EPSILON))
    expect((mesh.volumes() > 0).all(), "volumes of the irregular box")
    support.write_medit(path, mesh)
    rib = support.Mesh(mesh.points * (-1, 1, 1) + (1.6, 0, 0), mesh.tets[:, (1, 0, 2, 3)])
    support.write_medit(os.path.join(folder, "rib.mesh"), rib)
    return mesh


def write_case(path, mesh, sets, steps, extra=""):
    with open(path, "w") as file:
        file.write(f"mesh: {mesh}\nelements: linear\n{MATERIAL}\n{extra}sets:\n{sets}{LOADS}steps:\n")
        for name, edits in steps:
            file.write(f"  - name: {name}\n" + (f"    edit: [{edits}]\n" if edits else "") +
                       f"    static: {{tolerance: {TOLERANCE}, max_iterations: 100000}}\n")


def slab(low, high, x_high):
    return f"{{box: [[-9, {low!r}, -9], [{x_high!r}, {high!r}, 9]]}}"


def run_study(folder, name, steps, options=(), extra="", words=()):
    """Frames of a study with edits; blocks are compared with a rebuild after each."""
    sets = (f"  floor: {slab(-EPSILON, EPSILON, 0.8 + EPSILON)}\n"
            f"  top: {{side: {{point: [0, {HEIGHT - EPSILON!r}, 0], normal: y}}}}\n"
            f"  corner: {{nearest: [0, {HEIGHT}, 0.3]}}\n")
    write_case(os.path.join(folder, name + ".yaml"), "box.mesh", sets,
               [step[:2] for step in steps], extra)
    output = support.run(program, "run", name + ".yaml", "--verify-rebuild", "--log", name + ".jsonl",
                         *options, folder=folder)
    if output is None:
        return None
    expect(all(word in output for word in words), f"{name}: one of {words} is not in the output")
    told = re.findall(r"rebuild +(\d+) blocks differ", output)
    n_edited = sum(bool(step[1]) for step in steps)
    expect(told == ["0"] * n_edited, f"{name}: blocks that differ from a rebuild: {told}")
    with open(os.path.join(folder, name + ".jsonl")) as file:
        log = [json.loads(line) for line in file]
    lines = [line for line in log if "different_blocks" in line]
    expect(len(lines) == n_edited and all(line["different_blocks"] == 0 for line in lines),
           f"{name}: different_blocks in the log")
    return check_file(os.path.join(folder, name), 2e9, 0.35)


def check_ids(frames, moving, name):
    """An id names one vertex, and one tet, for the whole study."""
    known, tets = {}, {}
    for k, frame in enumerate(frames):
        ids = frame["PointData/vertex_id"]
        points = dict(zip(ids, map(tuple, frame["Points"])))
        same = [known[v] == points[v] for v in known.keys() & points.keys()]
        expect(all(same) or moving[k], f"{name}, frame {k}: vertices have other places")
        new = dict(zip(frame["CellData/tet_id"], map(tuple, ids[frame["Tets"]])))
        expect(all(set(tets[t]) == set(new[t]) for t in tets.keys() & new.keys()),
               f"{name}, frame {k}: tets have other vertices")
        born = dict(zip(frame["CellData/tet_id"], frame["CellData/born"]))
        expect(k == 0 or all((born[t] == k) == (t not in tets) for t in new), f"{name}, frame {k}: born")
        known, tets = points, {**tets, **new}


def check_afresh(folder, frames, sets_of, name):
    """Each frame's mesh solved by itself gives the frame's fields."""
    for k, frame in enumerate(frames):
        mesh = support.Mesh(frame["Points"], frame["Tets"], frame["CellData/region"])
        support.write_medit(os.path.join(folder, "afresh.mesh"), mesh)
        sets = "".join(f"  {key}: {{ids: [{', '.join(map(str, numpy.flatnonzero(chosen)))}]}}\n"
                       for key, chosen in sets_of(frame["Points"]).items())
        write_case(os.path.join(folder, "afresh.yaml"), "afresh.mesh", sets, [("only", "")])
        if support.run(program, "run", "afresh.yaml", "--quiet", folder=folder) is None:
            return
        again, = support.read_frames(os.path.join(folder, "afresh.vtkhdf"))
        for place, ids in (("PointData", "vertex_id"), ("CellData", "tet_id")):
            order = numpy.argsort(again[f"{place}/{ids}"])
            for field, (_, kind) in FIELDS[place].items():
                if kind == "<f8":
                    close(frame[f"{place}/{field}"], again[f"{place}/{field}"][order], APART,
                          f"{name}, frame {k} solved afresh: {place}/{field}")


def shape_of(points, tets):
    """A mesh without its numbering: sorted points, and sorted tets as sorted points."""
    order = numpy.lexsort(points.T)
    rank = numpy.empty(len(points), int)
    rank[order] = numpy.arange(len(points))
    rows = numpy.sort(rank[tets], axis=1)
    return points[order], rows[numpy.lexsort(rows.T)]


def check_commands(folder, frames):
    """The same edits from file to file give the same meshes."""
    at = "box.mesh"
    for k, (name, _, commands) in enumerate(GROWTH):
        if commands is None:
            continue
        for i, command in enumerate(commands):
            to = f"{k}-{i}.mesh"
            if support.run(program, command[0], at, "-o", to, *command[1:], folder=folder) is None:
                return
            support.run(program, "check", to, folder=folder)
            at = to
        mesh = support.read_medit(os.path.join(folder, at))
        used = numpy.unique(mesh.tets)
        renamed = numpy.searchsorted(used, mesh.tets)
        there, here = shape_of(mesh.points[used], renamed), shape_of(frames[k]["Points"],
                                                                    frames[k]["Tets"])
        expect(there[0].shape == here[0].shape and numpy.array_equal(there[0], here[0]),
               f"'{name}' by commands: points differ, {len(there[0])} against {len(here[0])}")
        expect(numpy.array_equal(there[1], here[1]), f"'{name}' by commands: tets differ")


def check_studies(folder):
    irregular_box(folder)
    frames = run_study(folder, "growth", GROWTH)
    if not frames:
        return

    def plain_sets(points):
        y = points[:, 1]
        return {"floor": y < EPSILON, "top": y > y.max() - EPSILON}

    check_ids(frames, [name in ("scaled", "pulled", "smooth") for name, _, _ in GROWTH], "growth")
    check_afresh(folder, frames, plain_sets, "growth")
    check_commands(folder, frames)
    variants = [("--precision", "mixed")]
    if support.has_opencl(program):
        variants += [("--device", "opencl")]
    for options in variants:
        others = run_study(folder, "variant", GROWTH, options)
        for k, (frame, other) in enumerate(zip(frames, others or [])):
            expect(numpy.array_equal(frame["Tets"], other["Tets"]), f"{options}, frame {k}: mesh")
            for field in ("displacement", "reaction"):
                close(other[f"PointData/{field}"], frame[f"PointData/{field}"], APART,
                      f"{options}, frame {k}: {field}")
    print(f"growth: {', '.join(str(len(f['Tets'])) for f in frames)} tets")


def check_loss(folder):
    frames = run_study(folder, "loss", LOSS, extra="under_constrained: leave_out\n",
                       words=("left out", "lost", "compacted"))
    if not frames:
        return

    def box_sets(points):  # the rib's vertices are in no set
        x, y, _ = points.T
        return {"floor": (y < EPSILON) & (x < 0.8 + EPSILON),
                "top": (y > y.max() - EPSILON) & (x < 0.8 + EPSILON)}

    check_afresh(folder, frames, box_sets, "loss")
    check_ids(frames, [name == "longer" for name, _, _ in LOSS], "loss")
    print(f"loss: {', '.join(str(len(f['Tets'])) for f in frames)} tets")


def check_lost_force(folder):
    """Force on vertices that an edit takes away is reported, for loads of the case and of the step."""
    load, cut = "loads: [{set: top, force: [0, 0.5, -1]}]", "remove: {side: {point: [0.5, 0, 0], normal: x}}"
    for name, of_case, of_step in (("case", load + "\n", ""), ("step", "", "    " + load + "\n")):
        with open(os.path.join(folder, "lost.yaml"), "w") as file:
            file.write(f"mesh: box.mesh\nelements: linear\n{MATERIAL}\n{of_case}sets:\n  floor: {slab(-1.0, EPSILON, 9.0)}\n"
                       f"  top: {slab(HEIGHT - EPSILON, 9.0, 9.0)}\n"
                       "constraints:\n  - {set: floor, displacement: [0, 0, 0]}\n"
                       f"steps:\n  - name: a\n    static:\n{of_step}"
                       f"  - name: b\n    edit: [{{{cut}}}]\n    static:\n{of_step}")
        support.run(program, "run", "lost.yaml", "--log", "lost.jsonl", folder=folder)
        with open(os.path.join(folder, "lost.jsonl")) as file:
            whole, rest = [line for line in map(json.loads, file) if line["event"] == "step"]
        lost = numpy.array(rest["lost_force"])
        expect(lost[1] > 0 and numpy.allclose(
            lost, numpy.subtract(whole["applied_force"], rest["applied_force"])),
               f"lost force with loads of the {name}: {lost}")


def check_edit_only(folder):
    """A step that only edits writes no fields: not in its frame, NaN where all frames stand in a row."""
    import h5py
    with open(os.path.join(folder, "quiet.yaml"), "w") as file:
        file.write(f"mesh: box.mesh\nelements: linear\n{MATERIAL}\nsets:\n  floor: {slab(-1.0, EPSILON, 9.0)}\n"
                   f"  top: {slab(HEIGHT - EPSILON, 9.0, 9.0)}\n{LOADS}"
                   "steps:\n  - name: edited\n    edit: [{smooth: {}}]\n  - name: solved\n    static:\n")
    support.run(program, "run", "quiet.yaml", folder=folder)
    with h5py.File(os.path.join(folder, "quiet.vtkhdf")) as file:
        first, second = file["Frames/000000"], file["Frames/000001"]
        expect("PointData/displacement" not in first and "CellData/stress" not in first,
               "a step that only edits has fields")
        expect("PointData/displacement" in second, "the step after it has none")
        n = len(first["Points"])
        rows = file["VTKHDF/PointData/displacement"][:]
        expect(numpy.isnan(rows[:n]).all() and numpy.isfinite(rows[n:]).all() and len(rows) == 2 * n,
               "rows without an analysis are not NaN")
    with open(os.path.join(folder, "quiet.xdmf")) as file:
        expect(file.read().count('Name="displacement"') == 1, "the XDMF names fields that are not there")


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_shipped(folder)
        check_studies(folder)
        check_loss(folder)
        check_lost_force(folder)
        check_edit_only(folder)
    return support.finish("check_datasets")


if __name__ == "__main__":
    sys.exit(main())
