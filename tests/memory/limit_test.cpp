// If a request for global memory exceeds the limit of the job, it fails before any memory is
// touched. The error states the needed and the available memory, and the program continues.

#include "atoll/local_memory.hpp"
#include "atoll/machine.hpp"
#include "support/captured_stderr.hpp"
#include "support/run_on.hpp"

#include <fstream>
#include <gmock/gmock.h>
#include <string>
#include <vector>

using namespace atl;
using testing::HasSubstr;

namespace {

constexpr std::uint64_t k_mebibyte = 1 << 20;

class memory_limit : public test::on_pes {
 protected:
  memory_limit() { options.memory_limit = 64 * k_mebibyte; }
};

struct outcome {
  errc code = errc::internal;
  std::string text;
};

/// Returns the outcome of a request for an array of `bytes` bytes.
task<outcome> asked_for(std::uint64_t bytes, placement where) {
  outcome result;
  try {
    co_await make_array<char>(bytes, where);
  } catch (const error& refusal) {
    result.code = refusal.code();
    result.text = refusal.what();
  }
  co_return result;
}

TEST_P(memory_limit, is_named_with_what_is_needed_and_what_there_is) {
  run([]() -> task<> {
    const auto held = co_await make_array<char>(8 * k_mebibyte);
    for (const auto where : {placement::owner_only, placement::symmetric}) {
      for (const std::uint64_t bytes : {57 * k_mebibyte, 1'000'000 * k_mebibyte}) {
        const outcome refused = co_await asked_for(bytes, where);
        EXPECT_EQ(refused.code, errc::out_of_memory);
        EXPECT_THAT(refused.text, HasSubstr("memory-limit"));
        EXPECT_THAT(refused.text, HasSubstr("64 MiB"));
        EXPECT_THAT(refused.text, HasSubstr(std::to_string(pes()) + " PEs"));
      }
    }
    const auto rest = co_await make_array<char>(50 * k_mebibyte);
    co_await write(rest[rest.size() - 1], 5);
    const auto seen = co_await read(rest[rest.size() - 1]);
    EXPECT_EQ(seen, 5);
    co_await rest.destroy();
    co_await held.destroy();
  });
}

TEST_P(memory_limit, is_for_memory_beside_arrays_as_well) {
  run([]() -> task<> {
    const std::uint64_t share = 64 * k_mebibyte / static_cast<std::uint64_t>(pes());
    // The second round succeeds only if the first round has returned its memory.
    for (int round = 0; round < 2; ++round) {
      const held_memory most(share / 4 * 3, "the notes of a test");
      std::string text;
      try {
        const held_memory more(share / 2, "the notes of a test");
      } catch (const error& refused) {
        EXPECT_EQ(refused.code(), errc::out_of_memory);
        text = refused.what();
      }
      EXPECT_THAT(text, HasSubstr("the notes of a test"));
      EXPECT_THAT(text, HasSubstr("memory-limit"));
    }
    co_return;
  });
}

TEST(memory_beside_arrays, is_of_a_job) {
  try {
    const held_memory nobody_has(1, "the notes of a test");
    FAIL() << "there is no job";
  } catch (const error& refused) {
    EXPECT_EQ(refused.code(), errc::input);
    EXPECT_THAT(refused.what(), HasSubstr("limit_test.cpp"));
  }
}

TEST_P(memory_limit, is_for_what_is_held_at_a_time) {
  run([]() -> task<> {
    for (int round = 0; round < 10; ++round) {
      const auto array = co_await make_array<char>(40 * k_mebibyte);
      co_await array.destroy();
    }
    for (const auto& counted : co_await read_counters()) {
      EXPECT_LE(counted.global_bytes_peak, 41 * k_mebibyte);
      EXPECT_GE(counted.global_bytes_peak, 40 * k_mebibyte / static_cast<unsigned>(pes()));
    }
  });
}

TEST_P(memory_limit, says_the_same_to_every_pe) {
  run([]() -> task<> {
    co_await on_all_pes([]() -> task<> {
      const outcome refused = co_await asked_for(100 * k_mebibyte, placement::owner_only);
      EXPECT_EQ(refused.code, errc::out_of_memory);
      EXPECT_THAT(refused.text, HasSubstr("memory-limit"));
    });
  });
}

TEST_P(memory_limit, ends_a_program_that_does_not_catch_it_with_status_2) {
  const test::captured_stderr captured;
  const int status = test::status_of(
      options, []() -> task<> { co_await make_array<std::uint64_t>(100 * k_mebibyte); });
  EXPECT_EQ(status, 2);
  EXPECT_THAT(captured.text(), HasSubstr("a global array needs"));
}

/// Sends `bytes` bytes from PE 0 to the last PE in an exchange.
task<> send_to_last(std::uint64_t bytes) {
  const std::vector<char> mine(my_pe() == 0 ? bytes : 0);
  std::vector<std::span<const char>> parts(static_cast<std::size_t>(pes()));
  parts.back() = mine;
  co_await all_to_all(std::move(parts));
}

// The received part is too large for the memory of the last PE. In a job of processes, the error is
// printed and the job ends with status 2. If the last PE is in this process, `run` throws the
// error.
TEST_P(memory_limit, is_also_for_what_others_send) {
  const test::captured_stderr captured;
  std::string complaint;
  try {
    const auto program = []() -> task<> { co_await send_to_last(65 * k_mebibyte); };
    EXPECT_EQ(test::status_of(options, program, true), 2);
    complaint = captured.text();
  } catch (const error& refusal) {
    EXPECT_EQ(refusal.code(), errc::out_of_memory);
    complaint = refusal.what();
  }
  EXPECT_THAT(complaint, HasSubstr("65 MiB more for a part of an exchange"));
}

/// Symmetric arrays may use half of a segment. Half of each segment is reserved for data that PEs
/// send.
TEST_P(memory_limit, beyond_the_machine_leaves_symmetric_arrays_a_half_of_their_segments) {
  options.memory_limit = std::uint64_t{1} << 50;
  run([]() -> task<> {
    const std::uint64_t machine = read_memory_status().machine_total;
    const auto all = static_cast<std::uint64_t>(pes());
    const outcome refused = co_await asked_for(machine / 2 * 3 * all, placement::symmetric);
    EXPECT_EQ(refused.code, errc::out_of_memory);
  });
}

/// The limit applies to the memory that is in use at any time. All rounds together exchange more
/// bytes than the limit.
TEST_P(memory_limit, is_for_what_is_received_at_a_time) {
  const auto program = []() -> task<> {
    // Two parts may be in memory at the same time.
    for (int round = 0; round < 30; ++round) co_await send_to_last(3 * k_mebibyte);
  };
  test::run_spmd_on(options, program);
}

TEST_P(memory_limit, is_also_that_of_the_machine) {
  options.memory_limit = 0;
  run([]() -> task<> {
    const std::uint64_t tebibyte = std::uint64_t{1} << 40;
    for (const std::uint64_t bytes :
         {4 * tebibyte, 64 * tebibyte * static_cast<unsigned>(pes()), ~std::uint64_t{0} / 2}) {
      const outcome refused = co_await asked_for(bytes, placement::owner_only);
      EXPECT_EQ(refused.code, errc::out_of_memory) << bytes << " bytes";
    }
  });
}

std::uint64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t mapped = 0;
  std::uint64_t resident = 0;
  file >> mapped >> resident;
  return resident * 4096;
}

TEST_P(memory_limit, allows_arrays_that_are_hardly_touched) {
  options.memory_limit = std::uint64_t{1} << 40;
  run([]() -> task<> {
    const auto before = resident_bytes();
    const auto array = co_await make_array<std::uint64_t>(std::uint64_t{4} << 30 >> 3);
    co_await write(array[array.size() / 2], 1);
    EXPECT_LE(resident_bytes(), before + 64 * k_mebibyte);
    co_await array.destroy();
  });
}

ATOLL_RUN_ON_ALL(memory_limit);

}  // namespace
