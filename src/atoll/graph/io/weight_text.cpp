#include "atoll/graph/io/weight_text.hpp"

#include "atoll/graph/io/field.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace atl::graph {
namespace {

// Above it not every integer is a double.
constexpr double k_largest_exact = 9007199254740992;

std::string_view without_plus(std::string_view field) {
  const bool positive = field.starts_with('+') && !field.substr(1).starts_with('-');
  return positive ? field.substr(1) : field;
}

/// As from_chars, which takes no '+', and other words behind "nan", would not have it.
bool begins_number(std::string_view field) {
  if (field.starts_with('-')) field.remove_prefix(1);
  if (field.starts_with('.')) field.remove_prefix(1);
  return !field.empty() && is_digit(field.front());
}

bool is_nan_or_infinity(std::string_view field) {
  static constexpr std::array<std::string_view, 3> words = {"nan", "inf", "infinity"};
  if (field.starts_with('-')) field.remove_prefix(1);
  const auto is_field = [field](std::string_view word) {
    return std::ranges::equal(field, word, [](char a, char b) {
      return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b;
    });
  };
  return std::ranges::any_of(words, is_field);
}

weight_text read_real(std::string_view field) {
  if (is_nan_or_infinity(field)) return {weight_text::fraction, 0};
  double real = 0;
  const char* const end = field.data() + field.size();
  const auto [last, status] = std::from_chars(field.data(), end, real);
  if (last != end || !begins_number(field)) return {};
  const bool exact = status == std::errc{} && std::abs(real) <= k_largest_exact;
  if (!exact || std::trunc(real) != real) return {weight_text::fraction, 0};
  return {weight_text::integer, static_cast<std::int64_t>(real)};
}

}  // namespace

weight_text read_weight_text(std::string_view text) {
  const auto field = without_plus(text);
  const char* const end = field.data() + field.size();
  std::int64_t integer = 0;
  const auto [last, status] = std::from_chars(field.data(), end, integer);
  if (field.empty() || last != end || status == std::errc::invalid_argument)
    return read_real(field);
  if (status == std::errc::result_out_of_range) return {weight_text::too_large, 0};
  return {weight_text::integer, integer};
}

void lose_weights(edge_list& list, const error& reason) {
  if (!list.weights_fault) list.weights_fault = reason;
  std::vector<std::int64_t>().swap(list.weights);
}

std::int64_t read_weight(const line_blocks& blocks, std::string_view field, edge_list& list) {
  const auto weight = read_weight_text(field);
  if (weight.is == weight_text::integer) return weight.value;
  if (weight.is == weight_text::other)
    throw blocks.error_at(field.data(), fmt::format("expected a weight, found {}", shown(field)));
  if (list.weights_fault) return 0;  // it takes long to find the line
  const auto* const why =
      weight.is == weight_text::too_large ? "does not fit 64 bits" : "is no integer";
  lose_weights(list, blocks.error_at(field.data(), fmt::format("weight {} {}", shown(field), why)));
  return 0;
}

}  // namespace atl::graph
