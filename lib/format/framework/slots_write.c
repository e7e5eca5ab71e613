/* Slots and ids of a mesh as lines of comments behind it: in a mesh, out what slots.h describes. */
#include "format/framework/print.h"
#include "format/framework/slots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PER_LINE = 16 };

typedef struct writing {
    const ew_mesh *mesh;
    const char *prefix; /* of a line */
    ew_plan plan;
    ew_text text;
    size_t capacity;
    int32_t on_line; /* numbers on the line so far */
} writing;

static ew_status put_words(writing *w, const char *words)
{
    EW_TRY(ew_text_room(&w->text, &w->capacity, strlen(words)));
    ew_put_text(&w->text, words);
    return EW_OK;
}

static ew_status end_line(writing *w)
{
    const bool open = w->on_line > 0;
    w->on_line = 0;
    return open ? put_words(w, "\n") : EW_OK;
}

/* A word on a line of its own; numbers follow. */
static ew_status begin_section(writing *w, const char *word)
{
    EW_TRY(end_line(w));
    EW_TRY(put_words(w, w->prefix));
    w->on_line = 1;
    return put_words(w, word);
}

static ew_status write_number(writing *w, int64_t value)
{
    char text[32];
    if (w->on_line == PER_LINE) {
        EW_TRY(end_line(w));
    }
    snprintf(text, sizeof text, " %lld", (long long)value);
    EW_TRY(w->on_line ? EW_OK : put_words(w, w->prefix));
    w->on_line++;
    return put_words(w, text);
}

static ew_status put_place(writing *w, const double xyz[3])
{
    EW_TRY(ew_text_room(&w->text, &w->capacity, 3 * EW_MAX_DOUBLE));
    ew_put_point(&w->text, xyz);
    return end_line(w);
}

/* Slots in the order of the file, then ids by runs of following ones. */
static ew_status put_entities(writing *w, const int32_t *slot, int32_t n, int32_t n_slot,
                              const int64_t *id, int64_t next)
{
    int32_t n_run = 0;
    EW_TRY(write_number(w, n));
    EW_TRY(write_number(w, n_slot));
    EW_TRY(write_number(w, next));
    EW_TRY(end_line(w));
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(write_number(w, slot[i]));
        n_run += !i || id[slot[i]] != id[slot[i - 1]] + 1;
    }
    EW_TRY(begin_section(w, "ids"));
    EW_TRY(write_number(w, n_run));
    EW_TRY(end_line(w));
    for (int32_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && id[slot[end]] == id[slot[end - 1]] + 1; end++) {
        }
        EW_TRY(write_number(w, id[slot[i]]));
        EW_TRY(write_number(w, end - i));
    }
    return EW_OK;
}

static ew_status put_list(writing *w, const char *word, const int32_t *value, int32_t n)
{
    EW_TRY(begin_section(w, word));
    EW_TRY(write_number(w, n));
    EW_TRY(end_line(w));
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(write_number(w, value[i]));
    }
    return EW_OK;
}

typedef struct named {
    int64_t id;
    int32_t slot;
} named;

static int by_id(const void *a, const void *b)
{
    const int64_t first = ((const named *)a)->id, second = ((const named *)b)->id;
    return (first > second) - (first < second);
}

/* Entities whose ids the file lacks, by ids. */
static ew_status list_unused(const writing *w, named **list, int32_t *n)
{
    const ew_mesh *mesh = w->mesh;
    *n = 0;
    EW_TRY(ew_new(list, (size_t)(mesh->n_vertex - w->plan.n_vertex), sizeof **list));
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (mesh->valence[v] == 0 && !w->plan.number[v]) {
            (*list)[(*n)++] = (named){mesh->vertex_id[v], v};
        }
    }
    qsort(*list, (size_t)*n, sizeof **list, by_id);
    return EW_OK;
}

static ew_status put_unused(writing *w)
{
    named *list;
    int32_t n;
    EW_TRY(list_unused(w, &list, &n));
    ew_status status = begin_section(w, "unused");
    status = status ? status : write_number(w, n);
    status = status ? status : end_line(w);
    for (int32_t i = 0; i < n && !status; i++) {
        status = write_number(w, list[i].slot);
        status = status ? status : write_number(w, list[i].id);
        status = status ? status : put_place(w, w->mesh->xyz + 3 * (size_t)list[i].slot);
    }
    ew_release(list);
    return status;
}

/* Triangles that are kept but no faces, by their place among all kept ones. */
static ew_status put_triangles(writing *w)
{
    const ew_mesh *mesh = w->mesh;
    int32_t n = 0, place = 0;
    for (int32_t f = 0; f < mesh->n_face; f++) {
        n += ew_mesh_face_is_kept(mesh, f) && !w->plan.live[f];
    }
    EW_TRY(begin_section(w, "triangles"));
    EW_TRY(write_number(w, mesh->face_id_end));
    EW_TRY(write_number(w, n));
    EW_TRY(end_line(w));
    for (int32_t f = 0; f < mesh->n_face; f++) {
        if (!ew_mesh_face_is_kept(mesh, f)) {
            continue;
        }
        if (!w->plan.live[f]) {
            EW_TRY(write_number(w, place));
            for (size_t k = 0; k < 3; k++) {
                EW_TRY(write_number(w, mesh->face[3 * (size_t)f + k]));
            }
            EW_TRY(write_number(w, mesh->face_label[f]));
        }
        place++;
    }
    return EW_OK;
}

static ew_status put_curve(writing *w, int32_t i)
{
    const ew_mesh *mesh = w->mesh;
    EW_TRY(write_number(w, mesh->curve_end[2 * (size_t)i]));
    EW_TRY(write_number(w, mesh->curve_end[2 * (size_t)i + 1]));
    return put_place(w, mesh->curve + 3 * (size_t)i);
}

static ew_status put_sides(writing *w)
{
    const ew_mesh *mesh = w->mesh;
    EW_TRY(begin_section(w, "sides"));
    EW_TRY(write_number(w, mesh->has_middles));
    EW_TRY(write_number(w, mesh->n_curve));
    EW_TRY(end_line(w));
    int32_t *order;
    EW_TRY(ew_new(&order, (size_t)mesh->n_curve, sizeof *order));
    ew_status status = ew_mesh_sort_curves(mesh, order);
    for (int32_t i = 0; i < mesh->n_curve && !status; i++) {
        status = put_curve(w, order[i]);
    }
    ew_release(order);
    return status;
}

static ew_status put_block(writing *w)
{
    const ew_mesh *mesh = w->mesh;
    const ew_plan *p = &w->plan;
    EW_TRY(begin_section(w, EW_SLOTS_WORDS));
    EW_TRY(write_number(w, EW_SLOTS_VERSION));
    EW_TRY(begin_section(w, "vertices"));
    EW_TRY(put_entities(w, p->vertex, p->n_vertex, mesh->n_vertex, mesh->vertex_id,
                        mesh->next_vertex_id));
    EW_TRY(put_unused(w));
    EW_TRY(put_list(w, "holes", mesh->vertex_hole.id, mesh->vertex_hole.n));
    EW_TRY(begin_section(w, "tets"));
    EW_TRY(put_entities(w, p->tet, p->n_tet, mesh->n_tet, mesh->tet_id, mesh->next_tet_id));
    EW_TRY(put_list(w, "holes", mesh->tet_hole.id, mesh->tet_hole.n));
    EW_TRY(put_list(w, "regions", mesh->region_label, mesh->n_region));
    EW_TRY(put_triangles(w));
    EW_TRY(put_sides(w));
    EW_TRY(begin_section(w, "end"));
    return end_line(w);
}

ew_status ew_slots_write(const ew_format *format, const ew_mesh *mesh, ew_text *text)
{
    writing w = {.mesh = mesh, .prefix = format->comment[1], .text = *text, .capacity = text->size};
    *text = (ew_text){0};
    ew_status status = ew_plan_make(mesh, true, &w.plan);
    status = status ? status : put_words(&w, format->comment[0]);
    status = status ? status : put_block(&w);
    status = status ? status : put_words(&w, format->comment[2]);
    ew_plan_free(&w.plan);
    if (status) {
        ew_text_free(&w.text);
    }
    *text = w.text;
    return status;
}
