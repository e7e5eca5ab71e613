"""Chains of commands against studies: random edits, one command after the other through files, and the
same edits in one case, give the same mesh bit for bit: points, tets, regions, ids, and the same file.
So does a chain that a case goes on with, or that goes on with a case; names and curved sides survive
it. Usage: PROGRAM SOURCE_DIR BUILD_DIR."""
import os
import random
import sys
import tempfile

import numpy
from support import content, execute, expect, finish, read_frames, read_medit, run, write

program, source = sys.argv[1], sys.argv[2]
HEAD = """mesh: {mesh}
{elements}material: {{young: 1e6, poisson: 0.3, density: 1000}}
steps:
  - name: edited
    edit:
"""


class Part:
    """A mesh to start from, the endings of files that keep all of it, and names of its groups."""

    def __init__(self, file, endings, names=(), has_middles=False):
        self.file, self.endings, self.names, self.has_middles = file, endings, names, has_middles


part = Part("part.mesh", [".mesh", ".msh", ".node", ".vtu"])


# ---- random edits: what a case says, and what a command does --------------------

def some(rng):
    """A selection, as an entry of a case and as options."""
    if part.names and rng.random() < 0.5:
        name = rng.choice(part.names)
        return name, ["--group", name]
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


def slit(rng):
    """A crack in a part of a plane."""
    x, y = round(rng.uniform(0.5, 1.5), 3), round(rng.uniform(0.4, 0.8), 3)
    low, high = (-9, -9, -9), (9, y, 9)
    return (f"cut: {{plane: {{point: [{x}, 0, 0], normal: x}}, keep: open, label: 3000, "
            f"within: {{low: {list(low)}, high: {list(high)}}}}}",
            ["cut", "--plane", f"{x},0,0,1,0,0", "--keep", "open", "--label", "3000", "--within",
             ",".join(map(str, low + high))])


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
    by, options = some(rng)
    return rng.choice([
        (f"rotate: {{set: {by}, angle: {angle / 12}, axis: z, center: [1, 0.5, 0], radius: 0.6}}",
         ["rotate", *options, "--angle", str(angle / 12), "--axis", "z", "--center", "1,0.5,0", "--radius",
          "0.6"]),
        (f"scale: {{set: {by}, factor: 1.1, about: [1, 0.5, 0.5], radius: 0.5, repair: true}}",
         ["scale", *options, "--factor", "1.1", "--about", "1,0.5,0.5", "--radius", "0.5", "--repair"]),
        (f"rotate: {{angle: {angle}, axis: [1, 2, 3]}}", ["rotate", "--angle", str(angle), "--axis", "1,2,3"]),
        ("scale: {factor: [1.1, 1, 0.9], about: [0.5, 0, 0]}",
         ["scale", "--factor", "1.1,1,0.9", "--about", "0.5,0,0"]),
        ("mirror: {normal: x, at: max}", ["mirror", "--normal", "x", "--at", "max"]),
        ("smooth: {sweeps: 2}", ["smooth", "--sweeps", "2"])])


def refine_curved(rng):
    length = round(rng.uniform(0.4, 0.8), 3)
    return f"refine: {{longer_than: {length}}}", ["refine", "--longer-than", str(length)]


def cut_curved(rng):
    keep = rng.choice(["outside", "both", "open"])
    x, y = round(rng.uniform(0.5, 1.5), 3), round(rng.uniform(0.2, 0.8), 3)
    if rng.random() < 0.5:
        return (f"cut: {{plane: {{point: [{x}, {y}, 0.5], normal: [1, {y}, 0.3]}}, keep: {keep}, label: 2000}}",
                ["cut", "--plane", f"{x},{y},0.5,1,{y},0.3", "--keep", keep, "--label", "2000"])
    return (f"cut: {{sphere: {{center: [{x}, {y}, 0.5], radius: 0.6}}, keep: {keep}, label: 2001}}",
            ["cut", "--sphere", f"{x},{y},0.5,0.6", "--keep", keep, "--label", "2001"])


def turn(rng):
    angle = round(rng.uniform(-60, 60), 2)
    return f"rotate: {{angle: {angle}, axis: [1, 2, 3]}}", ["rotate", "--angle", str(angle), "--axis", "1,2,3"]


def remove_some(rng):
    x = round(rng.uniform(0, 1), 3)
    return (f"remove: {{sphere: {{center: [{x}, {x}, 0.5], radius: 0.4}}}}",
            ["remove", "--sphere", f"{x},{x},0.5,0.4"])


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


def expect_same_file(folder, one, other, what):
    """Bytes of a mesh that commands wrote and of one that a case did."""
    for ending in (".node", ".ele", ".face") if one.endswith(".node") else ("",):
        name = [os.path.join(folder, os.path.splitext(path)[0] + ending if ending else path)
                for path in (one, other)]
        there = [os.path.exists(path) for path in name]
        if expect(there[0] == there[1], f"{what}: {name} are not both there") and there[0]:
            with open(name[0], "rb") as first, open(name[1], "rb") as second:
                expect(first.read() == second.read(), f"{what}: {name[0]} and {name[1]} differ")


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

def run_commands(folder, rng, kinds, n, ending, start=None):
    """Edits that were not refused, and the mesh that they made."""
    mesh, edits = start or part.file, []
    for i in range(n):
        edit, words = rng.choice(kinds)(rng)
        out = f"chain-{i}{ending}"
        done = execute(program, words[0], mesh, *words[1:], "-o", out, folder=folder)
        expect(done.returncode in (0, 2), f"{words}: exit {done.returncode}: {done.stderr}")
        if done.returncode == 0:
            mesh = out
            edits.append(edit)
    return edits, mesh


def write_case(folder, name, mesh, edits):
    write(folder, name, HEAD.format(mesh=mesh, elements="" if part.has_middles else "elements: linear\n") + "".join(f"      - {e}\n" for e in edits))


def check_random(folder, seeds, kinds, least):
    print(f"random chains of {part.file}")
    n_edit = 0
    for seed in seeds:
        rng = random.Random(seed)
        ending = part.endings[seed % len(part.endings)]
        edits, mesh = run_commands(folder, rng, kinds, 3 + seed % 3, ending)
        if not edits:
            continue
        n_edit += len(edits)
        write_case(folder, "case.yaml", part.file, edits)
        if run(program, "run", "case.yaml", "-o", "result", "--mesh", "study" + ending, folder=folder):
            what = f"chain {seed}, {edits}"
            if not part.has_middles: # of which frames have points
                expect_same(folder, mesh, "result.vtkhdf", what)
            expect_same_file(folder, mesh, "study" + ending, what)
    expect(n_edit >= least, f"{n_edit} edits only")


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
        write_case(folder, "on.yaml", start, rest)
        run(program, "run", "on.yaml", "-o", name, folder=folder)
        expect_same(folder, "more-2.mesh", f"{name}.vtkhdf", name)


ANALYZED = """mesh: {mesh}
elements: linear
material: {{young: 1e6, poisson: 0.3, density: 1000}}
sets:
  tip: {{surface: 2}}
constraints:
  - {{set: {{surface: 1}}, displacement: [0, 0, 0]}}
loads:
  - {{set: tip, total_force: [0, 0, -1]}}
steps:
{steps}"""
NEED_AN_ANSWER = """  - name: finer
    edit:
      - cut: {sphere: {center: [1, 0.5, 1], radius: 0.4}, name: bore}
      - refine: {by: error, until: 40 %, max_tets: 2500}
    static: {}
  - name: less
    edit:
      - decimate: {fraction: 0.02, order: energy, protect: [{group: inner}]}
  - name: lighter
    static: {}
    optimise: {remove: {volume: 80 %, rate: 8 %, max_rounds: 6, protect: [{group: inner}]}}
"""


def check_after_answers(folder):
    """Edits that need an answer are a case's; from the mesh that it writes a chain goes on."""
    print("a chain goes on from a case")
    answers = ANALYZED.format(mesh="named.msh", steps=NEED_AN_ANSWER)
    write(folder, "first.yaml", answers)
    run(program, "run", "first.yaml", "-o", "first", "--mesh", "first.msh", folder=folder)
    edits, mesh = run_commands(folder, random.Random(5), [refine, move, whole, cut], 5, ".msh", "first.msh")
    last = "  - name: last\n    edit:\n" + "".join(f"      - {edit}\n" for edit in edits)
    write(folder, "both.yaml", answers + last)
    run(program, "run", "both.yaml", "-o", "both", "--mesh", "both.msh", folder=folder)
    expect(len(edits) > 2, f"{edits} only")
    expect_same_file(folder, mesh, "both.msh", "after answers")
    expect_same(folder, mesh, "both.vtkhdf", "after answers")
    said = run(program, "info", "first.msh", folder=folder) or ""
    expect("bore" in said and "inner" in said and "ends" in said, f"names are lost: {said}")
    run(program, "replay", "both.vtkhdf", "-o", "again", "--mesh", "again.msh", folder=folder)
    expect_same_file(folder, "again.msh", "both.msh", "replay")
    run(program, "run", "both.yaml", "-o", "without", folder=folder)
    one, other = (content(os.path.join(folder, f"{name}.vtkhdf")) for name in ("both", "without"))
    expect(one == other, "results with --mesh are not those without")


WRONG = [  # a head of the case, the value of --mesh, what the line says
    ("mesh: part.mesh\n", "out.vtkhdf", "not a known mesh output ending"),
    ("mesh: part.mesh\n", "out.unv", "not a known mesh output ending"),
    ("mesh: part.mesh\n", "", "--mesh is empty"),
    ("mesh: part.mesh\n", "part.mesh", "would overwrite an input file"),
    ("mesh: ./part.mesh\n", "../FOLDER/part.mesh", "would overwrite an input file"),
    ("mesh: part.node\n", "part.ele", "would overwrite an input file"),
    ("mesh: part.mesh\n", "nowhere/out.mesh", "nowhere/out.mesh: cannot be written: No such file"),
    ("mesh: part.mesh\n", "folder.msh", "folder.msh: cannot be written: it is a folder"),
    ("output: {vtu: true}\nmesh: part.mesh\n", "wrong.000000.vtu", "frames have such names"),
    ("output: {vtu: true}\nmesh: part.mesh\n", "../FOLDER/wrong.000001.vtu", "frames have such names"),
    ("parameters: {a: 1}\nsweep: {list: [{a: 1}, {a: 2}]}\nmesh: part.mesh\n", "out.mesh",
     "--mesh writes one mesh, and each combination of the case's sweep has its own"),
]


BOTTOM, TOP = ["--plane", "0,0,0.1,0,0,1"], ["--plane", "0,0,0.9,0,0,-1"]
CUT_NAMES = [  # options of commands one after the other, and what they say
    ([*BOTTOM, "--name", "floor"], "out.msh:"),
    ([*TOP, "--name", "floor"], "faces with label 1001 have the name 'floor' already"),
    ([*TOP, "--name", "other", "--label", "1001"], "faces with label 1001 have the name 'floor' already; take another label"),
    ([*TOP, "--name", "floor", "--label", "1001"], "out.msh:"),
    (["--plane", "0.1,0,0,1,0,0", "--name", " side1 "], "faces with label 1 have the name 'side1' already"),
    (["--plane", "0.1,0,0,1,0,0", "--name", ""], "--name is empty"),
    (["--plane", "0.1,0,0,1,0,0", "--name", " "], "empty name"),
    (["--plane", "0.1,0,0,1,0,0", "--name", "root"], "out.msh:"),
]


def check_refusals(folder):
    print("refusals")
    run(program, "convert", "part.mesh", "part.node", folder=folder)
    os.mkdir(os.path.join(folder, "folder.msh"))
    for head, mesh, words in WRONG:
        write(folder, "wrong.yaml", head + "material: {young: 1, poisson: 0.3}\nsteps: [{name: a, edit: [{smooth: {}}]}]\n")
        mesh = mesh.replace("FOLDER", os.path.basename(folder))
        done = execute(program, "run", "wrong.yaml", "-o", "wrong", "--mesh", mesh, folder=folder)
        expect(done.returncode in (1, 2) and words in done.stderr and done.stderr.count("\n") == 1,
               f"--mesh '{mesh}': exit {done.returncode}, {done.stderr}")
        expect(not os.path.exists(os.path.join(folder, "wrong.vtkhdf")), f"--mesh '{mesh}': it ran")
    for words, said in CUT_NAMES:
        done = execute(program, "cut", "named.msh", *words, "-o", "out.msh", folder=folder)
        expect(said in done.stdout + done.stderr, f"cut {words}: {done.stdout}{done.stderr}")
        if done.returncode == 0:
            os.replace(os.path.join(folder, "out.msh"), os.path.join(folder, "named.msh"))
    for edit, said in (("name: b", "cut: the faces of 'b' have label 1003, since 1001 is taken"), ("name: b, label: 1001", "have the name 'floor'"),
                       ("name: b, label: 77", "out.msh")):
        write(folder, "wrong.yaml", "mesh: named.msh\nmaterial: {young: 1, poisson: 0.3}\nsteps: [{name: a, edit: [{cut: {plane: "
              f"{{point: [0, 0, 0.8], normal: [0, 0, -1]}}, keep: inside, {edit}}}}}]}}]\n")
        done = execute(program, "run", "wrong.yaml", "-o", "wrong", "--mesh", "out.msh", folder=folder)
        expect(said in done.stdout + done.stderr, f"a case's {edit}: {done.stdout}{done.stderr}")
        if edit == "name: b":
            os.replace(os.path.join(folder, "out.msh"), os.path.join(folder, "case.msh"))
    done = execute(program, "cut", "named.msh", "--plane", "0,0,0.8,0,0,-1", "--keep", "inside", "--name", "b", "-o", "out.msh", folder=folder)
    expect("have label 1003, since 1001 is taken" in done.stdout, f"a taken label: {done.stdout}{done.stderr}")
    expect_same_file(folder, "out.msh", "case.msh", "a taken label")
    make_named(folder)
    done = execute(program, "smooth", "part.mesh", "-o", "out.vtk", folder=folder)
    expect("no place for slots and ids" in done.stdout, f"out.vtk: {done.stdout}")


def make_named(folder):
    """The box with lists of vertices and of tets, by a deck."""
    run(program, "convert", "part.mesh", "part.msh", folder=folder)
    box = read_medit(os.path.join(folder, "part.mesh"))
    center = box.points[box.tets].mean(axis=1)
    inner = 1 + numpy.flatnonzero(abs(center - [1.2, 0.5, 0.5]).max(axis=1) < 0.4)
    ends = 1 + numpy.flatnonzero((box.points[:, 0] == 0) | (box.points[:, 0] == 2))
    faces = {1: 0.0, 2: 2.0}
    with open(os.path.join(folder, "named.inp"), "w") as file:
        file.write("*NODE\n")
        file.writelines("%d, %.17g, %.17g, %.17g\n" % (i + 1, *p) for i, p in enumerate(box.points))
        file.write("*ELEMENT, TYPE=C3D4, ELSET=body\n")
        file.writelines("%d, %d, %d, %d, %d\n" % (i + 1, *(t + 1)) for i, t in enumerate(box.tets))
        tets, rows, ids = box.boundary()
        n = len(box.tets)
        for label, x in faces.items():
            file.write(f"*ELEMENT, TYPE=CPS3, ELSET=side{label}\n")
            for corners in ids[(box.points[ids][:, :, 0] == x).all(axis=1)]:
                n += 1
                file.write("%d, %d, %d, %d\n" % (n, *(corners + 1)))
        for kind, name, members in (("NSET", "ends", ends), ("ELSET", "inner", inner)):
            file.write(f"*{kind}, {kind}={name}\n")
            file.writelines(f"{i}\n" for i in members)
    run(program, "convert", "named.inp", "named.msh", folder=folder)


def check_converted(folder):
    """A mesh with curved sides has them in every format, and a warning where these are in comments."""
    given = os.path.join(source, "datasets", "le10-curved.msh")
    for name in ("curved.mesh", "curved.node", "curved.inp", "curved.vtu", "curved.vtk", "curved.msh"):
        told = run(program, "convert", given, name, folder=folder)
        expect(told and ("warning: " in told) == name.endswith(".node"), f"{name}: {told}")
        found = run(program, "info", name, folder=folder)
        expect(found and "520 of their sides are curved" in found, f"{name}: {found}")
    given = os.path.join(source, "datasets", "le11-curved.msh")
    run(program, "refine", given, "--longer-than", "0.3", "-o", "finer.msh", folder=folder)
    run(program, "check", "finer.msh", folder=folder)  # sides cut more than once fold no tet


with tempfile.TemporaryDirectory(prefix="edgewise-") as work:
    check_converted(work)
    run(program, "shape", "box", "--size", "2,1,1", "--cells", "6,3,3", "-o", "part.mesh", folder=work)
    run(program, "shape", "box", "--size", "0.5,0.5,0.5", "--cells", "2,2,2", "-o", "small.mesh", folder=work)
    run(program, "move", "small.mesh", "--box", "-9,-9,-9,9,9,9", "--by", "5,0,0", "-o", "other.mesh",
        folder=work)
    make_named(work)
    all_kinds = [refine, refine, cut, slit, move, move, whole, whole, decimate, remove, add, remesh]
    if execute(program, "remesh", "part.mesh", "--worse-than", "1", "-o", "x.mesh", folder=work).returncode:
        print("  without TetGen: no remesh")
        all_kinds.remove(remesh)
    check_random(work, range(30), all_kinds, 60)
    check_going_on(work)
    check_refusals(work)
    check_after_answers(work)
    part = Part("named.msh", [".msh", ".vtu"], ["ends", "inner", "side2"])
    check_random(work, range(100, 108), [kind for kind in all_kinds if kind is not remesh], 16)
    part = Part(os.path.join(source, "datasets", "le11-curved.msh"), [".mesh", ".msh", ".node", ".vtu"],
                has_middles=True)
    check_random(work, range(200, 206), [refine_curved, decimate, turn, remove_some], 12)
    check_random(work, range(300, 310), [cut_curved, cut_curved, refine_curved, turn], 20)
sys.exit(finish("chain"))
