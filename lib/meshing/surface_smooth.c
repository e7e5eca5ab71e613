/* A closed surface made smooth. In: triangles, those whose vertices stay. Out: the other vertices
 * moved, the volume as it was.
 *
 * Taubin, G. 1995, "A signal processing approach to fair surface design", SIGGRAPH 95: a pass moves
 * each vertex toward the mean of its neighbors, the next one away from it, which leaves what is
 * large as it is. The volume that is lost all the same comes back by an equal move along normals.
 */
#include "meshing/parts/meshing.h"

#include <math.h>
#include <string.h>

static const double toward = 0.5, away = -0.53;
enum { VOLUME_PASSES = 8 };

typedef struct smoothing {
    ew_surface *surface;
    bool *stays; /* [n_vertex] owned */
    double *sum; /* [n_vertex][4] owned */
} smoothing;

static void triangle_area(const ew_surface *surface, int32_t i, double area[3])
{
    const int32_t *t = surface->triangle + 3 * (size_t)i;
    const double *a = surface->xyz + 3 * (size_t)t[0];
    double u[3], v[3];
    for (int c = 0; c < 3; c++) {
        u[c] = surface->xyz[3 * (size_t)t[1] + (size_t)c] - a[c];
        v[c] = surface->xyz[3 * (size_t)t[2] + (size_t)c] - a[c];
    }
    for (int c = 0; c < 3; c++) {
        area[c] = 0.5 * (u[(c + 1) % 3] * v[(c + 2) % 3] - u[(c + 2) % 3] * v[(c + 1) % 3]);
    }
}

/* By the divergence theorem, about the first vertex: less cancels. */
double ew_surface_volume(const ew_surface *surface)
{
    double volume = 0.0;
    for (int32_t i = 0; i < surface->n_triangle; i++) {
        const double *x = surface->xyz + 3 * (size_t)surface->triangle[3 * (size_t)i];
        double area[3];
        triangle_area(surface, i, area);
        for (int c = 0; c < 3; c++) {
            volume += area[c] * (x[c] - surface->xyz[c]) / 3.0;
        }
    }
    return volume;
}

static void pass(smoothing *s, double factor)
{
    ew_surface *surface = s->surface;
    memset(s->sum, 0, 4 * (size_t)surface->n_vertex * sizeof *s->sum);
    for (int32_t i = 0; i < 3 * surface->n_triangle; i++) {
        double *at = s->sum + 4 * (size_t)surface->triangle[i];
        const double *next =
            surface->xyz + 3 * (size_t)surface->triangle[3 * (i / 3) + (i + 1) % 3];
        for (int c = 0; c < 3; c++) { /* each neighbor follows in one triangle */
            at[c] += next[c];
        }
        at[3] += 1.0;
    }
    for (int32_t v = 0; v < surface->n_vertex; v++) {
        const double *sum = s->sum + 4 * (size_t)v;
        for (int c = 0; c < 3 && !s->stays[v]; c++) {
            double *x = &surface->xyz[3 * (size_t)v + (size_t)c];
            *x += factor * (sum[c] / sum[3] - *x);
        }
    }
}

/* By Newton's method: a move d along the normals n of free vertices with the area vectors A changes
 * the volume by d sum A.n. */
static void restore_volume(smoothing *s, double volume)
{
    ew_surface *surface = s->surface;
    for (int k = 0; k < VOLUME_PASSES; k++) {
        double slope = 0.0;
        const double missing = volume - ew_surface_volume(surface);
        memset(s->sum, 0, 4 * (size_t)surface->n_vertex * sizeof *s->sum);
        for (int32_t i = 0; i < surface->n_triangle; i++) {
            double area[3];
            triangle_area(surface, i, area);
            for (int c = 0; c < 9; c++) {
                s->sum[4 * (size_t)surface->triangle[3 * (size_t)i + (size_t)(c / 3)] +
                       (size_t)(c % 3)] += area[c % 3] / 3.0;
            }
        }
        for (int32_t v = 0; v < surface->n_vertex; v++) {
            double *a = s->sum + 4 * (size_t)v;
            a[3] = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
            slope += s->stays[v] ? 0.0 : a[3];
        }
        for (int32_t v = 0; v < surface->n_vertex && slope > 0.0; v++) {
            const double *a = s->sum + 4 * (size_t)v;
            for (int c = 0; c < 3 && !s->stays[v] && a[3] > 0.0; c++) {
                surface->xyz[3 * (size_t)v + (size_t)c] += missing / slope * a[c] / a[3];
            }
        }
    }
}

ew_status ew_surface_smooth(ew_surface *surface, int32_t n_pass, const bool *is_kept, double volume,
                            int32_t *n_moved)
{
    smoothing s = {.surface = surface};
    ew_status status = ew_new_zero(&s.stays, (size_t)surface->n_vertex, sizeof *s.stays);
    status = status ? status : ew_new(&s.sum, 4 * (size_t)surface->n_vertex, sizeof *s.sum);
    if (!status) {
        *n_moved = surface->n_vertex;
        for (int32_t i = 0; i < 3 * surface->n_triangle; i++) {
            bool *stays = &s.stays[surface->triangle[i]];
            *n_moved -= is_kept[i / 3] && !*stays;
            *stays = *stays || is_kept[i / 3];
        }
        for (int32_t k = 0; k < n_pass; k++) {
            pass(&s, toward);
            pass(&s, away);
        }
        restore_volume(&s, volume);
    }
    ew_release(s.stays);
    ew_release(s.sum);
    return status;
}
