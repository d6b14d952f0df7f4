#pragma once
// Properties of a file that are known before it is opened: its format by name, the part to read,
// and the options of reading.

#include "atoll/graph_files.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace atl {

// What the name of a file tells, besides the functions in graph_files.hpp.

/// Returns the format that the name tells, like `file_format_of`. Returns nothing if the name tells
/// no format.
std::optional<file_format> format_in_name(std::string_view path);

/// Returns the ending without its dot, or an empty text if there is none. The ending of a
/// compression is removed before.
std::string_view ending_of_content(std::string_view path);

// The part of a file to read, and the options.

/// A neighbour of a vertex, in a file that lists each edge at both of its ends.
struct seen_end {
  std::uint64_t vertex;
  std::uint64_t neighbour;
  std::int64_t weight;  ///< 0 if edges have no weights
  /// Whether this entry gives the edge, and the entry at the other end does not.
  bool is_edge;
};

struct read_options : input_form {
  static constexpr std::size_t usual_longest_line = std::size_t{1} << 20;

  /// The path of the content, if the content is not at the path of the file. Messages name the path
  /// of the file.
  std::string content = {};
  /// The ends of a .tsv file are read as names, even if all of them are integers.
  bool all_names = false;
  /// The largest number of bytes in a line, with its end. A longer line is an error. Text is parsed
  /// in blocks of this size.
  std::size_t longest_line = usual_longest_line;
  /// Longer lines are allowed. They take as much memory as they need.
  bool any_length = false;
  /// A function that observes the entries of edges that are listed at both ends. If it is set,
  /// edges are not collected. If it returns true, the reader reports an error at the entry.
  std::function<bool(const seen_end&)> look_at_end = {};
  /// The caller takes the edges of each block before it reads the next block
  /// (`edge_reader::hand_over`).
  bool by_blocks = false;
};

/// One part of a file: the number of the part, and the number of all parts.
struct file_part {
  std::string path;
  std::uint64_t part = 0;
  std::uint64_t parts = 1;
  read_options options = {};
};

}  // namespace atl
