#pragma once
// Commits on a global stack or queue request cells from the master (ledger.hpp). A request goes
// through a relay, which is the first PE of the node. While earlier messages to the master are in
// flight, the relay collects the requests of its node. The master therefore gets one message per
// node instead of one message per PE. The smaller number of messages raises the throughput, which
// is limited by the work of the master.

#include "atoll/collectives.hpp"
#include "atoll/combine/gate.hpp"
#include "atoll/container/ledger.hpp"

#include <cstddef>
#include <deque>
#include <span>

namespace atl::container {

struct cell_part;

/// Memory for the result of a reservation, in the frame of the task that commits. The task waits at
/// the gate `asked`.
struct reservation_slot {
  combine::gate asked{1};
  reservation made;
};

/// A request of a commit for cells. `slot_word` is the address of the commit's `reservation_slot`
/// on PE `pe`.
struct asked_cells {
  std::uint64_t slot_word;
  std::int32_t pe;
  std::uint32_t pushes;
  std::uint32_t pops;
};

/// The relay object of a PE. Only the PE that owns the relay may call the functions. The relay
/// requests cells from the master for the commits of its PE. The relay of a node's first PE also
/// sends the requests of the node's other PEs.
class relay {
 public:
  relay(per_pe<cell_part> parts, cell_geometry geometry) : parts_(parts), geometry_(geometry) {}

  /// Requests the cells `wanted` from the master, at once or in a later message. The answer wakes
  /// the task that waits at the gate of the slot. Throws atl::error (overflow).
  void ask(const asked_cells& wanted);

  /// Forwards all answers of one message from the master to the PEs that made the requests.
  void answered(std::span<const std::byte> answers);

 private:
  void send();

  per_pe<cell_part> parts_;
  cell_geometry geometry_;
  std::deque<asked_cells> waiting_;
  std::uint64_t under_way_ = 0;
};

/// Returns the PE whose relay this PE uses. On the node of the master, each PE uses its own relay.
int relay_of_this_pe();

/// Makes the relay of PE `relay` request cells for a commit of this PE.
void ask_by(int relay, per_pe<cell_part> parts, const asked_cells& wanted, site where);

/// Returns an upper bound for the number of stretches of a reservation.
inline std::size_t most_stretches(std::uint32_t pushes, std::uint32_t pops,
                                  cell_geometry geometry) {
  return pushes / geometry.block_cells + pops / geometry.block_cells + 4;
}

/// Returns the largest number of cells that one commit may request.
std::uint32_t most_in_one_answer(cell_geometry geometry);

}  // namespace atl::container
