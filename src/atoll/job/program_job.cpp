#include "atoll/launch.hpp"

#include "atoll/error.hpp"
#include "atoll/job/bootstrap.hpp"
#include "atoll/job/cores.hpp"
#include "atoll/job/guard.hpp"
#include "atoll/job/job_signals.hpp"
#include "atoll/job/launch_info.hpp"
#include "atoll/job/signal_scope.hpp"
#include "atoll/launch.hpp"
#include "atoll/machine.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace atl::job {
namespace {

bool is_executable(const std::string& file) {
  struct stat seen{};
  return stat(file.c_str(), &seen) == 0 && S_ISREG(seen.st_mode) && access(file.c_str(), X_OK) == 0;
}

[[noreturn]] void cannot(int pe, const char* what, const std::string& of, int reason) noexcept {
  say("PE {}: error: {} {}: {}", pe, what, of.c_str(), std::strerror(reason));
  _exit(k_status_environment);
}

void leave_input_to_pe_0(int pe) noexcept {
  if (pe == 0) return;
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0)
    cannot(pe, "no standard input from", "/dev/null", errno);
  if (nothing != STDIN_FILENO) close(nothing);
}

/// Replaces this child process by the program. If the program cannot be started, prints the error
/// and ends the process.
[[noreturn]] void become(const program& started, const launch_info& card,
                         const inherited_region& memory, pid_t parent) noexcept {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
    cannot(card.pe, "it could not be tied to the life of", "its launcher (prctl)", errno);
  if (getppid() != parent) _exit(k_status_exception);  // the parent died before prctl
  leave_input_to_pe_0(card.pe);
  if (const int reason = memory.leave_to_program(); reason != 0)
    cannot(card.pe, "cannot leave the memory of the job to", started.file, reason);
  for (const auto& [name, value] : started.variables)
    if (setenv(name.c_str(), value.c_str(), 1) != 0) cannot(card.pe, "no variable", name, errno);
  if (setenv(launch_info::variable, text_of(card).c_str(), 1) != 0)
    cannot(card.pe, "no variable", launch_info::variable, errno);
  std::vector<char*> words;
  for (const std::string& word : started.words) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execv(started.file.c_str(), words.data());
  cannot(card.pe, "cannot start", started.file, errno);
}

class started_programs {
 public:
  started_programs(const settings& settings, const program& started)
      : pes_(number_of_pes(settings)),
        claims_(free_cores(pes_, settings)),
        own_cores_(cores_suffice(pes_) && (!settings.pin || !claims_.empty())),
        region_(pes_, settings),
        memory_(region_),
        signals_(region_),
        children_(pes_),
        forwarded_(children_) {
    for (int pe = 0; pe < pes_; ++pe) start(started, pe);
  }

  int wait(nanoseconds hang_timeout) {
    guard over(region_, children_, signals_, hang_timeout, guard::watch::programs);
    over.bodies_have_ended();
    signals_.open();
    forwarded_.open();
    over.wait_for_children();
    return region_.ended() ? region_.end_status() : over.largest_status();
  }

 private:
  void start(const program& started, int pe) {
    const pid_t parent = getpid();
    const int core = claims_.empty() ? -1 : claims_.core_of(pe);
    const launch_info card{pe, pes_, own_cores_, core, memory_.handed()};
    const pid_t child = fork();
    if (child < 0)
      fail(errc::environment, "process {} of {} (-np) could not be started: {}", pe + 1, pes_,
           refusal_text(errno, refused::process));
    if (child != 0) return children_.add(pe, child);
    forwarded_.leave_to_child();
    signals_.leave_to_child();
    file_limit_is_an_error_.restore();
    become(started, card, memory_, parent);
  }

  // A child restores the former action of SIGXFSZ before it executes the program.
  file_size_signal_ignored file_limit_is_an_error_;
  const int pes_;
  const core_claims claims_;
  const bool own_cores_;
  shm::region region_;
  const inherited_region memory_;
  job_signals signals_;
  children children_;
  forwarded_signals forwarded_;
};

}  // namespace

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    if (is_executable(name)) return name;
    fail(errc::input, "{}: no program that can be started", name);
  }
  const char* const path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "/usr/bin:/bin";
  while (true) {
    const std::size_t end = rest.find(':');
    const std::string_view folder = rest.substr(0, end);
    const std::string file = (folder.empty() ? "." : std::string(folder)) + "/" + name;
    if (is_executable(file)) return file;
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  if (is_executable(name)) return "./" + name;
  fail(errc::input, "{}: no program of this name in PATH, nor here", name);
}

void refuse_simulation(const settings& settings) {
  if (settings.transport != transport_kind::sim) return;
  fail(errc::input,
       "the setting transport is sim, which runs all PEs in one thread; a program that joins its "
       "job from main is a process for each PE: leave the setting out (ATOLL_TRANSPORT)");
}

int run_program(const settings& settings, const program& started) {
  refuse_simulation(settings);
  open_standard_descriptors();
  forget_launch();
  flush_output();
  program with_limit = started;
  const int pes = number_of_pes(settings);
  const auto limited =
      with_share(settings, pes, share_of_group(pes, settings, read_memory_status()));
  if (limited.memory_limit != settings.memory_limit)
    with_limit.variables.emplace_back("ATOLL_MEMORY_LIMIT", limited.value("memory-limit"));
  started_programs all(settings, with_limit);
  return all.wait(settings.hang_timeout);
}

}  // namespace atl::job
