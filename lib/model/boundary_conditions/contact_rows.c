/* Rows of contacts. In: what touches what, by sets of faces or all parts; the mesh as it is. Out:
 * two sides at a time their rows, and which points begin closed: those that were before, of new
 * ones those without a gap. */
#include "model/internal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Points closer than this share of the distance begin closed. */
#define CLOSED 1e-9
/* Of the square of the size of faces: less that masters cover is a strip along an edge. */
#define STRIP 0.1

/* What is done with two sides that may meet. */
typedef struct sides sides;
typedef struct visitor {
    ew_status (*use)(ew_model *model, int32_t contact, const sides *of,
                     const struct visitor *visit);
    const int32_t *edge_row;
    const ew_mesh *mesh;         /* of a measure: where the displacement has vertices, and */
    ew_model_penetration *found; /* so far */
} visitor;

struct sides {
    const ew_list *slave, *master;
    double size; /* of slave faces */
};

static int compare_points(const void *a, const void *b)
{
    const model_contact_point *x = a, *y = b;
    return x->contact != y->contact ? (x->contact > y->contact) - (x->contact < y->contact)
                                    : (x->vertex_id > y->vertex_id) - (x->vertex_id < y->vertex_id);
}

/* ---- points ------------------------------------------------------------------------------------
 */

/* A vertex of several parts was closed where one of them was. */
static ew_status remember(model_contacts *of)
{
    int32_t n = 0;
    for (int32_t i = 0; i < of->n_point; i++) {
        of->point[i].before = i;
    }
    EW_TRY(
        ew_grow_copy(&of->known, &of->known_capacity, of->point, of->n_point, sizeof *of->known));
    EW_TRY(ew_grow_copy(&of->friction_before, &of->friction_before_capacity, of->friction,
                        of->n_point, sizeof *of->friction));
    if (of->n_point) {
        qsort(of->known, (size_t)of->n_point, sizeof *of->known, compare_points);
    }
    for (int32_t i = 0; i < of->n_point; i++) {
        if (n && !compare_points(&of->known[n - 1], &of->known[i])) {
            of->known[n - 1].is_closed |= of->known[i].is_closed;
        } else {
            of->known[n++] = of->known[i];
        }
    }
    of->n_known = n;
    return EW_OK;
}

/* By as much as a rigid surface has moved away it is more. */
static double measured_gap(const ew_model_contact *contact, double gap)
{
    const double moved = contact->rigid.kind == EW_RIGID_NONE ? 0.0 : gap;
    return contact->has_interference ? moved - contact->interference : gap;
}

/* What row i makes of the displacements of vertices. */
static double moved_gap(const ew_model *model, const ew_contact_rows *rows, int32_t i)
{
    const double *u = model->field[0].value;
    double sum = 0.0;
    for (int32_t t = rows->begin[i]; t < rows->begin[i + 1]; t++) {
        sum +=
            rows->entry[t] < 3 * model->mesh.n_vertex ? rows->factor[t] * u[rows->entry[t]] : 0.0;
    }
    return sum;
}

static ew_status add_points(ew_model *model, const model_contact_part *part, double distance)
{
    model_contacts *of = &model->contacts;
    const ew_contact_rows *rows = &part->rows;
    const int64_t n = (int64_t)of->n_point + rows->n;
    if (rows->n == 0) {
        return EW_OK;
    }
    EW_TRY(ew_grow(&of->point, &of->point_capacity, n, sizeof *of->point));
    EW_TRY(ew_grow(&of->gap, &of->gap_capacity, n, sizeof *of->gap));
    EW_TRY(ew_grow(&of->force, &of->force_capacity, n, sizeof *of->force));
    EW_TRY(ew_grow(&of->before, &of->before_capacity, n, sizeof *of->before));
    EW_TRY(ew_grow(&of->friction, &of->friction_capacity, n, sizeof *of->friction));
    memset(of->friction + of->n_point, 0, (size_t)rows->n * sizeof *of->friction);
    for (int32_t i = 0; i < rows->n; i++) {
        model_contact_point *to = &of->point[of->n_point];
        const double gap = measured_gap(&of->given[part->contact], rows->gap[i]);
        *to = (model_contact_point){.contact = part->contact,
                                    .vertex_id = model->mesh.vertex_id[rows->vertex[i]]};
        const model_contact_point *known =
            of->n_known ? bsearch(to, of->known, (size_t)of->n_known, sizeof *to, compare_points)
                        : NULL;
        to->is_closed = known ? known->is_closed : gap <= CLOSED * distance;
        to->overlap = known ? known->overlap : 0.0;
        to->n_change = known ? known->n_change : 0;
        to->is_wide =
            known && model_has_large_rotations(model)
                ? known->is_wide
                : !of->given[part->contact].has_interference && model_gap_is_of_width(rows, i);
        to->before = known ? known->before : -1;
        to->between = gap - (model_has_large_rotations(model) ? moved_gap(model, rows, i) : 0.0);
        of->gap[of->n_point] = gap;
        of->force[of->n_point++] = 0.0;
    }
    return EW_OK;
}

/* The mesh; with large rotations its vertices are where the displacement leads them. */
static ew_mesh placed_mesh(const ew_model *model)
{
    ew_mesh mesh = model->mesh;
    mesh.xyz = model_has_large_rotations(model) ? model->contacts.placed : mesh.xyz;
    return mesh;
}

/* Curves of the sides of that mesh, by rows of edges; null: they are straight. With large rotations
 * they count as straight: normals that turn with the middles of sides, which the tangent knows
 * nothing of, keep Newton's method from an end where faces slide over each other. */
static const double *placed_curves(const ew_model *model)
{
    return model_has_edges(model) && !model_has_large_rotations(model) ? model->quadratic.rows.curve
                                                                       : NULL;
}

static ew_status place_vertices(ew_model *model)
{
    model_contacts *of = &model->contacts;
    const int32_t n = model->mesh.n_vertex;
    EW_TRY(ew_grow(&of->placed, &of->placed_capacity, n, 3 * sizeof *of->placed));
    for (size_t i = 0; i < 3 * (size_t)n; i++) {
        of->placed[i] = model->mesh.xyz[i] + model->field[0].value[i];
    }
    return EW_OK;
}

/* ---- two sides ---------------------------------------------------------------------------------
 */

static double area_of(const ew_model *model, const ew_list *face)
{
    double sum = 0.0;
    for (int32_t i = 0; i < face->n; i++) {
        double area[3];
        ew_face_area_vector(&model->mesh, face->id[i], area);
        sum += hypot(hypot(area[0], area[1]), area[2]);
    }
    return sum;
}

double model_face_size(const ew_model *model, const ew_list *face)
{
    return sqrt(2.0 * area_of(model, face) / (face->n ? face->n : 1));
}

/* The size of a slave face, unless a distance is given. */
static double distance_of(const ew_model *model, int32_t contact, double size)
{
    const double given = model->contacts.given[contact].distance;
    return given > 0.0 ? given : size;
}

/* The rigid surface in place of masters. Bodies at rest may not be far inside. */
static void put_rigid(const ew_model *model, int32_t contact, double size, ew_contact_def *def)
{
    const model_contacts *of = &model->contacts;
    const ew_model_contact *given = &of->given[contact];
    def->rigid = of->rigid[contact].surface;
    if (def->rigid) {
        const bool at_rest = !model_rigid_has_moved(&of->rigid[contact]);
        def->distance = given->distance > 0.0 ? given->distance : DBL_MAX;
        def->depth = of->is_first && at_rest ? fmax(size, given->distance) : 0.0;
        def->by_motion = given->has_interference;
    }
}

/* A face that is too deep in a rigid body. */
static ew_status name_contact(const ew_model *model, int32_t contact, ew_status status)
{
    if (status != EW_BAD_INPUT || !model->contacts.rigid[contact].surface) {
        return status;
    }
    const ew_failure failure = *ew_last_failure();
    return ew_fail_about(status, model_place_of_contact(model, contact), -1, "contact %d: %s",
                         contact + 1, failure.text);
}

static ew_status add_part(ew_model *model, int32_t contact, const sides *of, const visitor *visit)
{
    model_contacts *all = &model->contacts;
    const int32_t before = all->part_capacity;
    const double distance = distance_of(model, contact, of->size);
    ew_contact_def def = {.slave = of->slave,
                          .master = of->master,
                          .rest = model->mesh.xyz,
                          .distance = distance,
                          .edge_row = visit->edge_row,
                          .curve = placed_curves(model)};
    put_rigid(model, contact, of->size, &def);
    EW_TRY(ew_grow(&all->part, &all->part_capacity, (int64_t)all->n_part + 1, sizeof *all->part));
    memset(all->part + before, 0, sizeof *all->part * (size_t)(all->part_capacity - before));
    model_contact_part *part = &all->part[all->n_part];
    part->contact = contact;
    part->friction = all->given[contact].friction;
    const ew_mesh mesh = placed_mesh(model);
    ew_contact_rows *tie = part->friction > 0.0 ? &part->tie : NULL;
    EW_TRY(name_contact(model, contact,
                        tie ? ew_contact_build_with_tie(&part->rows, tie, &mesh, &model->topology,
                                                        &def)
                            : ew_contact_build_rows(&part->rows, &mesh, &model->topology, &def)));
    all->n_part++; /* without rows, too: it remembers pairs */
    EW_TRY(add_points(model, part, distance));
    if (part->friction > 0.0) {
        model_make_friction(model, part, all->n_point - part->rows.n);
    }
    return EW_OK;
}

static ew_status visit_sets(ew_model *model, int32_t contact, const visitor *visit)
{
    const ew_model_contact *given = &model->contacts.given[contact];
    ew_list slave = {0}, master = {0};
    const bool is_of_one = given->slave == given->master;
    sides of = {&slave, is_of_one ? &slave : &master, 0.0};
    ew_status status =
        model_list_sides(model,
                         &(model_sides){"contact", contact, given->slave, given->master, true},
                         model_place_of_contact(model, contact), &slave, &master);
    const bool is_rigid = given->rigid.kind != EW_RIGID_NONE;
    of.size = model_face_size(model, &slave);
    status = status || !slave.n || (!master.n && !is_rigid)
                 ? status
                 : visit->use(model, contact, &of, visit);
    ew_list_free(&slave);
    ew_list_free(&master);
    return status;
}

/* ---- all parts --------------------------------------------------------------------------------
 */

/* The boundary faces of a part that shares no face with others, and where they are. */
typedef struct model_contact_body {
    ew_list face; /* codes, ascending */
    double low[3], high[3];
    double size; /* of faces without displacements */
} body;

static void free_bodies(model_contacts *of)
{
    for (int32_t b = 0; b < of->n_body; b++) {
        ew_list_free(&of->body[b].face);
    }
    ew_release(of->body);
    of->body = NULL;
    of->n_body = 0;
    of->body_revision = 0;
}

static void widen(const ew_mesh *mesh, int32_t code, body *to)
{
    for (int k = 0; k < 9; k++) {
        const int32_t v = mesh->tet[4 * (size_t)(code / 4) + ew_face_vertex[code % 4][k / 3]];
        const double x = mesh->xyz[3 * (size_t)v + k % 3];
        to->low[k % 3] = fmin(to->low[k % 3], x);
        to->high[k % 3] = fmax(to->high[k % 3], x);
    }
}

/* Faces of both sides of ties, which other equations have. */
static ew_status mark_tied(ew_model *model, ew_set *tied)
{
    ew_list face = {0};
    ew_status status = EW_OK;
    for (int32_t i = 0; i < 2 * model->ties.n && !status; i++) {
        const ew_model_tie *of = &model->ties.tie[i / 2].given;
        face.n = 0;
        status = ew_model_list_faces(model, i % 2 ? of->master : of->slave, &face);
        for (int32_t k = 0; k < face.n && !status; k++) {
            status = ew_set_add(tied, face.id[k]);
        }
    }
    ew_list_free(&face);
    return status;
}

static ew_status collect(ew_model *model, const int32_t *component, const ew_set *tied)
{
    const ew_boundary *boundary = &model->boundary;
    body *list = model->contacts.body;
    for (int32_t i = 0; i < boundary->n_slot; i++) {
        const int32_t code = boundary->code[i];
        EW_TRY(code < 0 || ew_set_has(tied, code)
                   ? EW_OK
                   : ew_list_push(&list[component[code / 4]].face, code));
    }
    for (int32_t b = 0; b < model->contacts.n_body; b++) {
        ew_list_sort(&list[b].face);
        list[b].size = model_face_size(model, &list[b].face);
    }
    return EW_OK;
}

/* Only an edit makes others of them, or a tie. */
static ew_status find_bodies(ew_model *model)
{
    model_contacts *of = &model->contacts;
    int32_t *component = NULL, n = 0;
    ew_set tied = {0};
    if (of->body_revision == model->mesh.revision && !model->ties.n) {
        return EW_OK;
    }
    free_bodies(of);
    ew_status status = ew_new(&component, (size_t)model->mesh.n_tet, sizeof *component);
    status =
        status ? status : ew_topology_components(&model->topology, &model->mesh, component, &n);
    status = status ? status : ew_new_zero(&of->body, (size_t)n, sizeof *of->body);
    of->n_body = of->body ? n : 0;
    status = status ? status : mark_tied(model, &tied);
    status = status ? status : collect(model, component, &tied);
    of->body_revision = status || model->ties.n ? 0 : model->mesh.revision;
    ew_set_free(&tied);
    ew_release(component);
    return status;
}

static void place_bodies(ew_model *model, const ew_mesh *mesh)
{
    for (int32_t b = 0; b < model->contacts.n_body; b++) {
        body *of = &model->contacts.body[b];
        for (int c = 0; c < 3; c++) {
            of->low[c] = INFINITY;
            of->high[c] = -INFINITY;
        }
        for (int32_t i = 0; i < of->face.n; i++) {
            widen(mesh, of->face.id[i], of);
        }
    }
}

static bool are_near(const body *a, const body *b, double distance)
{
    bool near = true;
    for (int c = 0; c < 3; c++) {
        near = near && a->low[c] <= b->high[c] + distance && b->low[c] <= a->high[c] + distance;
    }
    return near;
}

/* Each with itself and with those behind it; the slave is the part with the smaller faces. */
static ew_status visit_bodies(ew_model *model, int32_t contact, const visitor *visit)
{
    const int32_t n = model->contacts.n_body;
    const body *list = model->contacts.body;
    for (int32_t a = 0; a < n; a++) {
        const sides own = {&list[a].face, &list[a].face, list[a].size};
        EW_TRY(visit->use(model, contact, &own, visit));
        for (int32_t b = a + 1; b < n; b++) {
            const bool is_first = list[a].size <= list[b].size;
            const body *slave = &list[is_first ? a : b], *master = &list[is_first ? b : a];
            const sides of = {&slave->face, &master->face, slave->size};
            EW_TRY(are_near(slave, master, distance_of(model, contact, slave->size))
                       ? visit->use(model, contact, &of, visit)
                       : EW_OK);
        }
    }
    return EW_OK;
}

static ew_status visit_all(ew_model *model, int32_t contact, const visitor *visit)
{
    const ew_mesh placed = placed_mesh(model);
    EW_TRY(find_bodies(model));
    place_bodies(model, visit->mesh ? visit->mesh : &placed);
    return visit_bodies(model, contact, visit);
}

/* ---- all of them -------------------------------------------------------------------------------
 */

static ew_status visit_sides(ew_model *model, int32_t i, const visitor *visit)
{
    return model->contacts.given[i].slave >= 0 ? visit_sets(model, i, visit)
                                               : visit_all(model, i, visit);
}

static ew_status make(ew_model *model, const int32_t *edge_row)
{
    const visitor visit = {.use = add_part, .edge_row = edge_row};
    for (int32_t i = 0; i < model->contacts.n; i++) {
        EW_TRY(visit_sides(model, i, &visit));
    }
    return EW_OK;
}

/* ---- what is inside another ------------------------------------------------------------------ */

static ew_status measure_part(ew_model *model, int32_t contact, const sides *of,
                              const visitor *visit)
{
    ew_contact_rows rows = {0};
    ew_contact_def def = {.slave = of->slave,
                          .master = of->master,
                          .rest = model->mesh.xyz,
                          .distance = distance_of(model, contact, of->size),
                          .edge_row = visit->edge_row,
                          .curve = placed_curves(model)};
    put_rigid(model, contact, of->size, &def);
    def.depth = 0.0;
    const ew_status status = ew_contact_build_rows(&rows, visit->mesh, &model->topology, &def);
    for (int32_t r = 0; r < rows.n && !status; r++) {
        const bool is_strip = rows.area[r] < STRIP * rows.size[r] * rows.size[r];
        if (-rows.min_gap[r] > visit->found->depth && !is_strip) {
            *visit->found = (ew_model_penetration){-rows.min_gap[r], rows.size[r], rows.vertex[r],
                                                   model_find_master(model, &rows, r)};
        }
    }
    ew_contact_rows_free(&rows);
    return status;
}

ew_status ew_model_find_penetration(ew_model *model, int32_t contact, ew_model_penetration *found)
{
    const size_t n = 3 * (size_t)model->mesh.n_vertex;
    const model_contacts *of = &model->contacts;
    ew_mesh mesh = model->mesh;
    if (contact < 0 || contact >= of->n || !of->has_forces || of->revision != mesh.revision) {
        return ew_fail(EW_STALE,
                       "model: there is no contact %d, or it has changed since the last "
                       "recovery",
                       contact);
    }
    EW_TRY(ew_new(&mesh.xyz, n, sizeof *mesh.xyz));
    for (size_t i = 0; i < n; i++) {
        mesh.xyz[i] = model->mesh.xyz[i] + model->field[0].value[i];
    }
    *found = (ew_model_penetration){0};
    const visitor visit = {.use = measure_part,
                           .edge_row = model_has_edges(model) ? model->quadratic.rows.row : NULL,
                           .mesh = &mesh,
                           .found = found};
    const ew_status status = visit_sides(model, contact, &visit);
    ew_release(mesh.xyz);
    return status;
}

void model_forget_contact_rows(model_contacts *of)
{
    for (int32_t k = 0; k < of->part_capacity; k++) {
        ew_contact_rows_free(&of->part[k].rows);
        ew_contact_rows_free(&of->part[k].tie);
    }
    free_bodies(of);
    of->n_part = 0;
    of->revision = 0;
}

ew_status model_update_contacts(ew_model *model)
{
    model_contacts *of = &model->contacts;
    const bool keeps = of->keeps_rows && of->revision == model->mesh.revision;
    const int32_t *edge_row = model_has_edges(model) ? model->quadratic.rows.row : NULL;
    of->keeps_rows = of->has_forces = false;
    if (keeps || (!of->n && !of->n_point)) {
        return EW_OK;
    }
    EW_TRY(of->n ? ew_model_boundary(model, NULL) : EW_OK);
    EW_TRY(model_has_large_rotations(model) && !of->is_placed ? place_vertices(model) : EW_OK);
    EW_TRY(remember(of));
    of->n_part = of->n_point = 0;
    of->is_first = of->revision != model->mesh.revision;
    of->revision = 0;
    const ew_status status = make(model, edge_row);
    if (status) {
        of->n_part = of->n_point = 0;
        return status;
    }
    of->revision = model->mesh.revision;
    return EW_OK;
}
