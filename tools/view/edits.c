/* Commands that edit the mesh of a played body. In: a command. Out: the model with the edit
 * committed, not yet solved; what is refused leaves it as it was. */
#include "play.h"

#include <string.h>

/* ---- tets ------------------------------------------------------------------------------------ */

/* In statics pieces that nothing holds go, too. */
static ew_status commit(view_play *play)
{
    ew_model *model = play->body.model;
    const double start = ew_seconds();
    const uint64_t before = ew_model_mesh(model)->revision;
    int32_t n = 0;
    const bool is_supported = play->supports.n_constraint + play->supports.n_spring > 0;
    ew_status status = play->mode == VIEW_STATICS && is_supported
                           ? ew_model_commit_connected(model, &n)
                           : ew_model_commit(model);
    if (status == EW_UNDER_CONSTRAINED || ew_model_mesh(model)->revision != before) {
        status = EW_OK; /* the edit stays, and the solve says what is wrong with the supports */
    }
    if (status) {
        ew_model_begin(model);
    }
    play->seconds_edit += ew_seconds() - start;
    play->is_changed = true;
    return status;
}

static ew_status commit_or_empty(view_play *play, ew_status queued)
{
    if (queued) {
        ew_model_begin(play->body.model);
        return queued;
    }
    return commit(play);
}

ew_status view_do_remove(view_play *play, const cJSON *command)
{
    ew_set tets = {0};
    ew_status status = view_read_tets(play, command, &tets);
    if (!status && tets.list.n >= ew_model_mesh(play->body.model)->n_live_tet) {
        status = ew_fail(EW_BAD_INPUT, "remove: these are all tets of the body; leave some");
    }
    if (!status) {
        status = commit_or_empty(play, ew_edit_remove_tets(ew_model_edit(play->body.model),
                                                           tets.list.n, tets.list.id));
    }
    ew_set_free(&tets);
    return status;
}

ew_status view_do_refine(view_play *play, const cJSON *command)
{
    ew_model *model = play->body.model;
    ew_set tets = {0};
    ew_status status = view_read_tets(play, command, &tets);
    if (!status) {
        status = commit_or_empty(play,
                                 ew_operation_bisect(ew_model_mesh(model), ew_model_topology(model),
                                                     &tets.list, ew_model_edit(model)));
    }
    ew_set_free(&tets);
    return status;
}

static ew_status queue_cut(view_play *play, const ew_cut_def *def)
{
    ew_model *model = play->body.model;
    ew_cut_report report;
    return ew_operation_cut(ew_model_mesh(model), ew_model_topology(model), def,
                            ew_model_edit(model), &report);
}

/* Flanks of a slit touch in a body that is no case's: a case says itself what does. */
static ew_status commit_slit(view_play *play, ew_status queued)
{
    static const ew_model_contact all = {.slave = -1, .master = -1};
    EW_TRY(commit_or_empty(play, queued));
    return play->body.input ? EW_OK : ew_model_set_contacts(play->body.model, 1, &all);
}

/* A plane through a point: what lies on the side of the normal goes, or the body is slit between
 * "low" and "high" and the sides. */
ew_status view_do_cut(view_play *play, const cJSON *command)
{
    ew_cut_def def = ew_default_cut_def();
    view_sides sides;
    const cJSON *keep = cJSON_GetObjectItemCaseSensitive(command, "keep");
    def.kind = EW_CUT_PLANE;
    EW_TRY(view_read_vector(command, "point", def.a));
    EW_TRY(view_read_vector(command, "normal", def.b));
    if (!keep || (cJSON_IsString(keep) && !strcmp(keep->valuestring, "open"))) {
        def.keep = EW_CUT_KEEP_OPEN;
        EW_TRY(cJSON_GetObjectItemCaseSensitive(command, "low")
                   ? view_read_vector(command, "low", def.low)
                   : EW_OK);
        EW_TRY(cJSON_GetObjectItemCaseSensitive(command, "high")
                   ? view_read_vector(command, "high", def.high)
                   : EW_OK);
        EW_TRY(view_read_sides(command, &sides));
        def.n_side = sides.n;
        memcpy(def.side, sides.side, (size_t)sides.n * sizeof *sides.side);
    } else if (cJSON_IsString(keep) && !strcmp(keep->valuestring, "inside")) {
        def.keep = EW_CUT_KEEP_INSIDE;
    } else {
        return ew_fail(EW_BAD_INPUT, "cut: 'keep' must be open or inside");
    }
    const ew_status queued = queue_cut(play, &def);
    return def.keep == EW_CUT_KEEP_OPEN ? commit_slit(play, queued) : commit_or_empty(play, queued);
}

/* ---- welds ------------------------------------------------------------------------------- */

/* All of the surface, or of it the vertices that the command names. */
ew_status view_do_weld(view_play *play, const cJSON *command)
{
    ew_model *model = play->body.model;
    const bool is_part = cJSON_GetObjectItemCaseSensitive(command, "vertices") ||
                         cJSON_GetObjectItemCaseSensitive(command, "face");
    ew_set vertices = {0};
    double tolerance;
    EW_TRY(view_read_number(command, "tolerance", 0, 1e90, 1e-6 * play->size, &tolerance));
    ew_status status = is_part ? view_read_vertices(play, command, &vertices) : EW_OK;
    if (!status) {
        status =
            commit_or_empty(play, ew_operation_weld(ew_model_mesh(model), ew_model_topology(model),
                                                    is_part ? &vertices.list : NULL, tolerance,
                                                    ew_model_edit(model)));
    }
    ew_set_free(&vertices);
    return status;
}
