#pragma once
// The files of a BVGraph, and what its properties say of the graph and of its streams of bits.

#include "atoll/graph/io/bvgraph/codes.hpp"
#include "atoll/graph/io/file_format.hpp"
#include "atoll/graph_files.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace atl::graph::bvgraph {

// The files of a BVGraph, which share all of their name but the ending.

struct files {
  /// Of `graph.graph`, or of `graph` alone.
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

// Files of properties as Java writes them.

struct property {
  std::string name;
  std::string value;
  std::uint64_t line = 0;  ///< where it begins, from 1 on
};

/// The properties of a text: name and value are separated by `=`, `:` or blanks; `#` and `!` begin
/// comments; a backslash continues a line and begins escapes (\t \n \r \f, \uXXXX, and others stand
/// for themselves). Names and values are UTF-8. Of a name that occurs twice the last one counts.
class java_properties {
 public:
  /// `path` is for errors. Throws `error` (input) "FILE:LINE: sentence" for an escape that is none.
  java_properties(std::string path, std::string_view text);

  const std::string& path() const { return path_; }

  /// The property of this name, or none. Valid as long as this.
  const property* find(std::string_view name) const;

 private:
  void add(std::string_view logical_line, std::uint64_t number);
  std::string unescaped(std::string_view text, std::uint64_t number) const;

  std::string path_;
  std::vector<property> all_;
};

/// Those of a file. Throws `error` (input), also for a file of more than 1 MiB.
java_properties read_properties(const std::string& path);

// What the properties of a BVGraph say of its graph and its streams of bits.

struct parameters {
  static constexpr std::uint64_t largest_window = bvgraph_lists::largest_window;
  static constexpr std::uint64_t largest_zeta = bvgraph_lists::largest_zeta;
  static constexpr std::uint64_t largest_number = bvgraph_lists::largest_number;

  std::uint64_t nodes = 0;
  std::uint64_t arcs = 0;
  std::uint64_t window = 7;          ///< a list may refer to one so many nodes before
  std::uint64_t max_references = 3;  ///< from list to list; who reads does not rely on it
  std::uint64_t min_interval = 4;    ///< the shortest interval; 0: there are none
  std::uint64_t zeta = 3;            ///< k of zeta, or the modulus of golomb

  code outdegrees{code_kind::gamma};
  code references{code_kind::unary};
  code block_counts{code_kind::gamma};
  code blocks{code_kind::gamma};
  code residuals{code_kind::zeta, 3};
  code offsets{code_kind::gamma};

  /// Of the numbers and bounds of intervals, always.
  static constexpr code intervals{code_kind::gamma};
};

/// Throws `error` (input) "FILE:LINE: sentence" for a property that is missing or wrong. Says
/// nothing about whether nodes and arcs are those of the graph.
parameters parameters_of(const java_properties& properties);

/// The flags that are not the default, as in the property compressionflags: "OUTDEGREES_DELTA |
/// RESIDUALS_GAMMA".
std::string flags_of(const parameters& from);

/// The same, read. Throws `error` (input) for a flag that is none.
void take_flags(const java_properties& properties, parameters& into);

}  // namespace atl::graph::bvgraph
