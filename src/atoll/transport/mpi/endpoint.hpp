#pragma once
// The endpoint of a PE that an MPI launcher has started. The PE communicates with PEs of its node
// by shared memory, and with other PEs by MPI.

#include "atoll/transport/internode/far_memory.hpp"
#include "atoll/transport/internode/nodes.hpp"
#include "atoll/transport/internode/remote_wire.hpp"
#include "atoll/transport/mpi/mpi_messages.hpp"
#include "atoll/transport/shm/endpoint.hpp"

#include <functional>
#include <optional>

namespace atl::transport::mpi {

/// The state that a PE reports to the hang watch, which detects that a job hangs
/// (job/hang_watch.hpp).
struct pe_state {
  /// Number of times that the PE has begun to work or to wait.
  std::uint64_t phase;
  /// Number of times that the PE has called `note_progress`.
  std::uint64_t progress;
  /// Time in ns until the deadline of the present wait. The value is `forever` if there is no
  /// deadline.
  nanoseconds timer;
  std::uint64_t sent;  ///< number of sent messages that can end a wait on another node
  std::uint64_t received;
  /// Source line, as a `site_word`, that spawned the latest task of this PE.
  std::uint64_t last_site;
  std::uint32_t waits;
  std::uint32_t something_arrived;
};

/// The code in job/ starts each rank, and passes a word and a function (`rank_hooks`) to the
/// endpoint of the rank.
struct rank_hooks {
  /// Word in which the endpoint stores the source line that spawned the latest task of the rank.
  /// The rank keeper, a process that watches the rank, reads the word after the death of the rank.
  std::atomic<std::uint64_t>& last_site;
  std::function<void(int exit_status)> fail;  ///< ends all ranks, and does not return
};

class endpoint final : public transport::endpoint {
 public:
  /// The PEs `nodes.mine` share the region `node`, and have the numbers 0, 1, 2 and so on in the
  /// region. The caller sets `own_core` to true if each PE of the node has a core that no other
  /// process needs. The sizes `shares` must be equal on all nodes. The arguments passed by
  /// reference, except `shares`, must outlive this object.
  endpoint(const atoll_mpi_api& mpi, shm::region& node, const internode::node_map& nodes,
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

  const internode::node_map& nodes() const noexcept { return nodes_; }

  /// Returns the object that sends buffers to PEs of other nodes. Returns null if all PEs are on
  /// one node.
  internode::remote_wire* far() noexcept { return far_ ? &*far_ : nullptr; }

  /// Processes messages that have arrived from other nodes: one-sided requests, answers, and notes.
  /// Network buffers are left to `poll`. Returns true if one-sided requests of other PEs have
  /// arrived. The caller must call this function only if the job has several nodes.
  bool look_at_messages();

  /// Waits until all messages in flight between nodes have arrived. All PEs must call this function
  /// after the program has ended.
  void drain();

  /// Returns the state of this PE. The caller must call this function only if the job has several
  /// nodes.
  pe_state state();

  /// Sets a function that `poll` calls once and `wait` calls repeatedly. The function is called
  /// only if the job has several nodes.
  void attend_by(std::function<void(bool waits)> attend) { attend_ = std::move(attend); }

 private:
  int place_of(int pe) const { return nodes_.place_of[static_cast<std::size_t>(pe)]; }
  void wait_far(nanoseconds deadline, awaited what);
  void start_helper();
  void fail_for_memory();
  void attend_while_waiting_for_room();
  delivery poll_near();
  delivery poll_far();

  const internode::node_map& nodes_;
  const rank_hooks hooks_;
  std::function<void(bool)> attend_;
  const internode::vigilance vigilance_;
  shm::endpoint near_;
  mpi_messages messages_;
  internode::receive_group arriving_{messages_};
  std::optional<internode::remote_wire> far_;
  std::optional<internode::far_memory> memory_;
  // The helper thread, which exists while other PEs may access the memory of this PE.
  std::optional<internode::memory_helper> helper_;
  // True if a one-sided operation has ended since the last return of `wait`.
  bool operations_ended_ = false;
  std::uint64_t phase_ = 0;
  nanoseconds deadline_ = 0;
  bool waits_ = false;
  std::vector<std::byte*> segments_of_all_;
  std::vector<const std::atomic<std::uint32_t>*> sleepers_of_all_;
  bool far_first_ = false;
  bool delivered_far_ = false;
};

}  // namespace atl::transport::mpi
