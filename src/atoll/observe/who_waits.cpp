#include "atoll/observe/who_waits.hpp"

#include "atoll/log.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace atl::observe {
namespace {

struct group {
  fact what;
  std::string where;
  std::string spawned;
  std::uint64_t count = 0;
  std::vector<int> pes;  // PEs with tasks of this group, in ascending order
};

// Groups the tasks that wait at the same line. Lines are compared as texts, because a line of a
// header has several constants: one for each source file that includes the header.
std::vector<group> groups_of_tasks(std::span<const pe_answer> answers) {
  std::map<std::tuple<fact, std::string, std::string>, group> found;
  for (const auto& answer : answers) {
    for (const auto& one : answer.findings) {
      if (one.what >= fact::held) continue;
      const std::string where = one.place_text();
      const std::string spawned = one.origin_text();
      group& of = found[{one.what, where, spawned}];
      of.what = one.what;
      of.where = where;
      of.spawned = spawned;
      of.count += one.count;
      if (of.pes.empty() || of.pes.back() != answer.pe) of.pes.push_back(answer.pe);
    }
  }
  std::vector<group> all;
  for (auto& [key, one] : found) all.push_back(std::move(one));
  std::ranges::stable_sort(all, [](const group& a, const group& b) {
    return a.what != b.what ? a.what < b.what : a.count > b.count;
  });
  return all;
}

std::string what_they_do(const group& tasks) {
  const bool one = tasks.count == 1;
  const std::string at = tasks.where.empty() ? " at an unknown place" : " at " + tasks.where;
  switch (tasks.what) {
  case fact::waits:
    return (one ? "waits" : "wait") + at;
  case fact::lacks_room:
    return std::string(one ? "waits" : "wait") + " for room" + (tasks.where.empty() ? "" : at);
  case fact::ready:
    return std::string(one ? "is" : "are") + " ready to " +
           (tasks.where.empty() ? "begin" : "go on" + at);
  case fact::runs:
    return one ? "runs" : "run";
  default:
    return std::string(one ? "is" : "are") + " stealable and not begun";
  }
}

std::string line_of(const group& tasks) {
  const std::string from = tasks.spawned.empty() ? "" : " (spawned at " + tasks.spawned + ")";
  return fmt::format("  {} {} on {} {}{}\n", grouped_digits(tasks.count),
                     tasks.count == 1 ? "task" : "tasks", pe_list(tasks.pes), what_they_do(tasks),
                     from);
}

struct holder_group {
  std::string since;
  std::string where;
  int holder;
  std::uint64_t count = 0;
  std::vector<int> pes{};
};

/// Groups the tasks that wait for an object that another task holds. All tasks of a group wait at
/// the same source line. All objects of a group were acquired by tasks of one PE at one source
/// line.
std::vector<holder_group> groups_of_holders(std::span<const pe_answer> answers) {
  std::map<std::tuple<std::string, std::string, int>, holder_group> found;
  for (const auto& answer : answers) {
    for (const auto& one : answer.findings) {
      if (one.what != fact::held) continue;
      const auto [holder, waiting] = held_pes::from_word(one.number);
      const holder_group empty{origin_or_nowhere(one), place_or_nowhere(one), holder};
      auto& of = found.try_emplace({empty.since, empty.where, holder}, empty).first->second;
      of.count += one.count;
      of.pes.insert(std::ranges::upper_bound(of.pes, waiting), waiting);
    }
  }
  for (auto& [key, one] : found) one.pes.erase(std::ranges::unique(one.pes).begin(), one.pes.end());
  std::vector<holder_group> all;
  for (auto& [key, one] : found) all.push_back(std::move(one));
  std::ranges::stable_sort(all, std::greater<>(), &holder_group::count);
  return all;
}

std::string holder_lines(std::span<const pe_answer> answers) {
  std::string text;
  for (const auto& [since, where, holder, count, pes] : groups_of_holders(answers)) {
    text += fmt::format("  what {} {} on {} {} for at {} is held by a task of PE {}, since {}\n",
                        grouped_digits(count), count == 1 ? "task" : "tasks", pe_list(pes),
                        count == 1 ? "waits" : "wait", where, holder, since);
  }
  return text;
}

/// Tasks in a cycle: each task of the cycle waits for an object that the next task holds.
using circle = std::vector<finding>;

/// Returns a map from the name of each waiting task to its finding `waits_for`. A task waits for at
/// most one object.
std::map<std::uint64_t, finding> waits_by_task(std::span<const pe_answer> answers) {
  std::map<std::uint64_t, finding> found;
  for (const auto& answer : answers)
    for (const auto& one : answer.findings)
      if (one.what == fact::waits_for) found[one.count] = one;
  return found;
}

std::vector<circle> circles_among(std::map<std::uint64_t, finding> waits) {
  std::vector<circle> found;
  while (!waits.empty()) {
    circle path;
    for (auto next = waits.begin(); next != waits.end(); next = waits.find(path.back().number)) {
      path.push_back(next->second);
      waits.erase(next);
    }
    const auto first = std::ranges::find(path, path.back().number, &finding::count);
    if (first != path.end()) found.emplace_back(first, path.end());
  }
  return found;
}

std::string circle_lines(std::span<const pe_answer> answers) {
  std::string text;
  for (const circle& tasks : circles_among(waits_by_task(answers))) {
    const bool alone = tasks.size() == 1;
    if (!alone) text += "  deadlock: each of these tasks waits for what the next one holds\n";
    for (const finding& one : tasks) {
      const int pe = task_name::from_word(one.count).pe();
      const int holder = task_name::from_word(one.number).pe();
      text += fmt::format("  {} a task of PE {} waits at {} for what {}, since {}\n",
                          alone ? "deadlock:" : " ", pe, place_or_nowhere(one),
                          alone ? "it holds itself" : fmt::format("a task of PE {} holds", holder),
                          origin_or_nowhere(one));
    }
  }
  return text;
}

/// The PEs that are in one collective, grouped by the place of the call. The groups are sorted by
/// their lowest PE.
using callers = std::vector<std::pair<std::string, std::vector<int>>>;

std::vector<int>& called_at(callers& all, const std::string& where) {
  const auto found = std::ranges::find(all, where, &callers::value_type::first);
  return found != all.end() ? found->second : all.emplace_back(where, std::vector<int>()).second;
}

std::map<std::uint64_t, callers> collectives_entered(std::span<const pe_answer> answers) {
  std::map<std::uint64_t, callers> found;
  for (const auto& answer : answers) {
    for (const auto& one : answer.findings)
      if (one.what == fact::entered)
        called_at(found[one.number], place_or_nowhere(one)).push_back(answer.pe);
  }
  return found;
}

std::vector<int> missing_in(std::uint64_t number, std::span<const pe_answer> answers) {
  std::vector<int> missing;
  for (const auto& answer : answers) {
    for (const auto& one : answer.findings)
      if (one.what == fact::collectives && one.number <= number) missing.push_back(answer.pe);
  }
  return missing;
}

std::string collective_line(const callers& present, const std::vector<int>& missing) {
  std::string who;
  for (const auto& [where, pes] : present) {
    const std::string_view verb = !who.empty() ? "" : pes.size() == 1 ? " waits in" : " wait in";
    who += fmt::format("{}{}{} at {}", who.empty() ? "" : " and ", pe_list(pes), verb, where);
  }
  return fmt::format("  {} {} not reached the collective that {}\n", pe_list(missing),
                     missing.size() == 1 ? "has" : "have", who);
}

std::string program_lines(std::span<const pe_answer> answers) {
  std::map<std::string, std::vector<int>> callers;
  for (const auto& answer : answers)
    for (const auto& one : answer.findings)
      if (one.what == fact::program) callers[one.place].push_back(answer.pe);
  std::string text;
  for (const auto& [call, pes] : callers)
    text += fmt::format("  {}: the program is in {}\n", pe_list(pes), call);
  return text;
}

}  // namespace

// To keep answers short, only the 64 tasks that have waited longest are reported by name. If a
// deadlock includes a task that is not reported by name, the report does not recognise the
// deadlock.
void held_waits::tell(std::vector<finding>& into) const {
  constexpr std::uint64_t k_most_by_name = 64;
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>, finding> groups;
  std::uint64_t named = 0;
  for (const held_wait* one = ends_.next; one != &ends_; one = one->next) {
    const site since = one->held_by->since();
    const task_name by = one->held_by->by();
    const std::uint64_t between = held_pes{by.pe(), one->waiting.pe()}.word();
    finding& of = groups[{one->where.word(), since.word(), between}];
    of = {fact::held, one->where, since, of.where.known() ? of.count + 1 : 1, between};
    if (++named <= k_most_by_name)
      into.push_back({fact::waits_for, one->where, since, one->waiting.word(), by.word()});
  }
  for (const auto& [key, one] : groups) into.push_back(one);
}

std::vector<finding> report_sections::collect() const {
  std::vector<finding> all;
  for (const auto& asked : sections_) asked(all);
  held_.tell(all);
  return all;
}

std::string pe_list(std::span<const int> pes) {
  std::string text = pes.size() == 1 ? "PE " : "PEs ";
  for (std::size_t first = 0; first < pes.size();) {
    std::size_t last = first;
    while (last + 1 < pes.size() && pes[last + 1] == pes[last] + 1) ++last;
    text += fmt::format("{}{}", first == 0 ? "" : ", ", pes[first]);
    if (last != first) text += fmt::format("-{}", pes[last]);
    first = last + 1;
  }
  return text;
}

std::string who_waits_text(std::span<const pe_answer> answers) {
  std::string text = program_lines(answers);
  for (const auto& tasks : groups_of_tasks(answers)) text += line_of(tasks);
  text += holder_lines(answers);
  text += circle_lines(answers);
  text += event_lines(answers);
  for (const auto& [number, present] : collectives_entered(answers)) {
    const auto missing = missing_in(number, answers);
    if (!missing.empty()) text += collective_line(present, missing);
  }
  for (const auto& answer : answers) {
    if (answer.left_out != 0)
      text += fmt::format("  PE {} has tasks at {} more places\n", answer.pe, answer.left_out);
  }
  return text.empty() ? "  no task waits\n" : text;
}

// The next functions write the part of the report about events that tasks wait for. If an event
// waits for another event, the report names both.

namespace {

/// All events and reservations that the answers of the PEs mention. For each event, the object
/// knows at most one other event and one reservation that the event waits for.
class event_chains {
 public:
  explicit event_chains(std::span<const pe_answer> answers) {
    for (const auto& answer : answers)
      for (const auto& one : answer.findings) learn(one, answer.pe);
  }

  /// Returns the description of an event, for example "made at x.cpp:3 on PE 0, which nobody has
  /// triggered". If the event waits for another event, a line about that event follows, and so on.
  /// If an event waits for several events, the text describes only one of them.
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

  /// Returns an event that `event` waits for, or nothing. The returned event either must trigger
  /// before `event`, or will release a reservation that `event` waits for. The function appends to
  /// `lines` a text that explains the wait.
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
  std::map<std::uint64_t, std::string> holders_;  ///< text about the holder of each reservation
  words before_;                                  ///< maps an event to one event that it waits for
  /// Maps an event to the reservation that it waits for.
  words requested_;
  /// Maps a reservation to the event that will release it.
  words releases_;
};

struct waiting_group {
  std::uint64_t count = 0;
  std::vector<int> pes{};  // PEs with tasks of this group, in ascending order
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
