#pragma once
// Exceptions that have left a task or a handler and that nobody has been told yet: who waits for
// the scope gets them when all of it has ended, which may be late, or never.
//
// A program may fail faster than its scopes end: a handler that sends two messages, and is refused
// the room for both, fails as often as messages arrive. The first failures are kept; the others are
// counted, and where they are many, the first of them ends the job. So does a refusal of room or
// memory where there is none some seconds later.

#include "atoll/base/site.hpp"
#include "atoll/transport/transport.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

namespace atl::message {

/// Of one PE. Empty, but when something goes wrong.
class untold_failures {
 public:
  /// So many at once, whose first is older than a second, end the job.
  static constexpr std::uint64_t k_many = 1'000;
  /// So many more, while there were many all the time, end the job however young they are.
  static constexpr std::uint64_t k_more = 20'000;

  bool empty() const noexcept { return untold_ == 0; }

  /// It has left a task that was spawned there; unknown: a handler, or another PE's task.
  void add(std::exception_ptr failure, site spawned, transport::nanoseconds time) noexcept;

  /// Whoever waits for it has it now. Returns where the task was spawned that it has left; unknown
  /// for one that was only counted.
  site drop(const std::exception_ptr& failure) noexcept;

  /// Prints those that have waited for a second on standard error, each once, and those that say
  /// the same once. Throws the first of them, with the number of the others, where the job has to
  /// end by it. `has_much`: the work of this PE takes most of its memory or room now.
  void look(int pe, transport::nanoseconds time, bool has_much);

  /// Prints all that have not been printed, and how many were only counted.
  void tell_all(int pe);

  /// When `look` has something to do.
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
    bool is_refusal;       // of room or memory
    bool is_due = false;   // it has waited for long enough
    bool is_said = false;  // and nothing like it had been said
  };

  bool are_too_many(transport::nanoseconds time) const noexcept;
  bool is_old_refusal(transport::nanoseconds time) const noexcept;
  [[noreturn]] void throw_first() const;
  void tell_before(int pe, transport::nanoseconds time);
  bool is_news(const std::string& text);

  std::vector<failed> kept_;  // the oldest first
  transport::nanoseconds looked_ = 0;
  std::uint64_t untold_ = 0;        // those that are only counted included
  std::uint64_t more_ = 0;          // since there are many
  std::vector<std::string> texts_;  // that were said
};

}  // namespace atl::message
