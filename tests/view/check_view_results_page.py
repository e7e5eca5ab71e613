"""Results in the page of `edgewise view`, in a headless Chromium: frames by the slider, the keys and by playing, a mode in motion, curves,
exploded tets, ids by a click, two results beside each other and their difference.

check_view_results_page.py PROGRAM SOURCE BUILD"""
import os
import sys
import tempfile

import browser
import checks
from checks import expect
from view_client import Server

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
  - {name: swing, loads: [], dynamic: {step: 2e-3, end: 0.02, output: {every: 2}, probes: [tip]}}
"""
MODES = CASE.split("steps:", maxsplit=1)[0].replace("loads: [{set: tip, total_force: [0, 0, -60]}]\n", "") + "steps: [{name: own, modes: {count: 3}}]\n"


def wait(page, condition, what):
    try:
        page.wait_for_function(condition, timeout=30000)
    except Exception as error:  # pylint: disable=broad-except
        expect(False, f"{what}: {str(error)[:200]}; {page.locator('#message').inner_text()}")


def check_frames(page):
    wait(page, "document.querySelectorAll('[role=tab]').length === 1", "a result can be set up")
    expect(page.get_by_role("tab").all_inner_texts() == ["Look"], "a result can be set up")
    wait(page, "() => edgewise.state.frame === 6 && edgewise.history?.groups.length > 3", "no curves")
    page.locator("#drawing").focus()
    page.keyboard.press(",")
    wait(page, "() => edgewise.work.frame === 5", "no frame before")
    slider = page.get_by_label("Frame", exact=True)
    slider.fill("2")
    wait(page, "() => edgewise.work.frame === 2", "the slider shows no frame")
    wait(page, "() => document.querySelector('#timeline output').textContent === 'swing, time 0.004 s'", "the frame has no name")
    page.get_by_role("cell", name="bent", exact=True).click()
    wait(page, "() => edgewise.work.frame === 0", "the step's row shows no frame")
    factor = page.evaluate("() => edgewise.stage.factor()")
    slider.fill("3")
    wait(page, "() => edgewise.work.frame === 3", "frame 3")
    expect(page.evaluate("() => edgewise.stage.factor()") == factor, "frames have factors of their own")
    page.evaluate("""() => { const chart = document.querySelector("svg[aria-label=\\"energy, step 'swing'\\"]"), box = chart.getBoundingClientRect();
      chart.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX: box.left + box.width * (1 - 9 / 280), clientY: box.top + 60 })); }""")
    wait(page, "() => edgewise.work.frame === 6", "a click on a curve shows no frame")
    page.get_by_label("Frames a second").select_option("60")
    page.get_by_label("Play the frames").click()
    wait(page, "() => edgewise.work.playing && edgewise.work.frame === 2", "it does not play")
    page.get_by_label("Play the frames").click()
    wait(page, "() => !edgewise.work.playing", "no pause")


def check_look(page):
    page.get_by_label("Field", exact=True).select_option("displacement z")
    wait(page, "() => edgewise.work.field.name === 'displacement z' && document.getElementById('legend').innerText.includes('displacement z')", "no other field")
    page.get_by_role("button", name="Range of all frames").click()
    wait(page, "() => edgewise.stage.look.locked?.[0] < 0", "no range of all frames")
    page.get_by_label("Lock the range").click()
    page.get_by_label("Displacement factor").select_option("0")
    page.mouse.click(*browser.place_of(page, [0.52, 0.0, 0.055]))
    wait(page, "() => document.getElementById('selection').innerText.includes('principal 0')", "no values of a face")
    page.get_by_text("Inside", exact=True).click()
    page.get_by_label("Explode tets", exact=True).fill("0.4")
    wait(page, "() => edgewise.stage.body.exploded?.batch.count === 12 * edgewise.work.n_tet", "no exploded tets")
    for kind in "tets", "regions", "shrink":
        page.get_by_label("How tets are exploded").select_option(kind)
        wait(page, f"() => edgewise.stage.body.exploded.shownKind === '{kind}'", f"not exploded by {kind}")
    hit = page.evaluate("""() => { const { stage } = edgewise, { width, height } = stage.views()[0];
      for (let i = 0; i < 40; ++i) { const hit = stage.pick(width * (0.3 + 0.01 * i), height / 2); if (hit) return hit.tet; } return null; }""")
    expect(isinstance(hit, int), f"a tet is picked: {hit}")
    page.get_by_label("Explode tets", exact=True).fill("0")
    page.get_by_label("Displacement factor").select_option("auto")


def check_two(page):
    page.get_by_text("Second result", exact=True).click()
    page.get_by_label("Second result", exact=True).fill("b.vtkhdf")
    page.get_by_label("Second result", exact=True).press("Tab")
    page.get_by_role("button", name="Side by side").click()
    wait(page, "() => edgewise.stage.bodies.length === 2 && edgewise.stage.bodies[1].nTriangle > 0", "no second body")
    expect(page.locator("#captions span").all_inner_texts() == ["a.vtkhdf", "b.vtkhdf"], "names above them")
    both = page.evaluate("""() => { const { stage } = edgewise; return [stage.range(), ...stage.bodies.map(body => body.extrema.map(one => one.value))]; }""")
    expect(both[0] == [min(both[1][0], both[2][0]), max(both[1][1], both[2][1])], f"one legend: {both}")
    page.get_by_role("button", name="Difference").click()
    wait(page, "() => edgewise.stage.bodies.length === 1 && document.getElementById('legend').innerText.includes('difference of')", "no difference")
    page.get_by_role("button", name="Alone").click()
    wait(page, "() => edgewise.state.how === 'alone' && !document.querySelector('#captions span')", "alone again")


def check_modes(chromium, program):
    with Server(program, "modes.vtkhdf") as server:
        page = browser.open_page(chromium, f"http://{server.host}:{server.port}/?token={server.token}")
        wait(page, "() => edgewise.state.modes && edgewise.animationKind === 'swing'", "a mode does not swing")
        page.locator("#drawing").focus()
        page.keyboard.press("a")
        wait(page, "() => edgewise.stage.swing < -0.5", "a mode swings to one side alone")
        page.keyboard.press("a")
        wait(page, "() => edgewise.stage.swing === 1", "it does not stop")
        expect(page.locator("#timeline output").inner_text().endswith("Hz"), "a mode has no frequency")


def main():
    program = os.path.abspath(sys.argv[1])
    with open(f"{sys.argv[3]}/CMakeCache.txt", encoding="utf-8") as cache:
        options = cache.read()
        if "EW_WITH_VIEW:BOOL=ON" not in options:
            browser.skip("built without the page (EW_WITH_VIEW)")
    with tempfile.TemporaryDirectory() as folder, browser.browser() as chromium:
        os.chdir(folder)
        checks.run(program, "shape", "box", "--size", "1,0.1,0.1", "--cells", "12,2,2", "-o", "beam.mesh")
        cases = {"a": CASE.replace("YOUNG", "20e6"), "b": CASE.replace("YOUNG", "30e6")}
        if "EW_WITH_CHOLMOD:BOOL=ON" in options:
            cases["modes"] = MODES.replace("YOUNG", "20e6")
        for name, text in cases.items():
            checks.write(folder, f"{name}.yaml", text)
            checks.run(program, "run", f"{name}.yaml", "-o", name)
        with Server(program, "a.vtkhdf", "--grace", "60") as server:
            page = browser.open_page(chromium, f"http://{server.host}:{server.port}/?token={server.token}")
            for part in check_frames, check_look, check_two:
                part(page)
        if "modes" in cases:
            check_modes(chromium, program)
        os.chdir("/")
    return checks.finish("check_view_results_page")


if __name__ == "__main__":
    sys.exit(main())
