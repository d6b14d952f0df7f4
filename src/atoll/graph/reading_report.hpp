#pragma once
// Reports on a file that all PEs have read: the first of its errors, or remarks on how it was
// understood.

#include "atoll/error.hpp"
#include "atoll/task.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace atl::graph {

// This part finds the first error, by line, among the errors of all PEs in one file.

/// Returns, on every PE, the error whose message "FILE:LINE:COLUMN: sentence" has the smallest
/// line. Returns nothing if no PE has an error. An error of the file as a whole precedes errors in
/// lines. Every PE calls this function and waits.
task<std::optional<error>> all_first_error(const std::string& file,
                                           const std::optional<error>& mine);

/// Awaits `read()`, a coroutine that makes no collective calls, on every PE. If `read()` throws on
/// any PE, this function throws the first error of the file on all PEs. Every PE calls this
/// function and waits.
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

// This part makes remarks on how a file was understood, in cases that might surprise the user.

/// Numbers that are summed over all parts of a file.
struct read_counts {
  std::uint64_t edges = 0;
  /// Number of lines with an edge that do not have as many columns as the first such line.
  std::uint64_t uneven_lines = 0;
  std::uint64_t words = 0;  ///< number of endpoints that are not integers

  friend read_counts operator+(const read_counts& a, const read_counts& b) {
    return {a.edges + b.edges, a.uneven_lines + b.uneven_lines, a.words + b.words};
  }
};

/// Adds a sentence about uneven lines and a sentence about words, if the file has any. `uneven`
/// describes the first uneven line of the file, and `word` describes the first word.
void add_remarks(std::vector<std::string>& remarks, const read_counts& counts,
                 const std::optional<error>& uneven, const std::optional<error>& word);

/// Returns a remark that vertex 0 has no edge, because the smallest id in the file is 1.
std::string remark_on_first_id(const std::string& path);

}  // namespace atl::graph
