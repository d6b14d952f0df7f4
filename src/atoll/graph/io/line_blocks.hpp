#pragma once
// Texts as blocks of whole lines, and how lines end.

#include "atoll/error.hpp"
#include "atoll/graph/io/byte_streams.hpp"
#include "atoll/graph/io/file_format.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace atl::graph {

// Lines end in "\n", in "\r\n", or in a "\r" alone, as old programs of the Mac write them.

/// Returns the length of the complete lines of `text`, up to and including the last end of line.
/// `next` is the byte after `text`: a final "\r" before "\n" ends no line yet.
std::size_t end_of_last_line(std::string_view text, char next);

/// Replaces each "\r" that stands alone by "\n". The byte after `text` must be the one that follows
/// it.
void end_lines_alike(std::span<char> text);

/// Counts the ends of lines in a text that comes in pieces.
class line_counter {
 public:
  void add(std::string_view piece);

  /// Returns the number of line ends in all pieces. A final "\r" ends a line.
  std::uint64_t count() const { return count_ + (after_return_ ? 1 : 0); }

 private:
  std::uint64_t count_ = 0;
  bool after_return_ = false;  // the last piece ended in "\r"
};

// A file as blocks of whole lines, divided among several readers. Plain files are cut into byte
// ranges. The text of a compressed file passes through every reader, which keeps only every
// parts-th block. The memory is one block, however long the file is.

class line_blocks {
 public:
  /// Bytes after a block that may be read; their contents are unspecified.
  static constexpr std::size_t readable_behind = 8;

  /// Opens a part. The file must outlive this object. Throws `error` (input).
  line_blocks(const input_file& file, compression packing, const file_part& which);

  /// Returns the next lines, or "" at the end. Every line ends in '\n'; the last of a file gets one
  /// if it has none. The text is valid until the next call. Throws `error` (input) if the file
  /// cannot be decompressed, and for a line that is too long.
  std::string_view next();

  /// Returns the fraction of the part that was read, 0 to 1.
  double progress() const { return source_->progress(); }

  /// Returns the begin of the present block: in the text if compressed, else in the file.
  std::uint64_t offset() const { return offset_; }

  /// Returns the offset of a place in the present block: in the text if compressed, else in the
  /// file.
  std::uint64_t offset_of(const char* where) const {
    return offset_ + static_cast<std::uint64_t>(where - buffer_.get());
  }

  /// Returns an `error` (input) "FILE:LINE:COLUMN: sentence" for a place in the present block. In a
  /// part of a plain file this takes the time of reading the file up to there.
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
  std::uint64_t skipped_lines_;  // at the beginning of the text
  std::size_t longest_line_;     // also the size of a block
  bool grows_;                   // instead of refusing a longer line
  std::unique_ptr<byte_source> source_;
  std::unique_ptr<char[]> buffer_;  // the block, then the beginning of the next one
  std::size_t block_bytes_ = 0;
  std::size_t filled_bytes_ = 0;
  std::uint64_t blocks_ = 0;
  std::uint64_t offset_ = 0;
  std::uint64_t lines_ = 0;  // before the block, if compressed
};

}  // namespace atl::graph
