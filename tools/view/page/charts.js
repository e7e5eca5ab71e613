// Curves over an axis and histograms as SVG.
import { paletteColor, rangeOf, text } from "./colors.js";

const SPACE = "http://www.w3.org/2000/svg";

export function svg(name, attributes = {}, content = "") {
  const element = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = content;
  return element;
}

/** Chart of curves {name, value[]} over axis {name, unit, value[]}, with a mark at `now` of the axis; a click calls `go` with its place
 * on the axis. */
export function curves(title, unit, axis, list, now, go) {
  const width = 280, height = 150, left = 52, right = 8, top = 20, bottom = 26;
  const chart = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": title });
  const [x0, x1] = rangeOf(axis.value.filter(Number.isFinite));
  let [y0, y1] = rangeOf(list.flatMap(curve => curve.value.filter(Number.isFinite)));
  if (y0 === y1) { y0 -= Math.abs(y0) * 0.05 || 1; y1 += Math.abs(y1) * 0.05 || 1; }
  const x = value => left + (width - left - right) * (x1 > x0 ? (value - x0) / (x1 - x0) : 0.5);
  const y = value => top + (height - top - bottom) * (1 - (value - y0) / (y1 - y0));
  chart.append(svg("text", { x: left, y: 12, class: "chart-title" }, unit ? `${title} [${unit}]` : title));
  for (let i = 0; i <= 4; ++i) {
    const value = y0 + (y1 - y0) * i / 4;
    chart.append(svg("line", { x1: left, x2: width - right, y1: y(value), y2: y(value), class: "grid" }));
    if (i % 2 === 0) chart.append(svg("text", { x: left - 4, y: y(value) + 3, "text-anchor": "end" }, text(value, 3)));
  }
  chart.append(svg("text", { x: left, y: height - 12 }, text(x0, 3)));
  chart.append(svg("text", { x: width - right, y: height - 12, "text-anchor": "end" }, text(x1, 3)));
  chart.append(svg("text", { x: (left + width) / 2, y: height - 12, "text-anchor": "middle" },
    axis.unit ? `${axis.name} [${axis.unit}]` : axis.name));
  list.forEach((curve, i) => {
    let path = "", pen = "M";
    curve.value.forEach((value, k) => {
      if (Number.isFinite(value)) { path += `${pen}${x(axis.value[k]).toFixed(1)} ${y(value).toFixed(1)}`; pen = "L"; } else pen = "M";
    });
    chart.append(svg("path", { d: path, class: "curve", stroke: paletteColor(i) }));
    chart.append(svg("text", { x: width - right - 4, y: top + 10 + 12 * i, "text-anchor": "end", style: `fill: ${paletteColor(i)}` }, curve.name));
  });
  if (now !== undefined && Number.isFinite(now)) chart.append(svg("line", { x1: x(now), x2: x(now), y1: top, y2: height - bottom, class: "now" }));
  if (go) {
    chart.addEventListener("click", event => {
      const box = chart.getBoundingClientRect(), part = ((event.clientX - box.left) / box.width * width - left) / (width - left - right);
      go(x0 + Math.max(0, Math.min(1, part)) * (x1 - x0));
    });
  }
  return chart;
}

/** Bars of counts in equal classes from low to high. */
export function histogram(title, count, low, high) {
  const width = 280, height = 100, left = 8, top = 20, bottom = 16, most = Math.max(1, ...count);
  const chart = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": title });
  const step = (width - 2 * left) / count.length;
  chart.append(svg("text", { x: left, y: 12, class: "chart-title" }, title));
  count.forEach((n, i) => {
    const tall = n ? Math.max(1, (height - top - bottom) * n / most) : 0;
    const bar = svg("rect", { x: left + i * step + 1, width: step - 2, y: height - bottom - tall, height: tall, class: "bar" });
    bar.append(svg("title", {}, `${text(low + (high - low) * i / count.length)} to ${text(low + (high - low) * (i + 1) / count.length)}: ${n.toLocaleString("en")}`));
    chart.append(bar);
  });
  chart.append(svg("text", { x: left, y: height - 4 }, text(low)));
  chart.append(svg("text", { x: width - left, y: height - 4, "text-anchor": "end" }, text(high)));
  return chart;
}
