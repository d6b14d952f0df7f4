#pragma once
// Prints a program of one-sided access and the results of its steps.

#include "memory/one_sided_programs/plan.hpp"

#include <array>
#include <fmt/format.h>
#include <string>

namespace atl::test::access {

inline std::string text_of(const place& at) {
  if (at.index == k_counter) return fmt::format("the counter of PE {}", at.pe);
  if (at.index == k_signals) return fmt::format("the signals of PE {}", at.pe);
  if (at.index >= k_first_flag)
    return fmt::format("the flag of PE {} on PE {}", at.index - k_first_flag, at.pe);
  return fmt::format("word {} of PE {}", at.index, at.pe);
}

inline std::string text_of_value(word value) {
  if (value % k_both_halves == 0) return fmt::format("{}", value / k_both_halves);
  return value >> 32 == 0 ? fmt::format("{}", value) : fmt::format("{:#x}", value);
}

inline const char* name_of(step_kind kind) {
  constexpr std::array k_names = {
      "put",   "put_nbi",  "put_signal",       "put_signal_nbi", "get", "get_nbi",   "load",
      "set",   "exchange", "compare_exchange", "fetch",          "add", "fetch_add", "wait",
      "fence", "quiet",    "barrier"};
  return k_names[static_cast<std::size_t>(kind)];
}

inline std::string text_of_operands(const step& each) {
  std::string text;
  if (each.words > 1) text += fmt::format(", {} words", each.words);
  if (each.kind == step_kind::compare_exchange)
    text += fmt::format(", {} ->", text_of_value(each.expected));
  const bool has_value = each.returned() == 0 || each.changes_at_once();
  if (each.kind == step_kind::wait) text += fmt::format(", until at least {}", each.value);
  if (has_value && !each.adds()) text += ", " + text_of_value(each.value);
  if (each.has_signal())
    text += fmt::format(", signal {} {}", text_of(place{each.at.pe, each.signal}), each.signalled);
  return text;
}

inline std::string text_of(const step& each) {
  if (each.kind == step_kind::barrier) return "all PEs: quiet and barrier";
  std::string text = fmt::format("PE {}: {}", each.pe, name_of(each.kind));
  if (each.kind == step_kind::fence || each.kind == step_kind::quiet) return text;
  return text + " " + text_of(each.at) + text_of_operands(each);
}

/// Returns one line of text for each step.
inline std::string text_of(const program& plan, const log& seen) {
  std::string text = fmt::format("seed {}, {} PEs\n", plan.seed, plan.pes);
  for (std::size_t number = 0; number < plan.steps.size(); ++number) {
    text += fmt::format("  step {}: {}", number, text_of(plan.steps[number]));
    for (const word each : seen[number]) text += " = " + text_of_value(each);
    text += '\n';
  }
  return text;
}

}  // namespace atl::test::access
