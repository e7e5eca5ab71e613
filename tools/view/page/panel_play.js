// Panel "Play": how the body moves, tools that pull, fix, cut, brush and weld, sliders of parameters, times of the stages.
import { text, unitText } from "./colors.js";
import { button, choice, element, field, note, numberEntry, row, section, slider, table, toggle } from "./elements.js";

export const TOOLS = [
  ["pull", "Pull", "Drag the body by a spring (P)"], ["fix", "Fix", "A click fixes what is under it (X)"],
  ["knife", "Knife", "A stroke cuts through (K)"], ["brush", "Brush", "A stroke removes or refines (B)"],
  ["weld", "Weld", "A stroke from vertex to vertex joins them, a click what meets near it (W)"],
];
const ANALYSES = [["statics", "static"], ["dynamics", "linear, in time"], ["rotations", "large rotations, in time"]];

function motionSection(app) {
  const { work } = app, moves = work.mode !== "statics";
  return section("Motion", true,
    field("Analysis", choice("Analysis", ANALYSES, work.mode, mode => app.do("mode", { mode }))),
    moves && row(toggle(work.playing ? "❚❚ Pause" : "▶ Play", work.playing, () => app.playPause(), { title: "Space" }),
      button("Step", () => app.do("step", { n: 1 }), { title: "One step in time (.)" })),
    moves && field("Time step", numberEntry("Time step", app.state.dt, dt => { app.state.dt = dt; if (work.playing) app.do("play", { dt }); })),
    moves && field("Speed", choice("Speed of play", [[0, "as fast as it is solved"], [0.01, "0.01 of real time"], [0.1, "0.1 of real time"], [1, "real time"]], app.state.speed || 0,
      speed => { app.state.speed = Number(speed); if (work.playing) app.do("play", { dt: app.state.dt, speed: app.state.speed }); })),
    work.mode === "dynamics" && work.contact && note("With small displacements faces meet where they were made; pieces that fall or slide take large rotations."),
    note(moves ? `time ${text(work.time ?? 0)}` : "Each change is solved at once."));
}

function toolSection(app) {
  const options = app.toolOptions;
  return section("Tools", true,
    row(TOOLS.map(([name, words, title]) => toggle(words, app.playTool === name, () => app.setPlayTool(app.playTool === name ? null : name), { title }))),
    app.playTool === "pull" && field("Stiffness", numberEntry("Stiffness of the spring", options.stiffness, value => { options.stiffness = value; }, { placeholder: "automatic" })),
    app.playTool === "knife" && field("Knife", choice("Knife", [["open", "slits the body along the stroke"], ["inside", "takes away what is to its right"], ["remove", "removes the tets along the stroke"]], options.knife, how => { options.knife = how; })),
    app.playTool === "brush" && field("Brush", choice("Brush", [["remove", "removes tets"], ["refine", "refines tets"]], options.brush, how => { options.brush = how; })),
    ["brush", "fix", "weld"].includes(app.playTool) && field("Radius", slider("Radius of the brush, pixels", options.radius, 2, 60, radius => { options.radius = radius; }, 1)),
    app.playTool === "weld" && field("Nearer than", numberEntry("Weld vertices nearer than", options.tolerance, value => { options.tolerance = value; }, { placeholder: "1e-6 of the size" })),
    app.playTool === "weld" && row(button("Weld all that meets", () => app.do("weld", { tolerance: options.tolerance }), { title: "Joins faces that meet" })),
    app.playTool ? note("The right button turns the body while a tool is on; Esc puts the tool away. Fix: with Ctrl all is free again.")
      : (app.state.loads || []).length > 0 && note("Drag the arrow of a load: it turns and grows with it."));
}

function parameterSection(app) {
  const parameters = app.state.parameters || [];
  if (!parameters.length) return null;
  return section("Parameters", true, parameters.map(one => field(one.name, slider(one.name, one.value, one.low, one.high, value => app.do("parameter", { name: one.name, value })))));
}

/** What a load is a part of, and which part: of the numbers that a slider began with, as long as it is along them. */
function partOf(app, i, value) {
  const base = app.loadBase?.[i] || value, square = base.reduce((sum, x) => sum + x * x, 0);
  const part = base.reduce((sum, x, k) => sum + x * value[k], 0) / (square || 1);
  const isAlong = square > 0 && value.every((x, k) => Math.abs(x - part * base[k]) <= 1e-9 * Math.sqrt(square));
  return isAlong ? [base, part] : [value, 1];
}

function loadSection(app) {
  const loads = app.state.loads || [];
  if (!loads.length) return null;
  return section("Loads", true, loads.map((load, i) => {
    const value = load.value || [0, 0, 0], [base, part] = partOf(app, i, value);
    return load.type !== "other" && field(load.set || `load ${i + 1}`, slider(`Load ${i + 1}, part`, part, -2, 2, wanted => {
      (app.loadBase ??= [])[i] = base;
      app.do("load", { index: i, value: base.map(x => wanted * x) });
    }, 0.05));
  }), note("Parts of the loads as they were."));
}

function materialSection(app) {
  return (app.state.materials || []).length ? section("Stiffness", true, app.state.materials.map(one => field(`E, region ${one.region}`,
    slider(`Young's modulus of region ${one.region}`, one.young, 0, 3 * one.young, young => { if (young > 0) app.do("material", { ...one, young }); })))) : null;
}

export const WORK = "Work of the last picture";

export function workSection(app) {
  const { work } = app;
  const lines = Object.entries(work.stages || {}).map(([name, ms]) => ({ cells: [name, `${text(ms, 3)} ms`] }));
  for (const [key, words] of [["blocks", "blocks touched"], ["iterations", "iterations"], ["error", "estimated error"]]) {
    if (work[key] !== undefined && work[key] !== null) lines.push({ cells: [words, key === "error" ? `${text(100 * work[key], 3)} %` : work[key].toLocaleString("en")] });
  }
  const { contact } = work;
  for (const [key, words, unit] of contact ? [["force", "contact force", "force"], ["area", "touching area", "length^2"], ["overlap", "overlap", "length"]] : []) {
    lines.push({ cells: [words, `${text(contact[key], 3)} ${unitText(app.unitOf(unit))}`] });
  }
  return section(WORK, true, table(["Stage", "Time"], lines),
    contact?.left > 0 && note(`${contact.left} points of contact were left to the next frame: while a body plays each is solved at most three times. A run solves to the end.`),
    contact?.fast && note("Something moves by more than an edge in a step, and may pass through what it meets: take smaller steps."));
}

const DONE = { add: "added", change: "changed", remove: "removed", rename: "renamed", rule: "by rule" };
const wordsOf = name => name.split("_").map((word, i) => (i && DONE[word]) || word).join(" "); // "load added" of load_add

function journalSection(app) {
  const { journal = [], at = 0 } = app.state, n = app.journalLength();
  return section(`Journal (${at} of ${n})`, true,
    row(button("↶ Undo", () => app.do("undo"), { disabled: at === 0, title: "Ctrl Z" }), button("↷ Redo", () => app.do("redo"), { disabled: at === n, title: "Ctrl Y" })),
    element("div", { className: "tall" }, table(["", "Change"], journal.map((one, i) => ({ of: one, k: one.at ?? i + 1 })).map(({ of, k }) =>
      ({ chosen: k === at, cells: [String(k), of.label || (of.n ? `${of.do}, ${of.n} times` : wordsOf(of.do))], onclick: () => app.do("goto", { at: k }) })))));
}

export function playPanel(app) { return [motionSection(app), toolSection(app), loadSection(app), parameterSection(app), materialSection(app), workSection(app), journalSection(app)]; }
