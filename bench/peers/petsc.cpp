/* PETSc: block rows (BAIJ) and symmetric block rows (SBAIJ) on one process; conjugate gradients
 * with smoothed aggregation (GAMG) that is told the rigid motions, on one process and on all of
 * them. Every matrix is preallocated exactly and every body partitioned by METIS, neither of which
 * is timed. */
#include "peers.h"

#include <petscksp.h>
#include <unistd.h>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        if (call) {                                                                                \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (0)

/* ---- processes ----------------------------------------------------------- */

void petsc_start()
{
    CHECK(PetscInitialize(nullptr, nullptr, nullptr, nullptr));
}

void petsc_stop()
{
    CHECK(PetscFinalize());
}

int petsc_processes()
{
    int n;
    CHECK(MPI_Comm_size(PETSC_COMM_WORLD, &n));
    return n;
}

int petsc_process()
{
    int rank;
    CHECK(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
    return rank;
}

void petsc_call(int what)
{
    for (int rank = 1; rank < petsc_processes(); rank++) {
        CHECK(MPI_Send(&what, 1, MPI_INT, rank, 0, PETSC_COMM_WORLD));
    }
}

int petsc_wait()
{
    int what, is_there = 0;
    while (!is_there) { /* asleep: MPI itself would wait by spinning on the processors of others;
                         * and where others wake up often, threads end up on one processor */
        CHECK(MPI_Iprobe(0, 0, PETSC_COMM_WORLD, &is_there, MPI_STATUS_IGNORE));
        usleep(100000);
    }
    CHECK(MPI_Recv(&what, 1, MPI_INT, 0, 0, PETSC_COMM_WORLD, MPI_STATUS_IGNORE));
    return what;
}

/* ---- matrices ------------------------------------------------------------ */

/* The rows of vertices, process by process, and how many blocks each of the own rows has: with
 * columns of this process, with those of others; `half`: later columns alone. */
struct Rows {
    std::vector<int> place; /* [n_vertex] -1: no row */
    int n = 0, begin = 0, end = 0;
    std::vector<int> own, other; /* [end - begin] */
    bool is_own(int row) const
    {
        return row >= begin && row < end;
    }
};

static void count(Rows &rows, int row, int column)
{
    if (rows.is_own(row)) {
        (rows.is_own(column) ? rows.own : rows.other)[(size_t)(row - rows.begin)]++;
    }
}

static Rows rows_of(const Problem &problem, MPI_Comm processes, bool only_free, bool half)
{
    Rows rows;
    int n_process, process;
    const ew_pattern *pattern = &problem.body->topology.pattern;
    std::vector<int> part((size_t)problem.n_vertex(), 0);
    CHECK(MPI_Comm_size(processes, &n_process));
    CHECK(MPI_Comm_rank(processes, &process));
    if (n_process > 1 && ew_partition(pattern, nullptr, nullptr, n_process, part.data())) {
        std::fprintf(stderr, "bench_peers: %s\n", ew_message());
        std::exit(1);
    }
    rows.place.assign(part.size(), -1);
    for (int p = 0; p < n_process; p++) {
        rows.begin = p == process ? rows.n : rows.begin;
        for (size_t v = 0; v < part.size(); v++) {
            if (std::max(part[v], 0) == p && (!only_free || problem.free_of[v] >= 0)) {
                rows.place[v] = rows.n++;
            }
        }
        rows.end = p == process ? rows.n : rows.end;
    }
    rows.own.assign((size_t)(rows.end - rows.begin), 1); /* itself */
    rows.other.assign(rows.own.size(), 0);
    for (int e = 0; e < pattern->n_pair; e++) {
        const int a = rows.place[(size_t)pattern->pair_row[2 * (size_t)e]];
        const int b = rows.place[(size_t)pattern->pair_row[2 * (size_t)e + 1]];
        if (a >= 0 && b >= 0) {
            count(rows, std::min(a, b), std::max(a, b));
            if (!half) {
                count(rows, std::max(a, b), std::min(a, b));
            }
        }
    }
    return rows;
}

static Mat assemble(const Problem &problem, MPI_Comm processes, MatType type, const Rows &rows)
{
    Mat matrix;
    const int n_own = rows.end - rows.begin;
    CHECK(MatCreate(processes, &matrix));
    CHECK(MatSetSizes(matrix, 3 * n_own, 3 * n_own, 3 * rows.n, 3 * rows.n));
    CHECK(MatSetType(matrix, type));
    CHECK(MatSetBlockSize(matrix, 3));
    CHECK(MatXAIJSetPreallocation(matrix, 3, rows.own.data(), rows.other.data(), rows.own.data(),
                                  rows.other.data()));
    CHECK(MatSetOption(matrix, MAT_IGNORE_OFF_PROC_ENTRIES, PETSC_TRUE));
    if (std::string(type) == MATSEQSBAIJ) {
        CHECK(MatSetOption(matrix, MAT_IGNORE_LOWER_TRIANGULAR, PETSC_TRUE));
    }
    for (int t = 0; t < problem.body->mesh.n_tet; t++) {
        int v[4];
        double k[144];
        std::copy_n(problem.body->mesh.tet + 4 * (size_t)t, 4, v);
        for (int &i : v) {
            i = rows.place[(size_t)i]; /* -1: PETSc passes it over */
        }
        if (std::any_of(v, v + 4, [&](int row) { return rows.is_own(row); })) {
            int vertex[4];
            problem.element(t, vertex, k);
            CHECK(MatSetValuesBlocked(matrix, 4, v, 4, v, k, ADD_VALUES));
        }
    }
    CHECK(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
    CHECK(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
    return matrix;
}

/* ---- assembly and product ------------------------------------------------- */

struct Product {
    Rows rows;
    std::vector<double> y;
    Mat matrix = nullptr;
    Vec from = nullptr, to = nullptr;
    ~Product()
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
    const auto own = std::make_shared<Product>();
    const int n = (int)x.size();
    own->rows = rows_of(problem, PETSC_COMM_SELF, false, half);
    own->y.resize(x.size());
    CHECK(VecCreateSeqWithArray(PETSC_COMM_SELF, 3, n, x.data(), &own->from));
    CHECK(VecCreateSeqWithArray(PETSC_COMM_SELF, 3, n, own->y.data(), &own->to));
    assembly.push_back({name, [own, type, &problem] {
                            CHECK(MatDestroy(&own->matrix));
                            own->matrix = assemble(problem, PETSC_COMM_SELF, type, own->rows);
                        }});
    product.push_back({name, [own] { CHECK(MatMult(own->matrix, own->from, own->to)); }, &own->y});
}

void petsc_join(const Problem &problem, const std::vector<double> &x,
                std::vector<Contender> &assembly, std::vector<Contender> &product)
{
    join(problem, MATSEQBAIJ, false, "PETSc BAIJ, 1 process", x, assembly, product);
    join(problem, MATSEQSBAIJ, true, "PETSc SBAIJ, 1 process", x, assembly, product);
}

/* ---- solve ---------------------------------------------------------------- */

/* Seconds since `start`, once all processes are here. */
static double seconds_since(MPI_Comm processes, double start)
{
    CHECK(MPI_Barrier(processes));
    return ew_seconds() - start;
}

/* The answer on the first process: the rows of all, in their order. */
static void gather(const Problem &problem, MPI_Comm processes, const Rows &rows,
                   const std::vector<double> &u, Solve &out)
{
    int n_process, process;
    CHECK(MPI_Comm_size(processes, &n_process));
    CHECK(MPI_Comm_rank(processes, &process));
    const int n_own = (int)u.size(), begin = 3 * rows.begin;
    std::vector<int> size((size_t)n_process), at(size);
    std::vector<double> all(3 * (size_t)rows.n);
    CHECK(MPI_Gather(&n_own, 1, MPI_INT, size.data(), 1, MPI_INT, 0, processes));
    CHECK(MPI_Gather(&begin, 1, MPI_INT, at.data(), 1, MPI_INT, 0, processes));
    CHECK(MPI_Gatherv(u.data(), n_own, MPI_DOUBLE, all.data(), size.data(), at.data(), MPI_DOUBLE,
                      0, processes));
    out.u.assign(3 * (size_t)problem.n_vertex(), 0);
    for (size_t v = 0; process == 0 && v < rows.place.size(); v++) {
        if (rows.place[v] >= 0) {
            std::copy_n(&all[3 * (size_t)rows.place[v]], 3, &out.u[3 * v]);
        }
    }
}

Solve petsc_solve(const Problem &problem, bool on_all, const std::string &options)
{
    Solve out;
    const MPI_Comm processes = on_all ? PETSC_COMM_WORLD : PETSC_COMM_SELF;
    stay_on(on_all ? petsc_process() : -1);
    const Rows rows = rows_of(problem, processes, true, false);
    const size_t n_own = rows.own.size();
    std::vector<double> b(3 * n_own), place(b.size()), u(b.size());
    for (size_t v = 0; v < rows.place.size(); v++) {
        if (rows.is_own(rows.place[v])) {
            const size_t i = (size_t)(rows.place[v] - rows.begin);
            std::copy_n(problem.body->f + 3 * v, 3, &b[3 * i]);
            std::copy_n(problem.body->mesh.xyz + 3 * v, 3, &place[3 * i]);
        }
    }
    PetscOptions own;
    CHECK(PetscOptionsCreate(&own));
    CHECK(PetscOptionsInsertString(own, options.c_str()));
    CHECK(PetscOptionsPush(own));
    seconds_since(processes, 0);
    double start = ew_seconds();
    Mat matrix = assemble(problem, processes, MATAIJ, rows);
    CHECK(MatSetOption(matrix, MAT_SPD, PETSC_TRUE));
    out.assembly = seconds_since(processes, start);

    start = ew_seconds();
    Vec right, left, points;
    KSP solver;
    PC multigrid;
    MatNullSpace motions;
    const int n = 3 * (int)n_own, n_all = 3 * rows.n;
    CHECK(VecCreateMPIWithArray(processes, 3, n, n_all, b.data(), &right));
    CHECK(VecCreateMPIWithArray(processes, 3, n, n_all, u.data(), &left));
    CHECK(VecCreateMPIWithArray(processes, 3, n, n_all, place.data(), &points));
    CHECK(MatNullSpaceCreateRigidBody(points, &motions));
    CHECK(MatSetNearNullSpace(matrix, motions));
    CHECK(KSPCreate(processes, &solver));
    CHECK(KSPSetOperators(solver, matrix, matrix));
    CHECK(KSPSetType(solver, KSPCG));
    CHECK(KSPSetNormType(solver, KSP_NORM_UNPRECONDITIONED));
    CHECK(KSPSetTolerances(solver, 1e-8, PETSC_DEFAULT, PETSC_DEFAULT, 20000));
    CHECK(KSPGetPC(solver, &multigrid));
    CHECK(PCSetType(multigrid, PCGAMG));
    CHECK(KSPSetFromOptions(solver));
    CHECK(KSPSetUp(solver));
    out.setup = seconds_since(processes, start);

    start = ew_seconds();
    CHECK(KSPSolve(solver, right, left));
    out.solve = seconds_since(processes, start);
    CHECK(KSPGetIterationNumber(solver, &out.iterations));
    gather(problem, processes, rows, u, out);
    CHECK(KSPDestroy(&solver));
    CHECK(MatNullSpaceDestroy(&motions));
    CHECK(VecDestroy(&right));
    CHECK(VecDestroy(&left));
    CHECK(VecDestroy(&points));
    CHECK(MatDestroy(&matrix));
    CHECK(PetscOptionsPop());
    CHECK(PetscOptionsDestroy(&own));
    stay_on(-1);
    return out;
}
