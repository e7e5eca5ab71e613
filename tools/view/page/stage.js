// The part of the page that shows bodies: one, or two side by side; turned, moved and zoomed by the pointer; tools hear strokes on it.
import { Body } from "./body.js";
import { Camera, VIEWS, project } from "./camera.js";
import { rgb, scaleTexels } from "./colors.js";
import { boxOf, diagonal, dot, length, row } from "./vector.js";
import { Overlay } from "./overlay.js";
import { PlainRenderer, drawEdges } from "./plain.js";
import { Renderer } from "./renderer.js";

export const DEFAULT_LOOK = {
  factor: null, // null: the largest displacement is shown as a tenth of the size
  edges: true, mesh: false, outline: true, extrema: true, symbols: true, values: true, regions: false,
  scale: "rainbow", bands: 12, locked: null, // range that stays, or null
  section: null, // {axis, at: part of the box, flip}
  explode: 0, explodeKind: "shrink",
};

export class Stage {
  /** `marks(stage, overlay, matrix, view, body)` draws what belongs to the body above it. */
  constructor(canvas, overlayCanvas, marks) {
    this.canvas = canvas;
    this.trouble = null; // why the drawing is plain
    try {
      this.renderer = new Renderer(canvas, why => {
        this.trouble = why;
        this.troubleChanged?.();
        this.redraw();
      });
    } catch (error) {
      this.renderer = new PlainRenderer();
      this.trouble = error.message;
    }
    this.overlay = new Overlay(overlayCanvas);
    this.camera = new Camera();
    this.look = { ...DEFAULT_LOOK };
    this.bodies = [new Body(this.renderer)];
    this.marks = marks;
    this.tool = null; // {start(at), move(at), end(at)} of strokes, at: {x, y, view, body}
    this.band = null; // rectangle that is drawn
    this.swing = 1; // part of the displacement, while it is animated
    this.listen();
    new ResizeObserver(() => this.redraw()).observe(canvas);
  }

  get body() { return this.bodies[0]; }

  /** So many bodies, side by side. */
  setCount(n) {
    while (this.bodies.length < n) this.bodies.push(new Body(this.renderer));
    this.bodies.splice(n).forEach(body => body.free());
  }

  views() {
    const n = this.bodies.length, width = this.canvas.clientWidth / n;
    return this.bodies.map((_, i) => ({ x: i * width, y: 0, width, height: this.canvas.clientHeight }));
  }

  viewAt(x) {
    const views = this.views(), i = Math.max(0, Math.min(views.length - 1, Math.floor(x / views[0].width)));
    return { view: views[i], body: this.bodies[i] };
  }

  style() {
    const of = getComputedStyle(document.documentElement), color = name => of.getPropertyValue(name).trim();
    return { text: color("--text"), panel: color("--panel"), accent: color("--accent"), edge: color("--edge"), faint: color("--faint") };
  }

  /** Factor by which displacements are shown: one for all bodies, and for all frames where the program says what is largest. */
  factor() {
    const { body } = this;
    if (this.look.factor !== null) return this.look.factor * this.swing;
    if (body.autoFactor === undefined) {
      const given = body.largest || 0;
      let largest = given;
      for (let i = 0; !given && i < body.displacement.length; i += 3) largest = Math.max(largest, length(row(body.displacement, i / 3)));
      body.autoFactor = largest ? 0.1 * diagonal(boxOf(body.position)) / largest : 0;
    }
    return body.autoFactor * this.swing;
  }

  range() {
    if (this.look.locked) return this.look.locked;
    return this.bodies.reduce(([low, high], { range, extrema }) => {
      const [least, most] = extrema?.length === 2 ? extrema.map(one => one.value) : range;
      return [Math.min(low, least), Math.max(high, most)];
    }, [Infinity, -Infinity]);
  }

  plane() {
    const { section } = this.look;
    if (!section) return undefined;
    const box = boxOf(this.body.position), i = "xyz".indexOf(section.axis), sign = section.flip ? -1 : 1;
    const normal = [0, 1, 2].map(k => (k === i ? sign : 0));
    return [...normal, sign * (box.low[i] + section.at * (box.high[i] - box.low[i]))];
  }

  /** Whether the section hides what is at a place of the undeformed body. */
  isCutAway(place) {
    const plane = this.plane();
    return Boolean(plane) && dot(plane.slice(0, 3), place) > plane[3];
  }

  fit() {
    this.camera.fit(this.body.position, this.views()[0].width / this.views()[0].height);
    this.redraw();
  }

  view(name) {
    if (VIEWS[name]) this.camera.view(name);
    this.fit();
  }

  redraw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => { this.pending = false; this.draw(); });
  }

  draw() {
    const { look, renderer, overlay } = this, style = this.style(), ink = rgb(style.edge).map(c => c / 255);
    const dark = document.documentElement.dataset.theme === "dark";
    renderer.begin();
    renderer.setScale(scaleTexels(look.scale, look.bands));
    overlay.begin(style, document.getElementById("legend"));
    this.views().forEach((view, i) => {
      const body = this.bodies[i], factor = this.factor(body), aspect = view.width / view.height, { camera } = this;
      const how = { factor, explode: look.explode, plane: this.plane(), range: this.range(), byValue: look.values && this.range().some(Boolean), base: dark ? [0.56, 0.61, 0.68] : [0.74, 0.78, 0.83] };
      body.setFactor(factor);
      renderer.viewport(view);
      const isExploded = look.explode > 0 && body.exploded;
      if (isExploded) {
        body.exploded.setKind(look.explodeKind);
        renderer.drawSurface(body.exploded.batch, camera, aspect, how);
      } else renderer.drawSurface(body.surface, camera, aspect, { ...how, closed: true });
      if (look.section && !isExploded) renderer.drawSurface(body.cap, camera, aspect, { ...how, plane: undefined, explode: 0 });
      if (!isExploded) this.drawLines(body, camera, aspect, how, ink);
      const matrix = camera.matrix(aspect);
      overlay.within(view, () => {
        if (this.trouble) drawEdges(body, overlay, place => project(matrix, place, view), factor, style.edge);
        if (!isExploded) this.marks(this, overlay, matrix, view, body);
        overlay.axes(camera, view);
        overlay.scaleBar(camera, view, this.lengthUnit);
      });
    });
    if (this.band) overlay.rectangle(this.band);
    if (this.stroke) overlay.line(this.stroke, style.accent, 2);
  }

  drawLines(body, camera, aspect, how, ink) {
    const { look, renderer } = this;
    if (look.outline && Math.abs(how.factor) > 0) {
      renderer.drawLines(body.edges, camera, aspect, { ...how, factor: 0, ink: [...rgb(this.style().faint).map(c => c / 255), 0.5] });
    }
    if (look.mesh) renderer.drawLines(body.meshLines(), camera, aspect, { ...how, ink: [...ink, 0.35] });
    if (look.edges) renderer.drawLines(body.edges, camera, aspect, { ...how, ink: [...ink, 0.9] });
  }

  /** Ray through a pixel of the page's stage. */
  rayAt(x, y) {
    const { view } = this.viewAt(x);
    return this.camera.ray(2 * (x - view.x) / view.width - 1, 1 - 2 * y / view.height, view.width / view.height);
  }

  /** What is under a pixel of the page's stage: {body, view, triangle, vertex, place, weight, normal}; null: nothing. */
  pick(x, y) {
    const { view, body } = this.viewAt(x), factor = this.factor(body), { explode } = this.look;
    if (explode > 0 && body.exploded) {
      const [triangle] = this.renderer.trianglesIn(body.exploded.batch, this.camera, view, { factor, explode, plane: this.plane() }, { x: x - view.x, y, width: 1, height: 1 }).keys();
      return triangle === undefined ? null : { body, view, triangle, tet: body.exploded.tetOf(triangle) };
    }
    const seen = this.renderer.trianglesIn(body.surface, this.camera, view, { factor, plane: this.plane() }, { x: x - view.x, y, width: 1, height: 1 });
    const [triangle] = [...seen.keys()];
    if (triangle === undefined || triangle >= body.nTriangle) return null;
    const ray = this.rayAt(x, y);
    const hit = body.hit(ray, triangle, factor);
    return { body, view, triangle, ray, ...hit, vertex: body.nearestOfMesh(hit.vertex, hit.place, factor) };
  }

  /** Triangles of the first body that are seen in a rectangle. */
  trianglesIn(rectangle) {
    const { view, body } = this.viewAt(rectangle.x);
    const seen = this.renderer.trianglesIn(body.surface, this.camera, view, { factor: this.factor(body), plane: this.plane() },
      { ...rectangle, x: rectangle.x - view.x });
    return [...seen.keys()].filter(t => t < body.nTriangle);
  }

  project(place, view = this.views()[0]) { return project(this.camera.matrix(view.width / view.height), place, view); }

  listen() {
    const { canvas } = this, pointers = new Map();
    let mode = null, last = null, moved = 0;
    const at = event => {
      const box = canvas.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top, event };
    };
    canvas.addEventListener("contextmenu", event => event.preventDefault());
    canvas.addEventListener("pointerdown", event => {
      if (event.isTrusted) canvas.setPointerCapture(event.pointerId); // else of the keyboard
      canvas.focus();
      pointers.set(event.pointerId, event);
      last = at(event);
      moved = 0;
      const left = event.button === 0 && !event.shiftKey && !event.altKey;
      const held = left && !this.tool && this.grab?.(last);
      if (held) this.held = held;
      mode = held ? "held" : left && this.tool ? "tool" : left || (this.tool && event.button === 2) || event.altKey ? "orbit" : "pan";
      if (mode === "tool") this.tool.start(last);
    });
    canvas.addEventListener("pointermove", event => {
      const now = at(event);
      if (!mode) { this.hover?.(now); return; }
      const dx = now.x - last.x, dy = now.y - last.y;
      moved += Math.abs(dx) + Math.abs(dy);
      if (mode === "tool") this.tool.move?.(now);
      if (mode === "held") this.held.move(now);
      if (mode === "orbit") this.camera.orbit(dx, dy);
      if (mode === "pan") this.camera.pan(dx, dy, canvas.clientHeight);
      last = now;
      this.redraw();
    });
    const up = event => {
      pointers.delete(event.pointerId);
      if (mode === "tool") this.tool?.end?.(at(event));
      else if (mode === "held") this.held.end();
      else if (mode && event.button === 0 && moved < 4) this.click?.(at(event));
      mode = null;
    };
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
    canvas.addEventListener("wheel", event => {
      event.preventDefault();
      const { x, y } = at(event), { view } = this.viewAt(x);
      this.camera.zoom(Math.exp(event.deltaY * 0.0012), 2 * (x - view.x) / view.width - 1, 1 - 2 * y / view.height, view.width / view.height);
      this.redraw();
    }, { passive: false });
  }
}
