#pragma once
// Sources of edges: objects from which `all_build` takes the edges of a PE.

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
/// take no memory. The object may be used only within a job.
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

/// The edges of one PE from which a graph is built. The edges are in memory or, for a random graph,
/// generated at each access.
struct stored_edges {
  packed_edges edges;  ///< the edges in memory, with their weights if the file has weights

  /// Used in place of `edges` if the graph is random.
  std::optional<generated_edges<random_graph_generator>> random;

  /// Whether the weight of an edge is a hash of its endpoints and of `weight_seed`. If hashes are
  /// used, stored weights are ignored.
  bool hashes_weights = false;
  std::uint64_t weight_seed = 0;
  /// Largest hashed weight; the smallest is 1. If 0, hashed weights are any numbers of 32 bits.
  std::uint32_t largest_weight = 0;

  /// An error for the first weight of the file that is not an integer. Every PE has the same error.
  /// If `weights_fault` is set, the weights of the file are doubles or were removed.
  std::optional<error> weights_fault;

  /// Whether the file has weights that were not stored, because the program does not need them.
  bool leaves_out_weights = false;

  /// Whether the stored weights of any PE are doubles. If `real_weights` is true, the caller gets
  /// the weights from `real_weight`.
  bool real_weights = false;

  /// An error for the first negative weight in the file. Every PE has the same error. Only a reader
  /// of real weights looks for negative weights.
  std::optional<error> negative_weight;

  /// The number of the column with the weights, in text formats with any number of columns. The
  /// number is 0 if the reader did not look for weights.
  std::uint64_t weight_column = 0;

  /// Largest number of unused columns in a line of the file.
  std::uint64_t columns_left_out = 0;

  /// Sentences that tell the user how the file was understood. Every PE has the same sentences.
  std::vector<std::string> remarks;

  /// Whether the file declares that each edge stands for both directions.
  bool undirected = false;

  /// The smallest file offset of an error that any PE has found so far, while a file is read. PEs
  /// need not read beyond the offset `read_until`.
  std::uint64_t read_until = ~std::uint64_t{0};

  /// Time in seconds to find the first edge, in a METIS file or in a BVGraph without offsets.
  double scan_seconds = 0;

  std::uint64_t size() const { return random ? random->size() : edges.size(); }
  edge operator()(std::uint64_t i) const { return random ? (*random)(i) : edges(i); }

  bool weighted() const { return hashes_weights || edges.weighted(); }

  /// Returns true if some weights are doubles, so that the caller must use `real_weight` instead of
  /// `weight`.
  bool has_real_weights() const { return real_weights && !hashes_weights; }

  /// Returns the weight of edge i. `of` must be edge i. All weights must be integers.
  std::int64_t weight(std::uint64_t i, edge of) const {
    if (!hashes_weights) return edges.weight(i);
    const std::uint32_t hashed = hashed_weight(of.from, of.to, weight_seed);
    return largest_weight == 0 ? hashed : 1 + hashed % largest_weight;
  }

  /// Returns the weight of edge i as a double. `of` must be edge i.
  double real_weight(std::uint64_t i, edge of) const {
    return hashes_weights ? static_cast<double>(weight(i, of)) : edges.real_weight(i);
  }
};

/// The edges of a `stored_edges`, whose memory is freed while the graph is built from them. Each
/// edge can be read only once.
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
