#pragma once
// Which part of which file to read, and how.

#include "atoll/graph_files.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace atl {

/// A neighbour of a vertex, in a file where each edge stands at both of its ends.
struct seen_end {
  std::uint64_t vertex;
  std::uint64_t neighbour;
  std::int64_t weight;  ///< 0 where edges have none
  bool is_edge;         ///< this end is the one that gives the edge
};

struct read_options : input_form {
  static constexpr std::size_t usual_longest_line = std::size_t{1} << 20;

  /// Where the content stands, if not at the path of the file, which messages name.
  std::string content = {};
  /// The ends of a .tsv file are names even where all of them are integers.
  bool all_names = false;
  /// In bytes, with its end; a longer line is an error. Also how much text is parsed at a time.
  std::size_t longest_line = usual_longest_line;
  /// A longer line is none: it takes the memory it needs.
  bool any_length = false;
  /// Sees the ends of edges that stand at both of them, which are not collected then; where it
  /// returns true, that is an error with its place.
  std::function<bool(const seen_end&)> look_at_end = {};
  /// Whoever reads takes the edges of a block before it reads the next (`edge_reader::hand_over`).
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
