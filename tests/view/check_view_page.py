"""The page of `edgewise view` in a headless Chromium, with clicks, drags and keys, against a server of the test: what it shows, which
commands it sends, errors on the page, the keyboard alone, dark and light, its picture beside a committed one.

check_view_page.py PROGRAM SOURCE BUILD"""
import os
import sys
import time

import browser
import checks
from page_server import PageServer

TOP = [0.12, 0.02, 0.04]  # middles of faces of the bar
FRONT = [0.12, 0.0, 0.02]
END = [0.24, 0.02, 0.02]


def wait(page, condition, what):
    try:
        page.wait_for_function(condition, timeout=10000)
    except Exception:  # pylint: disable=broad-except
        checks.expect(False, what)


def sent(server, name, count=1):
    """Commands of a name, once there are so many; at least one, without values, where none came."""
    end = time.monotonic() + 5
    while True:
        found = [command for command in server.commands if command["do"] == name]
        if len(found) >= count or time.monotonic() > end:
            checks.expect(len(found) >= count, f"{len(found)} commands '{name}' came, {count} were expected")
            return found or [{}]
        time.sleep(0.02)


def check_look(page, server, pictures):
    text = page.locator("#legend").inner_text()
    checks.expect("von Mises stress" in text and "Pa" in text, f"legend: {text}")
    checks.expect(page.get_by_label("Field", exact=True).input_value() == "von Mises stress", "the field that is shown is not chosen")
    page.get_by_label("Field", exact=True).select_option("")
    checks.expect(page.locator("#legend").is_hidden(), "without a field there is a legend")
    page.get_by_label("Field", exact=True).select_option("von Mises stress")
    status = page.locator("#status").inner_text()
    checks.expect("7 iterations" in status and "12 blocks touched" in status and "4 %" in status, f"status: {status}")
    shown = page.evaluate("() => edgewise.stage.factor() * Math.max(...edgewise.stage.body.displacement.map(Math.abs))")
    size = (0.24 ** 2 + 2 * 0.04 ** 2) ** 0.5
    checks.expect(abs(shown / (0.1 * size) - 1) < 1e-5, f"automatic factor shows {shown}, a tenth of the size is {0.1 * size}")
    browser.compare(page, os.path.join(pictures, "look.png"))
    page.keyboard.press("s")
    wait(page, "() => edgewise.stage.look.section?.axis === 'x'", "S: no section")
    checks.expect(sent(server, "section")[-1].get("normal") == [1, 0, 0], "the section was not sent")
    browser.compare(page, os.path.join(pictures, "section.png"))
    for _ in range(3):
        page.keyboard.press("s")
    checks.expect("normal" not in sent(server, "section", 4)[-1], "the section was not taken away")
    page.get_by_label("Lock the range").click()
    page.get_by_label("Largest value", exact=True).fill("1e6")
    page.get_by_label("Largest value", exact=True).press("Enter")
    checks.expect(page.evaluate("() => edgewise.stage.range()[1]") == 1e6, "the range was not locked")
    page.get_by_label("Lock the range").click()
    checks.expect(page.evaluate("() => edgewise.stage.look.locked === null"), "the range does not follow again")


def check_pick(page, server):
    page.get_by_label("Displacement factor").select_option("0")
    server.answers["inspect"] = {"title": "Face 5", "rows": [["von Mises", 1.5e6, "Pa"]]}
    page.mouse.click(*browser.place_of(page, [0.125, 0.0, 0.022]))
    wait(page, "() => !document.getElementById('selection').hidden && document.getElementById('selection').innerText.includes('1.5e6 Pa')", "no values of the face")
    checks.expect("face" in sent(server, "inspect")[-1], "inspect has no face")
    page.mouse.click(*browser.place_of(page, [0.24, 0.0, 0.04]))
    vertex = sent(server, "inspect", 2)[-1].get("vertex")
    checks.expect(vertex is not None and server.place[vertex] == [0.24, 0.0, 0.04], f"the corner is vertex {vertex}")
    page.keyboard.press("Escape")
    checks.expect(page.locator("#selection").is_hidden(), "Escape leaves the card")


def name_face(page, point, name):
    page.mouse.click(*browser.place_of(page, point))
    page.get_by_label("Name of the set", exact=True).fill(name)
    page.get_by_role("button", name="Name it").click()
    wait(page, f"() => edgewise.state.sets.some(set => set.name === '{name}')", f"no set {name}")


def check_setup(page, server, pictures):
    page.get_by_role("tab", name="Set up").click()
    name_face(page, TOP, "top")
    name_face(page, END, "end")
    faces = {code // 4 for code in sent(server, "set")[0]["faces"]}
    checks.expect(faces == {t for t, side in enumerate(server.side) if side == 5}, f"a click took {len(faces)} triangles, the top has {server.side.count(5)}")
    page.get_by_role("button", name="Box").click()
    x, y = browser.place_of(page, FRONT)
    page.mouse.move(x - 20, y - 10)
    page.mouse.down()
    page.mouse.move(x + 20, y + 10)
    page.mouse.up()
    chosen = page.evaluate("() => [...edgewise.chosen]")
    checks.expect(chosen and all(server.side[t] == 2 for t in chosen), f"the box took sides {set(server.side[t] for t in chosen)}")
    page.keyboard.press("Escape")
    page.get_by_label("Set that is fixed").select_option("end")
    page.get_by_role("button", name="Hold", exact=True).click()
    page.get_by_label("Set that is loaded").select_option("top")
    page.get_by_label("Fz").fill("-500")
    page.get_by_label("Fz").press("Tab")
    page.get_by_role("button", name="Add load").click()
    wait(page, "() => edgewise.state.loads.length === 1", "no load")
    checks.expect(sent(server, "support")[-1] | {"id": 0} == {"id": 0, "do": "support", "set": "end", "fixed": [True] * 3}, f"{sent(server, 'support')}")
    checks.expect(sent(server, "load_add")[-1]["value"] == [0, 0, -500], f"{sent(server, 'load_add')}")
    browser.compare(page, os.path.join(pictures, "sets.png"))


def check_play(page, server):
    page.keyboard.press("p")
    x, y = browser.place_of(page, [0.24, 0.0, 0.04])
    page.mouse.move(x - 1, y + 1)
    page.mouse.down()
    page.mouse.move(x, y + 60)
    page.mouse.up()
    sent(server, "release")
    pull = sent(server, "pull", 2)[-1]
    checks.expect(pull and pull["to"][2] < 0.03, f"{pull}: not down")
    page.keyboard.press("k")
    page.mouse.move(*browser.place_of(page, [0.12, 0.0, 0.08]))
    page.mouse.down()
    page.mouse.move(*browser.place_of(page, [0.12, 0.0, -0.04]))
    page.mouse.up()
    server.answers["cut"] = "cut: the plane misses the body; draw the stroke across it"
    page.mouse.move(*browser.place_of(page, [0.12, 0.0, 0.07]))
    page.mouse.down()
    page.mouse.move(*browser.place_of(page, [0.14, 0.0, 0.07]))
    page.mouse.up()
    wait(page, "() => document.getElementById('message').innerText.includes('the plane misses the body')", "the error is not on the page")
    cut = sent(server, "cut")[0]
    into = page.evaluate("() => edgewise.stage.camera.axes().back")
    checks.expect(abs(sum(a * b for a, b in zip(cut["normal"], into))) < 1e-9, "the knife does not cut along the line of sight")
    page.keyboard.press("Escape")


def check_keys(page, server):
    page.keyboard.press("?")
    checks.expect(page.locator("#dialog").is_visible(), "no help")
    page.keyboard.press("Escape")
    page.keyboard.press("d")
    checks.expect(page.evaluate("() => document.documentElement.dataset.theme") == "dark", "D: not dark")
    page.keyboard.press("d")
    page.keyboard.press("Control+z")
    sent(server, "undo")
    page.locator("#drawing").focus()
    before = page.evaluate("() => edgewise.stage.camera.turn")
    page.keyboard.press("ArrowLeft")
    checks.expect(page.evaluate("() => edgewise.stage.camera.turn") != before, "arrow keys do not turn the body")


def main():
    source = sys.argv[2]
    server = PageServer(os.path.join(source, "tools", "view", "page"))
    pictures = os.path.join(source, "tests", "view", "pictures")
    with browser.browser() as chromium:
        page = browser.open_page(chromium, server.address)
        check_look(page, server, pictures)
        check_pick(page, server)
        check_setup(page, server, pictures)
        check_play(page, server)
        check_keys(page, server)
    return checks.finish("check_view_page")


if __name__ == "__main__":
    sys.exit(main())
