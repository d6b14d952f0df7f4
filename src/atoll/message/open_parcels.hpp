#pragma once
// The parcels that one PE is filling, each in the open buffer of its hop (parcel.hpp).

#include "atoll/message/outgoing.hpp"
#include "atoll/message/route_table.hpp"
#include "atoll/observe/recorder.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace atl::message {

class open_parcels {
 public:
  /// `outgoing` has what is being filled for each PE: a buffer, or a parcel where a hop is between.
  open_parcels(int self, std::span<outgoing> outgoing, const route_table& routes,
               observe::counters& counters);

  /// Starts a parcel in `room`, which lies in the open buffer of its hop.
  void open(int destination, std::byte* room, std::size_t bytes);

  /// Ends the parcel, which is open; gives back what it has not used, or fills it with padding.
  void close(int destination);

  /// Ends all parcels in the buffer of `hop`.
  void close_all(int hop) {
    if (!carriers_[hop].destinations.empty()) close_listed(hop);
  }

  /// The bytes of padding in the buffer of `hop`, which is closed.
  std::size_t take_padding(int hop) { return std::exchange(carriers_[hop].padding, 0); }

 private:
  struct carrier {
    std::vector<int> destinations;  ///< of the parcels in the buffer that may be open
    std::size_t padding = 0;
  };

  void close_listed(int hop);

  int self_;
  std::span<outgoing> outgoing_;
  const route_table& routes_;
  observe::counters& counters_;
  std::vector<carrier> carriers_;        ///< by hop
  std::vector<std::uint8_t> is_listed_;  ///< by destination
};

}  // namespace atl::message
