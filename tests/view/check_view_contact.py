"""`edgewise view` in a headless Chromium: a block that plays with large rotations is cut through by the knife while it is pulled; its
upper half is lifted, let go and falls on the lower one. Contact is drawn, its force is the weight, no half passes through the other, and
pictures keep coming.

check_view_contact.py PROGRAM SOURCE BUILD [PICTURE]"""
import os
import statistics
import sys
import tempfile

import browser
import checks
from check_view_browser import drag, view, wait

SIDE, HIGH, CELLS = 0.1, 0.2, (5, 5, 10)
WEIGHT = 1000 * SIDE * SIDE * HIGH / 2 * 9.81  # of the upper half
CASE = """mesh: block.mesh
elements: linear
units: {length: m, force: N}
material: {young: 2e5, poisson: 0.3, density: 1000}
contact: all
sets:
  ground: {plane: {point: [0, 0, 0], normal: z, tolerance: 1e-9}, of: faces}
  left: {plane: {point: [0, 0, 0], normal: x, tolerance: 1e-9}, of: faces}
  front: {plane: {point: [0, 0, 0], normal: y, tolerance: 1e-9}, of: faces}
constraints:
  - {set: ground, displacement: [0, 0, 0]}
  - {set: left, displacement: [0, null, null]}
  - {set: front, displacement: [null, 0, null]}
loads: [{gravity: [0, 0, -9.81]}]
steps: [{name: base, static: {tolerance: 1e-6}}]
"""
# Of each picture: when it came, time of the body, contact, milliseconds, and how high the middle of the top is.
RECORD = """() => { window.frames_ = []; const hear = edgewise.hearPicture.bind(edgewise), top = [0.05, 0.05, 0.2];
  edgewise.hearPicture = (header, arrays) => { hear(header, arrays); const { position, displacement } = edgewise.stage.body; let k = 0, best = Infinity;
    for (let i = 0; i < position.length; i += 3) { const d = Math.hypot(...top.map((x, c) => position[i + c] - x)); if (d < best) { best = d; k = i; } }
    window.frames_.push([performance.now(), header.time, header.contact, header.stages.total, position[k + 2] + displacement[k + 2], header.n_tet]); }; }"""
VERTEX = """() => { const { position, vertex_id } = edgewise.stage.body; let best = Infinity, found = -1;
  for (let i = 0; i < vertex_id.length; i++) { const d = Math.hypot(position[3 * i] - 0.05, position[3 * i + 1] - 0.05, position[3 * i + 2] - 0.2);
    if (d < best) { best = d; found = vertex_id[i]; } } return found; }"""


def frames(page, since=0):
    return page.evaluate("since => frames_.slice(since)", since)


def go_on(page, seconds):
    """So much time of the body later: how many pictures there are."""
    until = frames(page)[-1][1] + seconds
    wait(page, f"() => frames_.at(-1)[1] >= {until} || edgewise.work.message !== ''", "the body stands still")
    return len(frames(page))


def pull(page, vertex, to):
    page.evaluate("([vertex, to]) => edgewise.do('pull', { vertex, to, stiffness: 2000 })", [vertex, to])


def start(page):
    page.keyboard.press("Escape")
    page.get_by_role("tab", name="Play").click()
    page.evaluate("() => edgewise.do('mode', { mode: 'rotations', damping: 8 })")
    wait(page, "() => edgewise.work.mode === 'rotations'", "no motion")
    page.evaluate("() => { edgewise.stage.look.factor = 1; edgewise.stage.view('front'); edgewise.stage.camera.perspective = false; edgewise.stage.redraw(); }")
    page.evaluate(RECORD)
    page.evaluate("() => edgewise.do('play', { dt: 1 / 60, speed: 0 })")
    wait(page, "() => frames_.length > 10", "it does not play")


def check_cut(page, vertex):
    """Pulled aside, and cut through meanwhile: the halves press on each other at once."""
    tets = page.evaluate("() => edgewise.work.n_tet")
    pull(page, vertex, [0.055, 0.05, 0.2])
    before = go_on(page, 0.5)
    page.keyboard.press("k")
    page.get_by_label("Knife", exact=True).select_option("open")
    drag(page, browser.place_of(page, [-0.05, 0, 0.107]), browser.place_of(page, [0.15, 0, 0.107]))
    page.mouse.up()
    wait(page, f"() => edgewise.work.n_tet !== {tets}", "no cut")
    page.keyboard.press("Escape")
    wait(page, "() => edgewise.work.contact && edgewise.work.contact.closed > 0", "the halves do not touch")
    go_on(page, 0.7)
    return before


def check_fall(page, vertex):
    """The upper half is lifted off and falls: where its top is afterwards, and the force of the last second."""
    pull(page, vertex, [0.05, 0.05, 0.26])
    wait(page, "() => edgewise.work.contact.closed === 0 || edgewise.work.message !== ''", "the upper half is not lifted")
    go_on(page, 0.3)
    page.evaluate("() => edgewise.do('release')")
    since = go_on(page, 0.6)
    wait(page, "() => edgewise.work.contact.closed > 0", "the upper half does not fall on the lower one")
    go_on(page, 1.0)
    of = [frame for frame in frames(page, since) if frame[2]]
    force = statistics.mean(frame[2]["force"] for frame in of[len(of) // 2:])
    checks.expect(abs(force / WEIGHT - 1) < 0.15, f"the force of contact is {force}, the weight {WEIGHT}")
    checks.expect(abs(of[-1][4] - HIGH) < 0.02, f"the top is at {of[-1][4]} after the fall")


def check_frames(page, before):
    """No half reaches into the other by more than a quarter of an edge, and no picture is late."""
    of = frames(page)
    deepest = max(frame[2]["overlap"] for frame in of[before:] if frame[2])
    checks.expect(deepest < 0.25 * SIDE / CELLS[0], f"halves overlap by {deepest}")
    free, touching = (sorted(frame[3] for frame in part) for part in (of[3:before], of[before:]))
    print(f"ms a frame: {statistics.median(free):.3g} before the cut, {statistics.median(touching):.3g} after it, 90 % within "
          f"{touching[int(0.9 * len(touching))]:.3g}, at most {touching[-1]:.3g}; overlap at most {deepest:.3g}")
    # of wall time, in which a machine that does much else lets threads wait for each other
    checks.expect(statistics.median(touching) < 30 * statistics.median(free), "frames with contact take more than thirty times as long")
    checks.expect(touching[int(0.9 * len(touching))] < 10 * statistics.median(touching), "frames with contact are not steady")


def check_field(page, picture):
    page.get_by_role("tab", name="Look").click()
    page.get_by_label("Field", exact=True).select_option("contact pressure")
    wait(page, "() => edgewise.work.field.name === 'contact pressure' && edgewise.stage.body.range[1] > 0", "no contact pressure")
    status = page.locator("#status").inner_text()
    checks.expect("contact" in status and "N on" in status, f"status: {status}")
    page.get_by_role("tab", name="Play").click()
    wait(page, "() => ['contact force', 'touching area'].every(words => document.getElementById('panel').innerText.includes(words))",
         "the work of the last picture has no contact")
    page.evaluate("() => { edgewise.stage.view('isometric'); edgewise.stage.redraw(); }")
    if picture:
        page.screenshot(path=picture)


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder, browser.browser() as chromium:
        checks.run(program, "shape", "box", "--size", f"{SIDE},{SIDE},{HIGH}", "--cells", ",".join(map(str, CELLS)), "-o", "block.mesh", folder=folder)
        checks.write(folder, "block.yaml", CASE)
        with view(program, "block.yaml", folder) as address:
            if not address:
                browser.skip("this program was built without view")
            page = browser.open_page(chromium, address)
            vertex = page.evaluate(VERTEX)
            start(page)
            before = check_cut(page, vertex)
            check_fall(page, vertex)
            check_frames(page, before)
            check_field(page, sys.argv[4] if len(sys.argv) > 4 else None)
            checks.expect(page.evaluate("() => edgewise.work.message") == "", "a line says that something failed")
    return checks.finish("check_view_contact")


if __name__ == "__main__":
    sys.exit(main())
