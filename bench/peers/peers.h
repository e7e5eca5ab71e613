/* Shared by bench_peers: the problem that everyone gets, the contenders, and what each peer brings.
 * Every peer assembles from the same element matrices, in the same numbering, and uses the way its
 * authors recommend for elasticity. */
#ifndef EW_BENCH_PEERS_H
#define EW_BENCH_PEERS_H

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

extern "C" {
#include "../bench.h"
}

/* One way to do a job: a step that can be repeated, and the product it leaves, where it is one. */
struct Contender {
    std::string who;
    std::function<void()> step;
    const std::vector<double> *y = nullptr; /* [n_vertex][3], kept alive by step */
};

struct Solve {
    double assembly = 0, setup = 0, solve = 0; /* s; setup: hierarchy or factor */
    int iterations = 0;
    std::vector<double> u; /* [n_vertex][3] */
};

/* The body and its free vertices, which the peers' systems are made of. */
struct Problem {
    const bench_body *body;
    std::vector<int>
        free_of; /* [n_vertex] place among the free ones, -1: constrained or inactive */
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
};

/* Each adds its ways of assembly and of y = K x to the lists; a product needs the assembly before.
 */
void eigen_join(const Problem &problem, const std::vector<double> &x,
                std::vector<Contender> &assembly, std::vector<Contender> &product);
void petsc_join(const Problem &problem, const std::vector<double> &x,
                std::vector<Contender> &assembly, std::vector<Contender> &product);
Solve cholmod_solve(const Problem &problem);
/* GAMG with these options, as of PETSc's command line, on the first process or, called by each, on
 * all of them; the first has the answer. */
Solve petsc_solve(const Problem &problem, bool on_all, const std::string &options);

/* This thread on the k-th processor of those that the program was given, -1: on any. Linux in a
 * virtual machine (KVM) takes a processor that sleeps for one that is taken: threads and processes
 * that wake up come to be on one, and stay there for longer than a small solve takes. */
void stay_on(int k);

/* Processes of mpirun: the first one, 0, measures and calls the others, which sleep until then. */
void petsc_start();
void petsc_stop();
int petsc_processes();
int petsc_process();
void petsc_call(int what); /* the first to the others: what petsc_wait is to return there */
int petsc_wait();

#endif
