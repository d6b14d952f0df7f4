#pragma once
// One-sided access of a simulated PE to the memory of other PEs. If times are random, a put is
// divided into pieces that become visible at different times. OpenSHMEM allows the pieces of a put
// to become visible in any order until a fence or the completion of the put. In the model of a
// cluster, the network executes the operations, as network cards with remote direct memory access
// (RDMA) do. The processor of the PE that owns the memory takes no part in the operations.

#include "atoll/random.hpp"
#include "atoll/transport/sim/world.hpp"

#include <memory>
#include <unordered_map>
#include <vector>

namespace atl::transport::sim {

class memory_access final : public remote_memory {
 public:
  /// The parameter `time` is the clock of the PE. Operations of the PE advance the clock by their
  /// cost.
  memory_access(world& world, int rank, nanoseconds& time);

  void put(const remote_place& to, std::span<const std::byte> from, bool lasts,
           open_operations& counted, const signal_update* signal) override;
  void get(const remote_place& from, std::span<std::byte> into, open_operations& counted) override;
  void update(const remote_place& at, const atomic_operation& what, std::uint64_t* before,
              open_operations& counted) override;
  void fence() override;
  void flush() override {}
  bool is_idle() override { return open_ == 0; }

  /// Returns true if operations have ended but their counters were not decreased yet.
  bool has_ended() const { return !ended_.empty(); }

  /// Decreases the counters of operations that have ended. Returns true if an operation has ended.
  /// Only the PE itself calls this function.
  bool count_out();

  /// Records that the program on the PE has ended. After this call, operations in flight access no
  /// private memory of the PE, such as the target of a get, because the memory may be freed.
  void close() { is_closed_ = true; }

 private:
  using action = memory_traffic::action;
  struct transfer;

  void put_piece(const std::shared_ptr<transfer>& of, std::size_t begin, std::size_t end);
  std::vector<std::size_t> cuts_of(std::uint64_t offset, std::size_t length);
  void reach(int pe, std::size_t length, std::size_t copied);
  nanoseconds carry(int from, int to, std::size_t length, nanoseconds start, nanoseconds not_before,
                    action what);
  void answer(int from, std::size_t length, nanoseconds start, action what);
  void begin(open_operations& counted);
  void end(open_operations& counted, nanoseconds time);
  std::uint64_t change_at(const remote_place& place, const atomic_operation& what,
                          nanoseconds time);
  std::byte* at(const remote_place& place) const;

  world& world_;
  const int rank_;
  nanoseconds& time_;
  random_stream pieces_;
  struct puts {
    nanoseconds last = 0;   // latest arrival time of an operation at the PE
    nanoseconds floor = 0;  // time set by a fence: later operations do not arrive before it
  };
  std::unordered_map<int, puts> puts_;  // state of the operations on the memory of each PE
  std::vector<open_operations*> ended_;
  std::uint64_t open_ = 0;  // number of operations whose counters were not decreased yet
  bool is_closed_ = false;
};

}  // namespace atl::transport::sim
