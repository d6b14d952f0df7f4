// Implements the functions of atoll/kernels/label_propagation.hpp.

#include "atoll/kernels/common/name_or_number.hpp"
#include "atoll/kernels/common/travelling_progress.hpp"
#include "atoll/kernels/label_propagation.hpp"
#include "atoll/kernels/label_propagation/propagate.hpp"
#include "atoll/kernels/label_propagation/validation.hpp"
#include "atoll/sync/by_first_pe.hpp"

#include <algorithm>

namespace atl {
namespace {

namespace kernel = kernels::label_propagation;

/// Returns the longest of the times of all PEs. Every PE calls this function.
task<double> all_longest(double seconds) {
  const auto longer = [](double a, double b) { return std::max(a, b); };
  return all_reduce(seconds, longer);
}

/// Propagates labels and stores them in `found`. Every PE calls this function and gets the same
/// result.
template <class Id>
task<propagated_labels>
all_propagate(distributed_graph<Id> rows, per_pe<kernels::source_rows<Id>> sources,
              per_pe<kernel::propagation<Id>> parts, propagated_labels found) {
  co_await all_barrier();
  const auto start = now();
  co_await parts->all_prepare(rows.local(), sources);
  found.plan_seconds = co_await all_longest(seconds_since(start));
  const auto begin = now();
  const auto ended = co_await parts->all_propagate(found.with.iterations);
  found.seconds = co_await all_longest(seconds_since(begin));
  found.iterations = ended.iterations;
  found.changed = ended.changed;
  std::ranges::copy(parts->labels(), found.label.local().begin());
  co_return found;
}

template <class Id>
task<propagated_labels> propagate(distributed_graph<Id> rows, propagated_labels found,
                                  progress_view progress) {
  const auto sources = co_await per_pe<kernels::source_rows<Id>>::make();
  const auto parts = co_await per_pe<kernel::propagation<Id>>::make();
  const kernels::travelling_progress heard(progress);
  const auto run = [=] {
    parts->progress = heard.teller("propagating");
    return all_propagate(rows, sources, parts, found);
  };
  found = co_await from_all_pes(run);
  co_await parts.destroy();
  co_await sources.destroy();
  progress("propagating", 1);
  co_return found;
}

constexpr memory::call_of_one k_label_propagation{"label_propagation", "all_label_propagation"},
    k_all_label_propagation{"all_label_propagation", nullptr}, k_verify{"verify", "all_verify"},
    k_write{"write", "all_write"};

}  // namespace

task<propagated_labels> label_propagation(global_graph graph, label_propagation_options options,
                                          site where) {
  graph.check_whole_rows("label_propagation", where);
  const memory::named_call call(k_label_propagation, where);
  propagated_labels found;
  found.with = options;
  found.with.progress = {};
  found.label = co_await make_vertex_array<vertex_id>(graph, elements_are::vertices, where);
  co_return co_await graph.on_ids(
      [&](auto rows) { return propagate(rows, found, options.progress); });
}

task<propagated_labels> all_label_propagation(global_graph graph, label_propagation_options options,
                                              site where) {
  const memory::named_call call(k_all_label_propagation, where);
  const auto by_one = [=] { return label_propagation(graph, options, where); };
  co_return co_await all_by_first(by_one, where);
}

task<> verify(global_graph graph, propagated_labels found, site where) {
  graph.check_result(found.label, where);
  const memory::named_call call(k_verify, where);
  const auto compare = [stored = graph.kept_edges("verify", where), layout = graph.layout(), found,
                        directed = graph.is_directed()] {
    return kernel::all_compare(found.label, stored.local(), layout->shape, directed,
                               found.with.iterations);
  };
  const kernel::wrong_labels wrong = co_await from_all_pes(compare, where);
  if (wrong.count == 0) co_return;
  const std::string vertex = co_await graph.name_of(wrong.first);
  const std::string has = co_await kernels::name_or_number(graph, wrong.has);
  const std::string needs = co_await graph.name_of(wrong.needs);
  fail(errc::wrong_result,
       "{}: vertex {} has the label {}, and a serial program finds {}; {} of {} labels are wrong",
       to_string(where), vertex, has, needs, wrong.count, graph.vertices());
}

task<> all_verify(global_graph graph, propagated_labels found, site where) {
  return all_by_first([=] { return verify(graph, found, where); }, where);
}

task<component_counts> propagated_labels::sizes(std::size_t most, site where) const {
  components parts;
  parts.label = label;
  co_return co_await parts.sizes(most, where);
}

task<> propagated_labels::write(std::string path, site where) const {
  const vertex_array<vertex_id> labels = label;
  labels.check(where);
  const memory::named_call call(k_write, where);
  const auto describe = [labels]() -> graph::described_vertices {
    const auto value = [labels](std::uint64_t row, std::size_t) { return labels.written(row); };
    return {{labels.column("label")}, value};
  };
  co_await graph::write_vertex_file(labels.layout(), std::move(path), describe);
}

task<> propagated_labels::destroy(site where) const { return label.destroy(where); }

task<> propagated_labels::all_write(std::string path, site where) const {
  const auto by_one = [found = *this, path = std::move(path), where] {
    return found.write(path, where);
  };
  return all_by_first(by_one, where);
}

task<> propagated_labels::all_destroy(site where) const { return label.all_destroy(where); }

}  // namespace atl
