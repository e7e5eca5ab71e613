/* The case of a SOFA scene. In: a body and what acts on it, already words; material, mass, time
 * integration and solver of the scene. Out: the text of the case. */
#include "element/parts/element.h"
#include "scene/internal.h"

#include <math.h>
#include <string.h>

/* ---- material --------------------------------------------------------------------------- */

static ew_status read_elastic(sofa *s, double *young, double *poisson)
{
    const char *method = xml_find(&s->tree, s->elastic, "method");
    double *list = NULL;
    int32_t n = 0;
    EW_TRY(sofa_list(s, s->elastic, "youngModulus", &list, &n));
    *young = n ? list[0] : 0.0;
    bool varies = false;
    for (int32_t i = 1; i < n; i++) {
        varies = varies || list[i] != list[0];
    }
    ew_release(list);
    *poisson = NAN;
    EW_TRY(sofa_number(s, s->elastic, "poissonRatio", poisson));
    if (!(*young > 0.0) || !(*poisson > -1.0 && *poisson <= EW_MAX_POISSON)) {
        return sofa_fail(s, s->elastic,
                         "needs youngModulus > 0 and poissonRatio between -1 and %.8f",
                         EW_MAX_POISSON);
    }
    if (varies) {
        sofa_note(s, s->elastic, "youngModulus varies from tet to tet; the first value is taken");
    }
    if (!method || strcmp(method, "small") != 0) {
        sofa_note(s, s->elastic,
                  "method '%.20s' turns with the body; here displacements are small ones, as of "
                  "method 'small'",
                  method ? method : "large");
    }
    return EW_OK;
}

static ew_status read_mass(sofa *s, double *density, bool *consistent)
{
    const int32_t mass = sofa_in_scope(s, "UniformMass DiagonalMass MeshMatrixMass");
    double total = 0.0, each = 0.0;
    *density = 0.0;
    *consistent = false;
    if (mass < 0) {
        return sofa_fail(s, s->elastic,
                         "no mass: neither UniformMass nor DiagonalMass nor "
                         "MeshMatrixMass in its Node or one around it");
    }
    EW_TRY(sofa_number(s, mass, "totalMass", &total));
    EW_TRY(sofa_number(s, mass, "totalmass", &total));
    EW_TRY(sofa_number(s, mass, "vertexMass", &each));
    EW_TRY(sofa_number(s, mass, "mass", &each));
    EW_TRY(sofa_number(s, mass, "massDensity", density));
    total = total == 0.0 ? each * s->mesh.n_active_vertex : total;
    if (total == 0.0 && *density == 0.0) {
        total = 1.0;
        sofa_note(s, mass, "no mass is given; taken as 1 in all");
    }
    *density = total != 0.0 ? total / s->volume : *density;
    if (!(*density > 0.0)) {
        return sofa_fail(s, mass, "its mass must be greater than 0");
    }
    if (sofa_is(s, mass, "UniformMass")) {
        sofa_note(s, mass, "the same mass at each point there; here by the volume around it");
    }
    const char *lumping = xml_find(&s->tree, mass, "lumping");
    *consistent = sofa_is(s, mass, "MeshMatrixMass") &&
                  !(lumping && (!strcmp(lumping, "1") || !strcmp(lumping, "true")));
    return EW_OK;
}

/* ---- integration in time ------------------------------------------------------------------ */

static bool is_true(const sofa *s, int32_t element, const char *attribute, bool preset)
{
    const char *value = xml_find(&s->tree, element, attribute);
    return value ? !strcmp(value, "1") || !strcmp(value, "true") : preset;
}

static const char *read_scheme(sofa *s, int32_t solver)
{
    if (solver < 0) {
        sofa_note(s, s->elastic, "no time integration that is read; implicit Euler is taken");
        return "implicit-euler";
    }
    if (sofa_is(s, solver, "NewmarkImplicitSolver")) {
        return "newmark";
    }
    if (sofa_is(s, solver, "EulerImplicitSolver EulerImplicit")) {
        return is_true(s, solver, "trapezoidalScheme", false) ? "newmark" : "implicit-euler";
    }
    if (is_true(s, solver, "symplectic", true)) {
        sofa_note(s, solver,
                  "symplectic Euler is read as central difference, which has the same "
                  "positions but for the start");
        return "central-difference";
    }
    return "explicit-euler";
}

static ew_status put_dynamics(sofa *s, bool consistent, ew_case_entry *to)
{
    const int32_t solver = sofa_in_scope(s, "EulerImplicitSolver EulerImplicit EulerExplicitSolver "
                                            "EulerSolver NewmarkImplicitSolver");
    double dt = 0.01, damping[2] = {0, 0}, parameter[2] = {0.25, 0.5};
    EW_TRY(sofa_number(s, 0, "dt", &dt));
    if (!(dt > 0.0)) {
        return sofa_fail(s, 0, "dt is %g; it must be greater than 0", dt);
    }
    if (solver >= 0) {
        EW_TRY(sofa_number(s, solver, "rayleighMass", &damping[0]));
        EW_TRY(sofa_number(s, solver, "rayleighStiffness", &damping[1]));
        EW_TRY(sofa_number(s, solver, "beta", &parameter[0]));
        EW_TRY(sofa_number(s, solver, "gamma", &parameter[1]));
    }
    ew_case_add_number(to, "step", dt);
    ew_case_comment(ew_case_add_integer(to, "steps", s->def->n_step),
                    "a scene runs until it is stopped");
    ew_case_add_text(to, "scheme", read_scheme(s, solver));
    if (solver >= 0 && sofa_is(s, solver, "NewmarkImplicitSolver")) {
        ew_case_add_number(to, "beta", parameter[0]);
        ew_case_add_number(to, "gamma", parameter[1]);
    }
    ew_case_entry *rayleigh = ew_case_add_mapping(to, "damping");
    ew_case_add_number(rayleigh, "mass", damping[0]);
    ew_case_add_number(rayleigh, "stiffness", damping[1]);
    ew_case_add_text(to, "mass", consistent ? "consistent" : "lumped");
    ew_case_add_integer(ew_case_add_mapping(to, "output"), "every", 10);
    return EW_OK;
}

/* Iterations are no bound here: SOFA goes on from what is left over. */
static ew_status put_tolerance(sofa *s, ew_case_entry *to)
{
    const int32_t linear = sofa_in_scope(s, "CGLinearSolver");
    double tolerance = 1e-8;
    if (linear >= 0) {
        EW_TRY(sofa_number(s, linear, "tolerance", &tolerance));
        if (xml_find(&s->tree, linear, "iterations")) {
            sofa_note(s, linear, "iterations: a solve goes on until the tolerance is reached");
        }
        const double kept = fmin(fmax(tolerance, 1e-10), 1e-4);
        if (kept != tolerance) {
            sofa_note(s, linear, "tolerance %g is taken as %g", tolerance, kept);
        }
        tolerance = kept;
    }
    ew_case_add_number(to, "tolerance", tolerance);
    return EW_OK;
}

static ew_status put_steps(sofa *s, bool consistent, ew_case_entry *steps)
{
    const bool is_static = sofa_in_scope(s, "StaticSolver StaticEquilibriumSolver") >= 0;
    ew_case_entry *step = ew_case_add_mapping(steps, NULL);
    ew_case_add_text(step, "name", is_static ? "equilibrium" : "motion");
    ew_case_entry *to = ew_case_add_mapping(step, is_static ? "static" : "dynamic");
    EW_TRY(is_static ? EW_OK : put_dynamics(s, consistent, to));
    return put_tolerance(s, to);
}

/* ---- the case ---------------------------------------------------------------------------------
 */

ew_status sofa_write_case(sofa *s, ew_text *text)
{
    double young, poisson, density;
    bool consistent;
    ew_case_entry *root = ew_case_draft_root(s->draft);
    EW_TRY(read_elastic(s, &young, &poisson));
    EW_TRY(read_mass(s, &density, &consistent));
    ew_case_add_text(root, "mesh", s->def->mesh_name);
    ew_case_add_text(root, "elements", "linear");
    ew_case_entry *material = ew_case_add_mapping(root, "material");
    ew_case_add_number(material, "young", young);
    ew_case_add_number(material, "poisson", poisson);
    ew_case_add_number(material, "density", density);
    EW_TRY(put_steps(s, consistent, ew_case_add_list(root, "steps")));
    if (s->n_surface) {
        ew_case_add_text(ew_case_add_mapping(root, "output"), "surfaces", "obj");
    }
    sofa_list_the_rest(s);
    EW_TRY(s->notes.status);
    scene_put_head(s->draft, "SOFA scene", s->def->scene_name, &s->notes);
    const ew_status status = ew_case_draft_write(s->draft, text);
    return status ? ew_fail_line(status, 1) : EW_OK;
}
