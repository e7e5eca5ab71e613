/* scene: scenes and decks of other programs to cases. SOFA's XML scenes, of the components that
 * there is a counterpart for: a body of tets, mass, linear elasticity, fixed vertices, forces, a
 * time integration, a surface that is carried along. Keyword decks of Abaqus and CalculiX, bulk
 * data of Nastran. All else is listed. Reads no files itself. */
#ifndef EW_SCENE_H
#define EW_SCENE_H

#include "format/format.h"

EW_BEGIN_API

typedef struct ew_scene_def {
    const char *scene_name; /* for comments: "beam.scn" */
    const char *mesh_name;  /* what the case calls the mesh: "beam.mesh" */
    const char *prefix;     /* put before other relative file names in the case; "": nothing */
    int32_t n_step;         /* time steps: a scene runs until it is stopped; default 100 */
    void *user;             /* of read_mesh */
    /* Reads the tets of a file that the scene names; null: only scenes without such files. */
    ew_status (*read_mesh)(void *user, const char *file, ew_mesh *mesh);
} ew_scene_def;
ew_scene_def ew_default_scene_def(void);

typedef struct ew_scene {
    ew_mesh mesh; /* owned: of the body, in its place; to be written by the name that was given */
    ew_groups groups; /* owned: that the case names; of a deck, to be written with the mesh */
    ew_text text;     /* owned: the case */
    int32_t n_note;
    ew_text notes; /* owned, with a zero at its end: a line each, "line L: COMPONENT: what is left
                      out, or read in another way" */
} ew_scene;
/* Safe on any bytes: no entities, no documents beside it, at most 64 elements within one another.
 * `scene`: untouched on failure. Messages have the line. EW_BAD_INPUT where the scene has no body
 * that can be read; EW_UNSUPPORTED in a build without expat. */
ew_status ew_scene_read(const char *data, size_t size, const ew_scene_def *def, ew_scene *scene);
void ew_scene_free(ew_scene *scene);

/* The same of a deck of Abaqus or CalculiX (deck_*.c): its mesh, materials, supports, loads and
 * steps. Cards without a counterpart are listed, but for those that ask for output. EW_BAD_INPUT
 * where the mesh cannot be read, a material lacks *ELASTIC, or no step has a counterpart. */
ew_status ew_scene_read_deck(const ew_mesh_input *input, const ew_scene_def *def, ew_scene *scene);

/* The same of bulk data of Nastran (nastran_*.c): tets, MAT1, PSOLID, and the supports and loads of
 * its subcases, SOL 101, 103 and 105. All of it in one file. */
ew_status ew_scene_read_nastran(const ew_mesh_input *input, const ew_scene_def *def,
                                ew_scene *scene);

EW_END_API
#endif
