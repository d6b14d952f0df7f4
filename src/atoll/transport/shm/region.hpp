#pragma once
// A region is the shared memory through which the PEs of a job communicate. The region has a header
// for the job, a block and an answer area per PE, and a ring per ordered pair of PEs. A ring is a
// cycle of slots, each of which holds one network buffer. The symmetric segments are separate
// memory.

#include "atoll/observe/who_waits.hpp"
#include "atoll/settings.hpp"
#include "atoll/transport/shm/atomic.hpp"
#include "atoll/transport/shm/segments.hpp"
#include "atoll/transport/transport.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <sys/types.h>
#include <vector>

namespace atl::transport::shm {

// Each PE has a doorbell: a futex word that states whether the PE sleeps, and by which other PEs
// wake it.

/// Blocks as long as `word` equals `expected`, but at most until `deadline`. May return early.
void futex_wait(atomic<std::uint32_t>& word, std::uint32_t expected, nanoseconds deadline) noexcept;

/// Wakes one thread that waits for `word`. Signal handlers may call this.
void futex_wake(atomic<std::uint32_t>& word) noexcept;

/// Wakes all threads that wait for `word`. Signal handlers may call this.
void futex_wake_all(atomic<std::uint32_t>& word) noexcept;

/// Lets its owner, a PE, sleep until another PE rings. Ringing makes no system call while the owner
/// is awake. A ringer first stores the word for which the owner waits, and then calls `ring`. The
/// owner announces its sleep and then loads the word once more. All these accesses are sequentially
/// consistent, so they have a total order. If the announcement comes before the ringer's load of
/// it, the ringer wakes the owner. If the announcement comes later, the ringer's store of the word
/// precedes the owner's last load, which sees the word. The ringer may also come between the
/// owner's last load and the sleep. The ringer's exchange then withdraws the announcement, so that
/// the futex does not sleep.
class doorbell {
 public:
  void ring() noexcept {
    if (sleeping_.load(std::memory_order_seq_cst) != 0) wake();
  }

  /// Sleeps until the doorbell rings or until `deadline`. Only the owner may call this. The
  /// function does not sleep if `something_to_do()`, called after the announcement, returns true.
  template <class Predicate>
  void sleep(nanoseconds deadline, Predicate something_to_do) noexcept {
    sleeping_.store(1, std::memory_order_seq_cst);
    if (!something_to_do()) futex_wait(sleeping_, 1, deadline);
    sleeping_.store(0, std::memory_order_relaxed);
  }

 private:
  void wake() noexcept {
    if (sleeping_.exchange(0, std::memory_order_seq_cst) != 0) futex_wake(sleeping_);
  }

  atomic<std::uint32_t> sleeping_{0};
};

/// Memory in which a PE answers a question of the hang watch (observe/who_waits.hpp). The
/// questioner reads the area after the PE has completed its answer. A zero byte ends each text.
class answer_area {
 public:
  /// Writes the findings as an answer. Findings that do not fit are left out and only counted.
  void write(std::vector<observe::finding> findings);
  observe::pe_answer read(int pe) const;

 private:
  /// A finding whose places are texts, because the reader may be another program, such as oshrun.
  /// Each place is an offset in `text_`, or 0 if it is unknown.
  struct record {
    observe::fact what;
    std::uint16_t place;
    std::uint16_t origin;
    std::uint64_t count;
    std::uint64_t number;
  };
  static constexpr std::size_t capacity = 400;
  static constexpr std::size_t text_bytes = 6000;

  std::uint64_t size_;
  std::uint64_t left_out_;
  std::array<record, capacity> records_;
  std::array<char, text_bytes> text_;
};

inline constexpr int max_pes_of_node = 1024;
inline constexpr int sources_per_word = 64;
inline constexpr std::size_t line_size = 64;

/// Returns a number that identifies the process namespace of this process. In two processes with
/// the same result, process ids mean the same. Returns 0 if /proc does not report the namespace.
std::uint64_t process_namespace() noexcept;

/// The state of a PE, which the PE itself writes. The hang watch and the report of the PE's death
/// read this state.
struct alignas(line_size) pe_life {
  static constexpr std::uint64_t left = UINT64_MAX;

  std::atomic<std::uint64_t> last_site{0};
  std::atomic<std::uint64_t> progress{0};
  /// Number of phases of working and waiting so far. The number is odd while the PE works and even
  /// while it waits. The value is 0 before the PE begins and `left` after its end.
  std::atomic<std::uint64_t> phase{0};
  std::atomic<nanoseconds> deadline{forever};  ///< deadline of the present or last wait
  std::atomic<pid_t> process{0};
  std::atomic<pid_t> thread{0};
  /// Process namespace in which `process` and `thread` are valid.
  std::atomic<std::uint64_t> process_namespace{0};
  /// Number of the last question that the PE has answered.
  atomic<std::uint32_t> answered{0};
};

/// Words by which other PEs and the hang watch communicate with a PE.
struct pe_block {
  alignas(line_size) doorbell bell;
  /// 1 if a slot was freed for which this PE had asked.
  atomic<std::uint32_t> room{0};
  /// 1 if the job has ended or there is a new question.
  atomic<std::uint32_t> attention{0};
  /// A bit for each source that has sent new buffers.
  atomic<std::uint64_t> ready[max_pes_of_node / sources_per_word]{};
  /// A bit for each source that has found its ring to this PE full.
  alignas(line_size) atomic<std::uint64_t> starved[max_pes_of_node / sources_per_word]{};
  /// Not 0 while the PE sleeps until its memory changes. A PE that stores to this memory then wakes
  /// it. The word has a cache line of its own, because other PEs read it after every store.
  alignas(line_size) std::atomic<std::uint32_t> watches{0};
  pe_life life;
  /// 1 if the body of the PE has ended and its output is written.
  std::atomic<std::uint32_t> finished{0};
};

struct job_header {
  /// 1 + exit status if the job has ended early, otherwise 0.
  alignas(line_size) atomic<std::uint32_t> ended{0};
  /// Number of questions so far.
  atomic<std::uint32_t> questions{0};
  /// Futex word that counts events of the whole job.
  atomic<std::uint32_t> events{0};
};

/// A slot holds one network buffer. `bytes` is 0 while the slot belongs to the sender. Storing the
/// length in `bytes` passes the slot to the receiver.
struct slot {
  alignas(line_size) atomic<std::uint32_t> bytes{0};

  std::byte* data() noexcept { return reinterpret_cast<std::byte*>(this + 1); }
};

/// A position in the ring of one ordered pair of PEs. Sender and receiver have a cursor each. The
/// slots themselves state whether they are free.
class ring_cursor {
 public:
  ring_cursor(std::byte* first, std::size_t stride, std::size_t slots)
      : current_(first), first_(first), last_(first + (slots - 1) * stride) {}

  slot& current() const noexcept { return *reinterpret_cast<slot*>(current_); }
  void advance(std::size_t stride) noexcept {
    current_ = current_ == last_ ? first_ : current_ + stride;
  }

 private:
  std::byte* current_;
  std::byte* first_;
  std::byte* last_;
};

/// Sizes of a region. Another process needs the sizes and the descriptors to map the region.
struct region_shape {
  std::uint64_t slots = 0;  ///< number of slots per ring
  address_shares shares;
};

/// The descriptors of a region. Another process with copies of both descriptors can map the region.
struct region_descriptors {
  int memory = -1;
  int segments = -1;
};

/// Returns the number of slots per ring if `pes` PEs share memory. If `own` is true, returns it for
/// the ring of a PE to itself. If the setting buffers-per-pair leaves the number open, all rings
/// together take at most a quarter of `memory`. Each ring has at least two slots.
std::size_t slots_of_pair(int pes, const settings& settings, bool own,
                          std::uint64_t memory = UINT64_MAX);

/// Returns the bytes of all rings of `pes` PEs together.
std::uint64_t bytes_of_rings(int pes, const settings& settings, std::uint64_t memory);

class region {
 public:
  enum class rings : std::uint8_t { of_pairs, none };

  /// Makes and maps a new region. With `rings::none` the region has no rings, for PEs that
  /// communicate by other means, and `pes` may exceed `max_pes_of_node`. The caller must check the
  /// number of PEs. Throws `error` (environment) if the kernel refuses the memory.
  region(int pes, const settings& settings, rings which = rings::of_pairs);

  /// Maps a region that another process has made for the same number of PEs with the same settings.
  /// The object closes the descriptors `of` at its end. Throws `error` (environment) if the kernel
  /// refuses the memory.
  region(int pes, const settings& settings, const region_shape& shape, region_descriptors of);

  region_shape shape() const noexcept { return {slots_, segments_.shares()}; }
  region_descriptors descriptors() const noexcept {
    return {memory_.descriptor(), segments_.descriptor()};
  }

  int pes() const noexcept { return pes_; }
  std::uint32_t buffer_capacity() const noexcept { return buffer_capacity_; }
  std::size_t slot_stride() const noexcept { return sizeof(slot) + buffer_capacity_; }

  job_header& header() noexcept { return *reinterpret_cast<job_header*>(base_); }
  pe_block& block(int pe) noexcept {
    return reinterpret_cast<pe_block*>(base_ + sizeof(job_header))[pe];
  }
  answer_area& answer(int pe) noexcept;
  ring_cursor ring(int source, int destination) noexcept;
  const segments& symmetric() const noexcept { return segments_; }

  /// Ends the job early and wakes all PEs. The first call sets the exit status of the job and
  /// returns true. Signal handlers may call this.
  bool end(int exit_status) noexcept;

  /// Wakes all threads that wait for `header().events`. Signal handlers may call this.
  void note_event() noexcept;

  /// Asks every PE where its tasks wait, and returns the number of the question. Only one thread of
  /// the job may ask.
  std::uint32_t ask() noexcept;

  /// Returns whether something has arrived for the PE that the PE has not yet noticed.
  bool something_arrived(int pe) noexcept;

  bool ended() noexcept { return header().ended.load(std::memory_order_seq_cst) != 0; }

  /// Returns the exit status of a job that has ended early.
  int end_status() noexcept {
    return static_cast<int>(header().ended.load(std::memory_order_seq_cst)) - 1;
  }

 private:
  void draw_attention() noexcept;
  std::size_t answers_offset() const noexcept;
  std::size_t rings_offset() const noexcept;
  std::size_t rings_bytes() const noexcept;

  int pes_;
  std::uint32_t buffer_capacity_;
  std::size_t slots_;
  mapping memory_;
  std::byte* base_;
  segments segments_;
};

}  // namespace atl::transport::shm
