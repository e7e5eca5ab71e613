/* Fuzzer of the OBJ reader and of the check of a surface; of what is kept for pictures and written
 * again. */
#include "fuzz_format.h"

/* What was written is read again: the same faces, corners and groups. */
static void write_again(const ew_polygons *of)
{
    const ew_polygon_frame frame = {.polygons = of, .xyz = of->surface.xyz, .name = "fuzz"};
    ew_text text = {0};
    ew_polygons again;
    if (!ew_write_rib(&frame, &text)) {
        ew_text_free(&text);
    }
    if (ew_write_obj(&frame, &text)) {
        return;
    }
    const ew_status status = ew_format_read_polygons(
        ew_format_of_name(".obj"), &(ew_bytes){text.data, text.size}, &again, NULL);
    if (!status) {
        const size_t n = (size_t)of->n_corner * sizeof *of->vertex;
        fuzz_require(again.n_face == of->n_face && again.n_corner == of->n_corner);
        fuzz_require(!memcmp(again.vertex, of->vertex, n));
        fuzz_require(!memcmp(again.texture, of->texture, n));
        fuzz_require(again.n_line == of->n_line && again.text_size == of->text_size);
        ew_polygons_free(&again);
    } else {
        fuzz_require(status == EW_NO_MEMORY);
    }
    ew_text_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ew_polygons polygons;
    const ew_format *obj = ew_format_of_name(".obj");
    fuzz_surface(obj, data, size);
    const ew_status status =
        ew_format_read_polygons(obj, &(ew_bytes){(const char *)data, size}, &polygons, NULL);
    if (status) {
        fuzz_check_message(status);
        return 0;
    }
    for (int32_t k = 0; k < polygons.n_corner; k++) {
        fuzz_require(polygons.vertex[k] >= 0 && polygons.vertex[k] < polygons.surface.n_vertex);
        fuzz_require(polygons.texture[k] < polygons.n_texture);
        fuzz_require(polygons.normal[k] >= 0 && polygons.normal[k] < polygons.n_normal);
    }
    write_again(&polygons);
    ew_polygons_free(&polygons);
    return 0;
}
