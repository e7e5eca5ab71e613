/* Fuzzer of the reader of SOFA scenes: whatever the bytes, a message or a case that is read. */
#include "scene/scene.h"
#include "study/study.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ew_scene_def def = ew_default_scene_def();
    ew_scene scene;
    ew_case input;
    if (ew_scene_read((const char *)data, size, &def, &scene)) {
        return 0;
    }
    if (ew_mesh_check(&scene.mesh) || scene.text.size != strlen(scene.text.data) ||
        memchr(scene.notes.data, 0, scene.notes.size)) {
        abort();
    }
    /* what is too much for a case, or out of the range of a key, is told by the case */
    if (!ew_case_read(scene.text.data, scene.text.size, &input)) {
        ew_case_free(&input);
    }
    ew_scene_free(&scene);
    return 0;
}
