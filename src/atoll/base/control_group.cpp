#include "atoll/machine.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

namespace atl {
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

// Where one hierarchy is mounted, and which part of it that is.
struct mount {
  int version;
  std::string root;
  std::string point;
};

// A line of mountinfo: "id parent device ROOT POINT options [tags] - TYPE source SUPER-OPTIONS".
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

// A line of /proc/self/cgroup: "id:controllers:path"; version 2 has no controllers.
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

// The path of the group below the mount point. In a container the path is often as the host sees
// it, while only the container's own part is mounted; then the mount point is the group.
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

}  // namespace atl
