#pragma once
// A PE's end of the shared memory: what it sends and receives through the rings of a region.

#include "atoll/transport/clock.hpp"
#include "atoll/transport/shm/region.hpp"
#include "atoll/transport/transport.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <vector>

namespace atl::transport::shm {

// A PE that waits gives its core away by yielding, or sleeps until it is woken. Among PEs that
// share a core yielding is the faster way. But a PE that yields to a program that computes is back
// after that program's whole time slice, some milliseconds; a PE that sleeps runs soon after it is
// woken.

/// What a PE learns from its yields.
class crowd {
 public:
  /// It should sleep at once.
  bool is_there(nanoseconds time) const noexcept { return time < until_; }

  /// A yield lasted so long.
  void yielded(nanoseconds begin, nanoseconds end) noexcept {
    seen_ = end - begin < slice ? std::max(0, seen_ - 1) : seen_ + weight;
    if (seen_ < enough) return;
    until_ = end + remembered;
    seen_ = enough - weight;
  }

 private:
  // With 4 PEs of BFS on 2 cores one yield in 10,000 takes more than 1.5 ms; beside programs that
  // compute on both cores every third yield does, and most of those take 4 ms.
  static constexpr nanoseconds slice = 2'000'000;
  static constexpr nanoseconds remembered = 50'000'000;
  static constexpr int weight = 16;  ///< of a slice, in yields that were short
  static constexpr int enough = 3 * weight;

  nanoseconds until_ = 0;
  int seen_ = 0;
};

/// How a PE waits before it sleeps.
struct patience {
  nanoseconds spin = 0;      ///< with its own core only
  std::uint64_t yields = 0;  ///< how often it gives the core away
};

inline constexpr nanoseconds spin_time_of_owner = 20'000;

class endpoint final : public transport::endpoint {
 public:
  /// Made by the thread of the PE.
  endpoint(region& region, int rank, patience patience);
  ~endpoint() override;

  std::byte* acquire(int destination) override;
  void submit(int destination, std::uint32_t bytes) override;
  delivery poll() override;
  void release() override;
  void wait(nanoseconds deadline, awaited what) override;
  bool linger(memory_watch& until) override;
  bool wake() noexcept override;
  /// The job, early. Any thread of the process.
  bool has_ended() noexcept { return region_.ended(); }
  void rouse(int pe) noexcept override { region_.block(pe).bell.ring(); }
  nanoseconds now() override;
  void fail(int exit_status) override;

  /// Whether `wait` would return at once.
  bool something_arrived(awaited what);

  /// Sleeps until `wait` would return at once, or the deadline; takes note of nothing. May return
  /// early.
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

  /// Where buffers to `destination` are filled: in its slot when that is this PE, else beside.
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
  std::unique_ptr<std::byte, free_memory> staging_;  ///< a buffer a destination
  std::vector<ring_cursor> sending_;
  std::vector<ring_cursor> receiving_;
  std::vector<const std::atomic<std::uint32_t>*> sleepers_of_all_;
  std::array<std::uint64_t, max_pes_of_node / sources_per_word>
      ready_{};           ///< taken over, not yet empty
  int next_ = 0;          ///< the source to look at first
  int delivered_ = none;  ///< the source of the outstanding delivery
  crowd crowd_;
};

}  // namespace atl::transport::shm
