// Vectors of three numbers as arrays, and the 4x4 matrices (by column, as WebGL takes them) of a camera.
export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const length = a => Math.sqrt(dot(a, a));
export const normalize = a => scale(a, 1 / (length(a) || 1));
export const multiplyAdd = (a, s, b) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];

/** Row `i` of an array of [n][3]. */
export const row = (array, i) => [array[3 * i], array[3 * i + 1], array[3 * i + 2]];

/** Smallest box {low, high} of rows of [n][3]; of no rows the unit cube. */
export function boxOf(array) {
  if (!array.length) return { low: [0, 0, 0], high: [1, 1, 1] };
  const low = row(array, 0), high = row(array, 0);
  for (let i = 3; i < array.length; ++i) {
    const axis = i % 3;
    if (array[i] < low[axis]) low[axis] = array[i];
    if (array[i] > high[axis]) high[axis] = array[i];
  }
  return { low, high };
}

/** Diagonal of a box. */
export const diagonal = box => length(subtract(box.high, box.low));
