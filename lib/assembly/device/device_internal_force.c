/* How tets answer a displacement, on a device: forces, records and the state after a step, with the
 * bits of the host's (internal_force.c). In: the copy of the mesh there; displacements, states and
 * thermal strains are sent, states alone where they changed. Out: the force at vertices, comes
 * back; records, stay there for the tangent; which of them changed, comes back. */
#include "assembly/device/device_edges.h"
#include "laws.h"
#include "quadratic_tangent.h"

#include <stdio.h>
#include <string.h>

/* Numbers of a region in internal_force.cl: a law by its number, with its constants, or moduli. */
#define LAW_WIDTH     (1 + EW_MAX_LAW_CONSTANTS)
#define LAW_OF_MODULI (-1.0)
_Static_assert(LAW_WIDTH == 73 && EW_MODULI_WIDTH <= EW_MAX_LAW_CONSTANTS && EW_MAX_LAW_STATE == 8,
               "widths are those of internal_force.cl");

/* Arguments that run_kernel puts behind those of a kernel. */
enum { N_MORE = 5 };

/* ---- what is sent --------------------------------------------------------------------- */

static ew_status send_array(ew_device *device, ew_buffer *to, size_t bytes, const void *data)
{
    EW_TRY(ew_buffer_reserve(device, to, bytes ? bytes : 1));
    return ew_buffer_write(device, to, 0, bytes, data);
}

static ew_status put_law(const ew_materials *materials, int32_t region, double *to)
{
    const ew_material *material = materials->material + region;
    const ew_law *law = ew_material_law(material);
    const double *constants = materials->constants + EW_MAX_LAW_CONSTANTS * (size_t)region;
    int32_t number = 0;
    if (material->kind != EW_ISOTROPIC && law->is_linear) {
        to[0] = LAW_OF_MODULI;
        memcpy(to + 1, materials->moduli + EW_MODULI_WIDTH * (size_t)region,
               EW_MODULI_WIDTH * sizeof *to);
        return EW_OK;
    }
    while (number < EW_N_LAW && ew_law_at(number) != law) {
        number++;
    }
    if (number == EW_N_LAW) {
        return ew_refuse(EW_RULE_HOST, "the law '%s' of region %d", law->name, region);
    }
    to[0] = number;
    memcpy(to + 1, constants, EW_MAX_LAW_CONSTANTS * sizeof *to);
    return EW_OK;
}

/* Of all regions; they are few. */
static ew_status send_laws(ew_device_internal_force *there, const ew_materials *materials)
{
    double *law = NULL;
    ew_status status = EW_OK;
    const size_t n = (size_t)materials->n;
    if (there->width == EW_RECORD_OF_TURNED) {
        return send_array(there->device, &there->law, 2 * n * sizeof *law, materials->lame);
    }
    EW_TRY(ew_new_zero(&law, n * LAW_WIDTH, sizeof *law));
    for (int32_t i = 0; i < materials->n && !status; i++) {
        status = put_law(materials, i, law + LAW_WIDTH * (size_t)i);
    }
    if (!status) {
        status = send_array(there->device, &there->law, n * LAW_WIDTH * sizeof *law, law);
    }
    ew_release(law);
    return status;
}

static ew_status send_state(ew_device_internal_force *there, const ew_deformed *body)
{
    const size_t n = (size_t)there->n_tet * (size_t)there->n_point;
    if (body->state && (!body->state_revision || body->state_revision != there->state_revision)) {
        there->state_revision = 0;
        EW_TRY(send_array(there->device, &there->state, n * EW_MAX_LAW_STATE * sizeof(double),
                          body->state));
        there->state_revision = body->state_revision;
    }
    return body->thermal
               ? send_array(there->device, &there->thermal, n * 6 * sizeof(double), body->thermal)
               : EW_OK;
}

/* The copies are those of the mesh as it is. */
static ew_status check(const ew_device_mesh *mesh, const ew_device_edges *edges,
                       const ew_internal_force *internal_force, const ew_deformed *body)
{
    if (!mesh->pattern.revision || mesh->pattern.revision != body->mesh->revision ||
        (edges && edges->mesh_revision != body->mesh->revision)) {
        return ew_fail(EW_STALE,
                       "nonlinear: the copy of the mesh is at revision %llu, the mesh at %llu; "
                       "update or build it first",
                       (unsigned long long)mesh->pattern.revision,
                       (unsigned long long)body->mesh->revision);
    }
    EW_TRY(ew_device_need_double(mesh->device, "nonlinear: tets"));
    return internal_force->n_state == 0 || internal_force->n_state == EW_MAX_LAW_STATE
               ? EW_OK
               : ew_refuse(EW_RULE_HOST, "nonlinear: a state of %d numbers",
                           internal_force->n_state);
}

static bool is_linear(const ew_device_internal_force *there)
{
    return there->n_point == 1;
}

/* Of a tet. */
static size_t record_bytes(const ew_device_internal_force *there)
{
    return (size_t)there->n_point * (size_t)there->width * sizeof(double);
}

/* Bytes of a vector of all rows. */
static size_t vector_bytes(const ew_device_edges *edges, const ew_deformed *body)
{
    return 3 * sizeof(double) *
           ((size_t)body->mesh->n_vertex + (size_t)(edges ? edges->pattern.n_row : 0));
}

/* Room for the tets; records of new slots are zero. */
static ew_status make_room(ew_device_internal_force *there, const ew_device_mesh *mesh,
                           const ew_internal_force *internal_force, int32_t n_tet)
{
    const size_t n = (size_t)n_tet;
    if (there->device != mesh->device || there->width != internal_force->width ||
        there->n_point != internal_force->n_point) {
        ew_device_internal_force_free(there);
        there->device = mesh->device;
        there->width = internal_force->width;
        there->n_point = internal_force->n_point;
    }
    const size_t size = record_bytes(there);
    const size_t before =
        (size_t)(internal_force->n_tet < there->n_tet ? internal_force->n_tet : there->n_tet);
    EW_TRY(ew_buffer_reserve(there->device, &there->force,
                             n * (is_linear(there) ? 9 : EW_QUADRATIC_FORCE) * sizeof(double)));
    EW_TRY(ew_buffer_reserve(there->device, &there->record, n * size));
    EW_TRY(ew_buffer_reserve(there->device, &there->changed, n));
    if (n > before) {
        EW_TRY(ew_buffer_zero(there->device, &there->record, before * size, (n - before) * size));
    }
    if (there->n_tet != n_tet) {
        there->state_revision = 0;
    }
    there->n_tet = n_tet;
    return EW_OK;
}

/* Whether tets bring axes of their own, which kernels of any law then take. */
static bool has_axes(const ew_materials *materials)
{
    return materials->axes && !materials->is_isotropic;
}

/* All but what a call has of its own. */
static ew_status prepare_tets(ew_device_internal_force *there, const ew_device_mesh *mesh,
                              const ew_device_edges *edges, ew_internal_force *internal_force,
                              const ew_deformed *body)
{
    EW_TRY(check(mesh, edges, internal_force, body));
    EW_TRY(make_room(there, mesh, internal_force, body->mesh->n_tet));
    internal_force->n_tet = body->mesh->n_tet;
    EW_TRY(send_laws(there, body->materials));
    EW_TRY(there->width == EW_RECORD_OF_TURNED ? EW_OK : send_state(there, body));
    EW_TRY(ew_need_device_axes(mesh, body->materials));
    return send_array(there->device, &there->u, vector_bytes(edges, body), body->u);
}

/* Runs a kernel of all tets with n arguments, behind which there is room: those of quadratic tets
 * follow, then axes. */
static ew_status run_kernel(const ew_device_internal_force *there, const ew_device_mesh *mesh,
                            const ew_device_edges *edges, const ew_materials *materials,
                            const char *function, int32_t n, ew_argument *argument)
{
    const int32_t n_vertex = mesh->pattern.n_row, is_curved = edges && edges->is_curved;
    const bool turned = there->width == EW_RECORD_OF_TURNED;
    const bool with_axes = !turned && has_axes(materials);
    char options[40];
    ew_kernel *kernel;
    snprintf(options, sizeof options, "%s%s", is_linear(there) ? "" : "-DEW_QUADRATIC ",
             with_axes ? "-DEW_AXES" : "");
    if (!is_linear(there)) {
        argument[n++] = EW_ARG_VALUE(n_vertex);
        argument[n++] = EW_ARG_VALUE(is_curved);
        argument[n++] = EW_ARG_BUFFER(&edges->tet_row);
        argument[n++] = EW_ARG_BUFFER(&edges->curve);
    }
    if (with_axes) {
        argument[n++] = EW_ARG_BUFFER(&mesh->axes);
    }
    EW_TRY(ew_device_kernel(there->device, "internal_force", function, options, &kernel));
    return ew_kernel_run(there->device, kernel, (size_t)there->n_tet, EW_ASSEMBLY_GROUP, n,
                         argument);
}

/* Of the states of all points. */
static size_t state_bytes(const ew_device_internal_force *there)
{
    return EW_MAX_LAW_STATE * sizeof(double) * (size_t)there->n_tet * (size_t)there->n_point;
}

/* ---- forces ---------------------------------------------------------------------------- */

static ew_status find_forces(ew_device_internal_force *there, const ew_device_mesh *mesh,
                             const ew_device_edges *edges, const ew_internal_force *internal_force,
                             const ew_deformed *body, bool keep_state)
{
    const int32_t n = there->n_tet, turns = internal_force->kinematics == EW_COROTATIONAL;
    const int32_t has_state = body->state != NULL, has_thermal = body->thermal != NULL;
    const int32_t keeps = keep_state;
    if (there->width == EW_RECORD_OF_TURNED) {
        ew_argument argument[7 + N_MORE] = {EW_ARG_VALUE(n),
                                            EW_ARG_BUFFER(&mesh->tet),
                                            EW_ARG_BUFFER(&mesh->region),
                                            EW_ARG_BUFFER(&there->law),
                                            EW_ARG_BUFFER(&mesh->xyz),
                                            EW_ARG_BUFFER(&there->u),
                                            EW_ARG_BUFFER(&there->force)};
        return run_kernel(there, mesh, edges, body->materials, "turned_forces", 7, argument);
    }
    ew_argument argument[15 + N_MORE] = {EW_ARG_VALUE(n),
                                         EW_ARG_VALUE(turns),
                                         EW_ARG_VALUE(has_state),
                                         EW_ARG_VALUE(keeps),
                                         EW_ARG_VALUE(has_thermal),
                                         EW_ARG_VALUE(body->dt),
                                         EW_ARG_BUFFER(&mesh->tet),
                                         EW_ARG_BUFFER(&mesh->region),
                                         EW_ARG_BUFFER(&there->law),
                                         EW_ARG_BUFFER(&mesh->xyz),
                                         EW_ARG_BUFFER(&there->u),
                                         EW_ARG_BUFFER(&there->state),
                                         EW_ARG_BUFFER(&there->thermal),
                                         EW_ARG_BUFFER(&there->force),
                                         EW_ARG_BUFFER(&there->after)};
    return run_kernel(there, mesh, edges, body->materials, "general_forces", 15, argument);
}

static ew_status gather_vertices(ew_device_internal_force *there, const ew_device_mesh *mesh)
{
    const int32_t n = mesh->pattern.n_row;
    ew_kernel *kernel;
    EW_TRY(ew_device_kernel(there->device, "internal_force", "gather_forces", "", &kernel));
    const ew_argument argument[] = {EW_ARG_VALUE(n),
                                    EW_ARG_BUFFER(&mesh->vertex_to_tet.begin),
                                    EW_ARG_BUFFER(&mesh->vertex_to_tet.count),
                                    EW_ARG_BUFFER(&mesh->vertex_to_tet.item),
                                    EW_ARG_BUFFER(&mesh->tet),
                                    EW_ARG_BUFFER(&there->force),
                                    EW_ARG_BUFFER(&there->f)};
    return ew_kernel_run(there->device, kernel, (size_t)n, EW_ASSEMBLY_GROUP, 7, argument);
}

ew_status ew_device_internal_force_find(ew_device_internal_force *there, const ew_device_mesh *mesh,
                                        const ew_device_edges *edges,
                                        ew_internal_force *internal_force, const ew_deformed *body,
                                        bool keep_state, double *f)
{
    const size_t bytes = vector_bytes(edges, body);
    EW_TRY(prepare_tets(there, mesh, edges, internal_force, body));
    if (keep_state) {
        EW_TRY(ew_buffer_reserve(there->device, &there->after, state_bytes(there)));
    }
    EW_TRY(ew_buffer_reserve(there->device, &there->f, bytes));
    EW_TRY(find_forces(there, mesh, edges, internal_force, body, keep_state));
    EW_TRY(is_linear(there)
               ? gather_vertices(there, mesh)
               : ew_edge_gather(edges, mesh, 0, 0, 0, false, &there->force, &there->f));
    return ew_buffer_read(there->device, &there->f, 0, bytes, f);
}

ew_status ew_device_internal_force_after(const ew_device_internal_force *there, double *after)
{
    if (there->width == EW_RECORD_OF_TURNED) { /* nothing flows */
        memset(after, 0, state_bytes(there));
        return EW_OK;
    }
    return ew_buffer_read(there->device, &there->after, 0, state_bytes(there), after);
}

/* ---- records ---------------------------------------------------------------------------- */

static ew_status find_records(ew_device_internal_force *there, const ew_device_mesh *mesh,
                              const ew_device_edges *edges, const ew_internal_force *internal_force,
                              const ew_deformed *body, double bound)
{
    const int32_t n = there->n_tet, turns = internal_force->kinematics == EW_COROTATIONAL;
    const int32_t has_state = body->state != NULL, has_thermal = body->thermal != NULL;
    const int32_t form = (int32_t)internal_force->form, has_from = body->from != NULL;
    if (there->width == EW_RECORD_OF_TURNED) {
        ew_argument argument[12 + N_MORE] = {EW_ARG_VALUE(n),
                                             EW_ARG_VALUE(form),
                                             EW_ARG_VALUE(bound),
                                             EW_ARG_VALUE(has_from),
                                             EW_ARG_BUFFER(&mesh->tet),
                                             EW_ARG_BUFFER(&mesh->region),
                                             EW_ARG_BUFFER(&there->law),
                                             EW_ARG_BUFFER(&mesh->xyz),
                                             EW_ARG_BUFFER(&there->u),
                                             EW_ARG_BUFFER(&there->from),
                                             EW_ARG_BUFFER(&there->record),
                                             EW_ARG_BUFFER(&there->changed)};
        return run_kernel(there, mesh, edges, body->materials, "turned_records", 12, argument);
    }
    ew_argument argument[18 + N_MORE] = {EW_ARG_VALUE(n),
                                         EW_ARG_VALUE(form),
                                         EW_ARG_VALUE(bound),
                                         EW_ARG_VALUE(has_from),
                                         EW_ARG_VALUE(turns),
                                         EW_ARG_VALUE(has_state),
                                         EW_ARG_VALUE(has_thermal),
                                         EW_ARG_VALUE(body->dt),
                                         EW_ARG_BUFFER(&mesh->tet),
                                         EW_ARG_BUFFER(&mesh->region),
                                         EW_ARG_BUFFER(&there->law),
                                         EW_ARG_BUFFER(&mesh->xyz),
                                         EW_ARG_BUFFER(&there->u),
                                         EW_ARG_BUFFER(&there->from),
                                         EW_ARG_BUFFER(&there->state),
                                         EW_ARG_BUFFER(&there->thermal),
                                         EW_ARG_BUFFER(&there->record),
                                         EW_ARG_BUFFER(&there->changed)};
    return run_kernel(there, mesh, edges, body->materials, "general_records", 18, argument);
}

ew_status ew_device_internal_force_record(ew_device_internal_force *there,
                                          const ew_device_mesh *mesh, const ew_device_edges *edges,
                                          ew_internal_force *internal_force,
                                          const ew_deformed *body, double bound, ew_list *changed)
{
    const int32_t n = body->mesh->n_tet;
    changed->n = 0;
    EW_TRY(prepare_tets(there, mesh, edges, internal_force, body));
    EW_TRY(body->from
               ? send_array(there->device, &there->from, vector_bytes(edges, body), body->from)
               : EW_OK);
    EW_TRY(ew_grow(&internal_force->changed, &internal_force->changed_capacity, n, 1));
    EW_TRY(find_records(there, mesh, edges, internal_force, body, bound));
    EW_TRY(ew_buffer_read(there->device, &there->changed, 0, (size_t)n, internal_force->changed));
    for (int32_t t = 0; t < n; t++) {
        EW_TRY(internal_force->changed[t] ? ew_list_push(changed, t) : EW_OK);
    }
    internal_force->version += changed->n > 0;
    return EW_OK;
}

ew_status ew_device_internal_force_send(ew_device_internal_force *there, const ew_device_mesh *mesh,
                                        const ew_internal_force *internal_force,
                                        const ew_deformed *body)
{
    EW_TRY(check(mesh, NULL, internal_force, body));
    EW_TRY(make_room(there, mesh, internal_force, internal_force->n_tet));
    return send_array(there->device, &there->record, record_bytes(there) * (size_t)there->n_tet,
                      internal_force->record);
}

ew_status ew_device_internal_force_download(const ew_device_internal_force *there,
                                            ew_internal_force *internal_force)
{
    const size_t size = record_bytes(there);
    if (there->width != internal_force->width || there->n_point != internal_force->n_point ||
        there->n_tet != internal_force->n_tet) {
        return ew_fail(EW_STALE, "nonlinear: records of %d tets on the device, %d are asked for",
                       there->n_tet, internal_force->n_tet);
    }
    EW_TRY(ew_grow(&internal_force->record, &internal_force->record_capacity, there->n_tet, size));
    return ew_buffer_read(there->device, &there->record, 0, size * (size_t)there->n_tet,
                          internal_force->record);
}

void ew_device_internal_force_free(ew_device_internal_force *there)
{
    ew_buffer *const all[] = {&there->law,    &there->u,      &there->from,    &there->state,
                              &there->after,  &there->force,  &there->thermal, &there->f,
                              &there->record, &there->changed};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        ew_buffer_free(all[i]);
    }
    *there = (ew_device_internal_force){0};
}
