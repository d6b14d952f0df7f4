#pragma once
// The hang watch detects that a job hangs. The hang watch takes samples of the state of all PEs,
// decides from the samples whether the job hangs, and prints a report. A `hang_carrier` gets the
// samples: by shared memory, by messages between ranks, or from the thread of simulated PEs.

#include "atoll/job/threads.hpp"
#include "atoll/job/wire.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace atl::job {

/// The state of a PE at one moment.
struct pe_sample {
  enum class activity : std::uint8_t { starts, works, waits, left };

  activity what = activity::starts;
  /// Number of the PE's present phase; the PE works in odd phases and waits in even phases.
  std::uint64_t phase = 0;
  std::uint64_t progress = 0;  ///< counter that changes when tasks or handlers have run
  /// Time at which the timer of a waiting PE expires; `forever` if the PE has no timer.
  nanoseconds deadline = forever;
  bool something_arrived = false;  ///< whether something arrived that the PE has not yet noticed
  thread_state thread{};
};

/// The rule that decides whether a job hangs. A job hangs after `timeout` ns without progress, or
/// at once if all PEs wait and no message is in flight (quiescence).
struct hang_rule {
  nanoseconds timeout;
  /// Whether only a quiescent job is reported as hanging. The value is true if the program of each
  /// PE starts the job itself (`begun::by_each`). Between two calls of Atoll, a program that starts
  /// the job itself may compute for a long time, so a lack of progress is no hang.
  bool is_quiescence_alone;

  hang_rule(nanoseconds time, bool quiescence_alone = false)
      : timeout(time), is_quiescence_alone(quiescence_alone) {}
};

/// Decides from samples whether a job hangs. A job makes progress if a task was resumed, a handler
/// has run, or a PE uses a processor or waits for one. If a PE waits for other threads of its
/// process, the PE makes progress while these threads run. A job is quiescent if all PEs wait only
/// for messages and no message is in flight. A job hangs if it is quiescent, or if it makes no
/// progress during the time-out. The time-out is paused while a PE is stopped, waits for a timer,
/// or writes output that nobody reads, for example to a pager.
class hang_judge {
 public:
  enum class verdict : std::uint8_t {
    goes_on,
    quiescent,    ///< all PEs wait for messages and no message is in flight
    no_progress,  ///< no progress during the time-out
    stopped,      ///< no progress during the time-out, because `pe()` is stopped
    writes,       ///< no progress during the time-out, because nobody reads the output of `pe()`
    sleeps        ///< no progress during the time-out, because `pe()` waits for a timer
  };

  explicit hang_judge(hang_rule rule) : rule_(rule) {}

  /// Decides whether the job hangs. `samples` contains the present state of each PE. `elapsed` is
  /// the time in ns since the previous samples. Each reason for a paused time-out is returned only
  /// once, so that the reason is printed once; later calls return `goes_on`.
  verdict judge(std::vector<pe_sample> samples, nanoseconds elapsed);

  int pe() const noexcept { return pe_; }

 private:
  static bool progressed(const pe_sample& before, const pe_sample& now) noexcept;
  bool any_progressed(const std::vector<pe_sample>& samples) const noexcept;
  bool all_wait_for_ever(const std::vector<pe_sample>& samples) const noexcept;
  verdict suspended_by(const std::vector<pe_sample>& samples) noexcept;

  hang_rule rule_;
  std::vector<pe_sample> before_;
  nanoseconds without_progress_ = 0;  ///< ns without progress, including paused time
  nanoseconds counted_ = 0;           ///< ns without progress, excluding paused time
  std::vector<verdict> told_;
  int pe_ = 0;
};

/// The reason why a job seems to hang.
enum class seeming : std::uint8_t { quiescent, no_progress };

/// Asks the PEs about their state and their tasks. The class has one implementation for each way to
/// reach the PEs.
class hang_carrier {
 public:
  virtual ~hang_carrier() = default;

  /// Returns the present state of all PEs. If the state is not known yet, the function requests the
  /// state and returns nothing. A later call returns the requested state.
  virtual std::optional<std::vector<pe_sample>> samples() = 0;

  /// Returns the text of a hang report, with a line per group of waiting tasks. Blocks until all
  /// PEs have answered, but for at most one second.
  virtual std::string who_waits() = 0;

  /// Returns whether a job that seems to hang really hangs. The function makes each PE poll once
  /// more, and checks that no PE has made progress since the samples `seen`. If `kind` is
  /// `quiescent` and a PE does not poll in time, returns false. The function blocks for at most a
  /// few seconds.
  virtual bool hangs_for_certain(const std::vector<pe_sample>& seen, seeming kind) = 0;
};

/// The hang watch of a job. The object takes samples periodically, decides from the samples whether
/// the job hangs, and prints reports. Only one thread uses the object.
class hang_protocol {
 public:
  struct pace {
    nanoseconds shortest;
    nanoseconds longest;
  };

  /// The time between samples is a tenth of the time-out, clamped to the bounds in `looks`. If the
  /// time-out is 0, the object reports no hangs and only answers questions of users.
  hang_protocol(hang_carrier& carrier, hang_rule rule, pace looks);

  /// If `time` has reached `next_look()`, takes samples and decides whether the job hangs. Call
  /// this function repeatedly. If the job hangs, the function prints a report and returns true. If
  /// the function returns true, the caller must end the job with `k_status_hang`.
  bool look(nanoseconds time);

  /// Returns the time at which `look` should be called next.
  nanoseconds next_look() const noexcept { return next_look_; }

  /// Prints where tasks wait, as an answer to SIGUSR1. If the last answer was printed less than
  /// half a second ago, prints nothing.
  void answer_question();

 private:
  bool judge(std::vector<pe_sample> samples, nanoseconds elapsed);
  bool hangs(const std::vector<pe_sample>& seen, seeming kind, std::string_view why);

  hang_carrier& carrier_;
  const nanoseconds timeout_;
  const nanoseconds period_;
  hang_judge judge_;
  nanoseconds last_look_;
  nanoseconds next_look_;
  nanoseconds next_answer_ = 0;
};

/// Prints `report` as an answer to SIGUSR1. The report says where tasks wait.
void say_answer(std::string_view report);

/// Prints that the job hangs, the reason `why`, and `report`, which says where tasks wait.
void say_hang(std::string_view why, std::string_view report);

}  // namespace atl::job
