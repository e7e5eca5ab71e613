/* The keys of a case: the case as a whole, its steps, and what varies. */
#include "case/schema_keys.h"

/* clang-format off: a row a key */

/* ---- the case ------------------------------------------------------------------------------ */

static const ew_case_key root[] = {
    {.name = "mesh",
     .kind = EW_KEY_TEXT | EW_KEY_MAPPING,
     .of = &ew_section_surface_mesh,
     .or_of = &ew_section_file_mesh,
     .is_required = true,
     .help = "mesh file, CAD file or surface, beside the case"},
    {.name = "units",
     .kind = EW_KEY_MAPPING,
     .of = &ew_section_units,
     .help = "units of the case; numbers with a unit behind them are converted to these"},
    {.name = "elements",
     .kind = EW_KEY_CHOICE,
     .words = "linear quadratic mixed",
     .preset = "quadratic",
     .help = "kind of the tets; linear where the case has what refuses quadratic ones"},
    {.name = "kinematics",
     .kind = EW_KEY_CHOICE,
     .words = EW_KINEMATICS_NAMES,
     .preset = "small",
     .help = "size of rotations"},
    {.name = "parameters",
     .kind = EW_KEY_NAMES,
     .item = EW_KEY_NUMBER,
     .unit = EW_ANY_UNIT,
     .help = "names for numbers, which expressions of the case take"},
    {.name = "sweep",
     .kind = EW_KEY_MAPPING,
     .of = &ew_section_sweep,
     .help = "combinations of values of the parameters"},
    {.name = "optimise",
     .kind = EW_KEY_MAPPING,
     .of = &ew_section_search,
     .help = "search for the best values of parameters"},
    {.name = "material",
     .kind = EW_KEY_MAPPING | EW_KEY_LIST | EW_KEY_TEXT,
     .item = EW_KEY_MAPPING,
     .of = &ew_section_material,
     .is_required = true,
     .help = "one material, its name in the library, or one for each region"},
    {.name = "sets",
     .kind = EW_KEY_NAMES | EW_KEY_NOTHING,
     .item = EW_KEY_SET,
     .help = "named sets of vertices, faces or tets"},
    {.name = "surfaces", .kind = EW_KEY_NAMES | EW_KEY_NOTHING,
     .item = EW_KEY_MAPPING, .of = &ew_section_surface,
     .help = "fine surfaces that move with the tets, by name"},
    {.name = "amplitudes", .kind = EW_KEY_NAMES | EW_KEY_NOTHING, .item = EW_KEY_MAPPING,
     .of = &ew_section_amplitude,
     .help = "factors of time, by name"},
    {.name = "constraints", .kind = EW_KEY_LIST, .item = EW_KEY_MAPPING,
     .of = &ew_section_constraint, .help = "supports of all steps"},
    {.name = "equations", .kind = EW_KEY_LIST, .item = EW_KEY_MAPPING, .of = &ew_section_equation,
     .help = "linear equations between displacements, in all steps"},
    {.name = "couplings", .kind = EW_KEY_LIST, .item = EW_KEY_MAPPING, .of = &ew_section_coupling,
     .help = "sets that move with a reference point, in all steps"},
    {.name = "ties", .kind = EW_KEY_LIST, .item = EW_KEY_MAPPING, .of = &ew_section_tie,
     .help = "faces that move with others, of meshes that need not match, in all steps"},
    {.name = "cyclic", .kind = EW_KEY_MAPPING, .of = &ew_section_cyclic,
     .help = "the body is a sector of one that repeats itself round an axis"},
    {.name = "periodic", .kind = EW_KEY_MAPPING, .of = &ew_section_periodic,
     .help = "the body is a cell of one that repeats itself, with a mean strain"},
    {.name = "preload", .kind = EW_KEY_LIST, .item = EW_KEY_MAPPING, .of = &ew_section_preload,
     .help = "tension of bolts that are cut through"},
    {.name = "contact", .kind = EW_KEY_LIST | EW_KEY_TEXT, .item = EW_KEY_MAPPING,
     .of = &ew_section_contact, .help = "faces that may touch others, or 'all'"},
    {.name = "loads", .kind = EW_KEY_LIST, .item = EW_KEY_MAPPING, .of = &ew_section_load,
     .help = "loads of all steps"},
    {.name = "steps", .kind = EW_KEY_LIST, .item = EW_KEY_MAPPING, .of = &ew_section_step,
     .help = "analyses, one after the other; one static step unless given"},
    {.name = "combinations", .kind = EW_KEY_NAMES, .item = EW_KEY_VALUES,
     .help = "sums of linear static steps times factors, by name: {uls: {dead: 1.35, wind: 1.5}}"},
    {.name = "fatigue", .kind = EW_KEY_MAPPING, .of = &ew_section_fatigue,
     .help = "life under a history of steps, by the stress-life curves of the materials"},
    {.name = "envelope", .kind = EW_KEY_LIST | EW_KEY_TRUTH, .item = EW_KEY_TEXT,
     .help = "steps and combinations whose extremes are taken together; true: all"},
    {.name = "goals", .kind = EW_KEY_NAMES | EW_KEY_NOTHING, .item = EW_KEY_MAPPING,
     .of = &ew_section_goal, .help = "numbers that answers of linear static steps are wanted for, by name"},
    {.name = "output",
     .kind = EW_KEY_MAPPING,
     .of = &ew_section_output,
     .help = "saved fields and frames"},
    {.name = "under_constrained",
     .kind = EW_KEY_CHOICE,
     .words = "error leave_out",
     .preset = "error",
     .help = "treatment of under-constrained parts"},
};
SECTION(ew_case_root, "the case", root);

/* ---- steps --------------------------------------------------------------------------------- */

static const ew_case_key step[] = {
    {.name = "name", .kind = EW_KEY_TEXT,
     .help = "name in reports; the number of the step unless given"},
    {.name = "reset", .kind = EW_KEY_TRUTH, AT(ew_case_step, reset), .preset = "false",
     .help = "start from rest, without deformation"},
    {.name = "edit", .kind = EW_KEY_LIST, .item = EW_KEY_EDIT,
     .help = "edits of the mesh before the analysis"},
    {.name = "sets", .kind = EW_KEY_NAMES | EW_KEY_NOTHING, .item = EW_KEY_SET,
     .help = "sets that are made after the edits"},
    {.name = "static", .kind = EW_KEY_MAPPING | EW_KEY_NOTHING, .of = &ew_section_static,
     .help = "static analysis"},
    {.name = "dynamic", .kind = EW_KEY_MAPPING, .of = &ew_section_dynamic,
     .help = "motion in time"},
    {.name = "converge", .kind = EW_KEY_MAPPING | EW_KEY_NOTHING, .of = &ew_section_converge,
     .help = "refinement of a static step until a number converges"},
    {.name = "modes", .kind = EW_KEY_MAPPING | EW_KEY_NOTHING, .of = &ew_section_modes,
     .help = "vibration modes"},
    {.name = "buckling", .kind = EW_KEY_MAPPING | EW_KEY_NOTHING, .of = &ew_section_buckling,
     .help = "buckling factors of the static step before"},
    {.name = "harmonic", .kind = EW_KEY_MAPPING, .of = &ew_section_harmonic,
     .help = "amplitudes and phases under loads that vary harmonically, at frequencies"},
    {.name = "spectrum", .kind = EW_KEY_MAPPING, .of = &ew_section_spectrum,
     .help = "largest values by modes under a response spectrum of all supports"},
    {.name = "random", .kind = EW_KEY_MAPPING, .of = &ew_section_random,
     .help = "root mean squares by modes under a random motion of all supports"},
    {.name = "optimise", .kind = EW_KEY_MAPPING, .of = &ew_section_step_removal,
     .help = "removal of tets that carry little load"},
    {.name = "constraints", .kind = EW_KEY_LIST, .item = EW_KEY_MAPPING,
     .of = &ew_section_constraint, .help = "supports of this step; replaces those of the case"},
    {.name = "loads", .kind = EW_KEY_LIST, .item = EW_KEY_MAPPING, .of = &ew_section_load,
     .help = "loads of this step; replaces those of the case"},
    {.name = "rigid", .kind = EW_KEY_NAMES, .item = EW_KEY_MAPPING,
     .of = &ew_section_rigid_motion,
     .help = "motions of rigid bodies in this step, by name; in place of those of the contacts"},
};
SECTION(ew_section_step, "a step", step);

#define SOLVER                                                                                     \
    {.name = "tolerance", .kind = EW_KEY_NUMBER, WITHIN(EW_MIN_TOLERANCE, 1), .preset = "1e-8",    \
     .help = "residual of the linear solver relative to the load, below 1"},                       \
    {.name = "max_iterations", .kind = EW_KEY_INTEGER, WITHIN(1, INT32_MAX), .preset = "20000",    \
     .help = "iterations of the linear solver"},                                                   \
    {.name = "preconditioner", .kind = EW_KEY_CHOICE, .words = EW_PRECONDITIONER_NAMES,            \
     .preset = "auto", .help = "preconditioner of conjugate gradients"},                           \
    {.name = "solver", .kind = EW_KEY_CHOICE, .words = EW_SOLVER_NAMES, .preset = "cg",            \
     .help = "conjugate gradients or the direct solver"}
#define OPERATOR                                                                                   \
    {.name = "operator", .kind = EW_KEY_CHOICE, .words = EW_OPERATOR_NAMES, .preset = "stored",    \
     .help = "blocks of the matrix stored, or products from the tets"}
#define MASS(text)                                                                                 \
    {.name = "mass", .kind = EW_KEY_CHOICE, .words = "lumped consistent", .preset = text,          \
     .help = "mass matrix"}

static const ew_case_key static_step[] = {
    SOLVER,
    {.name = "energy_tolerance",
     .kind = EW_KEY_SHARE,
     .low = 0,
     .high = 1,
     .above = true,
     .help =
         "estimated error in the energy norm that is small enough after an edit of few tets, below "
         "1; without: the tolerance of the residual"},
    OPERATOR,
    {.name = "nonlinear",
     .kind = EW_KEY_MAPPING | EW_KEY_NOTHING,
     .of = &ew_section_nonlinear,
     .help = "load steps and Newton's method"},
};
SECTION(ew_section_static, "static", static_step);

#define NEWTON(type, iterations_of, halvings_of, tolerance_preset, iterations)                     \
    {.name = "tolerance", .kind = EW_KEY_NUMBER, WITHIN(EW_MIN_TOLERANCE, 1),                      \
     .preset = tolerance_preset,                                                                   \
     .help = "residual of Newton's method relative to the loads, below 1"},                        \
    {.name = "max_iterations", .kind = EW_KEY_INTEGER, AT(type, iterations_of),                    \
     WITHIN(1, 10000), .preset = iterations, .help = "iterations of Newton's method"},             \
    {.name = "halvings", .kind = EW_KEY_INTEGER, AT(type, halvings_of), WITHIN(0, 30),             \
     .preset = "6", .help = "halvings of a step that does not converge"},                          \
    {.name = "bound", .kind = EW_KEY_NUMBER, AT(type, bound), FROM(0), .preset = "0",              \
     .help = "relative change of a tet above which its blocks are computed again"}

static const ew_case_key nonlinear[] = {
    {.name = "steps", .kind = EW_KEY_INTEGER, AT(ew_nonlinear_def, n_step), WITHIN(1, 100000),
     .preset = "1", .help = "load steps"},
    NEWTON(ew_nonlinear_def, max_iterations, max_halvings, "1e-6", "25"),
    {.name = "line_search", .kind = EW_KEY_TRUTH, AT(ew_nonlinear_def, line_search),
     .preset = "true", .help = "line search in Newton's method"},
    {.name = "duration", .kind = EW_KEY_NUMBER, AT(ew_nonlinear_def, duration), .unit = "time",
     .preset = "0", .help = "time that all load steps take, for creep"},
};
SECTION(ew_section_nonlinear, "nonlinear", nonlinear);

static const ew_case_key newton[] = {
    NEWTON(ew_dynamics_def, newton_iterations, newton_halvings, NULL, "10"),
};
SECTION(ew_section_newton, "nonlinear", newton);

static const char *scheme_name(int32_t i)
{
    return i < EW_SCHEME_COUNT ? ew_scheme_of((ew_scheme_kind)i)->name : NULL;
}

static const ew_case_key dynamic[] = {
    {.name = "step", .kind = EW_KEY_NUMBER, .is_required = true, AT(ew_case_dynamic, step),
     ABOVE(0), .unit = "time", .help = "time step"},
    {.name = "end", .kind = EW_KEY_NUMBER, .unit = "time",
     .help = "time of the case at which the step ends; or `steps`"},
    {.name = "steps", .kind = EW_KEY_INTEGER, WITHIN(1, INT32_MAX / 2),
     .help = "number of time steps; or `end`"},
    {.name = "scheme", .kind = EW_KEY_CHOICE, .word_at = scheme_name, AT(ew_case_dynamic,
     def.scheme), .preset = "newmark", .help = "time-integration scheme"},
    {.name = "beta", .kind = EW_KEY_NUMBER, .help = "parameter of newmark"},
    {.name = "gamma", .kind = EW_KEY_NUMBER, .help = "parameter of newmark"},
    {.name = "alpha", .kind = EW_KEY_NUMBER, .help = "parameter of hht"},
    {.name = "spectral_radius", .kind = EW_KEY_NUMBER,
     .help = "parameter of generalized-alpha, 0 to 1"},
    {.name = "damping", .kind = EW_KEY_MAPPING, .of = &ew_section_damping,
     .help = "Rayleigh damping"},
    MASS("lumped"),
    {.name = "initial", .kind = EW_KEY_CHOICE | EW_KEY_MAPPING, .words = "previous rest",
     .of = &ew_section_initial, .help = "state at the start"},
    {.name = "output", .kind = EW_KEY_MAPPING, .of = &ew_section_dynamic_output,
     .help = "interval of saved results"},
    {.name = "probes", .kind = EW_KEY_LIST, .item = EW_KEY_SET | EW_KEY_MAPPING,
     .of = &ew_section_probe, .help = "sets whose motion is recorded each time step"},
    {.name = "edits", .kind = EW_KEY_LIST, .item = EW_KEY_EDIT, .of = &ew_section_timed,
     .help = "edits during the run, each with its time `at`"},
    OPERATOR,
    {.name = "nonlinear", .kind = EW_KEY_MAPPING | EW_KEY_NOTHING, .of = &ew_section_newton,
     .help = "Newton's method in each time step"},
    SOLVER,
};
SECTION(ew_section_dynamic, "dynamic", dynamic);

static const ew_case_key timed[] = {
    {.name = "at", .kind = EW_KEY_NUMBER, .is_required = true, .unit = "time",
     .help = "time of the edit"},
};
SECTION(ew_section_timed, "an edit", timed);

static const ew_case_key damping[] = {
    {.name = "mass", .what = "damping: mass", .kind = EW_KEY_NUMBER, AT(ew_dynamics_def,
     damping_mass), FROM(0), .unit = "1/time", .preset = "0", .help = "factor of the mass matrix"},
    {.name = "stiffness", .what = "damping: stiffness", .kind = EW_KEY_NUMBER, AT(ew_dynamics_def,
     damping_stiffness), FROM(0), .unit = "time", .preset = "0",
     .help = "factor of the stiffness matrix"},
};
SECTION(ew_section_damping, "damping", damping);

static const ew_case_key initial[] = {
    {.name = "from",
     .kind = EW_KEY_CHOICE | EW_KEY_MAPPING,
     .words = "previous rest",
     .of = &ew_section_from,
     .help = "the step before, rest, or a result"},
    {.name = "displacement",
     .kind = EW_KEY_MAPPING | EW_KEY_LIST,
     .item = EW_KEY_MAPPING,
     .of = &ew_section_initial_displacement,
     .help = "displacements of sets at the start"},
    {.name = "velocity",
     .kind = EW_KEY_MAPPING | EW_KEY_LIST,
     .item = EW_KEY_MAPPING,
     .of = &ew_section_initial_velocity,
     .help = "velocities of sets at the start"},
};
SECTION(ew_section_initial, "initial", initial);

static const ew_case_key from[] = {
    {.name = "result", .kind = EW_KEY_TEXT, .is_required = true, AT(ew_case_dynamic, start_file),
     .help = "result file"},
    {.name = "frame", .kind = EW_KEY_INTEGER, AT(ew_case_dynamic, start_frame), WITHIN(-1,
     INT32_MAX), .preset = "-1", .help = "its frame, from 0; -1 is the last"},
};
SECTION(ew_section_from, "from", from);

#define INITIAL(of)                                                                                \
    {                                                                                              \
        {.name = "set", .kind = EW_KEY_SET, .is_required = true, .help = "set of the value"},      \
        {                                                                                          \
            .name = "value", .kind = EW_KEY_VECTOR, .is_required = true, .unit = (of),             \
            .help = "its components"                                                               \
        }                                                                                          \
    }
static const ew_case_key initial_displacement[] = INITIAL("length");
SECTION(ew_section_initial_displacement, "initial", initial_displacement);
static const ew_case_key initial_velocity[] = INITIAL("length/time");
SECTION(ew_section_initial_velocity, "initial", initial_velocity);

static const ew_case_key dynamic_output[] = {
    {.name = "every", .kind = EW_KEY_INTEGER, AT(ew_case_dynamic, every), WITHIN(1, INT32_MAX / 2),
     .preset = "1", .help = "interval of saved time steps; the last is always saved"},
};
SECTION(ew_section_dynamic_output, "output", dynamic_output);

static const ew_case_key probe[] = {
    {.name = "name", .kind = EW_KEY_TEXT,
     .help = "name of the probe; that of the set unless given"},
    {.name = "set", .kind = EW_KEY_SET, .is_required = true,
     .help = "set whose motion is recorded"},
};
SECTION(ew_section_probe, "a probe", probe);

static const ew_case_key converge[] = {
    {.name = "peak", .kind = EW_KEY_CHOICE, .words = EW_CONVERGE_WORDS, .preset = "von_mises",
     .help = "number that is to converge, the largest of the set"},
    {.name = "on", .kind = EW_KEY_SET,
     .help = "set on which it is looked for and around which all tets are refined; the body unless "
             "given"},
    {.name = "until", .kind = EW_KEY_SHARE, AT(ew_case_converge, until), .low = 0, .high = 1,
     .above = true, .preset = "2 %",
     .help = "change in a round and to the extrapolated value at which it ends"},
    {.name = "max_rounds", .kind = EW_KEY_INTEGER, AT(ew_case_converge, max_rounds), WITHIN(2, 100),
     .preset = "8", .help = "rounds of refinement"},
    {.name = "max_tets", .kind = EW_KEY_INTEGER, AT(ew_case_converge, max_tets),
     WITHIN(1, INT32_MAX), .preset = "500000", .help = "tets"},
};
SECTION(ew_section_converge, "converge", converge);

static const ew_case_key modes[] = {
    {.name = "count", .kind = EW_KEY_INTEGER, WITHIN(1, EW_MAX_MODES), .preset = "10",
     .help = "number of modes"},
    MASS("consistent"),
    {.name = "nodal_diameters", .kind = EW_KEY_NUMBERS | EW_KEY_CHOICE, .words = "all",
     .help = "of a sector ('cyclic:'): so many modes for each of these numbers of waves round the axis, from 0 to "
             "half of the sectors"},
};
SECTION(ew_section_modes, "modes", modes);

static const ew_case_key buckling[] = {
    {.name = "count", .kind = EW_KEY_INTEGER, WITHIN(1, EW_MAX_MODES), .preset = "3",
     .help = "number of factors"},
};
SECTION(ew_section_buckling, "buckling", buckling);

static const ew_case_key step_removal[] = {
    {.name = "remove", .kind = EW_KEY_MAPPING, .is_required = true, .of = &ew_section_remove,
     .help = "element removal by strain energy"},
};
SECTION(ew_section_step_removal, "optimise (in a step)", step_removal);

#define PERCENT(sign) "it must be " sign " 0 and no more than 1 (100 %)"
static const ew_case_key remove_tets[] = {
    {.name = "volume", .kind = EW_KEY_SHARE, .is_required = true, AT(ew_case_remove, def.volume),
     .help = "share of the volume to keep, below 1"},
    {.name = "radius", .kind = EW_KEY_NUMBER, AT(ew_case_remove, def.radius), ABOVE(0),
     .unit = "length", .rule = "it must be greater than 0 (without it: twice the mean edge)",
     .help = "averaging length of sensitivities; twice the mean edge unless given"},
    {.name = "rate", .kind = EW_KEY_SHARE, AT(ew_case_remove, def.rate), .low = 0, .high = 1,
     .above = true, .preset = "0.02", .rule = PERCENT("above"),
     .help = "change of the volume from round to round"},
    {.name = "max_restored", .kind = EW_KEY_SHARE, AT(ew_case_remove, def.max_restored), WITHIN(0,
     1), .preset = "0.01", .rule = PERCENT("at least"),
     .help = "share of the volume that comes back in a round"},
    {.name = "until", .kind = EW_KEY_SHARE, AT(ew_case_remove, def.until), .low = 0, .high = 1,
     .above = true, .preset = "0.001", .rule = PERCENT("above"),
     .help = "change of the energy at which the removal ends"},
    {.name = "max_rounds", .kind = EW_KEY_INTEGER, AT(ew_case_remove, def.max_rounds), WITHIN(1,
     100000), .preset = "200", .help = "rounds"},
    {.name = "protect", .kind = EW_KEY_SET | EW_KEY_LIST, .item = EW_KEY_SET,
     .help = "sets of tets that are not removed"},
    {.name = "frames", .kind = EW_KEY_INTEGER, AT(ew_case_remove, frames), WITHIN(1, 100000),
     .help = "interval of saved rounds"},
};
SECTION(ew_section_remove, "remove", remove_tets);

static const ew_case_key enrich[] = {
    {.name = "set", .kind = EW_KEY_SET, .help = "set whose tets are switched"},
    {.name = "by", .kind = EW_KEY_CHOICE, .words = "error",
     .help = "tets with the largest estimated error"},
    {.name = "until", .kind = EW_KEY_SHARE, AT(ew_case_enrich, until), .low = 0, .high = 1,
     .above = true, .preset = "5 %",
     .help = "largest error of the other tets relative to the energy norm, below 1"},
    {.name = "order", .kind = EW_KEY_CHOICE, .words = EW_ENRICH_ORDERS, .preset = "quadratic",
     .help = "order of the tets"},
};
SECTION(ew_section_enrich, "enrich", enrich);

/* ---- what varies ----------------------------------------------------------------------------- */

static const ew_case_key sweep[] = {
    {.name = "list",
     .kind = EW_KEY_LIST,
     .item = EW_KEY_VALUES,
     .unit = EW_ANY_UNIT,
     .help = "combinations one by one"},
    {.name = "grid",
     .kind = EW_KEY_NAMES,
     .item = EW_KEY_NUMBERS | EW_KEY_MAPPING,
     .of = &ew_section_range,
     .unit = EW_ANY_UNIT,
     .help = "all combinations of values"},
    {.name = "csv",
     .kind = EW_KEY_TEXT | EW_KEY_MAPPING,
     .of = &ew_section_sweep_csv,
     .help = "rows of a file"},
    {.name = "latin", .kind = EW_KEY_MAPPING, .of = &ew_section_latin, .help = "Latin hypercube"},
    {.name = "start", .kind = EW_KEY_CHOICE, .words = EW_SWEEP_STARTS, .preset = "fresh",
     .help = "state that a combination starts from"},
    {.name = "report", .kind = EW_KEY_CHOICE, .words = EW_SWEEP_REPORTS, .preset = "fields",
     .help = "what records have: all; all but fields and the estimated error; goals alone"},
};
SECTION(ew_section_sweep, "sweep", sweep);

static const ew_case_key range[] = {
    {.name = "from",
     .kind = EW_KEY_NUMBER,
     .is_required = true,
     .unit = EW_ANY_UNIT,
     .help = "first value"},
    {.name = "to",
     .kind = EW_KEY_NUMBER,
     .is_required = true,
     .unit = EW_ANY_UNIT,
     .help = "last value"},
    {.name = "count",
     .kind = EW_KEY_INTEGER,
     .is_required = true,
     WITHIN(1, EW_MAX_COMBINATIONS),
     .help = "number of values"},
};
SECTION(ew_section_range, "grid", range);

static const ew_case_key sweep_csv[] = {
    {.name = "file", .kind = EW_KEY_TEXT, .is_required = true, .help = "file of columns"},
    {.name = "columns", .kind = EW_KEY_NAMES, .item = EW_KEY_TEXT,
     .help = "the column of each parameter"},
};
SECTION(ew_section_sweep_csv, "sweep: csv", sweep_csv);

static const ew_case_key latin[] = {
    {.name = "count",
     .kind = EW_KEY_INTEGER,
     .is_required = true,
     WITHIN(1, EW_MAX_COMBINATIONS),
     .help = "number of combinations"},
    {.name = "seed",
     .kind = EW_KEY_INTEGER,
     .low = 0,
     .high = 9e18,
     .preset = "0",
     .help = "seed of the random numbers"},
    {.name = "ranges",
     .kind = EW_KEY_NAMES,
     .item = EW_KEY_NUMBERS,
     .is_required = true,
     .unit = EW_ANY_UNIT,
     .help = "[least, greatest] of each parameter"},
};
SECTION(ew_section_latin, "sweep: latin", latin);

static const ew_case_key search[] = {
    {.name = "parameters",
     .kind = EW_KEY_NAMES,
     .item = EW_KEY_NUMBERS,
     .is_required = true,
     .unit = EW_ANY_UNIT,
     .help = "[least, greatest] of each parameter that may change"},
    {.name = "minimize",
     .kind = EW_KEY_TEXT,
     .help = "output to minimize: " EW_OUTPUTS ", or one of a set, OUTPUT of SET"},
    {.name = "maximize", .kind = EW_KEY_TEXT, .help = "output to maximize"},
    {.name = "limits",
     .kind = EW_KEY_NAMES,
     .item = EW_KEY_NUMBER | EW_KEY_MAPPING,
     .of = &ew_section_limit,
     .unit = EW_ANY_UNIT,
     .help = "bounds of outputs"},
    {.name = "method", .kind = EW_KEY_CHOICE, .words = EW_SEARCH_METHODS, .preset = "cobyla",
     .help = "method of the search; mma takes derivatives, from adjoints"},
    {.name = "evaluations", .kind = EW_KEY_INTEGER, WITHIN(1, EW_MAX_COMBINATIONS), .preset = "60",
     .help = "greatest number of solves"},
    {.name = "tolerance",
     .kind = EW_KEY_SHARE,
     .low = 0,
     .high = 1,
     .above = true,
     .preset = "0.001",
     .help = "share of the ranges at which the search ends, below 1"},
    {.name = "start",
     .kind = EW_KEY_CHOICE,
     .words = EW_SWEEP_STARTS,
     .preset = "warm",
     .help = "state that an evaluation starts from"},
};
SECTION(ew_section_search, "optimise", search);

static const ew_case_key limit[] = {
    {.name = "least",
     .kind = EW_KEY_NUMBER,
     AT(ew_case_limit, least),
     .unit = EW_ANY_UNIT,
     .help = "lower bound"},
    {.name = "most",
     .kind = EW_KEY_NUMBER,
     AT(ew_case_limit, most),
     .unit = EW_ANY_UNIT,
     .help = "upper bound"},
};
SECTION(ew_section_limit, "limits", limit);
