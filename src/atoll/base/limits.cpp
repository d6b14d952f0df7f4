#include "atoll/machine.hpp"

#include "atoll/log.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <initializer_list>
#include <locale>
#include <optional>
#include <sstream>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace atl {
namespace {

struct limit {
  int resource;
  const char* name;
  const char* of_shell;  ///< flag of the command ulimit, such as "-v"
  bool is_size;
};

constexpr limit k_address_space{RLIMIT_AS, "address space", "-v", true};
constexpr limit k_data{RLIMIT_DATA, "data", "-d", true};
constexpr limit k_descriptors{RLIMIT_NOFILE, "open files", "-n", false};
constexpr limit k_processes{RLIMIT_NPROC, "processes and threads", "-u", false};
constexpr limit k_stack{RLIMIT_STACK, "the stack, which each thread gets", "-s", true};
constexpr limit k_file_size{RLIMIT_FSIZE, "the size of files", "-f", true};
constexpr limit k_pending_signals{RLIMIT_SIGPENDING, "timers and pending signals", "-i", false};

std::vector<limit> limits_behind(int error, refused what) {
  if (error == EMFILE) return {k_descriptors};
  if (error == EFBIG) return {k_file_size};
  if (error == ENOMEM && what != refused::file) return {k_address_space, k_data};
  if (error != EAGAIN) return {};
  switch (what) {
  case refused::process:
    return {k_processes};
  case refused::thread:
    return {k_processes, k_address_space, k_data, k_stack};
  case refused::timer:
    return {k_pending_signals};
  case refused::memory:
  case refused::file:
    break;
  }
  return {};
}

/// Returns the limit as a text for an error message, or nothing if no limit is set.
std::optional<std::string> text_of(const limit& one) {
  rlimit now{};
  if (getrlimit(static_cast<__rlimit_resource>(one.resource), &now) != 0) return std::nullopt;
  if (now.rlim_cur == RLIM_INFINITY) return std::nullopt;
  const std::string value =
      one.is_size ? human_bytes(static_cast<double>(now.rlim_cur)) : std::to_string(now.rlim_cur);
  return fmt::format("{} (ulimit {}, now {})", one.name, one.of_shell, value);
}

std::optional<std::string> text_of_group() {
  for (const auto& group : control_groups("pids"))
    if (const auto most = group.number("pids.max"))
      return fmt::format("processes of the control group ({}, now {})",
                         (group.directory / "pids.max").string(), *most);
  return std::nullopt;
}

void add(std::string& text, const std::optional<std::string>& one) {
  if (one) text += (text.empty() ? "" : ", or of ") + *one;
}

std::string as_question(const std::string& limits) {
  return limits.empty() ? limits : fmt::format("; is there room below the limit of {}?", limits);
}

std::string text_of_all(std::initializer_list<limit> all) {
  std::string limits;
  for (const limit& one : all) add(limits, text_of(one));
  return as_question(limits);
}

}  // namespace

std::string refusal_text(int error, refused what) {
  std::string limits;
  for (const limit& one : limits_behind(error, what)) add(limits, text_of(one));
  if (error == EAGAIN && what != refused::timer) add(limits, text_of_group());
  std::string text = std::strerror(error) + as_question(limits);
  errno = error;
  return text;
}

std::string memory_limits_text() { return text_of_all({k_address_space, k_data}); }

std::string file_limit_text() { return text_of_all({k_file_size}); }

std::string limits_of_start_text() {
  return text_of_all({k_address_space, k_data, k_descriptors, k_file_size, k_processes});
}

namespace {

std::uint64_t left_of(__rlimit_resource resource, std::uint64_t used) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
  return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

}  // namespace

// The file /proc/self/statm contains seven numbers, each a count of pages: "size resident shared
// text library data dirty".
address_space_left read_address_space_left(const std::filesystem::path& root) {
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  std::ifstream file(root / "proc/self/statm");
  std::uint64_t size = 0;
  std::uint64_t data = 0;
  std::uint64_t skipped = 0;
  if (!(file >> size >> skipped >> skipped >> skipped >> skipped >> data)) size = data = 0;
  return {left_of(RLIMIT_AS, size * page), left_of(RLIMIT_DATA, data * page)};
}

namespace {

namespace fs = std::filesystem;

std::optional<std::uint64_t> to_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || end == text.data()) return std::nullopt;
  return value;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> fields;
  std::istringstream stream(text);
  for (std::string field; std::getline(stream, field, separator);) fields.push_back(field);
  return fields;
}

bool lists(const std::string& names, std::string_view name) {
  const auto fields = split(names, ',');
  return std::ranges::find(fields, name) != fields.end();
}

// A mounted hierarchy of control groups: its version (1 or 2), the part that is mounted, and the
// mount point.
struct mount {
  int version;
  std::string root;
  std::string point;
};

// Finds the mounted hierarchy of `controller` in /proc/self/mountinfo. A line of this file is "id
// parent device ROOT POINT options [tags] - TYPE source SUPER-OPTIONS".
std::optional<mount> find_mount(std::string_view controller, int version, const fs::path& root) {
  std::ifstream file(root / "proc/self/mountinfo");
  for (std::string text; std::getline(file, text);) {
    const auto dash = text.find(" - ");
    if (dash == text.npos) continue;
    const auto before = split(text.substr(0, dash), ' ');
    const auto after = split(text.substr(dash + 3), ' ');
    if (before.size() < 5 || after.size() < 3) continue;
    const bool matches =
        version == 1 ? after[0] == "cgroup" && lists(after[2], controller) : after[0] == "cgroup2";
    if (matches) return mount{version, before[3], before[4]};
  }
  return std::nullopt;
}

// Returns the path of this process's control group in the hierarchy of `controller`. A line of
// /proc/self/cgroup is "id:controllers:path". For version 2 of control groups, the line contains no
// controllers.
std::string own_path(std::string_view controller, int version, const fs::path& root) {
  std::ifstream file(root / "proc/self/cgroup");
  for (std::string text; std::getline(file, text);) {
    const auto first = text.find(':');
    const auto second = text.find(':', first + 1);
    if (second == text.npos) continue;
    const std::string controllers = text.substr(first + 1, second - first - 1);
    if (version == 1 ? lists(controllers, controller) : controllers.empty())
      return text.substr(second + 1);
  }
  return "/";
}

// Returns the path of the group relative to the mount point. In a container, /proc often states the
// path of the group on the host. A container mounts only its own group, so the path of the host may
// be missing below the mount point. If the path is missing, the mount point itself is the folder of
// the group.
fs::path group_below(const mount& mounted, std::string path, const fs::path& point) {
  if (mounted.root != "/" && path.starts_with(mounted.root)) path.erase(0, mounted.root.size());
  const fs::path relative = fs::path(path).relative_path();
  std::error_code ignored;
  return fs::is_directory(point / relative, ignored) ? relative : fs::path();
}

std::vector<control_group> groups_of(const mount& mounted, std::string_view controller,
                                     const fs::path& root) {
  const fs::path point = root / fs::path(mounted.point).relative_path();
  std::vector<control_group> groups;
  fs::path below = group_below(mounted, own_path(controller, mounted.version, root), point);
  for (; !below.empty(); below = below.parent_path())
    groups.push_back({point / below, mounted.version});
  groups.push_back({point, mounted.version});
  return groups;
}

}  // namespace

std::string control_group::line(std::string_view file) const {
  std::ifstream stream(directory / file);
  std::string text;
  std::getline(stream, text);
  return text;
}

std::optional<std::uint64_t> control_group::number(std::string_view file) const {
  return to_number(line(file));
}

std::optional<std::uint64_t> control_group::number(std::string_view file,
                                                   std::string_view key) const {
  std::ifstream stream(directory / file);
  for (std::string text; std::getline(stream, text);) {
    const std::string_view all = text;
    const auto space = all.find(' ');
    if (space != all.npos && all.substr(0, space) == key) return to_number(all.substr(space + 1));
  }
  return std::nullopt;
}

std::vector<control_group> control_groups(std::string_view controller,
                                          const std::filesystem::path& root) {
  for (const int version : {1, 2})
    if (const auto mounted = find_mount(controller, version, root))
      return groups_of(*mounted, controller, root);
  return {};
}

namespace {

// Returns the bytes that /proc/meminfo states for `key`, or 0 if the file has no line for `key`. A
// line of the file is, for example, "MemTotal: 24684084 kB".
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

// Replaces the limit in `status` by the limit of `group` if `group` has less memory left.
void consider(const control_group& group, memory_status& status) {
  const auto& names = group.version == 1 ? version_1 : version_2;
  const auto limit = group.number(names.limit);
  // Control groups of version 1 report a number near 2^63 if no limit is set.
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

/// Returns the total size, in bytes, of the memory pages that sysconf(`which`) counts. Returns 0 if
/// sysconf fails, for example because a sandbox denies the system call sysinfo.
std::uint64_t pages_by_c_library(int which) {
  const long pages = sysconf(which);
  return pages <= 0 ? 0
                    : static_cast<std::uint64_t>(pages) *
                          static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

/// Bytes of memory that Atoll assumes if the system does not say how much memory it has. Any
/// machine that runs Atoll should have 1 GiB.
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

/// Reads the sizes of all memory and of the free memory from the C library instead of /proc. The
/// size of the free memory is too small, because the C library does not count the file cache as
/// free.
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
