// The mesh in the panel "Set up": how many tets, the length of their edges, filling again, their shapes.
import { button, field, note, numberEntry, row, section, table } from "./elements.js";
import { histogram } from "./charts.js";
import { text } from "./colors.js";

async function fill(app, size) {
  const filled = await app.do("fill", { size });
  if (!filled) return;
  app.tell(filled.lines.join("; "), filled.warning);
  if (app.quality) app.showQuality();
}

export function meshSection(app) {
  const { state, quality, work } = app, { mesh } = state, draft = app.meshDraft ??= {};
  const unit = state.units?.length ? ` [${state.units.length}]` : "";
  return section("Mesh", true,
    note(`${(work.n_tet ?? 0).toLocaleString("en")} tets, ${(work.n_vertex ?? 0).toLocaleString("en")} vertices${mesh?.edge ? `, edges of ${text(mesh.edge, 3)}${state.units?.length ? ` ${state.units.length}` : ""} on average` : ""}`),
    app.can("fill") && field(`Edge length${unit}`, numberEntry("Edge length of the mesh", draft.size ?? (mesh?.size || ""), value => { draft.size = value; }, { placeholder: "automatic" })),
    app.can("fill") && row(button("Fill with tets", () => fill(app, draft.size ?? mesh?.size ?? 0), { className: "primary", title: `${mesh?.by || "Mesher"} makes the tets again; sets, supports and loads are carried over` }),
      mesh?.size > 0 && button("As the file says", () => { draft.size = undefined; fill(app, 0); })),
    app.can("quality") && row(button(quality ? "Quality again" : "Quality", () => app.showQuality())),
    quality && histogram("Quality of tets (1: regular)", quality.count, quality.low ?? 0, quality.high ?? 1),
    quality && table(["Worst tets", "Quality"], (quality.worst || []).map(one => ({ cells: [`tet ${one.tet}`, text(one.quality, 3)], onclick: () => app.find("tet", one.tet) }))),
    quality && note("They are drawn in red; a click marks one."));
}
