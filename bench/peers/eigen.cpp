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

struct Eigens {
    std::vector<Entry> entry;
    Matrix matrix;
    std::vector<double> y;
};

void eigen_join(const Problem &problem, const std::vector<double> &x,
                std::vector<Contender> &assembly, std::vector<Contender> &product)
{
    const int n = 3 * problem.n_vertex();
    const auto own = std::make_shared<Eigens>();
    own->y.resize(x.size());
    const auto set = [own, n] {
        own->matrix = Matrix(n, n);
        own->matrix.setFromTriplets(own->entry.begin(), own->entry.end());
    };
    assembly.push_back({"Eigen, triplets and setFromTriplets", [own, set, &problem] {
                            std::vector<Entry>().swap(own->entry);
                            fill(problem, own->entry);
                            set();
                        }});
    assembly.push_back({"Eigen, setFromTriplets alone", set});
    for (int threads = 1; threads <= ew_threads(); threads += std::max(1, ew_threads() - 1)) {
        product.push_back({threads == 1 ? "Eigen CSR, 1 thread" : "Eigen CSR, all threads",
                           [own, n, threads, &x] {
                               std::vector<Entry>().swap(own->entry); /* needed no more */
                               Eigen::setNbThreads(threads);
                               Eigen::Map<const Eigen::VectorXd> from(x.data(), n);
                               Eigen::Map<Eigen::VectorXd> to(own->y.data(), n);
                               to.noalias() = own->matrix * from;
                           },
                           &own->y});
    }
}
