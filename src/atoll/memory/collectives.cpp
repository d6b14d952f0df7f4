#include "atoll/memory/collectives.hpp"

#include "atoll/message/termination.hpp"
#include "atoll/transport/site_word.hpp"

namespace atl {
namespace memory {

std::uint64_t enter_collective(site where) {
  const std::uint64_t number = this_pe().collectives->next_number++;
  this_pe().recorder->note(observe::traced::collective, 0, number, 0,
                           transport::site_word(*this_pe().modules, where));
  return number;
}

namespace {

struct from_child {
  std::uint64_t number;
  int child;

  void operator()(std::span<const std::byte> values) const {
    auto& arrived = collective_of(number);
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

/// Sends values that somebody waits for idly.
template <class Message>
void send_at_once(int pe, const Message& message, std::span<const std::byte> values, site where) {
  auto& messages = *this_pe().messages;
  messages.at_once(pe, [&] { messages.send_with<traffic::control>(pe, message, values, where); });
}

/// Combines what the children have sent, and sends it to the parent.
task<> reduce_up(collective& mine, std::uint64_t number, std::span<std::byte> values,
                 const combine_bytes& combine, site where) {
  const tree_place& place = this_pe().collectives->place;
  const auto children = static_cast<int>(place.children.size());
  while (mine.children_arrived < children) {
    co_await collective_awaiter{mine, [&](collective& c) { return c.children_arrived == children; },
                                where};
  }
  for (int i = 0; i < children; ++i) combine(values, mine.from_children[i]);
  if (place.parent >= 0)
    send_at_once(place.parent, from_child{number, place.number_at_parent}, values, where);
}

task<> await_result(collective& mine, std::span<std::byte> values, site where) {
  co_await collective_awaiter{mine, [](collective& c) { return c.result_arrived; }, where};
  std::copy(mine.result.begin(), mine.result.end(), values.begin());
}

task<> reduce_piece(std::span<std::byte> values, const combine_bytes& combine, int root,
                    site where) {
  const tree_place& place = this_pe().collectives->place;
  const std::uint64_t number = enter_collective(where);
  collective& mine = collective_of(number);
  co_await reduce_up(mine, number, values, combine, where);
  const bool is_top = place.parent < 0;
  if (root == k_every_pe) {
    if (!is_top) co_await await_result(mine, values, where);
    for (const int child : place.children) send_at_once(child, from_parent{number}, values, where);
  } else if (root != my_pe()) {
    if (is_top) send_at_once(root, from_parent{number}, values, where);
  } else if (!is_top) {
    co_await await_result(mine, values, where);
  }
  this_pe().collectives->under_way.erase(number);
}

}  // namespace

void collective_state::tell_entered(std::vector<observe::finding>& into) const {
  using observe::fact;
  into.push_back({.what = fact::collectives, .number = next_number});
  for (const auto& [number, one] : under_way) {
    if (one.waiter != nullptr)
      into.push_back({.what = fact::entered, .where = one.waiter->waiting_at, .number = number});
  }
}

task<> reduce_in_tree(std::span<std::byte> values, std::size_t element_bytes, combine_bytes combine,
                      int root, site where) {
  const std::size_t capacity = this_pe().messages->payload_capacity<from_child>();
  const std::size_t piece = capacity / element_bytes * element_bytes;
  ATOLL_ASSERT(piece > 0, "an element of a reduction must fit one network buffer");
  std::size_t at = 0;
  do {
    const auto part = values.subspan(at, std::min(piece, values.size() - at));
    co_await reduce_piece(part, combine, root, where);
    at += part.size();
  } while (at < values.size());
}

}  // namespace memory

task<> all_barrier(site where) {
  co_await memory::reduce_in_tree({}, 1, [](auto, auto) {}, memory::k_every_pe, where);
}

task<> all_quiet(site where) {
  message::termination_detector detector;
  while (true) {
    const auto& messages = *this_pe().messages;
    const message::wave mine{messages.created() + messages.acknowledgements().sent(),
                             messages.executed() + messages.acknowledgements().received(),
                             this_pe().tasks->runnable_tasks()};
    const auto sums =
        co_await all_reduce(mine, [](const auto& a, const auto& b) { return a + b; }, where);
    if (detector.quiet_after(sums)) co_return;
    if (sums.runnable_tasks != 0) co_await sleep_for(20'000, where);
    co_await yield(where);
  }
}

}  // namespace atl
