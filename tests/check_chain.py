"""Chains of commands against studies: random edits, one command after the other through files, and the
same edits in one case, give the same mesh bit for bit: points, tets, regions, ids. So does a chain that
a case goes on with, and names survive it. Usage: PROGRAM SOURCE_DIR BUILD_DIR."""
import os
import random
import sys
import tempfile

import numpy
from support import execute, expect, finish, read_frames, run, write

program = sys.argv[1]
HEAD = """mesh: {mesh}
material: {{young: 1e6, poisson: 0.3, density: 1000}}
steps:
  - name: edited
    edit:
"""


# ---- random edits: what a case says, and what a command does --------------------

def some(rng):
    """A selection, as an entry of a case and as options."""
    x, y, z, r = (round(rng.uniform(*at), 3) for at in ((0, 2), (0, 1), (0, 1), (0.3, 0.7)))
    if rng.random() < 0.3:
        label = rng.randrange(1, 7)
        return f"{{surface: {label}}}", ["--surface", str(label)]
    if rng.random() < 0.3:
        low, high = (x - r, y - r, z - r), (x + r, y + r, z + r)
        return (f"{{box: [{list(low)}, {list(high)}]}}",
                ["--box", ",".join(map(repr, low + high))])
    return f"{{sphere: {{center: [{x}, {y}, {z}], radius: {r}}}}}", ["--sphere", f"{x},{y},{z},{r}"]


def refine(rng):
    by, options = some(rng)
    length = round(rng.uniform(0.2, 0.6), 3)
    if rng.random() < 0.3:
        return f"refine: {{longer_than: {length + 0.1}}}", ["refine", "--longer-than", str(length + 0.1)]
    return (f"refine: {{longer_than: {length}, set: {by}}}",
            ["refine", "--longer-than", str(length), *options])


def cut(rng):
    keep = rng.choice(["outside", "inside", "both"])
    x, y, z = (round(rng.uniform(*at), 3) for at in ((0.5, 1.5), (0.3, 0.7), (0.3, 0.7)))
    if rng.random() < 0.5:
        return (f"cut: {{plane: {{point: [{x}, {y}, {z}], normal: [1, {y}, 0.1]}}, keep: {keep}}}",
                ["cut", "--plane", f"{x},{y},{z},1,{y},0.1", "--keep", keep])
    if keep == "inside":
        keep = "outside"
    return (f"cut: {{sphere: {{center: [{x}, {y}, {z}], radius: 0.27}}, keep: {keep}, label: 2000}}",
            ["cut", "--sphere", f"{x},{y},{z},0.27", "--keep", keep, "--label", "2000"])


def move(rng):
    by, options = some(rng)
    d = [round(rng.uniform(-0.1, 0.1), 4) for _ in range(3)]
    repair = rng.random() < 0.5
    if repair:
        d = [4 * c for c in d]
    radius = round(rng.uniform(0.3, 0.8), 3)
    return (f"move: {{set: {by}, by: {d}, radius: {radius}{', repair: true' if repair else ''}}}",
            ["move", *options, "--by", ",".join(map(repr, d)), "--radius", str(radius),
             *(["--repair"] if repair else [])])


def whole(rng):
    angle = round(rng.uniform(-60, 60), 2)
    return rng.choice([
        (f"rotate: {{angle: {angle}, axis: [1, 2, 3]}}", ["rotate", "--angle", str(angle), "--axis", "1,2,3"]),
        ("scale: {factor: [1.1, 1, 0.9], about: [0.5, 0, 0]}",
         ["scale", "--factor", "1.1,1,0.9", "--about", "0.5,0,0"]),
        ("mirror: {normal: x, at: max}", ["mirror", "--normal", "x", "--at", "max"]),
        ("smooth: {sweeps: 2}", ["smooth", "--sweeps", "2"])])


def remesh(rng):
    if rng.random() < 0.5:
        return "remesh: {worse_than: 0.3, rings: 1}", ["remesh", "--worse-than", "0.3", "--rings", "1"]
    x = round(rng.uniform(0.3, 1.7), 3)
    return (f"remesh: {{sphere: {{center: [{x}, 0.5, 0.5], radius: 0.4}}, size: 0.25}}",
            ["remesh", "--sphere", f"{x},0.5,0.5,0.4", "--size", "0.25"])


def decimate(rng):
    share = round(rng.uniform(0.05, 0.6), 3)
    if rng.random() < 0.5:
        return (f"decimate: {{fraction: {share}, axis: y}}",
                ["decimate", "--fraction", str(share), "--axis", "y"])
    return (f"decimate: {{fraction: {share}, order: random, seed: 3, protect: "
            "[{box: [[-9, -9, -9], [0.3, 9, 9]]}, {surface: 2}]}",
            ["decimate", "--fraction", str(share), "--order", "random", "--seed", "3", "--protect",
             "box -9,-9,-9,0.3,9,9; surface 2"])


def remove(rng):
    x = round(rng.uniform(0, 2), 3)
    if rng.random() < 0.2:
        return "remove: {pieces_smaller_than: 20}", ["remove", "--pieces-smaller-than", "20"]
    return (f"remove: {{sphere: {{center: [{x}, 0, 0.5], radius: 0.45}}}}",
            ["remove", "--sphere", f"{x},0,0.5,0.45"])


def add(rng):
    del rng
    return "add: {mesh: other.mesh, weld: 1e-9}", ["add", "other.mesh", "--weld", "1e-9"]


# ---- meshes ------------------------------------------------------------------------

def ids_of(words, kind):
    """Ids of vertices or tets from the lines that keep them."""
    at = words.index(kind, words.index("slots"))
    at = words.index("ids", at)
    ids = []
    for run_of in range(int(words[at + 1])):
        first, count = (int(word) for word in words[at + 2 + 2 * run_of:at + 4 + 2 * run_of])
        ids.extend(range(first, first + count))
    return numpy.array(ids)


def chain_mesh(path):
    """Points, tets and regions of a .mesh with the ids that it keeps."""
    with open(path) as file:
        words = file.read().replace("#", " ").split()

    def section(name, width, of):
        if name not in words:
            return numpy.zeros((0, width), of)
        at = words.index(name)
        n = int(words[at + 1])
        return numpy.array(words[at + 2:at + 2 + n * width], dtype=of).reshape(n, width)
    tets = section("Tetrahedra", 5, int)
    return (section("Vertices", 4, float)[:, :3], tets[:, :4] - 1, tets[:, 4],
            ids_of(words, "vertices"), ids_of(words, "tets"))


def study_mesh(result):
    frame = read_frames(result)[-1]
    order = numpy.argsort(frame["PointData/vertex_id"], kind="stable")
    place = numpy.empty_like(order)
    place[order] = numpy.arange(len(order))
    by = numpy.argsort(frame["CellData/tet_id"], kind="stable")
    return (frame["Points"][order], place[frame["Tets"]][by], frame["CellData/region"][by],
            frame["PointData/vertex_id"][order], frame["CellData/tet_id"][by])


def expect_same(folder, chain, result, what):
    if not chain.endswith(".mesh"):
        run(program, "convert", chain, "as.mesh", folder=folder)
        chain = "as.mesh"
    of = ("points", "tets", "regions", "vertex ids", "tet ids")
    pairs = zip(of, chain_mesh(os.path.join(folder, chain)), study_mesh(os.path.join(folder, result)))
    for name, by_commands, by_case in pairs:
        same = by_commands.shape == by_case.shape and (by_commands == by_case).all()
        expect(same, f"{what}: other {name} than by commands")
        if not same:
            return


# ---- the checks -----------------------------------------------------------------------

def run_commands(folder, rng, kinds, n, ending):
    """Edits that were not refused, and the mesh that they made."""
    mesh, edits = "part.mesh", []
    for i in range(n):
        edit, words = rng.choice(kinds)(rng)
        out = f"chain-{i}{ending}"
        done = execute(program, words[0], mesh, *words[1:], "-o", out, folder=folder)
        expect(done.returncode in (0, 2), f"{words}: exit {done.returncode}: {done.stderr}")
        if done.returncode == 0:
            mesh = out
            edits.append(edit)
    return edits, mesh


def check_random(folder, kinds):
    print("random chains")
    n_edit = 0
    for seed in range(30):
        rng = random.Random(seed)
        ending = [".mesh", ".msh", ".node", ".vtu"][seed % 4]
        edits, mesh = run_commands(folder, rng, kinds, 3 + seed % 3, ending)
        if not edits:
            continue
        n_edit += len(edits)
        write(folder, "case.yaml", HEAD.format(mesh="part.mesh") + "".join(f"      - {e}\n" for e in edits))
        if run(program, "run", "case.yaml", "-o", "result", folder=folder) is not None:
            expect_same(folder, mesh, "result.vtkhdf", f"chain {seed}, {edits}")
    expect(n_edit > 60, f"{n_edit} edits only")


def check_going_on(folder):
    """The first edits by commands, the others by a case."""
    print("a case goes on")
    rng = random.Random(77)
    kinds = [refine, cut, move, whole, decimate]
    edits, mesh = run_commands(folder, rng, kinds, 3, ".mesh")
    more, words = zip(*(kind(rng) for kind in (refine, move, remove)))
    for i, command in enumerate(words):
        run(program, command[0], mesh if i == 0 else f"more-{i - 1}.mesh", *command[1:], "-o",
            f"more-{i}.mesh", folder=folder)
    for name, start, rest in (("all", "part.mesh", [*edits, *more]), ("half", mesh, more)):
        write(folder, "on.yaml", HEAD.format(mesh=start) + "".join(f"      - {e}\n" for e in rest))
        run(program, "run", "on.yaml", "-o", name, folder=folder)
        expect_same(folder, "more-2.mesh", f"{name}.vtkhdf", name)


with tempfile.TemporaryDirectory(prefix="edgewise-") as work:
    run(program, "shape", "box", "--size", "2,1,1", "--cells", "6,3,3", "-o", "part.mesh", folder=work)
    run(program, "shape", "box", "--size", "0.5,0.5,0.5", "--cells", "2,2,2", "-o", "small.mesh", folder=work)
    run(program, "move", "small.mesh", "--box", "-9,-9,-9,9,9,9", "--by", "5,0,0", "-o", "other.mesh",
        folder=work)
    all_kinds = [refine, refine, cut, cut, move, move, whole, decimate, remove, add, remesh]
    if execute(program, "remesh", "part.mesh", "--worse-than", "1", "-o", "x.mesh", folder=work).returncode:
        print("  without TetGen: no remesh")
        all_kinds.remove(remesh)
    check_random(work, all_kinds)
    check_going_on(work)
sys.exit(finish("chain"))
