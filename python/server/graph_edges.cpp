// What a loaded graph makes of its list of edges: other forms of the graph, subgraphs, arrays and
// files.

#include "atoll/collectives.hpp"
#include "atoll/graph_files.hpp"
#include "atoll/loops.hpp"
#include "python/server/loaded_graph.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <numeric>
#include <tuple>

namespace atl::serve {
namespace {

/// Returns the weight of edge i as an integer, or the bits of the weight as a double. All PEs use
/// doubles if the list of any PE has doubles.
std::int64_t weight_bits(const stored_edges& all, std::uint64_t i, edge of) {
  return all.has_real_weights() ? std::bit_cast<std::int64_t>(all.real_weight(i, of))
                                : all.weight(i, of);
}

/// Adds the edges of a graph to the lists of a builder, each as `changed(edge)` returns it. An edge
/// for which `changed` returns nothing is left out.
template <class Changed>
task<> copy_edges(per_pe<stored_edges> from, per_pe<stored_edges> to, Changed changed) {
  const stored_edges& all = from.local();
  const auto kind = all.has_real_weights() ? weight_kind::real : weight_kind::integer;
  std::vector<edge> some;
  std::vector<std::int64_t> weights;
  for (std::uint64_t begin = 0; begin < all.size(); begin += k_stretch) {
    some.clear();
    weights.clear();
    for (std::uint64_t i = begin; i < std::min(begin + k_stretch, all.size()); ++i) {
      const edge old = all(i);
      const std::optional<edge> now = changed(old);
      if (!now) continue;
      some.push_back(*now);
      if (all.weighted()) weights.push_back(weight_bits(all, i, old));
    }
    to->edges.add(some, weights, kind);
    co_await yield();
  }
}

/// The vertices of a subgraph. The position of a vertex in the subgraph is the number of chosen
/// vertices before it.
class chosen_vertices {
 public:
  /// Reads the mask of a graph with `vertices` vertices: a byte per vertex, which is 0 if the
  /// vertex is not chosen. A task of any PE calls this function and waits.
  static task<chosen_vertices> of(shared_file mask, std::uint64_t vertices) {
    const auto bytes = co_await mapped_part::of(mask, 0, vertices);
    chosen_vertices made;
    made.words_.resize(vertices / k_bits + 1);
    for (std::uint64_t v = 0; v < vertices; ++v)
      if (bytes.data()[v] != std::byte{0}) made.words_[v / k_bits] |= bit_of(v);
    made.before_.push_back(0);
    for (const std::uint64_t word : made.words_)
      made.before_.push_back(made.before_.back() + static_cast<std::uint64_t>(std::popcount(word)));
    co_return made;
  }

  std::uint64_t count() const { return before_.back(); }

  std::optional<edge> operator()(edge old) const {
    if (!contains(old.from) || !contains(old.to)) return std::nullopt;
    return edge{position(old.from), position(old.to)};
  }

 private:
  static constexpr std::uint64_t k_bits = 64;

  static std::uint64_t bit_of(std::uint64_t v) { return std::uint64_t{1} << (v % k_bits); }
  bool contains(std::uint64_t v) const { return (words_[v / k_bits] & bit_of(v)) != 0; }
  std::uint64_t position(std::uint64_t v) const {
    const std::uint64_t lower = words_[v / k_bits] & (bit_of(v) - 1);
    return before_[v / k_bits] + static_cast<std::uint64_t>(std::popcount(lower));
  }

  std::vector<std::uint64_t> words_;   // a bit per vertex
  std::vector<std::uint64_t> before_;  // number of chosen vertices before each word
};

/// Builds a graph with at least `vertices` vertices. Each PE runs `add`, which adds edges to the
/// lists of the builder.
template <class Add>
task<global_graph> built(graph_builder builder, std::uint64_t vertices, Add add) {
  const bool wants_weights = builder.options().arc_weights;
  co_return co_await graph::built_or_discarded(builder, [&]() -> task<global_graph> {
    co_await on_all_pes(add);
    co_await builder.settle(vertices);
    builder.options().arc_weights = wants_weights && builder.edges() != 0;
    co_return co_await builder.build();
  });
}

}  // namespace

task<global_graph> loaded_graph::rebuilt(graph_options options) const {
  options.directed = main_.is_directed();
  auto builder = co_await graph_builder::make(options);
  const auto from = main_.kept_edges("another form of the graph", site::current());
  const auto copy = [from, to = builder.stored()] {
    return copy_edges(from, to, [](edge old) { return std::optional(old); });
  };
  co_return co_await built(builder, main_.vertices(), copy);
}

task<global_graph> loaded_graph::without_weights() {
  if (!main_.has_arc_weights()) co_return main_;
  if (!without_weights_) without_weights_ = co_await rebuilt({});
  co_return *without_weights_;
}

task<global_graph> loaded_graph::least_weights() {
  if (!main_.has_arc_weights()) co_return main_;
  if (!least_weights_)
    least_weights_ = co_await rebuilt({.arc_weights = true, .parallel = parallel_edges::least});
  co_return *least_weights_;
}

task<loaded_graph> loaded_graph::subgraph(arguments& of, progress_view progress) const {
  const std::uint64_t vertices = main_.vertices();
  const descriptor& file = of.file("mask");
  if (bytes_of(file) != vertices)
    fail(errc::input, "mask: {} elements were sent, and the graph has {} vertices", bytes_of(file),
         vertices);
  of.refuse_others();
  graph_options options{.directed = main_.is_directed(), .arc_weights = main_.has_arc_weights()};
  options.progress = progress;
  const shared_file mask = shared_file::of(file);
  const auto chosen = co_await chosen_vertices::of(mask, vertices);
  auto builder = co_await graph_builder::make(options);
  const auto from = main_.kept_edges("a subgraph", site::current());
  const auto copy = [from, to = builder.stored(), mask, vertices]() -> task<> {
    const auto chosen_here = co_await chosen_vertices::of(mask, vertices);
    co_await copy_edges(from, to, chosen_here);
  };
  loaded_graph made;
  made.main_ = co_await built(builder, chosen.count(), copy);
  co_return made;
}

namespace {

/// An edge in an array of the client. If edges have no weights, rows lack the last member.
struct edge_row {
  std::uint64_t from, to;
  std::int64_t weight = 0;
};

std::uint64_t row_bytes(bool weighted) { return weighted ? sizeof(edge_row) : sizeof(edge); }

/// Writes the edges of this PE to the rows of a file. Edges of lower PEs come first. Every PE calls
/// this function.
task<> all_write_rows(per_pe<stored_edges> from, shared_file to, bool weighted) {
  const stored_edges& all = from.local();
  const auto sizes = co_await all_gather(all.size());
  const auto first = std::accumulate(sizes.begin(), sizes.begin() + my_pe(), std::uint64_t{0});
  std::vector<std::uint64_t> words;
  for (std::uint64_t begin = 0; begin < all.size(); begin += k_stretch) {
    words.clear();
    for (std::uint64_t i = begin; i < std::min(begin + k_stretch, all.size()); ++i) {
      const edge e = all(i);
      words.insert(words.end(), {e.from, e.to});
      if (weighted) words.push_back(static_cast<std::uint64_t>(weight_bits(all, i, e)));
    }
    co_await to.write((first + begin) * row_bytes(weighted), std::as_bytes(std::span(words)));
    co_await yield();
  }
}

task<std::vector<edge_row>> rows_in(const descriptor& file, std::uint64_t edges, bool weighted) {
  const auto bytes =
      co_await mapped_part::of(shared_file::of(file), 0, edges * row_bytes(weighted));
  std::vector<edge_row> rows(edges);
  for (std::uint64_t i = 0; i < edges; ++i)
    std::memcpy(&rows[i], bytes.data() + i * row_bytes(weighted), row_bytes(weighted));
  co_return rows;
}

/// Returns whether the rows of one direction have the weights of the rows of the other direction.
/// Both ranges are in ascending order of weights.
bool are_alike(std::span<const edge_row> some, std::span<const edge_row> others) {
  return std::ranges::equal(some, others, {}, &edge_row::weight, &edge_row::weight);
}

/// Sorts the rows of an undirected graph. If all edges between two vertices are listed in both
/// directions with equal weights or without weights, removes the edges from the larger vertex to
/// the smaller one. Returns whether each edge is now listed in one direction only.
bool list_once(std::vector<edge_row>& rows, bool weighted) {
  const auto ends = [](const edge_row& row) { return std::minmax(row.from, row.to); };
  const auto turned = [](const edge_row& row) { return row.from > row.to; };
  const auto key = [=](const edge_row& row) {
    return std::tuple(std::min(row.from, row.to), std::max(row.from, row.to), turned(row),
                      row.weight);
  };
  std::ranges::sort(rows, {}, key);
  bool once = true;
  std::size_t kept = 0;
  for (std::size_t first = 0, end = 0; first < rows.size(); first = end) {
    std::size_t middle = first;
    for (end = first; end < rows.size() && ends(rows[end]) == ends(rows[first]); ++end)
      if (!turned(rows[end])) middle = end + 1;
    const bool both = middle != first && middle != end;
    const std::span<const edge_row> all(rows);
    const bool alike = both && (!weighted || are_alike(all.subspan(first, middle - first),
                                                       all.subspan(middle, end - middle)));
    once = once && (!both || alike);
    for (std::size_t i = first; i < (alike ? middle : end); ++i) rows[kept++] = rows[i];
  }
  rows.resize(kept);
  return once;
}

/// Returns sentences about the parts of a graph that the written file lacks because of its format.
std::vector<std::string> losses(const global_graph& graph, const graph_to_write& written,
                                bool weighted) {
  const auto& traits = traits_of(written.format.edges);
  std::vector<std::string> found;
  if (weighted && written.weights.empty())
    found.push_back(fmt::format("{} has no place for weights, which were left out", written.path));
  if (graph.is_directed() && traits.without_directions)
    found.push_back(
        fmt::format("{} has no place for directions, which were left out", written.path));
  const std::uint64_t named = vertices_of(written.edges);
  if (traits.is_list && !traits.lists_vertices && named < written.vertices)
    found.push_back(
        fmt::format("{} lists edges only: the last {} vertices have none and were left out",
                    written.path, written.vertices - named));
  return found;
}

}  // namespace

task<descriptor> loaded_graph::edges_file() const {
  const auto from = main_.kept_edges("the list of edges", site::current());
  const bool weighted = main_.has_arc_weights();
  auto file = make_memory_file(main_.edges() * row_bytes(weighted));
  const auto write = [from, to = shared_file::of(file), weighted] {
    return all_write_rows(from, to, weighted);
  };
  co_await together(write);
  co_return file;
}

task<> loaded_graph::add_edges(answer& to) const {
  fields_of_row fields{{"src", "<i8"}, {"dst", "<i8"}};
  if (main_.has_arc_weights())
    fields.emplace_back(
        "weight", main_.kept_edges("the list of edges", site::current()).local().has_real_weights()
                      ? "<f8"
                      : "<i8");
  to.add_file(co_await edges_file(), std::move(fields), main_.edges());
}

task<> loaded_graph::write(arguments& of, answer& to, progress_view progress) const {
  graph_to_write graph;
  graph.path = of.path("path");
  of.refuse_others();
  graph.format = file_format_of(graph.path);
  graph.vertices = main_.vertices();
  graph.undirected = !main_.is_directed();
  const bool weighted = main_.has_arc_weights();
  const descriptor file = co_await edges_file();
  std::vector<edge_row> rows = co_await rows_in(file, main_.edges(), weighted);
  const bool once = main_.is_directed() || list_once(rows, weighted);
  if (!once) graph.undirected = false;  // both directions stay, as in the file that was read
  const bool keeps_weights = weighted && has_weights(graph.format.edges);
  for (const auto& row : rows) {
    graph.edges.push_back({row.from, row.to});
    if (keeps_weights) graph.weights.push_back(row.weight);
  }
  const auto& mine = main_.kept_edges("write", site::current()).local();
  graph.weights_are_real = keeps_weights && mine.has_real_weights();
  graph.show_progress = [progress](double done) { progress("writing", done); };
  auto remarks = losses(main_, graph, weighted);
  if (!once)
    remarks.push_back(fmt::format("some edges have another weight in the opposite direction, so {} "
                                  "has both directions of these edges",
                                  graph.path));
  auto written = write_graph(std::move(graph));
  remarks.insert(remarks.end(), written.notes.begin(), written.notes.end());
  if (written.duplicates != 0)
    remarks.push_back(fmt::format("{} edges were left out, because the format holds an edge once",
                                  written.duplicates));
  to.facts["edges"] = written.edges;
  to.facts["bytes"] = written.bytes;
  to.facts["remarks"] = std::move(remarks);
}

}  // namespace atl::serve
