#pragma once
// Direction-optimizing breadth-first search on a grid of processes (Buluc and Madduri 2011; Beamer,
// Buluc, Asanovic, Patterson 2013). On each level, the bitmap of the frontier is gathered along the
// columns of the grid. Each process then searches its block of arcs. Parents are sent along rows to
// the owners of the found vertices. During bottom-up steps, the bitmaps of reached vertices rotate
// within a row, so no process looks for a parent of a vertex that another process has reached.

#include <utility>

#include "peers/bfs/bits.hpp"
#include "peers/bfs/grid.hpp"
#include "peers/bfs/tree.hpp"

namespace bench::peers {

class by_bitmaps {
 public:
  /// Makes the search. All processes call the constructor, and also `search`.
  by_bitmaps(const atl::generator_parameters& graph, const mpi_session& all)
      : tree_(graph, all),
        grid_(all, tree_.where),
        each_(tree_.where.each()),
        front_(each_ * static_cast<std::uint64_t>(grid_.rows())),
        seen_(each_ * static_cast<std::uint64_t>(grid_.columns())),
        isolated_(seen_.size()),
        found_(each_),
        to_others_(static_cast<std::size_t>(grid_.columns())) {
    build(graph, all);
  }

  /// Searches from `root`, which must have an arc. The benchmark times this function.
  void search(vertex root) {
    tree_.start();
    seen_ = isolated_;
    found_.clear();
    newest_ = {};
    if (tree_.owns(root)) take(root - tree_.first, root);
    std::uint64_t unexplored = arcs_;
    for (bool from_below = false; all_go_on();) {
      if (from_below) {
        from_below = newest_.vertices > tree_.where.vertices() / beta;
      } else {
        from_below = newest_.arcs > unexplored / alpha;
        unexplored -= std::min(unexplored, newest_.arcs);
      }
      newest_ = {};
      from_below ? step_from_below() : step_from_above();
      fold();
    }
  }

  const tree_part& tree() const { return tree_; }

 private:
  // Parameters alpha and beta, with the values that the authors use.
  static constexpr std::uint64_t alpha = 15, beta = 18;

  struct level_sums {
    std::uint64_t vertices = 0, arcs = 0;
  };

  void build(const atl::generator_parameters& graph, const mpi_session& all) {
    const auto arcs = arcs_of_process(graph, all, [this](vertex from, vertex to) {
      return std::pair(grid_.process_of_arc(from, to),
                       arc{grid_.place_in_row(to), grid_.place_in_column(from)});
    });
    by_target_ = rows(seen_.size(), arcs);
    std::vector<arc> turned;
    turned.reserve(by_target_.arcs());
    for (vertex row = 0; row < by_target_.size(); ++row)
      for (const vertex column : by_target_[row]) turned.push_back({column, row});
    by_source_ = rows(front_.size(), turned);
    find_degrees();
    arcs_ = mpi_session::sum(std::uint64_t{by_target_.arcs()});
  }

  /// Computes the degrees, and sorts the rows as in Atoll: sources of large degree come first. A
  /// bottom-up search then soon finds a neighbour in the frontier.
  void find_degrees() {
    const auto of_column = degrees(by_source_, grid_.along_column());
    const auto of_row = degrees(by_target_, grid_.along_row());
    by_target_.order([&](vertex a, vertex b) {
      const int digits_a = std::bit_width(of_column[a]), digits_b = std::bit_width(of_column[b]);
      return digits_a != digits_b ? digits_a > digits_b : a < b;
    });
    for (std::size_t v = 0; v < of_row.size(); ++v)
      if (of_row[v] == 0) isolated_.set(v);
    const auto own = of_row.begin() + static_cast<std::ptrdiff_t>(place_of_piece(grid_.column()));
    std::copy_n(own, tree_.degrees.size(), tree_.degrees.begin());
  }

  /// Returns the degrees of rows. Several processes of `group` have parts of the same row, so the
  /// degree of a row is the sum over all processes of `group`.
  static std::vector<std::uint32_t> degrees(const rows& of, MPI_Comm group) {
    std::vector<std::uint32_t> sums(of.size());
    for (std::size_t row = 0; row < of.size(); ++row) sums[row] = of.degree(row);
    MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPI_UINT32_T, MPI_SUM,
                  group);
    return sums;
  }

  std::uint64_t place_of_piece(int column) const {
    return static_cast<std::uint64_t>(column) * each_;
  }

  /// Sends the found vertices to the processes that need them. Returns whether any process has
  /// found a vertex.
  bool all_go_on() {
    MPI_Allreduce(MPI_IN_PLACE, &newest_, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (newest_.vertices == 0) return false;
    MPI_Allgather(found_.data(), found_.words(), MPI_UINT64_T, front_.data(), found_.words(),
                  MPI_UINT64_T, grid_.along_column());
    const std::uint64_t own = place_of_piece(grid_.column());
    found_.for_each(0, each_, 0, [&](std::uint64_t v) { seen_.set(own + v); });
    if (grid_.columns() > 1)
      MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, seen_.data(), found_.words(), MPI_UINT64_T,
                    grid_.along_row());
    found_.clear();
    return true;
  }

  void step_from_above() {
    front_.for_each(0, front_.size(), 0, [&](std::uint64_t from) {
      for (const vertex v : by_source_[from])
        if (!seen_.test_and_set(v)) find(v, from);
    });
  }

  void step_from_below() {
    for (int step = 0; step < grid_.columns(); ++step) {
      const int piece = (grid_.column() + step) % grid_.columns();
      if (step != 0) pass_on(piece);
      const std::uint64_t begin = place_of_piece(piece);
      seen_.for_each(begin, begin + each_, ~bits::word{0}, [&](std::uint64_t v) { look_up(v); });
    }
  }

  /// Sends the part of `seen_` that this process has searched to a neighbour in the row of the
  /// grid. Receives the part of `seen_` for piece `next` of the vertices.
  void pass_on(int next) {
    const int columns = grid_.columns();
    const auto words = [&](int piece) {
      return seen_.data() + place_of_piece(piece % columns) / 64;
    };
    MPI_Sendrecv(words(next + columns - 1), found_.words(), MPI_UINT64_T,
                 (grid_.column() + columns - 1) % columns, 0, words(next), found_.words(),
                 MPI_UINT64_T, (grid_.column() + 1) % columns, 0, grid_.along_row(),
                 MPI_STATUS_IGNORE);
  }

  void look_up(std::uint64_t v) {
    for (const vertex from : by_target_[v]) {
      if (!front_.test(from)) continue;
      seen_.set(v);
      find(v, from);
      return;
    }
  }

  /// Handles a found vertex. `v` is the index of the vertex in this row of the grid, and `from` is
  /// the index of its parent in this column.
  void find(std::uint64_t v, std::uint64_t from) {
    const int piece = tree_.where.owner(v);
    const std::uint64_t index = v - place_of_piece(piece);
    const vertex parent = grid_.in_column(from);
    if (piece == grid_.column()) {
      take(index, parent);
    } else {
      to_others_[static_cast<std::size_t>(piece)].push_back(index << 32 | parent);
    }
  }

  /// Sets the parent of a vertex of this process. If the vertex has a parent already, nothing
  /// changes.
  void take(std::uint64_t index, vertex parent) {
    if (tree_.parents[index] >= 0) return;
    tree_.parents[index] = static_cast<std::int32_t>(parent);
    found_.set(index);
    ++newest_.vertices;
    newest_.arcs += tree_.degrees[index];
  }

  void fold() {
    if (grid_.columns() == 1) return;
    for (const auto item : exchange(grid_.along_row(), to_others_))
      take(item >> 32, static_cast<vertex>(item));
    for (auto& list : to_others_) list.clear();
  }

  tree_part tree_;
  grid grid_;
  std::uint64_t each_;  // number of vertices per piece
  // Two copies of the arcs. In `by_target_`, arcs with the same target are together. A target is
  // numbered by its index in this row of the grid. In `by_source_`, arcs with the same source are
  // together. A source is numbered by its index in this column of the grid.
  rows by_target_, by_source_;
  bits front_;  // frontier, by index in this column
  // The reached vertices and the isolated vertices, by index in this row.
  bits seen_, isolated_;
  // The vertices of this process that were found on this level.
  bits found_;
  // The pairs (index << 32 | parent) to send to each column.
  std::vector<std::vector<std::uint64_t>> to_others_;
  level_sums newest_;
  std::uint64_t arcs_ = 0;
};

}  // namespace bench::peers
