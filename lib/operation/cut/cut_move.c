/* A cut that is moved: the surface that was made goes to another place or size. In: the mesh with
 * the faces of the cut, the definition that made them and the new one. Out: an edit, or why the
 * body must be cut again.
 *
 * Vertices of the cut are carried by the map that takes one surface to the other; those around
 * follow by the share s^2 (3 - 2 s), s = 1 - d / D, of what the nearest point of the surface moves
 * by, d the distance from it and D the greater of 0.8 of its radius and ten edges: tets at the
 * surface stay as they are, those halfway are strained. Vertices of the body's own faces slide in
 * them. Then the tets that moved are improved, without a collapsed edge: nothing would bring back
 * the vertices, and move by move the surface would lose its faces. Where the tets at it drift from
 * what they were when it was cut, it is to be cut again. */
#include "operation/cut/cut.h"

#include <math.h>
#include <string.h>

#define REACH_RADIUS 0.8
#define REACH_EDGES  10.0
#define MIN_OF_MOVED 0.2
#define OFF          1e-6 /* of the reach: as near to the surface its vertices must come */
/* Of what the tets at the surface were when it was cut; of the volume. */
#define MAX_SIZE    1.3
#define MIN_QUALITY 0.75
#define MAX_MISSED  0.002

typedef struct mover {
    const ew_mesh *mesh;
    const ew_topology *topology;
    const ew_cut_def *from, *to;
    const ew_cut_accuracy *first; /* or null */
    ew_cut_shape old_shape, new_shape;
    ew_local local;
    ew_list on; /* slots of the vertices of the cut, ascending */
    double reach;
    int32_t capacity;
    double *target; /* [n][3] owned, of the vertices in `which` */
    ew_list which;  /* vertices of `local` */
} mover;

/* ---- the surface that is there ----------------------------------------------- */

static ew_status find_surface(mover *m)
{
    const ew_selector faces = {.kind = EW_SELECT_SURFACE, .label = m->from->label};
    double sum = 0.0;
    int32_t n = 0;
    EW_TRY(ew_mesh_select(m->mesh, &faces, &m->on));
    for (int32_t i = 0; i < m->on.n; i++) {
        const int32_t v = m->on.id[i];
        const ew_rows *rows = &m->topology->pattern.row_to_pair;
        for (int32_t k = 0; k < rows->count[v]; k++) {
            const int32_t other = rows->item[2 * ((size_t)rows->begin[v] + (size_t)k)];
            const double *x = m->mesh->xyz + 3 * (size_t)v, *y = m->mesh->xyz + 3 * (size_t)other;
            sum += hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]);
            n++;
        }
    }
    m->reach = n ? REACH_EDGES * sum / n : 0.0;
    if (m->from->kind != EW_CUT_PLANE) {
        m->reach = fmax(m->reach, REACH_RADIUS * m->from->radius);
    }
    return m->on.n ? EW_OK
                   : ew_fail(EW_BAD_EDIT, "cut: no face of surface %d is left to be moved",
                             m->from->label);
}

/* ---- where it goes ------------------------------------------------------------- */

/* Along the axis, and the vector from there to x. */
static double split_along(const double x[3], const double a[3], const double axis[3],
                          double radial[3])
{
    double along = 0.0;
    for (int i = 0; i < 3; i++) {
        along += (x[i] - a[i]) * axis[i];
    }
    for (int i = 0; i < 3; i++) {
        radial[i] = x[i] - a[i] - along * axis[i];
    }
    return along;
}

/* The motion of point p of the old surface. */
static void displacement(const mover *m, const double p[3], double u[3])
{
    const ew_cut_shape *o = &m->old_shape, *n = &m->new_shape;
    double radial[3], to[3];
    if (m->from->kind == EW_CUT_PLANE) {
        double off = 0.0, cosine = 0.0;
        for (int i = 0; i < 3; i++) {
            off += (n->a[i] - p[i]) * n->axis[i];
            cosine += n->axis[i] * o->axis[i];
        }
        for (int i = 0; i < 3; i++) {
            u[i] = off / cosine * o->axis[i];
        }
        return;
    }
    const bool ball = m->from->kind == EW_CUT_SPHERE;
    const double none[3] = {0, 0, 0};
    const double along = split_along(p, o->a, ball ? none : o->axis, radial);
    const double before = o->radius + o->slope * along, after = n->radius + n->slope * along;
    for (int i = 0; i < 3; i++) {
        to[i] = n->a[i] + (ball ? 0.0 : along * n->axis[i]) + after / before * radial[i];
        u[i] = to[i] - p[i];
    }
}

/* A large turn or a surface that shrinks to nothing is none to be followed. */
static ew_status check_pair(const mover *m)
{
    double cosine = 0.0;
    for (int i = 0; i < 3; i++) {
        cosine += m->old_shape.axis[i] * m->new_shape.axis[i];
    }
    const bool same = m->from->kind == m->to->kind && m->from->keep == m->to->keep &&
                      m->from->label == m->to->label;
    return same && (m->from->kind == EW_CUT_SPHERE || cosine > 0.5)
               ? EW_OK
               : ew_fail(EW_BAD_EDIT, "cut: the surface is of another kind than before, or turned "
                                      "too far to be moved");
}

/* Where the old surface passes nearest by x, and how far that is. */
static double foot_of(const mover *m, const double x[3], double p[3])
{
    double g[3];
    const double off = m->old_shape.distance(&m->old_shape, x, g);
    for (int i = 0; i < 3; i++) {
        p[i] = x[i] - off * g[i];
    }
    return fabs(off);
}

/* ---- what moves ------------------------------------------------------------------ */

static ew_status open_near(mover *m)
{
    for (int32_t v = 0; v < m->mesh->n_vertex; v++) {
        int32_t vertex;
        if (ew_mesh_vertex_is_active(m->mesh, v) &&
            fabs(m->old_shape.distance(&m->old_shape, m->mesh->xyz + 3 * (size_t)v, NULL)) <
                m->reach) {
            EW_TRY(ew_local_enter(&m->local, v, &vertex));
            EW_TRY(ew_local_open(&m->local, vertex));
        }
    }
    ew_cut_mark_faces(&m->local, m->from->label);
    return EW_OK;
}

/* Where the straight edge through vertices v and rim meets the new surface; false: nowhere near. */
static bool onto_edge(const mover *m, int32_t v, int32_t rim, double x[3])
{
    const double *at = m->local.vertex[v].x, *end = m->local.vertex[rim].x;
    double along[3], length = 0.0, off = INFINITY;
    for (int i = 0; i < 3; i++) {
        along[i] = end[i] - at[i];
        length += along[i] * along[i];
        x[i] = at[i];
    }
    length = sqrt(length);
    for (int step = 0; step < 12 && fabs(off) > 1e-15 * m->reach; step++) {
        double g[3], slope = 0.0;
        off = m->new_shape.distance(&m->new_shape, x, g);
        for (int i = 0; i < 3; i++) {
            slope += g[i] * along[i] / length;
        }
        if (!(fabs(slope) > 0.1)) {
            return false;
        }
        for (int i = 0; i < 3; i++) {
            x[i] -= off / slope * along[i] / length;
        }
    }
    return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

/* The place that one vertex shall have; *stays: where it is. Vertices of a curved surface stay
 * there when tets are improved: between fewer or other ones its faces would miss more of it, move
 * by move. */
static ew_status find_target(mover *m, int32_t v, double x[3], bool *stays)
{
    ew_local_class class;
    double p[3], u[3];
    memcpy(x, m->local.vertex[v].x, 3 * sizeof *x);
    const double share = 1.0 - foot_of(m, x, p) / m->reach;
    *stays = !(share > 0.0);
    if (*stays) {
        return EW_OK;
    }
    displacement(m, p, u);
    m->local.shape = &m->old_shape;
    EW_TRY(ew_local_classify(&m->local, v, &class));
    m->local.shape = &m->new_shape;
    class.shape[0] = class.is_cut ? &m->new_shape : NULL;
    class.is_exact = class.is_exact && !class.is_cut; /* the edge of a flat one moves with it */
    m->local.vertex[v].is_fixed = class.is_cut && !m->new_shape.is_flat;
    for (int i = 0; i < 3; i++) {
        x[i] += (class.is_cut ? 1.0 : share * share * (3.0 - 2.0 * share)) * u[i];
    }
    if (!(class.rim >= 0 && onto_edge(m, v, class.rim, x)) &&
        !ew_local_project(&m->local, v, &class, x)) {
        *stays = true;
        memcpy(x, m->local.vertex[v].x, 3 * sizeof *x);
    }
    return class.is_cut && fabs(m->new_shape.distance(&m->new_shape, x, NULL)) > OFF * m->reach
               ? ew_fail(EW_BAD_EDIT, "cut: vertex %lld of the surface cannot follow it; cut again",
                         (long long)m->local.vertex[v].name)
               : EW_OK;
}

static ew_status find_targets(mover *m)
{
    const int32_t n = m->local.n_vertex;
    for (int32_t v = 0; v < n; v++) {
        double x[3];
        bool stays = true;
        EW_TRY(m->local.vertex[v].is_open ? find_target(m, v, x, &stays) : EW_OK);
        if (stays || !memcmp(x, m->local.vertex[v].x, sizeof x)) {
            continue;
        }
        EW_TRY(ew_grow(&m->target, &m->capacity, (int64_t)m->which.n + 1, sizeof x));
        memcpy(m->target + 3 * (size_t)m->which.n, x, sizeof x);
        EW_TRY(ew_list_push(&m->which, v));
    }
    return EW_OK;
}

/* The least quality of the tets that will move. */
static double mark_moved(mover *m)
{
    for (int32_t i = 0; i < m->which.n; i++) {
        m->local.vertex[m->which.id[i]].ring = 0;
    }
    const int32_t t = ew_improve_worst(&m->local);
    return t < 0 ? 1.0 : m->local.tet[t].quality;
}

static void move_all(mover *m)
{
    for (int32_t i = 0; i < m->which.n; i++) {
        ew_local_vertex *v = &m->local.vertex[m->which.id[i]];
        memcpy(v->x, m->target + 3 * (size_t)i, sizeof v->x);
    }
    for (int32_t t = 0; t < m->local.n_tet; t++) {
        ew_local_measure(&m->local, t);
    }
}

/* ---- what becomes of it ------------------------------------------------------------ */

/* A refusal by this, or by those below, says that the body must be cut again. */
static ew_status refuse_bad(const mover *m, double least)
{
    const int32_t t = ew_improve_worst(&m->local);
    return t < 0 || m->local.tet[t].quality >= fmin(least, MIN_OF_MOVED)
               ? EW_OK
               : ew_fail(EW_BAD_EDIT,
                         "cut: a tet that moved with the surface would have quality %.3g, below "
                         "%g; cut again",
                         m->local.tet[t].quality, MIN_OF_MOVED);
}

/* What tets of the first size would miss of a greater radius is less: their faces are off by
 * size^2 / radius. */
static ew_status refuse_drift(const ew_cut_accuracy *first, const ew_cut_accuracy *now)
{
    const double ratio = now->radius > first->radius ? first->radius / now->radius : 1.0;
    const double more = now->missed - first->missed * ratio * ratio;
    if (now->size > MAX_SIZE * first->size) {
        return ew_fail(EW_BAD_EDIT,
                       "cut: tets at the surface that moved would have edges of %.3g, more than "
                       "%g times those when it was cut; cut again",
                       now->size, MAX_SIZE);
    }
    if (now->quality < MIN_QUALITY * first->quality) {
        return ew_fail(EW_BAD_EDIT,
                       "cut: tets at the surface that moved would have a mean quality of %.3g, "
                       "less than %g of that when it was cut; cut again",
                       now->quality, MIN_QUALITY);
    }
    return more <= MAX_MISSED
               ? EW_OK
               : ew_fail(EW_BAD_EDIT,
                         "cut: the faces of the surface that moved would miss %.2g %% more of "
                         "the volume than if it were cut; cut again",
                         100.0 * more);
}

static ew_status move(mover *m, ew_edit *edit, ew_cut_accuracy *now)
{
    ew_improve_def improve = ew_default_improve_def();
    improve.keeps_vertices = true;
    if (m->mesh->n_curve) {
        return ew_refuse(EW_RULE_MAP, "cut: a surface in a mesh with curved sides");
    }
    EW_TRY(ew_cut_shape_of(m->from, &m->old_shape));
    EW_TRY(ew_cut_shape_of(m->to, &m->new_shape));
    EW_TRY(check_pair(m));
    EW_TRY(find_surface(m));
    EW_TRY(ew_local_init(&m->local, m->mesh, m->topology));
    EW_TRY(open_near(m));
    EW_TRY(find_targets(m));
    const double least = mark_moved(m);
    move_all(m);
    EW_TRY(ew_improve(&m->local, &improve));
    EW_TRY(refuse_bad(m, least));
    EW_TRY(ew_cut_gauge(&m->local, &m->new_shape, m->to->kind == EW_CUT_SPHERE, now));
    EW_TRY(m->first && m->first->n_tet && now->n_tet ? refuse_drift(m->first, now) : EW_OK);
    return ew_local_queue(&m->local, edit);
}

/* A slit's flanks would move apart, or into each other where they are curved, and its front with
 * them; a surface file says not where its points go; tets inside would keep their region. */
static ew_status refuse_kind(const ew_cut_def *def)
{
    return def->keep != EW_CUT_KEEP_OPEN && def->kind != EW_CUT_SURFACE && !def->has_region
               ? EW_OK
               : ew_refuse(EW_RULE_MAP, "cut: %s",
                           def->keep == EW_CUT_KEEP_OPEN ? "a slit"
                           : def->kind == EW_CUT_SURFACE ? "what a surface file cut"
                                                         : "a surface with a region inside");
}

ew_status ew_operation_cut_move(const ew_mesh *mesh, const ew_topology *topology,
                                const ew_cut_def *from, const ew_cut_def *to,
                                const ew_cut_accuracy *first, ew_edit *edit, ew_cut_accuracy *now)
{
    ew_cut_accuracy found;
    mover m = {.mesh = mesh, .topology = topology, .from = from, .to = to, .first = first};
    EW_TRY(ew_need_empty("cut", edit));
    EW_TRY(ew_need_tets("cut", mesh));
    EW_TRY(ew_need_current("cut", topology, mesh));
    EW_TRY(refuse_kind(from));
    EW_TRY(refuse_kind(to));
    const ew_status status = move(&m, edit, &found);
    if (status) {
        ew_edit_clear(edit);
    } else if (now) {
        *now = found;
    }
    ew_local_free(&m.local);
    ew_release(m.target);
    ew_list_free(&m.on);
    ew_list_free(&m.which);
    return status;
}
