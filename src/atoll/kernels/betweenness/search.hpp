#pragma once
// Counts the shortest paths from one source, and adds their contributions to the betweenness of
// vertices. The algorithm was published by Brandes (2001).
//
// A level is the set of all vertices at the same distance from the source. The first pass of a
// search goes from level to level and counts the shortest paths to each vertex. The second pass of
// a search goes from the last level back to the source. The second pass computes the dependency of
// the source on each vertex, which is the contribution of the source to the betweenness of the
// vertex. In both passes, each vertex adds up the values of its neighbours in the order of its row.
// Sums therefore do not depend on the number of PEs. Each sum includes all neighbours of a vertex.
// Neighbours outside the level that was processed last contribute 0.

#include "atoll/collectives.hpp"
#include "atoll/delegates.hpp"
#include "atoll/kernels/betweenness/slots.hpp"
#include "atoll/symmetric_array.hpp"

#include <cmath>
#include <span>
#include <vector>

namespace atl::kernels::betweenness {

/// Adds up the elements of `values` at the indexes `slots`, and returns the sum. The order of the
/// additions depends only on the number of slots.
template <class Id>
double sum_of(const double* values, std::span<const Id> slots) {
  constexpr std::size_t lanes = 8;
  double sums[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= slots.size(); i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += values[slots[i + lane]];
  for (; i < slots.size(); ++i) sums[0] += values[slots[i]];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

/// The state of the searches on one PE.
template <class Id>
struct search_part {
  /// For each row: number of shortest paths from the source to the vertex; 0 if the vertex is not
  /// reached.
  huge_vector<double> paths;
  std::vector<Id> reached;  ///< rows of the reached vertices, one level after another
  /// For each level: index behind its last row in `reached`.
  std::vector<std::uint64_t> level_ends;
  std::vector<Id> candidates;  ///< rows of notified vertices, which may be on the next level
  std::vector<std::uint8_t> is_candidate;  ///< for each row: 1 if the vertex was notified
  std::uint64_t arcs_not_reached = 0;      ///< number of arcs to the unreached vertices of this PE
  huge_vector<double> values;  ///< values of the neighbours, indexed by slot (slots.hpp)

  void add_candidate(Id row) {
    if (paths[row] != 0 || is_candidate[row] != 0) return;
    is_candidate[row] = 1;
    candidates.push_back(row);
  }
};

/// A value and the slot in which the receiving PE stores it.
template <class Id>
struct boxed_value {
  double value;
  Id slot;
};

/// The memory for values from PEs of the same node. Each PE has a box, into which other PEs of its
/// node write values (slots.hpp). For each box (memory for values from PEs of the node), `counts`
/// has the number of values from each PE.
template <class Id>
struct boxes {
  symmetric_array<boxed_value<Id>> values;
  symmetric_array<std::uint64_t> counts;  ///< element p is the number of values from PE p
};

/// Totals over all PEs for the level that was reached last.
struct level_totals {
  std::uint64_t vertices = 0;
  std::uint64_t arcs = 0;              ///< number of arcs that begin at vertices of the level
  std::uint64_t arcs_not_reached = 0;  ///< number of arcs to vertices that are not reached
  double most_paths = 0;  ///< largest number of shortest paths to a vertex of the level

  static level_totals of_both(const level_totals& a, const level_totals& b) {
    return {a.vertices + b.vertices, a.arcs + b.arcs, a.arcs_not_reached + b.arcs_not_reached,
            std::max(a.most_paths, b.most_paths)};
  }
};

/// Adds up the contributions of sources, one source after another.
template <class Id>
class searcher {
 public:
  /// `sources` has the sources of arcs; it is null for an undirected graph.
  searcher(const graph_part<Id>& graph, const source_rows<Id>* sources, const slot_part<Id>& slots,
           const boxes<Id>& boxes_of_all, per_pe<search_part<Id>> everywhere)
      : graph_(graph),
        sources_(sources),
        slots_(slots),
        boxes_(boxes_of_all),
        everywhere_(everywhere),
        mine_(everywhere.local()) {
    mine_.values.resize(slots.slots);
    mine_.paths.resize(graph.vertices);
    mine_.is_candidate.resize(graph.vertices);
    for (std::size_t pe = 0; pe < slots.box_parts_there.size(); ++pe)
      parts_.push_back(part_of_box(static_cast<int>(pe)));
  }

  /// Adds the contribution of `source` to `scores[row]` for each vertex. If the number of paths to
  /// a vertex is too large for a double, adds nothing and returns false. Every PE calls this
  /// function.
  task<bool> all_add(std::uint64_t source, std::span<double> scores) {
    const double most_paths = co_await all_count_paths(source);
    if (!std::isfinite(most_paths)) co_return false;
    co_await all_accumulate(scores);
    co_return true;
  }

 private:
  /// Threshold for the choice between two ways to find the next level. If few arcs lead from the
  /// last level, PEs notify the targets of the arcs. Arcs are few if `k_few` times their number is
  /// less than the number of arcs to unreached vertices. If many arcs lead from the last level,
  /// every unreached vertex reads the values of its neighbours.
  static constexpr std::uint64_t k_few = 12;

  /// The part of another PE's box, its memory for values from PEs of its node, into which this PE
  /// writes.
  struct box_part {
    // Null if this PE does not write into the box, because the other PE is on another node or is
    // this PE.
    boxed_value<Id>* begin = nullptr;
    boxed_value<Id>* next = nullptr;
    std::uint64_t* count = nullptr;
  };

  box_part part_of_box(int pe) const {
    const auto values = boxes_.values.directly_mapped(pe);
    if (pe == my_pe() || values.empty()) return {};
    auto* const begin = values.data() + slots_.box_parts_there[static_cast<std::size_t>(pe)];
    return {begin, begin, &boxes_.counts.directly_mapped(pe)[static_cast<std::size_t>(my_pe())]};
  }

  std::span<const Id> slots_of_sources(std::uint64_t row) const {
    if (sources_ == nullptr) return slots_of_targets(row);
    const auto& offsets = sources_->offsets;
    return {slots_.of_sources.data() + offsets[row], offsets[row + 1] - offsets[row]};
  }
  std::span<const Id> slots_of_targets(std::uint64_t row) const {
    const auto& offsets = graph_.offsets;
    return {slots_.of_targets.data() + offsets[row], offsets[row + 1] - offsets[row]};
  }

  std::span<const Id> level(std::size_t number) const {
    const std::uint64_t begin = number == 0 ? 0 : mine_.level_ends[number - 1];
    return std::span<const Id>(mine_.reached).subspan(begin, mine_.level_ends[number] - begin);
  }

  /// Counts the shortest paths to all vertices, level by level. Returns the largest number of paths
  /// to one vertex. Every PE calls this function.
  task<double> all_count_paths(std::uint64_t source) {
    start();
    co_await all_barrier();
    double most = 0;
    if (graph_.shape.owner(source) == my_pe())
      reach(static_cast<Id>(source - graph_.first_vertex), 1);
    for (;;) {
      mine_.level_ends.push_back(mine_.reached.size());
      const auto last = level(mine_.level_ends.size() - 1);
      co_await send(last, [this](std::size_t, Id row) { return mine_.paths[row]; });
      const level_totals totals = co_await all_reduce(totals_of(last), &level_totals::of_both);
      most = std::max(most, totals.most_paths);
      if (totals.vertices == 0) break;
      levels_.push_back(totals);
      co_await unpack();
      if (totals.arcs * k_few < totals.arcs_not_reached)
        co_await all_pull_where_told(last);
      else
        co_await pull_everywhere();
      co_await all_barrier();
    }
    mine_.level_ends.pop_back();  // the last level is empty
    co_return most;
  }

  void start() {
    std::ranges::fill(mine_.values, 0);
    std::ranges::fill(mine_.paths, 0);
    mine_.reached.clear();
    mine_.level_ends.clear();
    levels_.clear();
    mine_.arcs_not_reached = sources_ == nullptr ? graph_.targets.size() : sources_->sources.size();
  }

  void reach(Id row, double paths) {
    mine_.paths[row] = paths;
    mine_.reached.push_back(row);
    mine_.arcs_not_reached -= slots_of_sources(row).size();
  }

  level_totals totals_of(std::span<const Id> last) const {
    level_totals totals{last.size(), 0, mine_.arcs_not_reached, 0};
    for (const Id row : last) {
      totals.arcs += slots_of_targets(row).size();
      totals.most_paths = std::max(totals.most_paths, mine_.paths[row]);
    }
    return totals;
  }

  /// For each index i of `rows`, computes `value(i, rows[i])`, and sends the value to all PEs with
  /// neighbours of the row's vertex. The task waits until all messages have arrived. After the next
  /// collective operation, PEs of the same node can `unpack` the values that were written directly
  /// into their memory.
  template <class Value>
  task<> send(std::span<const Id> rows, Value value) {
    const auto send_all = [&]() -> task<> {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const double now = value(i, rows[i]);
        for (const auto& [slot, pe] : slots_.places_of(rows[i])) send_one(slot, pe, now);
        if (!has_room()) co_await room();
        if (i % k_sent_at_once == k_sent_at_once - 1) co_await yield();
      }
    };
    co_await finish(send_all);
    for (box_part& part : parts_) {
      if (part.begin == nullptr) continue;
      *part.count = static_cast<std::uint64_t>(part.next - part.begin);
      part.next = part.begin;
    }
  }
  static constexpr std::size_t k_sent_at_once = 4096;

  void send_one(Id slot, std::uint32_t pe, double value) {
    if (box_part& part = parts_[pe]; part.begin != nullptr) {
      *part.next++ = {value, slot};
    } else if (static_cast<int>(pe) == my_pe()) {
      mine_.values[slot] = value;
    } else {
      everywhere_.async_update(static_cast<int>(pe), [slot, value](search_part<Id>& of) noexcept {
        of.values[slot] = value;
      });
    }
  }

  /// Reads each value that another PE has written into this PE's box (memory for such values), and
  /// stores the value in `mine_.values`. The task waits.
  task<> unpack() {
    for (std::size_t pe = 0; pe < parts_.size(); ++pe) {
      if (parts_[pe].begin == nullptr) continue;
      const auto some = boxes_.values.local().subspan(slots_.box_parts[pe]);
      const auto take = [&](std::uint64_t begin, std::uint64_t end) {
        for (auto i = begin; i < end; ++i) mine_.values[some[i].slot] = some[i].value;
      };
      co_await graph::in_stretches(0, boxes_.counts.local()[pe], take);
    }
  }

  /// Finds the next level: PEs notify the targets of arcs from the last level, and unreached
  /// targets become the next level. Every PE calls this function.
  task<> all_pull_where_told(std::span<const Id> last) {
    const auto tell = [&]() -> task<> {
      std::uint64_t arcs = 0;
      for (const Id row : last) {
        const auto targets = graph_.row(row);
        const auto slots = slots_of_targets(row);
        for (std::size_t i = 0; i < targets.size(); ++i) {
          if (mine_.values[slots[i]] == 0)
            tell_candidate(targets[i],
                           [](search_part<Id>& of, Id there) { of.add_candidate(there); });
          if (!has_room()) co_await room();
        }
        arcs += targets.size();
        if (arcs < graph::k_stretch) continue;
        arcs = 0;
        co_await yield();
      }
    };
    co_await finish(tell);
    co_await all_barrier();
    const auto pull_some = [&](std::uint64_t begin, std::uint64_t end) {
      for (auto i = begin; i < end; ++i) {
        const Id row = mine_.candidates[i];
        mine_.is_candidate[row] = 0;
        pull(row);
      }
    };
    co_await graph::in_stretches(0, mine_.candidates.size(), pull_some, graph::k_sorted_rows);
    mine_.candidates.clear();
  }

  /// Calls `mark(part, row)` on the owner of `vertex`. `part` is the owner's `search_part`, and
  /// `row` is the row of the vertex.
  template <class Mark>
  void tell_candidate(Id vertex, Mark mark) {
    const int owner = graph_.shape.owner(vertex);
    const auto row = static_cast<Id>(vertex - graph_.shape.begin(owner));
    if (owner == my_pe())
      mark(mine_, row);
    else
      everywhere_.async_update(owner, [row, mark](search_part<Id>& of) { mark(of, row); });
  }

  /// Finds the next level on this PE. Each unreached vertex adds up the values of its neighbours,
  /// and is reached if the sum is not 0. The task waits.
  task<> pull_everywhere() {
    const auto pull_some = [&](std::uint64_t begin, std::uint64_t end) {
      for (auto row = begin; row < end; ++row)
        if (mine_.paths[row] == 0) pull(static_cast<Id>(row));
    };
    co_await graph::in_stretches(0, graph_.vertices, pull_some, graph::k_sorted_rows);
  }

  void pull(Id row) {
    const double paths = sum_of(mine_.values.data(), slots_of_sources(row));
    if (paths != 0) reach(row, paths);
  }

  /// Adds to `scores` the dependency of the source on each vertex, beginning with the last level.
  /// The value in a slot is (1 + dependency) / (number of paths) of the slot's vertex. Every PE
  /// calls this function.
  task<> all_accumulate(std::span<double> scores) {
    std::ranges::fill(mine_.values, 0);
    for (std::size_t number = levels_.size(); number-- > 1;) {
      co_await accumulate_level(number, scores);
      if (number == 1) break;  // the dependency of the source on itself is not added
      co_await all_barrier();
      co_await send(level(number), [&](std::size_t i, Id) { return given_[i]; });
      if (few_depend(number - 1)) co_await tell_sources(level(number));
      co_await all_barrier();
      co_await unpack();
    }
    std::ranges::fill(mine_.is_candidate, 0);  // vertices of other levels were marked, too
  }

  /// Returns true if so few arcs lead from level `number` to the next level that PEs notify the
  /// sources of these arcs. If PEs notify sources, a vertex without a notification has the
  /// dependency 0.
  bool few_depend(std::size_t number) const {
    if (number + 1 == levels_.size()) return true;
    const std::uint64_t arcs =
        levels_[number].arcs_not_reached - levels_[number + 1].arcs_not_reached;
    return arcs * k_few < levels_[number].arcs;
  }

  /// Adds to `scores` the dependency of the source on each vertex of level `number`. Stores in
  /// `given_` the values that the vertices of the level send to their neighbours. The task waits.
  task<> accumulate_level(std::size_t number, std::span<double> scores) {
    const auto rows = level(number);
    const bool some = few_depend(number);
    given_.resize(rows.size());
    const auto pull_some = [&](std::uint64_t begin, std::uint64_t end) {
      for (auto i = begin; i < end; ++i) {
        const Id row = rows[i];
        const double paths = mine_.paths[row];
        double dependency = 0;
        if (!some || mine_.is_candidate[row] != 0)
          dependency = paths * sum_of(mine_.values.data(), slots_of_targets(row));
        scores[row] += dependency;
        given_[i] = (1 + dependency) / paths;
      }
    };
    co_await graph::in_stretches(0, rows.size(), pull_some, graph::k_sorted_rows);
  }

  /// Notifies the source vertex of each arc whose target is in `rows`. If few arcs lead from a
  /// level to the next level (`few_depend`), only notified vertices of the level compute a
  /// dependency. The task waits until all notifications have arrived.
  task<> tell_sources(std::span<const Id> rows) {
    const auto tell = [&]() -> task<> {
      std::uint64_t arcs = 0;
      for (const Id row : rows) {
        const auto sources = sources_ == nullptr ? graph_.row(row) : sources_->row(row);
        for (const Id source : sources) {
          tell_candidate(source, [](search_part<Id>& of, Id there) { of.is_candidate[there] = 1; });
          if (!has_room()) co_await room();
        }
        arcs += sources.size();
        if (arcs < graph::k_stretch) continue;
        arcs = 0;
        co_await yield();
      }
    };
    co_await finish(tell);
  }

  const graph_part<Id>& graph_;
  const source_rows<Id>* sources_;
  const slot_part<Id>& slots_;
  boxes<Id> boxes_;
  per_pe<search_part<Id>> everywhere_;
  search_part<Id>& mine_;
  std::vector<box_part> parts_;       // indexed by PE
  std::vector<level_totals> levels_;  // one element per level; level 0 has only the source
  std::vector<double> given_;         // values that the vertices of one level send
};

}  // namespace atl::kernels::betweenness
