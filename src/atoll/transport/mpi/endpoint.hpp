#pragma once
// A PE of a job that a launcher has started: shared memory to the PEs of its node, MPI to others.

#include "atoll/transport/far/memory_helper.hpp"
#include "atoll/transport/far/naps.hpp"
#include "atoll/transport/far/remote_wire.hpp"
#include "atoll/transport/mpi/mpi_messages.hpp"
#include "atoll/transport/mpi/node_map.hpp"
#include "atoll/transport/shm/endpoint.hpp"

#include <functional>
#include <optional>

namespace atl::transport::mpi {

/// What a PE says when it is asked how it is.
struct pe_state {
  std::uint64_t phase;     ///< of working and waiting, counted
  std::uint64_t progress;  ///< as in pe_life
  nanoseconds timer;       ///< it goes off after this time; `forever`: none
  std::uint64_t sent;      ///< as in remote_wire
  std::uint64_t received;
  std::uint64_t last_site;  ///< of the task that it started last (site_word)
  std::uint32_t waits;
  std::uint32_t something_arrived;
};

/// What a rank leaves to whoever has started it.
struct rank_hooks {
  std::atomic<std::uint64_t>& last_site;      ///< for its keeper; outlives the rank
  std::function<void(int exit_status)> fail;  ///< ends all ranks; does not return
};

class endpoint final : public transport::endpoint {
 public:
  /// `node` is the memory of the PEs of `nodes.mine`, in their order. All must outlive it.
  /// `own_core`: no other PE needs the core that this one waits on; the PEs of a node agree on it.
  /// `shares`: of the address space, on whatever node.
  endpoint(const atoll_mpi_api& mpi, shm::region& node, const node_map& nodes, rank_hooks hooks,
           const settings& settings, bool own_core, const shm::address_shares& shares);

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

  const node_map& nodes() const noexcept { return nodes_; }

  /// Null when all PEs are on one node.
  far::remote_wire* far() noexcept { return far_ ? &*far_ : nullptr; }

  /// Takes what has arrived from other nodes, but for buffers, which `poll` shows: notes go to whom
  /// they are for. True: others have asked for something. With PEs on other nodes only.
  bool look_at_messages();

  /// When the body has ended, collective: until all that is under way between nodes has arrived.
  void drain();

  /// How this PE is. With PEs on other nodes only.
  pe_state state();

  /// Is called by `poll`, and again and again within `wait`, when there are PEs on other nodes.
  void attend_by(std::function<void(bool waits)> attend) { attend_ = std::move(attend); }

 private:
  int place_of(int pe) const { return nodes_.place_of[static_cast<std::size_t>(pe)]; }
  void wait_far(nanoseconds deadline, awaited what);
  void start_helper();
  void fail_for_memory();
  void attend_while_waiting_for_room();
  delivery poll_near();
  delivery poll_far();

  const node_map& nodes_;
  const rank_hooks hooks_;
  std::function<void(bool)> attend_;
  const far::vigilance vigilance_;
  shm::endpoint near_;
  mpi_messages messages_;
  far::receive_group arriving_{messages_};
  std::optional<far::remote_wire> far_;
  std::optional<far::far_memory> memory_;
  std::optional<far::memory_helper> helper_;  // while memory may be accessed
  bool operations_ended_ = false;             // some, since `wait` returned last
  std::uint64_t phase_ = 0;
  nanoseconds deadline_ = 0;
  bool waits_ = false;
  std::vector<std::byte*> segments_of_all_;
  std::vector<const std::atomic<std::uint32_t>*> sleepers_of_all_;
  bool far_first_ = false;
  bool delivered_far_ = false;
};

}  // namespace atl::transport::mpi
