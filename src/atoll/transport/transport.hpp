#pragma once
// The transport contract: all that Atoll asks of a wire.
//
// A job is `size()` processing elements (PEs). Each PE owns one endpoint and is its only caller:
// no function here but `wake` may be called from another thread, and none runs user code.
//
// Data moves in network buffers of at most `buffer_capacity()` bytes, filled and read in place.
//   sending    acquire(d) -> fill -> submit(d, bytes). At most one acquired, unsubmitted buffer a
//              destination. acquire never blocks: null means there is no room now, and that a later
//              `wait` returns as soon as there is some. A PE may send to itself.
//   receiving  poll() -> read -> release(). At most one delivery is outstanding at a time.
//   order      buffers of one (source, destination) pair arrive in the order of their submission;
//              nothing is promised between pairs. Nothing is lost, doubled or changed.
//   progress   a submitted buffer becomes visible to the destination's `poll` without any further
//              call of the sender (shm, sim), or while the sender calls `poll` or `wait` (others).
//   memory     puts, gets and atomics on the symmetric segments (one_sided.hpp): by loads and
//              stores where `reached`, else by `far_memory`. They make progress while their target
//              computes.
//   blocking   only `wait` blocks, and calls of `far_memory` while there is no room. They give the
//              core away meanwhile.
//   time       `now` is the only clock of everything above: nanoseconds, monotonic, arbitrary zero.
//   failure    when the job has ended early (a PE died, SIGINT, `fail` elsewhere) `poll`, `wait`
//              and what waits for room throw `job_ended`; the bootstrap turns that into the exit
//              status of the job.
//
// Where PEs come from is the bootstrap's business (bootstrap.hpp): a fork, threads of one process,
// fibers of one thread (sim), or the ranks of an MPI launcher.

#include "atoll/observe/who_waits.hpp"
#include "atoll/transport/memory_watch.hpp"
#include "atoll/transport/one_sided.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>

namespace atl {
struct settings;
}

namespace atl::transport {

using nanoseconds = std::int64_t;

/// Of a job; those that share memory are fewer (shm/region.hpp).
inline constexpr int max_pes = 16384;

/// No deadline.
inline constexpr nanoseconds forever = INT64_MAX;

/// A received network buffer; `data` is null where nothing has arrived. Valid until `release`.
struct delivery {
  const std::byte* data = nullptr;
  std::uint32_t bytes = 0;
  int source = 0;
};

/// What `wait` returns for, beside its deadline.
enum class awaited : std::uint8_t { anything, room };

/// What a PE has given to the network, beyond its node.
struct network_traffic {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
};

/// Thrown by `poll` and `wait` on every PE once the job has ended early. Carries no text: whoever
/// ended the job has said why.
class job_ended : public std::exception {
 public:
  const char* what() const noexcept override { return "the job has ended early"; }
};

class endpoint {
 public:
  virtual ~endpoint() = default;

  int rank() const noexcept { return rank_; }
  int size() const noexcept { return size_; }
  std::uint32_t buffer_capacity() const noexcept { return buffer_capacity_; }

  /// An empty buffer for `destination`, aligned to 64 bytes, or null when there is no room now.
  virtual std::byte* acquire(int destination) = 0;

  /// Hands over the first `bytes` (> 0) bytes of the acquired buffer. Never blocks.
  virtual void submit(int destination, std::uint32_t bytes) = 0;

  /// The next arrived buffer, from each source in turn (sim: as chance wills), or a null one.
  /// Throws `job_ended`.
  virtual delivery poll() = 0;

  /// Gives the buffer of the last `poll` back to its sender, who may be waiting for the room.
  virtual void release() = 0;

  /// Blocks until a buffer has arrived (unless only room is awaited), room was returned that
  /// `acquire` refused before, what is watched has changed, an operation of `far_memory` has ended,
  /// or `now()` has reached `deadline`. May return early. Throws `job_ended`.
  virtual void wait(nanoseconds deadline, awaited what = awaited::anything) = 0;

  /// Lets a `wait` that is under way return, or else the next one. Any thread of the process, as
  /// long as the endpoint lives. What it stored before is seen by the PE behind that `wait`. False:
  /// there are no such threads, for all PEs are simulated in one.
  virtual bool wake() noexcept { return false; }

  /// The time of this PE.
  virtual nanoseconds now() = 0;

  /// Ends the whole job with this exit status; the other PEs see `job_ended`. The caller has
  /// already said why, on standard error. Returns; the caller unwinds.
  virtual void fail(int exit_status) = 0;

  /// Words that outlive this PE, read for the reports of its death and of a hang: the site
  /// (site_word) of the task it started last.
  void set_last_site(std::uint64_t word) noexcept {
    last_site_->store(word, std::memory_order_relaxed);
    last_site_for_keeper_->store(word, std::memory_order_relaxed);
  }

  std::uint64_t last_site() const noexcept { return last_site_->load(std::memory_order_relaxed); }

  /// Called by the scheduler whenever it has run tasks or handlers: a job in which no PE does so
  /// for long, and none computes, hangs.
  void note_progress() noexcept {
    progress_->store(progress_->load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  /// The sections of this PE's answer to who waits where. `poll` and `wait` call them, so what they
  /// refer to must outlive the last call of either.
  observe::report_sections& sections() noexcept { return *sections_; }

  /// The symmetric segment of `pe` as this PE reads and writes it directly, or null where that is
  /// not possible (another machine). All segments have `segment_bytes()` bytes, are zero at the
  /// start and are committed when touched.
  std::byte* segment(int pe) const noexcept {
    return segments_ == nullptr ? nullptr : segments_[pe];
  }
  std::uint64_t segment_bytes() const noexcept { return segment_bytes_; }

  /// The address space that each PE has for memory of its own, the same on all.
  std::uint64_t private_bytes() const noexcept { return private_bytes_; }

  /// A file in memory that the PEs which are `reached` have in common: it holds their segments. The
  /// bytes from `free` on are nobody's yet; whoever needs them makes the file longer.
  struct common_file {
    int descriptor = -1;  ///< -1: there is none
    std::uint64_t own_segment = 0;
    std::uint64_t free = 0;
  };
  const common_file& common() const noexcept { return common_; }

  /// The segment of `pe`, where one-sided access to it is by loads, stores and the processor's
  /// atomics; null where it is by `far_memory`.
  std::byte* reached(int pe) const noexcept { return reached_ == nullptr ? nullptr : reached_[pe]; }

  /// One-sided access to the segments that are not `reached`; null where all are.
  remote_memory* far_memory() const noexcept { return far_memory_; }

  /// To be called after a store to the memory of a PE that is `reached`: wakes it where it sleeps
  /// until its memory changes. Without it that PE sees the store by itself, some time later.
  [[gnu::always_inline]] void stored_to(int pe) noexcept {
    if (sleepers_ != nullptr && sleepers_[pe]->load(std::memory_order_relaxed) != 0) [[unlikely]]
      rouse(pe);
  }

  /// Wakes a PE that is `reached`, where it sleeps.
  virtual void rouse(int) noexcept {}

  /// Looked at by `wait` from now on; null: nothing is.
  void watch(memory_watch* watched) noexcept { *watched_ = watched; }

  /// Whether this PE and `pe` are on one node, and talk through its memory.
  bool shares_memory_with(int pe) const noexcept {
    return segments_ == nullptr || segments_[pe] != nullptr;
  }

  /// The node of each PE; empty where all PEs are on one.
  std::span<const int> nodes() const noexcept { return node_of_; }

  /// The machines the PEs of the job are on.
  int machines() const noexcept { return machines_; }

  const network_traffic& to_network() const noexcept { return *to_network_; }

  /// For how long that took the way from the node into the network, where a model says so.
  virtual nanoseconds network_taken() const noexcept { return 0; }

  /// Each PE of the node has a core that nobody else needs. False where that is not known, and
  /// where there are several nodes.
  bool has_own_core() const noexcept { return has_own_core_; }

  /// For a PE with nothing else to do: looks at what a task awaits for some microseconds, and gives
  /// the core away meanwhile where others need it. True when that has changed; false as well when a
  /// buffer has arrived. Shorter than a `wait`; does not sleep.
  virtual bool linger(memory_watch&) { return false; }

  /// The settings of the job as PE 0 has them, where the bootstrap had to bring them here; else
  /// null.
  const settings* job_settings() const noexcept { return job_settings_; }

 protected:
  /// For an endpoint that adds something to another endpoint: takes over all but the operations.
  void stand_before(endpoint& wire) noexcept {
    rank_ = wire.rank_;
    size_ = wire.size_;
    buffer_capacity_ = wire.buffer_capacity_;
    last_site_ = wire.last_site_;
    last_site_for_keeper_ = wire.last_site_for_keeper_;
    progress_ = wire.progress_;
    sections_ = wire.sections_;
    segments_ = wire.segments_;
    segment_bytes_ = wire.segment_bytes_;
    private_bytes_ = wire.private_bytes_;
    common_ = wire.common_;
    node_of_ = wire.node_of_;
    machines_ = wire.machines_;
    to_network_ = wire.to_network_;
    job_settings_ = wire.job_settings_;
    reached_ = wire.reached_;
    far_memory_ = wire.far_memory_;
    sleepers_ = wire.sleepers_;
    watched_ = wire.watched_;
    has_own_core_ = wire.has_own_core_;
  }

  bool memory_has_changed() const noexcept {
    return *watched_ != nullptr && (*watched_)->has_changed();
  }

  int rank_ = 0;
  int size_ = 1;
  std::uint32_t buffer_capacity_ = 0;
  std::atomic<std::uint64_t> own_words_[3] = {};
  std::atomic<std::uint64_t>* last_site_ = &own_words_[0];
  std::atomic<std::uint64_t>* progress_ = &own_words_[1];
  std::atomic<std::uint64_t>* last_site_for_keeper_ = &own_words_[2];  ///< of a rank
  observe::report_sections own_sections_;
  observe::report_sections* sections_ = &own_sections_;
  std::byte* const* segments_ = nullptr;
  std::uint64_t segment_bytes_ = 0;
  std::uint64_t private_bytes_ = 0;
  common_file common_;
  std::span<const int> node_of_;
  int machines_ = 1;
  network_traffic own_traffic_;
  const network_traffic* to_network_ = &own_traffic_;
  const settings* job_settings_ = nullptr;
  std::byte* const* reached_ = nullptr;
  remote_memory* far_memory_ = nullptr;
  const std::atomic<std::uint32_t>* const* sleepers_ =
      nullptr;  ///< by PE; not 0: watches and sleeps
  memory_watch* own_watched_ = nullptr;
  memory_watch** watched_ = &own_watched_;
  bool has_own_core_ = false;
};

}  // namespace atl::transport
