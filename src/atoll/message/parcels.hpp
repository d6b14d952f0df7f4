#pragma once
// A parcel is messages from one PE to another inside a buffer for a third PE, which forwards them
// (routes.hpp). The header's name has the source and destination PE, and messages follow in the
// format of a buffer.

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

// Names of parcels differ from those of all handlers: names of the program's handlers are smaller,
// and those of libraries are larger.
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

/// Writes the header of a parcel that has `bytes` bytes including the header.
void write_parcel_header(std::byte* parcel, parcel_address address, std::size_t bytes);

/// Fills the unused part of a parcel, from `at` to `end`.
void write_padding(std::byte* at, const std::byte* end);

/// Removes the padding from a closed buffer, or from a part of it. Returns the new end.
std::byte* without_padding(std::byte* begin, const std::byte* end);

/// The parcels that one PE is filling, each in the open buffer of its hop.
class open_parcels {
 public:
  open_parcels(int self, streams& all, observe::counters& counters);

  /// Reserves memory for the next `open`, which must not fail half-way. Throws std::bad_alloc.
  static void make_room(outgoing& carrier);

  /// Starts a parcel in `room`, which is in the open buffer of its hop, `carrier`.
  static void open(outgoing& parcel, outgoing& carrier, std::byte* room, std::size_t bytes);

  /// Ends an open parcel. Its unused part is given back, or filled with padding.
  void close(outgoing& parcel);

  /// Ends the parcel if it is open, because its destination is about to change.
  void give_up(outgoing& parcel);

  /// Ends all parcels in this buffer.
  void close_all(outgoing& carrier) {
    if (are_in(carrier)) close_listed(carrier);
  }

  /// Returns whether this buffer has open parcels.
  static bool are_in(const outgoing& carrier) {
    return carrier.parcels && !carrier.parcels->streams.empty();
  }

  /// Returns the bytes of padding in this closed buffer, and resets that count.
  static std::size_t take_padding(outgoing& carrier) {
    return carrier.parcels ? std::exchange(carrier.parcels->padding, 0) : 0;
  }

  /// Returns the bytes of an open buffer that its parcels hold and have not filled.
  static std::size_t unused(const outgoing& carrier);

 private:
  void close_listed(outgoing& carrier);

  int self_;
  streams& all_;
  observe::counters& counters_;
};

}  // namespace atl::message
