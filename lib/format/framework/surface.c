/* Memory and labels of a surface that is read. In: counts, names. Out: arrays, labels with
 * their names. */
#include "format/framework/surface.h"

ew_status ew_surface_allocate(ew_surface *surface, int64_t n_vertex, int64_t n_triangle)
{
    if (n_vertex > INT32_MAX || n_triangle > INT32_MAX) {
        return ew_fail(EW_LIMIT, "surface of %lld vertices and %lld triangles; at most %d of each",
                       (long long)n_vertex, (long long)n_triangle, INT32_MAX);
    }
    EW_TRY(ew_new(&surface->xyz, 3 * (size_t)n_vertex, sizeof *surface->xyz));
    EW_TRY(ew_new(&surface->triangle, 3 * (size_t)n_triangle, sizeof *surface->triangle));
    EW_TRY(ew_new(&surface->label, (size_t)n_triangle, sizeof *surface->label));
    surface->n_vertex = (int32_t)n_vertex;
    surface->n_triangle = (int32_t)n_triangle;
    for (int32_t i = 0; i < surface->n_triangle; i++) {
        surface->label[i] = 1;
    }
    return EW_OK;
}

ew_status ew_surface_name_label(ew_groups *groups, const char *text, size_t size, int32_t *n_label,
                                int32_t *label)
{
    char raw[EW_GROUP_NAME], name[EW_GROUP_NAME];
    const size_t n = size < sizeof raw ? size : sizeof raw - 1;
    for (size_t i = 0; i < n; i++) {
        raw[i] = text[i] ? text[i] : ' ';
    }
    raw[n] = 0;
    ew_group_clean_name(raw, name);
    const ew_group *there = *name ? ew_groups_find(groups, EW_GROUP_FACES, name) : NULL;
    *label = there ? there->label : ++*n_label;
    return there || !*name ? EW_OK : ew_groups_name_label(groups, EW_GROUP_FACES, *label, name);
}
