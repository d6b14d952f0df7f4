#pragma once
// Label propagation over all PEs. Each PE has the labels of its vertices, and copies of the labels
// of their neighbours on other PEs. A plan (ghost_plan.hpp), which is made once, lists the copies.
// In an iteration, each PE first finds the new labels of its vertices without communication. An
// exchange of labels between all PEs ends the iteration. If fewer than half of the labels for a PE
// have changed, only the changed labels are sent, each with its index. If at least half of the
// labels for a PE have changed, all labels for the PE are sent.

#include "atoll/atoll.hpp"
#include "atoll/kernels/common/ghost_plan.hpp"
#include "atoll/kernels/label_propagation/label_counter.hpp"
#include "atoll/work.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace atl::kernels::label_propagation {

/// The result of the iterations, the same on all PEs.
struct outcome {
  std::uint64_t iterations = 0;
  std::uint64_t changed = 0;  ///< number of labels that the last iteration changed
};

/// One PE's part of the propagation.
template <class Id>
class propagation {
 public:
  /// Makes the plan, which lists the copies of labels of other PEs. Every PE calls this function.
  task<> all_prepare(const graph_part<Id>& graph, per_pe<source_rows<Id>> sources) {
    graph_ = &graph;
    co_await plan_.all_prepare(graph, sources);
    co_await graph::grow(labels_, plan_.values());
    co_await graph::grow(others_, plan_.rows);
  }

  /// Makes each vertex its own label, and then computes at most `iterations` iterations. The
  /// iterations end earlier if no label changes. Every PE calls this function and gets the same
  /// result.
  task<outcome> all_propagate(std::uint64_t iterations);

  /// Returns the labels of this PE's vertices, by row.
  std::span<const Id> labels() const { return {labels_.data(), plan_.rows}; }

  /// A function that is called with the fraction of the iterations that is done. The function may
  /// be empty.
  std::function<void(double)> progress;

 private:
  void start();
  Id new_label(std::uint64_t row);
  task<std::uint64_t> renew(bool is_first);
  std::vector<Id> labels_for(std::size_t pe) const;
  void take(std::size_t pe, std::span<const Id> received);
  task<> all_exchange();

  const graph_part<Id>* graph_ = nullptr;
  ghost_plan<Id> plan_;
  huge_vector<Id> labels_;  ///< labels of own vertices, then copies of labels of other PEs
  /// During an iteration: the next labels of own vertices. After the iteration: the former labels
  /// of own vertices.
  huge_vector<Id> others_;
  label_counter<Id> counter_;
};

template <class Id>
void propagation<Id>::start() {
  const auto own = labels_.begin() + static_cast<std::ptrdiff_t>(plan_.rows);
  std::iota(labels_.begin(), own, static_cast<Id>(graph_->first_vertex));
  std::ranges::copy(plan_.ghosts, own);
}

template <class Id>
Id propagation<Id>::new_label(std::uint64_t row) {
  const auto places = plan_.row(row);
  if (places.empty()) return labels_[row];
  return counter_.most_frequent(places, labels_.data(), labels_[row]);
}

/// Finds the next labels of this PE's vertices. Returns the number of labels that change. The task
/// waits.
template <class Id>
task<std::uint64_t> propagation<Id>::renew(bool is_first) {
  // In the first iteration of an undirected graph, all labels of neighbours are different, because
  // each neighbour occurs once. The smallest label is therefore the result.
  const bool all_differ = is_first && graph_->arcs_are == orientation::undirected;
  std::uint64_t arcs = 0, changed = 0;
  for (std::uint64_t row = 0; row < plan_.rows; ++row) {
    const auto places = plan_.row(row);
    Id label = labels_[row];
    if (all_differ && !places.empty())
      label = labels_[*std::ranges::min_element(places, {}, [&](Id at) { return labels_[at]; })];
    else
      label = new_label(row);
    others_[row] = label;
    changed += label != labels_[row] ? 1 : 0;
    arcs += places.size() + 1;
    if (arcs < graph::k_stretch) continue;
    charge(work::edge_scanned, std::exchange(arcs, 0));
    co_await yield();
  }
  charge(work::edge_scanned, arcs);
  co_return changed;
}

/// Returns the labels to send to PE `pe`. The list has either all labels of which PE `pe` has
/// copies, or only the changed labels. In a list of changed labels, each label comes after its
/// index among the copies.
template <class Id>
std::vector<Id> propagation<Id>::labels_for(std::size_t pe) const {
  const auto& rows = plan_.given[pe];
  std::vector<Id> sent;
  for (std::size_t i = 0; i < rows.size() && sent.size() < rows.size(); ++i) {
    if (labels_[rows[i]] == others_[rows[i]]) continue;
    sent.push_back(static_cast<Id>(i));
    sent.push_back(labels_[rows[i]]);
  }
  if (sent.size() < rows.size()) return sent;
  sent.clear();
  for (const Id row : rows) sent.push_back(labels_[row]);
  return sent;
}

/// Stores the labels that PE `pe` has sent into this PE's copies of these labels.
template <class Id>
void propagation<Id>::take(std::size_t pe, std::span<const Id> received) {
  const std::uint64_t begin = plan_.first_ghost[pe];
  const auto copies = labels_.begin() + static_cast<std::ptrdiff_t>(plan_.rows + begin);
  if (received.size() == plan_.first_ghost[pe + 1] - begin) {
    std::ranges::copy(received, copies);
    return;
  }
  for (std::size_t i = 0; i + 1 < received.size(); i += 2)
    copies[static_cast<std::ptrdiff_t>(received[i])] = received[i + 1];
}

template <class Id>
task<> propagation<Id>::all_exchange() {
  std::vector<std::vector<Id>> sent;
  for (std::size_t pe = 0; pe < plan_.given.size(); ++pe) {
    sent.push_back(labels_for(pe));
    co_await yield();
  }
  const auto received = co_await all_to_all(sent);
  for (std::size_t pe = 0; pe < received.size(); ++pe) {
    take(pe, received[pe]);
    co_await yield();
  }
}

template <class Id>
task<outcome> propagation<Id>::all_propagate(std::uint64_t iterations) {
  outcome all;
  start();
  while (all.iterations < iterations) {
    const std::uint64_t changed = co_await renew(all.iterations == 0);
    std::swap_ranges(others_.begin(), others_.end(), labels_.begin());
    ++all.iterations;
    all.changed = co_await all_reduce(changed, graph::k_sum);
    if (progress) progress(static_cast<double>(all.iterations) / static_cast<double>(iterations));
    if (all.changed == 0) break;
    if (all.iterations < iterations) co_await all_exchange();
  }
  co_return all;
}

// The template is compiled once for 32-bit and once for 64-bit vertex ids, in
// label_propagation.cpp.
extern template class propagation<std::uint32_t>;
extern template class propagation<std::uint64_t>;

}  // namespace atl::kernels::label_propagation
