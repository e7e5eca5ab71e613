/* The BLAS on one thread, and with the memory that it works in. What OpenBLAS computes depends in
 * its last bits on how many threads share the work, by default as many as are idle when the program
 * starts; results must not. For a sparse factor of linear tets a second thread gains little.
 * OpenBLAS maps a buffer for each thread that calls it, at the first call that needs one, keeps it
 * for later ones, and where the system refuses it, asks again without end (blas_memory_alloc of
 * memory.c, 0.3.21). */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "solver/direct/cholesky.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

/* The size of such a buffer (BUFFER_SIZE of common_x86_64.h, 0.3.21), and what other threads may
 * take between the question whether there is room for it and its use. */
#define BUFFER_BYTES ((size_t)128 << 20)
#define SPARE_BYTES  ((size_t)8 << 20)
enum { MAX_BUFFERS = 128 };

/* The function of this name, where the BLAS that was linked is OpenBLAS. */
static bool find(const char *name, void *function, size_t size)
{
    void *found = dlsym(RTLD_DEFAULT, name);
    memcpy(function, &found, size);
    return found != NULL;
}

int cholesky_blas_alone(void)
{
    int (*get)(void);
    void (*set)(int);
    if (!find("openblas_get_num_threads", &get, sizeof get) ||
        !find("openblas_set_num_threads", &set, sizeof set)) {
        return 0;
    }
    const int before = get();
    set(1);
    return before;
}

void cholesky_blas_restore(int before)
{
    void (*set)(int);
    if (before > 1 && find("openblas_set_num_threads", &set, sizeof set)) {
        set(before);
    }
}

/* ---- buffers ------------------------------------------------------------------------ */

typedef struct blas_memory {
    void *(*take)(int kind);
    void (*give)(void *buffer);
} blas_memory;

/* All n at once, so that each is another one. *n_taken: as many as there is room for. */
static ew_status take_buffers(const blas_memory *memory, int n, int *n_taken)
{
    void *buffer[MAX_BUFFERS], *room = NULL;
    ew_status status = EW_OK;
    int taken = 0;
    while (taken < n && !(status = ew_room_keep(&room, BUFFER_BYTES + SPARE_BYTES))) {
        ew_room_give(&room, BUFFER_BYTES + SPARE_BYTES);
        buffer[taken++] = memory->take(1);
    }
    for (int k = taken - 1; k >= 0; k--) {
        memory->give(buffer[k]);
    }
    *n_taken = taken;
    return status;
}

ew_status cholesky_blas_reserve(void)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static int n_user, n_buffer; /* threads that came here, and buffers that OpenBLAS has */
    static _Thread_local bool has_come;
    blas_memory memory;
    ew_status status = EW_OK;
    if (!find("blas_memory_alloc", &memory.take, sizeof memory.take) ||
        !find("blas_memory_free", &memory.give, sizeof memory.give)) {
        return EW_OK;
    }
    pthread_mutex_lock(&mutex);
    n_user += !has_come;
    has_come = true;
    if (n_buffer < n_user && n_user <= MAX_BUFFERS) {
        int n_taken;
        status = take_buffers(&memory, n_user, &n_taken);
        n_buffer = n_taken > n_buffer ? n_taken : n_buffer;
    }
    pthread_mutex_unlock(&mutex);
    return status ? ew_fail(EW_NO_MEMORY,
                            "solver: OpenBLAS, which direct solves and eigenvalues call, takes "
                            "128 MiB of memory for a thread, more than there is; raise the limit "
                            "(ulimit -v); 'solver: cg' of a static step does without")
                  : EW_OK;
}
