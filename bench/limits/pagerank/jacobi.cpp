#include "jacobi.hpp"

#include <cmath>

namespace bench::pagerank {

jacobi::jacobi(const csr& graph, const parameters& with)
    : graph_(graph), with_(with), ranks_(graph.vertices()), given_(graph.vertices()) {
  ranks_.touch();
  given_.touch();
}

void jacobi::run() {
  const auto vertices = static_cast<double>(ranks_.size());
#pragma omp parallel for schedule(static)
  for (std::size_t v = 0; v < ranks_.size(); ++v) ranks_[v] = 1 / vertices;
  iterations_ = 0;
  do {
    const double dangling = give();
    residual_ = take((1 - with_.damping + with_.damping * dangling) / vertices);
  } while (++iterations_ < with_.max_iterations && residual_ >= with_.tolerance);
}

double jacobi::give() {
  double dangling = 0;
#pragma omp parallel for schedule(static) reduction(+ : dangling)
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    const auto degree = graph_.degree(static_cast<vertex>(i));
    given_[i] = degree == 0 ? 0 : ranks_[i] / degree;
    dangling += degree == 0 ? ranks_[i] : 0;
  }
  return dangling;
}

double jacobi::take(double everybody) {
  double change = 0;
#pragma omp parallel for schedule(dynamic, 16384) reduction(+ : change)
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    double sum = 0;
    for (const vertex from : graph_.neighbours(static_cast<vertex>(i))) sum += given_[from];
    const double rank = everybody + with_.damping * sum;
    change += std::abs(rank - ranks_[i]);
    ranks_[i] = rank;
  }
  return change;
}

}  // namespace bench::pagerank
