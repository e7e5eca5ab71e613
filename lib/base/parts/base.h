/* base: what a program needs that works on its tables itself, beside base/base.h. */
#ifndef EW_PARTS_BASE_H
#define EW_PARTS_BASE_H

#include "base/base.h"

EW_BEGIN_API

/* ---- status ------------------------------------------------------------ */

/* ew_fail at a line of the text that is being read. */
EW_PRINTF(3, 4) ew_status ew_fail_at(ew_status status, int32_t line, const char *format, ...);
/* The same about one or two ids (-1: none). */
EW_PRINTF(4, 5)
ew_status ew_fail_about(ew_status status, int64_t first, int64_t second, const char *format, ...);
/* Puts "text: " in front of the last failure's text, to add what was being done on its way up; the
 * line and the ids stay. Returns `status`. */
EW_PRINTF(2, 3) ew_status ew_fail_prefix(ew_status status, const char *format, ...);
/* Puts the path of a file in front, with the line where there is one, which becomes the file_line:
 * "line 7: text" becomes PATH:7: text. Returns `status`. */
ew_status ew_fail_in_file(ew_status status, const char *path);
/* Gives the last failure a line if it has none. Returns `status`. */
ew_status ew_fail_line(ew_status status, int32_t line);

/* ---- refusals (refusals.c) ------------------------------------------------ */

/* Rules by which the library refuses what is well formed, with what a message says behind its
 * subject. Those of the method have a reason in mechanics or numerics, which datasets/GUIDE.md
 * tells; the others are of this machine, of this build, of a format or of what is not there. */
#define EW_METHOD_RULES(X)                                                                         \
    X(BLOCKS, "needs stored blocks, of which products from tets have the diagonal ones alone; "    \
              "use operator: stored")                                                              \
    X(DIGITS, "needs double precision (fp64), for single precision has too few digits; use "       \
              "--precision double where the device has fp64, else --device host, or --precision "  \
              "single with stored blocks of linear tets")                                          \
    X(SADDLE_POINT, "would factor the saddle point of mixed tets, displacements and pressures; "   \
                    "use 'solver: cg', or linear tets")                                            \
    X(WAVES, "needs an implicit scheme, for the stable steps of explicit ones are those of the "   \
             "compression waves; use newmark, hht, generalized-alpha or implicit-euler")           \
    X(STATE, "would lose the state of laws and edges, which nothing but the run itself has; do "   \
             "it before the first nonlinear step, or start from rest")                             \
    X(PATH, "has directions that vary along the edges of quadratic tets; make its tets linear, "   \
            "or move it along fixed directions")                                                   \
    X(ENERGY, "ranks tets by their strain energy, which is what they carry in linear elastic "     \
              "bodies alone; use linear materials and small displacements")                        \
    X(MAP, "cannot be moved; cut again, for its points have no one place on the other surface")
#define EW_OTHER_RULES(X)                                                                          \
    X(HOST, "is computed on the host alone; use --device host")                                    \
    X(DEVICE, "; --device host needs none")                                                        \
    X(THREAD, "uses a library that serves one thread; leave out --jobs")                           \
    X(READER, "cannot be read: this program gives no way to read files")                           \
    X(FORMAT, "('edgewise convert --help' tells what formats have)")                               \
    X(CAD, "needs the program edgewise-gmsh of this version: install libgmsh-dev and "             \
           "libocct-data-exchange-dev (Debian, Ubuntu), build again with -DEW_WITH_GMSH=ON ('sh "  \
           "tools/setup.sh demo' does both), or put it beside edgewise")                           \
    X(DEFLATE, "needs an HDF5 library that deflates; set compression to 0")                        \
    X(LIBRARY, "failed in a library; use 'solver: cg', or another number of parts")                \
    X(RESTART, "cannot continue from the present body; start again from its mesh")                 \
    X(DISTRIBUTED, "cannot be done on a mesh in parts; do it in one process")
typedef enum ew_rule {
#define EW_RULE_NAME(name, words) EW_RULE_##name,
    EW_METHOD_RULES(EW_RULE_NAME) EW_OTHER_RULES(EW_RULE_NAME)
#undef EW_RULE_NAME
} ew_rule;
const char *ew_rule_text(ew_rule rule);
/* EW_UNSUPPORTED: the subject and, behind it, what stands against it. */
EW_PRINTF(2, 3) ew_status ew_refuse(ew_rule rule, const char *subject, ...);
/* EW_UNSUPPORTED: "SUBJECT: this build has no PART: ...", with what brings it. packages: Debian's,
 * or null. */
ew_status ew_refuse_missing(const char *subject, const char *part, const char *packages,
                            const char *option);

/* With cleanup: needs `ew_status status` and a label `out`. */
#define EW_TRY_OUT(call)                                                                           \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status) {                                                                              \
            goto out;                                                                              \
        }                                                                                          \
    } while (0)

/* Our own bugs, never bad input: stops the program in debug builds. */
#ifdef NDEBUG
#define EW_ASSERT(condition) ((void)0)
#else
#include <assert.h>
#define EW_ASSERT(condition) assert(condition)
#endif

/* ---- memory ------------------------------------------------------------ */

/* As ew_new, with zeros. */
ew_status ew_new_zero(void *array, size_t count, size_t size);

/* Makes room for at least `need` elements of `size` bytes, keeping the contents;
 * grows by half again, so repeated appends are O(1) each. *capacity counts
 * elements. On failure both are as before. */
ew_status ew_grow(void *array, int32_t *capacity, int64_t need, size_t size);
/* The same, and then a copy of `n` elements, in place of what was there; `from` may be null where
 * there are none. */
ew_status ew_grow_copy(void *array, int32_t *capacity, const void *from, int64_t n, size_t size);

/* Room for libraries that do not survive a failed allocation, or print: kept while the rest of the
 * program takes memory, and given back just before they are called. *room is null when none is
 * kept. EW_NO_MEMORY where the system does not have it. */
ew_status ew_room_keep(void **room, size_t bytes);
void ew_room_give(void **room, size_t bytes);

/* ---- prefetching ------------------------------------------------------- */

/* Asks for memory ahead of its use, so that misses of the cache overlap. A function that does
 * nothing else must be an EW_PREFETCHER: GCC 12 drops calls of others, as without effect. */
#if defined(__GNUC__)
#define EW_PREFETCH(address) __builtin_prefetch(address)
#define EW_PREFETCHER        static inline __attribute__((always_inline))
#else
#define EW_PREFETCH(address) ((void)(address))
#define EW_PREFETCHER        static inline
#endif

/* Numbers of a line of the cache, and the first line in an array
 * that has one of them to spare. */
enum { EW_LINE_NUMBERS = 8 };
static inline double *ew_at_line(double *room)
{
    const uintptr_t line = EW_LINE_NUMBERS * sizeof *room;
    return room + (line - (uintptr_t)room % line) % line / sizeof *room;
}

/* ---- lists of ids, and bit sets ---------------------------------------- */

void ew_list_sort(ew_list *list);        /* ascending */
void ew_list_sort_unique(ew_list *list); /* ascending, repeats dropped */
ew_status ew_list_copy(ew_list *copy, const ew_list *list);

/* Without a branch, where one would be guessed wrong. */
static inline void ew_bit_set_if(uint64_t *bit, int32_t id, bool yes)
{
    bit[(uint32_t)id / 64] |= (uint64_t)yes << ((uint32_t)id % 64);
}
static inline void ew_bit_set(uint64_t *bit, int32_t id)
{
    bit[(uint32_t)id / 64] |= UINT64_C(1) << ((uint32_t)id % 64);
}

/* Position of the lowest bit of a word that is not 0. */
static inline int ew_lowest_bit(uint64_t word)
{
#if defined(__GNUC__)
    return __builtin_ctzll(word);
#else
    int at = 0;
    for (; !(word & 1u); word >>= 1) {
        at++;
    }
    return at;
#endif
}

/* Appends the ids marked in n_word words to the list, ascending. */
ew_status ew_list_push_bits(ew_list *list, const uint64_t *bit, int32_t n_word);

/* Membership of a dirty set. */
ew_status ew_set_add(ew_set *set, int32_t id); /* no effect when present */
void ew_set_clear(ew_set *set);                /* O(members) */
void ew_set_free(ew_set *set);

/* FNV-1a over bytes (Fowler, Noll & Vo), going on from `hash`: a number that tells one state of
 * data from another. */
#define EW_HASH_START UINT64_C(14695981039346656037)
uint64_t ew_hash(uint64_t hash, const void *data, size_t bytes);

/* ---- maps of ids -------------------------------------------------------- */

/* Enters the key unless it is there; *old is the value it had, -1 for a new key. On failure the map
 * is as before. */
ew_status ew_map_enter(ew_map *map, int32_t a, int32_t b, int32_t c, int32_t value, int32_t *old);
int32_t ew_map_find(const ew_map *map, int32_t a, int32_t b, int32_t c); /* the value, or -1 */
void ew_map_clear(ew_map *map);                                          /* O(1) */
void ew_map_free(ew_map *map);

/* ---- rows of ids ------------------------------------------------------- */

/* Compressed rows that can be edited in O(row): row i is the `count[i]` items from
 * item[width * begin[i]] on. An item is `width` int32 (1 or 2) and rows are sorted
 * by the first of them. A row owns a chunk whose capacity is its count rounded up
 * to EW_ROW_CHUNK items; a row that outgrows it moves to a chunk of the next size,
 * taken from the free chunks of that size or from the end. So a table that is
 * edited for ever stays the size its rows need, and a fresh one is nearly tight. */
#define EW_ROW_CHUNK 4

/* Lays out n_row empty rows with room for count[i] items each (copied). Fill them
 * with ew_rows_append in ascending key order. EW_LIMIT beyond 2^31-1 items. */
ew_status ew_rows_init(ew_rows *rows, int32_t n_row, int32_t width, const int32_t *count);
void ew_rows_free(ew_rows *rows);
/* The same rows in the same places, in the memory of `copy` (zeroed: none). On failure `copy` is to
 * be freed. */
ew_status ew_rows_copy(ew_rows *copy, const ew_rows *rows);
/* Adds empty rows up to n_row. */
ew_status ew_rows_extend(ew_rows *rows, int32_t n_row);
/* Inserts in key order; an item with this key must not be in the row. On failure
 * the row is as before. */
ew_status ew_rows_insert(ew_rows *rows, int32_t row, const int32_t *item);
/* Removes the item with this key, which must be there. Never allocates beyond the
 * list of free chunks' heads, which insertion made. */
void ew_rows_remove(ew_rows *rows, int32_t row, int32_t key);
/* For many items at once. Removes the items whose last number is marked in the bit array
 * `gone`; empties n rows; makes room for n more items of one row, to be entered before
 * anything else changes that row. On failure the row is as before. */
void ew_rows_filter(ew_rows *rows, int32_t row, const uint64_t *gone);
void ew_rows_clear(ew_rows *rows, const int32_t *row, int32_t n);
ew_status ew_rows_reserve(ew_rows *rows, int32_t row, int32_t n);
/* Position of the key in the row (0 .. count-1), or -1. O(log row). */
int32_t ew_rows_find(const ew_rows *rows, int32_t row, int32_t key);
size_t ew_rows_bytes(const ew_rows *rows);
/* Appends during the first filling: keys ascending, within the counts of init. */
static inline void ew_rows_append1(ew_rows *rows, int32_t row, int32_t item)
{
    rows->item[rows->begin[row] + rows->count[row]++] = item;
}
static inline void ew_rows_append2(ew_rows *rows, int32_t row, int32_t key, int32_t value)
{
    int32_t *slot = rows->item + 2 * ((size_t)rows->begin[row] + (size_t)rows->count[row]++);
    slot[0] = key;
    slot[1] = value;
}
/* Inserts into reserved room, in key order; cheapest where keys come ascending. */
static inline void ew_rows_enter1(ew_rows *rows, int32_t row, int32_t item)
{
    int32_t *first = rows->item + rows->begin[row], k = rows->count[row]++;
    for (; k > 0 && first[k - 1] > item; k--) {
        first[k] = first[k - 1];
    }
    first[k] = item;
}
static inline void ew_rows_enter2(ew_rows *rows, int32_t row, int32_t key, int32_t value)
{
    int32_t *slot = rows->item + 2 * ((size_t)rows->begin[row] + (size_t)rows->count[row]);
    int32_t k = rows->count[row]++;
    for (; k > 0 && slot[-2] > key; k--, slot -= 2) {
        slot[0] = slot[-2];
        slot[1] = slot[-1];
    }
    slot[0] = key;
    slot[1] = value;
}

/* ---- words ------------------------------------------------------------- */

/* The word of the space separated list nearest to `word` by single-letter edits, for "did you
 * mean"; false when none is near: within two edits, and fewer than half its letters. Words beyond
 * 63 letters are passed over. */
bool ew_nearest_word(const char *word, const char *words, char nearest[64]);

/* Whether a name would disturb a terminal or a table: bytes below 32, 127, and U+0080 to U+009F. */
bool ew_has_control_character(const char *text);

/* Prefix of a text in a cell of a CSV file, "'" or "": spreadsheet programs run a cell
 * that begins with = + - @ tab or a line break as a formula (OWASP, CSV injection); one that begins
 * with ' has another one before it, so that a reader finds the text behind the first '. */
const char *ew_cell_prefix(const char *text);

/* ---- expressions (expression.c) ------------------------------------------ */

/* EW_BAD_INPUT unless a variable may have the name: not that of a function or of pi. */
ew_status ew_expression_check_name(const char *name);
/* The variables from `first` on become constants: value[0] for the first of them. */
void ew_expression_bind(ew_expression *expression, int32_t first, const double *value);
/* *value for these values of the variables, in the order of their names. Null, or what is wrong in
 * words ("division by zero"); *value is then not a number. Never allocates. */
const char *ew_expression_value(const ew_expression *expression, const double *variable,
                                double *value);

/* ---- time, threads, progress ------------------------------------------- */

/* Of these as many as have `min` items of work each, at least 1. */
int ew_threads_for(int64_t items, int64_t min);
/* Starts them; EW_NO_MEMORY where the system refuses one. Without this call OpenMP starts them in
 * the first loop, and ends the process where it cannot. */
ew_status ew_start_threads(void);
/* Ends those that the calling thread has started; its next loop starts them again. Of a thread
 * whose loops are over while another one's go on: where more threads wait than there are
 * processors, libgomp lets none of them spin, and each loop then costs the time to wake one up. */
void ew_end_threads(void);

/* Calls a progress function; EW_CANCELED where it returns false. A null `call` is never called. */
ew_status ew_progress_report(const ew_progress *progress, const char *stage, double done);

EW_END_API
#endif
