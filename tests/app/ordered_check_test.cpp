// The check of `atoll bench stack` must reject a queue, and the check of `atoll bench queue` must
// reject a stack.

#include "bench/ordered_workers.hpp"
#include "support/run_on.hpp"

#include <deque>
#include <optional>

using namespace atl;
namespace ordered = bench::ordered;

namespace {

enum class taken_from : std::uint8_t { front, back };

/// A list on PE 0 that can work as a queue or as a stack.
struct list_on_one_pe {
  std::deque<std::uint64_t>* elements;
  taken_from end;

  task<> push(std::uint64_t value) const {
    co_await call(0, [to = elements, value] { to->push_back(value); });
  }
  task<std::optional<std::uint64_t>> pop() const {
    co_return co_await call(0, [from = elements, which = end]() -> std::optional<std::uint64_t> {
      if (from->empty()) return std::nullopt;
      const bool front = which == taken_from::front;
      const std::uint64_t value = front ? from->front() : from->back();
      front ? from->pop_front() : from->pop_back();
      return value;
    });
  }
};

class ordered_check : public test::on_pes {
 protected:
  /// Lets each worker push 50 values, and pops all values from `end`. Returns the number of values
  /// that were not popped in the order `wanted`.
  std::uint64_t out_of_order(taken_from end, ordered::order wanted) {
    options.workers = 3;
    std::uint64_t found = 0;
    run([&]() -> task<> {
      std::deque<std::uint64_t> elements;
      const list_on_one_pe list{&elements, end};
      const auto teams = co_await ordered::make_teams(50, 1);
      const auto push = [list](ordered::worker& me) -> task<> {
        for (int i = 0; i < 50; ++i) co_await list.push(me.next_value());
      };
      co_await ordered::on_all_workers(teams, push);
      co_await ordered::drain(list, teams);
      const auto checked = co_await ordered::check(teams, wanted);
      EXPECT_EQ(checked.lost + checked.made_up, 0u);
      EXPECT_EQ(checked.popped, 150u * static_cast<std::uint64_t>(pes()));
      found = checked.out_of_order;
      co_await teams.destroy();
    });
    return found;
  }
};

TEST_P(ordered_check, takes_a_stack_for_a_stack) {
  EXPECT_EQ(out_of_order(taken_from::back, ordered::order::reversed), 0u);
}

TEST_P(ordered_check, takes_a_queue_for_a_queue) {
  EXPECT_EQ(out_of_order(taken_from::front, ordered::order::as_pushed), 0u);
}

TEST_P(ordered_check, refuses_a_queue_for_a_stack) {
  EXPECT_GT(out_of_order(taken_from::front, ordered::order::reversed), 0u);
}

TEST_P(ordered_check, refuses_a_stack_for_a_queue) {
  EXPECT_GT(out_of_order(taken_from::back, ordered::order::as_pushed), 0u);
}

ATOLL_RUN_ON(ordered_check, 1, 2, 3);

}  // namespace
