#pragma once
// Reads keys from a file: a NumPy array of one dimension, or a text with an integer in each line.
// The text may be compressed. The first bytes of the file tell whether it is an array or a text. In
// a text, blank lines and lines that begin with # are skipped.

#include "atoll/collectives.hpp"
#include "atoll/graph/io/file_format.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace atl {

/// Reads the keys of one part of a file, block by block. Between blocks, the caller can do other
/// work. The keys of all parts together, in the order of the parts, are the keys of the file.
class key_reader {
 public:
  /// Opens a part. Throws `error` (input) if the part cannot be opened.
  explicit key_reader(const file_part& which);
  ~key_reader();
  key_reader(const key_reader&) = delete;
  key_reader& operator=(const key_reader&) = delete;

  /// Appends the keys of the next block, in the order of the file. Returns false if no block is
  /// left. Throws `error` (out_of_memory) if memory is exhausted. Throws `error` (input) with the
  /// message "FILE:LINE:COLUMN: sentence" for anything but an integer from 0 to 2^64 - 1.
  bool read_some(std::vector<std::uint64_t>& into);

  /// Returns the share of the part that was read, from 0 to 1.
  double progress() const;

  class blocks;

 private:
  const std::string path_;
  std::unique_ptr<blocks> blocks_;
};

/// Returns all keys of a part. Throws the errors of `key_reader`.
std::vector<std::uint64_t> keys_of_part(const file_part& which);

// This part reads the keys of a file on all PEs.

/// Facts about the keys of a file.
struct keys_in_file {
  std::uint64_t keys = 0;
  std::uint64_t largest = 0;  ///< the largest key; 0 if there are no keys
};

/// The names of a file of keys.
struct key_file {
  std::string path;
  /// Path of a file with the content, for a name such as /dev/stdin; if empty, the content is in
  /// the named file.
  std::string content;
};

/// Returns, on every PE, the `file` that PE `from` has passed. On other PEs, `file` is ignored.
/// Every PE calls this function.
task<key_file> all_share_key_file(const key_file* file, int from);

/// Reads the file; each PE gets an equal part, in the order of the file. `progress` is called on
/// the PE of the task, with the share of the PE's part that was read, from 0 to 1. One task calls
/// this function and waits. Throws `error` (input) for the first wrong line on any PE. Throws
/// `error` (out_of_memory) if the keys exceed the setting memory-limit.
task<keys_in_file> load_keys(const key_file& file, per_pe<std::vector<std::uint64_t>> into,
                             const std::function<void(double)>& progress);

}  // namespace atl
