#pragma once
// Texts with an edge a line, of which the first lines say what they are and how many.

#include "atoll/graph/edge_list.hpp"
#include "atoll/graph/io/field.hpp"
#include "atoll/graph/io/format_row.hpp"
#include "atoll/graph/io/input_file.hpp"
#include "atoll/graph/io/line_blocks.hpp"
#include "atoll/graph/io/room.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace atl::graph {

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
