#pragma once
// The watch over hangs judges a job by what its PEs are seen doing from time to time, whatever
// carries its questions: shared memory, messages between ranks, or a look at simulated PEs.

#include "atoll/job/threads.hpp"
#include "atoll/job/wire.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace atl::job {

/// A PE as it is seen at one moment.
struct pe_sample {
  enum class activity : std::uint8_t { starts, works, waits, left };

  activity what = activity::starts;
  std::uint64_t phase = 0;         ///< of working and waiting, counted
  std::uint64_t progress = 0;      ///< changes when it has run tasks or handlers
  nanoseconds deadline = forever;  ///< while it waits: of a timer
  bool something_arrived = false;  ///< while it waits: it will find something when it wakes
  thread_state thread{};
};

/// When a job hangs: after so long without progress, or at once when nothing can happen any more.
struct hang_rule {
  nanoseconds timeout;
  /// The latter alone: PEs are in programs of their own between two calls, and may do there what
  /// they like for as long as they like.
  bool is_quiescence_alone;

  hang_rule(nanoseconds time, bool quiescence_alone = false)
      : timeout(time), is_quiescence_alone(quiescence_alone) {}
};

/// *Progress* is a task resumed, a handler run, or a PE that uses its processor or waits for one. A
/// PE that waits for other threads of its process makes progress while these do. Nothing can happen
/// any more when all PEs wait for messages only and no message is under way; else a job hangs when
/// it makes no progress for the time-out. Time in which a PE is stopped, or waits until somebody
/// reads its output (a pager), or a timer is pending, does not count.
class hang_judge {
 public:
  enum class verdict : std::uint8_t {
    goes_on,
    quiescent,    ///< nothing can happen any more
    no_progress,  ///< for the time-out
    stopped,      ///< for the time-out as well, but `pe()` is stopped
    writes,       ///< for the time-out as well, but nobody reads what `pe()` writes
    sleeps        ///< for the time-out as well, but `pe()` has a timer
  };

  explicit hang_judge(hang_rule rule) : rule_(rule) {}

  /// `samples` has all PEs, each time; `elapsed` is the time since the last samples. What suspends
  /// the time-out is told once, then the job goes on.
  verdict judge(std::vector<pe_sample> samples, nanoseconds elapsed);

  int pe() const noexcept { return pe_; }

 private:
  static bool progressed(const pe_sample& before, const pe_sample& now) noexcept;
  bool any_progressed(const std::vector<pe_sample>& samples) const noexcept;
  bool all_wait_for_ever(const std::vector<pe_sample>& samples) const noexcept;
  verdict suspended_by(const std::vector<pe_sample>& samples) noexcept;

  hang_rule rule_;
  std::vector<pe_sample> before_;
  nanoseconds without_progress_ = 0;  ///< all of it
  nanoseconds counted_ = 0;           ///< without what is suspended
  std::vector<verdict> told_;
  int pe_ = 0;
};

/// Why a job seems to hang.
enum class seeming : std::uint8_t { quiescent, no_progress };

/// What brings questions to the PEs, and their answers back.
class hang_carrier {
 public:
  virtual ~hang_carrier() = default;

  /// How all PEs are now; none where that is not known yet: it is asked for, and the next call
  /// has it.
  virtual std::optional<std::vector<pe_sample>> samples() = 0;

  /// Who waits where, a line each. Blocks until all PEs have answered, a second at most.
  virtual std::string who_waits() = 0;

  /// Whether the job hangs for certain, after it seemed to: each PE has looked once more at all
  /// that it waits for, and none has made progress since `seen`. Blocks for some seconds at most.
  /// False where a PE could not look.
  virtual bool hangs_for_certain(const std::vector<pe_sample>& seen, seeming kind) = 0;
};

/// Called by one thread.
class hang_protocol {
 public:
  struct pace {
    nanoseconds shortest;
    nanoseconds longest;
  };

  /// `timeout` of 0: nothing hangs, and only questions are answered.
  hang_protocol(hang_carrier& carrier, hang_rule rule, pace looks);

  /// To be called now and then; when it is time, looks at all PEs. True when the job hangs: that
  /// has been said, and the caller ends it with `k_status_hang`.
  bool look(nanoseconds time);

  /// When the next call of `look` is worth while.
  nanoseconds next_look() const noexcept { return next_look_; }

  /// Prints who waits where, on request, unless it was just printed.
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

/// Prints who waits where, as SIGUSR1 asks.
void say_answer(std::string_view report);

/// Prints that the job hangs, and why, and who waits where.
void say_hang(std::string_view why, std::string_view report);

}  // namespace atl::job
