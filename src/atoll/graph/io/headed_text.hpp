#pragma once
// Reads text formats with one edge per line. The first lines, the *head*, declare the kind and the
// size of the graph. This header also reads the fields of lines.

#include "atoll/graph/edge_list.hpp"
#include "atoll/graph/io/byte_streams.hpp"
#include "atoll/graph/io/field.hpp"
#include "atoll/graph/io/format_row.hpp"
#include "atoll/graph/io/line_blocks.hpp"
#include "atoll/graph/io/weight_text.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace atl::graph {

// The fields of a line are taken one after another. The format determines the type of each field.

/// Takes the fields of one line, from left to right. If a field is wrong, all functions throw
/// `error` (input) with its place. `what` names the expected field, such as "a row".
class line_fields {
 public:
  /// Makes an object whose next field is the first field of `line`. `line` must be in the current
  /// block of `blocks`.
  line_fields(const line_blocks& blocks, const char* line)
      : blocks_(blocks), text_(skip_blanks(line)) {}

  /// Returns true if no field is left.
  bool at_end() const { return at_end_of_line(text_); }

  /// Returns the beginning of the next field, or the end of the line.
  const char* place() const { return text_; }

  /// Returns the next field, or an empty text at the end of the line.
  std::string_view word();

  /// Takes the next field, which must be `word`.
  void take_word(std::string_view word, std::string_view what) {
    take_one_of(std::span(&word, 1), what);
  }

  /// Takes the next field, which must be one of `words`, and returns its index.
  std::size_t take_one_of(std::span<const std::string_view> words, std::string_view what);

  /// Takes a number from 0 to `largest_vertex`.
  std::uint64_t count(std::string_view what);

  /// Takes the number of a vertex, from 1 to `vertices`. Returns the number minus 1, because the
  /// program counts vertices from 0.
  std::uint64_t vertex(std::string_view what, std::uint64_t vertices) {
    // A number with at most this many digits fits into 64 bits.
    constexpr std::ptrdiff_t always_fits = 19;
    const char* end = text_;
    std::uint64_t value = 0;
    for (; is_digit(*end); ++end) value = value * 10 + static_cast<std::uint64_t>(*end - '0');
    const bool plain = end - text_ <= always_fits && ends_field(*end);
    if (!plain || value - 1 >= vertices) return unusual_vertex(what, vertices);
    text_ = skip_blanks(end);
    return value - 1;
  }

  /// Takes a weight, by the rules of `graph::read_weight`.
  std::int64_t read_weight(edge_list& list);

  /// Takes a weight and adds it to the list. If the list has lost its weights, the weight is not
  /// added.
  void add_weight(edge_list& list);

  /// Skips a number in any form that weights may have.
  void pass_number(std::string_view what);

  /// Throws if another field follows.
  void finish() const;

  /// Throws "expected {what}, found {field}" for the place of the next field.
  [[noreturn]] void refuse(std::string_view what) const;

 private:
  std::uint64_t unusual_vertex(std::string_view what, std::uint64_t vertices);

  const line_blocks& blocks_;
  const char* text_;
};

// This part reads texts that have one edge per line after a head.

/// A parser of the lines of a file. The first lines of the file tell how to parse the other lines,
/// so the reader of every part begins with the first lines.
class headed_text {
 public:
  virtual ~headed_text() = default;

  /// Appends the edges and weights of `text` to `list`, and adds the number of lines. `text` is the
  /// current block, which may be any part of the file. Throws `error` (input) for the first line
  /// that does not have the format.
  virtual void read(const line_blocks& blocks, std::string_view text, edge_list& list) const = 0;

  /// Returns the size that the first lines declare, or nothing if they declare no size.
  const std::optional<declared_size>& declared() const { return declared_; }

  bool undirected() const { return undirected_; }

 protected:
  std::optional<declared_size> declared_;
  bool undirected_ = false;
};

/// Reads a part of a file with a head, by a parser that is made from the first lines.
class headed_source final : public part_source {
 public:
  headed_source(std::unique_ptr<const input_file> file, std::unique_ptr<const headed_text> text,
                const file_part& which, compression packing)
      : file_(std::move(file)), text_(std::move(text)), blocks_(*file_, packing, which) {}

  void describe(edge_list& list) const override;
  bool read_some(edge_list& list) override;
  double progress() const override { return blocks_.progress(); }
  std::uint64_t offset() const override { return blocks_.offset(); }

 private:
  std::unique_ptr<const input_file> file_;
  std::unique_ptr<const headed_text> text_;
  line_blocks blocks_;
};

/// Opens a part. `Text` is the class of the parser, a headed_text. The parser is constructed from
/// the file, its compression and the options. Throws `error` (input) if the first lines do not have
/// the format.
template <class Text>
std::unique_ptr<part_source> open_headed(const file_part& which, file_format format) {
  auto file = std::make_unique<input_file>(which.path, which.options.content);
  auto text = std::make_unique<Text>(*file, format.packing, which.options);
  return std::make_unique<headed_source>(std::move(file), std::move(text), which, format.packing);
}

/// Returns the blocks of a file from its beginning.
line_blocks whole_text(const input_file& file, compression packing, const read_options& options);

/// Calls `take(line)` for each line of a block. After the lines, reserves memory for the edges of
/// the following blocks.
template <class Take>
void for_each_line(const line_blocks& blocks, std::string_view text, edge_list& list, Take take) {
  const char* const end = text.data() + text.size();
  for (const char* line = text.data(); line != end; line = next_line(line)) {
    ++list.lines;
    take(line);
  }
  make_room_for_rest(list, blocks.progress());
}

/// Calls `take(blocks, line)` for each line of a file, from the first line on. Stops when `take`
/// returns true. Returns the offset of the line after the last line that was passed to `take`.
/// Returns nothing if `take` never returned true.
template <class Take>
std::optional<std::uint64_t> read_first_lines(const input_file& file, compression packing,
                                              const read_options& options, Take take) {
  line_blocks blocks = whole_text(file, packing, options);
  for (auto text = blocks.next(); !text.empty(); text = blocks.next()) {
    const char* const end = text.data() + text.size();
    for (const char* line = text.data(); line != end; line = next_line(line)) {
      if (take(blocks, line)) return blocks.offset_of(next_line(line));
    }
  }
  return std::nullopt;
}

/// Returns "FILE:LINE:COLUMN" for a place in the current block.
std::string place_text(const line_blocks& blocks, const char* where);

/// Returns the size that a line declares. `place` is the place of the declared number of edges.
declared_size size_in_line(const line_blocks& blocks, const char* place, std::uint64_t vertices,
                           std::uint64_t edges, const char* unit);

/// Throws `error` (input) that says that the beginning of the file does not have the format.
[[noreturn]] void refuse_beginning(const input_file& file, std::string_view sentence);

}  // namespace atl::graph
