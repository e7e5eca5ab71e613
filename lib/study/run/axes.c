/* Axes of materials as a field of the tets, from files. In: the files that a case names, a line a
 * tet: along its axes 1 and 2, six numbers, in the order of the mesh's tets; or seven, its tet_id
 * first; or an array of cells of the mesh's file, of six numbers or nine, axis 3 behind them. Out:
 * the axes of all tets of the regions that take them from a file. */
#include "study/run/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BY_ORDER = 6, BY_ID = 7, WITH_THIRD = 9 };
/* Cosine between axis 3 as it is given and at right angles to the others. */
#define SQUARE 1e-6

typedef struct axes_reader {
    const char *file;
    int32_t n_tet, width; /* tets of the mesh as it was read; numbers of a line, 0: not known */
    int32_t n_line;       /* lines with numbers */
    int64_t *id;          /* [n_tet] owned: of the tets, ascending, which is the order of files */
    double *axes;         /* [n_tet][6] owned, in that order; NaN: not given */
} axes_reader;

static int by_id(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void list_ids(const ew_mesh *mesh, int64_t *id)
{
    int32_t n = 0;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t)) {
            id[n++] = mesh->tet_id[t];
        }
    }
    qsort(id, (size_t)n, sizeof *id, by_id);
}

/* Place of a tet in the order of the file, -1: there is none. */
static int32_t place_of(const axes_reader *reader, int64_t id)
{
    const int64_t *found =
        bsearch(&id, reader->id, (size_t)reader->n_tet, sizeof *reader->id, by_id);
    return found ? (int32_t)(found - reader->id) : -1;
}

/* The numbers of a line, at most 8; *is_head: it begins with none. */
static int32_t split(const char *line, const char *end, double number[8], bool *is_head)
{
    static const char separators[] = " \t,;\r";
    int32_t n = 0;
    *is_head = false;
    while (line < end && n < 8) {
        char word[64], *rest;
        line += strspn(line, separators);
        const size_t length = strcspn(line, " \t,;\r\n");
        if (line >= end || !length) {
            break;
        }
        if (length >= sizeof word) {
            return -1;
        }
        memcpy(word, line, length);
        word[length] = 0;
        number[n] = strtod(word, &rest);
        if (*rest) {
            *is_head = n == 0;
            return -1;
        }
        n++;
        line += length;
    }
    return n;
}

static ew_status enter(axes_reader *reader, const double *number, int32_t line)
{
    const double id = reader->width == BY_ID ? number[0] : (double)reader->n_line;
    const bool is_whole = id >= 0.0 && id < 0x1p53 && id == floor(id);
    const int32_t place = reader->width != BY_ID && is_whole && id < reader->n_tet ? (int32_t)id
                          : is_whole ? place_of(reader, (int64_t)id)
                                     : -1;
    if (place < 0) {
        return ew_fail(EW_BAD_INPUT,
                       "%s:%d: there is no tet %.15g; the mesh has %d tets with ids from %lld to "
                       "%lld",
                       reader->file, line, id, (int)reader->n_tet, (long long)reader->id[0],
                       (long long)reader->id[reader->n_tet - 1]);
    }
    double *to = reader->axes + 6 * (size_t)place;
    if (!isnan(to[0])) {
        return ew_fail(EW_BAD_INPUT, "%s:%d: tet %lld has axes already, by a line before",
                       reader->file, line, (long long)id);
    }
    memcpy(to, number + reader->width - 6, 6 * sizeof *to);
    for (int c = 0; c < 6; c++) {
        if (!isfinite(to[c])) {
            return ew_fail(EW_BAD_INPUT, "%s:%d: a number is not finite", reader->file, line);
        }
    }
    reader->n_line++;
    return EW_OK;
}

/* Lines before the first numbers are a head; # begins a comment; empty lines are none. */
static ew_status read_line(axes_reader *reader, const char *at, const char *end, int32_t line)
{
    double number[8];
    bool is_head;
    if (*at == '#') {
        return EW_OK;
    }
    const int32_t n = split(at, end, number, &is_head);
    if (n == 0 || (is_head && !reader->n_line)) {
        return EW_OK;
    }
    if ((n != BY_ORDER && n != BY_ID) || (reader->width && n != reader->width)) {
        return ew_fail(
            EW_BAD_INPUT,
            "%s:%d: a line has 6 numbers, along axes 1 and 2 of a tet, or 7, the tet's id "
            "first; all lines alike",
            reader->file, line);
    }
    reader->width = n;
    return enter(reader, number, line);
}

static ew_status read_lines(axes_reader *reader, const char *text)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    int32_t line = 0;
    text += strncmp(text, byte_order_mark, 3) ? 0 : 3;
    while (*text) {
        const char *end = text + strcspn(text, "\n");
        EW_TRY(read_line(reader, text, end, ++line));
        text = *end ? end + 1 : end;
    }
    return reader->width == BY_ORDER && reader->n_line != reader->n_tet
               ? ew_fail(EW_BAD_INPUT, "%s: it has axes of %d tets, the mesh has %d", reader->file,
                         reader->n_line, reader->n_tet)
               : EW_OK;
}

static ew_status read_file(ew_study *study, axes_reader *reader)
{
    ew_text text = {0};
    char *whole = NULL;
    if (!study->def.read_text) {
        return ew_refuse(EW_RULE_READER, "'%s'", reader->file);
    }
    for (size_t i = 0; i < 6 * (size_t)reader->n_tet; i++) {
        reader->axes[i] = (double)NAN;
    }
    EW_TRY(study->def.read_text(study->def.user, reader->file, &text));
    ew_status status = ew_new(&whole, text.size + 1, 1);
    if (!status) {
        memcpy(whole, text.data, text.size);
        whole[text.size] = 0;
        status = read_lines(reader, whole);
    }
    ew_release(whole);
    ew_text_free(&text);
    return status;
}

/* ---- an array of cells -------------------------------------------------------------- */

/* Axis 3 is along the product of the others: they are right-handed, and stand one after another. */
static ew_status check_third(const axes_reader *reader, int32_t t, const double *axes)
{
    const double *a = axes, *b = axes + 3, *c = axes + 6;
    const double n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                         a[0] * b[1] - a[1] * b[0]};
    double size = 0.0, third = 0.0, both = 0.0;
    for (int i = 0; i < 3; i++) {
        size += n[i] * n[i];
        third += c[i] * c[i];
        both += n[i] * c[i];
    }
    return both >= (1.0 - SQUARE) * sqrt(size * third)
               ? EW_OK
               : ew_fail(EW_BAD_INPUT,
                         "%s: the axes of tet %d are not right-handed at right angles: axis 3 is "
                         "(%g, %g, %g), must be along (%g, %g, %g)",
                         reader->file, t, c[0], c[1], c[2], n[0], n[1], n[2]);
}

static ew_status take_cells(axes_reader *reader, const char *name, const ew_cell_array *cells)
{
    if (cells->width != BY_ORDER && cells->width != WITH_THIRD) {
        return ew_fail(
            EW_BAD_INPUT,
            "%s: the array '%s' has %d numbers a cell; axes are 6, along axes 1 and 2, or "
            "9, with axis 3 behind them",
            reader->file, name, cells->width);
    }
    if (cells->n_tet != reader->n_tet) {
        return ew_fail(EW_BAD_INPUT, "%s: it has axes of %d tets, the mesh has %d", reader->file,
                       cells->n_tet, reader->n_tet);
    }
    for (int32_t t = 0; t < cells->n_tet; t++) {
        const double *from = cells->value + (size_t)cells->width * (size_t)t;
        for (int c = 0; c < cells->width; c++) {
            if (!isfinite(from[c])) {
                return ew_fail(EW_BAD_INPUT, "%s: the axes of tet %d are not finite", reader->file,
                               t);
            }
        }
        EW_TRY(cells->width == WITH_THIRD ? check_third(reader, t, from) : EW_OK);
        memcpy(reader->axes + 6 * (size_t)t, from, 6 * sizeof *from);
    }
    return EW_OK;
}

static ew_status read_array(ew_study *study, axes_reader *reader, const char *name)
{
    ew_text text = {0};
    ew_cell_array cells = {0};
    if (!reader->file || !study->def.read_text) {
        return ew_fail(EW_BAD_INPUT,
                       "axes by the array '%s' need a mesh file that has it, .vtu or "
                       ".vtk",
                       name);
    }
    EW_TRY(study->def.read_text(study->def.user, reader->file, &text));
    const ew_bytes bytes = {text.data, text.size};
    ew_status status = ew_format_read_cells(ew_format_of_name(reader->file), &bytes, name, &cells);
    if (status == EW_BAD_INPUT || status == EW_UNSUPPORTED) {
        char why[256];
        snprintf(why, sizeof why, "%s", ew_message());
        status = ew_fail(status, "axes by the array '%s': %s: %s", name, reader->file, why);
    }
    status = status ? status : take_cells(reader, name, &cells);
    ew_release(cells.value);
    ew_text_free(&text);
    return status;
}

/* ---- all materials ------------------------------------------------------------------- */

/* Whether the material is that of a region: by its label, or of all that have no other. */
static bool is_of(const ew_case *input, int32_t material, int32_t label)
{
    bool named = false;
    for (int32_t i = 0; i < input->n_material; i++) {
        named = named || (!input->material[i].all_regions && input->material[i].region == label);
    }
    const ew_case_material *of = &input->material[material];
    return named ? !of->all_regions && of->region == label : of->all_regions;
}

static ew_status take_material(ew_study *study, int32_t material, axes_reader *reader, double *axes)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    const char *array = study->input->material[material].axes_array;
    EW_TRY(array ? read_array(study, reader, array) : read_file(study, reader));
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        const int64_t id = mesh->tet_id[t];
        if (!ew_mesh_tet_is_live(mesh, t) ||
            !is_of(study->input, material, mesh->region_label[mesh->region[t]])) {
            continue;
        }
        const double *from = reader->axes + 6 * (size_t)place_of(reader, id);
        if (isnan(from[0])) {
            return ew_fail(EW_BAD_INPUT,
                           "%s: there are no axes of tet %lld; give a line to each tet of the "
                           "material's regions",
                           reader->file, (long long)id);
        }
        memcpy(axes + 6 * (size_t)t, from, 6 * sizeof *from);
    }
    return EW_OK;
}

ew_status ew_study_define_axes(ew_study *study)
{
    const ew_case *input = study->input;
    const ew_mesh *mesh = ew_model_mesh(study->model);
    axes_reader reader = {.n_tet = mesh->n_live_tet};
    double *axes = NULL;
    bool any = false;
    ew_status status = EW_OK;
    for (int32_t i = 0; i < input->n_material && !status; i++) {
        const ew_case_material *of = &input->material[i];
        if (!of->axes_file && !of->axes_array) {
            continue;
        }
        if (!any) {
            const size_t n = (size_t)reader.n_tet;
            status = ew_new_zero(&axes, 6 * (size_t)mesh->n_tet, sizeof *axes);
            status = status ? status : ew_new(&reader.axes, 6 * n, sizeof *reader.axes);
            status = status ? status : ew_new(&reader.id, n, sizeof *reader.id);
            if (!status) {
                list_ids(mesh, reader.id);
            }
        }
        any = true;
        reader.file = of->axes_array ? input->mesh_file : of->axes_file;
        reader.width = reader.n_line = 0;
        status = status ? status : take_material(study, i, &reader, axes);
        ew_fail_line(status, of->line);
    }
    if (any && !status) {
        status = ew_model_set_material_axes(study->model, axes);
    }
    ew_release(reader.axes);
    ew_release(reader.id);
    ew_release(axes);
    return status;
}
