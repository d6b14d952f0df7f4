#pragma once
// A PE's end of the shared memory: sends and receives through the rings of a region.

#include "atoll/transport/clock.hpp"
#include "atoll/transport/shm/region.hpp"
#include "atoll/transport/transport.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <vector>

namespace atl::transport::shm {

// A waiting PE yields its core, or sleeps until it is woken. Among PEs that share a core, yielding
// is faster. A PE that yields to a computing program returns after that program's whole time slice,
// some milliseconds. A PE that sleeps runs soon after it is woken.

/// Learns from the duration of yields whether other programs compute on this core.
class crowd {
 public:
  /// Returns whether a waiting PE should sleep at once.
  bool is_there(nanoseconds time) const noexcept { return time < until_; }

  /// Records a yield that lasted from `begin` to `end`.
  void yielded(nanoseconds begin, nanoseconds end) noexcept {
    seen_ = end - begin < slice ? std::max(0, seen_ - 1) : seen_ + weight;
    if (seen_ < enough) return;
    until_ = end + remembered;
    seen_ = enough - weight;
  }

 private:
  // With 4 PEs of BFS on 2 cores, one yield in 10,000 takes more than 1.5 ms. Beside programs that
  // compute on both cores every third yield does, and most of those take 4 ms.
  static constexpr nanoseconds slice = 2'000'000;
  static constexpr nanoseconds remembered = 50'000'000;
  static constexpr int weight = 16;  ///< number of short yields that offset one long one
  static constexpr int enough = 3 * weight;

  nanoseconds until_ = 0;
  int seen_ = 0;
};

/// How long a PE waits before it sleeps.
struct patience {
  nanoseconds spin = 0;      ///< only with a core of its own
  std::uint64_t yields = 0;  ///< number of yields
};

inline constexpr nanoseconds spin_time_of_owner = 20'000;

class endpoint final : public transport::endpoint {
 public:
  /// Must be called by the thread of the PE.
  endpoint(region& region, int rank, patience patience);
  ~endpoint() override;

  std::byte* acquire(int destination) override;
  void submit(int destination, std::uint32_t bytes) override;
  delivery poll() override;
  void release() override;
  void wait(nanoseconds deadline, awaited what) override;
  bool linger(memory_watch& until) override;
  bool wake() noexcept override;
  /// Returns whether the job has ended early. Any thread of the process may call this.
  bool has_ended() noexcept { return region_.ended(); }
  void rouse(int pe) noexcept override { region_.block(pe).bell.ring(); }
  nanoseconds now() override;
  void fail(int exit_status) override;

  /// Returns whether `wait` would return at once.
  bool something_arrived(awaited what);

  /// Sleeps until `wait` would return at once, or until the deadline. Consumes no notification. May
  /// return early.
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

  /// Returns where a buffer to `destination` is filled: in its slot if that is this PE, else in
  /// private memory.
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
  std::unique_ptr<std::byte, free_memory> staging_;  ///< one buffer per destination
  std::vector<ring_cursor> sending_;
  std::vector<ring_cursor> receiving_;
  std::vector<const std::atomic<std::uint32_t>*> sleepers_of_all_;
  std::array<std::uint64_t, max_pes_of_node / sources_per_word>
      ready_{};           ///< taken from the shared word and not empty yet
  int next_ = 0;          ///< source to look at first
  int delivered_ = none;  ///< source of the outstanding delivery
  crowd crowd_;
};

}  // namespace atl::transport::shm
