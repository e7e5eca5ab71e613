/* A load and an operation of one's own. The load is wind on a tower: a pressure that grows with the
 * height, on whatever faces look into it as the tower is now. The operation tapers the tower. Both
 * are functions of the mesh alone, so that every edit, own or shipped, goes together with them. */
#include <edgewise/edgewise.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define HEIGHT 40.0 /* m */
#define WIDTH  4.0

static void check(ew_status status)
{
    if (status) {
        fprintf(stderr, "own_load: %s\n", ew_message());
        exit(1);
    }
}

/* Wind along +x. A face that looks toward -x carries p A n, a third of it at each of its vertices;
 * p at the middle of the face. Called for one vertex at a time: its faces are faces of its tets. */
static void blow(void *user, const ew_mesh *mesh, const ew_topology *topology, int32_t vertex,
                 double *force)
{
    const double top_pressure = *(const double *)user;
    const ew_rows *tets = &topology->vertex_to_tet;
    for (int32_t i = 0; i < tets->count[vertex]; i++) {
        const int32_t t = tets->item[tets->begin[vertex] + i];
        for (int32_t code = 4 * t; code < 4 * t + 4; code++) {
            double area[3], z = 0.0;
            if (mesh->tet[code] == vertex || /* face k is opposite to the tet's vertex k */
                ew_topology_face_neighbor(topology, mesh, code) >= 0) {
                continue;
            }
            ew_face_area_vector(mesh, code, area); /* looks outwards */
            for (int k = 0; k < 3; k++) {
                z += mesh->xyz[3 * mesh->tet[4 * t + ew_face_vertex[code % 4][k]] + 2] / 3.0;
            }
            if (area[0] < 0.0) {
                force[0] -= top_pressure * z / HEIGHT * area[0] / 3.0;
            }
        }
    }
}

/* Moves each vertex toward the axis, the more the higher it is. `user`: width at the top over that
 * of the untapered tower, in relation to what it is now. */
static ew_status taper(void *user, const ew_model *model, ew_edit *edit)
{
    const double *top = user; /* new, old */
    const ew_mesh *mesh = ew_model_mesh(model);
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *x = mesh->xyz + 3 * (size_t)v, z = x[2] / HEIGHT;
        const double factor = (1.0 - z + z * top[0]) / (1.0 - z + z * top[1]);
        const double to[3] = {WIDTH / 2 + factor * (x[0] - WIDTH / 2),
                              WIDTH / 2 + factor * (x[1] - WIDTH / 2), x[2]};
        EW_TRY(ew_edit_move_vertex(edit, v, to));
    }
    return EW_OK;
}

static void furnish(ew_model *model, double *pressure)
{
    const ew_material concrete = {.young = 30e9, .poisson = 0.2, .density = 2400.0};
    const ew_selector ground = {.kind = EW_SELECT_PLANE, .b = {0.0, 0.0, 1.0}, .radius = 1e-9};
    const ew_model_set_def base = {.name = "base", .kind = EW_SET_OF_VERTICES};
    const ew_model_load wind = ew_load_own(blow, pressure, sizeof *pressure);
    ew_list vertex = {0};
    ew_model_constraint fixed = {.fixed = 7};
    check(ew_model_set_material(model, EW_ALL_REGIONS, &concrete));
    check(ew_mesh_select(ew_model_mesh(model), &ground, &vertex));
    check(ew_model_add_set(model, &base, &vertex, &fixed.set));
    ew_list_free(&vertex);
    check(ew_model_set_constraints(model, 1, &fixed));
    check(ew_model_set_loads(model, 1, &wind));
}

int main(void)
{
    const double size[3] = {WIDTH, WIDTH, HEIGHT};
    const int32_t cells[3] = {6, 6, 60};
    const ew_model_def def = ew_default_model_def();
    const ew_pcg_def solver = ew_default_pcg_def();
    double pressure = 1500.0; /* Pa, at the top */
    double width[2] = {1.0, 1.0};
    ew_mesh mesh;
    ew_model *model;
    check(ew_shape_box(&mesh, size, cells));
    check(ew_model_create(&model, &mesh, &def));
    furnish(model, &pressure);
    puts("top width, m   mass, t   wind, kN   top sways by, mm   largest von Mises, MPa");
    for (int i = 0; i <= 5; i++) {
        const ew_sums *sums;
        width[0] = 1.0 - 0.1 * i;
        check(ew_model_apply(model, taper, width));
        width[1] = width[0];
        check(ew_model_solve(model, &solver, NULL));
        check(ew_model_recover(model, NULL, &sums));
        printf("%12.1f %9.0f %10.1f %18.3f %24.3f\n", width[0] * WIDTH, 1e-3 * sums->mass,
               1e-3 * sums->applied_force[0], 1e3 * sums->max_displacement,
               1e-6 * sums->max_von_mises);
    }
    /* Euler and Bernoulli: 11 q L^4 / (120 E I) for a load that grows from 0 at the root to q. */
    const double q = pressure * WIDTH, inertia = pow(WIDTH, 4) / 12.0;
    printf("beam theory, untapered: wind %.1f kN, sway %.3f mm\n", 1e-3 * q * HEIGHT / 2,
           1e3 * 11.0 * q * pow(HEIGHT, 4) / (120.0 * 30e9 * inertia));
    ew_model_free(model);
    return 0;
}
