#pragma once
// The limits a container or a batch system sets: Linux control groups, version 1 and 2.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace atl {

/// One level of the group hierarchy this process is in, for one controller.
struct control_group {
  std::filesystem::path directory;
  int version = 2;

  /// The number in a file of the group; nothing when there is no such file, or it says "max".
  std::optional<std::uint64_t> number(std::string_view file) const;

  /// The number behind a key in a file of lines "key number".
  std::optional<std::uint64_t> number(std::string_view file, std::string_view key) const;

  /// The first line of the file; "" when there is none.
  std::string line(std::string_view file) const;
};

/// The groups of this process for a controller ("memory", "pids", "cpu"), the innermost first, up
/// to the root of what is mounted: the limits of all bind. Version 1 is taken where the
/// controller is mounted as such. Empty where there are no control groups. `root` is the root of
/// the file system, for tests.
std::vector<control_group> control_groups(std::string_view controller,
                                          const std::filesystem::path& root = "/");

}  // namespace atl
