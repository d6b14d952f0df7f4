#pragma once
// Where all_build finds the edges of a PE.

#include "atoll/error.hpp"
#include "atoll/graph/edge.hpp"
#include "atoll/graph/edge_weight.hpp"
#include "atoll/graph/generator.hpp"
#include "atoll/graph/packed_edges.hpp"
#include "atoll/graph/random_graph.hpp"
#include "atoll/pe.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace atl {

/// This PE's share of the edges of a random graph, made again whenever they are looked at: they
/// take no memory. Within a job only.
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

/// The edges of one PE that a graph is built of. They stand in memory or, of a random graph, are
/// made again whenever they are looked at.
struct stored_edges {
  packed_edges edges;  ///< with weights where the format has them

  /// In place of `edges`, where the graph is random.
  std::optional<generated_edges<random_graph_generator>> random;

  /// Edges have weights by hash of their ends and of this seed, whatever stands beside them.
  bool hashes_weights = false;
  std::uint64_t weight_seed = 0;

  /// Why there are none where the format has weights: the first that is no integer, on every PE.
  std::optional<error> weights_fault;

  /// The column of weights, in a text with any number of columns; 0: none was looked for.
  std::uint64_t weight_column = 0;

  /// Columns that were not used, of a line with the most of them.
  std::uint64_t columns_left_out = 0;

  /// Sentences about how the file was understood, on every PE.
  std::vector<std::string> remarks;

  /// Each edge stands for both directions, as the file says.
  bool undirected = false;

  /// While a file is read: nothing beyond this offset matters, as an error stands there.
  std::uint64_t read_until = ~std::uint64_t{0};

  /// What it took to find the first of them, in a BVGraph without offsets.
  double scan_seconds = 0;

  std::uint64_t size() const { return random ? random->size() : edges.size(); }
  edge operator()(std::uint64_t i) const { return random ? (*random)(i) : edges(i); }

  bool weighted() const { return hashes_weights || edges.weighted(); }

  /// The weight of edge i, which is `of`.
  std::int64_t weight(std::uint64_t i, edge of) const {
    return hashes_weights ? hashed_weight(of.from, of.to, weight_seed) : edges.weight(i);
  }
};

/// Edges that stand in memory, which they give back as the graph is built of them: whoever asks for
/// an edge again finds none.
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
