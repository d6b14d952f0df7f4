#pragma once
// The trace of a job (setting trace). Each PE writes its events into a ring of its own, in shared
// memory. PE 0 reads the rings when the job has ended, however it ended. An event is a burst of
// tasks, not a task; a full ring loses its oldest events.
//
// Times are those that the scheduler has read anyway. A traced run with transport sim is therefore
// the same as an untraced one, and equal runs have equal traces.

#include "atoll/base/site.hpp"
#include "atoll/observe/shared_memory.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace atl::observe {

enum class traced : std::uint32_t {
  tasks,          ///< `count` resumed, `amount` ready behind them; spawned at `where`
  deliveries,     ///< `count` application messages; `amount` is the total of this PE
  flush,          ///< buffers handed over before they were full
  idle,           ///< nothing to run or deliver
  submit,         ///< `amount` bytes to `peer`
  steal_request,  ///< sent by `peer`
  tasks_sent,     ///< `count` stealable tasks, to `peer`
  tasks_stolen,   ///< `count` tasks, from `peer`
  collective,     ///< number `count`, entered at `where`
  event_ended,    ///< event `count`; `peer` waits for it, and may be this PE
  event_heard     ///< tasks that waited for event `count` are ready
};

/// `begin` and `end` are PE time in ns, equal if there is no duration. `where` is a site_word.
struct trace_event {
  std::int64_t begin;
  std::int64_t end;
  traced what;
  std::int32_t peer;
  std::uint64_t count;
  std::uint64_t amount;
  std::uint64_t where;
};

/// The ring of one PE, used by that PE only. `add` must not be called if there is none.
class trace_ring {
 public:
  trace_ring() = default;
  trace_ring(std::byte* memory, std::uint64_t capacity)
      : header_(reinterpret_cast<header*>(memory)), capacity_(capacity) {}

  /// Returns whether the job is traced.
  explicit operator bool() const { return header_ != nullptr; }

  /// Adds an event. Consecutive idle events are merged into one; other events are merged up to some
  /// microseconds.
  void add(const trace_event& happened);

  /// Returns the events that are still in the ring, oldest first.
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

/// The rings of all PEs, made before these are started.
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

// The trace file is JSON (Trace Event Format), which Perfetto and chrome://tracing open.

/// Writes a file without events, whose text says that the job ended before its trace was written.
/// Does nothing to a pipe or a device. Throws atl::error (environment) if no file can be written.
void begin_trace_file(const std::string& file);

/// Replaces that file by the events of all PEs: a process per PE, with times from the first event
/// on. `site_of` returns the sites behind the words. Throws atl::error (environment), and then
/// leaves no file.
void write_trace_file(const std::string& file, const trace_rings& rings, bool ended_early,
                      site (*site_of)(std::uint64_t));

}  // namespace atl::observe
