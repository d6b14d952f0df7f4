#pragma once
// Keys from a file: an array of NumPy of one dimension, or a text with an integer in each line,
// which may be compressed. What it is, its first bytes say. In a text, blank lines and those that
// begin with # are passed over.

#include "atoll/collectives.hpp"
#include "atoll/graph/io/file_format.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace atl {

/// Reads the keys of a part block by block, for who does something else in between. All parts one
/// after another are the file.
class key_reader {
 public:
  /// Throws `error` (input).
  explicit key_reader(const file_part& which);
  ~key_reader();
  key_reader(const key_reader&) = delete;
  key_reader& operator=(const key_reader&) = delete;

  /// Appends the keys of the next block, in the order of the file; false when there is none left.
  /// Throws `error` (input): "FILE:LINE:COLUMN: sentence" for what is no integer from 0 to 2^64
  /// - 1; (out_of_memory).
  bool read_some(std::vector<std::uint64_t>& into);

  /// How much of the part was read, 0 to 1.
  double progress() const;

  class blocks;

 private:
  const std::string path_;
  std::unique_ptr<blocks> blocks_;
};

/// All keys of a part. Throws as `key_reader`.
std::vector<std::uint64_t> read_keys(const file_part& which);

// The keys of a file, a part on each PE.

/// What a file of keys has.
struct keys_in_file {
  std::uint64_t keys = 0;
  std::uint64_t largest = 0;  ///< 0 where there is none
};

/// A file of keys, as PE 0 knows it.
struct key_file {
  std::string path;
  std::string content;  ///< where its content stands, for a name such as /dev/stdin; "": there
};

/// Reads the file, an equal part on each PE, in the order of the file. `progress` hears on PE 0 how
/// much was read, 0 to 1. One task calls it, on PE 0. Blocks the task. Throws `error`: (input) the
/// first by its line of those of all PEs; (out_of_memory) beyond the setting memory-limit.
task<keys_in_file> load_keys(const key_file& file, per_pe<std::vector<std::uint64_t>> into,
                             const std::function<void(double)>& progress);

}  // namespace atl
