#include "atoll/job/pe_end.hpp"

#include "atoll/error.hpp"
#include "atoll/job/output.hpp"
#include "atoll/job/wire.hpp"
#include "atoll/launch.hpp"
#include "atoll/log.hpp"
#include "atoll/transport/site_word.hpp"

#include <cerrno>
#include <execinfo.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace atl::job {
namespace {

constexpr std::size_t stack_size = 64 << 10;
constexpr int deepest_backtrace = 64;

constinit thread_local int pe_of_thread = 0;
constinit bool is_rank = false;

void report_crash(int signal, siginfo_t*, void*) {
  say("PE {}: signal {} ({})", pe_of_thread, signal, transport::signal_name(signal));
  void* frames[deepest_backtrace];
  backtrace_symbols_fd(frames, backtrace(frames, deepest_backtrace), STDERR_FILENO);
  if (is_rank) let_output_be_forwarded();
  raise(signal);  // SA_RESETHAND has restored the default action, which ends the process
}

/// Makes a backtrace now, before any signal has arrived. The first backtrace of a process loads a
/// library, which a signal handler must not do.
void load_unwinder() {
  static const int loaded = [] {
    void* frame[1];
    return backtrace(frame, 1);
  }();
  static_cast<void>(loaded);
}

}  // namespace

crash_reports::crash_reports(of which) {
  is_rank = which == of::ranks;
  load_unwinder();
  sigset_t none;
  sigemptyset(&none);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    if (is_left_to(signal, SIG_DFL))
      actions_.handle(signal, report_crash, SA_ONSTACK | SA_RESETHAND, none);
  }
}

void name_pe_of_this_thread(int pe) noexcept { pe_of_thread = pe; }

int pe_of_this_thread() noexcept { return pe_of_thread; }

crash_stack::crash_stack(int pe) {
  pe_of_thread = pe;
  stack_t present{};
  const bool is_known = sigaltstack(nullptr, &present) == 0;
  if (is_known && (present.ss_flags & SS_DISABLE) == 0) return;
  memory_ = std::make_unique_for_overwrite<std::byte[]>(stack_size);
  stack_t own{};
  own.ss_sp = memory_.get();
  own.ss_size = stack_size;
  if (is_known && sigaltstack(&own, nullptr) == 0) return;
  log::warning("PE {}: an overflow of its stack will not be reported: no stack for signals "
               "(sigaltstack): {}",
               pe, std::strerror(errno));
  memory_.reset();
}

crash_stack::~crash_stack() {
  pe_of_thread = 0;
  if (memory_ == nullptr) return;
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  // If this call fails, the kernel still uses the memory, which must not be freed.
  if (sigaltstack(&none, nullptr) != 0) static_cast<void>(memory_.release());
}

namespace {

/// The last part of a report about a PE's death, such as "; the last task it started came from
/// bfs.hpp:12" or " while no job ran". The text may be empty. The object allocates no memory,
/// because signal handlers may use it.
class origin {
 public:
  explicit origin(std::uint64_t last_site, life_stage stage = life_stage::in_body) noexcept {
    if (stage == life_stage::before_body) std::strcpy(text_, " before it began");
    if (stage == life_stage::between_jobs) std::strcpy(text_, " while no job ran");
    if (stage != life_stage::in_body) return;
    const site last = transport::site_of_word(last_site);
    if (!last.known()) return;
    const char* const slash = std::strrchr(last.file(), '/');
    *fmt::format_to_n(text_, sizeof text_ - 1, "; the last task it started came from {}:{}",
                      slash != nullptr ? slash + 1 : last.file(), last.line())
         .out = '\0';
  }

  const char* text() const noexcept { return text_; }

 private:
  char text_[200] = "";
};

}  // namespace

void say_death(int pe, int wait_status, std::uint64_t last_site, life_stage stage) noexcept {
  const origin from(last_site, stage);
  if (WIFSIGNALED(wait_status))
    say("PE {} was killed by signal {} ({}){}", pe, WTERMSIG(wait_status),
        transport::signal_name(WTERMSIG(wait_status)), from.text());
  else
    say("PE {} exited with status {}{}{}", pe, WEXITSTATUS(wait_status),
        stage == life_stage::in_body ? " before the end of the job" : "", from.text());
}

void say_exit(int pe, int status, int ends_with, std::uint64_t last_site) noexcept {
  say("PE {} called exit({}) before the end of the job, which ends with status {}{}", pe, status,
      ends_with, origin(last_site).text());
}

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
