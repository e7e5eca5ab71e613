// Steps of the panel "Set up": a table of them, the numbers of each, and a new one.
import { button, choice, element, field, note, numberEntry, section } from "./elements.js";
import { text } from "./colors.js";

const KINDS = { static: "static", motion: "motion in time", modes: "vibration modes", buckling: "buckling", other: "edits" };
const STARTS = [["rest", "at rest, loads act at once"], ["previous", "from the step before"], ["release", "from the step before, released"]];
const NUMBERS = { modes: [["count", "Number of modes"]], buckling: [["count", "Number of factors"]], motion: [["dt", "Time step"], ["duration", "Duration"], ["every", "Steps to a frame"]] };

function describe(step) {
  if (step.kind === "motion") return `${KINDS.motion}, ${text(step.duration)} in steps of ${text(step.dt)}`;
  return step.count === undefined ? KINDS[step.kind] : `${step.count} ${step.kind === "modes" ? KINDS.modes : "buckling factors"}`;
}

function numbersOf(app, step, index) {
  const change = values => app.do("step_change", { index, ...values });
  return [...(NUMBERS[step.kind] || []).map(([key, words]) => field(words, numberEntry(`${words} of ${step.name}`, step[key], value => change({ [key]: value })))),
    step.kind === "motion" && !step.of_case && field("Starts", choice(`Start of ${step.name}`, STARTS, step.start, start => change({ start })))];
}

export function stepSection(app) {
  const { steps = [] } = app.state;
  return section(`Steps (${steps.length})`, true,
    steps.map((step, i) => element("div", { className: "step" },
      element("div", { className: "row" }, element("strong", {}, `${i + 1}. ${step.name}`), element("span", { className: "grow" }, describe(step)),
        step.fixed ? null : button("✕", () => app.do("step_remove", { index: i }), { className: "plain", title: `Remove step ${step.name}`, "aria-label": `Remove step ${step.name}` })),
      numbersOf(app, step, i))),
    field("Add", choice("Step to add", [["", "step …"], ...Object.entries(KINDS).filter(([kind]) => kind !== "other")], "",
      kind => { if (kind) app.do("step_add", { kind }); })),
    note("Run computes all steps; what is shown here is a static answer."));
}
