"""The set-up half of `edgewise view` in a headless Chromium: faces by a rule from the keyboard alone, materials of the library in units,
faces of CAD; the saved case gives `edgewise run` the same numbers.

check_view_setup.py PROGRAM SOURCE BUILD"""
import os
import sys
import tempfile

import browser
import checks
from check_view_browser import BAR, LARGEST, view, wait


def put(page, label, value):
    """A number by the keyboard."""
    box = page.get_by_label(label, exact=True)
    box.fill(str(value))
    box.press("Tab")


def set_by_rule(page, kind, numbers, name, area):
    page.get_by_label("Selector", exact=True).select_option(kind)
    wait(page, f"() => edgewise.selectorDraft.kind === '{kind}' && edgewise.selectorDraft.caught", f"no preview of {kind}")
    for label, value in numbers.items():
        put(page, label, value)
    wait(page, f"() => Math.abs(edgewise.chosenArea() / {area} - 1) < 1e-5", f"rule {kind} {numbers}: the faces that are shown have not the area {area}")
    is_set = f"() => edgewise.state.sets.some(set => set.name === '{name}' && set.rule && Math.abs(set.area / {area} - 1) < 1e-6)"
    for _ in range(3):  # a panel that is made again between focus and key loses the key
        page.get_by_label("Name of the rule's set", exact=True).fill(name)
        page.get_by_role("button", name="Set by rule").press("Enter")
        try:
            page.wait_for_function(is_set, timeout=5000)
            break
        except Exception:  # pylint: disable=broad-except
            pass
    wait(page, is_set, f"no set {name} among {page.evaluate('() => JSON.stringify(edgewise.state.sets)')}")


def check_rules(page):
    page.keyboard.press("2")
    set_by_rule(page, "plane", {"x": 0, "normal x": 1, "normal y": 0, "normal z": 0}, "wall", 0.01)
    set_by_rule(page, "normal", {"normal x": 0, "normal y": 0, "normal z": 1, "angle": 10}, "top", 0.1)
    set_by_rule(page, "box", {"low x": 0.999, "low y": -1, "low z": -1, "high x": 1.1, "high y": 1, "high z": 1}, "end", 0.01)
    # The rule of a set is offered again, and its numbers change the set.
    page.get_by_label("Rule of a set", exact=True).select_option("end")
    wait(page, "() => edgewise.selectorDraft.kind === 'box' && Math.abs(edgewise.chosenArea() - 0.01) < 1e-6", "the rule of 'end' is not offered again")
    put(page, "low x", -1)
    wait(page, "() => Math.abs(edgewise.chosenArea() / 0.42 - 1) < 1e-5", "the larger box does not show all faces")
    page.get_by_role("button", name="Set by rule").press("Enter")
    wait(page, "() => Math.abs(edgewise.state.sets.find(set => set.name === 'end').area / 0.42 - 1) < 1e-6", "the set 'end' did not follow its rule")
    page.locator("#drawing").focus()
    page.keyboard.press("Control+z")
    wait(page, "() => Math.abs(edgewise.state.sets.find(set => set.name === 'end').area / 0.01 - 1) < 1e-6", "undo does not bring the rule before")


def check_materials(page, program, folder):
    region = page.evaluate("() => edgewise.state.materials[0].region")
    choice = page.get_by_label(f"Library material of region {region}", exact=True)
    checks.expect(page.evaluate("() => edgewise.state.materials[0].young === 210e9 && edgewise.state.materials[0].library === 'S235'"), "a mesh does not begin with steel")
    choice.select_option("6061-T6")
    wait(page, "() => edgewise.state.materials[0].young === 68.9e9", "no aluminum")
    page.get_by_label("Units of lengths and forces").select_option("mm-N")
    wait(page, "() => Math.abs(edgewise.state.materials[0].young / 68.9e3 - 1) < 1e-12 && Math.abs(edgewise.state.materials[0].density / 2.7e-9 - 1) < 1e-12", "no aluminum in mm and N")
    wait(page, "() => document.querySelector('#panel').innerText.includes('Aluminum Association')", "the panel has no source of the figures")
    page.evaluate("() => edgewise.do('support', { set: 'wall', fixed: [true, true, true] })")
    page.evaluate("() => edgewise.do('load_add', { type: 'force', set: 'end', value: [0, 0, -1] })")
    wait(page, "() => edgewise.work.message === '' && edgewise.stage.body.range[1] > 0", "no answer")
    page.get_by_label("Case file").fill("rod.yaml")
    page.get_by_role("button", name="Save case").click()
    wait(page, "() => document.getElementById('message').innerText.includes('Saved rod.yaml')", "not saved")
    with open(os.path.join(folder, "rod.yaml"), encoding="utf-8") as file:
        text = file.read()
    checks.expect("6061-T6" in text and "young" not in text and "length: mm" in text, f"the saved case names no material and units:\n{text}")
    shown = page.evaluate(LARGEST)
    if checks.run(program, "run", "rod.yaml", "-o", "rod", folder=folder) is None:
        return
    with open(os.path.join(folder, "rod.csv"), encoding="utf-8") as table:
        names, values = (line.rstrip("\n").split(",") for line in list(table)[:2])
    ran = float(values[names.index("max_displacement")])
    checks.expect(abs(shown / ran - 1) < 1e-5, f"the page shows {shown}, edgewise run {ran}")
    put(page, f"Young's modulus of region {region}", "70e3")
    wait(page, "() => edgewise.state.materials[0].young === 70e3 && !edgewise.state.materials[0].library", "own numbers do not take the place of the library's")


def check_words(page):
    """Units stand beside numbers, changes have words, and another panel begins at its top; without loads nothing is colored."""
    page.locator("#panel").evaluate("panel => { panel.scrollTop = 300; }")
    page.get_by_role("tab", name="Play").click()
    wait(page, "() => document.getElementById('panel').innerText.includes('load added')", "the journal has no words for a load")
    checks.expect(page.locator("#panel").evaluate("panel => panel.scrollTop") == 0, "a panel does not begin at its top")
    page.get_by_role("tab", name="Set up").click()
    wait(page, "() => ['force [N]', 'Fixed [mm]', 'pressure [N/mm²]', 'moment [N mm]', 'elastic foundation [N/mm³]'].every(words => document.getElementById('panel').innerText.includes(words) ||"
         " [...document.querySelectorAll('#panel option')].some(one => one.textContent === words))", "numbers without units")
    checks.expect("N/mm²" in page.locator("#legend").inner_text(), "the legend has no unit")
    page.keyboard.press("?")
    checks.expect(page.locator("#dialog").evaluate("dialog => dialog.open && dialog.scrollTop === 0"), "the help does not begin at its top")
    page.keyboard.press("Escape")


def check_rename(page, program, folder):
    """A set is renamed by its button: what acts on it stays, undo and redo, and the saved case gives the same numbers under the new name."""
    numbers = []
    for name in "before", "after":
        if name == "after":
            page.get_by_role("button", name="Rename set wall").click()
            page.get_by_label("New name of the set", exact=True).fill("clamped end")
            page.get_by_label("New name of the set", exact=True).press("Enter")
            wait(page, "() => edgewise.state.supports[0].set === 'clamped end' && !edgewise.state.sets.some(set => set.name === 'wall')", "not renamed")
            wait(page, "() => [...document.querySelectorAll('#panel td')].filter(cell => cell.textContent === 'clamped end').length === 2", "the panel does not have the new name")
            for key, now in ("z", "wall"), ("y", "clamped end"):
                page.locator("#drawing").focus()
                page.keyboard.press(f"Control+{key}")
                wait(page, f"() => edgewise.state.supports[0].set === '{now}'", f"Control {key} does not bring the name '{now}'")
        saved = page.evaluate("file => edgewise.do('save', { file })", f"{name}.yaml")
        checks.expect(saved and saved["file"] == f"{name}.yaml", f"not saved: {saved}")
        if checks.run(program, "run", f"{name}.yaml", "-o", name, folder=folder) is None:
            return
        with open(os.path.join(folder, f"{name}.csv"), encoding="utf-8") as table:
            names, values = (line.rstrip("\n").split(",") for line in list(table)[:2])
        numbers.append([values[names.index(one)] for one in ("max_displacement", "max_tet_von_mises", "max_averaged_von_mises")])
    with open(os.path.join(folder, "after.sets.csv"), encoding="utf-8") as table:
        text = table.read()
        checks.expect("clamped end" in text and "wall" not in text, "the set has its former name in the results")
    checks.expect(numbers[0] == numbers[1], f"a name changes the numbers: {numbers}")


def check_refusals(page):
    before = page.evaluate("() => JSON.stringify(edgewise.state.sets) + JSON.stringify(edgewise.state.materials) + edgewise.state.at")
    for name, values, line in [
            ("material", {"library": "mithril"}, "edgewise help materials"), ("units", {"length": "inch", "force": "N"}, "'length' must be"),
            ("set_rule", {"name": "a", "kind": "cone", "values": {}}, "must be plane"),
            ("set_rule", {"name": "a", "kind": "sphere", "values": {"x": 9, "radius": 0.1}}, "no face of the surface"),
            ("set_rule", {"name": "a", "kind": "sphere", "values": {"radius": -1}}, "radius"),
            ("set_rule", {"name": "a", "kind": "sphere", "values": {"radius": "big"}}, "finite number"),
            ("set_rule", {"name": "", "kind": "sphere", "values": {"radius": 9}}, "must have 1 to"),
            ("set_rename", {"name": "nowhere", "to": "x"}, "no set 'nowhere'"), ("set_rename", {"name": "top", "to": "end"}, "a set 'end' already"),
            ("set_rename", {"name": "top", "to": " x"}, "must have 1 to"), ("set_rename", {"name": "top"}, "must have 1 to"),
            ("preview", {"kind": "plane", "values": {}}, "normal")]:
        answer = page.evaluate("([name, values]) => edgewise.do(name, values)", [name, values])
        shown = page.locator("#message").text_content()  # also where a picture has hidden it since
        checks.expect(answer is None and line in shown, f"{name} {values}: {answer}, '{shown}'")
    after = page.evaluate("() => JSON.stringify(edgewise.state.sets) + JSON.stringify(edgewise.state.materials) + edgewise.state.at")
    checks.expect(after == before, "a refusal changed the body")


def check_cad(chromium, program, source, folder):
    """A click takes a face of the CAD file, also where it bends into the next one without an edge."""
    with view(program, os.path.abspath(os.path.join(source, "datasets", "bracket.step")), folder) as address:
        if not address:
            print("  without Gmsh: no CAD")
            return
        page = browser.open_page(chromium, address)
        page.get_by_label("Displacement factor").select_option("0")
        page.keyboard.press("2")
        found = page.evaluate("""() => { const { body } = edgewise.stage, of = new Map();
          body.cad_face.forEach((label, t) => of.set(label, (of.get(label) || 0) + body.area(t)));
          return { faces: of.size, none: of.has(-1), area: [...of.values()].reduce((a, b) => a + b), sets: edgewise.state.sets.map(set => [set.name, set.area]), units: edgewise.state.units,
                   young: edgewise.state.materials[0].young, by: edgewise.grow.by }; }""")
        checks.expect(found["faces"] > 5 and not found["none"] and found["by"] == "cad", f"faces of CAD: {found}")
        checks.expect(found["units"] == {"length": "mm", "force": "N"} and abs(found["young"] / 210e3 - 1) < 1e-12, f"a CAD file is in mm: {found}")
        checks.expect(len(found["sets"]) > 0, "names of the CAD file are no sets")
        whole = page.evaluate("""() => { const { body } = edgewise.stage, t = body.cad_face.indexOf(body.cad_face[0]); edgewise.choose(new Set(edgewise.grown(t)));
          return [...edgewise.chosen].every(one => body.cad_face[one] === body.cad_face[0]) && edgewise.chosen.size === body.cad_face.filter(label => label === body.cad_face[0]).length; }""")
        checks.expect(whole, "a face of CAD is not chosen as a whole")


def main():
    program, source = os.path.abspath(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory() as folder, browser.browser() as chromium:
        checks.write(folder, "bar.off", BAR)
        with view(program, "bar.off", folder) as address:
            if not address:
                browser.skip("this program was built without view or without TetGen")
            page = browser.open_page(chromium, address)
            check_rules(page)
            check_materials(page, program, folder)
            check_words(page)
            check_rename(page, program, folder)
            check_refusals(page)
            page.screenshot(path=os.environ.get("EW_SCREENSHOT") or os.path.join(folder, "setup.png"))
        check_cad(chromium, program, source, folder)
    return checks.finish("check_view_setup")


if __name__ == "__main__":
    sys.exit(main())
