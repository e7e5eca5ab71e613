/* Changes by the edits of a step, and lost loads and members. */
#include "report.h"

#include <string.h>

/* The many edits of an element removal are one. *last: the place of the last. */
static ew_edit_report join_edits(const ew_step_report *step, int32_t first, int32_t *last)
{
    ew_edit_report all = step->edit[first];
    *last = first;
    while (step->removal && *last + 1 < step->n_edit &&
           !strcmp(step->edit[*last + 1].kind, all.kind)) {
        const ew_edit_report *edit = &step->edit[++*last];
        all.tets_after = edit->tets_after;
        all.vertices_after = edit->vertices_after;
        all.volume_after = edit->volume_after;
        all.quality_after = edit->quality_after;
    }
    return all;
}

/* Changes by the edits, and lost loads and members. */
void report_edits(const ew_case *input, const ew_step_report *step)
{
    for (int32_t i = 0; i < step->n_edit; i++) {
        const ew_edit_report joined = join_edits(step, i, &i), *edit = &joined;
        char before[32], after[32], vertices_before[32], vertices_after[32];
        if (edit->time == edit->time) {
            printf("  %-11.5g %s at this time\n", edit->time, edit->kind);
        }
        printf("  %-12s %s -> %s tets, %s -> %s vertices, volume %.6g -> %.6g, min quality "
               "%.3g -> %.3g",
               edit->kind, tool_count(edit->tets_before, before),
               tool_count(edit->tets_after, after),
               tool_count(edit->vertices_before, vertices_before),
               tool_count(edit->vertices_after, vertices_after), edit->volume_before,
               edit->volume_after, edit->quality_before, edit->quality_after);
        if (edit->error == edit->error) {
            printf(", estimated error before %.2f %%", 100.0 * edit->error);
        }
        puts("");
    }
    if (step->n_left_out) {
        printf("  components   %d under-constrained (%d tets) were left out\n",
               (int)step->n_left_out, (int)step->left_out_tets);
    }
    for (int32_t s = 0; s < input->n_set; s++) {
        if (step->lost_members[s]) {
            printf("  set          '%s' lost %d %s\n", input->set[s].name,
                   (int)step->lost_members[s], ew_set_kind_name(input->set[s].kind));
        }
    }
    for (int32_t s = 0; s < step->n_surface; s++) {
        const ew_surface_report *surface = &step->surface[s];
        if (surface->n_released) {
            printf("  surface      '%s': %d of %d vertices have gone with what was taken away\n",
                   surface->name, (int)surface->n_released, (int)surface->n_vertex);
        }
    }
    const double *lost = step->lost_force;
    if (lost[0] != 0.0 || lost[1] != 0.0 || lost[2] != 0.0) {
        printf("  loads        lost the force (%.6g, %.6g, %.6g) with what was taken away\n",
               lost[0], lost[1], lost[2]);
    }
    if (step->compacted) {
        char text[32];
        printf("  compacted    most slots were holes: vertices and tets renumbered inside, tables "
               "built again in %s\n",
               tool_duration(step->seconds_compact, text));
    }
}
