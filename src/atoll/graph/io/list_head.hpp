#pragma once
// What the first lines of a list of edges (`format_traits::is_list`) say of the others.

#include "atoll/graph/declared_size.hpp"
#include "atoll/graph/io/input_file.hpp"
#include "atoll/graph/io/line_blocks.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace atl::graph {

struct list_head {
  /// Where in the text the lines with edges begin: behind one of titles and one of sizes.
  std::uint64_t begin = 0;
  /// The columns of the first line with an edge, at least two.
  std::uint64_t columns = 2;
  /// Which of them has the weights; 0: none has.
  std::uint64_t weight_column = 0;
  /// Weights must be there, and a line without one is an error.
  bool weights_are_asked_for = false;
  /// Lines of a .tsv may have more than two columns: a number follows in the first line with an
  /// edge, or somebody said which column has weights.
  bool may_have_more = false;
  /// What a line says that gives the sizes of the rest.
  std::optional<declared_size> declared;
  /// Sentences for the reader about the first lines.
  std::vector<std::string> remarks;
};

/// Reads the first lines. It reads the whole file only where the first line may give the sizes of
/// the rest: its last number is the number of edges that follow, and its first number is above all
/// vertices, or the last vertex of those numbered from 1 on. The line of titles of a .csv, and of a
/// .tsv whose next line holds two integers, begins as no number does; of a .tsv of names, it calls
/// the first two columns source and target, or alike. Errors in a line are left to
/// the reader of the edges. Throws `error` (input) where titles say that the ends of edges
/// stand elsewhere.
list_head look_at_head(const input_file& file, file_format format, const read_options& options);

}  // namespace atl::graph
