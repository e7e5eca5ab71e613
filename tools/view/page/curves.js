// Curves of a result over time or over its steps: energies, probes, numbers of the steps; those that the user chooses.
import { curves } from "./charts.js";
import { choice, element, section } from "./elements.js";

const MOST = 3; // charts that are shown at first

const matching = (groups, chosen) => chosen.map(name => groups.find(group => group.name === name)).filter(Boolean);

/** Charts with a mark at the present frame, and a list to add others by. */
export function curvesSection(app) {
  const { history, state } = app, groups = history?.groups || [];
  if (!groups.length) return null;
  app.curves ??= groups.slice(0, MOST).map(group => group.name);
  const now = history.frames ? history.frames[state.frame ?? -1] : history.axis?.value[state.frame ?? -1];
  const set = names => { app.curves = names; app.rebuild(); };
  const left = groups.map(group => group.name).filter(name => !app.curves.includes(name));
  return section("Curves", true,
    matching(groups, app.curves).map(group => {
      const chart = curves(group.name, group.unit, group.axis || history.axis, group.curves, now, value => {
        if (!history.frames || !(group.axis || history.axis)) return;
        let near = 0;
        history.frames.forEach((at, k) => { if (Math.abs(at - value) < Math.abs(history.frames[near] - value)) near = k; });
        app.setFrame(near);
      });
      return element("div", { className: "charted" }, chart,
        element("button", { type: "button", className: "plain close", "aria-label": `Remove the curve ${group.name}`, onclick: () => set(app.curves.filter(name => name !== group.name)) }, "✕"));
    }),
    left.length > 0 && choice("Curve to add", [["", "add a curve …"], ...left], "", name => { if (name) set([...app.curves, name]); }));
}
