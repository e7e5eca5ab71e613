/* Private to results: the HDF5 file under construction (store.c) and what
 * lies under it (sink.c), the XDMF beside it (xdmf.c) and
 * the quiet section in which HDF5 prints nothing. */
#ifndef EW_RESULTS_INTERNAL_H
#define EW_RESULTS_INTERNAL_H

#include "format/parts/format.h"
#include "results/results.h"

#include <hdf5.h>

/* Number of the layout below /Edgewise; README.md says what it holds. */
#define EW_RESULT_FORMAT 1
#define EW_RESULT_NAME   64  /* room for the name of a field, end included */
#define EW_RESULT_PATH   128 /* room for the path of a dataset within the file */

/* HDF5 prints its error stack unless told not to; what the caller had set is put back. */
typedef struct ew_quiet {
    H5E_auto2_t call;
    void *data;
} ew_quiet;
void ew_quiet_begin(ew_quiet *quiet);
void ew_quiet_end(const ew_quiet *quiet);

/* The message of the HDF5 call that just failed: "file: cannot <doing>: reason". EW_IO, with the
 * system's reason when it gave one; `other` when the fault is in the file's content. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
ew_status
ew_h5_fail(ew_status other, const char *file, const char *format, ...);

/* Closes an object of any kind and sets it to -1; -1 is fine. */
herr_t ew_h5_close(hid_t *object);

/* The byte sink below an HDF5 file that is written (sink.c). */
typedef struct ew_sink {
    int descriptor; /* -1: closed */
    int trouble;    /* errno of the first write that failed, or 0 */
    hid_t driver;   /* HDF5 1.10 reads it once more after a file has let go of it: released last */
} ew_sink;
ew_status ew_sink_open(ew_sink *sink, int descriptor, const char *label); /* duplicated */
herr_t ew_sink_use(hid_t access, ew_sink *sink); /* in a file access list; borrowed */
void ew_sink_close(ew_sink *sink);

/* A file being written. */
typedef struct ew_store {
    const char *label; /* borrowed: the final path, for messages */
    hid_t file;        /* -1: closed */
    ew_sink sink;
    int32_t compression; /* deflate level */
    void *room;          /* owned: memory kept for HDF5 between its calls, or null */
} ew_store;

/* Around all that calls HDF5 for a file being written: nothing is printed, and there is memory. The
 * second returns `status`, or EW_NO_MEMORY. */
void ew_store_begin(ew_store *store, ew_quiet *quiet);
ew_status ew_store_end(ew_store *store, const ew_quiet *quiet, ew_status status);
ew_status ew_store_keep_room(ew_store *store);

/* HDF5 was told that every write succeeded; this tells the truth, and is asked after each stage. */
ew_status ew_store_check(const ew_store *store);

typedef enum ew_number { EW_F64, EW_F32, EW_I64, EW_I32, EW_U8 } ew_number;
size_t ew_number_bytes(ew_number number);
hid_t ew_number_memory_type(ew_number number); /* predefined: not to be closed */
hid_t ew_number_file_type(ew_number number);

/* A dataset that grows by its first dimension; made by its first append, which sets the chunks. */
typedef struct ew_series {
    char path[EW_RESULT_PATH];
    ew_number memory, stored;
    int32_t width; /* numbers in a row; 0: one-dimensional */
    int64_t n_row; /* rows written so far */
    hid_t set;     /* -1 before the first append */
} ew_series;
void ew_series_init(ew_series *series, ew_number number, int32_t width, const char *group,
                    const char *name);
ew_status ew_series_append(const ew_store *store, ew_series *series, const void *data, int64_t n);
/* Before rows come in several pieces, n in all: stored as if they came at once. */
ew_status ew_series_begin(const ew_store *store, ew_series *series, int64_t n);

/* `path` shows rows begin .. begin+n-1 of the series as [n] or [n][width] (width 0: [n]) without
 * holding them: an HDF5 virtual dataset. The series' own width may differ: Tets [n][4] is made of
 * a flat Connectivity. */
ew_status ew_store_slice(const ew_store *store, const char *path, const ew_series *series,
                         int64_t begin, int64_t n, int32_t width);
ew_status ew_store_group(const ew_store *store, const char *path);
/* Attribute of the object at `path`; scalar when n is 1. */
ew_status ew_store_attribute(const ew_store *store, const char *path, const char *name,
                             ew_number number, int32_t n, const void *value);
/* Fixed-length text; an attribute of the object at `path`, or with no name the dataset `path`. */
ew_status ew_store_text(const ew_store *store, const char *path, const char *name,
                        const char *text);
/* Dataset written at once, [n] or with a width [n][width]; n may be 0. */
ew_status ew_store_array(const ew_store *store, const char *path, ew_number number, size_t n,
                         int32_t width, const void *value);

/* Which bytes were written last: how many (0: none yet), and two sums of them. */
typedef struct ew_written_bytes {
    size_t n;
    uint64_t sum[2];
} ew_written_bytes;

/* A column of the frames: a mesh array or a field, with the row of each frame. */
typedef struct ew_column {
    ew_series data;
    ew_series offset; /* below /VTKHDF/Steps */
    const char *name; /* within data.path */
    ew_field_place place;
    int64_t begin;         /* first row of the latest frame */
    ew_written_bytes last; /* of what is not written again while it stays the same */
} ew_column;

void ew_column_init(ew_column *column, ew_field_place place, ew_number number, int32_t width,
                    const char *name);

/* The samples of a probe. */
typedef struct ew_probe_series {
    ew_series time, value[EW_PROBE_QUANTITIES];
} ew_probe_series;

/* Data of a frame for the XDMF file. */
typedef struct ew_frame_note {
    int32_t step; /* which names it below /Frames */
    double time;
    int32_t n_point, n_tet;
    uint64_t fields; /* bit k: it has values of the k-th */
} ew_frame_note;

enum {
    EW_COLUMN_POINTS,
    EW_COLUMN_TETS,
    EW_COLUMN_VERTEX_ID,
    EW_COLUMN_TET_ID,
    EW_COLUMN_REGION,
    EW_COLUMN_BORN,
    EW_N_MESH_COLUMN
};
enum { EW_PART_POINTS, EW_PART_CELLS, EW_PART_IDS, EW_PART_TYPES, EW_PART_OFFSETS, EW_N_PART };
enum {
    EW_STEP_VALUE,
    EW_STEP_N_PART,
    EW_STEP_PART,
    EW_STEP_POINT,
    EW_STEP_CELL,
    EW_STEP_ID,
    EW_N_STEP
};

struct ew_result {
    ew_store store;
    char *name, *path, *xdmf_path; /* owned: NAME, NAME.vtkhdf and NAME.xdmf */
    ew_replacement set;            /* of these two and what is added to them */
    int xdmf_descriptor;           /* borrowed from the set */
    ew_column mesh[EW_N_MESH_COLUMN];
    ew_series part[EW_N_PART]; /* one row or block for every distinct connectivity */
    ew_series step[EW_N_STEP]; /* one row for every frame */
    ew_column *field;          /* [n_field] owned, set by the first frame */
    int32_t n_field;
    ew_number precision; /* of fields in the file: EW_F64 or EW_F32 */
    ew_column *mask;     /* [n_mask] owned, one for each set, set by the first frame */
    int32_t n_mask;
    int32_t n_node;         /* of a tet, set by the first frame */
    ew_probe_series *probe; /* [n_probe] owned */
    int32_t n_probe, probe_capacity;
    ew_frame_note *frame; /* [n_frame] owned */
    int32_t n_frame, frame_capacity;
    int32_t n_step;  /* with a record; those with a frame, and others */
    double time;     /* of the last of them */
    bool is_damaged; /* a frame was written in part */
    int32_t stopped; /* step that was not completed, -1: none */
    char *reason;    /* owned: why, or null */
};

/* Writes the XDMF text to result->xdmf_descriptor. */
ew_status ew_xdmf_write(const ew_result *result);

/* Columns of a frame but for those of its mesh: fields, then masks; those that it has values of,
 * where `fields` is as in ew_frame_note. */
static inline int32_t ew_result_n_column(const ew_result *result)
{
    return result->n_field + result->n_mask;
}
static inline ew_column *ew_result_column(const ew_result *result, int32_t k)
{
    return k < result->n_field ? &result->field[k] : &result->mask[k - result->n_field];
}
static inline bool ew_result_has_column(const ew_result *result, uint64_t fields, int32_t k)
{
    return k < 0 || k >= result->n_field || fields >> k & 1;
}

/* The sets of a frame (sets.c), at the stages of frame.c. */
ew_status ew_sets_check(const ew_result *result, const ew_result_frame *frame);
ew_status ew_sets_init(ew_result *result, const ew_result_frame *frame);
ew_status ew_sets_append(ew_result *result, const ew_result_frame *frame);
ew_status ew_sets_record(const ew_result *result, const ew_result_frame *frame);
void ew_sets_free(ew_result *result);

/* Rows of a frame: vertices, and the middles of edges where tets have ten nodes. */
int32_t ew_frame_n_point(const ew_result_frame *frame);
/* Nodes of a tet: 4 or 10. */
static inline int32_t ew_frame_n_node(const ew_result_frame *frame)
{
    return frame->edges ? 10 : 4;
}

/* Negative when a close failed. (probes.c) */
herr_t ew_probes_close(ew_result *result);

/* Whether these bytes are those that were written last, which they are from now on. */
bool ew_bytes_stay(ew_written_bytes *last, const void *data, size_t bytes);
/* Packed, in slot order, without holes. `data` is ew_new'd for the caller. */
ew_status ew_pack_mesh(const ew_result_frame *frame, int column, void **data, size_t *bytes);
/* The same of a field, where it stands in other places than its slots; else its data as it is, and
 * *room is null. EW_NOT_FINITE where a number is not finite, or not as a single. room: owned by the
 * caller, after a failure, too. */
ew_status ew_pack_field(const ew_result_frame *frame, const ew_result_field *field, bool single,
                        double **room, const double **data);
/* The same of a field by tet in parts: *n rows that a process has, the first of which is row `first`
 * of the frame. */
ew_status ew_pack_part(const ew_result_frame *frame, const ew_result_field *field, bool single,
                       int32_t process, int64_t first, double **room, int64_t *n);

#endif
