#pragma once
// Which part of which file to read, and how.

#include "atoll/graph/io/file_format.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace atl {

struct read_options {
  static constexpr std::size_t usual_longest_line = std::size_t{1} << 20;

  /// What the file holds; by default its name says it.
  std::optional<file_format> format;
  /// The ends of a .tsv file are names even where all of them are integers.
  bool all_names = false;
  /// In bytes, with its end; a longer line is an error. Also how much text is parsed at a time.
  std::size_t longest_line = usual_longest_line;
  /// A longer line is none: it takes the memory it needs.
  bool any_length = false;
};

/// One part of a file: which, of how many.
struct file_part {
  std::string path;
  std::uint64_t part = 0;
  std::uint64_t parts = 1;
  read_options options = {};
};

}  // namespace atl
