#pragma once
// What PEs tell the home of a phase barrier: everything of one PE in one kind of message, so that
// it comes in the order in which it was sent.

#include "atoll/event.hpp"
#include "atoll/event/alteration_order.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace atl::events {

enum class step_kind : std::uint8_t {
  arrival,         ///< with a value, where the barrier has values
  failed_arrival,  ///< with a fault
  alteration,
  destruction
};

struct barrier_step {
  name barrier;
  std::uint64_t phase = 0;
  stamp after;              ///< of the handle it was made through
  std::int64_t amount = 0;  ///< arrivals, or how many more are expected
  step_kind kind = step_kind::arrival;
  site where;

  bool counts_with(const barrier_step& other) const {
    return barrier == other.barrier && phase == other.phase && after == other.after;
  }
  bool is_increase() const { return kind == step_kind::alteration && amount > 0; }
};

/// What a step comes with.
struct step_load {
  std::span<const std::byte> value;
  const event_fault* fault = nullptr;
};

/// To another PE, which is the barrier's. Counted by the enclosing scope. Throws atl::error
/// (overflow).
void send_step(const barrier_step& step, step_load load);

/// The home of a barrier is to tell this PE when the phase completes.
void send_ask(name barrier, std::uint64_t phase, site where);

/// It has completed, or failed.
void send_completion(int pe, name barrier, std::uint64_t phase, const event_fault* fault);

}  // namespace atl::events
