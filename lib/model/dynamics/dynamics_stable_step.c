/* The stable step of a model. The largest frequency of a body is no larger than that of its
 * stiffest tet by itself (Irons 1971; Hughes 1987, section 9.1), and springs to the ground add no
 * more than the stiffest of them over the mass at its node. That of a tet is kept in a field, 0:
 * to be computed, and so follows edits.
 *
 * That bound may be several times the frequency. Of a linear body the frequency itself is found
 * (dynamics_frequency.c), where it is asked for or a step is above what the bound allows, and taken
 * larger by a margin. A nonlinear body has other frequencies at each step, but tets that turn have
 * theirs: there the bound stays. */
#include "curved_blocks.h"
#include "model/dynamics/step_formulation.h"

#include <math.h>
#include <stdio.h>

/* Of a tet with corners x, in the sense of factors_of: with sides as curved as d the largest of its
 * points, over its mass. */
static double square_of(const ew_model *model, const ew_elastic *law, double density,
                        const double *x, const double *d)
{
    double largest = 0.0, least = INFINITY;
    for (int p = 0; p < 4; p++) {
        double y[12];
        ew_curved_point(p, x, d, y);
        const double square = ew_elastic_frequency_squared(y, law, density);
        largest = fmax(largest, square * ew_tet_volume(y, y + 3, y + 6, y + 9));
    }
    if (model->dynamics.def.mass == EW_MASS_LUMPED) {
        return largest / ew_curved_volume(x, d);
    }
    for (int k = 0; k < EW_MASS_POINTS; k++) {
        double l[4];
        (void)ew_mass_point(k, l);
        least = fmin(least, ew_mass_point_volume(1.0, l, x, d));
    }
    return largest / least;
}

static double largest_of_tets(ew_model *model)
{
    const ew_mesh *mesh = &model->mesh;
    const ew_materials *materials = &model->materials;
    double *square = model->field[model->dynamics.frequency].value, largest = 0.0;
#pragma omp parallel for schedule(static) reduction(max : largest)
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (!ew_mesh_tet_is_live(mesh, t)) {
            continue;
        }
        if (square[t] == 0.0) {
            const int32_t r = mesh->region[t];
            const double density = materials->material[r].density;
            ew_elastic law;
            double x[12], d[18];
            ew_mesh_tet_values(mesh, t, mesh->xyz, x);
            ew_elastic_of(&law, materials, r, t, x);
            square[t] = ew_tet_curves(&model->quadratic.rows, &model->topology, t, d)
                            ? square_of(model, &law, density, x, d)
                            : ew_elastic_frequency_squared(x, &law, density);
        }
        largest = square[t] > largest ? square[t] : largest;
    }
    return largest;
}

static double largest_row_sum(const double k[6])
{
    static const int entry[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
    double largest = 0.0;
    for (int c = 0; c < 3; c++) {
        largest = fmax(largest, fabs(k[entry[c][0]]) + fabs(k[entry[c][1]]) + fabs(k[entry[c][2]]));
    }
    return largest;
}

/* Of springs of stiffness k per area on faces of quadratic tets, over the mass in the middles of
 * edges. In nodal values the row sum of a face's matrix is 68/180 k A in the middle of a side, 17/8
 * of what the side's own function has, 8/45 k A; at a corner it is at most 80/180 k A, where its
 * sides have no functions, 4/3 of what stands at the vertex. */
static double largest_of_faces(const ew_model *model)
{
    const model_quadratic *q = &model->quadratic;
    double largest = 0.0;
    for (int32_t row = 0; row < q->rows.pattern.n_row && q->face_ground.n; row++) {
        const double mass = q->moving.mass.edge[row];
        double k[6] = {0.0};
        if (q->rows.edge[row] >= 0 && mass > 0.0) {
            ew_face_ground_of_edge(&q->face_ground, &model->topology, q->rows.edge[row], k);
            largest = fmax(largest, 17.0 / 8.0 * largest_row_sum(k) / mass);
        }
    }
    return largest;
}

/* Of springs, by the row sum of their stiffness, over the lumped mass. */
static double largest_of_springs(const ew_model *model)
{
    const ew_edge_mass *edges = model_edge_mass(model);
    const bool on_faces = edges && model->quadratic.face_ground.n > 0;
    const double *spring = model->constraints.spring;
    const ew_rows *rows = &model->topology.vertex_to_tet;
    double largest = 0.0;
    for (int32_t v = 0; v < model->mesh.n_vertex && spring; v++) {
        const double *k = spring + 6 * (size_t)v;
        double mass = edges ? edges->vertex[v] : 0.0;
        for (int32_t i = 0; i < rows->count[v] && !edges; i++) {
            const int32_t t = rows->item[rows->begin[v] + i];
            mass += 0.25 * ew_mesh_tet_volume(&model->mesh, t) *
                    model->materials.material[model->mesh.region[t]].density;
        }
        const double sum = (on_faces ? 4.0 / 3.0 : 1.0) * largest_row_sum(k);
        largest = mass > 0.0 ? fmax(largest, sum / mass) : largest;
    }
    return on_faces ? fmax(largest, largest_of_faces(model)) : largest;
}

/* What frequencies squared are at most, in parts of those of a linear tet with lumped mass, and of
 * springs over the lumped mass at their vertex.
 *
 * A consistent mass is no less than a fifth of the lumped one, that of quadratic tets no less than
 * 9/70 of theirs. At its Gauss point p a quadratic tet has a quarter of the energy of a linear one
 * whose corners move by w_b = u_b + 4 sum_c l_c c_bc (kernels/curved.h), at most the frequency
 * squared of that times m/8 times the sum of |w_b - w|^2 with their mean w. The largest ratio of
 * the sum over the points, m/16 times that, to the lumped mass of the ten nodes is 6.43768, to the
 * consistent one 21.45443. So it is with curved sides, the linear tets being other ones at each
 * point; their consistent mass is no less than that of straight sides and the least Jacobian at the
 * points that it is taken at. */
typedef struct factors {
    double tets, springs;
} factors;

static factors factors_of(bool quadratic, ew_mass_kind mass)
{
    const bool consistent = mass == EW_MASS_CONSISTENT;
    if (quadratic) {
        return consistent ? (factors){21.45443, 70.0 / 9.0} : (factors){6.43768, 1.0};
    }
    return consistent ? (factors){5.0, 5.0} : (factors){1.0, 1.0};
}

static double stable_step(const model_dynamics *of, double square)
{
    return ew_scheme_stable_step(of->def.scheme, &of->def.parameters, square, of->def.damping_mass,
                                 of->def.damping_stiffness);
}

/* No frequency squared is above it. */
static ew_status find_bound(ew_model *model)
{
    model_dynamics *of = &model->dynamics;
    const ew_field_def def = {
        .name = "frequency", .on_tets = true, .width = 1, .rule = EW_FIELD_ZERO};
    EW_TRY(of->frequency ? EW_OK : ew_model_add_field(model, &def, &of->frequency));
    if (of->square < 0.0) {
        const factors by = factors_of(model_edge_mass(model) != NULL, of->def.mass);
        of->square = (by.tets * largest_of_tets(model) + by.springs * largest_of_springs(model)) *
                     (1.0 + 1e-12);
    }
    return EW_OK;
}

/* *square: no frequency squared is above it, by the frequency of the body and the bound. */
static ew_status find_largest(ew_model *model, double *square)
{
    model_dynamics *of = &model->dynamics;
    EW_TRY(find_bound(model));
    EW_TRY(step_formulation_of(model)->find_frequency(model, &of->largest));
    *square = of->largest < 0.0 ? of->square
                                : fmin(of->square, of->largest / (1.0 - MODEL_FREQUENCY_MARGIN));
    return EW_OK;
}

ew_status ew_model_stable_step(ew_model *model, double *dt)
{
    model_dynamics *of = &model->dynamics;
    double square;
    EW_TRY(model_update_state(model));
    *dt = stable_step(of, 1.0);
    if (isinf(*dt)) {
        return EW_OK; /* whatever the frequencies */
    }
    EW_TRY(find_largest(model, &square));
    *dt = stable_step(of, square);
    return EW_OK;
}

/* The cause of the limit. */
static const char *describe_limit(const ew_model *model, double limit, char text[160])
{
    const model_dynamics *of = &model->dynamics;
    if (limit == stable_step(of, of->square)) { /* as of a nonlinear body */
        return "by the frequencies of its tets and springs one by one";
    }
    const double least = stable_step(of, of->largest);
    snprintf(text, 160, "%.6g by its largest frequency, less a margin of %.2g %%", least,
             100.0 * (1.0 - limit / least));
    return text;
}

ew_status ew_model_check_step(ew_model *model, double dt)
{
    model_dynamics *of = &model->dynamics;
    const char *scheme = ew_scheme_of(of->def.scheme)->name;
    char text[160];
    double limit, square;
    EW_TRY(model_update_state(model));
    limit = stable_step(of, 1.0);
    if (isinf(limit)) {
        return EW_OK;
    }
    if (limit == 0.0) {
        return ew_fail(EW_BAD_INPUT,
                       "dynamics: %s is stable at no step without damping; add 'damping: "
                       "{stiffness: ...}', or take another scheme",
                       scheme);
    }
    EW_TRY(find_bound(model));
    if (dt <= stable_step(of, of->square)) {
        return EW_OK;
    }
    EW_TRY(find_largest(model, &square));
    limit = stable_step(of, square);
    return dt <= limit ? EW_OK
                       : ew_fail(EW_BAD_INPUT,
                                 "dynamics: the step is %.6g; %s is stable up to %.6g on this "
                                 "mesh, %s; take a smaller step, or an implicit scheme",
                                 dt, scheme, limit, describe_limit(model, limit, text));
}
