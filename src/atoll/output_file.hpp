#pragma once
// A file that appears under its name only when it is complete.

#include <cstdint>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace atl {

/// What stands at the path of an output.
enum class output_to : std::uint8_t {
  file,     ///< a regular file, or nothing yet
  anything  ///< also a device, a pipe or a descriptor in /proc, which is written at once
};

/// Writes into a file without a name where the system can give it one later; then a killed process
/// leaves nothing behind. Elsewhere it writes into a file beside the final one. A symbolic link is
/// followed. A new file keeps the mode and the list of access rights of the file that it replaces,
/// and its owner and group where the system allows that.
class output_file {
 public:
  /// Throws `error` (input) if no file can be made in the folder of `path`. Throws the same where
  /// `path` cannot be replaced: it is a directory, for example, or may not be written.
  explicit output_file(std::string path, output_to to = output_to::file);

  /// Removes what was written unless `commit` was called.
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  /// Throws `error` (environment) when the system takes no more, such as on a full disk.
  void write(std::string_view bytes);

  /// Waits until the file is on its disk. Nothing is written after it, and what `commit` still does
  /// takes no room. Throws `error` (environment).
  void complete();

  /// Completes the file and gives it its name, replacing what had it. Throws `error` (environment).
  void commit();

  /// As the caller has named it, and behind links.
  const std::string& path() const { return path_; }
  const std::string& target() const { return target_; }

  std::uint64_t bytes() const { return bytes_; }

 private:
  [[noreturn]] void fail_to_write(int number) const;
  void open(mode_t mode);
  void sync() const;
  void close();

  std::string path_;
  std::string target_;
  std::string temporary_;  // empty: the file has no name
  bool is_stream_ = false;
  int descriptor_ = -1;  // -1: closed
  std::uint64_t bytes_ = 0;
};

/// Whether the path leads to a device, a pipe or a descriptor in /proc. Throws `error` (input).
bool is_stream_output(const std::string& path);

/// Throws `error` (input) where an output_file would; leaves pipes and devices unopened.
void check_output(const std::string& path, output_to to = output_to::file);

/// Removes the file at the path, or behind its link. Devices and pipes stay.
void discard_output(const std::string& path);

}  // namespace atl
