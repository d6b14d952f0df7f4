#pragma once
// Additions to <shmem.h>. A program may run tasks of Atoll on the PEs of OpenSHMEM, because each PE
// of OpenSHMEM is a PE of the runtime. Two functions print descriptions of this OpenSHMEM.

#include "atoll/global_address.hpp"
#include "atoll/shmem/program.hpp"
#include "atoll/symmetric_collectives.hpp"
#include "atoll/task.hpp"

namespace atl::shmem {

/// Runs `main`, a coroutine without arguments, as a task on each PE. Returns when these tasks, and
/// everything that the tasks have started on any PE, have ended. All PEs call this function,
/// between `shmem_init` and `shmem_finalize`. The calling thread must be the thread that has called
/// `shmem_init`.
///
/// Tasks and message handlers run during this call, and while the PE blocks in another OpenSHMEM
/// call. An exception that leaves `main` ends the job. Each of the two interfaces may use symmetric
/// memory of the other interface. `address_on` converts a pointer to memory of `shmem_malloc` into
/// a global address.
template <class Main>
void run_tasks(Main main) {
  await("run_tasks", [&main]() -> task<> {
    co_await finish(main);
    co_await one_sided::barrier();
  });
}

/// Returns the offset in global memory of the `bytes` bytes at `local`, which are in the symmetric
/// heap. Throws atl::error (input) if the bytes are not in the symmetric heap, or if there is no PE
/// `pe`.
std::uint64_t offset_of_heap(int pe, const void* local, std::size_t bytes);

/// Returns the address on PE `pe` of the object that corresponds to `local`. The pointer `local`
/// must point into memory of `shmem_malloc`. Tasks and handlers may call this function. Throws the
/// errors of `offset_of_heap`.
template <class T>
global_address<T> address_on(int pe, T* local) {
  return {pe, offset_of_heap(pe, local, sizeof(T))};
}

/// Prints "Atoll 0.1.0, OpenSHMEM 1.5" on standard output. Any process may call this function.
void say_version();

/// Prints to standard output the environment variables that have an effect, one per line. Any
/// process may call this function.
void say_variables();

}  // namespace atl::shmem
