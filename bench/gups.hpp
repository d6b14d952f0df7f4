#pragma once
// The benchmark GUPS, and the contents that its table must have after a pass.

#include "atoll/atoll.hpp"
#include "atoll/random.hpp"

#include <span>
#include <string>

namespace atl::bench::gups {

// The contents that the table of GUPS must have after a pass. The contents are computed from the
// definition of the benchmark: the random stream of HPCC is advanced step by step. Divisions
// determine the word that an update changes, and the PE that owns the word. The expected contents
// therefore share no arithmetic with the measured code.

/// Calls body(k) for 0 <= k < count. Between some calls, the function lets other tasks run and
/// polls for messages.
template <class Body>
task<> in_slices(std::uint64_t count, Body body) {
  constexpr std::uint64_t most_a_slice = 1 << 18;
  for (std::uint64_t k = 0; k < count;) {
    for (const auto stop = std::min(count, k + most_a_slice); k < stop; ++k) body(k);
    co_await yield();
  }
}

/// The words of one PE, computed by replaying the stream. Each PE owns one block of the table, and
/// all blocks have the same size.
class replayed_words {
 public:
  /// Makes the object. `mine` is separate memory with as many words as this PE has in the table.
  explicit replayed_words(std::span<std::uint64_t> mine)
      : pes_(static_cast<std::uint64_t>(pes())),
        pe_(static_cast<std::uint64_t>(my_pe())),
        mine_(mine) {}

  /// Sets the words to their initial values, which they also have after an even number of passes.
  task<> begin() {
    const auto set = [this](std::uint64_t k) { mine_[k] = pe_ * mine_.size() + k; };
    co_await in_slices(mine_.size(), set);
  }

  /// Replays one pass from the beginning. Returns the number of updates that other PEs issue for
  /// words of this PE.
  task<std::uint64_t> pass(std::uint64_t updates) {
    co_await begin();
    std::uint64_t number = 1, of_others = 0;
    const auto replay = [&](std::uint64_t k) {
      number = number >> 63 != 0 ? number << 1 ^ 7 : number << 1;
      const std::uint64_t word = number % (pes_ * mine_.size());
      if (word / mine_.size() != pe_) return;
      mine_[word % mine_.size()] ^= number;
      of_others += issuer(k, updates) != pe_ ? 1 : 0;
    };
    co_await in_slices(updates, replay);
    co_return of_others;
  }

  /// Returns how many words of this PE in `table` differ from the replayed words.
  task<std::uint64_t> differences(std::span<const std::uint64_t> table) const {
    std::uint64_t found = table.size() == mine_.size() ? 0 : 1;
    const auto compare = [&](std::uint64_t k) { found += table[k] != mine_[k] ? 1 : 0; };
    co_await in_slices(std::min(table.size(), mine_.size()), compare);
    co_return found;
  }

 private:
  /// Returns the PE that issues update k. Each PE issues a range of updates, and the ranges have
  /// equal size. If the number of updates is not a multiple of the number of PEs, the first PEs
  /// issue one update more.
  std::uint64_t issuer(std::uint64_t k, std::uint64_t updates) const {
    const std::uint64_t fewest = updates / pes_;
    const std::uint64_t with_one_more = updates % pes_;
    const std::uint64_t of_those = with_one_more * (fewest + 1);
    return k < of_those ? k / (fewest + 1) : with_one_more + (k - of_those) / fewest;
  }

  std::uint64_t pes_;
  std::uint64_t pe_;
  std::span<std::uint64_t> mine_;
};

// GUPS, the RandomAccess benchmark of HPCC: random read-modify-writes of one table over all PEs.
//
// The table has 2^log2_table words on every PE, and word i initially has the value i. Update k
// takes the k-th number r of HPCC's stream and does table[r mod words] ^= r. Each PE issues an
// equal part of the stream by asynchronous remote updates. The pass ends when all updates are
// applied. Xor is its own inverse, so a second pass restores the table.
//
// The verification compares the number of applied updates, and the number of messages executed for
// updates of other PEs, with the expected numbers. Every word is compared with a replay of the
// stream, and with its initial value after the second pass.

struct parameters {
  std::uint64_t log2_table = 20;  ///< binary logarithm of the number of words per PE
  /// Number of updates of all PEs, divided by the number of words of all PEs.
  std::uint64_t updates_per_word = 4;
  bool verify = false;
};

/// The results of one pass, for all PEs together.
struct outcome {
  double seconds = 0;
  std::uint64_t bytes_peak = 0;  ///< peak of global memory, including memory for the replay
  std::uint64_t updates = 0;
  /// Number of updates that PEs have counted when they applied them.
  std::uint64_t applied_updates = 0;
  std::uint64_t executed_messages = 0;  ///< number of applied updates that another PE had issued
  // The following members are set only if the user has chosen `verify`.
  /// Number of updates in the replay whose word belongs to a PE other than the issuer of the
  /// update.
  std::uint64_t remote_updates = 0;
  /// Number of words that differ from the replay after one pass.
  std::uint64_t wrong_words = 0;
  /// Number of words that differ from their initial value after the second pass.
  std::uint64_t unrestored_words = 0;

  double rate() const { return static_cast<double>(updates) / seconds; }
  bool right() const { return complaint().empty(); }

  /// Returns the first mistake as one line, or an empty text if everything is right.
  std::string complaint() const {
    std::string text;
    const auto expect = [&text](const char* what, std::uint64_t found, std::uint64_t right) {
      if (found == right) return;
      text += fmt::format("{}{}: {} instead of {}", text.empty() ? "" : "; ", what, found, right);
    };
    expect("applied updates", applied_updates, updates);
    expect("executed messages of other PEs", executed_messages, remote_updates);
    expect("words that differ from the replay of the stream", wrong_words, 0);
    expect("words that a second pass does not restore", unrestored_words, 0);
    return text;
  }
};

/// Combines the results of two PEs. The counts of both PEs are added, and the time of the slower PE
/// is used.
inline outcome combined(const outcome& a, const outcome& b) {
  outcome all = a;
  all.seconds = std::max(a.seconds, b.seconds);
  all.applied_updates += b.applied_updates;
  all.remote_updates += b.remote_updates;
  all.executed_messages += b.executed_messages;
  all.wrong_words += b.wrong_words;
  all.unrestored_words += b.unrestored_words;
  return all;
}

using table = global_array<std::uint64_t>;

/// The part of the stream that this PE issues.
struct stream_part {
  explicit stream_part(std::uint64_t updates) {
    const auto all = static_cast<std::uint64_t>(pes());
    const auto rank = static_cast<std::uint64_t>(my_pe());
    first = updates / all * rank + std::min(rank, updates % all);
    count = updates / all + (rank < updates % all ? 1 : 0);
  }

  std::uint64_t first;
  std::uint64_t count;
};

/// While buffers have room, issues at most `most` updates of the stream, and returns their number.
/// The function is not inlined, because a coroutine would keep the variables of the loop in memory
/// and not in registers.
template <class Updates>
[[gnu::noinline]] std::uint64_t issue_while_room(Updates& updates, hpcc_stream& stream,
                                                 std::uint64_t most) {
  // Number of updates that are issued before the next check whether buffers have room.
  constexpr std::uint64_t most_a_look = 256;
  hpcc_stream random = stream;
  std::uint64_t issued = 0;
  while (issued < most && has_room()) {
    const std::uint64_t count = std::min(most - issued, most_a_look);
    updates.issue(count, [&random] { return random.next(); });
    issued += count;
  }
  stream = random;
  return issued;
}

/// Issues this PE's part of the updates. The update with the random number r changes word
/// `index(r)`. All updates are applied when the enclosing scope ends.
template <class Index>
task<> issue_updates(table words, Index index, std::uint64_t updates) {
  const stream_part part(updates);
  hpcc_stream stream(static_cast<std::int64_t>(part.first));
  const auto apply = [](std::uint64_t& word, std::uint64_t r) noexcept { word ^= r; };
  auto by_number = updates_by_key<std::uint64_t>(words, index, apply);
  for (std::uint64_t left = part.count; left > 0;) {
    left -= issue_while_room(by_number, stream, left);
    co_await room();
  }
}

inline task<> issue_updates(table words, std::uint64_t updates) {
  const std::uint64_t size = words.size();
  if (is_power_of_two(size)) {
    const auto index = [mask = size - 1](std::uint64_t r) noexcept { return r & mask; };
    return issue_updates(words, index, updates);
  }
  const auto index = [by = fast_divisor(size)](std::uint64_t r) noexcept { return by.modulo(r); };
  return issue_updates(words, index, updates);
}

/// Runs one pass over the stream and returns its time in seconds. Every PE calls this function.
inline task<double> all_update(table words, std::uint64_t updates) {
  co_await all_barrier();
  const auto begin = now();
  const auto issue = [&] { return issue_updates(words, updates); };
  co_await finish(issue);
  co_await all_barrier();
  co_return seconds_since(begin);
}

/// Sets word i to i, for the words of this PE. Every PE calls this function.
inline task<> initialise(table words) {
  const auto mine = words.local();
  const std::uint64_t first = words.index_of_local(0);
  const auto set = [=](std::uint64_t k) { mine[k] = first + k; };
  co_await in_slices(mine.size(), set);
}

/// Runs one pass and returns the results of this PE. Every PE calls this function.
inline task<outcome> all_counted_pass(table words, std::uint64_t updates) {
  outcome mine;
  mine.updates = updates;
  const message_counts before = local_message_counts();
  mine.seconds = co_await all_update(words, updates);
  const message_counts after = local_message_counts();
  mine.executed_messages = after.of_other_pes - before.of_other_pes;
  mine.applied_updates = after.all() - before.all();
  co_return mine;
}

/// Checks the words of this PE after one pass, and runs the second pass. `spare` is a second table
/// with as many words as `words`, and holds the replay. Every PE calls this function.
inline task<> all_verify(table words, table spare, outcome& mine) {
  replayed_words expected(spare.local());
  mine.remote_updates = co_await expected.pass(mine.updates);
  mine.wrong_words = co_await expected.differences(words.local());
  co_await all_update(words, mine.updates);
  co_await expected.begin();
  mine.unrestored_words = co_await expected.differences(words.local());
}

/// Runs the whole benchmark once: makes the table, measures, and destroys the table. The main task
/// calls this function. If memory does not suffice, throws atl::error (out_of_memory) before memory
/// is touched.
task<outcome> measure(parameters chosen);

}  // namespace atl::bench::gups
