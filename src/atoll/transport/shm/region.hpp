#pragma once
// The memory all PEs of a job share to talk, and its layout:
//   the job's header, a block and room for an answer for each PE, and for each ordered pair of PEs
//   a ring of slots.
// Beside it, the symmetric segments.

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

/// Blocks while `word` is `expected`, until `deadline` at most. May return early.
void futex_wait(atomic<std::uint32_t>& word, std::uint32_t expected, nanoseconds deadline) noexcept;

/// Wakes one waiter. May be called by a signal handler.
void futex_wake(atomic<std::uint32_t>& word) noexcept;

/// Wakes all waiters. May be called by a signal handler.
void futex_wake_all(atomic<std::uint32_t>& word) noexcept;

/// One PE sleeps on it, any may ring it. A caller of `ring` first stores (sequentially consistent)
/// what the sleeper waits for; the sleeper announces its sleep before it looks a last time. So one
/// of the two sees the other, and no system call is made while the owner is awake. In the one order
/// of seq_cst operations either the announcement is before the ringer's load, which then rings, or
/// the ringer's store is before the last look. Between that look and the sleep the exchange of the
/// ringer has taken the announcement back, or its wake comes after the sleeper lies down.
class doorbell {
 public:
  void ring() noexcept {
    if (sleeping_.load(std::memory_order_seq_cst) != 0) wake();
  }

  /// Owner only. `something_to_do` is asked once more after the announcement.
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

/// A PE writes here who waits where on it, for the PE that asked. A zero byte ends each text;
/// whoever asked reads it when the PE has said that the answer is complete.
class answer_area {
 public:
  /// Findings that have no place are counted; those that come in large numbers are written first.
  void write(std::vector<observe::finding> findings);
  observe::pe_answer read(int pe) const;

 private:
  /// A finding whose places are texts: who asks may be another program, as oshrun is. They begin at
  /// an offset in `text_`; 0 is none.
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

/// Who numbers the processes that this one sees: equal for processes that know each other by the
/// same numbers; 0 where /proc does not say.
std::uint64_t process_namespace() noexcept;

/// What a PE does, for the report of its death and for the watch over hangs. Written by the PE.
struct alignas(line_size) pe_life {
  static constexpr std::uint64_t left = UINT64_MAX;

  std::atomic<std::uint64_t> last_site{0};
  std::atomic<std::uint64_t> progress{0};
  /// Phases of working and waiting so far: odd while the PE works, even while it waits; 0 before it
  /// has begun, `left` when it has gone.
  std::atomic<std::uint64_t> phase{0};
  std::atomic<nanoseconds> deadline{forever};  ///< of what it waits for beside messages and room
  std::atomic<pid_t> process{0};
  std::atomic<pid_t> thread{0};
  std::atomic<std::uint64_t> process_namespace{0};  ///< which gives these two numbers
  atomic<std::uint32_t> answered{0};                ///< the last question its answer is written to
};

/// The words by which other PEs, and the watch over hangs, talk to a PE.
struct pe_block {
  alignas(line_size) doorbell bell;
  atomic<std::uint32_t> room{0};       ///< room was returned, as asked
  atomic<std::uint32_t> attention{0};  ///< ended, or a new question
  atomic<std::uint64_t> ready[max_pes_of_node / sources_per_word]{};  ///< sources with new buffers
  /// Sources that found their ring full.
  alignas(line_size) atomic<std::uint64_t> starved[max_pes_of_node / sources_per_word]{};
  /// It sleeps until its memory changes: who stores there wakes it. In a line of its own, for all
  /// who store look at it.
  alignas(line_size) std::atomic<std::uint32_t> watches{0};
  pe_life life;
  std::atomic<std::uint32_t> finished{0};  ///< its body has ended and its output is written
};

struct job_header {
  alignas(line_size) atomic<std::uint32_t> ended{0};  ///< 0, or 1 + exit status: ended early
  atomic<std::uint32_t> questions{0};                 ///< asked so far: who waits where
  atomic<std::uint32_t> events{0};  ///< a futex: something that concerns the whole job
};

/// A network buffer. `bytes` is 0 while it belongs to the sender; storing it hands the buffer over.
struct slot {
  alignas(line_size) atomic<std::uint32_t> bytes{0};

  std::byte* data() noexcept { return reinterpret_cast<std::byte*>(this + 1); }
};

/// Goes round the slots of one ordered pair of PEs. Sender and receiver have a cursor each; whether
/// a slot is free or full stands in the slot.
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

/// What another process must know of a region to map it, beside its descriptors.
struct region_shape {
  std::uint64_t slots = 0;  ///< in the ring of a pair
  address_shares shares;
};

/// Of a region. A process that is handed copies of both maps the same memory.
struct region_descriptors {
  int memory = -1;
  int segments = -1;
};

/// How many slots the ring of a pair has where so many PEs share memory; `own`: from a PE to
/// itself. Where they are not set they take a quarter of `memory` at most, or are the fewest.
std::size_t slots_of_pair(int pes, const settings& settings, bool own,
                          std::uint64_t memory = UINT64_MAX);

/// Bytes of all rings of so many PEs, full.
std::uint64_t bytes_of_rings(int pes, const settings& settings, std::uint64_t memory);

class region {
 public:
  enum class rings : std::uint8_t { of_pairs, none };

  /// Maps it. Throws `error` (environment) when the machine has no room for it. `none`: PEs talk by
  /// other means, and may be more than `max_pes_of_node`, which is the caller's to see to.
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

  /// Ends the job early and wakes everybody. True for the first call, which decides the exit
  /// status. May be called by a signal handler.
  bool end(int exit_status) noexcept;

  /// Wakes whoever waits on `header().events`. May be called by a signal handler.
  void note_event() noexcept;

  /// Asks every PE who waits where; the number of the question. One thread asks.
  std::uint32_t ask() noexcept;

  /// Something has arrived for the PE that it has not looked at.
  bool something_arrived(int pe) noexcept;

  bool ended() noexcept { return header().ended.load(std::memory_order_seq_cst) != 0; }

  /// Of a job that has ended early.
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
