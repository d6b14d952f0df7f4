#pragma once
// Keys from a file: a NumPy array of one dimension, or a text with an integer in each line. A text
// may be compressed. The first bytes determine the kind. In a text, blank lines and those that
// begin with # are skipped.

#include "atoll/collectives.hpp"
#include "atoll/graph/io/file_format.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace atl {

/// Reads the keys of a part block by block; between blocks the caller can do other work. All parts
/// in order are the file.
class key_reader {
 public:
  /// Opens a part. Throws `error` (input).
  explicit key_reader(const file_part& which);
  ~key_reader();
  key_reader(const key_reader&) = delete;
  key_reader& operator=(const key_reader&) = delete;

  /// Appends the keys of the next block, in the order of the file. Returns false if there is none
  /// left. Throws `error` (out_of_memory), or (input) "FILE:LINE:COLUMN: sentence" for anything but
  /// an integer from 0 to 2^64 - 1.
  bool read_some(std::vector<std::uint64_t>& into);

  /// Returns the fraction of the part that was read, 0 to 1.
  double progress() const;

  class blocks;

 private:
  const std::string path_;
  std::unique_ptr<blocks> blocks_;
};

/// Returns all keys of a part. Throws like `key_reader`.
std::vector<std::uint64_t> keys_of_part(const file_part& which);

// The keys of a file, a part on each PE.

/// The contents of a file of keys.
struct keys_in_file {
  std::uint64_t keys = 0;
  std::uint64_t largest = 0;  ///< 0 where there is none
};

/// A file of keys.
struct key_file {
  std::string path;
  std::string content;  ///< where its content stands, for a name such as /dev/stdin; "": there
};

/// Returns the names of PE `from` on every PE; only there is `file` valid. Every PE calls it.
task<key_file> all_share_key_file(const key_file* file, int from);

/// Reads the file, an equal part on each PE, in the order of the file. `progress` is called on this
/// PE with the fraction that it has read, 0 to 1. One task calls it and waits. Throws `error`:
/// (input) the one with the first line among all PEs; (out_of_memory) beyond the setting
/// memory-limit.
task<keys_in_file> load_keys(const key_file& file, per_pe<std::vector<std::uint64_t>> into,
                             const std::function<void(double)>& progress);

}  // namespace atl
