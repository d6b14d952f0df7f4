#pragma once
// The parcels that one PE is filling, each in the open buffer of its hop (parcel.hpp).

#include "atoll/message/streams.hpp"
#include "atoll/observe/recorder.hpp"

#include <cstddef>
#include <utility>

namespace atl::message {

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
