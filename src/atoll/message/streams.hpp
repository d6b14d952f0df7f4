#pragma once
// What a PE fills, by destination: made when something is first sent there, and found by a look at
// a table that has one place for several PEs where they are very many.
//
// Who gets buffers from this PE stays. Destinations behind a hop are as many as the job has PEs, so
// their parcels share a bounded number of these objects: beyond it a destination takes over that of
// the one that has had its own for longest.

#include "atoll/message/outgoing.hpp"
#include "atoll/message/route_table.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <unordered_map>
#include <vector>

namespace atl::message {

class streams {
 public:
  /// `give_up` is called for one whose destination changes: nothing of it may stay open.
  streams(int self, int pes, const route_table& routes, std::function<void(outgoing&)> give_up);
  streams(const streams&) = delete;
  streams& operator=(const streams&) = delete;

  /// The object for `destination`, which stays its own until the next call for another PE. Throws
  /// atl::error (input) where there is no such PE, and std::bad_alloc.
  outgoing& to(int destination) {
    outgoing* const found = places_[place_of(destination)];
    if (found->destination == destination) [[likely]]
      return *found;
    return bring(destination);
  }

  /// Null where nothing is open for `destination`.
  outgoing* find_open(int destination);

  /// What it has is submitted: counts its messages.
  std::uint64_t take_created(outgoing& from);

  /// From now on each destination is its own hop. Nothing may be open.
  void go_directly() noexcept;

  /// Application messages created so far, for this PE or for all.
  std::uint64_t created_for_own() const;
  std::uint64_t created() const;

 private:
  std::size_t place_of(int destination) const {
    return static_cast<std::uint32_t>(destination) & mask_;
  }
  outgoing& bring(int destination);
  outgoing& make(int destination);
  outgoing& take_over_oldest();
  [[noreturn]] void refuse(int destination) const;

  int self_;
  std::uint32_t pes_;
  std::uint32_t mask_;
  const route_table& routes_;
  std::function<void(outgoing&)> give_up_;
  std::array<outgoing, 2> nowhere_;  // in places that are empty: for PEs that these are not of
  std::vector<outgoing*> places_;
  std::unordered_map<int, outgoing*> of_;  // by destination
  std::deque<outgoing> all_;
  std::vector<outgoing*> with_hop_;  // as many as there may be: used in turn
  std::size_t oldest_ = 0;           // of those
  std::uint64_t submitted_ = 0;      // messages; those for this PE are counted beside them, too
  std::uint64_t submitted_to_own_ = 0;
};

}  // namespace atl::message
