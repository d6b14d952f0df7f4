#pragma once
// Sources from which all_build takes the edges of a PE.

#include "atoll/error.hpp"
#include "atoll/graph/edge.hpp"
#include "atoll/graph/generator.hpp"
#include "atoll/graph/packed_edges.hpp"
#include "atoll/graph/random_graph.hpp"
#include "atoll/pe.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace atl {

/// This PE's share of the edges of a random graph. The edges are generated at each access, so they
/// take no memory. Use it only within a job.
template <class Generator>
class generated_edges {
 public:
  explicit generated_edges(const generator_parameters& parameters) : make_(parameters) {
    const auto all = static_cast<std::uint64_t>(pes());
    const auto rank = static_cast<std::uint64_t>(my_pe());
    const auto begin_of = [&](std::uint64_t pe) {
      return static_cast<std::uint64_t>(uint128(parameters.edges()) * pe / all);
    };
    first_ = begin_of(rank);
    size_ = begin_of(rank + 1) - first_;
  }

  std::uint64_t size() const { return size_; }
  edge operator()(std::uint64_t i) const { return make_(first_ + i); }

 private:
  Generator make_;
  std::uint64_t first_ = 0;
  std::uint64_t size_ = 0;
};

/// The edges of one PE from which a graph is built. They are in memory or, for a random graph,
/// generated at each access.
struct stored_edges {
  packed_edges edges;  ///< with weights where the format has them

  /// Used in place of `edges` if the graph is random.
  std::optional<generated_edges<random_graph_generator>> random;

  /// Weights are hashes of the ends and of this seed; stored weights are ignored.
  bool hashes_weights = false;
  std::uint64_t weight_seed = 0;
  std::uint32_t largest_weight = 0;  ///< of hashed weights, which begin at 1; 0: all of 32 bits

  /// The first weight that is not an integer, on every PE: weights are real, or a format with
  /// weights has none for that reason.
  std::optional<error> weights_fault;

  /// The file of this part has weights that were not stored, because nobody needs them.
  bool leaves_out_weights = false;

  /// Stored weights of some PE are doubles; `real_weight` returns them.
  bool real_weights = false;

  /// The first weight below 0 in the file, on every PE, if the reader looked for it.
  std::optional<error> negative_weight;

  /// The column of weights, in a text with any number of columns; 0: none was looked for.
  std::uint64_t weight_column = 0;

  /// Unused columns, for a line with the most of them.
  std::uint64_t columns_left_out = 0;

  /// Sentences on how the file was understood, on every PE.
  std::vector<std::string> remarks;

  /// Each edge stands for both directions, as the file declares.
  bool undirected = false;

  /// Offset of an error, while a file is read; nothing after it matters.
  std::uint64_t read_until = ~std::uint64_t{0};

  /// Time to find the first edge, in a BVGraph without offsets.
  double scan_seconds = 0;

  std::uint64_t size() const { return random ? random->size() : edges.size(); }
  edge operator()(std::uint64_t i) const { return random ? (*random)(i) : edges(i); }

  bool weighted() const { return hashes_weights || edges.weighted(); }

  /// Returns whether `weight` cannot be used, because some weights are doubles.
  bool has_real_weights() const { return real_weights && !hashes_weights; }

  /// Returns the weight of edge i, which is `of`, if weights are integers.
  std::int64_t weight(std::uint64_t i, edge of) const {
    if (!hashes_weights) return edges.weight(i);
    const std::uint32_t hashed = hashed_weight(of.from, of.to, weight_seed);
    return largest_weight == 0 ? hashed : 1 + hashed % largest_weight;
  }

  /// Returns the weight of edge i, which is `of`, as a double.
  double real_weight(std::uint64_t i, edge of) const {
    return hashes_weights ? static_cast<double>(weight(i, of)) : edges.real_weight(i);
  }
};

/// Edges in memory that are freed while the graph is built from them; each can be read only once.
class passing_edges {
 public:
  explicit passing_edges(stored_edges& of) : of_(&of) {}

  std::uint64_t size() const { return of_->size(); }
  edge operator()(std::uint64_t i) const { return (*of_)(i); }
  void used_until(std::uint64_t i) const { of_->edges.forget_until(i); }

 private:
  stored_edges* of_;
};

}  // namespace atl
