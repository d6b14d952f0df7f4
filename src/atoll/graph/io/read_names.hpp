#pragma once
// Names of vertices from a file of their own: line i, from 0 on, names vertex i. The file may be
// compressed; a blank line is a vertex without a name.

#include "atoll/graph/io/input_file.hpp"
#include "atoll/graph/io/line_blocks.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace atl {

using name_visitor = std::function<void(std::uint64_t vertex, std::string_view name)>;

/// Reads the names block by block, for who does something else in between.
class name_reader {
 public:
  /// `content` is where the content of the file stands; "": there. Throws `error` (input), as
  /// `for_each_name` does.
  explicit name_reader(const std::string& path, const std::string& content = "");

  /// Calls `visit(vertex, name)` for every line of the next block; false when there is none left.
  /// Throws as `for_each_name` does.
  bool read_some(const name_visitor& visit);

 private:
  graph::input_file file_;
  graph::line_blocks blocks_;
  std::uint64_t vertex_ = 0;
};

/// Calls `visit(vertex, name)` for every line, so that a PE can keep the names of its vertices
/// only. Throws `error` (input) "FILE:LINE:COLUMN: sentence" for what it cannot read.
void for_each_name(const std::string& path, const name_visitor& visit);

}  // namespace atl
