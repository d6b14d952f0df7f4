#pragma once
// PageRank in the way that is usual with MPI: Jacobi's method, where each process has a range of
// the vertices. One MPI_Alltoallv per iteration transfers the contributions of neighbours on other
// processes. The contribution of a vertex is sent only once to each process, even if the vertex has
// several arcs to that process.

#include <algorithm>
#include <span>
#include <vector>

#include "peers/pagerank/iteration.hpp"
#include "support/huge_array.hpp"

namespace bench::peers {

class by_ghosts {
 public:
  /// Makes the object. All processes call the constructor, and also `run`.
  by_ghosts(const atl::generator_parameters& graph, const mpi_session& all,
            const pagerank::parameters& with)
      : by_ghosts(partition(graph.vertices(), all.size), graph, all, with) {}

  /// Iterates, beginning with equal ranks. The benchmark times this function.
  void run() {
    iteration_.start({ranks_.data(), ranks_.size()});
    do give();
    while (iteration_.all_take({ranks_.data(), ranks_.size()}, [this](std::size_t row) {
      double sum = 0;
      for (const vertex from : arcs_[row]) sum += given_[from];
      return sum;
    }));
  }

  const partition& where() const { return iteration_.where(); }
  std::span<const double> own_ranks() const { return {ranks_.data(), ranks_.size()}; }
  std::uint64_t iterations() const { return iteration_.iterations(); }
  double residual() const { return iteration_.residual(); }

 private:
  by_ghosts(const partition& where, const atl::generator_parameters& graph, const mpi_session& all,
            const pagerank::parameters& with)
      : arcs_(rows_of_process(graph, all, where)),
        iteration_(where, all, arcs_, with),
        ranks_(arcs_.size()) {
    const auto ghosts = find_ghosts(all);
    given_ = huge_array<double>(arcs_.size() + ghosts.size());
    agree(ghosts, all);
    number(ghosts, where.begin(all.rank));
    ranks_.touch();
    given_.touch();
  }

  /// Returns the ghosts in ascending order. Ghosts are vertices of other processes that have arcs
  /// to vertices of this process.
  std::vector<vertex> find_ghosts(const mpi_session& all) const {
    std::vector<bool> needed(where().vertices());
    for (std::size_t row = 0; row < arcs_.size(); ++row)
      for (const vertex from : arcs_[row]) needed[from] = where().owner(from) != all.rank;
    std::vector<vertex> ghosts;
    for (std::uint64_t v = 0; v < needed.size(); ++v)
      if (needed[v]) ghosts.push_back(static_cast<vertex>(v));
    return ghosts;
  }

  /// Tells the other processes which values of their vertices they must send to this process.
  void agree(const std::vector<vertex>& ghosts, const mpi_session& all) {
    std::vector<std::vector<vertex>> wanted(static_cast<std::size_t>(all.size));
    for (const vertex v : ghosts) wanted[static_cast<std::size_t>(where().owner(v))].push_back(v);
    for (const auto& list : wanted) in_.push_back(static_cast<int>(list.size()));
    out_.resize(in_.size());
    MPI_Alltoall(in_.data(), 1, MPI_INT, out_.data(), 1, MPI_INT, MPI_COMM_WORLD);
    in_at_.resize(in_.size());
    out_at_.resize(in_.size());
    std::exclusive_scan(in_.begin(), in_.end(), in_at_.begin(), 0);
    std::exclusive_scan(out_.begin(), out_.end(), out_at_.begin(), 0);
    sent_ = exchange(MPI_COMM_WORLD, wanted);
    for (vertex& v : sent_) v -= static_cast<vertex>(where().begin(all.rank));
    staged_ = huge_array<double>(sent_.size());
    staged_.touch();
  }

  /// Replaces the sources of arcs by indices into `given_`. The vector `given_` has the vertices of
  /// this process first, and then the ghosts.
  void number(const std::vector<vertex>& ghosts, std::uint64_t first) {
    arcs_.replace([&](vertex v) {
      if (v >= first && v - first < arcs_.size()) return static_cast<vertex>(v - first);
      const auto place = std::ranges::lower_bound(ghosts, v) - ghosts.begin();
      return static_cast<vertex>(arcs_.size() + static_cast<std::size_t>(place));
    });
  }

  void give() {
    for (std::size_t row = 0; row < ranks_.size(); ++row)
      given_[row] = iteration_.degree(row) == 0 ? 0 : ranks_[row] / iteration_.degree(row);
    for (std::size_t i = 0; i < sent_.size(); ++i) staged_[i] = given_[sent_[i]];
    MPI_Alltoallv(staged_.data(), out_.data(), out_at_.data(), MPI_DOUBLE,
                  given_.data() + ranks_.size(), in_.data(), in_at_.data(), MPI_DOUBLE,
                  MPI_COMM_WORLD);
  }

  rows arcs_;
  iteration iteration_;
  huge_array<double> ranks_, given_, staged_;
  // For each other process, the vertices of this process whose values are sent to that process.
  std::vector<vertex> sent_;
  std::vector<int> in_, out_, in_at_, out_at_;
};

}  // namespace bench::peers
