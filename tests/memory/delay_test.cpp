// The setting `delay` makes messages arrive later, and changes no results.

#include "support/run_on.hpp"

using namespace atl;
using namespace atl::test;

namespace {

constexpr transport::nanoseconds k_delay = 3'000'000;

constexpr std::uint64_t k_messages = 20'000;

class delayed : public on_pes {
 protected:
  delayed() { options.delay = k_delay; }
};

}  // namespace

TEST_P(delayed, a_round_trip_takes_the_delay_twice) {
  run([]() -> task<> {
    const auto words = co_await make_array<std::uint64_t>(static_cast<std::uint64_t>(pes()));
    for (std::uint64_t i = 0; i < words.size(); ++i) {
      const auto begin = this_pe().transport->now();
      const auto before = co_await fetch_add(words[i], 5);
      const auto time = this_pe().transport->now() - begin;
      EXPECT_EQ(before, 0U);
      if (i != 0) {
        EXPECT_GE(time, 2 * k_delay);
      }
    }
    co_await words.destroy();
  });
}

TEST_P(delayed, what_is_sent_arrives_once_and_in_order) {
  run([]() -> task<> {
    const auto next = co_await per_pe<std::uint64_t>::make();
    const auto send = [next]() -> task<> {
      for (std::uint64_t i = 0; i < k_messages; ++i) {
        const auto count = [next, i] { EXPECT_EQ(next.local()++, i); };
        async_call((my_pe() + 1) % pes(), count);
        co_await room();
      }
    };
    co_await on_all_pes(send);
    const auto check = [next] { EXPECT_EQ(next.local(), k_messages); };
    co_await on_all_pes(check);
    co_await next.destroy();
  });
}

ATOLL_RUN_ON(delayed, 1, 2, 3, 8);
