#include "atoll/graph/vertex_file.hpp"

#include "atoll/collectives.hpp"
#include "atoll/graph/io/byte_streams.hpp"
#include "atoll/memory/shared_text.hpp"
#include "atoll/output_file.hpp"

#include <algorithm>

namespace atl {
namespace {

/// Number of vertices in a block. In a compressed file, each block is a frame.
constexpr std::uint64_t vertices_a_block = graph::k_stretch;

/// Largest number of PEs that make blocks at the same time. The number is limited because PE 0
/// keeps the blocks of all makers in memory.
constexpr std::uint64_t most_makers = 16;

/// One round of writing: PE p makes block number `first` + p, if p is less than `makers()`.
class round_of_blocks {
 public:
  round_of_blocks(std::uint64_t vertices, std::uint64_t first)
      : vertices_(vertices), first_(first) {}

  static std::uint64_t makers() { return std::min(static_cast<std::uint64_t>(pes()), most_makers); }

  /// Returns the first of the vertices whose rows PE `pe` makes. In a large job, most PEs make no
  /// rows.
  std::uint64_t begin(std::uint64_t pe) const {
    return std::min(vertices_, (first_ + std::min(pe, makers())) * vertices_a_block);
  }
  std::uint64_t end(std::uint64_t pe) const { return pe < makers() ? begin(pe + 1) : begin(pe); }

 private:
  std::uint64_t vertices_;
  std::uint64_t first_;
};

std::uint64_t rank() { return static_cast<std::uint64_t>(my_pe()); }

/// Returns this PE's values, grouped by the PE that makes the rows of the vertices.
std::vector<std::vector<std::int64_t>> values_for_makers(const vertex_values& values,
                                                         const round_of_blocks& round) {
  const std::uint64_t mine = values.shape.begin(my_pe());
  std::vector<std::vector<std::int64_t>> parts(static_cast<std::size_t>(pes()));
  for (std::uint64_t pe = 0; pe < round_of_blocks::makers(); ++pe) {
    const auto begin = std::max(mine, round.begin(pe));
    const auto end = std::min(values.shape.end(my_pe()), round.end(pe));
    for (auto vertex = begin; vertex < end; ++vertex) {
      for (std::size_t column = 0; column < values.columns.size(); ++column)
        parts[pe].push_back(values.value(vertex - mine, column));
    }
  }
  return parts;
}

/// Returns all values for the block that this PE makes. The values arrive in the order of PEs, and
/// therefore in the order of vertices.
task<std::vector<std::int64_t>> all_gather_block(const vertex_values& values,
                                                 const round_of_blocks& round) {
  const auto parts = values_for_makers(values, round);
  std::vector<std::int64_t> block;
  for (const auto& of_pe : co_await all_to_all(parts))
    block.insert(block.end(), of_pe.begin(), of_pe.end());
  co_return block;
}

using columns_view = std::span<const vertex_column>;

/// Returns the vertices that the values in the rows of a block refer to.
std::vector<std::uint64_t> vertices_in(std::span<const std::int64_t> block, std::uint64_t first,
                                       columns_view columns) {
  std::vector<std::uint64_t> vertices;
  for (std::size_t i = 0; i < block.size(); ++i) {
    const auto column = i % columns.size();
    if (column == 0) vertices.push_back(first + i / columns.size());
    if (columns[column].is_vertex && block[i] != no_value)
      vertices.push_back(static_cast<std::uint64_t>(block[i]));
  }
  return vertices;
}

/// Returns the bytes of the block that this PE makes.
task<std::string> all_make_block(const vertex_values& values, const graph::name_part& names,
                                 vertex_format format, const round_of_blocks& round) {
  const auto block = co_await all_gather_block(values, round);
  const auto width = values.columns.size();
  const auto first = round.begin(rank());
  auto wanted = vertices_in(block, first, values.columns);
  const auto labels = co_await graph::all_fetch_labels(names, std::move(wanted));
  if (block.empty())
    // A PE without a block adds nothing, not even an empty frame.
    co_return std::string();
  graph::vertex_rows rows(format.style, values.columns, labels);
  for (std::size_t i = 0; i < block.size(); i += width)
    rows.add(first + i / width, std::span(block).subspan(i, width));
  co_await yield();
  co_return graph::packed(std::move(rows).take(), format.packing);
}

/// Returns the blocks of all PEs on PE 0.
task<received_parts<char>> all_bring_to_first(std::string bytes) {
  std::vector<std::span<const char>> parts(static_cast<std::size_t>(pes()));
  parts[0] = bytes;
  co_return co_await all_to_all(std::move(parts));
}

}  // namespace

task<> all_write_vertices(const vertex_values& values, const graph::name_part& names,
                          vertex_format format, const file_taker& take) {
  const std::uint64_t vertices = values.shape.vertices;
  if (my_pe() == 0) {
    const auto head =
        graph::head_of_rows(format.style, values.columns, vertices, !names.first_ids.empty());
    take(graph::packed(head, format.packing), 0);
  }
  const std::uint64_t blocks = ceil_divide(vertices, vertices_a_block);
  for (std::uint64_t first = 0; first < blocks; first += round_of_blocks::makers()) {
    const round_of_blocks round(vertices, first);
    auto mine = co_await all_make_block(values, names, format, round);
    const auto pieces = co_await all_bring_to_first(std::move(mine));
    for (std::uint64_t pe = 0; my_pe() == 0 && pe < pieces.size(); ++pe) {
      const auto done = static_cast<double>(round.end(pe)) / static_cast<double>(vertices);
      if (!pieces[pe].empty()) take({pieces[pe].data(), pieces[pe].size()}, done);
      // Lets the hang detector see that PE 0 is not stuck while a slow disk writes.
      co_await yield();
    }
  }
}

}  // namespace atl

namespace atl::graph {
namespace {

/// Calls `act()`. If `act()` throws, returns the exception as an `error`.
template <class Act>
std::optional<error> error_of(const Act& act) {
  try {
    act();
  } catch (const error& failure) {
    return failure;
  }
  return std::nullopt;
}

}  // namespace

task<std::optional<error>> all_write_vertex_file(const vertex_layout& layout, std::string path,
                                                 int from, const described_vertices& of_pe) {
  path = co_await all_share_text(std::move(path), from);
  std::optional<vertex_format> format;
  std::optional<output_file> file;
  std::optional<error> failure = error_of([&] {
    format = vertex_format_of(path);
    if (my_pe() == 0) file.emplace(path);
  });
  failure = co_await all_share_error(failure);
  if (failure) co_return failure;
  // After a disk error, PE 0 continues to receive blocks, because the other PEs wait for it.
  const auto take = [&](std::string_view bytes, double) {
    if (!failure) failure = error_of([&] { file->write(bytes); });
  };
  const vertex_values values{layout.shape, of_pe.columns, of_pe.value};
  co_await all_write_vertices(values, layout.names.local(), *format, take);
  if (file && !failure) failure = error_of([&] { file->commit(); });
  co_return co_await all_share_error(failure);
}

}  // namespace atl::graph
