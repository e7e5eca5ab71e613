/* Shared by the files that read a case. Private to case. */
#ifndef EW_CASE_READER_H
#define EW_CASE_READER_H

#include "cad/parts/cad.h"
#include "case/case.h"
#include "case/schema.h"
#include "case/units.h"
#include "case/yaml.h"
#include "format/parts/format.h"
#include "meshing/parts/meshing.h"
#include "model/parts/model.h"
#include "removal/parts/removal.h"

typedef struct ew_case_reader {
    ew_yaml yaml;
    ew_case *out;
    ew_arena_block *arena;
    int32_t set_capacity, node_capacity;
    ew_case_set *set; /* growing while read; owned by the reader */
    ew_set_node *node;
    const ew_case_def *def;
    bool has_groups;
    const ew_groups *groups;           /* of the mesh, once they were asked for; or null */
    bool may_miss;                     /* the set that is read may be empty */
    const struct ew_case_match *match; /* geometries that were found; the last first */
    int32_t step;                      /* under way; -1: the case's own part */
    bool in_edit;                      /* of that step */
    int32_t n_label;                   /* that edits gave to what they name */
} ew_case_reader;

#define EW_SET_KIND_WORDS   "vertices faces tets" /* as ew_set_kind */
#define EW_FATIGUE_SURFACES "ground machined hot_rolled forged"
#define EW_ENRICH_ORDERS    "linear quadratic"
enum { EW_MAX_MODES = 1000 }; /* a result file is not made for more */

/* Least tolerance of a residual, relative to the load: double precision has 16 digits. */
#define EW_MIN_TOLERANCE 1e-16
/* `tolerance:` of a mapping as a number < 1 and not below that; not there: as it was. */
ew_status ew_case_read_tolerance(ew_yaml *yaml, const yaml_node_t *mapping, double *tolerance);
/* `units:` of the case, and the values of all numbers with a unit. (quantities.c) */
ew_status ew_case_convert_quantities(ew_case_reader *reader);
/* `parameters:` of the case, and the values of all expressions. (parameters.c) */
ew_status ew_case_read_parameters(ew_case_reader *reader);
/* Each parameter that the mapping names is in some value of the case: varied otherwise in vain. */
ew_status ew_case_expect_read(ew_case_reader *reader, const yaml_node_t *names);
/* `optimise:` of the case; null is none. (search.c) */
ew_status ew_case_read_search(ew_case_reader *reader, const yaml_node_t *node);
/* `start:` of either, null is `preset` where the body allows it. */
ew_status ew_case_read_sweep_start(ew_case_reader *reader, const yaml_node_t *node,
                                   ew_sweep_start preset);
/* `sweep:` of the case; null is none. (sweep.c) */
ew_status ew_case_read_sweep(ew_case_reader *reader, const yaml_node_t *node);
/* `mesh: {file: ...}` and `mesh: {surface: ...}`; then how the unit of the file goes with `units:`,
 * which may be null. (cad.c) */
ew_status ew_case_read_mesh_file(ew_case_reader *reader, const yaml_node_t *node);
ew_status ew_case_read_surface_mesh(ew_case_reader *reader, const yaml_node_t *node);
ew_status ew_case_unit_of_mesh(ew_case_reader *reader, const yaml_node_t *mesh,
                               const yaml_node_t *units);

/* `sets:` of the case, forward references allowed; null is none. */
ew_status ew_case_read_sets(ew_case_reader *reader, const yaml_node_t *sets);
/* `sets:` of a step, one after the other. */
ew_status ew_case_read_step_sets(ew_case_reader *reader, const yaml_node_t *sets,
                                 ew_case_step *step);
/* A set of this name of what has a label in the mesh after the step's edits: of faces, or of
 * vertices where these lie in the body. is_given: the label, by the case. */
ew_status ew_case_name_surface(ew_case_reader *reader, const yaml_node_t *place, const char *name,
                               int32_t label, bool is_given, ew_set_kind of, ew_case_step *step);
/* Sets of the faces on both sides of a section that the case parts a bolt at, by a name and that
 * with ", far side" behind it; and what they are in a step that parts it, whose faces get a label
 * that is counted. */
ew_status ew_case_add_sides(ew_case_reader *reader, const yaml_node_t *place, const char *name,
                            ew_case_tie *bolt);
ew_status ew_case_define_sides(ew_case_reader *reader, const ew_case_tie *bolt, int32_t label,
                               ew_case_step *step);
/* The value of a `set:` key: a name, or an expression that becomes a set without a name. */
ew_status ew_case_read_set_use(ew_case_reader *reader, const yaml_node_t *node, const char *what,
                               int32_t *set);
/* A set without a name of the boundary faces in a plane, found in each step that uses it. */
ew_status ew_case_add_plane(ew_case_reader *reader, const yaml_node_t *place, const double point[3],
                            const double normal[3], int32_t *set);
/* Refuses a set of tets for a load that acts on faces, or for a foundation, which acts on them as a
 * pressure does. */
ew_status ew_case_expect_kind(const ew_case_reader *reader, const yaml_node_t *node,
                              const char *what, int32_t set, ew_load_kind kind);

/* The name that is wanted for a set, with a number behind it where another set has it. A set with a
 * name of its own does not make room for one that was given in place of a name (is_unnamed), which
 * is called otherwise once the name is needed. */
ew_status ew_case_free_name(ew_case_reader *reader, const char *wanted, bool is_unnamed,
                            const char **name);
ew_status ew_case_new_set(ew_case_reader *reader, const char *name, const yaml_node_t *place,
                          int32_t *set);
/* Named groups of the mesh's file and its geometry; null: none. (geometry.c) */
ew_status ew_case_groups(ew_case_reader *reader, const ew_groups **groups);
/* A group as a set of the case: *set is -1 where
 * there is none of this name. kind: of several with this name the one to take, EW_ANY_KIND: they
 * are refused. (groups.c) */
ew_status ew_case_find_group(ew_case_reader *reader, const yaml_node_t *node, const char *name,
                             int32_t kind, int32_t *set);
/* The label of the face or solid that a mapping describes. may_miss: where none or several fit,
 * *is_found is false, and a note of the case tells why. (geometry.c) */
ew_status ew_case_read_geometry(ew_case_reader *reader, const yaml_node_t *node, bool is_solid,
                                bool may_miss, int32_t *label, bool *is_found);
/* A note where a number is that of a face or solid of a CAD file. */
ew_status ew_case_note_number(ew_case_reader *reader, const yaml_node_t *node, bool is_solid,
                              int32_t label);
/* A number, a name or a geometry of a region or a surface. */
ew_status ew_case_read_label(ew_case_reader *reader, const yaml_node_t *node, const char *what,
                             int32_t *label);

/* The word of a set expression that selects: "plane", "union". (expressions.c) */
const char *ew_case_selecting_word(ew_case_reader *reader, const yaml_node_t *node);
/* A set expression into nodes (expressions.c). kind: what selections in it are unless they say
 * so themselves, EW_ANY_KIND: as comes naturally. */
enum { EW_ANY_KIND = -1 };
ew_status ew_case_read_expression(ew_case_reader *reader, const yaml_node_t *node, const char *what,
                                  int32_t kind, int32_t *root);
ew_status ew_case_new_node(ew_case_reader *reader, const yaml_node_t *place, int32_t *node);
/* The index of the named set of the case, made so far; -1: none. (set_lists.c) */
int32_t ew_case_set_named(const ew_case_reader *reader, const char *name);
/* The set or the group of the mesh of this name, made so far. (set_names.c) */
ew_status ew_case_find_set(ew_case_reader *reader, const yaml_node_t *node, const char *what,
                           int32_t *set);
/* Fills `of` in the nodes from this one down; mixed kinds are refused (set_kinds.c). */
ew_status ew_case_resolve_kinds(ew_case_reader *reader, int32_t node);
ew_status ew_case_refuse_cycles(const ew_case_reader *reader);

/* A selection in space from the single entry kind: value. Keys of all kinds: EW_SELECTOR_KEYS. */
#define EW_SELECTOR_KEYS "box sphere cylinder plane side nearest region surface ids all"
ew_status ew_case_read_selector(ew_case_reader *reader, const yaml_node_t *key,
                                const yaml_node_t *value, ew_selector *selector);
/* The material of the library that a node names, in the units of the case. (library.c) */
ew_status ew_case_read_library(ew_case_reader *reader, const yaml_node_t *node,
                               ew_case_material *out);
/* `material:` of the case. (materials.c) */
ew_status ew_case_read_materials(ew_case_reader *reader, const yaml_node_t *node);
/* `constraints:` of the case or of a step. */
ew_status ew_case_read_constraints(ew_case_reader *reader, const yaml_node_t *list, int32_t *n,
                                   ew_case_constraint **out);
/* `equations:` of the case; null is none. (equations.c) */
ew_status ew_case_read_equations(ew_case_reader *reader, const yaml_node_t *list);
/* `couplings:` of the case; null is none. (couplings.c) */
ew_status ew_case_read_couplings(ew_case_reader *reader, const yaml_node_t *list);
/* `ties:`, `cyclic:`, `periodic:` and behind them `preload:` of the case. (ties.c) */
ew_status ew_case_read_ties(ew_case_reader *reader, const yaml_node_t *root);
/* Once steps are read: edits of those that begin with the mesh of the case part its bolts. */
ew_status ew_case_part_bolts(ew_case_reader *reader);
/* Steps in which a sector or a cell does not stand for the whole body. */
ew_status ew_case_check_images(const ew_case *input);
/* `contact:` of the case, null is none; no step and nothing else of the case is beyond it.
 * (contact.c) */
ew_status ew_case_read_contacts(ew_case_reader *reader, const yaml_node_t *node);
ew_status ew_case_check_contacts(const ew_case *input);
/* `rigid:` of a contact, and of a step. (rigid.c) */
ew_status ew_case_read_rigid(ew_case_reader *reader, const yaml_node_t *node, ew_case_rigid *out);
ew_status ew_case_read_rigid_motions(ew_case_reader *reader, const yaml_node_t *node,
                                     ew_case_step *step);
/* `loads:` of the case or of a step. */
ew_status ew_case_read_loads(ew_case_reader *reader, const yaml_node_t *list, int32_t *n,
                             ew_case_load **out);
/* A force or a temperature on nodes, which `at` or `nodes` of a load names; value: that of its key.
 * (load_nodes.c) */
ew_status ew_case_read_load_nodes(ew_case_reader *reader, const yaml_node_t *node, const char *key,
                                  ew_load_kind kind, const yaml_node_t *value, ew_case_load *out);
ew_status ew_case_refuse_axes(const yaml_node_t *axes, const char *key);
/* `surfaces:` of the case; null is none. And the key `surface` of a load, whose kind, that of the
 * key, is known. (surfaces.c) */
ew_status ew_case_read_surfaces(ew_case_reader *reader, const yaml_node_t *node);
ew_status ew_case_read_load_surface(ew_case_reader *reader, const yaml_node_t *node,
                                    const char *key, ew_case_load *load);
/* `edit:` of a step. */
ew_status ew_case_read_enrich(ew_case_reader *reader, const yaml_node_t *node, ew_case_enrich *out);
ew_status ew_case_read_edits(ew_case_reader *reader, const yaml_node_t *list, ew_case_step *step);
/* An item of such a list: a mapping with the name of one operation, and beside it at most the key
 * `beside` ("" is none). */
ew_status ew_case_read_edit(ew_case_reader *reader, const yaml_node_t *item, const char *beside,
                            ew_case_edit *edit);
/* `amplitudes:` of the case; null is none. Names, then what `amplitude:` beside a load or a
 * constraint says: *amplitude -1 without it. (amplitudes.c) */
ew_status ew_case_read_amplitudes(ew_case_reader *reader, const yaml_node_t *node);
ew_status ew_case_read_amplitude_use(ew_case_reader *reader, const yaml_node_t *node,
                                     int32_t *amplitude);
/* `dynamic:` of a step. (dynamic.c) */
ew_status ew_case_read_dynamic(ew_case_reader *reader, const yaml_node_t *node, ew_case_step *step);
/* Its end, its records, and whether its edits lie in it, once its start is known. */
ew_status ew_case_place_dynamic(ew_case *input, ew_case_step *step);
/* Settings of a solver by the keys of a step's analysis. Settings that are not given stay
 * alone; 'solver: cholesky' takes no preconditioner. (solver.c) */
ew_status ew_case_read_solver(ew_case_reader *reader, const yaml_node_t *node, ew_pcg_def *def);
/* No step forgets what flowed in those before it. */
ew_status ew_case_check_laws(const ew_case *input);
/* The law of a material, if it has one. (laws.c) */
ew_status ew_case_read_law(ew_case_reader *reader, const yaml_node_t *node, ew_material *material);
/* `nonlinear:` of a static step. (nonlinear.c) */
ew_status ew_case_read_nonlinear(ew_case_reader *reader, const yaml_node_t *node,
                                 ew_case_step *step);
/* `nonlinear:` of a dynamic one. */
ew_status ew_case_read_newton(ew_case_reader *reader, const yaml_node_t *node, ew_case_step *step,
                              ew_dynamics_def *def);
/* `kinematics:` of the case, once its steps are read: what does not go with it is refused. */
ew_status ew_case_read_kinematics(ew_case_reader *reader, const yaml_node_t *node);
/* `output:` of the case; null is none. (output.c) */
ew_status ew_case_read_output(ew_case_reader *reader, const yaml_node_t *node, ew_case_output *out);
/* Paths, probes and sections of it. (places.c) */
ew_status ew_case_read_places(ew_case_reader *reader, const yaml_node_t *node, ew_case_output *out);
/* Sections and linearized stress where no step has any. */
ew_status ew_case_check_places(const ew_case *input);
/* `operator` of an analysis, stored without one; where it is matrix-free what needs stored blocks
 * is refused. with: its preconditioner or direct solver. (operator.c) */
ew_status ew_case_read_operator(ew_case_reader *reader, const yaml_node_t *analysis,
                                ew_preconditioner_kind with, ew_operator_kind *kind);
/* `optimise:` of a step: {remove: ...}; and what does not go with it, once all is read.
 * (remove.c) */
ew_status ew_case_read_remove(ew_case_reader *reader, const yaml_node_t *node, ew_case_step *step);
ew_status ew_case_check_remove(const ew_case *input);
/* How many steps `combinations:` and `envelope:` add; these, behind those of the case, for which
 * there is room; and what does not go with them, once all is read. (combinations.c) */
int32_t ew_case_count_combined(ew_case_reader *reader);
/* -1: there is none of this name. */
int32_t ew_case_step_named(const ew_case *input, const char *name);
/* The message that none is, with those that are; combined: combinations count, too. */
ew_status ew_case_fail_no_step(const ew_case *input, const yaml_node_t *node, const char *what,
                               bool combined, const char *name);
/* From step `first` on nothing changes the body or the sets, up to step n. what: as messages begin.
 */
ew_status ew_case_check_same_body(const ew_case_reader *reader, const yaml_node_t *place,
                                  const char *what, int32_t first, int32_t n);
ew_status ew_case_read_combinations(ew_case_reader *reader);
/* The last step, behind the n_own of the list of steps and others. */
ew_status ew_case_read_envelope(ew_case_reader *reader, const yaml_node_t *node, int32_t n_own);
ew_status ew_case_check_combinations(const ew_case *input);

/* `fatigue:` of a material, null where it has none, whose strengths and units are known; of the
 * case, a step more, behind the n_own of its list and the combinations; and what does not go with
 * it, once all is read. (fatigue.c) */
ew_status ew_case_read_fatigue_curve(ew_case_reader *reader, const yaml_node_t *node,
                                     ew_case_material *material);
ew_status ew_case_read_fatigue(ew_case_reader *reader, const yaml_node_t *node, int32_t n_own);
ew_status ew_case_check_fatigue(const ew_case *input);
/* Keys of the first one. */
typedef struct ew_case_fatigue_keys {
    double strength, knee, knee_exponent, survival, scatter; /* strain.exponent of the curve */
    ew_fatigue_curve curve;
} ew_case_fatigue_keys;

/* `converge:` of a step; null is all defaults; and what does not go with it, once all is read.
 * (converge.c) */
ew_status ew_case_read_converge(ew_case_reader *reader, const yaml_node_t *node,
                                ew_case_step *step);
ew_status ew_case_check_converge(const ew_case *input);
/* `harmonic:`, `spectrum:` or `random:` of a step. (response.c) */
ew_status ew_case_read_response(ew_case_reader *reader, ew_response_kind kind,
                                const yaml_node_t *node, ew_case_step *step);
/* `modes:` and `buckling:` of a step; null is all defaults. (modes.c) */
ew_status ew_case_read_modes(ew_case_reader *reader, const yaml_node_t *node, ew_case_step *step);
ew_status ew_case_read_buckling(ew_case_reader *reader, const yaml_node_t *node,
                                ew_case_step *step);
/* `goals:` of the case; null is none. What derivatives, and a sweep with `report: goals`, do not go
 * with. (goals.c) */
ew_status ew_case_read_goals(ew_case_reader *reader, const yaml_node_t *node);
ew_status ew_case_check_derivatives(const ew_case *input);
ew_status ew_case_check_report(const ew_case *input);
/* An axis: x, y, z or a vector of length > 0. (axis.c) */
ew_status ew_case_read_axis(ew_case_reader *reader, const yaml_node_t *node, const char *what,
                            double axis[3]);
/* `axes:`: {x: [..], y: [..]} or {cylinder: {point: [..], axis: z}}. (supports.c) */
ew_status ew_case_read_axes(ew_case_reader *reader, const yaml_node_t *node, ew_axes *axes);

#endif
