#include "atoll/graph/io/output_file.hpp"

#include "atoll/base/error.hpp"
#include "atoll/base/process_limits.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace atl::graph {
namespace {

constexpr mode_t any_may_read = 0666;  // less what the umask takes

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == path.npos ? "." : path.substr(0, slash + 1);
}

// A device or a pipe would be gone once a file has its name.
void refuse_all_but_files(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode)) return;
  fail(errc::input, "{}: cannot write: it is {}", path,
       S_ISDIR(status.st_mode) ? "a directory" : "not a regular file");
}

}  // namespace

output_file::output_file(std::string path) : path_(std::move(path)) {
  refuse_all_but_files(path_);
  descriptor_ = ::open(folder_of(path_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, any_may_read);
  if (descriptor_ >= 0) return;
  auto name = fmt::format("{}.{}.part", path_, ::getpid());
  descriptor_ = ::open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, any_may_read);
  if (descriptor_ < 0)
    fail(errc::input, "{}: cannot write: {}", path_, refusal_text(errno, refused::file));
  temporary_ = std::move(name);
}

output_file::~output_file() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void output_file::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_to_write(errno);
    bytes_ += static_cast<std::uint64_t>(count);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void output_file::commit() {
  if (::fsync(descriptor_) != 0) fail_to_write(errno);
  if (temporary_.empty()) name_nameless_file();
  close();
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail_to_write(errno);
  temporary_.clear();
}

// Some file systems tell only now that a write has failed.
void output_file::close() {
  if (::close(std::exchange(descriptor_, -1)) != 0) fail_to_write(errno);
}

// A link cannot replace a file, so the file first gets a name of its own.
void output_file::name_nameless_file() {
  const auto self = fmt::format("/proc/self/fd/{}", descriptor_);
  auto name = fmt::format("{}.{}.part", path_, ::getpid());
  if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0) {
    fail_to_write(errno);
  }
  temporary_ = std::move(name);
}

void output_file::fail_to_write(int number) const {
  fail(errc::environment, "{}: cannot write: {}", path_, refusal_text(number, refused::file));
}

}  // namespace atl::graph
