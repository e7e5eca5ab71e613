"""A case that `edgewise view` opened, changed and saved: what was not changed stays byte for byte, and
`edgewise run` of what was saved gives the displacements that the window showed."""
import os
import shutil
import sys
import tempfile

import checks
import numpy
import support
from check_view_browser import BAR
from checks import expect
from view_case import changed_lines, do, faces_of, save
from view_client import Server

program, source, build = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3]

CASE = """# A beam.   Comments, blanks and expressions stay.
mesh: beam.mesh
elements: linear
parameters: {size: 1000} # N
material: {young: 210e9, poisson: 0.3, density: 7850, expansion: 1.2e-5}

sets:
  wall: {plane: {point: [0, 0, 0], normal: x, tolerance: 1e-9}, of: faces}
  # where it is loaded
  tip: {plane: {point: [1, 0, 0], normal: x, tolerance: 1e-9}, of: faces}
constraints:
- {set: wall, displacement: [0, 0, 0]}
- {set: tip, foundation: {normal: 1e9}}
loads:
  - {set: tip, total_force: [0, 0, -size]}   # down
  - set: tip
    traction: [2 * size, 0, 0]
  - {temperature: 10}
steps:
  - {name: first, static: {tolerance: 1e-10}}
  - name: later
    static:
    loads: []
"""


def open_case(folder, text):
    checks.write(folder, "case.yaml", text)
    if os.path.exists(os.path.join(folder, "saved.yaml")):
        os.remove(os.path.join(folder, "saved.yaml"))  # of another window, which no window overwrites
    return Server(program, os.path.join(folder, "case.yaml"), "--grace", "600")


def by_place(points, values):
    """Values of all vertices in a place: the flanks of a slit have two there."""
    found = {}
    for place, value in zip(map(tuple, points), values):
        found.setdefault(place, []).append(value)
    return found


def compare_run(folder, picture, what, frame=0, name="saved.yaml"):
    """Displacements at the vertices of the surface, in the window, whose local answers may be off by 1e-3 of the
    energy norm, and of a run. What is saved wrongly differs by a tenth or more."""
    checks.run(program, "run", name, "-o", "result", "--quiet", folder=folder)
    found = support.read_frames(os.path.join(folder, "result.vtkhdf"))[frame]
    places, run = by_place(numpy.round(found["Points"], 5), found["PointData/displacement"]), found["PointData/displacement"]
    x, u = (numpy.array(picture.array(of)).reshape(-1, 3) for of in ("position", "displacement"))
    apart = [min(numpy.abs(one - moved).max() for one in places[at]) for at, moved in zip(map(tuple, numpy.round(x, 5)), u)]
    error = max(apart) / numpy.abs(run).max()
    expect(error < 3e-3, f"{what}: the run differs from the window by {error:.1e}")


def check_changes(folder):
    with open_case(folder, CASE) as server:
        client = server.connect()
        first = client.picture()
        save(client)
        expect(changed_lines(folder, CASE) == ([], []), "nothing was changed, and nothing is")
        do(client, "load", index=0, force=[0, 500, -750])
        do(client, "set", name="top's", faces=faces_of(first, lambda x, y, z: z > 0.0999 and x > 0.5))
        do(client, "load_add", type="pressure", set="top's", value=[1e4])
        do(client, "load_remove", index=1)
        do(client, "support", set="tip", fixed=[False, True, False])
        do(client, "set", name="one", faces=faces_of(first, lambda x, y, z: z > 0.0999 and x < 0.05)[:1])
        reply = save(client)
        expect(reply["file"] == os.path.join(folder, "saved.yaml"), f"beside the case: {reply}")
        old, new = changed_lines(folder, CASE)
        expect(old == ["  - {set: tip, total_force: [0, 0, -size]}   # down", "  - set: tip", "    traction: [2 * size, 0, 0]"],
               f"only what was changed goes: {old}")
        expect(new[-3] == "- {set: tip, displacement: [~, 0, ~]}" and "'top''s':" in "\n".join(new)
               and new[-2] == "  - {set: tip, total_force: [0, 500, -750]}   # down"
               and new[-1] == "  - {pressure: 10000, set: 'top''s'}", f"and only what was changed comes: {new}")
        compare_run(folder, whole_picture(server), "loads, a support and a set")
        old_set = save_and_read(client, folder)
        do(client, "set", name="tip", faces=faces_of(first, lambda x, y, z: x > 0.9999 and z > 0.05))
        save(client)
        _, now = changed_lines(folder, old_set)
        expect(len(now) == 1 and now[0].startswith("  tip: {"), f"another tip: {now}")
        compare_run(folder, whole_picture(server), "another set of the case's name")
        client.close()


def save_and_read(client, folder):
    save(client)
    with open(os.path.join(folder, "saved.yaml"), encoding="utf-8") as file:
        return file.read()


def whole_picture(server):
    client = server.connect()
    picture = client.picture()
    client.close()
    return picture


TABLES = """mesh: beam.mesh
elements: linear
material: {young: 210e9, poisson: 0.3}
sets:
  wall: {plane: {point: [0, 0, 0], normal: x, tolerance: 1e-9}, of: faces}
  tip: {plane: {point: [1, 0, 0], normal: x, tolerance: 1e-9}, of: faces}
constraints:
- {set: wall, displacement: [0, ~, 0]}  # rollers
- {set: wall, total_spring: [0, 1e6, 0]}
- {set: tip, foundation: {normal: 1e9}}
- {set: wall, displacement: [~, 0, ~]}
loads:
- {set: tip, pressure: 1e5}
- {set: tip, total_force: [0, 0, -100]}
"""


def check_tables(folder):
    """Supports, springs and loads of the case with other numbers, and without some of them."""
    with open_case(folder, TABLES) as server:
        client = server.connect()
        client.picture()
        do(client, "support_change", index=0, fixed=[None, None, False], value=[1e-5, None, None])
        do(client, "support", set="wall", fixed=[False, False, True])
        do(client, "spring_remove", index=1)
        do(client, "spring", set="tip", kind="foundation", stiffness=[2e9, 1e8])
        do(client, "load_change", index=0, value=[2e5])
        do(client, "load_change", index=1, value=[None, 50, None])
        do(client, "set", name="spare", faces=[whole_picture(server).array("face")[0]])
        do(client, "set_remove", name="spare")
        save(client)
        old, new = changed_lines(folder, TABLES)
        expect(old == [TABLES.splitlines()[k] for k in (7, 9, 12, 13)], f"{old}")
        expect(new == ["- {set: wall, displacement: [1.0e-05, ~, ~]}  # rollers", "- {set: wall, displacement: [~, ~, 0]}",
                       "- {set: tip, foundation: {normal: 2000000000, tangential: 100000000}}", "- {set: tip, pressure: 200000}",
                       "- {set: tip, total_force: [0, 50, -100]}"], f"{new}")
        compare_run(folder, whole_picture(server), "other numbers of supports, springs and loads")
        client.close()


def check_removed(folder):
    text = CASE.replace("  - {temperature: 10}\n", "")
    with open_case(folder, text) as server:
        client = server.connect()
        first = client.picture()
        do(client, "remove", face=faces_of(first, lambda x, y, z: z > 0.0999 and 0.5 < x < 0.6)[0], radius=0.03)
        do(client, "parameter", name="size", value=1500)
        do(client, "remove", face=faces_of(first, lambda x, y, z: z > 0.0999 and 0.5 < x < 0.6)[0], radius=0.03)
        second = whole_picture(server)
        do(client, "set", name="pit", faces=faces_of(second, lambda x, y, z: 0.45 < x < 0.65 and 0.05 < z < 0.0999 and 0.01 < y < 0.09))
        do(client, "load_add", type="pressure", set="pit", value=[1e6])
        do(client, "material", young=70e9, poisson=0.33, density=2700)
        save(client)
        old, new = changed_lines(folder, text)
        expect(old == ["parameters: {size: 1000} # N", CASE.splitlines()[4], "  - {name: first, static: {tolerance: 1e-10}}"]
               and "parameters: {size: 1500} # N" in new
               and "material: {young: 70000000000, poisson: 0.33, density: 2700, expansion: 1.2e-5}" in new and any("remove: {ids: [" in line for line in new), f"{old}\n{new}")
        compare_run(folder, whole_picture(server), "tets removed, a parameter, a material")
        client.close()


STUDY = """# Edits, sets in many forms, and steps that come later.
mesh: {surface: bar.off, max_volume: 1e-4} # filled
elements: linear
material: {young: 210e9, poisson: 0.3, density: 7850}
sets:
  wall:
    plane: {point: [0, 0, 0], normal: x, tolerance: 1e-9}
    of: faces
  top: {plane: {point: [0, 0, 0.1], normal: z, tolerance: 1e-9}, of: faces}
  half: {side: {point: [0.5, 0, 0], normal: x}, of: tets}
constraints:
- {set: wall, displacement: [0, 0, 0]}
- {set: {plane: {point: [1, 0, 0], normal: x, tolerance: 1e-9}}, displacement: [~, 0, ~]} # by a selection
loads:
  - {set: {sphere: {center: [1, 0.05, 0.05], radius: 0.06}, of: faces}, total_force: [0, 0, -1000]}
  - {set: top, pressure: 1e4}
steps:
  - name: before
    edit: [{refine: {longer_than: 0.2}}]
  - name: answer
    sets: {side: {box: [[-1, -1, -1], [2, 1e-9, 1]], of: faces}}
    edit: [{remove: {sphere: {center: [0.6, 0, 0.1], radius: 0.03}}}]
    static: {tolerance: 1e-11}
  - name: later
    edit: [{move: {set: top, by: [0, 0, 0.01]}}, {remesh: {set: half, worse_than: 0.2}}]
    static: {tolerance: 1e-11}
    loads: [{set: side, pressure: 2e4}]
"""


def same_bits(folder, name, what):
    """The saved case, opened in the window, shows the numbers of its run, bit for bit."""
    found = support.read_frames(os.path.join(folder, "result.vtkhdf"))
    found = found[min(k for k, frame in enumerate(found) if "PointData/displacement" in frame)]
    places = by_place(found["Points"].astype("f4"), found["PointData/displacement"].astype("f4"))
    with Server(program, os.path.join(folder, name), "--grace", "600") as server:
        picture = whole_picture(server)
        x, u = (numpy.array(picture.array(of), "f4").reshape(-1, 3) for of in ("position", "displacement"))
        own = [i for i, v in enumerate(picture.array("vertex_id")) if v >= 0]
        expect(all(any((one == u[i]).all() for one in places[tuple(x[i])]) for i in own), f"{what}: the saved case shows other bits than its run")
        return picture


def check_present(folder):
    """Tets that were cut, refined and welded go into a mesh beside the case: its run has the window's sets and numbers."""
    text = STUDY.replace("{surface: bar.off, max_volume: 1e-4} # filled", "beam.mesh")
    if checks.execute(program, "mesh", "bar.off", "-o", "bar.mesh", folder=folder).returncode == 0:
        text = STUDY
    with open_case(folder, text) as server:
        client = server.connect()
        first = client.picture()
        face = faces_of(first, lambda x, y, z: z > 0.0999 and 0.2 < x < 0.3)[0]
        do(client, "refine", face=face, radius=0.03)
        do(client, "cut", point=[0.45, 0, 0], normal=[1, 0, 0], sides=[[0, 0, -1, -0.06]])
        do(client, "cut", point=[0.7, 0, 0], normal=[1, 0, 0.3], sides=[[0, 0, -1, -0.04]])
        do(client, "weld", vertices=welded(server, 0.7))
        do(client, "set", name="seam", faces=faces_of(whole_picture(server), lambda x, y, z: y < 1e-6 and x < 0.5))
        do(client, "load_add", type="pressure", set="seam", value=[2e4])
        do(client, "load", index=1, value=[2e4])
        do(client, "load_remove", index=0)
        seen, sets = whole_picture(server), state_of(server)["sets"]
        reply = save(client)
        expect(reply["mesh"] == "saved.msh" and os.path.exists(os.path.join(folder, "saved.msh")), f"a mesh beside the case: {reply}")
        compare_run(folder, seen, "cut, refined, welded", next_frame(folder))
        again = same_bits(folder, "saved.yaml", "cut, refined, welded")
        expect(again.header["n_tet"] == seen.header["n_tet"], f"{again.header['n_tet']} tets, not {seen.header['n_tet']}")
        with Server(program, os.path.join(folder, "saved.yaml"), "--grace", "600") as other:
            found = {one["name"]: (one["kind"], one["count"], one["area"]) for one in state_of(other)["sets"]}
            for one in sets:
                if not one["name"].startswith(("plane in", "sphere in")):
                    expect(found.get(one["name"]) == (one["kind"], one["count"], one["area"]), f"set {one}: {found.get(one['name'])}")
        with open(os.path.join(folder, "saved.yaml"), encoding="utf-8") as file:
            lines = file.read()
        expect("mesh: saved.msh" in lines and "# by a selection" in lines and "name: before" not in lines and "remove:" not in lines and "move: {set: top" in lines
               and lines.startswith("# Edits, sets"), f"what is left of the case:\n{lines}")
        vertex = first.array("vertex_id")[0]
        do(client, "pull", vertex=vertex, to=[0, 0, 1])
        refused, _ = client.do("save", file="saved.yaml")
        expect("release it first" in refused.get("error", ""), f"a body that is pulled is saved: {refused}")
        do(client, "release")
        # A second save writes over the first; once all is undone the case keeps its mesh again.
        do(client, "refine", face=faces_of(whole_picture(server), lambda x, y, z: z > 0.0999 and x > 0.9)[0], radius=0)
        save(client)
        compare_run(folder, whole_picture(server), "refined once more", next_frame(folder))
        do(client, "goto", at=0)
        expect("mesh" not in save(client, "undone.yaml"), "an undone edit needs no mesh")
        client.close()


def next_frame(folder):
    """The frame of the first answer of a case with steps that only edit before it."""
    checks.run(program, "run", "saved.yaml", "-o", "result", "--quiet", folder=folder)
    frames = support.read_frames(os.path.join(folder, "result.vtkhdf"))
    return min(k for k, frame in enumerate(frames) if "PointData/displacement" in frame)


def welded(server, near):
    """Two vertices in one place of a slit near x = `near`."""
    picture = whole_picture(server)
    x, ids, seen = numpy.array(picture.array("position")).reshape(-1, 3), picture.array("vertex_id"), {}
    for place, v in zip(map(tuple, x), ids):
        if place in seen and abs(place[0] - near) < 0.05:
            return [seen[place], v]
        seen[place] = v
    return []


def state_of(server):
    client = server.connect()
    client.picture()
    client.do("state")
    client.do("state")
    state = [text for text in client.texts if text.get("kind") == "state"][-1]
    client.close()
    return state


def check_steps(folder):
    """Of the shipped study of a bracket: the first step; and of a case without steps, and in time."""
    shutil.copy(f"{source}/datasets/bracket.mesh", folder)
    with open(f"{source}/datasets/bracket-study.yaml", encoding="utf-8") as file:
        text = file.read()
    with open_case(folder, text) as server:
        client = server.connect()
        first = client.picture()
        do(client, "remove", tets=[int(first.array("tet")[0])])
        save(client)
        old, new = changed_lines(folder, text)
        expect(old == [] and len(new) == 2 and new[0] == "    edit:" and "remove: {ids: [" in new[1], f"{old} {new}")
        compare_run(folder, whole_picture(server), "bracket")
        client.close()
    short = "mesh: beam.mesh\nelements: linear\nmaterial: {young: 1e9, poisson: 0.3}\nconstraints: [{set: {plane: {point: [0, 0, 0], normal: x}}, displacement: [0, 0, 0]}]\n"
    with open_case(folder, short) as server:
        client = server.connect()
        first = client.picture()
        do(client, "load", face=faces_of(first, lambda x, y, z: x > 0.9999)[0], radius=0.05, force=[0, 0, 5])
        do(client, "remove", tets=[int(first.array("tet")[7])])
        save(client)
        compare_run(folder, whole_picture(server), "a case without steps")
        reply, _ = client.do("save", file="elsewhere/saved.yaml")
        expect("beside" in reply.get("error", ""), f"another folder is refused: {reply}")
        client.close()


with open(f"{build}/CMakeCache.txt", encoding="utf-8") as cache:
    if "EW_WITH_VIEW:BOOL=ON" not in cache.read():
        print("skipped: built without the page (EW_WITH_VIEW)")
        sys.exit(77)
with tempfile.TemporaryDirectory() as work:
    checks.run(program, "shape", "box", "--size", "1,0.1,0.1", "--cells", "24,4,4", "-o", "beam.mesh", folder=work)
    checks.write(work, "bar.off", BAR)
    check_changes(work)
    check_tables(work)
    check_removed(work)
    check_present(work)
    check_steps(work)
sys.exit(checks.finish("view_case"))
