/* Case files and results against the installed library: a result that is not there is refused. */
#include <edgewise/edgewise.h>
#include <edgewise/results.h>
#include <edgewise/study.h>

#include <stdio.h>

int main(void)
{
    const ew_study_def def = ew_default_study_def();
    ew_result_archive archive = {0};
    const ew_status status = ew_result_read_archive("absent.vtkhdf", &archive);
    printf("%s\n", ew_message());
    return status == EW_OK || def.verify_rebuild;
}
