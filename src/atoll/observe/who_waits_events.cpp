// The part of the report that says which events tasks wait for, and what those wait for.

#include "atoll/log.hpp"
#include "atoll/observe/who_waits.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace atl::observe {
namespace {

/// All events and reservations that are known to be waited for, and what follows what.
class event_chains {
 public:
  explicit event_chains(std::span<const pe_answer> answers) {
    for (const auto& answer : answers)
      for (const auto& one : answer.findings) learn(one, answer.pe);
  }

  /// "made at x.cpp:3 on PE 0, which nobody has triggered"; of one that waits for others, a line
  /// for each of the first of these, down to one that does not.
  std::string text(std::uint64_t event) const {
    std::string lines = place_of(event);
    std::set<std::uint64_t> seen = {event};
    while (const auto next = next_of(event, lines)) {
      event = *next;
      if (!seen.insert(event).second) return lines + "\n    which waits for itself: a circle";
      if (seen.size() > k_most_in_chain) return lines + "\n    and so on";
      lines += place_of(event);
    }
    const bool is_request = requested_.contains(event);
    return lines + (is_request ? ", which nobody has released" : ", which nobody has triggered");
  }

 private:
  static constexpr std::size_t k_most_in_chain = 16;
  using words = std::map<std::uint64_t, std::uint64_t>;

  void learn(const finding& one, int pe) {
    if (one.what == fact::event)
      places_[one.number] = fmt::format("made at {} on PE {}", place_or_nowhere(one), pe);
    else if (one.what == fact::follows)
      before_.try_emplace(one.count, one.number);
    else if (one.what == fact::requests)
      requested_.try_emplace(one.count, one.number);
    else if (one.what == fact::releases)
      releases_.try_emplace(one.number, one.count);
    else if (one.what == fact::reservation)
      holders_[one.number] = fmt::format("made at {}, which PE {} holds since {}",
                                         place_or_nowhere(one), pe, origin_or_nowhere(one));
  }

  /// What an event waits for, and in `lines` how: for an event, or for a reservation that is
  /// released with one.
  std::optional<std::uint64_t> next_of(std::uint64_t event, std::string& lines) const {
    if (const auto next = before_.find(event); next != before_.end()) {
      lines += "\n    which waits for an event ";
      return next->second;
    }
    const auto reserved = requested_.find(event);
    if (reserved == requested_.end()) return std::nullopt;
    const auto held = holders_.find(reserved->second);
    lines += "\n    which waits for a reservation " +
             (held != holders_.end() ? held->second : "that no PE is known to hold");
    const auto release = releases_.find(reserved->second);
    if (release == releases_.end()) return std::nullopt;
    lines += "\n    and which is released with an event ";
    return release->second;
  }

  std::string place_of(std::uint64_t event) const {
    const auto known = places_.find(event);
    return known != places_.end() ? known->second : "made at an unknown place";
  }

  std::map<std::uint64_t, std::string> places_;
  std::map<std::uint64_t, std::string> holders_;  ///< of reservations
  words before_;                                  ///< by event: one of those that it waits for
  words requested_;                               ///< by event: the reservation that it waits for
  words releases_;  ///< by reservation: the event that it is released with
};

struct waiting_group {
  std::uint64_t count = 0;
  std::vector<int> pes{};  // ascending
};

}  // namespace

std::string event_lines(std::span<const pe_answer> answers) {
  const event_chains chains(answers);
  std::map<std::tuple<std::string, std::string>, waiting_group> groups;
  for (const auto& answer : answers) {
    for (const auto& one : answer.findings) {
      if (one.what != fact::waits_event) continue;
      waiting_group& of = groups[{place_or_nowhere(one), chains.text(one.number)}];
      of.count += one.count;
      if (of.pes.empty() || of.pes.back() != answer.pe) of.pes.push_back(answer.pe);
    }
  }
  std::string text;
  for (const auto& [key, group] : groups) {
    const auto& [where, chain] = key;
    text += fmt::format("  what {} {} on {} {} for at {} is an event {}\n",
                        grouped_digits(group.count), group.count == 1 ? "task" : "tasks",
                        pe_list(group.pes), group.count == 1 ? "waits" : "wait", where, chain);
  }
  return text;
}

}  // namespace atl::observe
