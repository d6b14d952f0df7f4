#pragma once
// Draws four levels of a Kronecker graph at once: which of the 16 x 16 blocks of the matrix an edge
// falls into. The alias method (A. J. Walker, 1977): a table of equally likely columns, each shared
// by at most two outcomes, so that a draw is one look-up and one comparison.

#include <array>
#include <cstdint>

namespace atl::graph {

/// The table of all draws for one choice of probabilities.
class quadrant_table {
 public:
  static constexpr unsigned levels = 4;
  static constexpr unsigned random_bits = 32;

  /// A row and a column of blocks, both below 16.
  struct block {
    std::uint8_t row;
    std::uint8_t column;
  };

  /// The probabilities of three quadrants; the fourth has the rest to 1.
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

  /// The block for 32 random bits.
  constexpr block operator()(std::uint32_t random) const {
    const entry& column = entries_[random % outcomes];
    return column.blocks[random / outcomes >= column.threshold];
  }

 private:
  static constexpr unsigned outcomes = 1u << (2 * levels);

  struct entry {
    std::uint32_t threshold;  // of 2^24: below it the first outcome, else the second
    std::array<block, 2> blocks;
  };

  // An outcome is a string of quadrants, two bits each: row bit, column bit.
  static constexpr block block_of(unsigned outcome) {
    block result{0, 0};
    for (unsigned i = 0; i < levels; ++i, outcome /= 4) {
      result.row = static_cast<std::uint8_t>(result.row | (outcome / 2 % 2) << i);
      result.column = static_cast<std::uint8_t>(result.column | outcome % 2 << i);
    }
    return result;
  }

  // Outcomes with less than a column's worth of probability are filled up from those with more.
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
