#pragma once
// How commits get their cells. The PEs of a node ask the master together: the first PE, the relay,
// collects what they ask while an answer is under way. So the master, whose work bounds
// what all can do, has a message from each node where it would have one from each PE.

#include "atoll/collectives.hpp"
#include "atoll/combine/gate.hpp"
#include "atoll/container/ledger.hpp"

#include <cstddef>
#include <deque>
#include <span>

namespace atl::container {

struct cell_part;

/// Where a reservation arrives; lies in the frame of the task that asked.
struct reservation_slot {
  combine::gate asked{1};
  reservation made;
};

/// What a commit wants, and the slot for it on its PE.
struct asked_cells {
  std::uint64_t slot_word;
  std::int32_t pe;
  std::uint32_t pushes;
  std::uint32_t pops;
};

/// Of each PE: asks the master for commits of this PE and, on the first PE of a node, for commits
/// of the other PEs of the node. Called by its own PE only.
class relay {
 public:
  relay(per_pe<cell_part> parts, cell_geometry geometry) : parts_(parts), geometry_(geometry) {}

  /// The answer opens the slot's gate. Throws atl::error (overflow).
  void ask(const asked_cells& wanted);

  /// The master has answered the oldest message that is under way.
  void answered(std::span<const std::byte> answers);

 private:
  void send();

  per_pe<cell_part> parts_;
  cell_geometry geometry_;
  std::deque<asked_cells> waiting_;
  std::uint64_t under_way_ = 0;
};

/// The relay of this PE; on the master's node the PE itself.
int relay_of_this_pe();

/// Has `relay` ask for a commit of this PE.
void ask_by(int relay, per_pe<cell_part> parts, const asked_cells& wanted, site where);

/// The most stretches that a reservation has.
inline std::size_t most_stretches(std::uint32_t pushes, std::uint32_t pops,
                                  cell_geometry geometry) {
  return pushes / geometry.block_cells + pops / geometry.block_cells + 4;
}

/// The most cells that one commit may ask for.
std::uint32_t most_in_one_answer(cell_geometry geometry);

}  // namespace atl::container
