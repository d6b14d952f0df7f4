#pragma once
// A regular file that is read by offset, so that any number of readers share it.

#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace atl::graph {

class input_file {
 public:
  /// Opens for reading. Throws `error` (input) with the reason of the system, and for what is not a
  /// regular file.
  explicit input_file(std::string path) : input_file(std::move(path), "") {}

  /// The same; reads what stands at `content`, unless that is "". Errors name `path`.
  input_file(std::string path, const std::string& content);
  ~input_file();
  input_file(const input_file&) = delete;
  input_file& operator=(const input_file&) = delete;

  const std::string& path() const { return path_; }

  /// In bytes, when it was opened.
  std::uint64_t size() const { return size_; }

  /// Reads from `offset` on; fewer bytes than asked for only at the end of the file. Throws
  /// `error` (environment) when the system cannot read on.
  std::size_t read_at(std::uint64_t offset, std::span<char> into) const;

  /// Reads all of it, which was there when the file was opened: throws `error` (input) likewise for
  /// a file that became shorter.
  void read_exactly(std::uint64_t offset, std::span<char> into) const;

 private:
  std::string path_;
  int descriptor_;
  std::uint64_t size_ = 0;
};

/// Throws `error` (input) where the first bytes are those of a content that no format has, such as
/// another compression or UTF-16.
void refuse_unread(const input_file& file);

}  // namespace atl::graph
