#include "atoll/graph_files.hpp"

#include "atoll/graph/distributed_graph.hpp"
#include "atoll/graph/io/byte_streams.hpp"
#include "atoll/graph/io/read_edges.hpp"
#include "atoll/graph/load.hpp"
#include "atoll/loops.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace atl {

file_format recognised_format(const graph_files& files) {
  return recognised_format(files.edges, options_of(files));
}

file_format format_as_packed(const graph_files& files, edge_format edges) {
  return format_as_packed(files.edges, edges, options_of(files));
}

std::uint64_t bytes_of_file(const graph_files& files, edge_format format) {
  return graph::input_file(files_of(files.edges, format)[0], files.content).size();
}

guessed_graph guess_graph(const graph_files& files) {
  return guess_graph(files.edges, options_of(files));
}

// Returns the number of bytes that `packed_edges` needs for the edges, if each endpoint takes as
// many bits as the largest endpoint.
double bytes_of_stored(graph_size size, unsigned weight_bits) {
  const auto numbers = size.vertices == 0 ? 2 * size.edges : size.vertices;
  const auto bits = std::bit_width(numbers == 0 ? 0 : numbers - 1);
  return static_cast<double>(size.edges) *
         static_cast<double>(2 * bits + static_cast<int>(weight_bits)) / 8;
}

bytes_of_graph::bytes_of_graph(const load_demand& demand) {
  const auto id = static_cast<double>(demand.id_bytes);
  const auto vertices = static_cast<double>(demand.size.vertices);
  const auto pes = static_cast<double>(demand.pes);
  const double arcs = static_cast<double>(demand.size.edges) * (demand.undirected ? 2 : 1);
  constexpr double offset = 8, count = 4;
  constexpr double gathered_copies = 2;  // a PE holds a received copy and a copy in use
  stored = demand.edges == file_edges::none ? 0 : bytes_of_stored(demand.size, demand.weight_bits);
  const bool by_degree = demand.undirected && !demand.arc_weights;
  const double weight = demand.arc_weights ? 8 : 0;
  built = arcs * (id + weight) + vertices * (offset + count + (by_degree ? id : 0));
  // Arcs that have arrived (row_bins.hpp) are stored with a row number of 16 bits. If arcs have
  // weights, the target is padded to a multiple of 8 bytes. About 4 % of the memory for arriving
  // arcs stays unused.
  const double arriving =
      arcs * ((demand.arc_weights ? weight + std::max(8.0, 2 * id) : id) + 2) * 1.04;
  const double rows = arriving + vertices * (offset + count);
  window =
      std::min(vertices, static_cast<double>(graph::window_of(demand.size.vertices, demand.pes)));
  const double ordering = by_degree ? built + arcs + vertices + pes * gathered_copies * window : 0;
  const double made = std::max(rows, ordering);
  building = demand.edges == file_edges::kept ? stored + made : std::max(stored, made);
}

edges_of_file read_all_edges(const graph_files& files) {
  const auto show = [&](double done) {
    if (files.show_progress) files.show_progress(done);
  };
  edge_list list = read_edges(files.edges, show, options_of(files));
  edges_of_file found;
  found.weight_column = list.weight_column;
  found.columns_left_out = columns_left_out(list);
  found.weights_are_real = list.weights_are_real;
  if (list.has_lost_weights()) found.why_no_weights = list.weights_fault->what();
  if (list.declared) found.declared_vertices = list.declared->vertices;
  found.uses_names = list.uses_names;
  found.undirected = list.undirected;
  found.lines = list.lines;
  found.edges = std::move(list.edges);
  found.weights = std::move(list.weights);
  found.names = std::move(list.names);
  found.remarks = std::move(list.remarks);
  return found;
}

task<global_edges> global_edges::make() {
  global_edges made;
  made.edges_ = co_await per_pe<stored_edges>::make();
  made.names_ = co_await vertex_names::make();
  co_return made;
}

task<graph_size> global_edges::read(const graph_files& files) const {
  return load_edges(files, edges_, names_);
}

task<> global_edges::clear() const {
  return on_all_pes([edges = edges_, names = names_] {
    edges->edges = packed_edges();
    names.local() = graph::name_part();
  });
}

task<> global_edges::destroy() const {
  const global_edges self = *this;
  co_await self.names_.destroy();
  co_await self.edges_.destroy();
}

}  // namespace atl
