#include "bench/messages.hpp"

#include "bench/message_kinds.hpp"

#include "atoll/random.hpp"

#include <vector>

namespace atl::bench::messages {
namespace {

/// A sequence of random kinds. The kinds are chosen before the measurement and used cyclically.
class random_kinds {
 public:
  explicit random_kinds(std::uint64_t key) {
    random_stream random(key);
    for (auto& kind : kinds_) kind = static_cast<std::uint8_t>(random.below(k_kinds));
  }

  int operator[](std::uint64_t number) const { return kinds_[number % kinds_.size()]; }

 private:
  std::vector<std::uint8_t> kinds_ = std::vector<std::uint8_t>(1 << 16);
};

/// A sequence in which every message has the first kind.
struct one_kind {
  constexpr int operator[](std::uint64_t) const { return 0; }
};

std::uint64_t key_of(int pe, const parameters& chosen) {
  return random_key(chosen.seed, static_cast<std::uint64_t>(pe));
}

inline void send(int to, int kind, std::uint64_t number, std::uint64_t key) {
  switch (kind) {
  case 0:
    return async_call(to, message<0>{number, key});
  case 1:
    return async_call(to, message<1>{number, key});
  case 2:
    return async_call(to, message<2>{number, key});
  default:
    return async_call(to, message<3>{number, key});
  }
}

/// Sends messages while there is room in the buffers, beginning with the message `number`. Returns
/// the number of the first message that was not sent. The function is not inlined, because a
/// coroutine would keep the variables of the loop in memory.
template <class Kinds>
[[gnu::noinline]] std::uint64_t send_while_room(const Kinds& kinds, std::uint64_t number,
                                                std::uint64_t end, std::uint64_t key) {
  const int to = receiver();
  for (; number < end && has_room(); ++number) send(to, kinds[number], number, key);
  return number;
}

/// Returns the seconds between the common start of all PEs and the end of everything that `body`
/// has started on any PE.
template <class Body>
task<double> all_time(const Body& body) {
  co_await all_barrier();
  const auto begin = now();
  co_await finish(body);
  co_await all_barrier();
  co_return seconds_since(begin);
}

template <class Kinds>
kind_sums expected_sums(const Kinds& kinds, const parameters& chosen) {
  const std::uint64_t key = key_of(sender(), chosen);
  kind_sums sums{};
  for (std::uint64_t i = 0; i < chosen.messages; ++i) sums[kinds[i]] += i ^ key;
  return sums;
}

/// Exchanges messages. `mine` has the kinds of the messages that this PE sends. `senders` has the
/// kinds of the messages that this PE receives.
template <class Kinds>
task<phase> all_exchange(const Kinds& mine, const Kinds& senders, parameters chosen,
                         std::uint64_t& errors) {
  received_sums = {};
  const std::uint64_t executed_before = executed();
  const std::uint64_t key = key_of(my_pe(), chosen);
  const auto send_all = [&]() -> task<> {
    for (std::uint64_t sent = 0; sent < chosen.messages;) {
      sent = send_while_room(mine, sent, chosen.messages, key);
      co_await room();
    }
  };
  const double seconds = co_await all_time(send_all);
  const kind_sums expected = expected_sums(senders, chosen);
  for (int kind = 0; kind < k_kinds; ++kind) errors += received_sums[kind] != expected[kind];
  errors += executed() - executed_before != chosen.messages;
  co_return phase{seconds, chosen.messages};
}

using words = global_array<std::uint64_t>;

task<> read_again_and_again(global_address<std::uint64_t> word, std::uint64_t times,
                            std::uint64_t expected, std::uint64_t& errors) {
  for (std::uint64_t i = 0; i < times; ++i) errors += co_await read(word) != expected;
}

/// Measures round trips: each of many tasks repeatedly reads its own word in the memory of another
/// PE.
task<phase> all_round_trips(words shared, parameters chosen, std::uint64_t& errors) {
  const auto mine = shared.local();
  for (std::uint64_t k = 0; k < mine.size(); ++k) mine[k] = hash(shared.index_of_local(k));
  const std::uint64_t times = ceil_divide(chosen.round_trips, chosen.tasks);
  const auto spawn_all = [&] {
    const auto first = static_cast<std::uint64_t>(receiver()) * chosen.tasks;
    for (std::uint64_t i = first; i < first + chosen.tasks; ++i) {
      spawn([=, &errors] { return read_again_and_again(shared[i], times, hash(i), errors); });
    }
  };
  const double seconds = co_await all_time(spawn_all);
  co_return phase{seconds, times * chosen.tasks};
}

task<outcome> all_measure(words shared, parameters chosen) {
  outcome mine;
  mine.one_kind = co_await all_exchange(one_kind(), one_kind(), chosen, mine.errors);
  const random_kinds drawn(key_of(my_pe(), chosen));
  const random_kinds drawn_by_sender(key_of(sender(), chosen));
  mine.four_kinds = co_await all_exchange(drawn, drawn_by_sender, chosen, mine.errors);
  mine.blocking = co_await all_round_trips(shared, chosen, mine.errors);
  co_return mine;
}

outcome combined_outcomes(const outcome& a, const outcome& b) {
  return {combined(a.one_kind, b.one_kind), combined(a.four_kinds, b.four_kinds),
          combined(a.blocking, b.blocking), a.errors + b.errors};
}

}  // namespace

phase combined(const phase& a, const phase& b) {
  return {std::max(a.seconds, b.seconds), a.operations + b.operations};
}

task<outcome> measure(parameters chosen) {
  const words shared =
      co_await make_array<std::uint64_t>(chosen.tasks * static_cast<std::uint64_t>(pes()));
  outcome result;
  const auto on_each = [shared, chosen, to_pe_0 = &result]() -> task<> {
    const outcome mine = co_await all_measure(shared, chosen);
    const outcome all = co_await all_reduce(mine, &combined_outcomes);
    if (my_pe() == 0) *to_pe_0 = all;
  };
  co_await on_all_pes(on_each);
  co_await shared.destroy();
  co_return result;
}

}  // namespace atl::bench::messages
