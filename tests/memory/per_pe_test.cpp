// Tests `per_pe`, which makes an object on every PE and gives all these objects one handle.

#include "support/run_on.hpp"

#include <atomic>

using namespace atl;

namespace {

std::atomic<int> alive = 0;

struct counted {
  counted() { ++alive; }
  ~counted() { --alive; }
  counted(const counted&) = delete;
  counted& operator=(const counted&) = delete;
};

class per_pe_objects : public test::on_pes {
 protected:
  /// Returns how many PEs have their object in this process while the job runs.
  int here() const { return options.pe_kind == pe_kind::process ? 1 : size(); }
};

TEST_P(per_pe_objects, are_destroyed_when_the_program_says_so) {
  run([this]() -> task<> {
    const auto objects = co_await per_pe<counted>::make();
    EXPECT_EQ(alive, here());
    co_await objects.destroy();
    EXPECT_EQ(alive, 0);
  });
}

TEST_P(per_pe_objects, go_with_the_job_where_an_exception_passes_by) {
  const auto program = [this]() -> task<> {
    co_await per_pe<counted>::make();
    EXPECT_EQ(alive, here());
    fail(errc::input, "no such thing");
  };
  EXPECT_EQ(test::status_of(options, program), 2);
  EXPECT_EQ(alive, 0);
}

ATOLL_RUN_ON(per_pe_objects, 1, 2, 3);

}  // namespace
