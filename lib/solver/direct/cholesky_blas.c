/* The BLAS on one thread. What OpenBLAS computes depends in its last bits on how many threads share
 * the work, by default as many as are idle when the program starts; results must not. For a sparse
 * factor of linear tets a second thread gains little. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "solver/direct/cholesky.h"

#include <dlfcn.h>
#include <string.h>

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
