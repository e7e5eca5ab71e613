/* What the window of this example shows: a body that a thread of its own solves (tools/view), and
 * its newest picture as arrays. No graphics here: a test drives it. */
#ifndef VIEWER_SCENE_H
#define VIEWER_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct viewer_scene viewer_scene; /* one thread's: the window's */

/* A beam of rubber, fixed at x = 0 and loaded at its other end: its size, and cells along each
 * side.
 */
typedef struct viewer_beam {
    double size[3]; /* m */
    int32_t cells[3];
} viewer_beam;

/* Borrowed until the next viewer_take. */
typedef struct viewer_picture {
    int32_t n_vertex, n_triangle, n_tet;
    const float *position, *displacement; /* [n_vertex][3] */
    const float *value;                   /* [n_vertex] von Mises stress; NaN: none */
    const int32_t *triangle;              /* [n_triangle][3] vertices, outward */
    const int32_t *vertex_slot;           /* [n_vertex] and */
    const int32_t *face;                  /* [n_triangle], as commands name them */
    double number, time, milliseconds;    /* of the picture; of the body; of its work */
    double size;                          /* diagonal of the body */
    bool is_playing, is_static;
    char message[256]; /* why there is no answer; "" */
} viewer_picture;

/* Null: the line of viewer_message says why. */
viewer_scene *viewer_open(const viewer_beam *beam);
void viewer_close(viewer_scene *scene); /* safe on null */
const char *viewer_message(void);
/* A command, as tools/view/README.md lists them, without its id: printf's format of the object's
 * members, "\"do\": \"remove\", \"face\": %d". False: it was refused; see viewer_message. What the
 * body refuses later is viewer_refusal. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
bool viewer_do(viewer_scene *scene, const char *format, ...);
/* Copies the last refusal to `line` and forgets it; false: none. */
bool viewer_refusal(viewer_scene *scene, char line[256]);
/* The newest picture; false where it is the one that was taken before. */
bool viewer_take(viewer_scene *scene, viewer_picture *picture);
/* Waits for a picture that has all commands in it; false after so many seconds without. */
bool viewer_wait(viewer_scene *scene, double seconds);
/* The first triangle that a ray meets on the body displaced `factor` times, and where; -1: none. */
int32_t viewer_pick(const viewer_picture *picture, double factor, const double origin[3],
                    const double direction[3], double place[3]);

#ifdef __cplusplus
}
#endif
#endif
