#pragma once
// The transport contract states what Atoll requires of a transport: shared memory, MPI or
// simulation.
//
// A job consists of `size()` processing elements (PEs). Each PE owns one endpoint, and only this PE
// calls the endpoint's functions. Only `wake` may be called from other threads. No function runs
// user code.
//
// Data is sent in network buffers of at most `buffer_capacity()` bytes. The sender fills a buffer
// in place, and the receiver reads a buffer in place.
//
// Sending: call `acquire(d)`, fill the buffer, call `submit(d, bytes)`. At most one buffer per
// destination may be acquired and not yet submitted. `acquire` never blocks. `acquire` returns null
// if all buffers for the destination are in use; a later `wait` returns as soon as a buffer is
// free. A PE may send to itself.
//
// Receiving: call `poll()`, read the buffer, call `release()`. A PE must release a buffer before it
// polls for the next one.
//
// Order: buffers of one (source, destination) pair arrive in the order of their submission. Between
// pairs no order is promised. No buffer is lost, duplicated or changed.
//
// Progress: with shm and sim, a submitted buffer becomes visible to the destination's `poll`
// without any further call of the sender. With mpi, the buffer may stay invisible until the sender
// calls `poll` or `wait`.
//
// Memory: puts, gets and atomics access the symmetric segments of other PEs (one_sided.hpp). Access
// to a segment is by loads and stores if `directly_mapped` returns its address, and otherwise by
// functions of `far_memory`. The operations make progress even while their target PE computes.
//
// Blocking: only `wait` blocks, and functions of `far_memory` that have no room for a request. A
// blocked PE yields its core.
//
// Time: all other layers of the runtime use only the clock `now`, which counts nanoseconds from an
// arbitrary zero. The time never decreases.
//
// Failure: a job ends early if a PE dies, if SIGINT arrives, or if a PE calls `fail`. On every PE,
// `poll`, `wait` and functions that wait for room then throw `job_ended`. The code that started the
// job converts the exception to the exit status of the job.
//
// The files in job/ create the PEs (bootstrap.hpp). A PE is a forked process, a thread, a fiber in
// a simulation, or a rank of an MPI launcher.

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

/// Maximum number of PEs of a job. On one machine the maximum is lower (shm/region.hpp).
inline constexpr int max_pes = 16384;

/// A deadline that never comes.
inline constexpr nanoseconds forever = INT64_MAX;

/// A received network buffer, which is valid until `release`. `data` is null if no buffer has
/// arrived.
struct delivery {
  const std::byte* data = nullptr;
  std::uint32_t bytes = 0;
  int source = 0;
};

/// What `wait` waits for: any event, or only that a buffer for sending becomes free (`room`).
enum class awaited : std::uint8_t { anything, room };

/// Number of messages and bytes that a PE has sent to other nodes.
struct network_traffic {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
};

/// Conditions on the memory of a PE, which the PE polls while it waits. Polling is necessary,
/// because other PEs change the memory by plain stores, which do not wake the PE.
class memory_watch {
 public:
  /// Returns whether a condition has become true, or an operation of this PE has ended.
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

  /// Returns an empty buffer for `destination`, aligned to 64 bytes. Returns null if all buffers
  /// for the destination are in use.
  virtual std::byte* acquire(int destination) = 0;

  /// Sends the first `bytes` bytes of the buffer that was acquired for `destination`. `bytes` must
  /// be above 0. Never blocks.
  virtual void submit(int destination, std::uint32_t bytes) = 0;

  /// Returns the next buffer that has arrived, or a delivery with null data. Buffers of different
  /// sources are taken in turn, or at random in a simulation. Throws `job_ended` if the job has
  /// ended early.
  virtual delivery poll() = 0;

  /// Returns the buffer of the last `poll` to its sender, which may be waiting for a free buffer.
  virtual void release() = 0;

  /// Blocks until a buffer arrives; if `what` is `room`, arriving buffers are ignored. Also returns
  /// if a buffer becomes free after `acquire` returned null, or if watched memory changes. Other
  /// reasons are the end of an operation of `far_memory`, and that `now()` reaches `deadline`. May
  /// return without a reason. Throws `job_ended` if the job has ended early.
  virtual void wait(nanoseconds deadline, awaited what = awaited::anything) = 0;

  /// Makes the present `wait` of this PE return, or the next one if the PE does not wait now. Any
  /// thread of the process may call this while the endpoint exists. After the `wait`, the PE sees
  /// everything that the thread stored before the call. Returns false if the PEs are simulated,
  /// because a simulation allows no other threads.
  virtual bool wake() noexcept { return false; }

  /// Returns the time of this PE.
  virtual nanoseconds now() = 0;

  /// Ends the whole job with `exit_status`; other PEs then throw `job_ended`. The caller must have
  /// printed the reason. The function returns, and the caller must unwind its stack.
  virtual void fail(int exit_status) = 0;

  /// Stores where the task that this PE started last was spawned, as a `site_word`. The word
  /// survives the PE, so a report of the PE's death or of a hang can name the place.
  void set_last_site(std::uint64_t word) noexcept {
    last_site_->store(word, std::memory_order_relaxed);
    last_site_for_keeper_->store(word, std::memory_order_relaxed);
  }

  std::uint64_t last_site() const noexcept { return last_site_->load(std::memory_order_relaxed); }

  /// Records that the scheduler has run tasks or handlers. A job counts as hanging if no PE records
  /// progress for a long time and no PE computes.
  void note_progress() noexcept {
    progress_->store(progress_->load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  /// Returns the sections of this PE's answer to a hang report (observe/who_waits.hpp). `poll` and
  /// `wait` call the sections. Objects that a section refers to must therefore outlive the last
  /// call of `poll` or `wait`.
  observe::report_sections& sections() noexcept { return *sections_; }

  /// Returns the address at which this PE accesses the symmetric segment of `pe`, or null if `pe`
  /// is on another node. Each segment has `segment_bytes()` bytes. Segments are zero at first, and
  /// the kernel commits each page when it is first touched.
  std::byte* segment(int pe) const noexcept {
    return segments_ == nullptr ? nullptr : segments_[pe];
  }
  std::uint64_t segment_bytes() const noexcept { return segment_bytes_; }

  /// Returns the bytes of address space that each PE has for its private memory. The number is the
  /// same on all PEs.
  std::uint64_t private_bytes() const noexcept { return private_bytes_; }

  /// A memory file that contains the segments of all PEs of the node. The bytes from the offset
  /// `free` on are unused. A layer that wants to use them must make the file longer.
  struct common_file {
    int descriptor = -1;  ///< descriptor of the file; -1 if there is no such file
    std::uint64_t own_segment = 0;
    std::uint64_t free = 0;
  };
  const common_file& common() const noexcept { return common_; }

  /// Returns the address of the symmetric segment of `pe` if this PE accesses it by loads, stores
  /// and atomic instructions. Returns null if access to `pe` is by functions of `far_memory`.
  std::byte* directly_mapped(int pe) const noexcept {
    return reached_ == nullptr ? nullptr : reached_[pe];
  }

  /// Returns the object for one-sided access to PEs for which `directly_mapped` returns null.
  /// Returns null if there is no such PE.
  remote_memory* far_memory() const noexcept { return far_memory_; }

  /// Wakes `pe` if it sleeps until its memory changes. Call this after a direct store to the memory
  /// of `pe`. Without the call, `pe` notices the store only at the end of its present nap.
  [[gnu::always_inline]] void stored_to(int pe) noexcept {
    if (sleepers_ != nullptr && sleepers_[pe]->load(std::memory_order_relaxed) != 0) [[unlikely]]
      rouse(pe);
  }

  /// Wakes a PE of this node if it sleeps.
  virtual void rouse(int) noexcept {}

  /// Sets the conditions that `wait` polls from now on. Null means that there are none.
  void watch(memory_watch* watched) noexcept { *watched_ = watched; }

  /// Returns whether this PE and `pe` are on the same node, so that they communicate through shared
  /// memory.
  bool shares_memory_with(int pe) const noexcept {
    return segments_ == nullptr || segments_[pe] != nullptr;
  }

  /// Returns the number of each PE's node, by PE. The result is empty if all PEs are on one node.
  std::span<const int> nodes() const noexcept { return node_of_; }

  /// Returns the number of machines on which the PEs of the job run.
  int machines() const noexcept { return machines_; }

  const network_traffic& to_network() const noexcept { return *to_network_; }

  /// Returns how long, in ns, the network link of this node has been busy so far. Only a modelled
  /// network computes this; other transports return 0.
  virtual nanoseconds network_taken() const noexcept { return 0; }

  /// Returns whether each PE of the node has a core that no other process needs. Returns false if
  /// that is unknown, or if the job has several nodes.
  bool has_own_core() const noexcept { return has_own_core_; }

  /// Polls the given conditions for some microseconds without sleeping. A PE that has nothing else
  /// to do calls this function before `wait`. The function yields the core if others need it.
  /// Returns true if a condition has changed, and false if a buffer has arrived or the time is
  /// over.
  virtual bool linger(memory_watch&) { return false; }

  /// Returns the settings of the job on PE 0 if they were sent to this process when the job began.
  /// Returns null if this process has the settings anyway.
  const settings* job_settings() const noexcept { return job_settings_; }

 protected:
  /// Copies the state of `wire`. An endpoint that wraps the endpoint `wire` calls this in its
  /// constructor.
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
  /// A copy of `last_site_` for the rank keeper, a process that watches an MPI rank.
  std::atomic<std::uint64_t>* last_site_for_keeper_ = &own_words_[2];
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
      nullptr;  ///< words by PE, not 0 while the PE watches its memory and sleeps
  memory_watch* own_watched_ = nullptr;
  memory_watch** watched_ = &own_watched_;
  bool has_own_core_ = false;
};

}  // namespace atl::transport
