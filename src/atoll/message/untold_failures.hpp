#pragma once
// An untold failure is an exception that has escaped a task or handler, but has not yet reached the
// waiting task. A task that waits for a scope gets an exception only when the whole scope has
// ended, which may be late or never.
//
// A program may cause many failures before any scope ends. For example, a handler that finds no
// room for its messages fails each time a message arrives. The first failures of a PE are stored,
// and further failures are only counted, because a PE can have many failures. If there are many
// failures, the job ends with the text of the first failure. A refusal is a failure because a
// message or an allocation was refused. If a refusal is the first failure and five seconds old, the
// job ends as soon as the memory or overflow limit is nearly reached.

#include "atoll/base/site.hpp"
#include "atoll/transport/transport.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

namespace atl::message {

/// The untold failures of one PE. Normally, there are no untold failures.
class untold_failures {
 public:
  /// If there are at least `k_many` untold failures, and the first of them is older than a second,
  /// the job ends.
  static constexpr std::uint64_t k_many = 1'000;
  /// If `k_more` failures are added while there are more than `k_many` failures, the job ends at
  /// once.
  static constexpr std::uint64_t k_more = 20'000;

  bool empty() const noexcept { return untold_ == 0; }

  /// Adds an exception that escaped the task spawned at `spawned`. If `spawned` is unknown, the
  /// exception escaped a handler or came from another PE.
  void add(std::exception_ptr failure, site spawned, transport::nanoseconds time) noexcept;

  /// Removes a failure that has reached a waiting task. Returns where the failed task was spawned,
  /// or an unknown place if the failure was only counted.
  site drop(const std::exception_ptr& failure) noexcept;

  /// Prints on standard error the failures that have not reached a waiting task within a second.
  /// Equal texts are printed only once, and at most four different texts are printed. If the stored
  /// failures must end the job, the function throws atl::error with the text of the first failure
  /// and the number of other failures. `has_much` says whether this PE is close to its limit of
  /// memory or of waiting messages. `time` is the current time.
  void look(int pe, transport::nanoseconds time, bool has_much);

  /// Prints the failures that have not been printed yet. If the text of a failure was printed
  /// before, or four different texts were printed, the failure is only counted. Finally, the
  /// function prints the number of failures for which no text was printed.
  void tell_all(int pe);

  /// Returns the time at which `look` has to be called next.
  transport::nanoseconds next() const noexcept;

 private:
  static constexpr transport::nanoseconds k_patience = 1'000'000'000;
  static constexpr transport::nanoseconds k_patience_with_refusal = 5'000'000'000;
  static constexpr std::size_t k_kept = 64;
  static constexpr std::size_t k_most_texts = 4;

  struct failed {
    std::exception_ptr failure;
    site spawned;
    transport::nanoseconds time;
    bool is_refusal;       // whether a message or memory was refused
    bool is_due = false;   // whether `tell_before` has considered the failure for printing
    bool is_said = false;  // whether the text was printed for this failure
  };

  bool are_too_many(transport::nanoseconds time) const noexcept;
  bool is_old_refusal(transport::nanoseconds time) const noexcept;
  [[noreturn]] void throw_first() const;
  void tell_before(int pe, transport::nanoseconds time);
  bool is_news(const std::string& text);

  std::vector<failed> kept_;  // oldest first
  transport::nanoseconds looked_ = 0;
  std::uint64_t untold_ = 0;  // number of all untold failures
  // Number of failures added since the number of failures exceeded `k_many`.
  std::uint64_t more_ = 0;
  std::vector<std::string> texts_;  // already printed
};

}  // namespace atl::message
