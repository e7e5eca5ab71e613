"""The page of `edgewise report` in a headless Chromium: nothing is wider than the page, no name of a file becomes a script,
figures are chosen and tables sorted, all of it is on paper.

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
        page = open_page(chromium, "sweep.html")
        check_fit(page, "a sweep")
        check_sweep(page)
        check_paper(page)
    return checks.finish("page of a report")


if __name__ == "__main__":
    sys.exit(main())
