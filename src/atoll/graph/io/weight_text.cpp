#include "atoll/graph/io/weight_text.hpp"

#include "atoll/graph/io/field.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

namespace atl::graph {
namespace {

constexpr std::string_view k_digits = "0123456789";

std::string_view without_plus(std::string_view field) {
  const bool positive = field.starts_with('+') && !field.substr(1).starts_with('-');
  return positive ? field.substr(1) : field;
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

/// Parses the exponent after the digits, such as e3 or E+03. If the digits have a point, the letter
/// may also be d, as in Fortran. Returns nothing for any other text.
std::optional<std::int64_t> read_exponent(std::string_view text, bool behind_point) {
  constexpr std::int64_t beyond_all = std::int64_t{1} << 40;
  if (text.empty()) return 0;
  const std::string_view letters = behind_point ? "eEdD" : "eE";
  if (letters.find(text.front()) == letters.npos) return std::nullopt;
  const auto number = without_plus(text.substr(1));
  std::int64_t exponent = 0;
  const char* const end = number.data() + number.size();
  const auto [last, status] = std::from_chars(number.data(), end, exponent);
  if (last != end || status == std::errc::invalid_argument) return std::nullopt;
  if (status != std::errc{}) exponent = number.starts_with('-') ? -beyond_all : beyond_all;
  return std::clamp(exponent, -beyond_all, beyond_all);
}

/// Parses digits, which may contain a point. `power` is the power of ten of the last digit.
weight_text integer_of(std::string_view digits, std::int64_t power, bool negative) {
  constexpr std::int64_t most_digits = 19;
  constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
  const auto count = std::ranges::count_if(digits, is_digit);
  if (count + power > most_digits) return {weight_text::too_large, 0};
  std::uint64_t magnitude = 0;
  for (const char c : digits)
    if (is_digit(c)) magnitude = 10 * magnitude + static_cast<std::uint64_t>(c - '0');
  for (; power > 0; --power) magnitude *= 10;
  if (magnitude > largest + (negative ? 1 : 0)) return {weight_text::too_large, 0};
  return {weight_text::integer, static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude)};
}

/// Parses digits without a sign. The digits have a point, an exponent, or both. The result is
/// exact, while a computation with doubles would round.
weight_text read_decimal(std::string_view field, bool negative) {
  constexpr std::string_view but_zero = k_digits.substr(1);
  const auto mantissa =
      field.substr(0, std::min(field.find_first_not_of("0123456789."), field.size()));
  const auto point = std::min(mantissa.find('.'), mantissa.size());
  const bool has_digit = mantissa.find_first_of(k_digits) != mantissa.npos;
  if (!has_digit || mantissa.find('.', point + 1) != mantissa.npos) return {};
  const auto exponent = read_exponent(field.substr(mantissa.size()), point < mantissa.size());
  if (!exponent) return {};
  const auto first = mantissa.find_first_of(but_zero);
  if (first == mantissa.npos) return {weight_text::integer, 0};
  const auto last = mantissa.find_last_of(but_zero);
  const auto behind_last = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(last);
  const auto power = *exponent + behind_last - (last < point ? 1 : 0);
  if (power < 0) return {weight_text::fraction, 0};
  return integer_of(mantissa.substr(first, last + 1 - first), power, negative);
}

weight_text read_real(std::string_view field) {
  if (is_nan_or_infinity(field)) return {weight_text::fraction, 0};
  const bool negative = field.starts_with('-');
  if (negative) field.remove_prefix(1);
  return read_decimal(field, negative);
}

/// Returns true if the field is a number with a decimal comma.
bool has_comma(std::string_view field) {
  const auto comma = field.find(',');
  if (comma == field.npos || field.find_first_of(".,", comma + 1) != field.npos) return false;
  std::string pointed(field);
  pointed[comma] = '.';
  return read_real(pointed).is != weight_text::other;
}

std::string_view complaint_about(weight_text::kind kind) {
  if (kind == weight_text::too_large) return "does not fit 64 bits";
  if (kind == weight_text::with_comma) return "has a comma where numbers have a point";
  return "is no integer";
}

/// Returns an error "FILE:LINE:COLUMN: weight '0.5' is no integer".
error refused(const line_blocks& blocks, std::string_view field, std::string_view complaint) {
  return blocks.error_at(field.data(), fmt::format("weight {} {}", shown(field), complaint));
}

/// Converts the integer weights of the list to doubles. `reason` is an error for the first weight
/// that is not an integer.
void make_real(edge_list& list, const error& reason) {
  list.weights_fault = reason;
  list.weights_are_real = true;
  for (std::int64_t& weight : list.weights)
    weight = std::bit_cast<std::int64_t>(static_cast<double>(weight));
}

}  // namespace

weight_text read_weight_text(std::string_view text) {
  const auto field = without_plus(text);
  const char* const end = field.data() + field.size();
  std::int64_t integer = 0;
  const auto [last, status] = std::from_chars(field.data(), end, integer);
  if (field.empty() || last != end || status == std::errc::invalid_argument)
    return has_comma(field) ? weight_text{weight_text::with_comma, 0} : read_real(field);
  if (status == std::errc::result_out_of_range) return {weight_text::too_large, 0};
  return {weight_text::integer, integer};
}

void lose_weights(edge_list& list, const error& reason) {
  if (!list.has_lost_weights()) list.weights_fault = reason;
  list.weights_are_real = false;
  std::vector<std::int64_t>().swap(list.weights);
}

std::int64_t read_weight(const line_blocks& blocks, std::string_view field, edge_list& list) {
  const auto weight = read_weight_text(field);
  if (weight.is == weight_text::integer) return weight.value;
  if (weight.is == weight_text::other)
    throw blocks.error_at(field.data(), fmt::format("expected a weight, found {}", shown(field)));
  // Only the first error is kept, because finding the line of an error takes long.
  if (list.weights_fault) return 0;
  lose_weights(list, refused(blocks, field, complaint_about(weight.is)));
  return 0;
}

std::optional<double> read_real_weight(std::string_view text) {
  std::string field(without_plus(text));
  std::ranges::replace_if(field, [](char c) { return c == 'd' || c == 'D'; }, 'e');  // of Fortran
  double number = 0;
  const char* const end = field.data() + field.size();
  const auto [last, status] = std::from_chars(field.data(), end, number);
  if (last != end || status != std::errc{} || !std::isfinite(number)) return std::nullopt;
  return number;
}

void keep_negative(const line_blocks& blocks, std::string_view field, edge_list& list) {
  if (!list.origin.options.real_weights || list.negative_weight) return;
  list.negative_weight = refused(blocks, field, "is below 0");
}

void take_weight(const line_blocks& blocks, std::string_view field, edge_list& list) {
  const auto kind = read_weight_text(field).is;
  const bool is_real = kind == weight_text::fraction || kind == weight_text::too_large;
  if (field.starts_with('-')) keep_negative(blocks, field, list);
  if (!list.origin.options.real_weights || !is_real) {
    add_weight(read_weight(blocks, field, list), list);
    return;
  }
  if (list.has_lost_weights()) return;
  const auto number = read_real_weight(field);
  if (!number) {
    lose_weights(list, refused(blocks, field, "is not finite, or does not fit a double"));
    return;
  }
  if (!list.weights_are_real) make_real(list, refused(blocks, field, complaint_about(kind)));
  list.weights.push_back(std::bit_cast<std::int64_t>(*number));
}

}  // namespace atl::graph
