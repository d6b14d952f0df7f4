#pragma once
// What is said of how a file was understood, where that might surprise its reader.

#include "atoll/error.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace atl::graph {

/// What all parts of a file together have.
struct read_counts {
  std::uint64_t edges = 0;
  std::uint64_t uneven_lines = 0;  ///< with another number of columns than the first
  std::uint64_t words = 0;         ///< ends that are no integers

  friend read_counts operator+(const read_counts& a, const read_counts& b) {
    return {a.edges + b.edges, a.uneven_lines + b.uneven_lines, a.words + b.words};
  }
};

/// Adds sentences for what there is. The errors are of the first uneven line and the first word of
/// the file.
void add_remarks(std::vector<std::string>& remarks, const read_counts& counts,
                 const std::optional<error>& uneven, const std::optional<error>& word);

/// That vertex 0 has no edge, as the smallest id of the file is 1.
std::string remark_on_first_id(const std::string& path);

}  // namespace atl::graph
