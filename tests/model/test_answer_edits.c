/* Answers within an energy tolerance in random edits of twelve bodies, each compared with a
 * solution whose error is far smaller: no claim is below the true error, and those of local answers
 * are at most three times that, but for one in fifty: a claim of little error may be a larger
 * multiple of less. So it is with all claims of the two bodies of mixed tets, which have no local
 * answers: the error there is that of the displacement and the pressure together. The bound that
 * holds for every residual (estimate_bound.h) is above all errors and all claims. Now and then, and
 * at last, the direct solver, where the build has it, confirms the solution. EW_EDITS: so many
 * edits in all, with the distribution of claims printed. */
#include "curved_fixture.h"
#include "estimate_bound.h"
#include "ew_parts.h"

#include "model/formulation/formulation.h"
#include "solver/krylov/pcg.h"
#if EW_WITH_CHOLMOD
#include "solver/cholmod.h"
#endif

#include <math.h>

#define TOLERANCE 1e-3
/* Of the residual of a solution: its error in energy is some hundredth of that. */
#define SOLVED 1e-8
/* Beyond this, which few are, a claim of a local answer would be of little use; one below the
 * second is small whatever the error, which may be that of rounding. */
#define MAX_RATIO  3.0
#define NEGLIGIBLE (1e-2 * TOLERANCE)
enum { FEW_SHARE = 50, MAX_OUT = 40, DIRECT_EVERY = 250 };

/* ---- bodies ---------------------------------------------------------------- */

typedef struct trial {
    const char *name;
    void (*shape)(ew_mesh *mesh);
    double poisson, soft; /* soft: Young's modulus of every other layer, relative to the rest */
    bool quadratic, half; /* half: quadratic on one side alone */
    bool rolls;           /* oblique supports, else all components are prescribed */
    bool shifts;          /* prescribed to a value that is not zero */
    bool curved;
    bool mixed; /* displacement and pressure */
} trial;

static void box(ew_mesh *mesh)
{
    must(ew_shape_box(mesh, (double[]){1, 1, 1}, (int32_t[]){12, 14, 12}));
}
static void small_box(ew_mesh *mesh)
{
    must(ew_shape_box(mesh, (double[]){1, 1, 1}, (int32_t[]){8, 9, 8}));
}
/* Tets 12 times as long as high. */
static void flat(ew_mesh *mesh)
{
    must(ew_shape_box(mesh, (double[]){1, 0.1, 1}, (int32_t[]){12, 14, 12}));
}
static void beam(ew_mesh *mesh)
{
    must(ew_shape_box(mesh, (double[]){0.2, 1, 0.1}, (int32_t[]){12, 30, 6}));
}
static void small_beam(ew_mesh *mesh)
{
    must(ew_shape_box(mesh, (double[]){0.3, 1, 0.2}, (int32_t[]){6, 20, 5}));
}
static void plate(ew_mesh *mesh)
{
    must(ew_shape_plate_hole(mesh, 1, 0.2, 0.1, (int32_t[]){24, 20, 4}));
}
static void bracket(ew_mesh *mesh)
{
    must(ew_shape_bracket(mesh, 1, 0.6, 0.12, 0.08, 3));
}
static void torus(ew_mesh *mesh)
{
    must(ew_shape_torus(mesh, 1, 0.3, (int32_t[]){48, 8}));
}

static const trial trials[] = {
    {.name = "rolling", .shape = box, .poisson = 0.3, .rolls = true, .shifts = true},
    {.name = "beam", .shape = beam, .poisson = 0.3},
    {.name = "plate", .shape = plate, .poisson = 0.3},
    {.name = "bracket", .shape = bracket, .poisson = 0.45},
    {.name = "torus", .shape = torus, .poisson = 0.3},
    {.name = "contrast", .shape = box, .poisson = 0.3, .soft = 1e-3},
    {.name = "flat", .shape = flat, .poisson = 0.3},
    {.name = "quadratic", .shape = small_box, .poisson = 0.3, .quadratic = true},
    {.name = "half", .shape = small_beam, .poisson = 0.3, .quadratic = true, .half = true},
    {.name = "curved", .shape = small_box, .poisson = 0.3, .quadratic = true, .curved = true},
    {.name = "mixed", .shape = small_box, .poisson = 0.4999, .mixed = true},
    {.name = "mixed, rolling",
     .shape = small_beam,
     .poisson = 0.45,
     .mixed = true,
     .rolls = true,
     .shifts = true},
};
enum { TRIALS = sizeof trials / sizeof *trials };

/* Every other of eight layers along y is another region. */
static void part_layers(ew_mesh *mesh)
{
    must(ew_grow(&mesh->region_label, &mesh->region_capacity, 2, sizeof *mesh->region_label));
    mesh->region_label[0] = 1;
    mesh->region_label[1] = 2;
    mesh->n_region = 2;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        double x[12];
        ew_mesh_tet_values(mesh, t, mesh->xyz, x);
        mesh->region[t] = (int)(2.0 * (x[1] + x[4] + x[7] + x[10])) % 2;
    }
}

static void part_ends(const ew_mesh *mesh, ew_list *low, ew_list *high)
{
    double least = INFINITY, most = -INFINITY;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        least = fmin(least, mesh->xyz[3 * v + 1]);
        most = fmax(most, mesh->xyz[3 * v + 1]);
    }
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double at = (mesh->xyz[3 * v + 1] - least) / (most - least);
        must(at < 0.05 ? ew_list_push(low, v) : at > 0.95 ? ew_list_push(high, v) : EW_OK);
    }
}

static void enrich_half(ew_model *model)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    ew_list tet = {0};
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        must(mesh->xyz[3 * mesh->tet[4 * t] + 1] < 0.5 ? ew_list_push(&tet, t) : EW_OK);
    }
    must(ew_model_enrich(model, &tet, true));
    ew_list_free(&tet);
}

/* At its lowest place along y it is fixed, or rolls obliquely at one end and is fixed at the other;
 * loaded by its weight and a force. */
static ew_model *make_model(const trial *of)
{
    ew_model *model;
    ew_mesh mesh = {0};
    const ew_model_def def = ew_default_model_def();
    const ew_material material = {.young = 2.1e11, .poisson = of->poisson, .density = 7850};
    ew_material soft = material;
    ew_model_constraint support[2] = {{.fixed = 7}, {.fixed = 1}};
    ew_model_load load[2] = {{.kind = EW_LOAD_GRAVITY, .vector = {0, -9.81, 0}},
                             {.kind = EW_LOAD_FORCE, .vector = {3e3, 0, 1e3}}};
    ew_list low = {0}, high = {0};
    of->shape(&mesh);
    if (of->soft > 0.0) {
        part_layers(&mesh);
    }
    if (of->curved) {
        curve_mesh(&mesh, bend, 0.0);
    }
    part_ends(&mesh, &low, &high);
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
    soft.young *= of->soft;
    must(of->soft > 0.0 ? ew_model_set_material(model, 2, &soft) : EW_OK);
    must(ew_model_add_set(model, &(ew_model_set_def){"low", EW_SET_OF_VERTICES, false}, &low,
                          &support[0].set));
    must(ew_model_add_set(model, &(ew_model_set_def){"high", EW_SET_OF_VERTICES, false}, &high,
                          &load[1].set));
    support[1].set = load[1].set;
    must(ew_axes_from_normal((double[]){1, 2, 1}, &support[1].axes));
    support[0].value[2] = of->shifts ? 1e-6 : 0.0;
    must(ew_model_set_constraints(model, of->rolls ? 2 : 1, support));
    must(ew_model_set_loads(model, 2, load));
    must(of->quadratic && !of->half ? ew_model_set_order(model, true) : EW_OK);
    must(ew_model_set_mixed(model, of->mixed));
    if (of->half) {
        enrich_half(model);
    }
    ew_list_free(&low);
    ew_list_free(&high);
    return model;
}

/* ---- edits ----------------------------------------------------------------- */

/* Tets that are out, to come back. */
typedef struct out {
    int32_t n, tet[MAX_OUT][4], label[MAX_OUT];
} out;

static bool may_go(ew_model *model, int32_t tet)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_topology *topology = ew_model_topology(model);
    for (int32_t f = 0; f < 4; f++) {
        const int32_t other = ew_topology_face_neighbor(topology, mesh, 4 * tet + f);
        int n = 0;
        for (int32_t g = 0; other >= 0 && g < 4; g++) {
            n += ew_topology_face_neighbor(topology, mesh, 4 * other + g) >= 0;
        }
        if ((other >= 0 && n < 3) ||
            topology->vertex_to_tet.count[mesh->tet[4 * (size_t)tet + (size_t)f]] < 6) {
            return false;
        }
    }
    return true;
}

static int32_t choose_tet(ew_model *model, uint64_t *state)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    int32_t tet;
    do {
        tet = (int32_t)ew_test_random(state, (uint32_t)mesh->n_tet);
    } while (!ew_mesh_tet_is_live(mesh, tet) || !may_go(model, tet));
    return tet;
}

static void queue_removal(ew_model *model, int32_t tet, bool notes, out *list)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    must(ew_edit_remove_tet(ew_model_edit(model), tet));
    if (notes) {
        memcpy(list->tet[list->n], mesh->tet + 4 * (size_t)tet, sizeof list->tet[0]);
        list->label[list->n++] = mesh->region_label[mesh->region[tet]];
    }
}

static void queue_move(ew_model *model, int32_t tet)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const int32_t *corner = mesh->tet + 4 * (size_t)tet;
    const double *a = mesh->xyz + 3 * (size_t)corner[0], *b = mesh->xyz + 3 * (size_t)corner[1];
    double to[3];
    for (int c = 0; c < 3; c++) {
        to[c] = a[c] + 0.03 * (b[c] - a[c]);
    }
    must(ew_edit_move_vertex(ew_model_edit(model), corner[0], to));
}

/* Four tets around a vertex in its middle take its place. */
static void queue_split(ew_model *model, int32_t tet)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const int32_t *corner = mesh->tet + 4 * (size_t)tet;
    int32_t vertex;
    double x[12], middle[3];
    ew_mesh_tet_values(mesh, tet, mesh->xyz, x);
    for (int c = 0; c < 3; c++) {
        middle[c] = 0.25 * (x[c] + x[3 + c] + x[6 + c] + x[9 + c]);
    }
    must(ew_edit_add_vertex(ew_model_edit(model), middle, &vertex));
    must(ew_edit_remove_tet(ew_model_edit(model), tet));
    for (int k = 0; k < 4; k++) {
        int32_t part[4] = {corner[0], corner[1], corner[2], corner[3]};
        part[k] = vertex;
        must(ew_edit_add_tet(ew_model_edit(model), part, mesh->region_label[mesh->region[tet]]));
    }
}

/* One tet goes, comes back, each eighth time is split or, each fourth time, a vertex moves; the
 * same for both models. */
static void edit(ew_model *model, ew_model *twin, bool splits, out *list, uint64_t *state)
{
    ew_model *const both[] = {model, twin};
    const uint32_t kind = ew_test_random(state, 4);
    const int32_t tet = choose_tet(model, state);
    const bool is_split = splits && ew_test_random(state, 8) == 0;
    const bool comes = list->n == MAX_OUT || (kind == 1 && list->n > MAX_OUT / 2);
    const int32_t back = list->n ? (int32_t)ew_test_random(state, (uint32_t)list->n) : 0;
    for (int i = 0; i < 2; i++) {
        ew_model_begin(both[i]);
        if (is_split) {
            queue_split(both[i], tet);
        } else if (comes) {
            must(ew_edit_add_tet(ew_model_edit(both[i]), list->tet[back], list->label[back]));
        } else if (kind == 0) {
            queue_move(both[i], tet);
        } else {
            queue_removal(both[i], tet, i == 0, list);
        }
        must(ew_model_commit(both[i]));
    }
    if (comes && !is_split) {
        list->n--;
        memcpy(list->tet[back], list->tet[list->n], sizeof list->tet[0]);
        list->label[back] = list->label[list->n];
    }
}

/* ---- claims ---------------------------------------------------------------- */

static const ew_pcg_def def_of_claims = {.tolerance = 1e-8,
                                         .energy_tolerance = TOLERANCE,
                                         .max_iterations = 20000,
                                         .preconditioner = EW_AUTO_PRECONDITIONER,
                                         .precision = EW_AUTO_PRECISION};

static const ew_pcg_info *solve(ew_model *model, double tolerance, double energy_tolerance)
{
    const ew_pcg_info *info;
    ew_pcg_def def = ew_default_pcg_def();
    def.tolerance = tolerance;
    def.energy_tolerance = energy_tolerance;
    must(ew_model_solve(model, &def, &info));
    return info;
}

/* y = the displacement of all rows, behind it the pressure, if any, and room for as much. The
 * caller's. n: numbers of the displacement. */
static double *copy_answer(ew_model *model, size_t *n)
{
    const ew_edge_rows *rows = ew_model_edge_rows(model);
    const size_t n_vertex = (size_t)ew_model_mesh(model)->n_vertex;
    const double *p = ew_model_volumetric_stress(model);
    double *copy;
    *n = 3 * (n_vertex + (size_t)(rows ? rows->pattern.n_row : 0));
    must(ew_new_zero(&copy, 2 * (*n + n_vertex), sizeof *copy));
    memcpy(copy, ew_model_displacement(model), *n * sizeof *copy);
    if (p) {
        memcpy(copy + *n, p, n_vertex * sizeof *copy);
    }
    return copy;
}

/* x.K x of displacements; of mixed tets x.A x + p.C p. Behind x room for as much. */
static double energy_of(ew_model *model, size_t n, double *x)
{
    const size_t n_vertex = (size_t)ew_model_mesh(model)->n_vertex;
    const double *p = x + n;
    double *y = x + n + n_vertex, *q = y + n, sum = 0.0;
    if (ew_model_is_mixed(model)) {
        must(model_blocks_product(model, x, y));
        memset(q, 0, n_vertex * sizeof *q);
        ew_mixed_add_product(&model->mixed.tets, x, p, y, q);
    } else {
        must(model_stiffness_product(model, x, y));
    }
    for (size_t i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    for (size_t i = 0; i < n_vertex && ew_model_is_mixed(model); i++) {
        sum -= p[i] * q[i];
    }
    return sum;
}

/* |x - y| / |y| in the energy norm of the twin, whose answer y is. */
static double true_error(ew_model *model, ew_model *twin)
{
    size_t n;
    double *e = copy_answer(model, &n), *y = copy_answer(twin, &n);
    for (size_t i = 0; i < n + (size_t)ew_model_mesh(twin)->n_vertex; i++) {
        e[i] -= y[i];
    }
    const double error = energy_of(twin, n, e), all = energy_of(twin, n, y);
    ew_release(e);
    ew_release(y);
    return sqrt(fmax(error, 0.0) / all);
}

static ew_status verify(ew_model *model)
{
    const ew_system system = model_system_view(model, &model->stiffness, model->force.value);
    return ew_preconditioner_verify_answer(&model->stiffness.solver.preconditioner, &system,
                                           ew_model_field(model, 0));
}

/* The twin's solution is that of the direct solver. */
static void check_directly(ew_model *model, ew_model *twin, double error)
{
#if EW_WITH_CHOLMOD
    ew_pcg_def def = ew_default_pcg_def();
    def.preconditioner = ew_model_is_mixed(twin) ? EW_BLOCK_JACOBI : EW_CHOLESKY;
    def.direct = ew_direct_solver();
    def.tolerance = 1e-11;
    must(ew_model_solve(twin, &def, NULL));
    CU_ASSERT_DOUBLE_EQUAL(true_error(model, twin), error, 1e-3 * error + 1e-9);
#else
    (void)model;
    (void)twin;
    (void)error;
#endif
}

typedef struct tally {
    int n, n_local, n_beyond;
    double least, most, sum; /* claimed over true, of local answers that are not exact */
    double bound, share;     /* 1 / sqrt(theta); the largest error over it times the estimate */
} tally;

static void compare(ew_model *model, ew_model *twin, const ew_pcg_info *info, bool directly,
                    tally *count)
{
    solve(twin, SOLVED, 0.0);
    const double error = true_error(model, twin), ratio = info->energy_error / error;
    CU_ASSERT(info->energy_error <= TOLERANCE);
    CU_ASSERT(error <= info->energy_error);
    CU_ASSERT(info->energy_factor <= count->bound);
    count->n++;
    if ((info->is_local || ew_model_is_mixed(model)) && info->energy_error > NEGLIGIBLE) {
        count->n_local++;
        count->n_beyond += ratio > MAX_RATIO;
        count->sum += ratio;
        count->share = fmax(count->share, info->energy_factor / ratio / count->bound);
        count->least = fmin(count->least, ratio);
        count->most = fmax(count->most, ratio);
    }
    if (directly) {
        check_directly(model, twin, error);
    }
}

static void try_body(const trial *of, int n, bool prints)
{
    ew_model *model = make_model(of), *twin = make_model(of);
    tally count = {.least = INFINITY};
    out list = {0};
    uint64_t state = 5;
    solve(model, 1e-8, TOLERANCE);
    count.bound = of->mixed ? INFINITY : 1.0 / sqrt(estimate_theta(model, &def_of_claims));
    for (int i = 0; i < n; i++) {
        edit(model, twin, !of->curved, &list, &state);
        const ew_pcg_info info = *solve(model, 1e-8, TOLERANCE);
        compare(model, twin, &info, i % DIRECT_EVERY == DIRECT_EVERY - 1 || i == n - 1, &count);
        if (i % 10 == 9) {
            must(of->mixed ? EW_OK : verify(model));
        }
    }
    CU_ASSERT(count.share <= 1.0);
    CU_ASSERT(count.n_beyond <= 1 + count.n_local / FEW_SHARE);
    if (prints) {
        printf("%-10s %5d edits, %5d local, claimed / true %.2f to %.2f, mean %.2f, %d above %g, "
               "bound %.2f, errors within %.2f of it\n",
               of->name, count.n, count.n_local, count.least, count.most, count.sum / count.n_local,
               count.n_beyond, MAX_RATIO, count.bound, count.share);
    }
    ew_model_free(model);
    ew_model_free(twin);
}

static void test_claims(void)
{
    const char *edits = getenv("EW_EDITS");
    const int n = edits ? atoi(edits) / TRIALS : getenv("EW_QUICK") ? 4 : 12;
    for (int i = 0; i < TRIALS; i++) {
        try_body(&trials[i], n, edits != NULL);
    }
}

static void long_beam(ew_mesh *mesh)
{
    must(ew_shape_box(mesh, (double[]){0.2, 12, 0.2}, (int32_t[]){2, 120, 2}));
}

/* Cell k of four beside one another, with sides of 0.1. */
static void remove_cell(ew_model *model, int k)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    ew_model_begin(model);
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        double x[12] = {0.0};
        if (ew_mesh_tet_is_live(mesh, t)) {
            ew_mesh_tet_values(mesh, t, mesh->xyz, x);
        }
        const int i = (int)(2.5 * (x[0] + x[3] + x[6] + x[9])),
                  j = (int)(2.5 * (x[1] + x[4] + x[7] + x[10])),
                  l = (int)(2.5 * (x[2] + x[5] + x[8] + x[11]));
        must(j == 3 && 2 * i + l == k ? ew_edit_remove_tet(ew_model_edit(model), t) : EW_OK);
    }
    must(ew_model_commit(model));
}

/* Mixed tets of a long beam that is cut step by step, by diagonal blocks: more iterations than are
 * kept for the least singular value, and the first of these alone find too large a one. */
static void test_long_solves_claim_no_less(void)
{
    const trial of = {.name = "long", .shape = long_beam, .poisson = 0.45, .mixed = true};
    ew_model *model = make_model(&of), *twin = make_model(&of);
    ew_pcg_def def = def_of_claims;
    const ew_pcg_info *info;
    def.preconditioner = EW_BLOCK_JACOBI;
    must(ew_model_solve(model, &def, &info));
    for (int k = 0; k < 3; k++) {
        remove_cell(model, k);
        remove_cell(twin, k);
        must(ew_model_solve(model, &def, &info));
        solve(twin, SOLVED, 0.0);
        const double error = true_error(model, twin);
        CU_ASSERT(error < TOLERANCE);
        CU_ASSERT(info->energy_error == 0.0 || error <= info->energy_error);
    }
    ew_model_free(model);
    ew_model_free(twin);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {{"claims", test_claims},
                           {"long_solves_claim_no_less", test_long_solves_claim_no_less},
                           CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"answer_edits", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
