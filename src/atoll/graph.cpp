#include "atoll/graph.hpp"

#include "atoll/graph/arc_weights.hpp"
#include "atoll/graph/compact_ids.hpp"
#include "atoll/graph/io/field.hpp"
#include "atoll/graph/load.hpp"
#include "atoll/graph/make_graph.hpp"
#include "atoll/log.hpp"
#include "atoll/sync/by_first_pe.hpp"

#include <limits>
#include <unordered_map>

namespace atl {
namespace {

/// Adds the edges of a span to those of this PE, in stretches, so that other tasks get their turn.
template <class Edge>
task<> add_all(std::span<const Edge> all, packed_edges& to) {
  const auto add = [&](std::uint64_t begin, std::uint64_t end) {
    graph::add_edges(all.subspan(begin, end - begin), to);
  };
  co_await graph::in_stretches(0, all.size(), add);
}

template <class Edge>
task<global_graph> graph_of(global_array<Edge> edges, graph_options options, site where) {
  const memory::named_call call(graph::k_make_graph, where);
  auto builder = co_await graph_builder::make(options);
  const auto add = [stored = builder.stored(), edges]() -> task<> {
    const std::span<const Edge> mine = edges.local();
    co_await add_all(mine, stored->edges);
  };
  const auto steps = [&]() -> task<global_graph> {
    co_await on_all_pes(add);
    co_await builder.settle();
    co_return co_await builder.build();
  };
  co_return co_await graph::built_or_discarded(builder, steps);
}

/// Throws on all PEs if any PE has a name that files could not hold. Every PE calls it.
task<> all_check_names(std::span<const std::string_view> mine) {
  const auto is_bad = [](std::string_view name) {
    return name.empty() || name.find_first_of("\n\r") != std::string_view::npos;
  };
  const int bad = std::ranges::any_of(mine, is_bad) ? 1 : 0;
  if (co_await all_reduce(bad, [](int a, int b) { return a | b; }) != 0)
    fail(errc::input, "all_make_graph: the name of a vertex is empty, or has a line break");
}

/// Numbers the names at the endpoints of all PEs' edges. Returns the edges of this PE with these
/// numbers. Every PE calls it.
task<std::vector<edge>> all_number(std::span<const std::string_view> ends,
                                   graph::name_part& names) {
  std::unordered_map<std::string_view, std::uint64_t> places;
  std::vector<std::string> different;
  const auto place_of = [&](std::string_view name) {
    const auto [found, is_new] = places.try_emplace(name, different.size());
    if (is_new) different.emplace_back(name);
    return found->second;
  };
  std::vector<edge> edges;
  const auto place = [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      const std::uint64_t from = place_of(ends[2 * i]);
      edges.push_back({from, place_of(ends[2 * i + 1])});
    }
  };
  co_await graph::in_stretches(0, ends.size() / 2, place);
  const auto numbers = co_await graph::all_number_names(std::move(different), names);
  co_await graph::all_index_names(names);
  for (edge& each : edges) each = {numbers[each.from], numbers[each.to]};
  co_return edges;
}

task<> all_add_checked(per_pe<stored_edges> to, vertex_names names,
                       std::span<const std::string_view> ends,
                       std::span<const std::int64_t> weights = {},
                       weight_kind kind = weight_kind::integer) {
  const std::vector<edge> edges = co_await all_number(ends, names.local());
  const auto add = [&](std::uint64_t begin, std::uint64_t end) {
    to->edges.add(std::span(edges).subspan(begin, end - begin),
                  weights.empty() ? weights : weights.subspan(begin, end - begin), kind);
  };
  co_await graph::in_stretches(0, edges.size(), add);
}

task<global_graph> finished(graph_builder& builder) {
  const auto steps = [&builder]() -> task<global_graph> {
    co_await builder.settle();
    co_return co_await builder.build();
  };
  co_return co_await graph::built_or_discarded(builder, steps);
}

/// A builder on PE 0, with the handles that all PEs need.
struct shared_builder {
  std::optional<graph_builder> of_first;
  per_pe<stored_edges> stored;
  vertex_names names;
};

task<shared_builder> all_begin(graph_options options) {
  const std::uint64_t told = (options.directed ? 1u : 0u) | (options.ids == ids::any ? 2u : 0u) |
                             (options.keep_edges ? 4u : 0u) | (options.arc_weights ? 8u : 0u) |
                             (options.reversed ? 16u : 0u) | (options.divide_hubs ? 32u : 0u) |
                             (options.ascending_neighbours ? 64u : 0u) |
                             (options.wide_ids ? 128u : 0u) | (options.edges_only ? 256u : 0u) |
                             (options.parallel == parallel_edges::least ? 512u : 0u);
  co_await all_check_same(told, "all_make_graph: options");
  shared_builder begun;
  if (my_pe() == 0) {
    begun.of_first.emplace(co_await graph_builder::make(options));
    begun.stored = begun.of_first->stored();
    begun.names = begun.of_first->names();
  }
  begun.stored = co_await all_broadcast(begun.stored);
  begun.names = co_await all_broadcast(begun.names);
  co_return begun;
}

constexpr memory::call_of_one k_all_make_graph{"all_make_graph", nullptr};

template <class Edge>
task<global_graph> all_graph_of(std::span<const Edge> mine, graph_options options, site where) {
  const memory::named_call call(k_all_make_graph, where);
  auto builder = co_await all_begin(options);
  co_await add_all(mine, builder.stored->edges);
  co_return co_await all_by_first([&builder] { return finished(*builder.of_first); });
}

/// Properties of the edges of all PEs together.
struct edges_found {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  int weighted = 0;        ///< 1 if weights are stored
  int leaves_weights = 0;  ///< 1 if there are weights that are not stored

  static edges_found of_both(const edges_found& a, const edges_found& b) {
    return {std::max(a.vertices, b.vertices), a.edges + b.edges, a.weighted | b.weighted,
            a.leaves_weights | b.leaves_weights};
  }
};

task<edges_found> look_at(per_pe<stored_edges> stored) {
  const auto look = [stored]() -> task<edges_found> {
    const auto either = [](int a, int b) { return a | b; };
    const int real = stored->real_weights || stored->edges.has_real_weights() ? 1 : 0;
    stored->real_weights = co_await all_reduce(real, either) != 0;
    const packed_edges& mine = stored->edges;
    edges_found found{mine.vertices(), mine.size(), mine.weighted() ? 1 : 0,
                      stored->leaves_out_weights ? 1 : 0};
    const bool has_largest_id = mine.size() != 0 && found.vertices == 0;  // the largest id + 1 has
                                                                          // wrapped around to 0
    if (has_largest_id) found.vertices = ~std::uint64_t{0};
    co_return co_await all_reduce(found, &edges_found::of_both);
  };
  co_return co_await from_all_pes(look);
}

}  // namespace

void graph::add_edges(std::span<const edge> some, packed_edges& to) { to.add(some); }

void graph::add_edges(std::span<const weighted_edge> some, packed_edges& to) {
  std::vector<edge> ends;
  std::vector<std::int64_t> weights;
  for (const weighted_edge& each : some) {
    ends.push_back({each.from, each.to});
    weights.push_back(each.weight);
  }
  to.add(ends, weights);
}

void graph::add_edges(std::span<const real_weighted_edge> some, packed_edges& to) {
  std::vector<edge> ends;
  std::vector<std::int64_t> weights;
  for (const real_weighted_edge& each : some) {
    ends.push_back({each.from, each.to});
    weights.push_back(std::bit_cast<std::int64_t>(each.weight));
  }
  to.add(ends, weights, weight_kind::real);
}

// ---- the handle

int global_graph::owner_of(vertex_id vertex, site where) const {
  check(where);
  if (vertices_ == 0) fail(errc::input, "{}: the graph has no vertices", to_string(where));
  if (vertex == no_vertex)
    fail(errc::input, "{}: no_vertex, the largest number of 64 bits, was used as a vertex",
         to_string(where));
  if (vertex >= vertices_)
    fail(errc::input, "{}: there is no vertex {}: the graph has {} (0 to {})", to_string(where),
         vertex, vertices_, vertices_ - 1);
  return layout_->shape.owner(vertex);
}

std::uint64_t global_graph::row_of(vertex_id vertex, site where) const {
  if (const int owner = owner_of(vertex, where); owner != my_pe())
    fail(errc::input, "{}: PE {} asks for the neighbours of vertex {}, which PE {} owns",
         to_string(where), my_pe(), vertex, owner);
  if (edges_only_) refuse_without_neighbours(where);
  if (divides_hubs_ &&
      on_ids([&](auto rows) { return rows->shape.hub_number(vertex).has_value(); }))
    fail(errc::input, "{}: the neighbours of vertex {} are divided over all PEs (divide_hubs)",
         to_string(where), vertex);
  return vertex - layout_->shape.begin(my_pe());
}

void global_graph::check_whole_rows(std::string_view what_for, site where) const {
  check_neighbours(where);
  if (divides_hubs_)
    fail(
        errc::input,
        "{}: {} needs all neighbours of a vertex on its PE: leave out divide_hubs of graph_options",
        to_string(where), what_for);
}

std::uint64_t global_graph::degree(vertex_id vertex, site where) const {
  const std::uint64_t row = row_of(vertex, where);
  return on_ids([&](auto rows) { return rows->row(row).size(); });
}

void global_graph::refuse_result(std::uint64_t size, site where) const {
  fail(errc::input, "{}: the result is of {} vertices, and the graph has {}", to_string(where),
       size, vertices_);
}

void global_graph::refuse_result_of_another(site where) {
  fail(errc::input, "{}: the result is of another graph", to_string(where));
}

void global_graph::refuse_without_neighbours(site where) {
  fail(errc::input, "{}: the graph has edges and no neighbours of vertices (edges_only)",
       to_string(where));
}

void global_graph::refuse_without_arc_weights(site where) {
  fail(errc::input, "{}: the arcs of the graph have no weights: set arc_weights of graph_options",
       to_string(where));
}

task<std::optional<vertex_id>> global_graph::find(std::string name, site where) const {
  const global_graph self = *this;
  self.check(where);
  const auto named = co_await self.names_.find(name);
  if (named || self.names_.are_ids()) co_return named;
  std::uint64_t vertex = 0;
  const bool is_number = graph::read_vertex(name, vertex) == graph::vertex_text::number;
  if (!is_number || vertex >= self.vertices_) co_return std::nullopt;
  const std::string of_vertex = co_await self.names_.name_of(vertex);
  if (!of_vertex.empty()) co_return std::nullopt;
  co_return vertex;
}

task<vertex_id> global_graph::vertex_called(std::string name, site where) const {
  const global_graph self = *this;
  const auto found = co_await self.find(name, where);
  if (found) co_return *found;
  if (self.names_.any() && !self.names_.are_ids())
    fail(errc::input, "{}: no vertex is called '{}'", to_string(where), name);
  fail(errc::input, "{}: there is no vertex {}, and vertices have no other names than numbers",
       to_string(where), name);
}

task<std::string> global_graph::name_of(vertex_id vertex, site where) const {
  const global_graph self = *this;
  static_cast<void>(self.owner_of(vertex, where));
  std::string name = co_await self.names_.name_of(vertex);
  if (name.empty()) name = std::to_string(vertex);
  co_return name;
}

per_pe<stored_edges> global_graph::kept_edges(std::string_view what_for, site where) const {
  if (!keeps_edges_)
    fail(errc::input, "{}: {} looks at the edges of the input: set keep_edges of graph_options",
         to_string(where), what_for);
  return stored_;
}

std::uint64_t graph_statistics::arcs() const {
  std::uint64_t sum = 0;
  for (const part_statistics& part : parts) sum += part.arcs;
  return sum;
}

double graph_statistics::balance() const {
  std::uint64_t most = 0;
  for (const part_statistics& part : parts) most = std::max(most, part.arcs);
  if (most == 0) return 1;
  return static_cast<double>(most) * static_cast<double>(parts.size()) /
         static_cast<double>(arcs());
}

task<graph_statistics> global_graph::statistics(site where) const {
  const global_graph self = *this;
  self.check(where);
  graph_statistics found;
  const graph::vertex_layout& layout = self.layout_.local();
  found.read_seconds = layout.read_seconds;
  found.scan_seconds = layout.scan_seconds;
  found.build_seconds = layout.build_seconds;
  found.id_bits = self.is_wide_ ? 64 : 32;
  found.hubs = self.on_ids([](auto rows) { return rows->shape.hubs.size(); });
  const auto look = [self]() -> task<std::vector<part_statistics>> {
    const part_statistics mine = self.on_ids(
        [](auto rows) { return part_statistics{rows->vertices, rows->arcs(), rows->bytes()}; });
    co_return co_await all_gather(mine);
  };
  found.parts = co_await from_all_pes(look, where);
  co_return found;
}

task<> global_graph::destroy(site where) const {
  const global_graph self = *this;
  self.check(where);
  if (self.is_wide_)
    co_await self.wide_.destroy();
  else
    co_await self.narrow_.destroy();
  co_await self.layout_.destroy();
  co_await self.names_.destroy();
  co_await self.stored_.destroy();
}

task<> global_graph::all_destroy(site where) const {
  return all_by_first([self = *this, where] { return self.destroy(where); }, where);
}

// ---- building one

task<graph_builder> graph_builder::make(graph_options options) {
  graph_builder begun;
  begun.options_ = options;
  begun.stored_ = begun.made_.stored_ = co_await per_pe<stored_edges>::make();
  begun.made_.names_ = co_await vertex_names::make();
  co_return begun;
}

task<> all_add_named_edges(per_pe<stored_edges> to, vertex_names names,
                           std::span<const std::string_view> ends,
                           std::span<const std::int64_t> weights, weight_kind kind) {
  co_await all_check_names(ends);
  co_await all_add_checked(to, names, ends, weights, kind);
}

task<> graph_builder::read(std::string path) {
  graph_files files;
  files.edges = std::move(path);
  files.names = options_.names;
  files.compact = options_.ids == ids::any;
  files.form.weight_column = options_.weight_column;
  files.form.skip_lines = options_.skip_lines;
  files.form.without_weights = !options_.keep_edges && !options_.arc_weights;
  files.form.real_weights = true;
  co_await read(std::move(files));
  for (const auto& remark : notes_.remarks) log::warning("{}", remark);
}

namespace {

/// Returns the longest scan time of all PEs.
task<double> longest_scan(per_pe<stored_edges> edges) {
  const auto longest = [edges] {
    return all_reduce(edges->scan_seconds, [](double a, double b) { return std::max(a, b); });
  };
  co_return co_await from_all_pes(longest);
}

}  // namespace

task<> graph_builder::read(graph_files files) {
  files.show_progress = [this](double done) { options_.progress("reading", done); };
  const auto start = now();
  const graph_size size = co_await load_edges(files, stored_, made_.names_);
  read_seconds_ = seconds_since(start);
  scan_seconds_ = co_await longest_scan(stored_);
  const stored_edges& here = stored_.local();
  notes_ = {here.remarks, here.undirected, here.weight_column, here.columns_left_out,
            here.weights_fault && !here.real_weights ? here.weights_fault->what() : ""};
  file_ = files.edges;
  const edges_found found = co_await look_at(stored_);
  made_.has_weights_ = found.weighted != 0;
  made_.leaves_out_weights_ = found.leaves_weights != 0;
  made_.vertices_ = size.vertices;
  made_.edges_ = size.edges;
}

task<> graph_builder::generate(generator_parameters of) {
  const random_graph_generator refuses_what_is_out_of_range(of);
  co_await on_all_pes([stored = stored_, of] {
    stored->random.emplace(of);
    stored->hashes_weights = true;
    stored->weight_seed = of.seed;
  });
  made_.has_weights_ = true;
  made_.vertices_ = of.vertices();
  made_.edges_ = of.edges();
}

task<> graph_builder::hash_weights(std::uint64_t seed, std::uint32_t largest) {
  co_await on_all_pes([stored = stored_, seed, largest] {
    stored->hashes_weights = true;
    stored->largest_weight = largest;
    stored->weight_seed = seed;
  });
  made_.has_weights_ = true;
}

task<std::pair<double, double>> graph_builder::weight_range() const {
  if (!made_.has_weights_ || made_.edges_ == 0) co_return std::pair<double, double>();
  const auto look = [stored = stored_]() -> task<std::vector<double>> {
    const stored_edges& mine = stored.local();
    // One minimum finds both: the negative of a weight is smallest for the largest weight.
    std::vector<double> range(2, std::numeric_limits<double>::infinity());
    const auto add = [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) {
        const double weight = mine.real_weight(i, mine(i));
        range[0] = std::min(range[0], weight);
        range[1] = std::min(range[1], -weight);
      }
    };
    co_await graph::in_stretches(0, mine.size(), add);
    co_return co_await all_reduce(std::move(range), [](auto a, auto b) { return std::min(a, b); });
  };
  const auto range = co_await from_all_pes(look);
  co_return std::pair(range[0], -range[1]);
}

task<> graph_builder::settle(std::uint64_t least_vertices) {
  co_await on_all_pes([stored = stored_] { stored->edges.settle(); });
  if (options_.ids == ids::any) {
    const auto compact = [stored = stored_, names = made_.names_]() -> task<> {
      co_await graph::all_compact_ids(stored->edges, names.local());
    };
    co_await together(compact);
  }
  const edges_found found = co_await look_at(stored_);
  made_.edges_ = found.edges;
  made_.has_weights_ = found.weighted != 0;
  made_.vertices_ = std::max(found.vertices, least_vertices);
  if (made_.names_.any()) made_.vertices_ = made_.names_.local().boundaries.back();
  if (made_.vertices_ > largest_vertex + 1)
    fail(errc::input,
         "an edge ends at vertex {}, and vertices have numbers up to {}; ids::any takes any",
         made_.vertices_ - 1, largest_vertex);
}

task<> graph_builder::discard() {
  co_await made_.names_.destroy();
  co_await stored_.destroy();
}

void graph_builder::check_options() const {
  if (options_.arc_weights && !made_.has_weights_ && made_.edges_ != 0) {
    const auto& fault = stored_->weights_fault;
    if (fault) fail(errc::input, "arc_weights: {}", fault->what());
    const char* const complaint = made_.leaves_out_weights_
                                      ? "the weights were left out (without_weights)"
                                      : "the edges have no weights";
    fail(errc::input, "{}: {}, and graph_options::arc_weights asks for them",
         file_.empty() ? "arc_weights" : file_, complaint);
  }
  if (options_.reversed && !options_.directed)
    fail(errc::input, "reversed: the graph is not directed");
  if (options_.edges_only && options_.arc_weights)
    fail(errc::input, "arc_weights: a graph with edges_only has no arcs");
  if (options_.directed && notes_.undirected)
    fail(errc::input, "directed: the edges of {} have no direction", file_);
}

/// Checks the memory that the vertices need, without their edges.
void graph_builder::check_memory() const {
  // Per vertex: the begin of its row, its number of arcs, and its first neighbour.
  constexpr std::uint64_t of_narrow = 16, of_wide = 20;
  const std::uint64_t needed = made_.vertices_ * (made_.is_wide_ ? of_wide : of_narrow);
  const std::uint64_t limit = this_pe().memory->limit();
  if (needed <= limit) return;
  fail(errc::out_of_memory,
       "a graph of {} vertices needs {} for them alone, and the job may use {} (--memory-limit); "
       "where few of the numbers occur, ids::any leaves out the others",
       made_.vertices_, human_bytes(static_cast<double>(needed)),
       human_bytes(static_cast<double>(limit)));
}

/// Makes the parts of a graph whose vertices have no neighbours, divided equally among the PEs.
template <class Id>
task<per_pe<graph_part<Id>>> graph_builder::empty_rows() const {
  const auto made = co_await per_pe<graph_part<Id>>::make();
  co_await on_all_pes([made, vertices = made_.vertices_, edges = made_.edges_] {
    graph_part<Id>& part = made.local();
    part.shape.vertices = vertices;
    const auto all = static_cast<std::uint64_t>(pes());
    for (std::uint64_t pe = 0; pe <= all; ++pe)
      part.shape.boundaries.push_back(static_cast<std::uint64_t>(uint128(vertices) * pe / all));
    part.input_edges = edges;
    part.first_vertex = part.shape.begin(my_pe());
    part.vertices = part.shape.end(my_pe()) - part.first_vertex;
  });
  co_return made;
}

template <class Id>
task<per_pe<graph_part<Id>>> graph_builder::rows() const {
  if (options_.edges_only) co_return co_await empty_rows<Id>();
  const graph_size size{made_.vertices_, made_.edges_};
  const auto directed = options_.reversed ? orientation::in : orientation::out;
  const auto arcs = options_.directed ? directed : orientation::undirected;
  const bool ascending = options_.arc_weights || options_.ascending_neighbours;
  const auto order = ascending ? row_order::by_target : row_order::by_degree;
  const auto hubs = options_.divide_hubs ? hub_rows::split : hub_rows::whole;
  const auto make = [&](auto edges) -> task<per_pe<graph_part<Id>>> {
    if (!options_.arc_weights)
      co_return co_await atl::make_graph<Id>(size, arcs, edges, hubs, order);
    const auto weighing = [stored = stored_, parallel = options_.parallel] {
      const auto weight = [mine = &stored.local()](std::uint64_t i, edge of) {
        return mine->real_weight(i, of);
      };
      return arc_weighing<decltype(weight)>{weight, parallel};
    };
    co_return co_await make_weighted_graph<Id>(size, arcs, edges, hubs, order, weighing);
  };
  if (!made_.keeps_edges_) co_return co_await make(edges_passing_by(stored_));
  co_return co_await make([stored = stored_]() -> const stored_edges& { return stored.local(); });
}

task<global_graph> graph_builder::build() {
  check_options();
  options_.progress("building", 0);
  const auto start = now();
  made_.is_directed_ = options_.directed;
  made_.has_arc_weights_ = options_.arc_weights;
  made_.parallel_ = options_.parallel;
  made_.edges_only_ = options_.edges_only;
  made_.keeps_edges_ = options_.keep_edges || options_.edges_only || stored_->random;
  made_.divides_hubs_ = options_.divide_hubs;
  made_.is_wide_ =
      options_.wide_ids || made_.vertices_ >= std::numeric_limits<std::uint32_t>::max();
  if (!options_.edges_only) check_memory();
  if (made_.is_wide_)
    made_.wide_ = co_await rows<std::uint64_t>();
  else
    made_.narrow_ = co_await rows<std::uint32_t>();
  made_.layout_ = co_await per_pe<graph::vertex_layout>::make();
  made_.life_ = made_.layout_.life();
  const double seconds = seconds_since(start);
  co_await on_all_pes([made = made_, read = read_seconds_, scan = scan_seconds_, seconds] {
    graph::vertex_layout& layout = made.layout_.local();
    made.on_ids([&](auto rows) { layout.shape = rows->shape; });
    layout.shape.hubs.clear();
    layout.names = made.names_;
    layout.read_seconds = read;
    layout.scan_seconds = scan;
    layout.build_seconds = seconds;
    if (!made.keeps_edges_) made.stored_->edges = packed_edges();
  });
  options_.progress("building", 1);
  co_return made_;
}

// ---- what programs call

task<global_graph> read_graph(std::string path, graph_options options, site where) {
  static constexpr memory::call_of_one k_read_graph{"read_graph", "all_read_graph"};
  const memory::named_call call(k_read_graph, where);
  auto builder = co_await graph_builder::make(options);
  const auto steps = [&]() -> task<global_graph> {
    co_await builder.read(std::move(path));
    co_return co_await builder.build();
  };
  co_return co_await graph::built_or_discarded(builder, steps);
}

task<global_graph> all_read_graph(std::string path, graph_options options, site where) {
  static constexpr memory::call_of_one k_all_read_graph{"all_read_graph", nullptr};
  const memory::named_call call(k_all_read_graph, where);
  const auto by_one = [path, options, where] { return read_graph(path, options, where); };
  co_return co_await all_by_first(by_one, where);
}

task<global_graph> make_random_graph(generator_parameters of, graph_options options, site where) {
  static constexpr memory::call_of_one k_make{"make_random_graph", "all_make_random_graph"};
  const memory::named_call call(k_make, where);
  auto builder = co_await graph_builder::make(options);
  const auto steps = [&]() -> task<global_graph> {
    co_await builder.generate(of);
    co_return co_await builder.build();
  };
  co_return co_await graph::built_or_discarded(builder, steps);
}

task<global_graph> all_make_random_graph(generator_parameters of, graph_options options,
                                         site where) {
  static constexpr memory::call_of_one k_all_make{"all_make_random_graph", nullptr};
  const memory::named_call call(k_all_make, where);
  const auto by_one = [of, options, where] { return make_random_graph(of, options, where); };
  co_return co_await all_by_first(by_one, where);
}

task<global_graph> make_graph(global_array<edge> edges, graph_options options, site where) {
  return graph_of(edges, options, where);
}

task<global_graph> make_graph(global_array<weighted_edge> edges, graph_options options,
                              site where) {
  return graph_of(edges, options, where);
}

task<global_graph> make_graph(global_array<real_weighted_edge> edges, graph_options options,
                              site where) {
  return graph_of(edges, options, where);
}

task<global_graph> all_make_graph(std::span<const edge> mine, graph_options options, site where) {
  return all_graph_of(mine, options, where);
}

task<global_graph> all_make_graph(std::span<const weighted_edge> mine, graph_options options,
                                  site where) {
  return all_graph_of(mine, options, where);
}

task<global_graph> all_make_graph(std::span<const real_weighted_edge> mine, graph_options options,
                                  site where) {
  return all_graph_of(mine, options, where);
}

task<global_graph> all_make_graph(std::span<const named_edge> mine, graph_options options,
                                  site where) {
  const memory::named_call call(k_all_make_graph, where);
  options.ids = ids::vertices;  // as names are numbered
  std::vector<std::string_view> ends;
  for (const named_edge& each : mine) ends.insert(ends.end(), {each.from, each.to});
  co_await all_check_names(ends);
  auto builder = co_await all_begin(options);
  co_await all_add_checked(builder.stored, builder.names, ends);
  co_return co_await all_by_first([&builder] { return finished(*builder.of_first); });
}

}  // namespace atl
