/* Mesh files to memory. In: a mesh. Out: MEDIT, or TetGen's three texts (numbered from 1). The
 * texts' sizes are bounded beforehand, so each is one allocation. Printed doubles have 17
 * significant digits, hence read back to the same bits, and a '.' in every locale. */
#include "format/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_INT    12  /* bytes of " -2147483648" */
#define MOST_DOUBLE 26  /* of " -2.2250738585072014e-308" */
#define MOST_HEADER 256 /* of the lines between the entries */

void ew_text_free(ew_text *text)
{
    ew_release(text->data);
    memset(text, 0, sizeof *text);
}

/* ---- printing ---------------------------------------------------------- */

static void put_text(ew_text *text, const char *words)
{
    size_t n = strlen(words);
    memcpy(text->data + text->size, words, n);
    text->size += n;
}

static void put_int(ew_text *text, int32_t value)
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
static void put_double(ew_text *text, double value)
{
    char printed[64];
    bool in_point = false;
    snprintf(printed, sizeof printed, "%.17g", value);
    for (const char *p = printed; *p; p++) {
        bool number = (*p >= '0' && *p <= '9') || *p == '-' || *p == '+' || *p == 'e';
        if (number || !in_point) {
            text->data[text->size++] = number ? *p : '.';
        }
        in_point = !number;
    }
}

static void put_ints(ew_text *text, const int32_t *value, int n, char end)
{
    for (int i = 0; i < n; i++) {
        put_int(text, value[i]);
        text->data[text->size++] = i == n - 1 ? end : ' ';
    }
}

static void put_point(ew_text *text, const double *xyz)
{
    for (int i = 0; i < 3; i++) {
        text->data[text->size++] = ' ';
        put_double(text, xyz[i]);
    }
}

/* ---- what is written, and in which order ------------------------------- */

typedef struct plan {
    int32_t n_vertex, n_tet, n_face;
    int32_t *vertex; /* [n_vertex] owned: slots in the order of the file */
    int32_t *tet;    /* [n_tet] owned, likewise */
    int32_t *number; /* [slots] owned: from 1 */
    bool *live;      /* [mesh n_face] owned */
} plan;

static void free_plan(plan *p)
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

static ew_status order_entities(const ew_mesh *mesh, bool user_order, plan *p)
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

static ew_status make_plan(const ew_mesh *mesh, bool user_order, plan *p)
{
    EW_TRY(ew_new(&p->vertex, (size_t)mesh->n_vertex, sizeof *p->vertex));
    EW_TRY(ew_new(&p->tet, (size_t)mesh->n_tet, sizeof *p->tet));
    EW_TRY(ew_new(&p->number, (size_t)mesh->n_vertex, sizeof *p->number));
    EW_TRY(ew_new(&p->live, (size_t)mesh->n_face, sizeof *p->live));
    return order_entities(mesh, user_order, p);
}

static ew_status make_text(ew_text *text, int32_t n, size_t entry)
{
    text->size = 0;
    return ew_new(&text->data, (size_t)n * entry + MOST_HEADER, 1);
}

static void put_tets(ew_text *text, const ew_mesh *mesh, const plan *p, bool numbered)
{
    for (int32_t i = 0; i < p->n_tet; i++) {
        int32_t entry[6] = {i + 1}, t = p->tet[i];
        for (int k = 0; k < 4; k++) {
            entry[1 + k] = p->number[mesh->tet[4 * (size_t)t + (size_t)k]];
        }
        entry[5] = mesh->region_label[mesh->region[t]];
        put_ints(text, numbered ? entry : entry + 1, numbered ? 6 : 5, '\n');
    }
}

static void put_faces(ew_text *text, const ew_mesh *mesh, const plan *p, bool numbered)
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
        put_ints(text, numbered ? entry : entry + 1, numbered ? 5 : 4, '\n');
    }
}

/* ---- MEDIT ------------------------------------------------------------- */

static void put_medit(ew_text *text, const ew_mesh *mesh, const plan *p)
{
    put_text(text, "MeshVersionFormatted 2\n\nDimension 3\n\nVertices\n");
    put_ints(text, &p->n_vertex, 1, '\n');
    for (int32_t i = 0; i < p->n_vertex; i++) {
        put_point(text, mesh->xyz + 3 * (size_t)p->vertex[i]);
        put_text(text, " 0\n");
    }
    if (p->n_face > 0) {
        put_text(text, "\nTriangles\n");
        put_ints(text, &p->n_face, 1, '\n');
        put_faces(text, mesh, p, false);
    }
    put_text(text, "\nTetrahedra\n");
    put_ints(text, &p->n_tet, 1, '\n');
    put_tets(text, mesh, p, false);
    put_text(text, "\nEnd\n");
}

ew_status ew_write_medit(const ew_mesh *mesh, bool user_order, ew_text *text)
{
    ew_status status;
    plan p = {0};
    ew_text made = {0};
    EW_TRY_OUT(make_plan(mesh, user_order, &p));
    size_t bytes = (size_t)p.n_vertex * (3 * MOST_DOUBLE + 3) + (size_t)p.n_face * 4 * MOST_INT +
                   (size_t)p.n_tet * 5 * MOST_INT;
    EW_TRY_OUT(make_text(&made, 1, bytes));
    put_medit(&made, mesh, &p);
    *text = made;
out:
    free_plan(&p);
    return status;
}

/* ---- TetGen ------------------------------------------------------------ */

static void put_nodes(ew_text *text, const ew_mesh *mesh, const plan *p)
{
    put_int(text, p->n_vertex);
    put_text(text, " 3 0 0\n");
    for (int32_t i = 0; i < p->n_vertex; i++) {
        put_int(text, i + 1);
        put_point(text, mesh->xyz + 3 * (size_t)p->vertex[i]);
        put_text(text, "\n");
    }
}

ew_status ew_write_tetgen(const ew_mesh *mesh, bool user_order, ew_text *node, ew_text *ele,
                          ew_text *face)
{
    ew_status status;
    plan p = {0};
    ew_text made[3] = {{0}};
    EW_TRY_OUT(make_plan(mesh, user_order, &p));
    EW_TRY_OUT(make_text(&made[0], p.n_vertex, MOST_INT + 3 * MOST_DOUBLE + 1));
    EW_TRY_OUT(make_text(&made[1], p.n_tet, 6 * MOST_INT));
    EW_TRY_OUT(make_text(&made[2], p.n_face, 5 * MOST_INT));
    put_nodes(&made[0], mesh, &p);
    put_int(&made[1], p.n_tet);
    put_text(&made[1], " 4 1\n");
    put_tets(&made[1], mesh, &p, true);
    put_int(&made[2], p.n_face);
    put_text(&made[2], " 1\n");
    put_faces(&made[2], mesh, &p, true);
    *node = made[0];
    *ele = made[1];
    *face = made[2];
out:
    free_plan(&p);
    if (status) {
        for (int i = 0; i < 3; i++) {
            ew_text_free(&made[i]);
        }
    }
    return status;
}
