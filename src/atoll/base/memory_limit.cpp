#include "atoll/machine.hpp"

#include "atoll/log.hpp"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <locale>
#include <unistd.h>

namespace atl {
namespace {

// A line of /proc/meminfo: "MemTotal:       24684084 kB".
std::uint64_t meminfo(const std::filesystem::path& root, std::string_view key) {
  std::ifstream file(root / "proc/meminfo");
  file.imbue(std::locale::classic());
  std::string name;
  std::uint64_t kibibytes = 0;
  for (std::string rest; file >> name >> kibibytes; std::getline(file, rest))
    if (name == key) return kibibytes << 10;
  return 0;
}

struct file_names {
  std::string_view limit, usage, reclaimable;
};

constexpr file_names version_1{"memory.limit_in_bytes", "memory.usage_in_bytes",
                               "total_inactive_file"};
constexpr file_names version_2{"memory.max", "memory.current", "inactive_file"};

std::uint64_t minus(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : 0; }

// Takes the group's limit if it leaves less than the limit found so far.
void consider(const control_group& group, memory_status& status) {
  const auto& names = group.version == 1 ? version_1 : version_2;
  const auto limit = group.number(names.limit);
  // Version 1 says "no limit" by a number near 2^63.
  if (!limit || *limit >= std::uint64_t{1} << 60) return;
  const auto reclaimable = group.number("memory.stat", names.reclaimable).value_or(0);
  const auto used = minus(group.number(names.usage).value_or(0), reclaimable);
  const bool tighter =
      !status.group_limit || minus(*limit, used) < minus(*status.group_limit, status.group_used);
  if (!tighter) return;
  status.group_limit = limit;
  status.group_used = used;
  status.group = group.directory / names.limit;
}

/// In bytes; 0 where the C library is not told (a sandbox may deny sysinfo).
std::uint64_t pages_by_c_library(int which) {
  const long pages = sysconf(which);
  return pages <= 0 ? 0
                    : static_cast<std::uint64_t>(pages) *
                          static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

/// Small enough for any machine that Atoll is used on.
constexpr std::uint64_t k_assumed_memory = std::uint64_t{1} << 30;

void assume_memory(memory_status& status) {
  static std::atomic<bool> said{false};
  status.machine_total = std::max(status.machine_available, k_assumed_memory);
  if (status.machine_available == 0) status.machine_available = status.machine_total;
  if (!said.exchange(true))
    log::warning("the system does not say how much memory it has (/proc/meminfo cannot be read, "
                 "sysinfo is denied); Atoll assumes {}, --memory-limit sets another limit",
                 human_bytes(static_cast<double>(status.machine_total)));
}

/// Where there is no /proc, or it could not be read. Knows less: file pages are not free to it.
void ask_c_library(memory_status& status) {
  status.machine_total = pages_by_c_library(_SC_PHYS_PAGES);
  status.machine_available = pages_by_c_library(_SC_AVPHYS_PAGES);
  if (status.machine_total == 0) assume_memory(status);
}

}  // namespace

std::uint64_t memory_status::free() const {
  if (!group_limit) return machine_available;
  return std::min(machine_available, minus(*group_limit, group_used));
}

std::uint64_t memory_status::usable() const {
  return group_limit ? std::min(machine_total, *group_limit) : machine_total;
}

memory_status read_memory_status(const std::filesystem::path& root) {
  memory_status status;
  status.machine_total = meminfo(root, "MemTotal:");
  status.machine_available = meminfo(root, "MemAvailable:");
  if (status.machine_total == 0 || status.machine_available == 0) ask_c_library(status);
  for (const auto& group : control_groups("memory", root)) consider(group, status);
  return status;
}

}  // namespace atl
