#pragma once
// A small random job for simulated transports. The job tests behaviour that fails only under few
// schedules: trees of messages and tasks, the ends of scopes and of the job, small buffers, and
// stolen tasks. The job checks its own results.

#include "atoll/array.hpp"
#include "atoll/collectives.hpp"
#include "atoll/run.hpp"
#include "atoll/stealing.hpp"
#include "support/ended_well.hpp"

#include <algorithm>
#include <vector>

namespace atl::test {

/// The record of what happened on all PEs. All PEs share a process, so messages may contain the
/// address of the `ledger` object.
struct ledger {
  ledger(std::uint64_t seed, int pes)
      : seed(seed),
        pes(static_cast<std::uint64_t>(pes)),
        hops(this->pes),
        next(this->pes * this->pes),
        runs(k_stealable) {}

  static constexpr std::size_t k_stealable = 12;

  std::uint64_t seed;
  std::uint64_t pes;
  /// number of executed messages, by the PE where their tree began
  std::vector<std::uint64_t> hops;
  std::vector<std::uint64_t> next;  ///< next expected number, by source and destination
  std::vector<int> runs;            ///< number of runs of each stealable task
  bool stolen = false;
  bool wrong = false;
};

/// A message that sends further messages to random PEs. The messages form a tree. If a tree begins
/// with few `lives`, it is broad, and also starts tasks that take time. If a tree begins with many
/// `lives`, it is thin: few of its messages are in flight at once, and no task waits for them.
struct storm_hop {
  static constexpr int k_broad = 50;  ///< If `lives` is larger than `k_broad`, the tree is thin.

  ledger* book;
  std::uint64_t seed;
  int origin;
  int lives;

  bool thin() const { return lives > k_broad; }

  std::uint64_t children() const {
    if (lives % k_broad == 0) return 0;
    if (!thin()) return hash(seed) % 4;
    const std::uint64_t chance = hash(seed) % 20;
    return chance < 3 ? 0 : chance < 16 ? 1 : 2;
  }
  storm_hop child(std::uint64_t i) const { return {book, hash(seed ^ (i + 1)), origin, lives - 1}; }
  int place() const { return static_cast<int>(hash(seed + 2) % book->pes); }

  std::uint64_t size_of_tree() const {
    std::uint64_t size = 1;
    for (std::uint64_t i = 0; i < children(); ++i) size += child(i).size_of_tree();
    return size;
  }

  void operator()() const {
    ++book->hops[static_cast<std::size_t>(origin)];
    for (std::uint64_t i = 0; i < children(); ++i) {
      const storm_hop next = child(i);
      switch (thin() ? 2 : hash(next.seed + 1) % 6) {
      case 0:
        spawn([next] { return next.go_on_later(); });
        break;
      case 1:
        spawn([next] { return next.go_on_after_an_answer(); });
        break;
      default:
        next.go_on();
      }
    }
  }
  void go_on() const {
    if (thin()) {
      using message::traffic;
      this_pe().messages->send<traffic::untracked>(place(), *this, site::current());
    } else {
      async_call(place(), *this);
    }
  }
  task<> go_on_later() const {
    const storm_hop self = *this;
    co_await sleep_for(static_cast<std::int64_t>(hash(self.seed + 3) % 30'000));
    self.go_on();
  }
  task<> go_on_after_an_answer() const {
    const storm_hop self = *this;
    co_await call(self.place(), [] { return my_pe(); });
    self.go_on();
  }
};

inline storm_hop storm_from(ledger* book, std::uint64_t round, int pe) {
  const int lives = round % 2 == 0 ? storm_hop::k_broad + 25 : 5;
  return {book, hash(book->seed * 1000 + round * 100 + static_cast<std::uint64_t>(pe)), pe, lives};
}

/// When `all_quiet` has returned on any PE, every tree must have been executed completely. In even
/// rounds, only few messages of a tree are in flight at once.
inline task<> storm_until_quiet(ledger* book, std::uint64_t round) {
  book->hops[static_cast<std::size_t>(my_pe())] = 0;
  co_await all_barrier();
  storm_from(book, round, my_pe()).go_on();
  co_await all_quiet();
  for (int pe = 0; pe < pes(); ++pe) {
    const auto executed = book->hops[static_cast<std::size_t>(pe)];
    if (executed != storm_from(book, round, pe).size_of_tree()) book->wrong = true;
  }
  co_await all_barrier();
}

/// When `finish` has returned, the tree of this PE must have been executed completely.
inline task<> storm_until_finished(ledger* book, std::uint64_t round) {
  book->hops[static_cast<std::size_t>(my_pe())] = 0;
  const storm_hop first = storm_from(book, round, my_pe());
  const auto start = [first] { first.go_on(); };
  co_await finish(start);
  const auto executed = book->hops[static_cast<std::size_t>(my_pe())];
  if (executed != first.size_of_tree()) book->wrong = true;
}

/// Sends more messages to one PE than its buffers can hold. Checks that all messages arrive in
/// order.
inline task<> storm_in_order(ledger* book) {
  const auto source = static_cast<std::uint64_t>(my_pe());
  const auto start = [book, source] {
    const auto to = static_cast<int>((source + 1) % book->pes);
    for (std::uint64_t number = 0; number < 60; ++number) {
      async_call(to, [book, source, number, ballast = std::array<std::uint64_t, 8>{}] {
        auto& next = book->next[source * book->pes + static_cast<std::uint64_t>(my_pe())];
        if (next++ != number || ballast[0] != 0) book->wrong = true;
      });
      if (number % 20 == 19) this_pe().messages->progress();
    }
  };
  co_await finish(start);
}

/// Checks that every stealable task runs exactly once.
inline task<> storm_of_thieves(ledger* book) {
  const auto start = [book] {
    if (my_pe() != 0) return;
    for (std::size_t task = 0; task < ledger::k_stealable; ++task)
      spawn_stealable([book, task] { ++book->runs[task]; });
  };
  co_await finish(start);
  co_await all_barrier();
  for (const int runs : book->runs)
    if (runs != 1) book->wrong = true;
}

/// A task that can be stolen repeatedly. The task offers itself for stealing until another PE has
/// stolen it.
struct restless_task {
  ledger* book;

  task<> operator()() const {
    if (my_pe() != 0) book->stolen = true;
    if (!book->stolen) spawn_stealable(*this);
    co_return;
  }
};

/// Repeatedly creates stealable tasks after a time without work. The stealable tasks end only after
/// another PE has stolen at least one of them.
inline task<> storm_of_waves(ledger* book) {
  for (int wave = 0; wave < 3; ++wave) {
    co_await sleep_for(1'000'000);  // PEs without work try to steal tasks.
    co_await all_barrier();
    book->stolen = pes() == 1;
    co_await all_barrier();
    const auto start = [book] {
      if (my_pe() != 0) return;
      for (std::size_t task = 0; task < ledger::k_stealable; ++task)
        spawn_stealable(restless_task{book});
    };
    co_await finish(start);
    co_await all_barrier();
  }
}

/// Transfers data to each PE, in all sizes up to a few network buffers.
inline task<> storm_of_puts(ledger* book) {
  constexpr std::uint64_t k_words = 300;
  // The variable is static, because all PEs share a process.
  static global_array<std::uint64_t> words;
  if (my_pe() == 0) words = co_await make_array<std::uint64_t>(k_words * book->pes);
  co_await all_barrier();
  std::vector<std::uint64_t> sent(k_words);
  for (std::uint64_t length = 1; my_pe() == 0 && length <= k_words; length += 1) {
    const auto first = words[k_words * (hash(book->seed + length) % book->pes)];
    std::ranges::fill(sent, length);
    co_await put(first, std::span(sent).first(length));
    std::vector<std::uint64_t> there(length);
    co_await get(first, std::span(there));
    if (!std::ranges::equal(there, std::span(sent).first(length))) book->wrong = true;
  }
  co_await all_barrier();
  if (my_pe() == 0) co_await words.destroy();
}

inline settings storm_settings(std::uint64_t seed) {
  settings options;
  options.transport = transport_kind::sim;
  options.sim_seed = seed;
  options.pes = 2 + hash(seed) % 5;
  options.buffer_size = 1 << 10;
  options.huge_pages = false;
  options.aggregation = hash(seed + 1) % 4 != 0;
  options.log_level = log_level::error;
  return options;
}

/// Runs a job with this seed. Returns true if the job ended well and all results were right.
template <class Program>
bool storm_is_right(std::uint64_t seed, Program program) {
  const settings options = storm_settings(seed);
  ledger book(seed, static_cast<int>(options.pes));
  const int status = run_job_spmd(options, [&]() -> task<> { return program(&book); });
  return ended_well(status) && !book.wrong;
}

}  // namespace atl::test
