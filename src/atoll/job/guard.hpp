#pragma once
// The guard of a job is an extra thread in the process of PE 0, or in the launcher oshrun. The
// guard notices deaths of PEs, signals, hangs and requests for a hang report, even while PE 0
// computes or is blocked. After an early end of the job, the guard ends all processes in bounded
// time, even if PEs do not react.

#include "atoll/job/hang_carriers.hpp"
#include "atoll/job/hang_watch.hpp"
#include "atoll/job/job_signals.hpp"
#include "atoll/job/wire.hpp"

#include <atomic>
#include <functional>
#include <optional>
#include <sys/types.h>
#include <thread>
#include <vector>

namespace atl::job {

/// The forked PEs of a job, with their process ids. The function that starts the job calls `add`.
/// The guard calls all functions except `add` and `send`.
class children {
 public:
  explicit children(int pes) : running_(static_cast<std::size_t>(pes)) {}

  /// Kills the children that still run, and waits for their end.
  ~children();
  children(const children&) = delete;
  children& operator=(const children&) = delete;

  /// A child that has ended, with its PE and its status from waitpid.
  struct end {
    int pe;
    int wait_status;
  };

  void add(int pe, pid_t child) noexcept;

  /// Returns a child that has ended and was not returned before. If all ended children were
  /// returned before, returns nothing. The function ignores children of this process that are not
  /// PEs.
  std::optional<end> reap() noexcept;

  /// Sends `signal` to all running children. Signal handlers may call this function.
  void send(int signal) const noexcept;
  void kill_all() noexcept;

  /// Blocks until no child runs.
  void wait_for_all() noexcept;

  /// Returns the number of running children. Any thread may call this function.
  int count() const noexcept { return count_.load(std::memory_order_seq_cst); }

 private:
  std::vector<pid_t> running_;  ///< process id of each PE; 0 if the PE has no process or has ended
  std::atomic<int> count_{0};
};

class guard {
 public:
  enum class watch : std::uint8_t {
    all,
    joined,    ///< PEs run their own programs; a hang is reported only if all PEs wait for messages
    programs,  ///< PEs run their own programs, which need not join the job
    /// One thread runs all simulated PEs; the guard only detects whether this thread is blocked.
    blocking
  };

  /// Starts the guard. The caller must have forked all children, because a process with threads
  /// should not fork. Call `signals.open` only after the guard has started. Before the guard ends
  /// the process by force, it calls `last_words`. Throws `error` (environment) if the thread cannot
  /// be started.
  guard(shm::region& region, children& forked, const job_signals& signals, nanoseconds hang_timeout,
        watch what = watch::all, std::function<void(int exit_status)> last_words = {});

  /// Starts a guard for simulated PEs. The guard uses `carrier` to check whether the one thread of
  /// the simulated PEs is blocked.
  guard(shm::region& region, children& forked, const job_signals& signals, nanoseconds hang_timeout,
        hang_carrier& carrier, std::function<void(int exit_status)> last_words);

  /// Ends the guard's thread. Children that still run are not ended.
  ~guard();
  guard(const guard&) = delete;
  guard& operator=(const guard&) = delete;

  /// Records that the bodies of all PEs of this process have ended. If the job ends early after
  /// this call, the guard does not end the process by force. Any thread may call this function.
  void bodies_have_ended() noexcept { bodies_ended_ = true; }

  /// Blocks until no child runs. If the job has ended early, children that do not end in time are
  /// killed.
  void wait_for_children() noexcept;

  /// Returns the largest exit status of the children. Call this function when no child runs any
  /// more.
  int largest_status() const noexcept { return largest_status_; }

 private:
  void run() noexcept;
  nanoseconds next_deadline() const noexcept;
  void take_interrupts();
  void take_ends();
  void take_end(const children::end& child);
  bool take_end_of_outsider(const children::end& child);
  void end_where_outsiders_are_missed();
  void take_questions(nanoseconds);
  void look_for_hangs(nanoseconds time);
  void without_failure(void (guard::*work)(nanoseconds), nanoseconds time) noexcept;
  void enforce_end(nanoseconds time);
  void end_by_force();

  shm::region& region_;
  children& children_;
  const job_signals& signals_;
  const watch watch_;
  const std::function<void(int)> last_words_;
  std::atomic<bool> stopping_{false};
  std::atomic<bool> bodies_ended_{false};
  std::atomic<int> largest_status_{0};
  shared_carrier carrier_;
  hang_protocol hangs_;
  std::uint32_t answered_ = 0;  ///< number of SIGUSR1 signals that were answered
  bool hung_ = false;
  /// A PE that has exited with status 0 without joining the job; -1 if there is none.
  int outsider_ = -1;
  bool failure_is_told_ = false;
  int interrupts_seen_ = 0;
  nanoseconds kill_children_at_ = forever;
  /// Time at which the guard ends the process by force. If the process has used little processor
  /// time since the job ended, the guard postpones `end_at_`. A loaded machine may not have given
  /// the PEs enough processor time to unwind their stacks.
  nanoseconds end_at_ = forever;
  int times_more_ = 0;  ///< how often `end_at_` may still be postponed
  /// While a PE is about to print why the job ends, the guard kills no process before this time.
  nanoseconds words_until_ = forever;
  /// Processor time in ns that the process had used when the job ended.
  nanoseconds work_at_end_ = 0;
  std::thread thread_;
};

}  // namespace atl::job
