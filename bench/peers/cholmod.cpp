/* CHOLMOD: lower half from triplets, supernodal Cholesky, ordered by METIS. */
#include "peers.h"

#include <cholmod.h>

static cholmod_sparse *assemble(const Problem &problem, cholmod_common *common)
{
    const int n_tet = problem.body->mesh.n_tet;
    const size_t n = 3 * (size_t)problem.n_free();
    cholmod_triplet *entries =
        cholmod_allocate_triplet(n, n, 78 * (size_t)n_tet, -1, CHOLMOD_REAL, common);
    int *row = (int *)entries->i, *column = (int *)entries->j;
    double *value = (double *)entries->x;
    size_t used = 0;
    for (int t = 0; t < n_tet; t++) {
        int v[4];
        double k[144];
        problem.element(t, v, k);
        for (int i = 0; i < 12; i++) {
            for (int j = 0; j < 12; j++) {
                const int r = 3 * problem.free_of[(size_t)v[i / 3]] + i % 3;
                const int c = 3 * problem.free_of[(size_t)v[j / 3]] + j % 3;
                if (c >= 0 && r >= c) {
                    row[used] = r;
                    column[used] = c;
                    value[used++] = k[12 * i + j];
                }
            }
        }
    }
    entries->nnz = used;
    cholmod_sparse *matrix = cholmod_triplet_to_sparse(entries, used, common);
    cholmod_free_triplet(&entries, common);
    return matrix;
}

Solve cholmod_solve(const Problem &problem)
{
    Solve out;
    cholmod_common common;
    cholmod_start(&common);
    common.supernodal = CHOLMOD_SUPERNODAL;
    common.nmethods = 1;
    common.method[0].ordering = CHOLMOD_METIS;
    double start = ew_seconds();
    cholmod_sparse *matrix = assemble(problem, &common);
    out.assembly = ew_seconds() - start;

    start = ew_seconds();
    cholmod_factor *factor = cholmod_analyze(matrix, &common);
    cholmod_factorize(matrix, factor, &common);
    out.setup = ew_seconds() - start;
    if (common.status != CHOLMOD_OK) {
        std::fprintf(stderr, "CHOLMOD: status %d\n", common.status);
        std::exit(1);
    }

    start = ew_seconds();
    cholmod_dense *b = cholmod_zeros(matrix->nrow, 1, CHOLMOD_REAL, &common);
    for (int i = 0; i < problem.n_free(); i++) {
        std::copy_n(problem.body->f + 3 * (size_t)problem.vertex_of[(size_t)i], 3,
                    (double *)b->x + 3 * (size_t)i);
    }
    cholmod_dense *u = cholmod_solve(CHOLMOD_A, factor, b, &common);
    out.solve = ew_seconds() - start;
    out.u.assign(3 * (size_t)problem.n_vertex(), 0);
    for (int i = 0; i < problem.n_free(); i++) {
        std::copy_n((const double *)u->x + 3 * (size_t)i, 3,
                    &out.u[3 * (size_t)problem.vertex_of[(size_t)i]]);
    }
    cholmod_free_dense(&b, &common);
    cholmod_free_dense(&u, &common);
    cholmod_free_factor(&factor, &common);
    cholmod_free_sparse(&matrix, &common);
    cholmod_finish(&common);
    return out;
}
