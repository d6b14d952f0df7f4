#pragma once
// Commits get their cells through a relay. The first PE of a node, the relay, collects the requests
// of the node while an answer is in flight. The master, whose work limits the throughput, gets one
// message per node instead of one per PE.

#include "atoll/collectives.hpp"
#include "atoll/combine/gate.hpp"
#include "atoll/container/ledger.hpp"

#include <cstddef>
#include <deque>
#include <span>

namespace atl::container {

struct cell_part;

/// The destination of a reservation, in the frame of the task that asked.
struct reservation_slot {
  combine::gate asked{1};
  reservation made;
};

/// The cells that a commit wants, and the slot for them on its PE.
struct asked_cells {
  std::uint64_t slot_word;
  std::int32_t pe;
  std::uint32_t pushes;
  std::uint32_t pops;
};

/// The relay of a PE, called by that PE only. A relay asks the master for commits of its PE. The
/// relay on the first PE of a node also asks for the other PEs of the node.
class relay {
 public:
  relay(per_pe<cell_part> parts, cell_geometry geometry) : parts_(parts), geometry_(geometry) {}

  /// Asks the master for `wanted`. The answer opens the gate of the slot. Throws atl::error
  /// (overflow).
  void ask(const asked_cells& wanted);

  /// Distributes the answers of the master to the oldest message in flight.
  void answered(std::span<const std::byte> answers);

 private:
  void send();

  per_pe<cell_part> parts_;
  cell_geometry geometry_;
  std::deque<asked_cells> waiting_;
  std::uint64_t under_way_ = 0;
};

/// Returns the relay of this PE; on the node of the master that is the PE itself.
int relay_of_this_pe();

/// Asks PE `relay` to ask the master for a commit of this PE.
void ask_by(int relay, per_pe<cell_part> parts, const asked_cells& wanted, site where);

/// Returns the largest number of stretches of a reservation.
inline std::size_t most_stretches(std::uint32_t pushes, std::uint32_t pops,
                                  cell_geometry geometry) {
  return pushes / geometry.block_cells + pops / geometry.block_cells + 4;
}

/// Returns the largest number of cells that one commit may ask for.
std::uint32_t most_in_one_answer(cell_geometry geometry);

}  // namespace atl::container
