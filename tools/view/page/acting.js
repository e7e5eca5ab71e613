// What acts on the body, in the panel "Set up": supports, springs and loads, on sets or on the faces that are chosen; tables change them.
import { button, choice, element, field, note, numberEntry, row, section, table, toggle } from "./elements.js";
import { text, withUnit } from "./colors.js";

const CHOSEN = " chosen"; // no set begins with a blank

/** Sets to choose among, the chosen faces first. */
function choiceOfSet(app, label, draft) {
  const names = (app.state.sets || []).map(set => set.name), options = [...(app.chosen.size ? [[CHOSEN, "chosen faces"]] : []), ...names];
  const values = options.map(one => (Array.isArray(one) ? one[0] : one));
  if (app.chosen.size && !draft.hadChosen) draft.set = CHOSEN;
  draft.hadChosen = app.chosen.size > 0;
  if (!values.includes(draft.set)) [draft.set] = values;
  return values.length ? choice(label, options, draft.set, name => { draft.set = name; }) : null;
}

/** The name of the set; chosen faces get one. */
async function nameOf(app, draft, stem) {
  if (draft.set !== CHOSEN) return draft.set;
  const taken = new Set((app.state.sets || []).map(set => set.name));
  let k = 1;
  while (taken.has(`${stem} ${k}`)) ++k;
  const name = `${stem} ${k}`;
  if (!await app.nameChosen(name)) return null;
  draft.set = name;
  return name;
}

async function act(app, draft, stem, command, values) {
  const set = await nameOf(app, draft, stem);
  if (set) await app.do(command, { ...values, set });
}

const removal = (words, onclick) => button("✕", onclick, { className: "plain", title: words, "aria-label": words });

/** Of a component its mark, and while it is prescribed its value. */
function components(app, support, index) {
  const only = (k, now) => [0, 1, 2].map(i => (i === k ? now : null)); // the others stay as they are by then
  return element("div", { className: "row tight" }, "xyz".split("").map((axis, k) => [
    toggle(axis, support.fixed[k], () => app.do("support_change", { index, fixed: only(k, !app.state.supports[index].fixed[k]) }), { "aria-label": `Support ${index + 1} holds ${axis}` }),
    support.fixed[k] && numberEntry(`Displacement ${axis} of support ${index + 1}`, support.value[k], now => app.do("support_change", { index, value: only(k, now) }))]).flat().filter(Boolean));
}

const KINDS = [["fixed", "fixed or displaced", "length"], ["foundation", "elastic foundation", "force/length^3"], ["total", "springs, in total", "force/length"]];
const STIFFNESS = { foundation: ["normal", "tangential"], total: ["kx", "ky", "kz"] };

export function supportSection(app) {
  const { state } = app, supports = state.supports || [], springs = state.springs || [];
  const draft = app.supportDraft ??= { kind: "fixed", fixed: [true, true, true], stiffness: [0, 0, 0] }, sets = choiceOfSet(app, "Set that is fixed", draft);
  const names = STIFFNESS[draft.kind];
  return section("Supports", true,
    supports.length + springs.length > 0 && table(["Set", withUnit("Fixed", app.unitOf("length")), ""], [...supports.map((support, i) => ({
      cells: [support.set || "without a name", support.plain && app.can("support_change") ? components(app, support, i) : support.words || "xyz".split("").filter((_, k) => !support.fixed || support.fixed[k]).join(" "),
        removal(`Remove support of ${support.set}`, () => app.do("support_remove", { index: i }))],
    })), ...springs.map((spring, i) => ({
      cells: [spring.set || "without a name", `${spring.kind} ${spring.stiffness.map(k => text(k, 3)).join(", ")}`, app.can("spring_remove") ? removal(`Remove spring of ${spring.set}`, () => app.do("spring_remove", { index: i })) : ""],
    }))]),
    sets ? [app.can("spring") && field("Kind", choice("Kind of support", KINDS.map(([kind, words, unit]) => [kind, withUnit(words, app.unitOf(unit))]), draft.kind, kind => { draft.kind = kind; draft.stiffness = [0, 0, 0]; app.rebuild(); })),
      field("On", sets),
      names ? row(names.map((name, k) => numberEntry(`Stiffness ${name}`, draft.stiffness[k] || "", value => { draft.stiffness[k] = value; }, { placeholder: name })))
        : row("xyz".split("").map((axis, k) => toggle(axis, draft.fixed[k], () => { draft.fixed[k] = !draft.fixed[k]; app.rebuild(); }, { "aria-label": `Hold ${axis}` }))),
      row(button("Hold", () => (names ? act(app, draft, "spring", "spring", { kind: draft.kind, stiffness: draft.stiffness.slice(0, names.length) }) : act(app, draft, "support", "support", { fixed: draft.fixed }))))]
      : note("Choose or name the faces to hold first."));
}

const LOADS = { force: ["Fx", "Fy", "Fz"], pressure: ["p"], traction: ["tx", "ty", "tz"], moment: ["Mx", "My", "Mz"], gravity: ["gx", "gy", "gz"] };
const UNITS = { force: "force", pressure: "force/length^2", traction: "force/length^2", moment: "force length", gravity: "length/s^2" };
const wordsOf = (app, type) => withUnit(type, UNITS[type] && app.unitOf(UNITS[type]));

function numbersOf(app, load, index) {
  const value = load.value || load.force || [];
  if (!LOADS[load.type] || !app.can("load_change")) return value.map(x => text(x, 3)).join(", ");
  return element("div", { className: "row tight" }, value.map((x, k) => numberEntry(`${LOADS[load.type][k]} of load ${index + 1}`, x,
    now => app.do("load_change", { index, value: value.map((_, i) => (i === k ? now : null)) }))));
}

export function loadSection(app) {
  const { state } = app, loads = state.loads || [], draft = app.loadDraft ??= { type: "force", value: [0, 0, 0] }, sets = choiceOfSet(app, "Set that is loaded", draft), isOfBody = draft.type === "gravity";
  const add = () => (isOfBody ? app.do("load_add", { type: draft.type, value: draft.value }) : act(app, draft, "load", "load_add", { type: draft.type, value: draft.value }));
  return section("Loads", true,
    loads.length > 0 && table(["Load", "Set", "Value", ""], loads.map((load, i) => ({
      cells: [wordsOf(app, load.type || "force"), load.set || "body", numbersOf(app, load, i), removal(`Remove ${load.type}`, () => app.do("load_remove", { index: i }))],
    }))),
    field("Kind", choice("Kind of load", Object.keys(LOADS).map(type => [type, wordsOf(app, type)]), draft.type, type => { draft.type = type; draft.value = LOADS[type].map(() => 0); app.rebuild(); })),
    !isOfBody && (sets ? field("On", sets) : note("Choose or name the faces to load first.")),
    row(LOADS[draft.type].map((name, k) => numberEntry(name, draft.value[k] || "", value => { draft.value[k] = value; }, { placeholder: name }))),
    row(button("Add load", add, { disabled: !isOfBody && !sets })));
}
