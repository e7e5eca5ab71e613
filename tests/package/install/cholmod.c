/* The direct solver against the installed library: it is there, and is told by its name. */
#include <edgewise/cholmod.h>
#include <edgewise/parts.h>

#include <stdio.h>

int main(void)
{
    ew_pcg_def def = ew_default_pcg_def();
    def.preconditioner = EW_CHOLESKY;
    const ew_status without = ew_pcg_def_check(&def);
    def.direct = ew_direct_solver();
    printf("%s\n", ew_preconditioner_name(def.preconditioner));
    return without != EW_UNSUPPORTED || ew_pcg_def_check(&def);
}
