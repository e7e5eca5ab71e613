"""`edgewise view` of results, through its socket, beside the numbers that h5py reads of the files: frames, fields, sets, sections, curves,
ids, two results, their difference, curved sides on their ellipse; what it refuses.

check_view_results.py PROGRAM SOURCE BUILD"""
import os
import random
import subprocess
import sys
import tempfile
import time

import checks
from checks import expect
from view_client import Server

try:
    import h5py
    import numpy
except ImportError:
    print("skipped: no h5py")
    sys.exit(77)

PROGRAM, SOURCE, BUILD = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3]
CASE = """mesh: beam.mesh
elements: linear
units: {length: m, force: N, time: s}
material: {young: YOUNG, poisson: 0.3, density: 1000}
sets:
  wall: {plane: {point: [0, 0, 0], normal: x}, of: faces}
  tip: {plane: {point: [1, 0, 0], normal: x}, of: faces}
constraints: [{set: wall, displacement: [0, 0, 0]}]
loads: [{set: tip, total_force: [0, 0, -60]}]
steps:
  - {name: bent, static: {}}
  - name: swing
    loads: []
    dynamic:
      step: 2e-3
      end: 0.02
      output: {every: 5}
      probes: [tip]
      edits: [{at: 0.011, remove: {box: [[0.9, -1, -1], [2, 2, 2]]}}]
"""
ENDED = {"envelope": CASE.split("  - name: swing")[0] + "  - {name: side, loads: [{set: tip, total_force: [0, 90, 0]}], static: {}}\n"
                     "combinations: {both: {bent: 1.5, side: 1}}\nenvelope: true\n",
         "modes": CASE.split("  - name: swing")[0] + "  - {name: own, modes: {count: 2}}\n"}


def rows(picture, name):
    shape = picture.header["arrays"][name]["shape"]
    return numpy.array(picture.array(name)).reshape(shape)


def state_of(client):
    return [text for text in client.texts if text.get("kind") == "state"][-1]


def frame_of(path, k):
    """Arrays of frame k by name, those at points behind those at tets."""
    with h5py.File(path) as file:
        frame = file["Frames"][sorted(file["Frames"])[k]]
        return {"Points": frame["Points"][:], "Tets": frame["Tets"][:], **{f"tets/{name}": data[:] for name, data in frame["CellData"].items()},
                **{f"vertices/{name}": data[:] for name, data in frame["PointData"].items()}}


def close(a, b, scale=None):
    """Equal as numbers of single precision are."""
    return numpy.allclose(a, b, rtol=1e-6, atol=1e-6 * (numpy.abs(b).max() if scale is None else scale))


def row_of(ids):
    return {int(number): row for row, number in enumerate(ids)}


def check_frame(picture, file):
    """What a picture shows is what the file has, vertex by vertex."""
    at = row_of(file["vertices/vertex_id"])
    row = [at[number] for number in picture.array("vertex_id")]
    expect(close(rows(picture, "position"), file["Points"][row]), "positions")
    expect(close(rows(picture, "displacement"), file["vertices/displacement"][row]), "displacements")
    expect(close(rows(picture, "value"), file["vertices/von_mises"][row]), "von Mises stress")
    area = numpy.linalg.norm(numpy.cross(*(rows(picture, "position")[rows(picture, "triangle")[:, k]] - rows(picture, "position")[rows(picture, "triangle")[:, 0]]
                                           for k in (1, 2))), axis=1).sum() / 2
    low, high = picture.header["extrema"]
    stress = file["vertices/von_mises"]
    expect(low["value"] == stress.min() and high["value"] == stress.max() and
           stress[at[high["vertex"]]] == high["value"], f"extrema {low} {high}")
    return area


def check_frames(client, first, path):
    state = state_of(client)
    expect(state["frames"] == 4 and state["frame"] == 3 and first.header["frame"] == 3, "the last frame is shown first")
    expect([step["name"] for step in state["steps"]] == ["bent", "swing"] and state["frame_names"][2] == "swing, time 0.01 s", f"{state['frame_names']}")
    expect(sorted(one["name"] for one in state["sets"]) == ["tip", "wall"], "sets")
    expect(not {"pull", "set", "remove", "save"} & set(state["commands"]), "a result is not changed")
    check_frame(first, frame_of(path, 3))
    _, picture = client.do("frame", index=0)
    area = check_frame(picture, frame_of(path, 0))
    expect(abs(area / (4 * 0.1 + 2 * 0.01) - 1) < 1e-6, f"area {area}")
    state = state_of(client)
    expect(state["supports"] == [{"set": "wall", "fixed": [True] * 3}], f"supports of the case: {state['supports']}")
    expect([(one["type"], one["set"]) for one in state["loads"]] == [("force", "tip")] and state["loads"][0]["value"] == [0, 0, -60], f"loads of the step: {state['loads']}")
    names = [one["name"] for one in state["sets"]]
    in_wall = numpy.array(picture.array("face_set")) >> names.index("wall") & 1
    places = rows(picture, "position")[rows(picture, "triangle")[in_wall > 0]]
    expect(in_wall.sum() == 8 and numpy.all(places[:, :, 0] == 0), "faces of a set")
    _, picture = client.do("frame", index=1)
    expect(state_of(client)["loads"] == [], "the step 'swing' has no loads")
    expect("position" not in picture.header["arrays"], "a mesh that is the same is not sent again")
    reply, same = client.do("frame", index=4)
    expect("0 to 3" in reply["error"] and same.header["frame"] == 1, "there is no frame 4")


def check_fields(client, path):
    file = frame_of(path, 1)
    fields = {one["name"]: one["of"] for one in state_of(client)["fields"]}
    expect(fields["von Mises"] == ["vertices", "tets"] and "displacement z" in fields and "stress xz" in fields and "region" in fields and
           "tet id" not in fields, f"{fields}")
    _, picture = client.do("field", name="stress xz", of="tets")
    at = row_of(file["tets/tet_id"])
    client.do("frame", index=2)
    _, picture = client.do("frame", index=1)
    expect(close(rows(picture, "corner_value")[:, 1], file["tets/stress"][[at[t] for t in TETS], 5]), "stress of tets")
    expect(picture.header["field"] == {"name": "stress xz", "of": "tets", "unit": "N/m^2"}, f"{picture.header['field']}")
    reply, _ = client.do("field", name="stress qq")
    expect("state's list" in reply["error"], reply)
    reply, _ = client.do("field", name="velocity", of="tets")
    expect("no values of this kind" in reply["error"], reply)
    reply, _ = client.do("range")
    values = [frame_of(path, k)["tets/stress"][:, 5] for k in range(4)]
    expect(reply["low"] == min(map(numpy.min, values)) and reply["high"] == max(map(numpy.max, values)), f"range {reply}")
    reply, _ = client.do("inspect", vertex=7)
    told = {name: value for name, value, _ in reply["rows"]}
    row = row_of(file["vertices/vertex_id"])[7]
    expect(told["displacement z"] == file["vertices/displacement"][row, 2] and told["x"] == file["Points"][row, 0], f"{told}")
    reply, _ = client.do("inspect", tet=5)
    expect({name: value for name, value, _ in reply["rows"]}["principal 0"] == file["tets/principal"][at[5], 0], "a tet")
    for wrong in {"vertex": 10 ** 9}, {"tet": -1}, {"face": 0.5}, {"face": 10 ** 9}, {}:
        reply, _ = client.do("inspect", **wrong)
        expect("\n" not in reply["error"] and reply["error"].startswith("inspect"), f"{wrong}: {reply}")


def check_section(client, path):
    """The cap of a plane across x: the area of the section, and the field as it is linear between vertices."""
    client.do("field", name="displacement z")
    _, picture = client.do("section", normal=[1, 0, 0], offset=0.33)
    cap = rows(picture, "cap_position")
    corner = cap.reshape(-1, 3, 3)
    area = numpy.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])[:, 0].sum() / 2
    expect(abs(area / 0.01 - 1) < 1e-5 and numpy.allclose(cap[:, 0], 0.33), f"section of {area}")
    expect(close(picture.array("cap_value"), rows(picture, "cap_displacement")[:, 2]), "the field on the cap")
    reply, _ = client.do("section", normal=[0, 0, 0], offset=0)
    expect("zero" in reply["error"], reply)
    client.do("section")
    file = frame_of(path, 1)
    _, picture = client.do("explode", on=True)
    expect(numpy.array_equal(rows(picture, "exploded_tet"), file["Tets"]) and close(rows(picture, "exploded_position"), file["Points"]) and
           close(rows(picture, "exploded_value"), file["vertices/displacement"][:, 2]), "all tets")
    reply, _ = client.do("explode", on=1)
    expect("true or false" in reply["error"], reply)
    client.do("explode", on=False)


def check_curves(client, path):
    reply, _ = client.do("history")
    groups = {group["name"]: group for group in reply["groups"]}
    with h5py.File(path) as file:
        probe = file["Edgewise/Probes/000000"]
        tip = groups["displacement of 'tip', step 'swing'"]
        expect(tip["unit"] == "m" and numpy.allclose(tip["axis"]["value"], probe["time"][:], rtol=1e-14) and
               numpy.allclose(numpy.array([curve["value"] for curve in tip["curves"]], float), probe["displacement"][:].T, rtol=1e-14, equal_nan=True), "a probe")
        kinetic = [file[f"Edgewise/Steps/{k:06d}"].attrs["kinetic_energy"] for k in range(1, 4)]
    energy = {curve["name"]: curve["value"] for curve in groups["energy, step 'swing'"]["curves"]}
    expect(energy["kinetic"] == kinetic and len(reply["frames"]) == 4, f"{energy}")
    expect(len(groups["n tet"]["curves"][0]["value"]) == 4, "numbers of the steps")


def check_play(client):
    client.do("play", speed=50)
    seen = {client.picture().header["frame"] for _ in range(12)}
    expect(seen == {0, 1, 2, 3}, f"frames {seen} play")
    reply, picture = client.do("pause")
    expect("reply" in reply and not picture.header["playing"], "pause")
    reply, _ = client.do("play", speed=0)
    expect("above 0" in reply["error"], reply)


def check_two(client, path, other):
    """The difference, by numbers; side by side; a mesh that is another one."""
    reply, _ = client.do("compare", how="difference")
    expect("no second result" in reply["error"], reply)
    client.do("frame", index=0)
    client.do("field", name="displacement z")
    reply, picture = client.do("compare", file=other, how="difference")
    a, b = (frame_of(name, 0)["vertices/displacement"][:, 2] for name in (path, other))
    low, high = picture.header["extrema"]
    expect([low["value"], high["value"]] == [(a - b).min(), (a - b).max()] and (a - b).min() < 0, f"{low}, {high}")
    reply, same = client.do("compare", file=f"{SOURCE}/README.md", how="beside")
    expect("README.md" in reply["error"] and same.header["extrema"] == picture.header["extrema"], reply)
    reply, same = client.do("compare", file="le10.vtkhdf", how="difference")
    expect("other tets" in reply["error"] and same.header["extrema"] == picture.header["extrema"], reply)
    reply, picture = client.do("compare", how="beside")
    expect(close(picture.array("second_value"), b[[row_of(frame_of(other, 0)["vertices/vertex_id"])[v] for v in picture.array("second_vertex_id")]]),
           "the second body")
    _, picture = client.do("compare", how="alone")
    expect("second_value" not in picture.header["arrays"], "alone again")


def check_hostile(client):
    """Values of the wrong kind: each is answered by one line or done; the result can still be shown."""
    rng, wrong = random.Random(5), [-1, 0.5, 1e300, 2, 10 ** 12, "", "a", "alone", "beside", "difference", None, True, [], {}, [1, 0, 0], [1e99] * 3, [0, 0]]
    for _ in range(400):
        name = rng.choice(["frame", "field", "section", "explode", "compare", "play", "pause", "history", "inspect", "quality", "range", "state", "remove", "x"])
        keys = ["index", "name", "of", "normal", "offset", "on", "file", "how", "speed", "vertex", "tet", "face"]
        reply, _ = client.do(name, **{key: rng.choice(wrong) for key in rng.sample(keys, rng.randrange(4))})
        expect("reply" in reply or "\n" not in reply["error"], f"{name}: {reply}")
    for name, values in ("pause", {}), ("section", {}), ("explode", {"on": False}), ("compare", {"how": "alone"}), ("field", {"name": "von Mises", "of": "vertices"}):
        expect("reply" in client.do(name, **values)[0], f"{name} after all")
    client.do("frame", index=0)
    client.do("frame", index=3)


def check_presets(name, field, data):
    """A frame without the field that was asked for shows another one, by its name and its range; the other frames still have the first."""
    checks.write(".", f"{name}.yaml", ENDED[name].replace("YOUNG", "20e6"))
    checks.run(PROGRAM, "run", f"{name}.yaml", "-o", name)
    with Server(PROGRAM, f"{name}.vtkhdf") as server:
        client = server.connect()
        last = client.picture()
        k = last.header["frame"]
        value = frame_of(f"{name}.vtkhdf", k)[data]
        value = numpy.linalg.norm(value, axis=1) if value.ndim == 2 else value
        seen = [one["value"] for one in last.header["extrema"]]
        expect(k > 1 and last.header["field"]["name"] == field and close(numpy.array(seen), [value.min(), value.max()]),
               f"{name}: frame {k} shows {last.header['field']}, {seen}")
        expect((last.header["error"] is None) == (name == "envelope"), f"an envelope has no error of its own: {last.header['error']}")
        expect(client.do("range")[0]["high"] >= seen[1], "a range of the field that is shown")
        _, first = client.do("frame", index=0)
        stress = frame_of(f"{name}.vtkhdf", 0)["vertices/von_mises"]
        expect(first.header["field"]["name"] == "von Mises" and first.header["extrema"][1]["value"] == stress.max(), f"{first.header['field']}")
        client.do("field", name="von Mises", of="tets")
        _, last = client.do("frame", index=k)
        expect(last.header["field"]["name"] == field, f"of tets: {last.header['field']}")
        _, first = client.do("frame", index=0)
        expect(first.header["field"] == {"name": "von Mises", "of": "tets", "unit": "N/m^2"}, f"{first.header['field']}")
    told = checks.run(PROGRAM, "view", f"{name}.vtkhdf", "--picture", f"{name}.png")
    expect(field in told and f"largest      {value.max():.6g}" in told, f"--picture: {told}")


ANGLE = numpy.pi / 2 / 12  # of a tet's side on the ellipse


def check_on_ellipse(picture, state):
    """Vertices of curved sides are on the ellipse of the shape functions: the middles to the accuracy of the file, those between to the
    fourth power of the angle; a chord would be off by its square. Pieces share their vertices: a closed surface has n - e + f = 2."""
    names = [one["name"] for one in state["sets"]]
    outer = rows(picture, "triangle")[numpy.array(picture.array("face_set")) >> names.index("outer") & 1 > 0]
    x, y, _ = rows(picture, "position")[numpy.unique(outer)].T
    off = numpy.abs((x / 3.25) ** 2 + (y / 2.75) ** 2 - 1)
    triangle = rows(picture, "triangle")
    expect(off.max() < ANGLE ** 4, f"{off.max()} from the ellipse, {ANGLE ** 4} is what the shape functions may be off")
    edges = {tuple(sorted(pair)) for k in range(3) for pair in triangle[:, [k, (k + 1) % 3]]}
    expect(len(picture.array("vertex_id")) - len(edges) + len(triangle) == 2, "the surface is not closed")
    shown = {tuple(sorted(pair)) for pair in rows(picture, "mesh_edge")}
    expect(shown < edges and len(shown) == 4 * 3 * len(triangle) // 16 // 2, f"{len(shown)} pieces of sides")


def check_curved():
    with Server(PROGRAM, "le10.vtkhdf") as server:
        client = server.connect()
        picture = client.picture()
        check_on_ellipse(picture, state_of(client))
        file = frame_of("le10.vtkhdf", 0)
        at = row_of(file["vertices/vertex_id"])
        own = [i for i, v in enumerate(picture.array("vertex_id")) if v >= 0]
        expect(close(rows(picture, "displacement")[own], file["vertices/displacement"][[at[picture.array("vertex_id")[i]] for i in own]]), "corners")
        _, cut = client.do("section", normal=[0, 0, 1], offset=0.3)
        corner = rows(cut, "cap_position").reshape(-1, 3, 3)
        area = numpy.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])[:, 2].sum() / 2
        exact = numpy.pi / 4 * (3.25 * 2.75 - 2)
        expect(abs(area / exact - 1) < 0.3 * ANGLE ** 2, f"a section of {area}, exactly {exact}")
    with Server(PROGRAM, f"{SOURCE}/datasets/le10-curved.yaml") as server:
        client = server.connect()
        live = client.picture()
        check_on_ellipse(live, state_of(client))
        # The same body, the same answer: places and displacements of all pieces are those of the result.
        order = [numpy.lexsort(numpy.round(rows(one, "position"), 5).T) for one in (picture, live)]
        for name in "position", "displacement":
            a, b = (rows(one, name)[by] for one, by in zip((picture, live), order))
            expect(numpy.abs(a - b).max() < 2e-5 * numpy.abs(a).max(), f"{name} of the body and of its result differ by {numpy.abs(a - b).max()}")


def check_refusals():
    for words, line in [(["a.vtkhdf", "none.vtkhdf"], "none.vtkhdf"), ([f"{SOURCE}/datasets/beam.mesh", "a.vtkhdf"], "two results"),
                        (["a.vtkhdf", "a.vtkhdf", "--minus", "a.vtkhdf"], "two results"),
                        (["a.vtkhdf", "a.vtkhdf", "--picture", "x.png"], "--minus")]:
        run = subprocess.run([PROGRAM, "view", "--no-browser", *words], capture_output=True, text=True, timeout=60)
        expect(run.returncode == 2 and line in run.stderr and run.stderr.count("\n") == 1, f"{words}: {run.returncode} {run.stderr}")
    for words, line in [("broken.vtkhdf",), "broken.vtkhdf"], [("--minus", "le10.vtkhdf", "a.vtkhdf"), "other tets"]:
        with Server(PROGRAM, words[-1], *words[:-1]) as server:
            trouble = server.connect().receive().get("trouble", "")
            expect(line in trouble, f"{words}: the page says '{trouble}'")


with open(f"{BUILD}/CMakeCache.txt", encoding="utf-8") as cache:
    if "EW_WITH_VIEW:BOOL=ON" not in cache.read():
        print("skipped: built without the page (EW_WITH_VIEW)")
        sys.exit(77)
    cache.seek(0)
    HAS_MODES = "EW_WITH_CHOLMOD:BOOL=ON" in cache.read()
with tempfile.TemporaryDirectory() as folder:
    SOURCE = os.path.abspath(SOURCE)
    os.chdir(folder)
    checks.run(PROGRAM, "shape", "box", "--size", "1,0.1,0.1", "--cells", "12,2,2", "-o", "beam.mesh")
    for name, young in ("a", "20e6"), ("b", "30e6"):
        checks.write(folder, f"{name}.yaml", CASE.replace("YOUNG", young))
        checks.run(PROGRAM, "run", f"{name}.yaml", "-o", name)
    checks.run(PROGRAM, "run", f"{SOURCE}/datasets/le10-curved.yaml", "-o", "le10")
    with open("a.vtkhdf", "rb") as whole, open("broken.vtkhdf", "wb") as broken:
        broken.write(whole.read()[:5000])
    with Server(PROGRAM, "a.vtkhdf", "--grace", "600") as running:
        viewer = running.connect()
        begin = viewer.picture()
        check_frames(viewer, begin, "a.vtkhdf")
        viewer.do("frame", index=2)
        newcomer = running.connect()
        TETS = newcomer.picture().array("tet")
        newcomer.close()
        for part, arguments in [(check_fields, ["a.vtkhdf"]), (check_section, ["a.vtkhdf"]), (check_curves, ["a.vtkhdf"]), (check_play, []),
                                (check_two, ["a.vtkhdf", "b.vtkhdf"])]:
            start = time.time()
            part(viewer, *arguments)
            print(f"{part.__name__}: {time.time() - start:.1f} s", flush=True)
        check_hostile(viewer)
        check_frame(running.connect().picture(), frame_of("a.vtkhdf", 3))
    with Server(PROGRAM, "a.vtkhdf", "b.vtkhdf") as running:
        expect("second_value" in running.connect().picture().header["arrays"], "two results are side by side")
    with Server(PROGRAM, "a.vtkhdf", "--minus", "a.vtkhdf") as running:
        expect([one["value"] for one in running.connect().picture().header["extrema"]] == [0, 0], "a result less itself")
    check_presets("envelope", "envelope von Mises", "vertices/envelope_von_mises")
    if HAS_MODES:
        check_presets("modes", "displacement", "vertices/displacement")
    check_curved()
    check_refusals()
    os.chdir("/")
sys.exit(checks.finish("check_view_results"))
