/* Springs to the ground in the diagonal blocks of a stiffness or a tangent. */
#include "assembly/host/blocks.h"

static void add(const double *ground, ew_matrix *matrix, int32_t row)
{
    const double *k = ground + 6 * (size_t)row;
    double *block = matrix->diagonal + 9 * (size_t)row;
    static const int entry[9] = {0, 3, 5, 3, 1, 4, 5, 4, 2};
    for (int i = 0; i < 9; i++) {
        block[i] += k[entry[i]];
    }
}

void ew_assembly_add_ground(const double *ground, const ew_topology *topology, ew_matrix *matrix,
                            const ew_list *row)
{
    const int32_t n = row ? row->n : topology->pattern.n_row;
    for (int32_t i = 0; i < n && ground; i++) {
        const int32_t at = row ? row->id[i] : i;
        if (topology->vertex_to_tet.count[at]) {
            add(ground, matrix, at);
        }
    }
}

ew_status ew_assembly_check_ground(const ew_source *source, const ew_mesh *mesh,
                                   const double *ground, uint64_t revision)
{
    if (ground && revision != mesh->revision) {
        return ew_fail(EW_STALE,
                       "%s: the ground is of revision %llu, the mesh at %llu; gather it again and "
                       "say so in ground_revision",
                       source->name, (unsigned long long)revision,
                       (unsigned long long)mesh->revision);
    }
    return EW_OK;
}
