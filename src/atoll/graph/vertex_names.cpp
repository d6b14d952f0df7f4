#include "atoll/graph/vertex_names.hpp"

#include "atoll/collectives.hpp"
#include "atoll/graph/compact_ids.hpp"
#include "atoll/settings.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace atl::graph {
namespace {

// Returns one list per PE: the vertices whose names this PE requests from that PE. Vertices after
// the last vertex with a name are in the list of the last PE.
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

// Returns the names as one text. A line feed ends each name, because names contain no control
// characters.
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

namespace atl {
namespace {

/// A piece of a text, small enough for a message. A longer text is sent in several pieces.
struct text_piece {
  static constexpr std::size_t capacity = 240;

  text_piece() = default;
  explicit text_piece(std::string_view whole) : total(whole.size()) {
    whole.copy(text.data(), capacity);
  }
  std::string_view view() const { return {text.data(), std::min<std::size_t>(total, capacity)}; }

  /// Number of bytes from the beginning of the piece to the end of the whole text.
  std::uint64_t total = 0;
  std::array<char, capacity> text{};
};

/// Returns the piece that begins at offset `at` in the name of a vertex whose name this PE stores.
text_piece piece_here(const graph::name_part& part, std::uint64_t vertex, std::uint64_t at) {
  const std::string name = graph::name_here(part, vertex);
  return text_piece(std::string_view(name).substr(at));
}

/// Returns the name on this PE that is most similar to `wrong`.
task<text_piece> nearest_here(const graph::name_part& part, text_piece wrong) {
  constexpr std::uint64_t names_a_slice = 256;
  std::vector<std::string> best;
  const auto look = [&](std::uint64_t begin, std::uint64_t end) {
    std::vector<std::string> known;
    for (std::uint64_t i = begin; i < end; ++i) {
      const auto name = part.names[i];
      if (!name.empty() && name.size() <= text_piece::capacity) known.emplace_back(name);
    }
    auto found = nearest_name(wrong.view(), known);
    if (!found.empty()) best.push_back(std::move(found));
  };
  co_await graph::in_stretches(0, part.names.size(), look, names_a_slice);
  co_return text_piece(nearest_name(wrong.view(), best));
}

/// Sets `id` if the text is an integer of 64 bits. Ids in files have at most 48 bits, but programs
/// may use ids of 64 bits.
bool is_id(std::string_view text, std::uint64_t& id) {
  const auto [end, failure] = std::from_chars(text.begin(), text.end(), id);
  return failure == std::errc() && end == text.end();
}

}  // namespace

task<vertex_names> vertex_names::make() {
  vertex_names made;
  made.parts_ = co_await per_pe<graph::name_part>::make();
  co_return made;
}

task<> vertex_names::destroy() const { co_await parts_.destroy(); }

task<std::optional<std::uint64_t>> vertex_names::find(std::string name) const {
  const auto parts = parts_;
  if (are_ids()) {
    std::uint64_t id = 0;
    if (!is_id(name, id)) co_return std::nullopt;
    const auto ask_for_id = [parts, id] { return graph::compacted_vertex(parts.local(), id); };
    co_return co_await call(graph::pe_of_id(parts.local(), id), ask_for_id);
  }
  const std::uint64_t hash = graph::hash_of_name(name);
  for (std::uint64_t k = 0; any() && !name.empty(); ++k) {
    const auto ask = [parts, hash, k] { return graph::indexed_vertex(parts.local(), hash, k); };
    const std::optional<std::uint64_t> vertex = co_await call(graph::pe_of_hash(hash), ask);
    if (!vertex) break;
    const std::string found = co_await name_of(*vertex);
    if (found == name) co_return vertex;
  }
  co_return std::nullopt;
}

task<std::string> vertex_names::name_of(std::uint64_t vertex) const {
  const auto parts = parts_;
  std::string name;
  const auto& boundaries = parts.local().boundaries;
  if (boundaries.empty() || vertex >= boundaries.back()) co_return name;
  const auto after = std::upper_bound(boundaries.begin(), boundaries.end(), vertex);
  const auto owner = static_cast<int>(after - boundaries.begin()) - 1;
  std::uint64_t left = 0;
  do {
    const auto ask = [parts, vertex, at = name.size()] {
      return piece_here(parts.local(), vertex, at);
    };
    const text_piece piece = co_await call(owner, ask);
    name += piece.view();
    left = piece.total - piece.view().size();
  } while (left > 0);
  co_return name;
}

task<std::string> vertex_names::nearest(std::string wrong) const {
  const auto parts = parts_;
  std::vector<std::string> best;
  const text_piece asked(wrong);
  if (!any() || wrong.size() > text_piece::capacity) co_return std::string();
  for (int pe = 0; pe < pes(); ++pe) {
    const auto ask = [parts, asked] { return nearest_here(parts.local(), asked); };
    const text_piece found = co_await call(pe, ask);
    if (found.total > 0) best.emplace_back(found.view());
  }
  co_return nearest_name(wrong, best);
}

}  // namespace atl
