/* Tets that an edit takes along as a whole. In: the queue of an edit. Out: each tet that has all of
 * its corners moved, and each that is added as the image of another, with the places of its corners
 * after the edit: what belongs to the material of a tet goes where these lead. */
#include "model/internal.h"

#include <math.h>
#include <string.h>

/* How far a map may be from a rotation, a reflection and one stretch along all directions, and by
 * how much it must turn: as near as axes are given. */
#define SIMILAR 1e-6

/* Where one vertex in so many moves, an array costs less than a map. */
enum { MANY_SHARE = 16 };

typedef struct turned_visit {
    const ew_model *model;
    ew_map moved;   /* owned: slots that the queue moves, to their places in it; where many move */
    int32_t *place; /* [n_vertex] owned: the same, -1: stays; else null */
    model_see_transformed see;
    void *user;
} turned_visit;

static int32_t place_of(const turned_visit *visit, int32_t slot)
{
    return visit->place ? visit->place[slot] : ew_map_find(&visit->moved, slot, 0, -1);
}

static ew_status find_places(turned_visit *visit)
{
    const ew_list *moved = &visit->model->edit.move_vertex;
    const int32_t n = visit->model->mesh.n_vertex;
    const bool are_many = moved->n > n / MANY_SHARE;
    EW_TRY(are_many ? ew_new(&visit->place, (size_t)n, sizeof *visit->place) : EW_OK);
    for (int32_t v = 0; v < n && are_many; v++) {
        visit->place[v] = -1;
    }
    for (int32_t i = 0; i < moved->n; i++) {
        const int32_t v = moved->id[i];
        int32_t before;
        if (!are_many) {
            EW_TRY(ew_map_enter(&visit->moved, v, 0, -1, i, &before));
        } else if (v >= 0 && v < n && visit->place[v] < 0) {
            visit->place[v] = i;
        }
    }
    return EW_OK;
}

static ew_status see_tet(turned_visit *visit, int32_t tet, int32_t added, const int32_t from[4],
                         const int32_t name[4])
{
    const ew_edit *edit = &visit->model->edit;
    model_transformed_tet turned = {.tet = tet, .added = added, .from = from, .name = name};
    for (int k = 0; k < 4; k++) {
        const int32_t at = name[k] >= 0 ? place_of(visit, name[k]) : -1;
        const double *to = name[k] < 0 ? edit->add_vertex + 3 * (size_t)(-2 - name[k])
                           : at >= 0   ? edit->move_to + 3 * (size_t)at
                                       : visit->model->mesh.xyz + 3 * (size_t)name[k];
        turned.moves[k] = name[k] != from[k] || at >= 0;
        memcpy(turned.to + 3 * k, to, 3 * sizeof *to);
    }
    return visit->see(visit->user, &turned);
}

/* Each at its first corner. */
static ew_status see_moved(turned_visit *visit)
{
    const ew_model *model = visit->model;
    const ew_list *moved = &model->edit.move_vertex;
    const ew_rows *tets = &model->topology.vertex_to_tet;
    for (int32_t i = 0; i < moved->n; i++) {
        const int32_t v = moved->id[i];
        for (int32_t k = 0; v >= 0 && v < model->mesh.n_vertex && k < tets->count[v]; k++) {
            const int32_t t = tets->item[(size_t)tets->begin[v] + (size_t)k];
            const int32_t *corner = model->mesh.tet + 4 * (size_t)t;
            bool whole = corner[0] == v;
            for (int c = 1; c < 4 && whole; c++) {
                whole = place_of(visit, corner[c]) >= 0;
            }
            EW_TRY(whole ? see_tet(visit, t, -1, corner, corner) : EW_OK);
        }
    }
    return EW_OK;
}

static bool has_corner(const ew_mesh *mesh, int32_t tet, int32_t vertex)
{
    const int32_t *of = mesh->tet + 4 * (size_t)tet;
    return of[0] == vertex || of[1] == vertex || of[2] == vertex || of[3] == vertex;
}

/* The vertex that one of the queue is the image of, or itself; -1: it is neither. */
static int32_t original_of(const ew_edit *edit, int32_t name)
{
    const int32_t added = name < -1 ? -2 - name : -1;
    if (name >= 0 || added < 0 || added >= edit->n_add_vertex) {
        return name >= 0 ? name : -1;
    }
    const int32_t *parent = edit->add_parent + 2 * (size_t)added;
    return parent[0] == parent[1] ? parent[0] : -1;
}

/* A tet that is the image of another: each corner is one of its, or the image of one. */
static ew_status see_images(turned_visit *visit)
{
    const ew_mesh *mesh = &visit->model->mesh;
    const ew_edit *edit = &visit->model->edit;
    for (int32_t k = 0; k < edit->n_add_tet; k++) {
        const int32_t from = edit->add_tet_from[k], *name = edit->add_tet + 4 * (size_t)k;
        int32_t corner[4];
        bool is_image = from >= 0 && from < mesh->n_tet && ew_mesh_tet_is_live(mesh, from);
        for (int c = 0; c < 4 && is_image; c++) {
            corner[c] = original_of(edit, name[c]);
            is_image = corner[c] >= 0 && has_corner(mesh, from, corner[c]);
        }
        for (int c = 0; c < 4 && is_image; c++) {
            is_image = corner[c] != corner[(c + 1) % 4] && corner[c] != corner[(c + 2) % 4];
        }
        EW_TRY(is_image ? see_tet(visit, from, k, corner, name) : EW_OK);
    }
    return EW_OK;
}

ew_status model_visit_transformed(const ew_model *model, model_see_transformed see, void *user)
{
    turned_visit visit = {.model = model, .see = see, .user = user};
    if (!model->edit.move_vertex.n && !model->edit.n_add_tet) {
        return EW_OK;
    }
    ew_status status = find_places(&visit);
    status = status ? status : see_moved(&visit);
    status = status ? status : see_images(&visit);
    ew_map_free(&visit.moved);
    ew_release(visit.place);
    return status;
}

/* False where three sides from one corner are not stretched alike, which a map that is similar to a
 * rotation within SIMILAR does to ten times that: most of what stretches a body ends here. */
static bool may_be_similar(const double x[12], const double to[12])
{
    double low = INFINITY, high = 0.0;
    for (int k = 1; k < 4; k++) {
        double before = 0.0, now = 0.0;
        for (int c = 0; c < 3; c++) {
            const double from = x[3 * k + c] - x[c], at = to[3 * k + c] - to[c];
            before += from * from;
            now += at * at;
        }
        low = fmin(low, now / before);
        high = fmax(high, now / before);
    }
    return !(high - low > 10.0 * SIMILAR * high);
}

bool model_transform_of(const ew_model *model, const model_transformed_tet *turned, double r[9],
                        bool *turns)
{
    double x[12], g[4][3], square = 0.0, wrong = 0.0, far = 0.0;
    for (int k = 0; k < 12; k++) {
        x[k] = model->mesh.xyz[3 * (size_t)turned->from[k / 3] + (size_t)(k % 3)];
    }
    if (!may_be_similar(x, turned->to)) {
        return false;
    }
    ew_element_gradients(x, g);
    for (int i = 0; i < 9; i++) {
        r[i] = 0.0;
        for (int k = 0; k < 4; k++) {
            r[i] += (turned->to[3 * k + i / 3] - turned->to[i / 3]) * g[k][i % 3];
        }
        square += r[i] * r[i] / 3.0;
    }
    for (int i = 0; i < 9; i++) { /* of r^T r */
        double sum = 0.0;
        for (int k = 0; k < 3; k++) {
            sum += r[3 * k + i / 3] * r[3 * k + i % 3];
        }
        const double off = fabs(sum - (i % 4 == 0 ? square : 0.0));
        wrong = off > wrong ? off : wrong;
    }
    if (!(square > 0.0) || !isfinite(square) || !(wrong <= SIMILAR * square)) {
        return false;
    }
    for (int i = 0; i < 9; i++) {
        r[i] /= sqrt(square);
        far = fmax(far, fabs(r[i] - (double)(i % 4 == 0)));
    }
    *turns = far > SIMILAR;
    return true;
}

/* ---- what belongs to sides and vertices ------------------------------------------------ */

ew_status model_enter_transformed(model_transformed *to, int32_t a, int32_t b, int32_t width,
                                  const double *value)
{
    const int32_t n = to->edge.n, low = a < b ? a : b, high = a < b ? b : a;
    int32_t before;
    if (ew_map_find(&to->edge, low, high, -1) >= 0) {
        return EW_OK;
    }
    EW_TRY(ew_grow(&to->value, &to->capacity, (int64_t)n + 1, width * sizeof *to->value));
    memcpy(to->value + (size_t)width * (size_t)n, value, (size_t)width * sizeof *value);
    EW_TRY(ew_grow(&to->end, &to->end_capacity, (int64_t)n + 1, 2 * sizeof *to->end));
    to->end[2 * (size_t)n] = low;
    to->end[2 * (size_t)n + 1] = high;
    return ew_map_enter(&to->edge, low, high, -1, n, &before);
}

int32_t model_transformed_slot(const ew_model *model, int32_t name)
{
    return name >= 0 ? name : model->change.added_vertex.id[-2 - name];
}

void model_free_transformed(model_transformed *turned)
{
    ew_map_free(&turned->edge);
    ew_release(turned->end);
    ew_release(turned->value);
}
