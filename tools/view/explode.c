/* All tets of a body in a picture. In: points, tets and numbers. Out: arrays, of which the page
 * makes the sides of each tet, apart from those of others. */
#include "explode.h"

#include <stdio.h>

ew_status view_read_explode(const cJSON *command, bool *on)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(command, "on");
    if (!cJSON_IsBool(item)) {
        return ew_fail(EW_BAD_INPUT, "explode: 'on' must be true or false");
    }
    *on = cJSON_IsTrue(item);
    return EW_OK;
}

static ew_status add(view_writer *writer, const view_tets *tets, const char *name, const char *type,
                     int32_t rows, int32_t columns, const void *data)
{
    char own[64];
    snprintf(own, sizeof own, "%sexploded_%s", tets->prefix, name);
    return view_writer_add(writer, own, type, rows, columns, data);
}

ew_status view_writer_add_tets(view_writer *writer, const view_tets *tets, bool whole)
{
    const size_t n = 3 * (size_t)tets->n_point;
    for (size_t i = 0; i < n; i++) {
        tets->position_room[i] = (float)tets->xyz[i];
        tets->displacement_room[i] = tets->displacement ? (float)tets->displacement[i] : 0.0f;
    }
    EW_TRY(add(writer, tets, "displacement", "f4", tets->n_point, 3, tets->displacement_room));
    EW_TRY(tets->at_corners ? add(writer, tets, "corner_value", "f4", tets->n_tet, 4, tets->value)
                            : add(writer, tets, "value", "f4", tets->n_point, 1, tets->value));
    if (!whole) {
        return EW_OK;
    }
    EW_TRY(add(writer, tets, "position", "f4", tets->n_point, 3, tets->position_room));
    EW_TRY(add(writer, tets, "tet", "i4", tets->n_tet, 4, tets->tet));
    EW_TRY(add(writer, tets, "region", "i4", tets->n_tet, 1, tets->region));
    return add(writer, tets, "id", "i4", tets->n_tet, 1, tets->id);
}
