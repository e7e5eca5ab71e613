"""Steps that `edgewise view` sets up and runs: a body of a mesh and a case that was opened get motion, modes and buckling; the case that
is saved is run by the window, and `edgewise run` of it gives the same bits; steps that cannot be are refused, a run can be stopped.

check_view_run.py PROGRAM SOURCE BUILD"""
import os
import sys
import tempfile
import time

import checks
import h5py
import numpy
import support
from checks import expect
from view_case import changed_lines, do, faces_of
from view_client import Closed, Server

program, source, build = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3]

CASE = """# A column that may buckle.
mesh: column.mesh
elements: linear
material: {young: 1e9, poisson: 0.3, density: 1000}
sets:
  foot: {plane: {point: [0, 0, 0], normal: x, tolerance: 1e-9}}
  head: {plane: {point: [1, 0, 0], normal: x, tolerance: 1e-9}, of: faces}
constraints: [{set: foot, displacement: [0, 0, 0]}]
loads: [{set: head, total_force: [-1, 0, 0]}]
steps:
  - {name: pressed, static: {}}
  - name: bent   # two of them
    buckling: {count: 2}
  - name: swings
    dynamic: {step: 0.001, end: 0.01, output: {every: 5}}
"""


def refuse(client, line, command, **values):
    reply, _ = client.do(command, **values)
    expect(line in reply.get("error", ""), f"{command} {values}: {reply}")


def state_of(client):
    client.do("state")
    return [text for text in client.texts if text.get("kind") == "state"][-1]


def run_in_window(client, file):
    """The state when the run has ended."""
    reply, _ = client.do("run", file=file)
    expect("error" not in reply, f"run: {reply}")
    end = time.monotonic() + 60
    while time.monotonic() < end:
        state = state_of(client)
        if not state["run"]["going"]:
            return state
        time.sleep(0.05)
    expect(False, "the run does not end")
    return state


def contents(path):
    """All datasets of a result but the times of its steps and the place of its case."""
    found = {}
    with h5py.File(path, "r") as file:
        def add(name, node):
            if isinstance(node, h5py.Dataset) and "Steps" not in name and "steps" not in name:
                found[name] = node[()]
        file.visititems(add)
    return found


def compare_results(folder, name):
    """The result of the window beside that of the command line."""
    own = contents(os.path.join(folder, name + ".vtkhdf"))
    if checks.run(program, "run", name + ".yaml", "-o", "again", "--quiet", folder=folder) is None:
        return
    again = contents(os.path.join(folder, "again.vtkhdf"))
    expect(own.keys() == again.keys() and len(own) > 10, f"{name}: other arrays: {own.keys() ^ again.keys()}")
    for key in own:
        same = numpy.array_equal(own[key], again.get(key), equal_nan=own[key].dtype.kind == "f")
        expect(same or own[key].dtype.kind in "OSV", f"{name}: {key} has other bits")


def compare_picture(folder, name, picture, key):
    """What is seen is what the file has, in single precision; of places in double precision."""
    frame = support.read_frames(os.path.join(folder, name + ".vtkhdf"))[key]
    place = dict(zip(frame["PointData/vertex_id"].tolist(), frame["PointData/displacement"]))
    seen = numpy.array(picture.array("displacement"), dtype=numpy.float32).reshape(-1, 3)
    file = numpy.array([place[one] for one in picture.array("vertex_id")])
    expect(numpy.all(abs(seen - file) <= 6e-8 * abs(file) + 5e-16), f"{name}: frame {key} is shown otherwise than the file has it: {abs(seen - file).max()}")


def check_mesh(folder):
    with Server(program, os.path.join(folder, "column.mesh"), "--grace", "600") as server:
        client = server.connect()
        first = client.picture()
        file = os.path.join(folder, "part.yaml")
        refuse(client, "there is no run", "stop")
        refuse(client, "the body is what is shown", "body")
        refuse(client, "kind", "step_add", kind="magic")
        refuse(client, "one step at least", "step_remove", index=0)
        do(client, "step_add", kind="modes", count=3)
        refuse(client, "right before", "step_add", kind="buckling")
        refuse(client, "whole number", "step_change", index=1, count=2.5)
        refuse(client, "'count'", "step_change", index=1, count=0)
        do(client, "step_change", index=1, count=2, name="first two")
        refuse(client, "already", "step_add", kind="static", name="first two")
        do(client, "step_add", kind="static")
        do(client, "step_add", kind="buckling", count=1)
        refuse(client, "right before", "step_remove", index=2)
        refuse(client, "time steps", "step_add", kind="motion", dt=1e-12, duration=1)
        do(client, "step_add", kind="motion", dt=1e-4, duration=1e-3, start="release")
        do(client, "set", name="foot", faces=faces_of(first, lambda x, y, z: x < 1e-9))
        do(client, "set", name="head", faces=faces_of(first, lambda x, y, z: x > 0.9999))
        do(client, "support", set="foot", fixed=[True] * 3)
        do(client, "load_add", type="force", set="head", value=[-10, 0, 0])
        names = [(step["name"], step["kind"]) for step in state_of(client)["steps"]]
        expect(names == [("answer", "static"), ("first two", "modes"), ("static", "static"), ("buckling", "buckling"), ("motion", "motion")], f"steps: {names}")
        state = run_in_window(client, file)
        if "direct solver" in state["run"]["outcome"]:
            print("  without the direct solver: no modes")
            for index in (3, 2, 1):
                do(client, "step_remove", index=index)
            state = run_in_window(client, file)
        expect(state.get("result") and "body" in state["commands"] and "set" not in state["commands"], f"no result is shown: {state['run']}")
        expect(state["frames"] > 10 and any("Hz" in name for name in state["frame_names"]) and any("factor" in name for name in state["frame_names"]),
               f"frames: {state['frame_names']}")
        compare_results(folder, "part")
        for frame in (0, 1, state["frames"] - 1):
            client.do("frame", index=frame)
            other = server.connect()
            compare_picture(folder, "part", other.picture(), frame)
            other.close()
        refuse(client, "the result is shown", "run", file=file)
        refuse(client, "does not know", "support", set="foot", fixed=[True] * 3)
        do(client, "body")
        other = server.connect()
        shown = other.picture()
        expect(shown.header["mode"] == "statics" and shown.array("face") == first.array("face"), "the body is not shown again")
        other.close()
        # Undo reaches steps, too, and what a run is of.
        client.do("undo"), client.do("undo"), client.do("undo"), client.do("undo"), client.do("undo")
        expect(len(state_of(client)["steps"]) == 4, "undo leaves the step of motion")
        client.do("redo")
        expect(len(state_of(client)["steps"]) == 5, "redo does not bring the step again")
        state = run_in_window(client, file)
        expect(not state.get("result") and "constrained" in state["run"]["outcome"], f"a run that fails has no line: {state['run']['outcome']}")
        client.close()


def check_names(folder):
    """A file that the window has not written is not overwritten, and none such is proposed."""
    with Server(program, os.path.join(folder, "column.mesh"), "--grace", "600") as server:
        client = server.connect()
        client.picture()
        checks.write(folder, "mine.yaml", "mine\n")
        refuse(client, "has not written", "save", file=os.path.join(folder, "mine.yaml"))
        with open(os.path.join(folder, "mine.yaml"), encoding="utf-8") as mine:
            expect(mine.read() == "mine\n", "somebody's file was overwritten")
        expect(state_of(client)["case_file"] == "column.yaml", f"{state_of(client)['case_file']}")
        client.close()


def check_case(folder):
    checks.write(folder, "case.yaml", CASE)
    with Server(program, os.path.join(folder, "case.yaml"), "--grace", "600") as server:
        client = server.connect()
        first = client.picture()
        state = state_of(client)
        expect(state["case_file"] == "case.yaml", f"the case's own name is not proposed: {state['case_file']}")
        expect([step["kind"] for step in state["steps"]] == ["static", "buckling", "motion"], f"{state['steps']}")
        expect(state["steps"][2]["duration"] == 0.01 and state["steps"][2]["every"] == 5, f"{state['steps'][2]}")
        refuse(client, "leads to the body", "step_remove", index=0)
        refuse(client, "is in the case", "step_change", index=2, start="rest")
        do(client, "step_change", index=1, count=1)
        do(client, "step_change", index=2, dt=0.002)
        do(client, "step_add", kind="modes", count=2, name="free")
        client.do("save", file="saved.yaml")
        old, new = changed_lines(folder, CASE)
        expect(old == ["    buckling: {count: 2}", "    dynamic: {step: 0.001, end: 0.01, output: {every: 5}}"]
               and new == ["    buckling: {count: 1}", "    dynamic: {step: 0.002, end: 0.01, output: {every: 5}}", "  - name: free", "    modes: {count: 2}"], f"{old} {new}")
        do(client, "step_remove", index=1)
        client.do("save", file="saved.yaml")
        old, _ = changed_lines(folder, CASE)
        expect("  - name: bent   # two of them" in old, f"the step is still there: {old}")
        do(client, "load_add", type="force", set="head", value=[0, 1, 0])
        swayed = do(client, "load", index=1, force=[0, 2, 0])
        other = do(client, "goto", at=0)
        expect(other.array("displacement") == first.array("displacement"), "the first state has other bits when it is visited again")
        other = do(client, "goto", at=6)
        expect(other.array("displacement") == swayed.array("displacement"), "the last state has other bits when it is visited again")
        do(client, "goto", at=4)
        state = run_in_window(client, "saved.yaml")
        expect(state.get("result") or "direct solver" in state["run"]["outcome"], f"{state['run']}")
        if state.get("result"):
            compare_results(folder, "saved")
        client.close()


def check_stop(folder):
    """A motion of a thousand times more steps than are computed in a second."""
    with Server(program, os.path.join(folder, "case.yaml"), "--grace", "600") as server:
        client = server.connect()
        client.picture()
        do(client, "step_change", index=2, dt=1e-9, every=10000000)
        reply, _ = client.do("run", file="long.yaml")
        expect("error" not in reply, f"{reply}")
        refuse(client, "under way", "run", file="long.yaml")
        time.sleep(1.0)
        do(client, "load", index=0, force=[-2, 0, 0])  # the body goes on meanwhile
        do(client, "stop")
        end = time.monotonic() + 30
        while state_of(client)["run"]["going"] and time.monotonic() < end:
            time.sleep(0.05)
        run = state_of(client)["run"]
        expect(run["outcome"] == "The run was stopped", f"{run}")
        client.post("run", file="long.yaml")  # the end of the program ends it
        time.sleep(0.5)
        client.post("quit")
        try:
            while True:
                client.receive()
        except (Closed, OSError):
            client.close()
        server.process.wait(30)
        expect(server.process.returncode == 0, f"exit status {server.process.returncode}")


with open(f"{build}/CMakeCache.txt", encoding="utf-8") as cache:
    if "EW_WITH_VIEW:BOOL=ON" not in cache.read():
        print("skipped: built without the page (EW_WITH_VIEW)")
        sys.exit(77)
with tempfile.TemporaryDirectory() as work:
    checks.run(program, "shape", "box", "--size", "1,0.05,0.05", "--cells", "20,2,2", "-o", "column.mesh", folder=work)
    check_names(work)
    check_mesh(work)
    check_case(work)
    check_stop(work)
sys.exit(checks.finish("view_run"))
