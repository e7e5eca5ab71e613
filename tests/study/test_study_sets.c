/* Sets of three kinds in cases: what labels, places and normals catch, set algebra by kind, sets
 * that steps make, what loads and constraints make of each kind, and what a step reports of them.
 */
#include "study_fixture.h"

/* The reports of all steps, one after the other. */
typedef struct reports {
    int32_t n_step, n_set;
    ew_set_report set[8][16]; /* by step */
    double force[8][3], reaction[8][3], displacement[8], lost[8][3];
    double *u; /* owned: [n_vertex][3] of the last step */
    int32_t n_vertex, n_tet[8], n_sets_at_start;
    ew_set_report start[16];
    char warning[8][EW_WARNING_TEXT]; /* the first one */
} reports;

static void watch_sets(void *user, int32_t n_set, const ew_set_report *set)
{
    reports *all = user;
    all->n_sets_at_start = n_set;
    memcpy(all->start, set, sizeof *set * (size_t)n_set);
}

static void watch_step(void *user, const ew_step_report *report)
{
    reports *all = user;
    const int32_t s = all->n_step++;
    memcpy(all->set[s], report->set, sizeof *report->set * (size_t)all->n_set);
    memcpy(all->force[s], report->sums->applied_force, sizeof all->force[s]);
    memcpy(all->reaction[s], report->sums->reaction_force, sizeof all->reaction[s]);
    memcpy(all->lost[s], report->lost_force, sizeof all->lost[s]);
    all->displacement[s] = report->sums->max_displacement;
    all->n_tet[s] = report->n_tet;
    strcpy(all->warning[s], report->n_warning ? report->warning->text : "");
}

static ew_status run_on(ew_mesh *mesh, const char *text, reports *all)
{
    ew_case input;
    ew_study *study = NULL;
    ew_study_def def = linear_study_def();
    memset(all, 0, sizeof *all);
    def.user = all;
    def.on_step = watch_step;
    def.on_sets = watch_sets;
    ew_status status = read_text(text, &input);
    if (status) {
        return status;
    }
    all->n_set = input.n_set;
    CU_ASSERT_FATAL(input.n_set <= 16 && input.n_step <= 8);
    status = ew_study_create(&study, &input, mesh, &def, NULL, NULL);
    while (!status && ew_study_n_done(study) < input.n_step) {
        status = ew_study_next(study);
    }
    if (!status) {
        const ew_mesh *left = ew_model_mesh(ew_study_model(study));
        const size_t bytes = 3 * sizeof(double) * (size_t)left->n_vertex;
        all->n_vertex = left->n_vertex;
        all->u = malloc(bytes);
        memcpy(all->u, ew_model_displacement(ew_study_model(study)), bytes);
    }
    ew_study_free(study);
    ew_mesh_free(mesh);
    ew_case_free(&input);
    return status;
}

static ew_status run_box_of(const double size[3], const int32_t cells[3], const char *text,
                            reports *all)
{
    ew_mesh mesh;
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&mesh, size, cells), EW_OK);
    const ew_status status = run_on(&mesh, text, all);
    if (status) {
        ew_mesh_free(&mesh);
    }
    return status;
}

static void must_run(ew_status status)
{
    if (status) {
        printf("\n  %s\n", ew_message());
    }
    CU_ASSERT_EQUAL_FATAL(status, EW_OK);
}

/* A label is its own triangles. With sets of vertices alone a traction on both sides of a thin
 * plate took its rim, too, all of whose vertices lie on the two sides: 20 % too much. */
static void test_label_is_its_own_triangles(void)
{
    reports all;
    must_run(run_box_of((double[]){1, 1, 0.1}, (int32_t[]){4, 4, 1},
                        HEAD "sets:\n  wall: {surface: 1}\n"
                             "  skin: {union: [{surface: 5}, {surface: 6}]}\n"
                             "  points: {of: vertices, union: [{surface: 5}, {surface: 6}]}\n"
                             "constraints:\n  - {set: wall, displacement: [0, 0, 0]}\n"
                             "loads:\n  - {set: skin, traction: [0, 3, 0]}\n"
                             "steps:\n  - static: {}\n"
                             "  - {loads: [{set: points, traction: [0, 3, 0]}], static: {}}\n",
                        &all));
    CU_ASSERT_DOUBLE_EQUAL(all.force[0][1], 3 * 2.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(all.force[1][1], 3 * 2.4, 1e-12); /* said so, and reported: */
    CU_ASSERT_EQUAL(all.start[1].kind, EW_SET_OF_FACES);
    CU_ASSERT_EQUAL(all.start[2].kind, EW_SET_OF_VERTICES);
    CU_ASSERT_DOUBLE_EQUAL(all.start[1].measure.area, 2.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(all.start[2].measure.area, 2.4, 1e-12);
    free(all.u);
}

/* Labels that the mesh has, or another edit asks for, are passed over, in the mesh and by the sets;
 * `surface:` means those of the mesh. */
static void test_named_faces_take_free_labels(void)
{
    reports all;
    ew_mesh mesh;
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&mesh, (double[]){4, 1, 1}, (int32_t[]){8, 2, 2}), EW_OK);
    for (int32_t f = 0; f < mesh.n_face; f++) {
        mesh.face_label[f] += mesh.face_label[f] == 6 ? 995 : 0;
    }
    must_run(run_on(
        &mesh,
        HEAD "sets: {wall: {surface: 1}, roof: {surface: 1001}}\n"
             "constraints:\n  - {set: wall, displacement: [0, 0, 0]}\n"
             "steps:\n  - edit:\n"
             "      - cut: {plane: {point: [3.7, 0, 0], normal: x}, keep: inside, name: a}\n"
             "      - cut: {plane: {point: [3.1, 0, 0], normal: x}, name: b, keep: both}"
             "\n"
             "      - cut: {plane: {point: [0, 0.3, 0], normal: [0, -1, 0]}, name: c, "
             "keep: inside, label: 1002}\n"
             "  - reset: true\n"
             "    edit: [{cut: {plane: {point: [2.2, 0, 0], normal: x}, keep: inside, name: d}}]\n",
        &all));
    /* the sets: wall, roof, a, b, c, d */
    CU_ASSERT_DOUBLE_EQUAL(all.start[1].measure.area, 4.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(all.set[0][1].measure.area, 3.7 * 0.7, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(all.set[0][2].measure.area, 0.7, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(all.set[0][4].measure.area, 3.7, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(all.set[1][5].measure.area, 1.0, 1e-9);
    CU_ASSERT_PTR_NOT_NULL(strstr(all.warning[0], "'a' have label 1003, since 1001 is taken"));
    CU_ASSERT_PTR_NOT_NULL(strstr(all.warning[1], "'d' have label 1005, since 1003 is taken"));
    free(all.u);
}

/* What a set report says, worked out by hand on a box 4 x 1 x 1 of 8 x 2 x 2 cells. */
static void test_sets_catch_what_they_say(void)
{
    reports all;
    must_run(run_box_of((double[]){4, 1, 1}, (int32_t[]){8, 2, 2},
                        HEAD
                        "sets:\n"
                        "  wall: {surface: 1}\n"
                        "  roof: {all: true, normal: z}\n"
                        "  tilted: {all: true, normal: [0, 1, 1], angle: 46}\n"
                        "  part: {side: {point: [2, 0, 0], normal: x}, normal: z}\n"
                        "  half: {box: [[0, 0, 0], [2, 1, 1]], of: tets}\n"
                        "  body: {region: 1, of: tets}\n"
                        "  skin: {region: 1, of: faces}\n"
                        "  rest: {subtract: [skin, roof, wall]}\n"
                        "  near: {nearest: [0.1, 0.1, 0.1], of: tets}\n"
                        "  points: {region: 1}\n"
                        "  none: {box: [[9, 9, 9], [10, 10, 10]], of: faces, allow_empty: true}\n"
                        "constraints:\n  - {set: wall, displacement: [0, 0, 0]}\n"
                        "steps:\n  - static: {}\n",
                        &all));
    static const struct {
        ew_set_kind kind;
        int32_t n;
        double area, volume, centroid[3];
    } is[] = {
        {EW_SET_OF_FACES, 8, 1, 0, {0, 0.5, 0.5}},
        {EW_SET_OF_FACES, 32, 4, 0, {2, 0.5, 1}},
        {EW_SET_OF_FACES, 64, 8, 0, {2, 0.75, 0.75}},
        {EW_SET_OF_FACES, 16, 2, 0, {3, 0.5, 1}},
        {EW_SET_OF_TETS, 96, 0, 2, {1, 0.5, 0.5}},
        {EW_SET_OF_TETS, 192, 0, 4, {2, 0.5, 0.5}},
        {EW_SET_OF_FACES, 144, 18, 0, {2, 0.5, 0.5}},
        {EW_SET_OF_FACES, 104, 13, 0, {0, 0, 0}},
        {EW_SET_OF_TETS, 1, 0, 0.125 / 6, {0, 0, 0}},
        {EW_SET_OF_VERTICES, 81, 18, 0, {2, 0.5, 0.5}},
        {EW_SET_OF_FACES, 0, 0, 0, {0, 0, 0}},
    };
    for (int32_t s = 0; s < all.n_set; s++) {
        const ew_set_report *set = &all.start[s];
        CU_ASSERT_EQUAL(set->kind, is[s].kind);
        CU_ASSERT_EQUAL(set->measure.n_member, is[s].n);
        CU_ASSERT_DOUBLE_EQUAL(set->measure.area, is[s].area, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(set->measure.volume, is[s].volume, 1e-12);
        for (int c = 0; c < 3 && s != 7 && s != 8; c++) {
            CU_ASSERT_DOUBLE_EQUAL(set->measure.centroid[c], is[s].centroid[c], 1e-12);
        }
        CU_ASSERT(set->is_made && set->is_new && !set->has_results);
    }
    CU_ASSERT_DOUBLE_EQUAL(all.start[3].measure.low[0], 2, 0);
    CU_ASSERT_DOUBLE_EQUAL(all.start[3].measure.high[0], 4, 0);
    CU_ASSERT(!all.set[0][10].has_results && all.set[0][0].has_results);
    free(all.u);
}

static void test_kinds_that_do_not_go_together_are_refused(void)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"sets:\n  a: {surface: 1}\n  b: {ids: [0]}\n  c: {union: [a, b]}\n",
         "line 6: union mixes kinds: 'a' (line 4) is of faces, 'b' (line 5) of vertices; give one "
         "of them another 'of:'"},
        {"sets:\n  a: {all: true, of: tets}\n  c:\n    intersect:\n      - a\n"
         "      - {box: [[0, 0, 0], [1, 1, 1]]}\n",
         "'a' (line 4) is of tets, the member in line 8 of vertices"},
        {"sets:\n  a: {surface: 1}\n  c: {of: tets, subtract: [{all: true}, a]}\n",
         "line 5: subtract is to be 'of: tets', but 'a' (line 4) is of faces; say 'of: tets' "
         "there"},
        {"sets: {a: {all: true, of: edges}}\n", "unknown value 'edges'; allowed: vertices, faces"},
        {"sets: {a: {all: true, of: tets, normal: x}}\n", "normal picks faces, not tets"},
        {"sets: {a: {all: true, angle: 5}}\n", "angle goes with normal"},
        {"sets: {a: {all: true, normal: x, angle: 0}}\n", "greater than 0 and at most 180"},
        {"sets: {a: {all: true, normal: [0, 0, 0]}}\n", "length 0"},
        {"sets: {a: {nearest: [0, 0, 0], of: faces}}\n", "one vertex or one tet, not faces"},
        {"sets: {a: {surface: 1, of: tets}}\n", "faces or their vertices, not tets"},
        {"sets: {a: {surface: 1}, b: {normal: x, union: [a, a]}}\n", "go with a selection"},
        {"sets: {a: {region: 1, of: tets}}\nloads: [{set: a, pressure: 1}]\n",
         "pressure acts on faces; set 'a' (line 3) is of tets: say 'of: faces'"},
        {"sets: {a: {region: 1, of: tets}}\nloads: [{set: a, total_force: [1, 0, 0]}]\n",
         "'of: faces' or 'of: vertices'"},
        {"loads: [{set: late, pressure: 1}]\nsteps:\n  - static: {}\n    sets:\n"
         "      late: {surface: 1}\n",
         "line 3: set: set 'late' is made in line 7, after the edits of its step"},
        {"sets: {a: {surface: 1}}\nsteps:\n  - sets: {a: {all: true, of: tets}}\n    static: {}\n",
         "line 5: set 'a' is of faces (line 3) and stays so; say 'of: faces', or take another "
         "name for these tets"},
        {"steps:\n  - {edit: [{smooth: {}}], sets: {a: {union: [a, a]}}}\n", "set 'a'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[900];
        ew_case input;
        snprintf(text, sizeof text, HEAD "%s", cases[i].text);
        CU_ASSERT_EQUAL(read_text(text, &input), EW_BAD_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), cases[i].message));
        if (!strstr(ew_message(), cases[i].message)) {
            printf("\n  case %zu: expected '%s', got '%s'\n", i, cases[i].message, ew_message());
        }
    }
}

/* Sets that a step makes see what its edits brought; redefined, they go on under their name. */
static void test_steps_make_sets_after_their_edits(void)
{
    reports all;
    must_run(run_box_of(
        (double[]){4, 1, 1}, (int32_t[]){8, 2, 2},
        HEAD "sets:\n  wall: {surface: 1}\n  tip: {plane: {point: [4, 0, 0], normal: x, tolerance: "
             "1e-9}, of: faces}\n"
             "constraints:\n  - {set: wall, displacement: [0, 0, 0]}\n"
             "loads:\n  - {set: tip, traction: [1, 0, 0]}\n"
             "steps:\n"
             "  - static: {}\n"
             "  - edit: [{refine: {longer_than: 0.7}}]\n"
             "    sets:\n"
             "      roof: {surface: 6}\n"
             "      both: {union: [tip, roof]}\n"
             "    static: {}\n"
             "  - edit: [{mirror: {normal: x, at: max}}]\n"
             "    sets:\n"
             "      tip: {union: [tip, {plane: {point: [8, 0, 0], normal: x, tolerance: 1e-9}}]}\n"
             "    loads: [{set: tip, traction: [1, 0, 0]}, {set: {side: {point: [6, 0, 0], normal: "
             "x}, normal: z}, pressure: 2}]\n"
             "    static: {}\n",
        &all));
    CU_ASSERT_EQUAL(all.n_set, 5);
    const ew_set_report *tip = &all.set[2][1], *roof = &all.set[1][2], *both = &all.set[1][3];
    CU_ASSERT(!all.start[2].is_made && !all.set[0][3].is_made && roof->is_made && roof->is_new);
    CU_ASSERT_DOUBLE_EQUAL(all.force[0][0], 1, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(all.force[1][0], 1, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(roof->measure.area, 4, 1e-12);
    CU_ASSERT(roof->measure.n_member > 32);
    CU_ASSERT_DOUBLE_EQUAL(both->measure.area, 5, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(tip->measure.area, 1, 1e-12); /* the old tip is inside now */
    CU_ASSERT_DOUBLE_EQUAL(tip->measure.centroid[0], 8, 1e-12);
    CU_ASSERT(tip->is_new && !all.set[1][1].is_new);
    CU_ASSERT_DOUBLE_EQUAL(all.force[2][0], 1, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(all.force[2][2], -2 * 2, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(all.lost[2][0], 0, 0);                 /* the tip was made again */
    CU_ASSERT_DOUBLE_EQUAL(all.set[2][2].measure.area, 8, 1e-12); /* a roof's image is roof */
    free(all.u);
}

/* A total force on faces is a uniform traction, whatever the mesh; on vertices equal shares. */
static void test_total_force_on_faces_is_a_uniform_traction(void)
{
    static const char *const load[] = {"total_force: [0, 0, -3]", "traction: [0, 0, -1.5]"};
    reports all[2];
    for (int i = 0; i < 2; i++) {
        char text[700];
        ew_mesh mesh;
        snprintf(text, sizeof text,
                 HEAD "sets: {wall: {surface: 1}, tip: {surface: 2}}\n"
                      "constraints:\n  - {set: wall, displacement: [0, 0, 0]}\n"
                      "loads:\n  - {set: tip, %s}\n",
                 load[i]);
        CU_ASSERT_EQUAL_FATAL(ew_shape_box(&mesh, (double[]){2, 1, 2}, (int32_t[]){4, 4, 4}),
                              EW_OK);
        for (int32_t v = 0; v < mesh.n_vertex; v++) { /* graded along y */
            mesh.xyz[3 * (size_t)v + 1] *= mesh.xyz[3 * (size_t)v + 1];
        }
        must_run(run_on(&mesh, text, &all[i]));
        CU_ASSERT_DOUBLE_EQUAL(all[i].force[0][2], -3, 1e-12);
    }
    for (int32_t k = 0; k < 3 * all[0].n_vertex; k++) {
        CU_ASSERT_DOUBLE_EQUAL(all[0].u[k], all[1].u[k], 1e-9 * all[0].displacement[0]);
    }
    free(all[0].u);
    free(all[1].u);
}

/* Where vertices are needed, faces and tets mean theirs. */
static void test_faces_and_tets_mean_their_vertices(void)
{
    reports all;
    must_run(run_box_of(
        (double[]){4, 1, 1}, (int32_t[]){8, 2, 2},
        HEAD "sets:\n  wall: {box: [[0, 0, 0], [0.5, 1, 1]], of: tets}\n  tip: {surface: 2}\n"
             "constraints:\n  - {set: wall, displacement: [0, 0, 0]}\n"
             "loads:\n  - {set: tip, force: [0, 0, -1]}\n"
             "steps:\n  - static: {}\n"
             "  - edit: [{move: {set: tip, by: [1, 0, 0]}}]\n    static: {}\n"
             "  - edit: [{refine: {longer_than: 0.6, set: wall}}]\n    static: {}\n",
        &all));
    CU_ASSERT_DOUBLE_EQUAL(all.force[0][2], -9, 1e-12); /* 3 x 3 vertices */
    CU_ASSERT_DOUBLE_EQUAL(all.force[1][2], -9, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(all.set[1][1].measure.centroid[0], 5, 1e-12);
    CU_ASSERT_EQUAL(all.set[0][0].measure.n_vertex, 18);
    CU_ASSERT(all.n_tet[2] > all.n_tet[1]);
    CU_ASSERT_DOUBLE_EQUAL(all.set[0][0].results.max_displacement, 0, 0);
    CU_ASSERT_DOUBLE_EQUAL(all.set[2][0].measure.volume, 0.5, 1e-12);
    CU_ASSERT_EQUAL(all.set[0][0].support, 7);
    CU_ASSERT_DOUBLE_EQUAL(all.set[0][0].results.reaction_force[2], 9, 1e-6);
    free(all.u);
}

/* Reactions of the supports add up to those of the body, moments about their centroids moved to the
 * origin; each support counts the components that it prescribes. */
static void test_reactions_of_supports_add_up(void)
{
    reports all;
    must_run(run_box_of((double[]){4, 1, 1}, (int32_t[]){8, 2, 2},
                        HEAD "sets:\n  x: {surface: 1}\n  y: {surface: 3}\n  z: {surface: 5}\n"
                             "  tip: {surface: 2}\n"
                             "constraints:\n  - {set: x, displacement: [0, ~, ~]}\n"
                             "  - {set: y, displacement: [~, 0, ~]}\n"
                             "  - {set: z, displacement: [~, ~, 0]}\n"
                             "loads:\n  - {set: tip, traction: [2, 0.5, 0.25]}\n",
                        &all));
    double force[3] = {0, 0, 0};
    for (int32_t s = 0; s < 3; s++) {
        const ew_set_report *set = &all.set[0][s];
        CU_ASSERT_EQUAL(set->support, 1 << s);
        for (int c = 0; c < 3; c++) {
            force[c] += set->results.reaction_force[c];
            CU_ASSERT(c == s || set->results.reaction_force[c] == 0);
        }
    }
    for (int c = 0; c < 3; c++) {
        CU_ASSERT_DOUBLE_EQUAL(force[c], all.reaction[0][c], 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(force[c], -all.force[0][c], 1e-6);
    }
    CU_ASSERT(all.set[0][3].support == 0 && all.set[0][3].is_loaded && !all.set[0][0].is_loaded);
    CU_ASSERT_DOUBLE_EQUAL(all.set[0][3].results.reaction_force[0], 0, 0);
    free(all.u);
}

/* A plane of symmetry that finds its own faces is a support like others, in each step again. */
static void test_planes_of_symmetry_are_supports(void)
{
    reports all;
    must_run(run_box_of((double[]){4, 1, 1}, (int32_t[]){8, 2, 2},
                        HEAD "sets: {tip: {surface: 2}}\n"
                             "constraints: [{symmetry: x}, {symmetry: y}, {symmetry: z}]\n"
                             "loads: [{set: tip, total_force: [7, 0, 0]}]\n"
                             "steps:\n  - static: {}\n"
                             "  - {edit: [{refine: {longer_than: 0.7}}], static: {}}\n",
                        &all));
    static const double area[] = {1, 4, 4};
    CU_ASSERT_EQUAL_FATAL(all.n_set, 4);
    for (int32_t s = 1; s < 4; s++) {
        const ew_set_report *set = &all.set[0][s], *later = &all.set[1][s];
        CU_ASSERT(!all.start[s].is_made && set->is_new && !later->is_new);
        CU_ASSERT_EQUAL(set->kind, EW_SET_OF_FACES);
        CU_ASSERT_DOUBLE_EQUAL(set->measure.area, area[s - 1], 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(later->measure.area, area[s - 1], 1e-12);
        CU_ASSERT(later->measure.n_member > set->measure.n_member);
        CU_ASSERT_EQUAL(set->support, 1 << (s - 1));
        CU_ASSERT_DOUBLE_EQUAL(set->results.reaction_force[s - 1], s == 1 ? -7 : 0, 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(later->results.reaction_force[s - 1], s == 1 ? -7 : 0, 1e-6);
    }
    free(all.u);
}

/* A bar without lateral strain: mean displacement and stress are known. */
static void test_results_of_sets_on_a_pulled_bar(void)
{
    reports all;
    must_run(run_box_of(
        (double[]){4, 1, 1}, (int32_t[]){8, 2, 2},
        "mesh: part.mesh\nmaterial: {young: 1000, poisson: 0}\n"
        "sets:\n  wall: {surface: 1}\n  tip: {surface: 2}\n  half: {box: [[0, 0, 0], [2, 1, 1]], "
        "of: tets}\n  points: {box: [[2, 0, 0], [4, 1, 1]]}\n"
        "constraints:\n  - {set: wall, displacement: [0, 0, 0]}\n"
        "loads:\n  - {set: tip, traction: [5, 0, 0]}\n",
        &all));
    static const double mean[] = {0, 0.02, 0.005, 0.015}, max[] = {0, 0.02, 0.01, 0.02};
    for (int32_t s = 0; s < 4; s++) {
        const ew_set_results *of = &all.set[0][s].results;
        CU_ASSERT_DOUBLE_EQUAL(of->mean_displacement[0], mean[s], 1e-8);
        CU_ASSERT_DOUBLE_EQUAL(of->max_displacement, max[s], 1e-8);
        CU_ASSERT_DOUBLE_EQUAL(of->mean_von_mises, 5, 1e-5);
        CU_ASSERT_DOUBLE_EQUAL(of->max_von_mises, 5, 1e-5);
    }
    const ew_set_results *wall = &all.set[0][0].results;
    CU_ASSERT_DOUBLE_EQUAL(wall->reaction_force[0], -5, 1e-6);
    for (int c = 0; c < 3; c++) { /* about the wall's centroid */
        CU_ASSERT_DOUBLE_EQUAL(wall->reaction_moment[c], 0, 1e-6);
    }
    free(all.u);
}

static void test_decimate_protects_sets(void)
{
    static const char head[] =
        HEAD "sets:\n  wall: {surface: 1}\n  tip: {surface: 2}\n  edge: {box: [[4, 0, 0], [4, 0, "
             "1]]}\n"
             "constraints:\n  - {set: wall, displacement: [0, 0, 0]}\n"
             "under_constrained: leave_out\n";
    char text[900];
    reports all;
    snprintf(text, sizeof text,
             "%ssteps:\n  - edit: [{decimate: {fraction: %g, axis: x, protect: [tip, edge]}}]\n",
             head, 0.5);
    must_run(run_box_of((double[]){4, 1, 1}, (int32_t[]){8, 2, 2}, text, &all));
    CU_ASSERT_EQUAL(all.n_tet[0], 96); /* a half of all, though some stay */
    CU_ASSERT_DOUBLE_EQUAL(all.set[0][1].measure.area, 1, 1e-12);
    CU_ASSERT_EQUAL(all.set[0][2].measure.n_member, 3);
    free(all.u);
    snprintf(text, sizeof text, "%ssteps:\n  - edit: [{decimate: {fraction: %g, protect: tip}}]\n",
             head, 0.99);
    CU_ASSERT_EQUAL(run_box_of((double[]){4, 1, 1}, (int32_t[]){8, 2, 2}, text, &all),
                    EW_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "protected"));
}

static void test_steps_are_numbered(void)
{
    ew_case input;
    CU_ASSERT_EQUAL_FATAL(
        read_text(HEAD "steps:\n  - static: {}\n  - {name: b, static: {}}\n  - static: {}\n",
                  &input),
        EW_OK);
    CU_ASSERT_STRING_EQUAL(input.step[0].name, "step 1");
    CU_ASSERT_STRING_EQUAL(input.step[1].name, "b");
    CU_ASSERT_STRING_EQUAL(input.step[2].name, "step 3");
    ew_case_free(&input);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"label_is_its_own_triangles", test_label_is_its_own_triangles},
        {"named_faces", test_named_faces_take_free_labels},
        {"sets_catch_what_they_say", test_sets_catch_what_they_say},
        {"kinds_refused", test_kinds_that_do_not_go_together_are_refused},
        {"steps_make_sets", test_steps_make_sets_after_their_edits},
        {"total_force_on_faces", test_total_force_on_faces_is_a_uniform_traction},
        {"faces_and_tets_mean_vertices", test_faces_and_tets_mean_their_vertices},
        {"reactions_add_up", test_reactions_of_supports_add_up},
        {"planes_of_symmetry", test_planes_of_symmetry_are_supports},
        {"results_of_sets", test_results_of_sets_on_a_pulled_bar},
        {"decimate_protects", test_decimate_protects_sets},
        {"steps_are_numbered", test_steps_are_numbered},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"sets", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
