/* Cuts a mesh along a surface. In: mesh, tables, the surface, which side stays. Out: an edit.
 *
 * Vertices near the surface snap onto it, what it still crosses is split, one side goes, and two
 * rings of tets around it are improved. Only these are touched; signs are taken of all vertices. */
#include "operation/cut/cut.h"

#include <math.h>
#include <string.h>

ew_cut_def ew_default_cut_def(void)
{
    return (ew_cut_def){.keep = EW_CUT_KEEP_OUTSIDE,
                        .angle = 40.0,
                        .low = {-INFINITY, -INFINITY, -INFINITY},
                        .high = {INFINITY, INFINITY, INFINITY},
                        .floor = 0.05};
}

/* ---- what comes in --------------------------------------------------------- */

#define ROUND_OFF 1e-13 /* of the largest coordinate */

/* What is nearer to the surface than rounding lies on it: a surface along which the body was cut
 * before misses it. */
static double round_off(const ew_mesh *mesh)
{
    double largest = 0.0;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *x = mesh->xyz + 3 * (size_t)v;
        if (ew_mesh_vertex_is_active(mesh, v)) {
            largest = fmax(largest, fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2]))));
        }
    }
    return ROUND_OFF * largest;
}

static void find_sides(ew_cutter *c)
{
    enum { MIN = 1 << 14 };
    const ew_mesh *mesh = c->mesh;
    const double near = round_off(mesh);
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(mesh->n_vertex, MIN))
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double off = c->shape.distance(&c->shape, mesh->xyz + 3 * (size_t)v, NULL);
        c->side[v] = (int8_t)((off > near) - (off < -near));
    }
}

/* Opens the vertices of tets that are crossed, and those on the surface. */
static ew_status open_tet(ew_cutter *c, int32_t t, bool crossed)
{
    const int32_t *v = c->mesh->tet + 4 * (size_t)t;
    for (int k = 0; k < 4; k++) {
        int32_t vertex;
        if (crossed || c->side[v[k]] == 0) {
            EW_TRY(ew_local_enter(&c->local, v[k], &vertex));
            EW_TRY(ew_local_open(&c->local, vertex));
        }
    }
    return EW_OK;
}

static double length_of_edges(const ew_mesh *mesh, int32_t t)
{
    double sum = 0.0;
    for (int k = 0; k < 6; k++) {
        const int32_t *v = mesh->tet + 4 * (size_t)t;
        const double *x = mesh->xyz + 3 * (size_t)v[ew_edge_vertex[k][0]];
        const double *y = mesh->xyz + 3 * (size_t)v[ew_edge_vertex[k][1]];
        sum += hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]);
    }
    return sum / 6.0;
}

/* The radius of the surface near a tet, in its edges; planes have none. */
static double radius_at(const ew_cutter *c, int32_t t, double size)
{
    const ew_cut_shape *shape = &c->shape;
    double along = 0.0;
    for (int k = 0; k < 4; k++) {
        const double *x = c->mesh->xyz + 3 * (size_t)c->mesh->tet[4 * (size_t)t + (size_t)k];
        for (int i = 0; i < 3; i++) {
            along += 0.25 * (x[i] - shape->a[i]) * shape->axis[i];
        }
    }
    return shape->is_flat ? INFINITY : fabs(shape->radius + shape->slope * along) / size;
}

static void note_crossed(ew_cutter *c, int32_t t)
{
    const double size = length_of_edges(c->mesh, t), radius = radius_at(c, t, size);
    c->coarsest = c->n_crossed ? fmin(c->coarsest, radius) : radius;
    c->n_crossed++;
    c->n_coarse += radius < EW_CUT_MIN_RADIUS;
    c->size += size;
}

static ew_status open_crossed(ew_cutter *c)
{
    const ew_mesh *mesh = c->mesh;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        const int32_t *v = mesh->tet + 4 * (size_t)t;
        bool inside = false, outside = false, on = false;
        for (int k = 0; k < 4 && v[0] >= 0; k++) {
            inside = inside || c->side[v[k]] < 0;
            outside = outside || c->side[v[k]] > 0;
            on = on || c->side[v[k]] == 0;
        }
        if (inside && outside) {
            note_crossed(c, t);
        }
        if ((inside && outside) || on) {
            EW_TRY(open_tet(c, t, inside && outside));
        }
    }
    c->size = c->n_crossed ? c->size / c->n_crossed : 0.0;
    for (int32_t v = 0; v < c->local.n_vertex; v++) {
        c->local.vertex[v].sign = c->side[c->local.vertex[v].slot];
    }
    return EW_OK;
}

#define GENTLE 0.1 /* quality that tets are improved below where others would be folded */

/* ---- the cut ------------------------------------------------------------------ */

static void fill_report(const ew_cutter *c, ew_cut_report *report)
{
    const int32_t worst = ew_improve_worst(&c->local);
    *report = (ew_cut_report){.n_crossed = c->n_crossed,
                              .n_snapped = c->n_snapped,
                              .n_welded = c->n_welded,
                              .welded_off = c->welded_off,
                              .size = c->size,
                              .n_coarse = c->n_coarse,
                              .coarsest = c->n_coarse ? c->coarsest : INFINITY,
                              .n_patch = c->patched.n_patch,
                              .n_turned = c->patched.n_turned,
                              .angle = c->angle,
                              .n_beside = c->n_beside,
                              .least = worst < 0 ? 1.0 : c->local.tet[worst].quality};
    for (int32_t t = 0; t < c->local.n_tet; t++) {
        const ew_local_tet *tet = &c->local.tet[t];
        if (ew_local_is_live(&c->local, t)) {
            report->n_made += tet->slot < 0;
            report->n_moved += tet->slot >= 0 && ew_local_has_moved(&c->local, t);
        }
    }
}

static ew_status cut_shape(ew_cutter *c)
{
    find_sides(c);
    EW_TRY(open_crossed(c));
    EW_TRY(ew_cut_bend_shape(c));
    EW_TRY(ew_cut_need_offs(c));
    EW_TRY(ew_cut_snap(c));
    return ew_cut_split(c);
}

/* Parts of the surface that are smaller than tets are none of their own. */
static ew_status cut_patches(ew_cutter *c)
{
    EW_TRY(ew_patched_init(&c->patched, c->def->surface));
    EW_TRY(ew_cut_open_met(c));
    EW_TRY(ew_patched_divide(&c->patched, c->angle * 3.14159265358979 / 180.0,
                             0.5 * c->size * c->size));
    EW_TRY(ew_cut_bend_shape(c));
    return ew_cut_patches(c);
}

static void free_cutter(ew_cutter *c)
{
    ew_curved_body_free(&c->body);
    ew_local_free(&c->local);
    ew_patched_free(&c->patched);
    ew_release(c->side);
    ew_release(c->off);
    ew_release(c->bulge);
    ew_release(c->bent);
}

static ew_status cut(ew_cutter *c, ew_edit *edit)
{
    EW_TRY(ew_new(&c->side, (size_t)c->mesh->n_vertex, sizeof *c->side));
    EW_TRY(ew_local_init(&c->local, c->mesh, c->topology));
    EW_TRY(c->def->kind == EW_CUT_SURFACE ? cut_patches(c) : cut_shape(c));
    EW_TRY(ew_cut_separate(c));
    c->local.shape = &c->shape;
    EW_TRY(ew_improve_rings(&c->local, 2));
    EW_TRY(ew_improve(&c->local, &c->improve));
    EW_TRY(ew_improve_refuse(&c->local, &c->improve, "cut",
                             "refine there first, or move the surface a little"));
    EW_TRY(ew_cut_unweld(c));
    EW_TRY(c->def->keep == EW_CUT_KEEP_OPEN ? ew_cut_open(c) : EW_OK);
    EW_TRY(ew_cut_relabel(c));
    if (ew_cut_needs_bending(c)) {
        return EW_OK;
    }
    EW_TRY(ew_cut_bend(c, &c->improve));
    EW_TRY(ew_local_queue(&c->local, edit));
    EW_TRY(ew_cut_relabel_far(c, edit));
    return ew_cut_remove_far(c, edit);
}

/* A scan may have more sharp edges than tets can follow; a body with flat sides shall have them
 * all. */
static bool may_round(const ew_cutter *c)
{
    return c->def->kind == EW_CUT_SURFACE && c->angle < 180.0 && c->patched.n_patch > 1 &&
           !ew_patched_is_flat(&c->patched);
}

static ew_status start_again(ew_cutter *c, double angle, bool is_bent, ew_edit *edit)
{
    const ew_cutter fresh = {.mesh = c->mesh,
                             .topology = c->topology,
                             .def = c->def,
                             .angle = angle,
                             .improve = ew_default_improve_def(),
                             .is_bent = is_bent};
    ew_edit_clear(edit);
    free_cutter(c);
    *c = fresh;
    c->improve.floor = c->def->floor;
    return ew_cut_shape_of(c->def, &c->shape); /* of a surface file as good as none */
}

/* As it is; through curved sides where these turn out to be changed, too; and where that folds a
 * tet once more, since what moves less folds less. */
static ew_status cut_gently(ew_cutter *c, ew_edit *edit)
{
    ew_status status = cut(c, edit);
    if (!status && ew_cut_needs_bending(c)) {
        EW_TRY(start_again(c, c->angle, true, edit));
        status = cut(c, edit);
    }
    if (status == EW_BAD_EDIT && c->is_bent && c->made) {
        EW_TRY(start_again(c, c->angle, true, edit));
        c->improve.goal = GENTLE;
        status = cut(c, edit);
    }
    return status;
}

static ew_status check(const ew_mesh *mesh, const ew_topology *topology, const ew_cut_def *def,
                       const ew_edit *edit)
{
    EW_TRY(ew_need_empty("cut", edit));
    EW_TRY(ew_need_tets("cut", mesh));
    EW_TRY(ew_need_current("cut", topology, mesh));
    if ((int)def->keep < 0 || def->keep > EW_CUT_KEEP_OPEN) {
        return ew_fail(EW_BAD_ARGUMENT, "cut: there is no side %d to keep", (int)def->keep);
    }
    if (def->n_side < 0 || def->n_side > EW_MAX_CUT_SIDE) {
        return ew_fail(EW_BAD_ARGUMENT, "cut: %d half-spaces of the slit; there may be 0 to %d",
                       (int)def->n_side, EW_MAX_CUT_SIDE);
    }
    if (def->has_region && def->keep < EW_CUT_KEEP_BOTH) {
        return ew_fail(EW_BAD_ARGUMENT, "cut: a region of the inside needs both sides kept");
    }
    return def->floor >= 0.0 && def->floor < 1.0
               ? EW_OK
               : ew_fail(EW_BAD_ARGUMENT, "cut: floor is %g; it must be at least 0 and below 1",
                         def->floor);
}

ew_status ew_operation_cut(const ew_mesh *mesh, const ew_topology *topology, const ew_cut_def *def,
                           ew_edit *edit, ew_cut_report *report)
{
    ew_cutter c = {.mesh = mesh, .topology = topology, .def = def};
    EW_TRY(check(mesh, topology, def, edit));
    EW_TRY(start_again(&c, def->angle, false, edit));
    ew_status status = cut_gently(&c, edit);
    while (status == EW_BAD_EDIT && may_round(&c)) {
        EW_TRY(start_again(&c, fmin(2.0 * c.angle, 180.0), false, edit));
        status = cut_gently(&c, edit);
    }
    if (status) {
        ew_edit_clear(edit);
    } else if (report) {
        fill_report(&c, report);
    }
    free_cutter(&c);
    return status;
}
