#include "atoll/job/crash_report.hpp"

#include "atoll/job/output.hpp"
#include "atoll/job/wire.hpp"
#include "atoll/log.hpp"

#include <cerrno>
#include <execinfo.h>
#include <unistd.h>

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
  raise(signal);  // the action is the default one by now: SA_RESETHAND
}

/// The first backtrace of a process loads a library, which a signal handler must not.
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
  if (sigaltstack(&none, nullptr) != 0) static_cast<void>(memory_.release());  // still in use
}

}  // namespace atl::job
