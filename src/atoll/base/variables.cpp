#include "atoll/base/variables.hpp"

#include "atoll/log.hpp"
#include "atoll/settings.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <numeric>
#include <string>
#include <unistd.h>
#include <vector>

namespace atl {

// If a name is unknown, the error suggests a known name ("did you mean"). If known names have a
// small edit distance from the unknown name, the error suggests the nearest known name. If no known
// name has a small edit distance, the error suggests a known name that begins with the unknown
// name.

namespace {

// Returns the number of edits that turn `a` into `b` (optimal string alignment distance). An edit
// inserts, deletes or changes a letter, or exchanges two neighbouring letters.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), row(b.size() + 1);
  std::iota(previous.begin(), previous.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = a[i - 1] == b[j - 1];
      row[j] = std::min({previous[j] + 1, row[j - 1] + 1, previous[j - 1] + !same});
      const bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (exchanged) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(previous);
    previous.swap(row);
  }
  return previous[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view wrong, std::span<const std::string> known) {
  std::size_t smallest = std::max<std::size_t>(1, wrong.size() / 3) + 1;
  std::string nearest;
  for (const std::string& name : known) {
    const auto distance = edit_distance(wrong, name);
    if (distance < smallest) {
      smallest = distance;
      nearest = name;
    }
  }
  if (!nearest.empty() || wrong.size() < 3) return nearest;
  const auto begins = [&](const std::string& name) { return name.starts_with(wrong); };
  const auto longer = std::ranges::find_if(known, begins);
  return longer == known.end() ? "" : *longer;
}

namespace {

constexpr std::string_view prefix = "ATOLL_";

std::string_view without_prefix(std::string_view variable) {
  return variable.substr(prefix.size());
}

/// Returns the known variable whose name is most similar to `name`, without the prefix ATOLL_. The
/// comparison leaves out the prefix, which would make all names similar.
std::string nearest_variable(std::string_view name) {
  std::vector<std::string> known;
  for (const auto& row : settings_table()) known.emplace_back(without_prefix(row.variable()));
  return nearest_name(without_prefix(name), known);
}

bool is_of_the_surroundings(std::string_view name) {
  constexpr std::string_view last_words[] = {"ROOT",    "DIR",     "HOME",   "PREFIX", "VERSION",
                                             "PATH",    "BASE",    "BIN",    "LIB",    "INC",
                                             "INCLUDE", "LIBRARY", "SERVER", "TOKEN"};
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

// A name counts as misspelt only if the nearest setting is at most a third longer than the name.
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
