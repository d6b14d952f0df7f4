// Tests how much memory a job may use if a control group limits memory.

#include "atoll/job/bootstrap.hpp"

#include "atoll/base/memory_account.hpp"
#include "atoll/error.hpp"
#include "base/fake_system.hpp"

#include <gmock/gmock.h>
#include <string>

namespace {

using namespace atl;
using namespace atl::job;
using testing::HasSubstr;

constexpr std::uint64_t mib = 1 << 20;

/// The files of a control group in which `used` bytes are in use.
class group {
 public:
  group(int version, std::uint64_t limit, std::uint64_t used) {
    machine_.write("proc/meminfo", tests::plenty);
    machine_.write("proc/self/mountinfo",
                   version == 1 ? tests::mounts_of_version_1 : tests::mounts_of_version_2);
    machine_.write("proc/self/cgroup", version == 1 ? "4:memory:/job\n" : "0::/job\n");
    const std::string folder = version == 1 ? "sys/fs/cgroup/memory/job/" : "sys/fs/cgroup/job/";
    machine_.write(folder + (version == 1 ? "memory.limit_in_bytes" : "memory.max"),
                   std::to_string(limit));
    machine_.write(folder + (version == 1 ? "memory.usage_in_bytes" : "memory.current"),
                   std::to_string(used));
  }
  memory_status memory() const { return read_memory_status(machine_.root()); }

 private:
  tests::fake_system machine_;
};

settings options_of(pe_kind kind, transport_kind wire = transport_kind::shm) {
  settings options;
  options.pe_kind = kind;
  options.transport = wire;
  return options;
}

TEST(group_memory, without_a_limit_is_no_limit) {
  const tests::fake_system machine;
  machine.write("proc/meminfo", tests::plenty);
  const settings options = options_of(pe_kind::process);
  EXPECT_EQ(share_of_group(3, options, read_memory_status(machine.root())), UINT64_MAX);
  EXPECT_EQ(with_share(options, 3, UINT64_MAX).memory_limit, 0u);
}

TEST(group_memory, leaves_room_for_the_runtime_and_for_work_beside_the_limit) {
  for (const int version : {1, 2})
    for (const int pes : {1, 2, 3, 7})
      for (const std::uint64_t limit : {60 * mib, 100 * mib, 400 * mib, 2000 * mib}) {
        const memory_status memory = group(version, limit, 5 * mib).memory();
        for (const pe_kind kind : {pe_kind::process, pe_kind::thread}) {
          const settings options = options_of(kind);
          const std::uint64_t runtime = bytes_of_runtime(pes, options, memory.usable());
          const settings found = with_share(options, pes, share_of_group(pes, options, memory));
          EXPECT_EQ(found.origin("memory-limit"), "machine");
          const auto all = static_cast<std::uint64_t>(pes);
          const std::uint64_t work =
              all * memory_account::least_work_within(found.memory_limit, pes);
          EXPECT_LE(runtime + work + found.memory_limit, memory.free()) << pes << " " << limit;
          EXPECT_GE(found.memory_limit, all * mib / 4);
          const std::uint64_t kept_by_allocator = limit >= 400 * mib ? limit / 50 : 0;
          EXPECT_LE(runtime + work + found.memory_limit + kept_by_allocator, memory.free());
        }
      }
}

TEST(group_memory, that_is_too_little_is_refused_with_what_would_do) {
  const settings options = options_of(pe_kind::process);
  for (const int version : {1, 2}) {
    const memory_status memory = group(version, 20 * mib, 3 * mib).memory();
    try {
      share_of_group(7, options, memory);
      FAIL() << "20 MiB do for 7 processes";
    } catch (const error& refusal) {
      EXPECT_EQ(refusal.code(), errc::environment);
      EXPECT_THAT(refusal.what(), HasSubstr("20 MiB"));
      EXPECT_THAT(refusal.what(), HasSubstr(memory.group));
      EXPECT_THAT(refusal.what(), HasSubstr("--pes"));
    }
    const std::uint64_t would_do =
        3 * mib + bytes_of_runtime(7, options, 64 * mib) + 7 * mib / 2 + mib;
    EXPECT_NO_THROW(share_of_group(7, options, group(version, would_do, 3 * mib).memory()));
  }
}

TEST(group_memory, does_not_refuse_simulated_pes) {
  const settings options = options_of(pe_kind::process, transport_kind::sim);
  EXPECT_LE(share_of_group(16384, options, group(2, 400 * mib, 5 * mib).memory()), mib);
}

TEST(group_memory, gives_way_to_a_limit_that_is_set) {
  settings options = options_of(pe_kind::process);
  options.memory_limit = 10 * mib;
  const std::uint64_t share = share_of_group(7, options, group(2, 20 * mib, 3 * mib).memory());
  EXPECT_EQ(with_share(options, 7, share).memory_limit, 10 * mib);
}

}  // namespace
