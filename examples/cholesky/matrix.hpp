#pragma once
// A symmetric matrix whose lower half is stored in tiles on all PEs, and checks of its factor.

#include "tile.hpp"

#include <algorithm>
#include <atoll/atoll.hpp>
#include <cmath>
#include <vector>

namespace cholesky {

/// Returns the element of the matrix in this row and column. Elements are random, but elements on
/// the diagonal are so large that a factor exists.
inline double element(std::size_t row, std::size_t column, std::size_t rows) {
  const auto [first, last] = std::minmax(row, column);
  const auto random = static_cast<double>(atl::hash(first * rows + last) >> 11) * 0x1p-53;
  return random - 0.5 + (row == column ? static_cast<double>(rows) : 0);
}

/// Returns the number of a tile. The tiles of the lower half are numbered row by row.
inline std::size_t number_of(std::size_t row, std::size_t column) {
  return row * (row + 1) / 2 + column;
}

/// Calls `visit(row, column)` for each tile of the lower half.
template <class Visit>
void for_each_tile(std::size_t side, const Visit& visit) {
  for (std::size_t row = 0; row < side; ++row)
    for (std::size_t column = 0; column <= row; ++column) visit(row, column);
}

inline void fill(tile& to, std::size_t row, std::size_t column, std::size_t rows) {
  for (std::size_t i = 0; i < k_side; ++i)
    for (std::size_t j = 0; j < k_side; ++j)
      to.at[j][i] = element(row * k_side + i, column * k_side + j, rows);
}

/// A handle of the matrix. The tiles are assigned to the PEs in turn (round-robin). Each PE also
/// has memory for copies of the tiles of other PEs.
struct matrix {
  std::size_t side = 0;  ///< number of tiles in a row of the matrix
  std::size_t tiles = 0;
  atl::global_array<tile> own;
  atl::global_array<tile> copies;

  static atl::task<matrix> make(std::size_t side) {
    matrix made;
    made.side = side;
    made.tiles = side * (side + 1) / 2;
    const auto pes = static_cast<std::size_t>(atl::pes());
    made.own = co_await atl::make_array<tile>(made.tiles, atl::array_options(1));
    made.copies = co_await atl::make_array<tile>(pes * made.tiles);
    co_return made;
  }
  atl::task<> destroy() const {
    co_await own.destroy();
    co_await copies.destroy();
  }

  std::size_t rows() const { return side * k_side; }
  bool is_mine(std::size_t row, std::size_t column) const {
    return own[number_of(row, column)].is_local();
  }

  /// Returns a tile of this PE.
  tile& mine(std::size_t row, std::size_t column) const {
    return *own[number_of(row, column)].local();
  }

  /// Returns the index at which PE `pe` stores its copy of a tile that another PE owns.
  std::size_t copy_on(int pe, std::size_t number) const {
    return static_cast<std::size_t>(pe) * tiles + number;
  }

  tile& copy(std::size_t row, std::size_t column) const {
    return *copies[copy_on(atl::my_pe(), number_of(row, column))].local();
  }

  /// Returns the tile on this PE: its own tile, or the copy.
  const tile& here(std::size_t row, std::size_t column) const {
    return is_mine(row, column) ? mine(row, column) : copy(row, column);
  }
};

/// Fills the tiles of this PE, and clears the copies of other tiles.
inline atl::task<> fill(matrix all) {
  for (std::size_t row = 0; row < all.side; ++row) {
    for (std::size_t column = 0; column <= row; ++column) {
      if (all.is_mine(row, column))
        fill(all.mine(row, column), row, column, all.rows());
      else
        all.copy(row, column) = {};
    }
    co_await atl::yield();
  }
}

/// Returns the factor, which this PE computes alone.
inline atl::task<std::vector<tile>> factor_alone(std::size_t side) {
  std::vector<tile> all(number_of(side, 0));
  const auto at = [&](std::size_t row, std::size_t column) -> tile& {
    return all[number_of(row, column)];
  };
  for_each_tile(side, [&](std::size_t row, std::size_t column) {
    fill(at(row, column), row, column, side * k_side);
  });
  for (std::size_t k = 0; k < side; ++k) {
    factor(at(k, k));
    for (std::size_t i = k + 1; i < side; ++i) divide(at(i, k), at(k, k));
    for (std::size_t j = k + 1; j < side; ++j)
      for (std::size_t i = j; i < side; ++i) subtract_product(at(i, j), at(i, k), at(j, k));
    co_await atl::yield();  // lets the PE handle its messages
  }
  co_return all;
}

/// Calls `visit(row, column, element)` for each element of a lower factor.
template <class Visit>
void for_each_element(const std::vector<tile>& all, std::size_t side, const Visit& visit) {
  for_each_tile(side, [&](std::size_t row, std::size_t column) {
    const tile& here = all[number_of(row, column)];
    for (std::size_t j = 0; j < k_side; ++j)
      for (std::size_t i = row == column ? j : 0; i < k_side; ++i)
        visit(row * k_side + i, column * k_side + j, here.at[j][i]);
  });
}

/// Returns the largest difference of two factors.
inline double difference(const std::vector<tile>& a, const std::vector<tile>& b, std::size_t side) {
  double largest = 0;
  for_each_element(a, side, [&](std::size_t i, std::size_t j, double l) {
    const tile& other = b[number_of(i / k_side, j / k_side)];
    largest = std::max(largest, std::abs(l - other.at[j % k_side][i % k_side]));
  });
  return largest;
}

/// Returns the difference between the product of the factor with its transpose and the matrix,
/// relative to the diagonal. Both are multiplied by a vector, and the results are compared.
inline atl::task<double> residual(const std::vector<tile>& all, std::size_t side) {
  const std::size_t rows = side * k_side;
  std::vector<double> x(rows);
  std::vector<double> half(rows);
  std::vector<double> whole(rows);
  for (std::size_t i = 0; i < rows; ++i) x[i] = std::sin(static_cast<double>(i + 1));
  for_each_element(all, side, [&](std::size_t i, std::size_t j, double l) { half[j] += l * x[i]; });
  for_each_element(all, side,
                   [&](std::size_t i, std::size_t j, double l) { whole[i] += l * half[j]; });
  double largest = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    double expected = 0;
    for (std::size_t j = 0; j < rows; ++j) expected += element(i, j, rows) * x[j];
    largest = std::max(largest, std::abs(whole[i] - expected));
    if (i % k_side == 0) co_await atl::yield();
  }
  co_return largest / static_cast<double>(rows);
}

}  // namespace cholesky
