#pragma once
// One-sided access of a simulated PE. A put is seen in pieces, each after a time of its own. Only a
// fence or the completion of the put orders them, as OpenSHMEM allows. In the model of a cluster
// the network executes it, as cards with remote direct memory access do. The owner's processor
// takes no part.

#include "atoll/random.hpp"
#include "atoll/transport/sim/world.hpp"

#include <memory>
#include <unordered_map>
#include <vector>

namespace atl::transport::sim {

class memory_access final : public remote_memory {
 public:
  /// `time` is the PE's time, and advances by the cost of its operations.
  memory_access(world& world, int rank, nanoseconds& time);

  void put(const remote_place& to, std::span<const std::byte> from, bool lasts,
           open_operations& counted, const signal_update* signal) override;
  void get(const remote_place& from, std::span<std::byte> into, open_operations& counted) override;
  void update(const remote_place& at, const atomic_operation& what, std::uint64_t* before,
              open_operations& counted) override;
  void fence() override;
  void flush() override {}
  bool is_idle() override { return open_ == 0; }

  /// Returns whether operations have ended and are not counted out yet.
  bool has_ended() const { return !ended_.empty(); }

  /// Counts out operations that have ended. Returns true if there were any. Called by the PE.
  bool count_out();

  /// Closes the memory, because the body of the PE has ended. Memory beyond the segment is then
  /// accessed no more.
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
    nanoseconds last = 0;   // arrival
    nanoseconds floor = 0;  // no put arrives earlier
  };
  std::unordered_map<int, puts> puts_;  // by PE
  std::vector<open_operations*> ended_;
  std::uint64_t open_ = 0;  // operations not counted out yet
  bool is_closed_ = false;
};

}  // namespace atl::transport::sim
