/* The material library: names of materials in, elastic constants with their source out, in N, m, s,
 * kg and K at room temperature; and the same material in other units.
 *
 * Handbook values are typical ones. Yield stresses are the least that the standard of the grade
 * guarantees for thin sections, or typical ones where the source has those. */
#include "element/parts/element.h"

#include <string.h>

#define ISOTROPIC(e, nu, rho, alpha)                                                               \
    .material = {.young = (e), .poisson = (nu), .density = (rho), .expansion = (alpha)}
/* Rubber is nearly incompressible; nu = 0.49 is as near to that as linear tets bend well. Young's
 * modulus for a shear modulus mu: */
#define RUBBER_POISSON   0.49
#define RUBBER_YOUNG(mu) (2.0 * (mu) * (1.0 + RUBBER_POISSON))
#define BALLOON_SHEAR    0.4225e6

/* What standards guarantee of the tensile strength makes a conservative estimate of strain-life
 * constants. */
#define UNIFORM_LAW                                                                                \
    "estimated by the least tensile strength (uniform material law: Baeumel & Seeger, Materials "  \
    "Data for Cyclic Loading, Supplement 1, 1990)"
#define GUIDELINE                                                                                  \
    "estimated by the least tensile strength for 97.5 % of parts, stress-life alone (FKM "         \
    "guideline, 6th edition 2012: fatigue strength factors, slope 5, knee at 1e6 cycles)"
/* ductility: 1 up to 630 MPa, else 1.375 - 125 ultimate / E. */
#define STEEL_FATIGUE(ultimate, ductility)                                                         \
    .fatigue = {1.5 * (ultimate),  -0.087, 0.59 * (ductility), -0.58,                              \
                1.65 * (ultimate), 0.15,   (ultimate),         .source = UNIFORM_LAW}
#define LIGHT_FATIGUE(ultimate)                                                                    \
    .fatigue = {1.67 * (ultimate), -0.095, 0.35,       -0.69,                                      \
                1.61 * (ultimate), 0.11,   (ultimate), .source = UNIFORM_LAW}
/* `share` of the tensile strength is borne for 10^6 cycles; the slope of S-N curves under normal
 * stress is 5. */
#define GUIDELINE_FATIGUE(limit, share)                                                            \
    .fatigue = {.ultimate = (limit), .at_million = (share) * (limit), .source = GUIDELINE}

/* clang-format off: a row a material */
static const ew_library_material library[] = {
    {"S235", "structural steel", 235e6,
     "E, nu, expansion: EN 1993-1-1:2005, 3.2.6; density: EN 1991-1-1:2002, table A.4; yield: EN "
     "10025-2:2019, up to 16 mm",
     ISOTROPIC(210e9, 0.3, 7850.0, 12e-6), STEEL_FATIGUE(360e6, 1.0)},
    {"S355", "structural steel", 355e6,
     "E, nu, expansion: EN 1993-1-1:2005, 3.2.6; density: EN 1991-1-1:2002, table A.4; yield: EN "
     "10025-2:2019, up to 16 mm",
     ISOTROPIC(210e9, 0.3, 7850.0, 12e-6), STEEL_FATIGUE(470e6, 1.0)},
    {"C45", "carbon steel 1.0503, quenched and tempered", 490e6,
     "E, nu, density: FKM guideline (2012), steel; expansion: VDI 2230-1:2015; yield: EN "
     "10083-2:2006, up to 16 mm",
     ISOTROPIC(210e9, 0.3, 7850.0, 11.1e-6), STEEL_FATIGUE(700e6, 1.375 - 125.0 * 700.0 / 210e3)},
    {"1.4301", "stainless steel X5CrNi18-10 (304), annealed", 210e6,
     "E, density, expansion: EN 10088-1:2014, table E.1; nu: EN 1993-1-4:2006, 2.1.3; yield: EN "
     "10088-2:2014, hot rolled",
     ISOTROPIC(200e9, 0.3, 7900.0, 16e-6), GUIDELINE_FATIGUE(520e6, 0.40)},
    {"6061-T6", "aluminum AlMg1SiCu", 276e6,
     "Aluminum Association, Aluminum Standards and Data (2013), typical values",
     ISOTROPIC(68.9e9, 0.33, 2700.0, 23.6e-6), LIGHT_FATIGUE(310e6)},
    {"7075-T6", "aluminum AlZn5.5MgCu", 503e6,
     "Aluminum Association, Aluminum Standards and Data (2013), typical values",
     ISOTROPIC(71.7e9, 0.33, 2810.0, 23.6e-6),
     .fatigue =
         {1466e6, -0.143, 0.262, -0.619, 977e6, 0.106, 578e6,
          .source = "measured: Dowling, Mechanical Behavior of Materials (4th edition 2013), table "
                    "14.1"}},
    {"5083", "aluminum AlMg4.5Mn0.7, annealed (O)", 145e6,
     "Aluminum Association, Aluminum Standards and Data (2013), typical values",
     ISOTROPIC(71.0e9, 0.33, 2660.0, 23.8e-6), LIGHT_FATIGUE(290e6)},
    {"Ti-6Al-4V", "titanium grade 5, annealed", 828e6,
     "E, nu, density: MIL-HDBK-5J (2003), table 5.4.1.0; expansion: Boyer, Welsch & Collings "
     "(1994); yield: ASTM B265",
     ISOTROPIC(110.3e9, 0.31, 4430.0, 8.6e-6), LIGHT_FATIGUE(895e6)},
    {"EN-GJL-250", "gray cast iron; weaker in tension, no yield stress", 0.0,
     "EN 1561:2011, annex A: E 103 to 118 GPa, nu, density, expansion from 20 to 200 C",
     ISOTROPIC(110e9, 0.26, 7200.0, 11.7e-6), GUIDELINE_FATIGUE(250e6, 0.30)},
    {"EN-GJS-400-15", "ductile cast iron", 250e6,
     "EN 1563:2012, annex: E, nu, density, expansion from 20 to 400 C; yield: up to 30 mm",
     ISOTROPIC(169e9, 0.275, 7100.0, 12.5e-6), GUIDELINE_FATIGUE(400e6, 0.34)},
    {"copper", "pure copper, annealed; yield depends on cold work", 0.0,
     "E, nu: Kaye & Laby, Tables of Physical and Chemical Constants (1995), 2.2.2; density, "
     "expansion: CRC Handbook",
     ISOTROPIC(129.8e9, 0.343, 8960.0, 16.5e-6)},
    {"brass", "CuZn30; yield depends on cold work", 0.0,
     "E, nu: Kaye & Laby (1995), 2.2.2; density, expansion: Copper Development Association, C26000",
     ISOTROPIC(100.6e9, 0.35, 8530.0, 19.9e-6)},
    {"PA6", "polyamide 6, cast; softer with moisture", 0.0,
     "E, density, expansion: engineersedge.com, Properties of Plastic Materials; nu: bulk modulus "
     "4.4 GPa (Polymer Handbook, 1999)",
     ISOTROPIC(2.62e9, 0.40, 1160.0, 81e-6)},
    {"PEEK", "polyether ether ketone, without filler", 98e6,
     "Victrex PEEK 450G, data sheet: ISO 527 at 23 C; expansion along the flow",
     ISOTROPIC(4.0e9, 0.40, 1300.0, 45e-6)},
    {"ABS", "acrylonitrile butadiene styrene, extruded", 0.0,
     "E, density, expansion: engineersedge.com, Properties of Plastic Materials; nu: middle of "
     "Ashby (2011), 0.39 to 0.42",
     ISOTROPIC(1.90e9, 0.405, 1050.0, 95e-6)},
    {"PE", "polyethylene of high density", 0.0,
     "E: engineersedge.com, Properties of Plastic Materials; density, expansion: middle of 0.941 "
     "to 0.965, 11e-5 to 13e-5; nu: Ashby (2011)",
     ISOTROPIC(1.08e9, 0.425, 953.0, 120e-6)},
    {"rubber-60", "natural rubber of 60 IRHD, neo-Hookean", 0.0,
     "mu = 1.06 MPa: Lindley, Engineering Design with Natural Rubber (1974); nu 0.49 for a bulk "
     "modulus of 1150 MPa",
     .material = {.young = RUBBER_YOUNG(1.06e6),
                  .poisson = RUBBER_POISSON,
                  .density = 1100.0,
                  .law = &ew_law_neo_hookean}},
    {"rubber-soft", "soft rubber of balloons, Mooney-Rivlin", 0.0,
     "c10 = 7 c01 = 0.4375 mu, mu = 0.4225 MPa: Holzapfel, Nonlinear Solid Mechanics (2000), p. "
     "241; nu 0.49 for an incompressible one",
     .material = {.young = RUBBER_YOUNG(BALLOON_SHEAR),
                  .poisson = RUBBER_POISSON,
                  .density = 950.0,
                  .law = &ew_law_mooney_rivlin,
                  .law_value = {0.4375 * BALLOON_SHEAR, 0.0625 * BALLOON_SHEAR}}},
    {"spruce", "Sitka spruce at 12 % moisture; axes: along the grain, radial, tangential", 0.0,
     "Forest Products Laboratory, Wood Handbook (2010), tables 5-1 to 5-3: E1 = 1.1 times 10.8 "
     "GPa, ratios to it",
     .material = {.kind = EW_ORTHOTROPIC,
                  .density = 450.0,
                  .young_along = {11.88e9, 0.078 * 11.88e9, 0.043 * 11.88e9},
                  .poisson_between = {0.372, 0.467, 0.435},
                  .shear = {0.064 * 11.88e9, 0.061 * 11.88e9, 0.003 * 11.88e9}}},
    {"beech", "beech; axes: along the grain, radial, tangential", 0.0,
     "J. Wood Science 65 (2019), doi:10.1186/s10086-019-1794-4, table 1; density: DIN 68364:2003",
     .material = {.kind = EW_ORTHOTROPIC,
                  .density = 710.0,
                  .young_along = {12.205e9, 1.858e9, 0.774e9},
                  .poisson_between = {0.502, 0.705, 0.526},
                  .shear = {0.899e9, 0.595e9, 0.195e9}}},
};
/* clang-format on */

const ew_library_material *ew_library_material_at(int32_t i)
{
    return i >= 0 && i < (int32_t)(sizeof library / sizeof *library) ? &library[i] : NULL;
}

const ew_library_material *ew_library_material_named(const char *name)
{
    const ew_library_material *of = NULL;
    for (int32_t i = 0; (of = ew_library_material_at(i)) && strcmp(of->name, name);) {
        i++;
    }
    return of;
}

const char *ew_library_material_name(int32_t i)
{
    const ew_library_material *of = ew_library_material_at(i);
    return of ? of->name : NULL;
}

/* 1 kg is 1 N s^2/m, so that a density is force time^2 / length^4. */
ew_material ew_material_in_units(const ew_material *material, double length, double force,
                                 double time)
{
    const double stress = length * length / force;
    const ew_law *law = ew_material_law(material);
    ew_material made = *material;
    made.young *= stress;
    made.yield_strength *= stress;
    made.ultimate_strength *= stress;
    made.density *= length * length * length * length / (force * time * time);
    for (int c = 0; c < 3; c++) {
        made.young_along[c] *= stress;
        made.shear[c] *= stress;
    }
    for (int i = 0; i < 21; i++) {
        made.stiffness[i] *= stress;
    }
    for (int32_t i = 0; i < law->n_value; i++) {
        made.law_value[i] *= law->value[i].is_stress ? stress : law->value[i].is_rate ? time : 1.0;
    }
    for (int64_t i = 0; i < made.n_hardening; i++) {
        made.hardening[i][0] *= stress;
    }
    return made;
}
