#pragma once
// Texts with an edge per line and a head that declares their kind and size, and the fields of their
// lines.

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

// The fields of one line are taken one after another, each with the type that the format requires.

/// Takes fields. All functions throw `error` (input) with the place of a wrong field. `what` names
/// the expected field: "a row".
class line_fields {
 public:
  /// `line` lies in the present block of `blocks`.
  line_fields(const line_blocks& blocks, const char* line)
      : blocks_(blocks), text_(skip_blanks(line)) {}

  /// Returns true if no field is left.
  bool at_end() const { return at_end_of_line(text_); }

  /// Returns the begin of the next field, or the end of the line.
  const char* place() const { return text_; }

  /// Returns the next field, or "" at the end of the line.
  std::string_view word();

  /// Takes the next field, which must be `word`.
  void take_word(std::string_view word, std::string_view what) {
    take_one_of(std::span(&word, 1), what);
  }

  /// Takes the next field, which must be one of `words`, and returns its index.
  std::size_t take_one_of(std::span<const std::string_view> words, std::string_view what);

  /// Takes a count, 0 to `largest_vertex`.
  std::uint64_t count(std::string_view what);

  /// Takes a vertex, counted from 1 to `vertices`, and returns its number from 0 on.
  std::uint64_t vertex(std::string_view what, std::uint64_t vertices) {
    constexpr std::ptrdiff_t always_fits = 19;  // digits in 64 bits
    const char* end = text_;
    std::uint64_t value = 0;
    for (; is_digit(*end); ++end) value = value * 10 + static_cast<std::uint64_t>(*end - '0');
    const bool plain = end - text_ <= always_fits && ends_field(*end);
    if (!plain || value - 1 >= vertices) return unusual_vertex(what, vertices);
    text_ = skip_blanks(end);
    return value - 1;
  }

  /// Takes a weight; see `graph::read_weight`.
  std::int64_t read_weight(edge_list& list);

  /// Adds a weight to the list, unless the list has lost its weights.
  void add_weight(edge_list& list);

  /// Skips a number in any form that weights may have.
  void pass_number(std::string_view what);

  /// Checks that nothing follows.
  void finish() const;

  /// Throws "expected {what}, found {field}" for the place of the next field.
  [[noreturn]] void refuse(std::string_view what) const;

 private:
  std::uint64_t unusual_vertex(std::string_view what, std::uint64_t vertices);

  const line_blocks& blocks_;
  const char* text_;
};

// Texts with an edge per line and a head that declares their kind and size.

/// A parser that is made from the first lines of a file, which every part reads.
class headed_text {
 public:
  virtual ~headed_text() = default;

  /// Appends the edges, weights and lines of `text`, the present block, which may be any part of
  /// the file. Throws `error` (input) for the first line that is not of the format.
  virtual void read(const line_blocks& blocks, std::string_view text, edge_list& list) const = 0;

  /// Returns the size that the first lines declare, if any.
  const std::optional<declared_size>& declared() const { return declared_; }

  bool undirected() const { return undirected_; }

 protected:
  std::optional<declared_size> declared_;
  bool undirected_ = false;
};

/// Reads a part of such a file with the parser of its first lines.
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

/// Opens a part. `Text`, a headed_text, is made from the file, its compression and the options.
/// Throws `error` (input) if the first lines are not those of the format.
template <class Text>
std::unique_ptr<part_source> open_headed(const file_part& which, file_format format) {
  auto file = std::make_unique<input_file>(which.path, which.options.content);
  auto text = std::make_unique<Text>(*file, format.packing, which.options);
  return std::make_unique<headed_source>(std::move(file), std::move(text), which, format.packing);
}

/// Returns the blocks of a file from its beginning.
line_blocks whole_text(const input_file& file, compression packing, const read_options& options);

/// Calls `take(line)` for the lines of a block, and reserves memory for what follows it.
template <class Take>
void for_each_line(const line_blocks& blocks, std::string_view text, edge_list& list, Take take) {
  const char* const end = text.data() + text.size();
  for (const char* line = text.data(); line != end; line = next_line(line)) {
    ++list.lines;
    take(line);
  }
  make_room_for_rest(list, blocks.progress());
}

/// Calls `take(blocks, line)` for the lines of a file from its first on, until it returns true.
/// Returns the offset of the next line in the text, or nothing if it never returned true.
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

/// Returns "FILE:LINE:COLUMN" for a place in the present block.
std::string place_text(const line_blocks& blocks, const char* where);

/// Returns the size that a line declares; `place` is that of the number of edges.
declared_size size_in_line(const line_blocks& blocks, const char* place, std::uint64_t vertices,
                           std::uint64_t edges, const char* unit);

/// Throws `error` (input) for a beginning of a file that is not of its format.
[[noreturn]] void refuse_beginning(const input_file& file, std::string_view sentence);

}  // namespace atl::graph
