#include "atoll/base/output_place.hpp"

#include "atoll/error.hpp"
#include "atoll/log.hpp"
#include "atoll/machine.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <linux/magic.h>
#include <sys/statfs.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace atl::detail {
namespace {

constexpr int most_links = 40;  // as many as the system follows
constexpr mode_t all_bits = 07777, rights = 0777;
constexpr const char* list_of_rights = "system.posix_acl_access";

/// Links in /proc stand for what the process has open, whatever their text says.
bool is_in_proc(const std::string& path) {
  struct statfs system{};
  return ::statfs(folder_of(path).c_str(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

/// A file that is a mount of its own, as in containers, cannot be replaced.
bool is_mount(const std::string& path) {
  struct statx status{};
  return ::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW, STATX_TYPE, &status) == 0 &&
         (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

/// The system cannot tell, or denies the question: who opens the file is told.
bool may_be_written(const std::string& path) {
  return ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0 ||
         (errno != EACCES && errno != EROFS);
}

/// No list is what most files have, and some file systems know no other.
bool has_no_list(ssize_t result) {
  return result >= 0 || errno == ENODATA || errno == EOPNOTSUPP || errno == ENOSYS;
}

/// False where the file does not get the list of rights that another one has, or none as that. The
/// folder may have given it one.
bool take_list_of_rights(int descriptor, const std::string& from) {
  std::array<char, 4096> list;
  const auto bytes = ::getxattr(from.c_str(), list_of_rights, list.data(), list.size());
  if (bytes < 0)
    return has_no_list(bytes) && has_no_list(::fremovexattr(descriptor, list_of_rights));
  return ::fsetxattr(descriptor, list_of_rights, list.data(), static_cast<std::size_t>(bytes), 0) ==
         0;
}

/// What the group may do is what all others may.
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
