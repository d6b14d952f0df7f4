#pragma once
// Of the errors that PEs meet in one file, the first by its line, on every PE.

#include "atoll/error.hpp"
#include "atoll/task.hpp"

#include <optional>
#include <string>

namespace atl::graph {

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

}  // namespace atl::graph
