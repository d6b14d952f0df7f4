#pragma once
// Writes histories as text, so that another program can decide them.

#include "linearizability/history.hpp"

#include <cstdio>
#include <cstdlib>
#include <fmt/os.h>

namespace atl::test {

/// If the environment variable ATOLL_HISTORIES names a file, appends the history and the verdict of
/// the test to this file. The file porcupine/main.go describes the format.
inline void note(discipline order, bool is_right, std::span<const operation> all) {
  const char* const path = std::getenv("ATOLL_HISTORIES");
  if (path == nullptr) return;
  auto file = fmt::output_file(path, fmt::file::WRONLY | fmt::file::CREATE | fmt::file::APPEND);
  file.print("{} {} {}\n", order == discipline::stack ? "stack" : "queue",
             is_right ? "right" : "wrong", all.size());
  for (const auto& one : all) {
    const char* const kind = one.is_push ? "push" : one.is_empty ? "empty" : "pop";
    file.print("{} {} {} {} {}\n", one.begin, one.end, kind, one.value, one.pe);
  }
}

}  // namespace atl::test
