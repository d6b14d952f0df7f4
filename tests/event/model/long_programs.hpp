#pragma once
// Makes long programs in which events fail. A program is a chain of a thousand links or a few
// merges of up to a thousand events. In a chain, a link in the middle half fails. In merges, random
// events are poisoned.

#include "event/model/maker.hpp"

#include <array>

namespace atl::test {

class chain_generator : program_maker {
 public:
  chain_generator(std::uint64_t seed, int pes) : program_maker(seed, pes) {}

  program_plan make() {
    program_.reservations = 1;
    std::size_t last = add_user(ends::triggered, below(2) * below(k_links), 2);
    const std::size_t poisoned = k_links / 4 + below(k_links / 2);
    const std::size_t again = below(2 * k_links);
    for (std::size_t i = 0; i < k_links; ++i)
      last = i == poisoned || i == again ? poison(last) : follow(last);
    return take();
  }

 private:
  static constexpr std::size_t k_links = 1000;

  std::size_t some_waiting() { return below(8) / 7; }

  /// Adds a link that fails: an operation that throws, or a merge with a poisoned event.
  std::size_t poison(std::size_t last) {
    if (one_in(3)) {
      event_plan plan = some(event_kind::spawned, {last});
      plan.own_end = ends::failed;
      return add(std::move(plan), 2);
    }
    const std::size_t bad = add_user(ends::failed, below(k_links), 2);
    return add(some(event_kind::all, {last, bad}), 2);
  }

  std::size_t follow(std::size_t last) {
    switch (below(8)) {
    case 0:
      return add(some(event_kind::all, {last, any_event(), last}), some_waiting());
    case 1:
      return add(some(event_kind::any, {last, last}), some_waiting());
    case 2:
      return add(some(event_kind::promised, {last}), some_waiting());
    case 3:
      return add(some(event_kind::filled, {last}), some_waiting());
    case 4:
      return hold(last);
    case 5:
      return add(some(event_kind::all, {last, add_user(ends::triggered, below(k_links), 0)}),
                 some_waiting());
    default:
      return add(some(event_kind::spawned, {last}), some_waiting());
    }
  }

  /// Adds an acquisition and a release of the reservation.
  std::size_t hold(std::size_t last) {
    event_plan acquisition = some(event_kind::acquired, {last});
    const int pe = acquisition.made_by;
    const std::size_t acquired = add(std::move(acquisition), some_waiting());
    event_plan release = some(event_kind::released, {acquired, acquired});
    release.made_by = pe;
    return add(std::move(release), some_waiting());
  }
};

class merge_generator : program_maker {
 public:
  merge_generator(std::uint64_t seed, int pes) : program_maker(seed, pes) {}

  program_plan make() {
    const std::size_t poisoned = one_in(8) ? 1 : 100 + below(1000);
    for (std::size_t i = 0; i < k_width; ++i)
      add_user(one_in(poisoned) ? ends::failed : ends::triggered, below(2 * k_width), i % 50 / 49);
    for (std::size_t merges = 2 + below(5); merges > 0; --merges) {
      constexpr std::array k_kinds = {event_kind::all, event_kind::settled, event_kind::any,
                                      event_kind::promised};
      const std::size_t merged = add(some(k_kinds[below(k_kinds.size())], inputs()), 8);
      add(some(event_kind::spawned, {merged}), 2);
    }
    return take();
  }

 private:
  static constexpr std::size_t k_width = 1000;

  /// Returns all user events of the program, or a random half of them, as the inputs of a merge.
  std::vector<std::size_t> inputs() {
    std::vector<std::size_t> chosen;
    const std::size_t part = 1 + below(2);
    for (std::size_t i = 0; i < k_width; ++i)
      if (one_in(part)) chosen.push_back(i);
    return chosen;
  }
};

}  // namespace atl::test
