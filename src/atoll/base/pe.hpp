#pragma once
// The object `pe` refers to all runtime state of a processing element (PE). Each layer of the
// runtime owns one object and stores its address in `pe` while the PE starts. The runtime keeps its
// state per PE and not per process, so several PEs may share a process.

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
  std::uint32_t job = 0;  // number of the job among the jobs of this process; equal on all PEs
  const settings* options = nullptr;
  module_table* modules = nullptr;
  memory_account* account = nullptr;
  observe::recorder* recorder = nullptr;
  observe::counters* counters = nullptr;  // the counters within `recorder`
  transport::endpoint* transport = nullptr;
  message::engine* messages = nullptr;
  tasks::scheduler* tasks = nullptr;
  memory::heap* memory = nullptr;
  memory::pending_answers* answers = nullptr;
  memory::collective_state* collectives = nullptr;
  memory::one_sided_state* one_sided = nullptr;
  memory::two_sided_state* two_sided = nullptr;
  running_job* running = nullptr;
  events::table* events = nullptr;               // null until this PE first uses events
  regions::instance_table* instances = nullptr;  // null until this PE first uses instances
  std::int64_t started = 0;                      // start time of the PE, in ns of the PE's clock
};

/// The PE of this thread, or null outside of a job. Every message and every allocation reads this
/// variable, so access to it must be fast. The variable is therefore constant-initialised and has
/// the TLS model initial-exec.
extern constinit thread_local pe* current_pe __attribute__((tls_model("initial-exec")));

inline pe& this_pe() noexcept { return *current_pe; }

/// Throws atl::error (input). The text of the error says that the function `call` was called at
/// `where` outside of a job.
[[noreturn]] void refuse_outside_of_job(const char* call, site where);

/// Returns the PE of this thread. Throws atl::error (input) outside of a job. The text of the error
/// names the function `call` and the place `where`. Use `pe_of_job` instead of `this_pe` in
/// functions that a program could call outside of a job.
inline pe& pe_of_job(const char* call, site where) {
  if (current_pe == nullptr) [[unlikely]]
    refuse_outside_of_job(call, where);
  return *current_pe;
}

}  // namespace atl
