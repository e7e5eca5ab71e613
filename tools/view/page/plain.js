// Where the browser has no WebGL 2: bodies by their feature edges alone, drawn on the overlay; nothing is colored and nothing picked.

const NOTHING = { set() {}, draw() {}, free() {}, count: 0 };

/** In place of a Renderer: it has its functions, and draws nothing. */
export class PlainRenderer {
  batch() { return { ...NOTHING }; }
  setScale() {}
  begin() {}
  viewport() {}
  drawSurface() {}
  drawLines() {}
  trianglesIn() { return new Map(); }
}

/** Feature edges of a body as lines. */
export function drawEdges(body, overlay, project, factor, color) {
  for (let i = 0; i + 1 < (body.ends?.length || 0); i += 2) {
    overlay.line([body.ends[i], body.ends[i + 1]].map(v => project(body.place(v, factor)).slice(0, 2)), color);
  }
}
