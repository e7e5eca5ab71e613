"""`edgewise view` in a headless Chromium, from a file to an answer and back: a surface is filled, faces are named, fixed and loaded by
clicks; the saved case gives `edgewise run` the same numbers; a pull and a cut in motion; undo to the start.

check_view_browser.py PROGRAM SOURCE BUILD"""
import contextlib
import os
import subprocess
import sys
import tempfile

import browser
import checks

DIGEST = """async () => { const { body } = edgewise.stage, bytes = new Uint8Array(8 * body.position.length);
  bytes.set(new Uint8Array(body.position.buffer)); bytes.set(new Uint8Array(body.displacement.buffer), 4 * body.position.length);
  return [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))].join() + " " + edgewise.work.n_tet; }"""
LARGEST = """() => { const u = edgewise.stage.body.displacement; let most = 0;
  for (let i = 0; i < u.length; i += 3) most = Math.max(most, Math.hypot(u[i], u[i + 1], u[i + 2])); return most; }"""


@contextlib.contextmanager
def view(program, path, folder):
    """The address that a running view prints."""
    with subprocess.Popen([program, "view", path, "--no-browser", "--grace", "60"], cwd=folder, stdout=subprocess.PIPE,
                          text=True, env=checks.ENVIRONMENT) as running:
        line = next((line for line in running.stdout if "http" in line), "")
        try:
            yield line.split()[-1] if "http" in line else None
        finally:
            running.terminate()


def wait(page, condition, what):
    try:
        page.wait_for_function(condition, timeout=120000)
    except Exception as error:  # pylint: disable=broad-except
        checks.expect(False, f"{what}: {str(error)[:200]}; {page.locator('#message').inner_text()}")


def drag(page, start, end):
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    page.mouse.move(*end)


def name_face(page, point, name):
    page.mouse.click(*browser.place_of(page, point))
    named = page.get_by_role("button", name="Name it", disabled=False)
    named.wait_for()  # the panel is not made again while words are typed into it
    page.get_by_label("Name of the set", exact=True).fill(name)
    named.click()
    wait(page, f"() => edgewise.state.sets.some(set => set.name === '{name}')", f"no set {name}")


# The surface of a bar of 1 x 0.1 x 0.1, turned outward.
BAR = """OFF
8 12 0
0 0 0
1 0 0
1 0.1 0
0 0.1 0
0 0 0.1
1 0 0.1
1 0.1 0.1
0 0.1 0.1
3 0 2 1
3 0 3 2
3 4 5 6
3 4 6 7
3 0 1 5
3 0 5 4
3 1 2 6
3 1 6 5
3 2 3 7
3 2 7 6
3 3 0 4
3 3 4 7
"""


def open_repaired(chromium, address, folder):
    """A page that was opened while the bar had a number that is none; the bar, once that is repaired."""
    page = chromium.new_page(viewport={"width": 1280, "height": 800}, color_scheme="light", bypass_csp=True)
    page.goto(address)
    line = page.locator("#trouble .line")
    line.wait_for()
    checks.expect("bar.off:3:" in line.inner_text(), f"the broken bar: {line.inner_text()}")
    checks.expect(page.locator("#panel").is_hidden() and page.locator("#legend").is_hidden(), "there are panels of no body")
    page.keyboard.press("s")
    checks.write(folder, "bar.off", BAR)
    page.wait_for_function(browser.READY, timeout=60000)
    checks.expect(line.is_hidden() and page.locator("#panel").is_visible(), "the line stays")
    page.close()


def check_setup(page, program, folder):
    """The bar 1 x 0.1 x 0.1: fixed at x = 1, loaded on top; returns nothing, counts what is wrong."""
    wait(page, "() => edgewise.work.message.includes('not constrained')", "a body without supports has no clear line")
    checks.expect("no supports yet" in page.locator("#message").inner_text(), "who comes first is not told where supports are")
    page.get_by_label("Displacement factor").select_option("0")
    page.get_by_role("tab", name="Set up").click()
    name_face(page, [1, 0.055, 0.05], "wall")
    name_face(page, [0.505, 0.055, 0.1], "top")
    sets = page.evaluate("() => Object.fromEntries(edgewise.state.sets.map(set => [set.name, set.area]))")
    checks.expect(abs(sets["wall"] - 0.01) < 1e-12 and abs(sets["top"] - 0.1) < 1e-12, f"areas {sets}")
    page.get_by_label("Set that is fixed").select_option("wall")
    page.get_by_role("button", name="Hold", exact=True).click()
    wait(page, "() => edgewise.state.supports.length === 1", "no support")
    page.get_by_label("Set that is loaded").select_option("top")
    page.get_by_label("Fz").fill("-500")
    page.get_by_label("Fz").press("Tab")
    page.get_by_role("button", name="Add load").click()
    wait(page, "() => edgewise.state.loads.length === 1 && edgewise.work.message === '' && edgewise.stage.body.range[1] > 0", "no answer")
    page.evaluate("""() => { const box = document.querySelector('[aria-label="Case file"]'); box.focus(); box.select(); edgewise.rebuild();
      return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))); }""")  # a picture makes the panel again, too
    page.keyboard.type("part.yaml")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Save case").click()
    wait(page, "() => document.getElementById('message').innerText.includes('Saved part.yaml')", "not saved")
    shown = page.evaluate(LARGEST)
    if checks.run(program, "run", "part.yaml", "-o", "part", folder=folder) is None:
        return
    with open(os.path.join(folder, "part.csv"), encoding="utf-8") as table:
        names, values = (line.rstrip("\n").split(",") for line in list(table)[:2])
    ran = float(values[names.index("max_displacement")])
    checks.expect(abs(shown / ran - 1) < 1e-5, f"the page shows {shown}, edgewise run {ran}")


def check_fields(page):
    """The list of fields colors the surface and the cap of a section; the legend says by what."""
    page.get_by_role("tab", name="Look").click()
    page.get_by_label("Field", exact=True).select_option("displacement z")
    wait(page, """() => { const { body } = edgewise.stage, z = body.displacement.filter((_, i) => i % 3 === 2);
      return edgewise.work.field.name === 'displacement z' && body.range[0] === Math.min(...z) && body.range[0] < 0; }""", "no displacement z")
    legend = page.locator("#legend").inner_text()
    checks.expect("displacement z" in legend, f"legend: {legend}")
    page.get_by_text("Inside", exact=True).click()
    page.get_by_label("Section plane").select_option("x")
    wait(page, "() => edgewise.stage.body.cap.count >= 6", "no cap")
    page.get_by_label("Section plane").select_option("")
    page.get_by_label("Field", exact=True).select_option("von Mises stress")
    wait(page, "() => edgewise.work.field.name === 'von Mises stress'", "no stress")
    page.get_by_label("Values", exact=True).select_option("tets")
    wait(page, "() => edgewise.work.field.of === 'tets' && edgewise.stage.body.cornerValue?.length === 3 * edgewise.stage.body.nTriangle", "no values of tets")
    page.get_by_label("Values", exact=True).select_option("vertices")
    wait(page, "() => edgewise.work.field.of === 'vertices' && !edgewise.stage.body.cornerValue", "no values at vertices")


def check_play(page):
    start = page.evaluate(DIGEST)
    tets = page.evaluate("() => edgewise.work.n_tet")
    n_entry = page.evaluate("() => edgewise.state.at")
    page.keyboard.press("Escape")
    page.get_by_role("tab", name="Play").click()
    page.get_by_label("Analysis").select_option("dynamics")
    wait(page, "() => edgewise.work.mode === 'dynamics'", "no motion")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Play", exact=False).last.click()
    wait(page, "() => edgewise.work.playing && edgewise.work.time > 0", "it does not play")
    page.keyboard.press("p")
    at = browser.place_of(page, [0.3, 0, 0.05])
    drag(page, at, (at[0], at[1] + 60))
    wait(page, "() => edgewise.state.journal.some(one => one.do === 'pull')", "no pull")
    page.mouse.up()
    wait(page, "() => edgewise.state.journal.some(one => one.do === 'release')", "no release")
    page.keyboard.press("k")
    page.get_by_label("Knife", exact=True).select_option("inside")
    drag(page, browser.place_of(page, [0.4, 0, -0.1]), browser.place_of(page, [0.4, 0, 0.2]))
    page.mouse.up()
    wait(page, f"() => edgewise.work.n_tet !== {tets}", "no cut")
    page.keyboard.press("Escape")
    page.locator("#drawing").focus()
    page.keyboard.press("Space")
    wait(page, "() => !edgewise.work.playing", "no pause")
    page.evaluate("at => edgewise.do('goto', { at })", n_entry)
    wait(page, f"() => edgewise.state.at === {n_entry} && edgewise.work.n_tet === {tets}", "no way back")
    checks.expect(page.evaluate(DIGEST) == start, "the state before the motion has other bits")
    for _ in range(n_entry):
        page.keyboard.press("Control+z")
    wait(page, "() => edgewise.state.at === 0 && edgewise.state.sets.length === 0", "undo does not reach the start")


def check_refusals(page, folder):
    """Each is refused by one line on the page and changes nothing."""
    before = page.evaluate("() => JSON.stringify(edgewise.state.sets) + edgewise.state.at")
    for name, values, line in [
            ("set", {"name": "x", "faces": [4000000000]}, "no face of the body"), ("set", {"name": "x", "faces": []}, "a list of faces"),
            ("set", {"name": "a\nb", "faces": [0]}, "control character"), ("set", {"name": "", "faces": [0]}, "must have 1 to"),
            ("support", {"set": "nowhere", "fixed": [True] * 3}, "no set 'nowhere'"),
            ("support_remove", {"index": 7}, "'index' must be"), ("load_remove", {"index": -1}, "'index' must be"),
            ("load_add", {"type": "magic", "set": "x", "value": [0, 0, 1]}, "no set 'x'"),
            ("load_add", {"type": "gravity", "value": [0, 0]}, "3 finite numbers"),
            ("save", {"file": "part.txt"}, "ends in .yaml"), ("save", {"file": "nowhere/part.yaml"}, "nowhere/part.mesh")]:
        answer = page.evaluate("([name, values]) => edgewise.do(name, values)", [name, values])
        shown = page.locator("#message").inner_text()
        checks.expect(answer is None and line in shown, f"{name} {values}: {answer}, '{shown}'")
    checks.expect(page.evaluate("() => JSON.stringify(edgewise.state.sets) + edgewise.state.at") == before, "a refusal changed the body")
    checks.expect(not any(name.startswith("x.") for name in os.listdir(folder)), "a refusal left a file")


def main():
    program, source = os.path.abspath(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory() as folder, browser.browser() as chromium:
        checks.write(folder, "bar.off", BAR.replace("0 0 0", "nan 0 0", 1))
        with view(program, "bar.off", folder) as address:
            if not address:
                browser.skip("this program was built without view or without TetGen")
            open_repaired(chromium, address, folder)
            page = browser.open_page(chromium, address)
            check_setup(page, program, folder)
            browser.compare(page, os.path.join(source, "tests", "view", "pictures", "answer.png"))
            check_fields(page)
            check_play(page)
            check_refusals(page, folder)
    return checks.finish("check_view_browser")


if __name__ == "__main__":
    sys.exit(main())
