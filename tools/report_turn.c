/* Surfaces and frames of a report page as its script draws them. In: frames, one after the other.
 * Out: JSON with arrays in base64: surfaces, each once for the frames that share it (position f4,
 * triangle i4, mesh_edge i4 where sides are curved), and frames (displacement as 16 bits a number,
 * times `scale`; the field as 16 bits from `low` to `high`, 65535: none). */
#include "report_frames.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- JSON ------------------------------------------------------------------------------------ */

static void add_string(page *to, const char *text)
{
    page_add(to, "\"");
    for (const char *c = text; *c; c++) {
        const bool is_plain = (unsigned char)*c >= 0x20 && !strchr("\"\\<>&", *c);
        page_add(to, is_plain ? "%c" : "\\u%04x", is_plain ? *c : (unsigned char)*c);
    }
    page_add(to, "\"");
}

static void add_array(page *to, const char *name, const void *data, size_t size)
{
    page_add(to, ",\"%s\":\"", name);
    page_add_base64(to, &(ew_text){.data = (char *)(uintptr_t)data, .size = size});
    page_add(to, "\"");
}

static void add_number(page *to, const char *name, double value)
{
    if (isfinite(value)) {
        page_add(to, ",\"%s\":%.9g", name, value);
    }
}

static void add_vector(page *to, const char *name, const double *value, int n)
{
    page_add(to, ",\"%s\":[", name);
    for (int c = 0; c < n; c++) {
        page_add(to, "%s%.9g", c ? "," : "", isfinite(value[c]) ? value[c] : 0.0);
    }
    page_add(to, "]");
}

/* ---- a surface ------------------------------------------------------------------------------- */

static bool is_same_mesh(const report_turn *to, const ew_view_frame *frame)
{
    return to->n_surface && to->n_point == frame->n_point && to->n_tet == frame->n_tet &&
           !memcmp(to->xyz, frame->xyz, 3 * (size_t)frame->n_point * sizeof *to->xyz) &&
           !memcmp(to->tet, frame->tet, 4 * (size_t)frame->n_tet * sizeof *to->tet);
}

static ew_status remember_mesh(report_turn *to, const ew_view_frame *frame)
{
    ew_release(to->xyz);
    ew_release(to->tet);
    to->xyz = NULL;
    to->tet = NULL;
    EW_TRY(ew_new(&to->xyz, 3 * (size_t)frame->n_point, sizeof *to->xyz));
    EW_TRY(ew_new(&to->tet, 4 * (size_t)frame->n_tet, sizeof *to->tet));
    memcpy(to->xyz, frame->xyz, 3 * (size_t)frame->n_point * sizeof *to->xyz);
    memcpy(to->tet, frame->tet, 4 * (size_t)frame->n_tet * sizeof *to->tet);
    to->n_point = frame->n_point;
    to->n_tet = frame->n_tet;
    return EW_OK;
}

static ew_status add_surface(report_turn *to, const report_frame *of)
{
    const look_surface *surface = &of->surface;
    page *json = &to->surfaces;
    float *position;
    EW_TRY(ew_new(&position, 3 * (size_t)surface->n_vertex, sizeof *position));
    for (size_t i = 0; i < (size_t)surface->n_vertex; i++) {
        double at[3];
        look_locate(&of->frame, &surface->pieces.face[surface->vertex_point[i]], NULL, 0.0, at);
        for (size_t c = 0; c < 3; c++) {
            position[3 * i + c] = (float)at[c];
        }
    }
    page_add(json, "%s{\"n\":%d", to->n_surface ? "," : "", (int)surface->n_vertex);
    add_array(json, "position", position, 3 * (size_t)surface->n_vertex * sizeof *position);
    add_array(json, "triangle", surface->triangle,
              3 * (size_t)surface->pieces.n_face * sizeof *surface->triangle);
    if (surface->edge) {
        add_array(json, "mesh_edge", surface->edge,
                  2 * (size_t)surface->n_edge * sizeof *surface->edge);
    }
    page_add(json, "}\n");
    ew_release(position);
    to->n_surface++;
    return remember_mesh(to, &of->frame);
}

/* ---- a frame --------------------------------------------------------------------------------- */

static ew_status add_displacement(page *json, const report_frame *of)
{
    const ew_view_field *u = ew_view_field_of(&of->frame, "displacement", EW_ON_VERTICES);
    const look_surface *surface = &of->surface;
    const size_t n = 3 * (size_t)surface->n_vertex;
    double *move, largest = 0.0;
    int16_t *part;
    if (!u || u->n_component != 3 || !isfinite(u->data[0])) {
        return EW_OK;
    }
    EW_TRY(ew_new(&move, n, sizeof *move));
    for (size_t i = 0; i < n; i += 3) {
        const look_point *point = &surface->pieces.face[surface->vertex_point[i / 3]];
        double at[3];
        look_locate(&of->frame, point, NULL, 0.0, at);
        look_locate(&of->frame, point, u->data, 1.0, move + i);
        for (size_t c = 0; c < 3; c++) {
            move[i + c] -= at[c];
            largest = isfinite(move[i + c]) ? fmax(largest, fabs(move[i + c])) : largest;
        }
    }
    const ew_status status = ew_new(&part, n, sizeof *part);
    if (!status && largest > 0.0) {
        for (size_t i = 0; i < n; i++) {
            part[i] = (int16_t)(isfinite(move[i]) ? lround(32767.0 * move[i] / largest) : 0);
        }
        add_number(json, "scale", largest / 32767.0);
        add_array(json, "displacement", part, n * sizeof *part);
    }
    if (!status) {
        ew_release(part);
    }
    ew_release(move);
    return status;
}

static ew_status add_values(page *json, const report_frame *of)
{
    const look_surface *surface = &of->surface;
    const bool at_vertices = of->field.place == LOOK_AT_VERTICES;
    const size_t n = at_vertices ? (size_t)surface->n_vertex : 3 * (size_t)surface->pieces.n_face;
    const double span = of->high.value - of->low.value;
    uint16_t *part;
    if (!of->field.of) {
        return EW_OK;
    }
    EW_TRY(ew_new(&part, n, sizeof *part));
    for (size_t i = 0; i < n; i++) {
        const double value =
            look_value(&of->field, &of->frame,
                       &surface->pieces.face[at_vertices ? surface->vertex_point[i] : (int32_t)i]);
        const double share = span > 0.0 ? (value - of->low.value) / span : 0.0;
        part[i] =
            (uint16_t)(isfinite(value) ? lround(65534.0 * fmin(fmax(share, 0.0), 1.0)) : 65535);
    }
    add_number(json, "low", of->low.value);
    add_number(json, "high", of->high.value);
    add_array(json, at_vertices ? "value" : "cornerValue", part, n * sizeof *part);
    ew_release(part);
    return EW_OK;
}

static void add_extrema(page *json, const report_frame *of)
{
    const look_extreme *both[2] = {&of->low, &of->high};
    page_add(json, ",\"extrema\":[");
    for (int k = 0; k < 2 && of->low.value < of->high.value; k++) {
        double place[3], moved[3];
        const int32_t id = report_place_extreme(of, both[k], place, moved);
        page_add(json, "%s{\"value\":%.9g", k ? "," : "", both[k]->value);
        add_vector(json, "place", place, 3);
        add_vector(json, "displacement", moved, 3);
        if (id >= 0) {
            page_add(json, ",\"%s\":%d", of->field.place == LOOK_AT_TETS ? "tet" : "vertex",
                     (int)id);
        }
        page_add(json, "}");
    }
    page_add(json, "]");
}

/* Sets are called by their number here. */
static void add_acting(page *json, const report_acting *acting)
{
    for (int pass = 0; pass < 3; pass++) {
        static const char *const name[] = {"supports", "loads", "sets"};
        int n = 0;
        page_add(json, ",\"%s\":[", name[pass]);
        for (int32_t i = 0; i < acting->n; i++) {
            const report_act *act = &acting->act[i];
            if (pass == 2) {
                page_add(json, "%s[", n++ ? "," : "");
                for (int32_t k = 0; k < act->n_place; k++) {
                    page_add(json, "%s%d", k ? "," : "", (int)act->place[k]);
                }
                page_add(json, "]");
            } else if ((pass == 1) == (act->type != NULL)) {
                page_add(json, "%s{\"set\":%d", n++ ? "," : "", act->has_set ? (int)i : -1);
                if (act->type) {
                    page_add(json, ",\"type\":\"%s\"", act->type);
                    add_vector(json, "value", act->value, act->is_pressure ? 1 : 3);
                } else {
                    page_add(json, ",\"fixed\":[%d,%d,%d]", act->fixed[0], act->fixed[1],
                             act->fixed[2]);
                }
                page_add(json, "}");
            }
        }
        page_add(json, "]");
    }
}

static void add_name(page *json, const report_frame *of)
{
    const ew_view_step *step = of->step;
    const double *time = ew_view_find(step->n_number, step->number, "time", 1),
                 *frequency = ew_view_find(step->n_number, step->number, "frequency", 1);
    char name[256], unit[EW_UNIT_TEXT];
    report_unit_of(of->view, time && !strcmp(step->kind, "dynamic") ? "time" : "1/time", unit);
    snprintf(name, sizeof name, "%.150s", step->name);
    if (time && !strcmp(step->kind, "dynamic")) {
        snprintf(name, sizeof name, "%.150s, time %.6g %.40s", step->name, *time, unit);
    } else if (frequency) {
        snprintf(name, sizeof name, "%.150s, %.6g %.40s", step->name, *frequency, unit);
    }
    page_add(json, ",\"name\":");
    add_string(json, name);
    page_add(json, ",\"kind\":");
    add_string(json, step->kind);
    page_add(json, ",\"step\":");
    add_string(json, step->name);
    if (of->field.of) {
        look_write_unit(of->view, &of->field, unit);
        page_add(json, ",\"field\":");
        add_string(json, of->field.title);
        page_add(json, ",\"unit\":");
        add_string(json, unit);
    }
}

/* Bytes of base64 that the frame will take. */
static size_t cost_of(const report_turn *to, const report_frame *of)
{
    const look_surface *surface = &of->surface;
    const size_t n = (size_t)surface->n_vertex, m = (size_t)surface->pieces.n_face;
    const size_t values = of->field.place == LOOK_AT_VERTICES ? 2 * n : 6 * m;
    const size_t whole =
        is_same_mesh(to, &of->frame) ? 0 : 12 * n + 12 * m + 8 * (size_t)surface->n_edge;
    return (whole + 6 * n + values) / 3 * 4 + 1024;
}

size_t report_turn_size(const report_turn *of)
{
    return of->surfaces.text.size + of->frames.text.size;
}

ew_status report_turn_add(report_turn *to, const report_frame *of)
{
    page *json = &to->frames;
    if (report_turn_size(to) + cost_of(to, of) > to->limit) {
        return EW_OK;
    }
    EW_TRY(is_same_mesh(to, &of->frame) ? EW_OK : add_surface(to, of));
    page_add(json, "%s{\"surface\":%d,\"number\":%d,\"quantity\":%d", to->n_frame ? "," : "",
             (int)to->n_surface - 1, (int)of->number, (int)of->quantity);
    add_name(json, of);
    EW_TRY(add_displacement(json, of));
    EW_TRY(add_values(json, of));
    add_extrema(json, of);
    add_acting(json, &of->acting);
    page_add(json, "}\n");
    to->n_frame++;
    return json->status ? json->status : to->surfaces.status;
}

/* ---- the figure ------------------------------------------------------------------------------ */

ew_status report_turn_finish(page *to, report_turn *from, int32_t n_frame, double (*range)[2])
{
    if (from->limit && from->n_frame < n_frame) {
        page_add(
            to,
            "<p>%d of %d frames can be turned here: --turn sets the size of that, %.3g MB.</p>\n",
            (int)from->n_frame, (int)n_frame, (double)from->limit / 1e6);
    }
    if (!from->n_frame) {
        return EW_OK;
    }
    page_add(to, "<figure id='turn' hidden></figure>\n<script type='application/json' "
                 "id='frames'>{\"surfaces\":[");
    page_add_bytes(to, from->surfaces.text.data, from->surfaces.text.size);
    page_add(to, "],\"frames\":[");
    page_add_bytes(to, from->frames.text.data, from->frames.text.size);
    page_add(to, "],\"ranges\":[");
    for (int q = 0; q < REPORT_NO_QUANTITY; q++) {
        const int low = q == REPORT_LIFE; /* short lives have the colors of large stresses */
        if (range[q][0] <= range[q][1]) {
            page_add(to, "%s[%.9g,%.9g]", q ? "," : "", range[q][low], range[q][1 - low]);
        } else {
            page_add(to, "%snull", q ? "," : "");
        }
    }
    page_add(to, "]}</script>\n");
    return EW_OK;
}

void report_turn_free(report_turn *own)
{
    ew_text_free(&own->surfaces.text);
    ew_text_free(&own->frames.text);
    ew_release(own->xyz);
    ew_release(own->tet);
}
