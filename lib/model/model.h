/* model: the one owner of a mesh and of all that must follow its edits: neighbor tables, boundary
 * faces, matrix, device mirror, materials, named sets, loads, constraints, fields. A program queues
 * an edit or applies an operation, commits, and solves; every stage costs what was touched.
 *
 *     ew_model_create(&model, &mesh, &def);
 *     ew_model_set_material(model, EW_ALL_REGIONS, &steel);
 *     ew_model_add_set(model, &wall, &members, &set);
 *     ew_model_set_constraints(model, 1, &fixed);
 *     ew_model_set_loads(model, 1, &weight);
 *     ew_model_solve(model, &solver, &info);
 *
 *     ew_edit_remove_tet(ew_model_edit(model), 4711);
 *     ew_model_commit(model);
 *     ew_model_solve(model, &solver, &info);
 *
 * A commit is all or nothing: a refused one (EW_BAD_EDIT, EW_BAD_INPUT) and one that finds no
 * memory before it begins change nothing. One that fails after the mesh was changed (EW_NO_MEMORY,
 * EW_DEVICE) leaves a model whose other functions return EW_STALE until ew_model_rebuild.
 *
 * Slots: vertices and tets are named by slot, which no edit moves; ew_model_compact does. A slot
 * that is freed and taken again is a new vertex: no set, load or field of the old one sticks to it.
 *
 * Blocks are recomputed once before they are used, however many commits came before.
 *
 * Longer than 500 lines because it is the one header of what programs embed. */
#ifndef EW_MODEL_H
#define EW_MODEL_H

#include "analysis/analysis.h"
#include "mapping/mapping.h"
#include "operation/operation.h"

EW_BEGIN_API

typedef struct ew_model ew_model; /* opaque */

/* ---- life (model.c) ---------------------------------------------------- */

typedef struct ew_model_def {
    ew_device *device;      /* borrowed, must outlive the model; null: the host. Chosen once */
    ew_precision precision; /* of the blocks on a device */
    bool reorder;           /* renumber vertices and tets for locality first, unless the mesh keeps
                               its slots; default true */
    bool expects_answers; /* all its linear solves will be ew_model_accept: blocks of the stiffness
                             and preconditioners are left out, though counted; default false */
} ew_model_def;
ew_model_def ew_default_model_def(void);

/* Takes the mesh over (*mesh is zeroed; untouched on failure) and builds the tables. The mesh must
 * pass ew_mesh_check. */
ew_status ew_model_create(ew_model **model, ew_mesh *mesh, const ew_model_def *def);
/* Safe on null. */
void ew_model_free(ew_model *model);
/* Hands the mesh out (*mesh is overwritten); the model can then only be freed. */
void ew_model_give_mesh(ew_model *model, ew_mesh *mesh);
/* Gives the mesh its curved sides as edits have left them, where tets are quadratic: before it is
 * handed out. O(n). (curves.c) */
ew_status ew_model_store_curves(ew_model *model);
/* Everything derived from the mesh built again, after a failure that left the model unusable or
 * whenever doubt asks for it. Sets, loads, constraints and fields stay; face sets that the failure
 * cut off from the boundary are empty and say so. */
ew_status ew_model_rebuild(ew_model *model);

/* ---- starting again (again.c) -------------------------------------------- */

/* Where models of one mesh start: it, in the order that models work in, its tables, and what is
 * asked for below. It may be read by several threads. */
typedef struct ew_model_base ew_model_base; /* opaque */
/* The mesh is copied. with_boundary: its faces, too. materials [n], by label (EW_ALL_REGIONS: all
 * others): the blocks of its stiffness with these constants, of linear isotropic or anisotropic
 * tets; none where n is 0, or a region has no material. */
typedef struct ew_model_base_material {
    int32_t region;
    ew_material material;
} ew_model_base_material;
ew_status ew_model_base_create(ew_model_base **base, const ew_mesh *mesh, bool with_boundary,
                               int32_t n, const ew_model_base_material *material);
/* Safe on null. */
void ew_model_base_free(ew_model_base *base);
/* A model of that mesh, as ew_model_create makes one with `reorder`; *model is that or, where it is
 * not null, the one that is there, made into such a one in its memory. Copies in place of what
 * ew_model_create computes; the same answers, bit for bit. After a failure *model is to be freed.
 */
ew_status ew_model_start_from(ew_model **model, const ew_model_base *base, const ew_model_def *def);
/* After its materials are set, on the mesh as it began: the blocks of the base as its stiffness,
 * where they are what it would compute; else nothing. */
ew_status ew_model_take_blocks(ew_model *model, const ew_model_base *base);

/* ---- products (tets.c) ---------------------------------------------------------------- */

/* From now on products are made from stored blocks, as at first, or from tets: then blocks of pairs
 * are neither kept nor computed, and preconditioners have the diagonal ones alone. No effect where
 * it is so already. EW_UNSUPPORTED: from tets on a device without fp64. */
ew_status ew_model_set_operator(ew_model *model, ew_operator_kind kind);

/* ---- views (views.c), borrowed until the next call that changes the model --------- */

const ew_mesh *ew_model_mesh(const ew_model *model);
const ew_topology *ew_model_topology(const ew_model *model);
const ew_materials *ew_model_materials(const ew_model *model); /* by region index */
/* What the last commit changed. */
const ew_change *ew_model_change(const ew_model *model);
/* The faces with one tet, in slots that stay from edit to edit, with old -> new maps (topology.h).
 * Built when first asked for, then kept in step by every commit. */
ew_status ew_model_boundary(ew_model *model, const ew_boundary **boundary);
/* Slot of the vertex or tet with this id, or -1. The first look-up of a kind is O(n), later ones
 * O(1), also after edits. */
int32_t ew_model_find_vertex(ew_model *model, int64_t id);
int32_t ew_model_find_tet(ew_model *model, int64_t id);
/* The stiffness, brought up to date; null on a device with fp64, which keeps the blocks to itself.
 * Of a matrix-free model the diagonal blocks alone. */
ew_status ew_model_matrix(ew_model *model, const ew_matrix **matrix);
/* [n_vertex][3] the displacement last solved for, carried along by commits since; the start of the
 * next solve. */
const double *ew_model_displacement(const ew_model *model);
/* [n_vertex][3] loads of the last solve; in dynamics those at the time. */
const double *ew_model_force(const ew_model *model);
const ew_constraints *ew_model_constraints(const ew_model *model); /* of the last solve */

/* ---- materials (materials.c) ------------------------------------------------ */

#define EW_ALL_REGIONS INT32_MIN
/* The material of the regions with this label, or of all that have none of their own. May be set
 * for labels that no region has yet. A change of elastic constants makes all blocks stale, one of
 * density or expansion the loads; equal constants change nothing. */
ew_status ew_model_set_material(ew_model *model, int32_t region_label, const ew_material *material);
/* Local axes 1 and 2 of each tet, [n_tet][6] by slot, for materials whose axes are a field: of any
 * length > 0, at right angles within 1e-6 rad; EW_BAD_INPUT names a tet of theirs where not. Parts
 * and images of a tet take its axes over; other tets that an edit adds have x, y, z. Copied. */
ew_status ew_model_set_material_axes(ew_model *model, const double *axes);
/* The same as they are now, of length 1; null: none were given. */
const double *ew_model_material_axes(const ew_model *model);

/* ---- quadratic tets (quadratic.c, quadratic_solve.c) ------------------------ */

/* All tets, and those that edits bring, quadratic or linear (as at first). Quadratic ones have
 * a function more on each edge, see ew_edge_rows, and straight sides but for those that the mesh
 * came with (ew_mesh_set_middles); with these on the host alone. O(n). */
ew_status ew_model_set_order(ew_model *model, bool quadratic);
/* The listed tets alone; parts and images of a tet are of its order. The displacement stays what it
 * was, but for what functions that go away had of it. O(listed). */
ew_status ew_model_enrich(ew_model *model, const ew_list *tet, bool quadratic);
bool ew_model_tet_is_quadratic(const ew_model *model, int32_t tet);
/* The rows of edges, null where all tets are linear; [n_row][3] what was last solved for on them,
 * how far the middle of an edge moved beyond the mean of its ends. Borrowed. */
const ew_edge_rows *ew_model_edge_rows(const ew_model *model);
const double *ew_model_edge_displacement(const ew_model *model);
/* [n_row][3] of displacement (0), velocity (1) or acceleration (2), which may be written, as the
 * fields of vertices. Borrowed. */
double *ew_model_edge_state(ew_model *model, int32_t k);
/* The same [n][3] in place of what it is: before ew_model_accept. EW_BAD_ARGUMENT unless n is the
 * number of rows. */
ew_status ew_model_put_edge_displacement(ew_model *model, int32_t n, const double *u);

/* ---- mixed tets (mixed.c) ---------------------------------------------------- */

/* All tets mixed, or not (as at first): displacement and volumetric stress p = lambda tr(strain),
 * both linear, for materials that are nearly incompressible, in which linear tets lock. Stress is
 * 2 mu strain + p. In statics, in dynamics by implicit schemes, in modes and buckling, on the host
 * or a device with fp64; with linear tets, small displacements and stored blocks: EW_UNSUPPORTED
 * otherwise; Poisson's ratios > 0. Solved by the minimal residual method (ew_saddle_solve). The
 * blocks of ew_model_matrix are then those of 2 mu alone. */
ew_status ew_model_set_mixed(ew_model *model, bool mixed);
bool ew_model_is_mixed(const ew_model *model);
/* [n_vertex] p last solved for, in dynamics that of the last recovery, carried along by commits
 * since, and the start of the next solve; to be written before ew_model_accept. Null where tets are
 * not mixed. Borrowed. */
double *ew_model_volumetric_stress(ew_model *model);

/* ---- named sets (sets.c) ------------------------------------------------ */

typedef enum ew_set_kind { EW_SET_OF_VERTICES, EW_SET_OF_FACES, EW_SET_OF_TETS } ew_set_kind;

typedef struct ew_model_set_def {
    const char *name; /* copied; unique. Null: a set without a name, known by its number */
    ew_set_kind kind;
    bool allow_empty; /* else a load or constraint on the set is refused while it has no member */
} ew_model_set_def;
/* `member`: vertex slots; face codes (4 tet + face) of boundary faces; tet slots (copied). Members
 * follow edits: the image of a member and the middle of two are members, as are the parts and
 * images of a face and of a tet. A member vertex that loses its last tet counts no more until it
 * has one again; one whose slot is freed leaves. *set: the number of the set, from 0. */
ew_status ew_model_add_set(ew_model *model, const ew_model_set_def *def, const ew_list *member,
                           int32_t *set);
/* The same of what the selector catches: vertices, boundary faces or tets, as def->kind says. */
ew_status ew_model_select_set(ew_model *model, const ew_model_set_def *def,
                              const ew_selector *selector, int32_t *set);
/* Operations need not keep its ends any more (ew_operation_input.vertex_set, tet_set). */
void ew_model_let_set_fray(ew_model *model, int32_t set);
/* Other members for a set that is there. */
ew_status ew_model_redefine_set(ew_model *model, int32_t set, const ew_list *member);
/* The set with this name, or -1. */
int32_t ew_model_find_set(const ew_model *model, const char *name);
int32_t ew_model_n_set(const ew_model *model);

typedef struct ew_model_set {
    const char *name;
    ew_set_kind kind;
    bool allow_empty;
    const ew_set *member; /* vertex slots, boundary slots or tet slots; vertices without tets
                             included */
    int32_t n_active;     /* members that are in the body */
    int32_t n_lost;       /* that left the body since the last ew_model_clear_report */
    bool had_members;     /* when it was defined */
} ew_model_set;
ew_model_set ew_model_view_set(const ew_model *model, int32_t set);

/* What a set means where another kind is needed, appended to an empty list, ascending
 * (set_lists.c): its active vertices, of faces and tets theirs; its faces as codes, of vertices the
 * boundary faces with all three in the set, of tets none; its tets, of faces those behind them, of
 * vertices those with at least one. */
ew_status ew_model_list_vertices(const ew_model *model, int32_t set, ew_list *vertex);
ew_status ew_model_list_faces(const ew_model *model, int32_t set, ew_list *face);
ew_status ew_model_list_tets(const ew_model *model, int32_t set, ew_list *tet);

typedef struct ew_set_measure {
    int32_t n_member;         /* in the body */
    int32_t n_vertex, n_face; /* as ew_model_list_vertices and .._faces */
    double area, volume;      /* of these faces; of the members, where they are tets, else 0 */
    double centroid[3];       /* of area, of volume, mean of the vertices; 0 when empty */
    double low[3], high[3];   /* bounding box; 0 when empty */
} ew_set_measure;
/* O(members). (set_measure.c) */
ew_status ew_model_measure_set(const ew_model *model, int32_t set, ew_set_measure *measure);

typedef struct ew_set_results {
    double mean_displacement[3]; /* by area, by volume, of the vertices alike */
    double max_displacement;     /* magnitude, and where; -1: the set is empty */
    int32_t max_displacement_vertex;
    double mean_von_mises, max_von_mises; /* of the stress averaged at vertices; of tets: theirs */
    double reaction_force[3], reaction_moment[3];
} ew_set_results;
#define EW_SPRING_FORCES 8
/* Of the last recovery; EW_STALE when the mesh has changed since. components: bit c counts
 * component c of the reactions without the springs, EW_SPRING_FORCES those of the springs, at all
 * vertices of the set; moments are about the point. O(members). */
ew_status ew_model_recover_set(const ew_model *model, int32_t set, uint8_t components,
                               const double about[3], ew_set_results *results);

/* ---- constraints and loads (loads.c) ------------------------------------ */

/* Factors of time that loads and constraints name, in place of those before (copied, with their
 * tables). As many as loads and constraints in place name: EW_BAD_ARGUMENT otherwise. They act in
 * dynamics alone. (load_groups.c) */
ew_status ew_model_set_amplitudes(ew_model *model, int32_t n, const ew_amplitude *list);

typedef struct ew_model_constraint {
    int32_t set;     /* of vertices; of faces: their vertices */
    uint8_t fixed;   /* bit c: component c is prescribed */
    double value[3]; /* of the prescribed components, length unit */
    ew_axes axes;    /* that the components are along; zeroed: x, y, z */
    /* In dynamics; a solve takes the value in full, of a velocity no displacement: */
    int32_t amplitude; /* 1 + number of the amplitude that multiplies the value; 0: constant */
    bool is_velocity;  /* the value is a velocity: displacement goes on from where it is, so that a
                          velocity of 0 holds a vertex there */
} ew_model_constraint;
/* In place of those before (copied). They are checked when they are used. */
ew_status ew_model_set_constraints(ew_model *model, int32_t n, const ew_model_constraint *list);

typedef struct ew_model_spring {
    ew_spring_kind kind;
    int32_t set;         /* EACH: of vertices; TOTAL, FOUNDATION: of vertices or faces */
    double stiffness[3]; /* see ew_spring */
    ew_axes axes;        /* that the stiffness is along; zeroed: x, y, z */
} ew_model_spring;
/* Springs to the ground, in place of those before (copied). They are checked when they are used,
 * count as supports, and are part of the stiffness matrix. */
ew_status ew_model_set_springs(ew_model *model, int32_t n, const ew_model_spring *list);
/* Brings constraints and springs up to date, as a solve does, and fails as it would; *constraint,
 * *spring: the one at fault, from 0, else -1. */
ew_status ew_model_update_supports(ew_model *model, int32_t *constraint, int32_t *spring);

/* See ew_load in analysis.h for what each kind reads. */
typedef struct ew_model_load {
    ew_load_kind kind;
    int32_t set; /* of a kind that the load acts on (ew_load_traits); -1: a TEMPERATURE of the whole
                    body. GRAVITY, CENTRIFUGAL, FORCE_ON_NODES and OWN take none and read
                    nothing here */
    double vector[3];
    double pressure, change;
    double gradient[3], point[3], axis[3];
    bool only_positive;
    ew_axes axes;
    int32_t field; /* TEMPERATURE: number of a field on vertices of width 1 that gives the
                      change (ew_model_touch_loads when it is written to); 0: none */
    const ew_expression *expression; /* TEMPERATURE: see ew_load; borrowed, as long as a model has
                                        this load; or null */
    const ew_load_nodes *nodes;      /* FORCE_ON_NODES: borrowed, likewise */
    ew_load_function own;            /* OWN: see analysis.h */
    void *user;
    int32_t amplitude; /* 1 + number of the amplitude that multiplies the load in dynamics; 0:
                          constant. A solve takes the load in full. Not with a field */
} ew_model_load;
/* In place of those before (copied). They are checked when they are used. */
ew_status ew_model_set_loads(ew_model *model, int32_t n, const ew_model_load *list);
/* Brings the forces of the loads up to date, as a solve does, and fails as it would; *place: the
 * load at fault, from 0, or -1. */
ew_status ew_model_update_loads(ew_model *model, int32_t *place);
/* Force and moment about the origin of the load at this place of the list, as loads were last
 * brought up to date; zero where its set is empty. EW_STALE after an edit. O(set), see
 * ew_load_resultant. */
ew_status ew_model_load_resultant(const ew_model *model, int32_t place, double force[3],
                                  double moment[3]);
/* Says that what an OWN load or the field of a temperature gives has changed at all vertices. */
void ew_model_touch_loads(ew_model *model);

/* ---- fields that follow the mesh (fields.c) ------------------------------ */

typedef enum ew_field_rule {
    EW_FIELD_MEAN, /* new vertex: between its two parents, at its fraction, else of neighbors that
                      have a value */
    EW_FIELD_COPY, /* of the parent (the first of two), of the tet it is a part of */
    EW_FIELD_ZERO
} ew_field_rule;
typedef struct ew_field_def {
    const char *name;   /* copied */
    bool on_tets;       /* else on vertices */
    int32_t width;      /* doubles per vertex or tet, >= 1 */
    ew_field_rule rule; /* MEAN is for vertices */
} ew_field_def;
/* Zero everywhere at first. *field: its number. */
ew_status ew_model_add_field(ew_model *model, const ew_field_def *def, int32_t *field);
/* [n_vertex or n_tet][width], to read and write; moved by commits. */
double *ew_model_field(ew_model *model, int32_t field);

/* ---- fine surfaces that move with the mesh (surfaces.c) ------------------- */

/* Binds a surface (copied) to the tets as they are; commits bring it along by the rules of
 * mapping.h. It is passive: it stiffens nothing. *number: from 0. */
ew_status ew_model_add_surface(ew_model *model, const ew_surface *surface,
                               const ew_mapping_def *def, int32_t *number);
int32_t ew_model_n_surface(const ew_model *model);
/* Borrowed until the model is freed; what it holds follows commits. */
const ew_mapping *ew_model_surface(const ew_model *model, int32_t surface);
/* A load on a surface as one of the list that ew_model_set_loads takes: OWN, of the whole body. The
 * model keeps what it needs; asking again for an equal one gives the same. EW_BAD_INPUT where the
 * surface has no triangles for it. */
ew_status ew_model_surface_load(ew_model *model, int32_t surface, const ew_surface_load *load,
                                ew_model_load *out);

/* ---- edits (commit.c) ----------------------------------------------------- */

/* The model's queue, to fill by ew_edit_* functions and operations. A commit leaves what it applied
 * there until the next ew_model_begin. */
ew_edit *ew_model_edit(ew_model *model);
/* Empties the queue. */
void ew_model_begin(ew_model *model);
/* Applies the queue; all that follows the mesh follows. */
ew_status ew_model_commit(ew_model *model);
/* An operation, shipped or of one's own: empties the queue, has it filled, commits. Time spent in
 * `queue` counts as choosing. */
typedef ew_status (*ew_queue_function)(void *user, const ew_model *model, ew_edit *edit);
ew_status ew_model_apply(ew_model *model, ew_queue_function queue, void *user);
/* The two parts of it: empties the queue and has it filled. */
ew_status ew_model_queue(ew_model *model, ew_queue_function queue, void *user);

/* The same for an operation of the table, or of one's own (operation.h). Its vertices, where given,
 * are those of the model's set `values->of[].whole` (ew_model_list_vertices), those of its parts
 * likewise, the tets it protects those of the sets in `values->of[].set`; energies are those of the
 * last recovery, if the mesh is still the same. other: the mesh it reads, or null. */
ew_status ew_model_queue_operation(ew_model *model, const ew_operation *operation,
                                   const ew_operation_values *values, const ew_mesh *other);
/* What the user should know of it, a line, or ""; until the next one is queued. */
const char *ew_model_remark(const ew_model *model);
/* Who fills what operations empty (remesh): ew_tetgen_fill, or null: such operations are refused.
 */
void ew_model_set_fill(ew_model *model, ew_fill_function fill);
/* Number that tets added from now on carry as `born`. */
void ew_model_set_frame(ew_model *model, int32_t frame);

/* Queues the removal of all components that are not fully constrained, into an empty queue; *n of
 * them. What they supported may be under-constrained then: repeat until there is none. */
ew_status ew_model_queue_under_constrained(ew_model *model, int32_t *n);
/* Whether more than half of all slots are holes or without tets. */
bool ew_model_is_sparse(const ew_model *model);
/* Queues the removal of vertices without tets, into an empty queue. */
ew_status ew_model_queue_unused(ew_model *model);
/* Renumbers so that no slot is a hole, in the order of slots; everything follows. vertex, tet: the
 * caller's arrays [slots before] for old -> new, -1 for holes; or null. O(n). */
ew_status ew_model_compact(ew_model *model, int32_t *vertex, int32_t *tet);

/* ---- analysis (solve.c) ----------------------------------------------------- */

/* What a solve does before its first iteration, but for making a preconditioner where there is none
 * yet: a program that edits may call it while it waits. */
ew_status ew_model_prepare(ew_model *model);
/* Brings matrix, constraints and loads up to date, checks that no component is under-constrained
 * and solves from the last displacement on. Empty sets, regions without a material: EW_BAD_INPUT.
 * *info: borrowed, of this solve; null where it did not begin. The displacement of a solve that
 * fails is its last iterate. */
ew_status ew_model_solve(ew_model *model, const ew_pcg_def *def, const ew_pcg_info **info);
/* In place of a solve that was made before on the same model by the same settings, as when a run is
 * resumed: displacement [n_vertex][3] is what it gave, `known` its outcome. The model becomes what
 * that solve left, without iterating; what is done next gives the same bits. */
/* No more answers of ew_model_def.expects_answers: what was left out is computed when it is used.
 */
void ew_model_expect_no_answers(ew_model *model);
ew_status ew_model_accept(ew_model *model, const ew_pcg_def *def, const double *displacement,
                          const ew_pcg_info *known, const ew_pcg_info **info);
/* Strain, stress, reactions and sums of the displacement; for all vertices and tets, when asked. In
 * dynamics inertia and damping are among the applied forces of the sums, and reactions are K u + C
 * v
 * + M a less the loads at the time. */
ew_status ew_model_recover(ew_model *model, const ew_fields **fields, const ew_sums **sums);
/* The fields of the last recovery, or null when the mesh has changed since. */
const ew_fields *ew_model_recovered(const ew_model *model);
const ew_sums *ew_model_recovered_sums(const ew_model *model); /* likewise */
/* Energies of the displacement. */
typedef struct ew_energies {
    const double *tet;      /* [n_tet] borrowed: strain energy by slot, 0 in holes */
    double volume;          /* of the mesh */
    double strain, springs; /* over the body */
} ew_energies;
/* The same numbers as ew_model_recover's, without the rest of it: a fraction of the time where all
 * tets are linear, their materials elastic and no temperature is among the loads; elsewhere that is
 * called. EW_STALE where the mesh has changed since the last solve. (energies.c) */
ew_status ew_model_recover_energies(ew_model *model, ew_energies *energies);
/* The estimated error of the last recovery, and whether linear tets and a linear theory fit it
 * (null: not asked for). EW_STALE without a recovery on this mesh. O(n). (estimate.c) */
ew_status ew_model_estimate(ew_model *model, const ew_estimate **estimate,
                            const ew_fitness **fitness);

/* Tables and blocks, in dynamics those of mass and step matrix, too, against those built from the
 * mesh alone. */
typedef struct ew_model_verification {
    int64_t n_different;                   /* blocks not equal bit for bit */
    double largest;                        /* difference of an entry */
    double seconds_tables, seconds_matrix; /* that building took */
} ew_model_verification;
ew_status ew_model_verify(ew_model *model, ew_model_verification *result);

/* ---- nonlinear statics (nonlinear*.c) ---------------------------------------- */

/* Small (as at first), or corotational: rotations as large as they like, strains small. Then, and
 * where a material has a law that is not linear, the stiffness is the tangent at the displacement,
 * a solve is ew_model_solve_nonlinear, and strain and stress are Biot's in the frame that turns
 * with each tet, given along x, y, z. Loads of temperature are then no forces, but strain that is
 * taken off before the law; in motion as their amplitudes have it, and what heat does is work of
 * the account. Linear tets and stored blocks alone: EW_UNSUPPORTED by what uses it. */
ew_status ew_model_set_kinematics(ew_model *model, ew_kinematics kinematics);
ew_kinematics ew_model_kinematics(const ew_model *model);
/* Whether a solve must be ew_model_solve_nonlinear. */
bool ew_model_is_nonlinear(const ew_model *model);
/* State of the laws, [n_tet][*n_state], to read; null where no law has one. Moved by commits: parts
 * of a tet take its state over. */
const double *ew_model_law_state(const ew_model *model, int32_t *n_state);
/* In place of it, n numbers in all: before a step in time. EW_BAD_INPUT unless the model has as
 * many. */
ew_status ew_model_put_law_state(ew_model *model, int64_t n, const double *state);

typedef struct ew_nonlinear_info ew_nonlinear_info;
typedef struct ew_nonlinear_def {
    int32_t n_step;         /* load steps; default 1 */
    double tolerance;       /* default 1e-6: of the residual, relative to loads and reactions */
    int32_t max_iterations; /* of Newton, a load step; default 25 */
    int32_t max_halvings;   /* of a load step that does not converge; default 6 */
    double bound;           /* >= 0; default 0: blocks are revalidated where a tet's rotated
                               gradients or moduli changed by more than this share. 0: all that
                               changed, Newton's method itself */
    bool line_search;       /* default true */
    bool is_fresh;     /* what earlier solves left beside displacement and state is forgotten, so
                          that not a bit depends on it; at the cost of a new preconditioner */
    double duration;   /* of all load steps in time, for laws that flow; default 0: none */
    ew_pcg_def solver; /* of each iteration; its tolerance follows Newton's */
    /* After each load step that converged; a failure ends the solve there. Null: none. */
    ew_status (*on_step)(void *user, const ew_nonlinear_info *info);
    void *user;
} ew_nonlinear_def;
ew_nonlinear_def ew_default_nonlinear_def(void);
/* Names the first bad field. */
ew_status ew_nonlinear_def_check(const ew_nonlinear_def *def);

struct ew_nonlinear_info {
    ew_status status;
    double load_factor;  /* reached: 1 is all of what changed since the start */
    int32_t n_step;      /* load steps that converged, */
    int32_t n_failed;    /* and that did not, and were halved */
    int32_t n_iteration; /* of Newton, all */
    int32_t n_clamped;   /* of them with a tangent made positive definite */
    int32_t n_shortened; /* of them shortened by the line search */
    int64_t n_solver_iteration;
    double work; /* of loads and supports on the way, by the mean of forces over each load step:
                    what is stored and dissipated more than before */
    double residual, reference; /* of the last iteration: relative, and what to, a force */
    double kept_residual;       /* of the state that is left */
    bool limited_by_rounding;   /* the residual is above the tolerance, and as small as it gets */
    int64_t touched_blocks, total_blocks; /* revalidated, over all iterations; all blocks times the
                                             iterations */
    double seconds, seconds_force, seconds_record, seconds_blocks, seconds_solve;
    const ew_pcg_info *solver; /* of the last iteration; borrowed, as below */
    int32_t n_history;
    const double *history; /* [n_history] relative residuals, before each iteration and after the
                              last of a load step; borrowed until the next solve */
};
/* Equilibrium by Newton's method from the displacement as it is: what is out of balance there, and
 * what supports prescribe beyond it, is taken on in n_step equal steps of the load factor. A step
 * that does not converge is halved, up to max_halvings times. A solve that fails leaves the
 * displacement and the state of the last load factor that converged; EW_NOT_CONVERGED says which.
 * So a solve after an edit, or with other loads, goes on from the body as it is. *info: borrowed,
 * of this solve; null where it did not begin. Dead loads: they do not turn with the body. */
ew_status ew_model_solve_nonlinear(ew_model *model, const ew_nonlinear_def *def,
                                   const ew_nonlinear_info **info);
/* In place of a fresh solve made before, as ew_model_accept. state: of the laws, n_state numbers in
 * all; EW_BAD_INPUT unless that is what the model has. */
ew_status ew_model_accept_nonlinear(ew_model *model, int64_t n_state, const double *displacement,
                                    const double *state);

/* ---- dynamics (dynamics*.c) -------------------------------------------------- */

typedef struct ew_dynamics_def {
    ew_scheme_kind scheme; /* default EW_NEWMARK */
    ew_scheme_parameters parameters;
    ew_mass_kind mass;        /* default EW_MASS_LUMPED */
    double damping_mass;      /* >= 0, 1/time: C = damping_mass M + damping_stiffness K, */
    double damping_stiffness; /* >= 0, time; K with the springs to the ground */
    ew_pcg_def solver;        /* of each step, for its acceleration */
    bool account;             /* keep the sums of work, at one or two products a step */
    /* Of a nonlinear body: a step linearizes its force once, at the state before it. With a
     * tolerance > 0 Newton's method goes on from there until the residual is at most so much of the
     * forces, EW_NOT_CONVERGED after so many more iterations. */
    double newton_tolerance;   /* default 0 */
    int32_t newton_iterations; /* default 10 */
    double bound;              /* as in ew_nonlinear_def */
} ew_dynamics_def;
ew_dynamics_def ew_default_dynamics_def(void);
/* Names the first bad field. */
ew_status ew_dynamics_def_check(const ew_dynamics_def *def);

/* From the displacement and the velocity in place, at this time: prescribed components are put, the
 * acceleration is that of the equation of motion, the account starts. Every region with tets needs
 * a density; components may be under-constrained, and fly. A solve in between changes the
 * displacement: start again after it. */
ew_status ew_model_start_dynamics(ew_model *model, const ew_dynamics_def *def, double time);
/* Gives the memory of matrices and vectors back; the fields stay. */
void ew_model_stop_dynamics(ew_model *model);
bool ew_model_is_dynamic(const ew_model *model);
/* [n_vertex][3] fields to read, and to write before a start; moved by commits. Zero when first
 * asked for; null where there is no memory for it. The displacement: ew_model_field(model, 0). */
double *ew_model_velocity(ew_model *model);
double *ew_model_acceleration(ew_model *model);
double ew_model_time(const ew_model *model);

typedef struct ew_advance_info {
    const ew_pcg_info *solver; /* of the step; null: nothing but a diagonal to solve with */
    double seconds_update;     /* matrices, preconditioner and loads, after edits */
    double seconds_loads;      /* their factors of time, and motion of supports */
    double seconds_rhs, seconds_solve, seconds_account;
    int32_t n_newton; /* iterations after the first solve, */
    double residual;  /* and what they left */
} ew_advance_info;
/* One step of length dt. Before it edits may have been committed, and loads, supports and materials
 * changed: displacement and velocity are kept, new vertices interpolate, the acceleration is
 * computed again. A step that fails leaves the state before it. EW_BAD_INPUT: dt <= 0, or above the
 * stable step. Another dt than before costs the step matrix. Allocates nothing unless the mesh has
 * grown. *info: borrowed; or null. */
ew_status ew_model_advance(ew_model *model, double dt, const ew_advance_info **info);
/* No step up to this one is unstable, by bounds of the frequencies of single tets and springs, as
 * the mesh is now; INFINITY: none at all, 0: all are. O(changed) + a pass over tets. */
ew_status ew_model_stable_step(ew_model *model, double *dt);

/* Momenta are of the linear theory: moments about the origin, with the arms of the undeformed body,
 * of a corotational one of the deformed. Work is of the mean of the forces before and after a step.
 */
typedef struct ew_energy_account {
    double time, mass;
    double kinetic, strain, spring; /* now; thermal strain counts as any other */
    double dissipated;              /* by laws, in the body as it is, since it was new */
    double initial;                 /* their sum at the start */
    double damping_work;            /* taken by damping; this and those below: 0 unless kept */
    double external_work;           /* of loads, and of supports that move */
    double edit_work; /* what edits, and other supports and materials, brought (+) or took (-) */
    double balance; /* kinetic + strain + spring + dissipated + damping - external - edit - initial:
                       what the scheme itself makes (+) or takes (-), and the solver's tolerance */
    double linear_momentum[3], angular_momentum[3];
} ew_energy_account;
/* O(n). */
ew_status ew_model_account(ew_model *model, ew_energy_account *account);

/* What all supports of a set exert, springs included, at the time; needs a def with `account`.
 * O(members). (dynamics_reaction.c) */
ew_status ew_model_set_reaction(ew_model *model, int32_t set, double force[3]);

/* With the mesh in its slots, loads, supports and the three fields all that a run goes on from. */
typedef struct ew_dynamics_state {
    double time;
    int64_t n_step;
    double initial, damping_work, external_work, edit_work;
} ew_dynamics_state;
ew_status ew_model_dynamics_state(ew_model *model, ew_dynamics_state *state);
/* In place of a start: goes on from fields and state. What comes then depends on nothing else: a
 * run that calls this wherever it saves is continued from there bit for bit. */
ew_status ew_model_restore_dynamics(ew_model *model, const ew_dynamics_def *def,
                                    const ew_dynamics_state *state);

/* ---- vibration modes (modes.c) ------------------------------------------------ */

typedef struct ew_modes_def {
    int32_t count;                        /* >= 1; default 10 */
    ew_mass_kind mass;                    /* default EW_MASS_CONSISTENT; not of buckling */
    const ew_preconditioner_type *direct; /* ew_direct_solver(), and */
    ew_eigen_call *eigen;                 /* ew_eigen_solve; null: none in this build */
    ew_progress progress;
} ew_modes_def;
ew_modes_def ew_default_modes_def(void);

/* K phi = lambda M phi with the supports in place, loads and prescribed values apart. Lowest first.
 * Directions are x, y, z. */
typedef struct ew_modes {
    int32_t n, n_vertex;
    int32_t n_row;         /* of a shape: vertices, then edges with functions, by their rows */
    int32_t n_rigid;       /* motions without stiffness: six of a free body come first */
    double *eigenvalue;    /* [n] lambda, 1/time^2; of rigid motions what rounding leaves */
    double *frequency;     /* [n] per time; 0 for rigid motions */
    double *shape;         /* [n][n_row][3] phi . M phi = 1, the largest component positive */
    double *participation; /* [n][3] phi . M e of a unit motion e */
    double *effective; /* [n][3] its square, a mass; over all modes they add up to that mass which
                          supports leave free */
    double *residual;  /* [n] |K phi - lambda M phi| over (|lambda| + shift) |M phi|; of mixed tets
                          |(lambda + shift) (K + shift M)^-1 M phi - phi| over |phi| */
    double mass;       /* of the body */
    double orthogonality; /* largest |phi_i . M phi_j - (i == j)| */
    int32_t n_solve;      /* with the factor of K + shift M */
    double shift, seconds, seconds_factor;
} ew_modes;
/* EW_UNSUPPORTED without the two functions, or on a device; EW_BAD_INPUT without a density. *modes:
 * borrowed until the next call that changes the model; to be freed by none. The displacement stays
 * what it was. Of a nonlinear body they are small vibrations about its displacement, by the tangent
 * with the stress that there is, in which nothing flows; EW_INDEFINITE where that is not stable. */
ew_status ew_model_modes(ew_model *model, const ew_modes_def *def, const ew_modes **modes);

/* ---- linear buckling (buckling.c) --------------------------------------------- */

/* (K + factor K_g) phi = 0, K_g of the stress of the last recovery: by how much all that loads the
 * body may grow before it buckles. Least positive factors first. */
typedef struct ew_buckling {
    int32_t n, n_vertex, n_row; /* n: as many as asked for, or fewer where there are no more */
    double *factor;             /* [n] > 0 */
    double *shape;    /* [n][n_row][3] the largest displacement of a vertex is of length 1 */
    double *residual; /* [n] |K phi + factor K_g phi| over |K phi| */
    int32_t n_solve;  /* with the factor of K */
    double seconds;
} ew_buckling;
/* Of a nonlinear body K is that of the deformed body without the effect of stress on what turns,
 * and K_g that effect: factor 1 is where the tangent is singular (a limit point or a bifurcation),
 * less than 1 beyond it. EW_STALE without a recovery on this mesh; EW_BAD_INPUT where no load in
 * this direction buckles the body; EW_UNDER_CONSTRAINED; else as ew_model_modes. */
ew_status ew_model_buckling(ew_model *model, const ew_modes_def *def, const ew_buckling **buckling);
/* As ew_model_recover, of a small displacement [n_vertex][3] on top of that of a nonlinear body, as
 * of a shape of its modes: strain, stress and reactions that it adds, without those there are.
 * EW_BAD_ARGUMENT for a linear body. */
ew_status ew_model_recover_shape(ew_model *model, const double *shape, const ew_fields **fields,
                                 const ew_sums **sums);

/* ---- what it cost ------------------------------------------------------------ */

/* Sums since the last ew_model_clear_report. */
typedef struct ew_model_report {
    int32_t n_commit;
    double seconds_choose; /* ew_model_queue and ew_model_apply */
    double seconds_commit; /* the mesh */
    double seconds_tables;
    double seconds_boundary;
    double seconds_follow;         /* sets, fields, constraints */
    double seconds_support;        /* under-constrained components */
    double seconds_matrix;         /* blocks, and a device's copy of the mesh */
    double seconds_records;        /* of tets of a nonlinear body: rotations, laws, moduli */
    double seconds_preconditioner; /* following edits; its set-up is in the solve */
    double seconds_loads;
    double seconds_solve;
    double seconds_recover;
    double seconds_estimate;
    double seconds_compact;
    int64_t touched_blocks; /* blocks of the stiffness recomputed after edits */
    int64_t built_blocks;   /* computed by builds of the whole matrix; their time, and that of
                               building   the tables at creation: */
    double seconds_built;
    double lost_force[3]; /* of the loads in place, on vertices and faces that edits took away */
} ew_model_report;
const ew_model_report *ew_model_view_report(const ew_model *model);
void ew_model_clear_report(ew_model *model);

EW_END_API
#endif
