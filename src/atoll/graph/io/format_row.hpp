#pragma once
// What the table of formats (formats.def) knows of each of them: who recognises, reads and writes
// it.

#include "atoll/graph/edge_list.hpp"
#include "atoll/graph/io/input_file.hpp"
#include "atoll/graph/io/write_edges.hpp"
#include "atoll/graph_files.hpp"

#include <cstdint>
#include <memory>
#include <string_view>

namespace atl::graph {

/// The first bytes of a file, to recognise its format by.
struct file_beginning {
  const input_file& file;
  compression packing;    ///< as its name says, or as its bytes do
  std::string_view text;  ///< decompressed, behind lines that are passed over; lines end in "\n"
};

/// What they tell of a format: nothing, that it may be this one, or that it is no other.
enum class likeness : std::uint8_t { none, possible, certain };

/// Reading a part of a file, for who does something else in between.
class part_source {
 public:
  virtual ~part_source() = default;

  /// Tells the list what is known before anything is read.
  virtual void describe(edge_list& list) const = 0;

  /// Appends the edges of the next block of text or some 10,000 edges of another format, or none
  /// while the beginning of the part is searched for; false when there are none left. Throws
  /// `error` (input).
  virtual bool read_some(edge_list& list) = 0;

  /// What is known once all was read.
  virtual void finish(edge_list&) {}

  /// How much of the part was read, 0 to 1.
  virtual double progress() const = 0;

  /// Where the last edges began, or what was passed over, or the part: greater than the places
  /// where what stands before it began.
  virtual std::uint64_t offset() const = 0;
};

struct format_row {
  std::string_view name;
  likeness (*recognise)(const file_beginning&);
  std::unique_ptr<part_source> (*open)(const file_part&, file_format);  ///< throws `error` (input)
  edge_lines (*lines)(const graph_outline&);
  written_graph (*write)(graph_to_write&&);
  format_traits traits;
};

const format_row& row_of(edge_format format);

// The functions of all rows: a file of a format defines its own.
#define ATOLL_GRAPH_FORMAT(name, recogniser, reader, lines, writer, ...)                           \
  likeness recogniser(const file_beginning& beginning);                                            \
  std::unique_ptr<part_source> reader(const file_part& which, file_format format);                 \
  edge_lines lines(const graph_outline& outline);                                                  \
  written_graph writer(graph_to_write&& graph);
#include "atoll/graph/io/formats.def"
#undef ATOLL_GRAPH_FORMAT

}  // namespace atl::graph
