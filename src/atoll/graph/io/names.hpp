#pragma once
// Names of vertices as files have them: at the ends of edges, or in a file of their own.

#include "atoll/graph/io/byte_streams.hpp"
#include "atoll/graph/io/line_blocks.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace atl::graph {

// Numbers names: each different one in the order in which it first appears.

class name_dictionary {
 public:
  /// The number of the name, a new one if it was not seen before.
  std::uint64_t number_of(std::string_view name);

  /// The names by number; the dictionary is empty afterwards.
  std::vector<std::string> take() &&;

 private:
  // A slot of the hash table holds a number + 1 and, above it, bits of the hash; 0 if it is free.
  using slot = std::uint64_t;
  static constexpr unsigned number_bits = 40;

  static slot slot_of(std::uint64_t number, std::uint64_t hash);
  static std::uint64_t number_in(slot used);
  bool holds(slot used, std::string_view name, std::uint64_t hash) const;
  void grow();

  std::vector<std::string> names_;
  std::vector<slot> slots_;  // a power of two, at most half of them used
};

}  // namespace atl::graph

// Names of vertices from a file of their own: line i, from 0 on, names vertex i. The file may be
// compressed; a blank line is a vertex without a name.
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
