// Implements the functions of atoll/kernels/triangles.hpp.

#include "atoll/kernels/common/travelling_progress.hpp"
#include "atoll/kernels/triangles.hpp"
#include "atoll/kernels/triangles/run.hpp"
#include "atoll/kernels/triangles/validation.hpp"
#include "atoll/sync/by_first_pe.hpp"

#include <limits>

namespace atl {
namespace {

namespace kernel = kernels::triangles;

/// Counts the triangles with oriented rows (rows.hpp), whose entries have the form `Form`.
template <class Form, class Id>
task<triangle_counts> count_in(distributed_graph<Id> rows, triangle_counts found,
                               progress_view progress) {
  const kernels::travelling_progress heard(progress);
  const auto start = now();
  const auto on = co_await kernel::workspace<Id, Form>::make(rows);
  const auto count = [on, found, heard] {
    const kernel::vertex_results results{found.triangles.local(), found.clustering.local()};
    return on.all_count(results, heard.teller("counting"));
  };
  const kernel::graph_totals totals = co_await from_all_pes(count);
  found.count = totals.triangles / 3;
  found.pairs = totals.pairs;
  found.seconds = seconds_since(start);
  co_await on.destroy();
  progress("counting", 1);
  co_return found;
}

template <class Id>
task<triangle_counts> count(distributed_graph<Id> rows, triangle_counts found, bool directed,
                            progress_view progress) {
  using kernel::form;
  if (!directed) return count_in<form<Id, false>>(rows, found, progress);
  if (rows->shape.vertices < std::numeric_limits<Id>::max() / 2)
    return count_in<form<Id, true>>(rows, found, progress);
  return count_in<form<std::uint64_t, true>>(rows, found, progress);
}

/// Number of wrong counts on all PEs, and the smallest vertex with a wrong count.
struct wrong_counts {
  std::uint64_t vertices = 0;  ///< number of vertices with a wrong count
  std::uint64_t sum = 0;       ///< expected number of triangles, summed over all vertices
  std::uint64_t pairs = 0;     ///< expected number of pairs of neighbours
  vertex_id first = no_vertex;
  std::uint64_t has = 0, needs = 0;  ///< triangles of the vertex `first`, found and expected
  double has_clustering = 0, needs_clustering = 0;

  static wrong_counts of_both(const wrong_counts& a, const wrong_counts& b) {
    wrong_counts both = a.first <= b.first ? a : b;
    both.vertices = a.vertices + b.vertices;
    both.sum = a.sum + b.sum;
    both.pairs = a.pairs + b.pairs;
    return both;
  }
};

/// Compares the counts with the expected counts. Every PE calls this function.
task<wrong_counts> all_compare(triangle_counts found, per_pe<stored_edges> stored,
                               const partition& shape, bool directed) {
  const auto expected = co_await kernel::all_expected_counts(shape, stored.local(), directed);
  wrong_counts wrong;
  const auto triangles = found.triangles.local();
  const auto clustering = found.clustering.local();
  for (std::size_t row = 0; row < expected.size(); ++row) {
    const auto& [needs, arcs, degree] = expected[row];
    const double pairs = static_cast<double>(degree) * (static_cast<double>(degree) - 1);
    const double coefficient = degree < 2 ? 0 : static_cast<double>(arcs) / pairs;
    wrong.sum += needs;
    wrong.pairs += degree * (degree - (degree == 0 ? 0 : 1)) / 2;
    if (triangles[row] == needs && clustering[row] == coefficient) continue;
    if (wrong.vertices++ != 0) continue;
    wrong.first = found.triangles.first_vertex() + row;
    wrong.has = triangles[row];
    wrong.needs = needs;
    wrong.has_clustering = clustering[row];
    wrong.needs_clustering = coefficient;
  }
  co_return co_await all_reduce(wrong, &wrong_counts::of_both);
}

constexpr memory::call_of_one k_triangles{"triangles", "all_triangles"},
    k_all_triangles{"all_triangles", nullptr}, k_verify{"verify", "all_verify"},
    k_write{"write", "all_write"};

}  // namespace

task<triangle_counts> triangles(global_graph graph, triangles_options options, site where) {
  graph.check_whole_rows("triangles", where);
  const memory::named_call call(k_triangles, where);
  triangle_counts found;
  found.triangles = co_await make_vertex_array<std::uint64_t>(graph, elements_are::numbers, where);
  found.clustering = co_await make_vertex_array<double>(graph, elements_are::numbers, where);
  co_return co_await graph.on_ids(
      [&](auto rows) { return count(rows, found, graph.is_directed(), options.progress); });
}

task<triangle_counts> all_triangles(global_graph graph, triangles_options options, site where) {
  const memory::named_call call(k_all_triangles, where);
  const auto by_one = [=] { return triangles(graph, options, where); };
  co_return co_await all_by_first(by_one, where);
}

task<> verify(global_graph graph, triangle_counts found, site where) {
  graph.check_result(found.triangles, where);
  graph.check_result(found.clustering, where);
  const memory::named_call call(k_verify, where);
  const auto compare = [stored = graph.kept_edges("verify", where), layout = graph.layout(), found,
                        directed = graph.is_directed()] {
    return all_compare(found, stored, layout->shape, directed);
  };
  const wrong_counts wrong = co_await from_all_pes(compare, where);
  if (wrong.vertices != 0) {
    const std::string vertex = co_await graph.name_of(wrong.first);
    fail(errc::wrong_result,
         "{}: vertex {} has {} triangles and the clustering coefficient {}, and a serial program "
         "finds {} and {}; {} of {} vertices have wrong counts",
         to_string(where), vertex, wrong.has, wrong.has_clustering, wrong.needs,
         wrong.needs_clustering, wrong.vertices, graph.vertices());
  }
  if (wrong.sum != 3 * found.count || wrong.pairs != found.pairs)
    fail(errc::wrong_result,
         "{}: the graph has {} triangles and {} pairs of neighbours, and not {} and {}",
         to_string(where), wrong.sum / 3, wrong.pairs, found.count, found.pairs);
}

task<> all_verify(global_graph graph, triangle_counts found, site where) {
  return all_by_first([=] { return verify(graph, found, where); }, where);
}

task<> triangle_counts::write(std::string path, site where) const {
  const triangle_counts found = *this;
  found.triangles.check(where);
  found.clustering.check(where);
  const memory::named_call call(k_write, where);
  const auto describe = [found]() -> graph::described_vertices {
    const auto value = [found](std::uint64_t row, std::size_t column) {
      return column == 0 ? found.triangles.written(row) : found.clustering.written(row);
    };
    return {{found.triangles.column("triangles"), found.clustering.column("clustering")}, value};
  };
  co_await graph::write_vertex_file(found.triangles.layout(), std::move(path), describe);
}

task<> triangle_counts::destroy(site where) const {
  const triangle_counts found = *this;
  co_await found.triangles.destroy(where);
  co_await found.clustering.destroy(where);
}

task<> triangle_counts::all_write(std::string path, site where) const {
  const auto by_one = [found = *this, path = std::move(path), where] {
    return found.write(path, where);
  };
  return all_by_first(by_one, where);
}

task<> triangle_counts::all_destroy(site where) const {
  return all_by_first([found = *this, where] { return found.destroy(where); }, where);
}

}  // namespace atl
