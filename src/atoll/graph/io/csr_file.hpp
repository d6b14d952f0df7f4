#pragma once
// .sg and .wsg, as the GAP benchmarks write graphs: a byte that is 1 if arcs have a direction, the
// numbers of arcs and of vertices, where the neighbours of each vertex begin and all end (64 bits
// each), and the neighbours (32 bits each; in .wsg the weight of the arc, 32 bits, follows each).
// With a direction the same stands once more for the arcs that come in, which is not read; without
// one each edge stands at both ends.

#include "atoll/graph/io/both_ends.hpp"
#include "atoll/graph/io/input_file.hpp"
#include "atoll/graph/io/part_source.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace atl::graph {

/// What the first bytes say.
struct csr_head {
  bool directed = false;
  std::uint64_t arcs = 0;
  std::uint64_t vertices = 0;

  static constexpr std::uint64_t bytes = 17;
  static constexpr std::uint64_t most_vertices = std::uint64_t{1} << 31;

  /// That of a whole file with neighbours of so many bytes; nothing where sizes are absurd.
  std::optional<std::uint64_t> file_bytes(std::uint64_t neighbour_bytes) const;
};

/// Nothing where the first bytes cannot be a head.
std::optional<csr_head> csr_head_of(const input_file& file);

/// 4 or 8.
constexpr std::uint64_t neighbour_bytes_of(bool weighted) { return weighted ? 8 : 4; }

/// Whether a file is as long as one with this head is.
bool is_csr_file(const input_file& file, bool weighted);

/// Parts are ranges of vertices with about as many arcs.
class csr_reader final : public part_source {
 public:
  /// Throws `error` (input) for a file whose length is not that of its numbers.
  csr_reader(const file_part& which, bool weighted);
  csr_reader(const csr_reader&) = delete;
  csr_reader& operator=(const csr_reader&) = delete;

  void describe(edge_list& list) const override;

  /// Its errors name file and byte.
  bool read_some(edge_list& list) override;
  double progress() const override;

  /// In bytes.
  std::uint64_t offset() const override { return place_of_arc(arc_); }

 private:
  std::uint64_t place_of_row(std::uint64_t row) const { return csr_head::bytes + 8 * row; }
  std::uint64_t place_of_arc(std::uint64_t arc) const {
    return place_of_row(head_.vertices + 1) + neighbour_bytes_ * arc;
  }
  std::uint64_t begin_of_row(std::uint64_t row) const;
  std::uint64_t first_row_of(std::uint64_t part) const;
  void read_rows();
  void check_rows() const;
  void take_arcs(std::uint64_t count, edge_list& list);
  void take(std::uint64_t index, edge_list& list);
  void next_row(edge_list& list);

  file_part which_;
  bool weighted_;
  std::uint64_t neighbour_bytes_;
  input_file file_;
  csr_head head_;
  std::uint64_t first_row_;            // of the part
  std::uint64_t last_row_;             // after it
  std::vector<std::uint64_t> begins_;  // of the rows from `row_of_begins_` on, and the end of them
  std::uint64_t row_of_begins_;
  std::uint64_t row_;      // the present one
  std::uint64_t arc_ = 0;  // the next one
  std::vector<std::int32_t> neighbours_;
  both_ends ends_{which_.options};
};

}  // namespace atl::graph
