#pragma once
// The types of the entries in the table of formats (formats.def). The entries of a format are
// functions that recognise, read and write its files.

#include "atoll/graph/edge_list.hpp"
#include "atoll/graph/io/byte_streams.hpp"
#include "atoll/graph/io/write_edges.hpp"
#include "atoll/graph_files.hpp"

#include <cstdint>
#include <memory>
#include <string_view>

namespace atl::graph {

/// The first bytes of a file, by which its format is recognised.
struct file_beginning {
  const input_file& file;
  /// The compression that the name tells or, if the name tells none, that the first bytes show.
  compression packing;
  std::string_view text;  ///< decompressed text after the skipped lines; all lines end in "\n"
};

/// Whether a file has a format: surely not, possibly, or certainly.
enum class likeness : std::uint8_t { none, possible, certain };

/// Reads a part of a file in steps. Between steps, the caller can do other work.
class part_source {
 public:
  virtual ~part_source() = default;

  /// Stores in the list the facts that are known before reading.
  virtual void describe(edge_list& list) const = 0;

  /// Appends the edges of the next block of text, or some 10,000 edges of another format. A step
  /// may append no edges while the beginning of the part is searched for. Returns false if no edges
  /// are left. Throws `error` (input) for a mistake in the file.
  virtual bool read_some(edge_list& list) = 0;

  /// Stores in the list the facts that are known after reading.
  virtual void finish(edge_list&) {}

  /// Returns the share of the part that was read, from 0 to 1.
  virtual double progress() const = 0;

  /// Returns the offset of the edges that the last step has read. Before the first edges, returns
  /// the offset of the skipped text or of the part. Each step has a greater offset than the steps
  /// before.
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

// Declares the functions of each row of the table, which the source file of the format defines.
#define ATOLL_GRAPH_FORMAT(name, recogniser, reader, lines, writer, ...)                           \
  likeness recogniser(const file_beginning& beginning);                                            \
  std::unique_ptr<part_source> reader(const file_part& which, file_format format);                 \
  edge_lines lines(const graph_outline& outline);                                                  \
  written_graph writer(graph_to_write&& graph);
#include "atoll/graph/io/formats.def"
#undef ATOLL_GRAPH_FORMAT

}  // namespace atl::graph
