#pragma once
// The transport contract: everything that Atoll requires of a wire.
//
// A job is `size()` processing elements (PEs). Each PE owns one endpoint and is its only caller.
// Only `wake` may be called from another thread, and no function runs user code.
//
// Data moves in network buffers of at most `buffer_capacity()` bytes, filled and read in place.
//
// Sending: call `acquire(d)`, fill the buffer, call `submit(d, bytes)`. At most one buffer per
// destination may be acquired and not yet submitted. `acquire` never blocks: null means that there
// is no room now, and that a later `wait` returns as soon as there is some. A PE may send to
// itself.
//
// Receiving: call `poll()`, read the buffer, call `release()`. At most one delivery is outstanding
// at a time.
//
// Order: buffers of one (source, destination) pair arrive in the order of their submission. Between
// pairs no order is promised. No buffer is lost, duplicated or changed.
//
// Progress: a submitted buffer becomes visible to the destination's `poll` without any further call
// of the sender (shm, sim). On other wires this happens while the sender calls `poll` or `wait`.
//
// Memory: puts, gets and atomics access the symmetric segments (one_sided.hpp). They are loads and
// stores where the segment is `reached`, else calls of `far_memory`. They make progress while their
// target computes.
//
// Blocking: only `wait` blocks, and calls of `far_memory` while there is no room. Both yield the
// core meanwhile.
//
// Time: `now` is the only clock of all layers above. It counts nanoseconds, is monotonic and has an
// arbitrary zero.
//
// Failure: when the job has ended early (a PE died, SIGINT, `fail` elsewhere), `poll`, `wait` and
// calls that wait for room throw `job_ended`. The bootstrap turns that into the exit status of the
// job.
//
// The bootstrap (bootstrap.hpp) creates the PEs: by fork, as threads of one process, as simulated
// fibers of one thread, or as launcher ranks.

#include "atoll/observe/who_waits.hpp"
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

/// Maximum number of PEs of a job; fewer can share memory (shm/region.hpp).
inline constexpr int max_pes = 16384;

/// No deadline.
inline constexpr nanoseconds forever = INT64_MAX;

/// A received network buffer, valid until `release`. `data` is null if none has arrived.
struct delivery {
  const std::byte* data = nullptr;
  std::uint32_t bytes = 0;
  int source = 0;
};

/// Event for which `wait` returns before its deadline.
enum class awaited : std::uint8_t { anything, room };

/// Traffic that a PE has sent into the network, beyond its node.
struct network_traffic {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
};

/// Conditions on its memory that a waiting PE polls. Other PEs change them by plain stores, which
/// ring no doorbell.
class memory_watch {
 public:
  /// Returns whether a condition holds, or an operation of this PE has ended.
  virtual bool has_changed() noexcept = 0;

 protected:
  ~memory_watch() = default;
};

/// Thrown by `poll` and `wait` on every PE once the job has ended early. The exception carries no
/// text, because the PE that ended the job has printed why.
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

  /// Returns an empty buffer for `destination`, aligned to 64 bytes, or null if there is no room
  /// now.
  virtual std::byte* acquire(int destination) = 0;

  /// Hands over the first `bytes` (> 0) bytes of the acquired buffer. Never blocks.
  virtual void submit(int destination, std::uint32_t bytes) = 0;

  /// Returns the next buffer that has arrived, or a null one. Sources take turns (sim: at random).
  /// Throws `job_ended`.
  virtual delivery poll() = 0;

  /// Gives the buffer of the last `poll` back to its sender, who may be waiting for room.
  virtual void release() = 0;

  /// Blocks until a buffer has arrived, unless `what` is only room. Also returns when room was
  /// returned that `acquire` refused, watched memory has changed, an operation of `far_memory` has
  /// ended, or `now()` reaches `deadline`. May return early. Throws `job_ended`.
  virtual void wait(nanoseconds deadline, awaited what = awaited::anything) = 0;

  /// Lets a `wait` in progress return, or else the next one. Any thread of the process may call
  /// this while the endpoint exists. After that `wait` the PE sees everything that the thread
  /// stored before. Returns false if the PEs are simulated, which excludes such threads.
  virtual bool wake() noexcept { return false; }

  /// Returns the time of this PE.
  virtual nanoseconds now() = 0;

  /// Ends the whole job with this exit status; other PEs see `job_ended`. The caller has already
  /// printed the reason. This function returns, and the caller unwinds.
  virtual void fail(int exit_status) = 0;

  /// Notes the site (site_word) of the task that this PE started last. The word outlives the PE,
  /// for reports of its death and of a hang.
  void set_last_site(std::uint64_t word) noexcept {
    last_site_->store(word, std::memory_order_relaxed);
    last_site_for_keeper_->store(word, std::memory_order_relaxed);
  }

  std::uint64_t last_site() const noexcept { return last_site_->load(std::memory_order_relaxed); }

  /// Notes that the scheduler has run tasks or handlers. A job hangs if no PE does so for long, and
  /// none computes.
  void note_progress() noexcept {
    progress_->store(progress_->load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  /// Returns the sections of this PE's answer to a hang report. `poll` and `wait` call them, so
  /// objects that they refer to must outlive the last call of either.
  observe::report_sections& sections() noexcept { return *sections_; }

  /// Returns the symmetric segment of `pe`, as addressed by this PE, or null if it is on another
  /// machine. All segments have `segment_bytes()` bytes, are zero at the start and are committed
  /// when touched.
  std::byte* segment(int pe) const noexcept {
    return segments_ == nullptr ? nullptr : segments_[pe];
  }
  std::uint64_t segment_bytes() const noexcept { return segment_bytes_; }

  /// Returns the size of the address space that each PE has for memory of its own, equal on all
  /// PEs.
  std::uint64_t private_bytes() const noexcept { return private_bytes_; }

  /// A file in memory with the segments of all PEs that are `reached`. The bytes from `free` on are
  /// unused; a user of them makes the file longer.
  struct common_file {
    int descriptor = -1;  ///< -1: there is none
    std::uint64_t own_segment = 0;
    std::uint64_t free = 0;
  };
  const common_file& common() const noexcept { return common_; }

  /// Returns the segment of `pe` if one-sided access to it is by loads, stores and the processor's
  /// atomics. Returns null if access is by `far_memory`.
  std::byte* reached(int pe) const noexcept { return reached_ == nullptr ? nullptr : reached_[pe]; }

  /// Returns one-sided access to the segments that are not `reached`; null if all are.
  remote_memory* far_memory() const noexcept { return far_memory_; }

  /// Wakes a `reached` PE that sleeps until its memory changes. Call this after a store to its
  /// memory. Without the call that PE notices the store some time later.
  [[gnu::always_inline]] void stored_to(int pe) noexcept {
    if (sleepers_ != nullptr && sleepers_[pe]->load(std::memory_order_relaxed) != 0) [[unlikely]]
      rouse(pe);
  }

  /// Wakes a `reached` PE if it sleeps.
  virtual void rouse(int) noexcept {}

  /// Sets the conditions that `wait` polls from now on; null: none.
  void watch(memory_watch* watched) noexcept { *watched_ = watched; }

  /// Returns whether this PE and `pe` are on one node, and communicate through its memory.
  bool shares_memory_with(int pe) const noexcept {
    return segments_ == nullptr || segments_[pe] != nullptr;
  }

  /// Returns the node of each PE; empty if all PEs are on one node.
  std::span<const int> nodes() const noexcept { return node_of_; }

  /// Returns the number of machines that the PEs of the job are on.
  int machines() const noexcept { return machines_; }

  const network_traffic& to_network() const noexcept { return *to_network_; }

  /// Returns how long the traffic has occupied the way from the node into the network, if a model
  /// computes it.
  virtual nanoseconds network_taken() const noexcept { return 0; }

  /// Returns whether each PE of the node has a core that no other process needs. False if that is
  /// not known, or with several nodes.
  bool has_own_core() const noexcept { return has_own_core_; }

  /// Polls the given conditions for some microseconds, for a PE that is otherwise idle. Yields the
  /// core meanwhile if others need it. Returns true if a condition has changed, and false if a
  /// buffer arrived or the time is over. Shorter than a `wait`; never sleeps.
  virtual bool linger(memory_watch&) { return false; }

  /// Returns the settings of the job as PE 0 has them, if the bootstrap had to bring them here;
  /// else null.
  const settings* job_settings() const noexcept { return job_settings_; }

 protected:
  /// Takes over the state of `wire`, for an endpoint that wraps another one and adds to its
  /// operations.
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
      nullptr;  ///< by PE; not 0: watches its memory and sleeps
  memory_watch* own_watched_ = nullptr;
  memory_watch** watched_ = &own_watched_;
  bool has_own_core_ = false;
};

}  // namespace atl::transport
