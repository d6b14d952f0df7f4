#pragma once
// The graph of one level of the Leiden algorithm. The first level is the input. In each further
// level, a vertex stands for a part, which is a set of vertices of the level before. The rows of a
// large graph are divided over all PEs. If a graph is small, every PE has all rows, and all PEs do
// the same work without messages.

#include "atoll/collectives.hpp"
#include "atoll/graph/distributed_graph.hpp"
#include "atoll/graph/stretches.hpp"
#include "atoll/local_memory.hpp"
#include "atoll/work.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace atl::kernels::communities {

/// Number of rows that one task processes before other tasks of the PE run.
inline constexpr std::uint64_t k_rows = 1024;

/// The rows of one PE, and the values of all vertices. Every PE has all values, because any vertex
/// may be a neighbour.
template <class Id>
struct level {
  partition shape;          ///< partition of the vertices, if rows are divided over PEs
  bool everywhere = false;  ///< whether every PE has all rows
  std::uint64_t first = 0;  ///< the vertex of row 0
  std::span<const std::uint64_t> offsets;
  /// If a target occurs repeatedly in a row, the algorithm adds up the weights of the target.
  std::span<const Id> targets;
  std::span<const std::int64_t> weights;  ///< weight of each target; if empty, every weight is 1

  /// Memory for the rows of this level. `offsets`, `targets` and `weights` refer to `own_offsets`,
  /// `own_targets` and `own_weights`, or to the rows of the input.
  huge_vector<std::uint64_t> own_offsets;
  huge_vector<Id> own_targets;
  huge_vector<std::int64_t> own_weights;

  /// The mass of each vertex. For modularity, the mass is the sum of the weights of the vertex's
  /// arcs. For the constant Potts model, the mass is the number of vertices of the input for which
  /// the vertex stands.
  huge_vector<std::int64_t> mass;
  huge_vector<Id> community;  ///< indexed by vertex

  level() = default;
  level(level&&) noexcept = default;
  level& operator=(level&&) noexcept = default;
  ~level() = default;

  std::uint64_t vertices() const { return shape.vertices; }
  std::uint64_t rows() const { return offsets.empty() ? 0 : offsets.size() - 1; }
  std::uint64_t degree(std::uint64_t row) const { return offsets[row + 1] - offsets[row]; }
  Id vertex_of(std::uint64_t row) const { return static_cast<Id>(first + row); }

  /// Makes the spans refer to `own_offsets`, `own_targets` and `own_weights`. The caller must fill
  /// the vectors first.
  void show_own() {
    offsets = own_offsets;
    targets = own_targets;
    weights = own_weights;
  }

  /// Calls `visit(target, weight)` for each arc of the row.
  template <class Visit>
  [[gnu::always_inline]] void for_each_arc(std::uint64_t row, Visit visit) const {
    const std::uint64_t end = offsets[row + 1];
    if (weights.empty()) {
      for (std::uint64_t i = offsets[row]; i < end; ++i) visit(targets[i], std::int64_t{1});
    } else {
      for (std::uint64_t i = offsets[row]; i < end; ++i) visit(targets[i], weights[i]);
    }
  }
};

/// Returns the values `mine` of all PEs in one list, in the order of the PEs. Every PE calls this
/// function.
template <class T>
task<huge_vector<T>> all_join(std::span<const T> mine) {
  const auto parts = co_await all_gather(mine);
  std::uint64_t size = 0;
  for (const auto& part : parts) size += part.size();
  huge_vector<T> joined;
  joined.reserve(size);
  for (const auto& part : parts) {
    joined.insert(joined.end(), part.begin(), part.end());
    co_await yield();
  }
  co_return joined;
}

/// Returns the number of arcs of all PEs. Every PE calls this function.
template <class Id>
task<std::uint64_t> all_count_arcs(const level<Id>& on) {
  const auto sum = [](std::uint64_t a, std::uint64_t b) { return a + b; };
  co_return co_await all_reduce(std::uint64_t{on.targets.size()}, sum);
}

/// Copies all rows of a small graph to every PE. Every PE calls this function.
template <class Id>
task<> all_bring_everywhere(level<Id>& on) {
  std::vector<std::uint64_t> degrees;
  for (std::uint64_t row = 0; row < on.rows(); ++row) degrees.push_back(on.degree(row));
  const bool weighted =
      co_await all_reduce(on.weights.empty() ? 0 : 1, [](int a, int b) { return a | b; }) != 0;
  const auto sizes = co_await all_join(std::span<const std::uint64_t>(degrees));
  on.own_targets = co_await all_join(on.targets);
  if (weighted) on.own_weights = co_await all_join(on.weights);
  on.own_offsets.assign(1, 0);
  for (const std::uint64_t size : sizes) on.own_offsets.push_back(on.own_offsets.back() + size);
  on.first = 0;
  on.everywhere = true;
  on.show_own();
}

/// One bit for each vertex.
class vertex_bits {
 public:
  explicit vertex_bits(std::uint64_t vertices = 0) : words_(vertices / k_word + 1) {}

  bool operator[](std::uint64_t vertex) const {
    return (words_[vertex / k_word] >> (vertex % k_word) & 1) != 0;
  }
  void set(std::uint64_t vertex) { words_[vertex / k_word] |= std::uint64_t{1} << vertex % k_word; }
  void reset(std::uint64_t vertex) {
    words_[vertex / k_word] &= ~(std::uint64_t{1} << vertex % k_word);
  }
  void set_all() { std::ranges::fill(words_, ~std::uint64_t{0}); }
  void reset_all() { std::ranges::fill(words_, 0); }

  /// Sends the bit of each vertex to the vertex's owner. After the call, the bit of each owned
  /// vertex is set if any PE has set the bit. Every PE calls this function.
  task<> all_unite(const partition& shape) {
    std::vector<std::span<const std::uint64_t>> parts;
    for (int pe = 0; pe < pes(); ++pe) parts.push_back(words_of(shape, pe));
    const auto received = co_await all_to_all(parts);
    const auto mine = words_of(shape, my_pe());
    for (const auto& part : received)
      for (std::size_t i = 0; i < mine.size(); ++i) mine[i] |= part[i];
  }

 private:
  static constexpr std::uint64_t k_word = 64;

  std::span<std::uint64_t> words_of(const partition& shape, int pe) {
    const std::uint64_t begin = shape.begin(pe) / k_word;
    const std::uint64_t end = shape.end(pe) / k_word + 1;
    return {words_.data() + begin, end - begin};
  }

  std::vector<std::uint64_t> words_;
};

}  // namespace atl::kernels::communities
