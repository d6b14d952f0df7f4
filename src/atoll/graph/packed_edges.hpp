#pragma once
// Edges of one PE after reading, before a graph is built of them. They are packed in blocks. An end
// takes as many bits as the difference of the largest and the smallest end of its block; weights
// likewise.

#include "atoll/graph/edge.hpp"
#include "atoll/graph/fresh_pages.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace atl {

/// The meaning of the 64 bits of a weight.
enum class weight_kind : std::uint8_t { integer, real };

class packed_edges {
 public:
  /// Appends edges. `weights` has one per edge, or none for all: integers, or the bits of doubles.
  /// After doubles no integers may follow. Throws `std::bad_alloc`.
  void add(std::span<const edge> edges, std::span<const std::int64_t> weights = {},
           weight_kind kind = weight_kind::integer);

  /// Prepares reading; call it after the last `add`. Throws `std::bad_alloc`.
  void settle();

  std::uint64_t size() const { return size_; }

  /// Returns edge i, any number of times, until it is forgotten.
  edge operator()(std::uint64_t i) const {
    const block& of = blocks_[i / k_block];
    const std::uint64_t at = i % k_block * of.edge_bits;
    return {of.least.from + bits_at(of.bits, at, of.from_bits),
            of.least.to + bits_at(of.bits, at + of.from_bits, of.edge_bits - of.from_bits)};
  }

  /// Returns true if edges have weights; some may have had them before `forget_weights`.
  bool weighted() const { return weighted_; }

  /// Returns whether some weights are doubles.
  bool has_real_weights() const { return weighted_ && kind_ == weight_kind::real; }

  /// Returns the weight of edge i, if all weights are integers.
  std::int64_t weight(std::uint64_t i) const {
    const block& of = blocks_[i / k_block];
    const std::uint64_t above = bits_at(of.weights, i % k_block * of.weight_bits, of.weight_bits);
    return static_cast<std::int64_t>(of.least_weight + above);
  }

  /// Returns the weight of edge i as a double; integers are rounded.
  double real_weight(std::uint64_t i) const {
    const std::int64_t bits = weight(i);
    return blocks_[i / k_block].kind == weight_kind::real ? std::bit_cast<double>(bits)
                                                          : static_cast<double>(bits);
  }
  void forget_weights() { weighted_ = false; }

  /// Returns the largest end + 1.
  std::uint64_t vertices() const { return vertices_; }

  /// Frees the edges before `i`, which are not read any more.
  void forget_until(std::uint64_t i);

  /// Returns the smallest end, or 2^64 - 1 without edges.
  std::uint64_t least_vertex() const { return least_vertex_; }

  /// Returns the bytes of all edges.
  std::uint64_t bytes() const;

  /// Returns all edges; use it for few.
  std::vector<edge> all() const;

 private:
  static constexpr std::uint64_t k_block = std::uint64_t{1} << 12;

  struct block {
    const std::byte* bits;
    const std::byte* weights;
    edge least;
    std::uint64_t least_weight;
    unsigned from_bits, edge_bits, weight_bits;
    weight_kind kind;
  };

  /// Memory for some blocks.
  struct slab {
    graph::fresh_pages pages;
    std::uint64_t blocks_before;  ///< it and all before it
  };

  /// Reads up to 57 bits, or 64 that begin at a byte. Eight bytes from the first one must be
  /// readable.
  static std::uint64_t bits_at(const std::byte* bits, std::uint64_t at, unsigned count) {
    std::uint64_t word = 0;
    std::memcpy(&word, bits + at / 8, sizeof word);
    return word >> at % 8 & (count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1);
  }

  void pack();
  std::byte* room_for(std::size_t bytes);

  std::vector<block> blocks_;
  std::vector<slab> slabs_;
  std::size_t used_ = 0;       // of the last slab
  std::vector<edge> waiting_;  // for the rest of their block
  std::vector<std::int64_t> waiting_weights_;
  std::uint64_t size_ = 0, vertices_ = 0;
  std::uint64_t least_vertex_ = ~std::uint64_t{0};
  std::uint64_t forgotten_slabs_ = 0;
  bool weighted_ = false;
  weight_kind kind_ = weight_kind::integer;  // of the weights that were added last
};

}  // namespace atl
