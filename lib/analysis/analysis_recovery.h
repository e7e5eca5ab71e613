/* Part of analysis: strain, stress and reactions of a displacement, the estimated error, and the
 * adequacy of linear tets and a linear theory. */
#ifndef EW_ANALYSIS_RECOVERY_H
#define EW_ANALYSIS_RECOVERY_H

#include "analysis/analysis_loads.h"

EW_BEGIN_API

/* ---- recovery (recover.c) ---------------------------------------------- */

/* The tets around each vertex, divided into patches where the stress is discontinuous: between
 * materials, and within one where its axes are a discontinuous field. A vertex without tets has one
 * patch. Arrays are owned. (patches.c) */
typedef struct ew_patches {
    int32_t n_vertex, vertex_capacity, tet_capacity, capacity;
    int32_t *begin;      /* [n_vertex + 1]: vertex v has the patches begin[v] .. begin[v + 1] - 1 */
    int32_t *region;     /* [patches] the lowest of its tets, index into mesh->region_label */
    bool is_parted;      /* some vertex has more than one patch */
    uint16_t *of_corner; /* [n_tet][4] which patch of the vertex at its corner a tet is in, from 0
                          */
} ew_patches;

/* Per vertex and per tet results of a static step; arrays owned, by slot. */
typedef struct ew_fields {
    int32_t n_vertex, n_tet, vertex_capacity, tet_capacity;
    ew_peers *parts;  /* borrowed: processes each of which has what stands by tet of a stretch of
                         the tets, and nothing of others (ew_fields_complete); null: all is here */
    double *reaction; /* [n_vertex][3] of all supports: K u - f along what is prescribed, the
                         force of the springs across; else 0 */
    double *edge_reaction; /* [n_row][3] the same on the functions of edges, with the springs' along
                              what is prescribed, too; of quadratic bodies */
    int32_t edge_capacity;
    double *corner_stress; /* [n_tet][4][6] where tets are quadratic: at the corners of each tet,
                              linear between them */
    int32_t corner_capacity;
    double *vertex_stress;    /* [n_vertex][6] volume-weighted average over the vertex' tets; where
                                 materials meet, over those of one of them: */
    double *vertex_von_mises; /* [n_vertex] of vertex_stress; of all materials there the largest */
    ew_patches patches;       /* of one material each; n_vertex 0: all of the body is one */
    double *patch_stress;     /* [patches][6] the average over the tets of a patch */
    double *patch_von_mises;  /* [patches] of patch_stress */
    int32_t patch_capacity;
    double *strain, *stress; /* [n_tet][6]; stress = D (strain - thermal strain) */
    double *thermal_strain;  /* [n_tet] equal in all directions; 0 without a temperature load, and
                                where the material is not isotropic */
    bool thermal_in_law;     /* laws subtract the thermal strain, and no load contains it */
    bool has_thermal_tensor; /* some material with a temperature is not isotropic: */
    int32_t thermal_capacity;
    double *thermal_tensor; /* [n_tet][6] thermal strain of all tets, or null */
    const double *pressure; /* [n_vertex] borrowed, of mixed tets: p, given before a recovery, for a
                               stress of 2 mu strain + its mean in the tet; else null */
    double *volume;         /* [n_tet] of the straight tet; 0 in holes */
    double *von_mises;      /* [n_tet] */
    double *principal;      /* [n_tet][3] largest first */
    double *energy;         /* [n_tet] strain energy, of the elastic part of the strain */
} ew_fields;

/* Sums and extremes for the printed summary and the result file. */
typedef struct ew_sums {
    double applied_force[3], applied_moment[3]; /* moments about the origin */
    double reaction_force[3], reaction_moment[3];
    double equilibrium; /* |applied + reaction| / max(sum |f_v|, sum |reaction_v|); 0 when both are
                           0. The sums are over vertices, so that loads in balance do not make it a
                           quotient of round-off */
    double external_work; /* f.u + reaction.u, with f without thermal forces; the forces of springs
                             count as external */
    double strain_energy; /* sum over tets */
    double thermal_work;  /* integral of stress : thermal strain; at convergence
                             external_work = 2 * strain_energy + thermal_work */
    double spring_energy; /* of the springs to the ground */
    double dissipated; /* energy dissipated by plastic flow in the present body since its creation:
                          in load steps the integral of the yield stress, in time steps by the mean
                          stress, as the work of the scheme */
    double max_plastic_strain; /* equivalent plastic strain, and its tet; -1: no plastic strain */
    int32_t max_plastic_strain_tet;
    double volume, mass;     /* mass: 0 where no density is given */
    double max_displacement; /* magnitude, and its vertex */
    int32_t max_displacement_vertex;
    double max_von_mises;     /* the largest of the next two and, once ew_model_estimate was called,
                                 of the recovered stress: the stress to report */
    double max_tet_von_mises; /* of the stress of tets, and its tet */
    int32_t max_tet_von_mises_tet;
    double max_vertex_von_mises; /* of the stress averaged at vertices, and its vertex */
    int32_t max_vertex_von_mises_vertex;
    int32_t max_vertex_von_mises_region; /* ew_fields_vertex_region there; -1 */
    double max_recovered_von_mises; /* ew_estimate.peak_recovered, and its vertex; 0 and -1 until
                                       ew_model_estimate is called */
    int32_t max_recovered_von_mises_vertex;
    double max_principal, min_principal; /* over tets */
} ew_sums;

/* ---- error estimate (recovered.c, error.c) ------------------------------ */

/* Stress at the vertices, for each patch around a vertex, by superconvergent patch recovery. */
typedef struct ew_recovered {
    int32_t capacity, moment_capacity;
    ew_patches patches;               /* of one region each */
    double *stress;                   /* [patches][6] owned */
    double scale;                     /* of lengths in `moments`: 1 / the size of a tet */
    struct ew_patch_moments *moments; /* [patches] owned: sums over the tets of each; null after a
                                         recovery that processes shared */
    bool *is_enlarged;                /* [patches] owned: the patches around are part of the fit */
} ew_recovered;

/* The estimated discretization error, from the difference between the stress of the tets and the
 * recovered stress (Zienkiewicz & Zhu 1987, 1992). Norms are energy norms, the root of the integral
 * of stress D^-1 stress; that of the solution is sqrt(2 x strain energy). */
typedef struct ew_estimate {
    uint64_t revision; /* of the mesh */
    int32_t n_tet, tet_capacity;
    double *error; /* [n_tet] owned: norm of the error in the tet, sqrt(force x length); 0 in holes;
                      of the stretch that the fields are of (ew_fields.parts) */
    double error_norm;    /* of all tets together */
    double solution_norm; /* of the stress of the tets */
    double prevented;     /* of the stress that would cancel all thermal strain */
    double share; /* error / sqrt(solution^2 + error^2), 0 .. 1; 0 without stress, where both are
                     below EW_NO_STRESS times `prevented` */
    /* The tet of the largest von Mises stress: that stress, the largest recovered one at its
     * corners, the vertex there, and the estimated relative error of the stress of the tet there:
     * the von Mises stress of the difference over that of the recovered stress, which includes the
     * variation of stress within the tet. -1 and 0 without tets. */
    int32_t peak_tet, peak_vertex;
    double peak_stress, peak_recovered, peak_share;
    ew_recovered recovered;
    bool is_averaged; /* all tets are quadratic: the recovered stress is the mean of theirs alone */
    double (*square)[2]; /* [n_tet] owned: square of the solution's norm in a tet, of `prevented` */
    struct ew_estimate_chunk *chunk; /* owned: sums over chunks of tets */
    int32_t chunk_capacity;
    ew_set stale_vertex, stale_tet, stale_chunk; /* owned: work of ew_estimate_update */
} ew_estimate;

/* ---- adequacy of linear tets and a linear theory (model_adequacy.c) ------------- */

typedef struct ew_adequacy {
    double rotated;  /* share of the volume that rotates by more than EW_MAX_ROTATION */
    double strained; /* share of the volume with a principal strain beyond +-EW_MAX_STRAIN */
    double max_rotation, max_strain; /* of any tet; a rotation where kinematics are small: the
                                        length of the axis of the skew gradient, else the angle of
                                        the tet's frame, 0 to pi */
    double bent;   /* share of the stress at the surface (area x stress^2) that changes its sign
                      through a wall of fewer than EW_MIN_LAYERS layers */
    double layers; /* mean number of layers of these walls, with the same weights; 0 without such
                      walls */
} ew_adequacy;

/* ---- whether the stress has a limit (singularity.c) ----------------------------- */

/* Supports of the two faces at an edge. */
typedef enum ew_edge_support {
    EW_EDGE_FREE,  /* neither is fixed */
    EW_EDGE_FIXED, /* both are, in all directions */
    EW_EDGE_MIXED  /* one of them */
} ew_edge_support;

typedef enum ew_singularity_kind {
    EW_NOT_SINGULAR,  /* none is known */
    EW_SINGULAR_EDGE, /* a sharp inner edge, or the border of a fixed face */
    EW_SINGULAR_POINT /* a force or a reaction at a lone vertex */
} ew_singularity_kind;

/* Where elastic stress has no limit: on ever smaller tets it grows with their size to -order. */
typedef struct ew_singularity {
    ew_singularity_kind kind;
    int32_t vertex, other; /* slots of the ends of the edge; other -1: of a point or none */
    ew_edge_support support;
    bool is_symmetric; /* one face is on a plane of symmetry: `angle` is half of that of the body */
    double angle;      /* of the material between the faces, degrees; 0: of a point or none */
    double order;      /* 0 < order < 1 of an edge, 2 of a point; 0: none */
} ew_singularity;

/* ---- safety (safety.c) ----------------------------------------------------------- */

/* How far the body is from the strength of its materials: the smallest ratio of a strength to a
 * stress, INFINITY where no material gives one, or nothing is stressed. */
typedef struct ew_safety {
    double yield; /* yield_strength over the von Mises stress: of tets, averaged at their corners,
                     recovered at the peak */
    double ultimate; /* ultimate_strength over the larger of von Mises stress and magnitude of a
                        principal stress, of tets and averaged at their corners */
    int32_t yield_region, ultimate_region; /* index into mesh->region_label; -1: none */
} ew_safety;

EW_END_API
#endif
