#include "atoll/job/exit_hook.hpp"

#include "atoll/error.hpp"
#include "atoll/job/crash_report.hpp"
#include "atoll/job/death_report.hpp"
#include "atoll/job/on_exit.hpp"
#include "atoll/launch.hpp"

#include <unistd.h>
#include <utility>

namespace atl::job {
namespace {

std::atomic<exit_hook*> present_hook{nullptr};

void register_once(void (*handler)(int, void*)) {
  static const bool registered = [handler] {
    call_at_exit(handler);
    return true;
  }();
  static_cast<void>(registered);
}

}  // namespace

exit_hook::exit_hook(actions actions)
    : actions_(std::move(actions)),
      process_(getpid()),
      former_((register_once(on_exit), present_hook.exchange(this))) {}

exit_hook::~exit_hook() { present_hook = former_; }

void exit_hook::on_exit(int status, void*) {
  exit_hook* const hook = present_hook.exchange(nullptr);
  if (hook == nullptr) return;
  if (hook->process_ != getpid()) {
    flush_output();
    _exit(status & 0xff);
  }
  const int ends_with = status != 0 ? status & 0xff : k_status_exception;
  const int pe = pe_of_this_thread();
  say_exit(pe, status, ends_with, hook->actions_.last_site(pe));
  flush_output();
  hook->actions_.end_job(ends_with);
  _exit(ends_with);
}

}  // namespace atl::job
