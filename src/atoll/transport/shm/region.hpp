#pragma once
// A region is the shared memory through which the PEs of a node communicate. The region has a
// header for the job, and for each PE a block of words and an area for hang reports. For each
// sender and receiver, the region has a ring: a circular array of slots, each of which holds one
// network buffer. The symmetric segments of the PEs are not a part of the region. The hang watch
// (job/hang_watch.hpp) detects that a job makes no progress.

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

// Each PE has a doorbell. The doorbell is a futex word: the word is 1 while the PE sleeps, and
// other PEs use the word to wake the PE.

/// Blocks while `word` equals `expected`, until the caller is woken or `deadline` has come. May
/// return early.
void futex_wait(atomic<std::uint32_t>& word, std::uint32_t expected, nanoseconds deadline) noexcept;

/// Wakes one thread that waits for `word`. Signal handlers may call this function.
void futex_wake(atomic<std::uint32_t>& word) noexcept;

/// Wakes all threads that wait for `word`. Signal handlers may call this function.
void futex_wake_all(atomic<std::uint32_t>& word) noexcept;

/// Lets a PE, the owner, sleep until another PE rings. Ringing makes no system call while the owner
/// is awake. Example: the owner waits for a condition word that another PE stores. The other PE
/// first stores the condition word and then calls `ring`, which loads the futex word. The owner
/// first sets the futex word to 1 and then loads the condition word once more. The accesses to both
/// words are sequentially consistent, so they have a total order. Either the other PE sees the 1 in
/// the futex word and wakes the owner, or the owner sees the new condition word. If the other PE
/// rings just before the owner sleeps, the futex word is 0, so the kernel does not let the owner
/// sleep.
class doorbell {
 public:
  void ring() noexcept {
    if (sleeping_.load(std::memory_order_seq_cst) != 0) wake();
  }

  /// Sleeps until the doorbell rings or until `deadline`. Only the owner may call this function.
  /// After setting the futex word to 1, the function calls `something_to_do()`, and does not sleep
  /// if the result is true.
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

/// Memory in which a PE writes a hang report when the hang watch asks for it
/// (observe/who_waits.hpp). The hang watch reads the memory after the PE has written the whole
/// report.
class answer_area {
 public:
  /// Writes the entries `findings` as the report. Entries for which there is no room are left out,
  /// and their number is reported.
  void write(std::vector<observe::finding> findings);
  observe::pe_answer read(int pe) const;

 private:
  /// One entry of the report. The entry contains source lines as texts, because the reader may be
  /// another program, such as oshrun. Each text is stored as an offset in `text_`. The offset is 0
  /// if the source line is unknown.
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

/// Returns a number that identifies the process namespace of this process. In all processes with
/// the same number, a process id means the same process. Returns 0 if /proc does not report the
/// namespace.
std::uint64_t process_namespace() noexcept;

/// The state of a PE. The PE itself writes the state. The hang watch reads the state, and so does
/// the code that reports the death of a PE.
struct alignas(line_size) pe_life {
  static constexpr std::uint64_t left = UINT64_MAX;

  std::atomic<std::uint64_t> last_site{0};
  std::atomic<std::uint64_t> progress{0};
  /// Number of times that the PE has begun to work or to wait. The number is odd while the PE
  /// works, and even while the PE waits. The value is 0 before the PE begins, and `left` after its
  /// end.
  std::atomic<std::uint64_t> phase{0};
  std::atomic<nanoseconds> deadline{forever};  ///< deadline of the present or latest wait
  std::atomic<pid_t> process{0};
  std::atomic<pid_t> thread{0};
  /// The process namespace in which the ids `process` and `thread` are valid.
  std::atomic<std::uint64_t> process_namespace{0};
  /// Number of the last report that the PE has written. The hang watch numbers the reports for
  /// which it asks.
  atomic<std::uint32_t> answered{0};
};

/// Words of one PE that other PEs and the hang watch set to notify the PE.
struct pe_block {
  alignas(line_size) doorbell bell;
  /// 1 if a slot that this PE needs has become free.
  atomic<std::uint32_t> room{0};
  /// 1 if the job has ended or the hang watch asks for a report.
  atomic<std::uint32_t> attention{0};
  /// One bit per sender: 1 if the sender has sent new buffers.
  atomic<std::uint64_t> ready[max_pes_of_node / sources_per_word]{};
  /// One bit per sender: 1 if the sender has found its ring to this PE full.
  alignas(line_size) atomic<std::uint64_t> starved[max_pes_of_node / sources_per_word]{};
  /// The word is not 0 while the PE sleeps until its memory changes. Another PE that stores to the
  /// memory of the sleeping PE wakes the sleeping PE. The word has a cache line of its own, because
  /// other PEs read the word after every store.
  alignas(line_size) std::atomic<std::uint32_t> watches{0};
  pe_life life;
  /// The word is 1 after the program has ended on the PE and its output is written.
  std::atomic<std::uint32_t> finished{0};
};

struct job_header {
  /// The word is 0 while the job runs. If the job has ended early, the word is the exit status plus
  /// 1.
  alignas(line_size) atomic<std::uint32_t> ended{0};
  /// Number of times that the hang watch has asked for reports.
  atomic<std::uint32_t> questions{0};
  /// A futex word that counts events of the whole job, such as its early end.
  atomic<std::uint32_t> events{0};
  /// Number of `announcement` objects: PEs that are ending the job and have not yet printed the
  /// reason.
  atomic<std::uint32_t> speakers{0};
};

/// A slot holds one network buffer. The word `bytes` is 0 while the slot belongs to the sender. The
/// sender passes the slot to the receiver by storing the length of the buffer in `bytes`.
struct slot {
  alignas(line_size) atomic<std::uint32_t> bytes{0};

  std::byte* data() noexcept { return reinterpret_cast<std::byte*>(this + 1); }
};

/// A position in the ring from one PE to another. The sender and the receiver have a cursor each.
/// The cursors are not shared, because each slot states whether it is free.
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

/// The sizes of a region. Another process can map the region if it has the sizes and the
/// descriptors.
struct region_shape {
  std::uint64_t slots = 0;  ///< number of slots per ring
  address_shares shares;
};

/// The file descriptors of the memory of a region and of its symmetric segments.
struct region_descriptors {
  int memory = -1;
  int segments = -1;
};

/// Returns the number of slots per ring if `pes` PEs share memory. If `own` is true, returns the
/// number for the ring from a PE to itself. The setting `buffers-per-pair` determines the number.
/// If the setting is 0, all rings together take at most a quarter of `memory` bytes, but each ring
/// has at least two slots.
std::size_t slots_of_pair(int pes, const settings& settings, bool own,
                          std::uint64_t memory = UINT64_MAX);

/// Returns the size in bytes of all rings of `pes` PEs together.
std::uint64_t bytes_of_rings(int pes, const settings& settings, std::uint64_t memory);

class region {
 public:
  enum class rings : std::uint8_t { of_pairs, none };

  /// Makes and maps a new region for `pes` PEs. With `rings::none`, the region has no rings,
  /// because the PEs communicate by other means. Only a region without rings may have more than
  /// `max_pes_of_node` PEs. The caller must check the number of PEs. Throws `error` (environment)
  /// if the kernel refuses the memory.
  region(int pes, const settings& settings, rings which = rings::of_pairs);

  /// Maps a region that another process has made for the same number of PEs with the same settings.
  /// The object owns the descriptors `of` and closes them in its destructor. Throws `error`
  /// (environment) if the kernel refuses the memory.
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
  /// returns true. Later calls return false. Signal handlers may call this function.
  bool end(int exit_status) noexcept;

  /// Wakes all threads that wait for `header().events`. Signal handlers may call this function.
  void note_event() noexcept;

  /// Asks every PE for a hang report, and returns the number of the report. Only one thread of the
  /// job may call this function.
  std::uint32_t ask() noexcept;

  /// Returns true if the PE has a notification that it has not yet processed, such as the
  /// notification of a new buffer.
  bool something_arrived(int pe) noexcept;

  bool ended() noexcept { return header().ended.load(std::memory_order_seq_cst) != 0; }

  /// Returns whether a PE is about to print why the job ends. If the result is true, the caller
  /// should wait for a limited time before it ends processes of the job.
  bool has_speakers() noexcept { return header().speakers.load(std::memory_order_seq_cst) != 0; }

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

/// A PE makes this object before it ends the job, and destroys the object after it has printed the
/// reason. Without the object, another PE could end the process of this PE before the reason is
/// printed.
class announcement {
 public:
  explicit announcement(region& of) noexcept : speakers_(of.header().speakers) {
    speakers_.fetch_add(1, std::memory_order_seq_cst);
  }
  ~announcement() { speakers_.fetch_add(k_minus_one, std::memory_order_seq_cst); }
  announcement(const announcement&) = delete;
  announcement& operator=(const announcement&) = delete;

 private:
  static constexpr std::uint32_t k_minus_one = ~std::uint32_t{0};  // modulo 2^32

  atomic<std::uint32_t>& speakers_;
};

}  // namespace atl::transport::shm
