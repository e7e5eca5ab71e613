/* operation, private: a closed surface that bodies are cut along, in patches between its sharp
 * edges. */
#ifndef EW_OPERATION_CUT_PATCHES_H
#define EW_OPERATION_CUT_PATCHES_H

#include "operation/framework/local.h"
#include "operation/framework/triangles.h"

typedef struct ew_patched ew_patched;

/* A part of the surface without sharp edges. */
typedef struct ew_patch {
    ew_cut_shape shape; /* goes on beyond the rim, flat; its data is this patch */
    ew_triangles tree;
    const ew_patched *of;
    double area;
} ew_patch;

/* Zeroed: none. */
struct ew_patched {
    ew_surface surface;    /* owned: a copy, all triangles look outwards */
    ew_triangles tree;     /* of all */
    double extent;         /* longest side of its box */
    double *normal;        /* [n_triangle][3] owned: of length 1 */
    double *corner_normal; /* [n_triangle][3][3] owned: at the corners, of all triangles there,
                              weighted by angle; of length 1 */
    int32_t *across;       /* [n_triangle][3] owned: 3 * triangle + side beyond the side from this
                              corner to the next one */
    int32_t n_patch;
    int32_t *patch_of;    /* [n_triangle] owned */
    ew_patch *patch;      /* [n_patch] owned: by area, the largest first */
    double *patch_normal; /* [n_triangle][3][3] owned: as corner_normal, of the same patch alone */
    uint8_t *rim;         /* [n_triangle] owned: bit k: corner k lies on the rim of its patch */
    int32_t n_turned;     /* components that looked inwards */
};

/* A copy of a surface that is closed, encloses something and does not meet itself; else
 * EW_BAD_INPUT, in one line. Shells inside others enclose cavities. (cut_shells.c) */
ew_status ew_patched_init(ew_patched *patched, const ew_surface *surface);
/* EW_BAD_INPUT naming two triangles that meet. (cut_shells.c) */
ew_status ew_patched_check(const ew_patched *patched);
/* Fills in normals; `across` and the surface are there. */
ew_status ew_patched_begin(ew_patched *patched);
/* Divides it along edges where it bends by more than `angle` (radians); patches of less area than
 * `least` become part of their neighbors. */
ew_status ew_patched_divide(ew_patched *patched, double angle, double least);
/* Whether all patches are. */
bool ew_patched_is_flat(const ew_patched *patched);
void ew_patched_free(ew_patched *patched);
/* Signed distance, < 0 inside, whose sign is right far away, too; beyond `bound` INFINITY. */
double ew_patched_distance(const ew_patched *patched, const double x[3], double bound);
/* Of one that is not flat: the distance of its shape; *far: that from its triangles. */
double ew_patch_distance(const ew_patch *patch, const double x[3], double *far);

/* Of a forest: the least of a part stands for all, and is its own parent. */
static inline int32_t ew_root_of(int32_t *parent, int32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}
static inline void ew_join_parts(int32_t *parent, int32_t a, int32_t b)
{
    a = ew_root_of(parent, a);
    b = ew_root_of(parent, b);
    parent[a < b ? b : a] = a < b ? a : b;
}

#endif
