#pragma once
// What is said of a file that was read: the first of its errors, or remarks on how it was
// understood.

#include "atoll/error.hpp"
#include "atoll/task.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace atl::graph {

// Of the errors that PEs meet in one file, the first by its line, on every PE.

/// The error with the smallest line in "FILE:LINE:COLUMN: sentence", on every PE; nothing where no
/// PE has one. An error of the file as a whole comes first. Every PE calls it. Blocks the task.
task<std::optional<error>> all_first_error(const std::string& file,
                                           const std::optional<error>& mine);

/// Awaits `read()`, a coroutine without collectives, on every PE; if it throws on any, then on all.
/// Every PE calls it. Blocks the task.
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

// What is said of how a file was understood, where that might surprise its reader.

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
