// The body of a report page: frames of the result that are turned, zoomed and played, by the drawing of the window.
import { drawLegend, text } from "./colors.js";
import { drawMarks } from "./marks.js";
import { Stage } from "./stage.js";

const BANDS = 0; // continuous colors, as in the pictures
const SECONDS = 4; // that frames in a row take
const SWING = 2; // seconds of a displacement back and forth

const bytesOf = words => Uint8Array.from(atob(words), c => c.charCodeAt(0)).buffer;

/** Arrays of a surface, decoded when it is first shown. */
function surfaceOf(data, at) {
  const from = data.surfaces[at];
  from.arrays ??= { position: new Float32Array(bytesOf(from.position)), triangle: new Int32Array(bytesOf(from.triangle)),
    ...(from.mesh_edge && { mesh_edge: new Int32Array(bytesOf(from.mesh_edge)) }) };
  return from.arrays;
}

function fieldOf(frame) {
  const words = frame.value ?? frame.cornerValue;
  if (!words) return { value: new Float32Array(0), cornerValue: undefined };
  const low = frame.low ?? 0, step = ((frame.high ?? low) - low) / 65534;
  const values = Float32Array.from(new Uint16Array(bytesOf(words)), part => (part === 65535 ? NaN : low + step * part));
  return frame.value ? { value: values, cornerValue: undefined } : { value: undefined, cornerValue: values };
}

function arraysOf(data, frame, before) {
  const surface = surfaceOf(data, frame.surface), n = surface.position.length;
  const displacement = frame.displacement ? Float32Array.from(new Int16Array(bytesOf(frame.displacement)), part => frame.scale * part) : new Float32Array(n);
  return { ...(before?.surface === frame.surface ? {} : { mesh_edge: undefined, ...surface }), displacement, ...fieldOf(frame) };
}

const element = (tag, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};

export class Viewer {
  constructor(figure, data) {
    Object.assign(this, { figure, data, frame: null, timer: 0 });
    this.canvas = element("canvas", { className: "drawing", tabIndex: 0 });
    this.canvas.setAttribute("aria-label", "The body: arrow keys turn it, + and - zoom, shift and arrows move it, 0 shows all of it, space plays");
    this.overlay = element("canvas", { className: "overlay" });
    this.legend = element("div", { className: "legend" }, element("div", { className: "title" }), element("div", { className: "unit" }),
      element("div", { className: "bar" }, element("canvas"), element("div", { className: "numbers" })));
    this.paper = element("img", { className: "paper", alt: "" });
    this.caption = element("figcaption");
    this.panel = element("div", { className: "stage" }, this.canvas, this.overlay, this.legend);
    this.figure.append(this.bar(), this.panel, this.paper, this.caption);
    this.figure.hidden = false;
    this.stage = new Stage(this.canvas, this.overlay, (stage, overlay, matrix, view, body) => drawMarks(this.marked(), stage, overlay, matrix, view, body));
    Object.assign(this.stage.look, { scale: "blue to red", bands: BANDS });
  }

  /** Whether the browser draws it; else the pictures are all there is. */
  start() {
    if (this.stage.trouble) {
      this.figure.replaceChildren(element("figcaption", {}, `${this.stage.trouble}; the pictures below need none.`));
      return;
    }
    const dark = matchMedia("(prefers-color-scheme: dark)"), theme = () => {
      document.documentElement.dataset.theme = dark.matches ? "dark" : "light";
      this.stage.redraw();
    };
    dark.addEventListener("change", theme);
    theme();
    const { frames } = this.data, shown = frames.filter(frame => frame.field).pop() || frames[frames.length - 1];
    this.show(frames.indexOf(shown));
    this.stage.fit();
    this.listen();
  }

  bar() {
    const { frames } = this.data, n = frames.length;
    this.list = element("select", {}, ...frames.map((frame, i) => new Option(frame.name, i)));
    this.list.setAttribute("aria-label", "Frame");
    this.list.addEventListener("change", () => this.show(Number(this.list.value)));
    this.slider = element("input", { type: "range", min: 0, max: n - 1, step: 1, hidden: n < 2 });
    this.slider.setAttribute("aria-label", "Frames in a row");
    this.slider.addEventListener("input", () => this.show(Number(this.slider.value)));
    this.play = element("button", { type: "button" }, "Play");
    this.play.addEventListener("click", () => this.toggle());
    this.factor = element("input", { type: "number", min: 0, step: "any", className: "factor" });
    this.factor.setAttribute("aria-label", "Factor of the displacements");
    this.factor.addEventListener("input", () => {
      this.stage.look.factor = this.factor.value === "" ? null : Number(this.factor.value);
      this.redraw();
    });
    const views = element("select", {}, ...["isometric", "front", "back", "left", "right", "top", "bottom"].map(name => new Option(name, name)));
    views.setAttribute("aria-label", "View");
    views.addEventListener("change", () => this.stage.view(views.value));
    const fit = element("button", { type: "button" }, "Fit");
    fit.addEventListener("click", () => this.stage.fit());
    const check = (words, name, property) => {
      const box = element("input", { type: "checkbox", checked: property ? this[property] : name !== "mesh" });
      box.addEventListener("change", () => {
        if (property) this[property] = box.checked; else this.stage.look[name] = box.checked;
        this.redraw();
      });
      return element("label", {}, box, ` ${words}`);
    };
    this.isAlike = true;
    return element("div", { className: "controls" }, this.list, this.slider, this.play, views, fit, element("label", {}, "times ", this.factor),
      check("one range", "", "isAlike"), check("mesh", "mesh"), check("supports and loads", "symbols"), check("extremes", "extrema"));
  }

  /** What marks.js looks at. */
  marked() {
    const { frame, stage } = this;
    return { stage, body: stage.body, state: frame || {}, trianglesOfSet: set => frame?.sets[set] || [] };
  }

  show(at) {
    const frame = this.data.frames[at], { body } = this.stage;
    body.update(arraysOf(this.data, frame, this.frame));
    body.extrema = frame.extrema.length ? frame.extrema : undefined;
    body.largest = this.largestLike(frame);
    this.frame = frame;
    this.at = at;
    this.list.value = String(at);
    this.slider.value = at;
    this.redraw();
  }

  /** One factor for the frames of a step, so that they can be compared; a mode has its own. */
  largestLike(frame) {
    if (frame.kind !== "dynamic") return 0;
    const alike = this.data.frames.filter(other => other.step === frame.step);
    return Math.max(...alike.map(other => (other.scale || 0) * 32767));
  }

  redraw() {
    const { stage, frame, data } = this, range = this.isAlike ? data.ranges[frame.quantity] : null;
    stage.look.locked = range || null;
    stage.look.values = Boolean(frame.field);
    drawLegend(this.legend, frame.field ? { name: frame.field, unit: frame.unit, range: stage.range(), scale: stage.look.scale, bands: BANDS } : null);
    this.play.disabled = !this.run() && !frame.displacement;
    const factor = Math.abs(stage.factor()) / Math.abs(stage.swing || 1);
    this.factor.placeholder = text(factor, 3);
    this.caption.textContent = `${frame.name}${frame.displacement ? `; displacements times ${text(factor, 3)}` : ""}`;
    stage.redraw();
  }

  /** The frames of the present motion, first and last; null: it is none. */
  run() {
    const { frames } = this.data, { frame, at } = this;
    if (frame.kind !== "dynamic") return null;
    let first = at, last = at;
    while (first > 0 && frames[first - 1].step === frame.step) --first;
    while (last + 1 < frames.length && frames[last + 1].step === frame.step) ++last;
    return last > first ? [first, last] : null;
  }

  toggle() {
    if (this.timer) {
      cancelAnimationFrame(this.timer);
      this.timer = 0;
      this.stage.swing = 1;
      this.play.textContent = "Play";
      this.redraw();
      return;
    }
    if (this.play.disabled) return;
    const began = performance.now(), run = this.run(), isMode = ["modes", "buckling"].includes(this.frame.kind);
    this.play.textContent = "Stop";
    const next = now => {
      const part = Math.max(0, now - began) / 1000; // a frame may have begun before the click
      if (run) {
        const at = run[0] + Math.floor(part / SECONDS % 1 * (run[1] - run[0] + 1));
        if (at !== this.at) this.show(at);
      } else {
        const angle = 2 * Math.PI * part / SWING;
        this.stage.swing = isMode ? Math.sin(angle) : (1 - Math.cos(angle)) / 2;
        this.stage.redraw();
      }
      this.timer = requestAnimationFrame(next);
    };
    this.timer = requestAnimationFrame(next);
  }

  key(event) {
    const { stage } = this, { camera } = stage, turn = 12, step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.ctrlKey || event.altKey || event.metaKey) return false;
    if (step && event.shiftKey) camera.pan(turn * step[0], turn * step[1], this.canvas.clientHeight);
    else if (step) camera.orbit(turn * step[0], turn * step[1]);
    else if (event.key === "+" || event.key === "=") camera.zoom(1 / 1.2, 0, 0, 1);
    else if (event.key === "-") camera.zoom(1.2, 0, 0, 1);
    else if (event.key === "0" || event.key === "Home") stage.fit();
    else if (event.key === " ") this.toggle();
    else if (event.key === "," && this.at > 0) this.show(this.at - 1);
    else if (event.key === "." && this.at + 1 < this.data.frames.length) this.show(this.at + 1);
    else return false;
    stage.redraw();
    return true;
  }

  listen() {
    this.canvas.addEventListener("keydown", event => { if (this.key(event)) event.preventDefault(); });
    // The wheel scrolls the page until the body has the focus.
    this.panel.addEventListener("wheel", event => { if (document.activeElement !== this.canvas && !event.ctrlKey) event.stopPropagation(); }, { capture: true });
    addEventListener("beforeprint", () => this.print());
  }

  /** The body as it is seen now, on white, for paper. */
  print() {
    const { canvas, overlay, stage, frame } = this, all = element("canvas", { width: canvas.width, height: canvas.height }), context = all.getContext("2d");
    if (!canvas.clientWidth) return; // it is hidden
    const root = document.documentElement.dataset, { theme } = root, ratio = canvas.width / canvas.clientWidth;
    Object.assign(root, { paper: "", theme: "light" });
    stage.draw();
    context.fillStyle = "#fff";
    context.fillRect(0, 0, all.width, all.height);
    context.drawImage(canvas, 0, 0);
    context.drawImage(overlay, 0, 0);
    context.scale(ratio, ratio);
    if (frame.field) this.drawScale(context, canvas.clientWidth - 110);
    this.paper.src = all.toDataURL("image/png");
    delete root.paper;
    root.theme = theme;
    stage.redraw();
  }

  drawScale(context, x) {
    const [low, high] = this.stage.range(), bar = this.legend.querySelector("canvas");
    context.font = "12px system-ui, sans-serif";
    context.fillStyle = "#22262b";
    context.fillText(this.frame.field, x, 20);
    context.fillText(this.frame.unit, x, 36);
    context.drawImage(bar, x, 46, 16, 220);
    for (let i = 0; i <= 4; ++i) context.fillText(text(high + (low - high) * i / 4), x + 22, 50 + 55 * i);
  }
}
