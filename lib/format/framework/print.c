/* Common functions of the writers. In: a mesh. Out: which entities are written in which order, and
 * numbers as text. Printed doubles have 17 significant digits, hence read back to the same bits,
 * and a '.' in every locale. */
#include "format/framework/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ew_text_free(ew_text *text)
{
    ew_release(text->data);
    memset(text, 0, sizeof *text);
}

/* ---- printing ---------------------------------------------------------- */

void ew_put_text(ew_text *text, const char *words)
{
    size_t n = strlen(words);
    memcpy(text->data + text->size, words, n);
    text->size += n;
}

void ew_put_int(ew_text *text, int32_t value)
{
    char digit[12];
    int n = 0;
    uint32_t rest = value < 0 ? 0u - (uint32_t)value : (uint32_t)value;
    do {
        digit[n++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0) {
        digit[n++] = '-';
    }
    while (n > 0) {
        text->data[text->size++] = digit[--n];
    }
}

/* Whatever the locale puts for the decimal point, of any length, becomes '.'. */
void ew_put_double(ew_text *text, double value, int digits)
{
    char printed[64];
    bool in_point = false;
    snprintf(printed, sizeof printed, "%.*g", digits, value);
    for (const char *p = printed; *p; p++) {
        bool number = (*p >= '0' && *p <= '9') || *p == '-' || *p == '+' || *p == 'e';
        if (number || !in_point) {
            text->data[text->size++] = number ? *p : '.';
        }
        in_point = !number;
    }
}

void ew_put_ints(ew_text *text, const int32_t *value, int n, char end)
{
    for (int i = 0; i < n; i++) {
        ew_put_int(text, value[i]);
        text->data[text->size++] = i == n - 1 ? end : ' ';
    }
}

void ew_put_point(ew_text *text, const double *xyz)
{
    for (int i = 0; i < 3; i++) {
        text->data[text->size++] = ' ';
        ew_put_double(text, xyz[i], 17);
    }
}

void ew_put_short(ew_text *text, const double *value, int n)
{
    for (int i = 0; i < n; i++) {
        text->data[text->size++] = ' ';
        ew_put_double(text, value[i], 9);
    }
}

/* ---- what is written, and in which order ------------------------------- */

void ew_plan_free(ew_plan *p)
{
    ew_release(p->vertex);
    ew_release(p->tet);
    ew_release(p->number);
    ew_release(p->live);
}

typedef struct named {
    int64_t id;
    int32_t slot;
} named;

static int compare_named(const void *left, const void *right)
{
    int64_t x = ((const named *)left)->id, y = ((const named *)right)->id;
    return x < y ? -1 : x > y;
}

static ew_status sort_by_id(int32_t *slot, int32_t n, const int64_t *id)
{
    named *pair = NULL;
    EW_TRY(ew_new(&pair, (size_t)n, sizeof *pair));
    for (int32_t i = 0; i < n; i++) {
        pair[i] = (named){id[slot[i]], slot[i]};
    }
    qsort(pair, (size_t)n, sizeof *pair, compare_named);
    for (int32_t i = 0; i < n; i++) {
        slot[i] = pair[i].slot;
    }
    ew_release(pair);
    return EW_OK;
}

/* Nothing was added or removed since the file was read: its unused vertices are still the
 * user's, and dropping them would renumber the others. */
static bool is_as_read(const ew_mesh *mesh)
{
    return mesh->next_vertex_id == mesh->n_vertex && mesh->vertex_hole.n == 0 &&
           mesh->next_tet_id == mesh->n_live_tet;
}

static ew_status order_entities(const ew_mesh *mesh, bool user_order, ew_plan *p)
{
    bool all = user_order && is_as_read(mesh);
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (all || ew_mesh_vertex_is_active(mesh, v)) {
            p->vertex[p->n_vertex++] = v;
        }
    }
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t)) {
            p->tet[p->n_tet++] = t;
        }
    }
    if (user_order) {
        EW_TRY(sort_by_id(p->vertex, p->n_vertex, mesh->vertex_id));
        EW_TRY(sort_by_id(p->tet, p->n_tet, mesh->tet_id));
    }
    for (int32_t i = 0; i < p->n_vertex; i++) {
        p->number[p->vertex[i]] = i + 1;
    }
    EW_TRY(ew_mesh_live_faces(mesh, p->live));
    for (int32_t f = 0; f < mesh->n_face; f++) {
        p->n_face += p->live[f];
    }
    return EW_OK;
}

ew_status ew_plan_make(const ew_mesh *mesh, bool user_order, ew_plan *p)
{
    EW_TRY(ew_new(&p->vertex, (size_t)mesh->n_vertex, sizeof *p->vertex));
    EW_TRY(ew_new(&p->tet, (size_t)mesh->n_tet, sizeof *p->tet));
    EW_TRY(ew_new_zero(&p->number, (size_t)mesh->n_vertex, sizeof *p->number));
    EW_TRY(ew_new(&p->live, (size_t)mesh->n_face, sizeof *p->live));
    return order_entities(mesh, user_order, p);
}

ew_status ew_mesh_file_numbers(const ew_mesh *mesh, bool user_order, int32_t *number)
{
    ew_plan plan = {0};
    const ew_status status = ew_plan_make(mesh, user_order, &plan);
    for (int32_t v = 0; v < mesh->n_vertex && !status; v++) {
        number[v] = plan.number[v] - 1;
    }
    ew_plan_free(&plan);
    return status;
}

ew_status ew_text_make(ew_text *text, int32_t n, size_t entry)
{
    text->size = 0;
    return ew_new(&text->data, (size_t)n * entry + EW_MAX_HEADER, 1);
}

void ew_put_tets(ew_text *text, const ew_mesh *mesh, const ew_plan *p, bool numbered)
{
    for (int32_t i = 0; i < p->n_tet; i++) {
        int32_t entry[6] = {i + 1}, t = p->tet[i];
        for (int k = 0; k < 4; k++) {
            entry[1 + k] = p->number[mesh->tet[4 * (size_t)t + (size_t)k]];
        }
        entry[5] = mesh->region_label[mesh->region[t]];
        ew_put_ints(text, numbered ? entry : entry + 1, numbered ? 6 : 5, '\n');
    }
}

void ew_put_faces(ew_text *text, const ew_mesh *mesh, const ew_plan *p, bool numbered)
{
    int32_t entry[5] = {0};
    for (int32_t f = 0; f < mesh->n_face; f++) {
        if (!p->live[f]) {
            continue;
        }
        entry[0]++;
        for (int k = 0; k < 3; k++) {
            entry[1 + k] = p->number[mesh->face[3 * (size_t)f + (size_t)k]];
        }
        entry[4] = mesh->face_label[f];
        ew_put_ints(text, numbered ? entry : entry + 1, numbered ? 5 : 4, '\n');
    }
}
