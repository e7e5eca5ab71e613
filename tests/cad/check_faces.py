"""Which face is it: the table, the selectors and the pictures of edgewise info; sets of a case that find their
faces again by geometry after the part has changed, or say that they do not; names of STEP files by faces, layers,
shape aspects and colors.

check_faces.py PROGRAM SOURCE BUILD"""

import csv
import io
import math
import os
import re
import subprocess
import sys
import tempfile

import support
from support import expect, run, write

program, source, build = (os.path.abspath(word) for word in sys.argv[1:4])
maker = os.path.join(build, "tests", "make_cad")
helper = os.path.join(os.path.dirname(program), "edgewise-gmsh")
run = __import__("functools").partial(run, program)


def near(a, b, share=1e-6):
    return abs(a - b) <= share * max(abs(a), abs(b), 1e-9)


def table(folder, name, *options):
    """The faces of a file: kind, area, centroid, direction, radius, regions."""
    rows = csv.DictReader(io.StringIO(run("info", name, "--csv", *options, folder=folder) or ""))
    return [dict(row, at=[float(row[c]) for c in "xyz"], size=float(row["area"]), radius=float(row["radius"]),
                 direction=[float(row["direction_" + c]) for c in "xyz"]) for row in rows]


def one_of(rows, **asked):
    found = [row for row in rows if all(row[key] == value for key, value in asked.items())]
    expect(len(found) == 1, f"{asked}: {len(found)} faces")
    return found[0] if found else None


def refuse(folder, words, *texts):
    done = support.execute(program, *words, folder=folder)
    expect(done.returncode in (1, 2) and all(text in done.stderr for text in texts) and
           len(done.stderr.splitlines()) == 1, f"{words}: status {done.returncode}: {done.stderr}")


def check_table(folder):
    """A plate of 100 x 60 x 10 with a hole of radius 8 at (30, 30)."""
    print("the table")
    disc, plane = 64 * math.pi, 6000 - 64 * math.pi
    middle = (6000 * 50 - disc * 30) / plane
    for unit, scale in (("mm", 1), ("cm", 0.1)):
        rows = table(folder, "plate.step", "--unit", unit)
        expect([row["face"] for row in rows] == [str(i + 1) for i in range(7)], f"numbers {rows}")
        hole = one_of(rows, kind="cylinder")
        expect(near(hole["radius"], 8 * scale) and near(hole["size"], 160 * math.pi * scale ** 2) and
               all(near(a, b * scale) for a, b in zip(hole["at"], (30, 30, 5))) and
               [abs(c) for c in hole["direction"]] == [0, 0, 1] and hole["regions"] == "1", f"hole {hole}")
        top = one_of(rows, direction=[0, 0, 1], kind="plane")
        expect(near(top["size"], plane * scale ** 2) and all(near(a, b * scale) for a, b in
               zip(top["at"], (middle, 30, 10))), f"top {top}")
        wall = one_of(rows, name="wall")
        expect(wall["direction"] == [-1, 0, 0] and near(wall["size"], 600 * scale ** 2), f"wall {wall}")
    rounded = [row["size"] for row in table(folder, "plate-round.step") if near(row["radius"], 3)]
    expect(len(rounded) == 1 and near(rounded[0], 1.5 * math.pi * 60), f"fillet {rounded}")
    ball = one_of(table(folder, "hollow.step"), kind="sphere")
    expect(near(ball["radius"], 3) and near(ball["size"], 36 * math.pi), f"ball {ball}")
    both = one_of(table(folder, "two.step"), regions="1 2")
    expect(near(both["size"], 25) and both["kind"] == "plane", f"between solids {both}")
    run("mesh", "two.step", "--size", 4, "--solids", "apart", "-o", "apart.mesh", folder=folder)
    exact, rows = table(folder, "two.step", "--solids", "apart"), table(folder, "apart.mesh")
    place = [[(row["face"], row["regions"], *(round(x, 3) for x in row["at"])) for row in of] for of in (exact, rows)]
    expect(place[0] == place[1] and len(exact) == 12 and "1 2" not in [row["regions"] for row in exact], f"apart {place}")
    said = run("info", "plate-round.step", folder=folder) or ""
    expect("lengths of the file are in in" in said and ", in mm;" in said, f"unit: {said[:200]}")
    said = run("info", "bracket.step", folder=folder) or ""
    expect(re.search(r"^surface \d+ +'bolts' .*, 2 faces\n  face \d+ +cylinder, radius 4.5, area 226.195 at ", said, re.M),
           f"two faces of a name: {said}")


def check_measured(folder):
    """The same of triangles: radii are exact, as vertices lie on the faces; areas are those of the triangles."""
    print("meshes and surfaces")
    run("mesh", "plate.step", "--size", 6, "-o", "plate.mesh", folder=folder)
    run("mesh", "hollow.step", "--size", 1.5, "-o", "hollow.mesh", folder=folder)
    exact, rows = table(folder, "plate.step"), table(folder, "plate.mesh")
    expect(len(rows) == 7, f"{len(rows)} faces")
    for row, right in zip(rows, exact):
        expect(row["kind"] == right["kind"] and near(row["radius"], right["radius"]) and
               near(row["size"], right["size"], 0.06) and math.dist(row["at"], right["at"]) < 0.5 and
               row["regions"] == "1", f"{row} for {right}")
        cosine = sum(a * b for a, b in zip(row["direction"], right["direction"]))
        expect(near(cosine if row["kind"] == "plane" else abs(cosine), 1), f"direction of {row}")
    expect(near(one_of(table(folder, "hollow.mesh"), kind="sphere")["radius"], 3), "sphere of a mesh")
    write(folder, "cube.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\ng low\n"
          "f 1 3 4 2\ng high\nf 5 6 8 7\ng sides\nf 1 2 6 5\nf 2 4 8 6\nf 4 3 7 8\nf 3 1 5 7\n")
    rows = table(folder, "cube.obj")
    expect([(row["name"], row["kind"], row["size"]) for row in rows] ==
           [("low", "plane", 1), ("high", "plane", 1), ("sides", "curved", 4)], f"cube.obj {rows}")
    said = run("info", "cube.obj", folder=folder) or ""
    expect("triangles   12" in said and re.search(r"'low' .* normal \(0, 0, -1\)", said), f"a surface: {said}")


def check_pictures(folder):
    print("pictures")
    for name, n_view in (("plate.step", 2), ("plate.mesh", 2), ("cube.obj", 2)):
        said = run("info", name, "--picture", "view.png", folder=folder) or ""
        expect("in no view" not in said and len(re.findall(r"^view.*png: ", said, re.M)) == n_view, f"{name}: {said}")
    with open(os.path.join(folder, "view.png"), "rb") as file:
        expect(file.read(8) == b"\x89PNG\r\n\x1a\n", "no picture")
    inner = one_of(table(folder, "hollow.step"), kind="sphere")["label"]
    said = run("info", "hollow.step", "--picture", "view.png", folder=folder) or ""
    expect(f"in no view, as they lie inside or are too small: surface {inner}\n" in said, f"hollow.step: {said}")
    refuse(folder, ("info", "plate.step", "--picture", "view.jpg"), ".png")
    refuse(folder, ("info", "plate.mesh", "--unit", "m"), "--unit", "CAD files")
    refuse(folder, ("info", "plate.mesh", "--solids", "apart"), "--solids", "CAD files")
    refuse(folder, ("info", "plate.step", "--unit", "yard"), "yard")


CASE = """mesh: {file: FILE, size: 10}
units: {length: mm, force: N}
material: {young: 210000, poisson: 0.3}
sets:
HOLE
TIP
constraints: [{set: wall, displacement: [0, 0, 0]}]
loads: [{set: tip, total_force: [0, 0, -100]}, {set: hole, pressure: 1}]
"""


def selectors(folder, name):
    """The lines that `info --sets` writes: the geometry of each face by its number."""
    return dict(re.findall(r"^  face_(\d+): (\{surface: \{.*\}\})$", run("info", name, "--sets", folder=folder) or "", re.M))


def caught(folder, text, file):
    """Area and centroid of the sets, the notes."""
    write(folder, "case.yaml", text.replace("FILE", file))
    said = run("info", "case.yaml", folder=folder) or ""
    rows = {name: (float(area), [float(x) for x in at.split(", ")]) for name, area, at in
            re.findall(r"^  (\w+) +faces +\S+ +(\S+) +\(([^)]*)\)", said, re.M)}
    return rows, re.findall(r"^note: (.*)$", said, re.M)


def check_kept(folder):
    print("a part that changes")
    lines, rows = selectors(folder, "plate.step"), table(folder, "plate.step")
    expect(len(lines) == 6, f"faces without a name: {lines}")
    hole = lines[one_of(rows, kind="cylinder")["face"]]
    tip = lines[one_of(rows, direction=[1, 0, 0], kind="plane")["face"]]
    case = CASE.replace("HOLE", f"  hole: {hole}").replace("TIP", f"  tip: {tip}")
    hole_line, tip_line = 5, 6
    for file, hole_at, tip_at, tip_area, notes in (
            ("plate.step", (30, 30, 5), (100, 30, 5), 600, {}),
            ("plate.mesh", (30, 30, 5), (100, 30, 5), 600, {}),
            ("plate-moved.step", (42, 30, 5), (100, 30, 5), 600, {hole_line: "moved by 12 to (42, 30, 5)"}),
            ("plate-long.step", (30, 30, 5), (120, 30, 5), 600, {tip_line: "moved by 20 to (120, 30, 5)"}),
            ("plate-round.step", (30, 30, 5), (100, 30, 3.5), 420, {tip_line: "area 600 -> 420"})):
        text = case.replace("{file: FILE, size: 10}", "FILE") if file.endswith(".mesh") else case
        if file.endswith(".mesh"):
            text = text.replace("set: wall", "set: {surface: {near: [0, 30, 5], direction: [-1, 0, 0]}}")
        sets, said = caught(folder, text, file)
        expect(near(sets["tip"][0], tip_area, 1e-4) and math.dist(sets["tip"][1], tip_at) < 0.01, f"{file}: tip {sets}")
        expect(near(sets["hole"][0], 160 * math.pi, 0.06) and math.dist(sets["hole"][1], hole_at) < 0.5, f"{file}: hole {sets}")
        said = [one for one in said if not (file.endswith(".mesh") and "area" in one and "moved" not in one)]
        expect(len(said) == len(notes) and all(any(one.startswith(f"line {at}: surface is kept as face ") and what in one
               for one in said) for at, what in notes.items()), f"{file}: notes {said}")
    done = run("run", "case.yaml", "-o", "kept", "--device", "host", folder=folder) or ""
    expect(f"note: line {tip_line}: surface is kept as face" in done, f"run: {done[:400]}")
    run("replay", "kept.vtkhdf", "-o", "again", folder=folder)
    write(folder, "case.yaml", case.replace("FILE", "plate-solid.step"))
    refuse(folder, ("run", "case.yaml", "-o", "bad"), f"case.yaml:{hole_line}: surface: ", "the body has no cylinder")
    write(folder, "case.yaml", case.replace("FILE", "plate-two.step"))
    refuse(folder, ("run", "case.yaml", "-o", "bad"), f"case.yaml:{hole_line}: surface: ", "about equally like this")
    far = case.replace("FILE", "plate.step").replace("near: [30, 30, 5]", "near: [90, 30, 5]")
    write(folder, "case.yaml", far)
    refuse(folder, ("run", "case.yaml", "-o", "bad"), "within the tolerance 0.25", "moved by 60")
    write(folder, "case.yaml", far.replace("radius: 8", "radius: 8, tolerance: 0.6"))
    expect("moved by 60" in (run("info", "case.yaml", folder=folder) or ""), "a larger tolerance")
    # A set that may be empty is left out, with a note.
    missing = case.replace("FILE", "plate-solid.step").replace(f"hole: {hole}", f"hole: {hole[:-1]}, allow_empty: true}}")
    write(folder, "case.yaml", missing.replace(", {set: hole, pressure: 1}", ""))
    said = run("info", "case.yaml", folder=folder) or ""
    expect(f"note: line {hole_line}: surface is not kept: the body has no cylinder" in said, f"not kept: {said}")
    # Two holes, one of which goes: the other is not taken for both.
    second = hole.replace("near: [30, 30, 5]", "near: [20, 30, 5]")
    first = hole.replace("near: [30, 30, 5]", "near: [40, 30, 5]")
    both = CASE.replace("HOLE", f"  hole: {first}\n  other: {second}").replace("TIP", f"  tip: {tip}")
    sets, said = caught(folder, both, "plate-two.step")
    expect(not said and near(sets["hole"][1][0], 40, 0.02) and near(sets["other"][1][0], 20, 0.02), f"two holes: {sets}")
    write(folder, "case.yaml", both.replace("FILE", "plate.step"))
    refuse(folder, ("run", "case.yaml", "-o", "bad"), "case.yaml:6: ", "and to another one in line 5")
    number = one_of(rows, kind="cylinder")["label"]
    sets, said = caught(folder, CASE.replace("HOLE", f"  hole: {{surface: {number}}}").replace("TIP", f"  tip: {tip}"), "plate.step")
    expect(len(said) == 1 and f"surface {number} is a number" in said[0] and hole[10:-1] in said[0], f"a number: {said}")
    for bad, text in (("{surface: {kind: plane}}", "near"), ("{surface: {near: [0, 0]}}", "near"),
                      ("{surface: {near: [0, 0, 0], kind: cube}}", "kind"), ("{surface: {near: [0, 0, 0], radius: 0}}", "radius"),
                      ("{surface: {near: [0, 0, 0], tolerance: 2}}", "tolerance"), ("{surface: {near: [0, 0, 0], volume: 1}}", "volume"),
                      ("{surface: {near: [0, 0, 0], direction: [0, 0, 0]}}", "direction"),
                      ("{region: {near: [0, 0, 0], area: 1}}", "area")):
        write(folder, "case.yaml", CASE.replace("FILE", "plate.step").replace("HOLE", f"  hole: {bad}").replace("TIP", f"  tip: {tip}"))
        refuse(folder, ("run", "case.yaml", "-o", "bad"), "case.yaml:5: ", text)
    write(folder, "case.yaml", CASE.replace("FILE", "bracket.step").replace("HOLE", "  hole: {surface: {near: [4, 15, 20], radius: 4.5}}")
          .replace("TIP", f"  tip: {tip}"))
    refuse(folder, ("run", "case.yaml", "-o", "bad"), "have the name 'bolts' together")


def check_solids(folder):
    print("materials of solids")
    said = run("info", "two.step", "--sets", folder=folder) or ""
    solids = re.findall(r"^  solid_\d: \{region: (\{.*\}), of: tets\}$", said, re.M)
    expect(len(solids) == 2, f"solids: {said}")
    text = """mesh: {file: FILE, size: 4}
units: {length: mm, force: N}
material:
  - {region: ONE, young: 1000, poisson: 0.3}
  - {region: OTHER, young: 50000, poisson: 0.3}
constraints: [{set: {surface: {near: [0, 5, 5], direction: [-1, 0, 0]}}, displacement: [0, 0, 0]}]
loads: [{set: {surface: {near: [16, 4.5, 4.5], direction: [1, 0, 0]}}, total_force: [0, 0, -1]}]
"""
    results = []
    for file, one, other, notes in (("two.step", "1", "2", 2), ("two.step", *solids, 0), ("two-long.step", *solids, 2)):
        write(folder, "case.yaml", text.replace("FILE", file).replace("ONE", one).replace("OTHER", other))
        said = run("run", "case.yaml", "-o", "solids", "--device", "host", folder=folder) or ""
        found = re.findall(r"^note: (.*)$", said, re.M)
        expect(len(found) == notes, f"{file}: {found}")
        results.append(support.read_frames(os.path.join(folder, "solids.vtkhdf"))[0])
    expect((results[0]["PointData/displacement"] == results[1]["PointData/displacement"]).all(), "by number and by geometry")
    expect("solid 2: moved by 0.5 to (13.5, 4.5, 4.5), volume 150 -> 175" in said, f"a solid that grew: {said[:600]}")


def find_entity(text, word, nth=0):
    return re.findall(r"^(#\d+) = " + word + r"\(", text, re.M)[nth]


def check_step_names(folder):
    """What other programs write: CadQuery layers, AP242 shape aspects, FreeCAD colors and names of products alone,
    Gmsh no names at all."""
    print("names of STEP files")
    with open(os.path.join(folder, "plate-solid.step")) as file:
        text = file.read().replace("'wall'", "''")
    face = [find_entity(text, "ADVANCED_FACE", i) for i in range(6)]
    color = ("#90{0}1 = COLOUR_RGB('',{1});\n#90{0}2 = FILL_AREA_STYLE_COLOUR('',#90{0}1);\n#90{0}3 = FILL_AREA_STYLE('',(#90{0}2));\n"
             "#90{0}4 = SURFACE_STYLE_FILL_AREA(#90{0}3);\n#90{0}5 = SURFACE_SIDE_STYLE('',(#90{0}4));\n"
             "#90{0}6 = SURFACE_STYLE_USAGE(.BOTH.,#90{0}5);\n#90{0}7 = PRESENTATION_STYLE_ASSIGNMENT((#90{0}6));\n")
    style = "#91{} = STYLED_ITEM('color',(#90{}7),{});\n"
    added = (f"#9301 = PRESENTATION_LAYER_ASSIGNMENT('clamp','visible',({face[0]},{face[1]}));\n"
             f"#9302 = SHAPE_ASPECT('seat','',{find_entity(text, 'PRODUCT_DEFINITION_SHAPE')},.T.);\n"
             f"#9303 = GEOMETRIC_ITEM_SPECIFIC_USAGE('','',#9302,{find_entity(text, 'ADVANCED_BREP_SHAPE_REPRESENTATION')},{face[2]});\n"
             + color.format(1, "1.,0.,0.") + color.format(2, "0.,1.,0.") + style.format("01", 1, face[2]) + style.format("02", 1, face[3])
             + "".join(style.format(f"1{i}", 2, face[i]) for i in range(6)))
    write(folder, "named.step", text.replace("ENDSEC;\nEND-ISO", added + "ENDSEC;\nEND-ISO"))
    said = run("info", "named.step", folder=folder) or ""
    found = dict(re.findall(r"^surface +\d+ +'([^']*)'  (.*) triangles", said, re.M))
    expect(set(found) == {"clamp", "seat", "color_FF0000"}, f"names: {found}")  # a color of all faces tells nothing
    areas = {row["name"]: 0 for row in table(folder, "named.step")}
    expect(set(areas) == {"clamp", "seat", ""}, f"faces keep labels of their own beside colors: {areas}")
    write(folder, "case.yaml", "mesh: {file: named.step, size: 10}\nunits: {length: mm, force: N}\nmaterial: {young: 210000, poisson: 0.3}\n"
          "constraints: [{set: clamp, displacement: [0, 0, 0]}]\nloads: [{set: color_FF0000, pressure: 1}, {set: seat, pressure: 1}]\n")
    said = run("info", "case.yaml", folder=folder) or ""
    expect(re.search(r"^  color_FF0000 +faces", said, re.M) and re.search(r"^  seat +faces", said, re.M), f"sets: {said}")
    try:
        import gmsh
    except ImportError:
        print("  skipped: there is no module gmsh")
        return
    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    gmsh.model.add("made")
    gmsh.model.occ.addBox(0, 0, 0, 10, 10, 10)
    gmsh.model.occ.synchronize()
    gmsh.model.addPhysicalGroup(2, [1], name="left")
    gmsh.write(os.path.join(folder, "gmsh.step"))
    gmsh.finalize()
    said = run("info", "gmsh.step", folder=folder) or ""
    expect("6 faces (0 with names)" in said and re.search(r"^region 1 +[\d,]+ tets", said, re.M), f"gmsh.step: {said[:300]}")
    expect(len(selectors(folder, "gmsh.step")) == 6, "selectors in place of names")


if not (os.path.exists(helper) and os.path.exists(maker)):
    print("skipped: the program was built without Gmsh")
    sys.exit(77)
with tempfile.TemporaryDirectory(prefix="edgewise-") as place:
    subprocess.run([maker, place], check=True, stdout=subprocess.DEVNULL)
    for check in (check_table, check_measured, check_pictures, check_kept, check_solids, check_step_names):
        check(place)
sys.exit(support.finish("check_faces"))
