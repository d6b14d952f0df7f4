#include "atoll/graph/vertex_labels.hpp"

#include "atoll/collectives.hpp"

#include <algorithm>
#include <charconv>

namespace atl::graph {
namespace {

// Vertices beyond those that have names are asked of the last PE.
std::vector<std::vector<std::uint64_t>> questions_for(const name_part& part,
                                                      std::span<const std::uint64_t> sorted) {
  std::vector<std::vector<std::uint64_t>> questions;
  auto begin = sorted.begin();
  for (std::size_t pe = 1; pe < part.boundaries.size(); ++pe) {
    const bool last = pe + 1 == part.boundaries.size();
    const auto end =
        last ? sorted.end() : std::lower_bound(begin, sorted.end(), part.boundaries[pe]);
    questions.emplace_back(begin, end);
    begin = end;
  }
  return questions;
}

// Names hold no control characters, so a line end can stand behind each.
std::vector<char> names_of(const name_part& part, std::span<const std::uint64_t> vertices) {
  std::vector<char> text;
  for (const auto vertex : vertices) {
    const std::string name = name_here(part, vertex);
    text.insert(text.end(), name.begin(), name.end());
    text.push_back('\n');
  }
  return text;
}

void add_names(std::string_view lines, name_table& names) {
  while (!lines.empty()) {
    const auto name = lines.substr(0, lines.find('\n'));
    names.add(name);
    lines.remove_prefix(name.size() + 1);
  }
}

}  // namespace

std::string_view vertex_labels::operator[](std::uint64_t vertex) const {
  if (vertices_.empty()) return {};
  const auto found = std::ranges::lower_bound(vertices_, vertex);
  return names_[static_cast<std::uint64_t>(found - vertices_.begin())];
}

std::uint64_t vertex_labels::id_of(std::uint64_t vertex) const {
  if (!are_ids_) return vertex;
  const std::string_view text = (*this)[vertex];
  std::uint64_t id = 0;
  std::from_chars(text.data(), text.data() + text.size(), id);
  return id;
}

task<vertex_labels> all_fetch_labels(const name_part& part, std::vector<std::uint64_t> vertices) {
  if (part.boundaries.empty()) co_return vertex_labels();
  std::ranges::sort(vertices);
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  const auto questions = questions_for(part, vertices);
  std::vector<std::vector<char>> answers;
  for (const auto& asked : co_await all_to_all(questions)) answers.push_back(names_of(part, asked));
  name_table names;
  for (const auto& text : co_await all_to_all(answers)) {
    add_names(std::string_view(text.data(), text.size()), names);
  }
  co_return vertex_labels(std::move(vertices), std::move(names), !part.first_ids.empty());
}

}  // namespace atl::graph
