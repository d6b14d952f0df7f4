#pragma once
// METIS: "VERTICES EDGES [FORMAT [WEIGHTS]]", then a line for each vertex: its size, its weights,
// as many as FORMAT says, and its neighbours, each with the weight of the edge or without. Edges
// have no direction and stand at both ends; one from a vertex to itself stands there twice, or
// once. Lines that begin with % are comments; a blank one is a vertex without neighbours.

#include "atoll/graph/io/both_ends.hpp"
#include "atoll/graph/io/input_file.hpp"
#include "atoll/graph/io/line_blocks.hpp"
#include "atoll/graph/io/part_source.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace atl::graph {

/// What the first line says.
struct metis_head {
  /// Throws `error` (input) for a line that is none.
  metis_head(const input_file& file, compression packing, const read_options& options);

  declared_size declared;
  std::uint64_t numbers_of_vertex = 0;  // before its neighbours: a size, and weights
  bool weighted = false;
  std::uint64_t first_row = 0;  // where in the text lines of vertices begin

 private:
  void read(const line_blocks& blocks, const char* line);
};

/// Which vertex a line is about is told by the lines before it: a part of a plain file counts those
/// of the parts before.
class metis_reader final : public part_source {
 public:
  /// Throws `error` (input), likewise.
  metis_reader(const file_part& which, compression packing);
  metis_reader(const metis_reader&) = delete;
  metis_reader& operator=(const metis_reader&) = delete;

  void describe(edge_list& list) const override;
  bool read_some(edge_list& list) override;
  double progress() const override { return blocks_.progress(); }
  std::uint64_t offset() const override { return blocks_.offset(); }

 private:
  bool is_counting() const { return counted_ < begin_; }
  void count_some(edge_list& list);
  void read_block(std::string_view text, edge_list& list);
  void read_line(const char* line, edge_list& list);
  void read_row(const char* line, edge_list& list);

  file_part which_;
  compression packing_;
  input_file file_;
  metis_head head_;
  line_blocks blocks_;
  std::uint64_t begin_;    // of the part, if it is a part of a plain file
  std::uint64_t counted_;  // rows were counted up to here
  std::uint64_t blocks_seen_ = 0;
  std::uint64_t row_ = 0;  // the vertex of the next line
  both_ends ends_{which_.options};
};

/// Whether a text may be such a file: digits, blanks and comments.
bool may_be_metis(std::string_view text);

}  // namespace atl::graph
