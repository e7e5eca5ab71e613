/* What near.py has compared with ipctk, by functions of the library:
 *
 *     near pairs MESH DISTANCE REPEAT OUT
 *         pairs of boundary faces of regions 1 and 2 of a MEDIT file: the corners of both, as
 *         int32_t [pairs][2][3]; prints how many faces and pairs, and the least of milliseconds of
 *         a processor
 *     near distances VERTICES TRIANGLES REPEAT POINTS OUT
 *         of points, double [n][3], from a surface, double [][3] and int32_t [][3]: double [n],
 *         < 0: inside; NaN: beyond a rim. Prints milliseconds */
#include "contact/parts/contact.h"
#include "contact/rigid.h"
#include "format/parts/format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void must(ew_status status)
{
    if (status) {
        fprintf(stderr, "near: %s\n", ew_last_failure()->text);
        exit(1);
    }
}

static double milliseconds(void)
{
    return 1e3 * (double)clock() / CLOCKS_PER_SEC;
}

static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *data = NULL;
    *size = 0;
    while (file && !feof(file)) {
        data = realloc(data, *size + (1 << 20));
        *size += fread(data + *size, 1, 1 << 20, file);
    }
    if (!file) {
        fprintf(stderr, "near: cannot read %s\n", path);
        exit(1);
    }
    fclose(file);
    return data;
}

static void write_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file)) {
        fprintf(stderr, "near: cannot write %s\n", path);
        exit(1);
    }
}

static void put_corners(const ew_mesh *mesh, int32_t code, int32_t *to)
{
    for (int k = 0; k < 3; k++) {
        to[k] = mesh->tet[4 * (code / 4) + ew_face_vertex[code % 4][k]];
    }
}

static void find_pairs(const char *path, double distance, int repeat, const char *out)
{
    size_t size;
    char *data = read_file(path, &size);
    ew_mesh mesh;
    ew_topology topology;
    ew_list all = {0}, side[2] = {{0}, {0}};
    double least = INFINITY;
    must(ew_read_medit(data, size, &mesh, NULL));
    must(ew_topology_build(&topology, &mesh));
    must(ew_topology_boundary(&topology, &mesh, &all));
    for (int32_t i = 0; i < all.n; i++) {
        const int32_t label = mesh.region_label[mesh.region[all.id[i] / 4]];
        must(ew_list_push(&side[label - 1], all.id[i]));
    }
    for (int k = 0; k < repeat; k++) {
        ew_face_pairs pairs = {0};
        const double start = milliseconds();
        must(ew_face_pairs_find(&pairs, &mesh, &side[0], &side[1], distance));
        least = fmin(least, milliseconds() - start);
        if (k == repeat - 1) {
            int32_t *corner = malloc(6 * sizeof *corner * (size_t)pairs.n_pair + 1);
            for (int32_t i = 0; i < pairs.n_slave; i++) {
                for (int32_t p = pairs.begin[i]; p < pairs.begin[i + 1]; p++) {
                    put_corners(&mesh, side[0].id[i], corner + 6 * (size_t)p);
                    put_corners(&mesh, side[1].id[pairs.master[p]], corner + 6 * (size_t)p + 3);
                }
            }
            write_file(out, corner, 6 * sizeof *corner * (size_t)pairs.n_pair);
            printf("%d %d %.3f\n", all.n, pairs.n_pair, least);
            free(corner);
        }
        ew_face_pairs_free(&pairs);
    }
    ew_list_free(&all);
    ew_list_free(&side[0]);
    ew_list_free(&side[1]);
    ew_topology_free(&topology);
    ew_mesh_free(&mesh);
    free(data);
}

static void find_distances(char **path, int repeat, const char *points, const char *out)
{
    size_t n_vertex, n_triangle, n;
    double *xyz = (double *)read_file(path[0], &n_vertex);
    int32_t *triangle = (int32_t *)read_file(path[1], &n_triangle);
    double *x = (double *)read_file(points, &n), least = INFINITY;
    const ew_surface surface = {.n_vertex = (int32_t)(n_vertex / (3 * sizeof *xyz)),
                                .xyz = xyz,
                                .n_triangle = (int32_t)(n_triangle / (3 * sizeof *triangle)),
                                .triangle = triangle};
    rigid_triangles triangles = {0};
    n /= 3 * sizeof *x;
    double *distance = malloc(n * sizeof *distance);
    must(rigid_triangles_make(&triangles, &surface));
    for (int k = 0; k < repeat; k++) {
        const double start = milliseconds();
        for (size_t i = 0; i < n; i++) {
            double foot[3], normal[3], gap;
            distance[i] =
                rigid_triangles_find(&triangles, x + 3 * i, foot, normal, &gap) ? gap : NAN;
        }
        least = fmin(least, milliseconds() - start);
    }
    write_file(out, distance, n * sizeof *distance);
    printf("%.3f\n", least);
    rigid_triangles_free(&triangles);
    free(distance);
    free(x);
    free(xyz);
    free(triangle);
}

int main(int argc, char **argv)
{
    if (argc == 6 && !strcmp(argv[1], "pairs")) {
        find_pairs(argv[2], atof(argv[3]), atoi(argv[4]), argv[5]);
    } else if (argc == 7 && !strcmp(argv[1], "distances")) {
        find_distances(argv + 2, atoi(argv[4]), argv[5], argv[6]);
    } else {
        fprintf(stderr, "near: see the top of near.c\n");
        return 2;
    }
    return 0;
}
