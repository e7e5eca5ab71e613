/* subdomain: a mesh in parts, one for each process of a run, that edits change together. Nothing of
 * how processes talk: what one has to tell another is a message, plain bytes.
 *
 *     ew_atoms_cut          vertices to atoms, by the mesh alone
 *     ew_atom_graph_deal    atoms to parts, by their rows and edges
 *     ew_records_of_part    what of the mesh a part has        | messages
 *     ew_subdomain_init     a part: mesh, names, exchange      |
 *     ew_records_of_edit    what of an edit parts must know    | messages
 *     ew_subdomain_queue, ew_subdomain_check                   all parts would take it, then
 *     ew_subdomain_commit   a change of the part's mesh, which tables and matrix follow as ever
 *     ew_subdomain_follow   the exchange
 *     ew_subdomain_halve    atoms that have become too large   | sizes, then
 *     ew_records_of_atoms   what has another part now          | messages to ew_subdomain_init
 *
 * An *atom* is a set of vertices that always have one part: what is summed or preconditioned by
 * atoms has the same bits for any number of parts. A part *owns* the vertices of its atoms; it has
 * all tets that touch one, and their other corners, its *ghosts*. Slots of a part ascend as in the
 * whole mesh, vertices and tets each by their number there, and the whole mesh appends
 * (ew_mesh.appends): blocks of owned rows then are the sums of the same tets in the same order,
 * with the same bits.
 *
 * Messages: vertices and tets are named by vertex_id and tet_id. Sends and receives of a part need
 * no message to be known, for both sides have the tets that they follow from. */
#ifndef EW_PARTS_SUBDOMAIN_H
#define EW_PARTS_SUBDOMAIN_H

#include "meshing/parts/meshing.h"

EW_BEGIN_API

/* ---- atoms (atoms.c) ---------------------------------------------------- */

/* Rows that an atom has on average where a program does not say: a 400th of all, but 512 to 4096.
 */
int32_t ew_atom_rows(int32_t n_row);
/* atom[v] in [0, *n_atom) for each vertex slot, the caller's array [n_vertex]; vertices without
 * tets are in atom 0, holes -1. METIS where the library has it, else stretches of a Hilbert curve.
 * rows: of an atom, > 0; 0: ew_atom_rows. The mesh has tets, else EW_BAD_ARGUMENT. */
ew_status ew_atoms_cut(const ew_mesh *mesh, const ew_pattern *pattern, int32_t rows,
                       int32_t *n_atom, int32_t *atom);

/* Atoms and the edges between them. Zeroed is empty. */
typedef struct ew_atom_graph {
    int32_t n_atom, atom_capacity;
    int32_t *rows; /* [n_atom] owned: vertices with tets */
    int32_t n_edge, edge_capacity;
    int32_t *edge; /* [n_edge][3] owned: two atoms, the lower first, and how many edges of the mesh
                      lead from one to the other; a pair may stand there more than once: they add */
} ew_atom_graph;
/* Puts in what the whole mesh has, in place of what was there. atom [n_vertex], in [0, n_atom). */
ew_status ew_atom_graph_of_mesh(ew_atom_graph *graph, const ew_mesh *mesh,
                                const ew_pattern *pattern, int32_t n_atom, const int32_t *atom);
/* Adds what another process has, of as many atoms. */
ew_status ew_atom_graph_add(ew_atom_graph *graph, const ew_atom_graph *other);
/* part[atom] in [0, n_part), the caller's array [n_atom]: about as many rows each. METIS, else
 * stretches of the atoms in their order. The same graph gives the same parts, in whatever order its
 * edges stand. EW_BAD_ARGUMENT unless 1 <= n_part <= n_atom. */
ew_status ew_atom_graph_deal(const ew_atom_graph *graph, int32_t n_part, int32_t *part);
/* Rows of the largest part over their mean. */
double ew_atom_graph_imbalance(const ew_atom_graph *graph, int32_t n_part, const int32_t *part);
void ew_atom_graph_free(ew_atom_graph *graph);

/* ---- records (records.c) ------------------------------------------------ */

typedef struct ew_vertex_record {
    int64_t id, number; /* vertex_id; place in the order of the whole mesh */
    double xyz[3];
    double fraction;   /* of one that the edit adds, and */
    int64_t parent[2]; /* these, by id; -1: none (ew_edit_add_vertex_from) */
    int32_t atom;
} ew_vertex_record;
typedef struct ew_tet_record {
    int64_t id, number;
    int64_t corner[4];
    int64_t from;         /* the tet it is a part or image of, by id, or -1 */
    int32_t region, born; /* label; as in ew_mesh */
} ew_tet_record;
typedef struct ew_face_record {
    int64_t corner[3];
    int32_t label;
} ew_face_record;
/* What one part has to tell another, or all of what a part has. Zeroed is empty. Lists may name a
 * thing more than once, alike each time. */
typedef struct ew_records {
    int64_t next_vertex_id, next_tet_id; /* of the whole mesh, with what is told */
    int32_t n_vertex, vertex_capacity, n_tet, tet_capacity, n_face, face_capacity;
    ew_vertex_record *vertex; /* [n_vertex] owned: added, moved, or corners of `tet` */
    ew_tet_record *tet;       /* [n_tet] owned */
    ew_face_record *face;     /* [n_face] owned: labeled triangles */
    int32_t n_gone_tet, gone_tet_capacity, n_gone_vertex, gone_vertex_capacity;
    int64_t *gone_tet, *gone_vertex; /* owned: ids that an edit removes */
} ew_records;
void ew_records_clear(ew_records *records); /* empties, keeps the memory */
void ew_records_free(ew_records *records);
/* As bytes for a process of the same program: *bytes of *message, owned by the caller, who releases
 * it; and back again (in place of what was there). EW_BAD_INPUT: no such message, or numbers that
 * none has. */
ew_status ew_records_pack(const ew_records *records, size_t *bytes, void **message);
ew_status ew_records_unpack(ew_records *records, size_t bytes, const void *message);

/* A mesh that records are taken from: a part, the whole, or a piece around an edit. All borrowed.
 */
typedef struct ew_record_source {
    const ew_mesh *mesh;
    const ew_rows *vertex_to_tet;              /* its table (ew_topology) */
    const int32_t *atom;                       /* [n_vertex] */
    const int64_t *vertex_number, *tet_number; /* [n_vertex], [n_tet]; null: the slots, in a whole
                                                  mesh that appends and had no holes at first */
} ew_record_source;
/* Appends what the part `to` has of the mesh: tets that touch a vertex of its atoms, their corners,
 * vertices of its atoms without tets, labeled triangles of three of these. atom_part [atoms].
 * EW_UNSUPPORTED: sides are curved. O(n). (route.c) */
ew_status ew_records_of_part(const ew_record_source *source, const int32_t *atom_part, int32_t to,
                             ew_records *records);
/* Appends to records[p] what part p of n_part must know of the edit: of tets that it loses or gets,
 * with corners, of vertices that it has. The edit is one that the source's mesh would take, and has
 * all tets around moved and removed vertices. Added vertices and tets get the ids first_vertex,
 * first_tet and those that follow, in the order of the queue: the ids that the whole mesh would
 * give them. An added vertex has the atom of its first parent, else of the lowest corner that was
 * there of a tet with it, of which the edit has no other place. EW_UNSUPPORTED: regions that the
 * mesh lacks, merged vertices, vertices inside tets, origins of faces, curves. O(touched + n_part).
 * (route.c) */
ew_status ew_records_of_edit(const ew_record_source *source, const ew_edit *edit,
                             int64_t first_vertex, int64_t first_tet, const int32_t *atom_part,
                             int32_t n_part, ew_records *records);

/* ---- a part (subdomain.c, queue.c) -------------------------------------- */

/* Zeroed is none. */
typedef struct ew_subdomain {
    int32_t part, n_part;
    int32_t n_atom, n_atom_room;
    int32_t *atom_part; /* [n_atom] owned: the same in all parts */
    ew_mesh mesh;       /* owned; it appends; ids, regions and the next ids of the whole */
    int32_t vertex_capacity, tet_capacity;
    int64_t *vertex_number;        /* [mesh.n_vertex] owned: ascending; place in the whole */
    int32_t *atom;                 /* [mesh.n_vertex] owned */
    int64_t *tet_number;           /* [mesh.n_tet] owned: ascending */
    ew_id_index vertex_at, tet_at; /* slots by id */
    ew_rows send; /* n_part rows of slots: owned vertices that are ghosts of the part, ascending */
    ew_rows receive; /* n_part rows of slots: ghosts with tets that the part owns, ascending; the
                        same vertices as in the `send` of that part */
    struct {
        ew_edit edit;
        ew_records all; /* of all messages, each thing once, ascending */
        ew_map place;   /* of added vertices in the queue, by id */
        ew_list added;  /* of all.vertex those that are new in the part, in the queue's order */
        bool renumbers; /* one of them stands in the whole before one that the part has */
        int64_t *id;    /* owned, [id_capacity], scratch */
        int32_t id_capacity;
    } queue; /* private: an edit between its messages and the commit */
} ew_subdomain;

/* What all parts of a mesh have alike. All borrowed. */
typedef struct ew_subdomain_def {
    int32_t part, n_part, n_atom;
    const int32_t *atom_part; /* [n_atom], in [0, n_part) */
    int32_t n_region;
    const int32_t *region_label; /* [n_region] as in the whole mesh */
} ew_subdomain_def;
/* A part of what n messages say, zeroed or uninitialized before; zeroed on failure.
 * EW_BAD_ARGUMENT, EW_BAD_INPUT, or a status of ew_mesh_init where messages do not agree. Its mesh
 * is at revision 1; ew_subdomain_plan follows once the holder has built its tables. O(n log n). */
ew_status ew_subdomain_init(ew_subdomain *subdomain, const ew_subdomain_def *def, int32_t n,
                            const ew_records *records);
void ew_subdomain_free(ew_subdomain *subdomain);
/* The part of a vertex slot, and whether it is this one. */
inline int32_t ew_subdomain_part_of(const ew_subdomain *subdomain, int32_t v)
{
    return subdomain->atom_part[subdomain->atom[v]];
}
inline bool ew_subdomain_owns(const ew_subdomain *subdomain, int32_t v)
{
    return ew_subdomain_part_of(subdomain, v) == subdomain->part;
}
/* The part as a source of records. */
ew_record_source ew_subdomain_source(const ew_subdomain *subdomain, const ew_rows *vertex_to_tet);
/* The first broken rule, for tests: those of the mesh; MESH_IDS: numbers do not ascend, or a vertex
 * has no atom; MESH_RANGE: a tet without an owned corner, a ghost that has tets but no owner. */
ew_status ew_subdomain_validate(const ew_subdomain *subdomain);

/* An edit, in steps that every part does, also one that hears of nothing:
 * queue: from n messages, in place of what was queued. EW_BAD_INPUT: they name what the part should
 * have and does not. check: whether the part would take it (ew_mesh_check_edit). When all parts say
 * so, commit, which fails where check would. *renumbered: vertices that the whole has had before
 * came to the part, as where tets are put back or bodies welded; slots are others then, and the
 * change is not one of the mesh: the holder builds tables and plan again, as after
 * ew_subdomain_init. Else the tables follow the change, then the exchange does
 * (ew_subdomain_follow). vertex_to_tet: the part's table before. */
ew_status ew_subdomain_queue(ew_subdomain *subdomain, int32_t n, const ew_records *records);
ew_status ew_subdomain_check(ew_subdomain *subdomain, const ew_rows *vertex_to_tet,
                             ew_change *change);
ew_status ew_subdomain_commit(ew_subdomain *subdomain, const ew_rows *vertex_to_tet,
                              ew_change *change, bool *renumbered);

/* ---- values of ghosts (exchange.c) -------------------------------------- */

/* Who sends and receives what, from the tets: O(n); and after a commit, O(touched x n_part). On
 * failure of the latter it is to be planned again. */
ew_status ew_subdomain_plan(ew_subdomain *subdomain, const ew_rows *vertex_to_tet);
ew_status ew_subdomain_follow(ew_subdomain *subdomain, const ew_rows *vertex_to_tet,
                              const ew_change *change);
/* What goes to a part, send.count[to] values of `size` bytes each, from an array by vertex; and
 * what came from one, receive.count[from] of them, into the ghosts' places. */
void ew_subdomain_take_values(const ew_subdomain *subdomain, int32_t to, size_t size,
                              const void *value, void *message);
void ew_subdomain_put_values(const ew_subdomain *subdomain, int32_t from, size_t size,
                             const void *message, void *value);

/* ---- balance (balance.c) ------------------------------------------------ */

/* Rows of atoms and edges between them that a part counts, so that all parts' together are those of
 * the mesh: rows that it owns, edges whose lower vertex it owns. */
ew_status ew_subdomain_graph(const ew_subdomain *subdomain, const ew_pattern *pattern,
                             ew_atom_graph *graph);
/* Halves atoms with more than `limit` rows across their longest side. rows [n_atom]: of all parts
 * together, so that all give the new atoms the same numbers. New atoms of owned vertices are known
 * at once, and stay with the part; those of ghosts after an exchange of subdomain->atom. */
ew_status ew_subdomain_halve(ew_subdomain *subdomain, const int32_t *rows, int32_t limit);
/* Groups of at most `rows` neighbors within the atoms that the part owns: group_of [mesh.n_vertex] the
 * number of the group in its atom, -1 of ghosts and vertices without tets; n_group [n_atom] how many
 * an atom has, 0 where it is another part's. Both are the caller's arrays. Whatever part has an atom
 * finds the same groups. */
ew_status ew_subdomain_group(const ew_subdomain *subdomain, int32_t rows, int32_t *group_of,
                             int32_t *n_group);
/* Appends to records[p], for each p of n_part, what the part has of its owned vertices that
 * atom_part [n_atom] gives to p: what ew_subdomain_init makes the part p of, once all parts have
 * done so. (route.c) */
ew_status ew_records_of_atoms(const ew_subdomain *subdomain, const ew_rows *vertex_to_tet,
                              const int32_t *atom_part, int32_t n_part, ew_records *records);

EW_END_API
#endif
