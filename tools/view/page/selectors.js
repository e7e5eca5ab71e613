// Sets by a rule in the panel "Set up": kinds with their numbers, the faces that the numbers catch while they are typed.
import { button, choice, element, entry, field, note, numberEntry, row } from "./elements.js";
import { text } from "./colors.js";
import { boxOf } from "./vector.js";

/** Numbers to begin with: of the box of the body. */
function start(app, kind) {
  const { low, high } = boxOf(app.stage.body.position), middle = low.map((x, i) => (x + high[i]) / 2), size = Math.min(...high.map((x, i) => x - low[i]));
  const number = x => Number(x.toPrecision(6)), xyz = (name, v) => Object.fromEntries(v.map((x, i) => [`${name}${"xyz"[i]}`, number(x)]));
  return {
    plane: { ...xyz("", low), "normal x": 1, "normal y": 0, "normal z": 0 },
    box: { ...xyz("low ", low), ...xyz("high ", high) },
    sphere: { ...xyz("", middle), radius: number(size) },
    cylinder: { ...xyz("from ", [...middle.slice(0, 2), low[2]]), ...xyz("to ", [...middle.slice(0, 2), high[2]]), radius: number(size / 2) },
    normal: { "normal x": 0, "normal y": 0, "normal z": 1, angle: 20 },
  }[kind] || {};
}

/** Faces that the draft catches are chosen, so that they are seen and counted. */
async function preview(app, draft) {
  const asked = draft.asked = (draft.asked || 0) + 1;
  const found = await app.do("preview", { kind: draft.kind, values: draft.values });
  if (!found || asked !== draft.asked) return;
  const { body } = app.stage, wanted = new Set(found.faces), triangles = new Set();
  for (let t = 0; t < body.nTriangle; ++t) if (wanted.has(body.face[t])) triangles.add(t);
  draft.caught = `${found.count.toLocaleString("en")} faces, area ${text(found.area)}`;
  app.choose(triangles);
}

function choose(app, draft, kind, values = start(app, kind), name = draft.name) {
  Object.assign(draft, { kind, values: { ...values }, name, caught: null });
  preview(app, draft);
}

/** The rule that is being written; sets that have one offer it again. */
export function selectorSection(app) {
  const { selectors = [], sets = [] } = app.state, draft = app.selectorDraft ??= { kind: "", values: {}, name: "" };
  if (!selectors.length) return null;
  const kind = selectors.find(one => one.name === draft.kind), ruled = sets.filter(set => set.rule);
  const save = async () => { if (await app.do("set_rule", { name: draft.name || `faces ${sets.length + 1}`, kind: draft.kind, values: draft.values })) app.shownSets.add(draft.name); };
  return element("div", { className: "stack" },
    field("By rule", choice("Selector", [["", "…"], ...selectors.map(one => one.name)], draft.kind, name => { if (name) choose(app, draft, name); else { draft.kind = ""; app.choose(new Set()); } })),
    ruled.length > 0 && field("Change", choice("Rule of a set", [["", "…"], ...ruled.map(set => set.name)], "", name => {
      const { rule } = ruled.find(set => set.name === name) || {};
      if (rule) choose(app, draft, rule.kind, rule.values, name);
    })),
    kind && kind.numbers.map(number => field(number, numberEntry(number, draft.values[number] ?? "", value => { draft.values[number] = value; preview(app, draft); }))),
    kind && draft.caught && note(draft.caught),
    kind && row(entry("Name of the rule's set", draft.name, words => { draft.name = words; }, { placeholder: "name", oninput: event => { draft.name = event.target.value; } }),
      button("Set by rule", save, { className: "primary" })));
}
