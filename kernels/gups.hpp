#pragma once
// GUPS, the RandomAccess benchmark of HPCC: random read-modify-writes of one table over all PEs.
//
// The table has 2^log2_table words on every PE, word i holding i at first. Update k takes the k-th
// number r of HPCC's stream and does table[r mod words] ^= r. Each PE issues an equal part of the
// stream as asynchronous delegates; the pass ends when all updates have landed. As xor is its own
// inverse, a second pass restores the table.

#include "atoll/atoll.hpp"
#include "atoll/base/hpcc_stream.hpp"

namespace atoll::kernels::gups {

struct parameters {
  std::uint64_t log2_table = 20;       ///< words on each PE
  std::uint64_t updates_per_word = 4;  ///< updates in all: this times the words of all PEs
  bool verify = false;
};

/// What one pass did, on all PEs together.
struct outcome {
  double seconds = 0;
  std::uint64_t updates = 0;
  std::uint64_t applied_updates = 0;    ///< counted by the PEs that executed them
  std::uint64_t executed_messages = 0;  ///< those of them that came from another PE
  // With verify only:
  std::uint64_t remote_updates = 0;    ///< by the replay, those whose owner did not issue them
  std::uint64_t wrong_words = 0;       ///< after one pass, against the replay
  std::uint64_t unrestored_words = 0;  ///< after the second pass

  bool right() const {
    return applied_updates == updates && executed_messages == remote_updates &&
           wrong_words == 0 && unrestored_words == 0;
  }
};

/// What the PEs counted, as one: the slowest decides the time.
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

/// Issues updates from the stream while there is room for their messages, `most` at most; returns
/// how many.
inline std::uint64_t issue_while_room(table words, hpcc_stream& stream, std::uint64_t most) {
  const fast_divisor size(words.size());
  hpcc_stream random = stream;
  std::uint64_t issued = 0;
  for (; issued < most && has_room(); ++issued) {
    const std::uint64_t r = random.next();
    async_update(words[size.modulo(r)], [r](std::uint64_t& word) { word ^= r; });
  }
  stream = random;
  return issued;
}

/// Issues this PE's part of the updates; they have all landed when the enclosing scope ends.
inline task<> issue_updates(table words, std::uint64_t updates) {
  const stream_part part(updates);
  hpcc_stream stream(static_cast<std::int64_t>(part.first));
  for (std::uint64_t left = part.count; left > 0;) {
    left -= issue_while_room(words, stream, left);
    co_await room();
  }
}

/// One pass over the stream; returns the seconds it took. Every PE calls it.
inline task<double> all_update(table words, std::uint64_t updates) {
  co_await all_barrier();
  const auto begin = this_pe().transport->now();
  const auto issue = [&] { return issue_updates(words, updates); };
  co_await finish(issue);
  co_await all_barrier();
  co_return static_cast<double>(this_pe().transport->now() - begin) * 1e-9;
}

/// What the words of this PE must be after one pass: the whole stream, replayed for them alone.
struct replay {
  std::vector<std::uint64_t> expected;
  std::uint64_t from_elsewhere = 0;  ///< updates of these words that another PE issued

  replay(table words, std::uint64_t updates) : expected(words.local().size()) {
    const std::uint64_t first_word = words.index_of_local(0);
    for (std::uint64_t k = 0; k < expected.size(); ++k) expected[k] = first_word + k;
    const stream_part mine(updates);
    const fast_divisor size(words.size());
    hpcc_stream stream(0);
    for (std::uint64_t k = 0; k < updates; ++k) {
      const std::uint64_t r = stream.next();
      const std::uint64_t word = size.modulo(r) - first_word;
      if (word >= expected.size()) continue;
      expected[word] ^= r;
      from_elsewhere += k - mine.first >= mine.count ? 1 : 0;
    }
  }
};

inline void initialise(table words) {
  const auto mine = words.local();
  for (std::uint64_t k = 0; k < mine.size(); ++k) mine[k] = words.index_of_local(k);
}

/// One timed pass and, with verify, the checks of this PE. Every PE calls it.
inline task<outcome> all_measure(table words, parameters chosen) {
  outcome mine;
  mine.updates = words.size() * chosen.updates_per_word;
  initialise(words);
  const observe::counters before = *this_pe().counters;
  mine.seconds = co_await all_update(words, mine.updates);
  const observe::counters after = *this_pe().counters;
  mine.executed_messages = after.messages_executed - before.messages_executed;
  mine.applied_updates = mine.executed_messages + after.local_messages_executed -
                         before.local_messages_executed;
  if (chosen.verify) {
    const replay replayed(words, mine.updates);
    mine.remote_updates = replayed.from_elsewhere;
    const auto values = words.local();
    for (std::uint64_t k = 0; k < values.size(); ++k) {
      mine.wrong_words += values[k] != replayed.expected[k] ? 1 : 0;
    }
    co_await all_update(words, mine.updates);
    for (std::uint64_t k = 0; k < values.size(); ++k) {
      mine.unrestored_words += values[k] != words.index_of_local(k) ? 1 : 0;
    }
  }
  co_return co_await all_reduce(mine, &combined);
}

/// The whole benchmark once, called by the main task: makes the table, measures, destroys it.
inline task<outcome> measure(parameters chosen) {
  const std::uint64_t words_a_pe = std::uint64_t{1} << chosen.log2_table;
  const table words =
      co_await make_array<std::uint64_t>(words_a_pe * static_cast<std::uint64_t>(pes()));
  outcome result;
  const auto on_each = [words, chosen, to_pe_0 = &result]() -> task<> {
    const outcome all = co_await all_measure(words, chosen);
    if (my_pe() == 0) *to_pe_0 = all;
  };
  co_await on_all_pes(on_each);
  co_await words.destroy();
  co_return result;
}

}  // namespace atoll::kernels::gups
