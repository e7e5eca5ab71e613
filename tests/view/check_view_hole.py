"""`edgewise view` of a case whose hole is dragged: the body goes on from one radius to the next, begins again at rest with the bits of
the case as its file is, and each state of the journal has the same bits at each visit.

check_view_hole.py PROGRAM SOURCE BUILD"""
import hashlib
import os
import struct
import sys
import tempfile
import time

import checks
from view_client import Server

CASE = """mesh: plate.mesh
elements: linear
units: {length: mm, force: N}
material: S355
parameters: {r: 10, c: 50, load: 100, wide: 0}
sets:
  wall: {plane: {point: [0, 0, 0], normal: x, tolerance: 1e-9}, of: faces}
  end: {box: [[99.99, "-wide", 0], [101, 100, 5]], of: faces}
constraints: [{set: wall, displacement: [0, 0, 0]}]
loads: [{set: end, traction: [load, 0, 0]}]
steps:
  - name: hole
    edit: [{cut: {cylinder: {from: [c, 25, -1], to: [c, 25, 6], radius: r}, keep: outside, name: hole}}]
    static: {tolerance: 1e-8}
"""


def largest(picture):
    u = picture.array("displacement")
    stress = [value for value in picture.array("value") if value == value]
    return max(sum(x * x for x in u[i:i + 3]) ** 0.5 for i in range(0, len(u), 3)), max(stress)


def digest(picture):
    return hashlib.sha256(b"".join(struct.pack(f"<{len(of)}f", *of) for of in map(picture.array, ("displacement", "value")))).hexdigest()


def rest(client, picture):
    """The picture of the body that has begun again, at the latest some time after the last drag."""
    end = time.monotonic() + 30
    client.stream.settimeout(1.5)
    while time.monotonic() < end:
        try:
            picture = client.picture()
        except TimeoutError:
            break
    client.stream.settimeout(60)
    return picture


def drag(client, name, values):
    """Pictures are near, and say so: their error is estimated without a wait."""
    for value in values:
        answer, picture = client.do("parameter", name=name, value=value)
        checks.expect("error" not in answer and picture.header["message"] == "", f"{name} {value}: {answer} {picture.header['message']}")
    return picture


def run(program, folder, r, c, load):
    """Largest displacement and averaged von Mises stress of the case with these numbers."""
    checks.write(folder, "as.yaml", CASE.replace("r: 10, c: 50, load: 100", f"r: {r!r}, c: {c!r}, load: {load!r}"))
    if checks.run(program, "run", "as.yaml", "-o", "as", folder=folder) is None:
        return None
    with open(os.path.join(folder, "as.csv"), encoding="utf-8") as table:
        names, values = (line.rstrip("\n").split(",") for line in list(table)[:2])
    return [float(values[names.index(name)]) for name in ("max_displacement", "max_averaged_von_mises")]


def near(what, picture, expected, share):
    for name, a, b in zip(("displacement", "stress"), largest(picture), expected):
        checks.expect(abs(a / b - 1) <= share, f"{what}: the largest {name} is {a}, {b} is expected")


def check_drags(program, folder, client):
    first = rest(client, client.picture())
    near("opened", first, run(program, folder, 10, 50, 100), 1e-5)
    moved = drag(client, "r", [10.1, 10.25, 10.4, 10.6])
    checks.expect(moved.header["error"] is not None, "a drag has no estimated error")
    expected = run(program, folder, 10.6, 50, 100)
    near("while dragged", moved, expected, 0.05)
    settled = rest(client, moved)
    near("at rest", settled, expected, 1e-5)
    drag(client, "c", [50.3, 50.7])
    last = rest(client, drag(client, "load", [90, 80]))
    near("another parameter", last, run(program, folder, 10.6, 50.7, 80), 1e-5)
    # Sets that the parameter changes are found again.
    wide = rest(client, drag(client, "wide", [1]))
    near("a set that changes", wide, run(program, folder, 10.6, 50.7, 80), 1e-5)
    return first, settled, wide


def check_journal(client, first, settled, wide):
    for at, picture in ((0, first), (4, settled), (9, wide), (4, settled), (0, first), (9, wide)):
        _, again = client.do("goto", at=at)
        again = rest(client, again)
        checks.expect(again.header["journal"]["at"] == at and digest(again) == digest(picture), f"state {at} has other bits at another visit")


def check_refusals(client, wide):
    """A hole that takes the whole plate away changes nothing; a command that names faces of a dragged body is refused, and done
    on the one that begins again."""
    answer, _ = client.do("parameter", name="r", value=500)
    checks.expect("error" in answer, f"a hole larger than the plate: {answer}")
    checks.expect(digest(rest(client, client.do("state")[1])) == digest(wide), "a hole larger than the plate changed the body")
    _, picture = client.do("parameter", name="r", value=10.7)
    client.texts.clear()
    dragged = client.post("parameter", name="r", value=10.8)
    removed = client.post("remove", tets=[0])
    client.answer(dragged)
    answer, picture = client.answer(removed)
    checks.expect("begun again" in answer.get("error", ""), f"tets of a body that was dragged: {answer}")
    answer, picture = client.do("remove", tets=[0])
    checks.expect("error" not in answer, f"tets of a body at rest: {answer}")
    before = digest(rest(client, picture))
    client.do("undo")
    checks.expect(digest(rest(client, client.do("redo")[1])) == before, "a tet removed after a drag has other bits when it is done again")


def main():
    program = os.path.abspath(sys.argv[1])
    if "built without" in checks.execute(program, "view", "no-file").stderr:
        print("skipped: built without the page (EW_WITH_VIEW)")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        checks.write(folder, "plate.yaml", CASE)
        checks.run(program, "shape", "box", "--size", "100,50,5", "--cells", "20,10,1", "-o", "plate.mesh", folder=folder)
        with Server(program, os.path.join(folder, "plate.yaml"), "--grace", "60") as server:
            client = server.connect()
            states = check_drags(program, folder, client)
            check_journal(client, *states)
            check_refusals(client, states[-1])
    return checks.finish("check_view_hole")


if __name__ == "__main__":
    sys.exit(main())
