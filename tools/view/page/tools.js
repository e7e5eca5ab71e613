// Tools: what a click or a stroke on the body does while one is on. Each has start, move and end, given {x, y, event}.
import { placeInPlane } from "./marks.js";
import { cross, multiplyAdd, normalize, subtract } from "./vector.js";

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

const TOOLS = {
  pull(app) {
    const { stage } = app;
    let hit = null, through = null;
    const pull = at => {
      const to = placeInPlane(stage, at.x, at.y, through), factor = stage.factor() || 1;
      app.spring = { at: hit.vertex, to };
      const rest = stage.body.place(hit.vertex, 0);
      // The hand moves in the picture, the vertex in the body: what is seen is displaced `factor` times as far.
      app.do("pull", { vertex: stage.body.vertex_id[hit.vertex], to: rest.map((x, i) => x + (to[i] - rest[i]) / factor), stiffness: app.toolOptions.stiffness });
    };
    return {
      start(at) {
        hit = stage.pick(at.x, at.y);
        if (!hit) return;
        // While one pulls, the factor stays as it is: an automatic one would run away from the hand.
        app.heldFactor = stage.look.factor;
        if (stage.look.factor === null) stage.look.factor = stage.factor() || 1;
        through = hit.place;
        pull(at);
      },
      move(at) { if (hit) pull(at); },
      end() {
        if (!hit) return;
        hit = app.spring = null;
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
        if (hit) app.do(at.event.ctrlKey ? "unfix" : "fix", at.event.ctrlKey ? {} : { face: hit.body.face[hit.triangle], radius: app.radiusInSpace() });
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
        const { center } = stage.camera, [a, b] = points.map(([x, y]) => placeInPlane(stage, x, y, center));
        const normal = normalize(cross(subtract(b, a), stage.camera.axes().back));
        const ends = [a, b].flatMap(p => [-1, 1].map(side => multiplyAdd(p, side * app.size(), stage.camera.axes().back)));
        const limit = of => [0, 1, 2].map(k => of(...ends.map(p => p[k])));
        app.do("cut", { point: a, normal, keep: app.toolOptions.knife, ...(app.toolOptions.knife === "open" ? { low: limit(Math.min), high: limit(Math.max) } : {}) });
      },
    };
  },
  brush(app) {
    const { stage } = app;
    const sweep = at => {
      const hit = stage.pick(at.x, at.y);
      if (hit) app.do(app.toolOptions.brush === "refine" ? "refine" : "remove", { face: hit.body.face[hit.triangle], radius: app.radiusInSpace() });
    };
    let last = null;
    return {
      start(at) { last = at; sweep(at); },
      move(at) {
        if (Math.hypot(at.x - last.x, at.y - last.y) < app.toolOptions.radius) return;
        last = at;
        sweep(at);
      },
      end() {},
    };
  },
};

export const playTool = (app, name) => (name ? TOOLS[name](app) : null);
