#pragma once
// An output file that appears under its name only when it is complete.

#include <cstdint>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace atl {

/// The kinds of output that a path may name.
enum class output_to : std::uint8_t {
  file,     ///< a regular file, which need not exist yet
  anything  ///< a regular file, or a device, pipe or descriptor in /proc, which is written directly
};

/// Writes an output file. If the system can name a file later, the data goes to a nameless file, so
/// that a killed process leaves nothing behind. On other systems, the data goes to a temporary file
/// in the same folder. If the path is a symbolic link, its target is written. A new file keeps the
/// mode and the access control list of the replaced file, and its owner and group if the system
/// allows that.
class output_file {
 public:
  /// Creates the file. Throws `error` (input) if no file can be created in the folder of `path`.
  /// Throws `error` (input) also if `path` cannot be replaced, for example because `path` is a
  /// directory.
  explicit output_file(std::string path, output_to to = output_to::file);

  /// Closes the file, and removes the written data if `commit` was not called.
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  /// Appends `bytes`. Throws `error` (environment) if the system accepts no more data, for example
  /// on a full disk.
  void write(std::string_view bytes);

  /// Blocks until the data is on the disk. Call no `write` afterwards. A later `commit` needs no
  /// more space for data. Throws `error` (environment) if the data cannot be written.
  void complete();

  /// Completes the file and gives it its name. An existing file of that name is replaced. Throws
  /// `error` (environment) if the file cannot be completed or named.
  void commit();

  /// `path` returns the path as the caller gave it. `target` returns the path of the file after
  /// following symbolic links.
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
  std::string temporary_;  // path of the temporary file; empty if the file is nameless
  bool is_stream_ = false;
  int descriptor_ = -1;  // -1 after the file was closed
  std::uint64_t bytes_ = 0;
};

/// Returns whether the path leads to a device, a pipe or a descriptor in /proc. Throws `error`
/// (input) if access to the path is denied.
bool is_stream_output(const std::string& path);

/// Throws `error` (input) if the constructor of `output_file` would throw for this path. The check
/// does not open pipes and devices.
void check_output(const std::string& path, output_to to = output_to::file);

/// Removes the file at `path`. If `path` is a symbolic link, its target is removed. Devices and
/// pipes are not removed.
void discard_output(const std::string& path);

}  // namespace atl
