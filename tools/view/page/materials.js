// Materials of the panel "Set up": constants by region, the library with its sources, the system of units.
import { button, choice, element, field, note, numberEntry, section } from "./elements.js";
import { text } from "./colors.js";

const SYSTEMS = [["m", "N"], ["mm", "N"], ["in", "lbf"]];
const system = ({ length, force }) => `${length}-${force}`;

/** Units of the numbers that belong to a material: [[key, words, unit]]. */
function numbers({ length, force }) {
  const known = length && force;
  return [["young", "Young's modulus", known ? `${force}/${length}²` : ""], ["poisson", "Poisson's ratio", ""],
    ["density", "Density", known ? (length === "m" && force === "N" ? "kg/m³" : `${force} s²/${length}⁴`) : ""]];
}

function unitsField(app) {
  const { units } = app.state, names = SYSTEMS.map(([length, force]) => `${length}-${force}`);
  if (!units?.length || !app.can("units") || app.state.is_case) return null;
  if (!names.includes(system(units))) names.push(system(units));
  return field("Units", choice("Units of lengths and forces", names, system(units), name => {
    const [length, force] = name.split("-");
    app.do("units", { length, force });
  }));
}

function libraryOf(app, material) {
  const { library = [] } = app.state, of = library.find(one => one.name === material.library);
  if (!library.length) return null;
  return element("div", { className: "stack" },
    field("From library", choice(`Library material of region ${material.region}`, [["", "own numbers"], ...library.map(one => [one.name, `${one.name}: ${one.help}`])], material.library || "",
      name => { if (name) app.do("material", { region: material.region, library: name }); })),
    of && note(`${of.yield ? `Yield stress ${text(of.yield / 1e6)} MPa. ` : ""}${of.source}`));
}

export function materialSection(app) {
  const { state } = app, { materials = [], units = {} } = state;
  const change = (material, values) => app.do("material", { region: material.region, young: material.young, poisson: material.poisson, density: material.density, ...values });
  return materials.length > 0 && section("Material", true, unitsField(app), materials.map(material => element("div", { className: "stack" },
    materials.length > 1 && element("strong", {}, `Region ${material.region}`), libraryOf(app, material),
    material.young === undefined ? note("Not isotropic: constants along axes, from the library or the case.")
      : numbers(units).map(([key, words, unit]) => field(unit ? `${words} [${unit}]` : words, numberEntry(`${words} of region ${material.region}`, material[key], value => change(material, { [key]: value })))))));
}
