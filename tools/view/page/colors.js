// Color scales of values, colors of sets, the range of a legend, numbers as text.

// Points of the scales, from the smallest value to the largest; "rainbow" as analysis programs have it, "viridis" (van der Walt and
// Smith, 2015) for print and for those who see few colors, "difference" about zero.
const SCALES = {
  rainbow: ["#1f3bd1", "#1b8ee8", "#19c3c9", "#2dbd6a", "#93d12f", "#f2e02b", "#f59a23", "#d7261e"],
  viridis: ["#440154", "#46327e", "#365c8d", "#277f8e", "#1fa187", "#4ac16d", "#a0da39", "#fde725"],
  "blue to red": ["#3b4dbf", "#66a6d9", "#dedebf", "#ed8c59", "#b30526"], // of pictures
  difference: ["#2b4fa8", "#6f93d2", "#b9cbe8", "#eeeeee", "#eeeeee", "#f0bfb0", "#dc7560", "#a8202a"],
};
export const SCALE_NAMES = Object.keys(SCALES);

// Colors of sets, regions and curves, apart from each other on light and on dark.
const PALETTE = ["#2f7ed8", "#e0812b", "#3aa655", "#c43c4a", "#8c62c9", "#9a6a4f", "#d667ab", "#6f8a1f", "#1aa5b3", "#c9a227"];
export const paletteColor = index => PALETTE[index % PALETTE.length];

export const rgb = hex => [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16));

/** Texels [n][4] of a scale in `bands` steps; 0: continuous. */
export function scaleTexels(name, bands) {
  const points = SCALES[name].map(rgb), n = 256, texels = new Uint8Array(4 * n);
  for (let i = 0; i < n; ++i) {
    const t = bands ? Math.min(Math.floor(i / n * bands), bands - 1) / Math.max(bands - 1, 1) : i / (n - 1);
    const place = t * (points.length - 1), k = Math.min(Math.floor(place), points.length - 2), part = place - k;
    for (let c = 0; c < 3; ++c) texels[4 * i + c] = Math.round(points[k][c] * (1 - part) + points[k + 1][c] * part);
    texels[4 * i + 3] = 255;
  }
  return texels;
}

/** Range [low, high] of finite values; [0, 0] of none. */
export function rangeOf(values) {
  let low = Infinity, high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [0, 0];
}

/** Number for people: four digits, powers of ten where they are shorter. */
export function text(value, digits = 4) {
  if (value === null || value === undefined) return "–";
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "–" : value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const plain = size >= 1e-3 && size < 1e6 ? String(Number(value.toPrecision(digits)))
    : value.toExponential(digits - 1).replace(/\.?0*e\+?/, "e");
  return plain.replace("-", "−");
}

/** A unit for people: N/mm² of "N/mm^2". */
export const unitText = unit => (unit || "").replace(/\^(\d)/g, (_, digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]);

/** Words and behind them the unit where there is one: Area [mm²]. */
export const withUnit = (words, unit) => (unit ? `${words} [${unitText(unit)}]` : words);

/** Draw the legend {name, unit, range, scale, bands} into its element. */
export function drawLegend(element, legend) {
  element.hidden = !legend;
  if (!legend) return;
  const n = legend.bands || 8, canvas = element.querySelector("canvas"), context = canvas.getContext("2d");
  const texels = scaleTexels(legend.scale, legend.bands), [low, high] = legend.range;
  canvas.width = 1;
  canvas.height = 256;
  const image = context.createImageData(1, 256);
  for (let i = 0; i < 256; ++i) image.data.set(texels.subarray(4 * (255 - i), 4 * (256 - i)), 4 * i);
  context.putImageData(image, 0, 0);
  element.querySelector(".title").textContent = legend.name;
  element.querySelector(".unit").textContent = unitText(legend.unit);
  element.querySelector(".numbers").replaceChildren(...Array.from({ length: n + 1 }, (_, i) => {
    const line = document.createElement("span");
    line.textContent = text(high + (low - high) * i / n);
    return line;
  }));
}
