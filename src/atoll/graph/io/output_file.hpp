#pragma once
// A file that appears under its name only when it is complete.

#include <cstdint>
#include <string>
#include <string_view>

namespace atl::graph {

/// Writes into a file without a name where the system has such files (then nothing stays behind
/// even if the process is killed), else into one beside the final one.
class output_file {
 public:
  /// Throws `error` (input) if no file can be made in the folder of `path`, and where `path` is
  /// something that a file must not replace, such as a directory or a device.
  explicit output_file(std::string path);

  /// Removes what was written unless `commit` was called.
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  /// Throws `error` (environment) when the system takes no more, such as on a full disk.
  void write(std::string_view bytes);

  /// Waits until the file is on its disk and gives it its name, replacing what had it. Nothing is
  /// written after it. Throws `error` (environment).
  void commit();

  const std::string& path() const { return path_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  [[noreturn]] void fail_to_write(int number) const;
  void name_nameless_file();
  void close();

  std::string path_;
  std::string temporary_;  // empty: the file has no name
  int descriptor_ = -1;    // -1: closed
  std::uint64_t bytes_ = 0;
};

}  // namespace atl::graph
