/* Fuzzer of the edit journal, record by record, and of the commits that its records ask for: any
 * bytes end in a message or in a mesh that keeps its rules. */
#include "study/run.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

static ew_status apply(ew_run *run, bool compact)
{
    if (compact) {
        EW_TRY(ew_mesh_compact(run->mesh, NULL, false, NULL, NULL));
        ew_topology_free(&run->topology);
        return ew_topology_build(&run->topology, run->mesh);
    }
    EW_TRY(ew_mesh_commit(run->mesh, &run->edit, &run->topology.vertex_to_tet, &run->change));
    return ew_topology_update(&run->topology, run->mesh, &run->change);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const double side[3] = {2, 1, 1};
    const int32_t cells[3] = {2, 1, 1};
    ew_mesh mesh = {0};
    ew_run run = {.mesh = &mesh};
    require(ew_shape_box(&mesh, side, cells) == EW_OK);
    require(ew_topology_build(&run.topology, &mesh) == EW_OK);
    ew_status status = EW_OK;
    for (size_t offset = 0; offset < size && !status;) {
        const size_t before = offset;
        ew_case_edit_kind kind = EW_EDIT_MOVE;
        bool compact = false;
        status = ew_journal_next(data, size, &offset, &run, &kind, &compact);
        require(status ? offset == before : offset > before && offset <= size);
        if (!status) {
            status = apply(&run, compact);
        }
    }
    require(ew_mesh_check(&mesh) == EW_OK);
    require(ew_topology_check(&run.topology, &mesh) == EW_OK);
    ew_edit_free(&run.edit);
    ew_change_free(&run.change);
    ew_list_free(&run.source);
    ew_topology_free(&run.topology);
    ew_mesh_free(&mesh);
    return 0;
}
