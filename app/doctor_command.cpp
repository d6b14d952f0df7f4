// `atoll doctor`: whether Atoll works on this machine, and what would make it faster.

#include "app/command.hpp"
#include "app/doctor_checks.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>

namespace atl::app {
namespace {

std::string_view word(verdict is) {
  constexpr std::string_view words[] = {"ok", "note", "PROBLEM"};
  return words[std::size_t(is)];
}

// Breaks the text into lines of at most 100 columns, each behind `indent` spaces.
std::string wrapped(std::string_view text, std::size_t indent) {
  std::string result;
  std::size_t column = indent;
  while (!text.empty()) {
    const auto word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    const bool first = column == indent;
    if (!first && column + 1 + word.size() > 100) {
      result.append(1, '\n').append(indent, ' ');
      column = indent;
    } else if (!first) {
      result += ' ';
      ++column;
    }
    result += word;
    column += word.size();
  }
  return result;
}

std::string text_of(const finding& found) {
  constexpr std::size_t indent = 31;
  const auto line = [](std::string_view left, std::string_view right, std::string_view text) {
    return fmt::format("{:<8} {:<21} {}\n", left, right, wrapped(text, indent));
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
