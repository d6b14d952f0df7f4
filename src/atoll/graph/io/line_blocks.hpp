#pragma once
// Reads texts as blocks of whole lines. This header also defines which bytes end a line.

#include "atoll/error.hpp"
#include "atoll/graph/io/byte_streams.hpp"
#include "atoll/graph/io/file_format.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace atl::graph {

// A line ends in "\n", in "\r\n", or in a "\r" alone. Old programs of the Mac write a "\r" alone.

/// Returns the length of the complete lines of `text`, up to and including the last end of line.
/// `next` is the byte after `text`. If `text` ends in "\r" and `next` is "\n", this "\r" does not
/// end a line yet.
std::size_t end_of_last_line(std::string_view text, char next);

/// Replaces each "\r" that stands alone by "\n". The function reads the byte after `text`, which
/// must be the next byte of the file.
void end_lines_alike(std::span<char> text);

/// Counts the ends of lines in a text that comes in pieces.
class line_counter {
 public:
  void add(std::string_view piece);

  /// Returns the number of line ends in all pieces. A "\r" at the end of the last piece counts as
  /// the end of a line.
  std::uint64_t count() const { return count_ + (after_return_ ? 1 : 0); }

 private:
  std::uint64_t count_ = 0;
  bool after_return_ = false;  // whether the last piece ended in "\r"
};

// Reads a file as blocks of whole lines. The blocks are divided among several readers. A plain file
// is cut into ranges of bytes. Each reader decompresses the whole of a compressed file, and returns
// only every n-th block, where n is the number of parts. The object needs memory for one block; the
// length of the file does not matter.

class line_blocks {
 public:
  /// Number of bytes after a block that may be read, with unspecified contents.
  static constexpr std::size_t readable_behind = 8;

  /// Opens a part. The file must outlive this object. Throws `error` (input) if the part cannot be
  /// opened.
  line_blocks(const input_file& file, compression packing, const file_part& which);

  /// Returns the next lines, or an empty text at the end. Every line ends in '\n', also the last
  /// line of the file. The text is valid until the next call. Throws `error` (input) if the file
  /// cannot be decompressed, or if a line is too long.
  std::string_view next();

  /// Returns the share of the part that was read, from 0 to 1.
  double progress() const { return source_->progress(); }

  /// Returns the offset of the current block. The offset is in bytes of the file or, if the file is
  /// compressed, in bytes of the decompressed text.
  std::uint64_t offset() const { return offset_; }

  /// Returns the offset of a place in the current block. The offset is in bytes of the file or, if
  /// the file is compressed, in bytes of the decompressed text.
  std::uint64_t offset_of(const char* where) const {
    return offset_ + static_cast<std::uint64_t>(where - buffer_.get());
  }

  /// Returns an `error` (input) "FILE:LINE:COLUMN: sentence" for a place in the current block. In a
  /// part of a plain file, finding the number of the line takes as long as reading the file up to
  /// this place.
  error error_at(const char* where, std::string_view sentence) const;

 private:
  void refuse_misnamed(const input_file& file) const;
  void pass_over_lines(std::string_view& text) const;
  bool advance();
  void fill();
  bool cut();
  void grow();
  static std::unique_ptr<char[]> buffer_for(std::size_t bytes);
  std::uint64_t lines_before_block() const;
  std::string_view block() const { return {buffer_.get(), block_bytes_}; }

  const input_file& file_;
  compression packing_;
  std::uint64_t part_;
  std::uint64_t parts_;
  std::uint64_t skipped_lines_;  // number of lines at the beginning of the text that are skipped
  std::size_t longest_line_;     // largest number of bytes in a line; also the size of a block
  bool grows_;  // whether the buffer is enlarged for a longer line; otherwise the line is an error
  std::unique_ptr<byte_source> source_;
  // The current block, followed by the beginning of the next block.
  std::unique_ptr<char[]> buffer_;
  std::size_t block_bytes_ = 0;
  std::size_t filled_bytes_ = 0;
  std::uint64_t blocks_ = 0;
  std::uint64_t offset_ = 0;
  std::uint64_t lines_ = 0;  // in a compressed file: number of lines before the block
};

}  // namespace atl::graph
