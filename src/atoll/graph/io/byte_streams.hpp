#pragma once
// Files as byte streams. Files are read by offset, or sequentially with decompression, and written
// with compression.

#include "atoll/graph/io/file_format.hpp"
#include "atoll/output_file.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace atl::graph {

// A regular file that is read by offset. Any number of readers can share the object.

class input_file {
 public:
  /// Opens a file for reading. Throws `error` (input) if the system cannot open the file, or if it
  /// is not a regular file.
  explicit input_file(std::string path) : input_file(std::move(path), "") {}

  /// Opens the file at `content`, or at `path` if `content` is empty. Error messages contain
  /// `path`.
  input_file(std::string path, const std::string& content);
  ~input_file();
  input_file(const input_file&) = delete;
  input_file& operator=(const input_file&) = delete;

  const std::string& path() const { return path_; }

  /// Returns the size in bytes that the file had when it was opened.
  std::uint64_t size() const { return size_; }

  /// Reads from `offset` on, and returns the number of bytes read. The number is smaller than the
  /// size of `into` only at the end of the file. Throws `error` (environment) if the system cannot
  /// read.
  std::size_t read_at(std::uint64_t offset, std::span<char> into) const;

  /// Fills `into` with the bytes from `offset` on. Throws the errors of `read_at`, and `error`
  /// (input) if the file became shorter after it was opened.
  void read_exactly(std::uint64_t offset, std::span<char> into) const;

 private:
  std::string path_;
  int descriptor_;
  std::uint64_t size_ = 0;
};

/// Throws `error` (input) if the first bytes show content that no format has. Examples are an
/// unknown compression, and text in UTF-16.
void refuse_unread(const input_file& file);

// A byte stream from a file, decompressed if necessary. The memory of a source does not depend on
// the length of the file. For a zstd file, the memory depends on the window that the file declares,
// up to 2 GiB.

/// An exception that says that the compressed data of a file are damaged. The text has no position,
/// because the readers of lines add the position.
class unreadable : public std::runtime_error {
 public:
  unreadable(std::size_t delivered, const std::string& sentence)
      : std::runtime_error(sentence), delivered_(delivered) {}

  /// Returns the number of bytes that were written to the caller's buffer before the damage was
  /// found.
  std::size_t delivered() const { return delivered_; }

 private:
  std::size_t delivered_;
};

class byte_source {
 public:
  virtual ~byte_source() = default;

  /// Reads the next bytes. Returns fewer than the size of `into` only at the end. Throws
  /// `unreadable` if the compressed data are damaged.
  virtual std::size_t read(std::span<char> into) = 0;

  /// Returns the share of the file's bytes that was read, from 0 to 1.
  virtual double progress() const = 0;
};

/// Reads the compressed bytes of a file, one buffer at a time.
class compressed_input {
 public:
  explicit compressed_input(const input_file& file);

  /// Returns the next bytes. At the end of the file, the result is empty.
  std::span<char> next();

  /// Returns the share of the file that was read, from 0 to 1. The last `unused` bytes of the
  /// buffer are not counted as read.
  double progress(std::size_t unused) const;

 private:
  static constexpr std::size_t buffer_bytes = 128 * 1024;

  const input_file& file_;
  std::uint64_t offset_ = 0;
  std::unique_ptr<char[]> buffer_;
};

// Opens the bytes from `begin` to `end`. The file must outlive its sources.
std::unique_ptr<byte_source> plain_source(const input_file& file, std::uint64_t begin,
                                          std::uint64_t end);
std::unique_ptr<byte_source> gzip_source(const input_file& file);
std::unique_ptr<byte_source> zstd_source(const input_file& file);

/// Opens the whole file, with decompression if `packing` is a compression.
std::unique_ptr<byte_source> open_source(const input_file& file, compression packing);

// A byte stream into a file or into memory, compressed if necessary.

class byte_sink {
 public:
  virtual ~byte_sink() = default;

  /// Writes bytes. Throws `error` (environment) if the disk is full.
  virtual void write(std::string_view bytes) = 0;

  /// Writes the bytes that the compression has not written yet. The caller must not write
  /// afterwards.
  virtual void finish() = 0;
};

/// A function that receives the bytes of a sink.
using byte_target = std::function<void(std::string_view bytes)>;

std::unique_ptr<byte_sink> gzip_sink(byte_target target);
std::unique_ptr<byte_sink> zstd_sink(byte_target target);

/// Opens a sink with the compression `packing`. The file must outlive its sink.
std::unique_ptr<byte_sink> open_sink(output_file& file, compression packing);

/// Returns the bytes in compressed form, as one gzip member or one zstd frame. Without compression,
/// returns the bytes unchanged. The results of several calls, one after another, form a valid file.
/// Equal texts that are cut at the same places give equal files.
std::string packed(std::string bytes, compression packing);

}  // namespace atl::graph
