// State of the page and what its panels, tools and keys do: the program's state, the last picture's numbers, choices of the user.
import { drawLegend, paletteColor, rgb, text, unitText } from "./colors.js";
import { element, button } from "./elements.js";
import { drawMarks } from "./marks.js";
import { Stage } from "./stage.js";
import { chooserTool, grabLoad, playTool } from "./tools.js";
import { diagonal, boxOf } from "./vector.js";
import { drawTimeline } from "./timeline.js";
import { lookPanel } from "./panel_look.js";
import { drawCaptions } from "./compare.js";
import { bodiesOf } from "./results.js";
import { setupPanel } from "./panel_setup.js";
import { WORK, playPanel, workSection } from "./panel_play.js";

const PANELS = { look: ["Look", lookPanel], setup: ["Set up", setupPanel, "set"], play: ["Play", playPanel, "mode"] }; // words, panel, a command it needs
const QUIET = new Set(["preview", "inspect", "quality", "history", "field", "section", "explode"]); // their success says nothing of a refusal before
const at = id => document.getElementById(id);

const isSame = (a, b) => !!a && !!b && a.length === b.length && a.every((one, i) => one === b[i]);

export class App {
  constructor() {
    this.state = {};
    this.work = {}; // header of the last picture
    this.mode = "look";
    this.shownSets = new Set();
    this.chosen = new Set(); // triangles
    this.chooser = null;
    this.grow = { by: "angle", angle: 20 };
    this.playTool = null;
    this.toolOptions = { knife: "open", brush: "remove", radius: 12, stiffness: undefined };
    this.animation = null;
    this.animationKind = "up";
    this.stage = new Stage(at("drawing"), at("overlay"), (...words) => drawMarks(this, ...words));
    this.stage.click = place => this.clicked(place);
    this.stage.grab = place => grabLoad(this, place);
    at("panel").addEventListener("pointerdown", () => { this.isPressing = true; });
    for (const event of ["pointerup", "pointercancel"]) window.addEventListener(event, () => { this.isPressing = false; }, true);
    for (const event of ["focusout", "pointerup"]) at("panel").addEventListener(event, () => setTimeout(() => { if (this.postponed) this.rebuild(); }));
    this.stage.troubleChanged = () => this.captions();
    if (this.stage.trouble) this.captions();
    this.connection = null; // set by main.js before anything is done
  }

  async do(name, values = {}) {
    const answer = await this.connection.do(name, values), box = at("message");
    if (answer && box.classList.contains("bad") && !QUIET.has(name)) box.hidden = true; // what it said is past
    return answer;
  }

  /** Whether the program knows a command. */
  can(name) { return !this.state.commands || this.state.commands.includes(name); }

  /** The unit of "length", of "length^2" or of "force/length^2" in the body's units; "": they are not known. */
  unitOf(kind) {
    const { length_unit: ofResult, units = {} } = this.state, length = ofResult || units.length, { force } = units;
    return (!kind.includes("length") || length) && (!kind.includes("force") || force) ? kind.replace("length", length).replace("force", force) : "";
  }

  /** Entries of the journal: the state has the last ones, and comes before its picture. */
  journalLength() {
    const { journal = [], at = 0 } = this.state, last = journal[journal.length - 1];
    return Math.max(at, last?.at ?? journal.length);
  }

  // What comes from the program.

  hearState(state) {
    this.tellTrouble(state);
    if (state.trouble) return;
    const isFirst = !this.state.kind, isOther = !isFirst && !this.state.result !== !state.result;
    this.state = state;
    this.stage.lengthUnit = this.unitOf("length");
    if ((isFirst || isOther) && state.modes) this.animationKind = "swing";
    if (isOther) this.shownIsOther();
    if (isOther && state.result) this.tell(`The run has ended: ${state.file}`);
    this.captions();
    at("name").textContent = (state.file || "").split("/").pop();
    document.title = `${at("name").textContent} – Edgewise`;
    if (this.mode === "look" && !this.history && state.commands && this.can("history")) this.loadHistory();
    this.paint();
    this.rebuild();
  }

  captions() {
    const { trouble } = this.stage;
    if (!trouble) drawCaptions(this, at("captions"));
    else at("captions").replaceChildren(element("span", { className: "trouble" }, `${trouble}. Until then edges alone are drawn; panels, tables and commands work.`));
  }

  /** A file that cannot be opened, in place of all else. */
  tellTrouble({ file, trouble }) {
    const box = at("trouble");
    document.body.classList.toggle("broken", Boolean(trouble));
    box.hidden = !trouble;
    if (!trouble) return;
    document.title = "Edgewise";
    box.replaceChildren(element("h2", {}, `${file.split("/").pop()} cannot be opened`), element("p", { className: "line" }, trouble),
      element("p", { className: "note" }, "This page opens it as soon as the file, or what it names, is repaired."));
  }

  /** A result in place of the body, or the body again. */
  shownIsOther() {
    const { look } = this.stage, hadSection = look.section, hadTets = this.exploding;
    this.history = this.quality = null;
    this.shownSets.clear();
    look.locked = look.section = null;
    look.explode = 0;
    this.animate(null);
    this.showPicked(null);
    if (hadSection && !this.state.result) this.sectionChanged();
    if (hadTets && !this.state.result) this.do("explode", { on: false });
    this.exploding = false;
    this.setMode(this.state.result ? "look" : "setup");
    this.isOther = true; // until a picture of it has come
  }

  async loadHistory() {
    this.history = { groups: [] };
    this.history = await this.do("history") || this.history;
    this.rebuild();
  }

  hearPicture(header, arrays) {
    const { stage } = this, first = !stage.body.nTriangle, before = this.work, parts = bodiesOf(arrays), n = stage.bodies.length;
    const { face } = stage.body;
    if (this.isOther && arrays.triangle) { stage.look.factor = null; this.isOther = false; }
    stage.setCount(parts.length);
    parts.forEach((own, i) => this.updateBody(stage.bodies[i], own, { extrema: i ? header.second_extrema : header.extrema, largest: header.largest }));
    if (before.field && before.field.name !== header.field?.name) stage.look.locked = null; // it is of the field before
    this.work = header;
    if (first && this.state.cad) this.grow.by = "cad";
    if (arrays.triangle && isSame(face, stage.body.face)) this.paint(); // other sets alone: what is chosen stays
    else if (arrays.triangle) this.pictureHasNewTriangles();
    if (header.message && header.message !== before.message) this.tell(this.explain(header.message), false, true);
    if (!header.message && before.message) at("message").hidden = true;
    if (first || n !== parts.length) stage.fit();
    this.changedLook(false);
    this.drawStatus();
    if (this.mode === "play") this.drawWork();
    if (header.frame !== undefined) this.showFrame(header.frame, header.playing);
    const shown = JSON.stringify([header.mode, header.playing, header.field, !header.playing && this.mode === "look" && stage.range()]);
    if (shown !== this.panelShows) this.rebuild(); // what the panel says of the picture
    this.panelShows = shown;
  }

  updateBody(body, arrays, more) {
    const { cap_position, cap_displacement, cap_value, corner_value, ...rest } = arrays, exploded = {};
    for (const name of Object.keys(rest)) {
      if (!name.startsWith("exploded_")) continue;
      exploded[name.slice(9)] = rest[name];
      delete rest[name];
    }
    const values = corner_value ? { cornerValue: corner_value, value: undefined } : rest.value ? { cornerValue: undefined } : {};
    if (rest.triangle) Object.assign(rest, { mesh_edge: rest.mesh_edge, cad_face: rest.cad_face });
    body.update({ ...rest, ...values, ...more });
    if (cap_position) this.setBatch(body.cap, { position: cap_position, displacement: cap_displacement, value: cap_value });
    if (exploded.displacement) body.explode(exploded);
  }

  /** The program's frame; panels a few times a second while it plays. */
  showFrame(frame, playing) {
    const isNew = this.state.frame !== frame, now = performance.now();
    this.state.frame = frame;
    drawTimeline(this, at("timeline"));
    if (!isNew || (playing && now - (this.frameDrawn || 0) < 300)) return;
    this.frameDrawn = now;
    this.rebuild();
  }

  setBatch(batch, arrays) {
    for (const [name, data] of Object.entries(arrays)) if (data) batch.set(name, data);
    const p = arrays.position, normal = new Float32Array(p.length);
    for (let i = 0; i + 8 < p.length; i += 9) {
      const [ux, uy, uz, vx, vy, vz] = [3, 4, 5, 6, 7, 8].map(k => p[i + k] - p[i + k % 3]);
      for (let k = 0; k < 9; k += 3) normal.set([uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx], i + k);
    }
    batch.set("normal", normal);
  }

  pictureHasNewTriangles() {
    this.chosen = new Set();
    this.picked = null;
    this.paint();
  }

  /** Why there is no answer, for who has not come to supports yet. */
  explain(message) {
    const { supports = [], springs = [] } = this.state, isBare = this.can("support") && !supports.length && !springs.length;
    return isBare && message.includes("constrained") ? `There are no supports yet: choose faces under Set up, and press Hold (${message})` : message;
  }

  tell(line, bad = false, stays = false) {
    const box = at("message");
    box.textContent = line;
    box.classList.toggle("bad", bad);
    box.hidden = false;
    clearTimeout(this.messageTimer);
    if (!bad && !stays) this.messageTimer = setTimeout(() => { box.hidden = true; }, 6000);
  }

  // What is shown.

  changedLook(panels = true) {
    const { stage, work } = this, { field } = work;
    const shown = !stage.trouble && stage.look.values && stage.body.shownValue && stage.body.range.some(Boolean);
    drawLegend(at("legend"), shown ? { name: `${this.state.how === "difference" ? "difference of " : ""}${field?.name || "von Mises stress"}${field?.of === "tets" ? " of tets" : ""}`, unit: field?.unit, range: stage.range(), scale: stage.look.scale, bands: stage.look.bands } : null);
    stage.redraw();
    if (panels) this.rebuild();
  }

  /** Whether a control of the panel is being used: a button that is pressed, a text that is typed or a slider that is dragged must not be
   * replaced. */
  isBusy() {
    if (this.isPressing) return true;
    const used = document.activeElement;
    return at("panel").contains(used) && (used.type === "text" ? used.value !== used.defaultValue : used.type === "range" && used.matches(":active"));
  }

  /** Panels again; what has the focus keeps it, with the words that are selected in it. */
  rebuild() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.postponed = this.isBusy();
      if (this.postponed) return;
      const panel = at("panel"), used = document.activeElement, inside = panel.contains(used);
      const label = inside && (used.getAttribute("aria-label") || used.textContent), top = panel.scrollTop;
      panel.replaceChildren(...PANELS[this.mode][1](this).filter(Boolean));
      panel.scrollTop = top;
      const next = label && [...panel.querySelectorAll("button, input, select, summary")].find(one => (one.getAttribute("aria-label") || one.textContent) === label);
      if (next) next.focus();
      if (next && next.type === "text" && used.type === "text") next.setSelectionRange(used.selectionStart, used.selectionEnd, used.selectionDirection);
      this.drawModes();
      drawTimeline(this, at("timeline"));
    });
  }

  /** Times of the last picture, a few times a second. */
  drawWork() {
    const now = performance.now();
    if (now - (this.workDrawn || 0) < 200) return;
    this.workDrawn = now;
    [...at("panel").children].find(one => one.firstChild.textContent === WORK)?.replaceWith(workSection(this));
  }

  drawModes() {
    at("modes").replaceChildren(...Object.entries(PANELS).filter(([, [, , needs]]) => !needs || this.can(needs)).map(([mode, [words]]) =>
      button(words, () => this.setMode(mode), { role: "tab", "aria-selected": String(mode === this.mode) })));
  }

  setMode(mode) {
    if (PANELS[mode][2] && !this.can(PANELS[mode][2])) return;
    this.mode = mode;
    this.playTool = this.chooser = this.stage.tool = null;
    at("panel").scrollTop = 0;
    if (mode === "setup") this.setChooser("face");
    this.choose(new Set());
    this.rebuild();
  }

  drawStatus() {
    const { work } = this, count = (n, words) => n !== undefined && n !== null && `${n.toLocaleString("en")} ${words}`;
    const error = work.error === null || work.error === undefined ? null : `estimated error ${text(100 * work.error, 3)} %`;
    const touch = work.contact, contact = touch && `contact ${text(touch.force, 3)} ${unitText(this.unitOf("force"))} on ${text(touch.area, 3)} ${unitText(this.unitOf("length^2"))}`;
    at("status").replaceChildren(...[count(work.n_live ?? work.n_tet, "tets"), count(work.n_vertex, "vertices"), count(work.iterations, "iterations"),
      count(work.blocks, "blocks touched"), contact, error, work.stages?.total !== undefined && `${text(work.stages.total, 3)} ms`]
      .filter(Boolean).map(words => element("span", {}, words)));
  }

  /** Colors of chosen faces and shown sets. */
  paint() {
    const { stage, chosen } = this, marked = new Map();
    (this.state.sets || []).forEach((set, i) => {
      if (this.shownSets.has(set.name)) for (const t of this.trianglesOfSet(set.name)) marked.set(t, [...rgb(paletteColor(i)), 215]);
    });
    const accent = [255, 170, 30, 225], { region } = stage.body;
    const regions = stage.look.regions && region ? [...new Set(region)].sort((a, b) => a - b) : [];
    const ofRegion = regions.map((_, i) => [...rgb(paletteColor(i)), 255]), index = new Map(regions.map((label, i) => [label, i]));
    stage.body.paint(t => (chosen.has(t) ? accent : marked.get(t) || (regions.length ? ofRegion[index.get(region[t])] : null)));
    stage.redraw();
  }

  trianglesOfSet(name) {
    const i = (this.state.sets || []).findIndex(set => set.name === name), { body } = this.stage, found = [];
    const words = body.face_set ? body.face_set.length / body.nTriangle : 0; // of 32 sets each
    if (i < 0 || i >= 32 * words) return found;
    for (let t = 0; t < body.nTriangle; ++t) if (body.face_set[t * words + (i >>> 5)] >>> (i & 31) & 1) found.push(t);
    return found;
  }

  toggleSet(name) {
    if (!this.shownSets.delete(name)) this.shownSets.add(name);
    this.paint();
    this.rebuild();
  }

  async sectionChanged() {
    const plane = this.stage.plane();
    this.stage.redraw();
    if (this.can("section")) await this.do("section", plane ? { normal: plane.slice(0, 3), offset: plane[3] } : {});
  }

  explodeChanged() {
    const on = this.stage.look.explode > 0;
    if (on !== this.exploding) this.do("explode", { on });
    this.exploding = on;
    this.stage.redraw();
  }

  compare(file, how) { return this.do("compare", file && file !== this.state.second ? { file, how } : { how }); }

  /** The range of the field over all frames. */
  async lockRangeOfFrames() {
    const range = await this.do("range");
    if (range) this.stage.look.locked = [range.low, range.high];
    this.changedLook();
  }

  animate(kind) {
    this.animation = kind;
    if (this.timer) cancelAnimationFrame(this.timer);
    this.timer = null;
    this.stage.swing = 1;
    const begin = performance.now(), tick = now => {
      const t = (now - begin) / 1000;
      this.stage.swing = kind === "up" ? (1 - Math.cos(Math.PI * t)) / 2 : Math.sin(Math.PI * t);
      this.stage.redraw();
      this.timer = requestAnimationFrame(tick);
    };
    if (kind) this.timer = requestAnimationFrame(tick);
    this.changedLook();
  }

  setFrame(frame) {
    if (frame === this.state.frame) return;
    this.state.frame = frame;
    this.do("frame", { index: frame });
  }

  stepOn(by) {
    const { frames, frame } = this.state;
    if (frames) this.setFrame(Math.max(0, Math.min(frames - 1, frame + by)));
    else if (by > 0) this.do("step", { n: by });
  }

  // Picking.

  async clicked({ x, y }) {
    const hit = this.stage.pick(x, y);
    if (!hit) { this.showPicked(null); return; }
    if (hit.tet !== undefined) { this.find("tet", hit.tet); return; }
    const { body, triangle, vertex } = hit;
    const ends = [0, 1, 2].map(k => this.stage.project(body.place(body.triangle[3 * triangle + k], this.stage.factor(body)), hit.view));
    const near = ends.map(([px, py]) => Math.hypot(px - x, py - y)), closest = near.indexOf(Math.min(...near));
    const corner = body.triangle[3 * triangle + closest], row = near[closest] < 9 && !(body.vertex_id?.[corner] < 0) ? corner : undefined;
    const rows = [["triangle of tet", body.tet?.[triangle]], ["nearest vertex", body.vertex_id?.[vertex]], ["value", text(body.shownValue[3 * triangle + Math.max(0, [0, 1, 2].findIndex(k => body.triangle[3 * triangle + k] === vertex))])]];
    this.showPicked({ at: row, place: hit.place, title: row === undefined ? "Face" : "Vertex", rows });
    const more = this.can("inspect") && await this.do("inspect", row === undefined ? { face: body.face?.[triangle] } : { vertex: body.vertex_id?.[row] });
    if (more?.rows && this.picked) this.showPicked({ ...this.picked, title: more.title || this.picked.title, rows: more.rows });
  }

  async find(kind, id) {
    const found = await this.do("inspect", { [kind]: id });
    if (!found) return;
    const row = kind === "vertex" ? [...(this.stage.body.vertex_id || [])].indexOf(id) : -1;
    this.showPicked({ at: row >= 0 ? row : undefined, place: found.place, title: found.title || `${kind} ${id}`, rows: found.rows || [] });
  }

  showPicked(picked) {
    this.picked = picked;
    const card = at("selection");
    card.hidden = !picked;
    if (picked) {
      card.replaceChildren(element("h2", {}, picked.title), button("✕", () => this.showPicked(null), { className: "plain close", "aria-label": "Close" }),
        element("dl", {}, picked.rows.flatMap(([name, value, unit]) => [element("dt", {}, name), element("dd", {}, `${typeof value === "number" ? text(value, 5) : value ?? "–"} ${unitText(unit)}`)])));
    }
    this.stage.redraw();
  }

  // Faces to name.

  setChooser(kind) {
    this.chooser = kind;
    this.stage.tool = kind ? chooserTool(this) : null;
    this.rebuild();
  }

  choose(triangles) {
    this.chosen = triangles;
    this.paint();
    this.rebuild();
  }

  chooseMore(triangles, more) {
    const chosen = more ? new Set(this.chosen) : new Set(), all = triangles.length && triangles.every(t => chosen.has(t));
    for (const t of triangles) if (all && this.chooser !== "paint") chosen.delete(t); else chosen.add(t);
    this.choose(chosen);
  }

  grown(triangle) {
    const { body } = this.stage, { cad_face } = body;
    if (this.grow.by === "cad" && cad_face && cad_face[triangle] >= 0) {
      return Array.from(cad_face.keys()).filter(t => cad_face[t] === cad_face[triangle]);
    }
    return [...body.grow(triangle, this.grow.angle)];
  }

  chosenArea() { return [...this.chosen].reduce((sum, t) => sum + this.stage.body.area(t), 0); }

  async nameChosen(name) {
    const { chosen } = this, before = this.state.sets.find(set => set.name === name), faces = [...new Set([...chosen].map(t => this.stage.body.face[t]))];
    if (!await this.do("set", { name, faces })) return false;
    this.shownSets.add(name);
    if (before) this.tell(`'${name}' has these faces now, in place of the ${before.count} before (Ctrl Z brings them back)`);
    if (this.chosen === chosen) this.choose(new Set()); // or others have been chosen meanwhile
    return true;
  }

  async renameSet(name, to) {
    if (!await this.do("set_rename", { name, to })) return;
    if (this.shownSets.delete(name)) this.shownSets.add(to);
    for (const draft of [this.supportDraft, this.loadDraft]) if (draft?.set === name) draft.set = to;
    this.paint();
  }

  async showQuality() {
    this.quality = await this.do("quality");
    this.rebuild();
  }

  async save(file) {
    const saved = await this.do("save", { file });
    if (saved) this.tell(`Saved ${saved.file || file}${saved.mesh ? ` and ${saved.mesh}` : ""}`);
  }

  // Play.

  setPlayTool(name) {
    this.playTool = name;
    this.stage.tool = playTool(this, this.playTool);
    this.rebuild();
  }

  playPause() { return this.do(this.work.playing ? "pause" : "play", this.work.playing ? {} : { dt: this.state.dt, speed: this.state.speed }); }

  /** Radius of the brush in units of the mesh. */
  radiusInSpace() { return this.toolOptions.radius * this.stage.camera.height / this.stage.canvas.clientHeight; }

  size() { return diagonal(boxOf(this.stage.body.position)); }
}
