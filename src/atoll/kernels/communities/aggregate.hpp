#pragma once
// Aggregation makes the next, coarser level. A part is a set of vertices of a level (refine.hpp),
// and becomes a vertex of the next level. Parts (sets of vertices) are numbered in the order of
// their smallest vertices. The weights of all arcs between two parts are added up. Arcs within a
// part (a set of vertices) are dropped.

#include "atoll/base/bits.hpp"
#include "atoll/graph/build.hpp"
#include "atoll/kernels/communities/level.hpp"
#include "atoll/kernels/communities/tally.hpp"

#include <vector>

namespace atl::kernels::communities {

/// Number of arcs of the finer level whose weights one PE adds up before the PE sends the sums.
inline constexpr std::uint64_t k_arcs_at_once = std::uint64_t{1} << 22;

/// Replaces labels by the numbers 0, 1, 2 and so on, in the order in which labels first occur in
/// `labels`. Every label must be the number of a vertex. Returns the number of different labels.
template <class Id>
std::uint64_t number_by_first(huge_vector<Id>& labels) {
  constexpr Id none = static_cast<Id>(~Id{0});
  huge_vector<Id> numbers(labels.size(), none);
  std::uint64_t count = 0;
  for (Id& label : labels) {
    Id& number = numbers[label];
    if (number == none) number = static_cast<Id>(count++);
    label = number;
  }
  return count;
}

/// The sum of the weights of the arcs from one part (a set of vertices) to another part.
template <class Id>
struct part_arc {
  Id source;
  Id target;
  std::int64_t weight;
};

template <class Id>
class aggregation {
 public:
  /// `parts[v]` is the number of the part, a set of vertices, that contains vertex v. There are
  /// `count` parts.
  aggregation(const level<Id>& fine, const huge_vector<Id>& parts, std::uint64_t count)
      : fine_(fine), parts_(parts), count_(count) {}

  /// Returns the next level. A vertex of the next level is in the same community as the vertices
  /// for which it stands. Every PE calls this function.
  task<level<Id>> all_aggregate();

 private:
  void sort_rows();
  task<partition> all_divide() const;
  void set_values(level<Id>& to) const;
  void add_up_part(std::uint64_t part, std::vector<part_arc<Id>>& to);
  task<> add_up_alone(level<Id>& to);
  task<> all_add_up(level<Id>& to);
  task<std::vector<std::vector<part_arc<Id>>>>
  arcs_for_all(const partition& shape, std::uint64_t window, std::uint64_t windows);
  void append_row(level<Id>& to);
  task<> append_rows(const received_parts<part_arc<Id>>& received, std::uint64_t begin,
                     std::uint64_t end, level<Id>& to);

  const level<Id>& fine_;
  const huge_vector<Id>& parts_;
  std::uint64_t count_;
  huge_vector<std::uint64_t> begins_;  // for each part: index of its first row in `sorted_`
  huge_vector<Id>
      sorted_;  // rows of this PE, ordered by the parts (sets of vertices) of their vertices
  tally<Id> tally_;
};

/// Divides the vertices of PE `pe` into `shares` shares. Returns the first vertex of share number
/// `share`, and the end of the share.
inline std::pair<std::uint64_t, std::uint64_t> share_of(const partition& shape, int pe,
                                                        std::uint64_t share, std::uint64_t shares) {
  const std::uint64_t begin = shape.begin(pe), size = shape.end(pe) - begin;
  return {begin + size * share / shares, begin + size * (share + 1) / shares};
}

template <class Id>
void aggregation<Id>::sort_rows() {
  begins_.assign(count_ + 1, 0);
  for (std::uint64_t row = 0; row < fine_.rows(); ++row)
    ++begins_[parts_[fine_.vertex_of(row)] + std::uint64_t{1}];
  for (std::uint64_t part = 0; part < count_; ++part) begins_[part + 1] += begins_[part];
  sorted_.resize(fine_.rows());
  auto places = begins_;
  for (std::uint64_t row = 0; row < fine_.rows(); ++row)
    sorted_[places[parts_[fine_.vertex_of(row)]]++] = static_cast<Id>(row);
}

/// Divides the vertices of the next level into ranges, one for each PE. The ranges have about
/// equally many arcs of the finer level.
template <class Id>
task<partition> aggregation<Id>::all_divide() const {
  const vertex_buckets buckets(count_);
  std::vector<std::uint64_t> arcs(buckets.count());
  for (std::uint64_t row = 0; row < fine_.rows(); ++row)
    arcs[buckets.of(parts_[fine_.vertex_of(row)])] += fine_.degree(row);
  arcs = co_await all_reduce(std::move(arcs), graph::k_sum);
  co_return partition{count_, balanced_boundaries(buckets, arcs, pes()), {}};
}

/// Sets the mass (see `level::mass`) and the community of each vertex of the next level.
template <class Id>
void aggregation<Id>::set_values(level<Id>& to) const {
  constexpr Id none = static_cast<Id>(~Id{0});
  to.mass.assign(count_, 0);
  to.community.resize(count_);
  huge_vector<Id> first_part(fine_.vertices(), none);  // for each community: its first part
  for (std::uint64_t v = 0; v < fine_.vertices(); ++v) {
    Id& first = first_part[fine_.community[v]];
    if (first == none) first = parts_[v];
    to.community[parts_[v]] = first;
    to.mass[parts_[v]] += fine_.mass[v];
  }
}

/// Adds up the weights of this PE's arcs from the vertices of `part` to the vertices of each other
/// part. Appends the sums to `to`.
template <class Id>
void aggregation<Id>::add_up_part(std::uint64_t part, std::vector<part_arc<Id>>& to) {
  std::uint64_t arcs = 0;
  for (auto i = begins_[part]; i < begins_[part + 1]; ++i) arcs += fine_.degree(sorted_[i]);
  tally_.start(std::min(arcs, count_));
  for (auto i = begins_[part]; i < begins_[part + 1]; ++i)
    fine_.for_each_arc(sorted_[i], [&](Id target, std::int64_t weight) {
      if (parts_[target] != part) tally_.add(parts_[target], weight);
    });
  tally_.for_each([&](Id target, std::int64_t weight) {
    to.push_back({static_cast<Id>(part), target, weight});
  });
  charge(work::edge_scanned, arcs);
}

/// Appends a row with the sums of weights in `tally_` to the level `to`.
template <class Id>
void aggregation<Id>::append_row(level<Id>& to) {
  tally_.for_each([&](Id target, std::int64_t weight) {
    to.own_targets.push_back(target);
    to.own_weights.push_back(weight);
  });
  to.own_offsets.push_back(to.own_targets.size());
}

/// Makes the rows of the next level without messages. Every PE must have a copy of the finer level.
template <class Id>
task<> aggregation<Id>::add_up_alone(level<Id>& to) {
  std::vector<part_arc<Id>> arcs;
  to.own_targets.reserve(fine_.targets.size());
  to.own_weights.reserve(fine_.targets.size());
  const auto add_up = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto part = begin; part < end; ++part) {
      arcs.clear();
      add_up_part(part, arcs);
      append_row(to);
    }
  };
  co_await graph::in_stretches(0, count_, add_up, k_rows);
}

/// Returns one list of sums for each PE. The vertices of the next level that a PE will own are
/// divided into `windows` ranges. The PE's list has the sums for range number `window`. Only the
/// arcs of the calling PE are added up.
template <class Id>
task<std::vector<std::vector<part_arc<Id>>>>
aggregation<Id>::arcs_for_all(const partition& shape, std::uint64_t window, std::uint64_t windows) {
  std::vector<std::vector<part_arc<Id>>> arcs(static_cast<std::size_t>(pes()));
  for (int pe = 0; pe < pes(); ++pe) {
    auto& of_pe = arcs[static_cast<std::size_t>(pe)];
    const auto [first, last] = share_of(shape, pe, window, windows);
    const auto add_up = [&](std::uint64_t begin, std::uint64_t end) {
      for (auto part = begin; part < end; ++part)
        if (begins_[part] != begins_[part + 1]) add_up_part(part, of_pe);
    };
    co_await graph::in_stretches(first, last, add_up, k_rows);
  }
  co_return arcs;
}

/// Appends the rows of this PE's vertices of the next level from `first` to `last` - 1. `received`
/// has the sums of weights of all PEs for the arcs of the rows.
template <class Id>
task<> aggregation<Id>::append_rows(const received_parts<part_arc<Id>>& received,
                                    std::uint64_t first, std::uint64_t last, level<Id>& to) {
  std::vector<std::span<const part_arc<Id>>> left(received.begin(), received.end());
  std::uint64_t arcs = to.own_targets.size();
  for (const auto& of_pe : left) arcs += of_pe.size();
  to.own_targets.reserve(arcs);
  to.own_weights.reserve(arcs);
  const auto append = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto part = begin; part < end; ++part) {
      std::uint64_t most = 0;
      std::vector<std::span<const part_arc<Id>>> row;
      for (auto& of_pe : left) {
        std::size_t size = 0;
        while (size < of_pe.size() && of_pe[size].source == part) ++size;
        row.push_back(of_pe.first(size));
        of_pe = of_pe.subspan(size);
        most += size;
      }
      tally_.start(most);
      for (const auto& of_pe : row)
        for (const auto& arc : of_pe) tally_.add(arc.target, arc.weight);
      append_row(to);
    }
  };
  co_await graph::in_stretches(first, last, append, k_rows);
}

template <class Id>
task<> aggregation<Id>::all_add_up(level<Id>& to) {
  const auto larger = [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); };
  const std::uint64_t most = co_await all_reduce(std::uint64_t{fine_.targets.size()}, larger);
  const std::uint64_t windows = std::max<std::uint64_t>(1, ceil_divide(most, k_arcs_at_once));
  for (std::uint64_t window = 0; window < windows; ++window) {
    const auto arcs = co_await arcs_for_all(to.shape, window, windows);
    const auto received = co_await all_to_all(arcs);
    const auto [begin, end] = share_of(to.shape, my_pe(), window, windows);
    co_await append_rows(received, begin, end, to);
  }
}

template <class Id>
task<level<Id>> aggregation<Id>::all_aggregate() {
  level<Id> made;
  made.own_offsets.push_back(0);
  sort_rows();
  if (fine_.everywhere) {
    made.everywhere = true;
    made.shape.vertices = count_;
    co_await add_up_alone(made);
  } else {
    made.shape = co_await all_divide();
    made.first = made.shape.begin(my_pe());
    co_await all_add_up(made);
  }
  set_values(made);
  made.show_own();
  co_return made;
}

}  // namespace atl::kernels::communities
