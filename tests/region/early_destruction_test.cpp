// Tests region instances that are destroyed while copies use them. A copy that uses a destroyed
// instance may fail, but must do no other harm.

#include "atoll/instance.hpp"
#include "support/run_on.hpp"

#include <string>

using namespace atl;

namespace {

class destroyed_early : public test::on_pes {};

std::vector<instance_placement> some_places() {
  const int last = pes() - 1;
  return {instance_placement::on(0), instance_placement::on(last),
          instance_placement::in_node_memory_of(last), instance_placement::spread(),
          instance_placement::in_blocks<2>({64, 512})};
}

/// Checks that the operation succeeded, or failed because an instance was destroyed.
task<> expect_harmless(event used) {
  const auto fault = co_await used.settled();
  if (!fault) co_return;
  try {
    std::rethrow_exception(fault->failure);
  } catch (const std::exception& failure) {
    EXPECT_NE(std::string(failure.what()).find("no such region instance"), std::string::npos)
        << failure.what();
  }
}

TEST_P(destroyed_early, leave_copies_without_elements) {
  run([]() -> task<> {
    const auto rows = rectangle_of<2>({180, 1500});
    for (const auto& from_place : some_places())
      for (const auto& to_place : some_places()) {
        const auto from = make_instance<std::int64_t>(rows, from_place);
        const auto to = make_instance<std::int64_t>(rows, to_place);
        co_await from.ready();
        co_await to.ready();
        const event copied = copy_when(event::none, to.part(), from.part());
        const event filled = fill_when(ignore_faults(copied), from.part(), 3);
        const event destroyed = from.destroy();
        co_await expect_harmless(copied);
        co_await expect_harmless(filled);
        co_await destroyed;
        co_await to.destroy();
      }
    EXPECT_EQ(regions::instance_table::here().size(), 0u);
  });
}

ATOLL_RUN_ON(destroyed_early, 1, 2, 3, 5);

}  // namespace
