// Tools: what a click or a stroke on the body does while one is on. Each has start, move and end, given {x, y, event}.
import { placeInPlane } from "./marks.js";
import { add, cross, dot, length, normalize, scale, subtract } from "./vector.js";

/** Faces by a click, a box or a stroke; Ctrl adds to what is chosen and takes away what was. */
export function chooserTool(app) {
  const { stage } = app;
  let from = null, added = null;
  const take = (triangles, event) => app.chooseMore(triangles, event.ctrlKey || event.metaKey || app.chooser === "paint");
  return {
    start(at) {
      from = at;
      if (app.chooser !== "paint") return;
      if (!at.event.ctrlKey && !at.event.metaKey) app.choose(new Set());
      added = true;
      this.move(at);
    },
    move(at) {
      if (app.chooser === "paint" && added) {
        const r = app.toolOptions.radius / 2;
        take(stage.trianglesIn({ x: at.x - r, y: at.y - r, width: 2 * r, height: 2 * r }), { ctrlKey: true });
      }
      if (app.chooser === "band") stage.band = box(from, at);
    },
    end(at) {
      added = null;
      if (app.chooser === "band") {
        const band = box(from, at);
        stage.band = null;
        take(stage.trianglesIn(band), at.event);
      }
      if (app.chooser === "face") {
        const hit = stage.pick(at.x, at.y);
        take(hit ? app.grown(hit.triangle) : [], at.event);
      }
      stage.redraw();
    },
  };
}

const box = (a, b) => ({ x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), width: Math.abs(a.x - b.x) + 1, height: Math.abs(a.y - b.y) + 1 });

/** The place of a hit in the body before it moved. */
function restPlace({ body, triangle, weight }) {
  return [0, 1, 2].map(c => weight.reduce((sum, w, k) => sum + w * body.position[3 * body.triangle[3 * triangle + k] + c], 0));
}

/** Plane of a straight stroke and the two that end it, in the body before it moved: {point, normal, sides}. What is seen is displaced:
 * both ends go back as far as what the stroke first and last passes. */
export function planeOfStroke(stage, [from, to]) {
  const n = 9, { center } = stage.camera, ends = [from, to].map(([x, y]) => placeInPlane(stage, x, y, center));
  const hits = Array.from({ length: n }, (_, i) => stage.pick(from[0] + (to[0] - from[0]) * i / (n - 1), from[1] + (to[1] - from[1]) * i / (n - 1))).filter(hit => hit?.place);
  const back = hit => (hit ? subtract(restPlace(hit), hit.place) : [0, 0, 0]);
  const a = add(ends[0], back(hits[0])), b = add(ends[1], back(hits[hits.length - 1])), along = subtract(b, a);
  const sight = [from, to].map(([x, y]) => stage.rayAt(x, y).direction), normal = normalize(cross(sight[0], along));
  const side = (place, direction, sign) => {
    const across = normalize(cross(normal, direction)), outward = scale(across, sign * Math.sign(dot(across, along)));
    return [...outward, dot(outward, place)];
  };
  return { point: a, normal, sides: [side(a, sight[0], -1), side(b, sight[1], 1)] };
}

const TOOLS = {
  pull(app) {
    const { stage } = app;
    let vertex = null, rest = null, through = null;
    const pull = at => {
      const to = placeInPlane(stage, at.x, at.y, through), factor = stage.factor() || 1;
      app.spring = { vertex, to };
      // The hand moves in the picture, the vertex in the body: what is seen is displaced `factor` times as far.
      app.do("pull", { vertex, to: rest.map((x, i) => x + (to[i] - rest[i]) / factor), stiffness: app.toolOptions.stiffness });
    };
    return {
      start(at) {
        const hit = stage.pick(at.x, at.y);
        if (!hit?.place) return;
        vertex = stage.body.vertex_id[hit.vertex];
        rest = stage.body.place(hit.vertex, 0);
        // While one pulls, the factor stays as it is: an automatic one would run away from the hand.
        app.heldFactor = stage.look.factor;
        if (stage.look.factor === null) stage.look.factor = stage.factor() || 1;
        through = hit.place;
        pull(at);
      },
      move(at) { if (vertex !== null) pull(at); },
      end() {
        if (vertex === null) return;
        vertex = app.spring = null;
        stage.look.factor = app.heldFactor;
        app.do("release");
        stage.redraw();
      },
    };
  },
  fix(app) {
    return {
      start() {},
      end(at) {
        const hit = app.stage.pick(at.x, at.y);
        if (hit?.place) app.do(at.event.ctrlKey ? "unfix" : "fix", at.event.ctrlKey ? {} : { face: hit.body.face[hit.triangle], radius: app.radiusInSpace() });
      },
    };
  },
  knife(app) {
    const { stage } = app;
    let points = [];
    return {
      start(at) { points = [[at.x, at.y]]; stage.stroke = points; },
      move(at) { points = [points[0], [at.x, at.y]]; stage.stroke = points; },
      end() {
        stage.stroke = null;
        stage.redraw();
        if (points.length < 2 || Math.hypot(points[1][0] - points[0][0], points[1][1] - points[0][1]) < 5) return;
        const { point, normal, sides } = planeOfStroke(stage, points), how = app.toolOptions.knife;
        if (how === "remove") app.do("remove", { point, normal, sides });
        else app.do("cut", { point, normal, keep: how, ...(how === "open" ? { sides } : {}) });
      },
    };
  },
  brush(app) {
    const { stage } = app;
    let last = null, stroke = 0, busy = false, shown = 0;
    // One at a time, on a picture that has the one before in it: faces that it took away are gone.
    const sweep = async at => {
      const hit = !busy && (app.work.number || 0) >= shown && stage.pick(at.x, at.y);
      if (!hit) return;
      busy = true;
      last = at;
      const where = hit.place ? { face: hit.body.face[hit.triangle], radius: app.radiusInSpace() } : { tets: [hit.tet] };
      const done = await app.do(app.toolOptions.brush === "refine" ? "refine" : "remove", { ...where, stroke });
      shown = done?.picture || 0;
      busy = false;
    };
    return {
      start(at) { stroke = Date.now(); last = at; sweep(at); },
      move(at) { if (Math.hypot(at.x - last.x, at.y - last.y) >= app.toolOptions.radius) sweep(at); },
      end() {},
    };
  },
  weld(app) {
    const { stage } = app;
    let from = null;
    const vertexAt = at => {
      const hit = stage.pick(at.x, at.y);
      return hit?.place ? hit : null;
    };
    return {
      start(at) { from = vertexAt(at); stage.stroke = [[at.x, at.y]]; },
      move(at) { stage.stroke = from && [stage.stroke[0], [at.x, at.y]]; },
      end(at) {
        const to = from && vertexAt(at), { body } = stage;
        stage.stroke = null;
        stage.redraw();
        if (!to) return;
        const [a, b] = [from, to].map(hit => body.vertex_id[hit.vertex]);
        const apart = length(subtract(body.place(from.vertex, 0), body.place(to.vertex, 0)));
        if (a === b) app.do("weld", { face: body.face[to.triangle], radius: app.radiusInSpace(), tolerance: app.toolOptions.tolerance });
        else app.do("weld", { vertices: [a, b], tolerance: apart * (1 + 1e-6) });
      },
    };
  },
};

export const playTool = (app, name) => (name ? TOOLS[name](app) : null);

/** The arrow of a load under the pointer as something that is dragged: its tail follows, and the load is as much larger as the arrow is
 * longer. Null: there is none. */
export function grabLoad(app, at) {
  if (app.mode === "look" || !app.can("load")) return null;
  const { stage } = app, near = arrow => {
    const [dx, dy] = [0, 1].map(k => arrow.to[k] - arrow.from[k]), t = ((at.x - arrow.from[0]) * dx + (at.y - arrow.from[1]) * dy) / (dx * dx + dy * dy || 1);
    const part = Math.max(0, Math.min(1, t));
    return Math.hypot(at.x - arrow.from[0] - part * dx, at.y - arrow.from[1] - part * dy);
  };
  const arrow = (app.arrows || []).filter(one => near(one) < 8).sort((a, b) => near(a) - near(b))[0];
  if (!arrow) return null;
  const { index, place, tail } = arrow, before = app.state.loads[index].value, start = placeInPlane(stage, at.x, at.y, tail), size = length(subtract(place, tail));
  const amount = before.length === 3 ? length(before) : 1, held = stage.look.factor;
  if (held === null) stage.look.factor = stage.factor() || 1;
  return {
    move(now) {
      const moved = subtract(placeInPlane(stage, now.x, now.y, tail), start), arm = subtract(place, add(tail, moved));
      const value = before.length === 3 ? arm.map(x => x * amount / size) : [before[0] * dot(arm, subtract(place, tail)) / size ** 2];
      app.draggedLoad = { index, value, times: before.length === 3 ? length(arm) / size : Math.abs(value[0] / before[0]) };
      app.do("load", { index, value });
    },
    end() {
      app.draggedLoad = null;
      app.loadBase = undefined; // sliders begin at what is there now
      stage.look.factor = held;
      app.rebuild();
      stage.redraw();
    },
  };
}
