#pragma once
// Properties of a file that readers know before they open it: its format by name, and the part and
// the options of reading.

#include "atoll/graph_files.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace atl {

// Questions of readers to the name of a file besides its format (graph_files.hpp).

/// Returns the format in a name, like `file_format_of`, or nothing if the name does not determine
/// it.
std::optional<file_format> format_in_name(std::string_view path);

/// Returns the ending without its dot, before that of a compression, or "" if there is none.
std::string_view ending_of_content(std::string_view path);

// The part of a file to read, and the options.

/// A neighbour of a vertex, in a file that lists each edge at both of its ends.
struct seen_end {
  std::uint64_t vertex;
  std::uint64_t neighbour;
  std::int64_t weight;  ///< 0 where edges have none
  bool is_edge;         ///< this end is the one that gives the edge
};

struct read_options : input_form {
  static constexpr std::size_t usual_longest_line = std::size_t{1} << 20;

  /// The place of the content, if it is not the path of the file; messages name the path.
  std::string content = {};
  /// The ends of a .tsv file are names even if all of them are integers.
  bool all_names = false;
  /// Limit of a line in bytes, with its end; a longer line is an error. Text is parsed in blocks of
  /// this size.
  std::size_t longest_line = usual_longest_line;
  /// Longer lines are allowed, and take the memory that they need.
  bool any_length = false;
  /// Observes the ends of edges that are listed at both of them; the edges are not collected then.
  /// If it returns true, that is an error at the place of the end.
  std::function<bool(const seen_end&)> look_at_end = {};
  /// The caller takes the edges of a block before it reads the next (`edge_reader::hand_over`).
  bool by_blocks = false;
};

/// One part of a file: which, of how many.
struct file_part {
  std::string path;
  std::uint64_t part = 0;
  std::uint64_t parts = 1;
  read_options options = {};
};

}  // namespace atl
