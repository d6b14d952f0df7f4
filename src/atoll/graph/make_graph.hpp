#pragma once
// Functions by which one task makes a graph over all PEs: from a file, at random, or from edges of
// each PE.

#include "atoll/collectives.hpp"
#include "atoll/error.hpp"
#include "atoll/graph/build.hpp"
#include "atoll/graph/kronecker.hpp"
#include "atoll/graph/load.hpp"
#include "atoll/log.hpp"

#include <limits>
#include <string>

namespace atl {

/// A function object that returns the calling PE's share of the edges of a random graph.
template <class Generator>
class random_edges {
 public:
  explicit random_edges(const generator_parameters& parameters) : parameters_(parameters) {}
  generated_edges<Generator> operator()() const { return generated_edges<Generator>(parameters_); }

 private:
  generator_parameters parameters_;
};

/// A function object that returns the edges that are stored on the calling PE. Reading the edges
/// frees their memory, so a caller must not read an edge again.
class edges_passing_by {
 public:
  explicit edges_passing_by(per_pe<stored_edges> everywhere) : everywhere_(everywhere) {}
  passing_edges operator()() const { return passing_edges(everywhere_.local()); }

 private:
  per_pe<stored_edges> everywhere_;
};

/// Builds a graph from edges that lie on all PEs. `edges()` is called on every PE and returns an
/// edge_source with the edges of that PE. `weighing()` is called on every PE, too, and returns an
/// `arc_weighing` if arcs get weights. One task calls this function and waits. Throws `error`
/// (input) if the numbers of vertices do not fit in Id. The caller may free the memory of the graph
/// by `destroy`. The end of the job frees the memory of graphs that were not destroyed.
template <class Id, class EdgesOfPe, class WeighingOfPe>
task<distributed_graph<Id>> make_weighted_graph(graph_size size, orientation arcs_are,
                                                EdgesOfPe edges, hub_rows hubs, row_order order,
                                                WeighingOfPe weighing) {
  if (size.vertices > std::numeric_limits<Id>::max())
    fail(errc::input, "a graph of {} vertices needs ids of more than {} bits", size.vertices,
         std::numeric_limits<Id>::digits);
  using arrivals = graph::arrivals<Id, std::invoke_result_t<WeighingOfPe>>;
  const auto graph = co_await distributed_graph<Id>::make();
  const auto arriving = co_await per_pe<arrivals>::make();
  const auto build = [=]() -> task<> {
    const auto& mine = edges();
    const auto how = weighing();
    co_await all_build(graph, arriving, mine, size, arcs_are, hubs, order, how);
  };
  co_await together(build);
  co_await arriving.destroy();
  co_return graph;
}

/// Builds a graph like `make_weighted_graph`, but the arcs have no weights.
template <class Id, class EdgesOfPe>
task<distributed_graph<Id>> make_graph(graph_size size, orientation arcs_are, EdgesOfPe edges,
                                       hub_rows hubs = hub_rows::whole,
                                       row_order order = row_order::by_degree) {
  return make_weighted_graph<Id>(size, arcs_are, edges, hubs, order, [] { return no_weighing(); });
}

/// Loads a graph from a file of edges or from a BVGraph (.graph). A file of edges is an .el, .wel,
/// .tsv, .txt or .csv, which may be compressed with gzip or zstd. One task calls this function and
/// waits. Throws `error` (input), which names the file and the place of the mistake.
template <class Id = std::uint32_t>
task<distributed_graph<Id>> load_graph(std::string path,
                                       orientation arcs_are = orientation::undirected,
                                       hub_rows hubs = hub_rows::whole) {
  const auto edges = co_await per_pe<stored_edges>::make();
  const auto names = co_await vertex_names::make();
  graph_files files;
  files.edges = std::move(path);
  files.form.without_weights = true;
  const graph_size size = co_await load_edges(files, edges, names);
  for (const auto& remark : edges->remarks) log::warning("{}", remark);
  const auto graph = co_await make_graph<Id>(size, arcs_are, edges_passing_by(edges), hubs);
  co_await names.destroy();
  co_await edges.destroy();
  co_return graph;
}

/// Makes the Kronecker graph of Graph500. One task calls this function and waits.
template <class Id = std::uint32_t>
task<distributed_graph<Id>> make_kronecker_graph(generator_parameters parameters,
                                                 hub_rows hubs = hub_rows::whole) {
  const graph_size size{parameters.vertices(), parameters.edges()};
  const random_edges<kronecker_generator> edges(parameters);
  co_return co_await make_graph<Id>(size, orientation::undirected, edges, hubs);
}

}  // namespace atl
