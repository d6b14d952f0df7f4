#pragma once
// The object that holds all runtime state of a processing element. Each layer owns one member and
// sets it while the PE starts. The runtime has no process-wide state, so PEs may share a process.

#include "atoll/base/site.hpp"

#include <cstdint>

namespace atl {

class memory_account;
class module_table;
struct settings;
namespace observe {
struct counters;
struct recorder;
}  // namespace observe
namespace transport {
class endpoint;
}
namespace message {
class engine;
}
namespace tasks {
class scheduler;
}
namespace memory {
class heap;
class pending_answers;
struct collective_state;
struct one_sided_state;
class two_sided_state;
}  // namespace memory
namespace events {
class table;
}
namespace regions {
class instance_table;
}
struct running_job;

struct pe {
  int rank = 0;
  int size = 1;
  std::uint32_t job = 0;  // number of the job in this process, equal on all PEs
  const settings* options = nullptr;
  module_table* modules = nullptr;
  memory_account* account = nullptr;
  observe::recorder* recorder = nullptr;
  observe::counters* counters = nullptr;  // those of the recorder
  transport::endpoint* transport = nullptr;
  message::engine* messages = nullptr;
  tasks::scheduler* tasks = nullptr;
  memory::heap* memory = nullptr;
  memory::pending_answers* answers = nullptr;
  memory::collective_state* collectives = nullptr;
  memory::one_sided_state* one_sided = nullptr;
  memory::two_sided_state* two_sided = nullptr;
  running_job* running = nullptr;
  events::table* events = nullptr;               // null until first needed
  regions::instance_table* instances = nullptr;  // null until first needed
  std::int64_t started = 0;                      // PE time, ns
};

/// The PE of this thread; null outside a job. Constant-initialised and initial-exec, because every
/// message and every allocation uses it.
extern constinit thread_local pe* current_pe __attribute__((tls_model("initial-exec")));

inline pe& this_pe() noexcept { return *current_pe; }

/// Throws atl::error (input), because `call` needs a job and this thread is no PE of one.
[[noreturn]] void refuse_outside_of_job(const char* call, site where);

/// Returns the PE of this thread, for functions that programs may call too early. Throws atl::error
/// (input) outside of a job.
inline pe& pe_of_job(const char* call, site where) {
  if (current_pe == nullptr) [[unlikely]]
    refuse_outside_of_job(call, where);
  return *current_pe;
}

}  // namespace atl
