#include "atoll/output_file.hpp"

#include "atoll/error.hpp"
#include "atoll/log.hpp"
#include "atoll/machine.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <linux/magic.h>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utility>

namespace atl::detail {

/// The file to which a path leads after all symbolic links, and the attributes of the file. If the
/// output replaces an existing file, the new file gets the attributes of the old file.
struct output_place {
  /// Follows symbolic links until a path names a file. A link in /proc is not followed, because
  /// such a link stands for an open descriptor. Throws `error` (input) if access to the path is
  /// denied.
  explicit output_place(const std::string& path);

  /// Returns the reason why no file can be written at this place, or an empty text if a file can be
  /// written.
  std::string refusal() const;

  /// Returns whether the place is a device, a pipe or a descriptor. Devices, pipes and descriptors
  /// are written directly and not replaced by a new file.
  bool is_stream() const;

  std::string target;
  std::optional<struct stat> present;
  bool is_descriptor = false;
};

/// Returns the folder of `path`, in a form to which a file name can be appended.
std::string folder_of(const std::string& path);

/// Copies the owner, group, mode and access control list of the replaced file to the new file.
/// The caller must have created the new file with access for its owner only. If the system refuses
/// to copy an attribute, the new file may be accessible to fewer users than the old file, but never
/// to more.
void take_rights(int descriptor, const output_place& replaced);

namespace {

constexpr int most_links = 40;  // the largest number of symbolic links that Linux follows
constexpr mode_t all_bits = 07777, rights = 0777;
constexpr const char* list_of_rights = "system.posix_acl_access";

/// Returns whether `path` is in /proc. A link in /proc stands for an open file of the process. The
/// text of a link in /proc need not be the path of a file.
bool is_in_proc(const std::string& path) {
  struct statfs system{};
  return ::statfs(folder_of(path).c_str(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

/// Returns whether the file is itself a mount point, as some files in containers are. A new file
/// cannot replace a mount point.
bool is_mount(const std::string& path) {
  struct statx status{};
  return ::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW, STATX_TYPE, &status) == 0 &&
         (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

/// Returns false if this process may not write the file. For any other error the function returns
/// true, because opening the file will report that error.
bool may_be_written(const std::string& path) {
  return ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0 ||
         (errno != EACCES && errno != EROFS);
}

/// Returns whether a call about an access control list succeeded, or failed only because there is
/// no list. Most files have no list, and some file systems do not support lists.
bool has_no_list(ssize_t result) {
  return result >= 0 || errno == ENODATA || errno == EOPNOTSUPP || errno == ENOSYS;
}

/// Copies the access control list of the file `from` to the file `descriptor`. If `from` has no
/// list, the function removes the list that the new file got from its folder. Returns false if
/// copying or removing a list fails.
bool take_list_of_rights(int descriptor, const std::string& from) {
  std::array<char, 4096> list;
  const auto bytes = ::getxattr(from.c_str(), list_of_rights, list.data(), list.size());
  if (bytes < 0)
    return has_no_list(bytes) && has_no_list(::fremovexattr(descriptor, list_of_rights));
  return ::fsetxattr(descriptor, list_of_rights, list.data(), static_cast<std::size_t>(bytes), 0) ==
         0;
}

/// Replaces the permissions of the file's group by the permissions of all other users.
mode_t without_group(mode_t mode) {
  constexpr mode_t of_group = 070, of_others = 07;
  constexpr unsigned bits = 3;
  return (mode & ~of_group) | (mode & of_others) << bits;
}

}  // namespace

output_place::output_place(const std::string& path) : target(path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) == 0) {
    present = status;
  } else if (errno != ENOENT) {
    fail(errc::input, "{}: cannot write: {}", path, refusal_text(errno, refused::file));
  }
  std::error_code none;
  for (int links = 0; links < most_links && std::filesystem::is_symlink(target, none); ++links) {
    is_descriptor = is_in_proc(target);
    if (is_descriptor) return;
    const std::filesystem::path text = std::filesystem::read_symlink(target, none);
    target = (std::filesystem::path(target).parent_path() / text).string();
  }
}

bool output_place::is_stream() const {
  if (!present || S_ISDIR(present->st_mode)) return false;
  return is_descriptor || !S_ISREG(present->st_mode);
}

std::string output_place::refusal() const {
  if (!present) return "";
  if (S_ISDIR(present->st_mode)) return "it is a directory";
  if (!may_be_written(target)) return refusal_text(errno, refused::file);
  if (!is_stream() && is_mount(target))
    return "it is a mount point, which no file can replace; mount its folder instead";
  return "";
}

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == path.npos ? "." : path.substr(0, slash + 1);
}

void take_rights(int descriptor, const output_place& replaced) {
  const struct stat& old = *replaced.present;
  struct stat now{};
  constexpr auto as_it_is = static_cast<uid_t>(-1);
  bool has_group = ::fchown(descriptor, old.st_uid, old.st_gid) == 0 ||
                   ::fchown(descriptor, as_it_is, old.st_gid) == 0;
  bool has_owner = false;
  if (::fstat(descriptor, &now) == 0) {
    has_owner = now.st_uid == old.st_uid;
    has_group = now.st_gid == old.st_gid;
  }
  const bool has_list = take_list_of_rights(descriptor, replaced.target);
  mode_t mode = old.st_mode & (has_owner && has_group ? all_bits : rights);
  if (!has_group || !has_list) mode = without_group(mode);
  if (::fchmod(descriptor, mode) == 0 || (now.st_mode & rights) == (mode & rights)) return;
  log::warning("{}: the new file does not get the mode {:o} of the old one: {}", replaced.target,
               mode, std::strerror(errno));
}

}  // namespace atl::detail

namespace atl {
namespace {

constexpr mode_t any_may_read = 0666;  // mode of a new file; the umask of the process restricts it
constexpr mode_t owner_only = 0600;

using detail::folder_of;
using detail::output_place;

/// Calls `make(name)` with different names in the folder of `path` until a name is not in use.
/// Stores the last name in `name`. Returns the result of `make`, which must be negative on failure.
template <class Make>
int beside(const std::string& path, std::string& name, Make make) {
  // The file name is cut to 200 bytes, because Linux limits names to 255 bytes and the new name is
  // longer.
  constexpr std::size_t longest = 200;
  constexpr int most_attempts = 100;  // killed processes may have left files with these names
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

/// Returns whether the system can give a name to a nameless file (O_TMPFILE) in the folder of
/// `path`. The function gives a name to an empty file as a test, and removes the file at once. If
/// /proc is not mounted, or if a sandbox denies links, the function returns false.
bool nameless_can_get_names(const std::string& path) {
  const int trial = open_nameless(path, owner_only);
  if (trial < 0) return false;
  std::string name;
  const bool can = give_name(trial, path, name) == 0 && ::unlink(name.c_str()) == 0;
  return ::close(trial) == 0 && can;
}

/// Returns whether the errno `number` means that the file does not support fsync, or that a sandbox
/// denies fsync. Without fsync, the file still contains all data, but a power failure may damage
/// the file.
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
    // A nameless file cannot take the name of an existing file. The new file therefore first gets a
    // temporary name, and `commit` renames the file.
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

// Some file systems report a failed write only when the file is closed.
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
