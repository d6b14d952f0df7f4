#pragma once
// Files as streams of bytes: read by offset, read from the beginning and decompressed, and
// written and compressed.

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

// A regular file that is read by offset, so that any number of readers share it.

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

// A stream of bytes out of a file, decompressed if need be. The memory of a source does not depend
// on the length of the file; only a zstd file that was made with a larger window takes more, up to
// 2 GiB.

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

// A stream of bytes into a file or into memory, compressed if need be.

class byte_sink {
 public:
  virtual ~byte_sink() = default;

  /// Throws `error` (environment) when the file takes no more.
  virtual void write(std::string_view bytes) = 0;

  /// Writes what the compression still holds. Nothing is written after it.
  virtual void finish() = 0;
};

/// Takes the bytes that come out of a sink.
using byte_target = std::function<void(std::string_view bytes)>;

std::unique_ptr<byte_sink> gzip_sink(byte_target target);
std::unique_ptr<byte_sink> zstd_sink(byte_target target);

/// `packing` may be any. The file must outlive its sink.
std::unique_ptr<byte_sink> open_sink(output_file& file, compression packing);

/// The bytes as one gzip member, as one zstd frame, or as they are. Such pieces one after another
/// are a file, which depends on how the text was cut, and on nothing else.
std::string packed(std::string bytes, compression packing);

}  // namespace atl::graph
