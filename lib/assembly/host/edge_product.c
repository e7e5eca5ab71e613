/* Products of quadratic tets, straight from the tets. In: mesh, tables, constants, rows of edges.
 * Out: a list of the tets that have such rows, four to a group; and with it y += K x for all that
 * the linear stiffness does not give.
 *
 * Parts are ranges of the list, one a thread. A row belongs to the part of the first tet that has
 * it; a part computes its own tets, then those of later parts that share one of its rows, and
 * writes its own rows alone. So every row is the sum of its tets in the order of the list, whatever
 * the number of parts, and no row waits for another thread. Tets with curved sides follow the
 * straight ones in each part, and so in the sums. */
#include "assembly/host/edge_columns.h"
#include "assembly/host/tangent_lanes.h"

#include <stdlib.h>
#include <string.h>

/* Tets that make a part worth its thread, and parts at most (a byte names one). */
enum { MIN_PART_TETS = 1000, MAX_PARTS = 128 };

/* ---- the list ------------------------------------------------------------- */

/* Source of a list; rows of edges stand behind the vertices. */
typedef struct maker {
    const ew_mesh *mesh;
    const ew_topology *topology;
    const ew_edge_rows *rows;
    ew_list tet;      /* that have edges with rows, in the order of the list */
    uint8_t *owner;   /* [rows of vertices and edges] owned: part that writes a row */
    uint64_t *shared; /* owned: bit sets of tets in the list that a part needs beyond its own */
    size_t words;     /* of one of them */
    bool names_tets;  /* the product must know which they are */
} maker;

static void nodes_of(const maker *make, int32_t tet, int32_t node[EW_GROUP_NODES])
{
    const int32_t *edge = make->topology->tet_to_edge + 6 * (size_t)tet;
    memcpy(node, make->mesh->tet + 4 * (size_t)tet, 4 * sizeof *node);
    for (int k = 0; k < 6; k++) {
        const int32_t row = make->rows->row[edge[k]];
        node[4 + k] = row < 0 ? EW_NO_EDGE : make->mesh->n_vertex + row;
    }
}

static int32_t greatest_vertex(const ew_mesh *mesh, int32_t tet)
{
    const int32_t *v = mesh->tet + 4 * (size_t)tet;
    const int32_t a = v[0] > v[1] ? v[0] : v[1], b = v[2] > v[3] ? v[2] : v[3];
    return a > b ? a : b;
}

/* By greatest vertex, then ascending. The rows of a tet are then near ones that were in use lately;
 * by least vertex, as tets mostly come, new ones ahead: that takes a fifth more time. */
static ew_status sort_tets(const ew_mesh *mesh, ew_list *list)
{
    int32_t *begin = NULL, *sorted = NULL;
    ew_status status = EW_OK;
    EW_TRY_OUT(ew_new_zero(&begin, (size_t)mesh->n_vertex + 1, sizeof *begin));
    EW_TRY_OUT(ew_new(&sorted, (size_t)list->n, sizeof *sorted));
    for (int32_t i = 0; i < list->n; i++) {
        begin[greatest_vertex(mesh, list->id[i]) + 1]++;
    }
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        begin[v + 1] += begin[v];
    }
    for (int32_t i = 0; i < list->n; i++) {
        sorted[begin[greatest_vertex(mesh, list->id[i])]++] = list->id[i];
    }
    memcpy(list->id, sorted, (size_t)list->n * sizeof *sorted);
out:
    ew_release(begin);
    ew_release(sorted);
    return status;
}

static ew_status list_tets(maker *make)
{
    for (int32_t t = 0; t < make->mesh->n_tet; t++) {
        bool any = false;
        for (size_t k = 0; k < 6 && !any && ew_mesh_tet_is_live(make->mesh, t); k++) {
            any = make->rows->row[make->topology->tet_to_edge[6 * (size_t)t + k]] >= 0;
        }
        EW_TRY(any ? ew_list_push(&make->tet, t) : EW_OK);
    }
    return make->tet.n ? sort_tets(make->mesh, &make->tet) : EW_OK;
}

static int32_t first_of(const maker *make, int32_t n_part, int32_t part)
{
    return (int32_t)((int64_t)make->tet.n * part / n_part);
}

/* Who writes each row, and who needs tets of later parts for it. */
static ew_status share_rows(maker *make, int32_t n_part)
{
    const size_t n_row = (size_t)make->mesh->n_vertex + (size_t)make->rows->pattern.n_row;
    int32_t node[EW_GROUP_NODES];
    make->words = (size_t)make->tet.n / 64 + 1;
    EW_TRY(ew_new_zero(&make->owner, n_row, 1));
    EW_TRY(ew_new_zero(&make->shared, make->words * (size_t)n_part, sizeof *make->shared));
    for (int32_t part = n_part - 1; part >= 0; part--) { /* the first one stays */
        for (int32_t i = first_of(make, n_part, part); i < first_of(make, n_part, part + 1); i++) {
            nodes_of(make, make->tet.id[i], node);
            for (int k = 0; k < EW_GROUP_NODES; k++) {
                if (node[k] >= 0) {
                    make->owner[node[k]] = (uint8_t)part;
                }
            }
        }
    }
    for (int32_t part = 1; part < n_part; part++) {
        for (int32_t i = first_of(make, n_part, part); i < first_of(make, n_part, part + 1); i++) {
            nodes_of(make, make->tet.id[i], node);
            for (int k = 0; k < EW_GROUP_NODES; k++) {
                const int32_t owner = node[k] >= 0 ? make->owner[node[k]] : part;
                if (owner != part) {
                    ew_bit_set(make->shared + make->words * (size_t)owner, i);
                }
            }
        }
    }
    return EW_OK;
}

/* Tets of a part beyond its own, appended. */
static ew_status list_shared(const maker *make, int32_t part, ew_list *place)
{
    return ew_list_push_bits(place, make->shared + make->words * (size_t)part,
                             (int32_t)make->words);
}

/* One tet into lane l of a group; `mute`: it writes nothing. Whether it writes all its rows. */
static bool put_tet(const maker *make, int32_t *group, int l, int32_t tet, int32_t part, bool mute)
{
    int32_t node[EW_GROUP_NODES];
    bool plain = true;
    nodes_of(make, tet, node);
    for (int k = 0; k < EW_GROUP_NODES; k++) {
        const bool own = node[k] >= 0 && !mute && (!make->owner || make->owner[node[k]] == part);
        group[EW_GROUP_TETS * k + l] = node[k] == EW_NO_EDGE || own ? node[k] : ~node[k];
        plain = plain && own;
    }
    group[EW_GROUP_TETS * EW_GROUP_NODES + l] = make->mesh->region[tet];
    return plain;
}

/* Groups behind those there are: tets at these places of the list; the last one is filled up. */
static ew_status put_groups(const maker *make, ew_edge_product *product, int32_t part,
                            const ew_list *place, int32_t *end)
{
    const int32_t before = *end;
    const int32_t n_group = (place->n + EW_GROUP_TETS - 1) / EW_GROUP_TETS;
    EW_TRY(ew_grow(&product->node, &product->node_capacity, (int64_t)before + n_group,
                   (size_t)EW_GROUP_TETS * EW_GROUP_NUMBERS * sizeof *product->node));
    EW_TRY(make->names_tets
               ? ew_grow(&product->tet, &product->tet_capacity, (int64_t)before + n_group,
                         EW_GROUP_TETS * sizeof *product->tet)
               : EW_OK);
    for (int32_t k = 0; k < n_group; k++) {
        int32_t *group =
            product->node + (size_t)EW_GROUP_TETS * EW_GROUP_NUMBERS * (size_t)(before + k);
        int32_t *first_region = group + EW_GROUP_TETS * EW_GROUP_NODES;
        bool plain = true;
        for (int l = 0; l < EW_GROUP_TETS; l++) {
            const int32_t i = EW_GROUP_TETS * k + l;
            const bool mute = i >= place->n;
            const int32_t tet = make->tet.id[place->id[mute ? place->n - 1 : i]];
            plain &= put_tet(make, group, l, tet, part, mute);
            if (make->names_tets) {
                product->tet[(size_t)EW_GROUP_TETS * (size_t)(before + k) + (size_t)l] = tet;
            }
        }
        *first_region = plain ? *first_region : ~*first_region;
    }
    *end = before + n_group;
    return EW_OK;
}

/* Moves the places of curved tets into a list of their own; both keep their order. */
static ew_status part_curved(const maker *make, ew_list *place, ew_list *curved)
{
    double d[18];
    int32_t n = 0;
    curved->n = 0;
    for (int32_t i = 0; i < place->n && make->rows->curve; i++) {
        if (ew_tet_curves(make->rows, make->topology, make->tet.id[place->id[i]], d)) {
            EW_TRY(ew_list_push(curved, place->id[i]));
        } else {
            place->id[n++] = place->id[i];
        }
    }
    place->n = make->rows->curve ? n : place->n;
    return EW_OK;
}

static ew_status put_part(const maker *make, ew_edge_product *product, int32_t part, ew_list *place,
                          ew_list *curved)
{
    int32_t end = product->first[part];
    EW_TRY(part_curved(make, place, curved));
    EW_TRY(put_groups(make, product, part, place, &end));
    product->bent[part] = end;
    EW_TRY(put_groups(make, product, part, curved, &end));
    product->first[part + 1] = end;
    return EW_OK;
}

static ew_status put_parts(const maker *make, ew_edge_product *product, ew_list *place,
                           ew_list *curved)
{
    const int32_t n_part = product->n_part;
    EW_TRY(ew_grow(&product->first, &product->first_capacity, (int64_t)n_part + 1,
                   sizeof *product->first));
    EW_TRY(ew_grow(&product->bent, &product->bent_capacity, n_part, sizeof *product->bent));
    product->first[0] = 0;
    for (int32_t part = 0; part < n_part; part++) {
        place->n = 0;
        for (int32_t i = first_of(make, n_part, part); i < first_of(make, n_part, part + 1); i++) {
            EW_TRY(ew_list_push(place, i));
        }
        EW_TRY(n_part > 1 ? list_shared(make, part, place) : EW_OK);
        EW_TRY(put_part(make, product, part, place, curved));
    }
    return EW_OK;
}

/* Of several processes as many for each. */
static int32_t count_parts(const ew_edge_product *product, int32_t n_tet)
{
    const int32_t n_peer = product->n_peer;
    if (!n_peer) {
        const int32_t n = ew_threads_for(n_tet, MIN_PART_TETS);
        return n < MAX_PARTS ? n : MAX_PARTS;
    }
    const int32_t wanted = n_tet / (MIN_PART_TETS * n_peer), room = MAX_PARTS / n_peer;
    const int32_t n = wanted < product->n_thread ? wanted : product->n_thread;
    return n_peer * (n < 1 ? 1 : n < room ? n : room);
}

/* Of the tets of make->tet, in their order. */
static ew_status put_list(maker *make, ew_edge_product *product, int32_t n_part)
{
    ew_list place = {0}, curved = {0};
    product->n_part = n_part;
    EW_TRY(n_part > 1 ? share_rows(make, n_part) : EW_OK);
    const ew_status status = put_parts(make, product, &place, &curved);
    ew_list_free(&curved);
    ew_list_free(&place);
    return status;
}

static ew_status make_list(maker *make, ew_edge_product *product)
{
    EW_TRY(list_tets(make));
    product->lists_all = make->tet.n == make->mesh->n_live_tet;
    return put_list(make, product, count_parts(product, make->tet.n));
}

static ew_status need_rows(const ew_mesh *mesh, const ew_topology *topology,
                           const ew_edge_rows *rows)
{
    return rows->mesh_revision == mesh->revision && topology->pattern.revision == mesh->revision
               ? EW_OK
               : ew_fail(EW_STALE,
                         "edge product: the rows of edges are at revision %llu, the tables at "
                         "%llu, the mesh at %llu; bring them up to date first",
                         (unsigned long long)rows->mesh_revision,
                         (unsigned long long)topology->pattern.revision,
                         (unsigned long long)mesh->revision);
}

static void borrow(ew_edge_product *product, const maker *make, const ew_materials *materials,
                   const ew_internal_force *internal_force)
{
    product->xyz = make->mesh->xyz;
    product->lame = materials->lame;
    product->curve = make->rows->curve;
    product->moduli = materials->is_isotropic ? NULL : materials->moduli;
    product->materials = materials;
    product->internal_force = internal_force;
    product->n_vertex = make->mesh->n_vertex;
    product->n_row = make->rows->pattern.n_row;
}

ew_status ew_edge_product_prepare(ew_edge_product *product, const ew_mesh *mesh,
                                  const ew_topology *topology, const ew_materials *materials,
                                  const ew_edge_rows *rows, const ew_internal_force *internal_force)
{
    const bool names_tets = materials->axes || internal_force;
    maker make = {.mesh = mesh, .topology = topology, .rows = rows, .names_tets = names_tets};
    EW_TRY(need_rows(mesh, topology, rows));
    borrow(product, &make, materials, internal_force);
    if (product->revision == rows->pattern.revision && product->mesh_revision == mesh->revision &&
        (product->tet || !names_tets)) {
        return EW_OK;
    }
    product->revision = 0;
    const ew_status status = make_list(&make, product);
    ew_list_free(&make.tet);
    ew_release(make.owner);
    ew_release(make.shared);
    EW_TRY(status);
    product->mesh_revision = mesh->revision;
    product->revision = rows->pattern.revision;
    return EW_OK;
}

/* As sort_tets, of few. */
static int compare_keys(const void *a, const void *b)
{
    const int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;
    return (first > second) - (first < second);
}

static ew_status sort_few(const ew_mesh *mesh, ew_list *list)
{
    int64_t *key;
    EW_TRY(ew_new(&key, (size_t)list->n, sizeof *key));
    for (int32_t i = 0; i < list->n; i++) {
        key[i] = (int64_t)greatest_vertex(mesh, list->id[i]) << 32 | list->id[i];
    }
    qsort(key, (size_t)list->n, sizeof *key, compare_keys);
    for (int32_t i = 0; i < list->n; i++) {
        list->id[i] = (int32_t)(key[i] & INT32_MAX);
    }
    ew_release(key);
    return EW_OK;
}

ew_status ew_edge_product_prepare_some(ew_edge_product *product, const ew_mesh *mesh,
                                       const ew_topology *topology, const ew_materials *materials,
                                       const ew_edge_rows *rows, ew_list *tet)
{
    maker make = {.mesh = mesh,
                  .topology = topology,
                  .rows = rows,
                  .tet = *tet,
                  .names_tets = materials->axes != NULL};
    EW_TRY(need_rows(mesh, topology, rows));
    EW_TRY(sort_few(mesh, tet));
    borrow(product, &make, materials, NULL);
    product->revision = 0; /* not of all */
    product->lists_all = false;
    return put_list(&make, product, 1);
}

ew_status ew_edge_product_deal(ew_edge_product *product, int32_t peer, int32_t n, int32_t n_thread)
{
    if (n > MAX_PARTS) {
        return ew_fail(EW_LIMIT,
                       "quadratic tets are dealt to %d processes at most, not %d; start "
                       "fewer, with more threads each",
                       MAX_PARTS, (int)n);
    }
    if (product->n_peer != n || product->peer != peer || product->n_thread != n_thread) {
        product->revision = 0;
    }
    product->n_peer = n;
    product->peer = peer;
    product->n_thread = n_thread;
    return EW_OK;
}

void ew_edge_product_own_parts(const ew_edge_product *product, int32_t *begin, int32_t *end)
{
    const int32_t n = product->n_part / product->n_peer;
    *begin = n * product->peer;
    *end = *begin + n;
}

void ew_edge_product_mark_own(const ew_edge_product *product, uint64_t *writes, uint64_t *reads)
{
    int32_t begin, end;
    ew_edge_product_own_parts(product, &begin, &end);
    for (int32_t k = product->first[begin]; k < product->first[end]; k++) {
        const size_t group = (size_t)k;
        const int32_t *node = product->node + group * EW_GROUP_TETS * EW_GROUP_NUMBERS;
        for (int i = 0; i < EW_GROUP_TETS * EW_GROUP_NODES; i++) {
            if (node[i] >= 0) {
                ew_bit_set(writes, node[i]);
            }
            if (node[i] != EW_NO_EDGE) {
                ew_bit_set(reads, node[i] < 0 ? ~node[i] : node[i]);
            }
        }
    }
}

size_t ew_edge_product_bytes(const ew_edge_product *product)
{
    return sizeof(int32_t) *
           ((size_t)product->first_capacity + (size_t)product->bent_capacity +
            EW_GROUP_TETS * (size_t)product->tet_capacity +
            (size_t)EW_GROUP_TETS * EW_GROUP_NUMBERS * (size_t)product->node_capacity);
}

void ew_edge_product_free(ew_edge_product *product)
{
    ew_release(product->first);
    ew_release(product->bent);
    ew_release(product->node);
    ew_release(product->tet);
    *product = (ew_edge_product){0};
}

/* ---- the product ----------------------------------------------------------- */

static void add_tangent_groups(const ew_edge_product *product, ew_edge_part part, int32_t k,
                               const double *x, double *y)
{
    const int32_t begin = product->first[k], end = product->first[k + 1];
#ifdef EW_HAS_AVX2
    if (__builtin_cpu_supports("avx2")) {
        ew_tangent_groups_avx2(product, part, begin, end, x, y);
        return;
    }
#endif
    ew_tangent_groups_any(product, part, begin, end, x, y);
}

static void add_groups(const ew_edge_product *product, ew_edge_part part, int32_t k,
                       const double *x, double *y)
{
    const int32_t bent = product->bent[k], end = product->first[k + 1];
    int32_t begin = product->first[k];
#ifdef EW_HAS_AVX2
    if (__builtin_cpu_supports("avx512f")) {
        begin = ew_edge_groups_avx512(product, part, begin, bent, x, y);
    }
    if (__builtin_cpu_supports("avx2")) {
        ew_edge_groups_avx2(product, part, begin, bent, x, y);
        ew_curved_groups_avx2(product, part, bent, end, x, y);
        return;
    }
#endif
    ew_edge_groups_any(product, part, begin, bent, x, y);
    ew_curved_groups_any(product, part, bent, end, x, y);
}

static void add_parts(const ew_edge_product *product, ew_edge_part part, int32_t begin, int32_t end,
                      const double *x, double *y)
{
#pragma omp for schedule(static, 1)
    for (int32_t k = begin; k < end; k++) {
        if (product->internal_force) {
            add_tangent_groups(product, part, k, x, y);
        } else {
            add_groups(product, part, k, x, y);
        }
    }
}

void ew_edge_product_add(const ew_edge_product *product, ew_edge_part part, const double *x,
                         double *y)
{
    add_parts(product, part, 0, product->n_part, x, y);
}

void ew_edge_product_add_own(const ew_edge_product *product, ew_edge_part part, const double *x,
                             double *y)
{
    int32_t begin, end;
    ew_edge_product_own_parts(product, &begin, &end);
    add_parts(product, part, begin, end, x, y);
}

bool ew_edge_product_has_columns(const ew_edge_product *product)
{
    bool has = !product->internal_force;
    for (int32_t k = 0; k < product->n_part && has; k++) {
        has = product->bent[k] == product->first[k + 1];
    }
    return has;
}

void ew_edge_product_add_columns(const ew_edge_product *product, ew_edge_part part, const double *x,
                                 double *y)
{
    void (*add)(const ew_edge_product *, ew_edge_part, int32_t, int32_t, const double *, double *) =
        ew_edge_columns_any;
#ifdef EW_HAS_AVX2
    if (__builtin_cpu_supports("avx2")) {
        add = ew_edge_columns_avx2;
    }
#endif
#pragma omp for schedule(static, 1)
    for (int32_t k = 0; k < product->n_part; k++) {
        add(product, part, product->first[k], product->first[k + 1], x, y);
    }
}
