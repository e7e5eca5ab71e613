"""Tools of the page `edgewise view` in a headless Chromium, with real strokes and keys: the arrow of a load is dragged and the static answer
follows; the knife slits between the ends of a stroke, removes along it, takes a side away; what was slit is welded; a stroke of the brush is
one state to an undo; a vertex is pulled while the body is cut. A body that falls apart and a browser without WebGL get a clear line, and the
page goes on.

check_view_tools.py PROGRAM SOURCE BUILD"""
import os
import sys
import tempfile

import browser
import checks
from check_view_browser import LARGEST, drag, view, wait

CASE = """mesh: beam.mesh
elements: linear
material: {young: 210e9, poisson: 0.3, density: 7850}
sets:
  wall: {plane: {point: [0, 0, 0], normal: x, tolerance: 1e-9}, of: faces}
  tip: {plane: {point: [1, 0, 0], normal: x, tolerance: 1e-9}, of: faces}
  top: {plane: {point: [0, 0, 0.2], normal: z, tolerance: 1e-9}, of: faces}
constraints: [{set: wall, displacement: [0, 0, 0]}]
loads: [{set: tip, total_force: [0, 0, -1000]}, {set: top, pressure: 1000}]
steps: [{name: bent, static: {tolerance: 1e-9}}]
"""
AREA = "() => { const { body } = edgewise.stage; let sum = 0; for (let t = 0; t < body.nTriangle; ++t) sum += body.area(t); return sum; }"
WHOLE = 4 * 0.2 + 2 * 0.04


def expect_area(page, area, what):
    wait(page, f"() => Math.abs(({AREA})() / {area} - 1) < 1e-6", f"{what}: not a surface of {area}")


def undo(page, at):
    page.locator("#drawing").focus()
    page.keyboard.press("Control+z")
    wait(page, f"() => edgewise.state.at === {at} && edgewise.work.journal.at === {at}", f"an undo leads to state {page.evaluate('() => edgewise.state.at')}, not {at}")


def drawn_arrow(page, index):
    """An arrow of a load, once the stage has been drawn as it is now."""
    page.evaluate("() => new Promise(done => { edgewise.stage.redraw(); requestAnimationFrame(() => requestAnimationFrame(done)); })")
    return page.evaluate("index => edgewise.arrows.find(one => one.index === index)", index)


def check_loads(page):
    """Arrows of both loads: turned and longer, so is the load; an undo brings it back."""
    page.evaluate("() => edgewise.stage.view('front')")
    page.keyboard.press("3")
    wait(page, "() => edgewise.arrows?.some(one => one.index === 0)", "no arrow of the force")
    before = page.evaluate(LARGEST)
    box = page.locator("#drawing").bounding_box()
    arrow = drawn_arrow(page, 0)
    tail = (box["x"] + arrow["from"][0], box["y"] + arrow["from"][1])
    long = abs(arrow["to"][1] - arrow["from"][1])
    drag(page, tail, (tail[0], tail[1] - long))  # twice as long
    wait(page, "() => edgewise.state.loads[0].value[2] < -1900", "the load does not grow with its arrow")
    page.mouse.up()
    wait(page, "() => edgewise.work.message === '' && !edgewise.draggedLoad", "no answer")
    value = page.evaluate("() => edgewise.state.loads[0].value")
    checks.expect(abs(value[2] / -2000 - 1) < 0.02 and abs(value[0]) < 20, f"an arrow of twice the length is a load of {value}")
    after = page.evaluate(LARGEST)
    checks.expect(1.5 < after / before < 2.05, f"displacement {before} became {after}")
    undo(page, 0)
    checks.expect(page.evaluate(LARGEST) == before, "undo of a drag of an arrow")
    arrow = drawn_arrow(page, 1)
    start = (box["x"] + arrow["from"][0], box["y"] + arrow["from"][1])
    drag(page, start, (start[0], start[1] - 17))
    wait(page, "() => edgewise.state.loads[1].value[0] > 1200", "a pressure does not grow with its arrow")
    page.mouse.up()
    undo(page, 0)
    page.get_by_label("Load 2, part", exact=True).fill("-1")
    wait(page, "() => edgewise.state.loads[1].value[0] < 0", "the slider of a pressure")
    undo(page, 0)


def check_knife(page, pictures):
    page.keyboard.press("1")
    page.get_by_label("Displacement factor").select_option("0")
    page.keyboard.press("3")
    page.keyboard.press("k")
    tets = page.evaluate("() => edgewise.work.n_tet")
    drag(page, browser.place_of(page, [0.5, 0, 0.3]), browser.place_of(page, [0.5, 0, 0.08]))
    page.mouse.up()
    expect_area(page, WHOLE + 2 * 0.2 * 0.1, "a slit from the top to the middle")
    page.evaluate("() => { edgewise.stage.look.factor = null; edgewise.stage.view('isometric'); }")
    browser.compare(page, os.path.join(pictures, "slit.png"))
    page.evaluate("() => { edgewise.stage.look.explode = 0.4; edgewise.explodeChanged(); }")
    wait(page, "() => edgewise.stage.body.exploded?.batch.count === 12 * edgewise.work.n_tet", "no exploded tets")
    browser.compare(page, os.path.join(pictures, "exploded.png"))
    page.evaluate("() => { edgewise.stage.look.explode = 0; edgewise.explodeChanged(); edgewise.stage.look.factor = 0; edgewise.stage.view('front'); }")
    page.keyboard.press("w")
    page.get_by_role("button", name="Weld all that meets").click()
    expect_area(page, WHOLE, "welded")
    page.screenshot(path=os.environ.get("EW_SCREENSHOT") or os.devnull, type="png")
    undo(page, 1)
    undo(page, 0)
    page.keyboard.press("k")
    page.get_by_label("Knife", exact=True).select_option("remove")
    drag(page, browser.place_of(page, [0.53, 0, 0.3]), browser.place_of(page, [0.53, 0, 0.094]))
    page.mouse.up()
    wait(page, f"() => edgewise.work.n_tet < {tets}", "no tets along the stroke go")
    gone = tets - page.evaluate("() => edgewise.work.n_tet")
    checks.expect(gone == 4 * 2 * 6, f"{gone} tets along the stroke go")
    undo(page, 0)
    page.get_by_label("Knife", exact=True).select_option("inside")
    drag(page, browser.place_of(page, [0.5, 0, -0.1]), browser.place_of(page, [0.5, 0, 0.3]))  # upward: what is to the right goes
    page.mouse.up()
    expect_area(page, 4 * 0.2 * 0.5 + 2 * 0.04, "half of the beam")
    undo(page, 0)
    drag(page, browser.place_of(page, [0.5, 0, 0.3]), browser.place_of(page, [0.5, 0, -0.1]))  # downward: that which holds the beam
    page.mouse.up()
    wait(page, "() => edgewise.work.message.includes('constrained') && !document.getElementById('message').hidden", "a body that falls off its support has no clear line")
    undo(page, 0)
    wait(page, "() => edgewise.work.message === ''", "it does not go on")
    page.keyboard.press("Escape")


def check_brush(page):
    page.keyboard.press("b")
    tets = page.evaluate("() => edgewise.work.n_tet")
    at = browser.place_of(page, [0.3, 0, 0.1])
    page.mouse.move(*at)
    page.mouse.down()
    for step in range(1, 12):
        page.mouse.move(at[0] + 14 * step, at[1])
        page.wait_for_timeout(60)
    page.mouse.up()
    wait(page, "() => edgewise.state.at >= 3", "a stroke of the brush has not several spots")
    checks.expect(page.evaluate("() => edgewise.work.n_tet") < tets, "the brush removes nothing")
    checks.expect(page.locator("#message").is_hidden(), f"the brush complains: {page.locator('#message').inner_text()}")
    undo(page, 0)
    checks.expect(page.evaluate("() => edgewise.work.n_tet") == tets, "a stroke is not one state")


def check_pull(page):
    """A pull goes on at its vertex while another client's cut gives the surface other rows."""
    page.keyboard.press("p")
    at = browser.place_of(page, [0.97, 0, 0.11])
    drag(page, at, (at[0], at[1] + 20))
    wait(page, "() => edgewise.state.journal.some(one => one.do === 'pull')", "no pull")
    vertex = page.evaluate("() => edgewise.spring.vertex")
    page.evaluate("() => edgewise.do('refine', { tets: [0, 1, 2, 3] })")
    page.mouse.move(at[0], at[1] + 30)
    wait(page, "() => edgewise.state.journal[edgewise.state.journal.length - 1].do === 'pull'", "no pull after a refinement")
    checks.expect(page.evaluate("() => edgewise.spring.vertex") == vertex and page.locator("#message").is_hidden(), "the spring left its vertex")
    page.mouse.up()
    wait(page, "() => edgewise.state.journal[edgewise.state.journal.length - 1].do === 'release' && !edgewise.spring", "no release")


def check_lost_context(page):
    """The browser takes WebGL away and gives it back: a line in between, and the same picture after."""
    page.evaluate("() => { edgewise.stage.look.factor = null; edgewise.stage.view('isometric'); }")
    page.locator("#drawing").focus()
    page.keyboard.press("1")
    page.get_by_label("Displacement factor").select_option("auto")
    before = page.evaluate(browser.SMALL)
    page.evaluate("() => { window.taken = edgewise.stage.renderer.gl.getExtension('WEBGL_lose_context'); taken.loseContext(); }")
    wait(page, "() => document.getElementById('captions').innerText.includes('edges alone')", "no line where WebGL is taken away")
    page.get_by_label("Displacement factor").select_option("1")
    page.get_by_label("Displacement factor").select_option("auto")
    page.evaluate("() => taken.restoreContext()")
    wait(page, "() => !edgewise.stage.trouble && !document.getElementById('captions').innerText.includes('edges alone')", "the line stays where WebGL is back")
    mean = page.evaluate(browser.DIFFERENCE, [before, page.evaluate(browser.SMALL)])
    checks.expect(mean < 0.5, f"a picture after WebGL was away differs by {mean}")


def check_plain(chromium, address):
    """Without WebGL 2: the line says so, edges are drawn, panels and commands work."""
    page = chromium.new_page(viewport={"width": 900, "height": 600}, bypass_csp=True)
    page.on("pageerror", lambda error: checks.expect(False, f"error of the page without WebGL: {error}"))
    page.add_init_script("const get = HTMLCanvasElement.prototype.getContext; HTMLCanvasElement.prototype.getContext = function (kind, ...more) { return kind === 'webgl2' ? null : get.call(this, kind, ...more); };")
    page.goto(address)
    page.wait_for_function(browser.READY, timeout=60000)
    text = page.locator("#captions").inner_text()
    checks.expect("no WebGL 2" in text and "edges alone" in text, f"no clear line: {text}")
    wait(page, """() => { const c = edgewise.stage.overlay.canvas, d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data; let n = 0;
      for (let i = 3; i < d.length; i += 4) n += d[i] > 0; return n > 2000; }""", "no edges are drawn")
    page.screenshot(path=os.environ.get("EW_PLAIN") or os.devnull, type="png")
    page.keyboard.press("3")
    page.get_by_label("Load 1, part", exact=True).fill("0.5")
    wait(page, "() => edgewise.state.loads[0].value[2] === -500", "commands do not work without WebGL")
    wait(page, "() => document.getElementById('status').innerText.includes('tets')", "no status")
    page.close()


def main():
    program = os.path.abspath(sys.argv[1])
    if "built without" in checks.execute(program, "view", "no-file").stderr:
        browser.skip("built without the page (EW_WITH_VIEW)")
    with tempfile.TemporaryDirectory() as folder, browser.browser() as chromium:
        checks.write(folder, "beam.yaml", CASE)
        checks.run(program, "shape", "box", "--size", "1,0.2,0.2", "--cells", "20,4,4", "-o", "beam.mesh", folder=folder)
        with view(program, "beam.yaml", folder) as address:
            page = browser.open_page(chromium, address)
            check_loads(page)
            check_knife(page, os.path.join(sys.argv[2], "tests", "view", "pictures"))
            for part in check_brush, check_pull, check_lost_context:
                part(page)
            check_plain(chromium, address)
    return checks.finish("check_view_tools")


if __name__ == "__main__":
    sys.exit(main())
