// "Did you mean": the known name with the smallest edit distance, or one that begins like this.

#include "atoll/settings.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace atl {
namespace {

// Insertions, deletions, changes, and exchanges of two neighbours (optimal string alignment).
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

}  // namespace atl
