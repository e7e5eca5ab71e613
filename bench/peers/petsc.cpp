/* PETSc on one process: block rows (BAIJ), symmetric block rows (SBAIJ), conjugate gradients with
 * smoothed aggregation (GAMG) that is told the rigid motions. Every matrix is preallocated exactly,
 * from counts that are not timed. Options of PETSC_OPTIONS apply. */
#include "peers.h"

#include <petscksp.h>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        if (call) {                                                                                \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (0)

void petsc_start()
{
    CHECK(PetscInitialize(nullptr, nullptr, nullptr, nullptr));
}

void petsc_stop()
{
    CHECK(PetscFinalize());
}

/* All vertices, or the free ones alone. */
static Mat assemble(const Problem &problem, MatType type, const std::vector<int> &neighbors,
                    bool only_free)
{
    Mat matrix;
    const int n = (int)neighbors.size();
    std::vector<int> row(neighbors);
    for (int &count : row) {
        count++; /* itself */
    }
    CHECK(MatCreate(PETSC_COMM_SELF, &matrix));
    CHECK(MatSetSizes(matrix, 3 * n, 3 * n, 3 * n, 3 * n));
    CHECK(MatSetType(matrix, type));
    CHECK(MatSetBlockSize(matrix, 3));
    CHECK(MatXAIJSetPreallocation(matrix, 3, row.data(), nullptr, row.data(), nullptr));
    if (std::string(type) == MATSEQSBAIJ) {
        CHECK(MatSetOption(matrix, MAT_IGNORE_LOWER_TRIANGULAR, PETSC_TRUE));
    }
    for (int t = 0; t < problem.body->mesh.n_tet; t++) {
        int v[4];
        double k[144];
        problem.element(t, v, k);
        for (int &i : v) {
            i = only_free ? problem.free_of[(size_t)i] : i; /* -1: PETSc passes it over */
        }
        CHECK(MatSetValuesBlocked(matrix, 4, v, 4, v, k, ADD_VALUES));
    }
    CHECK(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
    CHECK(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
    return matrix;
}

struct Rows {
    std::vector<int> neighbors;
    std::vector<double> y;
    Mat matrix = nullptr;
    Vec from = nullptr, to = nullptr;
    ~Rows()
    {
        CHECK(VecDestroy(&from));
        CHECK(VecDestroy(&to));
        CHECK(MatDestroy(&matrix));
    }
};

static void join(const Problem &problem, MatType type, bool half, const char *name,
                 const std::vector<double> &x, std::vector<Contender> &assembly,
                 std::vector<Contender> &product)
{
    const auto own = std::make_shared<Rows>();
    const int n = (int)x.size();
    own->neighbors = problem.neighbors(true, half);
    own->y.resize(x.size());
    CHECK(VecCreateSeqWithArray(PETSC_COMM_SELF, 3, n, x.data(), &own->from));
    CHECK(VecCreateSeqWithArray(PETSC_COMM_SELF, 3, n, own->y.data(), &own->to));
    assembly.push_back({name, [own, type, &problem] {
                            CHECK(MatDestroy(&own->matrix));
                            own->matrix = assemble(problem, type, own->neighbors, false);
                        }});
    product.push_back({name, [own] { CHECK(MatMult(own->matrix, own->from, own->to)); }, &own->y});
}

void petsc_join(const Problem &problem, const std::vector<double> &x,
                std::vector<Contender> &assembly, std::vector<Contender> &product)
{
    join(problem, MATSEQBAIJ, false, "PETSc BAIJ, 1 process", x, assembly, product);
    join(problem, MATSEQSBAIJ, true, "PETSc SBAIJ, 1 process", x, assembly, product);
}

Solve petsc_solve(const Problem &problem)
{
    Solve out;
    const int n = problem.n_free();
    std::vector<double> b(3 * (size_t)n), place(b.size()), u(b.size());
    for (int i = 0; i < n; i++) {
        const size_t v = (size_t)problem.vertex_of[(size_t)i];
        for (size_t c = 0; c < 3; c++) {
            b[3 * (size_t)i + c] = problem.body->f[3 * v + c];
            place[3 * (size_t)i + c] = problem.body->mesh.xyz[3 * v + c];
        }
    }
    const std::vector<int> neighbors = problem.neighbors(false, false);
    double start = ew_seconds();
    Mat matrix = assemble(problem, MATSEQAIJ, neighbors, true);
    CHECK(MatSetOption(matrix, MAT_SPD, PETSC_TRUE));
    out.assembly = ew_seconds() - start;

    start = ew_seconds();
    Vec right, left, points;
    KSP solver;
    PC multigrid;
    MatNullSpace motions;
    CHECK(VecCreateSeqWithArray(PETSC_COMM_SELF, 3, 3 * n, b.data(), &right));
    CHECK(VecCreateSeqWithArray(PETSC_COMM_SELF, 3, 3 * n, u.data(), &left));
    CHECK(VecCreateSeqWithArray(PETSC_COMM_SELF, 3, 3 * n, place.data(), &points));
    CHECK(MatNullSpaceCreateRigidBody(points, &motions));
    CHECK(MatSetNearNullSpace(matrix, motions));
    CHECK(KSPCreate(PETSC_COMM_SELF, &solver));
    CHECK(KSPSetOperators(solver, matrix, matrix));
    CHECK(KSPSetType(solver, KSPCG));
    CHECK(KSPSetNormType(solver, KSP_NORM_UNPRECONDITIONED));
    CHECK(KSPSetTolerances(solver, 1e-8, PETSC_DEFAULT, PETSC_DEFAULT, 20000));
    CHECK(KSPGetPC(solver, &multigrid));
    CHECK(PCSetType(multigrid, PCGAMG));
    CHECK(KSPSetFromOptions(solver));
    CHECK(KSPSetUp(solver));
    out.setup = ew_seconds() - start;

    start = ew_seconds();
    CHECK(KSPSolve(solver, right, left));
    out.solve = ew_seconds() - start;
    CHECK(KSPGetIterationNumber(solver, &out.iterations));
    out.u.assign(3 * (size_t)problem.n_vertex(), 0);
    for (int i = 0; i < n; i++) {
        std::copy_n(&u[3 * (size_t)i], 3, &out.u[3 * (size_t)problem.vertex_of[(size_t)i]]);
    }
    CHECK(KSPDestroy(&solver));
    CHECK(MatNullSpaceDestroy(&motions));
    CHECK(VecDestroy(&right));
    CHECK(VecDestroy(&left));
    CHECK(VecDestroy(&points));
    CHECK(MatDestroy(&matrix));
    return out;
}
