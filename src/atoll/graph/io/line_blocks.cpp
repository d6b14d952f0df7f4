#include "atoll/graph/io/line_blocks.hpp"

#include "atoll/base/bits.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace atl::graph {
namespace {

constexpr std::size_t k_looked_at_once = 4096;

char* find_return(char* begin, const char* end) {
  return static_cast<char*>(std::memchr(begin, '\r', static_cast<std::size_t>(end - begin)));
}

/// Returns whether the text has a "\r" that no "\n" follows. The loop has no branch per byte,
/// because in a text with "\r\n" each line has a "\r".
bool has_lone_return(const char* text, std::size_t size) {
  unsigned found = 0;
  for (std::size_t i = 0; i < size; ++i)
    found |= static_cast<unsigned>(text[i] == '\r') & static_cast<unsigned>(text[i + 1] != '\n');
  return found != 0;
}

}  // namespace

std::size_t end_of_last_line(std::string_view text, char next) {
  const auto behind = text.rfind('\n') + 1;  // 0 if there is no "\n"
  if (text.ends_with('\r') && next == '\n') text.remove_suffix(1);
  return behind + text.substr(behind).rfind('\r') + 1;  // a "\r" after the last "\n" stands alone
}

void end_lines_alike(std::span<char> text) {
  char* const end = text.data() + text.size();
  for (char* at = find_return(text.data(), end); at != nullptr && at < end;) {
    char* const stop = at + std::min<std::ptrdiff_t>(end - at, k_looked_at_once);
    if (has_lone_return(at, static_cast<std::size_t>(stop - at))) {
      for (; at != stop; ++at) {
        if (*at == '\r' && at[1] != '\n') *at = '\n';
      }
    }
    at = find_return(stop, end);
  }
}

void line_counter::add(std::string_view piece) {
  if (piece.empty()) return;
  if (after_return_ && piece.front() != '\n') ++count_;
  count_ += static_cast<std::uint64_t>(std::ranges::count(piece, '\n'));
  after_return_ = piece.back() == '\r';
  for (auto at = piece.find('\r'); at < piece.size() - 1; at = piece.find('\r', at + 1))
    count_ += piece[at + 1] != '\n' ? 1 : 0;
}

namespace {

constexpr std::size_t chunk_bytes = 16 * 1024;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

std::uint64_t count_lines(std::string_view text) {
  return static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
}

std::uint64_t count_lines(const input_file& file, std::uint64_t end) {
  std::array<char, chunk_bytes> chunk;
  line_counter lines;
  for (std::uint64_t offset = 0; offset < end;) {
    const auto wanted = std::min<std::uint64_t>(chunk.size(), end - offset);
    const auto count = file.read_at(offset, std::span(chunk).first(wanted));
    if (count == 0) break;
    lines.add({chunk.data(), count});
    offset += count;
  }
  return lines.count();
}

// Returns the offset of the first line that begins at `offset` or later. The search ends after the
// length of the longest allowed line. If no line ends within that length, the reader of the
// previous line reports that the previous line is too long.
std::uint64_t begin_of_next_line(const input_file& file, std::uint64_t offset,
                                 std::size_t longest_line) {
  if (offset == 0) return 0;
  std::array<char, chunk_bytes> chunk;
  auto position = offset - 1;
  const auto stop = std::min<std::uint64_t>(file.size(), position + longest_line);
  while (position < stop) {
    const std::string_view text(chunk.data(), file.read_at(position, chunk));
    const auto found = text.find_first_of("\r\n");
    if (found == text.npos) {
      position += text.size();
      if (text.size() < chunk.size()) break;
    } else if (text[found] == '\n') {
      return position + found + 1;
    } else if (found + 1 < text.size()) {
      return position + found + (text[found + 1] == '\n' ? 2 : 1);
    } else if (text.size() < chunk.size()) {
      return file.size();
    } else {
      // The next chunk begins with the "\r", because only the byte after the "\r" tells whether a
      // line ends.
      position += found;
    }
  }
  return std::min<std::uint64_t>(position, file.size());
}

// Returns the offset after the first `lines` lines of a file.
std::uint64_t end_of_lines(const input_file& file, std::uint64_t lines) {
  std::uint64_t offset = 0;
  for (; lines > 0 && offset < file.size(); --lines)
    offset = begin_of_next_line(file, offset + 1, file.size());
  return offset;
}

std::uint64_t begin_of_part(const input_file& file, std::uint64_t part, const file_part& which) {
  const auto offset = static_cast<std::uint64_t>(uint128(file.size()) * part / which.parts);
  const auto& options = which.options;
  return begin_of_next_line(file, offset, options.any_length ? file.size() : options.longest_line);
}

}  // namespace

line_blocks::line_blocks(const input_file& file, compression packing, const file_part& which)
    : file_(file),
      packing_(packing),
      part_(which.part),
      parts_(which.parts),
      skipped_lines_(which.options.skip_lines.value_or(0)),
      longest_line_(which.options.longest_line),
      grows_(which.options.any_length),
      buffer_(buffer_for(longest_line_)) {
  ATOLL_ASSERT(part_ < parts_, "the part must be below the number of parts");
  if (packing != compression::none) {
    source_ = open_source(file, packing);
    return;
  }
  refuse_misnamed(file);
  const auto skipped = end_of_lines(file, skipped_lines_);
  offset_ = std::max(skipped, begin_of_part(file, part_, which));
  source_ = plain_source(file, offset_, std::max(skipped, begin_of_part(file, part_ + 1, which)));
}

void line_blocks::refuse_misnamed(const input_file& file) const {
  std::array<char, 4> first{};
  const std::string_view begin(first.data(), file.read_at(0, first));
  constexpr std::string_view complaint = "{}:1:1: the file is compressed with {}, but its name "
                                         "does not end in {}";
  if (begin.starts_with("\x1f\x8b")) fail(errc::input, complaint, file.path(), "gzip", ".gz");
  if (begin == "\x28\xb5\x2f\xfd") fail(errc::input, complaint, file.path(), "zstd", ".zst");
  refuse_unread(file);
}

std::string_view line_blocks::next() {
  const bool all_mine = packing_ == compression::none;
  while (advance()) {
    if (!all_mine && (blocks_ - 1) % parts_ != part_) continue;
    auto text = block();
    if (offset_ == 0 && text.starts_with(byte_order_mark))
      text.remove_prefix(byte_order_mark.size());
    if (!all_mine) pass_over_lines(text);
    if (!text.empty()) return text;
  }
  return {};
}

// Skips the first lines of a compressed text. Every reader of a compressed text sees the first
// lines, while every part of a plain text begins after them.
void line_blocks::pass_over_lines(std::string_view& text) const {
  for (auto line = lines_; line < skipped_lines_ && !text.empty(); ++line)
    text.remove_prefix(text.find('\n') + 1);
}

bool line_blocks::advance() {
  if (packing_ != compression::none) lines_ += count_lines(block());
  offset_ += block_bytes_;
  filled_bytes_ -= block_bytes_;
  std::memmove(buffer_.get(), buffer_.get() + block_bytes_, filled_bytes_);
  block_bytes_ = 0;
  fill();
  while (!cut()) grow();
  end_lines_alike({buffer_.get(), block_bytes_});
  ++blocks_;
  return block_bytes_ > 0;
}

void line_blocks::fill() {
  try {
    filled_bytes_ +=
        source_->read({buffer_.get() + filled_bytes_, longest_line_ + 1 - filled_bytes_});
  } catch (const unreadable& reason) {
    throw error_at(buffer_.get() + filled_bytes_ + reason.delivered(), reason.what());
  }
}

// Allocates a buffer. The buffer has additional bytes that may be read after the block, and a byte
// for a missing line feed of the last line.
std::unique_ptr<char[]> line_blocks::buffer_for(std::size_t bytes) {
  return std::make_unique_for_overwrite<char[]>(bytes + 2 + readable_behind);
}

// Replaces the buffer by a buffer of twice the size, and fills it with more of the file.
void line_blocks::grow() {
  auto larger = buffer_for(2 * longest_line_);
  std::memcpy(larger.get(), buffer_.get(), filled_bytes_);
  buffer_ = std::move(larger);
  longest_line_ *= 2;
  fill();
}

// Ends the block after the last whole line in the buffer, or at the end of the file. Returns false
// if the buffer does not hold a whole line.
bool line_blocks::cut() {
  const bool at_end = filled_bytes_ <= longest_line_;
  const std::string_view text(buffer_.get(), std::min(filled_bytes_, longest_line_));
  block_bytes_ = end_of_last_line(text, at_end ? '\0' : buffer_[longest_line_]);
  if (block_bytes_ == 0 && filled_bytes_ >= longest_line_) {
    if (grows_) return false;
    throw error_at(buffer_.get(), fmt::format("the line is longer than {} bytes", longest_line_));
  }
  if (at_end && filled_bytes_ > 0) {
    if (buffer_[filled_bytes_ - 1] != '\n') buffer_[filled_bytes_++] = '\n';
    block_bytes_ = filled_bytes_;
  }
  return true;
}

error line_blocks::error_at(const char* where, std::string_view sentence) const {
  const std::string_view before(buffer_.get(), static_cast<std::size_t>(where - buffer_.get()));
  line_counter lines;
  lines.add(before);
  const auto line = lines_before_block() + lines.count() + 1;
  const auto column = before.size() - end_of_last_line(before, '\0') + 1;
  return {errc::input, fmt::format("{}:{}:{}: {}", file_.path(), line, column, sentence)};
}

std::uint64_t line_blocks::lines_before_block() const {
  return packing_ == compression::none ? count_lines(file_, offset_) : lines_;
}

}  // namespace atl::graph
