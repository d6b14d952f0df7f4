#pragma once
// The endpoint of a PE started by a launcher: shared memory to PEs of its node, MPI to others.

#include "atoll/transport/far/far_memory.hpp"
#include "atoll/transport/far/nodes.hpp"
#include "atoll/transport/far/remote_wire.hpp"
#include "atoll/transport/mpi/mpi_messages.hpp"
#include "atoll/transport/shm/endpoint.hpp"

#include <functional>
#include <optional>

namespace atl::transport::mpi {

/// State that a PE reports when the hang watch asks.
struct pe_state {
  std::uint64_t phase;     ///< number of phases of working and waiting
  std::uint64_t progress;  ///< as in pe_life
  nanoseconds timer;       ///< time after which it goes off; `forever`: none
  std::uint64_t sent;      ///< as in remote_wire
  std::uint64_t received;
  std::uint64_t last_site;  ///< of the task started last (site_word)
  std::uint32_t waits;
  std::uint32_t something_arrived;
};

/// Functions and words that connect a rank with the code that has started it.
struct rank_hooks {
  std::atomic<std::uint64_t>& last_site;      ///< for its keeper; outlives the rank
  std::function<void(int exit_status)> fail;  ///< ends all ranks; does not return
};

class endpoint final : public transport::endpoint {
 public:
  /// `node` is the memory of the PEs of `nodes.mine`, in their order; all arguments must outlive
  /// this object. `own_core`: no other PE needs the core that this one waits on; equal on all PEs
  /// of a node. `shares` are shares of the address space, equal on all nodes.
  endpoint(const atoll_mpi_api& mpi, shm::region& node, const far::node_map& nodes,
           rank_hooks hooks, const settings& settings, bool own_core,
           const shm::address_shares& shares);

  std::byte* acquire(int destination) override;
  void submit(int destination, std::uint32_t bytes) override;
  delivery poll() override;
  void release() override;
  void wait(nanoseconds deadline, awaited what) override;
  bool wake() noexcept override { return near_.wake(); }
  void rouse(int pe) noexcept override { near_.rouse(place_of(pe)); }
  bool linger(memory_watch& until) override { return !far_ && near_.linger(until); }
  nanoseconds now() override { return near_.now(); }
  void fail(int exit_status) override;

  const far::node_map& nodes() const noexcept { return nodes_; }

  /// Returns null if all PEs are on one node.
  far::remote_wire* far() noexcept { return far_ ? &*far_ : nullptr; }

  /// Takes messages that have arrived from other nodes, except buffers, which `poll` returns. Notes
  /// go to their handlers. Returns true if others have sent requests. Call this only with PEs on
  /// other nodes.
  bool look_at_messages();

  /// Waits until all traffic in flight between nodes has arrived. Collective; call this when the
  /// body has ended.
  void drain();

  /// Returns the state of this PE. Call this only with PEs on other nodes.
  pe_state state();

  /// Sets the function that `poll` calls, and `wait` repeatedly, if there are PEs on other nodes.
  void attend_by(std::function<void(bool waits)> attend) { attend_ = std::move(attend); }

 private:
  int place_of(int pe) const { return nodes_.place_of[static_cast<std::size_t>(pe)]; }
  void wait_far(nanoseconds deadline, awaited what);
  void start_helper();
  void fail_for_memory();
  void attend_while_waiting_for_room();
  delivery poll_near();
  delivery poll_far();

  const far::node_map& nodes_;
  const rank_hooks hooks_;
  std::function<void(bool)> attend_;
  const far::vigilance vigilance_;
  shm::endpoint near_;
  mpi_messages messages_;
  far::receive_group arriving_{messages_};
  std::optional<far::remote_wire> far_;
  std::optional<far::far_memory> memory_;
  std::optional<far::memory_helper> helper_;  // exists while memory may be accessed
  bool operations_ended_ = false;             // any, since `wait` last returned
  std::uint64_t phase_ = 0;
  nanoseconds deadline_ = 0;
  bool waits_ = false;
  std::vector<std::byte*> segments_of_all_;
  std::vector<const std::atomic<std::uint32_t>*> sleepers_of_all_;
  bool far_first_ = false;
  bool delivered_far_ = false;
};

}  // namespace atl::transport::mpi
