// Two results: side by side with one camera and one legend, or the first less the second.
import { button, element, entry, field, note, row, section } from "./elements.js";

const base = path => (path || "").split("/").pop();

/** Names above what is shown. */
export function drawCaptions(app, place) {
  const { file, second, how } = app.state;
  const words = how === "beside" ? [base(file), base(second)] : how === "difference" ? [`${base(file)} − ${base(second)}`] : [];
  place.replaceChildren(...words.map(name => element("span", {}, name)));
}

export function compareSection(app) {
  const { state } = app, draft = app.compareDraft ??= {};
  draft.file ??= state.second || undefined;
  const go = how => app.compare(draft.file, how);
  return section("Second result", Boolean(state.second),
    field("File", entry("Second result", draft.file, words => { draft.file = words; }, { placeholder: "result.vtkhdf" })),
    row(button("Side by side", () => go("beside"), { "aria-pressed": String(state.how === "beside") }),
      button("Difference", () => go("difference"), { "aria-pressed": String(state.how === "difference") }),
      button("Alone", () => app.compare(null, "alone"), { "aria-pressed": String(!state.how || state.how === "alone") })),
    note("A difference is of one mesh, frame by frame: the first less the second."));
}
