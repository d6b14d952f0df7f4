#pragma once
// Makes and reads graph files in the binary format of the GAP benchmarks, as simply as possible.
// For each vertex, a file has a row with its neighbours.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace csr_files {

using edges = std::vector<std::tuple<std::string, std::string, std::string>>;

template <class Number>
void append(std::string& bytes, Number number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

/// Returns the numbers that follow the header of a file, for one direction of the arcs.
inline std::string rows(const std::vector<std::int64_t>& begins,
                        const std::vector<std::int32_t>& neighbours) {
  std::string bytes;
  for (const auto begin : begins) append(bytes, begin);
  for (const auto neighbour : neighbours) append(bytes, neighbour);
  return bytes;
}

inline std::string head(bool directed, std::int64_t arcs, std::int64_t vertices) {
  std::string bytes(1, static_cast<char>(directed));
  append(bytes, arcs);
  append(bytes, vertices);
  return bytes;
}

/// Returns the content of a file. In a weighted file, a weight follows each neighbour. A directed
/// file has two sets of rows, and the second set has the incoming arcs.
inline std::string file(bool directed, const std::vector<std::int64_t>& begins,
                        const std::vector<std::int32_t>& neighbours, bool weighted = false) {
  const auto arcs = static_cast<std::int64_t>(neighbours.size() / (weighted ? 2 : 1));
  const auto once = rows(begins, neighbours);
  const auto vertices = static_cast<std::int64_t>(begins.size()) - 1;
  return head(directed, arcs, vertices) + once + (directed ? once : "");
}

/// Returns the number at position `place` of a file.
template <class Number>
Number at(std::string_view bytes, std::size_t place) {
  Number number;
  std::memcpy(&number, bytes.data() + place, sizeof(number));
  return number;
}

using arc = std::tuple<std::int64_t, std::int64_t, std::string>;

/// Returns all outgoing arcs, sorted by vertex, or nothing if the file is invalid.
inline std::optional<std::vector<arc>> arcs_of(std::string_view bytes, bool weighted) {
  if (bytes.size() < 17 || static_cast<unsigned char>(bytes[0]) > 1) return std::nullopt;
  const auto arcs = at<std::int64_t>(bytes, 1), vertices = at<std::int64_t>(bytes, 9);
  const auto length = static_cast<std::int64_t>(bytes.size());
  if (arcs < 0 || vertices < 0 || arcs > length || vertices > length) return std::nullopt;
  const std::int64_t width = weighted ? 8 : 4;
  const auto once = 8 * (vertices + 1) + width * arcs;
  if (17 + once * (bytes[0] == 1 ? 2 : 1) != length) return std::nullopt;
  const auto begin = [&](std::int64_t row) {
    return at<std::int64_t>(bytes, static_cast<std::size_t>(17 + 8 * row));
  };
  if (begin(0) != 0 || begin(vertices) != arcs) return std::nullopt;
  std::vector<arc> all;
  for (std::int64_t row = 0; row < vertices; ++row) {
    if (begin(row + 1) < begin(row) || begin(row + 1) > arcs) return std::nullopt;
    for (auto i = begin(row); i < begin(row + 1); ++i) {
      const auto place = static_cast<std::size_t>(17 + 8 * (vertices + 1) + width * i);
      const auto to = at<std::int32_t>(bytes, place);
      if (to < 0 || to >= vertices) return std::nullopt;
      all.emplace_back(row, to, weighted ? std::to_string(at<std::int32_t>(bytes, place + 4)) : "");
    }
  }
  return all;
}

/// Returns the sorted edges of a file, or nothing if the file is invalid.
inline std::optional<edges> edges_of(std::string_view bytes, bool weighted) {
  const auto all = arcs_of(bytes, weighted);
  if (!all) return std::nullopt;
  const bool directed = bytes[0] == 1;
  std::map<std::int64_t, std::uint64_t> loops_at, seen_at;
  for (const auto& [from, to, weight] : *all) loops_at[from] += from == to ? 1 : 0;
  std::vector<arc> up, down, once;
  for (const auto& [from, to, weight] : *all) {
    const bool second = from == to && ++seen_at[from] % 2 == 0;
    const bool stands_once = from == to && loops_at[from] % 2 != 0;
    auto& ends = directed || from < to || second ? up : down;
    (stands_once && !directed ? once : ends)
        .emplace_back(std::min(from, to), std::max(from, to), weight);
    if (directed) up.back() = {from, to, weight};
  }
  std::ranges::sort(up);
  std::ranges::sort(down);
  if (!directed && up != down) return std::nullopt;
  up.insert(up.end(), once.begin(), once.end());
  edges result;
  for (const auto& [from, to, weight] : up)
    result.emplace_back(std::to_string(from), std::to_string(to), weight);
  std::ranges::sort(result);
  return result;
}

}  // namespace csr_files
