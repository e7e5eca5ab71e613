/* What the tests of studies share: cases from text, a box that a case runs on, and what its steps
 * report. */
#ifndef EW_STUDY_FIXTURE_H
#define EW_STUDY_FIXTURE_H

#include "shape/parts/shape.h"
#include "study/study.h"
#include "format/parts/format.h"
#include "model/parts/model.h"
#include "testlib.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline ew_status read_text(const char *text, ew_case *input)
{
    memset(input, 0, sizeof *input);
    return ew_case_read(text, strlen(text), input);
}

/* Cases that say nothing of elements have linear tets here, which take less time. */
static inline ew_study_def linear_study_def(void)
{
    ew_study_def def = ew_default_study_def();
    def.quadratic = 0;
    return def;
}

#define HEAD "mesh: part.mesh\nmaterial: {young: 1000, poisson: 0.3, density: 2}\n"

typedef struct seen {
    int32_t n;
    int32_t n_tet[16], iterations[16], lost[16], n_edit[16], left_out[16];
    int64_t different[16], touched[16];
    double displacement[16], volume[16], energy[16], force[16][3];
    double lost_force[16][3];
    bool compacted[16];
    int32_t n_set; /* of the case */
} seen;

static inline void watch(void *user, const ew_step_report *report)
{
    seen *all = user;
    const int32_t i = all->n++;
    all->n_tet[i] = report->n_tet;
    all->iterations[i] = report->solver ? report->solver->iterations : -1;
    all->different[i] = report->verified ? report->different_blocks : -1;
    all->touched[i] = report->touched_blocks;
    all->lost[i] = 0;
    for (int32_t s = 0; s < all->n_set; s++) {
        all->lost[i] += report->lost_members[s];
    }
    memcpy(all->lost_force[i], report->lost_force, sizeof all->lost_force[i]);
    all->n_edit[i] = report->n_edit;
    all->left_out[i] = report->n_left_out;
    all->displacement[i] = report->sums->max_displacement;
    all->volume[i] = report->sums->volume;
    all->energy[i] = report->sums->strain_energy;
    memcpy(all->force[i], report->sums->applied_force, sizeof all->force[i]);
    all->compacted[i] = report->compacted;
}

/* Runs a case on a box. n_set, or null: how many sets the case has, before it runs. */
static inline ew_status run_on_box(const char *text, const double size[3], const int32_t cells[3],
                                   const ew_study_def *def, ew_result *result,
                                   const ew_result_archive *journal, int32_t *n_set)
{
    ew_case input;
    ew_mesh mesh;
    EW_TRY(read_text(text, &input));
    if (n_set) {
        *n_set = input.n_set;
    }
    ew_status status = ew_shape_box(&mesh, size, cells);
    if (!status) {
        status = ew_study_run(&input, &mesh, def, result, journal);
    }
    ew_mesh_free(&mesh);
    ew_case_free(&input);
    return status;
}

static inline ew_status run_box(const char *text, const int32_t cells[3], seen *all,
                                ew_result *result, bool verify, const ew_result_archive *journal)
{
    ew_study_def def = linear_study_def();
    memset(all, 0, sizeof *all);
    def.user = all;
    def.on_step = watch;
    def.verify_rebuild = verify;
    return run_on_box(text, (const double[3]){4, 1, 1}, cells, &def, result, journal, &all->n_set);
}

static inline ew_status run_text(const char *text, seen *all, ew_result *result, bool verify,
                                 const ew_result_archive *journal)
{
    return run_box(text, (const int32_t[3]){8, 2, 2}, all, result, verify, journal);
}

#define BODY                                                                                       \
    HEAD "sets:\n"                                                                                 \
         "  wall: {surface: 1}\n"                                                                  \
         "  tip: {surface: 2, of: vertices}\n"                                                     \
         "  end: {box: [[3.4, 0, 0], [4, 1, 1]]}\n"                                                \
         "constraints:\n  - {set: wall, displacement: [0, 0, 0]}\n"                                \
         "loads:\n  - {set: tip, total_force: [0, 0, -1]}\n"

/* Runs a case by `run` into a result and its replay into another, which must have the same bits. */
static inline void replay_beside(const char *text, const char *name,
                                 ew_status (*run)(const char *text, void *user, ew_result *result,
                                                  const ew_result_archive *journal),
                                 void *first, void *again)
{
    char own[2][64], path[2][160], different[256] = "";
    ew_result_archive archive = {0};
    for (int i = 0; i < 2; i++) {
        ew_result *result = NULL;
        snprintf(own[i], sizeof own[i], "%s-%s", name, i ? "replayed" : "first");
        snprintf(path[i], sizeof path[i], "%s.vtkhdf", own[i]);
        const ew_result_def def = {.name = own[i],
                                   .case_text = text,
                                   .length_unit = "",
                                   .force_unit = "",
                                   .time_unit = ""};
        must(ew_result_create(&result, &def));
        must(run(text, i ? again : first, result, i ? &archive : NULL));
        must(ew_result_finish(result));
        must(i ? EW_OK : ew_result_read_archive(path[0], &archive));
    }
    must(ew_result_compare(path[0], path[1], different, sizeof different));
    CU_ASSERT_STRING_EQUAL(different, "");
    ew_result_archive_free(&archive);
    for (int i = 0; i < 2; i++) {
        remove(path[i]);
        snprintf(path[i], sizeof path[i], "%s.xdmf", own[i]);
        remove(path[i]);
    }
}

#endif
