#include "atoll/output_file.hpp"

#include "atoll/base/output_place.hpp"
#include "atoll/error.hpp"
#include "atoll/log.hpp"
#include "atoll/machine.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace atl {
namespace {

constexpr mode_t any_may_read = 0666;  // less what the umask takes
constexpr mode_t owner_only = 0600;

using detail::folder_of;
using detail::output_place;

/// Calls `make(name)` with names beside `path` until one is free. It returns what system calls do,
/// and so does this, with the name that was taken in `name`.
template <class Make>
int beside(const std::string& path, std::string& name, Make make) {
  constexpr std::size_t longest = 200;  // bytes of the name of a file, which the system limits
  constexpr int most_attempts = 100;    // a killed process may have left its file
  const auto folder = path.substr(0, path.rfind('/') + 1);
  const auto file = path.substr(folder.size(), longest);
  for (int attempt = 0;; ++attempt) {
    const auto number = attempt == 0 ? "" : fmt::format("-{}", attempt);
    name = fmt::format("{}{}.{}{}.part", folder, file, ::getpid(), number);
    const int result = make(name.c_str());
    if (result >= 0 || errno != EEXIST || attempt == most_attempts) return result;
  }
}

int open_nameless(const std::string& path, mode_t mode) {
  return ::open(folder_of(path).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
}

int open_named(const std::string& path, std::string& name, mode_t mode) {
  return beside(path, name, [&](const char* temporary) {
    return ::open(temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode);
  });
}

int give_name(int descriptor, const std::string& path, std::string& name) {
  const auto self = fmt::format("/proc/self/fd/{}", descriptor);
  return beside(path, name, [&](const char* temporary) {
    return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, temporary, AT_SYMLINK_FOLLOW);
  });
}

/// Not without /proc, nor where a sandbox denies links: found out by a file that is gone at once.
bool nameless_can_get_names(const std::string& path) {
  const int trial = open_nameless(path, owner_only);
  if (trial < 0) return false;
  std::string name;
  const bool can = give_name(trial, path, name) == 0 && ::unlink(name.c_str()) == 0;
  return ::close(trial) == 0 && can;
}

/// The system has no such call for the file, or a sandbox denies it: the file itself is complete.
bool is_without_sync(int number) {
  return number == EINVAL || number == ENOSYS || number == EOPNOTSUPP || number == EPERM ||
         number == EACCES;
}

std::string refusal_of(const output_place& place, output_to to) {
  if (place.is_stream() && to == output_to::file)
    return place.is_descriptor ? "it is a descriptor of a process, which no file can replace"
                               : "it is not a regular file";
  return place.refusal();
}

void check(const output_place& place, const std::string& path, output_to to) {
  const auto why_not = refusal_of(place, to);
  if (!why_not.empty()) fail(errc::input, "{}: cannot write: {}", path, why_not);
}

}  // namespace

output_file::output_file(std::string path, output_to to) : path_(std::move(path)) {
  const output_place place(path_);
  check(place, path_, to);
  target_ = place.target;
  is_stream_ = place.is_stream();
  open(place.present ? owner_only : any_may_read);
  if (descriptor_ < 0)
    fail(errc::input, "{}: cannot write: {}", path_, refusal_text(errno, refused::file));
  if (place.present && !is_stream_) detail::take_rights(descriptor_, place);
}

void output_file::open(mode_t mode) {
  if (is_stream_) {
    descriptor_ = ::open(target_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    return;
  }
  if (nameless_can_get_names(target_)) descriptor_ = open_nameless(target_, mode);
  if (descriptor_ >= 0) return;
  std::string name;
  descriptor_ = open_named(target_, name, mode);
  if (descriptor_ >= 0) temporary_ = std::move(name);
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

void output_file::complete() {
  if (descriptor_ < 0) return;
  if (!is_stream_) {
    sync();
    // A link cannot replace a file, so the file first gets a name of its own.
    std::string name;
    if (temporary_.empty()) {
      if (give_name(descriptor_, target_, name) != 0) fail_to_write(errno);
      temporary_ = std::move(name);
    }
  }
  close();
}

void output_file::commit() {
  complete();
  if (is_stream_) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail_to_write(errno);
  temporary_.clear();
}

void output_file::sync() const {
  if (::fsync(descriptor_) == 0) return;
  if (!is_without_sync(errno)) fail_to_write(errno);
  log::warning("{}: fsync is refused ({}): the file is complete, and a power failure may damage it",
               path_, std::strerror(errno));
}

// Some file systems tell only now that a write has failed.
void output_file::close() {
  if (::close(std::exchange(descriptor_, -1)) != 0) fail_to_write(errno);
}

void output_file::fail_to_write(int number) const {
  fail(errc::environment, "{}: cannot write: {}", path_, refusal_text(number, refused::file));
}

bool is_stream_output(const std::string& path) { return output_place(path).is_stream(); }

void check_output(const std::string& path, output_to to) {
  const output_place place(path);
  check(place, path, to);
  if (!place.is_stream()) const output_file can_be_made(path, to);
}

void discard_output(const std::string& path) {
  const output_place place(path);
  if (!place.present || place.is_stream()) return;
  if (::unlink(place.target.c_str()) != 0)
    log::warning("{}: cannot be removed: {}", path, std::strerror(errno));
}

}  // namespace atl
