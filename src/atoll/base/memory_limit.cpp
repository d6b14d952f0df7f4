#include "atoll/base/memory_limit.hpp"

#include "atoll/base/control_group.hpp"

#include <algorithm>
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

/// Where there is no /proc, or it could not be read. Knows less: file pages are not free to it.
void ask_c_library(memory_status& status) {
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  status.machine_total = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * page;
  status.machine_available = static_cast<std::uint64_t>(sysconf(_SC_AVPHYS_PAGES)) * page;
}

}  // namespace

std::uint64_t memory_status::free() const {
  if (!group_limit) return machine_available;
  return std::min(machine_available, minus(*group_limit, group_used));
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
