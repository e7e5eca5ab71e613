/* Part of analysis: fatigue life by stress-life and strain-life curves. Stress, amplitudes and
 * strengths in one unit, force / length^2. */
#ifndef EW_ANALYSIS_FATIGUE_H
#define EW_ANALYSIS_FATIGUE_H

#include "base/base.h"

EW_BEGIN_API

/* The fully reversed amplitude S that a cycle of amplitude Sa about a mean Sm is taken for. By the
 * first five a mean in compression is none. */
#define EW_MEAN_STRESS_WORDS "none goodman gerber soderberg morrow swt walker"
typedef enum ew_mean_stress {
    EW_MEAN_NONE,      /* S = Sa */
    EW_MEAN_GOODMAN,   /* Sa / (1 - Sm / Su) */
    EW_MEAN_GERBER,    /* Sa / (1 - (Sm / Su)^2) */
    EW_MEAN_SODERBERG, /* Sa / (1 - Sm / Sy) */
    EW_MEAN_MORROW,    /* Sa / (1 - Sm / Sf): Morrow 1968 */
    EW_MEAN_SWT,       /* sqrt(Smax Sa): Smith, Watson & Topper 1970; 0 where Smax <= 0 */
    EW_MEAN_WALKER,    /* Smax^(1 - g) Sa^g: Walker 1970; likewise */
    EW_MEAN_STRESS_COUNT
} ew_mean_stress;

/* What damage is by: the amplitude of the stress, as it is; or that of the strain where the
 * material yields locally, with mean stresses there (NONE, MORROW and SWT alone). */
#define EW_FATIGUE_METHOD_WORDS "stress_life strain_life"
typedef enum ew_fatigue_method {
    EW_STRESS_LIFE,
    EW_STRAIN_LIFE,
    EW_FATIGUE_METHOD_COUNT
} ew_fatigue_method;

/* Local stress s and strain e of a strain life under the elastic stress S. */
#define EW_NOTCH_RULE_WORDS "neuber glinka"
typedef enum ew_notch_rule {
    EW_NOTCH_NEUBER, /* s e = S^2 / E: Neuber 1961 */
    EW_NOTCH_GLINKA, /* the strain energy density is the elastic one: Molski & Glinka 1981 */
    EW_NOTCH_RULE_COUNT
} ew_notch_rule;

/* The number that stands for a stress tensor. */
#define EW_FATIGUE_STRESS_WORDS "critical_plane signed_von_mises max_principal"
typedef enum ew_fatigue_stress {
    EW_FATIGUE_CRITICAL_PLANE, /* normal stress on the plane where it does the largest damage */
    EW_FATIGUE_VON_MISES, /* signed: that of the largest principal stress in magnitude where the von
                             Mises stress of the history is the largest, elsewhere by whether the
                             deviator looks the same way or back */
    EW_FATIGUE_PRINCIPAL, /* normal stress along the principal direction of the largest principal
                             stress in magnitude of the history */
    EW_FATIGUE_STRESS_COUNT
} ew_fatigue_stress;

/* What a strain life takes beside the strength Sf and the factors of a curve. The amplitude of the
 * strain is Sf / E (2 N)^exponent + ductility (2 N)^ductility_exponent (Basquin 1910, Coffin 1954,
 * Manson 1953), the cyclic curve e = s / E + (s / cyclic_strength)^(1 / cyclic_exponent) (Ramberg &
 * Osgood 1943), and branches of hysteresis loops are twice as large (Masing 1926). Zeroed: not
 * known. */
typedef struct ew_strain_life {
    double young, poisson;                   /* E > 0; 0 <= poisson <= 0.5 */
    double exponent;                         /* < 0, of the elastic part */
    double ductility, ductility_exponent;    /* > 0; < 0 */
    double cyclic_strength, cyclic_exponent; /* > 0, as strengths; > 0 */
} ew_strain_life;

/* Life under full reversal of a material, straight in logarithms from point to point and beyond the
 * ends, with what corrects it. Zeroed: nothing is known. */
enum { EW_MAX_FATIGUE_POINTS = 32 };
typedef struct ew_fatigue_curve {
    int32_t n_point;                        /* at least 2 */
    double point[EW_MAX_FATIGUE_POINTS][2]; /* cycles >= 0.5, ascending; amplitude > 0, falling */
    double endurance_limit;                 /* amplitudes up to it do no damage; 0: none */
    double strength_factor;                 /* > 0, of all amplitudes of the curve and the limit:
                                               surface, size, load */
    double life_factor;                     /* > 0, of all cycles of the curve: scatter */
    double ultimate, yield;                 /* Su, Sy > 0; 0: not known */
    double strength;                        /* Sf of MORROW and of a strain life, likewise */
    double walker;                          /* g, 0 < g <= 1; 0: not known */
    ew_strain_life strain;
} ew_fatigue_curve;

typedef struct ew_fatigue_cycle {
    double amplitude, mean; /* of the stress, local in a strain life; amplitude > 0 */
    double strain;          /* amplitude of the local strain; 0 in a stress life */
    double count;           /* how often */
} ew_fatigue_cycle;

/* A sequence of stress states that is run over and over. */
typedef struct ew_fatigue_block {
    int32_t n;
    const int32_t *record; /* [n] borrowed: which tensor, and */
    const double *factor;  /* [n] borrowed: times what; 0 is the unloaded body */
    double cycles;         /* > 0: how often, in one repeat of the history */
} ew_fatigue_block;
/* What is to last: blocks, repeated. Arrays are borrowed. */
typedef struct ew_fatigue_history {
    int32_t n_record, n_block;
    const ew_fatigue_block *block; /* [n_block] */
    ew_fatigue_method method;
    ew_notch_rule notch; /* STRAIN_LIFE */
    ew_fatigue_stress stress;
    ew_mean_stress mean_stress;
    double life; /* repeats that the safety is for, > 0 */
} ew_fatigue_history;

/* Safety factors lie from 1 / EW_MAX_FATIGUE_SAFETY to that, which stands for more, too. */
#define EW_MAX_FATIGUE_SAFETY 1000.0
typedef struct ew_fatigue_life {
    double damage;    /* of a repeat, Palmgren-Miner; the life is 1 / damage, infinite where 0 */
    double safety;    /* times which the stress would do a damage of 1 in history.life repeats; of
                         given plastic strains: times which these and the stress would */
    double amplitude; /* the largest fully reversed one; of a strain life that of the strain */
    double normal[3]; /* of the plane of the stress; 0 of a von Mises stress */
    double turned;    /* what of a tensor of the history is no multiple of the largest one, over
                         that: 0 of a proportional history */
} ew_fatigue_life;

EW_END_API
#endif
