#include "atoll/collectives.hpp"

#include "atoll/message/termination.hpp"
#include "atoll/transport/site_word.hpp"

namespace atl {
namespace memory {

numbered_call enter_collective(const collective_kind& kind, std::uint64_t bytes, int root,
                               site where) {
  collective_state& all = *this_pe().collectives;
  const std::uint64_t number = all.next_number++;
  const collective_call what = call_of(kind, bytes, root, where);
  if (const auto* const other = all.active_beside(what.of)) end_by_overlap(other->of, what);
  this_pe().recorder->note(observe::traced::collective, 0, number, 0, what.where);
  collective& entered = collective_of(number);
  entered.mine = all.latest[number % all.latest.size()] = what;
  if (!match(what, entered.heard)) end_by_difference(what, entered.heard);
  return {number, what};
}

void compare_calls(const numbered_call& there) {
  collective_state& all = *this_pe().collectives;
  const std::uint64_t age = all.next_number - there.number;
  if (there.number >= all.next_number) {
    collective_told_of(there);
  } else if (age <= all.latest.size()) {
    const collective_call& mine = all.latest[there.number % all.latest.size()];
    if (!match(mine, there.what)) end_by_difference(mine, there.what);
  }
}

collective& collective_told_of(const numbered_call& there) {
  collective_state& all = *this_pe().collectives;
  if (there.number < all.next_number) compare_calls(there);
  collective& told = all.under_way[there.number];
  if (told.heard.kind == 0) told.heard = there.what;
  if (!match(told.heard, there.what)) end_by_difference(told.heard, there.what);
  return told;
}

namespace {

struct from_child {
  numbered_call of;
  int child;

  void operator()(std::span<const std::byte> values) const {
    auto& arrived = collective_told_of(of);
    arrived.from_children[child].assign(values.begin(), values.end());
    ++arrived.children_arrived;
    wake_waiter(arrived);
  }
};

struct from_parent {
  std::uint64_t number;

  void operator()(std::span<const std::byte> values) const {
    auto& arrived = collective_of(number);
    arrived.result.assign(values.begin(), values.end());
    arrived.result_arrived = true;
    wake_waiter(arrived);
  }
};

/// Sends a message with values at once instead of buffering it, because the receiver waits for the
/// values.
template <class Message>
void send_at_once(int pe, const Message& message, std::span<const std::byte> values, site where) {
  auto& messages = *this_pe().messages;
  messages.at_once(pe, [&] { messages.send_with<traffic::control>(pe, message, values, where); });
}

/// Waits for the values of the children in the tree, combines them with `values`, and sends the
/// result to the parent.
task<> reduce_up(collective& mine, const numbered_call& of, std::span<std::byte> values,
                 const combine_bytes& combine, site where) {
  const tree_place& place = this_pe().collectives->place;
  const auto children = static_cast<int>(place.children.size());
  while (mine.children_arrived < children) {
    co_await collective_awaiter{mine, [&](collective& c) { return c.children_arrived == children; },
                                where};
  }
  for (int i = 0; i < children; ++i) combine(values, mine.from_children[i]);
  if (place.parent >= 0)
    send_at_once(place.parent, from_child{of, place.number_at_parent}, values, where);
}

task<> await_result(collective& mine, std::span<std::byte> values, site where) {
  co_await collective_awaiter{mine, [](collective& c) { return c.result_arrived; }, where};
  std::copy(mine.result.begin(), mine.result.end(), values.begin());
}

/// Reduces one piece of the values. All pieces of the values together have `bytes` bytes.
task<> reduce_piece(std::span<std::byte> values, reduction_call call, std::uint64_t bytes,
                    const combine_bytes& combine, site where) {
  const tree_place& place = this_pe().collectives->place;
  const numbered_call of = enter_collective(call.kind, bytes, call.root, where);
  const std::uint64_t number = of.number;
  collective& mine = collective_of(number);
  co_await reduce_up(mine, of, values, combine, where);
  const bool is_top = place.parent < 0;
  if (call.to == k_every_pe) {
    if (!is_top) co_await await_result(mine, values, where);
    for (const int child : place.children) send_at_once(child, from_parent{number}, values, where);
  } else if (call.to != my_pe()) {
    if (is_top) send_at_once(call.to, from_parent{number}, values, where);
  } else if (!is_top) {
    co_await await_result(mine, values, where);
  }
  this_pe().collectives->under_way.erase(number);
}

}  // namespace

caller collective_state::caller_of(const tasks::root* task) const {
  for (const auto* const all : {&calls, &parts}) {
    const auto found = std::ranges::find(*all, task, &task_of_call::task);
    if (found != all->end()) return found->of;
  }
  return {};
}

const collective_state::task_of_call* collective_state::active_beside(const caller& one) const {
  for (const task_of_call& part : parts)
    if (part.of.call != 0 && part.of != one) return &part;
  return nullptr;
}

void collective_state::check_begin(const begun_call& call) const {
  if (next_number == call.entered) return;
  const bool is_known = next_number - call.entered <= latest.size();
  end_by_overlap(call, is_known ? &latest[call.entered % latest.size()] : nullptr);
}

void collective_state::tell_entered(std::vector<observe::finding>& into) const {
  using observe::fact;
  into.push_back({.what = fact::collectives, .number = next_number});
  for (const auto& [number, one] : under_way) {
    if (one.waiter != nullptr)
      into.push_back({.what = fact::entered, .where = one.waiter->waiting_at, .number = number});
  }
}

void check_parts(const char* call, std::size_t parts, site where) {
  if (parts == static_cast<std::size_t>(pes())) return;
  fail(errc::input, "{}: {} sends one part to each of {} PEs, and was given {}", to_string(where),
       call, pes(), parts);
}

task<> reduce_in_tree(std::span<std::byte> values, reduction_call call, combine_bytes combine,
                      site where) {
  const std::size_t capacity = this_pe().messages->payload_capacity<from_child>();
  const std::size_t piece = capacity / call.kind.element_bytes * call.kind.element_bytes;
  ATOLL_ASSERT(piece > 0, "an element of a reduction must fit one network buffer");
  std::size_t at = 0;
  do {
    const auto part = values.subspan(at, std::min(piece, values.size() - at));
    co_await reduce_piece(part, call, values.size(), combine, where);
    at += part.size();
  } while (at < values.size());
}

}  // namespace memory

task<> all_barrier(site where) {
  static constexpr memory::collective_kind k_kind{"all_barrier"};
  co_await memory::reduce_in_tree({}, memory::to_all(k_kind), [](auto, auto) {}, where);
}

task<> all_quiet(site where) {
  message::termination_detector detector;
  while (true) {
    const auto& messages = *this_pe().messages;
    const message::wave mine{messages.created() + messages.acknowledgements().sent(),
                             messages.executed() + messages.acknowledgements().received(),
                             this_pe().tasks->runnable_tasks()};
    static constexpr memory::collective_kind k_kind = {"all_quiet"};
    std::array<message::wave, 1> sums{{mine}};
    const auto add = [](const auto& a, const auto& b) { return a + b; };
    co_await memory::reduce_values(std::span<message::wave>(sums), memory::to_all(k_kind), add,
                                   where);
    if (detector.quiet_after(sums[0])) co_return;
    if (sums[0].runnable_tasks != 0) co_await sleep_for(20'000, where);
    co_await yield(where);
  }
}

}  // namespace atl
