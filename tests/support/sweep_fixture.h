/* The case that tests of sweeps share: a bar with parameters that load, material and edits depend
 * on. */
#ifndef EW_SWEEP_FIXTURE_H
#define EW_SWEEP_FIXTURE_H

#include "study_fixture.h"

#define HEADS                                                                                      \
    "mesh: part.mesh\nparameters: {load: 1, share: 0.25, young: 500 + 2 * 250, half: share / 2}\n"
#define SOLID                                                                                      \
    "material: {young: young, poisson: 0.3, density: 2}\nsets:\n  wall: {surface: 1}\n"            \
    "  tip: {surface: 2, of: vertices}\n  low: {box: [[0, 0, 0], [4, 2*share, 1]]}\n"              \
    "constraints:\n  - {set: wall, displacement: [0, 0, 0]}\n"                                     \
    "loads:\n  - {set: tip, total_force: [0, -load/2, -load^2]}\n"
#define STEPS                                                                                      \
    "steps:\n  - {name: cut, edit: [{decimate: {fraction: half, order: axis, axis: y}}], static: " \
    "{}}\n  - {name: move, edit: [{move: {set: low, by: [0, -share/10, 0], radius: 0.6}}], "       \
    "static: {tolerance: 1e-9}}\n"

#endif
