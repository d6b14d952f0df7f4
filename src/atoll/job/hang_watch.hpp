#pragma once
// The hang watch judges a job by repeated samples of its PEs. Its questions are carried by shared
// memory, by messages between ranks, or by a look at simulated PEs.

#include "atoll/job/threads.hpp"
#include "atoll/job/wire.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace atl::job {

/// State of a PE at one moment.
struct pe_sample {
  enum class activity : std::uint8_t { starts, works, waits, left };

  activity what = activity::starts;
  std::uint64_t phase = 0;         ///< number of phases of working and waiting
  std::uint64_t progress = 0;      ///< changes when tasks or handlers have run
  nanoseconds deadline = forever;  ///< while it waits: time of its timer
  bool something_arrived = false;  ///< while it waits: it will find something when it wakes
  thread_state thread{};
};

/// Decides when a job hangs: after `timeout` without progress, or at once when nothing can happen
/// any more.
struct hang_rule {
  nanoseconds timeout;
  /// Only the latter rule applies: PEs are in programs of their own between two calls, and may do
  /// anything there for any time.
  bool is_quiescence_alone;

  hang_rule(nanoseconds time, bool quiescence_alone = false)
      : timeout(time), is_quiescence_alone(quiescence_alone) {}
};

/// *Progress* is a resumed task, a handler that ran, or a PE that uses or waits for its processor.
/// A PE that waits for other threads of its process makes progress while these do. Nothing can
/// happen any more when all PEs wait for messages only and no message is in flight. Otherwise a job
/// hangs when it makes no progress for the time-out. The time-out is paused while a PE is stopped,
/// blocked on output that nobody reads (a pager), or waiting for a timer.
class hang_judge {
 public:
  enum class verdict : std::uint8_t {
    goes_on,
    quiescent,    ///< nothing can happen any more
    no_progress,  ///< for the time-out
    stopped,      ///< for the time-out, but `pe()` is stopped
    writes,       ///< for the time-out, but nobody reads the output of `pe()`
    sleeps        ///< for the time-out, but `pe()` has a timer
  };

  explicit hang_judge(hang_rule rule) : rule_(rule) {}

  /// Judges the job. `samples` always has all PEs; `elapsed` is the time since the previous
  /// samples. The reason of a paused time-out is returned once; after that the result is `goes_on`.
  verdict judge(std::vector<pe_sample> samples, nanoseconds elapsed);

  int pe() const noexcept { return pe_; }

 private:
  static bool progressed(const pe_sample& before, const pe_sample& now) noexcept;
  bool any_progressed(const std::vector<pe_sample>& samples) const noexcept;
  bool all_wait_for_ever(const std::vector<pe_sample>& samples) const noexcept;
  verdict suspended_by(const std::vector<pe_sample>& samples) noexcept;

  hang_rule rule_;
  std::vector<pe_sample> before_;
  nanoseconds without_progress_ = 0;  ///< total time
  nanoseconds counted_ = 0;           ///< without paused time
  std::vector<verdict> told_;
  int pe_ = 0;
};

/// Why a job seems to hang.
enum class seeming : std::uint8_t { quiescent, no_progress };

/// Carries questions to the PEs, and their answers back.
class hang_carrier {
 public:
  virtual ~hang_carrier() = default;

  /// Returns the state of all PEs now. Returns none if it is not known yet; it is then requested,
  /// and the next call returns it.
  virtual std::optional<std::vector<pe_sample>> samples() = 0;

  /// Returns a line per group of waiting tasks. Blocks until all PEs have answered, at most a
  /// second.
  virtual std::string who_waits() = 0;

  /// Returns whether a job that seems to hang does so for certain. Each PE must have looked once
  /// more at everything it waits for, and none may have made progress since `seen`. Blocks for some
  /// seconds at most. Returns false if a PE could not look.
  virtual bool hangs_for_certain(const std::vector<pe_sample>& seen, seeming kind) = 0;
};

/// The sequence of looks, questions and reports of the hang watch; called by one thread.
class hang_protocol {
 public:
  struct pace {
    nanoseconds shortest;
    nanoseconds longest;
  };

  /// `timeout` 0: no hang is ever reported, and only questions are answered.
  hang_protocol(hang_carrier& carrier, hang_rule rule, pace looks);

  /// Looks at all PEs when it is time; call this repeatedly. Returns true if the job hangs. The
  /// hang has then been reported, and the caller ends the job with `k_status_hang`.
  bool look(nanoseconds time);

  /// Returns when the next call of `look` is worth while.
  nanoseconds next_look() const noexcept { return next_look_; }

  /// Prints where tasks wait, on request, unless that was printed just before.
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

/// Prints where tasks wait, as an answer to SIGUSR1.
void say_answer(std::string_view report);

/// Prints that the job hangs, why, and where tasks wait.
void say_hang(std::string_view why, std::string_view report);

}  // namespace atl::job
