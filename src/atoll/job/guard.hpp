#pragma once
// The guard of a job is a thread beside PE 0. It notices deaths, signals, hangs and questions, even
// while PE 0 computes or is blocked. After an early end of the job it makes sure that the job ends
// in bounded time, whatever its PEs do.

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

/// The forked PEs of a job: their process ids, and how they have ended. The starter calls `add`;
/// the guard calls everything else.
class children {
 public:
  explicit children(int pes) : running_(static_cast<std::size_t>(pes)) {}

  /// Kills children that still run, and waits for their end.
  ~children();
  children(const children&) = delete;
  children& operator=(const children&) = delete;

  /// A child that has ended: its PE, and its status from waitpid.
  struct end {
    int pe;
    int wait_status;
  };

  void add(int pe, pid_t child) noexcept;

  /// Returns a child that has ended and was not returned before; never a process that is no PE.
  std::optional<end> reap() noexcept;

  /// Sends a signal to all running children. May be called by a signal handler.
  void send(int signal) const noexcept;
  void kill_all() noexcept;

  /// Blocks until no child runs.
  void wait_for_all() noexcept;

  /// Returns the number of running children. Any thread may call this.
  int count() const noexcept { return count_.load(std::memory_order_seq_cst); }

 private:
  std::vector<pid_t> running_;  ///< by PE; 0: none, or ended
  std::atomic<int> count_{0};
};

class guard {
 public:
  enum class watch : std::uint8_t {
    all,
    joined,    ///< as `all`, for PEs in programs of their own between two calls
    programs,  ///< as `joined`, for processes that need not join the job
    blocking   ///< only whether the thread of all PEs is blocked; SIGUSR1 is answered elsewhere
  };

  /// Construct the guard after all children have been forked (a process with threads should not
  /// fork), and before the signals are unblocked. `last_words` is called before the process is
  /// ended by force. Throws `error` (environment) if no thread can be started.
  guard(shm::region& region, children& forked, const job_signals& signals, nanoseconds hang_timeout,
        watch what = watch::all, std::function<void(int exit_status)> last_words = {});

  /// Constructs a guard for simulated PEs, which checks through `carrier` whether their one thread
  /// is blocked.
  guard(shm::region& region, children& forked, const job_signals& signals, nanoseconds hang_timeout,
        hang_carrier& carrier, std::function<void(int exit_status)> last_words);

  /// Joins the thread. Children that still run are left to the caller.
  ~guard();
  guard(const guard&) = delete;
  guard& operator=(const guard&) = delete;

  /// Notes that the bodies of this process's PEs have ended or were unwound. The process then need
  /// not be ended by force. Any thread may call this.
  void bodies_have_ended() noexcept { bodies_ended_ = true; }

  /// Blocks until no child runs. Children of a job that has ended early are killed after a time to
  /// unwind.
  void wait_for_children() noexcept;

  /// Returns the largest exit status of the children, once none runs any more.
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
  std::uint32_t answered_ = 0;  ///< number of questions by signals that were answered
  bool hung_ = false;
  int outsider_ = -1;  ///< a PE that has exited with status 0 without joining
  bool failure_is_told_ = false;
  int interrupts_seen_ = 0;
  nanoseconds kill_children_at_ = forever;
  nanoseconds end_at_ = forever;  ///< of the process, by force; later if bodies could not run
  int times_more_ = 0;            ///< number of remaining postponements
  nanoseconds work_at_end_ = 0;   ///< processor time of the process when the job ended
  std::thread thread_;
};

}  // namespace atl::job
