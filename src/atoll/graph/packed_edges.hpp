#pragma once
// The edges that one PE has read, before a graph is built from them. The edges are compressed in
// blocks. Each block stores its smallest endpoints and its smallest weight. Every other value of
// the block is stored as the difference from the smallest one, in as few bits as the largest
// difference needs.

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
  /// Appends edges. `weights` has one weight per edge, or is empty. `kind` tells whether weights
  /// are integers or the bits of doubles. Integers may not be added after doubles. Throws
  /// `std::bad_alloc` if memory is exhausted.
  void add(std::span<const edge> edges, std::span<const std::int64_t> weights = {},
           weight_kind kind = weight_kind::integer);

  /// Prepares for reading the edges. The caller must call this function after the last `add`.
  /// Throws `std::bad_alloc` if memory is exhausted.
  void settle();

  std::uint64_t size() const { return size_; }

  /// Returns edge i. Edges that `forget_until` has freed must not be read.
  edge operator()(std::uint64_t i) const {
    const block& of = blocks_[i / k_block];
    const std::uint64_t at = i % k_block * of.edge_bits;
    return {of.least.from + bits_at(of.bits, at, of.from_bits),
            of.least.to + bits_at(of.bits, at + of.from_bits, of.edge_bits - of.from_bits)};
  }

  /// Returns true if edges have weights. After `forget_weights`, returns false.
  bool weighted() const { return weighted_; }

  /// Returns whether some weights are doubles.
  bool has_real_weights() const { return weighted_ && kind_ == weight_kind::real; }

  /// Returns the weight of edge i. All weights must be integers.
  std::int64_t weight(std::uint64_t i) const {
    const block& of = blocks_[i / k_block];
    const std::uint64_t above = bits_at(of.weights, i % k_block * of.weight_bits, of.weight_bits);
    return static_cast<std::int64_t>(of.least_weight + above);
  }

  /// Returns the weight of edge i as a double. An integer is rounded to the nearest double.
  double real_weight(std::uint64_t i) const {
    const std::int64_t bits = weight(i);
    return blocks_[i / k_block].kind == weight_kind::real ? std::bit_cast<double>(bits)
                                                          : static_cast<double>(bits);
  }
  void forget_weights() { weighted_ = false; }

  /// Returns the largest endpoint + 1.
  std::uint64_t vertices() const { return vertices_; }

  /// Frees the memory of edges before edge `i`. The caller must not read the freed edges any more.
  void forget_until(std::uint64_t i);

  /// Returns the smallest endpoint. If there are no edges, returns 2^64 - 1.
  std::uint64_t least_vertex() const { return least_vertex_; }

  /// Returns the number of bytes that all edges take.
  std::uint64_t bytes() const;

  /// Returns all edges without compression. The function is for few edges only, because the result
  /// takes much memory.
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
    std::uint64_t blocks_before;  ///< number of blocks in this slab and in all slabs before it
  };

  /// Reads `count` bits from position `at` on. `count` is at most 57 or, if `at` is a multiple of
  /// 8, at most 64. The eight bytes from the first byte that is read must be readable memory.
  static std::uint64_t bits_at(const std::byte* bits, std::uint64_t at, unsigned count) {
    std::uint64_t word = 0;
    std::memcpy(&word, bits + at / 8, sizeof word);
    return word >> at % 8 & (count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1);
  }

  void pack();
  std::byte* room_for(std::size_t bytes);

  std::vector<block> blocks_;
  std::vector<slab> slabs_;
  std::size_t used_ = 0;       // number of bytes of the last slab that are in use
  std::vector<edge> waiting_;  // edges that wait until a block is full
  std::vector<std::int64_t> waiting_weights_;
  std::uint64_t size_ = 0, vertices_ = 0;
  std::uint64_t least_vertex_ = ~std::uint64_t{0};
  std::uint64_t forgotten_slabs_ = 0;
  bool weighted_ = false;
  weight_kind kind_ = weight_kind::integer;  // kind of the weights that were added last
};

}  // namespace atl
