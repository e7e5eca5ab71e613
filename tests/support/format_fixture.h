/* What the tests of formats share: reading from texts, refusals, the comparison of meshes, and
 * the smallest text of each format. */
#ifndef EW_FORMAT_FIXTURE_H
#define EW_FORMAT_FIXTURE_H

#include "format/parts/format.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(a) (sizeof(a) / sizeof *(a))
#define OFF       ew_format_of_name(".off")
#define OBJ       ew_format_of_name(".obj")
#define STL       ew_format_of_name(".stl")

/* ---- helpers ----------------------------------------------------------- */

static inline ew_status read_medit(const char *text, ew_mesh *mesh, ew_mesh_repair *repair)
{
    return ew_read_medit(text, strlen(text), mesh, repair);
}

static inline ew_status read_tetgen(const char *node, const char *ele, const char *face,
                                    ew_mesh *mesh)
{
    return ew_read_tetgen(node, strlen(node), ele, strlen(ele), face, face ? strlen(face) : 0, mesh,
                          NULL);
}

/* What is written does not end in a zero. */
static inline bool has_part(const ew_text *text, const char *part)
{
    const size_t n = strlen(part);
    for (size_t i = 0; i + n <= text->size; i++) {
        if (memcmp(text->data + i, part, n) == 0) {
            return true;
        }
    }
    return false;
}

static inline ew_status read_surface(const ew_format *format, const char *text, ew_surface *surface)
{
    return ew_format_read_surface(format, &(ew_bytes){text, strlen(text)}, surface, NULL, NULL);
}

/* The status is right and the message begins and goes on as said. */
static inline void check_refusal(ew_status found, ew_status wanted, const char *begin,
                                 const char *part)
{
    bool right = found == wanted && strncmp(ew_message(), begin, strlen(begin)) == 0 &&
                 strstr(ew_message(), part) != NULL;
    if (!right) {
        printf("\n  status %d (wanted %d), message '%s' (wanted '%s' ... '%s')\n", (int)found,
               (int)wanted, found ? ew_message() : "", begin, part);
    }
    CU_ASSERT(right);
}

static inline void refuse_medit(const char *text, ew_status status, const char *begin,
                                const char *part)
{
    ew_mesh mesh;
    memset(&mesh, 0x5a, sizeof mesh);
    const ew_mesh untouched = mesh;
    check_refusal(read_medit(text, &mesh, NULL), status, begin, part);
    CU_ASSERT(memcmp(&mesh, &untouched, sizeof mesh) == 0);
}

static inline void refuse_surface(const ew_format *format, const char *text, const char *begin,
                                  const char *part)
{
    ew_surface surface;
    memset(&surface, 0x5a, sizeof surface);
    const ew_surface untouched = surface;
    check_refusal(read_surface(format, text, &surface), EW_BAD_INPUT, begin, part);
    CU_ASSERT(memcmp(&surface, &untouched, sizeof surface) == 0);
}

static inline bool same_bits(const double *a, const double *b, size_t n)
{
    return memcmp(a, b, n * sizeof *a) == 0;
}

static inline bool same_mesh(const ew_mesh *a, const ew_mesh *b)
{
    if (a->n_vertex != b->n_vertex || a->n_tet != b->n_tet || a->n_face != b->n_face ||
        a->n_region != b->n_region) {
        return false;
    }
    return same_bits(a->xyz, b->xyz, 3 * (size_t)a->n_vertex) &&
           memcmp(a->tet, b->tet, 4 * (size_t)a->n_tet * sizeof *a->tet) == 0 &&
           memcmp(a->region, b->region, (size_t)a->n_tet * sizeof *a->region) == 0 &&
           memcmp(a->region_label, b->region_label,
                  (size_t)a->n_region * sizeof *a->region_label) == 0 &&
           memcmp(a->face, b->face, 3 * (size_t)a->n_face * sizeof *a->face) == 0 &&
           memcmp(a->face_label, b->face_label, (size_t)a->n_face * sizeof *a->face_label) == 0;
}

/* A box whose coordinates have all their bits, with two regions. */
static inline void make_mesh(ew_mesh *mesh)
{
    ew_mesh box;
    uint64_t seed = 7;
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&box, (double[3]){1, 2, 3}, (int32_t[3]){3, 2, 4}), EW_OK);
    for (int32_t i = 0; i < 3 * box.n_vertex; i++) {
        double noise = (double)ew_test_random(&seed, UINT32_MAX) / UINT32_MAX;
        box.xyz[i] += 0.05 * noise * noise - 1e-9 * noise;
    }
    int32_t *label = malloc((size_t)box.n_tet * sizeof *label);
    for (int32_t t = 0; t < box.n_tet; t++) {
        label[t] = t % 3 == 0 ? -5 : 2000000000;
    }
    ew_mesh_def def = {.n_vertex = box.n_vertex,
                       .xyz = box.xyz,
                       .n_tet = box.n_tet,
                       .tet = box.tet,
                       .region = label,
                       .n_face = box.n_face,
                       .face = box.face,
                       .face_label = box.face_label};
    CU_ASSERT_EQUAL_FATAL(ew_mesh_init(mesh, &def, NULL), EW_OK);
    free(label);
    ew_mesh_free(&box);
}

#define HEAD     "MeshVersionFormatted 2\nDimension 3\n"
#define VERTICES "Vertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"
#define ONE_TET  "Tetrahedra 1\n1 2 3 4 7\n"

#define NODE0 "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n"
#define NODE1                                                                                      \
    "# made by hand\n4 3 1 1\n\n1 0 0 0 5.5 1\n2 1 0 0 0 0 # on x\n3 0 1 0 0 1\n4 0 0 1 0 1"

#define POINTS "0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
#define FACES  "3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"

#define FACET(a, b, c)                                                                             \
    "facet normal 0 0 nan\nouter loop\nvertex " a "\nvertex " b "\nvertex " c                      \
    "\nendloop\nendfacet\n"
#define O "0 0 0"
#define X "1.0e+0 0 -0"
#define Y "-0.0 1 0"
#define Z "0 0 1"

static inline size_t make_binary(char *to, const char *head)
{
    static const float p[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, -0.0f}, {0, -0.0f, 1}};
    static const int corner[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    memset(to, 0, 84 + 4 * 50);
    memcpy(to, head, strlen(head));
    to[80] = 4;
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) {
            memcpy(to + 84 + 50 * i + 12 + 12 * k, p[corner[i][k]], 12);
        }
    }
    return 84 + 4 * 50;
}

#endif
