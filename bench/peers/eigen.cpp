/* Eigen: compressed rows from triplets, and their product. */
#include "peers.h"

#include <Eigen/Sparse>

typedef Eigen::SparseMatrix<double, Eigen::RowMajor> Matrix;
typedef Eigen::Triplet<double> Entry;

static void fill(const Problem &problem, std::vector<Entry> &entry)
{
    const int n_tet = problem.body->mesh.n_tet;
    entry.clear();
    entry.reserve(144 * (size_t)n_tet);
    for (int t = 0; t < n_tet; t++) {
        int v[4];
        double k[144];
        problem.element(t, v, k);
        for (int i = 0; i < 12; i++) {
            for (int j = 0; j < 12; j++) {
                entry.emplace_back(3 * v[i / 3] + i % 3, 3 * v[j / 3] + j % 3, k[12 * i + j]);
            }
        }
    }
}

void eigen_assemble_and_multiply(const Problem &problem, const std::vector<double> &x, int repeat,
                                 Report assembly, Report product)
{
    const int n = 3 * problem.n_vertex();
    std::vector<Entry> entry;
    Matrix matrix;
    const auto set = [&] {
        matrix = Matrix(n, n);
        matrix.setFromTriplets(entry.begin(), entry.end());
    };
    assembly("Eigen, triplets and setFromTriplets",
             time_of(repeat,
                     [&] {
                         std::vector<Entry>().swap(entry);
                         fill(problem, entry);
                         set();
                     }),
             nullptr);
    assembly("Eigen, setFromTriplets alone", time_of(repeat, set), nullptr);
    std::vector<Entry>().swap(entry);

    const Eigen::VectorXd from = Eigen::Map<const Eigen::VectorXd>(x.data(), n);
    Eigen::VectorXd to(n);
    for (int threads = 1; threads <= ew_threads(); threads *= 2) {
        Eigen::setNbThreads(threads);
        const Times times = time_of(4 * repeat, [&] { to.noalias() = matrix * from; });
        const std::vector<double> y(to.data(), to.data() + n);
        product(threads == 1 ? "Eigen CSR, 1 thread" : "Eigen CSR, all threads", times, &y);
    }
}
