#include "atoll/shmem/lifetime.hpp"

#include "atoll/error.hpp"
#include "atoll/job/on_exit.hpp"
#include "atoll/launch.hpp"
#include "atoll/machine.hpp"
#include "atoll/shmem/environment.hpp"
#include "atoll/shmem/include/shmem/threads.h"
#include "atoll/shmem/private_copies.hpp"
#include "atoll/shmem/world.hpp"
#include "atoll/symmetric_collectives.hpp"
#include "atoll/transport/say.hpp"

namespace atl::shmem {
namespace {

/// A program computes for long between calls, which is no task that holds up others; and threads of
/// its own want cores of their own.
settings settings_of_program(int thread_level) {
  settings options = settings::from_environment();
  options.stall_time = 0;
  options.pin = options.pin && thread_level == SHMEM_THREAD_SINGLE;
  if (variables().says_more) options.log_level = log_level::debug;
  return options;
}

/// A program that ends well without `shmem_finalize` has that done for it. Registered behind the
/// runtime's own hook, and so called before it.
void finalize_at_exit(int status, void*) {
  if (status == 0) end();
}

/// Several threads may call, or one at a time but not the same: no one is the PE.
program& program_for(int thread_level) {
  return thread_level >= SHMEM_THREAD_SERIALIZED ? program_beside_thread() : program_beside_fiber();
}

}  // namespace

int begin(int wanted_thread_level) {
  world& w = the_world;
  if (w.runs_beside != nullptr) return w.thread_level;
  open_standard_descriptors();
  try {
    const settings options = settings_of_program(wanted_thread_level);
    w.thread_level = wanted_thread_level;
    w.runs_beside = &program_for(wanted_thread_level);
    if (w.runs_beside->is_pe()) w.waits_in = "shmem_init";
    w.runs_beside->start(options, join_world);
    w.waits_in = nullptr;
  } catch (...) {
    const std::exception_ptr failure = std::current_exception();
    transport::say("error: shmem_init: {}", describe(failure).c_str());
    leave(exit_status_of(failure));
  }
  job::call_at_exit(finalize_at_exit);
  if (w.pe == 0) say_what_is_asked_for();
  return w.thread_level;
}

void end() {
  world& w = the_world;
  if (w.pes == 0) return;
  static constexpr memory::collective_kind k_finalize{"shmem_finalize"};
  await("shmem_finalize", [] { return memory::barrier_of_all(site::current(), k_finalize); });
  share_with_children(w.transport->segment(w.pe));
  w.pes = 0;
  w.transport = nullptr;
  w.of_scheduler = nullptr;
  w.runs_beside->finish();
}

void end_everywhere(int exit_status) {
  if (the_world.transport == nullptr) leave(exit_status);
  job::flush_output();
  the_world.transport->fail(exit_status);
  leave(exit_status);
}

}  // namespace atl::shmem
