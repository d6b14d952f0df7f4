// Tests one-sided access between nodes. The guarantees of fences and flushes must hold for any
// order in which messages arrive. Rank 0 accesses memory of rank 1, and rank 1 only serves the
// accesses of rank 0.

#include "atoll/random.hpp"
#include "atoll/transport/internode/far_memory.hpp"
#include "job/jobs.hpp"
#include "transport/two_ranks.hpp"

#include <numeric>

namespace atl::transport::internode {
namespace {

constexpr std::size_t k_segment_words = 262144;
// Number of words of a large put. The data of a large put and its request are sent in different
// messages.
constexpr std::size_t k_large = 3000;

class far_memory_of_two : public testing::Test {
 protected:
  far_memory_of_two() {
    asker.open();
    owner.open();
  }

  static remote_place word(std::size_t index) { return {1, 8 * index}; }
  void put_words(std::size_t at, const std::vector<std::uint64_t>& words, bool lasts = true) {
    asker.put(word(at), std::as_bytes(std::span(words)), lasts, puts, nullptr);
  }
  void put_word(std::size_t at, std::uint64_t value) { put_words(at, {value}, false); }

  /// Lets messages arrive at both ranks. Rank 1 does only what its helper thread would do while the
  /// PE computes.
  void let_arrive(int rounds = 4) {
    for (int round = 0; round < rounds; ++round) {
      asker.progress();
      owner.serve_beside();
    }
  }

  std::vector<std::uint64_t> own = std::vector<std::uint64_t>(k_segment_words);
  std::vector<std::uint64_t> memory = std::vector<std::uint64_t>(k_segment_words);
  two_ranks network;
  two_ranks_port asker_port{network, 0};
  two_ranks_port owner_port{network, 1};
  std::uint64_t looks_while_waiting = 0;
  far_memory asker{asker_port, std::as_writable_bytes(std::span(own)), [this] {
                     ++looks_while_waiting;
                     owner.serve_beside();
                   }};
  far_memory owner{owner_port, std::as_writable_bytes(std::span(memory)), [] {}};
  open_operations puts;
};

std::vector<std::uint64_t> words_from(std::uint64_t first, std::size_t count) {
  std::vector<std::uint64_t> words(count);
  std::iota(words.begin(), words.end(), first);
  return words;
}

TEST_F(far_memory_of_two, fence_holds_back_what_is_behind_large_data) {
  const auto large = words_from(1, k_large);
  network.held = {put_data_tag};
  put_words(0, large);
  asker.fence();
  put_word(10'000, 7);
  let_arrive();
  EXPECT_EQ(memory[10'000], 0u) << "it has overtaken the data before the fence";
  network.held.clear();
  let_arrive();
  EXPECT_EQ(memory[10'000], 7u);
  EXPECT_TRUE(std::equal(large.begin(), large.end(), memory.begin()));
}

TEST_F(far_memory_of_two, signal_is_seen_behind_its_large_data) {
  const auto large = words_from(1, k_large);
  const signal_update one_more{8 * 10'000, {atomic_kind::add, 8, 1, 0}};
  network.held = {put_data_tag};
  asker.put(word(0), std::as_bytes(std::span(large)), true, puts, &one_more);
  let_arrive();
  EXPECT_EQ(memory[10'000], 0u);
  network.held.clear();
  let_arrive();
  EXPECT_EQ(memory[10'000], 1u);
}

TEST_F(far_memory_of_two, flush_is_answered_when_large_data_has_come) {
  const auto large = words_from(1, k_large);
  network.held = {put_data_tag};
  put_words(0, large);
  asker.flush();
  let_arrive();
  EXPECT_EQ(puts.count, 1u);
  EXPECT_FALSE(asker.is_idle());
  network.held.clear();
  let_arrive();
  EXPECT_EQ(puts.count, 0u);
  EXPECT_TRUE(asker.is_idle());
}

// A PE can poll until none of its operations is in flight. Polls must complete even operations that
// were begun after the last flush.
TEST_F(far_memory_of_two, becomes_idle_although_something_is_begun_after_a_flush) {
  put_word(1, 5);
  asker.flush();
  put_word(2, 6);
  for (int look = 0; look < 20 && !asker.is_idle(); ++look) let_arrive();
  EXPECT_TRUE(asker.is_idle());
  EXPECT_EQ(puts.count, 0u);
  EXPECT_EQ(memory[2], 6u);
}

TEST_F(far_memory_of_two, bytes_of_answers_under_way_are_bounded) {
  std::vector<std::uint64_t> into(1024);
  open_operations gets;
  std::uint64_t most = 0;
  for (int k = 0; k < 2000; ++k) {
    asker.get(word(0), std::as_writable_bytes(std::span(into)), gets);
    most = std::max(most, gets.count * 8192);
  }
  EXPECT_LE(most, (1U << 20) + 8192U);
}

// A fence delays operations until earlier data has arrived. Here, delayed operations have large
// data, which delay the operations after the next fence.
TEST_F(far_memory_of_two, fences_in_a_row_each_hold_back_large_data) {
  std::vector<std::vector<std::uint64_t>> sent;
  for (std::uint64_t k = 0; k < 6; ++k) sent.push_back(words_from(1000 * k + 1, k_large));
  network.held = {put_data_tag};
  for (std::size_t k = 0; k < sent.size(); ++k) {
    put_words(0, sent[k]);
    asker.fence();
    put_word(10'000, k + 1);
  }
  asker.flush();
  let_arrive();
  EXPECT_EQ(memory[10'000], 0u);
  network.held.clear();
  let_arrive(20);
  EXPECT_EQ(memory[10'000], 6u);
  EXPECT_TRUE(std::equal(sent[5].begin(), sent[5].end(), memory.begin()));
  EXPECT_EQ(puts.count, 0u);
}

TEST_F(far_memory_of_two, what_does_not_last_is_copied_aside) {
  std::vector<std::uint64_t> source = words_from(1, k_large);
  put_words(0, source, false);
  EXPECT_TRUE((network.under_way[{1, put_data_tag}].empty())) << "it would be read later";
  std::ranges::fill(source, 0u);
  let_arrive(20);
  EXPECT_EQ(memory[k_large - 1], k_large);
}

TEST_F(far_memory_of_two, get_brings_any_number_of_bytes) {
  std::iota(memory.begin(), memory.end(), 1u);
  open_operations gets;
  for (const std::size_t count : {1U, 7U, 1024U, 1025U, 60'000U}) {
    std::vector<std::uint64_t> into(count);
    asker.get(word(5), std::as_writable_bytes(std::span(into)), gets);
    EXPECT_GT(gets.count, 0u);
    let_arrive();
    EXPECT_EQ(gets.count, 0u);
    EXPECT_EQ(into, words_from(6, count)) << count;
  }
}

// A get of large data requests only a few parts at a time. If the PE computes during a get, the
// PE's helper thread must request the parts that are left.
TEST_F(far_memory_of_two, what_is_got_arrives_while_its_pe_is_away) {
  std::iota(memory.begin(), memory.end(), 1u);
  std::vector<std::uint64_t> into(250'000);
  open_operations gets;
  asker.get(word(5), std::as_writable_bytes(std::span(into)), gets);
  asker.send();
  const std::uint64_t parts = gets.count;
  EXPECT_FALSE(owner.serve_beside().asked) << "who gets large data is in no hurry";
  EXPECT_LT((network.under_way[{0, got_data_tag}].size()), parts / 2)
      << "what rank 0 asks for next waits behind those that rank 1 has asked for";
  std::uint64_t come = 0;
  for (int round = 0; round < 20; ++round) {
    come += asker.serve_beside().parts;
    owner.serve_beside();
  }
  EXPECT_EQ(into, words_from(6, 250'000));
  EXPECT_EQ(come, parts);
  EXPECT_EQ(gets.count, parts) << "only the PE itself counts out";
  EXPECT_TRUE(asker.counted().has_come);
  asker.progress();
  EXPECT_EQ(gets.count, 0u);
  EXPECT_FALSE(asker.counted().has_come);
  EXPECT_TRUE(asker.is_idle());
}

// Without a flush, the owner must see no urgent request, although the sender asks which operations
// are complete.
TEST_F(far_memory_of_two, only_awaited_flushes_are_in_a_hurry) {
  const auto large = words_from(1, 122'880);  // each put needs messages of its own
  for (int again = 0; again < 9; ++again) put_words(0, large);
  asker.send();
  std::uint64_t parts = 0;
  for (int round = 0; round < 20; ++round) {
    const auto done = owner.serve_beside();
    EXPECT_FALSE(done.asked);
    parts += done.parts;
    asker.serve_beside();
  }
  EXPECT_GT(parts, 100u);
  asker.flush();
  EXPECT_TRUE(owner.serve_beside().asked);
}

// Large data is sent in parts. The lengths include a short last part, and more parts than may be in
// flight at once.
TEST_F(far_memory_of_two, put_brings_any_number_of_bytes) {
  for (const std::size_t count : {1025U, 7680U, 7681U, 60'000U, 122'880U, 122'881U, 250'000U}) {
    std::ranges::fill(memory, 0U);
    const auto source = words_from(1, count);
    std::vector<std::uint64_t> expected(k_segment_words);
    std::ranges::copy(source, expected.begin() + 5);
    put_words(5, source);
    asker.flush();
    let_arrive(50);
    EXPECT_EQ(puts.count, 0u);
    EXPECT_EQ(memory, expected) << count;
    EXPECT_EQ(asker.counted().sent, owner.counted().received) << count;
    EXPECT_EQ(owner.counted().sent, asker.counted().received) << count;
  }
}

TEST_F(far_memory_of_two, requests_of_large_data_go_without_a_flush) {
  put_words(0, words_from(1, k_large));
  EXPECT_EQ((network.under_way[{1, request_tag}].size()), 1u) << "the target cannot take it";
}

TEST_F(far_memory_of_two, number_of_messages_under_way_is_bounded) {
  std::size_t under_way = 0;
  for (std::uint64_t i = 0; i < 200'000; ++i) {
    put_word(i % 100, i);
    under_way = std::max(under_way, network.under_way[{1, request_tag}].size());
  }
  const std::vector<std::uint64_t> much = words_from(1, k_segment_words);
  put_words(0, much, false);
  under_way = std::max(under_way, network.under_way[{1, request_tag}].size());
  EXPECT_LE(under_way, 33u);
  EXPECT_GT(looks_while_waiting, 0u);
  asker.flush();
  let_arrive(20);
  EXPECT_EQ(puts.count, 0u);
  EXPECT_EQ(memory, much);
}

/// Requests of all kinds, in a random order, must have the same result as plain copies.
TEST_F(far_memory_of_two, requests_of_a_pair_are_executed_in_their_order) {
  random_stream draws(5, 1);
  std::vector<std::uint64_t> expected(k_segment_words);
  std::deque<std::vector<std::uint64_t>> sources;
  open_operations fetched;
  for (int step = 0; step < 3000; ++step) {
    const auto at = static_cast<std::size_t>(draws.below(100));
    const std::size_t count = draws.below(20) == 0 ? k_large : 1 + draws.below(3);
    if (draws.below(3) == 0) {
      std::uint64_t before = 0;
      asker.update(word(at), {atomic_kind::add, 8, 5, 0}, &before, fetched);
      let_arrive(6);
      EXPECT_EQ(before, expected[at]);
      expected[at] += 5;
    } else {
      sources.push_back(words_from(static_cast<std::uint64_t>(step) << 20, count));
      std::ranges::copy(sources.back(), expected.begin() + static_cast<std::ptrdiff_t>(at));
      put_words(at, sources.back());
      asker.fence();
    }
    network.held = draws.below(2) == 0 ? std::set<int>{} : std::set<int>{put_data_tag};
    let_arrive(static_cast<int>(draws.below(3)));
    network.held.clear();
  }
  asker.flush();
  let_arrive(50);
  EXPECT_EQ(puts.count + fetched.count, 0u);
  EXPECT_EQ(memory, expected);
}

}  // namespace
}  // namespace atl::transport::internode
