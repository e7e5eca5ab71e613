/* element: what a program needs that works on its tables itself, beside element/element.h. */
#ifndef EW_PARTS_ELEMENT_H
#define EW_PARTS_ELEMENT_H

#include "base/parts/base.h"
#include "element/element.h"

EW_BEGIN_API

/* ---- materials (material.c, moduli.c) ------------------------------------- */

/* Of isotropic materials. Lambda is 2 nu / (1 - 2 nu) times the shear stiffness, and in sums of
 * both its rounding leaves of that an error of 2e-16 / (1 - 2 nu): here 1e-8, the tolerance of a
 * solve. */
#define EW_MAX_POISSON 0.49999999

/* Moduli [21], and by which axes (kernels/anisotropic.h). */
#define EW_MODULI_WIDTH 28
typedef struct ew_materials {
    int32_t n;             /* regions of the mesh that have one */
    bool is_isotropic;     /* all of them: elements take Lame constants */
    bool is_mixed;         /* tets are mixed: ew_materials_make_mixed */
    ew_material *material; /* [n] owned */
    double *lame;          /* [n][2] owned: lambda, mu; NaN of other kinds */
    double *deviatoric;    /* [n][2] owned: 0, mu: what mixed tets have as blocks */
    double *moduli;        /* [n][EW_MODULI_WIDTH] owned: of all kinds */
    double *expansion;     /* [n][6] owned: thermal strain for 1 K, along the axes of moduli */
    const double *axes;    /* [n_tet][6] borrowed, by slot: along axes 1 and 2 of a tet, of length 1
                              and at right angles, or zeros for x, y, z; null: no material has a
                              field of them. Set by the caller, with */
    uint64_t axes_revision; /* a number, not 0, that is another one after they were given again */
    double *constants; /* [n][EW_MAX_LAW_CONSTANTS] owned: as `prepare` of the law gives them; of
                          mixed tets for lambda = 0 */
} ew_materials;
/* Copies the list and derives the constants; EW_BAD_ARGUMENT names region index, field, value
 * and the allowed range. */
ew_status ew_materials_init(ew_materials *materials, int32_t n, const ew_material *material);
void ew_materials_free(ew_materials *materials);
/* The materials of mixed tets: elements take their deviatoric part, laws are those for lambda = 0,
 * where materials are isotropic. The volumetric energy, with the lambda of `lame`, is the caller's
 * (kernels/volumetric.h). */
void ew_materials_make_mixed(ew_materials *materials);
/* A number made of the elastic constants of the first n regions: blocks that were computed from
 * them are current while it is the same. */
uint64_t ew_materials_revision(const ew_materials *materials, int32_t n);
/* The same of their densities. */
uint64_t ew_materials_density_revision(const ew_materials *materials, int32_t n);
/* Whether one has a law that is not linear; the largest state of one tet, in doubles. */
bool ew_materials_have_laws(const ew_materials *materials);
int32_t ew_materials_n_state(const ew_materials *materials);

/* A number that regions share whose materials answer strain and heat alike: with the same moduli,
 * axes, expansion and law. */
uint64_t ew_materials_response_revision(const ew_materials *materials, int32_t region);

/* Whether a density, or an expansion, is given: loads that need one refuse a material without. */
bool ew_material_has_density(const ew_material *material);
bool ew_material_has_expansion(const ew_material *material);
/* The largest Young's modulus, or stiffness along an axis. */
double ew_material_stiffness(const ew_material *material);

/* Strain-life constants of a material, N/m^2: the amplitude of the strain is strength / E (2 N)^
 * exponent + ductility (2 N)^ductility_exponent (Basquin, Coffin, Manson), the cyclic curve e = s /
 * E + (s / cyclic_strength)^(1 / cyclic_exponent). Zeroed: none are known. */
typedef struct ew_library_fatigue {
    double strength, exponent, ductility, ductility_exponent, cyclic_strength, cyclic_exponent;
    double ultimate;    /* tensile strength, which corrections for mean stress take */
    double at_million;  /* of a material with a stress-life curve alone, whose constants above are
                           0: the amplitude at 10^6 cycles, which grows by the fifth root of the
                           cycles less; else 0 */
    const char *source; /* author, year, table */
} ew_library_fatigue;
/* A material of the library (library.c). */
typedef struct ew_library_material {
    const char *name;     /* as a case has it */
    const char *help;     /* what it is, a line */
    double yield_stress;  /* N/m^2; 0: none is known. `material` has none: a case gives it that */
    const char *source;   /* of the figures: standard or handbook, year, table */
    ew_material material; /* in N, m, s, kg and K */
    ew_library_fatigue fatigue;
} ew_library_material;
/* The i-th, and its name: null behind the last. That of a name, or null. */
const ew_library_material *ew_library_material_at(int32_t i);
const char *ew_library_material_name(int32_t i);
const ew_library_material *ew_library_material_named(const char *name);
/* A material whose numbers are in N, m and s, in other units: of `length` m, `force` N and `time`
 * s, all > 0. */
ew_material ew_material_in_units(const ew_material *material, double length, double force,
                                 double time);

/* Elastic constants of one tet. */
typedef struct ew_elastic {
    const double *lame;  /* borrowed: lambda, mu of an isotropic region; null: */
    double moduli[21];   /* D in global axes, its upper triangle by rows */
    double expansion[6]; /* thermal strain for 1 K in global axes */
} ew_elastic;
/* Of a tet with corners x [4][3]. */
void ew_elastic_of(ew_elastic *law, const ew_materials *materials, int32_t region, int32_t tet,
                   const double *x);
/* What `prepare` of a formulation is given: behind the corners x [4][3] the axes of a tet [2][3],
 * where they are a field. */
static inline void ew_materials_put_axes(const ew_materials *materials, int32_t tet, double x[18])
{
    const double *axes = materials->axes ? materials->axes + 6 * (size_t)tet : NULL;
    for (int c = 0; c < 6 && axes; c++) {
        x[12 + c] = axes[c];
    }
}
/* The law, which is not isotropic, of the same material turned or reflected by r [3][3], which is
 * orthogonal: a direction d becomes r d. */
void ew_elastic_rotate(const ew_elastic *law, const double r[9], ew_elastic *out);
/* stress = D strain; of an isotropic law with the bits of ew_stress_of_strain. */
void ew_elastic_stress(const ew_elastic *law, const double *strain, double *stress);
/* The sum of stress D^-1 stress over stress [n][6]. */
double ew_elastic_compliance(const ew_elastic *law, int n, const double *stress);

/* ---- laws (laws.c) ------------------------------------------------------ */

/* A symmetric 6x6 in Voigt order, strains with engineering shear: its upper triangle row by row. */
#define EW_N_MODULI 21
static inline int ew_modulus_at(int i, int j)
{
    return i <= j ? i * (11 - i) / 2 + j : j * (11 - j) / 2 + i;
}

#define EW_MAX_LAW_STATE     8
#define EW_MAX_LAW_CONSTANTS 72

/* Members of a state: */
typedef enum ew_law_state {
    EW_STATE_STRAIN = 0,     /* plastic strain [6], engineering shear */
    EW_STATE_EQUIVALENT = 6, /* equivalent plastic strain, that adds up all that flowed */
    EW_STATE_DISSIPATED = 7  /* energy per volume; laws copy it, what takes a step adds to it */
} ew_law_state;

/* Places in `law_value` of a material. */
enum { EW_PLASTIC_YIELD_STRESS, EW_PLASTIC_HARDENING };
enum { EW_CREEP_YIELD, EW_CREEP_RATE, EW_CREEP_MAXIMUM, EW_CREEP_VOLUME_PRESERVING };
/* The laws in turn, null behind the last; the law of this name, or null; that of a material, never
 * null. */
const ew_law *ew_law_at(int32_t i);
const ew_law *ew_material_law(const ew_material *material);
/* EW_BAD_ARGUMENT names the first constant of a material's law that is not allowed, and what is. */
ew_status ew_law_check(const ew_material *material);

/* ---- formulations ------------------------------------------------------ */

/* Most doubles that `prepare` writes. */
#define EW_MAX_TERMS 36

/* A formulation: what one tet gives to a matrix, and what is recovered in it. The functions see
 * positions x [4][3], with what ew_materials_put_axes puts behind them, and a region's `constants`,
 * never a mesh.
 *
 * To add one: a file here with its functions and descriptor, a line in ew_elements, and its kernel
 * text in kernels/. */
typedef struct ew_element {
    const char *name;   /* as in a case file */
    int32_t n_term;     /* doubles that `prepare` writes */
    int32_t n_constant; /* doubles of a region's constants, [n][n_constant]: */
    const double *(*constants)(const ew_materials *materials);
    bool has_tet_product; /* products of it are made from tets, too (kernels/tet_product.h) */
    const char *kernel;   /* function of kernels/assemble.cl that sums its contributions */
    /* Common terms of all blocks of a tet, at most EW_MAX_TERMS doubles. */
    void (*prepare)(const double *x, const double *constants, double *term);
    /* block [3][3] += K_pq, p and q being local nodes; exactly symmetric for p = q and exactly the
     * transpose of K_qp. */
    void (*add)(const double *term, int p, int q, double *block);
    /* sum [6] += K_pp as xx, xy, xz, yy, yz, zz, with the same bits as `add`. */
    void (*add_diagonal)(const double *term, int p, double *sum);
} ew_element;

/* 4-node tet, constant strain: isotropic, and of any law. */
extern const ew_element ew_element_linear;
extern const ew_element ew_element_anisotropic;
/* Of mixed tets what is stored: 2 mu strain alone, without the volumetric stress. */
extern const ew_element ew_element_mixed;
/* The last where tets are mixed, else the first where it serves all regions, else the second. */
const ew_element *ew_element_for(const ew_materials *materials);
/* The formulation of this name, or null. */
const ew_element *ew_element_named(const char *name);

/* ---- large rotations (internal_force.c) ----------------------------------------- */

#define EW_KINEMATICS_NAMES "small corotational"

/* Which derivative of the force is taken, K_ab = d f_a / d u_b. */
typedef enum ew_tangent_form {
    EW_TANGENT_EXACT,   /* all of it: quadratic convergence; where much is compressed not positive
                           definite */
    EW_TANGENT_CLAMPED, /* without what makes a tet's part indefinite: positive semi-definite */
    EW_TANGENT_WARPED   /* the linear stiffness in the turned frame alone: likewise */
} ew_tangent_form;

/* Deformation of a tet. */
typedef struct ew_tet_motion {
    double volume, g[12]; /* undeformed; gradients [4][3] */
    double r[9];          /* [3][3] rotation; the identity where kinematics are small */
    double strain[6];     /* in the turned frame, engineering shear */
} ew_tet_motion;
void ew_tet_move(ew_kinematics kinematics, const double *x, const double *u, ew_tet_motion *motion);
/* strain [6] that small displacements du [4][3] on top of that motion add, in the turned frame. */
void ew_tet_strain_rate(ew_kinematics kinematics, const ew_tet_motion *motion, const double *du,
                        double *strain);
/* As ew_law.respond and ew_law.recover, of the law of a region. */
void ew_respond(const ew_materials *materials, int32_t region, const double *strain,
                const double *before, double dt, double *after, double *stress, double *tangent);
double ew_respond_again(const ew_materials *materials, int32_t region, const double *strain,
                        const double *state, double *stress);
/* The same, and the tangent [21] by which the law answers where nothing flows. */
void ew_respond_elastically(const ew_materials *materials, int32_t region, const double *strain,
                            const double *state, double *stress, double *tangent);
/* Force [3][3] on corners 1 to 3, the derivative of the energy; on all four it adds up to zero. */
void ew_tet_force(ew_kinematics kinematics, const ew_tet_motion *motion, const double *stress,
                  double *force);
/* stress [6], Biot's in the turned frame, becomes Cauchy's there: force per deformed area. That of
 * a tet that is inside out, which has none, stays. */
void ew_tet_true_stress(const ew_tet_motion *motion, double *stress);
/* Data of the blocks of a tet: numbers of the record of isotropic elastic corotational
 * tets, and of all others. */
#define EW_RECORD_OF_TURNED  17
#define EW_RECORD_OF_GENERAL 54
void ew_tet_general_record(ew_kinematics kinematics, const ew_tet_motion *motion,
                           const double *stress, const double *tangent, ew_tangent_form form,
                           double *record);
/* m [6] of a tensor in the turned frame (stress, or strain with tensor shear) along x, y, z. */
void ew_rotate_tensor(const double *r, const double *s, double *m);

/* Gradients of the barycentric functions g[4][3] (1/length) of corners x [4][3]; the volume. */
double ew_element_gradients(const double *x, double g[4][3]);
/* strain[6] of a linear tet with corners x [4][3] and displacements u [4][3]. */
void ew_element_strain(const double *x, const double *u, double *strain);
/* stress = lambda tr(eps) I + 2 mu eps. */
void ew_stress_of_strain(const double *lame, const double *strain, double *stress);
double ew_von_mises(const double stress[6]);
/* The largest frequency (rad per time) squared of a free linear tet with corners x [4][3] and
 * lumped mass; with a consistent mass five times that. No body of such tets has a larger one. */
double ew_element_frequency_squared(const double *x, const double *lame, double density);
/* The same of any law; at most 3 % above it. */
double ew_elastic_frequency_squared(const double *x, const ew_elastic *law, double density);
/* Eigenvalues of the stress tensor, largest first; Smith (1961), trigonometric closed form, safe
 * for equal values. */
void ew_principal(const double stress[6], double principal[3]);

EW_END_API
#endif
