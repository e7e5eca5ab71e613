// Panel "Look": field and legend, shape and edges, section, sets, find, curves over time, second result.
import { SCALE_NAMES, paletteColor, text, withUnit } from "./colors.js";
import { compareSection } from "./compare.js";
import { curvesSection } from "./curves.js";
import { button, check, choice, element, entry, field, note, numberEntry, row, section, slider, swatch, table, toggle } from "./elements.js";
import { EXPLODE_KINDS } from "./explode.js";
import { stepsSection } from "./results.js";
import { backSection } from "./run.js";

function fieldSection(app) {
  const { state, stage } = app, { look } = stage, fields = state.fields || [{ name: "von Mises stress" }];
  const shown = { field: app.work.field?.name || fields[0].name, of: app.work.field?.of };
  const field_of = fields.find(one => one.name === shown.field);
  const range = stage.range();
  const locked = look.locked !== null;
  const set = (at, value) => { look.locked = [...(look.locked || range)]; look.locked[at] = value; app.changedLook(); };
  return section("Color", true,
    field("Field", choice("Field", [["", "none"], ...fields.map(one => [one.name, one.label || one.name])], look.values ? shown.field || "" : "",
      name => { look.values = name !== ""; if (name && app.can("field")) app.do("field", { name, of: fields.find(one => one.name === name)?.of?.find(of => of === shown.of) }); app.changedLook(); })),
    field_of && field_of.of && field_of.of.length > 1 && field("Values", choice("Values", field_of.of, shown.of || field_of.of[0], of => app.do("field", { name: shown.field, of }))),
    stage.body.nRegion > 1 && check("Color by region", look.regions, on => { look.regions = on; app.paint(); app.changedLook(); }),
    field("Scale", choice("Scale", SCALE_NAMES, look.scale, name => { look.scale = name; app.changedLook(); })),
    field("Bands", choice("Bands", [[0, "continuous"], [8, "8"], [12, "12"], [16, "16"]], look.bands, n => { look.bands = Number(n); app.changedLook(); })),
    field("Range", row(numberEntry("Smallest value", text(range[0]).replace("−", "-"), value => set(0, value)),
      numberEntry("Largest value", text(range[1]).replace("−", "-"), value => set(1, value)))),
    app.can("range") && state.frames > 1 && row(button("Range of all frames", () => app.lockRangeOfFrames())),
    check("Lock the range", locked, on => { look.locked = on ? range : null; app.changedLook(); }),
    check("Mark smallest and largest value", look.extrema, on => { look.extrema = on; app.changedLook(); }));
}

function shapeSection(app) {
  const { stage } = app, { look } = stage, automatic = look.factor === null, factor = stage.factor() / stage.swing;
  return section("Shape", true,
    field("Displaced", choice("Displacement factor", [["auto", "automatic"], ["1", "true size"], ["0", "not displaced"], ["own", "factor"]],
      automatic ? "auto" : look.factor === 1 ? "1" : look.factor === 0 ? "0" : "own",
      how => { look.factor = how === "auto" ? null : how === "own" ? Number(factor.toPrecision(3)) || 1 : Number(how); app.changedLook(); })),
    field("Factor", numberEntry("Factor", Number(factor.toPrecision(4)), value => { look.factor = value; app.changedLook(); })),
    check("Feature edges", look.edges, on => { look.edges = on; app.changedLook(); }),
    check("Edges of the mesh", look.mesh, on => { look.mesh = on; app.changedLook(); }),
    check("Outline of the undeformed body", look.outline, on => { look.outline = on; app.changedLook(); }),
    check("Supports and loads", look.symbols, on => { look.symbols = on; app.changedLook(); }),
    row(toggle("Animate", app.animation, () => app.animate(app.animation ? null : app.animationKind), { title: "From zero to the largest and back (A)" }),
      choice("Animation", [["up", "0 to max"], ["swing", "−max to max"]], app.animationKind, kind => { app.animationKind = kind; if (app.animation) app.animate(kind); })));
}

function sectionSection(app) {
  const { stage } = app, { look } = stage, { section: plane } = look;
  const set = change => { look.section = { axis: "x", at: 0.5, flip: false, ...plane, ...look.section, ...change }; app.sectionChanged(); };
  return section("Inside", false,
    field("Section", choice("Section plane", [["", "none"], ["x", "across x"], ["y", "across y"], ["z", "across z"]], plane ? plane.axis : "",
      axis => { if (axis) set({ axis }); else { look.section = null; app.sectionChanged(); } app.rebuild(); })),
    plane && field("Place", slider("Place of the section", plane.at, 0, 1, at => set({ at }), 0.005)),
    plane && check("Other side", plane.flip, flip => set({ flip })),
    app.can("explode") && field("Explode", slider("Explode tets", look.explode, 0, 1, part => { look.explode = part; app.explodeChanged(); }, 0.01)),
    app.can("explode") && field("How", choice("How tets are exploded", EXPLODE_KINDS, look.explodeKind, kind => { look.explodeKind = kind; stage.redraw(); })));
}

function setsSection(app) {
  const { state } = app, sets = state.sets || [];
  return section(`Sets (${sets.length})`, sets.length > 0, sets.length ? table(["Set", "Count", withUnit("Area", app.unitOf("length^2"))],
    sets.map((set, i) => ({
      chosen: app.shownSets.has(set.name), onclick: () => app.toggleSet(set.name),
      cells: [element("span", {}, swatch(paletteColor(i)), set.name), `${set.count.toLocaleString("en")}`, set.area === undefined ? "–" : text(set.area)],
    }))) : note("No sets yet; name some faces under Set up."));
}

function findSection(app) {
  const find = { kind: "vertex", id: "" };
  const go = () => { if (find.id !== "") app.find(find.kind, Number(find.id)); };
  return section("Find", false, row(choice("Kind", ["vertex", "tet"], find.kind, kind => { find.kind = kind; }),
    entry("Number", "", id => { find.id = id; go(); }, { inputMode: "numeric", placeholder: "number" }), button("Show", go)));
}

export function lookPanel(app) {
  return [backSection(app), fieldSection(app), shapeSection(app), stepsSection(app), curvesSection(app), sectionSection(app), setsSection(app), app.can("inspect") && findSection(app), app.can("compare") && compareSection(app)];
}
