#pragma once
// One-sided access of a simulated PE. A put is seen in pieces, each after a time of its own, and
// nothing but a fence or its completion says in which order: all that OpenSHMEM allows. In the
// model of a cluster the network does it, as cards with remote direct memory access do: the
// processor of the PE whose memory it is takes no part.

#include "atoll/random.hpp"
#include "atoll/transport/sim/world.hpp"

#include <memory>
#include <unordered_map>
#include <vector>

namespace atl::transport::sim {

class memory_access final : public remote_memory {
 public:
  /// `time` is the PE's, and goes on by what its operations cost.
  memory_access(world& world, int rank, nanoseconds& time);

  void put(const remote_place& to, std::span<const std::byte> from, bool lasts,
           open_operations& counted, const signal_update* signal) override;
  void get(const remote_place& from, std::span<std::byte> into, open_operations& counted) override;
  void update(const remote_place& at, const atomic_operation& what, std::uint64_t* before,
              open_operations& counted) override;
  void fence() override;
  void flush() override {}
  bool is_idle() override { return open_ == 0; }

  /// Something has ended and is not counted out.
  bool has_ended() const { return !ended_.empty(); }

  /// Counts out what has ended. True if there was any. By the PE.
  bool count_out();

  /// The body of the PE has ended: its memory beyond the segment is read and written no more.
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
    nanoseconds floor = 0;  // nothing that is put arrives before
  };
  std::unordered_map<int, puts> puts_;  // by PE
  std::vector<open_operations*> ended_;
  std::uint64_t open_ = 0;  // operations that are not counted out
  bool is_closed_ = false;
};

}  // namespace atl::transport::sim
