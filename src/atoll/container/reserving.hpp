#pragma once
// Requests of commits for cells are sent to the master through a relay, the first PE of each node.
// A relay collects the requests of its node while an answer is in flight. The master therefore gets
// one message per node instead of one message per PE. Fewer messages raise the throughput, because
// the work of the master limits it.

#include "atoll/collectives.hpp"
#include "atoll/combine/gate.hpp"
#include "atoll/container/ledger.hpp"

#include <cstddef>
#include <deque>
#include <span>

namespace atl::container {

struct cell_part;

/// The memory for the result of a reservation, in the frame of the asking task.
struct reservation_slot {
  combine::gate asked{1};
  reservation made;
};

/// A request of a commit for cells, with the address of the slot for the result on the asking PE.
struct asked_cells {
  std::uint64_t slot_word;
  std::int32_t pe;
  std::uint32_t pushes;
  std::uint32_t pops;
};

/// The relay of a PE. Only this PE may call the functions. A relay requests cells from the master
/// for the commits of its PE. The relay of the first PE of a node also sends the requests of the
/// other PEs of the node.
class relay {
 public:
  relay(per_pe<cell_part> parts, cell_geometry geometry) : parts_(parts), geometry_(geometry) {}

  /// Asks the master for the cells `wanted`. The answer wakes the task that waits at the gate of
  /// the slot. Throws atl::error (overflow).
  void ask(const asked_cells& wanted);

  /// Distributes the answers of the master to the requests of the oldest message in flight.
  void answered(std::span<const std::byte> answers);

 private:
  void send();

  per_pe<cell_part> parts_;
  cell_geometry geometry_;
  std::deque<asked_cells> waiting_;
  std::uint64_t under_way_ = 0;
};

/// Returns the PE whose relay this PE uses. On the node of the master each PE uses its own relay.
int relay_of_this_pe();

/// Asks the relay on PE `relay` to request cells for a commit of this PE.
void ask_by(int relay, per_pe<cell_part> parts, const asked_cells& wanted, site where);

/// Returns the largest number of stretches that a reservation can have.
inline std::size_t most_stretches(std::uint32_t pushes, std::uint32_t pops,
                                  cell_geometry geometry) {
  return pushes / geometry.block_cells + pops / geometry.block_cells + 4;
}

/// Returns the largest number of cells that one commit may request.
std::uint32_t most_in_one_answer(cell_geometry geometry);

}  // namespace atl::container
