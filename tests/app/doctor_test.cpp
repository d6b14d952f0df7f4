#include "app/doctor_checks.hpp"

#include <gtest/gtest.h>

namespace atl::app {
namespace {

constexpr std::uint64_t gib = std::uint64_t{1} << 30;
constexpr page_probe all_well{true, true, true, true};
constexpr page_probe all_bad{false, false, false, false};

void expect_advice(const finding& found, verdict expected) {
  EXPECT_EQ(found.is, expected) << found.seen;
  EXPECT_FALSE(found.seen.empty());
  EXPECT_EQ(found.change.empty(), expected == verdict::ok) << found.change;
  EXPECT_EQ(found.cost.empty(), expected == verdict::ok) << found.cost;
}

topology machine_with(unsigned cores, unsigned affinity_cores) {
  topology machine;
  machine.cores = cores;
  machine.affinity_cores = affinity_cores;
  machine.pin_order.resize(affinity_cores);
  return machine;
}

memory_status memory_with(std::uint64_t available, std::optional<std::uint64_t> limit) {
  memory_status memory;
  memory.machine_total = memory.machine_available = available;
  memory.group_limit = limit;
  return memory;
}

TEST(doctor, cores) {
  expect_advice(judge_cores(machine_with(8, 8)), verdict::ok);
  expect_advice(judge_cores(machine_with(1, 1)), verdict::note);
  expect_advice(judge_cores(machine_with(2, 8)), verdict::note);
}

TEST(doctor, memory) {
  expect_advice(judge_memory(memory_with(8 * gib, std::nullopt)), verdict::ok);
  expect_advice(judge_memory(memory_with(8 * gib, 4 * gib)), verdict::ok);
  expect_advice(judge_memory(memory_with(8 * gib, gib / 2)), verdict::note);
  expect_advice(judge_memory(memory_with(8 * gib, gib / 64)), verdict::problem);
}

TEST(doctor, huge_pages_are_believed_only_when_seen) {
  expect_advice(judge_private_huge_pages("always [madvise] never", all_well), verdict::ok);
  expect_advice(judge_private_huge_pages("always [madvise] never", all_bad), verdict::note);
  expect_advice(judge_private_huge_pages("", all_bad), verdict::note);
  const auto off = judge_private_huge_pages("always madvise [never]", all_bad);
  EXPECT_NE(off.change.find("echo madvise"), off.change.npos);
  expect_advice(judge_shared_huge_pages("always advise [never]", all_well), verdict::ok);
  expect_advice(judge_shared_huge_pages("always [advise] never", all_bad), verdict::note);
}

TEST(doctor, shared_memory_and_address_space_are_needed) {
  expect_advice(judge_shared_memory(all_well), verdict::ok);
  expect_advice(judge_shared_memory(all_bad), verdict::problem);
  EXPECT_NE(judge_shared_memory(all_well).seen.find("/dev/shm does not matter"), std::string::npos);
  expect_advice(judge_address_space(all_well, {}), verdict::ok);
  expect_advice(judge_address_space(all_bad, {}), verdict::problem);
}

TEST(doctor, address_space_may_be_limited) {
  constexpr std::uint64_t gib = 1 << 30;
  expect_advice(judge_address_space(all_bad, {4 * gib, UINT64_MAX}), verdict::note);
  expect_advice(judge_address_space(all_bad, {UINT64_MAX, gib}), verdict::note);
  expect_advice(judge_address_space(all_bad, {gib / 8, UINT64_MAX}), verdict::problem);
  EXPECT_NE(judge_address_space(all_bad, {4 * gib, UINT64_MAX}).cost.find("1 GiB"),
            std::string::npos);
}

TEST(doctor, stack) {
  expect_advice(judge_stack(std::nullopt), verdict::ok);
  expect_advice(judge_stack(8 << 20), verdict::ok);
  expect_advice(judge_stack(64 << 10), verdict::note);
}

TEST(doctor, processes_are_limited_by_the_smallest_limit) {
  expect_advice(judge_processes({std::nullopt, 32768, std::nullopt}, 2), verdict::ok);
  const auto user = judge_processes({100, 32768, 200}, 2);
  expect_advice(user, verdict::note);
  EXPECT_NE(user.change.find("ulimit -u"), user.change.npos);
  const auto group = judge_processes({100, 32768, 1}, 2);
  expect_advice(group, verdict::problem);
  EXPECT_NE(group.change.find("pids.max"), group.change.npos);
  expect_advice(judge_processes({std::nullopt, 300, std::nullopt}, 2), verdict::note);
}

TEST(doctor, mpi_is_not_needed) {
  expect_advice(judge_mpi("/usr/bin/mpirun", "mpirun (Open MPI) 4.1.4", ""), verdict::ok);
  expect_advice(judge_mpi("", "", ""), verdict::note);
  expect_advice(judge_mpi("/usr/bin/mpirun", "mpirun (Open MPI) 4.1.4", "there is no plug-in"),
                verdict::note);
}

TEST(doctor, examines_this_machine) {
  for (const auto& found : examine_machine()) expect_advice(found, found.is);
}

}  // namespace
}  // namespace atl::app
