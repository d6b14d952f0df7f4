#include "atoll/graph/io/write_rows.hpp"

#include "atoll/error.hpp"
#include "atoll/graph/io/byte_sink.hpp"
#include "atoll/graph/io/csr_file.hpp"
#include "atoll/output_file.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <tuple>
#include <vector>

namespace atl {
namespace {

constexpr std::size_t k_flushed_bytes = 256 * 1024;
constexpr std::uint64_t k_arcs_between_reports = std::uint64_t{1} << 18;

/// An edge as one of its ends sees it.
struct seen_arc {
  std::uint64_t from;
  std::uint64_t to;
  std::int64_t weight;

  friend bool operator<(const seen_arc& a, const seen_arc& b) {
    return std::tie(a.from, a.to, a.weight) < std::tie(b.from, b.to, b.weight);
  }
};

enum class seen_from : std::uint8_t { source, target, both };

std::vector<seen_arc> sorted_arcs(const graph_view& graph, seen_from ends) {
  std::vector<seen_arc> arcs;
  arcs.reserve(graph.edges.size() * (ends == seen_from::both ? 2 : 1));
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    const auto& [from, to] = graph.edges[i];
    const auto weight = graph.weights.empty() ? 1 : graph.weights[i];
    if (ends != seen_from::target) arcs.push_back({from, to, weight});
    if (ends != seen_from::source) arcs.push_back({to, from, weight});
  }
  std::ranges::sort(arcs, std::less<>());
  return arcs;
}

/// Bytes on their way into a file.
class rows_writer {
 public:
  rows_writer(const std::string& path, file_format format, const graph_view& graph,
              const std::function<void(double)>& show_progress)
      : format_(format),
        graph_(graph),
        show_progress_(show_progress),
        file_(path),
        sink_(graph::open_sink(file_, format.packing)) {}

  std::uint64_t write() {
    if (format_.edges == edge_format::metis) {
      write_lines();
    } else {
      write_binary();
    }
    flush();
    sink_->finish();
    file_.commit();
    return file_.bytes();
  }

 private:
  void write_lines() {
    const bool weighted = !graph_.weights.empty();
    bytes_ = fmt::format("{} {}{}\n", graph_.vertices, graph_.edges.size(), weighted ? " 1" : "");
    const auto arcs = sorted_arcs(graph_, seen_from::both);
    auto arc = arcs.begin();
    for (std::uint64_t vertex = 0; vertex < graph_.vertices; ++vertex) {
      for (bool first = true; arc != arcs.end() && arc->from == vertex; ++arc, first = false) {
        if (!first) bytes_ += ' ';
        fmt::format_to(std::back_inserter(bytes_), "{}", arc->to + 1);
        if (weighted) fmt::format_to(std::back_inserter(bytes_), " {}", arc->weight);
      }
      bytes_ += '\n';
      next();
    }
  }

  void write_binary() {
    check_numbers();
    const std::uint64_t arcs = graph_.edges.size() * (graph_.undirected ? 2 : 1);
    bytes_ += static_cast<char>(!graph_.undirected);
    append(arcs);
    append(graph_.vertices);
    if (graph_.undirected) return append_rows(sorted_arcs(graph_, seen_from::both));
    append_rows(sorted_arcs(graph_, seen_from::source));
    append_rows(sorted_arcs(graph_, seen_from::target));
  }

  void check_numbers() const {
    if (graph_.vertices > graph::csr_head::most_vertices)
      fail(errc::input, "{}: a .{} file has no numbers for {} vertices, only for 2^31",
           file_.path(), name_of(format_.edges), graph_.vertices);
    if (format_.edges != edge_format::wsg) return;
    for (std::size_t i = 0; i < graph_.weights.size(); ++i) {
      if (graph_.weights[i] == static_cast<std::int32_t>(graph_.weights[i])) continue;
      fail(errc::input, "{}: the weight {} of the edge from {} to {} does not fit 32 bits",
           file_.path(), graph_.weights[i], graph_.edges[i].from, graph_.edges[i].to);
    }
  }

  void append_rows(const std::vector<seen_arc>& arcs) {
    std::uint64_t begin = 0;
    for (std::uint64_t vertex = 0; vertex <= graph_.vertices; ++vertex) {
      while (begin < arcs.size() && arcs[begin].from < vertex) ++begin;
      append(begin);
      next();
    }
    for (const auto& arc : arcs) {
      append(static_cast<std::int32_t>(arc.to));
      if (format_.edges == edge_format::wsg) append(static_cast<std::int32_t>(arc.weight));
      next();
    }
  }

  template <class Number>
  void append(Number number) {
    static_assert(std::endian::native == std::endian::little);
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof(number));
  }

  /// After each line or number.
  void next() {
    if (bytes_.size() >= k_flushed_bytes) flush();
    if (++steps_ % k_arcs_between_reports != 0 || !show_progress_) return;
    show_progress_(std::min(1.0, static_cast<double>(steps_) / static_cast<double>(all_steps())));
  }

  std::uint64_t all_steps() const {
    if (format_.edges == edge_format::metis) return graph_.vertices;
    const std::uint64_t ends = graph_.undirected ? 1 : 2;
    return ends * (graph_.vertices + 1) + 2 * graph_.edges.size();
  }

  void flush() {
    sink_->write(bytes_);
    bytes_.clear();
  }

  file_format format_;
  const graph_view& graph_;
  const std::function<void(double)>& show_progress_;
  output_file file_;
  std::unique_ptr<graph::byte_sink> sink_;
  std::string bytes_;
  std::uint64_t steps_ = 0;
};

}  // namespace

std::uint64_t write_rows(const std::string& path, file_format format, const graph_view& graph,
                         const std::function<void(double)>& show_progress) {
  refuse_packed_binary(path, format);
  return rows_writer(path, format, graph, show_progress).write();
}

}  // namespace atl
