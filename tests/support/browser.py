"""A headless Chromium that Playwright drives, for check_view_*.py: the page of edgewise view, and its pictures."""
import base64
import contextlib
import os
import shutil
import sys

import checks

CHROMIUM = next((found for found in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if found), None)
READY = "() => window.edgewise && edgewise.stage.body.nTriangle > 0"

# What WebGL drew, on white and small, as bytes of PNG; and its mean difference from another such picture, 0 to 255.
SMALL = """() => { edgewise.stage.draw(); const small = document.createElement("canvas"), c = small.getContext("2d");
  small.width = 320; small.height = Math.round(320 * edgewise.stage.canvas.height / edgewise.stage.canvas.width);
  c.fillStyle = "#fff"; c.fillRect(0, 0, small.width, small.height); c.drawImage(edgewise.stage.canvas, 0, 0, small.width, small.height);
  return small.toDataURL("image/png"); }"""
DIFFERENCE = """async urls => { const data = await Promise.all(urls.map(async url => { const image = new Image(); image.src = url; await image.decode();
  const canvas = document.createElement("canvas"), c = canvas.getContext("2d"); canvas.width = image.width; canvas.height = image.height;
  c.drawImage(image, 0, 0); return c.getImageData(0, 0, image.width, image.height).data; }));
  if (data[0].length !== data[1].length) return 255;
  let sum = 0; data[0].forEach((x, i) => { sum += Math.abs(x - data[1][i]); }); return sum / data[0].length * 4 / 3; }"""


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


@contextlib.contextmanager
def browser():
    if not CHROMIUM:
        skip("no Chromium (Debian: apt install chromium)")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        skip("no Playwright (pip install playwright)")
    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=CHROMIUM, args=["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox"])
        yield chromium
        chromium.close()


def open_page(chromium, address):
    """The page, once it shows a body; whatever goes wrong in it is counted."""
    page = chromium.new_page(viewport={"width": 1280, "height": 800}, color_scheme="light", bypass_csp=True)  # waits evaluate text
    page.on("pageerror", lambda error: checks.expect(False, f"error of the page: {error}"))
    page.on("requestfailed", lambda request: checks.expect(False, f"request failed: {request.url}"))
    page.on("request", lambda request: checks.expect(request.url.startswith((address.split("?")[0], "data:", "blob:")), f"external request: {request.url}"))
    page.goto(address)
    page.set_default_timeout(120000)  # of a machine that does much else
    page.wait_for_function(READY)
    return page


def place_of(page, point):
    """Pixel of the page where a place of the undeformed body is seen, displaced by nothing."""
    x, y = page.evaluate("p => edgewise.stage.project(p).slice(0, 2)", point)
    box = page.locator("#drawing").bounding_box()
    return box["x"] + x, box["y"] + y


def compare(page, file, limit=4.0):
    """The picture against a committed one by mean difference; EW_PICTURES=write writes it instead."""
    now = page.evaluate(SMALL)
    if os.environ.get("EW_PICTURES") == "write":
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(file, "wb") as out:
            out.write(base64.b64decode(now.split(",")[1]))
        return
    with open(file, "rb") as data:
        then = "data:image/png;base64," + base64.b64encode(data.read()).decode()
    mean = page.evaluate(DIFFERENCE, [now, then])
    checks.expect(mean < limit, f"{os.path.basename(file)}: mean difference {mean:.2f} of 255, at most {limit}")
