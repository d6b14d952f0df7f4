#pragma once
// This file has the parts of parallel loops: the division of a range among PEs, and tasks that run
// the iterations.

#include "atoll/delegates.hpp"
#include "atoll/task.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <span>
#include <vector>

namespace atl::memory {

/// Throws atl::error (out_of_memory) if one PE's part of a global array does not fit into the
/// address space of the PE. The part of a PE has `rows` times `block` objects of `object_bytes`
/// bytes each.
void check_addressable(std::uint64_t rows, std::uint64_t block, std::uint64_t object_bytes);

/// Allocates `bytes` bytes on every PE at the same offset, and returns the offset. When the task
/// ends, all PEs have recorded the memory as an array. `charged` is the number of bytes that are
/// charged to the memory limit of each PE; 0 means `bytes`. Throws atl::error (out_of_memory).
task<std::uint64_t> allocate_everywhere(std::uint64_t bytes, placement placed, site where,
                                        std::uint64_t charged = 0);

/// Frees, on all PEs, memory that `allocate_everywhere` has allocated, and sets the memory to zero.
task<> release_everywhere(std::uint64_t offset, std::uint64_t bytes, site where,
                          std::uint64_t charged = 0);

/// The indices [begin, end), which are one PE's part of a range.
struct range_share {
  std::uint64_t begin;
  std::uint64_t end;

  std::uint64_t size() const { return end - begin; }
};

/// Returns the iterations of a loop over [0, size) that PE `pe` runs.
inline range_share share_of(int pe, std::uint64_t size) {
  const auto most = ceil_divide(size, static_cast<std::uint64_t>(pes()));
  const auto begin = std::min(size, most * static_cast<std::uint64_t>(pe));
  return {begin, std::min(size, begin + most)};
}
inline range_share share_of_this_pe(std::uint64_t size) { return share_of(my_pe(), size); }

/// Time in nanoseconds for which a worker (a task that runs iterations of a loop) runs before other
/// tasks run.
inline constexpr transport::nanoseconds k_loop_slice = 50'000;
inline constexpr std::uint64_t k_loop_stretch = 256;

/// Calls `body(i)` for each i in [begin, end) until message buffers are full. `body` must not be a
/// coroutine. Returns the first i for which `body` was not called. The loop is a plain function for
/// speed: the variables of a coroutine would lie in memory and not in registers.
template <class Body>
std::uint64_t run_plain(std::uint64_t begin, std::uint64_t end, const Body& body,
                        const message::engine& messages) {
  while (begin < end) {
    body(begin++);
    if (!messages.has_room()) [[unlikely]]
      break;
  }
  return begin;
}

/// Runs the iterations [begin, end) of a loop on this PE. The setting `workers` limits the number
/// of workers per PE. While the PE has fewer workers than `workers`, the task passes half of its
/// remaining iterations to a new worker. A range of at most `grain` iterations is not divided.
template <class Body>
task<> run_iterations(std::uint64_t begin, std::uint64_t end, const Body& body, std::uint64_t grain,
                      site where) {
  tasks::scheduler& scheduler = *this_pe().tasks;
  message::engine& messages = *this_pe().messages;
  const message::activity& scope = messages.enclosing();
  while (begin < end && !scope.failure) {
    if (end - begin > grain && scheduler.has_free_place()) {
      const std::uint64_t middle = begin + (end - begin) / 2;
      const auto rest = [middle, end, &body, grain, where] {
        return run_iterations(middle, end, body, grain, where);
      };
      tasks::spawn_worker(rest, where);
      end = middle;
      continue;
    }
    const auto slice_ends = scheduler.now() + k_loop_slice;
    for (const auto stop = std::min(end, begin + std::max(grain, k_loop_stretch)); begin < stop;) {
      if constexpr (tasks::is_task<std::invoke_result_t<const Body&, std::uint64_t>>) {
        co_await body(begin++);
      } else {
        begin = run_plain(begin, stop, body, messages);
      }
      if (!messages.has_room()) co_await room(where);
    }
    if (scheduler.now() > slice_ends) co_await yield(where);
  }
}

/// Returns the grain: the largest number of iterations that a worker does not divide further. If
/// the loop body is a coroutine, each iteration may wait, so the grain is 1. If the body is a plain
/// function, about 64 workers suffice, because no iteration waits.
template <class Body>
std::uint64_t grain_for(std::uint64_t iterations) {
  constexpr bool waits = tasks::is_task<std::invoke_result_t<const Body&, std::uint64_t>>;
  return waits ? 1 : std::max<std::uint64_t>(k_loop_stretch, iterations / 64);
}

/// Pointer to a function that copies a closure from its bytes, and spawns a task that calls the
/// copy.
using starter = void (*)(std::span<const std::byte> function, site where);

template <class Function>
void start_copy(std::span<const std::byte> function, site where) {
  alignas(Function) std::byte copy[sizeof(Function)];
  std::memcpy(copy, function.data(), sizeof(Function));
  spawn(*std::launder(reinterpret_cast<const Function*>(copy)), where);
}

/// Calls `start` on every PE with the bytes of the closure `function`, and waits for all tasks that
/// `start` has spawned. The coroutine is not a template, so that a program contains only one copy
/// of its code. Throws atl::error (environment) if `start` lies in a shared library that other PEs
/// cannot identify.
task<> start_on_all_pes(starter start, std::vector<std::byte> function, site where);

/// Runs `function` on every PE and waits for all PEs. Public functions such as `on_all_pes` call
/// this function.
template <class Function>
task<> run_on_all_pes(Function function, site where) {
  static_assert(message::bitwise_copyable<Function>,
                "what travels must be trivially copyable: a function that runs on other PEs "
                "captures no std::string, std::vector or std::function; put their elements into a "
                "global array, and capture that");
  static_assert(sizeof(Function) <= 900, "a function for all PEs has at most 900 bytes");
  tasks::check_closure_in_debug(function, where);
  const auto bytes = std::as_bytes(std::span(&function, 1));
  return start_on_all_pes(&start_copy<Function>, {bytes.begin(), bytes.end()}, where);
}

/// Causes a compile-time error if a loop body captures a variable by reference. The referenced
/// variable would not exist on other PEs.
template <class Body>
consteval void refuse_references_in_loop() {
  static_assert(!tasks::captures_by_reference<Body>(),
                "the body of this loop captures a variable by reference, which other PEs do not "
                "have: capture by value, as [=] does, and sum up by "
                "`parallel_for(n, atl::sum<T>(), body)`");
}

}  // namespace atl::memory
