// A report page beyond what it shows without a script: one figure of many is chosen, tables are sorted, the body is turned.
import { Viewer } from "./viewer.js";

/** Of several figures one is shown, or all; on paper all. */
function addChoices() {
  for (const group of document.querySelectorAll("[data-choose]")) {
    const figures = [...group.querySelectorAll("figure")];
    if (figures.length < 2) continue;
    const list = document.createElement("select");
    list.append(...["all", ...figures.map(figure => figure.dataset.name)].map((name, i) => new Option(name, i - 1)));
    const show = () => figures.forEach((figure, i) => { figure.hidden = Number(list.value) >= 0 && Number(list.value) !== i; });
    list.addEventListener("change", show);
    list.value = "0";
    show();
    const label = document.createElement("label");
    label.className = "choice";
    label.append(`${group.dataset.choose} `, list);
    group.prepend(label);
  }
}

const numberOf = words => (/^[-\d]/.test(words) ? parseFloat(words) : NaN);

/** Rows by a column: numbers by value, then words; what has neither comes last. */
function sortRows(table, column, sign) {
  const body = table.tBodies[0], key = row => row.cells[column]?.textContent ?? "";
  const order = (a, b) => {
    const [x, y] = [numberOf(key(a)), numberOf(key(b))];
    if (!Number.isNaN(x) && !Number.isNaN(y)) return sign * (x - y);
    if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
    return !key(a) || !key(b) ? key(b).length - key(a).length : sign * key(a).localeCompare(key(b));
  };
  body.append(...[...body.rows].sort(order));
}

function addSorting() {
  for (const table of document.querySelectorAll(".wide table")) {
    if (!table.tHead || !table.tBodies[0] || table.tBodies[0].rows.length < 3) continue;
    [...table.tHead.rows[0].cells].forEach((cell, column, all) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...cell.childNodes);
      button.title = "Sort by this column";
      button.addEventListener("click", () => {
        const sign = cell.getAttribute("aria-sort") === "ascending" ? -1 : 1;
        all.forEach(other => other.removeAttribute("aria-sort"));
        cell.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
        sortRows(table, column, sign);
      });
      cell.append(button);
    });
  }
}

/** The figure stays away where the page has no frames. */
function addBody() {
  const figure = document.getElementById("turn"), data = document.getElementById("frames");
  if (!figure || !data) return;
  const viewer = new Viewer(figure, JSON.parse(data.textContent));
  window.edgewise = viewer; // for tests and for the browser's console
  viewer.start();
}

addChoices();
addSorting();
addBody();
