#pragma once
// Kronecker graphs, which are random graphs with skewed degrees, and a table from which their edges
// are drawn.

#include "atoll/graph/edge.hpp"
#include "atoll/graph/generator.hpp"

#include <array>
#include <cstdint>

namespace atl::graph {

// Draws four levels of the recursion at once: the result is one of 16 x 16 blocks of the adjacency
// matrix. The alias method (Walker, 1977) uses a table of equally likely columns, and each column
// has at most two outcomes. A draw is one table lookup and one comparison.

/// The table for one choice of probabilities.
class quadrant_table {
 public:
  static constexpr unsigned levels = 4;
  static constexpr unsigned random_bits = 32;

  /// One of 16 x 16 blocks of the adjacency matrix, by its row and column.
  struct block {
    std::uint8_t row;
    std::uint8_t column;
  };

  /// Makes the table from the probabilities of three quadrants. The fourth quadrant has the
  /// remaining probability.
  constexpr quadrant_table(double a, double b, double c) {
    const std::array<double, 4> quadrants = {a, b, c, 1 - a - b - c};
    std::array<double, outcomes> share{};
    for (unsigned outcome = 0; outcome < outcomes; ++outcome) {
      share[outcome] = outcomes;
      for (unsigned rest = outcome, i = 0; i < levels; ++i, rest /= 4) {
        share[outcome] *= quadrants[rest % 4];
      }
    }
    fill(share);
  }

  /// Returns the block for 32 random bits.
  constexpr block operator()(std::uint32_t random) const {
    const entry& column = entries_[random % outcomes];
    return column.blocks[random / outcomes >= column.threshold];
  }

 private:
  static constexpr unsigned outcomes = 1u << (2 * levels);

  struct entry {
    // The first outcome has the probability threshold / 2^24, and the second outcome has the
    // remaining probability.
    std::uint32_t threshold;
    std::array<block, 2> blocks;
  };

  // Returns the block of an outcome. An outcome is a string of quadrants with two bits each: a bit
  // of the row, and a bit of the column.
  static constexpr block block_of(unsigned outcome) {
    block result{0, 0};
    for (unsigned i = 0; i < levels; ++i, outcome /= 4) {
      result.row = static_cast<std::uint8_t>(result.row | (outcome / 2 % 2) << i);
      result.column = static_cast<std::uint8_t>(result.column | outcome % 2 << i);
    }
    return result;
  }

  // Columns whose outcome has too little probability are filled with parts of outcomes that have
  // too much.
  constexpr void fill(std::array<double, outcomes>& share) {
    std::array<unsigned, outcomes> poor{}, rich{};
    unsigned poor_count = 0, rich_count = 0;
    for (unsigned i = 0; i < outcomes; ++i) {
      share[i] < 1 ? poor[poor_count++] = i : rich[rich_count++] = i;
    }
    while (poor_count > 0 && rich_count > 0) {
      const auto small = poor[--poor_count], large = rich[rich_count - 1];
      set(small, share[small], large);
      share[large] -= 1 - share[small];
      if (share[large] < 1) poor[poor_count++] = rich[--rich_count];
    }
    while (rich_count > 0) set(rich[--rich_count], 1, 0);
    while (poor_count > 0) set(poor[--poor_count], 1, 0);
  }

  constexpr void set(unsigned outcome, double share, unsigned other) {
    const auto threshold = static_cast<std::uint32_t>(share * 0x1p24);
    entries_[outcome] = {threshold, {block_of(outcome), block_of(other)}};
  }

  std::array<entry, outcomes> entries_{};
};

}  // namespace atl::graph

// The Kronecker graphs of the Graph500 benchmark. The adjacency matrix is recursively split into
// quadrants, and an edge falls into each quadrant with a fixed probability.
namespace atl {

/// Generates edges. The function object is cheap to copy.
class kronecker_generator {
 public:
  /// The probabilities of three quadrants. The fourth quadrant has the remaining probability.
  static constexpr double a = 0.57, b = 0.19, c = 0.19;

  /// Makes a generator. Throws `error` (input) if a parameter is out of range.
  explicit kronecker_generator(const generator_parameters& parameters);

  /// Returns the edge with the number `index`, which is less than parameters.edges().
  edge operator()(std::uint64_t index) const {
    const edge plain = in_order(index);
    return {scramble_(plain.from), scramble_(plain.to)};
  }

  /// Returns the edge with the number `index`, before the vertices are renumbered at random.
  edge in_order(std::uint64_t index) const {
    edge result{0, 0};
    for (auto word = index * words_; word < (index + 1) * words_; ++word) {
      const auto random = random_at(key_, word);
      descend(result, static_cast<std::uint32_t>(random));
      descend(result, static_cast<std::uint32_t>(random >> 32));
    }
    return {result.from >> excess_, result.to >> excess_};
  }

 private:
  static constexpr graph::quadrant_table table_{a, b, c};
  static constexpr unsigned levels_a_word = 2 * graph::quadrant_table::levels;

  static void descend(edge& e, std::uint32_t random) {
    const auto block = table_(random);
    e.from = e.from << graph::quadrant_table::levels | block.row;
    e.to = e.to << graph::quadrant_table::levels | block.column;
  }

  std::uint64_t words_;
  // Number of drawn levels that exceed the scale. The last levels are dropped, so the distribution
  // of the first levels is unchanged.
  unsigned excess_;
  std::uint64_t key_;
  scramble scramble_;
};

/// Returns a single edge. To generate many edges, a program should keep a kronecker_generator.
inline edge kronecker_edge(const generator_parameters& parameters, std::uint64_t index) {
  return kronecker_generator(parameters)(index);
}

}  // namespace atl
