#include "atoll/graph/io/bvgraph/parameters.hpp"

#include "atoll/error.hpp"
#include "atoll/graph/edge.hpp"
#include "atoll/graph/io/byte_streams.hpp"

#include <charconv>
#include <initializer_list>
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

/// Removes the first line from the text, with its end, and returns the line.
std::string_view take_line(std::string_view& text) {
  const auto end = std::min(text.find_first_of("\r\n"), text.size());
  const auto line = text.substr(0, end);
  text.remove_prefix(end);
  text.remove_prefix(text.starts_with("\r\n") ? 2 : text.empty() ? 0 : 1);
  return line;
}

/// Returns true if the line ends in an odd number of backslashes. Two backslashes stand for one
/// character.
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

// This section parses the property compressionflags, which assigns codes to the parts of a BVGraph.

namespace {

/// A part of the streams, with its name in flags and its possible codes. The first code is the
/// default.
struct coded_part {
  std::string_view name;
  code parameters::* how;
  std::initializer_list<code_kind> kinds;
};

constexpr auto k_gamma = code_kind::gamma, k_delta = code_kind::delta, k_unary = code_kind::unary;

const coded_part k_parts[] = {
    {"OUTDEGREES", &parameters::outdegrees, {k_gamma, k_delta}},
    {"BLOCKS", &parameters::blocks, {k_gamma, k_delta}},
    {"RESIDUALS",
     &parameters::residuals,
     {code_kind::zeta, k_gamma, k_delta, code_kind::nibble, code_kind::golomb}},
    {"REFERENCES", &parameters::references, {k_unary, k_gamma, k_delta}},
    {"BLOCK_COUNT", &parameters::block_counts, {k_gamma, k_delta, k_unary}},
    {"OFFSETS", &parameters::offsets, {k_gamma, k_delta}},
};

std::string flag_of(const coded_part& part, code_kind kind) {
  return fmt::format("{}_{}", part.name, name_of(kind));
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

/// Applies a flag to the parameters. Returns whether the flag is known.
bool take_flag(std::string_view flag, parameters& into) {
  for (const auto& part : k_parts) {
    for (const auto kind : part.kinds) {
      if (flag != flag_of(part, kind)) continue;
      into.*part.how = {kind, into.zeta};
      return true;
    }
  }
  return false;
}

}  // namespace

void take_flags(const java_properties& properties, parameters& into) {
  const auto* const flags = properties.find("compressionflags");
  if (flags == nullptr) return;
  std::string_view rest = flags->value;
  while (!rest.empty()) {
    const auto end = std::min(rest.find('|'), rest.size());
    const auto flag = trimmed(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (flag.empty() || take_flag(flag, into)) continue;
    fail(errc::input, "{}:{}: compressionflags: {} is no flag of a BVGraph", properties.path(),
         flags->line, flag);
  }
}

std::string flags_of(const parameters& from) {
  std::string flags;
  for (const auto& part : k_parts) {
    const auto kind = (from.*part.how).kind;
    if (kind == *part.kinds.begin()) continue;
    flags += (flags.empty() ? "" : " | ") + flag_of(part, kind);
  }
  return flags;
}

namespace {

constexpr std::uint64_t k_most_arcs = std::uint64_t{1} << 56;

[[noreturn]] void refuse(const java_properties& from, const property& wrong,
                         std::string_view sentence) {
  fail(errc::input, "{}:{}: {}={}: {}", from.path(), wrong.line, wrong.name, wrong.value, sentence);
}

const property& required(const java_properties& from, std::string_view name) {
  const auto* const found = from.find(name);
  if (found == nullptr)
    fail(errc::input, "{}: there is no {}, which a BVGraph must have", from.path(), name);
  return *found;
}

std::uint64_t number_in(const java_properties& from, const property& given, std::uint64_t lowest,
                        std::uint64_t highest) {
  std::uint64_t number = 0;
  const char* const end = given.value.data() + given.value.size();
  const auto [after, status] = std::from_chars(given.value.data(), end, number);
  const bool is_number =
      after == end && !given.value.empty() && status != std::errc::invalid_argument;
  if (!is_number) refuse(from, given, "expected a whole number");
  if (status == std::errc::result_out_of_range || number < lowest || number > highest)
    refuse(from, given, fmt::format("out of range ({} to {})", lowest, highest));
  return number;
}

void check_kind(const java_properties& from) {
  const auto& kind = required(from, "graphclass");
  const auto dot = kind.value.rfind('.');
  if (kind.value.substr(dot == std::string::npos ? 0 : dot + 1) != "BVGraph")
    refuse(from, kind, "only BVGraph is read");
  const auto* const version = from.find("version");
  if (version != nullptr && version->value != "0") refuse(from, *version, "only version 0 is read");
  const auto* const order = from.find("endianness");
  if (order != nullptr && order->value != "big")
    refuse(from, *order, "only streams with the highest bit of a byte first are read");
}

}  // namespace

parameters parameters_of(const java_properties& from) {
  check_kind(from);
  parameters result;
  result.nodes = number_in(from, required(from, "nodes"), 0, largest_vertex + 1);
  result.arcs = number_in(from, required(from, "arcs"), 0, k_most_arcs);
  result.window = number_in(from, required(from, "windowsize"), 0, parameters::largest_window);
  result.min_interval =
      number_in(from, required(from, "minintervallength"), 0, parameters::largest_number);
  take_flags(from, result);
  const auto kind = result.residuals.kind;
  const auto* const k = from.find("zetak");
  if (k == nullptr || (kind != code_kind::zeta && kind != code_kind::golomb)) return result;
  result.zeta = number_in(
      from, *k, 1, kind == code_kind::zeta ? parameters::largest_zeta : parameters::largest_number);
  result.residuals.parameter = result.zeta;
  return result;
}

}  // namespace atl::graph::bvgraph
