/* How the tets of a body answer a displacement, where that is no linear function of it. In: mesh,
 * materials, displacement, state of the laws. Out: forces, gathered in ascending order so that no
 * thread changes a bit; records for the tangent; strain, stress and energy. */
#include "assembly/parts/assembly.h"
#include "general.h"

#include <math.h>
#include <string.h>

/* With fewer tets a thread costs more than it saves. */
#define MIN_TETS_A_THREAD 500
/* Tets whose energies are added up first. */
#define CHUNK 1024

/* ---- memory ---------------------------------------------------------------------- */

ew_status ew_response_prepare(ew_response *response, const ew_materials *materials, int32_t n_state,
                              bool has_thermal, bool *forgot)
{
    for (int32_t i = 0; i < materials->n && response->kinematics != EW_COROTATIONAL; i++) {
        const ew_law *law = ew_material_law(materials->material + i);
        if (law->needs_stretch) {
            return ew_fail(EW_BAD_ARGUMENT, "the law '%s' takes corotational kinematics alone",
                           law->name);
        }
    }
    const bool turned = response->kinematics == EW_COROTATIONAL && materials->is_isotropic &&
                        !has_thermal && !ew_materials_have_laws(materials);
    const int32_t width = turned ? EW_RECORD_OF_TURNED : EW_RECORD_OF_GENERAL;
    *forgot = width != response->width;
    if (*forgot) {
        ew_release(response->record);
        response->record = NULL;
        response->record_capacity = response->n_tet = 0;
        response->width = width;
    }
    response->n_state = n_state;
    return EW_OK;
}

/* Room for the tets of a mesh; records of new slots are zero. */
static ew_status make_room(ew_response *response, const ew_mesh *mesh)
{
    const int32_t n = mesh->n_tet;
    const size_t size = (size_t)response->width * sizeof(double);
    EW_TRY(ew_grow(&response->force, &response->force_capacity, n, 9 * sizeof(double)));
    EW_TRY(ew_grow(&response->record, &response->record_capacity, n, size));
    EW_TRY(ew_grow(&response->changed, &response->changed_capacity, n, 1));
    if (n > response->n_tet) {
        memset(response->record + (size_t)response->width * (size_t)response->n_tet, 0,
               size * (size_t)(n - response->n_tet));
    }
    response->n_tet = n;
    return EW_OK;
}

void ew_response_free(ew_response *response)
{
    ew_release(response->force);
    ew_release(response->record);
    ew_release(response->changed);
    *response = (ew_response){0};
}

/* ---- one tet ---------------------------------------------------------------------- */

/* Of material that was never strained. */
static const double no_state[EW_MAX_LAW_STATE];

typedef struct corners {
    double x[12], u[12], from[12];
} corners;

static void read_corners(const ew_moved *body, int32_t t, corners *of)
{
    ew_mesh_tet_values(body->mesh, t, body->mesh->xyz, of->x);
    ew_mesh_tet_values(body->mesh, t, body->u, of->u);
    if (body->from) {
        ew_mesh_tet_values(body->mesh, t, body->from, of->from);
    }
}

static const double *state_of(const ew_response *response, const ew_moved *body, int32_t t)
{
    return body->state ? body->state + (size_t)response->n_state * (size_t)t : no_state;
}

/* Elastic, but not isotropic: moduli along axes that may be those of the place of the tet. */
static bool has_moduli(const ew_moved *body, int32_t region)
{
    const ew_material *material = body->materials->material + region;
    return material->kind != EW_ISOTROPIC && ew_material_law(material)->is_linear;
}

/* What the law sees of a strain. */
static void take_thermal_off(const ew_moved *body, int32_t t, const double *strain, double *rest)
{
    const double *thermal = body->thermal ? body->thermal + 6 * (size_t)t : NULL;
    for (int i = 0; i < 6; i++) {
        rest[i] = thermal ? strain[i] - thermal[i] : strain[i];
    }
}

/* Stress of a strain; after, tangent: as in ew_law.respond. */
static void answer(const ew_response *response, const ew_moved *body, int32_t t, const double *x,
                   const double *strain, double *after, double *stress, double *tangent)
{
    const int32_t region = body->mesh->region[t];
    double rest[6];
    take_thermal_off(body, t, strain, rest);
    if (has_moduli(body, region)) {
        ew_elastic law;
        ew_elastic_of(&law, body->materials, region, t, x);
        ew_elastic_stress(&law, rest, stress);
        if (tangent) {
            memcpy(tangent, law.moduli, sizeof law.moduli);
        }
        return;
    }
    if (body->is_elastic && tangent &&
        ew_material_law(body->materials->material + region)->n_state) {
        ew_respond_elastically(body->materials, region, rest, state_of(response, body, t), stress,
                               tangent);
        return;
    }
    ew_respond(body->materials, region, rest, state_of(response, body, t), body->dt, after, stress,
               tangent);
}

/* ---- forces ------------------------------------------------------------------------ */

/* The state after is zero where nothing can flow, too: the caller's array has what it had before.
 */
static void find_tet(const ew_response *response, const ew_moved *body, int32_t t, double *after)
{
    double *force = response->force + 9 * (size_t)t;
    const size_t n_state = (size_t)response->n_state;
    if (after) {
        memset(after + n_state * (size_t)t, 0, n_state * sizeof *after);
    }
    if (!ew_mesh_tet_is_live(body->mesh, t)) {
        memset(force, 0, 9 * sizeof *force);
        return;
    }
    if (response->width == EW_RECORD_OF_TURNED) {
        corners at;
        read_corners(body, t, &at);
        ew_corotational_force(at.x, at.u, body->materials->lame + 2 * (size_t)body->mesh->region[t],
                              force);
        return;
    }
    corners at;
    ew_tet_motion motion;
    double stress[6], ends[EW_MAX_LAW_STATE] = {0.0};
    read_corners(body, t, &at);
    ew_tet_move(response->kinematics, at.x, at.u, &motion);
    answer(response, body, t, at.x, motion.strain, ends, stress, NULL);
    ew_tet_force(response->kinematics, &motion, stress, force);
    if (after) {
        memcpy(after + n_state * (size_t)t, ends, n_state * sizeof *after);
    }
}

ew_status ew_response_find(ew_response *response, const ew_moved *body, double *after)
{
    EW_TRY(make_room(response, body->mesh));
    const int32_t n = body->mesh->n_tet;
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n, MIN_TETS_A_THREAD))
    for (int32_t t = 0; t < n; t++) {
        find_tet(response, body, t, after);
    }
    return EW_OK;
}

static void add_force(const double *force, int place, double *sum)
{
    for (int c = 0; c < 3; c++) {
        sum[c] += place ? force[3 * (place - 1) + c] : -((force[c] + force[3 + c]) + force[6 + c]);
    }
}

void ew_response_gather(const ew_response *response, const ew_moved *body, double *f)
{
    const ew_rows *tets = &body->topology->vertex_to_tet;
    const int32_t n = body->mesh->n_vertex;
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n, MIN_TETS_A_THREAD))
    for (int32_t v = 0; v < n; v++) {
        double sum[3] = {0.0, 0.0, 0.0};
        for (int32_t i = 0; i < tets->count[v]; i++) {
            const int32_t t = tets->item[(size_t)tets->begin[v] + (size_t)i];
            const int32_t *vertex = body->mesh->tet + 4 * (size_t)t;
            const int place = (vertex[1] == v) + 2 * (vertex[2] == v) + 3 * (vertex[3] == v);
            add_force(response->force + 9 * (size_t)t, place, sum);
        }
        memcpy(f + 3 * (size_t)v, sum, sizeof sum);
    }
}

/* ---- records ------------------------------------------------------------------------- */

static void make_record(const ew_response *response, const ew_moved *body, int32_t t,
                        double *record)
{
    if (!ew_mesh_tet_is_live(body->mesh, t)) {
        memset(record, 0, (size_t)response->width * sizeof *record);
        return;
    }
    corners at;
    read_corners(body, t, &at);
    if (response->width == EW_RECORD_OF_TURNED) {
        ew_turned_record(at.x, at.u, body->from ? at.from : NULL,
                         body->materials->lame + 2 * (size_t)body->mesh->region[t],
                         body->is_unstressed ? EW_FORM_WARPED : (int)response->form, record);
        return;
    }
    ew_tet_motion motion;
    double stress[6], tangent[EW_N_MODULI], ends[EW_MAX_LAW_STATE];
    ew_tet_move(response->kinematics, at.x, at.u, &motion);
    answer(response, body, t, at.x, motion.strain, ends, stress, tangent);
    if (body->from && response->kinematics == EW_COROTATIONAL) {
        ew_general_seen_from(motion.g, at.u, at.from, motion.strain);
        answer(response, body, t, at.x, motion.strain, ends, stress, NULL);
    }
    if (body->is_unstressed) {
        memset(stress, 0, sizeof stress);
    }
    ew_tet_general_record(response->kinematics, &motion, stress, tangent, response->form, record);
}

/* Whether numbers begin to end changed by more than the bound, relative to the largest. */
static bool differ(const double *old, const double *new, int32_t begin, int32_t end, double bound)
{
    double largest = 0.0, most = 0.0;
    for (int32_t i = begin; i < end; i++) {
        largest = fmax(largest, fabs(new[i]));
        most = fmax(most, fabs(new[i] - old[i]));
    }
    return !(most <= bound * largest);
}

/* The first nine numbers are gradients, the others moduli. */
static bool is_other(const ew_response *response, const double *old, const double *new,
                     double bound)
{
    if (bound == 0.0) {
        return memcmp(old, new, (size_t)response->width * sizeof *old) != 0;
    }
    return differ(old, new, 0, 9, bound) || differ(old, new, 9, response->width, bound);
}

static bool renew(const ew_response *response, const ew_moved *body, double bound, int32_t t)
{
    double fresh[EW_RECORD_OF_GENERAL];
    double *record = response->record + (size_t)response->width * (size_t)t;
    make_record(response, body, t, fresh);
    if (!is_other(response, record, fresh, bound)) {
        return false;
    }
    memcpy(record, fresh, (size_t)response->width * sizeof *record);
    return true;
}

ew_status ew_response_record(ew_response *response, const ew_moved *body, double bound,
                             ew_list *changed)
{
    EW_TRY(make_room(response, body->mesh));
    const int32_t n = body->mesh->n_tet;
    changed->n = 0;
    int32_t n_changed = 0;
#pragma omp parallel for schedule(static) reduction(+ : n_changed)                                 \
    num_threads(ew_threads_for(n, MIN_TETS_A_THREAD))
    for (int32_t t = 0; t < n; t++) {
        response->changed[t] = renew(response, body, bound, t);
        n_changed += response->changed[t];
    }
    for (int32_t t = 0; t < n && n_changed; t++) {
        EW_TRY(response->changed[t] ? ew_list_push(changed, t) : EW_OK);
    }
    return EW_OK;
}

/* ---- what is recovered ------------------------------------------------------------------ */

/* Energy, motion and stress of the state as it is. */
static double answer_again(const ew_response *response, const ew_moved *body, int32_t t,
                           ew_tet_motion *motion, double *stress)
{
    const int32_t region = body->mesh->region[t];
    corners at;
    double rest[6];
    read_corners(body, t, &at);
    ew_tet_move(response->kinematics, at.x, at.u, motion);
    take_thermal_off(body, t, motion->strain, rest);
    if (has_moduli(body, region)) {
        ew_elastic law;
        double sum = 0.0;
        ew_elastic_of(&law, body->materials, region, t, at.x);
        ew_elastic_stress(&law, rest, stress);
        for (int i = 0; i < 6; i++) {
            sum += 0.5 * stress[i] * rest[i];
        }
        return motion->volume * sum;
    }
    return motion->volume *
           ew_respond_again(body->materials, region, rest, state_of(response, body, t), stress);
}

/* Of the small displacement on top: the motion there, its strain, stress and energy. */
static double answer_to_rate(const ew_response *response, const ew_moved *body, int32_t t,
                             ew_tet_motion *motion, double *strain, double *stress)
{
    corners at;
    ew_elastic law;
    double rate[12], sum = 0.0;
    read_corners(body, t, &at);
    ew_mesh_tet_values(body->mesh, t, body->rate, rate);
    ew_tet_move(response->kinematics, at.x, at.u, motion);
    ew_tet_strain_rate(response->kinematics, motion, rate, strain);
    ew_elastic_of(&law, body->materials, body->mesh->region[t], t, at.x);
    ew_elastic_stress(&law, strain, stress);
    for (int i = 0; i < 6; i++) {
        sum += 0.5 * stress[i] * strain[i];
    }
    return motion->volume * sum;
}

static void recover_tet(const ew_response *response, const ew_moved *body,
                        const ew_tet_answers *answers, int32_t t)
{
    double strain[6] = {0.0}, stress[6] = {0.0}, energy = 0.0;
    if (ew_mesh_tet_is_live(body->mesh, t)) {
        ew_tet_motion motion;
        double local[6], own[6];
        if (body->rate) {
            energy = answer_to_rate(response, body, t, &motion, own, local);
        } else {
            energy = answer_again(response, body, t, &motion, local);
            memcpy(own, motion.strain, sizeof own);
        }
        ew_turn_tensor(motion.r, local, stress);
        for (int i = 3; i < 6; i++) {
            own[i] *= 0.5;
        }
        ew_turn_tensor(motion.r, own, strain);
        for (int i = 3; i < 6; i++) {
            strain[i] *= 2.0;
        }
    }
    if (answers->strain) {
        memcpy(answers->strain + 6 * (size_t)t, strain, sizeof strain);
    }
    if (answers->stress) {
        memcpy(answers->stress + 6 * (size_t)t, stress, sizeof stress);
    }
    if (answers->energy) {
        answers->energy[t] = energy;
    }
}

void ew_response_recover(const ew_response *response, const ew_moved *body,
                         const ew_tet_answers *answers)
{
    const int32_t n = body->mesh->n_tet;
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n, MIN_TETS_A_THREAD))
    for (int32_t t = 0; t < n; t++) {
        recover_tet(response, body, answers, t);
    }
}

/* ---- sums ------------------------------------------------------------------------------- */

/* Of one tet between two bodies, or of the first. */
typedef double (*tet_term)(const ew_response *response, const ew_moved *body, const ew_moved *next,
                           int32_t t);

static double energy_of_tet(const ew_response *response, const ew_moved *body, const ew_moved *next,
                            int32_t t)
{
    ew_tet_motion motion;
    double stress[6];
    (void)next;
    return answer_again(response, body, t, &motion, stress);
}

/* - V (s + s') . (h' - h) / 2 with the thermal strain h. */
static double heat_work_of_tet(const ew_response *response, const ew_moved *body,
                               const ew_moved *next, int32_t t)
{
    const double *before = body->thermal + 6 * (size_t)t, *after = next->thermal + 6 * (size_t)t;
    double first[6], last[6], sum = 0.0;
    ew_tet_motion motion;
    if (!memcmp(before, after, sizeof first)) {
        return 0.0;
    }
    (void)answer_again(response, body, t, &motion, first);
    (void)answer_again(response, next, t, &motion, last);
    for (int i = 0; i < 6; i++) {
        sum += 0.5 * (first[i] + last[i]) * (after[i] - before[i]);
    }
    return -motion.volume * sum;
}

static double sum_of_chunk(const ew_response *response, const ew_moved *body, const ew_moved *next,
                           tet_term term, int64_t begin)
{
    const int64_t n = body->mesh->n_tet, end = begin + CHUNK < n ? begin + CHUNK : n;
    double sum = 0.0;
    for (int64_t t = begin; t < end; t++) {
        if (ew_mesh_tet_is_live(body->mesh, (int32_t)t)) {
            sum += term(response, body, next, (int32_t)t);
        }
    }
    return sum;
}

/* A team's chunks, each into its own place, so that the order of the sum is always the same. */
static double sum_of_tets(const ew_response *response, const ew_moved *body, const ew_moved *next,
                          tet_term term)
{
    enum { AT_ONCE = 64 };
    const int32_t n = body->mesh->n_tet;
    double sum = 0.0;
    for (int64_t first = 0; first < n; first += AT_ONCE * CHUNK) {
        double part[AT_ONCE] = {0.0};
#pragma omp parallel for schedule(static) num_threads(ew_threads_for((int32_t)(n - first), CHUNK))
        for (int32_t k = 0; k < AT_ONCE; k++) {
            part[k] = sum_of_chunk(response, body, next, term, first + (int64_t)k * CHUNK);
        }
        for (int32_t k = 0; k < AT_ONCE; k++) {
            sum += part[k];
        }
    }
    return sum;
}

double ew_response_energy(const ew_response *response, const ew_moved *body)
{
    return sum_of_tets(response, body, NULL, energy_of_tet);
}

double ew_response_heat_work(const ew_response *response, const ew_moved *from, const ew_moved *to)
{
    return sum_of_tets(response, from, to, heat_work_of_tet);
}
