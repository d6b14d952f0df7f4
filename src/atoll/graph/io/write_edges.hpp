#pragma once
// Writing graphs to files, in the formats that read_edges reads.

#include "atoll/graph/edge.hpp"
#include "atoll/graph/io/byte_sink.hpp"
#include "atoll/graph/io/file_format.hpp"
#include "atoll/graph/io/output_file.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace atl {

/// Writes edges one after another. The file has its name only after `commit`; without it nothing
/// stays behind.
class edge_writer {
 public:
  /// Format and compression by the ending of the name. Throws `error` (input) if the file cannot be
  /// made there.
  explicit edge_writer(const std::string& path);

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
  char separator_;
  graph::output_file file_;
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
