/* bench_peers: assembly, product and static solve by Edgewise, Eigen, PETSc and CHOLMOD on the same
 * meshes in one run. In: mesh files, or SHAPE:TETS. Out: a table; CSV with --csv FILE. CHOLMOD is
 * left out beyond --cholmod tets: its factor of a million takes gigabytes and minutes. --static
 * leaves out assembly and product. PETSc's multigrid runs with its defaults and with the options of
 * each --gamg; under `mpirun -n N --bind-to none` on N processes too. */
#include "peers.h"

#include <chrono>
#include <cstring>
#include <omp.h>
#include <sched.h>
#include <thread>

static FILE *csv;

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
    double corner[12];
    ew_mesh_tet_values(mesh, tet, mesh->xyz, corner);
    volume = ew_element_gradients(corner, g);
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

struct Times {
    double median, min; /* s */
};

static Times times_of(std::vector<double> sample)
{
    std::sort(sample.begin(), sample.end());
    const size_t n = sample.size();
    return {0.5 * (sample[(n - 1) / 2] + sample[n / 2]), sample[0]};
}

static void row(const bench_body *body, const char *what, const std::string &who, Times times,
                double reference, const Solve *one = nullptr)
{
    char tets[32];
    std::printf("%-10s %9s %-9s %-38s %11.3f %11.3f %9.2f", body->name,
                tool_count(body->mesh.n_live_tet, tets), what, who.c_str(), 1e3 * times.median,
                1e3 * times.min, times.min / reference);
    if (csv) {
        std::fprintf(csv, "%s,%d,%s,\"%s\",%.6g,%.6g,%.4g", body->name, (int)body->mesh.n_live_tet,
                     what, who.c_str(), 1e3 * times.median, 1e3 * times.min, times.min / reference);
        if (one) {
            std::fprintf(csv, ",%.6g,%.6g,%.6g,%d", 1e3 * one->assembly, 1e3 * one->setup,
                         1e3 * one->solve, one->iterations);
        } else {
            std::fputs(",,,,", csv);
        }
        std::fputs("\n", csv);
    }
}

void stay_on(int k)
{
    static const cpu_set_t all = [] {
        cpu_set_t given;
        CPU_ZERO(&given);
        sched_getaffinity(0, sizeof given, &given);
        return given;
    }();
    cpu_set_t own = all;
    for (int i = 0, n = 0; k >= 0 && i < CPU_SETSIZE; i++) {
        if (CPU_ISSET(i, &all) && n++ != k) {
            CPU_CLR(i, &own);
        }
    }
    sched_setaffinity(0, sizeof own, &own);
}

/* Everybody in turn, round by round, so that a disturbance from outside hits all alike. In a round
 * each takes an untimed step first: the others have emptied the caches. The first contender,
 * Edgewise on one thread, is the reference. */
static void race(const bench_body *body, const char *what, int rounds, bool warm,
                 const std::vector<Contender> &contenders)
{
    std::vector<std::vector<double>> sample(contenders.size());
    for (int round = 0; round <= rounds; round++) {
        for (size_t i = 0; i < contenders.size(); i++) {
            if (warm) {
                contenders[i].step();
            }
            const double start = ew_seconds();
            contenders[i].step();
            if (round) {
                sample[i].push_back(ew_seconds() - start);
            }
        }
    }
    for (size_t i = 0; i < contenders.size(); i++) {
        row(body, what, contenders[i].who, times_of(sample[i]), times_of(sample[0]).min);
        if (contenders[i].y) {
            std::printf("  differs by %.1e", difference(*contenders[i].y, *contenders[0].y));
        }
        std::puts("");
    }
    std::fflush(stdout);
}

struct Solver {
    std::string who;
    std::function<Solve()> solve;
};

static double total_of(const Solve &solve)
{
    return solve.assembly + solve.setup + solve.solve;
}

enum { MAX_SECONDS = 5 };

/* That with the median total; the lower one of two. */
static const Solve &median_of(std::vector<Solve> &sample)
{
    std::sort(sample.begin(), sample.end(),
              [](const Solve &a, const Solve &b) { return total_of(a) < total_of(b); });
    return sample[(sample.size() - 1) / 2];
}

/* In turn as well, those that take longer once only; the stages shown are those of the run with the
 * median total. Threads of OpenBLAS go on spinning after a factor for up to 2^28 cycles, on the
 * processors of whoever is next: everybody begins after a pause. */
static void race_solvers(const bench_body *body, int rounds, const std::vector<Solver> &solvers)
{
    std::vector<std::vector<Solve>> sample(solvers.size());
    for (int round = 0; round < rounds; round++) {
        for (size_t i = 0; i < solvers.size(); i++) {
            if (round == 0 || total_of(sample[i][0]) < MAX_SECONDS) {
                std::this_thread::sleep_for(std::chrono::milliseconds(250));
                sample[i].push_back(solvers[i].solve());
            }
        }
    }
    const Solve first = median_of(sample[0]);
    const double reference = total_of(sample[0][0]);
    for (size_t i = 0; i < solvers.size(); i++) {
        const Solve &one = median_of(sample[i]);
        row(body, "static", solvers[i].who, {total_of(one), total_of(sample[i][0])}, reference,
            &one);
        std::printf("  assembly %.0f + set-up %.0f + solve %.0f ms, %d iterations, differs by "
                    "%.1e\n",
                    1e3 * one.assembly, 1e3 * one.setup, 1e3 * one.solve, one.iterations,
                    difference(one.u, first.u));
    }
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

struct Edgewise {
    ew_topology topology = {};
    ew_matrix matrix = {};
    std::vector<double> y;
    ~Edgewise()
    {
        ew_topology_free(&topology);
        ew_matrix_free(&matrix);
    }
};

static void edgewise_join(const bench_body *body, const std::vector<double> &x, int threads,
                          std::vector<Contender> &assembly, std::vector<Contender> &product)
{
    const auto own = std::make_shared<Edgewise>();
    const std::string on = threads == 1 ? ", 1 thread" : ", all threads";
    own->y.resize(x.size());
    assembly.push_back({"Edgewise, tables and matrix" + on, [own, body, threads] {
                            ew_use_threads(threads);
                            ew_topology_free(&own->topology);
                            ew_matrix_free(&own->matrix);
                            require(ew_topology_build(&own->topology, &body->mesh));
                            require(ew_stiffness_build(&own->matrix, &body->mesh, &own->topology,
                                                       &body->materials));
                        }});
    assembly.push_back({"Edgewise, matrix alone" + on, [own, body, threads] {
                            ew_use_threads(threads);
                            ew_matrix_free(&own->matrix);
                            require(ew_stiffness_build(&own->matrix, &body->mesh, &own->topology,
                                                       &body->materials));
                        }});
    product.push_back({"Edgewise" + on,
                       [own, threads, &x] {
                           ew_use_threads(threads);
                           ew_matrix_product(&own->matrix, &own->topology.pattern, x.data(),
                                             own->y.data());
                       },
                       &own->y});
}

/* Each thread on a processor of its own, as long as this is there; one alone as it comes. */
struct Apart {
    int n;
    explicit Apart(int threads) : n(threads)
    {
        put(true);
    }
    ~Apart()
    {
        put(false);
    }
    void put(bool apart) const
    {
#pragma omp parallel num_threads(n) if (n > 1)
        if (n > 1) {
            stay_on(apart ? omp_get_thread_num() : -1);
        }
    }
};

static Solve edgewise_solve(const bench_body *body, int threads, ew_preconditioner_kind kind)
{
    Solve out;
    ew_topology topology = {};
    ew_matrix matrix = {};
    ew_pcg_info info = {};
    ew_solver solver = {};
    ew_pcg_def def = ew_default_pcg_def();
    def.preconditioner = kind;
    out.u.assign(3 * (size_t)body->mesh.n_vertex, 0);
    ew_use_threads(threads);
    const Apart apart(threads);
    double start = ew_seconds();
    require(ew_topology_build(&topology, &body->mesh));
    require(ew_stiffness_build(&matrix, &body->mesh, &topology, &body->materials));
    out.assembly = ew_seconds() - start;
    start = ew_seconds();
    ew_operator op = ew_operator_on_host(&matrix, &topology.pattern);
    const ew_system system = {&op, body->mesh.xyz, body->constraints.fixed, body->f, nullptr};
    const ew_status status = ew_solver_solve(&solver, &system, &def, out.u.data(), &info);
    require(status == EW_NOT_CONVERGED ? EW_OK : status); /* its iterations and answer tell */
    out.setup = info.seconds_setup;
    out.solve = ew_seconds() - start - out.setup;
    out.iterations = info.iterations;
    ew_topology_free(&topology);
    ew_matrix_free(&matrix);
    ew_operator_free(&op);
    ew_solver_free(&solver);
    return out;
}

/* ---- one body ---------------------------------------------------------- */

/* What is asked for. */
struct Options {
    int repeat = 5, max_factored = 400000;
    bool only_static = false;
    const char *csv_path = nullptr;
    std::vector<const char *> names;
    std::vector<std::string> gamg = {""};
};

enum { NEXT_BODY = -1 }; /* for petsc_call; else the place of the options */

static void compare_parts(const Problem &problem, int repeat, int threads)
{
    const bench_body *body = problem.body;
    std::vector<double> x(3 * (size_t)body->mesh.n_vertex);
    for (size_t i = 0; i < x.size(); i++) {
        x[i] = std::sin(0.1 * (double)i);
    }
    std::vector<Contender> assembly, product;
    edgewise_join(body, x, 1, assembly, product);
    edgewise_join(body, x, threads, assembly, product);
    ew_use_threads(threads);
    eigen_join(problem, x, assembly, product);
    petsc_join(problem, x, assembly, product);
    race(body, "assembly", repeat, false, assembly);
    race(body, "product", 10 * repeat, true, product);
}

static void compare(const bench_body *body, const Options &options, int threads)
{
    const Problem problem(body);
    if (!options.only_static) {
        compare_parts(problem, options.repeat, threads);
    }
    std::vector<Solver> solvers = {
        {"Edgewise CG, rigid, 1 thread", [=] { return edgewise_solve(body, 1, EW_RIGID); }},
        {"Edgewise CG, rigid, all threads",
         [=] { return edgewise_solve(body, threads, EW_RIGID); }},
        {"Edgewise CG, block Jacobi, all threads",
         [=] { return edgewise_solve(body, threads, EW_BLOCK_JACOBI); }}};
    for (size_t k = 0; k < options.gamg.size(); k++) {
        const std::string &with = options.gamg[k];
        const std::string who = "PETSc CG, GAMG" + (with.empty() ? with : " " + with);
        const int n = petsc_processes();
        solvers.push_back({who + ", 1 process", [&] { return petsc_solve(problem, false, with); }});
        if (n > 1) {
            solvers.push_back({who + ", " + std::to_string(n) + " processes", [&, k] {
                                   petsc_call((int)k);
                                   return petsc_solve(problem, true, with);
                               }});
        }
    }
    if (body->mesh.n_live_tet <= options.max_factored) {
        solvers.push_back({"CHOLMOD, BLAS on all threads", [&] { return cholmod_solve(problem); }});
    }
    const int32_t n = body->mesh.n_live_tet; /* one event outside is much of a few milliseconds */
    race_solvers(body,
                 n > 500000  ? 1
                 : n > 40000 ? options.repeat
                             : 2 * options.repeat - 1,
                 solvers);
    petsc_call(NEXT_BODY);
}

/* What the other processes do meanwhile. */
static void help(const bench_body *body, const Options &options)
{
    const Problem problem(body);
    for (int k; (k = petsc_wait()) != NEXT_BODY;) {
        petsc_solve(problem, true, options.gamg[(size_t)k]);
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
    csv = std::fopen(path, "w");
    if (!csv) {
        std::fprintf(stderr, "bench_peers: %s cannot be written\n", path);
        std::exit(2);
    }
    std::setvbuf(csv, nullptr, _IOLBF, 1024); /* what was measured survives an interrupt */
    std::fputs(
        "mesh,tets,what,who,median_ms,min_ms,ratio,assembly_ms,setup_ms,solve_ms,iterations\n",
        csv);
}

static Options parse(int argc, char **argv)
{
    Options options;
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : nullptr;
        if (value && !std::strcmp(argv[i], "--repeat")) {
            options.repeat = std::max(1, std::atoi(argv[++i]));
        } else if (value && !std::strcmp(argv[i], "--cholmod")) {
            options.max_factored = std::atoi(argv[++i]);
        } else if (value && !std::strcmp(argv[i], "--csv")) {
            options.csv_path = argv[++i];
        } else if (value && !std::strcmp(argv[i], "--gamg")) {
            options.gamg.push_back(argv[++i]);
        } else if (!std::strcmp(argv[i], "--static")) {
            options.only_static = true;
        } else {
            options.names.push_back(argv[i]);
        }
    }
    return options;
}

int main(int argc, char **argv)
{
    const Options options = parse(argc, argv);
    if (options.names.empty() || options.names[0][0] == '-') {
        std::puts("usage: bench_peers [--static] [--repeat N] [--cholmod MAX_TETS] [--csv FILE] "
                  "[--gamg OPTIONS]... (MESH | SHAPE:TETS)...");
        return 2;
    }
    petsc_start();
    const bool is_first = petsc_process() == 0;
    const int threads = ew_threads();
    if (is_first && options.csv_path) {
        open_csv(options.csv_path);
    }
    if (is_first) {
        std::printf("%d threads; ratio: fastest sample against that of Edgewise on one thread\n",
                    threads);
        std::printf("%-10s %9s %-9s %-38s %11s %11s %9s\n", "mesh", "tets", "what", "who",
                    "median ms", "min ms", "ratio");
    }
    for (const char *name : options.names) {
        bench_body body;
        require(make(&body, name));
        require(bench_body_prepare(&body));
        if (is_first) {
            compare(&body, options, threads);
        } else {
            help(&body, options);
        }
        bench_body_free(&body);
    }
    if (csv) {
        std::fclose(csv);
    }
    petsc_stop();
    return 0;
}
