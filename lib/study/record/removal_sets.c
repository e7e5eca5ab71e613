/* Sets of faces and of tets during an element removal. A removed tet takes its faces along and is a
 * new tet when it comes back, so the model's sets lose both. Here their members are remembered by
 * their vertices, which stay, and given back. In: the sets as the removal finds them; then what
 * each of its edits brought back. */
#include "study/run/run.h"

#include <stdlib.h>
#include <string.h>

/* ---- members by their vertices --------------------------------------------------------- */

static void sort_ids(int32_t *id, int32_t n)
{
    for (int32_t i = 1; i < n; i++) {
        const int32_t own = id[i];
        int32_t k = i;
        for (; k > 0 && id[k - 1] > own; k--) {
            id[k] = id[k - 1];
        }
        id[k] = own;
    }
}

/* Of a face code: its three vertices and -1; of a tet all four. Ascending. */
static void key_of(const ew_mesh *mesh, bool faces, int32_t member, int32_t key[4])
{
    const int32_t *tet = mesh->tet + 4 * (size_t)(faces ? member / 4 : member);
    for (int i = 0; i < 4; i++) {
        key[i] = !faces ? tet[i] : i < 3 ? tet[ew_face_vertex[member % 4][i]] : -1;
    }
    sort_ids(key, 4);
}

static int by_key(const void *first, const void *second)
{
    const int32_t *a = first, *b = second;
    int order = 0;
    for (int i = 0; i < 4 && !order; i++) {
        order = (a[i] > b[i]) - (a[i] < b[i]);
    }
    return order;
}

static bool has(const struct study_kept_set *kept, const ew_mesh *mesh, int32_t member)
{
    int32_t key[4];
    key_of(mesh, kept->faces, member, key);
    return kept->n && bsearch(key, kept->key, (size_t)kept->n, sizeof key, by_key);
}

/* ---- remembered ---------------------------------------------------------------------------- */

static ew_status list_members(const ew_study *study, const struct study_kept_set *kept,
                              ew_list *member)
{
    return kept->faces ? ew_model_list_faces(study->model, kept->set, member)
                       : ew_model_list_tets(study->model, kept->set, member);
}

static ew_status record_set(ew_study *study, struct study_kept_set *kept)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    ew_list member = {0};
    ew_status status = list_members(study, kept, &member);
    if (!status) {
        status = ew_new(&kept->key, 4 * (size_t)member.n, sizeof *kept->key);
    }
    if (!status) {
        for (int32_t i = 0; i < member.n; i++) {
            key_of(mesh, kept->faces, member.id[i], kept->key + 4 * (size_t)i);
        }
        kept->n = member.n;
        qsort(kept->key, (size_t)kept->n, 4 * sizeof *kept->key, by_key);
    }
    ew_list_free(&member);
    return status;
}

/* Planes of symmetry are found again by every analysis. */
ew_status ew_study_remember_sets(ew_study *study)
{
    study_removal *removal = &study->removal;
    const int32_t n = study->input->n_set, n_group = study->def.groups ? study->def.groups->n : 0;
    if (removal->has_begun) {
        return EW_OK;
    }
    removal->has_begun = true;
    removal->since = ew_seconds();
    EW_TRY(ew_new_zero(&removal->kept, (size_t)(n + n_group), sizeof *removal->kept));
    EW_TRY(ew_new_zero(&removal->n_member, (size_t)n, sizeof *removal->n_member));
    for (int32_t s = 0; s < n; s++) {
        const ew_case_set *set = &study->input->set[s];
        removal->n_member[s] = ew_model_view_set(study->model, s).n_active;
        if (set->kind != EW_SET_OF_VERTICES && !set->is_plane && study->set[s].is_made) {
            struct study_kept_set *kept = &removal->kept[removal->n_kept++];
            *kept = (struct study_kept_set){.set = s, .faces = set->kind == EW_SET_OF_FACES};
            EW_TRY(record_set(study, kept));
        }
    }
    for (int32_t g = 0; g < n_group; g++) {
        if (study->group_set[g] >= 0 && study->def.groups->group[g].kind == EW_GROUP_TETS) {
            struct study_kept_set *kept = &removal->kept[removal->n_kept++];
            *kept = (struct study_kept_set){.set = study->group_set[g]};
            EW_TRY(record_set(study, kept));
        }
    }
    return EW_OK;
}

void ew_study_forget_sets(ew_study *study)
{
    study_removal *removal = &study->removal;
    for (int32_t i = 0; i < removal->n_kept; i++) {
        ew_release(removal->kept[i].key);
    }
    ew_release(removal->kept);
    ew_release(removal->n_member);
    removal->kept = NULL;
    removal->n_member = NULL;
    removal->n_kept = 0;
    removal->has_begun = false;
}

/* ---- given back ---------------------------------------------------------------------------- */

static ew_status add_faces(const struct study_kept_set *kept, const ew_mesh *mesh,
                           const ew_boundary *boundary, int32_t tet, ew_list *member)
{
    for (int32_t code = 4 * tet; code < 4 * tet + 4; code++) {
        if (ew_boundary_find(boundary, code) >= 0 && has(kept, mesh, code)) {
            EW_TRY(ew_list_push(member, code));
        }
    }
    return EW_OK;
}

static ew_status give_back(ew_study *study, const struct study_kept_set *kept, ew_list *member)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    const ew_list *added = &ew_model_change(study->model)->added_tet;
    const ew_boundary *boundary;
    EW_TRY(ew_model_boundary(study->model, &boundary));
    EW_TRY(list_members(study, kept, member));
    const int32_t before = member->n;
    for (int32_t i = 0; i < added->n; i++) {
        if (kept->faces) {
            EW_TRY(add_faces(kept, mesh, boundary, added->id[i], member));
        } else if (has(kept, mesh, added->id[i])) {
            EW_TRY(ew_list_push(member, added->id[i]));
        }
    }
    if (member->n == before) {
        return EW_OK;
    }
    ew_list_sort(member);
    return ew_model_redefine_set(study->model, kept->set, member);
}

ew_status ew_study_give_sets_back(ew_study *study)
{
    const study_removal *removal = &study->removal;
    ew_list member = {0};
    ew_status status = EW_OK;
    for (int32_t i = 0; i < removal->n_kept && !status; i++) {
        member.n = 0;
        status = give_back(study, &removal->kept[i], &member);
    }
    ew_list_free(&member);
    return status;
}
