#pragma once
// When one-sided operations of this PE are seen by others: behind one another, or at all.

#include "atoll/base/mutants.hpp"
#include "atoll/memory/one_sided_access.hpp"

#include <atomic>
#include <optional>

namespace atl {
namespace one_sided {

/// A moment in the order in which this PE begins operations.
struct moment {
  std::uint64_t generation;  ///< the last that ends there
};

}  // namespace one_sided

namespace memory {

struct quiet_awaiter : watching_awaiter {
  open_generations& open = this_pe().one_sided->open;
  std::optional<one_sided::moment> until;  // none: when it is awaited
  std::uint64_t before = 0;                // the generation that ends there

  explicit quiet_awaiter(site place, std::optional<one_sided::moment> until = {})
      : watching_awaiter(&has_come, place), until(until) {}

  bool await_ready() {
    std::atomic_ref(order_).exchange(0);  // all that was stored is seen before what is loaded next
    if (mutants::has(mutants::fault::lost_quiet)) return true;
    before = until ? until->generation : open.close();
    if (open.are_complete(before)) return true;
    far_memory().flush();
    return open.are_complete(before);
  }

 private:
  // Whoever looks need not be this PE, where all are simulated in one thread.
  static bool has_come(const watcher& one) noexcept {
    const auto& self = static_cast<const quiet_awaiter&>(one);
    return self.open.are_complete(self.before);
  }

  std::uint32_t order_ = 0;
};

/// Until nothing that this PE has begun is under way, be it for the runtime itself.
struct idle_awaiter : watching_awaiter {
  transport::remote_memory* far = this_pe().transport->far_memory();

  explicit idle_awaiter(site place) : watching_awaiter(&is_idle, place) {}

  bool await_ready() {
    if (far == nullptr) return true;
    far->flush();
    return far->is_idle();
  }

 private:
  static bool is_idle(const watcher& one) noexcept {
    return static_cast<const idle_awaiter&>(one).far->is_idle();
  }
};

}  // namespace memory

namespace one_sided {

/// What this PE has put into the memory of a PE, or changed there by atomics, before is seen there
/// before what it puts or changes there after. (Between memories of two PEs only `quiet` orders.)
/// Does not block.
inline void fence() {
  // x86 keeps the order of stores, and copies around the caches end with a fence of their own.
  std::atomic_signal_fence(std::memory_order_release);
  const bool has_far = this_pe().transport->far_memory() != nullptr;
  if (has_far && !mutants::has(mutants::fault::lost_fence)) memory::far_memory().fence();
}

/// Awaited: all that this PE has put, or changed by atomics, is seen by all PEs, and all it has
/// begun to get is here; but for what other tasks still await. What other tasks begin meanwhile it
/// does not wait for. Suspends the task, not the PE.
[[nodiscard]] inline auto quiet(site where = site::current()) {
  return memory::quiet_awaiter(where);
}

/// Now: what was begun before it may be awaited by `quiet` when more has been begun. Does not
/// block.
[[nodiscard]] inline moment begun_so_far() { return {this_pe().one_sided->open.close()}; }

/// Awaited: as `quiet`, of what was begun before that moment on this PE alone.
[[nodiscard]] inline auto quiet(moment until, site where = site::current()) {
  return memory::quiet_awaiter(where, until);
}

}  // namespace one_sided
}  // namespace atl
