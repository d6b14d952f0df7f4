#pragma once
// Each step of fault_dependents uses one-sided access: data is put around a ring with signals, all
// PEs add to counters, and a sum is computed. Each PE waits until other PEs change its memory.

#include "atoll/atoll.hpp"

namespace dependents {

using namespace atl;
namespace os = atl::one_sided;

struct shared_memory {
  symmetric_array<std::uint64_t> data;     ///< data from the previous PE in the ring
  symmetric_array<std::uint64_t> signal;   ///< number of steps whose data has arrived
  symmetric_array<std::uint64_t> counter;  ///< the counter on PE 0, to which all PEs add
  symmetric_array<std::uint64_t> part;
  symmetric_array<std::uint64_t> sum;
  symmetric_array<std::uint64_t> beside;
};

/// Number of words of data. Between nodes, `k_words` words are too many to be sent within a
/// request.
inline constexpr std::uint64_t k_words = 1500;

inline task<shared_memory> make_shared_memory() {
  shared_memory made;
  made.data = co_await make_symmetric_array<std::uint64_t>(k_words);
  made.signal = co_await make_symmetric_array<std::uint64_t>(1);
  made.counter = co_await make_symmetric_array<std::uint64_t>(1);
  made.part = co_await make_symmetric_array<std::uint64_t>(3);
  made.sum = co_await make_symmetric_array<std::uint64_t>(3);
  made.beside = co_await make_symmetric_array<std::uint64_t>(2);
  co_return made;
}

inline void expect(bool is_so, const char* what) {
  if (!is_so) atl::fail(errc::internal, "{}", what);
}

/// One task puts data and waits for its own put, while another task also puts data.
inline task<> put_beside_quiet(shared_memory all, int neighbour, std::uint64_t step) {
  const auto both = [&] {
    spawn([&]() -> task<> {
      os::put(all.beside.on(neighbour, 0), step);
      co_await os::quiet();
    });
    spawn([&]() -> task<> {
      co_await yield();
      os::put(all.beside.on(neighbour, 1), step);
    });
  };
  co_await finish(both);
}

inline task<> use_memory(shared_memory all, int neighbour, std::uint64_t step) {
  const std::uint64_t count = step % 2 == 0 ? 3 : k_words;
  const std::vector<std::uint64_t> mine(count, 1000 * step + static_cast<std::uint64_t>(my_pe()));
  os::put_signal_nbi(all.data.on(neighbour), std::span(mine), all.signal.on(neighbour), 1,
                     os::signal_operation::add);
  co_await os::wait_until(all.signal.local().data(), os::comparison::greater_equal, step);
  const int before = (my_pe() + pes() - 1) % pes();
  const std::uint64_t sent = 1000 * step + static_cast<std::uint64_t>(before);
  for (std::uint64_t i = 0; i < count; ++i)
    expect(all.data.local()[i] == sent, "the signal has come before its data");
  os::add(all.counter.on(0), 1);
  for (auto& word : all.part.local()) word = step + static_cast<std::uint64_t>(my_pe());
  co_await os::all_reduce(all.sum, all.part, sum<std::uint64_t>());
  const auto size = static_cast<std::uint64_t>(pes());
  expect(all.sum.local()[2] == size * step + size * (size - 1) / 2, "the sum is wrong");
  co_await put_beside_quiet(all, neighbour, step);
  co_await os::barrier();
  expect(all.beside.local()[0] == step && all.beside.local()[1] == step,
         "a put is not there behind the barrier");
  const auto counted = co_await os::fetch(all.counter.on(0));
  expect(counted >= step * size, "what was added is not seen behind the barrier");
}

inline task<bool> memory_is_right(shared_memory all, std::uint64_t steps) {
  const auto counted = co_await os::fetch(all.counter.on(0));
  co_return counted == steps* static_cast<std::uint64_t>(pes());
}

}  // namespace dependents
