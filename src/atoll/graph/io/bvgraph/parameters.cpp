#include "atoll/graph/io/bvgraph/parameters.hpp"

#include "atoll/error.hpp"
#include "atoll/graph/edge.hpp"

#include <charconv>

namespace atl::graph::bvgraph {
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
