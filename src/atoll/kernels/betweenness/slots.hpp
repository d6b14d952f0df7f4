#pragma once
// A slot is memory of a PE for the value of one neighbour. A PE has one slot for each vertex that
// is a neighbour of any of its own vertices. For each arc, the PE stores the number of the
// neighbour's slot. The owner of a vertex knows the slots of the vertex on all PEs, and sends
// values to all of them. The lowest slots belong to the vertices that occur most often as
// neighbours, so that the values of these vertices stay in cache.
//
// Each PE also has a box: memory into which PEs of the same node write values directly. In the box
// of PE p, PE q has space for one value of each vertex of q that is a neighbour on p.

#include "atoll/collectives.hpp"
#include "atoll/graph/build.hpp"
#include "atoll/graph/stretches.hpp"
#include "atoll/kernels/common/source_rows.hpp"

#include <bit>
#include <span>
#include <utility>
#include <vector>

namespace atl::kernels::betweenness {

/// The place of one slot, memory for a neighbour's value: the number of the slot, and the PE that
/// has the slot.
template <class Id>
struct slot_place {
  Id slot;
  std::uint32_t pe;
};

/// The slots of one PE for values of neighbours, and the slots of all PEs for values of its own
/// vertices.
template <class Id>
struct slot_part {
  std::uint64_t slots = 0;  ///< number of slots on this PE
  /// Slot of each target, in the order of the graph's `targets`.
  huge_vector<Id> of_targets;
  /// Slot of each source, in the order of `source_rows::sources`; empty for an undirected graph.
  huge_vector<Id> of_sources;

  std::vector<std::uint64_t> offsets;  ///< for each row: index of its first element in `places`
  std::vector<slot_place<Id>>
      places;  ///< slots on all PEs for values of this PE's vertices, row by row

  /// For each PE p: index in this PE's box (memory for values from other PEs) at which values from
  /// p begin.
  std::vector<std::uint64_t> box_parts;
  /// For each PE p: index in p's box (memory for values from other PEs) at which values from this
  /// PE begin.
  std::vector<std::uint64_t> box_parts_there;

  std::span<const slot_place<Id>> places_of(std::uint64_t row) const {
    return {places.data() + offsets[row], offsets[row + 1] - offsets[row]};
  }
};

/// The request of a PE for the value of a vertex. `row` is the row of the vertex on its owner.
/// `slot` is the slot of the vertex on the PE that needs the value.
template <class Id>
struct wanted_value {
  Id row;
  Id slot;
};

/// Gives a slot (memory for a value) to each neighbour of the vertices of one PE.
template <class Id>
class slot_maker {
 public:
  slot_maker(const graph_part<Id>& graph, const source_rows<Id>* sources, slot_part<Id>& made)
      : graph_(graph), sources_(sources), made_(made), wanted_(static_cast<std::size_t>(pes())) {}

  /// Gives a slot to each neighbour. To save memory, the vertices of the graph are handled in
  /// windows: one range of vertices after another. The task waits. Returns one list for each PE p.
  /// The list has the rows of p whose values this PE needs, each with the slot for the value.
  task<std::vector<std::vector<wanted_value<Id>>>> make() {
    co_await graph::grow(made_.of_targets, graph_.targets.size());
    if (sources_ != nullptr) co_await graph::grow(made_.of_sources, sources_->sources.size());
    const std::uint64_t vertices = graph_.shape.vertices;
    const auto step = graph::window_of(vertices, static_cast<std::uint64_t>(pes()));
    std::vector<std::uint64_t> next(k_classes + 1);
    for (std::uint64_t begin = 0; begin < vertices; begin += step) {
      co_await count(begin, std::min(step, vertices - begin));
      for (const Id uses : uses_)
        if (uses != 0) ++next[class_of(uses)];
    }
    for (auto& slots : next) slots = std::exchange(made_.slots, made_.slots + slots);
    for (std::uint64_t begin = 0; begin < vertices; begin += step) {
      if (step < vertices) co_await count(begin, std::min(step, vertices - begin));
      give(begin, next);
      co_await replace(begin, graph_.targets, made_.of_targets);
      if (sources_ != nullptr) co_await replace(begin, sources_->sources, made_.of_sources);
    }
    co_return std::move(wanted_);
  }

 private:
  static constexpr unsigned k_classes = 64;

  /// Returns the class of a vertex that occurs `uses` times as a neighbour. Vertices of class 0
  /// occur most often.
  static unsigned class_of(Id uses) {
    return k_classes - static_cast<unsigned>(std::bit_width(uses));
  }

  /// Counts how often each vertex from `begin` to `begin` + `vertices` - 1 occurs as a neighbour.
  task<> count(std::uint64_t begin, std::uint64_t vertices) {
    uses_.assign(vertices, 0);
    co_await count_in(begin, graph_.targets);
    if (sources_ != nullptr) co_await count_in(begin, sources_->sources);
  }
  task<> count_in(std::uint64_t begin, const huge_vector<Id>& neighbours) {
    const auto some = [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t i = first; i < last; ++i) {
        const std::uint64_t place = neighbours[i] - begin;
        if (place < uses_.size()) ++uses_[place];
      }
    };
    co_await graph::in_stretches(0, neighbours.size(), some);
  }

  /// Gives a slot to each neighbour in the window, the range of vertices that begins at vertex
  /// `begin`. Replaces the number of uses of the neighbour in `uses_` by the slot. `next` has the
  /// next free slot of each class.
  void give(std::uint64_t begin, std::vector<std::uint64_t>& next) {
    for (std::uint64_t i = 0; i < uses_.size(); ++i) {
      if (uses_[i] == 0) continue;
      const auto slot = static_cast<Id>(next[class_of(uses_[i])]++);
      uses_[i] = slot;
      const int owner = graph_.shape.owner(begin + i);
      const auto row = static_cast<Id>(begin + i - graph_.shape.begin(owner));
      wanted_[static_cast<std::size_t>(owner)].push_back({row, slot});
    }
  }

  /// For each element of `neighbours` in the present window, the range of vertices from `begin` on,
  /// stores the element's slot in `slots`.
  task<> replace(std::uint64_t begin, const huge_vector<Id>& neighbours, huge_vector<Id>& slots) {
    const auto some = [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t i = first; i < last; ++i) {
        const std::uint64_t place = neighbours[i] - begin;
        if (place < uses_.size()) slots[i] = uses_[place];
      }
    };
    co_await graph::in_stretches(0, neighbours.size(), some);
  }

  const graph_part<Id>& graph_;
  const source_rows<Id>* sources_;
  slot_part<Id>& made_;
  std::vector<std::vector<wanted_value<Id>>> wanted_;
  std::vector<Id> uses_;  // for each vertex of a window: first its number of uses, then its slot
};

/// Stores, row by row, the slots in which PEs keep the values of this PE's vertices. `wanted[pe]`
/// has the requests of PE `pe`, and the slots in the requests are slots of PE `pe`.
template <class Id>
void keep_places(const received_parts<wanted_value<Id>>& wanted, slot_part<Id>& made,
                 std::uint64_t rows) {
  made.offsets.assign(rows + 1, 0);
  for (const auto& of_pe : wanted)
    for (const auto& one : of_pe) ++made.offsets[one.row + 1];
  for (std::uint64_t r = 0; r < rows; ++r) made.offsets[r + 1] += made.offsets[r];
  made.places.resize(made.offsets[rows]);
  std::vector<std::uint64_t> next(made.offsets.begin(), made.offsets.end() - 1);
  for (std::size_t pe = 0; pe < wanted.size(); ++pe)
    for (const auto& [row, slot] : wanted[pe])
      made.places[next[row]++] = {slot, static_cast<std::uint32_t>(pe)};
}

/// Gives slots to the neighbours of all vertices. `sources` is null for an undirected graph.
/// Returns the largest number of slots on any PE. Every PE calls this function.
template <class Id>
task<std::uint64_t> all_make_slots(const graph_part<Id>& graph, const source_rows<Id>* sources,
                                   slot_part<Id>& made) {
  slot_maker<Id> maker(graph, sources, made);
  const auto wanted = co_await maker.make();
  keep_places(co_await all_to_all(wanted), made, graph.vertices);
  std::vector<std::vector<std::uint64_t>> parts;
  std::uint64_t begin = 0;
  for (const auto& of_pe : wanted) {
    made.box_parts.push_back(begin);
    parts.push_back({begin});
    begin += of_pe.size();
  }
  for (const auto& part : co_await all_to_all(parts)) made.box_parts_there.push_back(part[0]);
  const auto larger = [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); };
  co_return co_await all_reduce(made.slots, larger);
}

}  // namespace atl::kernels::betweenness
