/* Settings of a solver. In: the mapping of an analysis. Out: a definition. */
#include "case/reader.h"

/* The two keys that choose a solver. */
static ew_status read_kind(ew_yaml *yaml, const yaml_node_t *node, ew_preconditioner_kind *kind)
{
    const yaml_node_t *solver = ew_yaml_find(yaml, node, "solver");
    const yaml_node_t *preconditioner = ew_yaml_find(yaml, node, "preconditioner");
    int32_t choice = 0;
    if (solver) {
        EW_TRY(ew_yaml_choice(solver, "solver", EW_SOLVER_NAMES, &choice));
    }
    if (choice && preconditioner) {
        return ew_yaml_fail(preconditioner, "preconditioner: 'solver: cholesky' takes none; remove "
                                            "one of the two");
    }
    if (choice) {
        *kind = EW_CHOLESKY;
    } else if (preconditioner) {
        EW_TRY(ew_yaml_choice(preconditioner, "preconditioner", EW_PRECONDITIONER_NAMES, &choice));
        *kind = (ew_preconditioner_kind)choice;
    }
    return EW_OK;
}

ew_status ew_case_read_tolerance(ew_yaml *yaml, const yaml_node_t *mapping, double *tolerance)
{
    const yaml_node_t *value = ew_yaml_find(yaml, mapping, "tolerance");
    double number = *tolerance;
    EW_TRY(value ? ew_yaml_number(value, "tolerance", &number) : EW_OK);
    if (value && number > 0.0 && number < EW_MIN_TOLERANCE) {
        return ew_yaml_fail(value,
                            "tolerance is %g, and double precision resolves no residual below "
                            "%g of the load; most solves reach 1e-12",
                            number, EW_MIN_TOLERANCE);
    }
    if (value && !(number > 0.0 && number < 1.0)) {
        return ew_yaml_fail(value, "tolerance is %g; it must be > 0 and < 1", number);
    }
    *tolerance = number;
    return EW_OK;
}

ew_status ew_case_read_solver(ew_case_reader *reader, const yaml_node_t *node, ew_pcg_def *def)
{
    ew_yaml *yaml = &reader->yaml;
    const yaml_node_t *value;
    EW_TRY(ew_case_read_tolerance(yaml, node, &def->tolerance));
    if ((value = ew_yaml_find(yaml, node, "max_iterations"))) {
        int64_t n;
        EW_TRY(ew_yaml_integer(value, "max_iterations", 1, INT32_MAX, &n));
        def->max_iterations = (int32_t)n;
    }
    return read_kind(yaml, node, &def->preconditioner);
}
