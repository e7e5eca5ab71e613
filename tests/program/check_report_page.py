"""The page of `edgewise report` in a headless Chromium: nothing is wider than the page, no name of a file becomes a script,
figures are chosen and tables sorted, the body is turned, zoomed and played, all of it is on paper.

check_report_page.py PROGRAM SOURCE BUILD"""
import os
import re
import sys
import tempfile

import browser
import checks
from checks import expect

CASE = """mesh: beam.mesh
units: {length: mm, force: N}
material: {young: 210e3, poisson: 0.3}
parameters: {load: 100, stretch: 1}
SWEEP
sets: {"</script><script>window.bad=1</script>": {surface: 1}, "<img src=x onerror=window.bad=1>": {surface: 2}}
constraints: [{set: "</script><script>window.bad=1</script>", displacement: [0, 0, 0]}]
loads: [{set: "<img src=x onerror=window.bad=1>", total_force: [0, 0, -load]}]
steps:
  - {name: shape, edit: [{scale: {factor: [stretch, 1, 1]}}]}
  - {name: "bend <svg onload=window.bad=1>", static: {}}
  - {name: side, loads: [{set: "<img src=x onerror=window.bad=1>", total_force: [0, load, 0]}], static: {}}
"""


def open_page(chromium, file, **options):
    page = chromium.new_page(viewport={"width": 1000, "height": 800}, bypass_csp=False, **options)
    page.on("pageerror", lambda error: expect(False, f"error of the page: {error}"))
    page.on("console", lambda message: expect(message.type != "error", f"console: {message.text}"))
    page.on("request", lambda request: expect(request.url.startswith(("file:", "data:", "blob:")), f"request: {request.url}"))
    page.goto("file://" + os.path.abspath(file))
    return page


def check_fit(page, what):
    page.wait_for_timeout(200)
    width = page.evaluate("document.documentElement.scrollWidth")
    expect(width <= page.viewport_size["width"], f"{what}: {width} pixels wide")
    expect(page.evaluate("window.bad") is None, f"{what}: a name became a script")


def check_sweep(page):
    shown = "[...document.querySelectorAll('[data-choose] figure')].filter(figure => !figure.hidden).length"
    expect(page.evaluate(shown) == 1, "one number is shown")
    page.get_by_label("number").select_option(label="all")
    expect(page.evaluate(shown) > 5, "all numbers are shown")
    table = page.locator(".wide table").nth(1)
    column = "rows => rows.map(row => parseFloat(row.cells[1].textContent))"
    rows = table.locator("tbody tr")
    before = rows.evaluate_all(column)
    table.get_by_role("button", name="load").press("Enter")
    expect(rows.evaluate_all(column) == sorted(before) != before, f"sorted by the keyboard: {before}")
    table.get_by_role("button", name="load").click()
    expect(rows.evaluate_all(column) == sorted(before, reverse=True), "and the other way")


def check_paper(page):
    """A figure that is not chosen is on paper, too; tables break between rows."""
    page.get_by_label("number").select_option("0")
    page.emulate_media(media="print")
    hidden = page.evaluate("[...document.querySelectorAll('[data-choose] figure')].filter(figure => !figure.getClientRects().length).length")
    expect(hidden == 0, f"{hidden} figures are not on paper")
    cut = page.evaluate("[...document.querySelectorAll('.wide')].filter(box => box.scrollHeight > box.clientHeight + 1).length")
    expect(cut == 0, f"{cut} tables are cut on paper")
    pdf = page.pdf(prefer_css_page_size=True)
    expect(pdf[:5] == b"%PDF-" and len(re.findall(rb"/Type\s*/Page\b", pdf)) > 2, "a PDF of some pages")
    page.emulate_media(media="screen")


MOTION = """mesh: beam.mesh
elements: linear
units: {length: mm, force: N, time: s}
material: {young: 210e3, poisson: 0.3, density: 7.8e-9}
sets: {wänd: {surface: 1}, tip: {surface: 2}}
constraints: [{set: wänd, displacement: [0, 0, 0]}]
loads: [{set: tip, total_force: [0, 0, -100]}]
steps:
  - {name: swing, dynamic: {step: 2e-5, end: 1.6e-4, output: {every: 2}}}
  - {name: own, modes: {count: 2}}
  - {name: bent, static: {}}
"""


def drag(page, start, end):
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=4)
    page.mouse.up()


def check_body(page):
    """What is embedded is what the run wrote; the pointer, the wheel and the keys turn and zoom it."""
    page.wait_for_function("() => window.edgewise?.frame")
    frames = page.evaluate("edgewise.data.frames.map(frame => [frame.name, frame.kind])")
    expect([kind for _, kind in frames] == ["dynamic"] * 5 + ["modes"] * 2 + ["static"], f"frames: {frames}")
    expect(frames[4][0] == "swing, time 0.00016 s" and "1/s" in frames[5][0], f"names: {frames}")
    shown = page.evaluate("""() => { const { stage: { body }, frame } = edgewise, u = body.displacement; let most = 0;
      for (let i = 0; i < u.length; i += 3) most = Math.max(most, Math.hypot(u[i], u[i + 1], u[i + 2]));
      return { most, range: body.range, extrema: frame.extrema.map(one => one.value), n: body.nTriangle, box: [...body.position].reduce((a, x) => Math.max(a, x)) }; }""")
    told = page.get_by_role("row", name=re.compile("bent")).first.inner_text().split()
    expect(any(abs(float(x) / shown["most"] - 1) < 1e-3 for x in told if re.fullmatch(r"[-.\de+]+", x) and float(x)), f"largest displacement {shown['most']}: {told}")
    expect(shown["n"] == 176 and shown["box"] == 100, f"surface: {shown}")
    expect(all(abs(a / b - 1) < 1e-3 for a, b in zip(shown["range"], shown["extrema"])), f"extremes: {shown}")
    acting = page.evaluate("({ sets: edgewise.frame.sets.map(list => list.length), loads: edgewise.frame.loads, supports: edgewise.frame.supports })")
    expect(acting["sets"] == [8, 3] and acting["loads"][0]["value"] == [0, 0, -100] and acting["supports"][0]["fixed"] == [1, 1, 1], f"{acting}")
    fixed = page.evaluate("edgewise.data.frames.map(frame => [frame.supports.length, frame.sets[0].length])")
    expect(fixed == [[1, 8]] * 8, f"supports of motion, modes and statics, of a set whose name has no plain letters: {fixed}")
    canvas = page.locator(".drawing")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    camera = "[edgewise.stage.camera.turn, edgewise.stage.camera.elevation, edgewise.stage.camera.height, ...edgewise.stage.camera.center]"
    before = page.evaluate(camera)
    page.mouse.move(*middle)
    page.mouse.wheel(0, 40)
    page.wait_for_timeout(200)
    expect(page.evaluate(camera) == before, "without the focus the wheel scrolls the page")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    drag(page, middle, (middle[0] + 100, middle[1] - 50))
    turned = page.evaluate(camera)
    expect(abs(turned[0] - before[0] + 0.8) < 1e-6 and abs(turned[1] - before[1] + 0.4) < 1e-6, f"a drag turns: {before} {turned}")
    page.mouse.wheel(0, -200)
    page.wait_for_function(f"() => edgewise.stage.camera.height < {0.9 * turned[2]}")
    for key, what in ("ArrowLeft", 0), ("ArrowDown", 1), ("+", 2), ("Shift+ArrowUp", 5):
        before = page.evaluate(camera)
        page.keyboard.press(key)
        expect(page.evaluate(camera)[what] != before[what], f"{key} does nothing")
    page.keyboard.press("0")
    page.keyboard.press(",")
    expect(page.evaluate("edgewise.frame.kind") == "modes", "the frame before by a key")
    page.keyboard.press(" ")
    page.wait_for_function("() => edgewise.stage.swing < -0.5")
    page.keyboard.press(" ")
    page.get_by_label("Frame", exact=True).select_option("0")
    page.evaluate("void (window.requestAnimationFrame = (next => call => next(now => call(now - 40)))(window.requestAnimationFrame))")  # as a busy browser
    page.get_by_role("button", name="Play").click()
    page.wait_for_function("() => edgewise.at === 3")
    page.get_by_role("button", name="Stop").click()
    factors = [page.evaluate(f"edgewise.show({k}), edgewise.stage.factor()") for k in range(5)]
    expect(len(set(factors)) == 1, f"one factor for a motion: {factors}")
    ranges = [page.evaluate(f"edgewise.show({k}), edgewise.stage.range()") for k in (1, 7)]
    expect(ranges[0] == ranges[1], f"one range for the stress: {ranges}")


def check_printed_body(page):
    """The body as it was turned is a picture on paper, dark or not."""
    expect(page.locator(".paper").get_attribute("src") is None, "no picture before")
    page.pdf()
    mean = page.evaluate("""async () => { const image = document.querySelector(".paper"); await image.decode();
      const canvas = document.createElement("canvas"), c = canvas.getContext("2d"); canvas.width = 200; canvas.height = 100; c.drawImage(image, 0, 0, 200, 100);
      const data = c.getImageData(0, 0, 200, 100).data; return [data[0], new Set(data).size]; }""")
    expect(mean[0] == 255 and mean[1] > 50, f"white, with a body: {mean}")
    page.emulate_media(media="print")
    expect(page.locator(".paper").is_visible() and not page.locator(".drawing").is_visible(), "a picture in its place")
    page.emulate_media(media="screen")


def check_bounds(chromium, program):
    """What does not fit is said; without WebGL and with --turn 0 there are the pictures."""
    checks.run(program, "report", "motion.vtkhdf", "-o", "none.html", "--turn", "0")
    page = open_page(chromium, "none.html")
    expect(page.locator("#turn").count() == 0 and page.locator("img").count() == 8, "pictures alone")
    page.close()
    checks.run(program, "run", "long.yaml", "-o", "long", "--device", "host")
    checks.run(program, "report", "long.vtkhdf", "--pictures", "1", "--turn", "0.05")
    page = open_page(chromium, "long.html")
    page.wait_for_function("() => window.edgewise?.frame")
    numbers, size = page.evaluate("[edgewise.data.frames.map(frame => frame.number), document.getElementById('frames').textContent.length]")
    expect(size < 5.2e4 and 8 < len(numbers) < 30 and numbers[-1] == 41, f"{len(numbers)} frames, {size} bytes, the last {numbers[-1]}")
    expect(max(b - a for a, b in zip(numbers, numbers[1:])) < 7, f"spread over the motion: {numbers}")
    expect(f"{len(numbers)} of 42 frames can be turned here" in page.locator("body").inner_text(), "how many are left out")
    page.close()
    page = chromium.new_page()
    page.add_init_script("HTMLCanvasElement.prototype.getContext = (get => function (kind, ...more) { return kind === 'webgl2' ? null : get.call(this, kind, ...more); })(HTMLCanvasElement.prototype.getContext)")
    page.goto("file://" + os.path.abspath("motion.html"))
    expect("WebGL" in page.locator("#turn").inner_text() and page.locator("img").count() == 8, "why there are pictures alone")
    page.close()


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder, browser.browser() as chromium:
        os.chdir(folder)
        checks.run(program, "shape", "box", "--size", "100,10,10", "--cells", "10,2,2", "-o", "beam.mesh")
        for name, what in ("plain", ""), ("sweep", "sweep: {grid: {load: [300, 100, 200], stretch: [1, 0.8, -1]}}"):
            checks.write(folder, name + ".yaml", CASE.replace("SWEEP", what))
            checks.run(program, "run", name + ".yaml", "-o", name, "--device", "host")
            checks.run(program, "report", name + ".vtkhdf", "--pictures", "2")
        for scheme in "light", "dark":
            page = open_page(chromium, "plain.html", color_scheme=scheme)
            check_fit(page, f"a study, {scheme}")
            back = page.evaluate("getComputedStyle(document.body).backgroundColor")
            expect((back == "rgb(255, 255, 255)") == (scheme == "light"), f"{scheme}: {back}")
            page.close()
        checks.write(folder, "motion.yaml", MOTION)
        checks.run(program, "run", "motion.yaml", "-o", "motion", "--device", "host")
        checks.run(program, "report", "motion.vtkhdf")
        page = open_page(chromium, "motion.html", color_scheme="dark")
        check_fit(page, "a motion")
        check_body(page)
        check_printed_body(page)
        page.close()
        checks.write(folder, "long.yaml", MOTION.split("  - {name: own")[0].replace("end: 1.6e-4, output: {every: 2}", "end: 8.2e-4, output: {every: 1}"))
        check_bounds(chromium, program)
        page = open_page(chromium, "sweep.html")
        check_fit(page, "a sweep")
        check_sweep(page)
        check_paper(page)
    return checks.finish("page of a report")


if __name__ == "__main__":
    sys.exit(main())
