/* Random trials of operations on whole bodies: a body with tables and blocks that an edit is made
 * on, the comparison with a rebuild, and what the trials did, counted and printed.
 *
 * EW_TRIALS: how many (a few unless given). EW_TRIALS_CSV: a file that a line for each row of the
 * table is added to. */
#ifndef EW_TRIAL_BODY_H
#define EW_TRIAL_BODY_H

#include "assembly/parts/assembly.h"
#include "format/parts/format.h"
#include "operation/parts/operation.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct trial_body {
    const char *name;
    bool is_flat; /* all sides are flat and far from one another's directions */
    ew_mesh mesh;
    ew_topology topology;
    ew_materials materials;
    ew_matrix matrix;
    ew_edit edit;
    ew_change change;
    double low[3], high[3], edge, volume; /* edge: mean length */
} trial_body;

/* ---- making ---------------------------------------------------------------- */

static inline void trial_measure(trial_body *b)
{
    ew_mesh_measure m;
    double sum = 0.0;
    int64_t n = 0;
    ew_mesh_take_measure(&b->mesh, &m);
    memcpy(b->low, m.low, sizeof b->low);
    memcpy(b->high, m.high, sizeof b->high);
    b->volume = m.volume;
    for (int32_t t = 0; t < b->mesh.n_tet; t++) {
        for (int k = 0; k < 6 && ew_mesh_tet_is_live(&b->mesh, t); k++, n++) {
            const int32_t *v = b->mesh.tet + 4 * (size_t)t;
            const double *x = b->mesh.xyz + 3 * (size_t)v[ew_edge_vertex[k][0]];
            const double *y = b->mesh.xyz + 3 * (size_t)v[ew_edge_vertex[k][1]];
            sum += hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]);
        }
    }
    b->edge = sum / (double)n;
}

/* For the body's own region and one more. */
static inline void trial_make_materials(trial_body *b)
{
    const ew_material steel[2] = {{.young = 7, .poisson = 0.3, .density = 1},
                                  {.young = 3, .poisson = 0.2, .density = 2}};
    must(ew_materials_init(&b->materials, 2, steel));
}

static inline void trial_prepare(trial_body *b)
{
    must(ew_topology_build(&b->topology, &b->mesh));
    trial_make_materials(b);
    must(ew_stiffness_build(&b->matrix, &b->mesh, &b->topology, &b->materials));
    trial_measure(b);
}

static inline bool trial_read(trial_body *b, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/thesis/%s.mesh", EW_STUDY_MESHES, name);
    if (!ew_test_has_file(path)) {
        return false;
    }
    must(ew_mesh_read(path, NULL, &b->mesh, NULL, NULL));
    return true;
}

/* box, plate, bracket or the name of a study mesh; false, and a line that says so, where that is
 * not there. */
static inline bool trial_start(trial_body *b, const char *name)
{
    *b = (trial_body){.name = name};
    if (!strcmp(name, "box")) {
        must(ew_shape_box(&b->mesh, (double[3]){1, 1, 1}, (int32_t[3]){12, 12, 12}));
        b->is_flat = true;
    } else if (!strcmp(name, "plate")) {
        must(ew_shape_box(&b->mesh, (double[3]){4, 2, 0.3}, (int32_t[3]){40, 20, 3}));
        b->is_flat = true;
    } else if (!strcmp(name, "bracket")) {
        must(ew_shape_bracket(&b->mesh, 0.1, 0.08, 0.01, 0.006, 3));
    } else if (!trial_read(b, name)) {
        return false;
    }
    trial_prepare(b);
    return true;
}

static inline void trial_drop(trial_body *b)
{
    ew_mesh_free(&b->mesh);
    ew_topology_free(&b->topology);
    ew_materials_free(&b->materials);
    ew_matrix_free(&b->matrix);
    ew_edit_free(&b->edit);
    ew_change_free(&b->change);
}

/* A body of its own in the state of another one; zeroed or used before. */
static inline void trial_copy(trial_body *to, const trial_body *from)
{
    trial_drop(to);
    *to = (trial_body){
        .name = from->name, .is_flat = from->is_flat, .edge = from->edge, .volume = from->volume};
    memcpy(to->low, from->low, sizeof to->low);
    memcpy(to->high, from->high, sizeof to->high);
    must(ew_mesh_copy(&to->mesh, &from->mesh));
    must(ew_topology_copy(&to->topology, &from->topology));
    must(ew_matrix_copy(&to->matrix, &from->matrix));
    trial_make_materials(to);
}

/* ---- random places ----------------------------------------------------------- */

static inline double random_in(uint64_t *state, double low, double high)
{
    return low + (high - low) * (double)ew_test_random(state, 1u << 30) / (double)(1u << 30);
}

static inline void random_direction(uint64_t *state, double d[3])
{
    double length = 0.0;
    while (!(length > 0.1 && length < 1.0)) {
        for (int i = 0; i < 3; i++) {
            d[i] = random_in(state, -1.0, 1.0);
        }
        length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    }
    for (int i = 0; i < 3; i++) {
        d[i] /= length;
    }
}

static inline int32_t random_tet(uint64_t *state, const ew_mesh *mesh)
{
    int32_t t = -1;
    while (t < 0 || !ew_mesh_tet_is_live(mesh, t)) {
        t = (int32_t)ew_test_random(state, (uint32_t)mesh->n_tet);
    }
    return t;
}

/* ---- one edit ------------------------------------------------------------------ */

/* Of this process alone, s. */
static inline double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void trial_compare(const trial_body *b)
{
    ew_topology topology = {0};
    ew_matrix matrix = {0};
    int64_t different = 1;
    double largest = 1;
    must(ew_mesh_check(&b->mesh));
    must(ew_topology_check(&b->topology, &b->mesh));
    must(ew_matrix_check(&b->matrix, &b->topology.pattern));
    must(ew_topology_build(&topology, &b->mesh));
    must(ew_stiffness_build(&matrix, &b->mesh, &topology, &b->materials));
    must(ew_matrix_compare(&b->matrix, &b->topology.pattern, &matrix, &topology.pattern, &different,
                           &largest));
    CU_ASSERT_EQUAL(different, 0);
    ew_topology_free(&topology);
    ew_matrix_free(&matrix);
}

/* The edit is made, tables and blocks follow; `compare`: with a rebuild. */
static inline void trial_commit(trial_body *b, bool compare)
{
    must(ew_mesh_commit(&b->mesh, &b->edit, &b->topology.vertex_to_tet, &b->change));
    must(ew_topology_update(&b->topology, &b->mesh, &b->change));
    must(ew_stiffness_revalidate(&b->matrix, &b->mesh, &b->topology, &b->materials,
                                 &b->topology.touched));
    ew_edit_clear(&b->edit);
    if (compare) {
        trial_compare(b);
    }
}

/* Least quality of the tets that the last edit made or moved, and how many. */
static inline double trial_min_touched(const trial_body *b, int32_t *n)
{
    const ew_list *list[2] = {&b->change.added_tet, &b->change.moved_tet};
    double least = 1.0;
    *n = 0;
    for (int i = 0; i < 2; i++) {
        for (int32_t k = 0; k < list[i]->n; k++) {
            least = fmin(least, ew_mesh_tet_quality(&b->mesh, list[i]->id[k]));
        }
        *n += list[i]->n;
    }
    return least;
}

static inline bool trial_is_empty(const ew_edit *edit)
{
    return !edit->n_add_vertex && !edit->n_add_tet && !edit->remove_tet.n &&
           !edit->remove_vertex.n && !edit->move_vertex.n;
}

/* ---- what they did -------------------------------------------------------------- */

enum { MAX_REASON = 12, REASON_TEXT = 88 };

typedef struct tally {
    const char *body, *what, *how;               /* how: or null */
    int32_t n_done, n_refused, n_nothing, n_low; /* n_low: quality below 0.2 */
    int32_t capacity, capacity_us;
    double *quality, *us; /* [n_done] owned: the least of each, microseconds by tet */
    int64_t n_crossed, n_touched;
    double seconds, off; /* off: of volume, as a share, at most */
    int32_t n_reason;
    struct {
        char text[REASON_TEXT];
        int32_t n;
    } reason[MAX_REASON]; /* messages without their numbers */
} tally;

static inline void tally_done(tally *sum, double quality, int32_t n_crossed, int32_t n_touched,
                              double seconds)
{
    must(ew_grow(&sum->quality, &sum->capacity, (int64_t)sum->n_done + 1, sizeof *sum->quality));
    must(ew_grow(&sum->us, &sum->capacity_us, (int64_t)sum->n_done + 1, sizeof *sum->us));
    sum->quality[sum->n_done] = quality;
    sum->us[sum->n_done++] = 1e6 * seconds / (n_crossed > 0 ? n_crossed : 1);
    sum->n_low += quality < 0.2;
    sum->n_crossed += n_crossed;
    sum->n_touched += n_touched;
    sum->seconds += seconds;
}

/* By the last message. */
static inline void tally_refused(tally *sum)
{
    char text[REASON_TEXT];
    size_t n = 0;
    for (const char *c = ew_message(); *c && n < REASON_TEXT - 1; c++) {
        const bool number = isdigit((unsigned char)*c) ||
                            (n && text[n - 1] == '#' && (*c == '.' || *c == 'e')) ||
                            (*c == '-' && isdigit((unsigned char)c[1]));
        if (!number || !n || text[n - 1] != '#') {
            text[n++] = number ? '#' : *c;
        }
    }
    text[n] = 0;
    int32_t i = 0;
    while (i < sum->n_reason && strcmp(sum->reason[i].text, text)) {
        i++;
    }
    if (i == sum->n_reason && i < MAX_REASON) {
        memcpy(sum->reason[sum->n_reason++].text, text, sizeof text);
    }
    sum->reason[i < MAX_REASON ? i : MAX_REASON - 1].n++;
    sum->n_refused++;
}

static inline int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of sorted values. */
static inline double quantile(const double *value, int32_t n, double share)
{
    return n ? value[(int32_t)(share * (n - 1))] : NAN;
}

static inline void tally_csv(const tally *sum, const double *value, int n)
{
    const char *path = getenv("EW_TRIALS_CSV");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file) {
        return;
    }
    const char *how = sum->how ? sum->how : "";
    fprintf(file, "%s,\"%s\",%s", sum->body, sum->what, how);
    for (int i = 0; i < n; i++) {
        fprintf(file, ",%.6g", value[i]);
    }
    fputs("\n", file);
    for (int32_t i = 0; i < sum->n_reason; i++) {
        fprintf(file, "%s,\"%s\",%s,refused,%d,\"%s\"\n", sum->body, sum->what, how,
                (int)sum->reason[i].n, sum->reason[i].text);
    }
    fclose(file);
}

/* One row, where a number of trials was asked for; frees. */
static inline void tally_end(tally *sum)
{
    const int32_t n = sum->n_done;
    if (n) {
        qsort(sum->quality, (size_t)n, sizeof *sum->quality, by_value);
        qsort(sum->us, (size_t)n, sizeof *sum->us, by_value);
    }
    const double crossed = (double)(sum->n_crossed ? sum->n_crossed : 1);
    const double value[] = {n,
                            sum->n_refused,
                            sum->n_nothing,
                            n ? 100.0 * (n - sum->n_low) / n : NAN,
                            quantile(sum->quality, n, 0.0),
                            quantile(sum->quality, n, 0.02),
                            quantile(sum->quality, n, 0.5),
                            (double)sum->n_touched / crossed,
                            1e6 * sum->seconds / crossed,
                            quantile(sum->us, n, 0.5),
                            sum->off};
    if (getenv("EW_TRIALS") && n + sum->n_refused + sum->n_nothing) {
        printf("\n%-9s %-16s %-8s %5d done %4d refused %4d nothing, >= 0.2 %5.1f %%, quality %.3f "
               "%.3f "
               "%.3f, touched %.2f, us %.1f %.1f, off %.1e",
               sum->body, sum->what, sum->how ? sum->how : "", (int)n, (int)sum->n_refused,
               (int)sum->n_nothing, value[3], value[4], value[5], value[6], value[7], value[8],
               value[9], value[10]);
        for (int32_t i = 0; i < sum->n_reason; i++) {
            printf("\n    %3d x %s", (int)sum->reason[i].n, sum->reason[i].text);
        }
        fflush(stdout);
    }
    tally_csv(sum, value, (int)(sizeof value / sizeof *value));
    ew_release(sum->quality);
    ew_release(sum->us);
    *sum = (tally){0};
}

static inline int trials_wanted(int few)
{
    const char *given = getenv("EW_TRIALS");
    return given ? atoi(given) : few;
}

#endif
