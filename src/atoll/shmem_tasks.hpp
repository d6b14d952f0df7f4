#pragma once
// What stands beside <shmem.h>: tasks in a program that uses it, each PE of which is a PE of the
// runtime; and what this OpenSHMEM says of itself.

#include "atoll/global_address.hpp"
#include "atoll/shmem/program.hpp"
#include "atoll/symmetric_collectives.hpp"
#include "atoll/task.hpp"

namespace atl::shmem {

/// Collective, between `shmem_init` and `shmem_finalize`: calls `main`, a coroutine without
/// arguments, as a task on each PE, and returns when all they have started, on any PE, has ended.
/// Tasks and messages run within this call, and where another call of the PE blocks. What leaves
/// `main` ends the job. Symmetric memory of either interface may be used by both: its addresses are
/// those of `shmem_malloc`. For the thread that has called `shmem_init`.
template <class Main>
void run_tasks(Main main) {
  await("run_tasks", [&main]() -> task<> {
    co_await finish(main);
    co_await one_sided::barrier();
  });
}

/// The offset in global memory of `bytes` bytes at `local`, which are of the symmetric heap. Throws
/// atl::error (input) where they are not, or there is no PE `pe`.
std::uint64_t offset_of_heap(int pe, const void* local, std::size_t bytes);

/// The address of what `local`, in memory of `shmem_malloc`, is on PE `pe`. For tasks and handlers.
/// Throws as `offset_of_heap`.
template <class T>
global_address<T> address_on(int pe, T* local) {
  return {pe, offset_of_heap(pe, local, sizeof(T))};
}

/// Prints "Atoll 0.1.0, OpenSHMEM 1.5" on standard output. Any process calls it.
void say_version();

/// Prints the variables of the environment that have a meaning, a line each, on standard output.
/// Any process calls it.
void say_variables();

}  // namespace atl::shmem
