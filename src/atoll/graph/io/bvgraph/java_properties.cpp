#include "atoll/graph/io/bvgraph/java_properties.hpp"

#include "atoll/error.hpp"
#include "atoll/graph/io/input_file.hpp"

#include <charconv>
#include <utility>

namespace atl::graph::bvgraph {
namespace {

constexpr std::size_t k_most_bytes = std::size_t{1} << 20;

constexpr bool is_space(char c) { return c == ' ' || c == '\t' || c == '\f'; }
constexpr bool separates(char c) { return c == '=' || c == ':'; }

std::string_view without_leading_spaces(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  return text;
}

/// Takes the next line off the text, with what ends it.
std::string_view take_line(std::string_view& text) {
  const auto end = std::min(text.find_first_of("\r\n"), text.size());
  const auto line = text.substr(0, end);
  text.remove_prefix(end);
  text.remove_prefix(text.starts_with("\r\n") ? 2 : text.empty() ? 0 : 1);
  return line;
}

/// An even number of backslashes are characters of their own.
bool is_continued(std::string_view line) {
  const auto last_other = line.find_last_not_of('\\');
  const auto backslashes = line.size() - (last_other == line.npos ? 0 : last_other + 1);
  return backslashes % 2 == 1;
}

void append_utf8(std::string& text, unsigned unit) {
  const auto add = [&](unsigned byte) { text += static_cast<char>(byte); };
  if (unit < 0x80) return add(unit);
  if (unit < 0x800) {
    add(0xc0 | unit >> 6);
  } else {
    add(0xe0 | unit >> 12);
    add(0x80 | (unit >> 6 & 0x3f));
  }
  add(0x80 | (unit & 0x3f));
}

char meaning_of(char escaped) {
  switch (escaped) {
  case 't':
    return '\t';
  case 'n':
    return '\n';
  case 'r':
    return '\r';
  case 'f':
    return '\f';
  default:
    return escaped;
  }
}

}  // namespace

java_properties::java_properties(std::string path, std::string_view text) : path_(std::move(path)) {
  std::uint64_t number = 0;
  while (!text.empty()) {
    auto line = without_leading_spaces(take_line(text));
    const auto first = ++number;
    if (line.empty() || line.front() == '#' || line.front() == '!') continue;
    std::string logical;
    while (is_continued(line)) {
      logical += line.substr(0, line.size() - 1);
      line = without_leading_spaces(take_line(text));
      ++number;
    }
    logical += line;
    add(logical, first);
  }
}

const property* java_properties::find(std::string_view name) const {
  for (auto at = all_.rbegin(); at != all_.rend(); ++at) {
    if (at->name == name) return &*at;
  }
  return nullptr;
}

void java_properties::add(std::string_view logical_line, std::uint64_t number) {
  std::size_t end = 0;
  while (end < logical_line.size() && !is_space(logical_line[end]) && !separates(logical_line[end]))
    end += logical_line[end] == '\\' ? 2 : 1;
  end = std::min(end, logical_line.size());
  auto rest = without_leading_spaces(logical_line.substr(end));
  if (!rest.empty() && separates(rest.front())) rest = without_leading_spaces(rest.substr(1));
  all_.push_back({unescaped(logical_line.substr(0, end), number), unescaped(rest, number), number});
}

std::string java_properties::unescaped(std::string_view text, std::uint64_t number) const {
  constexpr std::size_t digits = 4;
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      append_utf8(result, static_cast<unsigned char>(text[i]));  // the file is ISO 8859-1
    } else if (text[++i] != 'u') {
      result += meaning_of(text[i]);
    } else {
      const auto hex = text.substr(i + 1, digits);
      unsigned unit = 0;
      const auto [after, status] = std::from_chars(hex.data(), hex.data() + hex.size(), unit, 16);
      if (status != std::errc{} || after != hex.data() + digits)
        fail(errc::input, "{}:{}: four hexadecimal digits must follow \\u", path_, number);
      append_utf8(result, unit);
      i += digits;
    }
  }
  return result;
}

java_properties read_properties(const std::string& path) {
  const input_file file(path);
  if (file.size() > k_most_bytes)
    fail(errc::input, "{}: a file of {} bytes holds no properties of a graph", path, file.size());
  std::string text(file.size(), '\0');
  text.resize(file.read_at(0, text));
  return {path, text};
}

}  // namespace atl::graph::bvgraph
