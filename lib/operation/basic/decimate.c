/* Removes a share of the tets. In: mesh and order. Out: removals of exactly the nearest count,
 * lowest key first: minus the centroid's coordinate, a random number, or a given value.
 * Ties go by tet_id, for a study renumbers the slots and must choose as it does from a file. */
#include "operation/framework/internal.h"

#include <math.h>
#include <string.h>

static ew_status check(const ew_mesh *mesh, const ew_decimate_def *def, double axis[3],
                       int32_t *region)
{
    if (!(def->fraction > 0.0 && def->fraction <= 1.0)) {
        return ew_fail(EW_BAD_ARGUMENT, "decimate: fraction %g must be > 0 and <= 1",
                       def->fraction);
    }
    *region = -1;
    switch (def->order) {
    case EW_DECIMATE_REGION:
        EW_TRY(ew_need_region("decimate", mesh, def->region, region));
        return ew_need_unit("decimate", "axis", def->axis, axis);
    case EW_DECIMATE_AXIS:
        return ew_need_unit("decimate", "axis", def->axis, axis);
    case EW_DECIMATE_ENERGY:
        if (!def->value) {
            return ew_fail(EW_BAD_ARGUMENT, "decimate: order energy needs a value for each tet");
        }
        return EW_OK;
    case EW_DECIMATE_RANDOM:
        return EW_OK;
    }
    return ew_fail(EW_BAD_ARGUMENT, "decimate: order %d does not exist", (int)def->order);
}

static double key_of(const ew_mesh *mesh, const ew_decimate_def *def, const double axis[3],
                     int32_t t)
{
    if (def->order == EW_DECIMATE_RANDOM) {
        /* The lowest of independent random keys are a shuffle's first; 53 bits are exact. */
        return (double)(ew_random_at(def->seed, (uint64_t)mesh->tet_id[t]) >> 11);
    }
    if (def->order == EW_DECIMATE_ENERGY) {
        return def->value[t];
    }
    double c[3];
    ew_mesh_tet_centroid(mesh, t, c);
    return -(c[0] * axis[0] + c[1] * axis[1] + c[2] * axis[2]);
}

/* The tets that may go, *n of them of *n_all. */
static ew_status rank(const ew_mesh *mesh, const ew_decimate_def *def, ew_keyed *list, int32_t *n,
                      int32_t *n_all)
{
    double axis[3];
    int32_t region;
    EW_TRY(check(mesh, def, axis, &region));
    *n = *n_all = 0;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (!ew_mesh_tet_is_live(mesh, t) || (region >= 0 && mesh->region[t] != region)) {
            continue;
        }
        (*n_all)++;
        if (def->keep && ew_set_has(def->keep, t)) {
            continue;
        }
        double key = key_of(mesh, def, axis, t);
        if (isnan(key)) {
            return ew_fail(EW_BAD_ARGUMENT, "decimate: the value of tet %lld is not a number",
                           (long long)mesh->tet_id[t]);
        }
        list[(*n)++] = (ew_keyed){key, mesh->tet_id[t], t};
    }
    return EW_OK;
}

ew_status ew_operation_decimate(const ew_mesh *mesh, const ew_decimate_def *def, ew_edit *edit)
{
    ew_status status;
    ew_keyed *list = NULL;
    int32_t n = 0, n_all = 0;
    EW_TRY(ew_need_empty("decimate", edit));
    EW_TRY(ew_need_tets("decimate", mesh));
    EW_TRY_OUT(ew_new(&list, (size_t)mesh->n_live_tet, sizeof *list));
    EW_TRY_OUT(rank(mesh, def, list, &n, &n_all));
    const int32_t count = (int32_t)lround(def->fraction * n_all);
    if (count > n) {
        status = ew_fail(EW_BAD_INPUT,
                         "decimate: %d of %d tets are to go, but %d are protected; a fraction of "
                         "at most %.4g is left",
                         count, n_all, n_all - n, floor(1e4 * n / n_all) / 1e4);
        goto out;
    }
    ew_lowest_first(list, n, count);
    for (int32_t i = 0; i < count; i++) {
        EW_TRY_OUT(ew_edit_remove_tet(edit, list[i].slot));
    }
    ew_list_sort(&edit->remove_tet);
out:
    ew_release(list);
    if (status) {
        ew_edit_clear(edit);
    }
    return status;
}

/* ---- its place in the table -------------------------------------------- */

enum { FRACTION, AXIS, ORDER, SEED, REGION, PROTECT, N_PARAMETER };

static const ew_parameter parameters[N_PARAMETER] = {
    [FRACTION] = {.key = "fraction",
                  .kind = EW_PARAMETER_NUMBER,
                  .preset = "0.5",
                  .high = 1,
                  .above = true,
                  .argument = "F",
                  .help = "share of the tets to remove"},
    [AXIS] = {.key = "axis",
              .kind = EW_PARAMETER_AXIS,
              .preset = "x",
              .with = "order",
              .when = "axis region",
              .argument = "AXIS",
              .help = "x, y, z or a vector: the far end goes first"},
    [ORDER] = {.key = "order",
               .kind = EW_PARAMETER_CHOICE,
               .preset = "axis",
               .words = "axis random region energy", /* as ew_decimate_order */
               .argument = "HOW",
               .help = "axis, random, region (axis within it), or energy in a case"},
    [SEED] = {.key = "seed",
              .kind = EW_PARAMETER_SEED,
              .preset = "1",
              .with = "order",
              .when = "random",
              .argument = "N",
              .help = "seed of the random order"},
    [REGION] = {.key = "region",
                .kind = EW_PARAMETER_REGION,
                .need = EW_REQUIRED,
                .with = "order",
                .when = "region",
                .argument = "LABEL",
                .help = "for order region"},
    [PROTECT] = {.key = "protect",
                 .kind = EW_PARAMETER_PROTECTED,
                 .argument = "SETS",
                 .help = "sets of tets that are not removed"},
};

static ew_status queue_values(const ew_operation_input *in, ew_edit *edit)
{
    const ew_parameter_value *of = in->values->of;
    ew_decimate_def def = {.fraction = of[FRACTION].number[0],
                           .order = (ew_decimate_order)of[ORDER].whole,
                           .seed = (uint64_t)of[SEED].whole,
                           .region = (int32_t)of[REGION].whole,
                           .value = in->tet_value,
                           .keep = in->keep};
    memcpy(def.axis, of[AXIS].number, sizeof def.axis);
    if (def.order == EW_DECIMATE_ENERGY && !def.value) {
        return ew_fail(EW_BAD_INPUT, "decimate by energy needs a solved step right before it");
    }
    return ew_operation_decimate(in->mesh, &def, edit);
}

const ew_operation ew_decimate_operation = {
    .name = "decimate",
    .summary = "remove a fraction of the tets",
    .example = "part.mesh --fraction 0.5 --axis y -o half.mesh",
    .file_code = 0,
    .n_parameter = N_PARAMETER,
    .parameter = parameters,
    .queue = queue_values,
};
