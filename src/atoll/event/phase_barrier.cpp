#include "atoll/phase_barrier.hpp"

#include "atoll/deferred.hpp"
#include "atoll/event/barrier_table.hpp"

#include <utility>

namespace atl {
namespace events {
namespace {

void arrive_now(const barrier_step& arrival, const event_fault* fault,
                std::span<const std::byte> value, const fold_function& fold) {
  if (fault == nullptr) return barrier_table::here().arrive(arrival, value, fold);
  barrier_step failed = arrival;
  failed.kind = step_kind::failed_arrival;
  barrier_table::here().arrive_failed(failed, *fault);
}

}  // namespace

void arrive_after(event precondition, const barrier_step& arrival, std::span<const std::byte> value,
                  fold_function fold) {
  if (arrival.amount <= 0)
    fail(errc::input, "{} arrivals at {} are none", arrival.amount, to_string(arrival.where));
  if (is_known(precondition.name()))
    return arrive_now(arrival, fault_of(precondition.name()), value, fold);
  auto arrive_then = [precondition = precondition.name(), arrival,
                      brought = std::vector(value.begin(), value.end()), fold = std::move(fold)] {
    arrive_now(arrival, fault_of(precondition), brought, fold);
  };
  begin_after(
      precondition.name(), {},
      tasks::make_root(this_pe().messages->enclosing(), std::move(arrive_then), arrival.where));
}

name make_barrier(std::uint64_t expected, value_folding folding, site where) {
  const auto arrivals = static_cast<std::int64_t>(expected);
  if (arrivals <= 0)
    fail(errc::input, "a phase barrier is made at {} for {} arrivals", to_string(where), arrivals);
  return barrier_table::here().make(arrivals, std::move(folding), where);
}

bool copy_value(name barrier, std::uint64_t phase, std::span<std::byte> to, site where) {
  const auto value = barrier_table::here().value_of(barrier, phase, where);
  if (value) std::ranges::copy(*value, to.begin());
  return value.has_value();
}

}  // namespace events

void phase_barrier::arrive(std::uint64_t count, event precondition, site where) const {
  events::arrive_after(precondition, step(events::step_kind::arrival, count, where), {}, {});
}

phase_barrier phase_barrier::alter_expected(std::int64_t delta, site where) const {
  const auto amount = static_cast<std::uint64_t>(delta);
  const auto altered =
      events::barrier_table::here().alter(step(events::step_kind::alteration, amount, where));
  return {barrier_, phase_, altered};
}

event phase_barrier::completion(site where) const {
  return events::barrier_table::here().completion(barrier_, phase_, where);
}

void phase_barrier::destroy(site where) const {
  events::barrier_table::here().destroy(step(events::step_kind::destruction, 0, where));
}

phase_barrier make_phase_barrier(std::uint64_t expected, site where) {
  return phase_barrier(events::make_barrier(expected, {}, where), 0, {});
}

}  // namespace atl
