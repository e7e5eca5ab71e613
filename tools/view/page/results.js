// What the page has of a result and not of a body: steps, frames that play, two bodies in one picture.
import { button, element, note, section, table } from "./elements.js";
import { text } from "./colors.js";

/** Arrays of a picture by body: those of the second are called second_NAME. */
export function bodiesOf(arrays) {
  const first = {}, second = {};
  for (const [name, data] of Object.entries(arrays)) {
    if (name.startsWith("second_")) second[name.slice(7)] = data; else first[name] = data;
  }
  return second.displacement ? [first, second] : [first];
}

/** Steps with the frame that each begins with; a click shows that. */
export function stepsSection(app) {
  const { state } = app, steps = state.steps || [];
  if (!state.result) return null;
  const last = steps.filter(step => step.frame >= 0 && step.frame <= state.frame).pop();
  return section(`Steps (${steps.length})`, steps.length > 1,
    state.reason && note(`This study stopped before its end: ${state.reason}`),
    table(["Step", "Kind"], steps.map(step => ({ chosen: step === last, cells: [step.name, step.words],
      onclick: step.frame >= 0 ? () => app.setFrame(step.frame) : undefined }))),
    ...(last?.warnings || "").split("\n").filter(Boolean).map(note));
}

/** Bar at the bottom: play or pause, speed, the frame and its name. */
export function frameBar(app, bar) {
  const { state, work } = app, n = state.frames, step = by => app.setFrame(Math.max(0, Math.min(n - 1, (state.frame ?? n - 1) + by)));
  const speeds = [1, 2, 5, 10, 20, 30, 60], speed = element("select", { "aria-label": "Frames a second", title: "Frames a second" },
    [...new Set([...speeds, state.speed])].sort((a, b) => a - b).map(value => element("option", { value }, `${text(value)}/s`)));
  speed.value = state.speed;
  speed.addEventListener("change", () => {
    state.speed = Number(speed.value);
    if (app.work.playing) app.do("play", { speed: state.speed });
  });
  return [button(work.playing ? "❚❚" : "▶", () => app.playPause(), { title: "Play the frames (Space)", "aria-label": "Play the frames" }),
    button("‹", () => step(-1), { title: "Frame before (,)", "aria-label": "Frame before" }), button("›", () => step(1), { title: "Next frame (.)", "aria-label": "Next frame" }),
    speed, ...bar(app, "Frame", state.frame ?? n - 1, n - 1, k => state.frame_names?.[k] || `frame ${k + 1} of ${n}`, k => app.setFrame(k))];
}
