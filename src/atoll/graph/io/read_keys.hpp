#pragma once
// Keys from a file: an array of NumPy of one dimension, or a text with an integer in each line,
// which may be compressed. What it is, its first bytes say. In a text, blank lines and those that
// begin with # are passed over.

#include "atoll/graph/io/file_part.hpp"

#include <cstdint>
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

}  // namespace atl
