/* The keys of a case as tables: what the reader accepts, the messages about unknown keys, the
 * ranges of numbers, the reference page and the JSON Schema come from them. Private to case. */
#ifndef EW_CASE_SCHEMA_H
#define EW_CASE_SCHEMA_H

#include "case/yaml.h"

/* Forms of a value; several of them are alternatives. A number may be an expression of the
 * parameters. */
enum {
    EW_KEY_NUMBER = 1 << 0,
    EW_KEY_INTEGER = 1 << 1,
    EW_KEY_SHARE = 1 << 2, /* a number or a percentage */
    EW_KEY_TRUTH = 1 << 3,
    EW_KEY_CHOICE = 1 << 4, /* one of `words` */
    EW_KEY_TEXT = 1 << 5,
    EW_KEY_VECTOR = 1 << 6,     /* [x, y, z] */
    EW_KEY_COMPONENTS = 1 << 7, /* [x, y, z], ~ for a component without a value */
    EW_KEY_AXIS = 1 << 8,       /* x, y, z or a vector */
    EW_KEY_NUMBERS = 1 << 9,    /* a list of numbers */
    EW_KEY_VALUES = 1 << 10,    /* a mapping of names of the case to numbers */
    EW_KEY_SET = 1 << 11,       /* the name of a set, or a set expression */
    EW_KEY_LABEL = 1 << 12,     /* a number or a name of a region or a surface */
    EW_KEY_NOTHING = 1 << 13,   /* ~, or nothing after the key */
    EW_KEY_MAPPING = 1 << 14,   /* with the keys of `of`, or with those of `or_of` */
    EW_KEY_LIST = 1 << 15,      /* of items of the forms `item` */
    EW_KEY_NAMES = 1 << 16,     /* a mapping of names to values of the forms `item` */
    EW_KEY_EDIT = 1 << 17       /* one operation with its values, by the table of operations */
};

#define EW_ANY_UNIT "any"
typedef struct ew_case_section ew_case_section;
typedef struct ew_case_key {
    const char *name;
    uint32_t kind, item; /* bits of the forms above; item: of the entries of a list or of names */
    const ew_case_section *of, *or_of; /* of a mapping, also where it is an item */
    const char *words;                 /* of a choice, separated by spaces */
    const char *(*word_at)(int32_t i); /* in place of words: the i-th, null behind the last */
    double low, high;                  /* of numbers; high <= low: any. INFINITY: no greatest */
    bool above;                        /* the least value itself is not allowed */
    bool is_required;
    int32_t place;    /* 1 + offset of the member that ew_case_read_keys fills; 0: the reader of the
                         section does */
    const char *what; /* as messages about its value name it; null: name */
    const char *rule; /* of the message about a number out of its range; null: by the range */
    const char *unit; /* of a number, by "length", "force", "mass", "time" and names of units;
                         "UNIT, UNIT": of the numbers of a row; EW_ANY_UNIT; null: none */
    const char *preset; /* what holds without the key; null: `help` says */
    const char *help;
} ew_case_key;

struct ew_case_section {
    const char *title; /* as messages name it */
    int32_t n_key;
    const ew_case_key *key; /* [n_key] */
    bool has_laws;          /* and a key for each law at a point (laws.c) */
};

extern const ew_case_section ew_case_root, ew_section_units, ew_section_surface_mesh,
    ew_section_file_mesh, ew_section_material, ew_section_material_axes, ew_section_set,
    ew_section_plane, ew_section_side, ew_section_sphere, ew_section_cylinder,
    ew_section_face_geometry, ew_section_solid_geometry, ew_section_surface, ew_section_amplitude,
    ew_section_sine, ew_section_step_amplitude, ew_section_csv, ew_section_constraint,
    ew_section_equation, ew_section_term, ew_section_coupling, ew_section_tie, ew_section_cyclic,
    ew_section_periodic, ew_section_preload, ew_section_bolt, ew_section_contact, ew_section_rigid,
    ew_section_rigid_plane, ew_section_rigid_motion, ew_section_axes, ew_section_axes_cylinder,
    ew_section_symmetry, ew_section_foundation, ew_section_load, ew_section_pressure,
    ew_section_remote_force, ew_section_bearing, ew_section_centrifugal,
    ew_section_centrifugal_axis, ew_section_temperature, ew_section_step, ew_section_static,
    ew_section_nonlinear, ew_section_newton, ew_section_dynamic, ew_section_damping,
    ew_section_initial, ew_section_initial_displacement, ew_section_initial_velocity,
    ew_section_from, ew_section_dynamic_output, ew_section_probe, ew_section_modes,
    ew_section_buckling, ew_section_harmonic, ew_section_spectrum, ew_section_random,
    ew_section_path, ew_section_cut, ew_section_converge, ew_section_step_removal,
    ew_section_remove, ew_section_enrich, ew_section_output, ew_section_sweep, ew_section_sweep_csv,
    ew_section_latin, ew_section_range, ew_section_search, ew_section_limit, ew_section_timed,
    ew_section_rayleigh, ew_section_frequencies, ew_section_material_fatigue, ew_section_goal,
    ew_section_fatigue, ew_section_fatigue_block;

#define EW_SEARCH_METHODS "cobyla mma" /* of `optimise:` */

/* Room for all keys of a section, laws included. */
enum { EW_SECTION_KEYS = 400 };
/* The keys of a section as words. */
void ew_section_words(const ew_case_section *section, char words[EW_SECTION_KEYS]);
/* The words of a choice. */
void ew_key_words(const ew_case_key *key, char words[EW_SECTION_KEYS]);

/* The node must be a mapping that holds only keys of the section, each once. what: as messages name
 * it; null: its title. */
ew_status ew_case_expect(ew_yaml *yaml, const yaml_node_t *node, const char *what,
                         const ew_case_section *section);
/* The same, and required keys must be there; the keys that have a place are read into `into`, each
 * within its range. What is not given is left alone. */
ew_status ew_case_read_keys(ew_yaml *yaml, const yaml_node_t *node, const ew_case_section *section,
                            void *into);

#endif
