#include "atoll/job/children.hpp"

#include <cerrno>
#include <csignal>
#include <sys/wait.h>

namespace atl::job {

children::~children() {
  kill_all();
  wait_for_all();
}

void children::add(int pe, pid_t child) noexcept {
  running_[static_cast<std::size_t>(pe)] = child;
  ++count_;
}

std::optional<children::end> children::reap() noexcept {
  for (std::size_t pe = 0; pe < running_.size(); ++pe) {
    int ending = 0;
    if (running_[pe] == 0) continue;
    const pid_t found = waitpid(running_[pe], &ending, WNOHANG);
    const bool is_lost = found < 0 && errno == ECHILD;  // somebody else has waited for it
    if (found != running_[pe] && !is_lost) continue;
    running_[pe] = 0;
    --count_;
    return end{static_cast<int>(pe), ending};
  }
  return std::nullopt;
}

void children::send(int signal) const noexcept {
  for (const pid_t child : running_)
    if (child != 0) kill(child, signal);
}

void children::kill_all() noexcept { send(SIGKILL); }

void children::wait_for_all() noexcept {
  for (pid_t& child : running_) {
    if (child == 0) continue;
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    child = 0;
    --count_;
  }
}

}  // namespace atl::job
