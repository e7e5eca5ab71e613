/* Models that start from a mesh again and again, as the combinations of a sweep do: its order, its
 * tables, its boundary and the blocks of its stiffness are computed once and copied after that.
 * Bits are those of a model that computes them; what edits touched is never asked, so nothing
 * follows from what a model did before. */
#include "model/internal.h"

#include <string.h>

struct ew_model_template {
    ew_mesh mesh;
    ew_topology topology;
    bool has_boundary;
    ew_boundary boundary;
    ew_matrix matrix; /* revision 0: none */
};

/* ---- the base ---------------------------------------------------------------------- */

/* From here on the model is without them. */
static void take_parts(ew_model_template *base, ew_model *model)
{
    base->mesh = model->mesh;
    base->topology = model->topology;
    base->has_boundary = model->has_boundary;
    base->boundary = model->boundary;
    base->matrix = model->stiffness.matrix.host;
    memset(&model->mesh, 0, sizeof model->mesh);
    memset(&model->topology, 0, sizeof model->topology);
    memset(&model->boundary, 0, sizeof model->boundary);
    memset(&model->stiffness.matrix.host, 0, sizeof model->stiffness.matrix.host);
}

/* Whether its blocks are those of linear tets, all stored on the host, and of nothing else. */
static bool stores_plain_blocks(const ew_model *model)
{
    return !model->device && model_has_plain_stress(model) && !model_is_quadratic(model) &&
           !model->axes && model->operator_kind == EW_STORED;
}

static ew_status compute_blocks(ew_model *model, int32_t n,
                                const ew_model_template_material *material)
{
    const ew_matrix *matrix;
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(ew_model_set_material(model, material[i].region, &material[i].material));
    }
    const ew_status status =
        n && stores_plain_blocks(model) ? ew_model_matrix(model, &matrix) : EW_OK;
    return status == EW_BAD_INPUT ? EW_OK : status; /* without blocks, then */
}

ew_status ew_model_template_create(ew_model_template **base, const ew_mesh *mesh,
                                   bool with_boundary, int32_t n,
                                   const ew_model_template_material *material)
{
    const ew_model_def def = ew_default_model_def();
    ew_model_template *made = NULL;
    ew_model *model = NULL;
    ew_mesh copy = {0};
    ew_status status = EW_OK;
    EW_TRY_OUT(ew_new_zero(&made, 1, sizeof *made));
    EW_TRY_OUT(ew_mesh_copy(&copy, mesh));
    EW_TRY_OUT(ew_model_create(&model, &copy, &def));
    EW_TRY_OUT(with_boundary ? ew_model_boundary(model, NULL) : EW_OK);
    EW_TRY_OUT(compute_blocks(model, n, material));
    take_parts(made, model);
    *base = made;
    made = NULL;
out:
    ew_mesh_free(&copy);
    ew_model_free(model);
    ew_release(made);
    return status;
}

const ew_mesh *ew_model_template_mesh(const ew_model_template *base)
{
    return &base->mesh;
}

const ew_topology *ew_model_template_topology(const ew_model_template *base)
{
    return &base->topology;
}

void ew_model_template_free(ew_model_template *base)
{
    if (base) {
        ew_mesh_free(&base->mesh);
        ew_topology_free(&base->topology);
        ew_boundary_free(&base->boundary);
        ew_matrix_free(&base->matrix);
        ew_release(base);
    }
}

/* ---- a model of it ------------------------------------------------------------------- */

/* All but the memory that copies go into. */
static void empty(ew_model *model)
{
    ew_model_template kept;
    take_parts(&kept, model);
    ew_mesh_free(&kept.mesh);
    model_release_parts(model);
    memset(model, 0, sizeof *model);
    model->topology = kept.topology;
    model->boundary = kept.boundary;
    model->stiffness.matrix.host = kept.matrix;
    model->stiffness.matrix.host.revision = 0;
}

ew_status ew_model_start_from(ew_model **model, const ew_model_template *base,
                              const ew_model_def *def)
{
    const double start = ew_seconds();
    if (*model) {
        empty(*model);
    } else {
        EW_TRY(ew_new_zero(model, 1, sizeof **model));
    }
    ew_model *made = *model;
    made->broken = true;
    EW_TRY(ew_mesh_copy(&made->mesh, &base->mesh));
    EW_TRY(ew_topology_copy(&made->topology, &base->topology));
    EW_TRY(base->has_boundary ? ew_boundary_copy(&made->boundary, &base->boundary) : EW_OK);
    made->has_boundary = base->has_boundary;
    made->broken = false;
    made->report.seconds_tables = made->report.seconds_built = ew_seconds() - start;
    return model_begin(made, def);
}

ew_status ew_model_take_blocks(ew_model *model, const ew_model_template *base)
{
    model_matrix *own = &model->stiffness.matrix;
    const double start = ew_seconds();
    if (!base->matrix.revision || base->matrix.revision != model->mesh.revision ||
        !own->all_dirty || !stores_plain_blocks(model)) {
        return EW_OK;
    }
    EW_TRY(model_assign_materials(model));
    int32_t n = base->matrix.n_constants;
    if (n != model->materials.n ||
        ew_materials_revision(&model->materials, n) != base->matrix.constants) {
        return EW_OK;
    }
    EW_TRY(model->expects_answers ? EW_OK : ew_matrix_copy(&own->host, &base->matrix));
    own->all_dirty = own->only_constants = false;
    own->is_copied = true;
    model->report.seconds_matrix += ew_seconds() - start;
    return EW_OK;
}
