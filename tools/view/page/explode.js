// All tets of a body, each with its own sides, moved away from each other or shrunk.

const SIDES = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];
export const EXPLODE_KINDS = [["shrink", "each tet shrinks"], ["tets", "tets move apart"], ["regions", "regions move apart"]];
const CORNERS = 12; // of a tet's triangles

const corner = (tets, i) => tets[4 * Math.floor(i / CORNERS) + SIDES[Math.floor(i % CORNERS / 3)][i % 3]];

function spread(ids, array) {
  const out = new Float32Array(3 * ids.length);
  ids.forEach((id, i) => { out[3 * i] = array[3 * id]; out[3 * i + 1] = array[3 * id + 1]; out[3 * i + 2] = array[3 * id + 2]; });
  return out;
}

/** Middle of each group of tets, by the number of the group. */
function middles(tets, position, group, n) {
  const sum = new Float64Array(3 * n), count = new Int32Array(n);
  for (let t = 0; t < tets.length / 4; ++t) {
    const g = group(t);
    ++count[g];
    for (let k = 0; k < 4; ++k) for (let c = 0; c < 3; ++c) sum[3 * g + c] += position[3 * tets[4 * t + k] + c] / 4;
  }
  return sum.map((x, i) => x / (count[Math.floor(i / 3)] || 1));
}

export class Exploded {
  constructor(renderer) { this.batch = renderer.batch(); }

  /** New arrays of a picture, without the word exploded_. */
  update(arrays) {
    Object.assign(this, arrays);
    const { tet, position, displacement } = this, { value } = arrays;
    if (arrays.tet) {
      const n = CORNERS * tet.length / 4;
      this.points = Int32Array.from({ length: n }, (_, i) => corner(tet, i));
      const places = spread(this.points, position), normal = new Float32Array(3 * n);
      for (let i = 0; i < places.length; i += 9) {
        const [ux, uy, uz, vx, vy, vz] = [3, 4, 5, 6, 7, 8].map(k => places[i + k] - places[i + k % 3]);
        for (let k = 0; k < 9; k += 3) normal.set([uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx], i + k);
      }
      this.places = places;
      this.batch.set("position", places);
      this.batch.set("normal", normal);
      this.shownKind = null;
    }
    this.batch.set("displacement", spread(this.points, displacement));
    const ofCorners = arrays.corner_value;
    this.batch.set("value", Float32Array.from(this.points, (point, i) => (ofCorners ? ofCorners[4 * Math.floor(i / CORNERS) + SIDES[Math.floor(i % CORNERS / 3)][i % 3]] : value[point])));
  }

  /** Where each corner moves by a part of 1. */
  setKind(kind) {
    if (kind === this.shownKind) return;
    this.shownKind = kind;
    const { tet, position, region } = this, n = tet.length / 4, body = middles(tet, position, () => 0, 1);
    const labels = [...new Set(region)], of = new Map(labels.map((label, i) => [label, i]));
    const own = middles(tet, position, t => t, n), regions = middles(tet, position, t => of.get(region[t]), labels.length);
    const away = new Float32Array(3 * this.points.length);
    for (let i = 0; i < away.length; ++i) {
      const t = Math.floor(i / (3 * CORNERS)), c = i % 3;
      away[i] = kind === "shrink" ? own[3 * t + c] - this.places[i] : (kind === "tets" ? own[3 * t + c] : regions[3 * of.get(region[t]) + c]) - body[c];
    }
    this.batch.set("away", away);
  }

  /** Slot or id of the tet of a triangle of the batch. */
  tetOf(triangle) { return this.id[Math.floor(triangle / 4)]; }

  free() { this.batch.free(); }
}
