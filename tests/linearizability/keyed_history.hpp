#pragma once
// The history of the operations of tasks on one key of a map. Also contains the functions that
// decide whether the history of a key is linearizable. A map is linearizable if the history of each
// of its keys is linearizable (Herlihy and Wing, "Linearizability", 1990, on locality).

#include <algorithm>
#include <compare>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fmt/os.h>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace atl::test {

enum class keyed : std::uint8_t { lookup, insert, assign, erase, update };

/// An operation on the key, and the values of a counter when it began and when it ended. All
/// written values are distinct.
struct keyed_operation {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t key = 0;
  std::uint64_t value = 0;  ///< the value that was looked up, written, or added by an update
  keyed kind = keyed::lookup;
  bool yes = false;  ///< the result of the operation; for a lookup, whether the key had a value
  int pe = 0;
};

struct key_contents {
  bool there = false;
  std::uint64_t value = 0;
  auto operator<=>(const key_contents&) const = default;
};

/// Returns true if the operation, executed on the contents `now`, would have its recorded result.
/// Also applies the operation to `now`.
inline bool apply(const keyed_operation& next, key_contents& now) {
  const bool inserts = next.kind == keyed::insert || next.kind == keyed::assign;
  if (next.yes != (inserts ? !now.there : now.there)) return false;
  switch (next.kind) {
  case keyed::lookup:
    return !now.there || now.value == next.value;
  case keyed::insert:
    if (!now.there) now = {true, next.value};
    return true;
  case keyed::assign:
    now = {true, next.value};
    return true;
  case keyed::erase:
    now = {};
    return true;
  case keyed::update:
    if (now.there) now.value += next.value;
    return true;
  }
  return false;
}

/// Decides by a search whether the history of a key is linearizable. The search tries each
/// operation that may come next. A state of the search is a set of finished operations and the
/// contents of the map for the key. If the search reaches a state for the second time, the search
/// does not continue from this state. The history may have at most 64 operations.
class keyed_checker {
 public:
  explicit keyed_checker(std::span<const keyed_operation> all) : all_(all) {}

  bool is_linearizable() { return extend(0, {}); }

 private:
  bool extend(std::uint64_t done, const key_contents& now) {
    std::uint64_t first_end = std::numeric_limits<std::uint64_t>::max();
    for (std::size_t i = 0; i < all_.size(); ++i)
      if ((done >> i & 1) == 0) first_end = std::min(first_end, all_[i].end);
    if (first_end == std::numeric_limits<std::uint64_t>::max()) return true;
    if (!seen_.emplace(done, now).second) return false;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if ((done >> i & 1) != 0 || all_[i].begin > first_end) continue;
      key_contents then = now;
      if (apply(all_[i], then) && extend(done | 1ull << i, then)) return true;
    }
    return false;
  }

  std::span<const keyed_operation> all_;
  std::set<std::pair<std::uint64_t, key_contents>> seen_;
};

inline bool linearizable_for_its_key(std::span<const keyed_operation> all) {
  return keyed_checker(all).is_linearizable();
}

/// Splits a history into one history per key.
inline std::vector<std::vector<keyed_operation>> by_key(const std::vector<keyed_operation>& all) {
  std::map<decltype(keyed_operation::key), std::vector<keyed_operation>> keyed;
  for (const auto& one : all) keyed[one.key].push_back(one);
  std::vector<std::vector<keyed_operation>> split;
  for (auto& [key, history] : keyed) split.push_back(std::move(history));
  return split;
}

/// If the environment variable ATOLL_HISTORIES names a file, appends the history of one key and the
/// verdict of the test to this file.
inline void note_key(bool is_right, std::span<const keyed_operation> all) {
  const char* const path = std::getenv("ATOLL_HISTORIES");
  if (path == nullptr) return;
  constexpr const char* k_names[] = {"lookup", "insert", "assign", "erase", "update"};
  auto file = fmt::output_file(path, fmt::file::WRONLY | fmt::file::CREATE | fmt::file::APPEND);
  file.print("key {} {}\n", is_right ? "right" : "wrong", all.size());
  for (const auto& one : all) {
    file.print("{} {} {}:{} {} {}\n", one.begin, one.end, k_names[static_cast<int>(one.kind)],
               one.yes ? "yes" : "no", one.value, one.pe);
  }
}

}  // namespace atl::test
