/* Faces of a part: which there are. In: a mesh or a surface with labels, and their geometry. Out: a
 * table on stdout or in a file, selectors of a case. */
#include "faces.h"

#include <string.h>

/* ---- triangles ------------------------------------------------------------------- */

static ew_status push(faces *to, const int32_t v[3], int32_t place)
{
    EW_TRY(ew_grow(&to->triangle, &to->capacity, 3 * ((int64_t)to->n_triangle + 1),
                   sizeof *to->triangle));
    EW_TRY(
        ew_grow(&to->place, &to->place_capacity, (int64_t)to->n_triangle + 1, sizeof *to->place));
    memcpy(to->triangle + 3 * (size_t)to->n_triangle, v, 3 * sizeof *v);
    to->place[to->n_triangle++] = place;
    return EW_OK;
}

static int32_t place_of(const ew_list *label, int32_t value)
{
    int32_t low = 0, high = label->n;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        *(label->id[middle] < value ? &low : &high) =
            label->id[middle] < value ? middle + 1 : middle;
    }
    return low;
}

/* live: null: all. */
static ew_status take_labeled(int32_t n, const int32_t *triangle, const int32_t *label,
                              const bool *live, faces *to)
{
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(!live || live[i] ? ew_list_push(&to->label, label[i]) : EW_OK);
    }
    ew_list_sort_unique(&to->label);
    for (int32_t i = 0; i < to->label.n; i++) {
        EW_TRY(ew_list_push(&to->count, 0));
    }
    for (int32_t i = 0; i < n; i++) {
        if (!live || live[i]) {
            const int32_t place = place_of(&to->label, label[i]);
            to->count.id[place]++;
            EW_TRY(push(to, triangle + 3 * (size_t)i, place));
        }
    }
    return EW_OK;
}

static void sort_corners(const int32_t v[3], int32_t key[3])
{
    memcpy(key, v, 3 * sizeof *v);
    for (int i = 0; i < 3; i++) {
        const int at = i == 1;
        if (key[at] > key[at + 1]) {
            const int32_t kept = key[at];
            key[at] = key[at + 1];
            key[at + 1] = kept;
        }
    }
}

/* Faces of the boundary that have no label: they hide what lies behind them, too. */
static ew_status take_rest(const ew_mesh *mesh, faces *to)
{
    ew_topology topology = {0};
    ew_list boundary = {0};
    ew_map known = {0};
    int32_t key[3], old;
    ew_status status = ew_topology_build(&topology, mesh);
    status = status ? status : ew_topology_boundary(&topology, mesh, &boundary);
    for (int32_t i = 0; i < to->n_triangle && !status; i++) {
        sort_corners(to->triangle + 3 * (size_t)i, key);
        status = ew_map_enter(&known, key[0], key[1], key[2], i, &old);
    }
    for (int32_t i = 0; i < boundary.n && !status; i++) {
        int32_t v[3];
        for (int k = 0; k < 3; k++) {
            v[k] = mesh->tet[4 * (size_t)(boundary.id[i] / 4) +
                             (size_t)ew_face_vertex[boundary.id[i] % 4][k]];
        }
        sort_corners(v, key);
        if (ew_map_find(&known, key[0], key[1], key[2]) < 0) {
            status = push(to, v, -1);
        }
    }
    ew_map_free(&known);
    ew_list_free(&boundary);
    ew_topology_free(&topology);
    return status;
}

ew_status faces_of_mesh(const ew_mesh *mesh, const ew_groups *groups, faces *out)
{
    faces own = {.xyz = mesh->xyz, .groups = groups};
    bool *live;
    EW_TRY(ew_new(&live, (size_t)mesh->n_face + 1, sizeof *live));
    ew_status status = ew_mesh_live_faces(mesh, live);
    status = status ? status : take_labeled(mesh->n_face, mesh->face, mesh->face_label, live, &own);
    status = status ? status : take_rest(mesh, &own);
    ew_release(live);
    if (status) {
        faces_free(&own);
        return status;
    }
    *out = own;
    return EW_OK;
}

ew_status faces_of_surface(const ew_surface *surface, const ew_groups *groups, faces *out)
{
    faces own = {.xyz = surface->xyz, .groups = groups};
    const ew_status status =
        take_labeled(surface->n_triangle, surface->triangle, surface->label, NULL, &own);
    if (status) {
        faces_free(&own);
        return status;
    }
    *out = own;
    return EW_OK;
}

void faces_free(faces *own)
{
    ew_release(own->triangle);
    ew_release(own->place);
    ew_list_free(&own->label);
    ew_list_free(&own->count);
    *own = (faces){0};
}

/* ---- the table ------------------------------------------------------------------- */

static bool has_direction(const ew_geometry *one)
{
    return one->direction[0] != 0 || one->direction[1] != 0 || one->direction[2] != 0;
}

static double clean(double value, double scale)
{
    return value < 1e-9 * scale && value > -1e-9 * scale ? 0.0 : value;
}

static void print_vector(const char *what, const double v[3], double scale)
{
    printf("%s (%.5g, %.5g, %.5g)", what, clean(v[0], scale), clean(v[1], scale),
           clean(v[2], scale));
}

/* "cylinder, radius 4.5, area 226.19 at (4, 15, 20), axis (1, 0, 0), of region 1" */
static void print_geometry(const ew_geometry *one, double diagonal)
{
    printf("%s", ew_geometry_kind_name(one->kind));
    if (one->radius > 0) {
        printf(", radius %.5g", one->radius);
    }
    printf(", area %.6g", one->size);
    print_vector(" at", one->centroid, diagonal);
    if (has_direction(one)) {
        print_vector(one->kind == EW_GEOMETRY_PLANE ? ", normal" : ", axis", one->direction, 1.0);
    }
    for (int32_t i = 0; i < one->n_region; i++) {
        printf("%s %d", i ? " and" : ", of region", (int)one->region[i]);
    }
}

/* The next face of a label behind a place; null: none. */
static const ew_geometry *next_of(const ew_geometry_list *list, int32_t label, int32_t *place)
{
    while (++*place < list->n) {
        const ew_geometry *one = &list->of[*place];
        if (one->label == label && one->kind != EW_GEOMETRY_SOLID) {
            return one;
        }
    }
    return NULL;
}

static int32_t count_of(const ew_geometry_list *list, int32_t label)
{
    int32_t n = 0;
    for (int32_t at = -1; next_of(list, label, &at);) {
        n++;
    }
    return n;
}

void faces_print(const faces *of)
{
    const ew_geometry_list *list = &of->groups->geometry;
    for (int32_t i = 0; i < of->label.n; i++) {
        char text[32];
        const int32_t label = of->label.id[i], n = count_of(list, label);
        const char *name = ew_groups_label_name(of->groups, EW_GROUP_FACES, label);
        printf("surface %-3d ", (int)label);
        if (name) {
            printf("'%s'  ", name);
        }
        printf("%s triangles", tool_count(of->count.id[i], text));
        int32_t at = -1;
        const ew_geometry *one = next_of(list, label, &at);
        if (n == 1) {
            printf("  ");
            print_geometry(one, list->diagonal);
        } else if (n) {
            printf(", %d faces", (int)n);
        }
        puts("");
        for (; one && n > 1; one = next_of(list, label, &at)) {
            printf("  face %-3d  ", (int)one->number);
            print_geometry(one, list->diagonal);
            puts("");
        }
    }
}

/* ---- a table for other programs, selectors ------------------------------------------ */

/* A name in quotes, its own quotes doubled; no formula. */
static void print_cell(const char *name)
{
    printf("\"%s", ew_cell_prefix(name));
    for (; *name; name++) {
        printf(*name == '"' ? "\"\"" : "%c", *name);
    }
    putchar('"');
}

void faces_print_csv(const faces *of)
{
    const ew_geometry_list *list = &of->groups->geometry;
    puts("face,label,name,kind,area,x,y,z,direction_x,direction_y,direction_z,radius,regions");
    for (int32_t i = 0; i < list->n; i++) {
        const ew_geometry *one = &list->of[i];
        const char *name = ew_groups_label_name(of->groups, EW_GROUP_FACES, one->label);
        const double *x = one->centroid, *d = one->direction;
        if (one->kind == EW_GEOMETRY_SOLID) {
            continue;
        }
        printf("%d,%d,", (int)one->number, (int)one->label);
        print_cell(name ? name : "");
        printf(",%s,%.12g,%.12g,%.12g,%.12g,%.12g,%.12g,%.12g,%.12g,",
               ew_geometry_kind_name(one->kind), one->size, x[0], x[1], x[2], d[0] + 0.0,
               d[1] + 0.0, d[2] + 0.0, one->radius);
        for (int32_t r = 0; r < one->n_region; r++) {
            printf(r ? " %d" : "%d", (int)one->region[r]);
        }
        puts("");
    }
}

void faces_print_sets(const ew_groups *groups)
{
    const ew_geometry_list *list = &groups->geometry;
    char text[EW_GEOMETRY_TEXT];
    puts("sets:");
    for (int32_t i = 0; i < list->n; i++) {
        const ew_geometry *one = &list->of[i];
        const bool is_solid = one->kind == EW_GEOMETRY_SOLID;
        if (!ew_groups_label_name(groups, is_solid ? EW_GROUP_TETS : EW_GROUP_FACES, one->label)) {
            ew_case_geometry_text(one, list->diagonal, text);
            printf("  %s_%d: {%s: %s%s}\n", is_solid ? "solid" : "face", (int)one->number,
                   is_solid ? "region" : "surface", text, is_solid ? ", of: tets" : "");
        }
    }
}
