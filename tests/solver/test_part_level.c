/* The preconditioner of parts of a system, in one process: the same bits for any number of parts,
 * symmetric, positive, and good. */
#include "shape/parts/shape.h"
#include "solver/parts/solver.h"
#include "subdomain_fixture.h"

/* Aggregates of the whole, and the levels of its parts. */
typedef struct levels {
    whole w;
    int32_t n_aggregate, n; /* n: vertices of the whole */
    int32_t aggregate[2048], chunk[512];
    double frame[512][4];
    uint8_t *fixed[MAX_PART];
    ew_part_level *level[MAX_PART];
} levels;

/* The face x = 0 is clamped, one edge of the opposite one may not move along z. */
static uint8_t fixed_at(const double *x)
{
    return x[0] < 1e-9 ? 7 : x[0] > 0.999 && x[1] < 1e-9 ? 4 : 0;
}

static void number_aggregates(levels *l)
{
    int32_t of[2048], n_group[512], all[512] = {0}, base[512];
    CU_ASSERT_FATAL(l->n <= 2048 && l->w.n_atom <= 512);
    for (int32_t p = 0; p < l->w.n_part; p++) {
        const ew_subdomain *sub = &l->w.part[p].sub;
        must(ew_subdomain_group(sub, 12, of, n_group));
        for (int32_t a = 0; a < sub->n_atom; a++) {
            all[a] += n_group[a];
        }
        for (int32_t v = 0; v < sub->mesh.n_vertex; v++) {
            if (of[v] >= 0) {
                l->aggregate[sub->mesh.vertex_id[v]] = of[v];
            }
        }
    }
    for (int32_t a = 0; a < l->w.n_atom; a++) {
        base[a] = l->n_aggregate;
        for (int32_t k = 0; k < all[a]; k++) {
            l->chunk[l->n_aggregate++] = a;
        }
    }
    CU_ASSERT_FATAL(l->n_aggregate <= 512);
    for (int32_t v = 0; v < l->n; v++) { /* reference points are those of the last rows */
        l->aggregate[v] += base[l->w.atom[v]];
        memcpy(l->frame[l->aggregate[v]], l->w.mesh.xyz + 3 * v, 3 * sizeof(double));
        l->frame[l->aggregate[v]][3] = 0.3;
    }
}

static void set_up_part(levels *l, int32_t p)
{
    const piece *of = &l->w.part[p];
    const ew_mesh *mesh = &of->sub.mesh;
    int32_t aggregate[2048], chunk[512];
    l->fixed[p] = malloc((size_t)mesh->n_vertex);
    for (int32_t a = 0; a < l->n_aggregate; a++) {
        chunk[a] = of->sub.atom_part[l->chunk[a]] == p ? l->chunk[a] : -1;
    }
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        aggregate[v] = mesh->valence[v] > 0 ? l->aggregate[mesh->vertex_id[v]] : -1;
        l->fixed[p][v] = fixed_at(mesh->xyz + 3 * v);
    }
    const ew_part_level_def def = {l->n_aggregate, l->w.n_atom, aggregate, chunk, &l->frame[0][0]};
    must(ew_part_level_setup(&l->level[p], &of->matrix, &of->topology.pattern, mesh->xyz,
                             l->fixed[p], &def));
}

static void make_levels(levels *l, int32_t n_part)
{
    ew_mesh mesh;
    int32_t n = 0;
    ew_level_block *all = NULL;
    memset(l, 0, sizeof *l);
    must(ew_shape_box(&mesh, (double[]){1, 0.5, 0.7}, (int32_t[]){10, 5, 7}));
    make_whole(&l->w, &mesh, 60, n_part);
    l->n = l->w.mesh.n_vertex;
    number_aggregates(l);
    for (int32_t p = 0; p < n_part; p++) {
        int32_t more;
        set_up_part(l, p);
        const ew_level_block *block = ew_part_level_blocks(l->level[p], &more);
        all = realloc(all, (size_t)(n + more) * sizeof *all);
        memcpy(all + n, block, (size_t)more * sizeof *all);
        n += more;
    }
    for (int32_t p = 0; p < n_part; p++) {
        must(ew_part_level_factor(l->level[p], n, all));
    }
    free(all);
}

static void free_levels(levels *l)
{
    for (int32_t p = 0; p < MAX_PART; p++) {
        ew_part_level_free(l->level[p]);
        free(l->fixed[p]);
    }
    free_whole(&l->w);
}

/* r and z by id. */
static void apply(levels *l, const double *r, double *z)
{
    static double sum[6 * 512], one[6 * 512], of_part[6 * 512];
    double *own[MAX_PART];
    void *row[MAX_PART];
    memset(sum, 0, sizeof sum);
    for (int32_t p = 0; p < l->w.n_part; p++) {
        const ew_subdomain *sub = &l->w.part[p].sub;
        own[p] = malloc(3 * (size_t)sub->mesh.n_vertex * sizeof *own[p]);
        for (int32_t v = 0; v < sub->mesh.n_vertex; v++) {
            const bool owns = ew_subdomain_owns(sub, v);
            for (int c = 0; c < 3; c++) { /* what ghosts have is not looked at */
                own[p][3 * v + c] = owns ? r[3 * sub->mesh.vertex_id[v] + c] : NAN;
            }
        }
        row[p] = ew_part_level_forward(l->level[p], own[p]);
    }
    exchange(&l->w, 4 * sizeof(double), row);
    for (int32_t p = 0; p < l->w.n_part; p++) {
        ew_part_level_restrict(l->level[p], one);
        for (int32_t i = 0; i < 6 * l->n_aggregate; i++) {
            CU_ASSERT_FATAL(one[i] == 0.0 || sum[i] == 0.0);
            sum[i] += one[i];
        }
    }
    for (int32_t p = 0; p < l->w.n_part; p++) {
        const ew_subdomain *sub = &l->w.part[p].sub;
        double *out = malloc(3 * (size_t)sub->mesh.n_vertex * sizeof *out);
        memcpy(of_part, sum, sizeof sum);
        ew_part_level_backward(l->level[p], of_part, own[p], out);
        for (int32_t v = 0; v < sub->mesh.n_vertex; v++) {
            if (ew_subdomain_owns(sub, v)) {
                memcpy(z + 3 * sub->mesh.vertex_id[v], out + 3 * v, 3 * sizeof *z);
            }
        }
        free(out);
        free(own[p]);
    }
}

static double *make_vector(const levels *l, uint64_t seed)
{
    double *x = malloc(3 * (size_t)l->n * sizeof *x);
    for (int32_t i = 0; i < 3 * l->n; i++) {
        const bool is_fixed = fixed_at(l->w.mesh.xyz + 3 * (i / 3)) >> (i % 3) & 1;
        x[i] = is_fixed ? 0.0 : (double)ew_test_random(&seed, 2000001) / 1e6 - 1.0;
    }
    return x;
}

static double dot(const double *x, const double *y, int32_t n)
{
    double sum = 0.0;
    for (int32_t i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

static void test_parts_give_the_same_bits(void)
{
    uint64_t first = 0;
    for (int32_t n_part = 1; n_part <= 6; n_part++) {
        levels l;
        make_levels(&l, n_part);
        double *r = make_vector(&l, 3), *z = calloc(3 * (size_t)l.n, sizeof *z);
        for (int twice = 0; twice < 2; twice++) { /* nothing stays behind from an application */
            apply(&l, r, z);
            for (int32_t i = 0; i < 3 * l.n; i++) {
                z[i] += 0.0;
            }
            const uint64_t hash = ew_hash(EW_HASH_START, z, 3 * (size_t)l.n * sizeof *z);
            first = n_part == 1 && !twice ? hash : first;
            CU_ASSERT_EQUAL(hash, first);
        }
        free(r);
        free(z);
        free_levels(&l);
    }
}

static void test_it_is_symmetric_and_positive(void)
{
    levels l;
    make_levels(&l, 3);
    double *x = make_vector(&l, 5), *y = make_vector(&l, 9);
    double *mx = calloc(3 * (size_t)l.n, sizeof *mx), *my = calloc(3 * (size_t)l.n, sizeof *my);
    apply(&l, x, mx);
    apply(&l, y, my);
    const double size = sqrt(dot(x, mx, 3 * l.n) * dot(y, my, 3 * l.n));
    CU_ASSERT(dot(x, mx, 3 * l.n) > 0.0 && dot(y, my, 3 * l.n) > 0.0);
    CU_ASSERT_DOUBLE_EQUAL(dot(x, my, 3 * l.n), dot(y, mx, 3 * l.n),
                           1e-6 * size); /* blocks are single */
    for (int32_t i = 0; i < 3 * l.n; i++) {
        const bool is_fixed = fixed_at(l.w.mesh.xyz + 3 * (i / 3)) >> (i % 3) & 1;
        CU_ASSERT(!is_fixed || mx[i] == 0.0);
    }
    free(x);
    free(y);
    free(mx);
    free(my);
    free_levels(&l);
}

/* x += M^-1 (b - K x) converges, for M is no less than K up to rounding, and the coarse level sees
 * to it that long waves shrink, too: after twelve steps most of the energy is there. */
static void test_it_corrects(void)
{
    levels l;
    make_levels(&l, 4);
    const int32_t n = 3 * l.n;
    double *b = make_vector(&l, 7), *x = calloc((size_t)n, sizeof *x);
    double *r = malloc((size_t)n * sizeof *r), *z = calloc((size_t)n, sizeof *z), before = 0.0;
    for (int step = 0; step < 12; step++) {
        ew_matrix_product(&l.w.matrix, &l.w.topology.pattern, x, r);
        for (int32_t i = 0; i < n; i++) {
            const bool is_fixed = fixed_at(l.w.mesh.xyz + 3 * (i / 3)) >> (i % 3) & 1;
            r[i] = is_fixed ? 0.0 : b[i] - r[i];
        }
        apply(&l, r, z);
        const double energy = dot(r, z, n);
        CU_ASSERT(step == 0 || energy < before);
        before = energy;
        for (int32_t i = 0; i < n; i++) {
            x[i] += z[i];
        }
    }
    CU_ASSERT(before < 0.25 * dot(b, x, n));
    free(b);
    free(x);
    free(r);
    free(z);
    free_levels(&l);
}

static void test_memory_may_end(void)
{
    levels l;
    make_levels(&l, 2);
    bool refused = true;
    const piece *of = &l.w.part[0];
    int32_t aggregate[2048], chunk[512], n;
    for (int32_t a = 0; a < l.n_aggregate; a++) {
        chunk[a] = of->sub.atom_part[l.chunk[a]] == 0 ? l.chunk[a] : -1;
    }
    for (int32_t v = 0; v < of->sub.mesh.n_vertex; v++) {
        aggregate[v] = l.aggregate[of->sub.mesh.vertex_id[v]];
    }
    const ew_part_level_def def = {l.n_aggregate, l.w.n_atom, aggregate, chunk, &l.frame[0][0]};
    for (int64_t k = 0; refused; k += k < 40 ? 1 : 7) {
        ew_part_level *level = NULL;
        ew_test_allocations_begin(k);
        ew_status status = ew_part_level_setup(&level, &of->matrix, &of->topology.pattern,
                                               of->sub.mesh.xyz, l.fixed[0], &def);
        if (!status) {
            const ew_level_block *block = ew_part_level_blocks(level, &n);
            status = ew_part_level_factor(level, n, block);
        }
        ew_part_level_free(level);
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
    }
    free_levels(&l);
}

static CU_TestInfo tests[] = {{"parts_give_the_same_bits", test_parts_give_the_same_bits},
                              {"it_is_symmetric_and_positive", test_it_is_symmetric_and_positive},
                              {"it_corrects", test_it_corrects},
                              {"memory_may_end", test_memory_may_end},
                              CU_TEST_INFO_NULL};
static CU_SuiteInfo suites[] = {{"part_level", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};

int main(int argc, char **argv)
{
    return ew_test_main(argc, argv, suites);
}
