#pragma once
// An output file that appears under its name only when it is complete.

#include <cstdint>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace atl {

/// The kinds of output that a path may name.
enum class output_to : std::uint8_t {
  file,     ///< a regular file, or nothing yet
  anything  ///< also a device, a pipe or a descriptor in /proc, which is written directly
};

/// Writes an output file. The data goes to a file without a name if the system can name it later; a
/// killed process then leaves nothing behind. Otherwise it goes to a temporary file beside the
/// final one. A symbolic link is followed. A new file keeps the mode and the access control list of
/// the replaced file, and its owner and group if the system allows that.
class output_file {
 public:
  /// Creates the file. Throws `error` (input) if no file can be created in the folder of `path`.
  /// Throws it also if `path` cannot be replaced, such as a directory or a file without write
  /// permission.
  explicit output_file(std::string path, output_to to = output_to::file);

  /// Removes the data, unless `commit` was called.
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  /// Appends `bytes`. Throws `error` (environment) if the system accepts no more data, for example
  /// on a full disk.
  void write(std::string_view bytes);

  /// Blocks until the data is on the disk. Nothing may be written after it, and `commit` then needs
  /// no more disk space. Throws `error` (environment).
  void complete();

  /// Completes the file and gives it its name, replacing an existing file. Throws `error`
  /// (environment).
  void commit();

  /// Returns the path: `path` as the caller gave it, `target` after following links.
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

/// Returns whether the path leads to a device, a pipe or a descriptor in /proc. Throws `error`
/// (input).
bool is_stream_output(const std::string& path);

/// Throws `error` (input) if an `output_file` for the path would throw; does not open pipes and
/// devices.
void check_output(const std::string& path, output_to to = output_to::file);

/// Removes the file at the path, or the target of a link. Devices and pipes stay.
void discard_output(const std::string& path);

}  // namespace atl
