/* Stress of tets alone, for callers that read nothing else. In: mesh, materials and the solved
 * displacement u. Out: stress and von Mises stress of each tet, with the bits of a whole recovery.
 * Isotropic tets are computed several at a time, by loops that the compiler puts side by side. */
#include "analysis/recovery/linear_tet.h"
#include "base/clones.h"
#include "stress.h"
#include "tet.h"

#include <math.h>
#include <string.h>

enum { LANES = 8, PART = 1 << 10 };

/* Values of several tets, of each in a column. */
typedef struct tet_lanes {
    double place[12][LANES], moved[12][LANES];
    double lame[2][LANES];
    double stress[6][LANES], square[LANES]; /* of the von Mises stress */
} tet_lanes;

/* The capacity counts room in all arrays of tets, and grows with them in a whole recovery. */
static ew_status make_room(ew_fields *fields, int32_t n_tet)
{
    int32_t grown = fields->tet_capacity;
    EW_TRY(ew_grow(&fields->stress, &grown, n_tet, 6 * sizeof *fields->stress));
    grown = fields->tet_capacity;
    return ew_grow(&fields->von_mises, &grown, n_tet, sizeof *fields->von_mises);
}

static void take_tet(const ew_mesh *mesh, const ew_materials *materials, const double *u, int32_t t,
                     int lane, tet_lanes *in)
{
    const double *lame = materials->lame + 2 * (size_t)mesh->region[t];
    for (int k = 0; k < 4; k++) {
        const size_t at = 3 * (size_t)mesh->tet[4 * (size_t)t + (size_t)k];
        for (int c = 0; c < 3; c++) {
            in->place[3 * k + c][lane] = mesh->xyz[at + (size_t)c];
            in->moved[3 * k + c][lane] = u[at + (size_t)c];
        }
    }
    in->lame[0][lane] = lame[0];
    in->lame[1][lane] = lame[1];
}

/* Of a lane without a tet what was there before, whose stress nobody takes. */
EW_CLONES_AVX512 static void find_stress(tet_lanes *in)
{
    for (int lane = 0; lane < LANES; lane++) {
        double x[12], u[12], g[12], strain[6], stress[6];
        const double lame[2] = {in->lame[0][lane], in->lame[1][lane]};
        for (int i = 0; i < 12; i++) {
            x[i] = in->place[i][lane];
            u[i] = in->moved[i][lane];
        }
        ew_tet_gradients(x, g);
        ew_tet_strain(g, u, strain);
        ew_isotropic_stress(lame, strain, stress);
        for (int i = 0; i < 6; i++) {
            in->stress[i][lane] = stress[i];
        }
        in->square[lane] = ew_von_mises_square(stress);
    }
}

static void put_tet(const tet_lanes *in, int lane, int32_t t, ew_fields *fields)
{
    double *stress = fields->stress + 6 * (size_t)t;
    for (int i = 0; i < 6; i++) {
        stress[i] = in->stress[i][lane];
    }
    fields->von_mises[t] = sqrt(in->square[lane]);
}

static void put_none(int32_t t, ew_fields *fields)
{
    memset(fields->stress + 6 * (size_t)t, 0, 6 * sizeof *fields->stress);
    fields->von_mises[t] = 0.0;
}

/* The first n of the lanes. */
static void recover_lanes(tet_lanes *in, const int32_t id[LANES], int n, ew_fields *fields)
{
    find_stress(in);
    for (int lane = 0; lane < n; lane++) {
        put_tet(in, lane, id[lane], fields);
    }
}

static void recover_isotropic(const ew_mesh *mesh, const ew_materials *materials, const double *u,
                              int32_t begin, int32_t end, ew_fields *fields)
{
    tet_lanes in = {.place = {{0.0}}};
    int32_t id[LANES];
    int n = 0;
    for (int32_t t = begin; t < end; t++) {
        if (!ew_mesh_tet_is_live(mesh, t)) {
            put_none(t, fields);
            continue;
        }
        take_tet(mesh, materials, u, t, n, &in);
        id[n++] = t;
        if (n == LANES) {
            recover_lanes(&in, id, n, fields);
            n = 0;
        }
    }
    if (n) {
        recover_lanes(&in, id, n, fields);
    }
}

static void recover_any(const ew_mesh *mesh, const ew_materials *materials, const double *u,
                        int32_t begin, int32_t end, ew_fields *fields)
{
    for (int32_t t = begin; t < end; t++) {
        double strain[6], stress[6];
        if (!ew_mesh_tet_is_live(mesh, t)) {
            put_none(t, fields);
            continue;
        }
        ew_linear_tet_stress(mesh, materials, u, t, strain, stress);
        memcpy(fields->stress + 6 * (size_t)t, stress, sizeof stress);
        fields->von_mises[t] = ew_von_mises(stress);
    }
}

ew_status ew_fields_recover_stress(ew_fields *fields, const ew_mesh *mesh,
                                   const ew_materials *materials, const double *u)
{
    const int32_t n_part = mesh->n_tet / PART + (mesh->n_tet % PART > 0);
    uint64_t largest = 0;
    double value;
    EW_TRY(make_room(fields, mesh->n_tet));
    fields->n_tet = mesh->n_tet;
#pragma omp parallel for schedule(static) reduction(max : largest)
    for (int32_t k = 0; k < n_part; k++) {
        const int32_t begin = k * PART, end = k + 1 < n_part ? begin + PART : mesh->n_tet;
        if (materials->is_isotropic) {
            recover_isotropic(mesh, materials, u, begin, end, fields);
        } else {
            recover_any(mesh, materials, u, begin, end, fields);
        }
        const uint64_t found =
            ew_largest_magnitude(fields->stress + 6 * (size_t)begin, 6 * ((int64_t)end - begin));
        largest = found > largest ? found : largest;
    }
    memcpy(&value, &largest, sizeof value);
    return ew_field_check_range("stress", &value, 1);
}
