#include "atoll/graph/io/line_ends.hpp"

#include <algorithm>
#include <cstring>

namespace atl::graph {
namespace {

constexpr std::size_t k_looked_at_once = 4096;

char* find_return(char* begin, const char* end) {
  return static_cast<char*>(std::memchr(begin, '\r', static_cast<std::size_t>(end - begin)));
}

/// Without a branch for each byte: where lines end in "\r\n", each has a "\r".
bool has_lone_return(const char* text, std::size_t size) {
  unsigned found = 0;
  for (std::size_t i = 0; i < size; ++i)
    found |= static_cast<unsigned>(text[i] == '\r') & static_cast<unsigned>(text[i + 1] != '\n');
  return found != 0;
}

}  // namespace

std::size_t end_of_last_line(std::string_view text, char next) {
  const auto behind = text.rfind('\n') + 1;  // 0 where there is none
  if (text.ends_with('\r') && next == '\n') text.remove_suffix(1);
  return behind + text.substr(behind).rfind('\r') + 1;  // alone, as it is behind the last "\n"
}

void end_lines_alike(std::span<char> text) {
  char* const end = text.data() + text.size();
  for (char* at = find_return(text.data(), end); at != nullptr && at < end;) {
    char* const stop = at + std::min<std::ptrdiff_t>(end - at, k_looked_at_once);
    if (has_lone_return(at, static_cast<std::size_t>(stop - at))) {
      for (; at != stop; ++at) {
        if (*at == '\r' && at[1] != '\n') *at = '\n';
      }
    }
    at = find_return(stop, end);
  }
}

void line_counter::add(std::string_view piece) {
  if (piece.empty()) return;
  if (after_return_ && piece.front() != '\n') ++count_;
  count_ += static_cast<std::uint64_t>(std::ranges::count(piece, '\n'));
  after_return_ = piece.back() == '\r';
  for (auto at = piece.find('\r'); at < piece.size() - 1; at = piece.find('\r', at + 1))
    count_ += piece[at + 1] != '\n' ? 1 : 0;
}

}  // namespace atl::graph
