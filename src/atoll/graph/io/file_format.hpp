#pragma once
// Properties of a file that are known before it is opened: the format that its name tells, the part
// to read, and the options of reading.

#include "atoll/graph_files.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace atl {

// The next functions interpret the name of a file, like functions of graph_files.hpp.

/// Returns the format that the name tells, like `file_format_of`. Returns nothing if the name tells
/// no format.
std::optional<file_format> format_in_name(std::string_view path);

/// Returns the ending of a path without its dot, or an empty text if there is none. The ending of a
/// compression, such as .gz, is ignored.
std::string_view ending_of_content(std::string_view path);

// This part declares the part of a file to read, and the options of reading.

/// An entry of a file that lists each edge at both of its endpoints: a neighbour of a vertex.
struct seen_end {
  std::uint64_t vertex;
  std::uint64_t neighbour;
  std::int64_t weight;  ///< 0 if edges have no weights
  /// Whether the edge is made from this entry, so that the entry at the other endpoint only
  /// confirms the edge.
  bool is_edge;
};

struct read_options : input_form {
  static constexpr std::size_t usual_longest_line = std::size_t{1} << 20;

  /// The path from which the content is read, if it differs from the path of the file. Messages
  /// contain the path of the file.
  std::string content = {};
  /// Whether the endpoints in a .tsv file are read as names, even if all of them are integers.
  bool all_names = false;
  /// The largest number of bytes in a line, with its end. A longer line is an error. Text is parsed
  /// in blocks of this size.
  std::size_t longest_line = usual_longest_line;
  /// Whether lines longer than `longest_line` are allowed. A longer line takes as much memory as it
  /// needs.
  bool any_length = false;
  /// A function that observes the entries of edges that are listed at both endpoints. If the
  /// function is set, the reader calls it instead of collecting edges. If the function returns
  /// true, the reader reports an error at the entry.
  std::function<bool(const seen_end&)> look_at_end = {};
  /// Whether the caller takes the edges of each block before it reads the next block
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
