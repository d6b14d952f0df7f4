#pragma once
// A region is the memory through which all PEs of a job communicate. It has a header for the job, a
// block and an answer area per PE, and a ring of slots per ordered pair of PEs. The symmetric
// segments are separate memory.

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

// PEs sleep and wake each other by a futex word that says whether its owner sleeps.

/// Blocks while `word` equals `expected`, at most until `deadline`. May return early.
void futex_wait(atomic<std::uint32_t>& word, std::uint32_t expected, nanoseconds deadline) noexcept;

/// Wakes one waiter. May be called by a signal handler.
void futex_wake(atomic<std::uint32_t>& word) noexcept;

/// Wakes all waiters. May be called by a signal handler.
void futex_wake_all(atomic<std::uint32_t>& word) noexcept;

/// Wakes one PE, which sleeps on the doorbell; any PE may ring it. A caller of `ring` first stores
/// what the sleeper waits for (sequentially consistent). The sleeper announces its sleep before its
/// last look. One of the two then sees the other, and no system call is made while the owner is
/// awake. In the total order of seq_cst operations, the announcement may come before the ringer's
/// load, which then rings. Otherwise the ringer's store comes before the last look. Between that
/// look and the sleep, either the ringer's exchange has withdrawn the announcement, or its wake
/// comes once the sleeper sleeps.
class doorbell {
 public:
  void ring() noexcept {
    if (sleeping_.load(std::memory_order_seq_cst) != 0) wake();
  }

  /// Sleeps; owner only. Calls `something_to_do` once more after the announcement.
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

/// Memory in which a PE answers a question of the hang watch. A zero byte ends each text. The
/// asking PE reads the area once the answer is complete.
class answer_area {
 public:
  /// Writes the findings, those with large counts first. Findings without room are only counted.
  void write(std::vector<observe::finding> findings);
  observe::pe_answer read(int pe) const;

 private:
  /// A finding whose places are texts, because the reader may be another program, such as oshrun.
  /// Places are offsets in `text_`; 0 is none.
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

/// Returns a number for the process namespace: equal for processes that see each other under the
/// same numbers. 0 if /proc does not say.
std::uint64_t process_namespace() noexcept;

/// State of a PE, for the report of its death and for the hang watch. Written by the PE.
struct alignas(line_size) pe_life {
  static constexpr std::uint64_t left = UINT64_MAX;

  std::atomic<std::uint64_t> last_site{0};
  std::atomic<std::uint64_t> progress{0};
  /// Number of phases so far: odd while the PE works, even while it waits. 0 before it has begun,
  /// `left` when it has gone.
  std::atomic<std::uint64_t> phase{0};
  std::atomic<nanoseconds> deadline{forever};  ///< of a wait, besides messages and room
  std::atomic<pid_t> process{0};
  std::atomic<pid_t> thread{0};
  std::atomic<std::uint64_t> process_namespace{0};  ///< namespace of these two numbers
  atomic<std::uint32_t> answered{0};                ///< number of the last question answered
};

/// Words through which other PEs, and the hang watch, communicate with a PE.
struct pe_block {
  alignas(line_size) doorbell bell;
  atomic<std::uint32_t> room{0};       ///< room was returned after a request
  atomic<std::uint32_t> attention{0};  ///< the job has ended, or there is a new question
  atomic<std::uint64_t> ready[max_pes_of_node / sources_per_word]{};  ///< sources with new buffers
  /// Sources that found their ring full.
  alignas(line_size) atomic<std::uint64_t> starved[max_pes_of_node / sources_per_word]{};
  /// Not 0 while the PE sleeps until its memory changes; a PE that stores there wakes it. The word
  /// has its own cache line, because every store reads it.
  alignas(line_size) std::atomic<std::uint32_t> watches{0};
  pe_life life;
  std::atomic<std::uint32_t> finished{0};  ///< its body has ended and its output is written
};

struct job_header {
  alignas(line_size) atomic<std::uint32_t> ended{0};  ///< ended early: 1 + exit status; else 0
  atomic<std::uint32_t> questions{0};                 ///< number of questions so far
  atomic<std::uint32_t> events{0};                    ///< a futex: counts events of the whole job
};

/// A network buffer. `bytes` is 0 while the buffer belongs to the sender; storing it hands it over.
struct slot {
  alignas(line_size) atomic<std::uint32_t> bytes{0};

  std::byte* data() noexcept { return reinterpret_cast<std::byte*>(this + 1); }
};

/// Goes round the slots of one ordered pair of PEs. Sender and receiver have a cursor each; the
/// slot itself says whether it is free.
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

/// Sizes that another process needs to map a region, besides its descriptors.
struct region_shape {
  std::uint64_t slots = 0;  ///< per ring
  address_shares shares;
};

/// Descriptors of a region. A process that gets copies of both can map the same memory.
struct region_descriptors {
  int memory = -1;
  int segments = -1;
};

/// Returns the number of slots per ring where `pes` PEs share memory; `own`: the ring of a PE to
/// itself. Unless the number is set, rings take at most a quarter of `memory`, or have the minimum.
std::size_t slots_of_pair(int pes, const settings& settings, bool own,
                          std::uint64_t memory = UINT64_MAX);

/// Returns the size of all rings of `pes` PEs.
std::uint64_t bytes_of_rings(int pes, const settings& settings, std::uint64_t memory);

class region {
 public:
  enum class rings : std::uint8_t { of_pairs, none };

  /// Maps a new region. Throws `error` (environment) if the machine has no room. `none`: PEs
  /// communicate by other means and may be more than `max_pes_of_node`; the caller must check their
  /// number.
  region(int pes, const settings& settings, rings which = rings::of_pairs);

  /// Maps a region that another process has made for as many PEs with the same settings, and owns
  /// the descriptors. Throws `error` (environment).
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

  /// Ends the job early and wakes all PEs. Returns true for the first call, which decides the exit
  /// status. May be called by a signal handler.
  bool end(int exit_status) noexcept;

  /// Wakes all threads that wait on `header().events`. May be called by a signal handler.
  void note_event() noexcept;

  /// Asks every PE where its tasks wait. Returns the number of the question. Only one thread asks.
  std::uint32_t ask() noexcept;

  /// Returns whether something has arrived for the PE that it has not looked at.
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
