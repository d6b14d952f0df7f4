// Implements the functions of atoll/kernels/forest.hpp.

#include "atoll/graph.hpp"
#include "atoll/graph/edge_sources.hpp"
#include "atoll/graph/io/byte_streams.hpp"
#include "atoll/graph/io/file_format.hpp"
#include "atoll/graph/io/vertex_rows.hpp"
#include "atoll/graph/io/write_edges.hpp"
#include "atoll/kernels/common/repeated.hpp"
#include "atoll/kernels/mst/result.hpp"
#include "atoll/kernels/mst/validation.hpp"
#include "atoll/output_file.hpp"
#include "atoll/sync/by_first_pe.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace atl::kernels::mst {
namespace {

/// If the name `path` belongs to a format whose rows can contain names of vertices, returns this
/// format. For any other name, returns no value.
std::optional<vertex_format> format_of_named_edges(const std::string& path) {
  const std::string_view ending = ending_of_content(path);
  if (ending != "csv" && ending != "tsv" && ending != "txt") return std::nullopt;
  return vertex_format_of(path);
}

/// Appends a row for each edge to `to`: both endpoints and the weight. A vertex with a name is
/// written by its name. Any task may call this function. The task waits, because names may be on
/// other PEs.
task<> append_rows(std::string& to, const std::vector<weighted_edge>& edges,
                   std::optional<vertex_names> names, vertex_style style) {
  std::vector<std::string> ends(2 * edges.size());
  const auto name = [&](std::uint64_t i) -> task<> {
    const vertex_id vertex = i % 2 == 0 ? edges[i / 2].from : edges[i / 2].to;
    if (names) ends[i] = co_await names->name_of(vertex);
    if (ends[i].empty()) ends[i] = std::to_string(vertex);
  };
  co_await local_parallel_for(0, ends.size(), name);
  const char separator = style == vertex_style::csv ? ',' : '\t';
  for (std::size_t i = 0; i < edges.size(); ++i) {
    graph::append_name(to, style, ends[2 * i]);
    to += separator;
    graph::append_name(to, style, ends[2 * i + 1]);
    to += separator + std::to_string(edges[i].weight) + '\n';
  }
}

}  // namespace
}  // namespace atl::kernels::mst

namespace atl {

namespace {

namespace kernel = kernels::mst;

using plain_edges = std::vector<kernel::plain_edge<std::int64_t>>;

/// Collects the input edges of all PEs on the PE of the calling task. The result is in the order of
/// the PEs.
task<plain_edges> gather_input(per_pe<stored_edges> stored) {
  using plain = kernel::plain_edge<std::int64_t>;
  const auto gather = [stored, here = my_pe()]() -> task<received_parts<plain>> {
    const stored_edges& edges = stored.local();
    plain_edges mine;
    for (std::uint64_t i = 0; i < edges.size(); ++i) {
      const edge each = edges(i);
      mine.push_back({each.from, each.to, edges.weight(i, each)});
    }
    co_return co_await all_gather_to(here, std::span<const plain>(mine));
  };
  plain_edges all;
  const auto of_all = co_await from_all_pes(gather);
  for (const auto& mine : of_all) all.insert(all.end(), mine.begin(), mine.end());
  co_return all;
}

task<std::string> name_or_number(global_graph graph, vertex_id vertex) {
  if (vertex < graph.vertices()) co_return co_await graph.name_of(vertex);
  co_return std::to_string(vertex);
}

/// Calls `write(piece)`, a coroutine, for one piece of the edges after another.
template <class Write>
task<> in_pieces(global_array<weighted_edge> edges, Write write) {
  constexpr std::uint64_t some = std::uint64_t{1} << 16;
  std::vector<weighted_edge> piece;
  for (std::uint64_t first = 0; first < edges.size(); first += some) {
    piece.resize(std::min(some, edges.size() - first));
    co_await get(edges, first, piece);
    co_await write(piece);
    co_await yield();
  }
}

task<> write_rows_of(global_array<weighted_edge> edges, std::optional<vertex_names> names,
                     std::string path, vertex_format format) {
  output_file file(path);
  const auto sink = graph::open_sink(file, format.packing);
  if (format.style == vertex_style::csv) sink->write("from,to,weight\n");
  const auto write = [&](const std::vector<weighted_edge>& piece) -> task<> {
    std::string rows;
    co_await kernel::append_rows(rows, piece, names, format.style);
    sink->write(rows);
  };
  co_await in_pieces(edges, write);
  sink->finish();
  file.commit();
}

/// Throws atl::error (input) if vertices have names and the format of the file can only contain
/// numbers.
void refuse_names(const std::string& path, bool vertices_have_names) {
  const auto format = file_format_of(path).edges;
  if (vertices_have_names)
    fail(errc::input,
         "{}: the vertices have names, and files of the format {} have numbers; .csv, .tsv and "
         ".txt have names",
         path, name_of(format));
}

task<> write_numbers(global_array<weighted_edge> edges, bool have_names, std::string path) {
  refuse_names(path, have_names);
  edge_writer writer(path);
  const auto write = [&](const std::vector<weighted_edge>& piece) -> task<> {
    for (const auto& each : piece) writer.write({each.from, each.to}, each.weight);
    co_return;
  };
  co_await in_pieces(edges, write);
  writer.commit();
}

constexpr memory::call_of_one k_forest{"minimum_spanning_forest", "all_minimum_spanning_forest"},
    k_all_forest{"all_minimum_spanning_forest", nullptr}, k_verify{"verify", "all_verify"};

}  // namespace

void check_forest_file(const std::string& path, bool vertices_have_names) {
  if (!kernel::format_of_named_edges(path)) refuse_names(path, vertices_have_names);
  check_output(path);
}

double forest_buffer_bytes(std::uint64_t edges, double pes) {
  return static_cast<double>(kernel::usual_exchange_bytes(edges, pes));
}

bool forest_file_has_weights(const std::string& path) {
  return kernel::format_of_named_edges(path) || has_weights(file_format_of(path).edges);
}

task<spanning_forest> minimum_spanning_forest(global_graph graph, forest_options options,
                                              site where) {
  graph.check(where);
  const memory::named_call call(k_forest, where);
  const auto input = co_await kernel::forest_input::make(graph, where);
  options.progress("spanning", 0.1);
  const spanning_forest found = co_await input.find(kernel::usual_way(), options.progress);
  co_await input.destroy();
  co_return found;
}

struct repeated_forests::state {
  kernel::forest_input input;
};

task<repeated_forests> repeated_forests::make(global_graph graph, site where) {
  graph.check(where);
  repeated_forests made;
  made.state_ = std::make_shared<state>();
  made.state_->input = co_await kernel::forest_input::make(graph, where);
  co_return made;
}

task<spanning_forest> repeated_forests::find(forest_options options, site where) {
  const state& own = kernels::state_of(state_, "repeated forests", where);
  own.input.graph().check(where);
  co_return co_await own.input.find(kernel::usual_way(), options.progress);
}

task<> repeated_forests::destroy(site where) {
  state& own = kernels::state_of(state_, "repeated forests", where);
  own.input.graph().check(where);
  co_await own.input.destroy();
  state_.reset();
}

task<spanning_forest> all_minimum_spanning_forest(global_graph graph, forest_options options,
                                                  site where) {
  const memory::named_call call(k_all_forest, where);
  const auto by_one = [=] { return minimum_spanning_forest(graph, options, where); };
  co_return co_await all_by_first(by_one, where);
}

task<> verify(global_graph graph, spanning_forest found, site where) {
  forest_lives::check_graph(found, graph, where);
  const memory::named_call call(k_verify, where);
  const auto input = co_await gather_input(graph.kept_edges("verify", where));
  plain_edges claimed;
  for (const auto& each : co_await found.gather(where))
    claimed.push_back({each.from, each.to, each.weight});
  const auto check = kernel::check_forest(input, claimed);
  if (!check.right()) {
    const std::string u = co_await name_or_number(graph, check.edge ? check.edge->u : 0);
    const std::string v = co_await name_or_number(graph, check.edge ? check.edge->v : 0);
    fail(errc::wrong_result, "{}: minimum spanning forest: {}", to_string(where), check.text(u, v));
  }
  const auto total = check.weight;
  const total_weight weight(static_cast<std::int64_t>(total >> 64),
                            static_cast<std::uint64_t>(total));
  if (weight != found.weight)
    fail(errc::wrong_result, "{}: the edges of the forest weigh {}, and not {}", to_string(where),
         weight.text(), found.weight.text());
  if (found.trees != graph.vertices() - claimed.size())
    fail(errc::wrong_result, "{}: the forest has {} trees, and not {}", to_string(where),
         graph.vertices() - claimed.size(), found.trees);
}

task<> all_verify(global_graph graph, spanning_forest found, site where) {
  return all_by_first([=] { return verify(graph, found, where); }, where);
}

std::vector<weighted_edge> serial_spanning_forest(std::vector<weighted_edge> edges) {
  plain_edges plain;
  plain.reserve(edges.size());
  for (const auto& [from, to, weight] : edges) {
    if (std::max(from, to) > largest_vertex)
      fail(errc::input, "the edge {} - {} has an end above {}", from, to, largest_vertex);
    plain.push_back({from, to, weight});
  }
  const auto lightest = kernel::lightest_forest(std::move(plain));
  edges.clear();
  for (const auto& [u, v, weight] : lightest) edges.push_back({u, v, weight});
  std::ranges::sort(edges, {}, [](const auto& e) { return std::pair(e.from, e.to); });
  return edges;
}

std::string total_weight::text() const {
  return fmt::format("{}", static_cast<kernel::int128>(high_) << 64 | low_);
}

double total_weight::approximate() const {
  return static_cast<double>(static_cast<kernel::int128>(high_) << 64 | low_);
}

std::int64_t total_weight::value() const {
  const auto value = static_cast<std::int64_t>(low_);
  if (high_ != (value < 0 ? -1 : 0))
    fail(errc::input, "64 bits do not hold the weight {}; see text() and approximate()", text());
  return value;
}

task<std::vector<weighted_edge>> spanning_forest::gather(site where) const {
  const spanning_forest self = *this;
  forest_lives::check(self, where);
  std::vector<weighted_edge> all(self.edges.size());
  co_await get(self.edges, 0, all, where);
  co_return all;
}

task<> spanning_forest::write(std::string path, site where) const {
  const spanning_forest self = *this;
  forest_lives::check(self, where);
  if (my_pe() != 0)
    fail(errc::input, "{}: {}: PE 0 writes files, not PE {}; all_write is called by every PE",
         to_string(where), path, my_pe());
  const auto names = forest_lives::names(self, where);
  if (const auto format = kernel::format_of_named_edges(path))
    co_await write_rows_of(self.edges, names, path, *format);
  else
    co_await write_numbers(self.edges, names.has_value(), path);
}

task<> spanning_forest::destroy(site where) const {
  const spanning_forest self = *this;
  forest_lives::check(self, where);
  co_await self.edges.destroy(where);
}

task<> spanning_forest::all_write(std::string path, site where) const {
  const auto by_one = [self = *this, path = std::move(path), where] {
    return self.write(path, where);
  };
  return all_by_first(by_one, where);
}

task<> spanning_forest::all_destroy(site where) const {
  return all_by_first([self = *this, where] { return self.destroy(where); }, where);
}

}  // namespace atl
