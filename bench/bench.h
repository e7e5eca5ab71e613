/* Shared by the scenarios of `edgewise bench`: bodies to measure on, timing, rows of results.
 * A scenario is one entry of the table in bench.c; it gets a body, measures, and hands each result
 * to bench_row, which prints it and keeps it for the CSV. Results never decide anything. */
#ifndef EW_BENCH_H
#define EW_BENCH_H

#include "../tools/tool.h"
#include "plot.h"

/* Steel, in m, N, s. Gravity pulls along -y; vertices in the lowest 5 % of the height are fixed. */
#define BENCH_YOUNG   210e9
#define BENCH_POISSON 0.3
#define BENCH_DENSITY 7850.0
#define BENCH_GRAVITY 9.81
#define BENCH_BASE    0.05

/* ---- bodies (body.c) --------------------------------------------------- */

typedef struct bench_body {
    char name[64];
    double base;  /* y up to which vertices are fixed */
    ew_mesh mesh; /* all owned */
    /* by bench_body_prepare */
    ew_topology topology;
    ew_materials materials;
    ew_constraints constraints;
    double *f; /* [n_vertex][3] own weight */
} bench_body;

/* From a file, named after it. */
ew_status bench_body_read(bench_body *body, const char *path);
/* A built-in shape of about n_tet tets, or of exactly `cells` where that is not null. */
enum { BENCH_BOX, BENCH_PLATE, BENCH_BRACKET, BENCH_TORUS, BENCH_SPHERE };
#define BENCH_SHAPES "box plate bracket torus sphere"
ew_status bench_body_make(bench_body *body, int32_t shape, double n_tet, const int32_t *cells);
/* Renumbers for locality as `edgewise run` does; then tables, materials, constraints, load. */
ew_status bench_body_prepare(bench_body *body);
void bench_body_free(bench_body *body);

/* ---- scenarios --------------------------------------------------------- */

enum { BENCH_MAX_COLUMNS = 12 };

typedef struct bench_run bench_run;
typedef struct bench_scenario {
    const char *name, *summary;
    bool as_read;                              /* gets the body unprepared */
    const char *column[BENCH_MAX_COLUMNS + 1]; /* names with units; null ends the list */
    ew_status (*run)(bench_run *bench, const bench_body *body);
} bench_scenario;

extern const bench_scenario bench_scenario_build, bench_scenario_product, bench_scenario_cg,
    bench_scenario_static, bench_scenario_formats, bench_scenario_study, bench_scenario_drift,
    bench_scenario_local, bench_scenario_crossover, bench_scenario_remesh, bench_scenario_model,
    bench_scenario_model_whole, bench_scenario_precondition, bench_scenario_answer,
    bench_scenario_energy, bench_scenario_hard, bench_scenario_direct, bench_scenario_operator,
    bench_scenario_dynamics, bench_scenario_realtime, bench_scenario_quadratic,
    bench_scenario_surface, bench_scenario_corotational, bench_scenario_remove,
    bench_scenario_cases, bench_scenario_contact, bench_scenario_falling;

/* What is being measured. */
struct bench_run {
    int32_t repeat;
    ew_device *device; /* owned; null: the host alone */
    const bench_scenario *scenario;
    const bench_body *body;
    ew_text csv; /* owned */
    int32_t csv_capacity;
    bench_plot plot; /* owned; what a scenario has to draw */
};

/* One result: where ("host", "opencl"), what ("matrix", "single blocks"), and a value per column of
 * the scenario; NAN where there is none. */
ew_status bench_row(bench_run *bench, const char *where, const char *what, const double *value);

/* ---- timing (timing.c) ------------------------------------------------- */

typedef struct bench_times {
    double median, min; /* s per step */
} bench_times;
typedef ew_status bench_step(void *self);

/* Two untimed steps, then `repeat` samples. Steps shorter than 10 ms are run several times per
 * sample. */
ew_status bench_time(int32_t repeat, bench_step *step, void *self, bench_times *times);
/* bytes / s of reading 256 MiB with all threads, fastest sample. */
ew_status bench_read_bandwidth(int32_t repeat, double *bandwidth);
/* Highest resident memory of the process since the last bench_memory_start (where the system
 * cannot restart the count: since the program began), in bytes. */
void bench_memory_start(void);
double bench_memory_peak(void);

#endif
