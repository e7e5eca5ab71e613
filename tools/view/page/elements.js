// Elements of the panels: each function makes one, with its events bound.

/** Element of a tag with properties; children are elements or text. */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (key in made && key !== "list") made[key] = value; else made.setAttribute(key, value);
  }
  made.append(...children.flat().filter(child => child !== null && child !== undefined && child !== false));
  return made;
}

// Which sections are open, by title, as the user left them.
const open = new Map();

export function section(title, opened, ...children) {
  const made = element("details", { open: open.get(title) ?? opened }, element("summary", {}, title), element("div", {}, ...children));
  made.addEventListener("toggle", () => open.set(title, made.open));
  return made;
}

export const row = (...children) => element("div", { className: "row" }, ...children);
export const note = words => element("p", { className: "note" }, words);
export const field = (label, control) => element("label", { className: "field" }, element("span", {}, label), control);

export function button(words, onclick, properties = {}) {
  return element("button", { type: "button", onclick, ...properties }, words);
}

export function toggle(words, pressed, onclick, properties = {}) {
  return button(words, onclick, { "aria-pressed": String(Boolean(pressed)), ...properties });
}

export function check(label, checked, onchange) {
  const box = element("input", { type: "checkbox", checked });
  box.addEventListener("change", () => onchange(box.checked));
  return element("label", { className: "field check" }, box, element("span", {}, label));
}

/** Choice among [value, words] pairs or plain words. */
export function choice(label, options, value, onchange) {
  const list = element("select", { "aria-label": label },
    options.map(option => (Array.isArray(option) ? option : [option, option])).map(([of, words]) => element("option", { value: of }, words)));
  list.value = value;
  list.addEventListener("change", () => onchange(list.value));
  return list;
}

export function entry(label, value, onchange, properties = {}) {
  const box = element("input", { type: "text", defaultValue: value ?? "", "aria-label": label, ...properties });
  box.addEventListener("change", () => { box.defaultValue = box.value; onchange?.(box.value); });
  return box;
}

/** A number as one types it: powers of ten where they are shorter. */
function shortNumber(value) {
  if (typeof value !== "number") return value;
  const plain = String(value), power = value.toExponential().replace("e+", "e");
  return plain.length > 8 && power.length < plain.length ? power : plain;
}

export const numberEntry = (label, value, onchange, properties = {}) =>
  entry(label, shortNumber(value), onchange && (words => { if (words !== "" && Number.isFinite(Number(words))) onchange(Number(words)); }),
    { inputMode: "decimal", ...properties });

/** Slider with its number beside it; `oninput` while it is dragged. */
export function slider(label, value, low, high, oninput, step = (high - low) / 200) {
  const bar = element("input", { type: "range", min: low, max: high, step, "aria-label": label });
  bar.value = value;
  const box = numberEntry(`${label}, number`, Number(Number(value).toPrecision(5)), number => { bar.value = number; oninput(number); });
  bar.addEventListener("input", () => { box.value = Number(Number(bar.value).toPrecision(5)); oninput(Number(bar.value)); });
  return element("div", { className: "slider" }, bar, box);
}

/** Table of headings and rows; a row is {cells, key, chosen, onclick}; a cell is text or an element. */
export function table(headings, rows) {
  const isNumber = content => typeof content === "string" && /^[−\d.]/.test(content);
  const cell = (tag, content, like) => element(tag, { className: isNumber(like) ? "number" : "" }, content);
  return element("table", {}, element("thead", {}, element("tr", {}, headings.map((words, i) => cell("th", words, rows[0]?.cells[i])))),
    element("tbody", {}, rows.map(line => {
      const made = element("tr", { className: line.chosen ? "chosen" : "", onclick: line.onclick }, line.cells.map(content => cell("td", content, content)));
      if (line.onclick) {
        made.tabIndex = 0;
        made.addEventListener("keydown", event => { if (event.key === "Enter" && event.target === made) line.onclick(event); });
      }
      return made;
    })));
}

export const swatch = color => element("span", { className: "swatch", style: `background:${color}` });
