#include "atoll/memory/collectives.hpp"

#include "atoll/message/termination.hpp"
#include "atoll/transport/site_word.hpp"

namespace atl {
namespace memory {
namespace {

collective& numbered(std::uint64_t number) { return this_pe().collectives->under_way[number]; }

std::uint64_t enter_collective(site where) {
  const std::uint64_t number = this_pe().collectives->next_number++;
  this_pe().recorder->note(observe::traced::collective, 0, number, 0,
                           transport::site_word(*this_pe().modules, where));
  return number;
}

void wake(collective& changed) {
  if (changed.waiter != nullptr) this_pe().tasks->ready(*std::exchange(changed.waiter, nullptr));
}

struct from_child {
  std::uint64_t number;
  int child;

  void operator()(std::span<const std::byte> values) const {
    auto& arrived = numbered(number);
    arrived.from_children[child].assign(values.begin(), values.end());
    ++arrived.children_arrived;
    wake(arrived);
  }
};

struct from_parent {
  std::uint64_t number;

  void operator()(std::span<const std::byte> values) const {
    auto& arrived = numbered(number);
    arrived.result.assign(values.begin(), values.end());
    arrived.result_arrived = true;
    wake(arrived);
  }
};

/// A piece of what a PE sends to another in an exchange; the first piece says how much is to come.
struct from_peer {
  std::uint64_t number;
  std::uint64_t total;
  std::uint64_t at;

  void operator()(std::span<const std::byte> piece) const {
    auto& arrived = numbered(number);
    arrived.streams.resize(static_cast<std::size_t>(pes()));
    auto& stream = arrived.streams[this_pe().messages->source()];
    if (!stream.begun) stream.data.resize(total);
    stream.begun = true;
    if (!piece.empty()) std::memcpy(stream.data.data() + at, piece.data(), piece.size());
    stream.arrived += piece.size();
    if (stream.arrived == total && ++arrived.complete_streams == pes()) wake(arrived);
  }
};

task<> reduce_piece(std::span<std::byte> values, const combine_bytes& combine, site where) {
  auto& messages = *this_pe().messages;
  const tree_place& place = this_pe().collectives->place;
  const auto children = static_cast<int>(place.children.size());
  const std::uint64_t number = enter_collective(where);
  collective& mine = numbered(number);
  while (mine.children_arrived < children) {
    co_await collective_awaiter{mine, [&](collective& c) { return c.children_arrived == children; },
                                where};
  }
  for (int i = 0; i < children; ++i) combine(values, mine.from_children[i]);
  if (place.parent >= 0) {
    messages.at_once(place.parent, [&] {
      messages.send_with<traffic::control>(place.parent, from_child{number, place.number_at_parent},
                                           values, where);
    });
    co_await collective_awaiter{mine, [](collective& c) { return c.result_arrived; }, where};
    std::copy(mine.result.begin(), mine.result.end(), values.begin());
  }
  for (const int child : place.children) {
    messages.at_once(child, [&] {
      messages.send_with<traffic::control>(child, from_parent{number}, values, where);
    });
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

task<> reduce_up_and_down(std::span<std::byte> values, std::size_t element_bytes,
                          combine_bytes combine, site where) {
  const std::size_t capacity = this_pe().messages->payload_capacity<from_child>();
  const std::size_t piece = capacity / element_bytes * element_bytes;
  ATOLL_ASSERT(piece > 0, "an element of a reduction must fit one network buffer");
  std::size_t at = 0;
  do {
    const auto part = values.subspan(at, std::min(piece, values.size() - at));
    co_await reduce_piece(part, combine, where);
    at += part.size();
  } while (at < values.size());
}

task<std::vector<bytes>> exchange(std::vector<std::span<const std::byte>> outgoing, site where) {
  auto& messages = *this_pe().messages;
  const std::uint64_t number = enter_collective(where);
  const std::size_t piece = messages.payload_capacity<from_peer>();
  for (int step = 0; step < pes(); ++step) {
    const int destination = (my_pe() + step) % pes();
    const auto data = outgoing[destination];
    std::size_t at = 0;
    do {
      const auto part = data.subspan(at, std::min(piece, data.size() - at));
      messages.send_with<traffic::control>(destination, from_peer{number, data.size(), at}, part,
                                           where);
      co_await room(where);
      at += part.size();
    } while (at < data.size());
  }
  messages.flush();
  collective& mine = numbered(number);
  co_await collective_awaiter{mine, [](collective& c) { return c.complete_streams == pes(); },
                              where};
  std::vector<bytes> incoming;
  for (auto& stream : mine.streams) incoming.push_back(std::move(stream.data));
  this_pe().collectives->under_way.erase(number);
  co_return incoming;
}

}  // namespace memory

task<> all_barrier(site where) {
  co_await memory::reduce_up_and_down({}, 1, [](auto, auto) {}, where);
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
