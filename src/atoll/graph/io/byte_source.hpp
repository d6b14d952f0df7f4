#pragma once
// A stream of bytes out of a file, decompressed if need be. The memory of a source does not depend
// on the length of the file; only a zstd file that was made with a larger window takes more, up to
// 2 GiB.

#include "atoll/graph/io/file_format.hpp"
#include "atoll/graph/io/input_file.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>

namespace atl::graph {

/// The compression of a file is damaged. The text is a sentence without a position: who reads lines
/// adds it.
class unreadable : public std::runtime_error {
 public:
  unreadable(std::size_t delivered, const std::string& sentence)
      : std::runtime_error(sentence), delivered_(delivered) {}

  /// How many bytes were still read into where the caller wanted them.
  std::size_t delivered() const { return delivered_; }

 private:
  std::size_t delivered_;
};

class byte_source {
 public:
  virtual ~byte_source() = default;

  /// The next bytes; fewer than asked for only at the end. Throws `unreadable`.
  virtual std::size_t read(std::span<char> into) = 0;

  /// How much of the file's bytes were taken, 0 to 1.
  virtual double progress() const = 0;
};

/// The compressed bytes of a file, a buffer at a time.
class compressed_input {
 public:
  explicit compressed_input(const input_file& file);

  /// The next bytes; empty at the end.
  std::span<char> next();

  /// 0 to 1, less `unused` bytes of the last buffer.
  double progress(std::size_t unused) const;

 private:
  static constexpr std::size_t buffer_bytes = 128 * 1024;

  const input_file& file_;
  std::uint64_t offset_ = 0;
  std::unique_ptr<char[]> buffer_;
};

// The file must outlive its sources.
std::unique_ptr<byte_source> plain_source(const input_file& file, std::uint64_t begin,
                                          std::uint64_t end);
std::unique_ptr<byte_source> gzip_source(const input_file& file);
std::unique_ptr<byte_source> zstd_source(const input_file& file);

/// The whole file. `packing` may be any.
std::unique_ptr<byte_source> open_source(const input_file& file, compression packing);

}  // namespace atl::graph
