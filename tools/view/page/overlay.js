// What is drawn above the body on a canvas of its own: axes, scale bar, marks of extrema and of what is picked, symbols of supports and
// loads, the rubber band and strokes.
import { normalize } from "./vector.js";
import { text } from "./colors.js";
import { project } from "./camera.js";

const AXIS_COLORS = ["#d8443c", "#3f9d4b", "#3b74d6"];

export class Overlay {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
  }

  /** `legend`: the element that stands above this canvas, if any; words do not go under it. */
  begin(style, legend) {
    const ratio = window.devicePixelRatio || 1, { canvas, context } = this;
    const width = Math.round(canvas.clientWidth * ratio), height = Math.round(canvas.clientHeight * ratio);
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    this.style = style;
    this.legend = !legend || legend.hidden ? { left: Infinity, bottom: 0 } : { left: legend.offsetLeft, bottom: legend.offsetTop + legend.offsetHeight };
    context.font = "12px system-ui, sans-serif";
    context.lineJoin = context.lineCap = "round";
  }

  /** Draw what does not leave a view. */
  within(view, draw) {
    const { context } = this;
    context.save();
    context.beginPath();
    context.rect(view.x, view.y, view.width, view.height);
    context.clip();
    draw();
    context.restore();
  }

  line(points, color, width = 1, dash = []) {
    const { context } = this;
    context.strokeStyle = color;
    context.lineWidth = width;
    context.setLineDash(dash);
    context.beginPath();
    points.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.stroke();
    context.setLineDash([]);
  }

  polygon(points, fill, stroke) {
    const { context } = this;
    context.beginPath();
    points.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.closePath();
    context.fillStyle = fill;
    context.fill();
    if (stroke) { context.strokeStyle = stroke; context.lineWidth = 1; context.stroke(); }
  }

  label(x, y, words, color = this.style.text) {
    const { context } = this, width = context.measureText(words).width;
    context.fillStyle = this.style.panel;
    context.globalAlpha = 0.85;
    context.fillRect(x - 3, y - 11, width + 6, 15);
    context.globalAlpha = 1;
    context.fillStyle = color;
    context.fillText(words, x, y);
  }

  axes(camera, view) {
    const { right, up, back } = camera.axes(), at = [view.x + 44, view.y + view.height - 48];
    const arms = [0, 1, 2].map(i => ({ i, x: right[i] * 30, y: -up[i] * 30, depth: back[i] })).sort((a, b) => a.depth - b.depth);
    for (const arm of arms) {
      const end = [at[0] + arm.x, at[1] + arm.y];
      this.arrowHead(at, end, AXIS_COLORS[arm.i], 7);
      this.context.fillStyle = AXIS_COLORS[arm.i];
      this.context.fillText("xyz"[arm.i], at[0] + arm.x * 1.3 - 3, at[1] + arm.y * 1.3 + 4);
    }
  }

  arrowHead(from, to, color, size) {
    const across = Math.hypot(to[0] - from[0], to[1] - from[1]);
    this.line([from, to], color, 2);
    if (across < size) return;
    const u = [(to[0] - from[0]) / across, (to[1] - from[1]) / across], base = [to[0] - size * u[0], to[1] - size * u[1]];
    this.polygon([to, [base[0] - u[1] * size * 0.45, base[1] + u[0] * size * 0.45], [base[0] + u[1] * size * 0.45, base[1] - u[0] * size * 0.45]], color);
  }

  /** Bar of 1, 2 or 5 times a power of ten in units of the mesh, about a sixth of the view. */
  scaleBar(camera, view, lengthUnit) {
    const unit = camera.height / view.height, wanted = view.width / 6 * unit, power = 10 ** Math.floor(Math.log10(wanted));
    const size = [5, 2, 1].map(k => k * power).find(value => value <= wanted), pixels = size / unit;
    const x = view.x + view.width / 2 - pixels / 2, y = view.y + view.height - 18, { text: ink } = this.style;
    this.line([[x, y - 4], [x, y], [x + pixels, y], [x + pixels, y - 4]], ink, 1.5);
    this.context.fillStyle = ink;
    this.context.textAlign = "center";
    this.context.fillText(`${text(size)} ${lengthUnit || ""}`, x + pixels / 2, y - 6);
    this.context.textAlign = "left";
  }

  /** Mark with words at a place in space; pale where it is `behind` the body. */
  mark(matrix, view, place, words, color, behind = false, below = false) {
    const [x, y] = project(matrix, place, view), { context } = this;
    context.globalAlpha = behind ? 0.35 : 1;
    context.beginPath();
    context.arc(x, y, 4, 0, 2 * Math.PI);
    context.fillStyle = color;
    context.fill();
    context.globalAlpha = 1;
    context.strokeStyle = "#fff";
    context.lineWidth = 1.5;
    context.stroke();
    if (!words) return;
    const wide = context.measureText(words).width, edge = y < this.legend.bottom ? this.legend.left : view.x + view.width;
    this.label(x + 15 + wide > edge ? x - 9 - wide : x + 9, y + (below ? 16 : -6), words);
  }

  /** Support: a triangle whose tip is at the place; `fixed` of [x, y, z] tells which directions are fixed. Pale where it is
   * `behind` the body. */
  support(matrix, view, place, fixed, color, behind) {
    this.context.globalAlpha = behind ? 0.45 : 1;
    const [x, y] = project(matrix, place, view), wide = 7;
    this.polygon([[x, y], [x - wide, y + 12], [x + wide, y + 12]], color, this.style.panel);
    this.line([[x - wide - 2, y + 15], [x + wide + 2, y + 15]], color, fixed.every(Boolean) ? 3 : 1);
    this.context.globalAlpha = 1;
  }

  /** Load: an arrow that ends at the place; where it is on the canvas, and its tail in space. */
  load(matrix, view, place, direction, size, color) {
    const d = normalize(direction), tail = [0, 1, 2].map(i => place[i] - d[i] * size);
    const to = project(matrix, place, view), from = project(matrix, tail, view), across = Math.hypot(to[0] - from[0], to[1] - from[1]);
    const where = { from: from.slice(0, 2), to: to.slice(0, 2), tail };
    if (across < 3) { // along the line of sight
      this.context.beginPath();
      this.context.arc(to[0], to[1], 5, 0, 2 * Math.PI);
      this.context.strokeStyle = color;
      this.context.lineWidth = 2;
      this.context.stroke();
      return where;
    }
    this.arrowHead(from, to, color, Math.min(10, across));
    return where;
  }

  rectangle(r) {
    const corners = [[r.x, r.y], [r.x + r.width, r.y], [r.x + r.width, r.y + r.height], [r.x, r.y + r.height]];
    this.context.globalAlpha = 0.15;
    this.polygon(corners, this.style.accent);
    this.context.globalAlpha = 1;
    this.line([...corners, corners[0]], this.style.accent, 1, [4, 3]);
  }
}
