#include "atoll/graph/io/file_format.hpp"

#include "atoll/base/error.hpp"

#include <array>

namespace atl {
namespace {

constexpr std::array<std::string_view, 3> format_names = {"el", "wel", "tsv"};
constexpr std::array<std::string_view, 3> compression_names = {"none", "gzip", "zstd"};
constexpr std::array<std::string_view, 3> compression_endings = {"", ".gz", ".zst"};

template <class Enumeration>
constexpr auto position(Enumeration value) {
  return static_cast<std::size_t>(value);
}

}  // namespace

file_format file_format_of(std::string_view path) {
  const auto packing = compression_of(path);
  const auto inner = path.substr(0, path.size() - compression_endings[position(packing)].size());
  const auto file = inner.substr(inner.rfind('/') + 1);
  for (const auto edges : {edge_format::el, edge_format::wel, edge_format::tsv}) {
    const auto dot = file.rfind('.');
    if (dot != file.npos && file.substr(dot + 1) == name_of(edges)) return {edges, packing};
  }
  fail(errc::input,
       "{}: the name does not say what the file holds: .el, .wel or .tsv, alone or with .gz or "
       ".zst after it",
       path);
}

compression compression_of(std::string_view path) {
  for (const auto packing : {compression::gzip, compression::zstd}) {
    if (path.ends_with(compression_endings[position(packing)])) return packing;
  }
  return compression::none;
}

std::string_view name_of(edge_format format) { return format_names[position(format)]; }

std::string_view name_of(compression packing) { return compression_names[position(packing)]; }

}  // namespace atl
