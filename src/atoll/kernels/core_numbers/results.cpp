// Implements the functions of atoll/kernels/core_numbers.hpp.

#include "atoll/kernels/common/travelling_progress.hpp"
#include "atoll/kernels/core_numbers.hpp"
#include "atoll/kernels/core_numbers/peel.hpp"
#include "atoll/kernels/core_numbers/validation.hpp"
#include "atoll/sync/by_first_pe.hpp"

#include <algorithm>

namespace atl {
namespace {

namespace kernel = kernels::core_numbers;

/// The largest core number in a set of vertices, and the number of vertices that have this core
/// number.
struct largest_core {
  std::uint32_t number = 0;
  std::uint64_t vertices = 0;

  static largest_core of_both(const largest_core& a, const largest_core& b) {
    if (a.number != b.number) return a.number > b.number ? a : b;
    return {a.number, a.vertices + b.vertices};
  }
};

largest_core largest_here(std::span<const std::uint32_t> cores) {
  largest_core found;
  for (const std::uint32_t core : cores) found = largest_core::of_both(found, {core, 1});
  return found;
}

/// Peels the graph and stores the core numbers in `found`. Every PE calls this function.
template <class Id>
task<core_decomposition> all_peel(distributed_graph<Id> rows,
                                  per_pe<kernels::source_rows<Id>> sources,
                                  per_pe<kernel::peeling<Id>> parts, core_decomposition found) {
  co_await all_barrier();
  const auto begin = now();
  co_await parts->all_prepare(rows.local(), sources);
  found.levels = co_await parts->all_peel(parts);
  const double seconds = seconds_since(begin);
  const auto larger = [](double a, double b) { return std::max(a, b); };
  found.seconds = co_await all_reduce(seconds, larger);
  const auto cores = found.core.local();
  std::ranges::copy(parts->core_numbers(), cores.begin());
  const auto largest = co_await all_reduce(largest_here(cores), &largest_core::of_both);
  found.largest = largest.number;
  found.largest_vertices = largest.vertices;
  co_return found;
}

template <class Id>
task<core_decomposition> peel(distributed_graph<Id> rows, core_decomposition found,
                              progress_view progress) {
  const auto sources = co_await per_pe<kernels::source_rows<Id>>::make();
  const auto parts = co_await per_pe<kernel::peeling<Id>>::make();
  const kernels::travelling_progress heard(progress);
  const auto run = [=] {
    parts->progress = heard.teller("peeling");
    return all_peel(rows, sources, parts, found);
  };
  found = co_await from_all_pes(run);
  co_await parts.destroy();
  co_await sources.destroy();
  progress("peeling", 1);
  co_return found;
}

constexpr memory::call_of_one k_core_numbers{"core_numbers", "all_core_numbers"},
    k_all_core_numbers{"all_core_numbers", nullptr}, k_verify{"verify", "all_verify"},
    k_write{"write", "all_write"};

}  // namespace

task<core_decomposition> core_numbers(global_graph graph, core_numbers_options options,
                                      site where) {
  graph.check_whole_rows("core_numbers", where);
  const memory::named_call call(k_core_numbers, where);
  core_decomposition found;
  found.core = co_await make_vertex_array<std::uint32_t>(graph, elements_are::numbers, where);
  co_return co_await graph.on_ids([&](auto rows) { return peel(rows, found, options.progress); });
}

task<core_decomposition> all_core_numbers(global_graph graph, core_numbers_options options,
                                          site where) {
  const memory::named_call call(k_all_core_numbers, where);
  const auto by_one = [=] { return core_numbers(graph, options, where); };
  co_return co_await all_by_first(by_one, where);
}

task<> verify(global_graph graph, core_decomposition found, site where) {
  graph.check_result(found.core, where);
  const memory::named_call call(k_verify, where);
  const auto compare = [stored = graph.kept_edges("verify", where), layout = graph.layout(),
                        found] {
    return kernel::all_compare(found.core, stored.local(), layout->shape);
  };
  const kernel::wrong_cores wrong = co_await from_all_pes(compare, where);
  if (wrong.count != 0) {
    const std::string vertex = co_await graph.name_of(wrong.first);
    fail(errc::wrong_result,
         "{}: vertex {} has the core number {}, and a serial program finds {}; {} of {} core "
         "numbers are wrong",
         to_string(where), vertex, wrong.has, wrong.needs, wrong.count, graph.vertices());
  }
  if (wrong.largest != found.largest || wrong.largest_vertices != found.largest_vertices)
    fail(errc::wrong_result,
         "{}: the largest core number is {}, of {} vertices, and not {}, of {} vertices",
         to_string(where), wrong.largest, wrong.largest_vertices, found.largest,
         found.largest_vertices);
}

task<> all_verify(global_graph graph, core_decomposition found, site where) {
  return all_by_first([=] { return verify(graph, found, where); }, where);
}

task<> core_decomposition::write(std::string path, site where) const {
  const vertex_array<std::uint32_t> cores = core;
  cores.check(where);
  const memory::named_call call(k_write, where);
  const auto describe = [cores]() -> graph::described_vertices {
    const auto value = [cores](std::uint64_t row, std::size_t) { return cores.written(row); };
    return {{cores.column("core")}, value};
  };
  co_await graph::write_vertex_file(cores.layout(), std::move(path), describe);
}

task<> core_decomposition::destroy(site where) const { return core.destroy(where); }

task<> core_decomposition::all_write(std::string path, site where) const {
  const auto by_one = [found = *this, path = std::move(path), where] {
    return found.write(path, where);
  };
  return all_by_first(by_one, where);
}

task<> core_decomposition::all_destroy(site where) const { return core.all_destroy(where); }

}  // namespace atl
