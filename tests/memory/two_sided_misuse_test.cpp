// Tests mistakes in two-sided communication. If a message does not fit its matching receive, the
// message must be refused. A message that no task receives must do no harm.

#include "atoll/base/memory_account.hpp"
#include "memory/two_sided_messages.hpp"

#include <gmock/gmock.h>
#include <optional>

using namespace atl;
namespace ts = atl::two_sided;
using testing::HasSubstr;

namespace {

using test::expect_message;
using test::pe_behind;
using test::word_list;

class two_sided_misuse : public test::on_pes {
 protected:
  two_sided_misuse() {
    options.eager_limit = 256;
    options.buffer_size = 1 << 10;
  }
};

task<std::string> receive_refusal(int tag, word_list& room) {
  try {
    co_await ts::receive(0, tag, room);
  } catch (const error& refused) {
    EXPECT_EQ(refused.code(), errc::input);
    co_return refused.what();
  }
  co_return "not refused";
}

TEST_P(two_sided_misuse, of_a_room_that_is_too_small_loses_the_message) {
  run_spmd([]() -> task<> {
    const int receiver = pes() - 1;
    for (const std::size_t length : {20, 2000}) {
      const word_list sent(length, 3);
      std::vector<ts::request> requests;
      if (my_pe() == 0) {
        requests.push_back(ts::send_nbi(receiver, 4, sent));
        requests.push_back(ts::send_nbi(receiver, 4, "a text of 21 letters"));
        requests.push_back(ts::send_nbi(receiver, 4, sent));
      }
      if (my_pe() == receiver) {
        word_list room(10);
        const std::string text = co_await receive_refusal(4, room);
        EXPECT_THAT(
            text, testing::MatchesRegex(fmt::format(
                      "two_sided_misuse_test.cpp:[0-9]+: receive: a message of {} bytes from PE 0 "
                      "with tag 4 has {} elements, the room of 80 bytes takes 10",
                      8 * length, length)));
        const std::string broken = co_await receive_refusal(4, room);
        EXPECT_THAT(broken, HasSubstr("of 21 bytes from PE 0 with tag 4 is no whole number of "
                                      "elements of 8 bytes"));
        EXPECT_EQ(room, word_list(10));
        co_await expect_message(0, 4, sent);
      }
      for (auto& each : requests) co_await each;
      co_await all_barrier();
    }
  });
}

TEST_P(two_sided_misuse, of_pes_that_do_not_exist_is_refused) {
  run([]() -> task<> {
    word_list room(1);
    for (const int pe : {-1, pes()}) {
      for (const bool sends : {true, false}) {
        try {
          if (sends)
            co_await ts::send(pe, 0, room);
          else
            co_await ts::receive(pe, 0, room);
          ADD_FAILURE() << "not refused";
        } catch (const error& refused) {
          EXPECT_EQ(refused.code(), errc::input);
          EXPECT_THAT(refused.what(),
                      HasSubstr(fmt::format("{}: PE {} does not exist; there are {} PEs",
                                            sends ? "send" : "receive", pe, pes())));
        }
      }
    }
  });
}

TEST_P(two_sided_misuse, of_a_dropped_receive_leaves_the_message_to_the_next_one) {
  run_spmd([]() -> task<> {
    const int from = pe_behind(pes() - 1);
    std::vector<word_list> rooms(6, word_list(1));
    std::vector<std::optional<ts::request>> receives(6);
    for (std::size_t i = 0; i < 5; ++i) receives[i].emplace(ts::receive_nbi(from, 9, rooms[i]));
    for (const std::size_t i : {0, 2, 4}) receives[i].reset();
    receives[5].emplace(ts::receive_nbi(from, 9, rooms[5]));
    co_await all_barrier();
    const word_list sent = {1, 2, 3};
    for (std::size_t i = 0; i < 3; ++i)
      co_await ts::send(pe_behind(1), 9, std::span(sent).subspan(i, 1));
    for (const std::size_t i : {1, 3, 5}) co_await *receives[i];
    const std::vector<word_list> expected = {{0}, {1}, {0}, {2}, {0}, {3}};
    EXPECT_EQ(rooms, expected);
  });
}

TEST_P(two_sided_misuse, of_a_receive_dropped_on_the_way_loses_the_message) {
  run_spmd([]() -> task<> {
    const word_list sent(5000, 1);
    auto sending = ts::send_nbi(pe_behind(1), 6, sent);
    co_await all_quiet();
    // The second receive waits forever, because the first receive has matched the message.
    for (int i = 0; i < 2; ++i) {
      word_list room(5000);
      const auto dropped = ts::receive_nbi(pe_behind(pes() - 1), 6, room);
      EXPECT_EQ(dropped.is_complete(), i == 0 && pes() == 1);
    }
    const std::size_t count = co_await sending;
    EXPECT_EQ(count, sent.size());
    co_await all_barrier();
  });
}

TEST_P(two_sided_misuse, of_a_send_dropped_on_the_way_is_told_or_too_late) {
  run_spmd([]() -> task<> {
    word_list room(5000);
    auto receive = ts::receive_nbi(pe_behind(pes() - 1), 2, room);
    {
      const word_list sent(5000, 7);
      const auto dropped = ts::send_nbi(pe_behind(1), 2, sent);
      for (int i = 0; i < 4; ++i) co_await yield();
    }
    try {
      co_await receive;
      EXPECT_EQ(room, word_list(5000, 7));
    } catch (const error& missed) {
      EXPECT_EQ(missed.code(), errc::withdrawn);
    }
    co_await all_barrier();
  });
}

TEST_P(two_sided_misuse, of_a_dropped_send_is_told_to_the_receiver) {
  run_spmd([]() -> task<> {
    {
      const word_list sent(3000, 1);
      const auto dropped = ts::send_nbi(pe_behind(1), 2, sent);
    }
    co_await all_barrier();
    word_list room(3000);
    try {
      co_await ts::receive(pe_behind(pes() - 1), 2, room);
      ADD_FAILURE() << "nothing was missed";
    } catch (const error& missed) {
      EXPECT_EQ(missed.code(), errc::withdrawn);
      EXPECT_THAT(missed.what(), HasSubstr("of 24000 bytes from PE "));
    }
    co_await all_barrier();
  });
}

/// A PE keeps the messages that it sends to itself. If memory is short, the send itself must
/// therefore fail.
class two_sided_without_memory : public two_sided_misuse {
 protected:
  two_sided_without_memory() { options.memory_limit = std::uint64_t{1} << 30; }
};

TEST_P(two_sided_without_memory, refused_messages_take_no_room_from_later_ones) {
  run_spmd([]() -> task<> {
    const word_list sent = {1};
    memory_account& account = *this_pe().account;
    constexpr std::size_t k_more_than_all = std::size_t{1} << 31;
    account.add(k_more_than_all);
    int refused = 0;
    for (int i = 0; i < 1000; ++i) {
      try {
        const auto never = ts::send_nbi(my_pe(), 8, sent);
      } catch (const error& refusal) {
        refused += refusal.code() == errc::out_of_memory ? 1 : 0;
      }
    }
    account.release(k_more_than_all);
    EXPECT_EQ(refused, 1000);
    const auto kept = ts::send_nbi(my_pe(), 8, sent);
    EXPECT_TRUE(kept.is_complete()) << "it would have to wait for its receive";
    co_await expect_message(my_pe(), 8, sent);
  });
}

ATOLL_RUN_ON_ALL(two_sided_misuse);
ATOLL_RUN_ON_ALL(two_sided_without_memory);

}  // namespace
