/* view: what `edgewise view` shows and does without a browser: a body that commands change, a
 * journal of them, pictures as bytes, and the thread that owns the body. The server (server.h)
 * carries commands and pictures; README.md is the protocol. */
#ifndef EW_VIEW_H
#define EW_VIEW_H

#include "case/case.h"
#include "format/format.h"
#include "model/parts/model.h"
#include "operation/parts/operation.h"

#include <cjson/cJSON.h>
#include <stdatomic.h>

/* ---- where a body comes from ------------------------------------------------------------- */

typedef struct view_parameter {
    const char *name; /* borrowed from the source */
    double value;     /* as the file has it, and as it is */
} view_parameter;

/* A body as its file begins. The same numbers give the same bits each time. */
typedef struct view_body {
    ew_model *model; /* borrowed from `owner` */
    void *owner;     /* what the source frees */
    bool is_solved;  /* its displacement is an answer */
    /* Of a case, else null: as it reads with the values of the parameters, borrowed from `owner`;
     * and the step whose sets, supports and loads the model has. */
    const ew_case *input;
    int32_t step;
} view_body;

enum { VIEW_MAX_PARAMETER = 64 };
typedef struct view_source {
    void *user;
    const char *file; /* its name for the page, borrowed */
    int32_t n_parameter;
    view_parameter parameter[VIEW_MAX_PARAMETER];
    /* A body with these values [n_parameter] of the parameters. */
    ew_status (*open)(void *user, const double *value, view_body *body);
    void (*close)(void *user, view_body *body); /* safe on a zeroed one */
    /* The body, as it was opened and nothing else, with other values, by a way that costs less:
     * about as it would be opened. EW_UNSUPPORTED: the body is as before; after another failure it
     * is of no use. Null: there is no such way. */
    ew_status (*go_on)(void *user, const double *value, view_body *body);
    /* Of a mesh alone, else null: what it is made of until a command says otherwise, and the units
     * that its numbers are taken to be in; borrowed. */
    const ew_library_material *library;
    const char *length_unit, *force_unit;
    bool is_cad;         /* labels of its triangles are faces of a CAD file */
    const ew_text *text; /* of a case, else null; borrowed */
    /* From here on bodies are opened with a mesh of the surface or CAD file whose edges are about
     * so long, 0: as the file says, and `text` says so. A failure changes nothing, and there is
     * none for a size that was had before. Null: the file has tets of its own. */
    ew_status (*fill)(void *user, double size);
    const char *filled_by; /* the mesher, borrowed */
    /* Writes a case and, of a mesh, its mesh beside it. A changed case is written where the files
     * that it names are found; *path, of [size]: where that is. */
    ew_status (*save)(void *user, const char *case_path, const ew_text *text, const char *mesh_path,
                      const ew_mesh *mesh, char *path, size_t size);
} view_source;

/* ---- bytes (bytes.c) ------------------------------------------------------------------------- */

/* A message that several threads read: freed by the last that releases it. */
typedef struct view_bytes {
    atomic_int n_holder;
    bool is_text;     /* else binary */
    int32_t surface;  /* of a picture: the surface that it shows, and */
    bool has_surface; /* whether it holds that */
    size_t size;
    unsigned char data[];
} view_bytes;
/* Null where memory ends. The caller releases it. */
view_bytes *view_bytes_make(size_t size, bool is_text);
/* Of an object, which is freed. */
view_bytes *view_bytes_of_json(cJSON *json);
view_bytes *view_bytes_hold(view_bytes *bytes);
void view_bytes_release(view_bytes *bytes); /* safe on null */

/* JSON of a client, the caller's; null: it is none, or nested deeper than any command: the parser
 * takes stack for each level, and threads of the server have little. */
cJSON *view_parse_json(const char *text, size_t size);

/* "force", "pressure", ...: null, of another kind. (panels.c) */
const char *view_load_name(const ew_model_load *load);

/* The plane of the command `section`, {"normal": [3], "offset": d}: what has normal . x > d is left
 * out; without them there is none. (section.c) */
ew_status view_read_section(const cJSON *command, bool *has_section, double section[4]);

/* A picture: a header and arrays. Zeroed: empty. */
enum { VIEW_MAX_ARRAY = 64 };
typedef struct view_writer {
    cJSON *arrays; /* owned until the end */
    size_t size;   /* of all arrays, each padded to 8 bytes */
    int32_t n;
    struct {
        const void *data;
        size_t size;
    } array[VIEW_MAX_ARRAY];
} view_writer;
/* An array [rows][columns] of type "f4", "f8", "i4" or "u4"; the data is borrowed until the end. */
ew_status view_writer_add(view_writer *writer, const char *name, const char *type, int32_t rows,
                          int32_t columns, const void *data);
/* The message; header (an object) is freed, also after a failure. */
ew_status view_writer_end(view_writer *writer, cJSON *header, view_bytes **bytes);

/* ---- what a page shows: a played body (play.c), a result (result.c) ------------------------- */

/* All are called by one thread, with what `open` made. */
typedef struct view_kind {
    void (*free)(void *shown); /* safe on null */
    /* Does a command. *reply: an object with what it answers, the caller's; null: nothing. A
     * failure has changed nothing. */
    ew_status (*command)(void *shown, const cJSON *command, cJSON **reply);
    /* Whether a command that waits may be left out since this one says the same again, and later.
     * From any thread. */
    bool (*replaces)(const cJSON *command, const cJSON *waiting);
    /* Seconds until the next step in time is due; infinity: it does not play. */
    double (*due)(const void *shown);
    /* That step; *panels: they changed, too. */
    ew_status (*advance)(void *shown, bool *panels);
    /* Work for a time in which nothing else is to be done; whether pictures have more to tell. */
    bool (*idle)(void *shown);
    bool (*has_ended)(const void *shown); /* by the command `quit` */
    /* What is seen, number `number`, done: id of the last command in it. *whole: with the surface;
     * *change: without, for who has it. Both the caller's. */
    ew_status (*picture)(void *shown, int64_t number, double done, view_bytes **whole,
                         view_bytes **change);
    ew_status (*state)(void *shown, cJSON **state); /* the panels; the caller's */
} view_kind;

/* What is to be shown; open makes it, in the thread that owns it. */
typedef struct view_subject {
    const view_kind *kind;
    void *user; /* borrowed */
    ew_status (*open)(void *user, void **shown);
} view_subject;

/* ---- a body that commands change (play.c, commands.c)
 * -------------------------------------------- */

typedef struct view_play view_play; /* one thread's */
/* A session of it; the source is borrowed. */
view_subject view_play_subject(view_source *source);

/* Opens the body and solves it. What is wrong with a body is a line of its pictures, not a failure.
 */
ew_status view_play_create(view_play **play, const view_source *source);
void view_play_free(view_play *play); /* safe on null */

/* Whether a command that waits may be left out since this one says the same again, and later. */
bool view_command_replaces(const cJSON *command, const cJSON *waiting);
/* Does a command, and solves; in the journal where it changes the body. *reply: an object with what
 * it answers, the caller's; null: nothing. A failure has changed nothing. */
ew_status view_play_do(view_play *play, const cJSON *command, cJSON **reply);
/* One step in time, where it plays; no effect otherwise. */
ew_status view_play_advance(view_play *play);
/* What costs a pass over the body, for a time in which nothing else is to be done: a body that a
 * drag of a parameter led there begins again as its file says, and the error of a static answer is
 * estimated. Whether pictures have more to tell now. */
bool view_play_rest(view_play *play);
/* Seconds until the next step is due; infinity: it does not play. */
double view_play_due(const view_play *play);
bool view_play_has_ended(const view_play *play); /* by the command `quit` */
ew_model *view_play_model(view_play *play);      /* borrowed until the next command */

/* What is seen, number `number`, done: id of the last command in it. *whole: with the surface;
 * *change: without, for who has it. Both the caller's. */
ew_status view_play_picture(view_play *play, int64_t number, double done, view_bytes **whole,
                            view_bytes **change);
/* The panels; the caller's. */
ew_status view_play_state(view_play *play, cJSON **state);

/* ---- the thread that owns it (session.c)
 * ------------------------------------------------------------ */

typedef struct view_session view_session;
typedef struct view_session_def {
    view_subject subject;
    int32_t n_thread; /* of its loops; 0: as the caller */
    void *user;
    /* Called by the thread: pictures and state are for all, a reply for whom it asked. Bytes are
     * borrowed. */
    void (*on_picture)(void *user, view_bytes *whole, view_bytes *change);
    void (*on_state)(void *user, view_bytes *state);
    void (*on_reply)(void *user, int32_t client, view_bytes *reply);
    void (*on_end)(void *user); /* the command `quit` was done */
} view_session_def;
enum { VIEW_MAX_WAITING = 256 };
ew_status view_session_create(view_session **session, const view_session_def *def);
/* From any thread: a command of a client, as text of `size` bytes. EW_BAD_INPUT, with one line: it
 * is none, *id then -1 or that which it has; EW_LIMIT: VIEW_MAX_WAITING wait. */
ew_status view_session_post(view_session *session, int32_t client, const char *text, size_t size,
                            double *id);
/* Has the present picture and state sent again, for a client that came. */
void view_session_greet(view_session *session);
void view_session_free(view_session *session); /* ends the thread; safe on null */

#endif
