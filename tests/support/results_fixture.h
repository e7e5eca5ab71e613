/* The sample study of the tests of result files: a base, the same mesh again, moved, decimated;
 * and a folder of their own. */
#ifndef EW_RESULTS_FIXTURE_H
#define EW_RESULTS_FIXTURE_H

#include "testlib.h"

#include "mesh/parts/mesh.h"
#include "results/results.h"
#include "format/parts/format.h"
#include "shape/parts/shape.h"

#include <dirent.h>
#include <hdf5.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the sample study: base, the same mesh again, moved, decimated ------------- */

#define N_SAMPLE 4
static const char case_text[] = "mesh: box.mesh # \xc3\xa9\n";

/* Value of component c of vertex or tet `id` in frame f: what a reader expects. */
static inline double sample_value(int32_t f, int64_t id, int32_t c)
{
    return 1000.0 * f + (double)id + c / 8.0 + 1.0 / 3.0;
}

static inline double *new_field(const ew_mesh *mesh, int32_t f, ew_field_place place,
                                int32_t n_component)
{
    int32_t n = place == EW_ON_VERTICES ? mesh->n_vertex : mesh->n_tet;
    const int64_t *id = place == EW_ON_VERTICES ? mesh->vertex_id : mesh->tet_id;
    double *data = malloc((size_t)n * (size_t)n_component * sizeof *data);
    for (int32_t i = 0; i < n; i++) {
        for (int32_t c = 0; c < n_component; c++) {
            data[(size_t)i * (size_t)n_component + (size_t)c] = sample_value(f, id[i], c);
        }
    }
    return data;
}

static inline ew_status add_frame(ew_result *result, const ew_mesh *mesh, int32_t f)
{
    double *displacement = new_field(mesh, f, EW_ON_VERTICES, 3);
    double *von_mises = new_field(mesh, f, EW_ON_VERTICES, 1);
    double *stress = new_field(mesh, f, EW_ON_TETS, 6);
    double *energy = new_field(mesh, f, EW_ON_TETS, 1);
    const ew_result_field field[] = {{"displacement", EW_ON_VERTICES, 3, displacement},
                                     {"von_mises", EW_ON_VERTICES, 1, von_mises},
                                     {"stress", EW_ON_TETS, 6, stress},
                                     {"von_mises", EW_ON_TETS, 1, energy}};
    const double force[3] = {0.5, -2.0, 1e-300};
    const double iterations = 12 + f;
    const ew_result_number number[] = {{"iterations", 1, &iterations}, {"applied_force", 3, force}};
    const double history[3] = {1.0, 0.25, 1e-9};
    const uint8_t journal[5] = {0, 255, (uint8_t)f, 7, 10};
    const ew_result_frame frame = {.name = "a & b <c>",
                                   .kind = "static",
                                   .time = 0.5 * f,
                                   .mesh = mesh,
                                   .n_field = 4,
                                   .field = field,
                                   .n_number = 2,
                                   .number = number,
                                   .n_history = f > 0 ? 3 : 0,
                                   .history = f > 0 ? history : NULL,
                                   .journal_bytes = f > 1 ? sizeof journal : 0,
                                   .journal = f > 1 ? journal : NULL};
    ew_status status = ew_result_add_frame(result, &frame);
    free(displacement);
    free(von_mises);
    free(stress);
    free(energy);
    return status;
}

static inline bool tet_has(const ew_mesh *mesh, int32_t t, int32_t v)
{
    const int32_t *tet = mesh->tet + 4 * (size_t)t;
    return tet[0] == v || tet[1] == v || tet[2] == v || tet[3] == v;
}

static inline ew_status queue_move(const ew_mesh *mesh, ew_edit *edit)
{
    const double *corner = mesh->xyz + 3 * ((size_t)mesh->n_vertex - 1);
    const double to[3] = {corner[0] + 0.01, corner[1], corner[2]};
    return ew_edit_move_vertex(edit, mesh->n_vertex - 1, to);
}

/* Every fifth tet goes, and all of a vertex of few tets, which becomes inactive; in the place of
 * tet 0 comes one with a new vertex. So slots have holes, reused ones and new ones. */
static inline ew_status queue_decimation(const ew_mesh *mesh, ew_edit *edit)
{
    int32_t lonely = -1;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (!tet_has(mesh, 0, v) && (lonely < 0 || mesh->valence[v] < mesh->valence[lonely])) {
            lonely = v;
        }
    }
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (t % 5 == 0 || tet_has(mesh, t, lonely)) {
            EW_TRY(ew_edit_remove_tet(edit, t));
        }
    }
    int32_t tet[4];
    double apex[3] = {0, 0, 0};
    memcpy(tet, mesh->tet, sizeof tet);
    for (int k = 0; k < 12; k++) { /* the centroid: on the same side of the face as vertex 3 */
        apex[k % 3] += mesh->xyz[3 * (size_t)tet[k / 3] + (size_t)(k % 3)] / 4;
    }
    EW_TRY(ew_edit_add_vertex(edit, apex, &tet[3]));
    return ew_edit_add_tet(edit, tet, 1);
}

/* Makes the mesh of frame f out of that of frame f - 1. */
static inline ew_status edit_sample(ew_mesh *mesh, int32_t f)
{
    ew_edit edit = {0};
    ew_change change = {0};
    ew_status status = EW_OK;
    mesh->frame = f;
    if (f == 2) {
        status = queue_move(mesh, &edit);
    } else if (f == 3) {
        status = queue_decimation(mesh, &edit);
    }
    if (!status && f >= 2) {
        status = ew_mesh_commit(mesh, &edit, NULL, &change);
    }
    ew_edit_free(&edit);
    ew_change_free(&change);
    return status;
}

static inline ew_result_def sample_def(const char *name, int32_t compression)
{
    return (ew_result_def){.name = name,
                           .case_text = case_text,
                           .length_unit = "m",
                           .force_unit = "N",
                           .time_unit = "",
                           .compression = compression,
                           .case_path = "parts/box.yaml",
                           .precision = "double",
                           .preconditioner = "rigid"};
}

static inline ew_status fill_sample(ew_result *result, int32_t cells)
{
    ew_mesh mesh;
    EW_TRY(ew_shape_box(&mesh, (double[3]){1, 1, 2}, (int32_t[3]){cells, cells, cells}));
    ew_status status = EW_OK;
    for (int32_t f = 0; f < N_SAMPLE && !status; f++) {
        status = edit_sample(&mesh, f);
        if (!status) {
            status = add_frame(result, &mesh, f);
        }
    }
    ew_mesh_free(&mesh);
    return status;
}

static inline ew_status write_sample(const char *name, int32_t cells, int32_t compression)
{
    ew_result *result = NULL;
    const ew_result_def def = sample_def(name, compression);
    EW_TRY(ew_result_create(&result, &def));
    ew_status status = fill_sample(result, cells);
    if (!status) {
        status = ew_result_add_text(result, "summary", "step,energy\nbase,1\n");
    }
    if (status) {
        ew_result_discard(result);
        return status;
    }
    return ew_result_finish(result);
}

/* ---- a folder of our own --------------------------------------------------------- */

static char folder[64];

static inline int make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/edgewise-results-XXXXXX");
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : 1;
}

static inline int remove_folder(void)
{
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : 1; /* fails when anything is left behind */
}

static inline int entries(void)
{
    int n = 0;
    DIR *listing = opendir(".");
    while (readdir(listing)) {
        n++;
    }
    closedir(listing);
    return n - 2; /* . and .. */
}

static inline void remove_results(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s.vtkhdf", name);
    CU_ASSERT_EQUAL(remove(path), 0);
    snprintf(path, sizeof path, "%s.xdmf", name);
    CU_ASSERT_EQUAL(remove(path), 0);
}

#endif
