// Tests when the hang detector looks at the PEs and when it reports a hang. In these tests, PEs are
// objects that always report the same state.

#include "atoll/job/hang_watch.hpp"
#include "support/captured_stderr.hpp"

#include <gtest/gtest.h>

namespace atl::job {
namespace {

constexpr nanoseconds k_second = 1'000'000'000;

/// Two PEs that wait forever.
struct blocked_pes : hang_carrier {
  std::optional<std::vector<pe_sample>> samples() override {
    const pe_sample blocked{
        .what = pe_sample::activity::works, .phase = 1, .thread = {.letter = 'S'}};
    return std::vector{blocked, blocked};
  }
  std::string who_waits() override { return "nobody knows\n"; }
  bool hangs_for_certain(const std::vector<pe_sample>&, seeming) override { return true; }
};

TEST(hang_protocol, does_not_count_time_in_which_nobody_could_look) {
  const test::captured_stderr said;
  blocked_pes pes;
  hang_protocol watch(pes, k_second, {.shortest = k_second / 100, .longest = k_second / 10});
  nanoseconds time = watch.next_look();
  EXPECT_FALSE(watch.look(time));
  time += 3600 * k_second;  // The clock jumps as if the machine had been suspended.
  EXPECT_FALSE(watch.look(time));
  EXPECT_EQ(said.text(), "");
  int looks = 0;
  do time = watch.next_look();
  while (!watch.look(time) && ++looks < 100);
  EXPECT_GE(looks, 5);
  EXPECT_LT(looks, 100);
  EXPECT_NE(said.text().find("no progress for 1 s"), std::string::npos) << said.text();
}

TEST(hang_protocol, looks_no_more_often_than_its_pace) {
  blocked_pes pes;
  hang_protocol watch(pes, k_second, {.shortest = k_second / 100, .longest = k_second / 10});
  const nanoseconds first = watch.next_look();
  EXPECT_FALSE(watch.look(first - 1));
  EXPECT_EQ(watch.next_look(), first);
  EXPECT_FALSE(watch.look(first));
  EXPECT_EQ(watch.next_look(), first + k_second / 10);
}

}  // namespace
}  // namespace atl::job
