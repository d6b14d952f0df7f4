#pragma once
// out.NAME of KONECT, the Koblenz collection: below "% sym|asym|bip WEIGHTS" and, mostly,
// "% EDGES LEFT RIGHT", an edge a line, with or without a weight and a time. Without a
// weight it is one edge, where weights are numbers of edges; else edges have no weights then. Where
// edges are between two sets, both of which count from 1 on, those of the right one come after the
// left one.

#include "atoll/graph/io/headed_text.hpp"

#include <cstdint>
#include <string_view>

namespace atl::graph {

class line_fields;

class konect_text final : public headed_text {
 public:
  /// Throws `error` (input) for a head that is none. Reads all of the file where nothing else tells
  /// how many vertices the left set has.
  konect_text(const input_file& file, compression packing, const read_options& options);

  void read(const line_blocks& blocks, std::string_view text, edge_list& list) const override;

 private:
  enum class shape : std::uint8_t { symmetric, asymmetric, bipartite };

  void read_kind(const line_blocks& blocks, const char* line);
  void read_size(const line_blocks& blocks, const char* line);
  void count_left(const input_file& file, compression packing, const read_options& options);
  void read_weight(const line_blocks& blocks, line_fields& fields, edge_list& list) const;
  void read_edge(const line_blocks& blocks, const char* line, edge_list& list) const;

  shape shape_ = shape::symmetric;
  bool weighted_ = false;
  bool counts_ = false;       // weights are numbers of edges
  std::uint64_t left_;        // the largest first end,
  std::uint64_t right_;       // and the largest second end
  std::uint64_t before_ = 0;  // vertices that come before the right set
};

/// Whether a text begins as these files do.
bool begins_konect(std::string_view text);

}  // namespace atl::graph
