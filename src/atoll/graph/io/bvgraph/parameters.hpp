#pragma once
// The files of a BVGraph, and the properties of the graph and of its bit streams.

#include "atoll/graph/io/bvgraph/codes.hpp"
#include "atoll/graph/io/file_format.hpp"
#include "atoll/graph_files.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace atl::graph::bvgraph {

// The files of a BVGraph, whose names differ only in the ending.

struct files {
  /// Makes the names from `graph.graph`, or from `graph` alone.
  explicit files(std::string_view name) {
    const auto all = files_of(std::string(name), edge_format::bvgraph);
    graph = all[0];
    properties = all[1];
    offsets = all[2];
  }

  std::string graph;       ///< a stream of lists
  std::string properties;  ///< what one must know to read it
  std::string offsets;     ///< a stream of where the lists begin; may be missing
};

// Files of properties in the format of Java.

struct property {
  std::string name;
  std::string value;
  std::uint64_t line = 0;  ///< where it begins, from 1 on
};

/// The properties in a text. Name and value are separated by `=`, `:` or blanks; `#` and `!` begin
/// comments. A backslash continues a line, or begins an escape: \t \n \r \f, \uXXXX, and others
/// stand for themselves. Names and values are UTF-8. The last of several values of a name counts.
class java_properties {
 public:
  /// Parses a text. `path` is for errors. Throws `error` (input) "FILE:LINE: sentence" for an
  /// invalid escape.
  java_properties(std::string path, std::string_view text);

  const std::string& path() const { return path_; }

  /// Returns the property of this name, or null. The pointer is valid as long as this object.
  const property* find(std::string_view name) const;

 private:
  void add(std::string_view logical_line, std::uint64_t number);
  std::string unescaped(std::string_view text, std::uint64_t number) const;

  std::string path_;
  std::vector<property> all_;
};

/// Reads the properties of a file. Throws `error` (input), also for a file of more than 1 MiB.
java_properties read_properties(const std::string& path);

// Properties of a BVGraph that describe its graph and its bit streams.

struct parameters {
  static constexpr std::uint64_t largest_window = bvgraph_lists::largest_window;
  static constexpr std::uint64_t largest_zeta = bvgraph_lists::largest_zeta;
  static constexpr std::uint64_t largest_number = bvgraph_lists::largest_number;

  std::uint64_t nodes = 0;
  std::uint64_t arcs = 0;
  std::uint64_t window = 7;          ///< largest distance to the node of a referred list
  std::uint64_t max_references = 3;  ///< length of a chain of references; readers ignore it
  std::uint64_t min_interval = 4;    ///< the shortest interval; 0: there are none
  std::uint64_t zeta = 3;            ///< k of zeta, or the modulus of golomb

  code outdegrees{code_kind::gamma};
  code references{code_kind::unary};
  code block_counts{code_kind::gamma};
  code blocks{code_kind::gamma};
  code residuals{code_kind::zeta, 3};
  code offsets{code_kind::gamma};

  /// Code of the numbers and bounds of intervals, which is fixed.
  static constexpr code intervals{code_kind::gamma};
};

/// Returns the parameters. Throws `error` (input) "FILE:LINE: sentence" for a property that is
/// missing or wrong. Nodes and arcs are not checked against the graph.
parameters parameters_of(const java_properties& properties);

/// Returns the flags that differ from the default, as in the property compressionflags:
/// "OUTDEGREES_DELTA | RESIDUALS_GAMMA".
std::string flags_of(const parameters& from);

/// Reads the flags of the property compressionflags. Throws `error` (input) for an unknown flag.
void take_flags(const java_properties& properties, parameters& into);

}  // namespace atl::graph::bvgraph
