#include "atoll/graph/io/write_edges.hpp"

#include "atoll/error.hpp"

#include <algorithm>
#include <charconv>

namespace atl {
namespace {

constexpr std::size_t buffer_bytes = 256 * 1024;
constexpr std::size_t longest_line = 128;  // three numbers of at most 20 characters, or a head

template <class Number>
char* append_to(char* end, Number number, char after) {
  end = std::to_chars(end, end + longest_line, number).ptr;
  *end = after;
  return end + 1;
}

bool begins_with_size(edge_format format) {
  return format == edge_format::mtx || format == edge_format::gr || format == edge_format::konect;
}

file_format format_without_size(const std::string& path) {
  const auto format = file_format_of(path);
  if (begins_with_size(format.edges))
    fail(errc::input,
         "{}: the file would begin with the number of its edges: atoll convert makes it", path);
  return format;
}

void refuse_adjacency(const std::string& path, edge_format format) {
  using enum edge_format;
  if (format == bvgraph)
    fail(errc::input, "{}: a BVGraph is not written edge by edge: atoll convert makes it", path);
  if (format == metis || format == sg || format == wsg)
    fail(errc::input, "{}: a {} file is not written edge by edge: atoll convert makes it", path,
         name_of(format));
}

std::string head_of(edge_format format, const graph_outline& outline) {
  const auto n = outline.vertices, m = outline.edges;
  switch (format) {
  case edge_format::mtx:
    return fmt::format("%%MatrixMarket matrix coordinate {} {}\n{} {} {}\n",
                       outline.weighted ? "integer" : "pattern",
                       outline.undirected ? "symmetric" : "general", n, n, m);
  case edge_format::gr:
    return fmt::format("p sp {} {}\n", n, m);
  case edge_format::konect:
    return fmt::format("% {} {}\n% {} {} {}\n", outline.undirected ? "sym" : "asym",
                       outline.weighted ? "weighted" : "unweighted", m, n, n);
  default:
    return "";
  }
}

}  // namespace

edge_writer::edge_writer(const std::string& path)
    : edge_writer(path, format_without_size(path), graph_outline{}) {}

edge_writer::edge_writer(const std::string& path, file_format format, const graph_outline& outline)
    : format_(format),
      form_(form_of(format.edges, outline)),
      file_((refuse_adjacency(path, format.edges), path)),
      sink_(graph::open_sink(file_, format_.packing)),
      buffer_(std::make_unique_for_overwrite<char[]>(buffer_bytes)),
      end_(buffer_.get()) {
  const auto head = head_of(format.edges, outline);
  end_ = std::ranges::copy(head, end_).out;
}

edge_writer::line_form edge_writer::form_of(edge_format format, const graph_outline& outline) {
  switch (format) {
  case edge_format::el:
    return {"", ' '};
  case edge_format::wel:
    return {"", ' ', 0, true};
  case edge_format::csv:
    return {"", ','};
  case edge_format::mtx:
    return {"", ' ', 1, outline.weighted, outline.undirected};
  case edge_format::gr:
    return {"a ", ' ', 1, true};
  case edge_format::konect:
    return {"", ' ', 1, outline.weighted};
  default:
    return {"", '\t'};
  }
}

void edge_writer::write(const edge& e, std::int64_t weight) {
  const bool turned = form_.larger_end_first && e.from < e.to;
  end_ = std::ranges::copy(form_.before, end_).out;
  end_ = append_to(end_, (turned ? e.to : e.from) + form_.first_id, form_.separator);
  end_ = append_to(end_, (turned ? e.from : e.to) + form_.first_id,
                   form_.weighted ? form_.separator : '\n');
  if (form_.weighted) end_ = append_to(end_, weight, '\n');
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
