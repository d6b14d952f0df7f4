// Tests that `wait` returns when it should, and blocks otherwise.

#include "job/jobs.hpp"
#include "transport/durations.hpp"

#include <algorithm>
#include <atomic>

namespace atl::transport {
namespace {

using waiting = jobs;

/// Waits for so long that other waiting PEs must have stopped spinning and yielding, and sleep.
void let_others_sleep(endpoint& wire) {
  const nanoseconds end = wire.now() + 20 * millisecond;
  while (wire.now() < end) wire.wait(end);
}

TEST_P(waiting, ends_at_the_deadline_and_not_much_before) {
  const int status = run([](endpoint& wire) {
    const nanoseconds start = wire.now();
    while (wire.now() < start + 5 * millisecond) {
      wire.wait(start + 5 * millisecond);
      require(wire.poll().data == nullptr, "a buffer came out of nowhere");
    }
    return 0;
  });
  EXPECT_EQ(status, 0);
}

TEST_P(waiting, returns_at_once_for_a_deadline_in_the_past) {
  const int status = run([](endpoint& wire) {
    wire.wait(0);
    wire.wait(wire.now() - 1);
    return 0;
  });
  EXPECT_EQ(status, 0);
}

TEST_P(waiting, is_ended_by_a_buffer) {
  const int status = run([](endpoint& wire) {
    const int next = (wire.rank() + 1) % wire.size();
    const int previous = (wire.rank() + wire.size() - 1) % wire.size();
    // A token visits all PEs in turn while the other PEs sleep.
    for (int round = 0; round < 50; ++round) {
      if (wire.rank() != 0) require(await_notice(wire) == previous, "the token jumped");
      if (wire.rank() == 0 && round % 10 == 0) let_others_sleep(wire);
      notify(wire, next);
      if (wire.rank() == 0) require(await_notice(wire) == previous, "the token jumped");
    }
    return 0;
  });
  EXPECT_EQ(status, 0);
}

TEST_P(waiting, is_ended_by_returned_room) {
  options_.buffers_per_pair = 2;
  const int status = run([](endpoint& wire) {
    const int last = wire.size() - 1;
    // The senders fall asleep before the last PE receives anything.
    if (wire.rank() == last && last != 0) {
      let_others_sleep(wire);
      for (int left = 6 * last; left > 0; --left) await_notice(wire);
      return 0;
    }
    for (int i = 0; i < 6 && last != 0; ++i) notify(wire, last);
    return 0;
  });
  EXPECT_EQ(status, 0);
}

TEST_P(waiting, for_room_only_is_ended_by_room_while_buffers_lie_there) {
  options_.buffers_per_pair = 2;
  const int status = run([](endpoint& wire) {
    const int last = wire.size() - 1;
    if (last == 0) return 0;
    if (wire.rank() != last) {
      for (int i = 0; i < 2; ++i) notify(wire, last);
      // Without a call of `release`, the buffer stays in its slot.
      while (wire.poll().data == nullptr) wire.wait(forever);
      while (wire.acquire(last) == nullptr) wire.wait(forever, awaited::room);
      wire.submit(last, 1);
      return 0;
    }
    for (int pe = 0; pe < last; ++pe) notify(wire, pe);
    let_others_sleep(wire);
    for (int left = 3 * last; left > 0; --left) await_notice(wire);
    return 0;
  });
  EXPECT_EQ(status, 0);
}

TEST_P(waiting, is_ended_by_the_end_of_the_job) {
  const int status = run([](endpoint& wire) {
    if (wire.rank() == wire.size() - 1) {
      let_others_sleep(wire);
      wire.fail(3);
    }
    for (;;) wire.wait(forever);
    return 0;
  });
  EXPECT_EQ(status, 3);
}

constexpr nanoseconds very_long = 20'000 * millisecond;

std::atomic_ref<std::uint64_t> first_word_of(std::byte* segment) {
  return std::atomic_ref(*reinterpret_cast<std::uint64_t*>(segment));
}

struct first_word_watch final : memory_watch {
  explicit first_word_watch(std::byte* of) : segment(of) {}
  bool has_changed() noexcept override { return first_word_of(segment).load() != 0; }

  std::byte* segment;
};

// A plain store does not wake a sleeping PE, which must nevertheless notice the store. C programs
// get addresses of other PEs' memory from shmem_ptr, and make plain stores to the addresses.
TEST_P(waiting, is_ended_by_a_store_that_rings_nobody) {
  const int status = run([](endpoint& wire) {
    const int last = wire.size() - 1;
    // The PEs of this transport cannot store directly.
    if (wire.directly_mapped(wire.rank()) == nullptr) return 0;
    if (wire.rank() == last) {
      let_others_sleep(wire);
      for (int pe = 0; pe < last; ++pe) first_word_of(wire.directly_mapped(pe)).store(1);
      return 0;
    }
    first_word_watch watched(wire.directly_mapped(wire.rank()));
    wire.watch(&watched);
    const nanoseconds deadline = wire.now() + very_long;
    while (!watched.has_changed()) {
      wire.wait(deadline);
      require(wire.now() < deadline, "a store to what is watched was overlooked");
    }
    wire.watch(nullptr);
    return 0;
  });
  EXPECT_EQ(status, 0);
}

/// Sends `buffers` small buffers to PE 1. If there is no room for a buffer, the PE waits for room,
/// and for nothing else. If a wait lasts until its deadline although there is room, the PE has
/// missed the notice of the room.
void send_waiting_for_room(endpoint& wire, int buffers) {
  for (int sent = 0; sent < buffers; ++sent) {
    while (wire.acquire(1) == nullptr) {
      wire.wait(0, awaited::room);
      if (wire.acquire(1) != nullptr) break;
      const nanoseconds deadline = wire.now() + very_long;
      wire.wait(deadline, awaited::room);
      const bool was_told = wire.now() < deadline;
      require(was_told || wire.acquire(1) == nullptr, "returned room was not told");
    }
    wire.submit(1, 1);
  }
}

// The sender has two buffers for messages to the receiver. The receiver returns one buffer while
// the sender handles the notice that the other buffer was returned.
TEST_P(waiting, overlooks_no_returned_room) {
  if (pes() < 2) return;
  options_.buffers_per_pair = 2;
  options_.buffer_size = 1 << 10;
  constexpr int buffers = sanitized ? 20'000 : 200'000;
  const int status = run([](endpoint& wire) {
    if (wire.rank() == 0) send_waiting_for_room(wire, buffers);
    for (int taken = 0; wire.rank() == 1 && taken < buffers; ++taken) {
      poll_waiting(wire);
      wire.release();
    }
    return 0;
  });
  EXPECT_EQ(status, 0);
}

// A poll learns of the buffers of all senders, but returns only one buffer. Buffers that a poll has
// learned of but not returned must end the next wait at once.
TEST_P(waiting, returns_at_once_while_a_buffer_lies_there) {
  options_.buffers_per_pair = 2;
  const int status = run([](endpoint& wire) {
    const int last = wire.size() - 1;
    for (int i = 0; i < 2; ++i) notify(wire, last);
    if (wire.rank() != last) return 0;
    for (int left = 2 * wire.size(); left > 0;) {
      const nanoseconds deadline = wire.now() + very_long;
      wire.wait(deadline);
      const bool was_told = wire.now() < deadline;
      const bool has_come = wire.poll().data != nullptr;
      require(was_told || !has_come, "a buffer that lay there was overlooked");
      if (!has_come) continue;
      wire.release();
      --left;
    }
    return 0;
  });
  EXPECT_EQ(status, 0);
}

ATOLL_INSTANTIATE(waiting, all_ways, 1, 2, 3, 4, 7, 8, 64);

}  // namespace
}  // namespace atl::transport
