/* Timing: a step in, median and minimum out. Also the two yardsticks of the machine: how fast
 * memory can be read, and how much of it was in use. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <stdlib.h>
#include <sys/resource.h>

#define MIN_SAMPLE 0.01 /* s */
#define MAX_STEPS  1000 /* per sample */

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static ew_status take_sample(bench_step *step, void *self, int32_t n, double *seconds)
{
    const double start = ew_seconds();
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(step(self));
    }
    *seconds = (ew_seconds() - start) / n;
    return EW_OK;
}

ew_status bench_time(int32_t repeat, bench_step *step, void *self, bench_times *times)
{
    double *sample, seconds = 0;
    EW_TRY(ew_new(&sample, (size_t)repeat, sizeof *sample));
    /* The first step pays for compiling kernels and for fresh memory, the second tells how long. */
    ew_status status = take_sample(step, self, 1, &seconds);
    if (!status) {
        status = take_sample(step, self, 1, &seconds);
    }
    int32_t n = 1;
    while (n < MAX_STEPS && n * seconds < MIN_SAMPLE) {
        n++;
    }
    for (int32_t i = 0; i < repeat && !status; i++) {
        status = take_sample(step, self, n, &sample[i]);
    }
    if (!status) {
        qsort(sample, (size_t)repeat, sizeof *sample, by_value);
        times->min = sample[0];
        times->median = 0.5 * (sample[(repeat - 1) / 2] + sample[repeat / 2]);
    }
    ew_release(sample);
    return status;
}

/* ---- memory ------------------------------------------------------------ */

enum { WORDS = 1 << 25 }; /* of 8 bytes: 256 MiB, more than any cache */

typedef struct reading {
    uint64_t *word; /* [WORDS] */
    uint64_t sum;   /* kept, so that the reads are not optimized away */
} reading;

/* Whole numbers: their sum may be taken in any order, so the compiler uses vectors. */
static ew_status read_all(void *self)
{
    reading *in = self;
    const uint64_t *word = in->word;
    uint64_t sum = 0;
#pragma omp parallel for schedule(static) num_threads(ew_threads()) reduction(+ : sum)
    for (int32_t i = 0; i < WORDS; i++) {
        sum += word[i];
    }
    in->sum += sum;
    return EW_OK;
}

ew_status bench_read_bandwidth(int32_t repeat, double *bandwidth)
{
    reading in = {0};
    bench_times times;
    EW_TRY(ew_new(&in.word, WORDS, sizeof *in.word));
#pragma omp parallel for schedule(static) num_threads(ew_threads())
    for (int32_t i = 0; i < WORDS; i++) {
        in.word[i] = (uint64_t)i;
    }
    ew_status status = bench_time(repeat, read_all, &in, &times);
    if (!status && in.sum % ((uint64_t)WORDS / 2 * (WORDS - 1)) != 0) {
        status = ew_fail(EW_NOT_FINITE, "the memory that was read is not what was written");
    }
    if (!status) {
        *bandwidth = (double)WORDS * sizeof *in.word / times.min;
    }
    ew_release(in.word);
    return status;
}

void bench_memory_start(void)
{
    /* Linux: sets the process' high-water mark back to what is in use now. */
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (file) {
        fputs("5", file);
        fclose(file);
    }
}

double bench_memory_peak(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * (double)usage.ru_maxrss;
}
