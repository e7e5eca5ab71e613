/* Complex amplitudes of a harmonic response. In: the fields of its real and of its imaginary part.
 * Out: both, at vertices and tets; amplitudes and phases of what sets have. With u exp(i w t) a
 * phase of 90 degrees is a quarter of a period ahead of the loads. */
#include "study/run/response.h"

#include <math.h>
#include <string.h>

static const double degrees = 57.29577951308232;

static size_t width_of(const response *in, study_harmonic_part k)
{
    return k == STUDY_PART_OF_TET_STRESS ? 6 * in->n_tet
           : k == STUDY_PART_OF_STRESS   ? 6 * in->n_vertex
                                         : 3 * in->n_vertex;
}

ew_status response_make_parts(response *in)
{
    const size_t n_set = (size_t)in->study->input->n_set;
    size_t n = 3 * in->n_vertex; /* the amplitude of reactions */
    for (int k = 0; k < STUDY_N_HARMONIC_PART; k++) {
        n += 2 * width_of(in, (study_harmonic_part)k);
    }
    EW_TRY(ew_new(&in->part_memory, n, sizeof(double)));
    double *at = in->part_memory;
    for (int k = 0; k < STUDY_N_HARMONIC_PART; k++) {
        for (int part = 0; part < 2; part++) {
            in->harmonic.part[k][part] = at;
            at += width_of(in, (study_harmonic_part)k);
        }
    }
    in->harmonic.reaction = at;
    for (int part = 0; part < 2; part++) {
        EW_TRY(ew_new(&in->set[part], n_set + 1, sizeof **in->set));
    }
    EW_TRY(ew_new(&in->of_set, n_set + 1, sizeof *in->of_set));
    in->harmonic.set = in->of_set;
    in->harmonic.edge[0] = in->u[0] + 3 * in->n_vertex;
    in->harmonic.edge[1] = in->u[1] + 3 * in->n_vertex;
    return EW_OK;
}

void response_free_parts(response *in)
{
    ew_release(in->part_memory);
    ew_release(in->set[0]);
    ew_release(in->set[1]);
    ew_release(in->of_set);
}

ew_status response_take_part(response *in, int part, const ew_fields *fields)
{
    ew_study *study = in->study;
    const double *const from[STUDY_N_HARMONIC_PART] = {in->u[part], fields->reaction,
                                                       fields->vertex_stress, fields->stress};
    for (int k = 0; k < STUDY_N_HARMONIC_PART; k++) {
        memcpy(in->harmonic.part[k][part], from[k],
               width_of(in, (study_harmonic_part)k) * sizeof(double));
    }
    study->harmonic = NULL; /* results of this part, as of a static step */
    EW_TRY(ew_study_report_sets(study, in->step));
    for (int32_t s = 0; s < study->input->n_set; s++) {
        in->set[part][s] = study->set_report[s].results;
    }
    return EW_OK;
}

static double phase_of(double real, double imaginary)
{
    return real == 0.0 && imaginary == 0.0 ? 0.0 : degrees * atan2(imaginary, real);
}

static void join(const double real[3], const double imaginary[3], double amplitude[3],
                 double phase[3])
{
    for (int c = 0; c < 3; c++) {
        amplitude[c] = hypot(real[c], imaginary[c]);
        phase[c] = phase_of(real[c], imaginary[c]);
    }
}

/* The largest of the amplitudes of its vertices and tets. */
static ew_status find_largest(const response *in, int32_t set, ew_set_results *to)
{
    const ew_model *model = in->study->model;
    ew_list vertex = {0}, tet = {0};
    ew_status status = ew_model_list_vertices(model, set, &vertex);
    if (!status && in->study->input->set[set].kind == EW_SET_OF_TETS) {
        status = ew_model_list_tets(model, set, &tet);
    }
    for (int32_t i = 0; i < vertex.n && !status; i++) {
        const double *u = in->square + 3 * (size_t)vertex.id[i];
        const double moved = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
        if (!i || moved > to->max_displacement) {
            to->max_displacement = moved;
            to->max_displacement_vertex = vertex.id[i];
        }
        to->max_von_mises = fmax(to->max_von_mises, in->stress[1][vertex.id[i]]);
    }
    for (int32_t i = 0; i < tet.n && !status; i++) {
        to->max_von_mises = fmax(to->max_von_mises, in->stress[3][tet.id[i]]);
    }
    ew_list_free(&vertex);
    ew_list_free(&tet);
    return status;
}

ew_status response_join_parts(response *in)
{
    for (size_t i = 0; i < 3 * in->n_vertex; i++) {
        double *const *part = in->harmonic.part[STUDY_PART_OF_REACTION];
        in->harmonic.reaction[i] = hypot(part[0][i], part[1][i]);
    }
    for (int32_t s = 0; s < in->study->input->n_set; s++) {
        const ew_set_results *real = &in->set[0][s], *imaginary = &in->set[1][s];
        study_harmonic_set *to = &in->of_set[s];
        *to = (study_harmonic_set){.amplitude.max_displacement_vertex = -1};
        join(real->mean_displacement, imaginary->mean_displacement, to->amplitude.mean_displacement,
             to->phase.displacement);
        join(real->reaction_force, imaginary->reaction_force, to->amplitude.reaction_force,
             to->phase.reaction_force);
        join(real->reaction_moment, imaginary->reaction_moment, to->amplitude.reaction_moment,
             to->phase.reaction_moment);
        EW_TRY(find_largest(in, s, &to->amplitude));
    }
    in->study->harmonic = &in->harmonic;
    return EW_OK;
}
