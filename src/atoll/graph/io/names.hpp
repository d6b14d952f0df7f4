#pragma once
// Names of vertices in files: at the ends of edges, or in a separate file.

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
  /// Returns the number of the name, a new one if it was not seen before.
  std::uint64_t number_of(std::string_view name);

  /// Returns the names by number; the dictionary is empty afterwards.
  std::vector<std::string> take() &&;

 private:
  // A slot of the hash table has a number + 1 and, above it, bits of the hash; it is 0 if free.
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

// Names of vertices from a separate file: line i, from 0 on, names vertex i. The file may be
// compressed; a blank line is a vertex without a name.
namespace atl {

using name_visitor = std::function<void(std::uint64_t vertex, std::string_view name)>;

/// Reads the names block by block; between blocks the caller can do other work.
class name_reader {
 public:
  /// Opens the file. `content` is the place of its content, or "" for `path`. Throws `error`
  /// (input) like `for_each_name`.
  explicit name_reader(const std::string& path, const std::string& content = "");

  /// Calls `visit(vertex, name)` for every line of the next block. Returns false if there is none
  /// left. Throws like `for_each_name`.
  bool read_some(const name_visitor& visit);

 private:
  graph::input_file file_;
  graph::line_blocks blocks_;
  std::uint64_t vertex_ = 0;
};

/// Calls `visit(vertex, name)` for every line, so that a PE can keep only the names of its
/// vertices. Throws `error` (input) "FILE:LINE:COLUMN: sentence" for an invalid line.
void for_each_name(const std::string& path, const name_visitor& visit);

}  // namespace atl
