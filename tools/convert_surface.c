/* edgewise convert IN OUT.stl or OUT.obj: the surface of a body, closed, smoothed where that is
 * asked for. */
#include "meshing/parts/meshing.h"
#include "tool.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool convert_is_surface(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (!strcasecmp(dot, ".stl") || !strcasecmp(dot, ".obj"));
}

/* A label by the name of its group, or by its number. */
static ew_status find_label(const ew_surface *surface, const ew_groups *groups, const char *word,
                            int32_t *label)
{
    char *end;
    const ew_group *group = ew_groups_find(groups, EW_GROUP_FACES, word);
    const long number = strtol(word, &end, 10);
    *label = group ? group->label : (int32_t)number;
    for (int32_t i = 0; i < surface->n_triangle && (group || !*end); i++) {
        if (surface->label[i] == *label) {
            return EW_OK;
        }
    }
    return ew_fail(EW_BAD_ARGUMENT,
                   "convert: --keep: the surface has no triangles '%.60s'; 'edgewise info' lists "
                   "labels and names",
                   word);
}

/* Without --keep: all with a label. keep: is cut up. */
static ew_status choose_kept(const ew_surface *surface, const ew_groups *groups, char *keep,
                             bool *is_kept)
{
    for (int32_t i = 0; i < surface->n_triangle; i++) {
        is_kept[i] = !keep && surface->label[i] != EW_NO_LABEL;
    }
    for (char *word = keep ? strtok(keep, ",") : NULL; word; word = strtok(NULL, ",")) {
        int32_t label;
        if (!strcmp(word, "none")) {
            continue;
        }
        EW_TRY(find_label(surface, groups, word, &label));
        for (int32_t i = 0; i < surface->n_triangle; i++) {
            is_kept[i] = is_kept[i] || surface->label[i] == label;
        }
    }
    return EW_OK;
}

static ew_status smooth(ew_surface *surface, const ew_groups *groups, const char *keep,
                        int32_t n_pass, double volume)
{
    int32_t n_moved;
    bool *is_kept = NULL;
    char *words = NULL, text[32];
    EW_TRY(ew_new(&is_kept, (size_t)surface->n_triangle + 1, sizeof *is_kept));
    ew_status status = keep ? ew_new(&words, strlen(keep) + 1, 1) : EW_OK;
    if (!status) {
        words = keep ? strcpy(words, keep) : NULL;
        status = choose_kept(surface, groups, words, is_kept);
    }
    status = status ? status : ew_surface_smooth(surface, n_pass, is_kept, volume, &n_moved);
    if (!status && n_moved == 0) {
        printf(
            "nothing is smoothed: all triangles have a label, and stay; give --keep none, or those "
            "that are to stay\n");
    } else if (!status) {
        printf("smoothed: %s vertices moved, volume %.8g after, %.8g before\n",
               tool_count(n_moved, text), ew_surface_volume(surface), volume);
    }
    ew_release(words);
    ew_release(is_kept);
    return status;
}

static ew_status write(const char *out, const ew_surface *surface, const ew_groups *groups)
{
    const char *dot = strrchr(out, '.');
    ew_text text = {0};
    EW_TRY(!strcasecmp(dot, ".stl") ? ew_surface_write_stl(surface, &text)
                                    : ew_surface_write_obj(surface, groups, &text));
    const ew_status status = tool_write_file(out, &text);
    ew_text_free(&text);
    return status;
}

/* Parts of the body that no face joins: each is a closed surface, or more with cavities. */
static ew_status count_parts(const ew_mesh *mesh, int32_t *n)
{
    ew_topology topology = {0};
    int32_t *component = NULL;
    EW_TRY(ew_new(&component, (size_t)mesh->n_tet + 1, sizeof *component));
    ew_status status = ew_topology_build(&topology, mesh);
    status = status ? status : ew_topology_components(&topology, mesh, component, n);
    ew_topology_free(&topology);
    ew_release(component);
    return status;
}

static ew_status convert(const char *out, const ew_mesh *mesh, const ew_groups *groups,
                         int32_t n_pass, const char *keep)
{
    ew_surface surface = {0};
    ew_skin_report report;
    ew_mesh_measure measure;
    char vertices[32], triangles[32];
    int32_t n_part = 1;
    ew_mesh_take_measure(mesh, &measure);
    EW_TRY(count_parts(mesh, &n_part));
    EW_TRY(ew_skin_take(mesh, &surface, &report));
    ew_status status = n_pass > 0 ? smooth(&surface, groups, keep, n_pass, measure.volume) : EW_OK;
    status = status ? status : write(out, &surface, groups);
    if (!status) {
        printf("%s: %s vertices, %s triangles, closed", out, tool_count(surface.n_vertex, vertices),
               tool_count(surface.n_triangle, triangles));
        if (report.n_copy || report.n_split) {
            printf("; parts that met in a vertex or an edge alone are apart at %d vertices and %d "
                   "edges",
                   (int)report.n_copy, (int)report.n_split);
        }
        if (n_part > 1) {
            printf("; %d parts that no face joins, 'edgewise remove --pieces-smaller-than' takes "
                   "small ones away",
                   (int)n_part);
        }
        puts("");
    }
    ew_surface_free(&surface);
    return status;
}

ew_status convert_to_surface(const char *in, const char *out, int32_t n_pass, const char *keep)
{
    ew_mesh mesh = {0};
    ew_groups groups = {0};
    EW_TRY(tool_refuse_same_mesh(in, out));
    ew_status status = tool_read_mesh_for(in, out, false, &mesh, &groups);
    status = status ? status : convert(out, &mesh, &groups, n_pass, keep);
    ew_mesh_free(&mesh);
    ew_groups_free(&groups);
    return status;
}
