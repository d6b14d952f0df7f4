#pragma once
// A transport moves data between the PEs of a job. This file states what Atoll requires of its
// three transports: shared memory (shm), MPI (mpi) and simulation (sim).
//
// A job consists of `size()` processing elements (PEs). Each PE communicates through an object of
// its own, its endpoint. Only the PE itself calls the functions of its endpoint, except for `wake`,
// which any thread may call. No function runs user code.
//
// Data is sent in network buffers of at most `buffer_capacity()` bytes. The sender fills a buffer
// in place, and the receiver reads a buffer in place.
//
// Sending: call `acquire(d)`, fill the buffer, call `submit(d, bytes)`. For each destination, a PE
// must submit an acquired buffer before it acquires the next one. The function `acquire` never
// blocks. If all buffers for the destination are in use, `acquire` returns null, and a later `wait`
// returns as soon as a buffer is free. A PE may send to itself.
//
// Receiving: call `poll()`, read the buffer, call `release()`. A PE must release a buffer before it
// polls for the next one.
//
// Order: buffers from one PE to another PE arrive in the order of submission. Buffers of different
// sources or destinations may arrive in any order. No buffer is lost, duplicated or changed.
//
// Progress: with shm and sim, the destination's `poll` finds a submitted buffer without any further
// call of the sender. With mpi, the sender may have to call `poll` or `wait` before the buffer
// arrives.
//
// Memory: puts, gets and atomics access the symmetric segments of other PEs (one_sided.hpp). If
// `directly_mapped` returns the address of a segment, the PE accesses the segment by loads and
// stores. If `directly_mapped` returns null, the PE calls functions of `far_memory`. The operations
// make progress even while the target PE computes.
//
// Blocking: `wait` blocks, and so do functions of `far_memory` if there is no room for a request.
// No other function blocks. A blocked PE yields its core.
//
// Time: the runtime uses only the clock `now`. The clock counts nanoseconds from an arbitrary zero
// and never goes back.
//
// Failure: a job ends early if a PE dies, if SIGINT arrives, or if a PE calls `fail`. After an
// early end, `poll`, `wait` and blocked functions of `far_memory` throw the exception `job_ended`
// on every PE. The code that started the job catches the exception and returns the exit status of
// the job.
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

/// Maximum number of PEs of a job. A node can have at most `max_pes_of_node` PEs (shm/region.hpp),
/// except in a simulation.
inline constexpr int max_pes = 16384;

/// A deadline that never comes.
inline constexpr nanoseconds forever = INT64_MAX;

/// A received network buffer, which is valid until `release`. The pointer `data` is null if no
/// buffer has arrived.
struct delivery {
  const std::byte* data = nullptr;
  std::uint32_t bytes = 0;
  int source = 0;
};

/// Says what ends a call of `wait`. With `anything`, every reason to continue ends the wait. With
/// `room`, an arriving buffer does not end the wait, because the PE needs a free buffer for
/// sending.
enum class awaited : std::uint8_t { anything, room };

/// Number of messages and bytes that a PE has sent to other nodes.
struct network_traffic {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
};

/// Conditions on the memory of a PE that end a wait of the PE. The PE polls the conditions while it
/// waits, because other PEs may change the memory by plain stores, which do not wake the PE.
class memory_watch {
 public:
  /// Returns true if at least one of the conditions holds.
  virtual bool has_changed() noexcept = 0;

 protected:
  ~memory_watch() = default;
};

/// The exception that `poll` and `wait` throw on every PE after the job has ended early. The
/// exception contains no reason, because the PE that ended the job has printed the reason.
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

  /// Sends the first `bytes` bytes of the buffer that was acquired for `destination`. The number
  /// `bytes` must be above 0. Never blocks.
  virtual void submit(int destination, std::uint32_t bytes) = 0;

  /// Returns the next buffer that has arrived. If no buffer has arrived, the data of the result is
  /// null. Buffers of different sources are returned in turn or, in a simulation, in random order.
  /// Throws `job_ended` if the job has ended early.
  virtual delivery poll() = 0;

  /// Gives the buffer of the last `poll` back to its sender, which may be waiting for a free
  /// buffer.
  virtual void release() = 0;

  /// Blocks until there is a reason to continue or the clock `now()` reaches `deadline`. If `what`
  /// is `anything`, an arrived buffer is a reason to continue. Other reasons to continue are that a
  /// buffer became free after `acquire` returned null, that watched memory has changed, and that an
  /// operation of `far_memory` has ended. The function can also return without a reason. Throws
  /// `job_ended` if the job has ended early.
  virtual void wait(nanoseconds deadline, awaited what = awaited::anything) = 0;

  /// Makes the present `wait` of this PE return. If the PE does not wait now, its next `wait`
  /// returns at once. Any thread of the process may call this function while the endpoint exists.
  /// After the `wait`, the PE sees everything that the calling thread stored before it called
  /// `wake`. Returns false if the PEs are simulated, because a simulation allows no other threads.
  virtual bool wake() noexcept { return false; }

  /// Returns the time of this PE's clock in nanoseconds.
  virtual nanoseconds now() = 0;

  /// Ends the whole job with `exit_status`. After this call, `poll` and `wait` throw `job_ended` on
  /// every PE. The caller must print the reason before the call, and must unwind its own stack
  /// after the call.
  virtual void fail(int exit_status) = 0;

  /// Records the source line that spawned the latest task of this PE. `word` is the source line as
  /// a `site_word`. The word stays readable after the death of the PE, so a report of the death or
  /// of a hang can name the source line.
  void set_last_site(std::uint64_t word) noexcept {
    last_site_->store(word, std::memory_order_relaxed);
    last_site_for_keeper_->store(word, std::memory_order_relaxed);
  }

  std::uint64_t last_site() const noexcept { return last_site_->load(std::memory_order_relaxed); }

  /// Records that the scheduler of this PE has run tasks or handlers. The hang watch
  /// (job/hang_watch.hpp) reports a hang if for a long time no PE records progress and no PE
  /// computes.
  void note_progress() noexcept {
    progress_->store(progress_->load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  /// Returns the functions that write the parts of this PE's hang report (observe/who_waits.hpp).
  /// Because `poll` and `wait` call the functions, the objects that the functions use must exist
  /// until the last call of `poll` or `wait`.
  observe::report_sections& sections() noexcept { return *sections_; }

  /// Returns the address at which this PE accesses the symmetric segment of `pe`. Returns null if
  /// `pe` is on another node. In a simulation, the result is never null. Each segment has
  /// `segment_bytes()` bytes, which are zero at first. The kernel allocates memory for a page when
  /// the page is first touched.
  std::byte* segment(int pe) const noexcept {
    return segments_ == nullptr ? nullptr : segments_[pe];
  }
  std::uint64_t segment_bytes() const noexcept { return segment_bytes_; }

  /// Returns how many bytes of address space each PE has for its private memory. The size is the
  /// same on all PEs.
  std::uint64_t private_bytes() const noexcept { return private_bytes_; }

  /// A memory file that contains the segments of all PEs of the node. Other parts of the runtime
  /// may append data to the file, from the offset `free` on.
  struct common_file {
    int descriptor = -1;  ///< descriptor of the file; -1 if there is no such file
    std::uint64_t own_segment = 0;
    std::uint64_t free = 0;
  };
  const common_file& common() const noexcept { return common_; }

  /// Returns the address of the symmetric segment of `pe`, which this PE accesses by loads, stores
  /// and atomic instructions. Returns null if this PE must access the segment by functions of
  /// `far_memory`.
  std::byte* directly_mapped(int pe) const noexcept {
    return reached_ == nullptr ? nullptr : reached_[pe];
  }

  /// Returns the object for one-sided access to PEs for which `directly_mapped` returns null.
  /// Returns null if this PE can access the segments of all PEs directly.
  remote_memory* far_memory() const noexcept { return far_memory_; }

  /// Wakes the PE `pe` if it sleeps until its memory changes. The caller calls this function after
  /// a direct store to the memory of `pe`. Without the call, `pe` would notice the store only at
  /// the end of a nap of up to one millisecond.
  [[gnu::always_inline]] void stored_to(int pe) noexcept {
    if (sleepers_ != nullptr && sleepers_[pe]->load(std::memory_order_relaxed) != 0) [[unlikely]]
      rouse(pe);
  }

  /// Wakes a PE of this node if it sleeps.
  virtual void rouse(int) noexcept {}

  /// Sets the conditions that `wait` polls from now on. If `watched` is null, `wait` polls no
  /// conditions.
  void watch(memory_watch* watched) noexcept { *watched_ = watched; }

  /// Returns true if this PE and `pe` are on the same node and communicate through shared memory.
  /// In a simulation, the result is true for all PEs.
  bool shares_memory_with(int pe) const noexcept {
    return segments_ == nullptr || segments_[pe] != nullptr;
  }

  /// Returns the node number of each PE. The result is empty if all PEs are on one node.
  std::span<const int> nodes() const noexcept { return node_of_; }

  /// Returns the number of machines on which the PEs of the job run.
  int machines() const noexcept { return machines_; }

  const network_traffic& to_network() const noexcept { return *to_network_; }

  /// Returns how long, in ns, messages of this PE have occupied the network link of its node so
  /// far. Only the modelled network of a simulation measures the time, and all other transports
  /// return 0.
  virtual nanoseconds network_taken() const noexcept { return 0; }

  /// Returns true if each PE of the node has a core that no other process needs. Returns false if
  /// the runtime does not know the answer, or if the job has several nodes.
  bool has_own_core() const noexcept { return has_own_core_; }

  /// Polls the given conditions for some microseconds without sleeping. A PE that has nothing else
  /// to do calls this function before `wait`. If PEs share cores, the function yields the core
  /// between polls. Returns true as soon as a condition holds. Returns false if a buffer has
  /// arrived or the time is over.
  virtual bool linger(memory_watch&) { return false; }

  /// Returns the settings that PE 0 sent to this process when the job began. Returns null if this
  /// process has read the settings itself.
  const settings* job_settings() const noexcept { return job_settings_; }

 protected:
  /// Copies the state of the endpoint `wire`. An endpoint that wraps `wire` calls this function in
  /// its constructor.
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
  /// A copy of `last_site_` for the rank keeper. The rank keeper is a process that watches an MPI
  /// rank and reports its death.
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
  /// One word per PE. The word is nonzero while the PE sleeps and watches its memory.
  const std::atomic<std::uint32_t>* const* sleepers_ = nullptr;
  memory_watch* own_watched_ = nullptr;
  memory_watch** watched_ = &own_watched_;
  bool has_own_core_ = false;
};

}  // namespace atl::transport
