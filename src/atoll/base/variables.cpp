#include "atoll/base/variables.hpp"

#include "atoll/log.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <string>
#include <unistd.h>

namespace atl {
namespace {

constexpr std::string_view prefix = "ATOLL_";

std::string_view without_prefix(std::string_view variable) {
  return variable.substr(prefix.size());
}

/// The nearest setting's, without the prefix, which would make any two of them alike.
std::string nearest_variable(std::string_view name) {
  std::vector<std::string> known;
  for (const auto& row : settings_table()) known.emplace_back(without_prefix(row.variable()));
  return nearest_name(without_prefix(name), known);
}

bool is_of_the_surroundings(std::string_view name) {
  constexpr std::string_view last_words[] = {"ROOT", "DIR", "HOME", "PREFIX", "VERSION", "PATH",
                                             "BASE", "BIN", "LIB",  "INC",    "INCLUDE", "LIBRARY"};
  const auto last = name.substr(name.rfind('_') + 1);
  return std::ranges::find(last_words, last) != std::end(last_words) ||
         name.find("_PORT") != name.npos || name.find("_SERVICE_") != name.npos;
}

}  // namespace

std::vector<given_variable> given_variables() {
  std::vector<given_variable> all;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const auto equals = std::min(text.find('='), text.size());
    if (text.starts_with(prefix) && equals + 1 < text.size())
      all.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  return all;
}

const setting_description* setting_of_variable(std::string_view name) {
  const auto table = settings_table();
  const auto found =
      std::ranges::find_if(table, [&](auto& known) { return known.variable() == name; });
  return found == table.end() ? nullptr : &*found;
}

// What only begins like a much longer name was not meant to be it.
bool is_misspelt_setting(std::string_view name) {
  if (setting_of_variable(name) != nullptr || is_of_the_surroundings(name)) return false;
  const std::size_t letters = without_prefix(name).size();
  const std::string nearest = nearest_variable(name);
  return !nearest.empty() && nearest.size() <= letters + std::max<std::size_t>(1, letters / 3);
}

void warn_of_ignored_variables() {
  static std::atomic<bool> warned{false};
  if (warned.exchange(true)) return;
  for (const auto& [name, value] : given_variables()) {
    if (setting_of_variable(name) != nullptr || is_of_the_surroundings(name)) continue;
    const std::string nearest = nearest_variable(name);
    log::warning("the variable {} is no setting, and changes nothing{}", name,
                 nearest.empty() ? "" : fmt::format(" (did you mean {}{}?)", prefix, nearest));
  }
}

}  // namespace atl
