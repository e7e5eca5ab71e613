// What stands beside the body: smallest and largest value, supports, loads, what is picked and the spring that pulls.
import { text } from "./colors.js";
import { boxOf, dot, multiplyAdd } from "./vector.js";

const SUPPORT = "#2fa866", LOAD = "#c8372d";
const KNOWN = ["force", "force at each vertex", "pressure", "traction", "moment", "gravity"]; // loads that a drag changes

/** Vertex rows with the smallest and the largest value shown, by the program's word or by what is seen. */
function extrema(body) {
  if (body.extrema) return body.extrema.map(one => ({ value: one.value, place: one.place, moved: one.displacement, id: one.vertex ?? one.tet, kind: one.vertex === undefined ? "tet" : "vertex" }));
  const values = body.shownValue || [];
  let low = -1, high = -1;
  for (let i = 0; i < values.length; ++i) {
    if (low < 0 || values[i] < values[low]) low = i;
    if (high < 0 || values[i] > values[high]) high = i;
  }
  if (low < 0 || !Number.isFinite(values[low]) || body.range[0] === body.range[1]) return [];
  return [low, high].map(at => ({ value: values[at], row: body.triangle[at], triangle: Math.floor(at / 3), id: body.vertex_id?.[body.triangle[at]], kind: "vertex" }));
}

/** Rows of vertices of a set, a few over its extent; from the triangles that the picture says belong to it. */
function placesOf(app, name, factor, most) {
  const { body } = app.stage, triangles = app.trianglesOfSet(name);
  if (!triangles.length) return [];
  const step = Math.max(1, Math.floor(triangles.length / most));
  return triangles.filter((_, i) => i % step === 0).slice(0, most).map(t => body.middle([t], factor));
}

function symbols(app, overlay, matrix, view, factor) {
  const { stage, state } = app, size = 34 * stage.camera.height / view.height, { back } = stage.camera.axes();
  for (const support of state.supports || []) {
    const fixed = support.fixed || [true, true, true];
    const places = placesOf(app, support.set, factor, 9);
    for (const { place, normal } of places.length ? places : support.place ? [{ place: support.place }] : []) {
      overlay.support(matrix, view, place, fixed, SUPPORT, normal && dot(normal, back) < 0);
    }
  }
  app.arrows = [];
  (state.loads || []).forEach((load, index) => {
    const dragged = app.draggedLoad?.index === index ? app.draggedLoad : null, value = dragged?.value || load.value || load.force || [];
    const places = placesOf(app, load.set, factor, load.type === "pressure" ? 9 : 3);
    for (const { place, normal } of places.length ? places : placeOf(app, load)) {
      const direction = value.length === 3 ? value : normal.map(x => -x * Math.sign(value[0] || 1));
      if (!direction.some(Boolean)) continue;
      const arrow = overlay.load(matrix, view, place, direction, size * (dragged?.times ?? 1), LOAD);
      if (KNOWN.includes(load.type)) app.arrows.push({ index, place, ...arrow });
    }
    if (dragged && app.arrows.length) overlay.label(...app.arrows[app.arrows.length - 1].from, value.map(x => text(x, 3)).join(", "));
  });
}

/** Of a load without faces that are seen: its own place, or of gravity the middle of the body. */
function placeOf(app, load) {
  const box = load.type === "gravity" && boxOf(app.stage.body.position), place = load.place || (box && box.low.map((x, i) => (x + box.high[i]) / 2));
  return place ? [{ place, normal: [0, 0, 1] }] : [];
}

/** Sides of the worst tets, seen through the body. */
function drawWorst(app, overlay, project) {
  for (const { corners = [] } of app.mode === "setup" && app.quality?.worst || []) {
    const ends = corners.map(project);
    ends.forEach((a, i) => ends.slice(i + 1).forEach(b => overlay.line([a, b], "#c8372d", 1.5)));
  }
}

export function drawMarks(app, stage, overlay, matrix, view, body) {
  const factor = stage.factor(body), { look } = stage;
  if (look.symbols && body === stage.body) symbols(app, overlay, matrix, view, factor);
  if (look.extrema && look.values) {
    extrema(body).forEach(({ value, place, moved, row: at, triangle, id, kind }, i) => {
      const where = at === undefined ? place.map((x, c) => x + factor * (moved?.[c] || 0)) : body.place(at, factor);
      if (where && !stage.isCutAway(at === undefined ? place : body.place(at, 0))) overlay.mark(matrix, view, where, `${i ? "max" : "min"} ${text(value)}${id === undefined ? "" : ` · ${kind} ${id}`}`, i ? "#c8372d" : "#2453c4",
        triangle !== undefined && dot(body.middle([triangle], factor).normal, stage.camera.axes().back) < 0, i === 0);
    });
  }
  if (body === stage.body) drawWorst(app, overlay, place => stage.project(place, view));
  if (app.picked && body === stage.body) {
    const { at, place } = app.picked, where = at === undefined ? place : body.place(at, factor);
    if (where) overlay.mark(matrix, view, where, "", "#f2b01e");
  }
  if (app.spring && body === stage.body) {
    const row = body.vertex_id.indexOf(app.spring.vertex), from = row < 0 ? app.spring.to : body.place(row, factor);
    overlay.line([stage.project(from, view), stage.project(app.spring.to, view)], "#f2b01e", 2, [5, 3]);
    overlay.mark(matrix, view, app.spring.to, "", "#f2b01e");
  }
}

/** Place under the pointer in the plane through `through` that faces the eye. */
export function placeInPlane(stage, x, y, through) {
  const ray = stage.rayAt(x, y);
  const { back } = stage.camera.axes();
  const distance = [0, 1, 2].reduce((sum, i) => sum + back[i] * (through[i] - ray.origin[i]), 0) / [0, 1, 2].reduce((sum, i) => sum + back[i] * ray.direction[i], 0);
  return multiplyAdd(ray.origin, distance, ray.direction);
}

