// Bar at the bottom: frames of a result, or states of the journal while one plays.
import { button, element } from "./elements.js";

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
  const now = frames ? state.frame ?? state.frames - 1 : state.at || 0, key = JSON.stringify([app.mode, n, frames ? 0 : now, app.animation]);
  if (place.dataset.key === key) {
    const range = place.querySelector("input");
    if (range && document.activeElement !== range) range.value = now;
    return;
  }
  place.dataset.key = key;
  if (!n) { place.replaceChildren(); return; }
  if (frames) {
    place.replaceChildren(button(app.animation === "frames" ? "❚❚" : "▶", () => app.animate(app.animation === "frames" ? null : "frames"), { title: "Play the frames", "aria-label": "Play the frames" }),
      ...bar(app, "Frame", now, n - 1, k => state.frame_names?.[k] || `frame ${k + 1} of ${n}`, k => app.setFrame(k)));
    return;
  }
  place.replaceChildren(button("↶", () => app.do("undo"), { disabled: now === 0, title: "Undo (Ctrl Z)", "aria-label": "Undo" }),
    button("↷", () => app.do("redo"), { disabled: now === n, title: "Redo (Ctrl Y)", "aria-label": "Redo" }),
    ...bar(app, "State", now, n, k => `state ${k} of ${n}`, k => app.do("goto", { at: k })));
}
