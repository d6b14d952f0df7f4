#pragma once
// Deferred operations that tell when they were asked for, could begin, began and ended. (Realm's
// profiling requests; Treichler, Bauer and Aiken, Realm, PACT 2014.)

#include "atoll/event/event.hpp"

#include <memory>
#include <type_traits>
#include <utility>

namespace atl {

/// Nanoseconds of the clock of the PE where the operation ran, and which was asked then.
struct operation_times {
  transport::nanoseconds asked = 0;
  transport::nanoseconds ready = 0;  ///< the precondition had triggered, as far as that PE knew
  transport::nanoseconds begun = 0;
  transport::nanoseconds ended = 0;
  site where;  ///< the line that asked
};

/// As what `timed` is given, nothing is told.
struct no_report {
  void operator()(const operation_times&) const {}
};

namespace events {

template <class Operation, class Report>
struct timed_operation {
  Operation operation;
  Report report;

  auto operator()() { return operation(); }
};

/// Notes in `at` when the event ends. Nothing where there is no memory for it, where it has ended,
/// or where `at` is null.
void note_end(name awaited, transport::nanoseconds* at);

/// The clock of an operation that is not timed.
template <class Operation>
struct operation_clock {
  void ask(site) {}
  transport::nanoseconds* ready() const { return nullptr; }
  void begin() {}
  void end(Operation&) {}
};

/// Where it notes the times stays the same when the operation moves.
template <class Operation, class Report>
struct operation_clock<timed_operation<Operation, Report>> {
  std::unique_ptr<operation_times> times{};

  void ask(site where) {
    times = std::make_unique<operation_times>();
    times->where = where;
    times->asked = times->ready = this_pe().transport->now();
  }
  transport::nanoseconds* ready() const { return &times->ready; }
  void begin() { times->begun = this_pe().transport->now(); }
  void end(timed_operation<Operation, Report>& ended) {
    times->ended = this_pe().transport->now();
    ended.report(std::as_const(*times));
  }
};

}  // namespace events

/// `operation` for `spawn_when`, and `report(operation_times)` is called on its PE when it has
/// ended, before its event does, also where an exception has left it; not where it was cancelled.
/// The report does not wait, and does not throw.
template <class Operation, class Report>
auto timed(Operation operation, Report report) {
  if constexpr (std::is_same_v<Report, no_report>)
    return operation;
  else
    return events::timed_operation<Operation, Report>{std::move(operation), std::move(report)};
}

}  // namespace atl
