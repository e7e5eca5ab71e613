/* Keys that other programs have. In: an unknown key, and where it stands. Out: what stands for it
 * in a case. */
#include "case/yaml.h"

#include <string.h>

static const struct {
    const char *where, *words, *remedy;
} foreign[] = {
    {"the case", "contacts contact_pairs friction",
     "contact is 'contact: all', or a list: '- {slave: pin, master: bore, friction: 0.1}'"},
    {"the case", "tie bond bonded glue interfaces",
     "what moves as one body is 'ties: [{slave: pad, master: plate}]'; 'edgewise add' welds "
     "another mesh on"},
    {"the case", "boundary_conditions boundaries boundary bc bcs supports fixed fix",
     "supports stand in a list under 'constraints': '- {set: wall, displacement: [0, 0, 0]}'"},
    {"the case", "forces force pressure gravity weight",
     "it stands in a list under 'loads': '- {set: tip, total_force: [0, 0, -1]}'"},
    {"the case", "solver solution analysis procedure static dynamic modes",
     "what is solved stands in a list under 'steps': '- {name: bent, static: {}}'"},
    {"a constraint", "fixed fix clamp clamped encastre pinned support u",
     "a support is 'displacement: [0, 0, 0]', with ~ for a component that is free"},
    {"a constraint", "x y z ux uy uz dx dy dz",
     "components stand in a list: 'displacement: [0, ~, ~]' fixes x alone"},
    {"a constraint", "force total_force pressure traction moment gravity",
     "loads stand under 'loads'"},
    {"a load", "displacement displacements", "prescribed displacements stand under 'constraints'"},
    {"a load", "torque", "a torque is 'moment: [0, 0, 1]' on a set of faces"},
    {"a load", "weight acceleration self_weight",
     "weight is 'gravity: [0, 0, -9.81]', without a set"},
    {"a load", "heat flux convection heat_flux",
     "temperatures are given, not computed: 'temperature: {change: 20}'"},
    {"a step", "type analysis kind procedure",
     "the kind of a step is a key of its own: 'static: {}', 'dynamic: {...}' or 'modes: {count: "
     "10}'"},
    {"a step", "modal eigenmodes eigenvalues frequency frequencies vibration",
     "vibration modes are 'modes: {count: 10}'"},
    {"a step", "transient time explicit implicit",
     "motion in time is 'dynamic: {step: 1e-4, end: 0.1}'"},
    {"material", "E elasticity modulus youngs_modulus young_modulus elastic",
     "Young's modulus is 'young'"},
    {"material", "nu v poisson_ratio poissons_ratio", "Poisson's ratio is 'poisson'"},
    {"material", "rho mass", "the density is 'density'"},
    {"material", "alpha thermal_expansion", "thermal expansion is 'expansion'"},
    {"material", "tensile_strength strength ultimate ultimate_stress",
     "what the safety is by is 'yield_strength' and 'ultimate_strength'"},
    {"material", "yield yield_stress hardening plasticity",
     "what yields is 'plastic: {yield_stress: 250, hardening: 1000}'; what the safety is by is "
     "'yield_strength'"},
};

static bool is_in(const char *word, const char *words)
{
    const size_t length = strlen(word);
    for (; *words; words += strcspn(words, " "), words += strspn(words, " ")) {
        if (strcspn(words, " ") == length && !strncmp(word, words, length)) {
            return true;
        }
    }
    return false;
}

const char *ew_yaml_foreign_key(const char *where, const char *word)
{
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        if (!strcmp(where, foreign[i].where) && is_in(word, foreign[i].words)) {
            return foreign[i].remedy;
        }
    }
    return NULL;
}
