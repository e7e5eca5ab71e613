/* How the tets of a body answer a displacement, where that is no linear function of it. In: mesh,
 * materials, displacement, state of the laws. Out: forces, gathered in ascending order so that no
 * thread changes a bit; records for the tangent. Strain, stress and energy:
 * internal_force_recovery.c. */
#include "assembly/host/internal_force.h"
#include "quadratic_tangent.h"

#include <math.h>
#include <string.h>

_Static_assert(EW_POINTS == EW_QUADRATIC_POINTS, "points are those of the kernels");

/* ---- memory ---------------------------------------------------------------------- */

ew_status ew_internal_force_prepare(ew_internal_force *internal_force,
                                    const ew_materials *materials, int32_t n_point, int32_t n_state,
                                    bool has_thermal, bool *forgot)
{
    for (int32_t i = 0; i < materials->n && internal_force->kinematics != EW_COROTATIONAL; i++) {
        const ew_law *law = ew_material_law(materials->material + i);
        if (law->needs_stretch) {
            return ew_fail(EW_BAD_ARGUMENT,
                           "the law '%s' takes corotational kinematics alone: set "
                           "kinematics: corotational",
                           law->name);
        }
    }
    const bool turned = internal_force->kinematics == EW_COROTATIONAL && materials->is_isotropic &&
                        !has_thermal && !materials->is_mixed && !ew_materials_have_laws(materials);
    const int32_t width = turned ? EW_RECORD_OF_TURNED : EW_RECORD_OF_GENERAL;
    *forgot = width != internal_force->width || n_point != internal_force->n_point;
    if (*forgot) { /* capacities count tets of the widths before */
        ew_release(internal_force->record);
        ew_release(internal_force->force);
        internal_force->record = internal_force->force = NULL;
        internal_force->record_capacity = internal_force->force_capacity = internal_force->n_tet =
            0;
        internal_force->width = width;
        internal_force->n_point = n_point;
        internal_force->version++;
    }
    internal_force->n_state = n_state;
    return EW_OK;
}

/* Numbers of the forces of a tet, and of its records. */
static size_t force_width(const ew_internal_force *internal_force)
{
    return internal_force->n_point == 1 ? 9 : EW_QUADRATIC_FORCE;
}

static size_t record_width(const ew_internal_force *internal_force)
{
    return (size_t)internal_force->width * (size_t)internal_force->n_point;
}

/* Room for the tets of a mesh; records of new slots are zero. */
static ew_status make_room(ew_internal_force *internal_force, const ew_mesh *mesh)
{
    const int32_t n = mesh->n_tet;
    const size_t size = record_width(internal_force) * sizeof(double);
    EW_TRY(ew_grow(&internal_force->force, &internal_force->force_capacity, n,
                   force_width(internal_force) * sizeof(double)));
    EW_TRY(ew_grow(&internal_force->record, &internal_force->record_capacity, n, size));
    EW_TRY(ew_grow(&internal_force->changed, &internal_force->changed_capacity, n, 1));
    if (n > internal_force->n_tet) {
        memset(internal_force->record +
                   record_width(internal_force) * (size_t)internal_force->n_tet,
               0, size * (size_t)(n - internal_force->n_tet));
    }
    internal_force->n_tet = n;
    return EW_OK;
}

void ew_internal_force_free(ew_internal_force *internal_force)
{
    ew_release(internal_force->force);
    ew_release(internal_force->record);
    ew_release(internal_force->changed);
    *internal_force = (ew_internal_force){0};
}

/* ---- a point of a tet ----------------------------------------------------------------- */

/* Of material that was never strained. */
static const double no_state[EW_MAX_LAW_STATE];

static void read_edges(const ew_deformed *body, int32_t t, const double *vector, double *to)
{
    const double *edges = vector + 3 * (size_t)body->mesh->n_vertex;
    memset(to, 0, 18 * sizeof *to);
    for (size_t k = 0; k < 6; k++) {
        const int32_t row = body->rows->row[body->topology->tet_to_edge[6 * (size_t)t + k]];
        if (row >= 0) {
            memcpy(to + 3 * k, edges + 3 * (size_t)row, 3 * sizeof *to);
        }
    }
}

static const double *vector_of(const ew_deformed *body, int k)
{
    return k == EW_POINT_U ? body->u : k == EW_POINT_FROM ? body->from : body->rate;
}

void ew_tet_point_read(const ew_internal_force *internal_force, const ew_deformed *body, int32_t t,
                       ew_tet_point *of)
{
    const bool is_linear = internal_force->n_point == 1;
    double(*to)[12] = is_linear ? of->at : of->corner;
    of->share = is_linear ? 1.0 : 0.25;
    of->pressure = body->pressure ? ew_internal_force_mean_pressure(body, t) : 0.0;
    ew_mesh_tet_values(body->mesh, t, body->mesh->xyz, to[EW_POINT_X]);
    if (!is_linear && !ew_tet_curves(body->rows, body->topology, t, of->edge[EW_POINT_X])) {
        memset(of->edge[EW_POINT_X], 0, sizeof of->edge[EW_POINT_X]);
    }
    for (int k = EW_POINT_U; k < EW_N_POINT_VALUE; k++) {
        const double *vector = vector_of(body, k);
        if (vector) {
            ew_mesh_tet_values(body->mesh, t, vector, to[k]);
        }
        if (vector && !is_linear) {
            read_edges(body, t, vector, of->edge[k]);
        }
    }
}

void ew_tet_point_go(const ew_internal_force *internal_force, const ew_deformed *body, int p,
                     ew_tet_point *of)
{
    for (int k = 0; k < EW_N_POINT_VALUE && internal_force->n_point > 1; k++) {
        if (k == EW_POINT_X || vector_of(body, k)) {
            ew_lanes_bend(p, of->corner[k], of->edge[k], of->at[k]);
        }
    }
}

const double *ew_tet_point_place(const ew_internal_force *internal_force, const ew_tet_point *of)
{
    return internal_force->n_point == 1 ? of->at[EW_POINT_X] : of->corner[EW_POINT_X];
}

void ew_tet_point_move(const ew_internal_force *internal_force, const ew_tet_point *of,
                       ew_tet_motion *motion)
{
    ew_tet_move(internal_force->kinematics, of->at[EW_POINT_X], of->at[EW_POINT_U], motion);
    motion->volume *= of->share;
}

/* Place of a point in arrays by tet and point. */
static size_t place_of(const ew_internal_force *internal_force, int32_t t, int p)
{
    return (size_t)internal_force->n_point * (size_t)t + (size_t)p;
}

const double *ew_state_at(const ew_internal_force *internal_force, const ew_deformed *body,
                          int32_t t, int p)
{
    return body->state
               ? body->state + (size_t)internal_force->n_state * place_of(internal_force, t, p)
               : no_state;
}

bool ew_region_has_moduli(const ew_deformed *body, int32_t region)
{
    const ew_material *material = body->materials->material + region;
    return material->kind != EW_ISOTROPIC && ew_material_law(material)->is_linear;
}

void ew_take_thermal_off(const ew_internal_force *internal_force, const ew_deformed *body,
                         int32_t t, int p, const double *strain, double *rest)
{
    const double *thermal =
        body->thermal ? body->thermal + 6 * place_of(internal_force, t, p) : NULL;
    for (int i = 0; i < 6; i++) {
        rest[i] = thermal ? strain[i] - thermal[i] : strain[i];
    }
}

/* Stress of a strain; after, tangent: as in ew_law.respond. */
static void find_stress(const ew_internal_force *internal_force, const ew_deformed *body, int32_t t,
                        int p, const ew_tet_point *of, const double *strain, double *after,
                        double *stress, double *tangent)
{
    const int32_t region = body->mesh->region[t];
    const double *state = ew_state_at(internal_force, body, t, p);
    double rest[6];
    ew_take_thermal_off(internal_force, body, t, p, strain, rest);
    if (ew_region_has_moduli(body, region)) {
        ew_elastic law;
        ew_elastic_of(&law, body->materials, region, t, ew_tet_point_place(internal_force, of));
        ew_elastic_stress(&law, rest, stress);
        if (tangent) {
            memcpy(tangent, law.moduli, sizeof law.moduli);
        }
        return;
    }
    if (body->is_elastic && tangent &&
        ew_material_law(body->materials->material + region)->n_state) {
        ew_respond_elastically(body->materials, region, rest, state, stress, tangent);
    } else {
        ew_respond(body->materials, region, rest, state, body->dt, after, stress, tangent);
    }
    if (body->pressure) {
        const bool curves = internal_force->form == EW_TANGENT_EXACT && !body->is_unstressed;
        (void)ew_internal_force_add_pressure(body, region, of->pressure, rest, stress,
                                             curves ? tangent : NULL);
    }
}

/* ---- forces ------------------------------------------------------------------------ */

/* force [3][3] on corners 1 to 3 of the straight tet at the point; ends: the state there after. */
static void find_point(const ew_internal_force *internal_force, const ew_deformed *body, int32_t t,
                       int p, const ew_tet_point *of, double *force, double *ends)
{
    if (internal_force->width == EW_RECORD_OF_TURNED) {
        ew_corotational_force(of->at[EW_POINT_X], of->at[EW_POINT_U],
                              body->materials->lame + 2 * (size_t)body->mesh->region[t], force);
        for (int i = 0; i < 9; i++) {
            force[i] *= of->share;
        }
        return;
    }
    ew_tet_motion motion;
    double stress[6];
    ew_tet_point_move(internal_force, of, &motion);
    find_stress(internal_force, body, t, p, of, motion.strain, ends, stress, NULL);
    ew_tet_force(internal_force->kinematics, &motion, stress, force);
}

/* The state after is zero where nothing can flow, too: the caller's array has what it had before.
 */
static void find_tet(const ew_internal_force *internal_force, const ew_deformed *body, int32_t t,
                     double *after)
{
    const size_t n_state = (size_t)internal_force->n_state, n_force = force_width(internal_force);
    double *force = internal_force->force + n_force * (size_t)t;
    const bool is_live = ew_mesh_tet_is_live(body->mesh, t);
    ew_tet_point of;
    if (is_live) {
        ew_tet_point_read(internal_force, body, t, &of);
    }
    if (!is_live || internal_force->n_point > 1) {
        memset(force, 0, n_force * sizeof *force);
    }
    for (int p = 0; p < internal_force->n_point; p++) {
        double own[9], ends[EW_MAX_LAW_STATE] = {0.0};
        if (is_live) {
            ew_tet_point_go(internal_force, body, p, &of);
            find_point(internal_force, body, t, p, &of, internal_force->n_point == 1 ? force : own,
                       ends);
        }
        if (is_live && internal_force->n_point > 1) {
            ew_add_point_force(p, own, force);
        }
        if (after) {
            memcpy(after + n_state * place_of(internal_force, t, p), ends, n_state * sizeof *after);
        }
    }
}

ew_status ew_internal_force_find(ew_internal_force *internal_force, const ew_deformed *body,
                                 double *after)
{
    EW_TRY(make_room(internal_force, body->mesh));
    const int32_t n = body->mesh->n_tet;
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n, EW_MIN_TETS_A_THREAD))
    for (int32_t t = 0; t < n; t++) {
        find_tet(internal_force, body, t, after);
    }
    return EW_OK;
}

static void add_force(const double *force, int place, double *sum)
{
    for (int c = 0; c < 3; c++) {
        sum[c] += place ? force[3 * (place - 1) + c] : -((force[c] + force[3 + c]) + force[6 + c]);
    }
}

static void add_three(const double *force, double *sum)
{
    for (int c = 0; c < 3; c++) {
        sum[c] += force[c];
    }
}

static void gather_vertex(const ew_internal_force *internal_force, const ew_deformed *body,
                          int32_t v, double *f)
{
    const ew_rows *tets = &body->topology->vertex_to_tet;
    double sum[3] = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < tets->count[v]; i++) {
        const int32_t t = tets->item[(size_t)tets->begin[v] + (size_t)i];
        const int32_t *vertex = body->mesh->tet + 4 * (size_t)t;
        const int place = (vertex[1] == v) + 2 * (vertex[2] == v) + 3 * (vertex[3] == v);
        if (internal_force->n_point == 1) {
            add_force(internal_force->force + 9 * (size_t)t, place, sum);
        } else {
            add_three(internal_force->force + EW_QUADRATIC_FORCE * (size_t)t + 3 * place, sum);
        }
    }
    memcpy(f, sum, sizeof sum);
}

static void gather_edge(const ew_internal_force *internal_force, const ew_deformed *body,
                        int32_t row, double *f)
{
    const ew_rows *tets = &body->topology->edge_to_tet;
    const int32_t edge = body->rows->edge[row];
    double sum[3] = {0.0, 0.0, 0.0};
    for (int32_t i = 0; edge >= 0 && i < tets->count[edge]; i++) {
        const int32_t t = tets->item[(size_t)tets->begin[edge] + (size_t)i];
        const int32_t *of_tet = body->topology->tet_to_edge + 6 * (size_t)t;
        int k = 0;
        while (of_tet[k] != edge) {
            k++;
        }
        add_three(internal_force->force + EW_QUADRATIC_FORCE * (size_t)t + 3 * (4 + k), sum);
    }
    memcpy(f, sum, sizeof sum);
}

void ew_internal_force_gather(const ew_internal_force *internal_force, const ew_deformed *body,
                              double *f)
{
    const int32_t n = body->mesh->n_vertex;
    const int32_t n_edge =
        internal_force->n_point > 1 && body->rows->n_live ? body->rows->pattern.n_row : 0;
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n, EW_MIN_TETS_A_THREAD))
    for (int32_t v = 0; v < n; v++) {
        gather_vertex(internal_force, body, v, f + 3 * (size_t)v);
    }
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n_edge, EW_MIN_TETS_A_THREAD))
    for (int32_t row = 0; row < n_edge; row++) {
        gather_edge(internal_force, body, row, f + 3 * ((size_t)n + (size_t)row));
    }
}

/* ---- records ------------------------------------------------------------------------- */

static void record_point(const ew_internal_force *internal_force, const ew_deformed *body,
                         int32_t t, int p, const ew_tet_point *of, double *record)
{
    const double *x = of->at[EW_POINT_X], *u = of->at[EW_POINT_U], *from = of->at[EW_POINT_FROM];
    if (internal_force->width == EW_RECORD_OF_TURNED) {
        ew_transformed_record(x, u, body->from ? from : NULL,
                              body->materials->lame + 2 * (size_t)body->mesh->region[t],
                              body->is_unstressed ? EW_FORM_WARPED : (int)internal_force->form,
                              record);
        for (int i = 9; i < EW_RECORD_OF_TURNED; i++) {
            record[i] *= of->share;
        }
        return;
    }
    ew_tet_motion motion;
    double stress[6], tangent[EW_N_MODULI], ends[EW_MAX_LAW_STATE];
    ew_tet_point_move(internal_force, of, &motion);
    find_stress(internal_force, body, t, p, of, motion.strain, ends, stress, tangent);
    if (body->from && internal_force->kinematics == EW_COROTATIONAL) {
        ew_general_seen_from(motion.g, u, from, motion.strain);
        find_stress(internal_force, body, t, p, of, motion.strain, ends, stress, NULL);
    }
    if (body->is_unstressed) {
        memset(stress, 0, sizeof stress);
    }
    ew_tet_general_record(internal_force->kinematics, &motion, stress, tangent,
                          internal_force->form, record);
}

static void make_record(const ew_internal_force *internal_force, const ew_deformed *body, int32_t t,
                        double *record)
{
    ew_tet_point of;
    if (!ew_mesh_tet_is_live(body->mesh, t)) {
        memset(record, 0, record_width(internal_force) * sizeof *record);
        return;
    }
    ew_tet_point_read(internal_force, body, t, &of);
    for (int p = 0; p < internal_force->n_point; p++) {
        ew_tet_point_go(internal_force, body, p, &of);
        record_point(internal_force, body, t, p, &of, record + internal_force->width * p);
    }
}

/* Whether numbers begin to end changed by more than the bound, relative to the largest. */
static bool differs_by_more(const double *old, const double *new, int32_t begin, int32_t end,
                            double bound)
{
    double largest = 0.0, most = 0.0;
    for (int32_t i = begin; i < end; i++) {
        const double size = fabs(new[i]), moved = fabs(new[i] - old[i]);
        largest = size > largest ? size : largest;
        most = moved > most ? moved : most;
    }
    return !(most <= bound * largest);
}

/* The first nine numbers of a point are gradients, the others moduli. */
static bool is_other(const ew_internal_force *internal_force, const double *old, const double *new,
                     double bound)
{
    const int32_t width = internal_force->width;
    bool any = false;
    if (bound == 0.0) {
        return memcmp(old, new, record_width(internal_force) * sizeof *old) != 0;
    }
    for (int32_t first = 0; first < width * internal_force->n_point && !any; first += width) {
        any = differs_by_more(old, new, first, first + 9, bound) ||
              differs_by_more(old, new, first + 9, first + width, bound);
    }
    return any;
}

static bool replace_record(const ew_internal_force *internal_force, const ew_deformed *body,
                           double bound, int32_t t)
{
    double fresh[EW_QUADRATIC_POINTS * EW_RECORD_OF_GENERAL];
    double *record = internal_force->record + record_width(internal_force) * (size_t)t;
    make_record(internal_force, body, t, fresh);
    if (!is_other(internal_force, record, fresh, bound)) {
        return false;
    }
    memcpy(record, fresh, record_width(internal_force) * sizeof *record);
    return true;
}

ew_status ew_internal_force_record(ew_internal_force *internal_force, const ew_deformed *body,
                                   double bound, ew_list *changed)
{
    EW_TRY(make_room(internal_force, body->mesh));
    const int32_t n = body->mesh->n_tet;
    changed->n = 0;
    int32_t n_changed = 0;
#pragma omp parallel for schedule(static) reduction(+ : n_changed)                                 \
    num_threads(ew_threads_for(n, EW_MIN_TETS_A_THREAD))
    for (int32_t t = 0; t < n; t++) {
        internal_force->changed[t] = replace_record(internal_force, body, bound, t);
        n_changed += internal_force->changed[t];
    }
    internal_force->version += n_changed > 0;
    for (int32_t t = 0; t < n && n_changed; t++) {
        EW_TRY(internal_force->changed[t] ? ew_list_push(changed, t) : EW_OK);
    }
    return EW_OK;
}
