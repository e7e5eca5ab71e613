/* `operator` of a static or dynamic analysis: the node of the analysis in, the kind out. */
#include "case/reader.h"

ew_status ew_case_read_operator(ew_case_reader *reader, const yaml_node_t *analysis,
                                ew_preconditioner_kind with, ew_operator_kind *kind)
{
    const yaml_node_t *value = ew_yaml_find(&reader->yaml, analysis, "operator");
    int32_t choice = EW_STORED;
    if (value) {
        EW_TRY(ew_yaml_choice(value, "operator", EW_OPERATOR_NAMES, &choice));
    }
    *kind = (ew_operator_kind)choice;
    if (*kind == EW_MATRIX_FREE && (with == EW_RIGID || with == EW_CHOLESKY)) {
        return ew_yaml_fail(value,
                            "operator: matrix-free has no stored blocks, which %s needs; use "
                            "preconditioner: jacobi, block-jacobi or auto, or operator: stored",
                            ew_preconditioner_name(with));
    }
    return EW_OK;
}
