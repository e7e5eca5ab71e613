/* A picture of a played body. In: its model as it is. Out: the bytes of its surface with what is
 * to be seen on it, and of that alone for who has the surface. */
#include "play.h"

#include <math.h>
#include <string.h>

ew_status view_grow_surface(view_play *play, int32_t n_vertex, int32_t n_triangle)
{
    const int32_t n_slot = ew_model_mesh(play->body.model)->n_vertex;
    int32_t had = play->vertex_capacity, grown = had;
    EW_TRY(ew_grow(&play->row, &play->row_capacity, n_slot, sizeof *play->row));
    EW_TRY((grown = had, ew_grow(&play->vertex_id, &grown, n_vertex, sizeof *play->vertex_id)));
    EW_TRY((grown = had, ew_grow(&play->position, &grown, n_vertex, 3 * sizeof *play->position)));
    EW_TRY((grown = had,
            ew_grow(&play->displacement, &grown, n_vertex, 3 * sizeof *play->displacement)));
    EW_TRY((grown = had, ew_grow(&play->shown, &grown, n_vertex, sizeof *play->shown)));
    play->vertex_capacity = grown;
    grown = had = play->triangle_capacity;
    EW_TRY((grown = had, ew_grow(&play->triangle, &grown, n_triangle, 3 * sizeof *play->triangle)));
    EW_TRY((grown = had, ew_grow(&play->tet, &grown, n_triangle, sizeof *play->tet)));
    EW_TRY((grown = had, ew_grow(&play->face, &grown, n_triangle, sizeof *play->face)));
    EW_TRY((grown = had, ew_grow(&play->region, &grown, n_triangle, sizeof *play->region)));
    EW_TRY((grown = had, ew_grow(&play->face_set, &grown, n_triangle,
                                 VIEW_MAX_SET_WORD * sizeof *play->face_set)));
    EW_TRY((grown = had, ew_grow(&play->cad_face, &grown, n_triangle, sizeof *play->cad_face)));
    EW_TRY((grown = had,
            ew_grow(&play->corner_shown, &grown, n_triangle, 3 * sizeof *play->corner_shown)));
    play->triangle_capacity = grown;
    return EW_OK;
}

/* Vertices of the surface in the order of its slots, and their rows. */
static int32_t take_triangles(view_play *play, const ew_boundary *boundary)
{
    const ew_mesh *mesh = ew_model_mesh(play->body.model);
    int32_t n = 0, m = 0;
    memset(play->row, 0xff, (size_t)mesh->n_vertex * sizeof *play->row);
    for (int32_t s = 0; s < boundary->n_slot; s++) {
        const int32_t code = boundary->code[s];
        for (int k = 0; code >= 0 && k < 3; k++) {
            const int32_t v = mesh->tet[4 * (size_t)(code / 4) + ew_face_vertex[code % 4][k]];
            if (play->row[v] < 0) {
                play->vertex_id[n] = v;
                play->row[v] = n++;
            }
            play->triangle[3 * (size_t)m + (size_t)k] = play->row[v];
        }
        if (code >= 0) {
            play->tet[m] = code / 4;
            play->face[m] = code;
            play->region[m++] = mesh->region_label[mesh->region[code / 4]];
        }
    }
    return n;
}

/* Bit s: the triangle is in the state's set s, of faces, or with all its vertices in one of
 * vertices. */
static void take_sets(view_play *play, const ew_boundary *boundary)
{
    const ew_model *model = play->body.model;
    const ew_mesh *mesh = ew_model_mesh(model);
    int32_t n_shown = 0;
    for (int32_t k = 0; k < ew_model_n_set(model); k++) {
        n_shown += view_is_shown_set(play, k);
    }
    const int32_t n_word = n_shown <= 32 ? 1 : (n_shown + 31) / 32;
    play->n_set_word = n_word < VIEW_MAX_SET_WORD ? n_word : VIEW_MAX_SET_WORD;
    const size_t width = (size_t)play->n_set_word;
    memset(play->face_set, 0, width * (size_t)boundary->n_live * sizeof *play->face_set);
    for (int32_t k = 0, bit = 0; k < ew_model_n_set(model) && bit < 32 * play->n_set_word; k++) {
        const ew_model_set set = ew_model_view_set(model, k);
        if (!view_is_shown_set(play, k)) {
            continue;
        }
        for (int32_t s = 0, m = 0; s < boundary->n_slot; s++) {
            const int32_t code = boundary->code[s];
            if (code < 0) {
                continue;
            }
            bool is_member = set.kind == EW_SET_OF_FACES && ew_set_has(set.member, s);
            if (set.kind == EW_SET_OF_VERTICES) {
                is_member = true;
                for (int c = 0; c < 3 && is_member; c++) {
                    const int32_t v =
                        mesh->tet[4 * (size_t)(code / 4) + ew_face_vertex[code % 4][c]];
                    is_member = ew_set_has(set.member, v);
                }
            }
            play->face_set[width * (size_t)m++ + (size_t)(bit / 32)] |= (uint32_t)is_member
                                                                        << bit % 32;
        }
        bit++;
    }
}

static void take_places(view_play *play, int32_t n)
{
    const double *xyz = ew_model_mesh(play->body.model)->xyz,
                 *u = ew_model_displacement(play->body.model);
    for (int32_t i = 0; i < n; i++) {
        const size_t v = (size_t)play->vertex_id[i];
        for (size_t c = 0; c < 3; c++) {
            play->position[3 * (size_t)i + c] = (float)xyz[3 * v + c];
            play->displacement[3 * (size_t)i + c] = (float)u[3 * v + c];
        }
    }
}

static cJSON *make_stages(const view_play *play)
{
    cJSON *stages = cJSON_CreateObject();
    (void)cJSON_AddNumberToObject(stages, "edit", 1e3 * play->seconds_edit);
    (void)cJSON_AddNumberToObject(stages, "solve", 1e3 * play->seconds_solve);
    (void)cJSON_AddNumberToObject(stages, "stress", 1e3 * play->seconds_stress);
    (void)cJSON_AddNumberToObject(stages, "picture", 1e3 * play->seconds_picture);
    (void)cJSON_AddNumberToObject(stages, "total",
                                  1e3 * (play->seconds_edit + play->seconds_solve +
                                         play->seconds_stress + play->seconds_picture));
    return stages;
}

static cJSON *make_header(const view_play *play, int64_t number, double done)
{
    ew_model *model = play->body.model;
    const ew_mesh *mesh = ew_model_mesh(model);
    cJSON *header = cJSON_CreateObject(), *journal = cJSON_CreateObject();
    (void)cJSON_AddNumberToObject(journal, "at", play->at);
    (void)cJSON_AddNumberToObject(journal, "n", play->n_entry);
    (void)cJSON_AddStringToObject(header, "kind", "picture");
    (void)cJSON_AddNumberToObject(header, "number", (double)number);
    (void)cJSON_AddNumberToObject(header, "done", done);
    (void)cJSON_AddNumberToObject(header, "surface", play->surface);
    (void)cJSON_AddStringToObject(header, "mode", view_mode_names[play->mode]);
    (void)cJSON_AddNumberToObject(header, "time",
                                  play->mode == VIEW_STATICS ? 0.0 : ew_model_time(model));
    (void)cJSON_AddBoolToObject(header, "playing", play->is_playing);
    (void)cJSON_AddNumberToObject(header, "n_tet", mesh->n_live_tet);
    (void)cJSON_AddNumberToObject(header, "n_vertex", mesh->n_vertex);
    (void)cJSON_AddNumberToObject(header, "iterations", play->iterations);
    (void)cJSON_AddNumberToObject(header, "blocks", (double)play->blocks);
    const bool has_error = play->mode == VIEW_STATICS && isfinite(play->error);
    (void)cJSON_AddItemToObject(header, "error",
                                has_error ? cJSON_CreateNumber(play->error) : cJSON_CreateNull());
    (void)cJSON_AddNumberToObject(header, "size", play->size);
    (void)cJSON_AddItemToObject(header, "field", view_make_field(play));
    (void)cJSON_AddStringToObject(header, "message", play->message);
    (void)cJSON_AddItemToObject(header, "contact", view_make_contact(play));
    (void)cJSON_AddItemToObject(header, "journal", journal);
    (void)cJSON_AddItemToObject(header, "stages", make_stages(play));
    return header;
}

static ew_status add_cap(const view_play *play, view_writer *writer)
{
    const int32_t n = play->n_cap;
    EW_TRY(view_writer_add(writer, "cap_position", "f4", n, 3, play->cap_position));
    EW_TRY(view_writer_add(writer, "cap_displacement", "f4", n, 3, play->cap_displacement));
    return view_writer_add(writer, "cap_value", "f4", n, 1, play->cap_value);
}

static ew_status write_picture(view_play *play, int32_t n, int32_t m, bool whole, cJSON *header,
                               view_bytes **bytes)
{
    view_writer writer = {0};
    ew_status status = view_writer_add(&writer, "displacement", "f4", n, 3, play->displacement);
    if (!status) {
        status = play->place == VIEW_AT_VERTICES
                     ? view_writer_add(&writer, "value", "f4", n, 1, play->shown)
                     : view_writer_add(&writer, "corner_value", "f4", m, 3, play->corner_shown);
    }
    status = status || !play->has_section ? status : add_cap(play, &writer);
    status = status ? status : view_add_tets(play, &writer, whole);
    if (!status && whole) {
        status = view_writer_add(&writer, "position", "f4", n, 3, play->position);
        status =
            status ? status : view_writer_add(&writer, "vertex_id", "i4", n, 1, play->vertex_id);
        status = status ? status : view_writer_add(&writer, "triangle", "i4", m, 3, play->triangle);
        status = status ? status : view_writer_add(&writer, "tet", "i4", m, 1, play->tet);
        status = status ? status : view_writer_add(&writer, "face", "i4", m, 1, play->face);
        status = status ? status : view_writer_add(&writer, "region", "i4", m, 1, play->region);
        status = status ? status
                        : view_writer_add(&writer, "face_set", "u4", m, play->n_set_word,
                                          play->face_set);
        status = status || !view_is_curved(play)
                     ? status
                     : view_writer_add(&writer, "mesh_edge", "i4", play->curved.n_edge, 2,
                                       play->curved.edge);
        status = status ? status : view_writer_add(&writer, "cad_face", "i4", m, 1, play->cad_face);
    }
    if (status) {
        cJSON_Delete(writer.arrays);
        cJSON_Delete(header);
        return status;
    }
    EW_TRY(view_writer_end(&writer, header, bytes));
    (*bytes)->surface = play->surface;
    (*bytes)->has_surface = whole;
    return EW_OK;
}

ew_status view_play_picture(view_play *play, int64_t number, double done, view_bytes **whole,
                            view_bytes **change)
{
    const ew_boundary *boundary;
    view_bytes *first = NULL, *second = NULL;
    ew_model *model = play->body.model;
    play->blocks = ew_model_view_report(model)->touched_blocks;
    double start = ew_seconds();
    const double *shown = view_find_field(play);
    play->seconds_stress = ew_seconds() - start;
    start = ew_seconds();
    EW_TRY(ew_model_boundary(model, &boundary));
    const uint64_t revision = ew_model_mesh(model)->revision;
    int32_t m = boundary->n_live;
    EW_TRY(view_grow_surface(play, 3 * m, m));
    play->surface += play->seen_revision != revision;
    play->seen_revision = revision;
    int32_t n = take_triangles(play, boundary);
    take_sets(play, boundary);
    EW_TRY(view_take_labels(play, boundary));
    take_places(play, n);
    view_take_field(play, n, m, shown);
    EW_TRY(view_is_curved(play) ? view_refine_surface(play, shown, &n, &m) : EW_OK);
    EW_TRY(view_take_cap(play, shown));
    EW_TRY(view_take_tets(play, shown));
    play->seconds_picture = ew_seconds() - start;
    play->is_shown = true;
    EW_TRY(write_picture(play, n, m, true, make_header(play, number, done), &first));
    const ew_status status =
        write_picture(play, n, m, false, make_header(play, number, done), &second);
    if (status) {
        view_bytes_release(first);
        return status;
    }
    *whole = first;
    *change = second;
    return EW_OK;
}
