#pragma once
// The history of a program holds the changes and reads of words, and a partial order of the changes
// and reads. OpenSHMEM determines the partial order, which does not depend on the results. An
// execution of a program is a total order of all changes and reads of the program. The checker
// looks for an execution that explains the program's results.

#include "memory/one_sided_programs/describe.hpp"
#include "memory/one_sided_programs/order_graph.hpp"

#include <map>
#include <optional>

namespace atl::test::access {

/// A change or a read of a word, or both at once.
struct event {
  order_graph::node at;
  std::size_t step;
  /// PE that performs the change or read; for the initial value of a word, `k_nobody`.
  int pe;
  place where;
  std::optional<word> read;
  std::optional<word> stored;  ///< the new value, or for a counter the value that is added
};

inline constexpr int k_nobody = -1;

class history {
 public:
  /// Makes the history of `plan`; `seen` holds the results of each step.
  history(const program& plan, const log& seen) : plan_(plan), seen_(seen) {
    pes_.assign(static_cast<std::size_t>(plan.pes), {order.add(), {}, {}});
    for (std::size_t number = 0; number < plan.steps.size(); ++number) {
      if (plan.steps[number].kind == step_kind::barrier)
        add_barrier();
      else
        add_step(plan.steps[number], number);
    }
  }

  order_graph order;
  /// The events of each word; the first of them stores the initial value.
  std::map<place, std::vector<event>> events;

  /// Returns a description of a node, or "" if the node is a point between steps.
  std::string text_at(order_graph::node at) const {
    for (const auto& [where, all] : events)
      for (const event& each : all)
        if (each.at == at) return text_of(each);
    return {};
  }

  std::string text_of(const event& each) const {
    const std::string where = access::text_of(each.where);
    if (each.pe == k_nobody) return "the beginning";
    std::string text = fmt::format("step {} of PE {} ({})", each.step, each.pe,
                                   name_of(plan_.steps[each.step].kind));
    if (each.read) text += fmt::format(" reads {} from {}", text_of_value(*each.read), where);
    if (each.stored) text += fmt::format(" stores {} in {}", text_of_value(*each.stored), where);
    return text;
  }

 private:
  using node = order_graph::node;

  /// The changes of one PE to words of another PE, since its last fence.
  struct stretch {
    std::optional<node> fence;
    std::vector<node> changes;
  };
  struct pe_state {
    node now;                // the point after the last step of the PE
    std::vector<node> open;  // operations that need not be complete before the next quiet
    std::map<int, stretch> to;
  };

  pe_state& of(int pe) { return pes_[static_cast<std::size_t>(pe)]; }

  node add_event(const step& by, std::size_t number, place where, std::optional<word> read,
                 std::optional<word> stored) {
    auto& all = events[where];
    if (all.empty()) all.push_back({0, 0, k_nobody, where, {}, 0});
    const node at = order.add();
    order.put_before(of(by.pe).now, at);
    all.push_back({at, number, by.pe, where, read, stored});
    if (!stored) return at;
    stretch& since = of(by.pe).to[where.pe];
    if (since.fence) order.put_before(*since.fence, at);
    since.changes.push_back(at);
    return at;
  }

  void add_step(const step& by, std::size_t number) {
    if (by.kind == step_kind::fence) return add_fence(of(by.pe));
    const bool is_nbi = by.kind == step_kind::get_nbi;
    std::vector<node> inside;
    if (by.changes_later()) add_changes(by, number);
    for (std::size_t k = 0; k < by.returned(); ++k) {
      const word read = seen_[number][k];
      std::optional<word> stored;
      if (by.changes_at_once()) stored = by.adds() ? 1 : by.value;
      if (by.kind == step_kind::compare_exchange && read != by.expected) stored.reset();
      const node at = add_event(by, number, by.word_at(static_cast<int>(k)), read, stored);
      (is_nbi ? of(by.pe).open : inside).push_back(at);
    }
    if (by.kind == step_kind::quiet) inside.swap(of(by.pe).open);
    go_on(of(by.pe), inside);
  }

  void add_changes(const step& by, std::size_t number) {
    std::vector<node>& open = of(by.pe).open;
    const std::size_t first = open.size();
    for (int k = 0; k < by.words; ++k)
      open.push_back(add_event(by, number, by.word_at(k), {}, by.adds() ? 1 : by.value_of(k)));
    if (!by.has_signal()) return;
    const node signal = add_event(by, number, {by.at.pe, by.signal}, {}, by.signalled);
    for (std::size_t k = first; k < open.size(); ++k) order.put_before(open[k], signal);
    open.push_back(signal);
  }

  /// Moves the PE to the point after a step; all nodes of `inside` happen before that point.
  void go_on(pe_state& pe, const std::vector<node>& inside) {
    const node next = order.add();
    order.put_before(pe.now, next);
    for (const node each : inside) order.put_before(each, next);
    pe.now = next;
  }

  void add_fence(pe_state& pe) {
    for (auto& [target, since] : pe.to) {
      if (since.changes.empty()) continue;
      const node fence = order.add();
      for (const node each : since.changes) order.put_before(each, fence);
      if (since.fence) order.put_before(*since.fence, fence);
      since = {fence, {}};
    }
  }

  void add_barrier() {
    const node all = order.add();
    for (pe_state& pe : pes_) {
      order.put_before(pe.now, all);
      for (const node each : pe.open) order.put_before(each, all);
      pe.open.clear();
      pe.now = all;
    }
  }

  const program& plan_;
  const log& seen_;
  std::vector<pe_state> pes_;
};

}  // namespace atl::test::access
