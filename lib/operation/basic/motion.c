/* Motions of vertices: shifts, along a radius, along normals, about an axis, stretched, by a table.
 * In: mesh, slots, a motion, a radius. Out: moves, ascending by slot. */
#include "operation/basic/motion.h"
#include "operation/improve/improve.h"

#include <math.h>
#include <string.h>

/* ---- normals ------------------------------------------------------------- */

/* A boundary face of a vertex: by tet_id, so that sums do not follow slots. */
typedef struct vertex_face {
    int64_t name;
    int32_t code;
} vertex_face;

typedef struct normals {
    const ew_mesh *mesh;
    const ew_topology *topology;
    ew_set listed;     /* owned */
    vertex_face *face; /* [capacity] owned: of one vertex */
    int32_t n, capacity;
} normals;

/* The boundary faces at a vertex, ascending by tet_id; *inside: how many of them have all three
 * vertices in the list, and stand first. */
static ew_status list_faces(normals *in, int32_t v, int32_t *inside)
{
    const ew_rows *rows = &in->topology->vertex_to_tet;
    in->n = *inside = 0;
    for (int32_t i = 0; i < rows->count[v]; i++) {
        const int32_t t = rows->item[rows->begin[v] + i];
        const int32_t *corner = in->mesh->tet + 4 * (size_t)t;
        for (int32_t f = 0; f < 4; f++) {
            if (corner[f] == v ||
                ew_topology_face_neighbor(in->topology, in->mesh, 4 * t + f) >= 0) {
                continue;
            }
            bool all = true;
            for (int k = 0; k < 3; k++) {
                all = all && ew_set_has(&in->listed, corner[ew_face_vertex[f][k]]);
            }
            EW_TRY(ew_grow(&in->face, &in->capacity, (int64_t)in->n + 1, sizeof *in->face));
            vertex_face made = {in->mesh->tet_id[t], 4 * t + f};
            int32_t at = in->n++;
            const int32_t low = all ? 0 : *inside, end = all ? *inside : in->n - 1;
            for (; at > end; at--) { /* those that are not inside make room */
                in->face[at] = in->face[at - 1];
            }
            for (; at > low && in->face[at - 1].name > made.name; at--) {
                in->face[at] = in->face[at - 1];
            }
            in->face[at] = made;
            *inside += all;
        }
    }
    return EW_OK;
}

/* The mean direction of the faces at the vertex, by area: of those within the list where there are
 * any, so that a face moves as a whole and not obliquely at its rim. */
static ew_status find_normal(normals *in, const char *operation, int32_t v, double normal[3])
{
    int32_t inside;
    double sum[3] = {0.0, 0.0, 0.0};
    EW_TRY(list_faces(in, v, &inside));
    for (int32_t i = 0; i < (inside ? inside : in->n); i++) {
        double area[3];
        ew_face_area_vector(in->mesh, in->face[i].code, area);
        for (int c = 0; c < 3; c++) {
            sum[c] += area[c];
        }
    }
    const double length = hypot(hypot(sum[0], sum[1]), sum[2]);
    if (!(length > 0.0) || !isfinite(length)) {
        return ew_fail(
            EW_BAD_EDIT, "%s: vertex %lld has no normal: %s; list vertices of the boundary",
            operation, (long long)in->mesh->vertex_id[v],
            in->n ? "its boundary faces look in opposite directions" : "it lies inside the body");
    }
    for (int c = 0; c < 3; c++) {
        normal[c] = sum[c] / length;
    }
    return EW_OK;
}

static ew_status find_normals(const char *operation, const ew_mesh *mesh,
                              const ew_topology *topology, const ew_list *vertex, double size,
                              double *each)
{
    normals in = {.mesh = mesh, .topology = topology};
    ew_status status = EW_OK;
    for (int32_t i = 0; i < vertex->n && !status; i++) {
        status = ew_set_add(&in.listed, vertex->id[i]);
    }
    for (int32_t i = 0; i < vertex->n && !status; i++) {
        double *to = each + 3 * (size_t)i;
        status = find_normal(&in, operation, vertex->id[i], to);
        for (int c = 0; c < 3 && !status; c++) {
            to[c] *= size;
        }
    }
    ew_set_free(&in.listed);
    ew_release(in.face);
    return status;
}

/* ---- a motion at a place -------------------------------------------------- */

static ew_status check_motion(const char *operation, const ew_motion *motion)
{
    const char *what = motion->kind == EW_MOTION_SCALE ? "the factors" : "the vector";
    EW_TRY(ew_need_finite(operation, what, motion->by));
    EW_TRY(ew_need_finite(operation, motion->kind == EW_MOTION_SCALE ? "about" : "the center",
                          motion->center));
    if (!isfinite(motion->size)) {
        return ew_fail(EW_BAD_ARGUMENT, "%s: the size of the motion, %g, must be a finite number",
                       operation, motion->size);
    }
    for (int i = 0; i < 3 && motion->kind == EW_MOTION_SCALE; i++) {
        if (motion->by[i] <= 0.0) {
            return ew_fail(EW_BAD_ARGUMENT,
                           "%s: factor %g along %c must be a finite number > 0; mirror makes "
                           "reflections",
                           operation, motion->by[i], "xyz"[i]);
        }
    }
    return EW_OK;
}

ew_status ew_mover_init(ew_mover *mover, const char *operation, const ew_mesh *mesh,
                        const ew_topology *topology, const ew_list *vertex, const ew_motion *motion)
{
    const size_t n = (size_t)vertex->n;
    *mover = (ew_mover){.motion = *motion};
    EW_TRY(check_motion(operation, motion));
    EW_TRY(ew_need_vertices(operation, mesh, vertex));
    if (motion->kind == EW_MOTION_TURN || motion->has_axis) {
        EW_TRY(ew_need_unit(operation, "the axis", motion->axis, mover->motion.axis));
    }
    if (motion->kind == EW_MOTION_NORMAL) {
        EW_TRY(ew_need_current(operation, topology, mesh));
        EW_TRY(ew_new(&mover->each, n, 3 * sizeof *mover->each));
        return find_normals(operation, mesh, topology, vertex, motion->size, mover->each);
    }
    if (motion->kind == EW_MOTION_TABLE) {
        EW_TRY(ew_new(&mover->each, n, 3 * sizeof *mover->each));
        for (size_t i = 0; i < n; i++) {
            EW_TRY(ew_need_finite(operation, "a row of the table", motion->each + 3 * i));
            memcpy(mover->each + 3 * i, motion->each + 3 * i, 3 * sizeof *mover->each);
        }
    }
    double to[3];
    for (size_t i = 0; i < n; i++) {
        if (!ew_mover_place(mover, mesh->xyz + 3 * (size_t)vertex->id[i], (int32_t)i, 1.0, to)) {
            return ew_fail(EW_BAD_EDIT,
                           "%s: vertex %lld lies %s, from where no direction leads away; leave it "
                           "out or move the center",
                           operation, (long long)mesh->vertex_id[vertex->id[i]],
                           motion->has_axis ? "on the axis" : "at the center");
        }
    }
    return EW_OK;
}

void ew_mover_free(ew_mover *mover)
{
    ew_release(mover->each);
    mover->each = NULL;
}

/* About the axis through the center by an angle (Rodrigues 1840). */
static void turn(const ew_motion *motion, const double d[3], double along, double angle,
                 double to[3])
{
    const double *a = motion->axis, c = cos(angle), s = sin(angle);
    const double p[3] = {d[0] - along * a[0], d[1] - along * a[1], d[2] - along * a[2]};
    const double q[3] = {a[1] * p[2] - a[2] * p[1], a[2] * p[0] - a[0] * p[2],
                         a[0] * p[1] - a[1] * p[0]};
    for (int i = 0; i < 3; i++) {
        to[i] = motion->center[i] + along * a[i] + c * p[i] + s * q[i];
    }
}

static bool push_away(const ew_motion *motion, const double x[3], const double d[3], double along,
                      double share, double to[3])
{
    double away[3];
    for (int i = 0; i < 3; i++) {
        away[i] = d[i] - (motion->has_axis ? along * motion->axis[i] : 0.0);
    }
    const double length = hypot(hypot(away[0], away[1]), away[2]);
    /* Beside a long way along the axis, what is left of it is rounding. */
    const double least = 1e-12 * hypot(hypot(d[0], d[1]), d[2]);
    for (int i = 0; i < 3 && length > least; i++) {
        to[i] = x[i] + share * motion->size * (away[i] / length);
    }
    return length > least;
}

bool ew_mover_place(const ew_mover *mover, const double x[3], int32_t listed, double share,
                    double to[3])
{
    const ew_motion *motion = &mover->motion;
    const double *by = mover->each ? mover->each + 3 * (size_t)listed : motion->by;
    double d[3], along = 0.0;
    for (int i = 0; i < 3; i++) {
        d[i] = x[i] - motion->center[i];
        along += d[i] * motion->axis[i];
    }
    switch (motion->kind) {
    case EW_MOTION_RADIAL:
        return push_away(motion, x, d, along, share, to);
    case EW_MOTION_TURN:
        turn(motion, d, along, share * motion->size, to);
        return true;
    case EW_MOTION_SCALE:
        for (int i = 0; i < 3; i++) {
            const double factor = share == 1.0 ? by[i] : 1.0 + share * (by[i] - 1.0);
            to[i] = factor == 1.0 ? x[i] : motion->center[i] + factor * d[i];
        }
        return true;
    default:
        for (int i = 0; i < 3; i++) {
            to[i] = x[i] + share * by[i];
        }
        return true;
    }
}

/* ---- with a neighborhood ---------------------------------------------------- */

/* Whose motion a vertex takes, and how much of it. */
typedef struct share_of {
    double share;
    int32_t listed; /* place in the list */
} share_of;

/* (1 - (d/r)^2)^2: 1 with slope 0 at the set, 0 with slope 0 at the radius. */
static double fade_with_distance(double distance2, double radius2)
{
    double w = 1.0 - distance2 / radius2;
    return w > 0.0 ? w * w : 0.0;
}

static void share_with_neighbors(const ew_mesh *mesh, const ew_points *points, double radius,
                                 const int32_t *place, share_of *share)
{
    double radius2 = radius * radius;
#pragma omp parallel for schedule(static)
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        double distance2;
        if (!ew_mesh_vertex_is_active(mesh, v)) {
            continue;
        }
        const int32_t near =
            ew_points_nearest(points, mesh->xyz + 3 * (size_t)v, radius2, &distance2);
        if (near >= 0) {
            share[v] = (share_of){fade_with_distance(distance2, radius2), place[near]};
        }
    }
}

/* share: zeroed. */
static ew_status find_shares(const ew_mesh *mesh, const ew_list *vertex, double radius,
                             share_of *share)
{
    ew_status status = EW_OK;
    if (radius > 0.0) {
        ew_points points = {0};
        int32_t *place;
        EW_TRY(ew_new(&place, (size_t)mesh->n_vertex, sizeof *place));
        for (int32_t i = 0; i < vertex->n; i++) {
            place[vertex->id[i]] = i;
        }
        status = ew_points_init(&points, mesh, vertex);
        if (!status) {
            share_with_neighbors(mesh, &points, radius, place, share);
        }
        ew_points_free(&points);
        ew_release(place);
    }
    for (int32_t i = 0; i < vertex->n; i++) {
        share[vertex->id[i]] = (share_of){1.0, i};
    }
    return status;
}

/* A neighbor without a direction stays: it lies between all of them. */
static ew_status queue(const ew_mesh *mesh, const ew_mover *mover, const share_of *share,
                       ew_edit *edit)
{
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        double to[3];
        if (share[v].share > 0.0 &&
            ew_mover_place(mover, mesh->xyz + 3 * (size_t)v, share[v].listed, share[v].share, to)) {
            EW_TRY(ew_edit_move_vertex(edit, v, to));
        }
    }
    return EW_OK;
}

ew_status ew_finish_moves(const char *operation, const ew_mesh *mesh, const ew_topology *topology,
                          const ew_set *repair, const char *remedy, ew_edit *edit)
{
    if (!repair) {
        return ew_refuse_moves(mesh, edit, operation, remedy);
    }
    EW_TRY(ew_need_current(operation, topology, mesh));
    EW_TRY(ew_refuse_places(mesh, edit, operation));
    return ew_repair_moves(operation, mesh, topology, repair, edit);
}

/* With repair: vertices that are moved because others are. */
static ew_status finish(const char *operation, const ew_mesh *mesh, const ew_topology *topology,
                        const share_of *share, bool repair, const char *remedy, ew_edit *edit)
{
    ew_set follow = {0};
    ew_status status = EW_OK;
    for (int32_t i = 0; i < edit->move_vertex.n && repair && !status; i++) {
        const int32_t v = edit->move_vertex.id[i];
        status = share[v].share < 1.0 ? ew_set_add(&follow, v) : EW_OK;
    }
    if (!status) {
        status = ew_finish_moves(operation, mesh, topology, repair ? &follow : NULL, remedy, edit);
    }
    ew_set_free(&follow);
    return status;
}

ew_status ew_queue_motion(const char *operation, const ew_mesh *mesh, const ew_topology *topology,
                          const ew_list *vertex, const ew_move_def *def, const char *remedy,
                          ew_edit *edit)
{
    ew_status status;
    ew_mover mover = {0};
    share_of *share = NULL;
    EW_TRY(ew_need_empty(operation, edit));
    EW_TRY(ew_need_tets(operation, mesh));
    EW_TRY(ew_need_length(operation, "radius", def->radius));
    EW_TRY_OUT(ew_mover_init(&mover, operation, mesh, topology, vertex, &def->motion));
    EW_TRY_OUT(ew_new_zero(&share, (size_t)mesh->n_vertex, sizeof *share));
    EW_TRY_OUT(find_shares(mesh, vertex, def->radius, share));
    EW_TRY_OUT(queue(mesh, &mover, share, edit));
    EW_TRY_OUT(finish(operation, mesh, topology, share, def->repair, remedy, edit));
out:
    ew_mover_free(&mover);
    ew_release(share);
    if (status) {
        ew_edit_clear(edit);
    }
    return status;
}

/* ---- by the table of operations ----------------------------------------------- */

static const ew_parameter_value *value_of(const ew_operation *operation,
                                          const ew_operation_values *values, const char *key)
{
    static const ew_parameter_value none;
    const int32_t i = ew_operation_parameter(operation, key);
    return i >= 0 ? &values->of[i] : &none;
}

ew_motion ew_motion_of(const ew_operation *operation, const ew_operation_values *values)
{
    static const struct {
        const char *key;
        ew_motion_kind kind;
    } kinds[] = {{"by", EW_MOTION_SHIFT},
                 {"radially", EW_MOTION_RADIAL},
                 {"along_normals", EW_MOTION_NORMAL},
                 {"angle", EW_MOTION_TURN},
                 {"factor", EW_MOTION_SCALE}};
    ew_motion motion = {.kind = EW_MOTION_SHIFT}; /* by nothing: it stays */
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const ew_parameter_value *value = value_of(operation, values, kinds[i].key);
        if (value->given) {
            motion.kind = kinds[i].kind;
            motion.size = value->number[0];
            memcpy(motion.by, value->number, sizeof motion.by);
        }
    }
    if (motion.kind == EW_MOTION_TURN) {
        motion.size *= acos(-1.0) / 180.0;
    }
    const ew_parameter_value *axis = value_of(operation, values, "axis");
    motion.has_axis = axis->given;
    memcpy(motion.axis, axis->number, sizeof motion.axis);
    memcpy(motion.center, value_of(operation, values, "center")->number, sizeof motion.center);
    return motion;
}

ew_status ew_check_motion(const ew_operation *operation, const ew_operation_values *values,
                          ew_naming naming)
{
    static const char *const kinds[] = {"by", "radially", "along_normals", "angle", "factor"};
    const char *dash = naming == EW_AS_OPTIONS ? "--" : "";
    int32_t n = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        n += value_of(operation, values, kinds[i])->given;
    }
    if (n > 1) {
        return ew_fail(EW_BAD_INPUT, "%s: one motion at a time, not %d", operation->name, (int)n);
    }
    if (value_of(operation, values, "angle")->given &&
        !value_of(operation, values, "axis")->given) {
        return ew_fail(EW_BAD_INPUT, "%s: %sangle needs %saxis, the direction to turn about",
                       operation->name, dash, dash);
    }
    return EW_OK;
}

ew_status ew_listed_or_all(const ew_operation_input *in, ew_list *all, const ew_list **vertex)
{
    *vertex = in->vertex ? in->vertex : all;
    return in->vertex ? EW_OK
                      : ew_mesh_select(in->mesh, &(ew_selector){.kind = EW_SELECT_ALL}, all);
}

ew_status ew_every_vertex(const ew_mesh *mesh, ew_list *all)
{
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        EW_TRY(mesh->valence[v] >= 0 ? ew_list_push(all, v) : EW_OK);
    }
    return EW_OK;
}

ew_status ew_listed_or_every(const ew_operation_input *in, ew_list *all, const ew_list **vertex)
{
    *vertex = in->vertex ? in->vertex : all;
    return in->vertex ? EW_OK : ew_every_vertex(in->mesh, all);
}
