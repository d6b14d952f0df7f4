#pragma once
// PageRank with Tpetra of Trilinos. Each iteration multiplies the ranks by the matrix of
// contributions between vertices. Tpetra determines and moves the remote values.

#include <Tpetra_Core.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_Map.hpp>
#include <Tpetra_Vector.hpp>

#include <span>
#include <vector>

#include "peers/pagerank/iteration.hpp"

namespace bench::peers {

class by_tpetra {
 public:
  /// Makes the object. All processes call the constructor, and also `run`.
  by_tpetra(const atl::generator_parameters& graph, const mpi_session& all,
            const pagerank::parameters& with)
      : by_tpetra(partition(graph.vertices(), all.size), graph, all, with) {}

  /// Iterates, beginning with equal ranks. The benchmark times this function.
  void run() {
    iteration_.start(write(ranks_));
    do matrix_->apply(ranks_, given_);
    while (iteration_.all_take(write(ranks_),
                               [sums = read(given_)](std::size_t row) { return sums[row]; }));
  }

  const partition& where() const { return iteration_.where(); }
  std::span<const double> own_ranks() const { return read(ranks_); }
  std::uint64_t iterations() const { return iteration_.iterations(); }
  double residual() const { return iteration_.residual(); }

 private:
  using local = int;
  using global = long long;  // the library of Debian is instantiated for this type only
  using map = Tpetra::Map<local, global>;
  using matrix = Tpetra::CrsMatrix<double, local, global>;
  using vector = Tpetra::Vector<double, local, global>;

  by_tpetra(const partition& where, const atl::generator_parameters& graph, const mpi_session& all,
            const pagerank::parameters& with)
      : by_tpetra(where, rows_of_process(graph, all, where), all, with) {}

  by_tpetra(const partition& where, const rows& arcs, const mpi_session& all,
            const pagerank::parameters& with)
      : iteration_(where, all, arcs, with),
        map_(Teuchos::rcp(
            new map(where.vertices(), where.size(all.rank), 0, Tpetra::getDefaultComm()))),
        ranks_(map_),
        given_(map_) {
    fill(arcs, all_degrees(all));
  }

  /// Returns the degrees of all vertices of the graph, on every process. The degrees are needed
  /// only while the matrix is built.
  std::vector<std::uint32_t> all_degrees(const mpi_session& all) const {
    std::vector<std::uint32_t> degrees(where().vertices());
    const std::uint64_t first = where().begin(all.rank);
    for (std::uint64_t row = 0; row < where().size(all.rank); ++row)
      degrees[first + row] = iteration_.degree(row);
    MPI_Allreduce(MPI_IN_PLACE, degrees.data(), static_cast<int>(degrees.size()), MPI_UINT32_T,
                  MPI_MAX, MPI_COMM_WORLD);
    return degrees;
  }

  void fill(const rows& arcs, const std::vector<std::uint32_t>& degrees) {
    std::vector<std::size_t> entries(arcs.size());
    for (std::size_t row = 0; row < arcs.size(); ++row) entries[row] = arcs.degree(row);
    matrix_ = Teuchos::rcp(
        new matrix(map_, Teuchos::ArrayView<const std::size_t>(entries.data(), entries.size())));
    std::vector<global> columns;
    std::vector<double> values;
    for (std::size_t row = 0; row < arcs.size(); ++row) {
      columns.assign(arcs[row].begin(), arcs[row].end());
      values.clear();
      for (const vertex from : arcs[row]) values.push_back(1.0 / degrees[from]);
      matrix_->insertGlobalValues(map_->getGlobalElement(static_cast<local>(row)),
                                  static_cast<local>(columns.size()), values.data(),
                                  columns.data());
    }
    matrix_->fillComplete();
  }

  static std::span<const double> read(const vector& of) {
    const auto values = of.getLocalViewHost(Tpetra::Access::ReadOnly);
    return {values.data(), values.extent(0)};
  }
  static std::span<double> write(vector& of) {
    const auto values = of.getLocalViewHost(Tpetra::Access::ReadWrite);
    return {values.data(), values.extent(0)};
  }

  int arguments_ = 0;
  char** of_arguments_ = nullptr;
  Tpetra::ScopeGuard running_{&arguments_, &of_arguments_};
  iteration iteration_;
  Teuchos::RCP<const map> map_;
  Teuchos::RCP<matrix> matrix_;
  vector ranks_, given_;
};

}  // namespace bench::peers
