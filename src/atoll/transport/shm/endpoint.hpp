#pragma once
// The endpoint through which a PE communicates with the PEs that share memory with it. The endpoint
// sends and receives network buffers through the rings of a region (region.hpp).

#include "atoll/transport/clock.hpp"
#include "atoll/transport/shm/region.hpp"
#include "atoll/transport/transport.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <vector>

namespace atl::transport::shm {

// A waiting PE either yields its core repeatedly or sleeps until it is woken. If only PEs share the
// core, yielding is faster. If another program computes on the core, sleeping is faster. A PE that
// yields to another program waits until the program has used its time slice of some milliseconds. A
// sleeping PE, in contrast, runs soon after it is woken.

/// Detects whether other programs compute on this core. If another program computes on the core, a
/// yield takes milliseconds.
class crowd {
 public:
  /// Returns true if other programs compute on this core, so that a waiting PE should sleep at
  /// once.
  bool is_there(nanoseconds time) const noexcept { return time < until_; }

  /// Records that a yield of the core lasted from the time `begin` to the time `end`.
  void yielded(nanoseconds begin, nanoseconds end) noexcept {
    seen_ = end - begin < slice ? std::max(0, seen_ - 1) : seen_ + weight;
    if (seen_ < enough) return;
    until_ = end + remembered;
    seen_ = enough - weight;
  }

 private:
  // The values below come from a measurement of breadth-first search with 4 PEs on 2 cores. Without
  // other programs, one yield in 10,000 takes more than 1.5 ms. If other programs compute on both
  // cores, every third yield takes more than 1.5 ms, and most of the long yields take 4 ms.
  static constexpr nanoseconds slice = 2'000'000;
  static constexpr nanoseconds remembered = 50'000'000;
  /// Number of short yields that cancel the effect of one long yield.
  static constexpr int weight = 16;
  static constexpr int enough = 3 * weight;

  nanoseconds until_ = 0;
  int seen_ = 0;
};

/// How long a waiting PE stays awake before it sleeps.
struct patience {
  nanoseconds spin = 0;      ///< time to spin in ns; 0 if the PE has no core of its own
  std::uint64_t yields = 0;  ///< number of times to yield the core after spinning
};

inline constexpr nanoseconds spin_time_of_owner = 20'000;

class endpoint final : public transport::endpoint {
 public:
  /// Makes the endpoint of PE `rank`. The constructor must be called in the thread that runs PE
  /// `rank`.
  endpoint(region& region, int rank, patience patience);
  ~endpoint() override;

  std::byte* acquire(int destination) override;
  void submit(int destination, std::uint32_t bytes) override;
  delivery poll() override;
  void release() override;
  void wait(nanoseconds deadline, awaited what) override;
  bool linger(memory_watch& until) override;
  bool wake() noexcept override;
  /// Returns true if the job has ended early. Any thread of the process may call this function.
  bool has_ended() noexcept { return region_.ended(); }
  void rouse(int pe) noexcept override { region_.block(pe).bell.ring(); }
  nanoseconds now() override;
  void fail(int exit_status) override;

  /// Returns true if `wait` would return at once when it is called with `what`.
  bool something_arrived(awaited what);

  /// Sleeps until there is a reason for `wait` to return, or until `deadline`. This function does
  /// not reset notifications, so a notification that ends the sleep also ends a following `wait`.
  /// May return early.
  void sleep(nanoseconds deadline, awaited what);

 private:
  static constexpr int none = -1;

  std::byte* ask_for_room(int destination);
  void return_room(int source);
  int next_ready_source();
  void take_new_sources(std::size_t word);
  bool spin(nanoseconds until, awaited what);
  bool give_core_away(nanoseconds deadline, awaited what);
  void sleep_and_watch(nanoseconds deadline, awaited what);
  void attend();

  /// Returns the memory in which the PE fills a buffer for `destination`. `submit` copies the
  /// filled buffer to its slot of the ring. A buffer for the sending PE itself is the exception: it
  /// is filled directly in the slot, without a copy.
  std::byte* staging(int destination, slot& next) noexcept {
    return destination == rank_
               ? next.data()
               : staging_.get() + static_cast<std::size_t>(destination) * buffer_capacity_;
  }

  region& region_;
  pe_block& mine_;
  const std::size_t stride_;
  const std::size_t words_;
  const patience patience_;
  counter_clock clock_;
  struct free_memory {
    void operator()(std::byte* memory) const noexcept { std::free(memory); }
  };
  /// Private memory in which the PE fills buffers. There is one buffer per destination.
  std::unique_ptr<std::byte, free_memory> staging_;
  std::vector<ring_cursor> sending_;
  std::vector<ring_cursor> receiving_;
  std::vector<const std::atomic<std::uint32_t>*> sleepers_of_all_;
  /// One bit per sending PE: 1 if the PE may have sent buffers that were not received yet. The bits
  /// come from `pe_block::ready`.
  std::array<std::uint64_t, max_pes_of_node / sources_per_word> ready_{};
  int next_ = 0;          ///< the sending PE that `poll` examines first
  int delivered_ = none;  ///< the sender of the buffer that was polled and not released yet
  crowd crowd_;
};

}  // namespace atl::transport::shm
