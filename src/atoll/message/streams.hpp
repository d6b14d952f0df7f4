#pragma once
// Streams are the objects that a PE fills, one per destination.
//
// A table has a place for each of at most 1,024 PEs, with an object in it, so that sending finds
// the object by address. In larger jobs PEs share places. Partners, the PEs that get whole buffers
// from this PE, keep their objects. PEs reached by parcels share the object of a place and evict
// each other.

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
  /// `give_up` is called for an object whose destination changes; it must close whatever is open.
  streams(int self, int pes, const route_table& routes, std::function<void(outgoing&)> give_up);
  streams(const streams&) = delete;
  streams& operator=(const streams&) = delete;

  /// Finds the object for a destination. Returns null if the destination's place has another
  /// object.
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

  /// Returns the object for `destination`. A partner keeps its object; any other object is valid
  /// until the next call for another PE that is no partner. Throws atl::error (input) if there is
  /// no such PE. In jobs with more PEs than places it throws std::bad_alloc, but never for the hop
  /// of a destination that has an object.
  outgoing& to(int destination, site where = {}) {
    outgoing* const found = at_hand(destination);
    return found != nullptr ? *found : bring(destination, where);
  }

  /// Returns the buffer that messages for `destination` go in if it is open, else null.
  outgoing* open_buffer_for(int destination);

  /// Makes the object for `destination` that of a partner until `end_detour`; it must be closed by
  /// then. Throws as `to`.
  outgoing& begin_detour(int destination);
  void end_detour(outgoing& detour) { detour.hop = routes_.hop(detour.destination); }

  /// Counts the messages of an object that is being submitted. Returns how many there are.
  std::uint64_t take_created(outgoing& from);

  /// Forgets all hops, which have changed. Nothing may be open.
  void forget_hops() noexcept;

  /// Number of application messages created so far, for this PE or for all.
  std::uint64_t created_for_own() const;
  std::uint64_t created() const;

  /// Returns the number of PEs that have a place.
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
  // Partners whose place another partner has.
  std::unordered_map<int, outgoing> more_partners_;
  std::vector<std::unique_ptr<outgoing>> beside_;  // by place
  std::uint64_t submitted_ = 0;  // messages; those for this PE are also counted below
  std::uint64_t submitted_to_own_ = 0;
};

}  // namespace atl::message
