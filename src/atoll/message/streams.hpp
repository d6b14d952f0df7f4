#pragma once
// Streams are the `send_buffer` objects of a PE. Each `send_buffer` object collects the messages
// for one destination (send_buffer.hpp).
//
// The `send_buffer` objects are in a table with one place per PE, but at most 1,024 places. The
// number of a destination PE determines its place in the table. In jobs of more than 1,024 PEs,
// some places of this table belong to several destination PEs. A partner is a PE to which this PE
// sends buffers directly. This PE keeps a `send_buffer` object for each partner. Several
// destinations that are reached through another PE can share one `send_buffer` object, which
// collects messages for one destination at a time.

#include "atoll/message/routes.hpp"
#include "atoll/message/send_buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

namespace atl::message {

class streams {
 public:
  /// `give_up(buffer)` is called before a `send_buffer` object in use gets another destination or
  /// another hop. If the object has an open parcel, `give_up` must close the parcel.
  streams(int self, int pes, const route_table& routes, std::function<void(send_buffer&)> give_up);
  streams(const streams&) = delete;
  streams& operator=(const streams&) = delete;

  /// Finds the `send_buffer` object for a destination. If the object at the destination's place in
  /// the table is unused or collects messages for another PE, returns null.
  class places_at_hand {
   public:
    places_at_hand(send_buffer* places, std::uint32_t mask) : places_(places), mask_(mask) {}
    send_buffer* operator()(int destination) const {
      send_buffer& found = places_[static_cast<std::uint32_t>(destination) & mask_];
      return found.destination == destination ? &found : nullptr;
    }

   private:
    send_buffer* places_;
    std::uint32_t mask_;
  };
  places_at_hand at_hand() { return {places_.data(), mask_}; }
  send_buffer* at_hand(int destination) { return at_hand()(destination); }

  /// Returns the object for `destination`. If `destination` is a partner (a PE to which this PE
  /// sends directly), its object stays valid. If this PE does not send to `destination` directly, a
  /// later call for another PE can reuse the object of `destination`. Throws atl::error (input) if
  /// PE `destination` does not exist. In jobs with more PEs than places in the table, the function
  /// may throw std::bad_alloc. After a call for `destination`, a call for its hop never throws
  /// std::bad_alloc, and the object of `destination` stays valid.
  send_buffer& to(int destination, site where = {}) {
    send_buffer* const found = at_hand(destination);
    return found != nullptr ? *found : bring(destination, where);
  }

  /// Returns the buffer for messages to `destination` if that buffer is open, and null otherwise.
  send_buffer* open_buffer_for(int destination);

  /// Makes this PE send to `destination` directly until `end_detour` is called. The buffer of the
  /// returned object must be closed before `end_detour`. Throws the same errors as the function
  /// `to`.
  send_buffer& begin_detour(int destination);
  void end_detour(send_buffer& detour) { detour.hop = routes_.hop(detour.destination); }

  /// Returns the number of application messages in `from`, and adds this number to the total of
  /// messages in closed buffers and parcels. Call the function when the buffer or parcel of `from`
  /// is closed.
  std::uint64_t take_created(send_buffer& from);

  /// Forgets the hop (the next PE) of every destination, because the routes have changed. No buffer
  /// or parcel may be open.
  void forget_hops() noexcept;

  /// Returns how many application messages this PE has created for itself so far.
  std::uint64_t created_for_own() const;
  /// Returns how many application messages this PE has created for all PEs so far.
  std::uint64_t created() const;

  /// Returns the number of places in the table.
  std::size_t places() const { return places_.size(); }

 private:
  std::size_t place_of(int destination) const {
    return static_cast<std::uint32_t>(destination) & mask_;
  }
  send_buffer& bring(int destination, site where);
  send_buffer& partner(int destination);
  send_buffer& behind(int destination, int hop);
  send_buffer& beside(std::size_t place);
  void empty(send_buffer& of, std::size_t place) noexcept;
  void let_go(send_buffer& of);
  template <class Function>
  void for_each(const Function& function) const;
  [[noreturn]] void refuse(int destination, site where) const;

  int self_;
  std::uint32_t pes_;
  std::uint32_t mask_;
  const route_table& routes_;
  std::function<void(send_buffer&)> give_up_;
  std::vector<send_buffer> places_;
  // If several partners (PEs to which this PE sends directly) share a place in the table, this map
  // contains all their objects except the first. The key of an entry is the rank of the partner.
  std::unordered_map<int, send_buffer> more_partners_;
  // For each place of the table, a second `send_buffer` object, or null until it is first needed.
  // While the table's object sends directly to its destination, the object in `beside_` collects
  // messages for a PE reached through a hop.
  std::vector<std::unique_ptr<send_buffer>> beside_;
  // Number of application messages in buffers and parcels that have been closed. Messages for this
  // PE are also counted in `submitted_to_own_`.
  std::uint64_t submitted_ = 0;
  std::uint64_t submitted_to_own_ = 0;
};

}  // namespace atl::message
