/* Oblique rows on a device. In: the system's list of them, in any order. Out: the same there,
 * sorted by row. */
#include "solver/device/device_oblique.h"

#include <stdlib.h>
#include <string.h>

/* A row and its place in the list. */
typedef struct place {
    int32_t row, at;
} place;

static int compare(const void *a, const void *b)
{
    const int32_t left = ((const place *)a)->row, right = ((const place *)b)->row;
    return (left > right) - (left < right);
}

/* Sorted copies; *same: they are those of before. */
static ew_status sort_rows(ew_device_oblique *self, const ew_oblique *list, int32_t n_row,
                           bool *same)
{
    const int32_t n_all = list ? list->n : 0;
    place *order = NULL;
    int32_t n = 0;
    EW_TRY(ew_grow(&self->sorted, &self->sorted_capacity, n_all, 6 * sizeof *self->sorted));
    EW_TRY(ew_grow(&self->normal, &self->capacity, n_all, 6 * sizeof *self->normal));
    EW_TRY(ew_grow(&self->row.id, &self->row.capacity, n_all, sizeof *self->row.id));
    EW_TRY(ew_new(&order, (size_t)n_all + 1, sizeof *order));
    for (int32_t k = 0; k < n_all; k++) {
        if (list->row[k] < n_row) {
            order[n++] = (place){list->row[k], k};
        }
    }
    qsort(order, (size_t)n, sizeof *order, compare);
    *same = n == self->n;
    for (int32_t k = 0; k < n; k++) {
        double *to = self->sorted + 6 * (size_t)k;
        memcpy(to, list->normal + 6 * (size_t)order[k].at, 6 * sizeof *to);
        *same = *same && self->row.id[k] == order[k].row &&
                memcmp(self->normal + 6 * (size_t)k, to, 6 * sizeof *to) == 0;
        self->row.id[k] = order[k].row;
    }
    ew_release(order);
    self->n = self->row.n = n;
    return EW_OK;
}

static ew_status send(ew_device_oblique *self, ew_device *device)
{
    const size_t n = (size_t)self->n, bytes = n * sizeof(int32_t);
    EW_TRY(ew_buffer_reserve(device, &self->row_there, bytes));
    EW_TRY(ew_buffer_write(device, &self->row_there, 0, bytes, self->row.id));
    EW_TRY(ew_buffer_reserve(device, &self->normal_there, 6 * n * sizeof(double)));
    if (ew_device_about(device)->has_double) {
        return ew_buffer_write(device, &self->normal_there, 0, 6 * n * sizeof(double),
                               self->normal);
    }
    for (size_t i = 0; i < 6 * n; i++) { /* its old place is read before it is written */
        const float rounded = (float)self->sorted[i];
        memcpy((char *)self->sorted + i * sizeof rounded, &rounded, sizeof rounded);
    }
    return ew_buffer_write(device, &self->normal_there, 0, 6 * n * sizeof(float), self->sorted);
}

ew_status ew_device_oblique_follow(ew_device_oblique *self, ew_device *device,
                                   const ew_oblique *list, int32_t n_row)
{
    bool same;
    if (!self->n && !(list && list->n)) {
        return EW_OK;
    }
    EW_TRY(sort_rows(self, list, n_row, &same));
    if (same || !self->n) {
        return EW_OK;
    }
    memcpy(self->normal, self->sorted, 6 * (size_t)self->n * sizeof *self->normal);
    const ew_status status = send(self, device);
    if (status) {
        self->n = 0; /* all of it is sent again */
    }
    return status;
}

void ew_device_oblique_free(ew_device_oblique *self)
{
    ew_list_free(&self->row);
    ew_release(self->normal);
    ew_release(self->sorted);
    ew_buffer_free(&self->row_there);
    ew_buffer_free(&self->normal_there);
    *self = (ew_device_oblique){0};
}
