// Bar at the bottom: frames of a result, or states of the journal while one plays.
import { button, element } from "./elements.js";
import { frameBar } from "./results.js";

function bar(app, label, value, last, words, go) {
  const range = element("input", { type: "range", min: 0, max: last, step: 1, "aria-label": label });
  range.value = value;
  const shown = element("output", {}, words(value));
  range.addEventListener("input", () => { shown.textContent = words(Number(range.value)); go(Number(range.value)); });
  return [range, shown];
}

/** Made again only when what it shows has changed: a slider that is dragged must not be replaced. */
export function drawTimeline(app, place) {
  const { state } = app, frames = app.mode === "look" && state.frames > 1;
  const n = frames ? state.frames : app.mode === "play" ? app.journalLength() : 0;
  const now = frames ? state.frame ?? state.frames - 1 : state.at || 0, key = JSON.stringify([app.mode, n, frames ? [app.work.playing, state.speed] : now]);
  if (place.dataset.key === key) {
    const range = place.querySelector("input");
    if (range && !range.matches(":active")) {
      range.value = now;
      if (frames) place.querySelector("output").textContent = state.frame_names?.[now] || `frame ${now + 1} of ${n}`;
    }
    return;
  }
  place.dataset.key = key;
  // In play it is there from the start: the stage must not change its size under a stroke.
  if (!n && app.mode !== "play") { place.replaceChildren(); return; }
  if (frames) { place.replaceChildren(...frameBar(app, bar)); return; }
  place.replaceChildren(button("↶", () => app.do("undo"), { disabled: now === 0, title: "Undo (Ctrl Z)", "aria-label": "Undo" }),
    button("↷", () => app.do("redo"), { disabled: now === n, title: "Redo (Ctrl Y)", "aria-label": "Redo" }),
    ...bar(app, "State", now, n, k => `state ${k} of ${n}`, k => app.do("goto", { at: k })));
}
