/* Fuzzer of the reader of keyword decks, and of what it gives written as .msh and as .inp. */
#include "fuzz_format.h"

/* A file that includes itself, data alone, and none. */
static ew_status open_include(void *user, const char *name, ew_text *text)
{
    const ew_bytes *file = user;
    static const char data[] = "7, 1, 2, 3\n*NSET, NSET=in\n1, 2\n";
    if (*name != 'a' && *name != 'd') {
        return ew_fail(EW_IO, "line 1: %s: cannot be opened", name);
    }
    text->size = *name == 'a' ? file->size : sizeof data - 1;
    EW_TRY(ew_new(&text->data, text->size, 1));
    if (text->size) {
        memcpy(text->data, *name == 'a' ? file->data : data, text->size);
    }
    return EW_OK;
}

/* Written and read again; is_exact: without the rounding that could make a tet flat. */
static void write_again(const char *ending, bool is_exact, const ew_mesh *mesh,
                        const ew_groups *groups)
{
    ew_mesh again;
    ew_text text;
    ew_status status = ew_format_write_mesh(ew_format_of_name(ending), mesh, groups, true, &text);
    fuzz_require(status == EW_OK || status == EW_UNSUPPORTED || status == EW_BAD_INPUT ||
                 status == EW_LIMIT);
    if (status) {
        return;
    }
    const ew_bytes written = {text.data, text.size};
    status = ew_format_read_mesh(ew_format_of_name(ending), &(ew_mesh_input){.file = &written},
                                 &again, NULL, NULL);
    fuzz_require(status == EW_OK || !is_exact);
    if (!status) {
        fuzz_require(again.n_active_vertex == mesh->n_active_vertex && again.n_tet == mesh->n_tet);
        ew_mesh_free(&again);
    }
    ew_text_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ew_bytes file = {(const char *)data, size};
    const ew_mesh_input input = {&file, &file, open_include};
    ew_mesh mesh;
    ew_groups groups;
    const ew_status status =
        ew_format_read_mesh(ew_format_of_name(".inp"), &input, &mesh, NULL, &groups);
    if (status) {
        fuzz_check_message(status);
        return 0;
    }
    fuzz_check_mesh(&mesh);
    write_again(".msh", true, &mesh, &groups);
    write_again(".inp", false, &mesh, &groups);
    ew_groups_free(&groups);
    ew_mesh_free(&mesh);
    return 0;
}
