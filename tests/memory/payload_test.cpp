// Tests calls that send a function together with a payload: a text or an array. Payloads have all
// sizes, up to the capacity of a message and beyond.

#include "support/run_on.hpp"

#include <numeric>

using namespace atl;

namespace {

constexpr std::size_t k_payload_sizes[] = {0, 1, 2, 7, 100, 1000};

class payloads : public test::on_pes {};

struct payload_sums {
  std::uint64_t calls = 0;
  std::uint64_t elements = 0;
  std::uint64_t total = 0;
};

struct wide_object {
  std::uint64_t number;
  std::uint32_t other;
};

/// Returns the largest number of payload bytes in a message that calls a function of the type
/// `Function`.
template <class View, class Function>
std::size_t most_beside(const Function&) {
  return this_pe().messages->payload_capacity<memory::with_payload<View, Function>>();
}

task<std::uint64_t> sum_of(per_pe<payload_sums> all, std::uint64_t payload_sums::* member) {
  std::uint64_t sum = 0;
  for (int pe = 0; pe < pes(); ++pe)
    sum += co_await call(pe, [all, member] { return all.local().*member; });
  co_return sum;
}

TEST_P(payloads, arrive_whole_before_the_scope_ends) {
  run([]() -> task<> {
    const auto all = co_await per_pe<payload_sums>::make();
    const auto of_pe = [all] {
      for (int pe = 0; pe < pes(); ++pe) {
        for (const std::size_t size : k_payload_sizes) {
          std::vector<std::uint32_t> numbers(size);
          std::iota(numbers.begin(), numbers.end(), 1);
          const auto add = [all](std::span<const std::uint32_t> given) {
            ++all->calls;
            all->elements += given.size();
            all->total = std::accumulate(given.begin(), given.end(), all->total);
          };
          async_call(pe, add, numbers);
          // The assignment changes no message, because the call has copied the numbers.
          numbers.assign(size, 0);
        }
      }
    };
    co_await on_all_pes(of_pe);
    const auto pairs = static_cast<std::uint64_t>(pes() * pes());
    EXPECT_EQ(co_await sum_of(all, &payload_sums::calls), pairs * std::size(k_payload_sizes));
    EXPECT_EQ(co_await sum_of(all, &payload_sums::elements), pairs * 1110);
    EXPECT_EQ(co_await sum_of(all, &payload_sums::total), pairs * (1 + 3 + 28 + 5050 + 500'500));
    co_await all.destroy();
  });
}

TEST_P(payloads, of_calls_that_are_awaited_are_answered) {
  run([]() -> task<> {
    for (int pe = 0; pe < pes(); ++pe) {
      const auto length = [](std::string_view text) { return text.size(); };
      EXPECT_EQ(co_await call(pe, length, ""), 0u);
      EXPECT_EQ(co_await call(pe, length, "four"), 4u);
      EXPECT_EQ(co_await call(pe, length, std::string(500, 'x')), 500u);
      const auto where = [](std::span<const wide_object> given) {
        return given.back().number + static_cast<std::uint64_t>(my_pe());
      };
      const std::vector<wide_object> objects(5, wide_object{7, 8});
      EXPECT_EQ(co_await call(pe, where, objects), 7 + static_cast<std::uint64_t>(pe));
      EXPECT_EQ(co_await call(pe, where, std::span(objects).first(1)),
                7 + static_cast<std::uint64_t>(pe));
      co_await call(pe, [](std::string_view) {}, "nothing comes back");
    }
  });
}

TEST_P(payloads, are_read_where_they_go_though_what_they_came_from_is_gone) {
  run([]() -> task<> {
    for (int pe = 0; pe < pes(); ++pe) {
      const auto first = [](std::span<const std::uint64_t> given) { return given.front(); };
      std::optional<std::vector<std::uint64_t>> numbers(std::in_place, 3, 42);
      auto asked = call(pe, first, *numbers);
      numbers.reset();
      EXPECT_EQ(co_await asked, 42u);
    }
  });
}

TEST_P(payloads, larger_than_a_message_are_refused_with_both_sizes) {
  options.buffer_size = 1 << 10;
  run([]() -> task<> {
    const int last = pes() - 1;
    const auto ignore = [](std::string_view) {};
    const std::size_t most = most_beside<std::string_view>(ignore);
    const auto send_the_most = [&] { async_call(last, ignore, std::string(most, 'x')); };
    co_await finish(send_the_most);
    try {
      async_call(last, ignore, std::string(most + 1, 'x'));
      ADD_FAILURE() << "sent";
    } catch (const error& refused) {
      EXPECT_EQ(refused.code(), errc::input);
      const std::string_view text = refused.what();
      EXPECT_NE(text.find(std::to_string(most + 1) + " bytes"), text.npos) << text;
      EXPECT_NE(text.find(std::to_string(most) + " bytes"), text.npos) << text;
    }
    EXPECT_THROW(static_cast<void>(call(last, ignore, std::string(most + 1, 'x'))), error);
  });
}

TEST_P(payloads, bring_back_what_their_functions_throw) {
  run([]() -> task<> {
    const auto refuse = [](std::string_view text) { fail(errc::input, "no {}", text); };
    for (int pe = 0; pe < pes(); ++pe) {
      std::string said;
      try {
        co_await call(pe, refuse, "such thing");
      } catch (const error& refused) {
        EXPECT_EQ(refused.code(), errc::input);
        said = refused.what();
      }
      EXPECT_NE(said.find("no such thing"), said.npos) << said;
    }
  });
}

ATOLL_RUN_ON_ALL(payloads);

}  // namespace
