#include "atoll/graph/io/write_edges.hpp"

#include "atoll/base/error.hpp"

#include <charconv>

namespace atl {
namespace {

constexpr std::size_t buffer_bytes = 256 * 1024;
constexpr std::size_t longest_line = 64;  // three numbers of at most 20 characters

char separator_of(edge_format format) {
  switch (format) {
  case edge_format::el:
  case edge_format::wel:
    return ' ';
  case edge_format::csv:
    return ',';
  case edge_format::tsv:
  case edge_format::txt:
  case edge_format::bvgraph:
    break;
  }
  return '\t';
}

template <class Number>
char* append_to(char* end, Number number, char after) {
  end = std::to_chars(end, end + longest_line, number).ptr;
  *end = after;
  return end + 1;
}

file_format format_to_write(const std::string& path) {
  const auto format = file_format_of(path);
  if (format.edges == edge_format::bvgraph)
    fail(errc::input, "{}: a BVGraph is not written edge by edge: atoll convert makes it", path);
  return format;
}

}  // namespace

edge_writer::edge_writer(const std::string& path)
    : format_(format_to_write(path)),
      separator_(separator_of(format_.edges)),
      file_(path),
      sink_(graph::open_sink(file_, format_.packing)),
      buffer_(std::make_unique_for_overwrite<char[]>(buffer_bytes)),
      end_(buffer_.get()) {}

void edge_writer::write(const edge& e, std::int64_t weight) {
  const bool weighted = format_.edges == edge_format::wel;
  end_ = append_to(end_, e.from, separator_);
  end_ = append_to(end_, e.to, weighted ? separator_ : '\n');
  if (weighted) end_ = append_to(end_, weight, '\n');
  if (end_ - buffer_.get() >= static_cast<std::ptrdiff_t>(buffer_bytes - longest_line)) flush();
}

void edge_writer::commit() {
  flush();
  sink_->finish();
  file_.commit();
}

void edge_writer::flush() {
  sink_->write({buffer_.get(), static_cast<std::size_t>(end_ - buffer_.get())});
  end_ = buffer_.get();
}

}  // namespace atl
