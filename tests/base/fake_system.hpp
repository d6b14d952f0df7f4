#pragma once
// A directory that looks like the root of a Linux system, for the readers of /proc and /sys.

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>

namespace atl::tests {

class fake_system {
 public:
  fake_system() {
    std::string pattern = std::filesystem::temp_directory_path() / "atoll-test-XXXXXX";
    root_ = mkdtemp(pattern.data());
  }
  ~fake_system() { std::filesystem::remove_all(root_); }
  fake_system(const fake_system&) = delete;
  fake_system& operator=(const fake_system&) = delete;

  void write(const std::filesystem::path& file, std::string_view content) const {
    std::filesystem::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << content;
  }

  const std::filesystem::path& root() const { return root_; }

 private:
  std::filesystem::path root_;
};

inline constexpr std::string_view mounts_of_version_1 =
    "30 31 0:29 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n"
    "32 31 0:31 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
    "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n";

inline constexpr std::string_view mounts_of_version_2 =
    "23 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n"
    "35 24 0:30 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";

inline constexpr std::string_view plenty =
    "MemTotal:       8388608 kB\nMemFree:        1 kB\nMemAvailable:   4194304 kB\n";

}  // namespace atl::tests
