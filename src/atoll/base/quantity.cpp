// Parses and prints numbers, sizes and durations as people write them.

#include "atoll/error.hpp"
#include "atoll/settings.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace atl {
namespace {

struct unit {
  std::string_view name;
  std::uint64_t factor;
};

// If several units have the same factor, the first one is printed.
constexpr unit size_units[] = {
    {"", 1},
    {"B", 1},
    {"KiB", 1ull << 10},
    {"K", 1ull << 10},
    {"KB", 1000},
    {"MiB", 1ull << 20},
    {"M", 1ull << 20},
    {"MB", 1000'000},
    {"GiB", 1ull << 30},
    {"G", 1ull << 30},
    {"GB", 1000'000'000},
    {"TiB", 1ull << 40},
    {"T", 1ull << 40},
    {"TB", 1000'000'000'000},
};

constexpr unit duration_units[] = {
    {"ns", 1}, {"us", 1000}, {"ms", 1000'000}, {"s", 1000'000'000}, {"min", 60'000'000'000},
};

/// Returns `c` in lower case, independently of the locale. In a Turkish locale, std::tolower would
/// not return `i` for `I`.
char small_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, small_letter, small_letter);
}

struct quantity {
  std::uint64_t number = 0;
  std::string_view unit;
};

[[noreturn]] void not_a(std::string_view text, std::string_view what) {
  fail(errc::input, "\"{}\" is not {}", text, what);
}

quantity split(std::string_view text, std::string_view what) {
  quantity result;
  const char* end = text.data() + text.size();
  const auto [rest, status] = std::from_chars(text.data(), end, result.number);
  if (status == std::errc::result_out_of_range) fail(errc::input, "\"{}\" is too large", text);
  if (status != std::errc{}) not_a(text, what);
  result.unit = std::string_view(rest, std::size_t(end - rest));
  while (result.unit.starts_with(' ')) result.unit.remove_prefix(1);
  return result;
}

std::uint64_t scaled(std::string_view text, const quantity& parsed, std::span<const unit> units,
                     std::uint64_t highest, std::string_view what) {
  const auto found = std::ranges::find_if(
      units, [&](const unit& u) { return equal_ignoring_case(u.name, parsed.unit); });
  if (found == units.end()) not_a(text, what);
  if (parsed.number > highest / found->factor) fail(errc::input, "\"{}\" is too large", text);
  return parsed.number * found->factor;
}

std::string shortest(std::uint64_t value, std::span<const unit> units, bool binary) {
  const unit* best = &units[0];
  for (const unit& u : units) {
    const bool usable = !binary || u.factor % 1024 == 0;
    if (usable && u.factor > best->factor && value % u.factor == 0) best = &u;
  }
  return fmt::format("{}{}", value / best->factor, best->name);
}

}  // namespace

std::uint64_t parse_count(std::string_view text) {
  constexpr std::string_view what = "a whole number";
  const auto parsed = split(text, what);
  if (!parsed.unit.empty() || text.ends_with(' ')) not_a(text, what);
  return parsed.number;
}

std::uint64_t parse_size(std::string_view text) {
  constexpr std::string_view what = "a size, such as 64KiB";
  return scaled(text, split(text, what), size_units, std::numeric_limits<std::uint64_t>::max(),
                what);
}

std::int64_t parse_duration(std::string_view text) {
  constexpr std::string_view what = "a duration with its unit, such as 50us";
  const auto parsed = split(text, what);
  if (parsed.number == 0 && parsed.unit.empty()) return 0;
  return std::int64_t(
      scaled(text, parsed, duration_units, std::numeric_limits<std::int64_t>::max(), what));
}

std::string size_text(std::uint64_t bytes) {
  return bytes == 0 ? "0" : shortest(bytes, size_units, true);
}

std::string duration_text(std::int64_t nanoseconds) {
  return nanoseconds == 0 ? "0" : shortest(std::uint64_t(nanoseconds), duration_units, false);
}

}  // namespace atl
