#pragma once
// Checks that must hold for any bytes in a file of rows. A row has the neighbours of a vertex. The
// fuzzer, and the test that replays the inputs of its corpus, share this header. A failed check
// throws an exception.

#include "../graph/csr_files.hpp"
#include "edge_checks.hpp"

namespace csr_checks {

/// A file that is made from the fuzzer's input: a byte of flags, a byte for the number of parts,
/// and the content. Depending on a flag, the content is the file itself, or it has one byte for
/// each number of the file. The numbers are the number of vertices, the index at which each row
/// begins, and the neighbours.
struct task {
  explicit task(std::span<const std::uint8_t> input) {
    const auto take = [&] {
      const int value = input.empty() ? 0 : static_cast<std::int8_t>(input.front());
      input = input.subspan(input.empty() ? 0 : 1);
      return value;
    };
    const auto flags = take();
    weighted = (flags & 1) != 0;
    parts = 2 + static_cast<std::uint64_t>(take() & 7);
    if ((flags & 4) != 0) {
      content.assign(input.begin(), input.end());
      return;
    }
    std::vector<std::int64_t> begins(1 + static_cast<std::size_t>(take() & 15));
    for (auto& begin : begins) begin = take();
    std::vector<std::int32_t> neighbours(input.size());
    for (auto& neighbour : neighbours) neighbour = take();
    if (weighted) neighbours.resize(neighbours.size() / 2 * 2);
    content = csr_files::file((flags & 2) != 0, begins, neighbours, weighted);
  }

  bool weighted = false;
  std::uint64_t parts = 2;
  std::string content;
};

/// Checks that reading in one part and in several parts agrees with the naive reader.
inline void check_rows(std::span<const std::uint8_t> input) {
  using edge_checks::require;
  const task given(input);
  const auto expected = csr_files::edges_of(given.content, given.weighted);
  const edge_checks::memory_file file(given.content);
  atl::read_options options;
  options.format = atl::file_format{given.weighted ? atl::edge_format::wsg : atl::edge_format::sg,
                                    atl::compression::none};
  for (const auto parts : {std::uint64_t{1}, given.parts}) {
    const auto found = read_whole(file.path(), parts, options);
    require(found.error.has_value() != expected.has_value(), found.error.value_or("no error"));
    require(!expected || found.edges == *expected, "other edges");
  }
}

}  // namespace csr_checks
