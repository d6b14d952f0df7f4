#pragma once
// A tile of a matrix, and operations on tiles. The operations are plain loops, which a compiler can
// vectorise.

#include <cmath>
#include <cstddef>

namespace cholesky {

inline constexpr std::size_t k_side = 64;

/// A tile, stored column by column.
struct alignas(64) tile {
  double at[k_side][k_side];
};

/// Replaces `a` by its lower factor.
inline void factor(tile& a) {
  for (std::size_t column = 0; column < k_side; ++column) {
    for (std::size_t before = 0; before < column; ++before) {
      const double by = a.at[before][column];
      for (std::size_t row = column; row < k_side; ++row)
        a.at[column][row] -= by * a.at[before][row];
    }
    const double diagonal = std::sqrt(a.at[column][column]);
    for (std::size_t row = column; row < k_side; ++row) a.at[column][row] /= diagonal;
  }
}

/// Divides `a` by the transpose of the lower factor `l`.
inline void divide(tile& a, const tile& l) {
  for (std::size_t column = 0; column < k_side; ++column) {
    for (std::size_t before = 0; before < column; ++before) {
      const double by = l.at[before][column];
      for (std::size_t row = 0; row < k_side; ++row) a.at[column][row] -= by * a.at[before][row];
    }
    const double by = 1 / l.at[column][column];
    for (std::size_t row = 0; row < k_side; ++row) a.at[column][row] *= by;
  }
}

/// Subtracts the product of `a` and the transpose of `b` from `c`.
inline void subtract_product(tile& c, const tile& a, const tile& b) {
  for (std::size_t column = 0; column < k_side; ++column) {
    for (std::size_t p = 0; p < k_side; ++p) {
      const double by = b.at[p][column];
      for (std::size_t row = 0; row < k_side; ++row) c.at[column][row] -= by * a.at[p][row];
    }
  }
}

}  // namespace cholesky
