#pragma once
// What stands where an output goes, and what of it the new file takes over.

#include <optional>
#include <string>
#include <sys/stat.h>

namespace atl::detail {

/// What a path leads to.
struct output_place {
  /// Behind all symbolic links, but for those in /proc that stand for a descriptor. Throws `error`
  /// (input) where nobody may look.
  explicit output_place(const std::string& path);

  /// The text of why no file can be put there; empty where one can.
  std::string refusal() const;

  /// A device, a pipe or a descriptor: written as it is, not replaced.
  bool is_stream() const;

  std::string target;
  std::optional<struct stat> present;
  bool is_descriptor = false;
};

/// The folder of a path, to which a name can be appended.
std::string folder_of(const std::string& path);

/// Gives a new file, which its owner alone may use so far, the owner, group, mode and list of
/// access rights of the one that it replaces. Where the system refuses some of it, fewer may use
/// the file than before, and never more.
void take_rights(int descriptor, const output_place& replaced);

}  // namespace atl::detail
