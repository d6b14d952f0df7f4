#include "atoll/graph/io/line_fields.hpp"

#include "atoll/base/error.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace atl::graph {
namespace {

// Above it not every integer is a double.
constexpr double k_largest_exact = 9007199254740992;

// As from_chars, which takes words such as "nan" and no '+', would not have it.
bool begins_number(std::string_view field) {
  if (field.starts_with('-')) field.remove_prefix(1);
  if (field.starts_with('.')) field.remove_prefix(1);
  return !field.empty() && is_digit(field.front());
}

std::string_view without_plus(std::string_view field) {
  const bool positive = field.starts_with('+') && !field.substr(1).starts_with('-');
  return positive ? field.substr(1) : field;
}

}  // namespace

std::string_view line_fields::word() {
  const auto field = field_at(text_);
  text_ = skip_blanks(text_ + field.size());
  return field;
}

std::size_t line_fields::take_one_of(std::span<const std::string_view> words,
                                     std::string_view what) {
  const auto found = std::ranges::find(words, field_at(text_));
  if (found == words.end()) refuse(what);
  word();
  return static_cast<std::size_t>(found - words.begin());
}

std::uint64_t line_fields::count(std::string_view what) {
  const auto field = field_at(text_);
  std::uint64_t number = 0;
  const auto kind = read_vertex(field, number);
  if (kind == vertex_text::other) refuse(what);
  if (kind == vertex_text::out_of_range)
    throw blocks_.error_at(
        text_, fmt::format("{} {} is out of range (0 to {})", what, shown(field), largest_vertex));
  word();
  return number;
}

// Leading zeros, or not a vertex at all.
std::uint64_t line_fields::unusual_vertex(std::string_view what, std::uint64_t vertices) {
  const auto field = field_at(text_);
  std::uint64_t number = 0;
  const auto kind = read_vertex(field, number);
  if (kind == vertex_text::other) refuse(what);
  if (kind == vertex_text::out_of_range || number - 1 >= vertices)
    throw blocks_.error_at(
        text_, fmt::format("{} {} is out of range (1 to {})", what, shown(field), vertices));
  word();
  return number - 1;
}

std::int64_t line_fields::weight() {
  const auto field = field_at(text_);
  std::int64_t value = 0;
  const auto [end, status] = std::from_chars(field.data(), field.data() + field.size(), value);
  const bool whole = end == field.data() + field.size();
  if (status == std::errc::result_out_of_range && whole)
    throw blocks_.error_at(text_, fmt::format("weight {} does not fit 64 bits", shown(field)));
  if (status != std::errc{} || !whole) refuse("an integer weight");
  word();
  return value;
}

std::optional<std::int64_t> line_fields::real_as_integer(std::string_view what) {
  const auto field = without_plus(field_at(text_));
  const char* const end = field.data() + field.size();
  std::int64_t integer = 0;
  const auto of_integer = std::from_chars(field.data(), end, integer);
  if (of_integer.ptr == end && of_integer.ec == std::errc{}) return integer;
  double real = 0;
  const auto of_real = std::from_chars(field.data(), end, real);
  if (of_real.ptr != end || !begins_number(field)) refuse(what);
  const bool exact = of_real.ec == std::errc{} && std::abs(real) <= k_largest_exact;
  if (!exact || std::trunc(real) != real) return std::nullopt;
  return static_cast<std::int64_t>(real);
}

void line_fields::add_real_weight(edge_list& list) {
  const auto value = real_as_integer("a weight");
  if (value && !list.weights_fault) list.weights.push_back(*value);
  if (!value && !list.weights_fault) {
    list.weights_fault =
        blocks_.error_at(text_, fmt::format("weight {} is no integer", shown(field_at(text_))));
    std::vector<std::int64_t>().swap(list.weights);
  }
  word();
}

void line_fields::pass_number(std::string_view what) {
  real_as_integer(what);
  word();
}

void line_fields::finish() const {
  if (!at_end()) refuse("the end of the line");
}

void line_fields::refuse(std::string_view what) const {
  throw blocks_.error_at(text_, fmt::format("expected {}, found {}", what, shown(field_at(text_))));
}

}  // namespace atl::graph
