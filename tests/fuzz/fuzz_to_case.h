/* Decks that become cases: whatever the text is, it is refused with its line, or its case reads. */
#include "fuzz_format.h"
#include "scene/scene.h"
#include "study/study.h"

static inline ew_status read_groups(void *user, const ew_case *input, const ew_groups **groups)
{
    (void)input;
    *groups = user;
    return EW_OK;
}

/* What a case refuses may come from a deck: constants, times. */
static inline int fuzz_to_case(ew_status (*read)(const ew_mesh_input *, const ew_scene_def *,
                                                 ew_scene *),
                               const uint8_t *data, size_t size)
{
    const ew_bytes file = {(const char *)data, size};
    const ew_mesh_input input = {.file = &file};
    const ew_scene_def def = ew_default_scene_def();
    ew_scene scene;
    ew_status status = read(&input, &def, &scene);
    if (status) {
        fuzz_check_message(status);
        return 0;
    }
    fuzz_check_mesh(&scene.mesh);
    const ew_case_def with = {.user = &scene.groups, .read_groups = read_groups};
    ew_case made;
    status = ew_case_read_with(scene.text.data, scene.text.size, &with, &made);
    if (!status) {
        ew_case_free(&made);
    } else {
        fuzz_check_message(status);
    }
    ew_scene_free(&scene);
    return 0;
}
