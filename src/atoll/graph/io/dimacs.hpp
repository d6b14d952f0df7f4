#pragma once
// .gr of the 9th DIMACS challenge (shortest paths): arcs with a weight, "a FROM TO WEIGHT", below
// "p sp VERTICES ARCS". Lines that begin with c are comments.

#include "atoll/graph/io/headed_text.hpp"

#include <cstdint>
#include <string_view>

namespace atl::graph {

class dimacs_text final : public headed_text {
 public:
  /// Throws `error` (input) for a head that is none.
  dimacs_text(const input_file& file, compression packing, const read_options& options);

  void read(const line_blocks& blocks, std::string_view text, edge_list& list) const override;

 private:
  void read_problem(const line_blocks& blocks, const char* line);

  std::uint64_t vertices_ = 0;
  std::uint64_t first_arc_ = 0;  // where in the text arcs may stand
};

/// Whether a text begins as these files do.
bool begins_dimacs(std::string_view text);

}  // namespace atl::graph
