#pragma once
// Core numbers by peeling over all PEs.
//
// At level k, all vertices with at most k remaining neighbours are removed, and k is their core
// number. After a removal, the neighbours of the removed vertex have one neighbour less, and may
// have to be removed at the same level. A removal may therefore cause a chain of removals. A PE
// first follows each chain through its own vertices as far as the chain leads. Messages tell other
// PEs which of their vertices have lost a neighbour. A PE sends a message when the message is full,
// or when the PE has no vertex left to remove. The order of removals within a level does not change
// the result, so PEs need not proceed in rounds within a level. A level costs one reduction. Levels
// at which no PE removes a vertex are skipped.
//
// Vertices wait in buckets: a bucket has the vertices of one degree, which here means the number of
// remaining neighbours. Buckets exist only for a window of the next levels (Dhulipala, Blelloch,
// Shun 2017). Vertices of higher degree enter the buckets when the window, the range of degrees
// with buckets, moves. A vertex may be in several buckets, but only its entry in the bucket of its
// present degree is valid.

#include "atoll/atoll.hpp"
#include "atoll/kernels/common/both_way_rows.hpp"
#include "atoll/local_memory.hpp"
#include "atoll/settings.hpp"
#include "atoll/work.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace atl::kernels::core_numbers {

/// Number of degrees for which there are buckets at the same time.
inline constexpr std::uint64_t k_window = 64;

/// Value that stands for "no level".
inline constexpr std::uint64_t k_no_level = ~std::uint64_t{0};

/// The vertices of one PE, in buckets by the number of remaining neighbours.
template <class Id>
class degree_buckets {
 public:
  /// Stores the degree of each row. `open_window` then fills the buckets. `degree_of(row)` is the
  /// number of neighbours of the vertex of the row. The task waits.
  template <class DegreeOf>
  task<> fill(std::uint64_t rows, DegreeOf degree_of) {
    co_await graph::grow(degrees_, rows);
    co_await graph::grow(waiting_, rows);
    const auto take = [&](std::uint64_t begin, std::uint64_t end) {
      for (auto row = begin; row < end; ++row) {
        degrees_[row] = static_cast<Id>(degree_of(row));
        waiting_[row] = static_cast<Id>(row);
      }
    };
    co_await graph::in_stretches(0, rows, take);
  }

  /// Makes buckets for the degrees from `level` to `level` + `k_window` - 1. All vertices of
  /// degrees below `level` must have been removed. The task waits. Other tasks must not lower a
  /// degree while the task waits.
  task<> open_window(std::uint64_t level) {
    begin_ = level;
    beyond_ = k_no_level;
    std::uint64_t kept = 0;
    const auto place = [&](std::uint64_t begin, std::uint64_t end) {
      for (auto i = begin; i < end; ++i) {
        const Id row = waiting_[i];
        if (degrees_[row] < begin_) continue;
        waiting_[kept++] = row;
        if (!enter_bucket(row)) beyond_ = std::min<std::uint64_t>(beyond_, degrees_[row]);
      }
    };
    co_await graph::in_stretches(0, waiting_.size(), place);
    waiting_.resize(kept);
  }
  std::uint64_t window_end() const { return begin_ + k_window; }

  /// Returns the lowest level from `level` on at which this PE may have vertices to remove. Returns
  /// `k_no_level` if there is no such level.
  std::uint64_t next_level(std::uint64_t level) {
    for (; level < window_end(); ++level) {
      auto& bucket = buckets_[level - begin_];
      while (!bucket.empty() && degrees_[bucket.back()] != level) bucket.pop_back();
      if (!bucket.empty()) return level;
    }
    return beyond_;
  }

  /// Begins the level `level`, which must be a degree that has a bucket. All vertices of degree
  /// `level` become ripe: they must be removed at this level.
  void begin_level(std::uint64_t level) {
    auto& bucket = buckets_[level - begin_];
    for (const Id row : bucket)
      if (degrees_[row] == level) ripe_.push_back(row);
    bucket.clear();
  }

  /// Lowers the number of remaining neighbours of a vertex by one. If the vertex must be removed at
  /// this level or was removed before, the call does nothing.
  void lower(Id row, std::uint64_t level) {
    Id& degree = degrees_[row];
    if (degree <= level) return;
    if (--degree == level)
      ripe_.push_back(row);
    else if (!enter_bucket(row))
      beyond_ = std::min<std::uint64_t>(beyond_, degree);
  }

  bool has_ripe() const { return next_ != ripe_.size(); }

  /// Returns the row of a vertex that must be removed now.
  Id take_ripe() {
    const Id row = ripe_[next_++];
    if (next_ == ripe_.size()) {
      removed_ += next_;
      ripe_.clear();
      next_ = 0;
    }
    return row;
  }

  std::uint64_t removed() const { return removed_ + next_; }

  /// Returns the core numbers by row, after all vertices have been removed. The degree of a vertex
  /// does not change after its removal, so the last degree is the core number.
  const huge_vector<Id>& core_numbers() const { return degrees_; }

 private:
  bool enter_bucket(Id row) {
    const std::uint64_t bucket = degrees_[row] - begin_;
    if (bucket >= k_window) return false;
    buckets_[bucket].push_back(row);
    return true;
  }

  /// For each row: number of remaining neighbours of the vertex, or the core number of a removed
  /// vertex.
  huge_vector<Id> degrees_;
  huge_vector<Id>
      waiting_;  ///< rows whose vertices were not removed before the present buckets were made
  std::uint64_t begin_ = 0;
  std::uint64_t beyond_ = k_no_level;  ///< lower bound of the degrees above those that have buckets
  std::array<std::vector<Id>, k_window> buckets_;
  std::vector<Id> ripe_;  ///< rows to remove at this level, from index `next_` on
  std::size_t next_ = 0;
  std::uint64_t removed_ = 0;
};

/// One PE's part of the peeling.
template <class Id>
class peeling {
 public:
  /// Prepares the rows of the graph. Every PE calls this function.
  task<> all_prepare(const graph_part<Id>& graph, per_pe<source_rows<Id>> sources) {
    graph_ = &graph;
    co_await rows_.all_prepare(graph, sources);
    told_.resize(static_cast<std::size_t>(pes()));
    most_told_ = job_settings().buffer_size / (2 * sizeof(Id));
  }

  /// Removes all vertices, level by level. Returns the number of different core numbers. Every PE
  /// calls this function.
  task<std::uint64_t> all_peel(per_pe<peeling> everywhere);

  /// Returns the core numbers by row, after `all_peel`.
  const huge_vector<Id>& core_numbers() const { return buckets_.core_numbers(); }

  /// A function that is called with the fraction of this PE's vertices that is removed. The
  /// function may be empty.
  std::function<void(double)> progress;

 private:
  task<std::uint64_t> all_find_level(std::uint64_t least);
  task<std::uint64_t> all_count_levels() const;
  task<> all_remove_level(per_pe<peeling> everywhere, std::uint64_t level);
  task<> drain(per_pe<peeling> everywhere, std::uint64_t level);
  void remove_some(per_pe<peeling> everywhere, std::uint64_t level);
  void tell(per_pe<peeling> everywhere, int pe, std::uint64_t level);
  void take(per_pe<peeling> everywhere, std::span<const Id> rows, std::uint64_t level);

  const graph_part<Id>* graph_ = nullptr;
  both_way_rows<Id> rows_;
  degree_buckets<Id> buckets_;
  /// For each PE p: rows on p whose vertices have lost a neighbour, for the next message to p.
  std::vector<std::vector<Id>> told_;
  std::size_t most_told_ = 0;          ///< largest number of rows in a message
  std::vector<std::uint64_t> levels_;  ///< levels at which vertices of this PE were removed
  bool draining_ = false;              ///< whether a task is removing vertices
};

/// Tells PE `pe` which vertices of PE `pe` have lost a neighbour. The message has the rows of the
/// vertices on PE `pe`. The message also has the level, because the message may arrive before PE
/// `pe` has begun the level.
template <class Id>
void peeling<Id>::tell(per_pe<peeling> everywhere, int pe, std::uint64_t level) {
  auto& rows = told_[static_cast<std::size_t>(pe)];
  const auto take_there = [everywhere, level](std::span<const Id> arrived) {
    everywhere->take(everywhere, arrived, level);
  };
  async_call(pe, take_there, std::span<const Id>(rows));
  rows.clear();
}

/// Handles rows that another PE has sent. The call of `finish` from which the rows come waits until
/// all work that follows from the rows is done.
template <class Id>
void peeling<Id>::take(per_pe<peeling> everywhere, std::span<const Id> rows, std::uint64_t level) {
  for (const Id row : rows) buckets_.lower(row, level);
  if (!buckets_.has_ripe() || draining_) return;
  draining_ = true;
  spawn([everywhere, level] { return everywhere->drain(everywhere, level); });
}

/// Removes vertices that must be removed at this level, until there is no space for messages or
/// other tasks should run.
template <class Id>
void peeling<Id>::remove_some(per_pe<peeling> everywhere, std::uint64_t level) {
  const auto first = static_cast<Id>(graph_->first_vertex);
  std::uint64_t arcs = 0, vertices = 0;
  if (levels_.empty() || levels_.back() != level) levels_.push_back(level);
  while (buckets_.has_ripe() && arcs < graph::k_stretch && has_room()) {
    const Id removed = buckets_.take_ripe();
    arcs += rows_.arcs(removed);
    ++vertices;
    rows_.for_each(removed, [&](Id neighbour) {
      const auto row = static_cast<Id>(neighbour - first);
      if (row < graph_->vertices) return buckets_.lower(row, level);
      const int owner = graph_->shape.owner(neighbour);
      auto& rows = told_[static_cast<std::size_t>(owner)];
      rows.push_back(static_cast<Id>(neighbour - graph_->shape.begin(owner)));
      if (rows.size() >= most_told_) tell(everywhere, owner, level);
    });
  }
  charge(work::edge_scanned, arcs);
  charge(work::vertex_visited, vertices);
}

/// Removes all vertices that must be removed at this level. Then sends the remaining rows of
/// `told_` to the other PEs. The task waits.
template <class Id>
task<> peeling<Id>::drain(per_pe<peeling> everywhere, std::uint64_t level) {
  while (buckets_.has_ripe()) {
    remove_some(everywhere, level);
    if (buckets_.has_ripe()) co_await yield();
    co_await room();
  }
  draining_ = false;
  for (int pe = 0; pe < pes(); ++pe)
    if (!told_[static_cast<std::size_t>(pe)].empty()) tell(everywhere, pe, level);
}

/// Removes the vertices of a level on all PEs.
template <class Id>
task<> peeling<Id>::all_remove_level(per_pe<peeling> everywhere, std::uint64_t level) {
  buckets_.begin_level(level);
  const auto remove_all = [&]() -> task<> {
    if (draining_ || !buckets_.has_ripe()) co_return;
    draining_ = true;
    co_await drain(everywhere, level);
  };
  co_await finish(remove_all);
}

/// Returns the lowest level from `least` on at which a PE has vertices to remove, or `k_no_level`.
/// While some PEs look for the level, other PEs may still remove vertices of the previous level. A
/// result above `least` could therefore be too high, and is computed again. The result `least` is
/// accepted at once, because an empty level does no harm.
template <class Id>
task<std::uint64_t> peeling<Id>::all_find_level(std::uint64_t least) {
  const auto smaller = [](std::uint64_t a, std::uint64_t b) { return std::min(a, b); };
  std::uint64_t level = co_await all_reduce(buckets_.next_level(least), smaller);
  if (level == least && least < buckets_.window_end()) co_return level;
  for (level = least;;) {  // at this point, no PE removes vertices
    if (level >= buckets_.window_end()) co_await buckets_.open_window(level);
    level = co_await all_reduce(buckets_.next_level(level), smaller);
    if (level == k_no_level || level < buckets_.window_end()) co_return level;
  }
}

/// Returns the number of different core numbers on all PEs.
template <class Id>
task<std::uint64_t> peeling<Id>::all_count_levels() const {
  std::vector<std::uint64_t> all;
  for (const auto& of_pe : co_await all_gather(std::span<const std::uint64_t>(levels_)))
    all.insert(all.end(), of_pe.begin(), of_pe.end());
  std::ranges::sort(all);
  co_return static_cast<std::uint64_t>(std::ranges::unique(all).begin() - all.begin());
}

template <class Id>
task<std::uint64_t> peeling<Id>::all_peel(per_pe<peeling> everywhere) {
  buckets_ = {};
  levels_.clear();
  co_await buckets_.fill(rows_.rows(), [this](std::uint64_t row) { return rows_.degree(row); });
  co_await buckets_.open_window(0);
  const auto all = static_cast<double>(std::max<std::uint64_t>(1, rows_.rows()));
  for (auto level = co_await all_find_level(0); level != k_no_level;
       level = co_await all_find_level(level + 1)) {
    co_await all_remove_level(everywhere, level);
    if (progress) progress(static_cast<double>(buckets_.removed()) / all);
  }
  co_return co_await all_count_levels();
}

// The template is compiled once for 32-bit and once for 64-bit vertex ids, in core_numbers.cpp.
extern template class peeling<std::uint32_t>;
extern template class peeling<std::uint64_t>;

}  // namespace atl::kernels::core_numbers
