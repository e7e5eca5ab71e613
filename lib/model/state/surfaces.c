/* Fine surfaces of a model: bound to its tets, brought along by commits, and the loads on them,
 * which reach the mesh as loads of its own kind. */
#include "model/internal.h"

#include <math.h>
#include <string.h>

ew_status ew_model_add_surface(ew_model *model, const ew_surface *surface,
                               const ew_mapping_def *def, int32_t *number)
{
    model_surface *made = NULL;
    EW_TRY(model_need_usable(model));
    EW_TRY(ew_grow(&model->surface, &model->surface_capacity, (int64_t)model->n_surface + 1,
                   sizeof *model->surface));
    EW_TRY(ew_new_zero(&made, 1, sizeof *made));
    const ew_status status = ew_mapping_bind(&made->mapping, &model->mesh, surface, def);
    if (status) {
        ew_release(made);
        return status;
    }
    *number = model->n_surface;
    model->surface[model->n_surface++] = made;
    return EW_OK;
}

int32_t ew_model_n_surface(const ew_model *model)
{
    return model->n_surface;
}

static ew_status need_surface(const ew_model *model, int32_t surface)
{
    return surface >= 0 && surface < model->n_surface
               ? EW_OK
               : ew_fail_about(EW_BAD_ARGUMENT, surface, -1,
                               "model: there is no surface %d; there are %d", surface,
                               model->n_surface);
}

const ew_mapping *ew_model_surface(const ew_model *model, int32_t surface)
{
    return need_surface(model, surface) ? NULL : &model->surface[surface]->mapping;
}

void model_free_surfaces(ew_model *model)
{
    for (int32_t s = 0; s < model->n_surface; s++) {
        model_surface *surface = model->surface[s];
        for (int32_t i = 0; i < surface->n_load; i++) {
            ew_release(surface->load[i]->force);
            ew_release(surface->load[i]);
        }
        ew_release(surface->load);
        ew_mapping_free(&surface->mapping);
        ew_release(surface);
    }
    ew_release(model->surface);
}

/* ---- loads ------------------------------------------------------------------------ */

/* An ew_load_function. */
static void force_at(void *user, const ew_mesh *mesh, const ew_topology *topology, int32_t vertex,
                     double *force)
{
    const model_surface_load *load = user;
    ew_mapping_force_at(load->mapping, mesh, topology, load->force, vertex, force);
}

static void load_all(model_surface_load *load)
{
    const ew_mapping *mapping = load->mapping;
    const double area = ew_mapping_area(mapping);
    for (int32_t v = 0; v < mapping->n_vertex; v++) {
        ew_surface_load_at(mapping, &load->as, area, v, load->force + 3 * (size_t)v);
    }
}

static ew_status check_load(const ew_model *model, int32_t surface, const ew_surface_load *load)
{
    EW_TRY(need_surface(model, surface));
    if (!isfinite(load->pressure) || !isfinite(load->vector[0]) || !isfinite(load->vector[1]) ||
        !isfinite(load->vector[2])) {
        return ew_fail_about(EW_BAD_INPUT, surface, -1, "a load on a surface is not finite");
    }
    if (load->kind != EW_SURFACE_FORCE &&
        !(ew_mapping_area(&model->surface[surface]->mapping) > 0.0)) {
        return ew_fail_about(EW_BAD_INPUT, surface, -1,
                             "a load needs triangles, and the surface has none%s",
                             model->surface[surface]->mapping.n_released ? " left" : "");
    }
    return EW_OK;
}

ew_status ew_model_surface_load(ew_model *model, int32_t surface, const ew_surface_load *load,
                                ew_model_load *out)
{
    EW_TRY(check_load(model, surface, load));
    model_surface *on = model->surface[surface];
    model_surface_load *made = NULL;
    for (int32_t i = 0; i < on->n_load && !made; i++) {
        const ew_surface_load *as = &on->load[i]->as;
        const bool same = as->kind == load->kind && as->pressure == load->pressure &&
                          !memcmp(as->vector, load->vector, sizeof as->vector);
        made = same ? on->load[i] : NULL;
    }
    if (!made) {
        EW_TRY(ew_grow(&on->load, &on->load_capacity, (int64_t)on->n_load + 1, sizeof *on->load));
        EW_TRY(ew_new_zero(&made, 1, sizeof *made));
        made->as = *load;
        made->mapping = &on->mapping;
        const ew_status status =
            ew_new(&made->force, 3 * (size_t)on->mapping.n_vertex, sizeof *made->force);
        if (status) {
            ew_release(made);
            return status;
        }
        load_all(made);
        on->load[on->n_load++] = made;
    }
    memset(out, 0, sizeof *out); /* lists of loads are compared as bytes */
    out->kind = EW_LOAD_OWN;
    out->set = -1;
    out->own = force_at;
    out->user = made;
    out->user_bytes = sizeof made->as; /* the rest is kept in step with the mesh */
    return EW_OK;
}

/* ---- following a commit --------------------------------------------------------------- */

/* The forces on the mesh around a vertex of the surface are to be gathered again. */
static ew_status mark(ew_model *model, const ew_mapping *mapping, int32_t v)
{
    const int32_t t = mapping->tet[v];
    for (size_t i = 0; i < 4 && t >= 0; i++) {
        EW_TRY(ew_set_add(&model->stale_load, model->mesh.tet[4 * (size_t)t + i]));
    }
    return EW_OK;
}

/* One that was touched, and where triangles changed their other vertices. */
static ew_status follow_vertex(ew_model *model, model_surface_load *load, int32_t v, double area)
{
    const ew_mapping *mapping = load->mapping;
    const int32_t begin = mapping->triangle_begin[v], end = mapping->triangle_begin[v + 1];
    EW_TRY(mark(model, mapping, v));
    ew_surface_load_at(mapping, &load->as, area, v, load->force + 3 * (size_t)v);
    for (int32_t i = begin; i < end && mapping->is_reshaped; i++) {
        const int32_t *corner = mapping->triangle + 3 * (size_t)mapping->vertex_triangle[i];
        for (int k = 0; k < 3; k++) {
            EW_TRY(mark(model, mapping, corner[k]));
            ew_surface_load_at(mapping, &load->as, area, corner[k],
                               load->force + 3 * (size_t)corner[k]);
        }
    }
    return EW_OK;
}

static ew_status follow_load(ew_model *model, model_surface_load *load)
{
    const ew_mapping *mapping = load->mapping;
    if (mapping->is_reshaped && load->as.kind == EW_SURFACE_TOTAL_FORCE) {
        load_all(load);
        for (int32_t v = 0; v < mapping->n_vertex; v++) {
            EW_TRY(mark(model, mapping, v));
        }
        return EW_OK;
    }
    const double area = load->as.kind == EW_SURFACE_TOTAL_FORCE ? ew_mapping_area(mapping) : 0.0;
    for (int32_t i = 0; i < mapping->touched.n; i++) {
        EW_TRY(follow_vertex(model, load, mapping->touched.id[i], area));
    }
    return EW_OK;
}

ew_status model_follow_surfaces(ew_model *model)
{
    for (int32_t s = 0; s < model->n_surface; s++) {
        model_surface *surface = model->surface[s];
        EW_TRY(
            ew_mapping_update(&surface->mapping, &model->mesh, &model->topology, &model->change));
        for (int32_t i = 0; i < surface->n_load && surface->mapping.touched.n; i++) {
            EW_TRY(follow_load(model, surface->load[i]));
        }
    }
    return EW_OK;
}

ew_status model_rename_surfaces(ew_model *model, const int32_t *tet, int32_t n_tet)
{
    for (int32_t s = 0; s < model->n_surface; s++) {
        EW_TRY(ew_mapping_rename(&model->surface[s]->mapping, &model->mesh, tet, n_tet));
    }
    return EW_OK;
}

ew_status model_bind_surfaces_again(ew_model *model)
{
    for (int32_t s = 0; s < model->n_surface; s++) {
        model_surface *surface = model->surface[s];
        if (surface->mapping.revision != model->mesh.revision) {
            EW_TRY(ew_mapping_bind_again(&surface->mapping, &model->mesh));
        }
        for (int32_t i = 0; i < surface->n_load; i++) {
            load_all(surface->load[i]);
        }
    }
    return EW_OK;
}
