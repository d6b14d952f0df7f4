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
  /// Makes the names of the files. `name` is `graph.graph`, or `graph` without the ending.
  explicit files(std::string_view name) {
    const auto all = files_of(std::string(name), edge_format::bvgraph);
    graph = all[0];
    properties = all[1];
    offsets = all[2];
  }

  std::string graph;       ///< file of the lists, a bit stream
  std::string properties;  ///< file of the properties, which readers need
  std::string offsets;     ///< file of the offsets of the lists, a bit stream; may be missing
};

// Files of properties in the format of the language Java.

struct property {
  std::string name;
  std::string value;
  std::uint64_t line = 0;  ///< line of the property in the file, counted from 1
};

/// The properties in a text. A property has a name and a value, separated by `=`, `:` or blanks.
/// Lines that begin with `#` or `!` are comments. A backslash continues a line or begins an escape:
/// \t, \n, \r, \f or \uXXXX; before any other character it is dropped. Names and values are
/// returned in UTF-8. If a name occurs repeatedly, its last value is used.
class java_properties {
 public:
  /// Parses a text. `path` is for errors. Throws `error` (input) with the message "FILE:LINE:
  /// sentence" for an invalid escape.
  java_properties(std::string path, std::string_view text);

  const std::string& path() const { return path_; }

  /// Returns the property with this name, or null. The pointer is valid as long as this object.
  const property* find(std::string_view name) const;

 private:
  void add(std::string_view logical_line, std::uint64_t number);
  std::string unescaped(std::string_view text, std::uint64_t number) const;

  std::string path_;
  std::vector<property> all_;
};

/// Reads the properties of a file. Throws `error` (input) if the file cannot be read, has an
/// invalid escape, or has more than 1 MiB.
java_properties read_properties(const std::string& path);

// Properties of a BVGraph that describe its graph and its bit streams.

struct parameters {
  static constexpr std::uint64_t largest_window = bvgraph_lists::largest_window;
  static constexpr std::uint64_t largest_zeta = bvgraph_lists::largest_zeta;
  static constexpr std::uint64_t largest_number = bvgraph_lists::largest_number;

  std::uint64_t nodes = 0;
  std::uint64_t arcs = 0;
  std::uint64_t window = 7;          ///< largest distance from a list to its reference
  std::uint64_t max_references = 3;  ///< longest chain of references; readers ignore the number
  /// Length of the shortest interval; if 0, there are no intervals.
  std::uint64_t min_interval = 4;
  /// Parameter k of the zeta code, or the modulus of the golomb code.
  std::uint64_t zeta = 3;

  code outdegrees{code_kind::gamma};
  code references{code_kind::unary};
  code block_counts{code_kind::gamma};
  code blocks{code_kind::gamma};
  code residuals{code_kind::zeta, 3};
  code offsets{code_kind::gamma};

  /// The code for the number of intervals and for their bounds. The format allows no other code for
  /// intervals.
  static constexpr code intervals{code_kind::gamma};
};

/// Returns the parameters that the properties state. Throws `error` (input) with the message
/// "FILE:LINE: sentence" if a property is missing or wrong. The numbers of nodes and arcs are not
/// compared with the graph.
parameters parameters_of(const java_properties& properties);

/// Returns the flags that differ from the defaults, as in the property compressionflags:
/// "OUTDEGREES_DELTA | RESIDUALS_GAMMA".
std::string flags_of(const parameters& from);

/// Applies the flags of the property compressionflags. Throws `error` (input) for an unknown flag.
void take_flags(const java_properties& properties, parameters& into);

}  // namespace atl::graph::bvgraph
