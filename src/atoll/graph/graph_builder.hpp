#pragma once
// Templates that make a graph from edges. A function of the program returns the edges. Only the end
// of atoll/graph.hpp includes this file.

namespace atl {

namespace graph {

/// Awaits `steps()`, which builds a graph by `builder` and returns the graph. If `steps()` throws,
/// everything that `builder` has made is destroyed, and the exception is rethrown.
template <class Steps>
task<global_graph> built_or_discarded(graph_builder& builder, Steps steps) {
  std::exception_ptr failure;
  try {
    co_return co_await steps();
  } catch (...) {
    failure = std::current_exception();
  }
  co_await builder.discard();
  std::rethrow_exception(failure);
}

void add_edges(std::span<const edge> some, packed_edges& to);
void add_edges(std::span<const weighted_edge> some, packed_edges& to);
void add_edges(std::span<const real_weighted_edge> some, packed_edges& to);

/// Adds this PE's share of the edges `edge_at(0)` to `edge_at(count - 1)`.
template <class EdgeAt>
task<> add_share(packed_edges& to, std::uint64_t count, const EdgeAt& edge_at) {
  const auto all = static_cast<std::uint64_t>(pes());
  const auto rank = static_cast<std::uint64_t>(my_pe());
  const std::uint64_t share = ceil_divide(count, all);
  const std::uint64_t first = std::min(count, share * rank);
  using edge_type = std::invoke_result_t<const EdgeAt&, std::uint64_t>;
  std::vector<edge_type> some;
  const auto add = [&](std::uint64_t begin, std::uint64_t end) {
    some.clear();
    for (std::uint64_t i = begin; i < end; ++i) some.push_back(edge_at(i));
    add_edges(std::span<const edge_type>(some), to);
  };
  co_await in_stretches(first, std::min(count, first + share), add);
}

}  // namespace graph

namespace graph {
inline constexpr memory::call_of_one k_make_graph{"make_graph", "all_make_graph"};
}  // namespace graph

template <edge_function EdgeAt>
task<global_graph> make_graph(std::uint64_t count, EdgeAt edge_at, graph_options options,
                              site where) {
  const memory::named_call call(graph::k_make_graph, where);
  auto builder = co_await graph_builder::make(options);
  const auto add = [stored = builder.stored(), count, edge_at]() -> task<> {
    co_await graph::add_share(stored->edges, count, edge_at);
  };
  const auto steps = [&]() -> task<global_graph> {
    co_await on_all_pes(add);
    co_await builder.settle();
    co_return co_await builder.build();
  };
  co_return co_await graph::built_or_discarded(builder, steps);
}

}  // namespace atl
