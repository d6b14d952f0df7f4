#include "atoll/graph/reading_report.hpp"

#include "atoll/collectives.hpp"

#include <charconv>
#include <cstdint>
#include <span>
#include <string_view>

namespace atl::graph {
namespace {

/// The position of a PE's error in a file. Errors are ordered by line. If an error concerns the
/// whole file, its line is 0.
struct place_of_error {
  std::uint64_t line = ~std::uint64_t{0};
  int pe = 0;
  errc code = errc::internal;

  static place_of_error first(const place_of_error& a, const place_of_error& b) {
    if (a.line != b.line) return a.line < b.line ? a : b;
    return a.pe <= b.pe ? a : b;
  }
};

// Returns the line number in "FILE:LINE:COLUMN: sentence".
std::uint64_t line_of(std::string_view text, std::string_view file) {
  std::uint64_t line = 0;
  if (text.starts_with(file) && text.size() > file.size() && text[file.size()] == ':')
    std::from_chars(text.data() + file.size() + 1, text.data() + text.size(), line);
  return line;
}

}  // namespace

task<std::optional<error>> all_first_error(const std::string& file,
                                           const std::optional<error>& mine) {
  place_of_error place;
  place.pe = my_pe();
  if (mine) {
    place.line = line_of(mine->what(), file);
    place.code = mine->code();
  }
  const auto first = co_await all_reduce(place, &place_of_error::first);
  if (first.line == place_of_error().line) co_return std::nullopt;
  const std::string_view text = mine && first.pe == my_pe() ? mine->what() : "";
  std::string complaint;
  for (const auto& of_pe : co_await all_gather(std::span<const char>(text))) {
    complaint.append(of_pe.begin(), of_pe.end());
  }
  co_return error(first.code, complaint);
}

void add_remarks(std::vector<std::string>& remarks, const read_counts& counts,
                 const std::optional<error>& uneven, const std::optional<error>& word) {
  if (uneven && counts.uneven_lines > 0)
    remarks.push_back(fmt::format("{}; {} of {} lines differ from that one", uneven->what(),
                                  counts.uneven_lines, counts.edges));
  constexpr std::uint64_t few = 4;
  const auto ends = 2 * counts.edges;
  if (word && few * counts.words <= ends)
    remarks.push_back(fmt::format("{} of {} ends of edges {} no integer, such as {}: all of them "
                                  "are taken for names",
                                  counts.words, ends, counts.words == 1 ? "is" : "are",
                                  word->what()));
}

std::string remark_on_first_id(const std::string& path) {
  return fmt::format("vertex 0 has no edge, as the smallest id in {} is 1; with --compact only ids "
                     "that occur are vertices",
                     path);
}

}  // namespace atl::graph
