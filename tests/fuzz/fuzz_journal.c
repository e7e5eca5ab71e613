/* Fuzzer of the edit journal, replayed by a study: any bytes end in a message or in a mesh that
 * keeps its rules. */
#include "shape/parts/shape.h"
#include "study/run/run.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char text[] = "mesh: part.mesh\n"
                           "material: {young: 1, poisson: 0}\n"
                           "sets: {wall: {surface: 1}, end: {box: [[1, 0, 0], [2, 1, 1]]}}\n"
                           "loads: [{set: end, total_force: [1, 0, 0]}]\n"
                           "steps: [{name: edits, edit: [{smooth: {}}]}]\n";

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

/* Each record is read past its head or refused in its place. */
static void read_records(const uint8_t *data, size_t size)
{
    ew_edit edit = {0};
    ew_list tet = {0};
    ew_status status = EW_OK;
    for (size_t offset = 0; offset < size && !status;) {
        const size_t before = offset;
        int32_t code = 0;
        ew_journal_kind kind;
        status = ew_journal_next(data, size, &offset, &edit, &tet, &code, &kind);
        require(status ? offset == before : offset > before && offset <= size);
    }
    ew_edit_free(&edit);
    ew_list_free(&tet);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const double side[3] = {2, 1, 1};
    const int32_t cells[3] = {2, 1, 1};
    ew_case one;
    ew_mesh mesh;
    void *journal[1];
    const ew_study_def def = ew_default_study_def();
    read_records(data, size);
    require(ew_case_read(text, strlen(text), &one) == EW_OK);
    require(ew_shape_box(&mesh, side, cells) == EW_OK);
    require(ew_new(&journal[0], size, 1) == EW_OK);
    if (size) {
        memcpy(journal[0], data, size);
    }
    const ew_result_archive archive = {.n_step = 1, .journal_bytes = &size, .journal = journal};
    const ew_status status = ew_study_run(&one, &mesh, &def, NULL, &archive);
    require(!status || !strpbrk(ew_message(), "\n\r"));
    require(ew_mesh_check(&mesh) == EW_OK);
    ew_release(journal[0]);
    ew_mesh_free(&mesh);
    ew_case_free(&one);
    return 0;
}
