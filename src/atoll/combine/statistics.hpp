#pragma once

#include "atoll/base/bits.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace atl {

/// What the operations on a global structure became, on one PE or on all. The master is the PE that
/// holds what all must agree on.
struct combining_statistics {
  static constexpr std::size_t k_sizes = 18;

  std::uint64_t operations = 0;                      ///< merged on the PE of their tasks
  std::uint64_t matched_pairs = 0;                   ///< pairs that answered each other
  std::uint64_t commits = 0;                         ///< of the other operations
  std::array<std::uint64_t, k_sizes> batch_sizes{};  ///< commits of 2^i and less than 2^(i+1)
  std::uint64_t requests_at_master = 0;              ///< that came to the master to be combined
  std::uint64_t commits_of_master = 0;               ///< of those requests

  double operations_per_commit() const { return ratio(operations, commits); }
  double requests_combined_at_master() const {
    return ratio(requests_at_master, commits_of_master);
  }

  void add_batch(std::uint64_t size) {
    ++commits;
    ++batch_sizes[std::min<std::size_t>(floor_log2(size), k_sizes - 1)];
  }

  /// Takes away what was counted before.
  void subtract(const combining_statistics& before) { combine_with(before, ~std::uint64_t{0}); }

  void add(const combining_statistics& other) { combine_with(other, 1); }

 private:
  // Unsigned numbers wrap, so that the sign may be all ones.
  void combine_with(const combining_statistics& other, std::uint64_t sign) {
    operations += sign * other.operations;
    matched_pairs += sign * other.matched_pairs;
    commits += sign * other.commits;
    for (std::size_t i = 0; i < k_sizes; ++i) batch_sizes[i] += sign * other.batch_sizes[i];
    requests_at_master += sign * other.requests_at_master;
    commits_of_master += sign * other.commits_of_master;
  }

  static double ratio(std::uint64_t parts, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(parts) / static_cast<double>(whole);
  }
};

}  // namespace atl
