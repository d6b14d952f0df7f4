#pragma once
// The watch over hangs, whatever carries its questions: shared memory, messages between ranks, or a
// look at simulated PEs.

#include "atoll/job/hang_judge.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace atl::job {

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
