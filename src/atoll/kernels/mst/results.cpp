// Minimum spanning forests as programs ask for them.

#include "atoll/graph/io/byte_sink.hpp"
#include "atoll/graph/io/write_edges.hpp"
#include "atoll/kernels/forest.hpp"
#include "atoll/kernels/mst/find.hpp"
#include "atoll/kernels/mst/named_edges.hpp"
#include "atoll/kernels/mst/validation.hpp"
#include "atoll/kernels/mst/weights.hpp"
#include "atoll/output_file.hpp"
#include "atoll/sync/by_first_pe.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace atl {

/// Which memory a forest has, and of which graph it is.
struct forest_lives {
  static void begin(spanning_forest& made, const global_graph& graph) {
    made.of_edges_ = made.edges.life();
    made.of_graph_ = graph.life();
    made.names_ = graph.names();
    made.has_names_ = made.names_.any();
  }
  /// The names of its vertices, if they have any.
  static std::optional<vertex_names> names(const spanning_forest& one, site where) {
    if (!one.has_names_) return std::nullopt;
    one.of_graph_.check("the graph of the forest", where);
    return one.names_;
  }
  static void check(const spanning_forest& one, site where) {
    one.of_edges_.check("the forest", where);
  }
  static void check_graph(const spanning_forest& one, const global_graph& graph, site where) {
    graph.check(where);
    check(one, where);
    graph.check_graph_of_result(one.of_graph_, where);
  }
};

namespace {

namespace kernel = kernels::mst;

/// What the steps on all PEs need to know, as it travels.
template <class Word>
struct forest_work {
  per_pe<stored_edges> stored;
  per_pe<kernel::forest_part<Word>> parts;
  kernel::one_sided_memory memory;
  std::uint64_t vertices = 0;
  std::int64_t lightest = 0;
};

/// The least and the largest weight of all PEs. One task calls it.
task<kernel::weight_range> range_of_all(per_pe<stored_edges> stored) {
  const auto look = [stored]() -> task<kernel::weight_range> {
    const kernel::stored_weights weight(stored.local());
    const auto mine = kernel::range_of(stored.local(), weight);
    co_return co_await all_reduce(mine, &kernel::weight_range::of_both);
  };
  return from_all_pes(look);
}

template <class Word>
task<kernel::run_outcome> all_find(forest_work<Word> work) {
  const stored_edges& edges = work.stored.local();
  const kernel::stored_weights weight(edges);
  const auto input = kernel::raw_edges<Word>(edges, weight, work.lightest);
  const kernel::parameters usual;
  kernel::forest_part<Word>& here = work.parts.local();
  here.others.emplace(work.memory, 1);
  co_return co_await kernel::all_run(here.mine, *here.others, usual, input, work.vertices,
                                     work.lightest, &here.numbered);
}

/// The edges of the forest that this PE has numbered.
template <class Word>
task<std::vector<weighted_edge>> all_edges_here(forest_work<Word> work) {
  kernel::forest_part<Word>& here = work.parts.local();
  const auto found = co_await kernel::all_forest_edges(here.mine, here.numbered, *here.others);
  std::vector<weighted_edge> mine;
  for (const auto& each : found) {
    const std::uint64_t weight = each.weight + static_cast<std::uint64_t>(work.lightest);
    mine.push_back({each.u, each.v, static_cast<std::int64_t>(weight)});
  }
  co_return mine;
}

/// Stores them behind those of the PEs before.
template <class Word>
task<> all_store(forest_work<Word> work, global_array<weighted_edge> to) {
  const auto mine = co_await all_edges_here(work);
  const auto counts = co_await all_gather(std::uint64_t{mine.size()});
  std::uint64_t first = 0;
  for (int pe = 0; pe < my_pe(); ++pe) first += counts[static_cast<std::size_t>(pe)];
  co_await put(to, first, std::span<const weighted_edge>(mine));
}

template <class Word>
task<spanning_forest> find(global_graph graph, per_pe<stored_edges> stored, std::int64_t lightest,
                           progress_view progress) {
  forest_work<Word> work;
  work.stored = stored;
  work.vertices = graph.vertices();
  work.lightest = lightest;
  work.parts = co_await per_pe<kernel::forest_part<Word>>::make();
  work.memory =
      co_await kernel::one_sided_memory::make(kernel::usual_exchange_bytes(graph.edges(), pes()));
  const kernel::run_outcome outcome = co_await from_all_pes([work] { return all_find(work); });
  progress("spanning", 0.8);
  spanning_forest found;
  found.trees = graph.vertices() - outcome.forest_edges;
  const auto total = outcome.weight.value();
  found.weight = {static_cast<std::int64_t>(total >> 64), static_cast<std::uint64_t>(total)};
  found.id_bits = 8 * sizeof(Word);
  found.seconds = outcome.seconds;
  found.edges_left = outcome.edges;
  found.iterations = outcome.iterations;
  const auto& spent = outcome.spent;
  found.spent = {spent.filter, spent.build, spent.contract, spent.ghosts,
                 spent.merge,  spent.ring,  spent.post};
  found.edges = co_await make_array<weighted_edge>(outcome.forest_edges);
  co_await together([work, to = found.edges] { return all_store(work, to); });
  co_await work.memory.destroy();
  co_await work.parts.destroy();
  forest_lives::begin(found, graph);
  progress("spanning", 1);
  co_return found;
}

using plain_edges = std::vector<kernel::plain_edge<std::int64_t>>;

/// The edges of the input, all of them on the PE of the task.
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

/// Calls `write(piece)`, a coroutine, with some edges after others.
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

/// Of files whose vertices are numbers.
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

bool forest_file_has_weights(const std::string& path) {
  return kernel::format_of_named_edges(path) || has_weights(file_format_of(path).edges);
}

task<spanning_forest> minimum_spanning_forest(global_graph graph, forest_options options,
                                              site where) {
  graph.check(where);
  const memory::named_call call(k_forest, where);
  const auto stored = graph.kept_edges("minimum_spanning_forest", where);
  if (!graph.has_weights() && graph.edges() != 0) {
    const auto& fault = stored->weights_fault;
    fail(errc::input, "{}: minimum_spanning_forest: {}", to_string(where),
         fault ? fault->what() : "the edges of the graph have no weights");
  }
  const kernel::weight_range weights = co_await range_of_all(stored);
  options.progress("spanning", 0.1);
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  const bool is_narrow = std::max(graph.vertices(), graph.edges()) < most && weights.span() <= most;
  if (is_narrow && !graph.has_wide_ids())
    co_return co_await find<std::uint32_t>(graph, stored, weights.lightest, options.progress);
  co_return co_await find<std::uint64_t>(graph, stored, weights.lightest, options.progress);
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
