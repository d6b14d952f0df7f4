// `atoll doctor`: whether Atoll works on this machine, and what would make it faster.

#include "app/command.hpp"
#include "app/doctor_checks.hpp"
#include "app/flags.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>

namespace atl::app {
namespace {

std::string_view word(verdict is) {
  constexpr std::string_view words[] = {"ok", "note", "PROBLEM"};
  return words[std::size_t(is)];
}

std::string text_of(const finding& found) {
  constexpr std::size_t indent = 31;
  const auto line = [](std::string_view left, std::string_view right, std::string_view text) {
    return fmt::format("{:<8} {:<21} {}\n", left, right, wrapped(text, 100 - indent, indent));
  };
  std::string text = line(word(found.is), found.subject, found.seen);
  if (!found.change.empty()) text += line("", "  change", found.change);
  if (!found.cost.empty()) text += line("", "  or else", found.cost);
  return text;
}

int examine() {
  const auto findings = examine_machine();
  for (const auto& found : findings) std::cout << text_of(found);
  const auto problems = std::ranges::count(findings, verdict::problem, &finding::is);
  if (problems == 0) {
    std::cout << "\nAtoll works here.\n";
    return 0;
  }
  std::cout << fmt::format("\nAtoll does not work here: {} problem{}.\n", problems,
                           problems == 1 ? "" : "s");
  return 2;
}

}  // namespace

void add_doctor(CLI::App& root, command_context& context) {
  add_command(root, context, "doctor", "Check this machine and say what to change", examine);
}

}  // namespace atl::app
