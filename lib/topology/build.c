/* Builds the neighbor tables. In: a mesh. Out: its edges, numbered in ascending (a, b), and the
 * five tables between vertices, edges and tets. O(n): the tets of each vertex give its neighbors
 * beyond it, and only those short lists are sorted, so no hash table and no sort of all 6n (vertex,
 * vertex) pairs is needed.
 *
 * Threads take stretches of tets or vertices, and write where the counts of the stretches before
 * theirs end: the tables do not depend on the number of threads. */
#include "topology/internal.h"

#include <string.h>

const int8_t ew_local_edge[4][4] = {{-1, 0, 1, 2}, {0, -1, 3, 4}, {1, 3, -1, 5}, {2, 4, 5, -1}};

/* Stretches of work side by side, each with an array over all vertices. */
enum { MAX_STRETCHES = 8, MIN_TETS = 10000 };

/* The edges (a, b) of the vertices a of a stretch, in their order. */
typedef struct stretch_edges {
    int32_t n, capacity;
    int32_t (*edge)[2]; /* [n] owned: how many tets it has, b */
    ew_status status;
} stretch_edges;

typedef struct builder {
    ew_topology *topology;
    const ew_mesh *mesh;
    int32_t n_stretch;
    int32_t *word;   /* [n_stretch][n_vertex] owned: counts, then marks */
    int32_t *n_edge; /* [n_vertex + 1] owned: edges (a, b) of each a; then those before it */
    stretch_edges found[MAX_STRETCHES];
} builder;

static int32_t begin_of(int32_t n, int32_t n_stretch, int32_t stretch)
{
    return (int32_t)((int64_t)n * stretch / n_stretch);
}

static int32_t *words_of(const builder *in, int32_t stretch)
{
    return in->word + (size_t)in->mesh->n_vertex * (size_t)stretch;
}

static void set_words(const builder *in, int32_t stretch, int32_t value)
{
    int32_t *word = words_of(in, stretch);
    for (int32_t v = 0; v < in->mesh->n_vertex; v++) {
        word[v] = value;
    }
}

/* ---- tets by vertex -------------------------------------------------------- */

static void count_tets(const builder *in, int32_t stretch)
{
    const int32_t n = in->mesh->n_tet, end = begin_of(n, in->n_stretch, stretch + 1);
    int32_t *count = words_of(in, stretch);
    set_words(in, stretch, 0);
    for (int32_t t = begin_of(n, in->n_stretch, stretch); t < end; t++) {
        for (size_t i = 0; i < 4 && ew_mesh_tet_is_live(in->mesh, t); i++) {
            count[in->mesh->tet[4 * (size_t)t + i]]++;
        }
    }
}

/* Counts of stretches become how many tets of a vertex come before; total: [n_vertex] all. */
static void add_counts(const builder *in, int32_t *total)
{
#pragma omp parallel for schedule(static) num_threads(in->n_stretch)
    for (int32_t v = 0; v < in->mesh->n_vertex; v++) {
        int32_t before = 0;
        for (int32_t stretch = 0; stretch < in->n_stretch; stretch++) {
            int32_t *count = words_of(in, stretch) + v, own = *count;
            *count = before;
            before += own;
        }
        total[v] = before;
    }
}

/* Stretches ascend and so do the tets of each: every row comes out sorted. */
static void enter_tets(const builder *in, int32_t stretch)
{
    ew_rows *rows = &in->topology->vertex_to_tet;
    const int32_t n = in->mesh->n_tet, end = begin_of(n, in->n_stretch, stretch + 1);
    int32_t *before = words_of(in, stretch);
    for (int32_t t = begin_of(n, in->n_stretch, stretch); t < end; t++) {
        for (size_t i = 0; i < 4 && ew_mesh_tet_is_live(in->mesh, t); i++) {
            const int32_t v = in->mesh->tet[4 * (size_t)t + i];
            rows->item[(size_t)rows->begin[v] + (size_t)before[v]++] = t;
        }
    }
}

static ew_status build_vertex_to_tet(const builder *in)
{
    ew_rows *rows = &in->topology->vertex_to_tet;
#pragma omp parallel for schedule(static, 1) num_threads(in->n_stretch)
    for (int32_t stretch = 0; stretch < in->n_stretch; stretch++) {
        count_tets(in, stretch);
    }
    add_counts(in, in->n_edge); /* free until edges are counted */
    EW_TRY(ew_rows_init(rows, in->mesh->n_vertex, 1, in->n_edge));
#pragma omp parallel for schedule(static, 1) num_threads(in->n_stretch)
    for (int32_t stretch = 0; stretch < in->n_stretch; stretch++) {
        enter_tets(in, stretch);
    }
    if (in->mesh->n_vertex) {
        memcpy(rows->count, in->n_edge, (size_t)in->mesh->n_vertex * sizeof *rows->count);
    }
    return EW_OK;
}

/* ---- edges ------------------------------------------------------------------ */

static const int32_t *tets_of(const builder *in, int32_t v, int32_t *n)
{
    const ew_rows *rows = &in->topology->vertex_to_tet;
    *n = rows->count[v];
    return rows->item + (*n ? rows->begin[v] : 0);
}

/* By b; short. */
static void sort_edges(int32_t (*edge)[2], int32_t n)
{
    for (int32_t i = 1; i < n; i++) {
        const int32_t n_tet = edge[i][0], b = edge[i][1];
        int32_t k = i;
        for (; k > 0 && edge[k - 1][1] > b; k--) {
            edge[k][0] = edge[k - 1][0];
            edge[k][1] = edge[k - 1][1];
        }
        edge[k][0] = n_tet;
        edge[k][1] = b;
    }
}

/* Lists the neighbors b > a of vertex a once each, with the tets that they share. mark[b] is below
 * `first` for vertices not met yet at this a. */
static ew_status find_edges_of(const builder *in, int32_t a, int32_t *mark, stretch_edges *found)
{
    const int32_t first = found->n;
    int32_t n_tet;
    const int32_t *tet = tets_of(in, a, &n_tet);
    EW_TRY(ew_grow(&found->edge, &found->capacity, (int64_t)first + 3 * (int64_t)n_tet,
                   sizeof *found->edge));
    for (int32_t i = 0; i < n_tet; i++) {
        const int32_t *vertex = in->mesh->tet + 4 * (size_t)tet[i];
        for (int k = 0; k < 4; k++) {
            const int32_t b = vertex[k];
            if (b <= a) {
                continue;
            }
            if (mark[b] < first) {
                mark[b] = found->n;
                found->edge[found->n][0] = 0;
                found->edge[found->n++][1] = b;
            }
            found->edge[mark[b]][0]++;
        }
    }
    in->n_edge[a] = found->n - first;
    sort_edges(found->edge + first, found->n - first);
    return EW_OK;
}

/* Counts where no other thread writes: in->found has several stretches in a line of the cache. */
static void find_edges(builder *in, int32_t stretch)
{
    stretch_edges own = {0};
    const int32_t n = in->mesh->n_vertex, end = begin_of(n, in->n_stretch, stretch + 1);
    int32_t *mark = words_of(in, stretch);
    set_words(in, stretch, -1);
    for (int32_t a = begin_of(n, in->n_stretch, stretch); a < end && !own.status; a++) {
        own.status = find_edges_of(in, a, mark, &own);
    }
    in->found[stretch] = own;
}

/* Gives the edges of the stretch their numbers. */
static void number_edges(const builder *in, int32_t stretch, int32_t *n_tet)
{
    const int32_t n = in->mesh->n_vertex, end = begin_of(n, in->n_stretch, stretch + 1);
    const stretch_edges *found = &in->found[stretch];
    int32_t *pair = in->topology->pattern.pair_row, k = 0;
    for (int32_t a = begin_of(n, in->n_stretch, stretch); a < end; a++) {
        for (int32_t e = in->n_edge[a]; e < in->n_edge[a + 1]; e++, k++) {
            pair[2 * (size_t)e] = a;
            pair[2 * (size_t)e + 1] = found->edge[k][1];
            n_tet[e] = found->edge[k][0];
        }
    }
}

/* Writes the edges (a, b), b > a, of all tets of vertices of the stretch into both tables. The tets
 * of a vertex ascend, and an edge is entered from its lower end alone. */
static void enter_edges(const builder *in, int32_t stretch)
{
    const int32_t n = in->mesh->n_vertex, end = begin_of(n, in->n_stretch, stretch + 1);
    const int32_t(*pair)[2] = (const int32_t(*)[2])in->topology->pattern.pair_row;
    int32_t *mark = words_of(in, stretch);
    for (int32_t a = begin_of(n, in->n_stretch, stretch); a < end; a++) {
        int32_t n_tet;
        const int32_t *tet = tets_of(in, a, &n_tet);
        for (int32_t e = in->n_edge[a]; e < in->n_edge[a + 1]; e++) {
            mark[pair[e][1]] = e;
        }
        for (int32_t i = 0; i < n_tet; i++) {
            const int32_t *vertex = in->mesh->tet + 4 * (size_t)tet[i];
            int32_t *edge = in->topology->tet_to_edge + 6 * (size_t)tet[i];
            const int at = vertex[0] == a ? 0 : vertex[1] == a ? 1 : vertex[2] == a ? 2 : 3;
            for (int k = 0; k < 4; k++) {
                if (vertex[k] > a) {
                    edge[ew_local_edge[at][k]] = mark[vertex[k]];
                    ew_rows_append1(&in->topology->edge_to_tet, mark[vertex[k]], tet[i]);
                }
            }
        }
    }
}

/* Counts of edges become places of the first ones. */
static ew_status place_edges(const builder *in)
{
    int64_t n = 0;
    for (int32_t v = 0; v < in->mesh->n_vertex; v++) {
        const int32_t own = in->n_edge[v];
        in->n_edge[v] = (int32_t)n;
        n += own;
        if (n > INT32_MAX) {
            return ew_fail(EW_LIMIT, "the mesh has more than %d edges", INT32_MAX);
        }
    }
    in->n_edge[in->mesh->n_vertex] = in->topology->pattern.n_pair = (int32_t)n;
    return EW_OK;
}

static ew_status open_tet_to_edge(ew_topology *topology, const ew_mesh *mesh)
{
    EW_TRY(ew_new(&topology->tet_to_edge, 6 * (size_t)mesh->n_tet, sizeof(int32_t)));
    topology->n_tet = topology->tet_capacity = mesh->n_tet;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        for (size_t k = 0; k < 6 && !ew_mesh_tet_is_live(mesh, t); k++) {
            topology->tet_to_edge[6 * (size_t)t + k] = -1;
        }
    }
    return EW_OK;
}

static ew_status find_all_edges(builder *in)
{
#pragma omp parallel for schedule(static, 1) num_threads(in->n_stretch)
    for (int32_t stretch = 0; stretch < in->n_stretch; stretch++) {
        find_edges(in, stretch);
    }
    for (int32_t stretch = 0; stretch < in->n_stretch; stretch++) {
        if (in->found[stretch].status) { /* said in the thread that found it */
            return ew_fail(in->found[stretch].status, "no memory for the edges of the mesh");
        }
    }
    return place_edges(in);
}

/* Numbers the edges and fills the tables between them and tets. */
static ew_status build_edges(builder *in)
{
    ew_pattern *pattern = &in->topology->pattern;
    int32_t *n_tet = NULL;
    EW_TRY(open_tet_to_edge(in->topology, in->mesh));
    EW_TRY(find_all_edges(in));
    EW_TRY(
        ew_grow(&pattern->pair_row, &pattern->pair_capacity, pattern->n_pair, 2 * sizeof(int32_t)));
    EW_TRY(ew_new(&n_tet, (size_t)pattern->n_pair, sizeof *n_tet));
#pragma omp parallel for schedule(static, 1) num_threads(in->n_stretch)
    for (int32_t stretch = 0; stretch < in->n_stretch; stretch++) {
        number_edges(in, stretch, n_tet);
    }
    const ew_status status = ew_rows_init(&in->topology->edge_to_tet, pattern->n_pair, 1, n_tet);
    ew_release(n_tet);
    EW_TRY(status);
#pragma omp parallel for schedule(static, 1) num_threads(in->n_stretch)
    for (int32_t stretch = 0; stretch < in->n_stretch; stretch++) {
        enter_edges(in, stretch);
    }
    return EW_OK;
}

ew_status ew_topology_build(ew_topology *topology, const ew_mesh *mesh)
{
    ew_topology fresh = {.pattern = {.n_row = mesh->n_vertex, .revision = mesh->revision}};
    const int threads = ew_threads_for(mesh->n_tet, MIN_TETS);
    builder in = {.topology = &fresh,
                  .mesh = mesh,
                  .n_stretch = threads < MAX_STRETCHES ? threads : MAX_STRETCHES};
    ew_status status = EW_OK;
    EW_TRY_OUT(ew_new(&in.word, (size_t)in.n_stretch * (size_t)mesh->n_vertex, sizeof *in.word));
    EW_TRY_OUT(ew_new_zero(&in.n_edge, (size_t)mesh->n_vertex + 1, sizeof *in.n_edge));
    EW_TRY_OUT(build_vertex_to_tet(&in));
    EW_TRY_OUT(build_edges(&in));
    EW_TRY_OUT(ew_pattern_index(&fresh.pattern));
    *topology = fresh;
    fresh = (ew_topology){0};
out:
    ew_release(in.word);
    ew_release(in.n_edge);
    for (int32_t stretch = 0; stretch < in.n_stretch; stretch++) {
        ew_release(in.found[stretch].edge);
    }
    ew_topology_free(&fresh);
    return status;
}

void ew_topology_free(ew_topology *topology)
{
    ew_pattern_free(&topology->pattern);
    ew_pattern_change_free(&topology->touched);
    ew_rows_free(&topology->edge_to_tet);
    ew_rows_free(&topology->vertex_to_tet);
    ew_release(topology->tet_to_edge);
    *topology = (ew_topology){0};
}

size_t ew_topology_bytes(const ew_topology *topology)
{
    return ew_pattern_bytes(&topology->pattern) + ew_rows_bytes(&topology->edge_to_tet) +
           ew_rows_bytes(&topology->vertex_to_tet) +
           6 * sizeof(int32_t) * (size_t)topology->tet_capacity;
}
