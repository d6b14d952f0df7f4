#pragma once
// Decides whether the results of a program are allowed. The checker rejects results if it finds
// that no order of the program's changes and reads explains the results. A PE can see its own puts
// before other PEs see the puts. The checker is incomplete: it accepts some results that no order
// of changes and reads explains.

#include "memory/one_sided_programs/history.hpp"

#include <utility>

namespace atl::test::access {

class checker {
 public:
  checker(const program& plan, const log& seen) : history_(plan, seen) {}

  /// Returns the reason why the results are not allowed, or "" if the results are allowed.
  std::string fault() {
    for (const auto& [where, all] : history_.events) {
      if (where.is_counted())
        order_counts(all);
      else
        find_sources(all);
    }
    do draw_conclusions();
    while (fault_.empty() && !new_.empty());
    return fault_;
  }

 private:
  using node = order_graph::node;

  struct reading {
    const event* by;
    const event* source;
  };

  template <class... Parts>
  void refuse(fmt::format_string<Parts...> why, Parts&&... parts) {
    if (fault_.empty()) fault_ = fmt::format(why, std::forward<Parts>(parts)...);
  }
  std::string text_of(const event& each) const { return history_.text_of(each); }

  void conclude(node a, node b) { new_.emplace_back(a, b); }

  /// Finds for each read the step that stored the returned value. The step is unique, because each
  /// value is stored only once.
  void find_sources(const std::vector<event>& all) {
    std::map<word, const event*> taken;
    for (const event& each : all) {
      if (!each.read) continue;
      const auto source = std::ranges::find(all, each.read, &event::stored);
      if (source == all.end()) return refuse("{}, which nobody stores there", text_of(each));
      const auto [first, is_first] =
          each.stored ? taken.try_emplace(*each.read, &each) : std::pair(taken.end(), true);
      if (!is_first) return refuse("{}, and so does {}", text_of(*first->second), text_of(each));
      readings_.push_back({&each, &*source});
      const bool may_be_early = source->pe == each.pe && !each.stored;
      if (!may_be_early) conclude(source->at, each.at);
    }
  }

  /// Orders the reads of a counter by the values that the reads returned. A counter is a word that
  /// operations change only by adding one.
  void order_counts(const std::vector<event>& all) {
    for (const event& a : all) {
      if (!a.read) continue;
      counts_.push_back({&a, &all});
      for (const event& b : all) {
        if (!b.read || &a == &b) continue;
        if (a.stored && b.stored && *a.read == *b.read)
          return refuse("{}, and so does {}", text_of(a), text_of(b));
        if (*a.read < *b.read || (*a.read == *b.read && !a.stored && b.stored))
          conclude(a.at, b.at);
      }
    }
  }

  void draw_conclusions() {
    for (const auto& [a, b] : std::exchange(new_, {})) history_.order.put_before(a, b);
    const std::vector<node> cycle = history_.order.close();
    if (!cycle.empty()) return refuse_cycle(cycle);
    for (const reading& each : readings_) keep_others_out(each);
    for (const count& each : counts_) compare_with_adds(each);
  }

  void refuse_cycle(const std::vector<node>& cycle) {
    std::string texts;
    for (const node each : cycle)
      if (const auto text = history_.text_at(each); !text.empty()) texts += "\n  " + text;
    refuse("each of these would have to be before the next one, and the last before the first:{}",
           texts);
  }

  /// Adds edges to the order: no other store may come between a store and a read that returned the
  /// store's value.
  void keep_others_out(const reading& each) {
    const auto& [by, source] = each;
    for (const event& other : history_.events[by->where]) {
      if (!other.stored || &other == by || &other == source) continue;
      if (is_before(other, *by) && !is_before(other, *source)) conclude(other.at, source->at);
      if (is_before(*source, other) && !is_before(*by, other)) conclude(by->at, other.at);
    }
  }

  bool is_before(const event& a, const event& b) const {
    return history_.order.is_before(a.at, b.at);
  }

  struct count {
    const event* by;
    const std::vector<event>* all;
  };

  /// Checks that the read `each` can have returned the number of adds before it.
  void compare_with_adds(const count& each) {
    const event& by = *each.by;
    std::vector<const event*> before, after, either;
    for (const event& other : *each.all) {
      if (!other.stored || other.pe == k_nobody || &other == &by) continue;
      (is_before(other, by) ? before : is_before(by, other) ? after : either).push_back(&other);
    }
    if (before.size() > *by.read)
      return refuse("{} although {} were added before", text_of(by), before.size());
    if (before.size() + either.size() < *by.read)
      return refuse("{} although no more than {} can have been added before", text_of(by),
                    before.size() + either.size());
    for (const event* other : either) {
      if (before.size() == *by.read)
        conclude(by.at, other->at);
      else if (before.size() + either.size() == *by.read)
        conclude(other->at, by.at);
    }
  }

  history history_;
  std::vector<reading> readings_;
  std::vector<count> counts_;
  std::vector<std::pair<node, node>> new_;
  std::string fault_;
};

/// Returns the reason why the steps of `plan` cannot have returned the results in `seen`, or "" if
/// there is no such reason.
inline std::string fault_of(const program& plan, const log& seen) {
  for (std::size_t number = 0; number < plan.steps.size(); ++number) {
    const step& each = plan.steps[number];
    if (seen[number].size() != each.returned())
      return fmt::format("step {} has returned {} words, not {}", number, seen[number].size(),
                         each.returned());
    if (each.kind == step_kind::wait && seen[number][0] < each.value)
      return fmt::format("step {} waits for {} and ends with {}", number, each.value,
                         seen[number][0]);
  }
  return checker(plan, seen).fault();
}

}  // namespace atl::test::access
