// Tests symmetric memory, for which users need not set a size. Pages are allocated at their first
// access, reused by later arrays, and returned to the system. A request beyond the memory limit of
// the job fails.

#include "support/run_on.hpp"

#include <fstream>
#include <gmock/gmock.h>
#include <string>

using namespace atl;

namespace {

class symmetric_memory : public test::on_pes {};

constexpr std::uint64_t k_mebibyte = 1 << 20;

/// Returns the resident shared memory of this process, in MiB.
std::uint64_t resident_mebibytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::uint64_t kibibytes = 0;
    if (word == "RssShmem:" && status >> kibibytes) return kibibytes / 1024;
  }
  return 0;
}

TEST_P(symmetric_memory, comes_when_it_is_touched_and_goes_when_it_is_destroyed) {
  run([]() -> task<> {
    const std::uint64_t before = resident_mebibytes();
    std::uint64_t first_place = 0;
    for (int round = 0; round < 5; ++round) {
      const auto array = co_await make_symmetric_array<unsigned char>(64 * k_mebibyte);
      EXPECT_LT(resident_mebibytes(), before + 16) << "before it is touched";
      const auto local = array.local();
      EXPECT_EQ(local[64 * k_mebibyte - 1], 0) << "it is not zero in round " << round;
      std::ranges::fill(local, static_cast<unsigned char>(7));
      EXPECT_GE(resident_mebibytes(), before + 60);
      if (round == 0) first_place = array.on(0).offset();
      EXPECT_EQ(array.on(0).offset(), first_place) << "what is free is not used again";
      co_await array.destroy();
      EXPECT_LT(resident_mebibytes(), before + 16) << "after it was destroyed";
    }
  });
}

TEST_P(symmetric_memory, is_refused_beyond_the_limit_of_the_job) {
  options.memory_limit = static_cast<std::uint64_t>(size()) * 64 * k_mebibyte;
  run([]() -> task<> {
    std::string refused;
    try {
      (void)co_await make_symmetric_array<unsigned char>(128 * k_mebibyte);
    } catch (const error& refusal) {
      EXPECT_EQ(refusal.code(), errc::out_of_memory);
      refused = refusal.what();
    }
    EXPECT_THAT(refused, testing::HasSubstr("memory-limit"));
    const auto small = co_await make_symmetric_array<unsigned char>(16 * k_mebibyte);
    EXPECT_EQ(small.local()[5], 0);
  });
}

ATOLL_RUN_IN_PARALLEL_ON(symmetric_memory, 1, 2, 3);

}  // namespace
