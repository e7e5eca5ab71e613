/* Stress where materials meet, as the result file takes it. In: the recovered fields. Out: von
 * Mises stress at the corners of the tets, on whose side points have their stress, and what is in
 * the middles of edges. A mean of ends that are of two sides would be that of none. */
#include "study/run/interfaces.h"
#include "study/run/run.h"

#include <string.h>

/* All frames of a file have the same fields, whatever regions there are in them. */
bool ew_study_may_meet(const ew_case *input)
{
    bool may = input->n_material > 1;
    for (int32_t i = 0; i < input->n_material; i++) {
        const ew_material *material = &input->material[i].material;
        may = may ||
              (material->kind != EW_ISOTROPIC && material->axes.kind == EW_MATERIAL_AXES_FIELD);
    }
    return may;
}

/* From the last tet on, so that of equal ones the first is told. */
static void take_corners(const ew_mesh *mesh, const ew_fields *fields, study_interfaces *out)
{
    for (int32_t t = mesh->n_tet - 1; t >= 0; t--) {
        for (int k = 0; k < 4 && ew_mesh_tet_is_live(mesh, t); k++) {
            const size_t at = 4 * (size_t)t + (size_t)k;
            const int32_t v = mesh->tet[at];
            out->corner[at] = ew_fields_corner_von_mises(fields, mesh, t, k);
            if (out->corner[at] == fields->vertex_von_mises[v]) {
                out->region[v] = mesh->region_label[mesh->region[t]];
            }
        }
    }
}

/* The largest mean of both ends that a tet along the edge has on its side. */
static void take_middles(const ew_mesh *mesh, const ew_topology *topology, const ew_fields *fields,
                         study_interfaces *out)
{
    for (int32_t t = mesh->n_tet - 1; t >= 0; t--) {
        for (int e = 0; e < 6 && ew_mesh_tet_is_live(mesh, t); e++) {
            const int a = ew_edge_vertex[e][0], b = ew_edge_vertex[e][1];
            const double *corner = out->corner + 4 * (size_t)t;
            const double mises = 0.5 * corner[a] + 0.5 * corner[b];
            double *to = out->middle + 8 * (size_t)topology->tet_to_edge[6 * (size_t)t + (size_t)e];
            if (mises < to[6]) {
                continue;
            }
            for (int c = 0; c < 6; c++) {
                to[c] = 0.5 * ew_fields_corner_stress(fields, mesh, t, a)[c] +
                        0.5 * ew_fields_corner_stress(fields, mesh, t, b)[c];
            }
            to[6] = mises;
            to[7] = mesh->region_label[mesh->region[t]];
        }
    }
}

ew_status ew_study_take_interfaces(const ew_study *study, bool has_frame, study_interfaces *out)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    const ew_topology *topology = ew_model_topology(study->model);
    *out = (study_interfaces){.may_meet = ew_study_may_meet(study->input)};
    if (!out->may_meet || !study->fields || !has_frame || study->report.has_response) {
        return EW_OK;
    }
    EW_TRY(ew_new_zero(&out->corner, (size_t)mesh->n_tet, 4 * sizeof *out->corner));
    EW_TRY(ew_new_zero(&out->region, (size_t)mesh->n_vertex, sizeof *out->region));
    take_corners(mesh, study->fields, out);
    if (study->quadratic || ew_case_is_quadratic(study->input)) {
        EW_TRY(
            ew_new_zero(&out->middle, (size_t)topology->pattern.n_pair, 8 * sizeof *out->middle));
        take_middles(mesh, topology, study->fields, out);
    }
    return EW_OK;
}

void ew_study_free_interfaces(study_interfaces *interfaces)
{
    ew_release(interfaces->corner);
    ew_release(interfaces->region);
    ew_release(interfaces->middle);
    *interfaces = (study_interfaces){0};
}
