#pragma once
// The agenda of a simulation decides which PE runs next: the PE with the earliest time. If several
// PEs have the same time, the PE with the lowest number runs. The agenda contains all PEs except
// the running one. The agenda is a heap, with a table of the position of each PE in the heap. All
// memory is allocated at the start, so that adding a PE never fails.

#include "atoll/transport/transport.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace atl::transport::sim {

class agenda {
 public:
  struct entry {
    /// The time when the PE runs next. The time is `forever` if the PE waits, and no event that
    /// ends the wait is known yet.
    nanoseconds time;
    int pe;

    friend bool operator<(const entry& a, const entry& b) {
      return a.time != b.time ? a.time < b.time : a.pe < b.pe;
    }
  };

  explicit agenda(int pes) : places_(static_cast<std::size_t>(pes), k_absent) {
    heap_.reserve(places_.size());
  }

  bool empty() const { return heap_.empty(); }

  /// Returns the time of the PE that runs next, or `forever` if the agenda is empty.
  nanoseconds earliest() const { return heap_.empty() ? forever : heap_.front().time; }

  entry take() {
    const entry first = heap_.front();
    const entry last = heap_.back();
    heap_.pop_back();
    place_of(first.pe) = k_absent;
    if (!heap_.empty()) sink(0, last);
    return first;
  }

  void add(int pe, nanoseconds time) {
    heap_.emplace_back();
    rise(heap_.size() - 1, {time, pe});
  }

  /// If the agenda contains `pe` with a later time, makes `pe` run at `time`.
  void hasten(int pe, nanoseconds time) {
    const std::size_t place = place_of(pe);
    if (place != k_absent && time < heap_[place].time) rise(place, {time, pe});
  }

 private:
  static constexpr std::size_t k_absent = ~std::size_t{0};
  static constexpr std::size_t k_below = 4;  // number of children of an entry of the heap

  std::size_t& place_of(int pe) { return places_[static_cast<std::size_t>(pe)]; }

  void put(std::size_t place, const entry& what) {
    heap_[place] = what;
    place_of(what.pe) = place;
  }

  void rise(std::size_t place, const entry& what) {
    while (place > 0 && what < heap_[(place - 1) / k_below]) {
      put(place, heap_[(place - 1) / k_below]);
      place = (place - 1) / k_below;
    }
    put(place, what);
  }

  void sink(std::size_t place, const entry& what) {
    for (;;) {
      const std::size_t first = std::min(place * k_below + 1, heap_.size());
      const std::size_t end = std::min(first + k_below, heap_.size());
      const auto least = std::min_element(heap_.begin() + static_cast<std::ptrdiff_t>(first),
                                          heap_.begin() + static_cast<std::ptrdiff_t>(end));
      if (first == end || what < *least) break;
      put(place, *least);
      place = static_cast<std::size_t>(least - heap_.begin());
    }
    put(place, what);
  }

  // The heap: the children of entry i are the entries 4 i + 1 to 4 i + 4.
  std::vector<entry> heap_;
  std::vector<std::size_t> places_;  // index in the heap of each PE
};

}  // namespace atl::transport::sim
