/* The kind of tets that a body has before its first edit. In: the case, its mesh, what the run asks
 * for in the case's place. Out: quadratic or not, and why not where quadratic ones are the default.
 *
 * The default depends on case and mesh alone, and on no device or memory of a machine: a case has
 * the same answer everywhere. */
#include "study/run/run.h"

/* Above, a solve of quadratic tets takes more memory than many machines have: 1.8 kB for each where
 * they are many (bench/ORDER.md). The text of the refusal has what that comes to. */
enum { MAX_TETS = 3000000 };

static bool is_matrix_free(const ew_case *input, int32_t operator_kind)
{
    bool any = operator_kind == EW_MATRIX_FREE;
    for (int32_t s = 0; s < input->n_step && operator_kind < 0; s++) {
        any = any || input->step[s].operator_kind == EW_MATRIX_FREE;
    }
    return any;
}

static bool turns(int32_t n, const ew_case_constraint *constraint)
{
    bool any = false;
    for (int32_t i = 0; i < n; i++) {
        any = any || (constraint[i].amplitude >= 0 && constraint[i].axes.kind == EW_AXES_CYLINDER);
    }
    return any;
}

/* Why quadratic tets would be refused, null: they are taken. */
static const char *find_refusal(const ew_case *input, int32_t operator_kind)
{
    const char *why = is_matrix_free(input, operator_kind)
                          ? "'operator: matrix-free' multiplies by linear ones"
                          : NULL;
    for (int32_t s = 0; s < input->n_step && !why; s++) {
        const ew_case_step *step = &input->step[s];
        if (step->dynamic && step->dynamic->start == EW_START_RESULT) {
            why = "a result that motion starts from has no velocity of edges";
        } else if (step->dynamic &&
                   (step->own_constraints ? turns(step->n_constraint, step->constraint)
                                          : turns(input->n_constraint, input->constraint))) {
            why = "an amplitude moves a support along the axes of a cylinder, other ones at each "
                  "place";
        }
    }
    return why;
}

static bool is_enriched(const ew_case *input)
{
    bool any = false;
    for (int32_t s = 0; s < input->n_step; s++) {
        for (int32_t e = 0; e < input->step[s].n_edit; e++) {
            const ew_case_edit *edit = &input->step[s].edit[e];
            any = any || (edit->operation == &ew_enrich_edit && edit->enrich.quadratic);
        }
    }
    return any;
}

bool ew_study_begins_quadratic(const ew_study_def *def, const ew_case *input, const ew_mesh *mesh,
                               const char **why_linear)
{
    const char *why = NULL;
    bool quadratic = input->quadratic || (mesh->has_middles && !input->has_order);
    if (!quadratic && !input->has_order && def->quadratic >= 0) {
        quadratic = def->quadratic;
    } else if (!quadratic && !input->has_order) {
        why = is_enriched(input)            ? "'enrich' says which become quadratic"
              : mesh->n_live_tet > MAX_TETS ? "more than 3,000,000 quadratic ones take an estimated "
                                              "5.4 GB of memory, or more"
                                            : find_refusal(input, def->operator_kind);
        quadratic = !why;
    }
    if (why_linear) {
        *why_linear = why;
    }
    return quadratic;
}
