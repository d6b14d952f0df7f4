#pragma once
// This file has the state of the job in an OpenSHMEM program: the number of this PE, and its
// symmetric addresses. A process is in at most one job at a time, from `shmem_init` to
// `shmem_finalize`.

#include "atoll/memory/one_sided_access.hpp"
#include "atoll/shmem/errors.hpp"
#include "atoll/shmem/program.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace atl::shmem {

/// A range of symmetric addresses of this PE: the symmetric heap or the static data. Each other PE
/// has a range with the same layout.
struct symmetric_range {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  /// offset by which PEs without direct access refer to the range
  std::uint64_t remote_offset = 0;
  /// For each PE, the address at which the PE's range is mapped into this process, or null if the
  /// range is not mapped.
  std::vector<std::byte*> beginnings;

  bool holds(std::uintptr_t at, std::size_t length) const {
    return at - begin < bytes && length <= bytes - (at - begin);
  }
  memory::one_sided_target target(std::uintptr_t at, int pe) const {
    const std::uint64_t within = at - begin;
    std::byte* const there = beginnings[static_cast<std::size_t>(pe)];
    return {there == nullptr ? nullptr : there + within, {pe, remote_offset + within}};
  }
};

struct world {
  int pe = 0;
  int pes = 0;            ///< number of PEs; 0 if the process is in no job
  int pes_of_parent = 0;  ///< in a forked process, number of PEs of its parent's job
  symmetric_range heap;
  symmetric_range data;
  transport::endpoint* transport = nullptr;
  program* runs_beside = nullptr;
  atl::pe* of_scheduler = nullptr;
  int thread_level = 0;
  /// name of the call in which the program waits for the scheduler, or null
  const char* waits_in = nullptr;
};

/// The state of the job of this process. The symbol is hidden from other libraries, so that access
/// needs no indirection.
[[gnu::visibility("hidden")]] extern world the_world;

/// Ends the process with an error if the process is in no job, before `shmem_init` or after
/// `shmem_finalize`.
inline void check_running(const char* call) {
  if (the_world.pes == 0) [[unlikely]]
    refuse_pe(call, 0);
}

/// Returns the location on PE `pe` of `bytes` bytes, which have the symmetric address `local` on
/// this PE. Ends the job with an error if PE `pe` does not exist, or if the bytes are not in
/// symmetric memory. If `bytes` is 0, any address is allowed, even null.
[[gnu::always_inline]] inline memory::one_sided_target locate(const char* call, const void* local,
                                                              std::size_t bytes, int pe) {
  const world& w = the_world;
  const auto at = reinterpret_cast<std::uintptr_t>(local);
  if (static_cast<unsigned>(pe) >= static_cast<unsigned>(w.pes)) [[unlikely]]
    refuse_pe(call, pe);
  if (w.heap.holds(at, bytes)) [[likely]] {
    check_allocated(call, local, bytes);
    return w.heap.target(at, pe);
  }
  if (!w.data.holds(at, bytes)) [[unlikely]] {
    if (bytes != 0) refuse_address(call, local, bytes);
    return w.heap.target(w.heap.begin, pe);
  }
  return w.data.target(at, pe);
}

/// Wakes PE `pe` if it waits. Call this function after each direct store to the memory of PE `pe`.
[[gnu::always_inline]] inline void stored_to(int pe) { the_world.transport->stored_to(pe); }

/// Calls `work(of)`. If `work` throws, ends the job with an error.
void do_here(const char* call, void (*work)(const void*), const void* of);

/// Calls `work()` on the PE's own thread, because only the PE's own thread may do the work. The
/// work must not suspend.
template <class Work>
void on_pe(const char* call, const Work& work) {
  if (!the_world.runs_beside->is_pe()) {
    return await(call, [&]() -> task<> {
      work();
      co_return;
    });
  }
  do_here(call, [](const void* asked) { (*static_cast<const Work*>(asked))(); }, &work);
}

}  // namespace atl::shmem
