#pragma once
// Reads and numbers the names of vertices. In a file, a name is an endpoint of an edge, or a line
// of a separate file.

#include "atoll/graph/io/byte_streams.hpp"
#include "atoll/graph/io/line_blocks.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace atl::graph {

// Numbers distinct names in the order of their first appearance.

class name_dictionary {
 public:
  /// Returns the number of the name. If the name was not seen before, it gets a new number.
  std::uint64_t number_of(std::string_view name);

  /// Returns the names in the order of their numbers, and empties the dictionary.
  std::vector<std::string> take() &&;

 private:
  // A slot of the hash table: a number + 1 and, in the upper bits, a part of the hash. A free slot
  // is 0.
  using slot = std::uint64_t;
  static constexpr unsigned number_bits = 40;

  static slot slot_of(std::uint64_t number, std::uint64_t hash);
  static std::uint64_t number_in(slot used);
  bool holds(slot used, std::string_view name, std::uint64_t hash) const;
  void grow();

  std::vector<std::string> names_;
  // The number of slots is a power of two, and at most half of the slots are used.
  std::vector<slot> slots_;
};

}  // namespace atl::graph

// Names of vertices in a separate file: line i, counted from 0, is the name of vertex i. A file of
// names may be compressed. A blank line means that the vertex has no name.
namespace atl {

using name_visitor = std::function<void(std::uint64_t vertex, std::string_view name)>;

/// Reads the names block by block. Between blocks, the caller can do other work.
class name_reader {
 public:
  /// Opens the file at `content`, or at `path` if `content` is empty. Throws the errors of
  /// `for_each_name`.
  explicit name_reader(const std::string& path, const std::string& content = "");

  /// Calls `visit(vertex, name)` for every line of the next block. Returns false if no block is
  /// left. Throws the errors of `for_each_name`.
  bool read_some(const name_visitor& visit);

 private:
  graph::input_file file_;
  graph::line_blocks blocks_;
  std::uint64_t vertex_ = 0;
};

/// Calls `visit(vertex, name)` for every line, so that a PE can store only the names of its
/// vertices. Throws `error` (input) with the message "FILE:LINE:COLUMN: sentence" for an invalid
/// line.
void for_each_name(const std::string& path, const name_visitor& visit);

}  // namespace atl
