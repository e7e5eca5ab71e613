/* Shared by bench_peers: the problem that everyone gets, timing, and one function per peer. Every
 * peer assembles from the same element matrices, in the same numbering, and uses the way its
 * authors recommend for elasticity. */
#ifndef EW_BENCH_PEERS_H
#define EW_BENCH_PEERS_H

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

extern "C" {
#include "../bench.h"
}

struct Times {
    double median = 0, least = 0; /* s */
};

struct Solve {
    double assembly = 0, setup = 0, solve = 0; /* s; setup: hierarchy or factor */
    int iterations = 0;
    std::vector<double> u; /* [n_vertex][3] */
};

/* The body and its free vertices, which the peers' systems are made of. */
struct Problem {
    const bench_body *body;
    std::vector<int> free_of;   /* [n_vertex] place among the free ones, -1: held or inactive */
    std::vector<int> vertex_of; /* [n_free] */
    explicit Problem(const bench_body *of);
    int n_vertex() const
    {
        return body->mesh.n_vertex;
    }
    int n_free() const
    {
        return (int)vertex_of.size();
    }
    /* Element matrix, [12][12] row-major, and the vertices of a tet. */
    void element(int tet, int vertex[4], double *k) const;
    /* Neighbours of each free vertex among the free ones, itself not counted: all, or later ones.
     */
    std::vector<int> neighbours(bool all_vertices, bool later_only) const;
};

/* One untimed call, then the median and the least of `repeat`. */
template <class F> Times time_of(int repeat, F f)
{
    std::vector<double> sample;
    for (int i = 0; i <= repeat; i++) {
        const double start = ew_seconds();
        f();
        sample.push_back(ew_seconds() - start);
    }
    sample.erase(sample.begin());
    std::sort(sample.begin(), sample.end());
    const size_t n = sample.size();
    return {0.5 * (sample[(n - 1) / 2] + sample[n / 2]), sample[0]};
}

/* Prints a row; y (or null) is compared with Edgewise's product. */
typedef void (*Report)(const char *who, Times times, const std::vector<double> *y);

void eigen_assemble_and_multiply(const Problem &problem, const std::vector<double> &x, int repeat,
                                 Report assembly, Report product);
void petsc_assemble_and_multiply(const Problem &problem, const std::vector<double> &x, int repeat,
                                 Report assembly, Report product);
Solve petsc_solve(const Problem &problem);
Solve cholmod_solve(const Problem &problem);
void petsc_start();
void petsc_stop();

#endif
