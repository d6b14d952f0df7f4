#pragma once
// Texts with an edge a line, of which the first lines say what they are and how many, and the
// fields of their lines.

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

// The fields of one line, taken one after another, each as what the format says it is.

/// All of these throw `error` (input) with the place of the field for what is not as it should be.
/// `what` is what was expected: "a row".
class line_fields {
 public:
  /// `line` lies in the present block of `blocks`.
  line_fields(const line_blocks& blocks, const char* line)
      : blocks_(blocks), text_(skip_blanks(line)) {}

  /// Whether no field is left.
  bool at_end() const { return at_end_of_line(text_); }

  /// Where the next field begins, or the line ends.
  const char* place() const { return text_; }

  /// The next field; empty at the end of the line.
  std::string_view word();

  /// The next field must be this word.
  void take_word(std::string_view word, std::string_view what) {
    take_one_of(std::span(&word, 1), what);
  }

  /// The next field must be one of the words: which.
  std::size_t take_one_of(std::span<const std::string_view> words, std::string_view what);

  /// A number of things: 0 to `largest_vertex`.
  std::uint64_t count(std::string_view what);

  /// A vertex of `vertices`, which count from 1 on; its number from 0 on.
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

  /// A weight: see `graph::read_weight`.
  std::int64_t read_weight(edge_list& list);

  /// Adds a weight to the list, unless that has lost its weights.
  void add_weight(edge_list& list) { graph::add_weight(read_weight(list), list); }

  /// Any number, as weights may be, of no further use.
  void pass_number(std::string_view what);

  /// Nothing may follow.
  void finish() const;

  /// Throws for the place of the next field: "expected {what}, found {field}".
  [[noreturn]] void refuse(std::string_view what) const;

 private:
  std::uint64_t unusual_vertex(std::string_view what, std::uint64_t vertices);

  const line_blocks& blocks_;
  const char* text_;
};

// Texts with an edge a line, of which the first lines say what they are and how many.

/// Made of the first lines of a file, which every part reads.
class headed_text {
 public:
  virtual ~headed_text() = default;

  /// Appends the edges, weights and lines of `text`, the present block, which may be any part of
  /// the file. Throws `error` (input) for the first line that is not of the format.
  virtual void read(const line_blocks& blocks, std::string_view text, edge_list& list) const = 0;

  /// What the first lines say of the size, if they do.
  const std::optional<declared_size>& declared() const { return declared_; }

  bool undirected() const { return undirected_; }

 protected:
  std::optional<declared_size> declared_;
  bool undirected_ = false;
};

/// Reads a part of such a file, given what is made of its first lines.
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

/// Opens a part; `Text`, a headed_text, is made of the file, its compression and the options.
/// Throws `error` (input) where the first lines are not those of the format.
template <class Text>
std::unique_ptr<part_source> open_headed(const file_part& which, file_format format) {
  auto file = std::make_unique<input_file>(which.path, which.options.content);
  auto text = std::make_unique<Text>(*file, format.packing, which.options);
  return std::make_unique<headed_source>(std::move(file), std::move(text), which, format.packing);
}

/// A file from its beginning.
line_blocks whole_text(const input_file& file, compression packing, const read_options& options);

/// Calls `take(line)` for the lines of a block, and makes room for what follows it.
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
/// Returns where in the text the next line begins; nothing if it never did.
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

/// "FILE:LINE:COLUMN" of a place in the present block.
std::string place_text(const line_blocks& blocks, const char* where);

/// What a line that holds counts says; `place` is that of the number of edges.
declared_size size_in_line(const line_blocks& blocks, const char* place, std::uint64_t vertices,
                           std::uint64_t edges, const char* unit);

/// Throws `error` (input) for the beginning of a file that is not as its format has it.
[[noreturn]] void refuse_beginning(const input_file& file, std::string_view sentence);

}  // namespace atl::graph
