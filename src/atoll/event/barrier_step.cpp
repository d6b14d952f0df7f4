#include "atoll/event/barrier_step.hpp"

#include "atoll/base/mutants.hpp"
#include "atoll/event/barrier_table.hpp"
#include "atoll/event/messages.hpp"

#include <algorithm>

namespace atl::events {

void increases_seen::note(int pe, stamp earlier) {
  const stamp added(pe, ++seen_[pe]);
  if (!has(earlier)) gaps_.push_back({added, earlier});
  while (std::erase_if(gaps_, [this](const gap& each) { return has(each.missing); }) != 0) {
  }
}

bool increases_seen::has(stamp asked) const {
  if (asked.is_none() || mutants::has(mutants::fault::early_arrival)) return true;
  const auto found = seen_.find(asked.pe());
  if (found == seen_.end() || found->second < asked.number()) return false;
  return std::ranges::none_of(gaps_, [asked](const gap& each) { return each.later == asked; });
}

namespace {

using message::traffic;

struct step_message {
  name barrier;
  std::uint64_t phase;
  stamp after;
  std::int64_t amount;
  transport::travelling_site where;
  step_kind kind;

  void operator()(std::span<const std::byte> payload) const {
    const barrier_step step{barrier, phase, after, amount, kind, where};
    const int source = this_pe().messages->source();
    if (kind != step_kind::failed_arrival)
      return barrier_table::here().take(step, {payload}, source);
    const event_fault fault = unpacked(payload);
    barrier_table::here().take(step, {{}, &fault}, source);
  }
};

struct ask_message {
  name barrier;
  std::uint64_t phase;
  transport::travelling_site where;

  void operator()() const {
    barrier_table::here().asked(barrier, phase, this_pe().messages->source(), where);
  }
};

struct completed_message {
  name barrier;
  std::uint64_t phase;

  void operator()() const { barrier_table::here().told(barrier, phase, nullptr); }
};

struct phase_failed_message {
  name barrier;
  std::uint64_t phase;

  void operator()(std::span<const std::byte> payload) const {
    const event_fault fault = unpacked(payload);
    barrier_table::here().told(barrier, phase, &fault);
  }
};

}  // namespace

void send_step(const barrier_step& step, step_load load) {
  message::engine& messages = *this_pe().messages;
  const step_message told{step.barrier, step.phase, step.after, step.amount, step.where, step.kind};
  std::vector<std::byte> fault;
  if (load.fault != nullptr) {
    fault = packed(*load.fault, messages.payload_capacity<step_message>());
    load.value = fault;
  }
  messages.send_with<traffic::tracked>(step.barrier.pe(), told, load.value, step.where);
}

void send_ask(name barrier, std::uint64_t phase, site where) {
  this_pe().messages->send<traffic::owed>(barrier.pe(), ask_message{barrier, phase, where}, where);
}

void send_completion(int pe, name barrier, std::uint64_t phase, const event_fault* fault) {
  message::engine& messages = *this_pe().messages;
  if (fault == nullptr)
    return messages.send<traffic::owed>(pe, completed_message{barrier, phase}, {});
  using message = phase_failed_message;
  messages.send_with<traffic::owed>(pe, message{barrier, phase},
                                    packed(*fault, messages.payload_capacity<message>()), {});
}

}  // namespace atl::events
