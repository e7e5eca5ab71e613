/* model, private: products of the stiffness with vectors, in parts that stay as moduli change.
 * (answer_products.c) */
#ifndef EW_MODEL_ANSWER_PRODUCTS_H
#define EW_MODEL_ANSWER_PRODUCTS_H

#include "model/internal.h"

enum { MODEL_MAX_PARTS = 16 };

/* The stiffness of isotropic materials is linear in the Lame constants of each region: K = sum of
 * factor times part. A part is that of a region with fixed constants, or of all regions whose
 * constants have always been the same. */
typedef struct model_stiffness_parts {
    int32_t n; /* 0: K as it is, by the matrix, whose factor is 1 */
    double factor[MODEL_MAX_PARTS];
    struct {
        int32_t region; /* -1: those that never changed */
        double lame[2];
    } part[MODEL_MAX_PARTS];
    int32_t n_region;
    double *first;   /* [n_region][2] owned: constants at first */
    uint8_t *change; /* [n_region] owned: of its constants since then */
    double *lame;    /* [n_region][2] owned: memory of a product */
    ew_edge_product edges;
    ew_tet_operator tets;
    ew_stiffness tet_stiffness;
    ew_materials materials; /* borrows all */
} model_stiffness_parts;

/* Factors of the materials as they are. *is_other: parts are others than before, so that products
 * with them are to be formed again. by_matrix: the matrix is to be used; else it is not where it
 * can be avoided. */
ew_status model_take_stiffness_parts(ew_model *model, bool by_matrix, model_stiffness_parts *of,
                                     bool *is_other);
/* y [n or 1][size]: products of x with the parts. */
ew_status model_multiply_parts(ew_model *model, model_stiffness_parts *of, const double *x,
                               size_t size, double *y);
/* y = K x, without a matrix where there is none and can be none. */
ew_status model_product(ew_model *model, const double *x, double *y);
/* Rows of that at these vertices; of the rest of y what is left is not defined. */
ew_status model_product_at(ew_model *model, const double *x, const ew_list *vertex, double *y);
void model_free_stiffness_parts(model_stiffness_parts *of);

#endif
