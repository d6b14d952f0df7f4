#pragma once
// A parcel is messages of one PE to another that travel in a buffer for a third PE, which hands
// them on (routes.hpp): a header whose name says whose they are, and messages in the format of a
// buffer.

#include "atoll/message/outgoing.hpp"
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

// No handler has such a name: they are smaller in the program, and larger in libraries.
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

/// Writes the header of a parcel of `bytes` bytes in all.
void write_parcel_header(std::byte* parcel, parcel_address address, std::size_t bytes);

/// Fills what a parcel has not used, from `at` to `end`.
void write_padding(std::byte* at, const std::byte* end);

/// Takes the padding out of a closed buffer, or out of a part of it. Returns the new end.
std::byte* without_padding(std::byte* begin, const std::byte* end);

/// The parcels that one PE is filling, each in the open buffer of its hop.
class open_parcels {
 public:
  open_parcels(int self, streams& all, observe::counters& counters);

  /// So that the next `open` needs no memory: it must not fail half-way. Throws std::bad_alloc.
  static void make_room(outgoing& carrier);

  /// Starts a parcel in `room`, which lies in the open buffer of its hop, `carrier`.
  static void open(outgoing& parcel, outgoing& carrier, std::byte* room, std::size_t bytes);

  /// Ends the parcel, which is open; gives back what it has not used, or fills it with padding.
  void close(outgoing& parcel);

  /// The same, where it is open, for one whose destination is another one from now on.
  void give_up(outgoing& parcel);

  /// Ends all parcels in this buffer.
  void close_all(outgoing& carrier) {
    if (are_in(carrier)) close_listed(carrier);
  }

  /// Whether there are any.
  static bool are_in(const outgoing& carrier) {
    return carrier.parcels && !carrier.parcels->streams.empty();
  }

  /// The bytes of padding in this buffer, which is closed.
  static std::size_t take_padding(outgoing& carrier) {
    return carrier.parcels ? std::exchange(carrier.parcels->padding, 0) : 0;
  }

  /// The bytes of an open buffer that its parcels hold and have not filled.
  static std::size_t unused(const outgoing& carrier);

 private:
  void close_listed(outgoing& carrier);

  int self_;
  streams& all_;
  observe::counters& counters_;
};

}  // namespace atl::message
