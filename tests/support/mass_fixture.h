/* A body with its stiffness, its mass and their combination on the host, kept current through
 * edits; and the comparison with what is built from the mesh alone. */
#ifndef EW_MASS_FIXTURE_H
#define EW_MASS_FIXTURE_H

#include "device_model.h"

typedef struct step_body {
    model *m;
    ew_stiffness stiffness;
    ew_mass mass;
    ew_combination step;
    ew_matrix k, mm, a;
    double *ground; /* owned: [n_row][6] */
    int32_t ground_capacity, n_ground;
} step_body;

/* Coefficients of an implicit Euler step with Rayleigh damping. */
#define OF_STIFFNESS (0.016 * 0.016 + 0.016 * 2.5)
#define OF_MASS      (1.0 + 0.016 * 10.0)

/* Springs for the rows that are new. */
static inline void extend_ground(step_body *s)
{
    must(ew_grow(&s->ground, &s->ground_capacity, s->m->mesh.n_vertex, 6 * sizeof *s->ground));
    for (; s->n_ground < s->m->mesh.n_vertex; s->n_ground++) {
        for (int c = 0; c < 6; c++) {
            s->ground[6 * s->n_ground + c] = s->n_ground % 3 ? 0.0 : c < 3 ? 1e9 + c : 1e8;
        }
    }
    s->stiffness.ground = s->ground;
    s->stiffness.ground_revision = s->m->mesh.revision;
}

static inline void derive_step(step_body *s, model *m, ew_mass_kind kind)
{
    *s = (step_body){.m = m};
    s->stiffness = ew_stiffness_of(&m->mesh, &m->topology, &m->materials);
    s->mass = ew_mass_of(&m->mesh, &m->topology, &m->materials, kind);
    s->step = ew_combination_of(&s->stiffness.source, &s->k, OF_STIFFNESS, &s->mass, &s->mm, OF_MASS);
    extend_ground(s);
    must(ew_matrix_build(&s->k, &s->stiffness.source));
    must(ew_matrix_build(&s->mm, &s->mass.source));
    must(ew_matrix_build(&s->a, &s->step.source));
}

static inline void drop_step(step_body *s)
{
    ew_matrix_free(&s->k);
    ew_matrix_free(&s->mm);
    ew_matrix_free(&s->a);
    ew_release(s->ground);
}

/* After a commit. */
static inline void follow_on_host(step_body *s)
{
    const ew_pattern_change *change = &s->m->topology.touched;
    extend_ground(s);
    must(ew_matrix_revalidate(&s->k, &s->stiffness.source, change));
    must(ew_matrix_revalidate(&s->mm, &s->mass.source, change));
    must(ew_matrix_revalidate(&s->a, &s->step.source, change));
}

static inline void expect_verified(const ew_matrix *matrix, const ew_source *source)
{
    int64_t n_different = -1;
    double largest;
    must(ew_matrix_check(matrix, source->pattern));
    must(ew_matrix_verify(matrix, source, &n_different, &largest));
    CU_ASSERT_EQUAL(n_different, 0);
}

/* The sum of all entries is the mass of the body, and each row's sum its share. */
static inline void expect_total_mass(const step_body *s)
{
    const ew_mesh *mesh = &s->m->mesh;
    double expected = 0.0, total = 0.0;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t)) {
            double x[12], g[4][3];
            ew_mesh_tet_values(mesh, t, mesh->xyz, x);
            expected +=
                s->m->materials.material[mesh->region[t]].density * ew_element_gradients(x, g);
        }
    }
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        total += mesh->valence[v] > 0 ? s->mm.diagonal[v] : 0.0;
        CU_ASSERT(mesh->valence[v] > 0 || s->mm.diagonal[v] == 1.0);
    }
    for (int32_t e = 0; e < s->mm.n_pair && !s->mm.diagonal_only; e++) {
        total += s->m->topology.pattern.pair_row[2 * (size_t)e] < 0 ? 0.0 : 2.0 * s->mm.pair[e];
    }
    CU_ASSERT_DOUBLE_EQUAL(total, expected, 1e-12 * expected);
}

static inline void expect_built(const step_body *s)
{
    expect_verified(&s->k, &s->stiffness.source);
    expect_verified(&s->mm, &s->mass.source);
    expect_verified(&s->a, &s->step.source);
    expect_total_mass(s);
}

#endif
