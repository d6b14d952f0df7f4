#include "app/driver/vertices.hpp"

#include "app/driver/graph_findings.hpp"
#include "atoll/error.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace atl::app {
namespace {

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::uint64_t id_in_range(std::string_view flag, const std::string& text, std::uint64_t vertices) {
  constexpr std::size_t digits_that_fit = 19;  // a number of 19 digits fits in 64 bits
  if (vertices == 0) fail(errc::input, "{}: the graph has no vertices", flag);
  if (text.size() <= digits_that_fit && std::stoull(text) < vertices) return std::stoull(text);
  fail(errc::input, "{}: {} is out of range (0 to {})", flag, text, vertices - 1);
}

/// Returns the arrow of a path, in the direction of the edges of the input.
std::string_view arrow(orientation arcs_are) {
  switch (arcs_are) {
  case orientation::out:
    return " -> ";
  case orientation::in:
    return " <- ";
  case orientation::undirected:
    break;
  }
  return " - ";
}

}  // namespace

task<vertex_id> vertex_of(std::string_view flag, std::string text, const graph_builder& read,
                          const graph_files& files) {
  const auto names = read.names();
  const auto named = co_await names.find(text);
  if (named) co_return *named;
  const bool named_by_edges = names.any() && files.names.empty();
  if (!named_by_edges && is_number(text)) co_return id_in_range(flag, text, read.vertices());
  if (!names.any())
    fail(errc::input, "{}: \"{}\" is no vertex id, and the vertices have no names", flag, text);
  if (names.are_ids())
    fail(errc::input, "{}: no edge of {} has the vertex \"{}\"", flag, files.edges, text);
  const std::string nearest = co_await names.nearest(text);
  fail(errc::input, "{}: no vertex is called \"{}\"{}", flag, text,
       nearest.empty() ? "" : fmt::format(", did you mean {}?", nearest));
}

std::string path_text(const std::vector<std::string>& path, orientation arcs_are) {
  constexpr std::size_t longest = 40;
  std::string text = " ";
  for (std::size_t i = 0; i < path.size(); ++i) {
    const bool left_out = i >= longest / 2 && path.size() - i > longest / 2;
    if (left_out && i > longest / 2) continue;
    text += i == 0 ? " " : arrow(arcs_are);
    text += left_out ? "..." : short_name(path[i]);
  }
  return text;
}

}  // namespace atl::app
