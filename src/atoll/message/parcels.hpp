#pragma once
// A parcel is a group of messages from one PE to another, inside a buffer for a third PE, the hop.
// The hop receives the buffer and forwards the parcel (routes.hpp). The header of a parcel contains
// the numbers of the source PE and of the destination PE. Behind the header are the messages of the
// parcel, in the format of a buffer (send_buffer.hpp).

#include "atoll/message/send_buffer.hpp"
#include "atoll/message/streams.hpp"
#include "atoll/observe/recorder.hpp"
#include "atoll/transport/transport.hpp"

#include <cstddef>
#include <utility>

namespace atl::message {

inline constexpr std::size_t k_parcel_overhead = k_unit;

struct parcel_address {
  int source;
  int destination;
};

// The header of a run of messages contains the name of a handler; the header of a parcel contains a
// number that names no handler. The number in a parcel's header lies between the names of handlers
// in the program (smaller) and the names of handlers in libraries (larger).
inline constexpr int k_pe_bits = 20;
inline constexpr handler_name k_parcel = handler_name{1} << 46;
static_assert(transport::max_pes <= 1 << k_pe_bits);

constexpr handler_name parcel_name(parcel_address address) {
  return k_parcel | static_cast<handler_name>(address.source) << k_pe_bits |
         static_cast<handler_name>(address.destination);
}

constexpr bool is_parcel(handler_name name) {
  return name >> 2 * k_pe_bits == k_parcel >> 2 * k_pe_bits;
}

constexpr parcel_address address_of_parcel(handler_name name) {
  constexpr handler_name mask = (handler_name{1} << k_pe_bits) - 1;
  return {static_cast<int>(name >> k_pe_bits & mask), static_cast<int>(name & mask)};
}

/// Writes the header of a parcel. The parcel and its header have `bytes` bytes together.
void write_parcel_header(std::byte* parcel, parcel_address address, std::size_t bytes);

/// Marks the unused bytes of a parcel, from `at` to `end`, as padding.
void write_padding(std::byte* at, const std::byte* end);

/// Removes the padding between `begin` and `end`, which are the bounds of a closed buffer or of a
/// part of a buffer. Returns the end of the remaining bytes, which are moved towards `begin`.
std::byte* without_padding(std::byte* begin, const std::byte* end);

/// The parcels (groups of messages that another PE forwards) that one PE is filling. Each parcel
/// lies in the open buffer for its hop, the PE that forwards the parcel.
class open_parcels {
 public:
  open_parcels(int self, streams& all, observe::counters& counters);

  /// Reserves memory for the next `open` in the buffer `carrier`, so that `open` cannot fail
  /// half-way. Throws std::bad_alloc.
  static void make_room(send_buffer& carrier);

  /// Starts a parcel of `bytes` bytes at the address `room`. `room` must lie in `carrier`, the open
  /// buffer for the PE that forwards the parcel.
  static void open(send_buffer& parcel, send_buffer& carrier, std::byte* room, std::size_t bytes);

  /// Ends an open parcel. If other data follows the parcel, the parcel's unused part is filled with
  /// padding; otherwise the unused part is returned to the buffer.
  void close(send_buffer& parcel);

  /// Ends the parcel if it is open. Call this function before the destination or the hop of the
  /// object `parcel` changes.
  void give_up(send_buffer& parcel);

  /// Ends all open parcels in the buffer `carrier`.
  void close_all(send_buffer& carrier) {
    if (are_in(carrier)) close_listed(carrier);
  }

  /// Returns whether the buffer `carrier` may have open parcels.
  static bool are_in(const send_buffer& carrier) {
    return carrier.parcels && !carrier.parcels->streams.empty();
  }

  /// Returns the number of bytes of padding in the parcels of the closed buffer `carrier`, and
  /// resets the number to 0.
  static std::size_t take_padding(send_buffer& carrier) {
    return carrier.parcels ? std::exchange(carrier.parcels->padding, 0) : 0;
  }

  /// Returns the number of bytes that parcels have reserved in the open buffer `carrier` but not
  /// filled with messages.
  static std::size_t unused(const send_buffer& carrier);

 private:
  void close_listed(send_buffer& carrier);

  int self_;
  streams& all_;
  observe::counters& counters_;
};

}  // namespace atl::message
