#include "atoll/graph/io/vertex_format.hpp"

#include "atoll/error.hpp"

#include <algorithm>
#include <array>

namespace atl {
namespace {

constexpr std::array<std::string_view, 4> endings = {"txt", "tsv", "csv", "npy"};

}  // namespace

vertex_format vertex_format_of(std::string_view path) {
  const auto found = std::ranges::find(endings, ending_of_content(path));
  if (found == endings.end()) {
    fail(errc::input,
         "{}: the name does not say how to write: .txt, .tsv, .csv or .npy, alone or with .gz or "
         ".zst after it",
         path);
  }
  return {static_cast<vertex_style>(found - endings.begin()), compression_of(path)};
}

}  // namespace atl
