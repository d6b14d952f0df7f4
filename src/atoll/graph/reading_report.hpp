#pragma once
// Reports on a file that was read: the first of its errors, or remarks on how it was understood.

#include "atoll/error.hpp"
#include "atoll/task.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace atl::graph {

// Selection of the first error, by line, among the errors of all PEs in one file.

/// Returns, on every PE, the error with the smallest line in "FILE:LINE:COLUMN: sentence", or
/// nothing if no PE has one. An error of the file as a whole comes first. Every PE calls it, and
/// waits.
task<std::optional<error>> all_first_error(const std::string& file,
                                           const std::optional<error>& mine);

/// Awaits `read()`, a coroutine without collectives, on every PE. If it throws on any PE, all PEs
/// throw. Every PE calls it, and waits.
template <class Read>
task<> all_or_none(const std::string& file, Read read) {
  std::optional<error> failure;
  try {
    co_await read();
  } catch (const error& e) {
    failure = e;
  }
  const auto first = co_await all_first_error(file, failure);
  if (first) throw *first;
}

// Remarks on how a file was understood, if that might surprise the user.

/// Counts of all parts of a file together.
struct read_counts {
  std::uint64_t edges = 0;
  std::uint64_t uneven_lines = 0;  ///< with another number of columns than the first
  std::uint64_t words = 0;         ///< ends that are no integers

  friend read_counts operator+(const read_counts& a, const read_counts& b) {
    return {a.edges + b.edges, a.uneven_lines + b.uneven_lines, a.words + b.words};
  }
};

/// Adds sentences for the counts that are not 0. The errors are those of the first uneven line and
/// of the first word of the file.
void add_remarks(std::vector<std::string>& remarks, const read_counts& counts,
                 const std::optional<error>& uneven, const std::optional<error>& word);

/// Returns the remark that vertex 0 has no edge, because the smallest id of the file is 1.
std::string remark_on_first_id(const std::string& path);

}  // namespace atl::graph
