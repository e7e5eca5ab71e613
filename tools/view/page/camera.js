// Camera that looks at a center: turns about the vertical axis z, moves in its plane, parallel or in perspective.
import { add, boxOf, cross, diagonal, dot, multiplyAdd, scale, subtract } from "./vector.js";

const VIEW_ANGLE = 30 * Math.PI / 180; // of the perspective, from bottom to top

/** Angles [turn about z, elevation] in degrees of the named views. */
export const VIEWS = {
  isometric: [-60, 25], front: [-90, 0], back: [90, 0], left: [180, 0], right: [0, 0], top: [-90, 90], bottom: [-90, -90],
};

export class Camera {
  constructor() {
    this.center = [0, 0, 0];
    this.height = 1; // of the picture, length at the center
    this.size = 1; // of what is looked at, for the depth range
    this.perspective = false;
    this.view("isometric");
  }

  view(name) {
    [this.turn, this.elevation] = VIEWS[name].map(degrees => degrees * Math.PI / 180);
  }

  fit(positions, aspect) {
    const box = boxOf(positions);
    this.center = scale(add(box.low, box.high), 0.5);
    this.size = diagonal(box) || 1;
    const { right, up } = this.axes();
    let halfWidth = 0, halfHeight = 0;
    for (let corner = 0; corner < 8; ++corner) {
      const at = [0, 1, 2].map(axis => (corner >> axis & 1 ? box.high : box.low)[axis] - this.center[axis]);
      halfWidth = Math.max(halfWidth, Math.abs(dot(at, right)));
      halfHeight = Math.max(halfHeight, Math.abs(dot(at, up)));
    }
    this.height = 2.5 * Math.max(halfHeight, halfWidth / aspect) || 1;
  }

  /** Directions of the picture in space: right, up, and back toward the eye. */
  axes() {
    const c = Math.cos(this.elevation), back = [c * Math.cos(this.turn), c * Math.sin(this.turn), Math.sin(this.elevation)];
    const right = [-Math.sin(this.turn), Math.cos(this.turn), 0];
    return { right, up: cross(back, right), back };
  }

  distance() { return this.height / 2 / Math.tan(VIEW_ANGLE / 2); }

  orbit(dx, dy) { // pixels
    this.turn -= dx * 0.008;
    this.elevation = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, this.elevation + dy * 0.008));
  }

  pan(dx, dy, viewHeight) {
    const { right, up } = this.axes(), unit = this.height / viewHeight;
    this.center = multiplyAdd(multiplyAdd(this.center, -dx * unit, right), dy * unit, up);
  }

  /** Zoom by a factor; what is under (x, y), in [-1, 1] of the view, stays there. */
  zoom(factor, x, y, aspect) {
    const { right, up } = this.axes(), shift = this.height / 2 * (1 - factor);
    this.center = multiplyAdd(multiplyAdd(this.center, shift * x * aspect, right), shift * y, up);
    this.height *= factor;
  }

  /** Matrix from space to clip coordinates. */
  matrix(aspect) {
    const { right, up, back } = this.axes(), depth = 2 * this.size + this.height, m = new Float32Array(16);
    const row = (i, axis, s, shift) => {
      for (let k = 0; k < 3; ++k) m[4 * k + i] = axis[k] * s;
      m[12 + i] = -dot(axis, this.center) * s + shift;
    };
    if (!this.perspective) {
      row(0, right, 2 / (this.height * aspect), 0);
      row(1, up, 2 / this.height, 0);
      row(2, back, -1 / depth, 0);
      m[15] = 1;
      return m;
    }
    const far = this.distance() + depth, near = Math.max(this.distance() - depth, far / 1000), f = 1 / Math.tan(VIEW_ANGLE / 2);
    const eye = multiplyAdd(this.center, this.distance(), back), toEye = dot(back, eye);
    row(0, right, f / aspect, 0);
    row(1, up, f, 0);
    const a = (far + near) / (far - near), b = 2 * far * near / (far - near);
    for (let k = 0; k < 3; ++k) { m[4 * k + 2] = -a * back[k]; m[4 * k + 3] = -back[k]; }
    m[14] = a * toEye - b;
    m[15] = toEye;
    return m;
  }

  /** Ray {origin, direction} through (x, y) in [-1, 1] of the view. */
  ray(x, y, aspect) {
    const { right, up, back } = this.axes(), half = this.height / 2;
    const at = multiplyAdd(multiplyAdd(this.center, x * half * aspect, right), y * half, up);
    if (!this.perspective) return { origin: multiplyAdd(at, 2 * this.size + this.height, back), direction: scale(back, -1) };
    const eye = multiplyAdd(this.center, this.distance(), back);
    return { origin: eye, direction: subtract(at, eye) };
  }
}

/** Pixel [x, y, depth] of a place in a view {x, y, width, height} (from the top left corner), for a matrix. */
export function project(matrix, place, view) {
  const h = [0, 1, 2, 3].map(i => matrix[i] * place[0] + matrix[4 + i] * place[1] + matrix[8 + i] * place[2] + matrix[12 + i]);
  return [view.x + (h[0] / h[3] + 1) / 2 * view.width, view.y + (1 - h[1] / h[3]) / 2 * view.height, h[2] / h[3]];
}
