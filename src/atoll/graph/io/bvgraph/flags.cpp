// The property compressionflags: which part of a BVGraph has which code.

#include "atoll/error.hpp"
#include "atoll/graph/io/bvgraph/parameters.hpp"

#include <initializer_list>

namespace atl::graph::bvgraph {
namespace {

/// A part of the streams, its name in flags, and the codes it may have, the default first.
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

/// Returns whether there is such a flag.
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

}  // namespace atl::graph::bvgraph
