#include "atoll/graph/io/title_line.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace atl::graph {
namespace {

/// Its letters alone, in lower case.
std::string letters_of(std::string_view title) {
  std::string letters;
  for (const char c : title) {
    if (c >= 'a' && c <= 'z') letters += c;
    if (c >= 'A' && c <= 'Z') letters += static_cast<char>(c - 'A' + 'a');
  }
  return letters;
}

std::string_view without_kind(std::string_view word) {
  static constexpr std::array<std::string_view, 3> kinds = {"id", "node", "vertex"};
  for (const auto kind : kinds)
    if (word.size() > kind.size() && word.ends_with(kind)) word.remove_suffix(kind.size());
  return word;
}

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

}  // namespace

title_line::title_line(std::span<const std::string_view> titles) {
  static constexpr std::array<std::string_view, 3> sources = {"source", "src", "from"};
  static constexpr std::array<std::string_view, 6> targets = {"target", "tgt",         "dst",
                                                              "dest",   "destination", "to"};
  static constexpr std::array<std::string_view, 2> weights = {"weight", "weights"};
  std::uint64_t column = 0;
  for (const auto title : titles) {
    ++column;
    const auto letters = letters_of(title);
    const auto word = without_kind(letters);
    if (source == 0 && is_one_of(word, sources)) source = column;
    if (target == 0 && is_one_of(word, targets)) target = column;
    if (weight == 0 && is_one_of(word, weights)) weight = column;
  }
}

}  // namespace atl::graph
