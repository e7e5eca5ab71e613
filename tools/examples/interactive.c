/* A body that is cut while it swings, as a game or a simulator would drive it: a rubber beam under
 * its weight, a tool that moves through it and takes the tets it touches, a fine surface that is
 * carried along, the triangles of the boundary kept in step. Every step is timed. Once the program
 * has warmed up, steps ask for no memory; after a cut the preconditioner's lists may still grow. */
#include <edgewise/edgewise.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 360, WARM_UP = 60, AROUND = 48, ALONG = 120 };
#define DT     (1.0 / 60.0) /* s */
#define LENGTH 1.0          /* m */
#define WIDTH  0.2

static void check(ew_status status)
{
    if (status) {
        fprintf(stderr, "interactive: %s\n", ew_message());
        exit(1);
    }
}

/* ---- an allocator that counts ------------------------------------------------------ */

static void *resize(void *user, void *old, size_t size)
{
    ++*(long *)user;
    return realloc(old, size);
}

static void release(void *user, void *old)
{
    (void)user;
    free(old);
}

/* ---- the scene --------------------------------------------------------------------- */

typedef struct scene {
    ew_model *model;
    int32_t skin;
    double *skin_xyz;  /* what a graphics card would get: positions of the skin, */
    int32_t *triangle; /* [boundary slots][3] and the vertices of the boundary's faces */
    int32_t capacity;
} scene;

/* A tube around the beam. */
static void add_skin(scene *s)
{
    static double xyz[3 * AROUND * ALONG];
    static int32_t triangle[6 * AROUND * (ALONG - 1)];
    ew_surface tube = {.n_vertex = AROUND * ALONG, .xyz = xyz, .triangle = triangle};
    for (int32_t v = 0; v < AROUND * ALONG; v++) {
        const double a = 6.283185307179586 * (v % AROUND) / AROUND;
        xyz[3 * v] = LENGTH * (v / AROUND) / (ALONG - 1);
        xyz[3 * v + 1] = WIDTH * (0.5 + 0.6 * cos(a));
        xyz[3 * v + 2] = WIDTH * (0.5 + 0.6 * sin(a));
    }
    for (int32_t q = 0; q < AROUND * (ALONG - 1); q++, tube.n_triangle += 2) {
        const int32_t row = q / AROUND * AROUND, i = q % AROUND, j = (i + 1) % AROUND;
        const int32_t two[6] = {row + i, row + j,          row + AROUND + j,
                                row + i, row + AROUND + j, row + AROUND + i};
        memcpy(triangle + 3 * tube.n_triangle, two, sizeof two);
    }
    check(ew_model_add_surface(s->model, &tube, &(ew_mapping_def){.drop = true}, &s->skin));
    s->skin_xyz = malloc(sizeof xyz);
}

static void make_scene(scene *s)
{
    const double size[3] = {LENGTH, WIDTH, WIDTH};
    const int32_t cells[3] = {24, 6, 6};
    const ew_material rubber = {.young = 4e6, .poisson = 0.4, .density = 1000.0};
    const ew_selector wall = {.kind = EW_SELECT_PLANE, .b = {1.0, 0.0, 0.0}, .radius = 1e-9};
    const ew_model_set_def set = {.name = "wall", .kind = EW_SET_OF_VERTICES};
    const double g[3] = {0.0, 0.0, -9.81};
    const ew_model_load weight = ew_load_gravity(g);
    const ew_model_def def = ew_default_model_def();
    ew_model_constraint fixed = {.fixed = 7};
    ew_dynamics_def dynamics = ew_default_dynamics_def();
    ew_list vertex = {0};
    ew_mesh mesh;
    check(ew_shape_box(&mesh, size, cells));
    check(ew_model_create(&s->model, &mesh, &def));
    check(ew_model_set_material(s->model, EW_ALL_REGIONS, &rubber));
    check(ew_mesh_select(ew_model_mesh(s->model), &wall, &vertex));
    check(ew_model_add_set(s->model, &set, &vertex, &fixed.set));
    ew_list_free(&vertex);
    check(ew_model_set_constraints(s->model, 1, &fixed));
    check(ew_model_set_loads(s->model, 1, &weight));
    add_skin(s);
    dynamics.scheme = EW_IMPLICIT_EULER; /* steady at any step */
    dynamics.damping_stiffness = 0.01;
    dynamics.solver.tolerance = 1e-4;
    check(ew_model_start_dynamics(s->model, &dynamics, 0.0));
}

/* ---- a step -------------------------------------------------------------------------- */

/* Takes the tets whose centroid, as the body hangs now, is under the tool. */
static void cut(scene *s, const double tool[3], double radius)
{
    const ew_mesh *mesh = ew_model_mesh(s->model);
    const double *u = ew_model_displacement(s->model);
    ew_model_begin(s->model);
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        double square = 0.0;
        for (int c = 0; c < 3 && ew_mesh_tet_is_live(mesh, t); c++) {
            double x = -tool[c];
            for (int k = 0; k < 4; k++) {
                const int32_t at = 3 * mesh->tet[4 * t + k] + c;
                x += 0.25 * (mesh->xyz[at] + u[at]);
            }
            square += x * x;
        }
        if (ew_mesh_tet_is_live(mesh, t) && square < radius * radius) {
            check(ew_edit_remove_tet(ew_model_edit(s->model), t));
        }
    }
    check(ew_model_commit(s->model));
}

/* The triangles to be drawn, where the last commit changed them; at first, all. */
static void update_triangles(scene *s)
{
    const ew_boundary *boundary;
    check(ew_model_boundary(s->model, &boundary));
    const bool first = !s->triangle;
    const int32_t n = first ? boundary->n_slot : boundary->added.n + boundary->kept.n;
    if (boundary->n_slot > s->capacity) { /* room for what cuts lay open */
        s->capacity = 4 * boundary->n_slot;
        s->triangle = realloc(s->triangle, 3 * sizeof(int32_t) * (size_t)s->capacity);
    }
    for (int32_t i = 0; i < boundary->removed.n; i++) {
        s->triangle[3 * boundary->removed.id[i]] = -1; /* not drawn */
    }
    for (int32_t i = 0; i < n; i++) {
        const int32_t slot = first                   ? i
                             : i < boundary->added.n ? boundary->added.id[i]
                                                     : boundary->kept.id[i - boundary->added.n];
        const int32_t code = boundary->code[slot];
        for (int k = 0; k < 3; k++) {
            s->triangle[3 * slot + k] =
                ew_model_mesh(s->model)->tet[4 * (code / 4) + ew_face_vertex[code % 4][k]];
        }
    }
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    static double seconds[STEPS];
    long n_allocation = 0, quiet = 0, cutting = 0;
    int n_cut = 0;
    const ew_allocator counting = {.user = &n_allocation, .resize = resize, .release = release};
    scene s = {.model = NULL};
    ew_set_allocator(&counting);
    make_scene(&s);
    puts("step     tets  boundary   skin    tip at z, m");
    for (int step = 0; step < STEPS; step++) {
        /* to and fro across the top of the beam, lower each time */
        const double y = WIDTH * (0.5 + 0.55 * sin(0.1 * step)), z = WIDTH - 0.1 * step / STEPS;
        const double tool[3] = {0.3 * LENGTH, y, z};
        const int32_t n_tet = ew_model_mesh(s.model)->n_live_tet;
        const long before = n_allocation;
        const double start = ew_seconds();
        cut(&s, tool, 0.025);
        update_triangles(&s);
        check(ew_model_advance(s.model, DT, NULL));
        const ew_mesh *mesh = ew_model_mesh(s.model);
        const ew_mapping *skin = ew_model_surface(s.model, s.skin);
        const double *u = ew_model_displacement(s.model);
        check(ew_mapping_positions(skin, mesh, u, s.skin_xyz));
        seconds[step] = ew_seconds() - start;
        if (mesh->n_live_tet < n_tet) {
            n_cut++;
            cutting += step < WARM_UP ? 0 : n_allocation - before;
        } else {
            quiet += step < WARM_UP ? 0 : n_allocation - before;
        }
        if (step % 60 == 59) {
            const ew_boundary *boundary;
            check(ew_model_boundary(s.model, &boundary));
            printf("%4d %8d %9d %6d %14.4f\n", step + 1, mesh->n_live_tet, boundary->n_live,
                   skin->n_vertex - skin->n_released,
                   s.skin_xyz[3 * (AROUND * (ALONG - 1) + AROUND / 4) + 2]);
        }
    }
    qsort(seconds, STEPS, sizeof *seconds, by_value);
    printf("a step takes %.2f ms (median), %.2f ms (99th percentile), %.2f ms (worst)\n",
           1e3 * seconds[STEPS / 2], 1e3 * seconds[STEPS * 99 / 100], 1e3 * seconds[STEPS - 1]);
    printf("%d steps cut; allocations after the first %d steps: %ld in those that cut, %ld in "
           "others\n",
           n_cut, WARM_UP, cutting, quiet);
    free(s.skin_xyz);
    free(s.triangle);
    ew_model_free(s.model);
    return 0;
}
