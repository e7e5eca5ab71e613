// The case file of the panel "Set up": its name, saving, running; and the way back from a result to the body.
import { button, element, entry, note, row, section } from "./elements.js";
import { text } from "./colors.js";

export function casePath(app) {
  app.caseDraft ??= { path: app.state.case_file || "part.yaml" };
  return app.caseDraft.path;
}

async function run(app) {
  const started = await app.do("run", { file: casePath(app) });
  if (started) app.tell(`Saved ${started.file}, and running it`);
}

export const toggleRun = app => (app.state.run?.going ? app.do("stop") : app.can("run") && run(app));

export function caseSection(app) {
  const { state } = app, { going, seconds, line, outcome, report } = state.run || {};
  casePath(app);
  return section("Case file and run", true,
    row(entry("Case file", app.caseDraft.path, words => { app.caseDraft.path = words; }), button("Save case", () => app.save(app.caseDraft.path), { title: "Save the case (Ctrl S)" })),
    app.can("run") && row(button(going ? "Stop the run" : "Save and run", () => toggleRun(app), { className: going ? "" : "primary", title: "Run all steps (Ctrl Enter)" })),
    going ? note(`Running, ${text(seconds, 2)} s. ${line}`) : outcome && note(outcome),
    report && !going && element("details", {}, element("summary", {}, "What the run printed"), element("pre", { className: "report" }, report)),
    note("edgewise run FILE gives the same numbers, bit for bit."));
}

/** On top of what a run has computed. */
export function backSection(app) {
  if (!app.can("body")) return null;
  return section("Result of the run", true, row(button("Back to the body", () => app.do("body"), { className: "primary", title: "Back to the body (Ctrl Enter)" })),
    app.state.run?.report && element("details", {}, element("summary", {}, "What the run printed"), element("pre", { className: "report" }, app.state.run.report)));
}
