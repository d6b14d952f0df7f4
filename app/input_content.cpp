// Pipes as files.

#include "app/input_flags.hpp"
#include "atoll/error.hpp"
#include "atoll/launch.hpp"
#include "atoll/machine.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace atl::app {
namespace {

class descriptor {
 public:
  explicit descriptor(int number) : number_(number) {}
  ~descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;

  int number() const { return number_; }

  /// As long as the process is there.
  int keep() { return std::exchange(number_, -1); }

 private:
  int number_;
};

/// Where temporary files go, whether it is there or not.
std::filesystem::path temporary_folder() {
  const char* const said = std::getenv("TMPDIR");
  return said == nullptr || *said == '\0' ? "/tmp" : said;
}

int open_unnamed(const std::filesystem::path& folder) {
  const int unnamed = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (unnamed >= 0) return unnamed;
  auto name = (folder / "atoll-input-XXXXXX").string();
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

[[noreturn]] void refuse(const std::string& path, const std::filesystem::path& folder) {
  fail(errc::environment,
       "{}: its content cannot be kept in {}: {}; TMPDIR in the environment names another folder",
       path, folder.string(), refusal_text(errno, refused::file));
}

/// False where writing fails.
bool write_all(int to, std::span<const char> bytes) {
  while (!bytes.empty()) {
    const auto count = ::write(to, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

void copy(int from, int to, const std::string& path, const std::filesystem::path& folder) {
  std::array<char, 1 << 16> bytes;
  for (;;) {
    const auto count = ::read(from, bytes.data(), bytes.size());
    if (count == 0) return;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      fail(errc::input, "{}: cannot read: {}", path, refusal_text(errno, refused::file));
    if (!write_all(to, std::span(bytes).first(static_cast<std::size_t>(count))))
      refuse(path, folder);
  }
}

/// Names of descriptors of this process, which are others in another one.
bool names_descriptor(const std::string& path) {
  return path.starts_with("/dev/") || path.starts_with("/proc/");
}

}  // namespace

std::string content_of_input(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0 || S_ISDIR(status.st_mode)) return "";
  const bool regular = S_ISREG(status.st_mode);
  if (regular && !names_descriptor(path)) return "";
  if (const auto launched = job::present_launch(); launched && launched->ranks != 1)
    fail(errc::input,
         "{}: it is no file that all processes of {} can open: write it to one, and give its name",
         path, launched->launcher);
  descriptor input(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (input.number() < 0)
    fail(errc::input, "{}: cannot open: {}", path, refusal_text(errno, refused::file));
  if (regular) return "/proc/self/fd/" + std::to_string(input.keep());
  const auto folder = temporary_folder();
  descriptor kept(open_unnamed(folder));
  if (kept.number() < 0) refuse(path, folder);
  copy(input.number(), kept.number(), path, folder);
  return "/proc/self/fd/" + std::to_string(kept.keep());
}

}  // namespace atl::app
