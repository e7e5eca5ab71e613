"""From a CAD file to a study in a headless Chromium, with real clicks and keys: named sets, supports and loads by picking and by table, another
length of edges, steps, a run, its modes and frames, and back; `edgewise run` of what was saved gives the same numbers.

check_view_study.py PROGRAM SOURCE BUILD"""
import os
import sys
import tempfile

import browser
import checks
from check_view_browser import BAR, LARGEST, view, wait
from checks import expect


def put(page, label, value):
    box = page.get_by_label(label, exact=True)
    box.fill(str(value))
    box.press("Tab")


def pick(page, point):
    page.mouse.click(*browser.place_of(page, point))
    wait(page, "() => edgewise.chosen.size > 0", f"a click at {point} chooses nothing")


def point_by_keys(page, point):
    """The pointer that keys move, to within half of its step."""
    if not page.locator("#cursor").is_visible():
        page.keyboard.press("Shift+ArrowUp")
    x, y = browser.place_of(page, point)
    box = page.locator("#cursor").bounding_box()
    for keys, distance in (("Right", "Left"), x - box["x"] - box["width"] / 2), (("Down", "Up"), y - box["y"] - box["height"] / 2):
        for _ in range(round(abs(distance) / 12)):
            page.keyboard.press(f"Shift+Arrow{keys[distance < 0]}")


def check_keyboard(page):
    """Faces are chosen, named and taken away, and a stroke paints, without a mouse."""
    page.get_by_label("Displacement factor").select_option("0")
    page.keyboard.press("Escape")
    page.keyboard.press("2")
    page.locator("#drawing").focus()
    point_by_keys(page, [1, 0.055, 0.05])
    page.keyboard.press("Enter")
    wait(page, "() => Math.abs(edgewise.chosenArea() - 0.01) < 1e-7", "Enter does not choose the face under the pointer")
    point_by_keys(page, [0.505, 0.055, 0.1])
    page.keyboard.press("Shift+Enter")
    wait(page, "() => Math.abs(edgewise.chosenArea() - 0.11) < 1e-7", "Shift Enter does not add the face under the pointer")
    page.get_by_role("button", name="Box", exact=True).focus()
    page.keyboard.press("Enter")
    wait(page, "() => edgewise.chooser === 'band'", "Enter does not press a button")
    page.locator("#drawing").focus()
    point_by_keys(page, [0.3, 0, 0.12])
    page.keyboard.press("h")
    point_by_keys(page, [0.6, 0, -0.02])
    page.keyboard.press("h")
    wait(page, "() => edgewise.chosen.size > 0 && Math.abs(edgewise.chosenArea() - 0.11) > 1e-3", "a band between two presses of H chooses nothing")
    page.keyboard.press("Escape")
    page.keyboard.press("1")


def check_sets(page):
    """A support on faces that are chosen and a load on a set that is named, changed in the tables, removed."""
    page.get_by_label("Displacement factor").select_option("0")
    page.keyboard.press("2")
    pick(page, [1, 0.055, 0.05])
    page.get_by_role("button", name="Hold", exact=True).click()
    wait(page, "() => edgewise.state.supports.length === 1 && edgewise.state.supports[0].set === 'support 1'", "faces that are chosen are not fixed")
    pick(page, [0.505, 0.055, 0.1])
    page.get_by_label("Name of the set", exact=True).fill("top")
    page.get_by_label("Name of the set", exact=True).press("Enter")
    wait(page, "() => edgewise.state.sets.some(set => set.name === 'top')", "Enter does not name the faces")
    page.get_by_label("Set that is loaded").select_option("top")
    put(page, "Fz", -100)
    page.get_by_role("button", name="Add load").click()
    wait(page, "() => edgewise.state.loads.length === 1 && edgewise.work.message === ''", "no load")
    before = page.evaluate(LARGEST)
    put(page, "Fz of load 1", -500)
    wait(page, "() => edgewise.state.loads[0].value[2] === -500", "the table of loads changes none")
    wait(page, f"() => Math.abs(({LARGEST})() / {5 * before} - 1) < 1e-3", "the answer does not follow the table")
    page.get_by_label("Support 1 holds y").click()
    wait(page, "() => edgewise.state.supports[0].fixed[1] === false", "the table of supports changes none")
    page.locator("button[aria-label='Support 1 holds y'][aria-pressed=false]").click()
    wait(page, "() => edgewise.state.supports[0].fixed[1]", "the table of supports changes none again")
    put(page, "Displacement x of support 1", 1e-5)
    wait(page, "() => edgewise.state.supports[0].fixed[1] && edgewise.state.supports[0].value[0] === 1e-5", "no prescribed displacement")
    put(page, "Displacement x of support 1", 0)
    pick(page, [0, 0.055, 0.05])
    page.get_by_label("Kind of support").select_option("foundation")
    put(page, "Stiffness normal", 1e9)
    put(page, "Stiffness tangential", 1e9)
    page.get_by_role("button", name="Hold", exact=True).click()
    wait(page, "() => edgewise.state.springs.length === 1 && edgewise.state.springs[0].kind === 'foundation'", "no foundation")
    wait(page, f"() => ({LARGEST})() < {4 * before}", "the foundation holds nothing")
    page.get_by_label("Remove spring of spring 1").click()
    wait(page, "() => edgewise.state.springs.length === 0", "the foundation stays")
    page.get_by_label("Remove set spring 1").click()
    wait(page, "() => !edgewise.state.sets.some(set => set.name === 'spring 1')", "the set stays")
    wait(page, f"() => Math.abs(({LARGEST})() / {5 * before} - 1) < 1e-3", "without the foundation another answer")


def check_mesh(page):
    """The histogram follows another length of edges; the worst tets are shown."""
    page.get_by_role("button", name="Quality", exact=True).click()
    wait(page, "() => edgewise.quality?.worst.length === 5", "no histogram")
    count = page.evaluate("() => edgewise.quality.count.reduce((a, b) => a + b)")
    tets = page.evaluate("() => edgewise.work.n_tet")
    expect(count == tets, f"the histogram counts {count} of {tets} tets")
    put(page, "Edge length of the mesh", 0.04)
    page.get_by_role("button", name="Fill with tets").click()
    wait(page, f"() => edgewise.work.n_tet > {2 * tets} && edgewise.quality?.count.reduce((a, b) => a + b) === edgewise.work.n_tet", "no finer mesh, or an old histogram")
    expect("'top'" in page.locator("#message").inner_text(), f"what came of the sets is not told: {page.locator('#message').inner_text()}")
    expect(page.evaluate("() => edgewise.quality.worst.every(one => one.corners.length === 4)"), "the worst tets are not shown")
    page.get_by_role("cell", name="tet ", exact=False).first.click()
    wait(page, "() => !document.getElementById('selection').hidden", "a click on a tet of the list shows nothing")


def check_run(page, program, folder):
    for kind in ("modes", "static", "buckling", "motion"):
        page.get_by_label("Step to add").select_option(kind)
        wait(page, f"() => edgewise.state.steps.at(-1).kind === '{kind}'", f"no step of {kind}")
    for label, value, step, key in (("Number of modes of modes", 2, 1, "count"), ("Number of factors of buckling", 1, 3, "count"), ("Duration of motion", 0.01, 4, "duration")):
        put(page, label, value)
        wait(page, f"() => edgewise.state.steps[{step}].{key} === {value}", f"{label} is not {value}")
    page.get_by_label("Start of motion").select_option("release")
    wait(page, "() => edgewise.state.steps[4].start === 'release'", "no start")
    page.get_by_label("Case file").fill("study.yaml")
    page.get_by_label("Case file").press("Tab")
    shown = page.evaluate(LARGEST)
    page.locator("#drawing").focus()
    page.keyboard.press("Control+Enter")
    wait(page, "() => edgewise.state.run?.going || edgewise.state.result", "Ctrl Enter runs nothing")
    try:
        page.wait_for_function("() => edgewise.state.result && edgewise.stage.body.largest !== undefined", timeout=60000)
    except Exception:  # pylint: disable=broad-except
        outcome = page.evaluate("() => edgewise.state.run.outcome")
        if "direct solver" in outcome:
            print("  without the direct solver: no modes")
            return
        expect(False, f"no result: {outcome}")
        return
    expect(page.evaluate("() => edgewise.mode") == "look" and page.get_by_role("tab", name="Set up").count() == 0, "a result has a panel to set up")
    names = page.evaluate("() => edgewise.state.frame_names")
    expect(sum("Hz" in name for name in names) == 2 and sum("factor" in name for name in names) == 1 and sum("time" in name for name in names) == 11, f"frames: {names}")
    page.get_by_role("cell", name="modes mode 1", exact=True).click()
    wait(page, "() => edgewise.state.frame === 1", "a click on a mode does not show it")
    page.get_by_label("Field", exact=True).select_option("displacement")
    wait(page, "() => document.querySelector('[aria-label=Field]').value === 'displacement' && document.querySelector('[aria-label=\"Largest value\"]').value === '1'",
         "the panel does not say what a mode is colored by")
    page.keyboard.press("a")
    wait(page, "() => edgewise.animation === 'swing'", "a mode does not swing")
    page.keyboard.press("a")
    page.keyboard.press(".")
    wait(page, "() => edgewise.state.frame === 2", "no next frame")
    if checks.run(program, "run", "study.yaml", "-o", "again", folder=folder) is not None:
        with open(os.path.join(folder, "again.csv"), encoding="utf-8") as again, open(os.path.join(folder, "study.csv"), encoding="utf-8") as own:
            tables = [[line.rstrip("\n").split(",") for line in table] for table in (again, own)]
        column = tables[0][0].index("max_displacement")
        values = [[row[column] for row in table] for table in tables]
        expect(values[0] == values[1] and len(values[0]) == 7, f"{values}")
        expect(abs(float(values[0][1]) / shown - 1) < 1e-4, f"the page shows {shown}, the run {values[0][1]}")
    page.locator("#drawing").focus()
    page.keyboard.press("Control+Enter")
    wait(page, "() => !edgewise.state.result && edgewise.mode === 'setup' && edgewise.work.mode === 'statics'", "Ctrl Enter does not lead back to the body")
    wait(page, f"() => Math.abs(({LARGEST})() / {shown} - 1) < 1e-12", "the body is another one now")
    page.get_by_label("Remove step motion").click()
    wait(page, "() => edgewise.state.steps.length === 4", "the step stays")


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder, browser.browser() as chromium:
        checks.write(folder, "bar.off", BAR)
        with view(program, "bar.off", folder) as address:
            if not address:
                browser.skip("this program was built without view or without TetGen")
            page = browser.open_page(chromium, address)
            check_keyboard(page)
            check_sets(page)
            check_mesh(page)
            check_run(page, program, folder)
    return checks.finish("check_view_study")


if __name__ == "__main__":
    sys.exit(main())
