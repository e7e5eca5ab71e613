/* Moves a set of vertices, with what lies near them, or several sets with all between them. In:
 * mesh, slots, motions. Out: moves, ascending by slot. */
#include "operation/basic/motion.h"

#include <math.h>
#include <string.h>

#define REMEDY "move less far, with a larger radius, or with repair"

ew_status ew_operation_move_as(const ew_mesh *mesh, const ew_topology *topology,
                               const ew_list *vertex, const ew_move_def *def, ew_edit *edit)
{
    return ew_queue_motion("move", mesh, topology, vertex, def, REMEDY, edit);
}

ew_status ew_operation_move(const ew_mesh *mesh, const ew_list *vertex, const double by[3],
                            double radius, ew_edit *edit)
{
    const ew_move_def def = {.motion = {.kind = EW_MOTION_SHIFT, .by = {by[0], by[1], by[2]}},
                             .radius = radius};
    return ew_operation_move_as(mesh, NULL, vertex, &def, edit);
}

/* ---- several sets ------------------------------------------------------- */

typedef struct mixer {
    const ew_mesh *mesh;
    const ew_moved_set *set; /* [n] */
    int32_t n;
    ew_mover *mover;   /* [n] owned */
    ew_points *points; /* [n] owned, DISTANCE */
    int32_t *place;    /* [n_vertex] owned, DISTANCE: of a vertex in the list of the set at hand */
    int32_t *owner;    /* [n_vertex] owned: the first set that has the vertex, -1: none */
    bool *known;       /* [n_vertex] owned: of a set */
    double *u;         /* [n_vertex][3] owned: how far each moves */
} mixer;

/* What the sets say of their own vertices; the first that has a vertex counts. */
static void set_known(mixer *m)
{
    for (int32_t s = 0; s < m->n; s++) {
        const ew_list *vertex = m->set[s].vertex;
        for (int32_t i = 0; i < vertex->n; i++) {
            const size_t v = (size_t)vertex->id[i];
            double to[3];
            if (m->known[v]) {
                continue;
            }
            m->known[v] = true;
            m->owner[v] = s;
            ew_mover_place(&m->mover[s], m->mesh->xyz + 3 * v, i, 1.0, to);
            for (size_t c = 0; c < 3; c++) {
                m->u[3 * v + c] = to[c] - m->mesh->xyz[3 * v + c];
            }
        }
    }
}

/* Adds the set's motion at every vertex that is of no set, by its weight; weight[v]: their sum. */
static void add_weighted(mixer *m, int32_t s, double *weight)
{
#pragma omp parallel for schedule(static)
    for (int32_t v = 0; v < m->mesh->n_vertex; v++) {
        const double *x = m->mesh->xyz + 3 * (size_t)v;
        double to[3], distance2;
        if (m->known[v] || !ew_mesh_vertex_is_active(m->mesh, v)) {
            continue;
        }
        const int32_t near = ew_points_nearest(&m->points[s], x, INFINITY, &distance2);
        if (near < 0 || !(distance2 > 0.0)) { /* at the place of one of the set: as far as it */
            distance2 = 1e-300;
        }
        weight[v] += 1.0 / distance2;
        if (near >= 0 && ew_mover_place(&m->mover[s], x, m->place[near], 1.0, to)) {
            for (size_t c = 0; c < 3; c++) {
                m->u[3 * (size_t)v + c] += (to[c] - x[c]) / distance2;
            }
        }
    }
}

/* The set's vertices that move with it. */
static ew_status add_set(mixer *m, int32_t s, double *weight)
{
    const ew_list *vertex = m->set[s].vertex;
    ew_list own = {0};
    ew_status status = EW_OK;
    for (int32_t i = 0; i < vertex->n && !status; i++) {
        const int32_t v = vertex->id[i];
        m->place[v] = i;
        status = m->owner[v] == s ? ew_list_push(&own, v) : EW_OK;
    }
    if (!status && own.n) {
        status = ew_points_init(&m->points[s], m->mesh, &own);
    }
    if (!status && own.n) {
        add_weighted(m, s, weight);
    }
    ew_list_free(&own);
    return status;
}

static ew_status blend_by_distance(mixer *m)
{
    double *weight;
    ew_status status = EW_OK;
    EW_TRY(ew_new_zero(&weight, (size_t)m->mesh->n_vertex, sizeof *weight));
    for (int32_t s = 0; s < m->n && !status; s++) {
        status = add_set(m, s, weight);
    }
    for (int32_t v = 0; v < m->mesh->n_vertex; v++) {
        for (size_t c = 0; c < 3 && weight[v] > 0.0; c++) {
            m->u[3 * (size_t)v + c] /= weight[v];
        }
    }
    ew_release(weight);
    return status;
}

static ew_status queue_moves(const mixer *m, ew_edit *edit)
{
    for (int32_t v = 0; v < m->mesh->n_vertex; v++) {
        const double *x = m->mesh->xyz + 3 * (size_t)v, *u = m->u + 3 * (size_t)v;
        const double to[3] = {x[0] + u[0], x[1] + u[1], x[2] + u[2]};
        if (u[0] != 0.0 || u[1] != 0.0 || u[2] != 0.0) {
            EW_TRY(ew_edit_move_vertex(edit, v, to));
        }
    }
    return EW_OK;
}

static ew_status mix(mixer *m, const ew_topology *topology, ew_blend blend)
{
    const size_t n_vertex = (size_t)m->mesh->n_vertex;
    EW_TRY(ew_new_zero(&m->mover, (size_t)m->n, sizeof *m->mover));
    EW_TRY(ew_new_zero(&m->points, (size_t)m->n, sizeof *m->points));
    EW_TRY(ew_new(&m->place, n_vertex, sizeof *m->place));
    EW_TRY(ew_new(&m->owner, n_vertex, sizeof *m->owner));
    memset(m->owner, -1, n_vertex * sizeof *m->owner);
    EW_TRY(ew_new_zero(&m->known, n_vertex, sizeof *m->known));
    EW_TRY(ew_new_zero(&m->u, n_vertex, 3 * sizeof *m->u));
    for (int32_t s = 0; s < m->n; s++) {
        EW_TRY(ew_mover_init(&m->mover[s], "move", m->mesh, topology, m->set[s].vertex,
                             &m->set[s].motion));
    }
    set_known(m);
    return blend == EW_BLEND_DISTANCE
               ? blend_by_distance(m)
               : ew_harmonic_extend("move", m->mesh, topology, m->known, m->u);
}

ew_status ew_operation_move_sets(const ew_mesh *mesh, const ew_topology *topology, int32_t n,
                                 const ew_moved_set *set, ew_blend blend, bool repair,
                                 ew_edit *edit)
{
    mixer m = {.mesh = mesh, .set = set, .n = n};
    EW_TRY(ew_need_empty("move", edit));
    EW_TRY(ew_need_tets("move", mesh));
    EW_TRY(ew_need_current("move", topology, mesh));
    ew_status status = mix(&m, topology, blend);
    if (!status) {
        status = queue_moves(&m, edit);
    }
    ew_set follow = {0};
    for (int32_t i = 0; i < edit->move_vertex.n && repair && !status; i++) {
        const int32_t v = edit->move_vertex.id[i];
        status = m.known[v] ? EW_OK : ew_set_add(&follow, v);
    }
    if (!status) {
        status = ew_finish_moves("move", mesh, topology, repair ? &follow : NULL, REMEDY, edit);
    }
    ew_set_free(&follow);
    for (int32_t s = 0; s < n; s++) {
        if (m.mover) {
            ew_mover_free(&m.mover[s]);
        }
        if (m.points) {
            ew_points_free(&m.points[s]);
        }
    }
    ew_release(m.mover);
    ew_release(m.points);
    ew_release(m.place);
    ew_release(m.owner);
    ew_release(m.known);
    ew_release(m.u);
    if (status) {
        ew_edit_clear(edit);
    }
    return status;
}

/* ---- its place in the table -------------------------------------------- */

enum {
    SET,
    BY,
    RADIALLY,
    NORMALLY,
    ANGLE,
    AXIS,
    CENTER,
    N_PART_PARAMETER, /* those before it are the same of each of several sets */
    TABLE = N_PART_PARAMETER,
    PARTS,
    RADIUS,
    BLEND,
    REPAIR,
    N_PARAMETER
};

#define ONE_SET "by radially along_normals angle"

#define MOTION_PARAMETERS                                                                          \
    [BY] = {.key = "by",                                                                           \
            .kind = EW_PARAMETER_VECTOR,                                                           \
            .need = MOTION_NEED,                                                                   \
            .argument = "X,Y,Z",                                                                   \
            .help = "how far"},                                                                    \
    [RADIALLY] = {.key = "radially",                                                               \
                  .kind = EW_PARAMETER_NUMBER,                                                     \
                  .unit = "length",                                                                \
                  .need = MOTION_NEED,                                                             \
                  .argument = "LENGTH",                                                            \
                  .help = "away from the axis, or without one from the center (< 0: toward it)"},  \
    [NORMALLY] = {.key = "along_normals",                                                          \
                  .kind = EW_PARAMETER_NUMBER,                                                     \
                  .unit = "length",                                                                \
                  .need = MOTION_NEED,                                                             \
                  .argument = "LENGTH",                                                            \
                  .help = "outwards, along the normals of the boundary (< 0: inwards)"},           \
    [ANGLE] = {.key = "angle",                                                                     \
               .kind = EW_PARAMETER_NUMBER,                                                        \
               .unit = "degree",                                                                   \
               .need = MOTION_NEED,                                                                \
               .argument = "DEGREES",                                                              \
               .help = "about the axis, right hand"},                                              \
    [AXIS] = {.key = "axis",                                                                       \
              .kind = EW_PARAMETER_AXIS,                                                           \
              .with = "radially angle",                                                            \
              .argument = "AXIS",                                                                  \
              .help = "x, y, z or X,Y,Z: direction of the line through the center"},               \
    [CENTER] = {.key = "center",                                                                   \
                .kind = EW_PARAMETER_VECTOR,                                                       \
                .with = "radially angle",                                                          \
                .preset = "0,0,0",                                                                 \
                .argument = "X,Y,Z",                                                               \
                .help = "a point of the axis"}

#define MOTION_NEED EW_ONE_OF
static const ew_parameter parameters[N_PARAMETER] = {
    MOTION_PARAMETERS,
    [SET] = {.key = "set",
             .kind = EW_PARAMETER_VERTICES,
             .with = ONE_SET,
             .argument = "SET",
             .help = "the vertices to move (all)"},
    [TABLE] = {.key = "table",
               .kind = EW_PARAMETER_TABLE,
               .need = EW_ONE_OF,
               .argument = "FILE",
               .help = "a CSV file with rows vertex_id, dx, dy, dz"},
    [PARTS] = {.key = "sets",
               .kind = EW_PARAMETER_PARTS,
               .need = EW_ONE_OF,
               .argument = "LIST",
               .help = "several sets, each with its motion or fixed; vertices between them follow"},
    [RADIUS] = {.key = "radius",
                .kind = EW_PARAMETER_LENGTH,
                .with = ONE_SET " table",
                .argument = "LENGTH",
                .help = "radius of the neighborhood that moves along, decreasing to 0 (0: none)"},
    [BLEND] = {.key = "blend",
               .kind = EW_PARAMETER_CHOICE,
               .with = "sets",
               .preset = "harmonic",
               .words = "harmonic distance",
               .argument = "WORD",
               .help = "motion of vertices between sets: harmonic or distance"},
    [REPAIR] = EW_REPAIR_PARAMETER,
};
#undef MOTION_NEED

static ew_status queue_table(const ew_operation_input *in, const ew_move_def *def, ew_edit *edit)
{
    const ew_parameter_value *of = in->values->of;
    ew_move_table table = {0};
    ew_list vertex = {0};
    double *each = NULL;
    ew_move_def move = *def;
    if (!of[TABLE].content) {
        return ew_refuse(EW_RULE_READER, "move: '%s'", of[TABLE].text);
    }
    ew_status status =
        ew_move_table_read(of[TABLE].text, of[TABLE].content, of[TABLE].content_size, &table);
    if (!status) {
        status = ew_move_table_place(in->mesh, &table, &vertex, &each);
    }
    if (!status) {
        move.motion = (ew_motion){.kind = EW_MOTION_TABLE, .each = each};
        status = ew_operation_move_as(in->mesh, in->topology, &vertex, &move, edit);
    }
    ew_move_table_free(&table);
    ew_list_free(&vertex);
    ew_release(each);
    return status;
}

static ew_status queue_parts(const ew_operation_input *in, ew_edit *edit)
{
    const ew_parameter_value *of = in->values->of;
    const int32_t n = of[PARTS].n_part;
    ew_moved_set *set;
    EW_TRY(ew_new(&set, (size_t)n, sizeof *set));
    for (int32_t i = 0; i < n; i++) {
        set[i] = (ew_moved_set){&in->part[i], ew_motion_of(&ew_part_form, &of[PARTS].part[i])};
    }
    const ew_status status = ew_operation_move_sets(
        in->mesh, in->topology, n, set, (ew_blend)of[BLEND].whole, of[REPAIR].whole, edit);
    ew_release(set);
    return status;
}

static ew_status queue_values(const ew_operation_input *in, ew_edit *edit)
{
    const ew_parameter_value *of = in->values->of;
    const ew_move_def def = {.motion = ew_motion_of(in->operation, in->values),
                             .radius = of[RADIUS].number[0],
                             .repair = of[REPAIR].whole};
    const ew_list *vertex;
    ew_list all = {0};
    if (of[TABLE].given) {
        return queue_table(in, &def, edit);
    }
    if (of[PARTS].given) {
        return queue_parts(in, edit);
    }
    ew_status status = ew_listed_or_all(in, &all, &vertex);
    if (!status) {
        status = ew_operation_move_as(in->mesh, in->topology, vertex, &def, edit);
    }
    ew_list_free(&all);
    return status;
}

const ew_operation ew_move_operation = {
    .name = "move",
    .summary = "move vertices, with their neighborhood, or several sets at once",
    .text = "Refused, with the tets named, where it would turn tets inside out, unless with\n"
            "--repair. A list of sets names each by a selection and its motion:\n"
            "  --sets 'box 0,0,0,1,1,0 by 0,0,0.1; ids 3,17 radially 0.2 axis z; side 0,0,1,0,0,1'",
    .example = "part.mesh --sphere 0,0,1,0.1 --by 0,0,0.02 --radius 0.2 -o bulged.mesh",
    .file_code = 6,
    .n_parameter = N_PARAMETER,
    .parameter = parameters,
    .queue = queue_values,
    .check = ew_check_motion,
};

/* ---- one of several sets -------------------------------------------------- */

#define MOTION_NEED EW_OPTIONAL
static const ew_parameter part_parameters[N_PART_PARAMETER] = {
    MOTION_PARAMETERS,
    [SET] = {.key = "set",
             .kind = EW_PARAMETER_VERTICES,
             .need = EW_REQUIRED,
             .argument = "SET",
             .help = "the vertices"},
};

const ew_operation ew_part_form = {
    .name = "sets",
    .summary = "one of the sets that move",
    .example = "",
    .n_parameter = N_PART_PARAMETER,
    .parameter = part_parameters,
    .check = ew_check_motion,
};
