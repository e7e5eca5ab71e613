/* Named sets in, masks and records out. A mask is a field of uint8: 1 at the points of a set, 16 at
 * its tets; of a set of faces, at each tet, bit f (from 0) for its face f. It is written again only
 * where it has changed. What is known of a set in a step stands below /Edgewise/Steps/<k>/Sets. */
#include "results/internal.h"

#include <stdio.h>
#include <string.h>

enum { WHOLE_TET = 16 };

/* ---- names ------------------------------------------------------------------- */

/* "set_" and the name, with _ for what a path, a spreadsheet or a calculator would take amiss; cut
 * between characters. */
static void plain_name(const char *name, char out[EW_RESULT_NAME - 8])
{
    const int room = EW_RESULT_NAME - 8 - 1;
    const unsigned char *c = (const unsigned char *)name;
    int n = snprintf(out, (size_t)room, "set_");
    for (; *c && n < room; c++) {
        const bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                            (*c >= '0' && *c <= '9') || *c == '-' || *c >= 0x80;
        out[n++] = letter ? (char)*c : '_';
    }
    if (*c) {
        while (((unsigned char)out[n - 1] & 0xc0) == 0x80) {
            n--;
        }
        n -= (unsigned char)out[n - 1] >= 0xc0;
    }
    out[n] = 0;
}

static bool is_taken(const ew_result *result, int32_t n, const char *name)
{
    bool taken = false;
    for (int32_t i = 0; i < n; i++) {
        taken = taken || !strcmp(result->mask[i].name, name);
    }
    return taken;
}

static void name_mask(ew_result *result, int32_t k, const ew_result_set *set)
{
    char plain[EW_RESULT_NAME - 8], name[EW_RESULT_NAME];
    plain_name(set->name, plain);
    snprintf(name, sizeof name, "%s", plain);
    for (uint16_t i = 2; is_taken(result, k, name); i++) {
        snprintf(name, sizeof name, "%s_%hu", plain, i);
    }
    ew_column_init(&result->mask[k], set->kind == EW_RESULT_VERTICES ? EW_ON_VERTICES : EW_ON_TETS,
                   EW_U8, 0, name);
}

/* ---- checks -------------------------------------------------------------------- */

ew_status ew_sets_check(const ew_result *result, const ew_result_frame *frame)
{
    bool same = result->n_step == 0 || result->n_mask == frame->n_set;
    for (int32_t k = 0; k < frame->n_set && same && result->n_step; k++) {
        const bool on_vertices = frame->set[k].kind == EW_RESULT_VERTICES;
        same = on_vertices == (result->mask[k].place == EW_ON_VERTICES);
    }
    return same ? EW_OK
                : ew_fail(EW_BAD_ARGUMENT,
                          "step %d (%s): its sets differ from those of the first step",
                          result->n_step, frame->name);
}

ew_status ew_sets_init(ew_result *result, const ew_result_frame *frame)
{
    if (result->n_step > 0) {
        return EW_OK;
    }
    ew_sets_free(result); /* of a first step that was refused */
    EW_TRY(ew_new_zero(&result->mask, (size_t)frame->n_set, sizeof *result->mask));
    for (int32_t k = 0; k < frame->n_set; k++) {
        name_mask(result, k, &frame->set[k]);
        result->n_mask = k + 1;
    }
    return EW_OK;
}

void ew_sets_free(ew_result *result)
{
    ew_release(result->mask);
    result->mask = NULL;
    result->n_mask = 0;
}

/* ---- masks --------------------------------------------------------------------- */

/* Row by row of the frame, without the holes of the slots. The middle of an edge is in a set of
 * vertices that has both its ends. */
static ew_status pack_mask(const ew_result_frame *frame, const ew_result_set *set, uint8_t **packed,
                           int32_t *n)
{
    const ew_mesh *mesh = frame->mesh;
    const ew_result_edges *edges = frame->edges;
    const bool on_vertices = set->kind == EW_RESULT_VERTICES;
    const bool on_faces = set->kind == EW_RESULT_FACES;
    const int32_t n_slot = on_vertices ? mesh->n_vertex : mesh->n_tet;
    const int32_t n_edge = on_vertices && edges ? edges->n_edge : 0;
    uint8_t *flag = NULL;
    EW_TRY(ew_new_zero(&flag, (size_t)n_slot + (size_t)n_edge, sizeof *flag));
    for (int32_t i = 0; i < set->member->n; i++) {
        const int32_t id = set->member->id[i], slot = on_faces ? id / 4 : id;
        flag[slot] = (uint8_t)(flag[slot] | (on_vertices ? 1 : on_faces ? 1 << id % 4 : WHOLE_TET));
    }
    for (int32_t e = 0; e < n_edge; e++) {
        const int32_t *end = edges->end + 2 * (size_t)e;
        flag[n_slot + e] = (uint8_t)(end[0] >= 0 ? flag[end[0]] & flag[end[1]] : 0);
    }
    *n = 0;
    for (int32_t slot = 0; slot < n_slot; slot++) {
        if (on_vertices ? ew_mesh_vertex_is_active(mesh, slot) : ew_mesh_tet_is_live(mesh, slot)) {
            flag[(*n)++] = flag[slot];
        }
    }
    for (int32_t e = 0; e < n_edge; e++) {
        if (edges->end[2 * (size_t)e] >= 0) {
            flag[(*n)++] = flag[n_slot + e];
        }
    }
    *packed = flag;
    return EW_OK;
}

static ew_status append_mask(ew_result *result, const ew_result_frame *frame,
                             const ew_result_set *set, ew_column *column)
{
    uint8_t *packed;
    int32_t n;
    EW_TRY(pack_mask(frame, set, &packed, &n));
    ew_status status = EW_OK;
    if (!ew_bytes_stay(&column->last, packed, (size_t)n)) {
        column->begin = column->data.n_row;
        status = ew_series_append(&result->store, &column->data, packed, n);
    }
    ew_release(packed);
    return status;
}

ew_status ew_sets_append(ew_result *result, const ew_result_frame *frame)
{
    for (int32_t k = 0; k < frame->n_set; k++) {
        EW_TRY(append_mask(result, frame, &frame->set[k], &result->mask[k]));
    }
    return EW_OK;
}

/* ---- records --------------------------------------------------------------------- */

ew_status ew_sets_record(const ew_result *result, const ew_result_frame *frame)
{
    static const char *const kind[] = {"vertices", "faces", "tets"};
    const ew_store *store = &result->store;
    for (int32_t k = 0; k < frame->n_set; k++) {
        const ew_result_set *set = &frame->set[k];
        char group[80];
        snprintf(group, sizeof group, "/Edgewise/Steps/%06d/Sets/%04d", result->n_step, k);
        EW_TRY(ew_store_group(store, group));
        EW_TRY(ew_store_text(store, group, "name", set->name));
        EW_TRY(ew_store_text(store, group, "kind", kind[set->kind]));
        EW_TRY(ew_store_text(store, group, "mask", result->mask[k].name));
        for (int32_t i = 0; i < set->n_number; i++) {
            const ew_result_number *number = &set->number[i];
            EW_TRY(
                ew_store_attribute(store, group, number->name, EW_F64, number->n, number->value));
        }
    }
    return EW_OK;
}
