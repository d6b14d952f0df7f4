#include "atoll/log.hpp"

#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <span>
#include <string_view>

namespace atl {
namespace {

// Returns `value` with three significant digits, without trailing zeros after the decimal point.
std::string three_digits(double value) {
  const double size = std::abs(value);
  if (size >= 999.5 || !std::isfinite(value)) return fmt::format("{:.0f}", value);
  const int decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') == text.npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

// Divides `value` by `step` until three digits before the decimal point suffice. Each division
// moves on to the next entry of `prefixes`, for example from K to M.
std::string scaled(double value, double step, std::span<const std::string_view> prefixes,
                   std::string_view unit) {
  std::size_t prefix = 0;
  while (std::abs(value) >= step * 0.9995 && prefix + 1 < prefixes.size()) {
    value /= step;
    ++prefix;
  }
  const std::string suffix = std::string(prefixes[prefix]) + std::string(unit);
  return suffix.empty() ? three_digits(value) : three_digits(value) + ' ' + suffix;
}

}  // namespace

std::string human_number(double value) {
  static constexpr std::string_view prefixes[] = {"", "K", "M", "G", "T", "P", "E"};
  if (value != 0 && std::abs(value) < 0.001) return fmt::format("{:.2g}", value);
  return scaled(value, 1000, prefixes, "");
}

std::string human_bytes(double bytes) {
  static constexpr std::string_view prefixes[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  return scaled(bytes, 1024, prefixes, "B");
}

std::string human_seconds(double seconds) {
  static constexpr std::string_view prefixes[] = {"n", "u", "m", ""};
  if (!(std::abs(seconds) >= 119.5)) return scaled(seconds * 1e9, 1000, prefixes, "s");
  const auto whole = std::llround(seconds);
  if (std::abs(whole) < 7200) return fmt::format("{} min {} s", whole / 60, std::abs(whole % 60));
  return fmt::format("{} h {} min", whole / 3600, std::abs(whole / 60 % 60));
}

std::string human_percent(double fraction) { return three_digits(fraction * 100) + " %"; }

std::string grouped_digits(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (auto i = std::ssize(text) - 3; i > 0; i -= 3) text.insert(std::size_t(i), 1, ',');
  return text;
}

}  // namespace atl
