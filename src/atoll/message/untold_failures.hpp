#pragma once
// Untold failures are exceptions that have left a task or handler but have not reached a waiting
// task yet. The task that waits for the scope gets them when the whole scope has ended, which may
// be late, or never.
//
// A program may fail faster than its scopes end. For example, a handler that sends two messages and
// is refused room fails with every message that arrives. The first failures are kept and the others
// only counted; if there are many, the first one ends the job. A refusal of room or memory also
// ends the job if there is still none some seconds later.

#include "atoll/base/site.hpp"
#include "atoll/transport/transport.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

namespace atl::message {

/// The untold failures of one PE. Normally there are none.
class untold_failures {
 public:
  /// This many untold failures end the job once the first of them is older than a second.
  static constexpr std::uint64_t k_many = 1'000;
  /// This many more, while there are at least `k_many`, end the job whatever their age.
  static constexpr std::uint64_t k_more = 20'000;

  bool empty() const noexcept { return untold_ == 0; }

  /// Adds an exception that left the task spawned at `spawned`. An unknown `spawned` means a
  /// handler or another PE's task.
  void add(std::exception_ptr failure, site spawned, transport::nanoseconds time) noexcept;

  /// Removes a failure that a waiting task has got. Returns where the failed task was spawned;
  /// unknown if the failure was only counted.
  site drop(const std::exception_ptr& failure) noexcept;

  /// Prints failures that have waited for a second to standard error, each once, and equal texts
  /// once. Throws the first failure, with the number of the others, if the job has to end because
  /// of it. `has_much`: this PE is close to its limit of memory or room.
  void look(int pe, transport::nanoseconds time, bool has_much);

  /// Prints all failures that were not printed, and how many were only counted.
  void tell_all(int pe);

  /// Returns when `look` has something to do.
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
    bool is_refusal;       // a refusal of room or memory
    bool is_due = false;   // has waited for long enough
    bool is_said = false;  // has been printed as the first of its kind
  };

  bool are_too_many(transport::nanoseconds time) const noexcept;
  bool is_old_refusal(transport::nanoseconds time) const noexcept;
  [[noreturn]] void throw_first() const;
  void tell_before(int pe, transport::nanoseconds time);
  bool is_news(const std::string& text);

  std::vector<failed> kept_;  // oldest first
  transport::nanoseconds looked_ = 0;
  std::uint64_t untold_ = 0;        // including those only counted
  std::uint64_t more_ = 0;          // number added since there were many
  std::vector<std::string> texts_;  // already printed
};

}  // namespace atl::message
