#pragma once
// What PEs did when (setting trace): each writes its events into a ring of its own, in memory that
// PE 0 shares and reads when the job has ended, however it ended. An event is a burst of tasks, not
// a task; where it is full the ring loses the oldest.
//
// Times are those the scheduler has read anyway: a traced run of the transport sim is the same run
// as one that is not traced, and equal runs have equal traces.

#include "atoll/base/site.hpp"
#include "atoll/observe/shared_memory.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace atl::observe {

enum class traced : std::uint32_t {
  tasks,          ///< `count` were resumed, `amount` were ready behind them; spawned at `where`
  deliveries,     ///< `count` application messages; `amount` on this PE so far
  flush,          ///< buffers handed over before they were full
  idle,           ///< nothing to run or deliver
  submit,         ///< `amount` bytes to `peer`
  steal_request,  ///< of `peer`
  tasks_sent,     ///< `count` stealable ones, to `peer`
  tasks_stolen,   ///< `count`, from `peer`
  collective,     ///< collective number `count` was entered at `where`
  event_ended,    ///< the event `count`, for which `peer` waits, which may be this PE
  event_heard     ///< tasks are ready that waited for the event `count`
};

/// `begin` and `end` are PE time in ns, equal for what has no duration. `where` is a site_word.
struct trace_event {
  std::int64_t begin;
  std::int64_t end;
  traced what;
  std::int32_t peer;
  std::uint64_t count;
  std::uint64_t amount;
  std::uint64_t where;
};

/// The ring of one PE. Its own PE only; where there is none, `add` must not be called.
class trace_ring {
 public:
  trace_ring() = default;
  trace_ring(std::byte* memory, std::uint64_t capacity)
      : header_(reinterpret_cast<header*>(memory)), capacity_(capacity) {}

  /// The job is traced.
  explicit operator bool() const { return header_ != nullptr; }

  /// Adds an event. Idle stretches that follow each other become one; others do up to some
  /// microseconds.
  void add(const trace_event& happened);

  /// Those that are still there, the oldest first.
  std::vector<trace_event> events() const;
  std::uint64_t dropped() const;

  static std::size_t bytes_for(std::uint64_t capacity);

 private:
  struct header {
    std::atomic<std::uint64_t> added;
  };

  trace_event& at(std::uint64_t number) const {
    return reinterpret_cast<trace_event*>(header_ + 1)[number % capacity_];
  }

  header* header_ = nullptr;
  std::uint64_t capacity_ = 0;
};

/// The rings of all PEs; made before they are started.
class trace_rings {
 public:
  /// Throws atl::error (environment).
  trace_rings(int pes, std::uint64_t bytes_each);

  int pes() const { return pes_; }
  trace_ring of(int pe) const;

 private:
  int pes_;
  std::uint64_t capacity_;
  shared_memory memory_;
};

// The trace as a file that Perfetto and chrome://tracing open (Trace Event Format, JSON).

/// Leaves a file without events that says why it has none: the job was ended before its trace was
/// written; does nothing to a pipe or a device. Throws atl::error (environment) where no file can
/// be.
void begin_trace_file(const std::string& file);

/// The events of all PEs in place of that: a process for each PE, times from the first event on.
/// `site_of` knows the sites behind the words. Throws atl::error (environment), and leaves no file
/// then.
void write_trace_file(const std::string& file, const trace_rings& rings, bool ended_early,
                      site (*site_of)(std::uint64_t));

}  // namespace atl::observe
