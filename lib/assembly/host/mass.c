/* Mass as a source: scalar blocks from tets. In: positions, tets, densities of their regions. Out:
 * for each row and pair the sum of the masses of its tets, in ascending order, times the share that
 * a vertex or a pair has of a tet. Kernel: mass.cl, with the same bits. */
#include "assembly/host/blocks.h"
#include "combine.h"
#include "tet.h"

/* Computing the mass of every tet ahead pays from about one block in this many on. */
#define ALL_SHARE 12
/* With fewer blocks a thread costs more than it saves. */
#define MIN_BLOCKS_A_THREAD 4000

double ew_mass_of_tet(const ew_mass *mass, int32_t tet)
{
    double x[12];
    ew_mesh_tet_values(mass->mesh, tet, mass->mesh->xyz, x);
    return mass->materials->material[mass->mesh->region[tet]].density * ew_tet_volume_of(x);
}

double ew_mass_of_tets(const ew_mass *mass, const double *of_tet, const ew_rows *tets, int32_t slot)
{
    const int32_t *item = tets->item + (size_t)(tets->count[slot] ? tets->begin[slot] : 0);
    double sum = 0.0;
    for (int32_t i = 0; i < tets->count[slot]; i++) {
        sum += of_tet ? of_tet[item[i]] : ew_mass_of_tet(mass, item[i]);
    }
    return sum;
}

static void fill_rows(const ew_mass *from, const double *of_tet, const ew_list *row, double *to)
{
    const ew_rows *tets = &from->topology->vertex_to_tet;
    const int32_t n = row ? row->n : from->source.pattern->n_row;
    const double share =
        from->kind == EW_MASS_LUMPED ? EW_MASS_OF_VERTEX : EW_MASS_OF_VERTEX_SQUARE;
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n, MIN_BLOCKS_A_THREAD))
    for (int32_t i = 0; i < n; i++) {
        const int32_t v = row ? row->id[i] : i;
        to[v] = tets->count[v] ? share * ew_mass_of_tets(from, of_tet, tets, v) : 1.0;
    }
}

static void fill_pairs(const ew_mass *from, const double *of_tet, const ew_list *pair, double *to)
{
    const ew_rows *tets = &from->topology->edge_to_tet;
    const int32_t n = pair ? pair->n : from->source.pattern->n_pair;
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n, MIN_BLOCKS_A_THREAD))
    for (int32_t i = 0; i < n; i++) {
        const int32_t e = pair ? pair->id[i] : i;
        to[e] = EW_MASS_OF_PAIR * ew_mass_of_tets(from, of_tet, tets, e);
    }
}

/* *of_tet [n_tet]: the caller's. */
static ew_status weigh_tets(const ew_mass *from, double **of_tet)
{
    const int32_t n = from->mesh->n_tet;
    EW_TRY(ew_new(of_tet, (size_t)n, sizeof **of_tet));
    double *to = *of_tet;
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n, MIN_BLOCKS_A_THREAD))
    for (int32_t t = 0; t < n; t++) {
        to[t] = ew_mesh_tet_is_live(from->mesh, t) ? ew_mass_of_tet(from, t) : 0.0;
    }
    return EW_OK;
}

static bool touches_much(const ew_pattern *pattern, const ew_pattern_change *change)
{
    const int64_t n_block = (int64_t)pattern->n_row + pattern->n_pair;
    return ALL_SHARE * ((int64_t)change->touched_row.n + change->touched_pair.n) >= n_block;
}

static ew_status compute(const ew_source *source, ew_matrix *matrix,
                         const ew_pattern_change *change)
{
    const ew_mass *from = (const ew_mass *)source;
    double *of_tet = NULL;
    if (!change || touches_much(source->pattern, change)) {
        EW_TRY(weigh_tets(from, &of_tet));
    }
    fill_rows(from, of_tet, change ? &change->touched_row : NULL, matrix->diagonal);
    if (!source->diagonal_only) {
        fill_pairs(from, of_tet, change ? &change->touched_pair : NULL, matrix->pair);
    }
    ew_release(of_tet);
    return EW_OK;
}

static ew_status check(const ew_source *source)
{
    const ew_mass *from = (const ew_mass *)source;
    return ew_assembly_check_tets(source, from->mesh, from->materials);
}

static uint64_t constants(const ew_source *source, int32_t *n)
{
    const ew_mass *from = (const ew_mass *)source;
    const int32_t kind = from->kind;
    *n = ew_assembly_n_kind(*n, from->mesh, from->materials);
    return ew_hash(ew_materials_density_revision(from->materials, *n), &kind, sizeof kind);
}

ew_mass ew_mass_of(const ew_mesh *mesh, const ew_topology *topology, const ew_materials *materials,
                   ew_mass_kind kind)
{
    return (ew_mass){.source = {.name = "mass",
                                .block = 1,
                                .diagonal_only = kind == EW_MASS_LUMPED,
                                .pattern = &topology->pattern,
                                .check = check,
                                .constants = constants,
                                .compute = compute},
                     .mesh = mesh,
                     .topology = topology,
                     .materials = materials,
                     .kind = kind};
}
