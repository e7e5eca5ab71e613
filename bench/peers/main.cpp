/* bench_peers: assembly, product and static solve by Edgewise, Eigen, PETSc and CHOLMOD on the same
 * meshes in one run. In: mesh files, or SHAPE:TETS. Out: a table; CSV with --csv FILE. CHOLMOD is
 * left out beyond --cholmod tets: its factor of a million takes gigabytes and minutes. */
#include "peers.h"

#include <cstring>

static struct {
    FILE *csv = nullptr;
    const bench_body *body = nullptr;
    double assembly = 0, product = 0, solve = 0; /* s of Edgewise on one thread */
    std::vector<double> y;                       /* its product */
} now;

Problem::Problem(const bench_body *of) : body(of), free_of((size_t)of->mesh.n_vertex, -1)
{
    for (int v = 0; v < n_vertex(); v++) {
        if (body->constraints.fixed[v] == 0) {
            free_of[(size_t)v] = n_free();
            vertex_of.push_back(v);
        }
    }
}

/* K_ab = V (lambda g_a g_b^T + mu g_b g_a^T + mu (g_a . g_b) I) */
void Problem::element(int tet, int vertex[4], double *k) const
{
    const ew_mesh *mesh = &body->mesh;
    const double *lame = body->materials.lame + 2 * (size_t)mesh->region[tet];
    double g[4][3], volume;
    ew_element_gradients(mesh, tet, g, &volume);
    std::copy_n(mesh->tet + 4 * (size_t)tet, 4, vertex);
    for (int a = 0; a < 4; a++) {
        for (int b = 0; b < 4; b++) {
            const double dot = g[a][0] * g[b][0] + g[a][1] * g[b][1] + g[a][2] * g[b][2];
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++) {
                    k[12 * (3 * a + i) + 3 * b + j] =
                        volume * (lame[0] * g[a][i] * g[b][j] + lame[1] * g[b][i] * g[a][j] +
                                  (i == j ? lame[1] * dot : 0));
                }
            }
        }
    }
}

std::vector<int> Problem::neighbours(bool all_vertices, bool later_only) const
{
    const ew_graph *graph = &body->topology.graph;
    std::vector<int> count((size_t)(all_vertices ? n_vertex() : n_free()), 0);
    for (int e = 0; e < graph->n_edge; e++) {
        const int32_t *row = graph->edge_row + 2 * (size_t)e; /* a < b, and so are their places */
        const int a = all_vertices ? row[0] : free_of[(size_t)row[0]];
        const int b = all_vertices ? row[1] : free_of[(size_t)row[1]];
        if (a >= 0 && b >= 0) {
            count[(size_t)a]++;
            count[(size_t)b] += !later_only;
        }
    }
    return count;
}

/* ---- rows -------------------------------------------------------------- */

static double difference(const std::vector<double> &a, const std::vector<double> &b)
{
    double largest = 0, scale = 0;
    for (size_t i = 0; i < a.size(); i++) {
        largest = std::max(largest, std::fabs(a[i] - b[i]));
        scale = std::max(scale, std::fabs(b[i]));
    }
    return scale > 0 ? largest / scale : largest;
}

static void row(const char *what, const char *who, Times times, double reference)
{
    char tets[32];
    std::printf("%-10s %9s %-9s %-38s %11.3f %11.3f %9.2f", now.body->name,
                tool_count(now.body->mesh.n_live_tet, tets), what, who, 1e3 * times.median,
                1e3 * times.least, times.least / reference);
    if (now.csv) {
        std::fprintf(now.csv, "%s,%d,%s,\"%s\",%.6g,%.6g,%.4g\n", now.body->name,
                     (int)now.body->mesh.n_live_tet, what, who, 1e3 * times.median,
                     1e3 * times.least, times.least / reference);
    }
}

static void report_assembly(const char *who, Times times, const std::vector<double> *)
{
    row("assembly", who, times, now.assembly);
    std::puts("");
}

static void report_product(const char *who, Times times, const std::vector<double> *y)
{
    row("product", who, times, now.product);
    std::printf("  differs by %.1e\n", difference(*y, now.y));
    std::fflush(stdout);
}

struct Solves {
    Solve median; /* the run with the median total */
    Times total;
};

static void report_solve(const char *who, const Solves &solves, const std::vector<double> &u)
{
    const Solve &one = solves.median;
    row("static", who, solves.total, now.solve);
    std::printf("  assembly %.0f + set-up %.0f + solve %.0f ms, %d iterations, differs by %.1e\n",
                1e3 * one.assembly, 1e3 * one.setup, 1e3 * one.solve, one.iterations,
                difference(one.u, u));
    std::fflush(stdout);
}

/* ---- Edgewise ---------------------------------------------------------- */

static void require(ew_status status)
{
    if (status) {
        std::fprintf(stderr, "bench_peers: %s\n", ew_message());
        std::exit(1);
    }
}

static void edgewise_assemble(const bench_body *body, int repeat, int threads)
{
    ew_topology topology = {};
    ew_matrix matrix = {};
    ew_use_threads(threads);
    const Times both = time_of(repeat, [&] {
        ew_topology_free(&topology);
        ew_matrix_free(&matrix);
        require(ew_topology_build(&topology, &body->mesh));
        require(ew_matrix_build(&matrix, &body->mesh, &topology, &body->materials));
    });
    if (threads == 1) {
        now.assembly = both.least;
    }
    report_assembly(threads == 1 ? "Edgewise, tables and matrix, 1 thread"
                                 : "Edgewise, tables and matrix, all threads",
                    both, nullptr);
    const Times alone = time_of(repeat, [&] {
        ew_matrix_free(&matrix);
        require(ew_matrix_build(&matrix, &body->mesh, &topology, &body->materials));
    });
    report_assembly(threads == 1 ? "Edgewise, matrix alone, 1 thread"
                                 : "Edgewise, matrix alone, all threads",
                    alone, nullptr);
    ew_topology_free(&topology);
    ew_matrix_free(&matrix);
}

static void edgewise_multiply(const bench_body *body, const ew_matrix *matrix,
                              const std::vector<double> &x, int repeat, int threads)
{
    now.y.resize(x.size());
    ew_use_threads(threads);
    const Times times = time_of(4 * repeat, [&] {
        ew_matrix_product(matrix, &body->topology.graph, x.data(), now.y.data());
    });
    if (threads == 1) {
        now.product = times.least;
    }
    report_product(threads == 1 ? "Edgewise, 1 thread" : "Edgewise, all threads", times, &now.y);
}

static Solve edgewise_solve(const bench_body *body, int threads)
{
    Solve out;
    ew_topology topology = {};
    ew_matrix matrix = {};
    ew_pcg_info info = {};
    const ew_pcg_def def = ew_default_pcg_def();
    out.u.assign(3 * (size_t)body->mesh.n_vertex, 0);
    ew_use_threads(threads);
    double start = ew_seconds();
    require(ew_topology_build(&topology, &body->mesh));
    require(ew_matrix_build(&matrix, &body->mesh, &topology, &body->materials));
    out.assembly = ew_seconds() - start;
    start = ew_seconds();
    require(ew_solve_host(&matrix, &topology.graph, body->constraints.fixed, body->f, &def,
                          out.u.data(), &info));
    out.solve = ew_seconds() - start;
    out.iterations = info.iterations;
    ew_topology_free(&topology);
    ew_matrix_free(&matrix);
    ew_pcg_info_free(&info);
    return out;
}

static double total_of(const Solve &solve)
{
    return solve.assembly + solve.setup + solve.solve;
}

template <class F> static Solves solve_often(int repeat, F f)
{
    std::vector<Solve> runs;
    for (int i = 0; i < repeat; i++) {
        runs.push_back(f());
    }
    std::sort(runs.begin(), runs.end(),
              [](const Solve &a, const Solve &b) { return total_of(a) < total_of(b); });
    const Solve &median = runs[(size_t)repeat / 2];
    return {median, {total_of(median), total_of(runs[0])}};
}

/* ---- one body ---------------------------------------------------------- */

static void compare(const bench_body *body, int repeat, int threads, int most_factored)
{
    const Problem problem(body);
    now.body = body;
    edgewise_assemble(body, repeat, 1);
    edgewise_assemble(body, repeat, threads);

    ew_matrix matrix = {};
    require(ew_matrix_build(&matrix, &body->mesh, &body->topology, &body->materials));
    std::vector<double> x(3 * (size_t)body->mesh.n_vertex);
    for (size_t i = 0; i < x.size(); i++) {
        x[i] = std::sin(0.1 * (double)i);
    }
    edgewise_multiply(body, &matrix, x, repeat, 1);
    edgewise_multiply(body, &matrix, x, repeat, threads);
    ew_matrix_free(&matrix);

    eigen_assemble_and_multiply(problem, x, repeat, report_assembly, report_product);
    petsc_assemble_and_multiply(problem, x, repeat, report_assembly, report_product);

    const int solves = std::min(repeat, 3);
    const Solves one = solve_often(solves, [&] { return edgewise_solve(body, 1); });
    now.solve = one.total.least;
    report_solve("Edgewise CG, block Jacobi, 1 thread", one, one.median.u);
    report_solve("Edgewise CG, block Jacobi, all threads",
                 solve_often(solves, [&] { return edgewise_solve(body, threads); }), one.median.u);
    report_solve("PETSc CG, GAMG, 1 process",
                 solve_often(solves, [&] { return petsc_solve(problem); }), one.median.u);
    if (body->mesh.n_live_tet <= most_factored) {
        report_solve("CHOLMOD, BLAS on all threads",
                     solve_often(solves, [&] { return cholmod_solve(problem); }), one.median.u);
    }
}

static ew_status make(bench_body *body, const char *name)
{
    static const char *shapes[] = {"box", "plate", "bracket", "torus", "sphere"};
    for (int32_t i = 0; i < 5; i++) {
        const size_t length = std::strlen(shapes[i]);
        if (!std::strncmp(name, shapes[i], length) && name[length] == ':') {
            return bench_body_make(body, i, std::atof(name + length + 1), nullptr);
        }
    }
    return bench_body_read(body, name);
}

static void open_csv(const char *path)
{
    now.csv = std::fopen(path, "w");
    if (!now.csv) {
        std::fprintf(stderr, "bench_peers: %s cannot be written\n", path);
        std::exit(2);
    }
    std::setvbuf(now.csv, nullptr, _IOLBF, 1024); /* what was measured survives an interrupt */
    std::fputs("mesh,tets,what,who,median_ms,min_ms,ratio\n", now.csv);
}

int main(int argc, char **argv)
{
    int repeat = 5, most_factored = 400000;
    const char *csv = nullptr;
    std::vector<const char *> names;
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : nullptr;
        if (value && !std::strcmp(argv[i], "--repeat")) {
            repeat = std::max(1, std::atoi(argv[++i]));
        } else if (value && !std::strcmp(argv[i], "--cholmod")) {
            most_factored = std::atoi(argv[++i]);
        } else if (value && !std::strcmp(argv[i], "--csv")) {
            csv = argv[++i];
        } else {
            names.push_back(argv[i]);
        }
    }
    if (names.empty() || names[0][0] == '-') {
        std::puts("usage: bench_peers [--repeat N] [--cholmod MOST_TETS] [--csv FILE] "
                  "(MESH | SHAPE:TETS)...");
        return 2;
    }
    if (csv) {
        open_csv(csv);
    }
    petsc_start();
    const int threads = ew_threads();
    std::printf("%d threads; ratio: fastest sample against that of Edgewise on one thread\n",
                threads);
    std::printf("%-10s %9s %-9s %-38s %11s %11s %9s\n", "mesh", "tets", "what", "who", "median ms",
                "min ms", "ratio");
    for (const char *name : names) {
        bench_body body;
        require(make(&body, name));
        require(bench_body_prepare(&body));
        compare(&body, repeat, threads, most_factored);
        bench_body_free(&body);
    }
    if (now.csv) {
        std::fclose(now.csv);
    }
    petsc_stop();
    return 0;
}
