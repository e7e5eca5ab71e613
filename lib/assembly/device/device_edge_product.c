/* Products of quadratic tets on a device, with stiffness alone or with the matrix of a step, and
 * the diagonal blocks of that. In: the copies of mesh and rows. Kernels: quadratic.cl. */
#include "assembly/device/device_edges.h"

#include <stdio.h>

#define GROUP_ROWS 128 /* GROUP of kernels/quadratic.cl */

const double *ew_edge_constants_of(const ew_materials *materials, size_t *bytes)
{
    const size_t width = materials->is_isotropic ? 2 : EW_MODULI_WIDTH;
    *bytes = width * sizeof(double) * (size_t)materials->n;
    return materials->is_isotropic ? materials->lame : materials->moduli;
}

ew_status ew_edge_kernel(const ew_device_edges *edges, const char *function, bool single,
                         const ew_materials *materials, bool with_mass,
                         const ew_device_internal_force *records, ew_kernel **kernel)
{
    char options[200];
    snprintf(options, sizeof options, "%s%s%s%s%s%s", ew_device_real_options(edges->device, single),
             !records                                ? ""
             : records->width == EW_RECORD_OF_TURNED ? " -DEW_RECORD=EW_TURNED_RECORD"
                                                     : " -DEW_RECORD=EW_GENERAL_RECORD",
             materials->is_isotropic ? "" : " -DEW_ANY_LAW", edges->is_curved ? " -DEW_CURVED" : "",
             with_mass ? " -DEW_WITH_MASS" : "",
             !materials->is_isotropic && materials->axes ? " -DEW_AXES" : "");
    return ew_device_kernel(edges->device, "quadratic", function, options, kernel);
}

/* ---- before products ------------------------------------------------------------ */

static ew_status send_densities(ew_device_edges *copy, const ew_materials *materials)
{
    double *density;
    const size_t bytes = sizeof *density * (size_t)materials->n;
    EW_TRY(ew_new(&density, (size_t)materials->n, sizeof *density));
    for (int32_t r = 0; r < materials->n; r++) {
        density[r] = materials->material[r].density;
    }
    ew_status status = ew_buffer_reserve(copy->device, &copy->density, bytes);
    status = status ? status : ew_buffer_write(copy->device, &copy->density, 0, bytes, density);
    ew_release(density);
    return status;
}

ew_status ew_device_edges_prepare(ew_device_edges *copy, const ew_device_mesh *mesh,
                                  const ew_materials *materials, const ew_face_ground *ground,
                                  const ew_device_internal_force *records,
                                  const ew_follower *follower)
{
    size_t bytes;
    const double *constants = ew_edge_constants_of(materials, &bytes);
    copy->materials = materials;
    copy->records = records;
    if (!copy->pattern.revision || copy->mesh_revision != mesh->pattern.revision) {
        return ew_fail(EW_STALE,
                       "device edges: the copy of the rows of edges is of the mesh at revision "
                       "%llu, that of the mesh at %llu; update or build them first",
                       (unsigned long long)copy->mesh_revision,
                       (unsigned long long)mesh->pattern.revision);
    }
    EW_TRY(ew_need_device_axes(mesh, materials));
    EW_TRY(ew_buffer_reserve(copy->device, &copy->constants, bytes));
    EW_TRY(ew_buffer_write(copy->device, &copy->constants, 0, bytes, constants));
    EW_TRY(send_densities(copy, materials));
    EW_TRY(ew_send_face_ground(copy, ground));
    EW_TRY(ew_send_turned_faces(copy, follower));
    return ew_buffer_reserve(copy->device, &copy->force, 30 * sizeof(double) * (size_t)copy->n_tet);
}

ew_status ew_device_edges_step_blocks(ew_device_edges *copy, const ew_device_matrix *stiffness,
                                      double of_stiffness, const double *mass,
                                      ew_device_matrix *matrix)
{
    const int32_t n = copy->pattern.n_row;
    const size_t bytes = sizeof *mass * (size_t)n;
    ew_kernel *kernel;
    EW_TRY(ew_device_matrix_need_current(stiffness, &copy->pattern));
    if (matrix->device != copy->device) {
        ew_device_matrix_free(matrix);
        *matrix = (ew_device_matrix){
            .device = copy->device, .block = 3, .diagonal_only = true, .has_double = true};
    }
    matrix->revision = 0;
    EW_TRY(ew_device_matrix_reserve(matrix, &copy->pattern));
    EW_TRY(ew_buffer_reserve(copy->device, &copy->mass, bytes));
    EW_TRY(ew_buffer_write(copy->device, &copy->mass, 0, bytes, mass));
    EW_TRY(ew_device_kernel(copy->device, "quadratic", "step_blocks",
                            ew_device_real_options(copy->device, false), &kernel));
    const ew_argument argument[] = {EW_ARG_VALUE(n), EW_ARG_VALUE(of_stiffness),
                                    EW_ARG_BUFFER(&copy->mass), EW_ARG_BUFFER(&stiffness->diagonal),
                                    EW_ARG_BUFFER(&matrix->diagonal)};
    EW_TRY(ew_kernel_run(copy->device, kernel, (size_t)n, EW_ASSEMBLY_GROUP, 5, argument));
    EW_TRY(ew_device_finish(copy->device));
    matrix->n_row = n;
    matrix->n_pair = 0;
    matrix->revision = copy->pattern.revision;
    return EW_OK;
}

/* ---- products ------------------------------------------------------------------ */

static size_t n_group(int32_t n)
{
    const size_t groups = ((size_t)n + GROUP_ROWS - 1) / GROUP_ROWS;
    return groups < EW_MAX_PARTIALS ? groups : EW_MAX_PARTIALS;
}

static ew_status find_forces(const ew_device_edges *copy, const ew_device_mesh *mesh,
                             ew_edge_part part, bool single, const ew_edge_terms *terms,
                             const ew_buffer *x)
{
    const int32_t of = (int32_t)part, lumped = terms && terms->mass == EW_MASS_LUMPED;
    const double of_stiffness = terms ? terms->of_stiffness : 1.0;
    const double of_mass = terms ? terms->of_mass : 0.0;
    int32_t n = 10;
    ew_kernel *kernel;
    EW_TRY(ew_edge_kernel(copy, "forces", single, copy->materials, terms != NULL, copy->records,
                          &kernel));
    ew_argument argument[17] = {EW_ARG_VALUE(copy->n_tet),
                                EW_ARG_VALUE(of),
                                EW_ARG_VALUE(mesh->pattern.n_row),
                                EW_ARG_BUFFER(&mesh->tet),
                                EW_ARG_BUFFER(&mesh->region),
                                EW_ARG_BUFFER(&copy->tet_row),
                                EW_ARG_BUFFER(&copy->constants),
                                EW_ARG_BUFFER(&mesh->xyz),
                                EW_ARG_BUFFER(x),
                                EW_ARG_BUFFER(&copy->force)};
    if (copy->is_curved) {
        argument[n++] = EW_ARG_BUFFER(&copy->curve);
    }
    if (terms) {
        argument[n++] = EW_ARG_VALUE(of_stiffness);
        argument[n++] = EW_ARG_VALUE(of_mass);
        argument[n++] = EW_ARG_VALUE(lumped);
        argument[n++] = EW_ARG_BUFFER(&copy->density);
    }
    if (copy->records) {
        argument[n++] = EW_ARG_BUFFER(&copy->records->record);
    }
    if (copy->materials->axes && !copy->materials->is_isotropic) {
        argument[n++] = EW_ARG_BUFFER(&mesh->axes);
    }
    EW_TRY(ew_kernel_run(copy->device, kernel, (size_t)copy->n_tet, GROUP_ROWS, n, argument));
    EW_TRY(ew_add_turned_faces(copy, part, single, of_stiffness, x));
    return ew_add_face_forces(copy, mesh, part, single, of_stiffness, x);
}

ew_status ew_edge_gather(const ew_device_edges *copy, const ew_device_mesh *mesh, int32_t first,
                         int32_t keep, int32_t keep_end, bool single, const ew_buffer *force,
                         ew_buffer *y)
{
    const int32_t n_vertex = mesh->pattern.n_row, n = n_vertex + copy->pattern.n_row;
    ew_kernel *kernel;
    EW_TRY(ew_device_kernel(copy->device, "quadratic", "gather",
                            ew_device_real_options(copy->device, single), &kernel));
    const ew_argument argument[] = {EW_ARG_VALUE(first),
                                    EW_ARG_VALUE(n),
                                    EW_ARG_VALUE(keep),
                                    EW_ARG_VALUE(keep_end),
                                    EW_ARG_VALUE(n_vertex),
                                    EW_ARG_BUFFER(&mesh->vertex_to_tet.begin),
                                    EW_ARG_BUFFER(&mesh->vertex_to_tet.count),
                                    EW_ARG_BUFFER(&mesh->vertex_to_tet.item),
                                    EW_ARG_BUFFER(&mesh->edge_to_tet.begin),
                                    EW_ARG_BUFFER(&mesh->edge_to_tet.count),
                                    EW_ARG_BUFFER(&mesh->edge_to_tet.item),
                                    EW_ARG_BUFFER(&copy->edge),
                                    EW_ARG_BUFFER(&mesh->tet),
                                    EW_ARG_BUFFER(&copy->tet_row),
                                    EW_ARG_BUFFER(force),
                                    EW_ARG_BUFFER(y)};
    return ew_kernel_run(copy->device, kernel, n_group(n - first) * GROUP_ROWS, GROUP_ROWS, 16,
                         argument);
}

ew_status ew_device_edges_product(const ew_device_edges *copy, const ew_device_mesh *mesh,
                                  ew_edge_part part, bool single, const ew_edge_terms *terms,
                                  const ew_buffer *x, ew_buffer *y)
{
    const int32_t n_vertex = mesh->pattern.n_row, n = n_vertex + copy->pattern.n_row;
    const int32_t first = part == EW_EDGE_OF_CORNERS ? n_vertex : 0;
    const int32_t keep_end = part == EW_EDGE_ALL ? n_vertex : part == EW_EDGE_OF_CORNERS ? n : 0;
    EW_TRY(find_forces(copy, mesh, part, single, terms, x));
    return ew_edge_gather(copy, mesh, first, first, keep_end, single, &copy->force, y);
}

ew_status ew_device_edges_product_dot(const ew_device_edges *copy, const ew_device_mesh *mesh,
                                      bool single, const ew_edge_terms *terms,
                                      const ew_buffer *fixed, const ew_buffer *p, ew_buffer *q,
                                      ew_buffer *partial, int32_t *n_partial)
{
    const int32_t n_vertex = mesh->pattern.n_row, n = n_vertex + copy->pattern.n_row;
    ew_kernel *kernel;
    EW_TRY(find_forces(copy, mesh, EW_EDGE_ALL, single, terms, p));
    EW_TRY(ew_device_kernel(copy->device, "quadratic", "gather_dot",
                            ew_device_real_options(copy->device, single), &kernel));
    const ew_argument argument[] = {EW_ARG_VALUE(n),
                                    EW_ARG_VALUE(n_vertex),
                                    EW_ARG_BUFFER(&mesh->vertex_to_tet.begin),
                                    EW_ARG_BUFFER(&mesh->vertex_to_tet.count),
                                    EW_ARG_BUFFER(&mesh->vertex_to_tet.item),
                                    EW_ARG_BUFFER(&mesh->edge_to_tet.begin),
                                    EW_ARG_BUFFER(&mesh->edge_to_tet.count),
                                    EW_ARG_BUFFER(&mesh->edge_to_tet.item),
                                    EW_ARG_BUFFER(&copy->edge),
                                    EW_ARG_BUFFER(&mesh->tet),
                                    EW_ARG_BUFFER(&copy->tet_row),
                                    EW_ARG_BUFFER(&copy->force),
                                    EW_ARG_BUFFER(fixed),
                                    EW_ARG_BUFFER(p),
                                    EW_ARG_BUFFER(q),
                                    EW_ARG_BUFFER(partial)};
    *n_partial = (int32_t)n_group(n);
    return ew_kernel_run(copy->device, kernel, n_group(n) * GROUP_ROWS, GROUP_ROWS, 16, argument);
}
