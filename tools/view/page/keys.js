// Keys, the buttons of the head, and the help page that lists them.
import { clickCursor, moveCursor, pressCursor } from "./cursor.js";
import { button, element, toggle } from "./elements.js";
import { casePath, toggleRun } from "./run.js";

const at = id => document.getElementById(id);
const look = (app, name) => { app.stage.look[name] = !app.stage.look[name]; app.changedLook(); };
const play = (app, name) => { if (app.mode !== "play") app.setMode("play"); app.setPlayTool(app.playTool === name ? null : name); };

// [key, what it does, how]; the help page is this list.
const KEYS = [
  ["1", "Look", app => app.setMode("look")], ["2", "Set up", app => app.setMode("setup")], ["3", "Play", app => app.setMode("play")],
  ["f", "Fit the body into the view", app => app.stage.fit()],
  ["i", "Isometric view", app => app.stage.view("isometric")], ["t", "View from above", app => app.stage.view("top")],
  ["r", "View from the right", app => app.stage.view("right")], ["v", "View from the front", app => app.stage.view("front")],
  ["o", "Perspective or parallel", app => { app.stage.camera.perspective = !app.stage.camera.perspective; app.stage.redraw(); drawHead(app); }],
  ["e", "Feature edges", app => look(app, "edges")], ["m", "Edges of the mesh", app => look(app, "mesh")],
  ["u", "Outline of the undeformed body", app => look(app, "outline")], ["l", "Supports and loads", app => look(app, "symbols")],
  ["a", "Animate", app => app.animate(app.animation ? null : app.animationKind)],
  ["s", "Section across x, y, z, none", app => nextSection(app)],
  ["p", "Pull", app => play(app, "pull")], ["x", "Fix", app => play(app, "fix")], ["k", "Knife", app => play(app, "knife")], ["b", "Brush", app => play(app, "brush")], ["w", "Weld", app => play(app, "weld")],
  [" ", "Play or pause", app => app.playPause()], [".", "One step in time, or the next frame", app => app.stepOn(1)], [",", "The frame before", app => app.stepOn(-1)],
  ["d", "Dark or light", app => theme(app)], ["?", "This page", () => help()],
  ["Escape", "Put the tool away, choose nothing", app => { app.setChooser(null); app.setPlayTool(null); app.choose(new Set()); app.showPicked(null); at("message").hidden = true; }],
];
const CONTROL_KEYS = [["z", "Undo", app => app.do("undo")], ["y", "Redo", app => app.do("redo")], ["s", "Save the case", app => app.can("save") && app.save(casePath(app))],
  ["Enter", "Run the case, stop the run, or back from its result to the body", app => (app.can("body") ? app.do("body") : toggleRun(app))]];
const BODY_KEYS = {
  ArrowLeft: app => app.stage.camera.orbit(-30, 0), ArrowRight: app => app.stage.camera.orbit(30, 0),
  ArrowUp: app => app.stage.camera.orbit(0, 30), ArrowDown: app => app.stage.camera.orbit(0, -30),
  Enter: app => clickCursor(app), h: app => pressCursor(app),
  "+": app => app.stage.camera.zoom(0.9, 0, 0, 1), "=": app => app.stage.camera.zoom(0.9, 0, 0, 1), "-": app => app.stage.camera.zoom(1 / 0.9, 0, 0, 1),
};

// With Shift, and while the body has the focus: a pointer that keys move.
const POINTER_KEYS = {
  ArrowLeft: app => moveCursor(app, -1, 0), ArrowRight: app => moveCursor(app, 1, 0), ArrowUp: app => moveCursor(app, 0, -1), ArrowDown: app => moveCursor(app, 0, 1),
  Enter: app => clickCursor(app, true),
};

function nextSection(app) {
  const order = [null, "x", "y", "z"], { section } = app.stage.look, next = order[(order.indexOf(section?.axis ?? null) + 1) % 4];
  app.stage.look.section = next && { axis: next, at: section?.at ?? 0.5, flip: section?.flip ?? false };
  app.sectionChanged();
  app.rebuild();
}

export function theme(app, name) {
  const { dataset } = document.documentElement;
  dataset.theme = name || (dataset.theme === "dark" ? "light" : "dark");
  if (!name) localStorage.setItem("edgewise-theme", dataset.theme);
  app.changedLook();
}

export function drawHead(app) {
  const views = [["isometric", "Iso"], ["front", "Front"], ["right", "Right"], ["top", "Top"]];
  at("views").replaceChildren(button("Fit", () => app.stage.fit(), { title: "Fit (F)" }),
    ...views.map(([name, words]) => button(words, () => app.stage.view(name), { title: `View: ${name}` })),
    toggle("Perspective", app.stage.camera.perspective, () => { app.stage.camera.perspective = !app.stage.camera.perspective; app.stage.redraw(); drawHead(app); }, { title: "Perspective (O)" }));
  at("tools").replaceChildren(button("Picture", () => savePicture(app), { title: "Save what is shown as a PNG file" }),
    button("◐", () => theme(app), { title: "Dark or light (D)", "aria-label": "Dark or light" }), button("?", () => help(), { title: "Help (?)", "aria-label": "Help" }));
}

/** The body with its marks as a file. */
function savePicture(app) {
  app.stage.draw();
  const { canvas, overlay } = app.stage, both = element("canvas", { width: canvas.width, height: canvas.height }), context = both.getContext("2d");
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--ground");
  context.fillRect(0, 0, both.width, both.height);
  context.drawImage(canvas, 0, 0);
  context.drawImage(overlay.canvas, 0, 0);
  element("a", { href: both.toDataURL("image/png"), download: `${(app.state.file || "edgewise").split("/").pop()}.png` }).click();
}

function help() {
  const name = key => ({ " ": "Space", Escape: "Esc", Enter: "Enter" }[key] || key.toUpperCase());
  const line = ([key, words], before = "") => [element("span", {}, element("kbd", {}, before + name(key))), element("span", {}, words)];
  const dialog = at("dialog");
  dialog.replaceChildren(element("h2", {}, "Edgewise: help"),
    element("p", {}, "Look shows results: color, displaced shape, section, sets, frames. Set up names faces, holds and loads them, meshes the body again, lists the steps, and saves and runs a case file, whose result it shows. Play changes the body while it is solved: pull, fix, cut, weld; every change can be undone."),
    element("h2", {}, "Pointer"),
    element("div", { className: "keys" }, [["drag", "turn the body"], ["right or Shift drag", "move it"], ["wheel", "zoom at the pointer"], ["click", "number, place and values"], ["Alt drag", "turn it while a tool is on"], ["Ctrl click", "add to what is chosen"]]
      .flatMap(([key, words]) => [element("span", {}, element("kbd", {}, key)), element("span", {}, words)])),
    element("h2", {}, "Keys"),
    element("div", { className: "keys" }, KEYS.flatMap(one => line(one)), CONTROL_KEYS.flatMap(one => line(one, "Ctrl "))),
    element("p", {}, element("button", { className: "primary", onclick: () => dialog.close(), autofocus: true }, "Close")));
  const grid = dialog.querySelectorAll(".keys")[1];
  [["← → ↑ ↓", "Turn the body"], ["+ −", "Zoom"], ["Shift ← → ↑ ↓", "Move a pointer over the body"], ["Enter", "Click there; with Shift as with Ctrl"], ["H", "Press there, and let go: a stroke in between"]].forEach(([key, words]) => grid.append(element("span", {}, element("kbd", {}, key)), element("span", {}, words)));
  dialog.showModal();
  dialog.scrollTop = 0; // the focus is on the button at its end
}

export function listenToKeys(app) {
  document.addEventListener("keydown", event => {
    const { key, target } = event, typing = target.matches("input:not([type=range], [type=checkbox]), select, textarea"), word = key.length === 1 ? key.toLowerCase() : key;
    if (typing || at("dialog").open) return;
    const ofBody = (event.shiftKey && POINTER_KEYS[key]) || BODY_KEYS[word];
    const control = event.ctrlKey || event.metaKey, known = (control ? CONTROL_KEYS : KEYS).find(one => one[0] === word);
    if (known && !event.altKey && !(key === " " && target.matches("button, summary, [role=tab], input"))) {
      event.preventDefault();
      known[2](app);
    } else if (!control && target.id === "drawing" && ofBody) {
      event.preventDefault();
      ofBody(app);
      app.stage.redraw();
    }
  });
}

