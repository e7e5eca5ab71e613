"""A body that `edgewise view` fills again, by edges of another length: sets, supports, loads, materials and steps are carried over or told,
states keep their bits, the saved case has that mesh; a case of a CAD file says the size.

check_view_fill.py PROGRAM SOURCE BUILD"""
import os
import sys
import tempfile

import checks
import numpy
from check_view_browser import BAR
from checks import expect
from view_case import changed_lines, do, faces_of, save
from view_client import Server

program, source, build = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]

CASE = """# From CAD.
mesh: {file: bracket.step, curvature: 0}  # in mm
elements: linear
units: {length: mm, force: N}
material: S235
constraints: [{set: wall, displacement: [0, 0, 0]}]
loads: [{set: shelf, total_force: [0, 0, -100]}]
"""


def state_of(client):
    client.do("state")
    return [text for text in client.texts if text.get("kind") == "state"][-1]


def fill(client, size):
    reply, picture = client.do("fill", size=size)
    expect("error" not in reply, f"fill {size}: {reply}")
    return reply, picture


def whole(server):
    """All arrays of the picture as a new client sees it."""
    client = server.connect()
    picture = client.picture()
    client.close()
    return picture


def bits(server):
    picture = whole(server)
    return {name: picture.array(name) for name in picture.header["arrays"] if name not in ("value", "corner_value")}


def sets_of(client):
    return {one["name"]: one for one in state_of(client)["sets"]}


def run_of(folder, name):
    """Largest displacement and number of tets of a saved case."""
    if checks.run(program, "run", name + ".yaml", "-o", name, "--quiet", folder=folder) is None:
        return 0, 0
    with open(os.path.join(folder, name + ".csv"), encoding="utf-8") as table:
        names, values = (line.rstrip("\n").split(",") for line in list(table)[:2])
    return float(values[names.index("max_displacement")]), int(values[names.index("tets")])


def largest(picture):
    return numpy.linalg.norm(numpy.array(picture.array("displacement")).reshape(-1, 3), axis=1).max()


def check_surface(folder):
    checks.write(folder, "bar.off", BAR)
    with Server(program, os.path.join(folder, "bar.off"), "--grace", "600") as server:
        client = server.connect()
        first = client.picture()
        do(client, "set", name="wall", faces=faces_of(first, lambda x, y, z: x < 1e-9))
        do(client, "set_rule", name="top", kind="normal", values={"normal z": 1, "angle": 10})
        do(client, "set", name="half", faces=faces_of(first, lambda x, y, z: x > 0.5))
        do(client, "support", set="wall", fixed=[True] * 3)
        do(client, "load_add", type="pressure", set="top", value=[1000])
        do(client, "load_add", type="force", set="half", value=[1, 0, 0])
        do(client, "material", library="C45")
        do(client, "step_add", kind="modes", count=2)
        end = faces_of(first, lambda x, y, z: x > 0.9999)[0]
        do(client, "fix", face=end, radius=0.03)
        before, sets = bits(server), sets_of(client)
        reply, _ = fill(client, 0.03)
        state, now = state_of(client), sets_of(client)
        expect(reply["lines"][0].endswith("tets") and any("'top'" in line for line in reply["lines"]), f"what came of it is not told: {reply}")
        expect(state["mesh"]["size"] == 0.03 and state["mesh"]["by"] == "TetGen" and 0.015 < state["mesh"]["edge"] < 0.06, f"{state['mesh']}")
        for name, area in (("wall", 0.01), ("top", 0.1)):
            expect(abs(now[name]["area"] / area - 1) < 1e-9 and now[name]["count"] > sets[name]["count"], f"{name}: {sets[name]} became {now[name]}")
        expect(now["top"]["rule"]["kind"] == "normal", "the rule of 'top' is no more")
        expect(abs(now["half"]["area"] / sets["half"]["area"] - 1) < 0.2 and now["fixed"]["count"] > 0, f"{now['half']} {sets['half']} {now['fixed']}")
        expect(len(state["supports"]) == 2 and [load["type"] for load in state["loads"]] == ["pressure", "force"], f"{state['supports']} {state['loads']}")
        expect(state["materials"][0]["library"] == "C45" and len(state["steps"]) == 2, f"{state['materials']} {state['steps']}")
        filled = bits(server)
        expect(len(filled["triangle"]) > 2 * len(before["triangle"]), "the mesh is not finer")
        do(client, "undo")
        expect(bits(server) == before, "undo of a filling does not bring the body before")
        do(client, "redo")
        expect(bits(server) == filled, "redo of a filling makes another body")
        do(client, "remove", tets=[int(whole(server).array("tet")[0])])
        reply, _ = fill(client, 0.03)
        expect(any("is there again" in line for line in reply["lines"]) and reply["warning"], f"removed tets are not told: {reply}")
        expect(bits(server)["triangle"] == filled["triangle"], "a removed tet is not there again")
        do(client, "unfix")
        save(client, os.path.join(folder, "saved.yaml"))
        shown = largest(whole(server))
        do(client, "step_remove", index=1)  # a run of modes needs the direct solver
        save(client, os.path.join(folder, "saved.yaml"))
        ran, n_tet = run_of(folder, "saved")
        expect(abs(shown / ran - 1) < 1e-4 and n_tet == whole(server).header["n_tet"], f"the window shows {shown}, the run {ran}, of {n_tet} tets")
        reply, _ = client.do("fill", size=1e-5)
        expect("error" in reply and state_of(client)["mesh"]["size"] == 0.03, f"edges that are too short: {reply}")
        fill(client, 0)
        expect(bits(server)["triangle"] == before["triangle"], "without a size the mesh is not that of the file")
        client.close()


def check_cad(folder):
    step = os.path.join(source, "datasets", "bracket.step")
    try:
        server = Server(program, step, "--grace", "600")
    except RuntimeError:
        print("  without Gmsh: no CAD")
        return
    with server:
        client = server.connect()
        first = client.picture()
        face = first.array("cad_face")[0]
        do(client, "set", name="side", faces=[code for code, of in zip(first.array("face"), first.array("cad_face")) if of == face])
        before = sets_of(client)
        reply, _ = fill(client, 9)
        now = sets_of(client)
        expect(not reply["warning"] and before.keys() == now.keys(), f"{reply}")
        picture = whole(server)
        area_of = [numpy.array(picture.array("cad_face")) == face]
        expect(now["side"]["count"] == int(area_of[0].sum()), "a face of CAD is not carried over as a whole")
        expect(all(abs(now[name]["area"] / before[name]["area"] - 1) < 0.02 for name in now), f"{before} {now}")
        client.close()
    with open(step, "rb") as data, open(os.path.join(folder, "bracket.step"), "wb") as copy:
        copy.write(data.read())
    checks.write(folder, "case.yaml", CASE)
    with Server(program, os.path.join(folder, "case.yaml"), "--grace", "600") as server:
        client = server.connect()
        first = client.picture()
        do(client, "set", name="own", faces=faces_of(first, lambda x, y, z: x > 79.9))
        do(client, "load_add", type="force", set="own", value=[0, 50, 0])
        fill(client, 9)
        other = whole(server)
        expect(other.header["n_tet"] < first.header["n_tet"], "the mesh is not coarser")
        reply = save(client, "coarse.yaml")
        old, new = changed_lines(folder, CASE, "coarse.yaml")
        expect(old[0] == CASE.splitlines()[1] and new[0] == "mesh: {file: bracket.step, curvature: 0, size: 9}  # in mm", f"{reply} {old} {new}")
        ran, n_tet = run_of(folder, "coarse")
        expect(n_tet == other.header["n_tet"] and abs(largest(other) / ran - 1) < 1e-4, f"{n_tet} tets, {largest(other)} and {ran}")
        client.close()


def check_refused(folder):
    checks.run(program, "shape", "box", "--size", "1,1,1", "--cells", "2,2,2", "-o", "box.mesh", folder=folder)
    with Server(program, os.path.join(folder, "box.mesh"), "--grace", "600") as server:
        client = server.connect()
        client.picture()
        reply, _ = client.do("fill", size=0.1)
        expect("tets of its own" in reply.get("error", "") and "fill" not in state_of(client)["commands"], f"{reply}")
        client.close()


def main():
    with open(f"{build}/CMakeCache.txt", encoding="utf-8") as cache:
        options = cache.read()
    if "EW_WITH_VIEW:BOOL=ON" not in options or "EW_WITH_TETGEN:BOOL=ON" not in options:
        print("skipped: built without the page (EW_WITH_VIEW) or without TetGen")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        check_surface(folder)
        check_cad(folder)
        check_refused(folder)
    return checks.finish("view_fill")


if __name__ == "__main__":
    sys.exit(main())
