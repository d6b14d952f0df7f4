#pragma once
// Writing graphs to files edge by edge, in formats that read_edges reads.

#include "atoll/graph/edge.hpp"
#include "atoll/graph/io/byte_sink.hpp"
#include "atoll/graph/io/file_format.hpp"
#include "atoll/output_file.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace atl {

/// What the first lines of a file say, where its format has such lines.
struct graph_outline {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  bool undirected = false;  ///< an edge stands for both directions
  bool weighted = false;    ///< weights are written where the format may do without
};

namespace graph {

/// How edges are written one after another.
struct edge_lines {
  std::string head =
      "";  ///< what stands before them; with the number of edges, if it says anything
  std::string_view before = "";
  char separator = '\t';
  std::uint64_t first_id = 0;
  bool larger_end_first = false;
};

}  // namespace graph

/// Whether edges of the format can be written one after another.
bool is_written_by_edge(edge_format format);

/// Writes edges one after another. The file has its name only after `commit`; without it nothing
/// stays behind.
class edge_writer {
 public:
  /// Format and compression by the ending of the name. Throws `error` (input) if the file cannot be
  /// made there, and for formats whose first lines say how many edges follow.
  explicit edge_writer(const std::string& path);

  /// The same in any format that is written edge by edge. As many edges must follow as `outline`
  /// says. Throws `error` (input) likewise.
  edge_writer(const std::string& path, file_format format, const graph_outline& outline);

  /// Adds an edge; the weight is written if the format has weights. Throws `error` (environment)
  /// when the file takes no more.
  void write(const edge& e, std::int64_t weight = 1);

  /// Completes the file, replacing what had its name; nothing is written after it. Throws `error`
  /// (environment).
  void commit();

  const file_format& format() const { return format_; }

  /// Of the file so far; all of them after `commit`.
  std::uint64_t bytes() const { return file_.bytes(); }

 private:
  void flush();

  file_format format_;
  graph::edge_lines lines_;
  bool weighted_;
  output_file file_;
  std::unique_ptr<graph::byte_sink> sink_;
  std::unique_ptr<char[]> buffer_;
  char* end_;
};

/// Writes the edges `make(0)` to `make(count - 1)` and returns the bytes of the file. Throws as
/// `edge_writer` does.
template <class Make>
std::uint64_t write_edges(const std::string& path, std::uint64_t count, Make make) {
  edge_writer writer(path);
  for (std::uint64_t i = 0; i < count; ++i) writer.write(make(i));
  writer.commit();
  return writer.bytes();
}

}  // namespace atl
