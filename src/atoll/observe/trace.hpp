#pragma once
// The trace of a job (see the setting `trace`) is a timeline of each PE's activities. Each PE
// writes events into its own ring buffer in shared memory. PE 0 reads the rings after the job has
// ended, even if a PE died. One event covers many tasks that ran one after the other, because an
// event per task would cost too much. If a ring is full, new events replace the oldest ones.
//
// The trace uses only times that the runtime also reads without a trace. On the transport sim, a
// traced run therefore behaves like an untraced run, and equal runs have equal traces.

#include "atoll/base/site.hpp"
#include "atoll/observe/shared_memory.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace atl::observe {

enum class traced : std::uint32_t {
  tasks,          ///< `count` tasks spawned at `where` were resumed; `amount` tasks are ready
  deliveries,     ///< `count` application messages were executed; `amount` is the total so far
  flush,          ///< network buffers were sent before they were full
  idle,           ///< the PE had nothing to run or deliver
  submit,         ///< a network buffer of `amount` bytes was sent to `peer`
  steal_request,  ///< this PE asked `peer` for tasks to steal
  tasks_sent,     ///< this PE sent `count` stealable tasks to `peer`
  tasks_stolen,   ///< this PE received `count` stolen tasks from `peer`
  collective,     ///< this PE entered the collective number `count` at `where`
  event_ended,    ///< an event with the name `count` ended; tasks of `peer` waited for it
  event_heard     ///< an event ended and made tasks of this PE ready; `count` is its name
};

/// One event of the trace. The times `begin` and `end` are in ns of the PE's clock. An event
/// without duration has equal times. `where` is a place in the source code as a `site_word`, or 0
/// if the event has no place.
struct trace_event {
  std::int64_t begin;
  std::int64_t end;
  traced what;
  std::int32_t peer;
  std::uint64_t count;
  std::uint64_t amount;
  std::uint64_t where;
};

/// The ring buffer of one PE. While the job runs, only the PE that owns the ring uses the object. A
/// default-constructed object stands for no ring; do not call `add` on it.
class trace_ring {
 public:
  trace_ring() = default;
  trace_ring(std::byte* memory, std::uint64_t capacity)
      : header_(reinterpret_cast<header*>(memory)), capacity_(capacity) {}

  /// Returns whether the job is traced.
  explicit operator bool() const { return header_ != nullptr; }

  /// Adds an event, or extends the previous event if both have the same kind and source line and
  /// are at most 1 microsecond apart. Only events about tasks, messages and idle time are extended.
  /// Events about tasks or messages are extended to at most 20 microseconds.
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

/// The rings of all PEs. The object is made before the PEs are started, so that the PEs share the
/// memory of the object.
class trace_rings {
 public:
  /// Makes rings of `bytes_each` bytes for `pes` PEs. Throws atl::error (environment) if the kernel
  /// refuses the memory.
  trace_rings(int pes, std::uint64_t bytes_each);

  int pes() const { return pes_; }
  trace_ring of(int pe) const;

 private:
  int pes_;
  std::uint64_t capacity_;
  shared_memory memory_;
};

// The trace file is JSON in the Trace Event Format. Perfetto and chrome://tracing can open the
// trace file.

/// Writes a trace file without events when the job begins. The file says that the job ended before
/// its trace was written. At the end of the job, `write_trace_file` replaces the file. Does nothing
/// if `file` is a pipe or a device. Throws atl::error (environment) if the file cannot be written.
void begin_trace_file(const std::string& file);

/// Writes the events of all PEs to `file`, which is replaced. Each PE appears as a process, and
/// times count from the first event. `site_of` converts a `site_word` to a site. Throws atl::error
/// (environment) if the file cannot be written. After a failure, the function removes the file that
/// `begin_trace_file` has made.
void write_trace_file(const std::string& file, const trace_rings& rings, bool ended_early,
                      site (*site_of)(std::uint64_t));

}  // namespace atl::observe
