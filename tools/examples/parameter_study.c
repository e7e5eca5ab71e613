/* A parameter study in a loop: how thin may a cantilever be? One model is scaled from height to
 * height and solved again; nothing is set up twice. The tip's sag times the height cubed stays
 * nearly what beam theory says, 4 F L^3 / (E b). */
#include <edgewise/edgewise.h>

#include <stdio.h>
#include <stdlib.h>

#define LENGTH 1.0 /* m */
#define WIDTH  0.1
#define FORCE  1000.0 /* N */
#define YOUNG  70e9   /* Pa */

static void check(ew_status status)
{
    if (status) {
        fprintf(stderr, "parameter_study: %s\n", ew_message());
        exit(1);
    }
}

static int32_t add_end(ew_model *model, const char *name, double x)
{
    const ew_selector at = {.kind = EW_SELECT_PLANE, .a = {x}, .b = {1.0}, .radius = 1e-9};
    const ew_model_set_def def = {.name = name, .kind = EW_SET_OF_VERTICES};
    ew_list vertex = {0};
    int32_t set;
    check(ew_mesh_select(ew_model_mesh(model), &at, &vertex));
    check(ew_model_add_set(model, &def, &vertex, &set));
    ew_list_free(&vertex);
    return set;
}

static ew_model *make_beam(double height)
{
    const double size[3] = {LENGTH, WIDTH, height};
    const int32_t cells[3] = {60, 6, 8};
    const ew_material aluminium = {.young = YOUNG, .poisson = 0.33, .density = 2700.0};
    const ew_model_def def = ew_default_model_def();
    ew_mesh mesh;
    ew_model *model;
    check(ew_shape_box(&mesh, size, cells));
    check(ew_model_create(&model, &mesh, &def));
    check(ew_model_set_material(model, EW_ALL_REGIONS, &aluminium));
    const ew_model_constraint fixed = {.set = add_end(model, "wall", 0.0), .fixed = 7};
    const ew_model_load pull = {EW_LOAD_TOTAL_FORCE, add_end(model, "tip", LENGTH),
                                .vector = {0.0, 0.0, -FORCE}};
    check(ew_model_set_constraints(model, 1, &fixed));
    check(ew_model_set_loads(model, 1, &pull));
    return model;
}

/* The mean downward displacement of the tip. */
static double sag(const ew_model *model)
{
    const ew_list *tip = &ew_model_view_set(model, ew_model_find_set(model, "tip")).member->list;
    double sum = 0.0;
    for (int32_t i = 0; i < tip->n; i++) {
        sum -= ew_model_displacement(model)[3 * tip->id[i] + 2];
    }
    return sum / tip->n;
}

/* One point of the study: from the height it has to another. */
static void scale_height(ew_model *model, double from, double to)
{
    const double factor[3] = {1.0, 1.0, to / from}, about[3] = {0.0, 0.0, 0.0};
    ew_model_begin(model);
    check(ew_operation_scale(ew_model_mesh(model), factor, about, ew_model_edit(model)));
    check(ew_model_commit(model));
}

int main(void)
{
    const ew_pcg_def solver = ew_default_pcg_def();
    const double allowed = 1e-3; /* m */
    double height = 0.10, thinnest = 0.0;
    ew_model *model = make_beam(height);
    puts("height, mm   mass, kg   iterations   sag, mm   of beam theory   largest von Mises, MPa");
    for (int i = 0; i <= 8; i++) {
        const double next = 0.10 - 0.005 * i;
        const ew_pcg_info *info;
        const ew_sums *sums;
        scale_height(model, height, next);
        height = next;
        check(ew_model_solve(model, &solver, &info));
        check(ew_model_recover(model, NULL, &sums));
        const double theory =
            4.0 * FORCE * LENGTH * LENGTH * LENGTH / (YOUNG * WIDTH * height * height * height);
        thinnest = sag(model) <= allowed ? height : thinnest;
        printf("%10.1f %10.2f %12d %9.4f %15.1f%% %24.2f\n", 1e3 * height, sums->mass,
               info->iterations, 1e3 * sag(model), 100.0 * sag(model) / theory,
               1e-6 * sums->max_von_mises);
    }
    printf("thinnest that sags by no more than %.1f mm: %.1f mm\n", 1e3 * allowed, 1e3 * thinnest);
    ew_model_free(model);
    return 0;
}
