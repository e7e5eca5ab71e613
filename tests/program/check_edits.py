"""Edits by case and by commands: the same operations, one after the other, give the same mesh, bit for
bit; and what the newer ones refuse, in one line. Usage: PROGRAM SOURCE_DIR BUILD_DIR."""
import os
import sys
import tempfile

import numpy
from support import execute, expect, finish, read_frames, read_medit, run, write

program, source = sys.argv[1], sys.argv[2]

CASE = """mesh: part.mesh
elements: linear
material: {young: 1e6, poisson: 0.3, density: 1000}
sets:
  low: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
  high: {plane: {point: [0, 0, 1], normal: [0, 0, 1]}}
  inner: {nearest: [1, 0.34, 0.34]}
steps:
  - name: edited
    edit:
"""

# Operation by operation: what a case says, and what a command does.
BOTH = [
    ("move: {set: high, by: [0, 0, 0.1], radius: 0.8}",
     "move --side 0,0,1,0,0,1 --by 0,0,0.1 --radius 0.8"),
    ("move: {set: {side: {point: [0, 0, 1.05], normal: [0, 0, 1]}}, radially: 0.05, axis: z, center: [1, 0.5, 0]}",
     "move --side 0,0,1.05,0,0,1 --radially 0.05 --axis z --center 1,0.5,0"),
    ("move: {set: low, along_normals: 0.07, radius: 0.4}",
     "move --side 0,0,0,0,0,-1 --along-normals 0.07 --radius 0.4"),
    ("move: {set: low, angle: 10, axis: z, radius: 0.7}",
     "move --side 0,0,-0.069,0,0,-1 --angle 10 --axis z --radius 0.7"),
    ("move: {table: moves.csv, radius: 0.3}", "move --table moves.csv --radius 0.3"),
    ("rotate: {angle: 20, axis: [1, 2, 3], center: [0.1, 0, 0]}",
     "rotate --angle 20 --axis 1,2,3 --center 0.1,0,0"),
    ("rotate: {set: {sphere: {center: [0, 0, 0], radius: 0.4}}, angle: 5, axis: x, radius: 0.5}",
     "rotate --sphere 0,0,0,0.4 --angle 5 --axis x --radius 0.5"),
    ("scale: {factor: [1.1, 1, 0.9], about: [0.5, 0, 0]}", "scale --factor 1.1,1,0.9 --about 0.5,0,0"),
    ("scale: {set: {sphere: {center: [0, 0, 0], radius: 0.6}}, factor: 1.2, radius: 0.5}",
     "scale --sphere 0,0,0,0.6 --factor 1.2 --radius 0.5"),
    ("move: {sets: [{set: {box: [[-1, -1, -1], [0.4, 3, 3]]}, by: [-0.1, 0, 0.03]}, "
     "{set: {ids: [60, 61]}, angle: 3, axis: y}, {set: {box: [[1.6, -1, -1], [9, 3, 3]]}}]}",
     ["move", "--sets", "box -1,-1,-1,0.4,3,3 by -0.1,0,0.03; ids 60,61 angle 3 axis y; box 1.6,-1,-1,9,3,3"]),
    ("move: {sets: [{set: {box: [[-1, -1, -1], [0.4, 3, 3]]}, radially: 0.03}, "
     "{set: {box: [[1.6, -1, -1], [9, 3, 3]]}}], blend: distance}",
     ["move", "--sets", "box -1,-1,-1,0.4,3,3 radially 0.03; box 1.6,-1,-1,9,3,3;", "--blend", "distance"]),
    ("cut: {plane: {point: [1.1, 0, 0], normal: x}, keep: open, within: {low: [0, 0, 0.5], high: [3, 3, 3]}}",
     "cut --plane 1.1,0,0,1,0,0 --keep open --within 0,0,0.5,3,3,3"),
    ("weld: {tolerance: 1e-9, set: {side: {point: [0, 0, 0.8], normal: [0, 0, 1]}}}", "weld --tolerance 1e-9 --side 0,0,0.8,0,0,1"),
    ("weld: {tolerance: 1e-9}", "weld --tolerance 1e-9"),
    ("split: {plane: {point: [1.05, 0.5, 0.5], normal: [1, 0.1, 0]}}", "split --plane 1.05,0.5,0.5,1,0.1,0"),
    ("split: {plane: {point: [0.9, 0.5, 0.5], normal: x}, set: {box: [[0.5, -1, -1], [1.5, 3, 3]]}, label: 9}",
     "split --plane 0.9,0.5,0.5,1,0,0 --box 0.5,-1,-1,1.5,3,3 --label 9"),
    ("smooth: {sweeps: 3}", "smooth --sweeps 3"),
    ("move: {set: {box: [[-9, -9, -9], [0, 9, 9]]}, by: [0.3, 0, 0], repair: true}",
     "move --box -9,-9,-9,0,9,9 --by 0.3,0,0 --repair"),
    ("remesh: {sphere: {center: [1, 0.5, 0.5], radius: 0.45}, size: 0.15}",
     "remesh --sphere 1,0.5,0.5,0.45 --size 0.15"),
    ("remesh: {worse_than: 0.35, rings: 1}", "remesh --worse-than 0.35 --rings 1"),
]


def make_part(folder):
    run(program, "shape", "box", "--size", "2,1,1", "--cells", "6,3,3", "-o", "part.mesh", folder=folder)
    write(folder, "moves.csv", "vertex_id,dx,dy,dz\n70,0.02,0,0\n3,0,-0.01,0.01\n")


def final_mesh(result):
    """Points by vertex_id and tets by tet_id, tets as rows of those points."""
    frame = read_frames(result)[-1]
    order = numpy.argsort(frame["PointData/vertex_id"], kind="stable")
    place = numpy.empty_like(order)
    place[order] = numpy.arange(len(order))
    tets = place[frame["Tets"]]
    return frame["Points"][order], tets[numpy.argsort(frame["CellData/tet_id"], kind="stable")]


def check_chain(folder):
    """After each operation the chain of commands has the mesh that the case has."""
    print("chain")
    mesh = "part.mesh"
    for i, (edit, command) in enumerate(BOTH):
        words = command.split() if isinstance(command, str) else command
        out = f"chain-{i}.mesh"
        if run(program, words[0], mesh, *words[1:], "-o", out, folder=folder) is None:
            return
        mesh = out
        if i % 5 != 4 and i != len(BOTH) - 1:
            continue
        edits = "".join(f"      - {e}\n" for e, _ in BOTH[:i + 1])
        write(folder, "case.yaml", CASE + edits)
        if run(program, "run", "case.yaml", "-o", "result", folder=folder) is None:
            return
        points, tets = final_mesh(os.path.join(folder, "result.vtkhdf"))
        chain = read_medit(os.path.join(folder, mesh))
        used = numpy.unique(chain.tets)
        row = numpy.full(len(chain.points), -1)
        row[used] = numpy.arange(len(used))
        expect(points.shape == chain.points[used].shape and (points == chain.points[used]).all(),
               f"{edit}: other points than by commands")
        expect(tets.shape == chain.tets.shape and (tets == row[chain.tets]).all(),
               f"{edit}: other tets than by commands")


WRONG = [  # an edit of a case, and what the line says
    ("move: {set: high}", "move needs one, and only one, of: by, radially, along_normals, angle, table, sets"),
    ("move: {set: high, by: [0, 0, 1], radially: 1}", "one, and only one, of"),
    ("move: {set: high, by: [0, 0, .nan]}", "by"),
    ("move: {set: high, by: [0, 0, 1e300]}", "too large or too small"),
    ("move: {set: high, by: [0, 0, -3]}", "would be inverted or flat"),
    ("move: {set: high, radialy: 1}", "did you mean 'radially'"),
    ("move: {set: high, radially: }", "radially"),
    ("move: {set: high, radially: 1, radially: 1}", "radially"),
    ("move: {set: high, radially: 0.1, axis: [0, 0, 0]}", "axis"),
    ("move: {set: high, radially: 0.1, axis: z}", "lies on the axis"),
    ("move: {set: inner, along_normals: 0.1}", "has no normal"),
    ("move: {set: high, angle: 10}", "angle needs axis"),
    ("move: {set: high, angle: ten, axis: z}", "angle"),
    ("move: {set: high, by: [0, 0, 1], axis: z}", "axis goes with radially or angle"),
    ("move: {set: high, by: [0, 0, 1], center: [0, 0, 0]}", "center goes with radially or angle"),
    ("move: {set: high, by: [0, 0, 0.1], radius: -1}", "radius is -1"),
    ("move: {set: high, by: [0, 0, 0.1], repair: perhaps}", "repair"),
    ("move: {set: high, by: [0, 0, -9], repair: true}", "below the floor"),
    ("move: {set: high, by: [0, 0, 0.1], blend: harmonic}", "blend goes with sets"),
    ("move: {set: none, by: [0, 0, 1]}", "none"),
    ("move: {table: none.csv}", "none.csv"),
    ("move: {table: bad.csv}", "bad.csv:2: a row has four numbers"),
    ("move: {table: far.csv}", "4000"),
    ("move: {table: moves.csv, set: high}", "set goes with"),
    ("move: {table: [1, 2]}", "table"),
    ("move: {sets: []}", "the list is empty"),
    ("move: {sets: high}", "sets"),
    ("move: {sets: [{by: [0, 0, 1]}]}", "key 'set' is missing"),
    ("move: {sets: [{set: high, by: [0, 0, 0.1], angle: 3, axis: z}]}", "one motion at a time"),
    ("move: {sets: [{set: high, angle: 3}]}", "angle needs axis"),
    ("move: {sets: [{set: high, factor: 3}]}", "factor"),
    ("move: {sets: [{set: high, by: [0, 0, 0.1]}], radius: 3}", "radius goes with"),
    ("move: {sets: [{set: high}, {set: low}], blend: linear}", "linear"),
    ("rotate: {angle: 30}", "axis"),
    ("rotate: {axis: z}", "angle"),
    ("rotate: {angle: .inf, axis: z}", "angle"),
    ("rotate: {set: high, angle: 170, axis: x, center: [0, 0.5, 1]}", "would be inverted or flat"),
    ("scale: {set: high, factor: 0}", "factor is 0"),
    ("scale: {set: high, factor: 1e200}", "too large or too small"),
    ("weld: {tolerance: -1}", "tolerance is -1"),
    ("weld: {tolerance: 1e-9}", "no two vertices of the surface are within 1e-09"),
    ("weld: {tolerance: 0.9}", "two vertices of tet"),
    ("split: {plane: {point: [7, 0.5, 0.5], normal: x}}", "has no tets on both sides"),
    ("split: {set: high}", "plane"),
    ("remesh: ", "remesh needs at least one of: box, sphere, cylinder, side, region, ids, set, worse_than"),
    ("remesh: {size: 0.1}", "remesh needs at least one of"),
    ("remesh: {region: 1, size: 0}", "size is 0; it must be greater than 0"),
    ("remesh: {region: 1, size: 1e300}", "size 1e+300 is too large"),
    ("remesh: {region: 9}", "region 9"),
    ("remesh: {worse_than: 1.5}", "worse_than is 1.5; it must be greater than 0 and at most 1"),
    ("remesh: {worse_than: .nan}", "worse_than"),
    ("remesh: {longer_than: -1}", "longer_than is -1"),
    ("remesh: {region: 1, rings: 3}", "rings goes with worse_than or longer_than or shorter_than"),
    ("remesh: {worse_than: 0.3, rings: -1}", "rings"),
    ("remesh: {region: 1, ratio: 0.5}", "ratio is 0.5"),
    ("remesh: {region: 1, max_seconds: -1}", "max_seconds is -1"),
    ("remesh: {region: 1, max_memory: x}", "max_memory"),
    ("remesh: {region: 1, max_seconds: 1e-9, size: 0.01}", "did not end within"),
    ("remesh: {box: [[5, 5, 5], [6, 6, 6]]}", "holds no tets"),
    ("remesh: {box: [[0, 0, 0], [1, 1, 1]], sphere: {center: [0, 0, 0], radius: 1}}", "one kind of selection"),
    ("remesh: {set: none}", "none"),
    ("remesh: {ids: [4000]}", "4000"),
]

WRONG_COMMANDS = [
    (["move", "--sets", "box 0,0,0,1,1 by 0,0,1"], "box takes 6 numbers"),
    (["move", "--sets", "by 0,0,1"], "each part has a selection"),
    (["move", "--sets", "ids 1,2 by"], "nothing after 'by'"),
    (["move", "--sets", "ids 1,x by 0,0,1"], "--ids takes whole numbers"),
    (["move", "--sets", "ids 1 blow 0,0,1"], "there is no blow"),
    (["move", "--sets", "region 1.5 by 0,0,1"], "region takes a label"),
    (["move", "--sets", "region 8 by 0,0,1"], "8"),
    (["move", "--sets", "sphere 9,9,9,0.1 by 0,0,1"], "part 1: the sphere holds no vertices"),
    (["move", "--sets", ""], "--sets is empty"),
    (["move", "--sets", " ;"], "each part has a selection"),
    (["move", "--sets", "ids 1 radially 1 angle 3"], "one motion at a time"),
    (["move", "--sets", "ids 1", "--ids", "3"], "a selection goes with"),
    (["move", "--table", "none.csv"], "none.csv"),
    (["move", "--table", "bad.csv"], "bad.csv:2: a row has four numbers"),
    (["move", "--ids", "1", "--angle", "3"], "--angle needs --axis"),
    (["rotate", "--angle", "3"], "rotate needs --axis"),
]


def expect_line(done, words, what):
    lines = [line for line in done.stderr.splitlines() if line.startswith("edgewise:")]
    expect(done.returncode == 2 and len(lines) == 1 and words in lines[0],
           f"{what}: exit {done.returncode}, '{words}' expected: {done.stderr.strip()}")


def check_refusals(folder):
    print("refusals")
    write(folder, "bad.csv", "vertex_id,dx,dy,dz\n1,2,3\n")
    write(folder, "far.csv", "4000,0,0,0\n")
    for edit, words in WRONG:
        write(folder, "wrong.yaml", CASE + f"      - {edit}\n")
        done = execute(program, "run", "wrong.yaml", "-o", "wrong", folder=folder)
        expect_line(done, words, edit)
        expect("wrong.yaml" in done.stderr, f"{edit}: the case is not named")
    for words, says in WRONG_COMMANDS:
        done = execute(program, words[0], "part.mesh", *words[1:], "-o", "wrong.mesh", folder=folder)
        expect_line(done, says, " ".join(words))
    left = [name for name in os.listdir(folder) if name.startswith("wrong.") and name != "wrong.yaml"]
    expect(not left, f"left behind: {left}")


def check_replay(folder):
    """A study with parts that are meshed again between analyses, replayed and resumed."""
    print("replay")
    write(folder, "again.yaml", CASE.split("steps:")[0] + """constraints:
  - {set: low, displacement: [0, 0, 0]}
loads:
  - {gravity: [0, 0, -10]}
steps:
  - {name: first, static: {}}
  - {name: second, edit: [{remesh: {sphere: {center: [1, 0.5, 0.5], radius: 0.45}, size: 0.12}}], static: {}}
  - {name: third, edit: [{move: {set: high, along_normals: 0.1, radius: 0.8}}, {remesh: {set: inner, size: 0.2}}], static: {}}
  - {name: joined, edit: [{cut: {plane: {point: [0.7, 0, 0], normal: x}, keep: open, within: {low: [0, 0, -9], high: [9, 9, 0.5]}}}, {weld: {tolerance: 1e-9}}], static: {}}
  - name: last
    dynamic: {step: 0.001, steps: 6, output: {every: 3}, edits: [{at: 0.003, remesh: {worse_than: 0.5}}]}
""")
    if run(program, "run", "again.yaml", "-o", "again", folder=folder) is not None:
        run(program, "replay", "again.vtkhdf", folder=folder)
        frames = read_frames(os.path.join(folder, "again.vtkhdf"))
        sizes = [len(frame["Tets"]) for frame in frames]
        expect(len(set(sizes)) > 2, f"tets {sizes}")
        for frame in frames[:3]:
            low = frame["PointData/displacement"][:, 2].min()
            expect(abs(low / frames[0]["PointData/displacement"][:, 2].min() - 1) < 0.4, f"sag {low}")


def check_warm_places(folder):
    """Temperatures at places: vertices that a refine adds have those between the ones they come from."""
    points = read_medit(os.path.join(folder, "part.mesh")).points
    answers = []
    for heat in ("temperature: {change: 3, gradient: [1, 2, 3]}",
                 f"temperature: {[3 + float(p @ [1, 2, 3]) for p in points]}, at: {points.tolist()}"):
        write(folder, "warm.yaml", CASE.split("steps:")[0].replace("density: 1000", "expansion: 1e-5") + f"""
constraints: [{{set: low, displacement: [0, 0, 0]}}]
loads: [{{{heat}}}]
steps: [{{edit: [{{refine: {{longer_than: 0.4}}}}], static: {{tolerance: 1e-11}}}}]
""")
        if run(program, "run", "warm.yaml", "-o", "warm", "--verify-rebuild", folder=folder) is not None:
            answers.append(read_frames(os.path.join(folder, "warm.vtkhdf"))[-1]["PointData/displacement"])
    if expect(len(answers) == 2 and len(answers[0]) > len(points), "two answers, of a refined mesh"):
        apart = numpy.abs(answers[0] - answers[1]).max() / numpy.abs(answers[0]).max()
        expect(apart < 1e-8, f"warm places: displacements differ by {apart}")


with tempfile.TemporaryDirectory(prefix="edgewise-") as work:
    make_part(work)
    check_warm_places(work)
    if execute(program, "remesh", "part.mesh", "--worse-than", "1", "-o", "part-2.mesh",
               folder=work).returncode != 0:
        print("  skipped: the program has no TetGen")
        BOTH = [both for both in BOTH if "remesh" not in both[0]]
        WRONG = [wrong for wrong in WRONG if "remesh: {region: 1, m" not in wrong[0] and "5, 5" not in wrong[0]]
    else:
        check_replay(work)
    check_chain(work)
    check_refusals(work)
sys.exit(finish("edits"))
