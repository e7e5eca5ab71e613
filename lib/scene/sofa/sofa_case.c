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

static void put_scheme(sofa *s, int32_t solver, words *to)
{
    if (solver < 0) {
        sofa_note(s, s->elastic, "no time integration that is read; implicit Euler is taken");
        words_add(to, "implicit-euler");
    } else if (sofa_is(s, solver, "NewmarkImplicitSolver")) {
        words_add(to, "newmark");
    } else if (sofa_is(s, solver, "EulerImplicitSolver EulerImplicit")) {
        words_add(to,
                  is_true(s, solver, "trapezoidalScheme", false) ? "newmark" : "implicit-euler");
    } else if (is_true(s, solver, "symplectic", true)) {
        sofa_note(s, solver,
                  "symplectic Euler is read as central difference, which has the same "
                  "positions but for the start");
        words_add(to, "central-difference");
    } else {
        words_add(to, "explicit-euler");
    }
}

static ew_status put_dynamics(sofa *s, bool consistent, words *to)
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
    words_add(to, "  - name: motion\n    dynamic:\n      step: ");
    words_add_number(to, dt);
    words_add(to, "\n      steps: %d   # a scene runs until it is stopped\n      scheme: ",
              s->def->n_step);
    put_scheme(s, solver, to);
    if (solver >= 0 && sofa_is(s, solver, "NewmarkImplicitSolver")) {
        words_add(to, "\n      beta: ");
        words_add_number(to, parameter[0]);
        words_add(to, "\n      gamma: ");
        words_add_number(to, parameter[1]);
    }
    words_add(to, "\n      damping: {mass: ");
    words_add_number(to, damping[0]);
    words_add(to, ", stiffness: ");
    words_add_number(to, damping[1]);
    words_add(to, "}\n      mass: %s\n      output: {every: 10}\n",
              consistent ? "consistent" : "lumped");
    return EW_OK;
}

/* Iterations are no bound here: SOFA goes on from what is left over. */
static ew_status put_tolerance(sofa *s, const char *indent, words *to)
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
    words_add(to, "%stolerance: ", indent);
    words_add_number(to, tolerance);
    words_add(to, "\n");
    return EW_OK;
}

static ew_status put_steps(sofa *s, bool consistent, words *to)
{
    const bool is_static = sofa_in_scope(s, "StaticSolver StaticEquilibriumSolver") >= 0;
    if (is_static) {
        words_add(to, "  - name: equilibrium\n    static:\n");
        return put_tolerance(s, "      ", to);
    }
    EW_TRY(put_dynamics(s, consistent, to));
    return put_tolerance(s, "      ", to);
}

/* ---- the case ---------------------------------------------------------------------------------
 */

static ew_status put_gravity(sofa *s)
{
    double gravity[3] = {0.0, -9.81, 0.0};
    int32_t n;
    words all = {0};
    EW_TRY(sofa_numbers(s, 0, "gravity", 3, 3, gravity, &n));
    if (gravity[0] != 0.0 || gravity[1] != 0.0 || gravity[2] != 0.0) {
        words_add(&all, "  - {gravity: ");
        words_add_vector(&all, gravity, 3);
        words_add(&all, "}\n");
    }
    words_join(&all, &s->loads);
    const ew_status status = all.status;
    ew_release(s->loads.text);
    s->loads = all;
    return status;
}

static void put_section(words *to, const char *head, const words *from)
{
    if (from->n) {
        words_add(to, "%s:\n", head);
    }
    words_join(to, from);
}

static void put_head(const sofa *s, words *to)
{
    words_add(to, "# Made from a SOFA scene, ");
    words_add_quoted(to, s->def->scene_name);
    words_add(to, ", by edgewise convert.%s\n",
              s->n_note ? " Left out, or read in another way:" : "");
    for (const char *at = s->notes.n ? s->notes.text : ""; *at;) {
        const size_t n = strcspn(at, "\n");
        words_add(to, "#   %.*s\n", (int)n, at);
        at += n + (at[n] == '\n');
    }
}

ew_status sofa_write_case(sofa *s, words *to)
{
    double young, poisson, density;
    bool consistent;
    words steps = {0};
    EW_TRY(read_elastic(s, &young, &poisson));
    EW_TRY(read_mass(s, &density, &consistent));
    EW_TRY(put_gravity(s));
    ew_status status = put_steps(s, consistent, &steps);
    sofa_list_the_rest(s);
    put_head(s, to);
    words_add(to, "mesh: ");
    words_add_quoted(to, s->def->mesh_name);
    words_add(to, "\nmaterial: {young: ");
    words_add_number(to, young);
    words_add(to, ", poisson: ");
    words_add_number(to, poisson);
    words_add(to, ", density: ");
    words_add_number(to, density);
    words_add(to, "}\n");
    put_section(to, "sets", &s->sets);
    put_section(to, "surfaces", &s->surfaces);
    put_section(to, "amplitudes", &s->amplitudes);
    put_section(to, "constraints", &s->constraints);
    put_section(to, "loads", &s->loads);
    put_section(to, "steps", &steps);
    words_add(to, s->n_surface ? "output: {surfaces: obj}\n" : "");
    ew_release(steps.text);
    status = status ? status : to->status;
    return status ? status : s->notes.status;
}
