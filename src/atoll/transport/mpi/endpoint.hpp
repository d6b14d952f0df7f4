#pragma once
// A PE of a job that a launcher has started: shared memory to the PEs of its node, MPI to others.

#include "atoll/transport/mpi/hang_talk.hpp"
#include "atoll/transport/mpi/node_map.hpp"
#include "atoll/transport/mpi/remote_wire.hpp"
#include "atoll/transport/rank_keeper.hpp"
#include "atoll/transport/shm/endpoint.hpp"

#include <optional>

namespace atl::transport::mpi {

class endpoint final : public transport::endpoint {
 public:
  /// `node` is the memory of the PEs of `nodes.mine`, in their order. All must outlive it.
  endpoint(const atoll_mpi_api& mpi, shm::region& node, const node_map& nodes, kept_rank& kept,
           const settings& settings);

  std::byte* acquire(int destination) override;
  void submit(int destination, std::uint32_t bytes) override;
  delivery poll() override;
  void release() override;
  void wait(nanoseconds deadline, awaited what) override;
  nanoseconds now() override { return near_.now(); }
  void fail(int exit_status) override;

  /// Null when all PEs are on one node.
  remote_wire* far() noexcept { return far_ ? &*far_ : nullptr; }

 private:
  int place_of(int pe) const { return nodes_.place_of[static_cast<std::size_t>(pe)]; }
  void wait_far(nanoseconds deadline, awaited what);
  void attend(nanoseconds time);
  pe_state state();
  delivery poll_near();
  delivery poll_far();

  const atoll_mpi_api& mpi_;
  const node_map& nodes_;
  kept_rank& kept_;
  const std::uint64_t yields_;
  shm::endpoint near_;
  std::optional<remote_wire> far_;
  std::optional<hang_talk> talk_;
  std::uint64_t phase_ = 0;
  nanoseconds deadline_ = 0;
  bool waits_ = false;
  std::vector<std::byte*> segments_of_all_;
  bool far_first_ = false;
  bool delivered_far_ = false;
};

}  // namespace atl::transport::mpi
