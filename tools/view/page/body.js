// A body as the server tells it: boundary triangles with their vertices and values; from it what the renderer draws, corner by corner.
import { add, cross, dot, length, multiplyAdd, normalize, row, scale, subtract } from "./vector.js";
import { rangeOf } from "./colors.js";
import { Exploded } from "./explode.js";

const CREASE = Math.cos(40 * Math.PI / 180); // normals that differ by more are not averaged

/** Corners of triangles by vertex: those of v are corner[first[v]] .. corner[first[v + 1] - 1]. */
function cornersOfVertices(triangle, nVertex) {
  const first = new Int32Array(nVertex + 1), corner = new Int32Array(triangle.length);
  for (const v of triangle) ++first[v + 1];
  for (let v = 0; v < nVertex; ++v) first[v + 1] += first[v];
  const next = first.slice();
  triangle.forEach((v, at) => { corner[next[v]++] = at; });
  return { first, corner };
}

export class Body {
  constructor(renderer) {
    this.renderer = renderer;
    this.surface = renderer.batch();
    this.edges = renderer.batch();
    this.cap = renderer.batch();
    this.triangle = new Int32Array(0);
    this.position = new Float32Array(0);
    this.displacement = new Float32Array(0);
    this.range = [0, 0];
    this.shownFactor = null;
  }

  /** New arrays of a picture; those that it leaves out stay. */
  update(arrays) {
    Object.assign(this, arrays);
    const topology = arrays.triangle || arrays.position;
    if (topology) {
      this.nVertex = this.position.length / 3;
      this.nTriangle = this.triangle.length / 3;
      this.corners = cornersOfVertices(this.triangle, this.nVertex);
      this.nRegion = new Set(this.region).size;
      this.surface.set("position", this.byCorner(this.position, 3));
    }
    if (this.displacement.length !== this.position.length) this.displacement = new Float32Array(this.position.length);
    if (topology || arrays.displacement) this.surface.set("displacement", this.byCorner(this.displacement, 3));
    if (topology || arrays.edge || arrays.displacement) this.setEdges(topology || arrays.edge);
    if (topology || arrays.value || arrays.cornerValue) this.setValues();
    if (topology || arrays.displacement) {
      this.shownFactor = null;
      this.autoFactor = undefined;
    }
    if (topology) {
      this.lines?.free();
      this.lines = null;
    } else if (this.lines && arrays.displacement) this.lines.set("displacement", this.rows(this.lineEnds, this.displacement));
  }

  /** Edges of all triangles, each once; made when they are first shown. */
  meshLines() {
    if (this.lines) return this.lines;
    const ends = this.mesh_edge ? [...this.mesh_edge] : [];
    for (let at = 0; at < this.triangle.length && !this.mesh_edge; ++at) {
      const a = this.triangle[at], b = this.triangle[at % 3 === 2 ? at - 2 : at + 1];
      if (a < b) ends.push(a, b);
    }
    this.lineEnds = Int32Array.from(ends);
    this.lines = this.renderer.batch();
    this.lines.set("position", this.rows(this.lineEnds, this.position));
    this.lines.set("displacement", this.rows(this.lineEnds, this.displacement));
    return this.lines;
  }

  setEdges(topology) {
    if (topology) this.ends = this.edge?.length ? this.edge : this.featureEdges();
    const { ends } = this;
    this.edges.set("position", this.rows(ends, this.position));
    this.edges.set("displacement", this.rows(ends, this.displacement));
  }

  /** Edges where the normals of the undeformed body turn, and those of one triangle alone. */
  featureEdges() {
    const ends = [], normal = Array.from({ length: this.nTriangle }, (_, t) => {
      const [a, b, c] = this.cornerPlaces(t, 0);
      return normalize(cross(subtract(b, a), subtract(c, a)));
    });
    for (let at = 0; at < this.triangle.length; ++at) {
      const own = Math.floor(at / 3), a = this.triangle[at], b = this.triangle[at % 3 === 2 ? at - 2 : at + 1], across = this.across(own, a, b);
      if (across.length !== 1 || (a < b && dot(normal[own], normal[across[0]]) < CREASE)) ends.push(a, b);
    }
    return Int32Array.from(ends);
  }

  /** Values by corner, else by triangle, else by vertex; NaN: none. */
  setValues() {
    const n = 3 * this.nTriangle, { cornerValue, value } = this;
    const values = cornerValue && cornerValue.length === n ? cornerValue
      : value && value.length === this.nVertex ? Float32Array.from(this.triangle, v => value[v]) : new Float32Array(n).fill(NaN);
    this.shownValue = values;
    this.range = rangeOf(values);
    this.surface.set("value", values);
  }

  rows(ids, array) {
    const out = new Float32Array(3 * ids.length);
    ids.forEach((id, i) => { for (let k = 0; k < 3; ++k) out[3 * i + k] = array[3 * id + k]; });
    return out;
  }

  byCorner(array) { return this.rows(this.triangle, array); }

  /** Normals of the displaced body, averaged over triangles about a vertex that meet smoothly. */
  setFactor(factor) {
    if (this.shownFactor === factor) return;
    this.shownFactor = factor;
    const n = this.nTriangle, facet = new Float32Array(3 * n), unit = new Float32Array(3 * n), normal = new Float32Array(9 * n);
    for (let t = 0; t < n; ++t) {
      const [a, b, c] = this.cornerPlaces(t, factor), area = cross(subtract(b, a), subtract(c, a));
      facet.set(area, 3 * t);
      unit.set(normalize(area), 3 * t);
    }
    for (let at = 0; at < 3 * n; ++at) {
      const own = 3 * Math.floor(at / 3), v = this.triangle[at];
      for (let k = this.corners.first[v]; k < this.corners.first[v + 1]; ++k) {
        const other = 3 * Math.floor(this.corners.corner[k] / 3);
        if (unit[own] * unit[other] + unit[own + 1] * unit[other + 1] + unit[own + 2] * unit[other + 2] < CREASE) continue;
        for (let d = 0; d < 3; ++d) normal[3 * at + d] += facet[other + d];
      }
    }
    this.unitNormal = unit;
    this.surface.set("normal", normal);
  }

  /** Colors over the body, by triangle: a function from triangle to [r, g, b, part] of 0..255, or null for none. */
  paint(colorOf) {
    const tint = new Uint8Array(12 * this.nTriangle);
    for (let t = 0; t < this.nTriangle; ++t) {
      const color = colorOf(t);
      if (color) for (let corner = 0; corner < 3; ++corner) tint.set(color, 12 * t + 4 * corner);
    }
    this.surface.set("tint", tint);
  }

  place(vertex, factor) { return multiplyAdd(row(this.position, vertex), factor, row(this.displacement, vertex)); }

  cornerPlaces(triangle, factor) { return [0, 1, 2].map(k => this.place(this.triangle[3 * triangle + k], factor)); }

  area(triangle) {
    const [a, b, c] = this.cornerPlaces(triangle, 0);
    return length(cross(subtract(b, a), subtract(c, a))) / 2;
  }

  /** Where a ray meets the plane of a triangle: {place, vertex: nearest corner's row, weight: [3]}. */
  hit(ray, triangle, factor) {
    const [a, b, c] = this.cornerPlaces(triangle, factor), normal = cross(subtract(b, a), subtract(c, a));
    const t = dot(subtract(a, ray.origin), normal) / dot(ray.direction, normal), place = multiplyAdd(ray.origin, t, ray.direction);
    const part = (p, q) => dot(cross(subtract(p, place), subtract(q, place)), normal) / dot(normal, normal);
    const weight = [part(b, c), part(c, a), part(a, b)].map(w => Math.max(0, Math.min(1, w)));
    const vertex = this.triangle[3 * triangle + weight.indexOf(Math.max(...weight))];
    return { place, vertex, weight, normal: normalize(normal) };
  }

  /** The row itself where it is a vertex of the mesh; of one on a curved side the vertex nearest to a place. */
  nearestOfMesh(vertex, place, factor) {
    const ids = this.vertex_id;
    if (!ids || ids[vertex] >= 0) return vertex;
    let best = vertex, near = Infinity;
    for (let i = 0; i < this.nVertex; ++i) {
      const distance = ids[i] < 0 ? Infinity : length(subtract(this.place(i, factor), place));
      if (distance < near) [best, near] = [i, distance];
    }
    return best;
  }

  /** Triangles that are reached from one across edges where normals turn by at most `angle` degrees, or that have its CAD face. */
  grow(seed, angle) {
    const limit = Math.cos(angle * Math.PI / 180), reached = new Set([seed]), queue = [seed];
    if (this.unitNormal === undefined) this.setFactor(0);
    while (queue.length) {
      const t = queue.pop();
      for (const other of this.neighbors(t)) {
        if (reached.has(other) || dot(row(this.unitNormal, t), row(this.unitNormal, other)) < limit) continue;
        reached.add(other);
        queue.push(other);
      }
    }
    return reached;
  }

  neighbors(t) {
    const own = [0, 1, 2].map(k => this.triangle[3 * t + k]);
    return own.flatMap((a, k) => this.across(t, a, own[(k + 1) % 3]));
  }

  /** Other triangles at the edge of vertices a and b. */
  across(t, a, b) {
    const found = [], { triangle, corners: { first, corner } } = this;
    for (let k = first[a]; k < first[a + 1]; ++k) {
      const other = Math.floor(corner[k] / 3);
      if (other !== t && (triangle[3 * other] === b || triangle[3 * other + 1] === b || triangle[3 * other + 2] === b)) found.push(other);
    }
    return found;
  }

  /** Middle of triangles and their mean normal, for symbols. */
  middle(triangles, factor) {
    let sum = [0, 0, 0], normal = [0, 0, 0], n = 0;
    for (const t of triangles) {
      const [a, b, c] = this.cornerPlaces(t, factor);
      sum = add(sum, scale(add(a, add(b, c)), 1 / 3));
      normal = add(normal, cross(subtract(b, a), subtract(c, a)));
      ++n;
    }
    return { place: scale(sum, 1 / (n || 1)), normal: normalize(normal) };
  }

  /** Arrays of all tets: exploded is made of them. */
  explode(arrays) {
    this.exploded ??= new Exploded(this.renderer);
    this.exploded.update(arrays);
  }

  free() {
    this.surface.free();
    this.edges.free();
    this.cap.free();
    this.lines?.free();
    this.exploded?.free();
  }
}
