// Panel "Set up": chosen faces and their names, materials, supports, loads, mesh, steps, the case file.
import { paletteColor, text, unitText } from "./colors.js";
import { materialSection } from "./materials.js";
import { meshSection } from "./mesh.js";
import { caseSection } from "./run.js";
import { selectorSection } from "./selectors.js";
import { loadSection, supportSection } from "./acting.js";
import { stepSection } from "./steps.js";
import { button, choice, element, entry, field, note, row, section, slider, swatch, table, toggle } from "./elements.js";

const CHOOSERS = [["face", "Face"], ["band", "Box"], ["paint", "Paint"]];

function facesSection(app) {
  const { chosen } = app, draft = { name: "" };
  const save = () => app.nameChosen(draft.name || `faces ${(app.state.sets || []).length + 1}`);
  return section("Faces", true,
    row(CHOOSERS.map(([name, words]) => toggle(words, app.chooser === name, () => app.setChooser(app.chooser === name ? null : name),
      { title: { face: "A click takes a face, up to edges", band: "A drag takes all that is seen in a box", paint: "A stroke takes what it passes" }[name] }))),
    app.chooser === "face" && field("Up to", choice("Faces are grown", [["cad", "face of CAD"], ["angle", "edges by angle"]], app.grow.by, by => { app.grow.by = by; app.rebuild(); })),
    app.chooser === "face" && app.grow.by === "angle" && field("Angle [°]", slider("Largest angle between faces", app.grow.angle, 1, 90, angle => { app.grow.angle = angle; }, 1)),
    note(chosen.size ? `${chosen.size.toLocaleString("en")} faces chosen, area ${text(app.chosenArea())} ${unitText(app.unitOf("length^2"))}` : "Click a face; with Ctrl more are added, with Ctrl again taken away."),
    row(entry("Name of the set", "", words => { draft.name = words; }, { placeholder: "name", oninput: event => { draft.name = event.target.value; },
      onkeydown: event => { if (event.key === "Enter") save(); } }),
      button("Name it", save, { disabled: !chosen.size, className: "primary" }), button("Clear", () => app.choose(new Set()), { disabled: !chosen.size })));
}

/** Sets of a case that was opened keep their names. */
const canRename = (app, set) => app.can("set_rename") && !(set.of_file && app.state.is_case);

function renameEntry(app, set) {
  const end = () => { app.renaming = null; app.rebuild(); };
  const box = entry("New name of the set", set.name, async to => {
    app.renaming = null;
    if (to && to !== set.name) await app.renameSet(set.name, to);
    app.rebuild();
  }, { onclick: event => event.stopPropagation(), onkeydown: event => { event.stopPropagation(); if (event.key === "Escape") end(); if (event.key === "Enter") box.blur(); }, onblur: () => { if (box.value === set.name) end(); } });
  requestAnimationFrame(() => { box.focus(); box.select(); });
  return box;
}

function setsSection(app) {
  const sets = app.state.sets || [];
  return section(`Sets (${sets.length})`, true, sets.length ? table(["Set", "Count", ""], sets.map((set, i) => ({
    chosen: app.shownSets.has(set.name), onclick: () => app.toggleSet(set.name),
    cells: [app.renaming === set.name ? renameEntry(app, set) : element("span", {}, swatch(paletteColor(i)), set.name), set.count.toLocaleString("en"), element("span", {},
      canRename(app, set) ? button("✎", event => { event.stopPropagation(); app.renaming = set.name; app.rebuild(); }, { className: "plain", title: `Rename ${set.name}`, "aria-label": `Rename set ${set.name}` }) : "",
      app.can("set_remove") && !set.of_file ? button("✕", event => { event.stopPropagation(); app.do("set_remove", { name: set.name }); }, { className: "plain", title: `Remove ${set.name}`, "aria-label": `Remove set ${set.name}` }) : "")],
  }))) : note("None yet."), selectorSection(app));
}

export function setupPanel(app) {
  return [facesSection(app), setsSection(app), materialSection(app), app.can("support") && supportSection(app), app.can("load_add") && loadSection(app), meshSection(app),
    app.can("step_add") && stepSection(app), app.can("save") && caseSection(app)];
}

export const setColor = (app, name) => paletteColor((app.state.sets || []).findIndex(set => set.name === name));
