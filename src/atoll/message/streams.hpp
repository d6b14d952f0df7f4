#pragma once
// What a PE fills, by destination.
//
// A table has a place for each of up to 1,024 PEs, with an object in it, so that sending finds that
// by address. In larger jobs PEs share places. Who gets buffers from this PE, a partner, keeps what
// it has got; the others, to whom parcels go, take the object of the place from each other.

#include "atoll/message/outgoing.hpp"
#include "atoll/message/routes.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

namespace atl::message {

class streams {
 public:
  /// `give_up` is called for one whose destination changes: nothing of it may stay open.
  streams(int self, int pes, const route_table& routes, std::function<void(outgoing&)> give_up);
  streams(const streams&) = delete;
  streams& operator=(const streams&) = delete;

  /// The object for a destination, where that has its place; else null.
  class places_at_hand {
   public:
    places_at_hand(outgoing* places, std::uint32_t mask) : places_(places), mask_(mask) {}
    outgoing* operator()(int destination) const {
      outgoing& found = places_[static_cast<std::uint32_t>(destination) & mask_];
      return found.destination == destination ? &found : nullptr;
    }

   private:
    outgoing* places_;
    std::uint32_t mask_;
  };
  places_at_hand at_hand() { return {places_.data(), mask_}; }
  outgoing* at_hand(int destination) { return at_hand()(destination); }

  /// The object for `destination`: a partner's for good, else until the next call for another PE
  /// that is no partner. Throws atl::error (input) where there is no such PE, and, in jobs of more
  /// PEs than places, std::bad_alloc: never for the hop of what has an object.
  outgoing& to(int destination, site where = {}) {
    outgoing* const found = at_hand(destination);
    return found != nullptr ? *found : bring(destination, where);
  }

  /// The buffer that messages for `destination` go in, if it is open, else null.
  outgoing* open_buffer_for(int destination);

  /// The object for `destination` is that of a partner until `end_detour`, by when it has to be
  /// closed. Throws as `to`.
  outgoing& begin_detour(int destination);
  void end_detour(outgoing& detour) { detour.hop = routes_.hop(detour.destination); }

  /// What it has is submitted: counts its messages, and returns how many there are.
  std::uint64_t take_created(outgoing& from);

  /// Hops have changed, and nothing is open.
  void forget_hops() noexcept;

  /// Application messages created so far, for this PE or for all.
  std::uint64_t created_for_own() const;
  std::uint64_t created() const;

  /// For how many PEs there are places.
  std::size_t places() const { return places_.size(); }

 private:
  std::size_t place_of(int destination) const {
    return static_cast<std::uint32_t>(destination) & mask_;
  }
  outgoing& bring(int destination, site where);
  outgoing& partner(int destination);
  outgoing& behind(int destination, int hop);
  outgoing& beside(std::size_t place);
  void empty(outgoing& of, std::size_t place) noexcept;
  void let_go(outgoing& of);
  template <class Function>
  void for_each(const Function& function) const;
  [[noreturn]] void refuse(int destination, site where) const;

  int self_;
  std::uint32_t pes_;
  std::uint32_t mask_;
  const route_table& routes_;
  std::function<void(outgoing&)> give_up_;
  std::vector<outgoing> places_;
  // Where a partner has the place.
  std::unordered_map<int, outgoing> more_partners_;
  std::vector<std::unique_ptr<outgoing>> beside_;  // by place
  std::uint64_t submitted_ = 0;  // messages; those for this PE are counted beside them, too
  std::uint64_t submitted_to_own_ = 0;
};

}  // namespace atl::message
