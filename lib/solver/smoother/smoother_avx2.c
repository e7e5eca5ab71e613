/* The inner loops of the preconditioner for processors with AVX2: this file alone is compiled for
 * them (CMakeLists.txt), and called where the processor has them. Not for FMA, which has other bits
 * and gains nothing that could be measured. */
#include "solver/factor/substitution.h"
#include "solver/multilevel/intermediate_level_pass.h"
#include "solver/smoother/smoother_columns.h"

#ifdef __AVX2__
void ew_sweep_avx2(ew_sweep_kind kind, const ew_sweep *in)
{
    ew_sweep_any(kind, in);
}

void ew_columns_sweep_avx2(ew_sweep_kind kind, const ew_sweep *in)
{
    ew_columns_sweep_any(kind, in);
}

void ew_middle_avx2(ew_intermediate_stage stage, const ew_intermediate_task *task, int32_t which)
{
    ew_intermediate_any(stage, task, which);
}

void ew_substitute_avx2(const ew_block_cholesky *factor, ew_substitution_stage stage, int32_t which,
                        double *work)
{
    ew_substitute_any(factor, stage, which, work);
}
#endif
