/* base: what every other module stands on. The version, status codes and the message of the
 * last failure, allocation, growing arrays, lists, bit sets, rows of ids,
 * timers, threads and the progress callback. Nothing of meshes or mechanics.
 *
 * Words used in every header: an *owned* pointer is released by the struct that
 * holds it; a *borrowed* one belongs to somebody else and dies at its owner's
 * next mutating call; a *copied* argument may be released right after the call.
 * `_free` functions are safe on zeroed, half-built and already freed objects. */
#ifndef EW_BASE_H
#define EW_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- what the library offers ------------------------------------------- */

/* Declarations between these two are public: it has C linkage, in C++, too, and is exported by the
 * shared library, which hides everything else. One pair a header, so that nothing can be forgotten
 * and no declaration needs a mark of its own. */
#ifdef __cplusplus
#define EW_BEGIN_LINKAGE extern "C" {
#define EW_END_LINKAGE   }
#else
#define EW_BEGIN_LINKAGE
#define EW_END_LINKAGE
#endif
#if defined(__GNUC__)
#define EW_BEGIN_API EW_BEGIN_LINKAGE _Pragma("GCC visibility push(default)")
#define EW_END_API   _Pragma("GCC visibility pop") EW_END_LINKAGE
#else
#define EW_BEGIN_API EW_BEGIN_LINKAGE
#define EW_END_API   EW_END_LINKAGE
#endif

EW_BEGIN_API

/* The version of the library that runs, "1.2.3"; number: major, minor, patch, or null. */
const char *ew_version(int32_t number[3]);

/* ---- status ------------------------------------------------------------ */

/* One list makes the enum and the texts. Each invariant that a checker tests
 * has its own code, so that a test can break one rule and expect its name. */
#define EW_STATUS_LIST(X)                                                                          \
    X(OK, "success")                                                                               \
    X(NO_MEMORY, "out of memory")                                                                  \
    X(BAD_ARGUMENT, "argument out of range")                                                       \
    X(BAD_INPUT, "invalid input")                                                                  \
    X(UNSUPPORTED, "not available in this build or on this device")                                \
    X(IO, "reading or writing failed")                                                             \
    X(LIMIT, "more entities than 32-bit ids can name")                                             \
    X(STALE, "derived data is older than its source")                                              \
    X(CANCELED, "canceled by the progress callback")                                               \
    X(DEVICE, "the OpenCL device reported an error")                                               \
    X(BAD_EDIT, "invalid edit")                                                                    \
    X(UNDER_CONSTRAINED, "a component keeps a rigid-body mode")                                    \
    X(NOT_CONVERGED, "the iteration limit was reached or progress stopped")                        \
    X(INDEFINITE, "the matrix is not positive definite")                                           \
    X(NOT_FINITE, "a value is not finite")                                                         \
    X(MESH_COORDINATE, "mesh: a coordinate is not finite")                                         \
    X(MESH_RANGE, "mesh: a tet names a vertex that does not exist")                                \
    X(MESH_REPEATED, "mesh: a tet names a vertex twice")                                           \
    X(MESH_VOLUME, "mesh: a tet has no positive volume")                                           \
    X(MESH_DUPLICATE, "mesh: two tets have the same vertices")                                     \
    X(MESH_FACE, "mesh: more than two tets, or two on one side, share a face")                     \
    X(MESH_REGION, "mesh: a tet names a region that does not exist")                               \
    X(MESH_VALENCE, "mesh: a vertex' count of tets is wrong")                                      \
    X(MESH_POOL, "mesh: slots and free lists disagree")                                            \
    X(MESH_IDS, "mesh: a persistent id is used twice or out of range")                             \
    X(TABLE_EDGE, "tables: an edge is not (a < b) or not an edge of its tets")                     \
    X(TABLE_TET_EDGE, "tables: tet to edges disagrees with the mesh")                              \
    X(TABLE_EDGE_TET, "tables: edge to tets disagrees with the mesh")                              \
    X(TABLE_VERTEX_TET, "tables: vertex to tets disagrees with the mesh")                          \
    X(TABLE_VERTEX_EDGE, "tables: vertex to edges disagrees with the edges")                       \
    X(TABLE_SORTED, "tables: a row is not sorted")                                                 \
    X(TABLE_POOL, "tables: edge slots and free lists disagree")                                    \
    X(TABLE_BOUNDARY, "tables: boundary faces disagree with the mesh")                             \
    X(MATRIX_SIZE, "matrix: its rows and blocks do not match its pattern")                         \
    X(MATRIX_SYMMETRY, "matrix: a diagonal block is not symmetric")                                \
    X(MATRIX_VALUE, "matrix: a block is not finite, or that of an empty row not the identity")     \
    X(MATRIX_DIFFERS, "matrix: revalidated blocks are not those of a rebuild")                     \
    X(DEVICE_COPY, "device: its copy of the mesh or its tables is not the host's")

typedef enum ew_status {
#define EW_STATUS_ENUM(name, text) EW_##name,
    EW_STATUS_LIST(EW_STATUS_ENUM)
#undef EW_STATUS_ENUM
        EW_STATUS_COUNT
} ew_status;

/* The text of the list above; "unknown status" outside it. Never null. */
const char *ew_status_text(ew_status status);

#if defined(__GNUC__)
#define EW_PRINTF(place, first) __attribute__((format(printf, place, first)))
#else
#define EW_PRINTF(place, first)
#endif

/* The last failure of a thread. Code that decides by it reads the status, the line
 * and the ids, never the text. */
typedef struct ew_failure {
    ew_status status;
    int32_t line;      /* of the text that was being read, from 1; 0: none */
    int32_t file_line; /* of the file whose path the text begins with, from 1; 0: none */
    int64_t id[2];     /* what the rule is about, as the function that failed says; -1: none */
    char text[2048];   /* one line, without the line's number */
} ew_failure;
/* Borrowed until the thread's next ew_fail; read it right after a failure, and only then. */
const ew_failure *ew_last_failure(void);

/* Keeps one line (printf form, no newline) as this thread's failure and returns `status`. */
EW_PRINTF(2, 3) ew_status ew_fail(ew_status status, const char *format, ...);
/* The same with a text as it is (UTF-8; cut to what ew_failure.text holds; null: the status' own),
 * for callbacks in languages that cannot call functions with `...`. Returns `status`. */
ew_status ew_fail_text(ew_status status, const char *text);

/* The last failure as one line, "line L: text" where it has a line; "" before the first. Borrowed
 * until the thread's next ew_fail or ew_message. */
const char *ew_message(void);

/* Returns the status of a call that failed. */
#define EW_TRY(call)                                                                               \
    do {                                                                                           \
        ew_status try_status_ = (call);                                                            \
        if (try_status_) {                                                                         \
            return try_status_;                                                                    \
        }                                                                                          \
    } while (0)

/* ---- memory ------------------------------------------------------------ */

/* The allocator behind every allocation of the library. `resize` has the
 * contract of realloc (null: allocate; must not be called with size 0), `release`
 * that of free. A test replaces it to fail at will. Null restores malloc's.
 * Set it before other threads use the library. `hook` is copied. */
typedef struct ew_allocator {
    void *user;
    void *(*resize)(void *user, void *old, size_t size);
    void (*release)(void *user, void *old);
} ew_allocator;
void ew_set_allocator(const ew_allocator *hook);

/* *array = room for `count` elements of `size` bytes, contents undefined;
 * one element's room when count is 0. On failure EW_NO_MEMORY and *array is null. `array` is the
 * address of a pointer. */
ew_status ew_new(void *array, size_t count, size_t size);
void ew_release(void *pointer);

/* ---- lists of ids, and bit sets ---------------------------------------- */

typedef struct ew_list {
    int32_t n, capacity;
    int32_t *id; /* [n] owned */
} ew_list;
ew_status ew_list_push(ew_list *list, int32_t id);
void ew_list_free(ew_list *list);

/* Bit arrays: one bit per id, 64 in a word. */

inline bool ew_bit_has(const uint64_t *bit, int32_t id)
{
    return bit[(uint32_t)id / 64] >> ((uint32_t)id % 64) & 1u;
}

/* A dirty set: bits for membership, a list for order and O(touched) clearing.
 * Zeroed is empty; grows by itself. */
typedef struct ew_set {
    uint64_t *bit; /* owned, [word] */
    int32_t word;
    ew_list list;
} ew_set;
inline bool ew_set_has(const ew_set *set, int32_t id)
{
    return id >= 0 && id / 64 < set->word && ew_bit_has(set->bit, id);
}

/* ---- maps of ids -------------------------------------------------------- */

/* A hash table from three ids to one that is >= 0, for what a batch touches: emptied and filled
 * again from edit to edit, in memory that is kept. Fewer ids: put -1 for the others. Zeroed is
 * empty; grows by itself. */
typedef struct ew_map {
    int32_t n, capacity;
    int32_t *entry; /* [n][4] owned: the three ids, their value; in the order they were entered */
    int32_t room, place_capacity;
    int32_t *place; /* [room] owned: 1 + entry, or 0; room is 0 or a power of two */
} ew_map;

/* ---- rows of ids ------------------------------------------------------- */

/* Compressed rows that can be edited in O(row): row i is the `count[i]` items from
 * item[width * begin[i]] on. An item is `width` int32 (1 or 2) and rows are sorted
 * by the first of them. A row owns a chunk whose capacity is its count rounded up
 * to EW_ROW_CHUNK items; a row that outgrows it moves to a chunk of the next size,
 * taken from the free chunks of that size or from the end. So a table that is
 * edited for ever stays the size its rows need, and a fresh one is nearly tight. */
typedef struct ew_rows {
    int32_t n_row, row_capacity;
    int32_t width;
    int32_t *begin; /* [n_row] owned, in items; -1 for an empty row without a chunk */
    int32_t *count; /* [n_row] owned */
    int32_t *item;  /* [n_item][width] owned */
    int32_t n_item, item_capacity;
    int32_t *free_chunk; /* [n_class] owned; first free chunk of (k+1) * EW_ROW_CHUNK items, -1
                            none; the first int32 of a free chunk is the next one's begin */
    int32_t n_class, class_capacity;
} ew_rows;

/* ---- expressions (expression.c) ------------------------------------------ */

/* An arithmetic expression of named variables, such as "sqrt(x^2 + y^2) + z", as operations on a
 * stack. Plain data, copied as it is. Numbers, + - * / ^ (** as well), parentheses, pi, and the
 * functions that a message lists. */
enum {
    EW_EXPRESSION_LENGTH = 255, /* characters; of a name, */
    EW_EXPRESSION_NAME = 31,
    EW_EXPRESSION_NAMES = 2112 /* and of all names of variables with the spaces between them */
};
typedef struct ew_expression {
    int32_t n_step;
    char text[EW_EXPRESSION_LENGTH + 1]; /* as given */
    struct ew_expression_step {
        double number;    /* of a constant */
        int32_t variable; /* of a variable, its place among the names */
        int32_t operation;
    } step[EW_EXPRESSION_LENGTH];
} ew_expression;
/* variables: their names, separated by spaces. EW_BAD_INPUT says what is wrong and where in the
 * text: an unknown name, a missing operand or parenthesis, too many characters. `expression`:
 * untouched on failure. */
ew_status ew_expression_read(ew_expression *expression, const char *text, const char *variables);

/* ---- time, threads, progress ------------------------------------------- */

double ew_seconds(void); /* monotonic clock, s */

/* Threads that host loops use (OpenMP) which the calling thread starts: each thread that calls the
 * library has a number of its own, at first OMP_NUM_THREADS or the machine's; so a program that
 * solves in a thread of its own calls this there. 0 asks for the machine's number. Results never
 * depend on it: sums are formed over fixed chunks. Without OpenMP: 1. Threads should spin for a
 * bounded time while they wait: put GOMP_SPINCOUNT=2000 into the environment, as the program does
 * for itself. Without a bound they make a solve up to a hundred times slower where other programs
 * run, and asleep at once a small one up to three times. A program whose first thread has called
 * the library before another one solves ends the threads of the first (ew_end_threads in
 * edgewise/parts/base.h). */
void ew_use_threads(int n);
int ew_threads(void);

/* Called now and then by long work. `done` in [0, 1], or < 0 when unknown. Return
 * false to cancel: the work returns EW_CANCELED. A null `call` is never called. */
typedef struct ew_progress {
    void *user;
    bool (*call)(void *user, const char *stage, double done);
} ew_progress;

EW_END_API
#endif
