#pragma once
// Matrix Market: the entries of a sparse matrix, an edge each, from the row to the column. A matrix
// of other shape than a square has as many vertices as the longer of its sides. Of a symmetric one
// edges have no direction: it should hold the lower triangle only, but many files that are about
// hold each entry on either side of the diagonal, and all of them are taken. Such a matrix is
// square.

#include "atoll/graph/io/headed_text.hpp"

#include <cstdint>
#include <string_view>

namespace atl::graph {

class matrix_text final : public headed_text {
 public:
  /// Throws `error` (input) for a head that is none, and for dense and complex matrices.
  matrix_text(const input_file& file, compression packing, const read_options& options);

  void read(const line_blocks& blocks, std::string_view text, edge_list& list) const override;

 private:
  enum class symmetry : std::uint8_t { general, symmetric, skew };

  void read_banner(const line_blocks& blocks, const char* line);
  void read_size(const line_blocks& blocks, const char* line);
  void read_entry(const line_blocks& blocks, const char* line, edge_list& list) const;

  bool weighted_ = false;
  symmetry symmetry_ = symmetry::general;
  std::uint64_t rows_ = 0;
  std::uint64_t columns_ = 0;
  std::uint64_t first_entry_ = 0;  // where in the text entries begin
};

/// Whether a text begins as these files do.
bool begins_matrix(std::string_view text);

}  // namespace atl::graph
